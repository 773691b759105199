#include "report/html_path.h"

#include <algorithm>
#include <map>

#include "report/html_text.h"
#include "report/state.h"

namespace reckon::report {

namespace {

constexpr std::uint32_t kShortFunction = 90;  // lines; shown whole
constexpr std::uint32_t kAround = 6;          // lines kept around a stop in longer ones
constexpr std::uint32_t kSmallestGap = 5;     // fewer lines are not worth folding
constexpr std::uint32_t kLargestGap = 400;    // more are not put into the page
constexpr std::size_t kNoFrame = static_cast<std::size_t>(-1);

std::string number(std::size_t n) { return std::to_string(n); }

// Function and file of a run of stops. Callees hang on the stop of the caller they were entered at.
struct Frame {
  std::string file;
  const FunctionCoverage* function = nullptr;
  std::vector<std::size_t> stops;
  std::map<std::size_t, std::vector<std::size_t>> children;  // by stop
};

struct FrameTree {
  std::vector<Frame> frames;
  std::vector<std::size_t> top;
  std::vector<std::size_t> of_stop;
};

FrameTree build_frames(const std::vector<HtmlStop>& stops, const FunctionMap& functions) {
  FrameTree tree;
  std::vector<std::size_t> open;  // the frame at each depth
  for (std::size_t i = 0; i < stops.size(); ++i) {
    const HtmlStop& stop = stops[i];
    const FunctionCoverage* function = functions.around(stop.loc.file, stop.loc.line);
    const auto same = [&](std::size_t f) {
      return tree.frames[f].file == stop.loc.file && tree.frames[f].function == function;
    };
    const auto depth = std::min<std::size_t>(static_cast<std::size_t>(std::max(stop.depth, 0)), open.size());
    const bool deeper = depth == open.size();
    open.resize(depth + (deeper ? 0 : 1));
    std::size_t frame = kNoFrame;
    if (!deeper && same(open[depth])) frame = open[depth];
    if (depth == 0 && frame == kNoFrame)
      for (std::size_t f : tree.top)
        if (same(f)) frame = f;
    if (frame == kNoFrame) {
      frame = tree.frames.size();
      tree.frames.push_back({stop.loc.file, function, {}, {}});
      if (depth == 0)
        tree.top.push_back(frame);
      else
        tree.frames[open[depth - 1]].children[tree.frames[open[depth - 1]].stops.back()].push_back(frame);
    }
    if (deeper)
      open.push_back(frame);
    else
      open[depth] = frame;
    tree.frames[frame].stops.push_back(i);
    tree.of_stop.push_back(frame);
  }
  return tree;
}

class SourceView {
 public:
  SourceView(const std::vector<HtmlStop>& stops, const std::vector<SourceLoc>& further, const std::string& prefix,
             const Run& run, const FunctionMap& functions, HtmlSources& sources)
      : stops_(stops),
        further_(further),
        prefix_(prefix),
        run_(run),
        sources_(sources),
        tree_(build_frames(stops, functions)) {}

  std::string all() {
    for (std::size_t f : tree_.top) {
      if (f != tree_.top.front()) out_ += "<br>";
      block(f);
    }
    if (collects_)
      out_ +=
          "<p class=\"muted\"><b class=\"gc\">GC</b> Garbage may be collected on this line. Calls that lead only to an "
          "error are not marked.</p>";
    return std::move(out_);
  }

 private:
  void block(std::size_t index) {
    const Frame& frame = tree_.frames[index];
    const std::string shown = html_escape(shown_path(frame.file, run_.base));
    out_ += "<div class=\"code\" tabindex=\"0\" role=\"group\" aria-label=\"Source of " + shown + "\">";
    out_ += "<div class=\"file-name\"><span>" + shown + "</span>";
    if (frame.function) out_ += "<code class=\"muted\">" + html_escape(frame.function->name) + "</code>";
    out_ += "</div>";
    lines(frame);
    out_ += "</div>";
  }

