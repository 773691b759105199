#include <algorithm>
#include <map>

#include "report/html_page.h"
#include "report/html_text.h"
#include "report/occasion.h"
#include "report/patch.h"
#include "report/repair.h"

namespace reckon::report {

namespace {

std::string place(const SourceLoc& loc, const Run& run) {
  return html_escape(shown_path(loc.file, run.base)) + ":" + std::to_string(loc.line) + ":" + std::to_string(loc.col);
}

std::string fact(const char* name, const std::string& markup) {
  return "<div><dt>" + std::string(name) + "</dt><dd>" + markup + "</dd></div>";
}

std::string headline(const Run& run, const Finding& f) {
  std::string out = "<section class=\"headline\" aria-label=\"Finding\"><div class=\"labels\"><span class=\"sev sev-" +
                    std::string(name_of(f.severity)) + "\">" + name_of(f.severity) + "</span>";
  const std::string id = html_escape(f.check);
  out += find_check(run, f.check) ? "<a class=\"tag\" href=\"../checks/" + html_check_name(f.check) +
                                        "\" title=\"What this check reports\">" + id + "</a>"
                                  : "<span class=\"tag\">" + id + "</span>";
  out += "<span class=\"tag\">" + std::string(name_of(f.confidence)) + " confidence</span>";
  if (f.suppression) out += "<span class=\"tag\">suppressed</span>";
  if (f.in_baseline) out += "<span class=\"tag\">known before</span>";
  if (is_repaired(run, f)) out += "<span class=\"tag\">repaired</span>";
  if (const Confirmation* c = confirmation_of(run, f))
    out += c->status == Confirmation::Status::Confirmed
               ? std::string("<span class=\"tag shown\">shown by running</span>")
               : "<span class=\"tag\">" + std::string(name_of(c->status)) + "</span>";
  out += "</div>\n<h1>" + html_message(f.message) + "</h1>\n<dl class=\"facts\">";
  if (!f.function.empty()) out += fact("Function", "<code>" + html_escape(f.function) + "</code>");
  out += fact("Place", "<code>" + place(f.loc, run) + "</code>" +
                           (f.loc.macro.empty() ? "" : " in macro <code>" + html_escape(f.loc.macro) + "</code>"));
  out += fact("Shows", html_escape(occasion_of(f)));
  if (!f.object.empty()) out += fact("Object", "<code>" + html_escape(f.object) + "</code>");
  if (!f.origin.file.empty())
    out += fact("Obtained", (f.origin_api.empty() ? "" : "from <code>" + html_escape(f.origin_api) + "()</code> ") +
                                std::string("at line ") + std::to_string(f.origin.line) +
                                (f.origin.file == f.loc.file
                                     ? ""
                                     : " of <code>" + html_escape(shown_path(f.origin.file, run.base)) + "</code>"));
  if (!f.further_places.empty()) {
    std::string lines;
    for (const SourceLoc& p : f.further_places)
      lines += (lines.empty() ? "" : ", ") +
               (p.file == f.loc.file ? "line " + std::to_string(p.line) : "<code>" + place(p, run) + "</code>");
    out += fact("Also at", lines);
  }
  if (f.suppression) out += fact("Suppressed", html_escape(f.suppression->reason));
  return out + "</dl></section>\n";
}

// `whose`: "" or " of the other path", since landmarks of one page need names of their own.
std::string side(const std::vector<HtmlStop>& stops, const std::string& prefix, const FunctionMap& functions,
                 const std::string& whose = "") {
  const bool minor = std::any_of(stops.begin(), stops.end(), [](const HtmlStop& s) {
    return !s.essential || std::any_of(s.steps.begin(), s.steps.end(), [](const Step* x) { return !x->essential; });
  });
  std::string out =
      "<div class=\"side\" role=\"group\" aria-label=\"Steps and state" + whose +
      "\">\n<section class=\"card steps-card\" aria-label=\"Steps" + whose +
      "\"><div class=\"stepper\"><button class=\"back\" aria-label=\"Previous step\" title=\"Previous step "
      "(k)\">&#8249;</button>"
      "<output>Path</output><button class=\"on\" aria-label=\"Next step\" title=\"Next step (j)\">&#8250;</button>";
  if (minor)
    out +=
        "<label title=\"Show branches and calls that do not matter here, too (a)\"><input type=\"checkbox\" "
        "class=\"all\"> all steps</label>";
  out += "</div>" + html_steps(stops, prefix, functions) + "</section>\n";
  out += "<section class=\"card state-card\" aria-label=\"State" + whose +
         "\"><h2>State <span class=\"muted state-at\"></span></h2>"
         "<div class=\"state-body\"><p class=\"muted\">The state at each step is shown with JavaScript "
         "on.</p></div></section>\n</div>\n";
  return out;
}

// A unified diff as lines in colour; its text stays a patch.
std::string coloured(const std::string& diff) {
  std::string out;
  for (std::size_t at = 0; at < diff.size();) {
    const std::size_t end = std::min(diff.find('\n', at), diff.size());
    const std::string_view line = std::string_view(diff).substr(at, end - at);
    const bool header = line.starts_with("+++") || line.starts_with("---") || line.starts_with("@@");
    const char* name = header                  ? " class=\"hunk\""
                       : line.starts_with("+") ? " class=\"add\""
                       : line.starts_with("-") ? " class=\"del\""
                                               : "";
    out += "<span" + std::string(name) + ">" + html_escape(line) + "\n</span>";
    at = end + 1;
  }
  return out;
}

std::string repairs(const Run& run, const Finding& f, HtmlSources& sources) {
  std::string out;
  for (const Fix& fix : f.fixes) {
    std::map<std::string, std::vector<Edit>> by_file;
    for (const Edit& edit : fix.edits) by_file[edit.file].push_back(edit);
    std::string diff;
    for (const auto& [file, edits] : by_file) {
      const SourceFile& source = sources.file(file);
      diff += unified_diff(shown_path(file, run.base), source.text, apply_edits(source, edits));
    }
    out += "<section class=\"card repair\" aria-label=\"Repair\"><header><h2>Repair: " + html_message(fix.description) +
           "</h2><button class=\"copy\">Copy as patch</button></header><p class=\"muted\">Tried on Reckon&#39;s model "
           "of the program: with it "
           "the finding is gone, and no other appears.</p><pre class=\"diff\" tabindex=\"0\">" +
           coloured(diff) + "</pre></section>\n";
  }
  return out;
}

// What a run showed, with the script to copy; or why it showed nothing.
std::string evidence(const Run& run, const Finding& f) {
  const Confirmation* c = confirmation_of(run, f);
  if (!c) return "";
  if (c->status != Confirmation::Status::Confirmed)
    return "<section class=\"card evidence\" aria-label=\"Running\"><header><h2>Running: " +
           std::string(name_of(c->status)) + "</h2></header><p class=\"muted\">" + html_escape(c->why) +
           "</p></section>\n";
  std::string out =
      "<section class=\"card repair evidence\" aria-label=\"Shown by running\"><header><h2>Shown by running</h2>";
  if (!c->script.empty()) out += "<button class=\"copy\">Copy the script</button>";
  out += "</header><p>" + html_escape(c->seen) + "</p>";
  if (!c->assuming.empty()) {
    out += "<p class=\"muted\">Made to fail for that:";
    for (const std::string& call : c->assuming) out += " <code>" + html_escape(call) + "</code>";
    out += "</p>";
  }
  if (!c->command.empty())
    out += "<p class=\"muted\">To see it again: <code>" + html_escape(c->command) + "</code></p>";
  if (!c->script.empty()) out += "<pre class=\"diff\">" + html_escape(c->script) + "</pre>";
  return out + "</section>\n";
}

}  // namespace

std::string html_finding_page(const Run& run, std::size_t index, const FunctionMap& functions, HtmlSources& sources) {
  const Finding& f = run.findings[index];
  std::string body = headline(run, f);
  const auto stops = html_stops(f.path, f.loc, f.message);
  std::string data = "[" + html_stop_data(stops);
  if (f.other_path.empty()) {
    body += "<section class=\"pane walk single\" aria-label=\"Path\">\n<div class=\"source\">" +
            html_source(stops, f.further_places, "p0", run, functions, sources) + "</div>\n" +
            side(stops, "p0", functions) + "</section>\n";
  } else {
    // The last step of the other path is its end.
    std::vector<Step> rest = f.other_path;
    const Step last = rest.back();
    rest.pop_back();
    auto others = html_stops(rest, last.loc, last.text);
    others.back().change = last.change;
    data += "," + html_stop_data(others);
    const auto pane = [&](const char* title, const std::vector<HtmlStop>& path, const std::string& prefix,
                          const char* whose) {
      return "<section class=\"pane\" aria-label=\"" + std::string(title) + "\"><h2>" + title + "</h2>\n" +
             side(path, prefix, functions, whose) + "<div class=\"source\">" +
             html_source(path, f.further_places, prefix, run, functions, sources) + "</div></section>\n";
    };
    body += "<div class=\"walk pair\">\n" + pane("This path", stops, "p0", " of this path") +
            pane("The other path", others, "p1", " of the other path") + "</div>\n";
  }
  data += "]";
  body += "<div class=\"below\">" + evidence(run, f) + repairs(run, f, sources) + "</div>\n";
  body +=
      "<p class=\"visually-hidden\" id=\"said\" aria-live=\"polite\"></p>\n<script type=\"application/json\" "
      "id=\"paths\">{\"number\":" +
      std::to_string(index + 1) + ",\"object\":" + script_string(f.object) + ",\"paths\":" + data + "}</script>";

  const std::size_t count = run.findings.size();
  HtmlPage page;
  page.title = html_escape(f.check) + (f.function.empty() ? "" : " in " + html_escape(f.function)) + " - Reckon";
  page.root = "../";
  page.scripts = {"assets/finding.js"};
  page.nav = "<a rel=\"up\" href=\"../index.html\">All findings</a>";
  const auto neighbour = [&](const char* rel, const char* text, bool there, std::size_t at) {
    page.nav += "<a rel=\"" + std::string(rel) + "\"" +
                (there ? " href=\"" + html_finding_name(at, count) + "\"" : "") + ">" + text + "</a>";
  };
  neighbour("prev", "&#8249; Previous", index > 0, index - 1);
  page.nav +=
      "<span class=\"position muted\">" + std::to_string(index + 1) + " of " + std::to_string(count) + "</span>";
  neighbour("next", "Next &#8250;", index + 1 < count, index + 1);
  page.body = std::move(body);
  page.keys = {{"<kbd>j</kbd> <kbd>k</kbd> or <kbd>&#8594;</kbd> <kbd>&#8592;</kbd>", "next, previous step"},
               {"<kbd>g</kbd> <kbd>G</kbd>", "first, last step"},
               {"<kbd>a</kbd>", "all steps, or those that matter"},
               {"<kbd>f</kbd>", "fold or unfold callees"},
               {"<kbd>n</kbd> <kbd>p</kbd>", "next, previous finding"},
               {"<kbd>u</kbd>", "back to all findings"}};
  if (!f.other_path.empty()) page.keys.emplace_back("<kbd>x</kbd>", "switch between the two paths");
  return html_page(page, run);
}

}  // namespace reckon::report