  void lines(const Frame& frame) {
    const auto& text = sources_.lines(frame.file);
    std::map<std::uint32_t, std::vector<std::size_t>> notes;
    for (std::size_t s : frame.stops) notes[stops_[s].loc.line].push_back(s);
    if (text.empty()) {
      out_ += "<p class=\"muted absent\">The source is not available.</p>";
      for (const auto& [line, here] : notes)
        for (std::size_t s : here) note(frame, s);
      return;
    }
    const auto last_line = static_cast<std::uint32_t>(text.size());
    std::uint32_t lo = notes.begin()->first, hi = notes.rbegin()->first;
    if (frame.function && frame.function->line != 0 && frame.function->line <= lo && frame.function->end_line >= hi) {
      lo = head_of(frame);
      hi = frame.function->end_line;
    } else {
      lo = lo > 2 * kAround ? lo - 2 * kAround : 1;
      hi += kAround;
    }
    lo = std::max<std::uint32_t>(lo, 1);
    hi = std::min(hi, last_line);
    const bool whole = hi - lo < kShortFunction;
    std::vector<char> kept(hi + 2, whole);
    const auto keep = [&](std::uint32_t line, std::uint32_t around) {
      for (std::uint32_t l = line > around ? line - around : 1; l <= std::min(line + around, hi); ++l) kept[l] = 1;
    };
    keep(lo + 1, 1);
    keep(hi, 1);
    for (const auto& [line, here] : notes) keep(line, kAround);
    for (const SourceLoc& place : further_)
      if (place.file == frame.file && place.line >= lo && place.line <= hi) keep(place.line, 1);
    for (std::uint32_t l = lo; l <= hi;) {
      std::uint32_t end = l;
      while (end <= hi && !kept[end]) ++end;
      if (end - l >= kSmallestGap) {
        gap(frame, text, l, end);
        l = end;
        continue;
      }
      for (end = std::max(end, l + 1); l < end; ++l) {
        const auto here = notes.find(l);
        line(frame, text, l, here == notes.end() ? nullptr : &here->second);
        if (here != notes.end())
          for (std::size_t s : here->second) note(frame, s);
      }
    }
    // What lies beyond the file's end has no line to stand at.
    for (auto it = notes.upper_bound(hi); it != notes.end(); ++it)
      for (std::size_t s : it->second) note(frame, s);
    for (auto it = notes.begin(); it != notes.end() && it->first < lo; ++it)
      for (std::size_t s : it->second) note(frame, s);
  }

  // The line the function's declaration begins at: its return type may stand above its name.
  std::uint32_t head_of(const Frame& frame) {
    const SourceFile& file = sources_.file(frame.file);
    std::uint32_t line = frame.function->line;
    for (int k = 0; k < 2 && line > 1; ++k) {
      std::string_view above = file.line(line - 1);
      while (!above.empty() && (above.back() == '\n' || above.back() == '\r' || above.back() == ' '))
        above.remove_suffix(1);
      if (above.empty() || above.front() == '#' || above.back() == '}' || above.back() == ';' || above.ends_with("*/"))
        break;
      --line;
    }
    return line;
  }

  void gap(const Frame& frame, const std::vector<std::string>& text, std::uint32_t begin, std::uint32_t end) {
    const std::string count = number(end - begin) + " lines";
    if (end - begin > kLargestGap) {
      out_ += "<details class=\"gap\"><summary>" + count + " left out</summary></details>";
      return;
    }
    out_ += "<details class=\"gap\"><summary>" + count + "</summary>";
    for (std::uint32_t l = begin; l < end; ++l) line(frame, text, l, nullptr);
    out_ += "</details>";
  }

  void line(const Frame& frame, const std::vector<std::string>& text, std::uint32_t l,
            const std::vector<std::size_t>* here) {
    bool essential = false, end = false;
    std::uint32_t col = 0;
    if (here)
      for (std::size_t s : *here) {
        essential = essential || stops_[s].essential;
        end = end || stops_[s].end;
        if (col == 0 || stops_[s].end) col = stops_[s].loc.col;
      }
    out_ += end ? "<div class=\"l here\"><i>" : essential ? "<div class=\"l hit\"><i>" : "<div class=\"l\"><i>";
    out_ += number(l);
    collection(frame, l);
    out_ += "</i><code>";
    out_ += essential && col != 0 ? mark_column(text[l - 1], col) : text[l - 1];
    for (const SourceLoc& place : further_)
      if (place.file == frame.file && place.line == l) {
        out_ += "<span class=\"c\">  &#8592; here, too</span>";
        break;
      }
    out_ += "</code></div>\n";
  }

  void collection(const Frame& frame, std::uint32_t l) {
    const auto file = run_.collections.find(frame.file);
    if (file == run_.collections.end()) return;
    const auto line = file->second.find(l);
    if (line == file->second.end()) return;
    std::string calls;
    for (const std::string& call : line->second) calls += (calls.empty() ? "" : ", ") + html_escape(call);
    out_ += "<b class=\"gc\" title=\"May collect garbage: " + calls + "\">GC</b>";
    collects_ = true;
  }

  void note(const Frame& frame, std::size_t s) {
    const HtmlStop& stop = stops_[s];
    out_ += "<div class=\"note";
    if (!stop.essential) out_ += " minor";
    if (stop.end) out_ += " end";
    out_ += "\" id=\"" + prefix_ + "s" + number(s) + "\" data-stop=\"" + number(s) + "\"><span class=\"num\">";
    if (stop.number != 0) out_ += number(stop.number);
    out_ += "</span><div class=\"say\">";
    for (std::size_t k = 0; k < stop.steps.size(); ++k) {
      const Step* step = stop.steps[k];
      const std::string minor = step->essential || !stop.essential ? "" : " minor";
      out_ += "<span class=\"part" + minor + "\">" + html_message(step->text);
      // Said once for neighbours that come from the same one.
      const bool said_later = k + 1 < stop.steps.size() && stop.steps[k + 1]->loc.macro == step->loc.macro &&
                              (stop.steps[k + 1]->essential || !step->essential || !stop.essential);
      if (!step->loc.macro.empty() && !said_later)
        out_ += " <span class=\"muted\">in macro " + html_escape(step->loc.macro) + "</span>";
      out_ += "</span> ";
      if (!step->state.empty()) out_ += "<span class=\"effect" + minor + "\">" + html_message(step->state) + "</span> ";
    }
    if (stop.end) out_ += "<strong>" + html_message(stop.end_text) + "</strong>";
    out_ += "</div></div>\n";
    const auto children = frame.children.find(s);
    if (children == frame.children.end()) return;
    for (std::size_t c : children->second) {
      const Frame& callee = tree_.frames[c];
      const bool minor =
          std::none_of(callee.stops.begin(), callee.stops.end(), [&](std::size_t k) { return stops_[k].essential; });
      out_ += "<details class=\"frame" + std::string(minor ? " minor" : "") + "\" open id=\"" + prefix_ + "f" +
              number(c) + "\"><summary>in the callee";
      if (callee.function) out_ += " <code>" + html_escape(callee.function->name) + "()</code>";
      out_ += "</summary>";
      block(c);
      out_ += "</details>";
    }
  }

  const std::vector<HtmlStop>& stops_;
  const std::vector<SourceLoc>& further_;
  const std::string& prefix_;
  const Run& run_;
  HtmlSources& sources_;
  FrameTree tree_;
  std::string out_;
  bool collects_ = false;  // a line is marked
};

std::string brief(const HtmlStop& stop) {
  std::string out;
  for (const Step* step : stop.steps) {
    if (!step->essential && stop.essential) continue;
    if (!out.empty()) out += "; ";
    out += step->text;
  }
  if (stop.end) out += (out.empty() ? "" : "; ") + stop.end_text;
  return out;
}

std::string change_data(const StateChange& change) {
  std::string out = "{";
  const auto comma = [&] {
    if (out.size() > 1) out += ',';
  };
  if (!change.objects.empty()) {
    out += "\"objects\":[";
    for (const ObjectState& o : change.objects) {
      if (&o != &change.objects.front()) out += ',';
      out += "{\"id\":" + number(o.id) + ",\"name\":" + script_string(o.name) + ",\"kind\":" + script_string(o.kind) +
             ",\"owned\":" + std::to_string(o.owned);
      if (o.line != 0) out += ",\"line\":" + number(o.line);
      if (o.focus) out += ",\"focus\":true";
      if (!o.count.empty()) out += ",\"count\":" + script_string(o.count);
      if (o.released) out += ",\"released\":true";
      if (o.escaped) out += ",\"escaped\":true";
      if (!o.lender.empty()) out += ",\"lender\":" + script_string(o.lender);
      if (!o.holders.empty()) {
        out += ",\"holders\":[";
        for (const std::string& h : o.holders) out += (&h == &o.holders.front() ? "" : ",") + script_string(h);
        out += "]";
      }
      out += "}";
    }
    out += "]";
  }
  if (!change.exception.empty()) comma(), out += "\"exception\":" + script_string(change.exception);
  if (!change.lock.empty()) comma(), out += "\"lock\":" + script_string(change.lock);
  if (!change.depth.empty()) {
    const auto list = [](const std::vector<std::string>& names) {
      std::string all;
      for (const std::string& n : names) all += (all.empty() ? "" : ",") + script_string(n);
      return "[" + all + "]";
    };
    comma(), out += "\"depth\":" + script_string(change.depth) + ",\"stack\":" + list(change.stack) +
                    ",\"bare\":" + list(change.bare);
  }
  return out + "}";
}

}  // namespace

FunctionMap::FunctionMap(const Coverage& coverage) {
  for (const FunctionCoverage& f : coverage.functions) files_[f.file].push_back(&f);
  for (auto& [file, list] : files_)
    std::stable_sort(list.begin(), list.end(), [](const auto* a, const auto* b) { return a->line < b->line; });
}

const FunctionCoverage* FunctionMap::around(const std::string& file, std::uint32_t line) const {
  const auto it = files_.find(file);
  if (it == files_.end()) return nullptr;
  auto next = std::upper_bound(it->second.begin(), it->second.end(), line,
                               [](std::uint32_t l, const auto* f) { return l < f->line; });
  while (next != it->second.begin()) {
    const FunctionCoverage* f = *--next;
    if (f->end_line >= line) return f;
  }
  return nullptr;
}

std::vector<HtmlStop> html_stops(const std::vector<Step>& path, const SourceLoc& end, std::string end_text) {
  std::vector<HtmlStop> stops;
  for (const Step& step : path) {
    const bool same = !stops.empty() && stops.back().depth == step.depth && stops.back().loc.file == step.loc.file &&
                      stops.back().loc.line == step.loc.line && stops.back().loc.col == step.loc.col;
    if (!same) {
      stops.emplace_back();
      stops.back().loc = step.loc;
      stops.back().depth = step.depth;
    }
    HtmlStop& stop = stops.back();
    stop.essential = stop.essential || step.essential;
    stop.steps.push_back(&step);
    merge(stop.change, step.change);
  }
  HtmlStop last;
  last.loc = end;
  last.essential = last.end = true;
  last.end_text = std::move(end_text);
  stops.push_back(std::move(last));
  std::size_t n = 0;
  for (HtmlStop& stop : stops)
    if (stop.essential) stop.number = ++n;
  return stops;
}

std::string html_source(const std::vector<HtmlStop>& stops, const std::vector<SourceLoc>& further,
                        const std::string& prefix, const Run& run, const FunctionMap& functions, HtmlSources& sources) {
  return SourceView(stops, further, prefix, run, functions, sources).all();
}

std::string html_steps(const std::vector<HtmlStop>& stops, const std::string& prefix, const FunctionMap& functions) {
  const FrameTree tree = build_frames(stops, functions);
  std::string out = "<ol class=\"steps\">";
  int depth = 0;
  const auto essential_callee = [&](std::size_t i) {  // anything worth showing before the callee returns?
    for (const int inside = stops[i].depth; i < stops.size() && stops[i].depth >= inside; ++i)
      if (stops[i].essential) return true;
    return false;
  };
  for (std::size_t i = 0; i < stops.size(); ++i) {
    const HtmlStop& stop = stops[i];
    for (; depth > stop.depth; --depth) out += "</ol></li>";
    for (; depth < stop.depth; ++depth) {
      const FunctionCoverage* f = tree.frames[tree.of_stop[i]].function;
      out += "<li" + std::string(essential_callee(i) ? "" : " class=\"minor\"") +
             "><button class=\"fold\" aria-expanded=\"true\" data-frame=\"" + prefix + "f" + number(tree.of_stop[i]) +
             "\">in " + (f ? html_escape(f->name) + "()" : "the callee") + "</button><ol>";
    }
    out += "<li class=\"" + std::string(stop.essential ? "" : "minor ") + (stop.end ? "end" : "") +
           "\"><button class=\"step\" data-stop=\"" + number(i) + "\"><span class=\"num\">" +
           (stop.number != 0 ? number(stop.number) : "") + "</span><span>" + html_message(brief(stop)) +
           "</span><span class=\"at-line\"><span class=\"visually-hidden\">line </span>" + number(stop.loc.line) +
           "</span></button></li>";
  }
  for (; depth > 0; --depth) out += "</ol></li>";
  return out + "</ol>";
}

std::string html_stop_data(const std::vector<HtmlStop>& stops) {
  std::string out = "[";
  for (const HtmlStop& stop : stops) {
    if (&stop != &stops.front()) out += ",\n";
    out += "{\"line\":" + number(stop.loc.line) + ",\"text\":" + script_string(brief(stop));
    if (stop.essential) out += ",\"essential\":true";
    if (!stop.change.empty()) out += ",\"change\":" + change_data(stop.change);
    out += "}";
  }
  return out + "]";
}

}  // namespace reckon::report
