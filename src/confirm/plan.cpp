#include "confirm/plan.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

namespace reckon::confirm {

namespace {

using report::Step;

// Does the name in the source stand for this function: the same, or a macro that only renames it?
bool renames(const std::string& written, const std::string& function) {
  constexpr std::size_t kShort = 4;  // shorter names are part of others by chance
  const std::size_t colons = written.rfind("::");
  const std::string name = colons == std::string::npos ? written : written.substr(colons + 2);
  return name == function || (name.size() >= kShort && function.find(name) != std::string::npos);
}

// The number that makes a condition hold, as steps write it behind the name of what is tested: "< 0`", "is not 0",
// "returns 0". nullopt: there is none, or it takes an object to make it hold.
std::optional<std::int64_t> value_for(std::string_view condition) {
  auto skip = [&](std::string_view word) {
    if (!condition.starts_with(word)) return false;
    condition.remove_prefix(word.size());
    return true;
  };
  auto number = [&]() -> std::optional<std::int64_t> {
    std::int64_t n = 0;
    return std::from_chars(condition.data(), condition.data() + condition.size(), n).ec == std::errc()
               ? std::optional(n)
               : std::nullopt;
  };
  constexpr std::int64_t kError = -1;  // of all numbers that are not 0 the one that means failure most often
  if (skip("is NULL")) return 0;
  if (skip("is not 0") || skip("does not return 0")) return kError;
  if (skip("returns ") || skip("is ") || skip("== ") || skip(">= ") || skip("<= ")) return number();
  const bool below = skip("< ");
  if (!below && !skip("> ") && !skip("!= ")) return std::nullopt;
  const auto n = number();
  return n ? std::optional(below ? *n - 1 : *n + 1) : std::nullopt;
}

// What a later step of the path says of this call's result: by the variable that takes it, or by the call's own name.
std::optional<std::int64_t> demanded(const std::vector<Step>& path, std::size_t step, const report::CallPlace& place) {
  constexpr std::string_view kAssuming = "assuming ";
  for (std::size_t i = step + 1; i < path.size(); ++i) {
    if (path[i].depth != path[step].depth || !path[i].text.starts_with(kAssuming)) continue;
    for (const std::string& name : {place.assigned_to, place.name + "()"}) {
      if (name.empty() || name == "()") continue;
      std::string_view text = std::string_view(path[i].text).substr(kAssuming.size());
      if (text.starts_with('`')) text.remove_prefix(1);
      if (!text.starts_with(name)) continue;
      text.remove_prefix(name.size());
      if (text.starts_with('`')) text.remove_prefix(1);
      if (text.starts_with(' ')) return value_for(text.substr(1));
    }
  }
  return std::nullopt;
}

class Planner {
 public:
  Planner(const report::Run& run, report::Sources& sources) : run_(run), places_(sources) {}

  Plan plan(const Subject& subject) {
    Plan out{subject.finding, subject.result, subject.harm, 0, 0, {}, ""};
    const report::Finding& f = *subject.finding;
    if (out.harm == report::Harm::None) {
      out.untried = "a run of the program does not show what this check reports";
      return out;
    }
    out.entry = entry(f);
    if (out.entry == 0) {
      out.untried = "the function's text was not found at the place of the finding";
      return out;
    }
    out.maker = maker(f);
    attempts(f, out);
    return out;
  }

  Plans take() { return std::move(plans_); }
  void add(Plan plan) { plans_.plans.push_back(std::move(plan)); }

 private:
  unsigned next() {
    return static_cast<unsigned>(plans_.sites.size() + plans_.entries.size() + plans_.makers.size()) + 1;
  }

  unsigned entry(const report::Finding& f) {
    const auto body = places_.body(f.loc);
    if (!body) return 0;
    const auto& [begin, end] = *body;
    const auto [it, is_new] = entry_at_.try_emplace({begin.file, begin.line, begin.col}, next());
    if (is_new) plans_.entries.push_back({it->second, f.function, f.loc, begin, end});
    return it->second;
  }

  unsigned maker(const report::Finding& f) {
    if (f.origin.file.empty() || f.origin_api.empty()) return 0;
    auto place = places_.at(f.origin);
    if (!place || !renames(place->name, f.origin_api)) return 0;
    for (const Maker& m : plans_.makers)
      if (m.place.extent == place->extent) return m.id;
    plans_.makers.push_back({next(), std::move(*place)});
    return plans_.makers.back().id;
  }

  // A call inside a callee that failed explains why the call of the callee did.
  bool explained_inside(const std::vector<Step>& path, std::size_t step) const {
    for (std::size_t i = step + 1; i < path.size() && path[i].depth > path[step].depth; ++i)
      if (const report::CallEnd* end = report::end_of(run_, path[i]); end && end->failure && end->value) return true;
    return false;
  }

  std::optional<unsigned> site(const Step& step, const report::CallEnd& end) {
    if (!end.value) return std::nullopt;
    for (const Site& s : plans_.sites)
      if (s.loc.file == step.loc.file && s.loc.line == step.loc.line && s.loc.col == step.loc.col && s.end == end)
        return s.id;
    auto place = places_.at(step.loc);
    if (!place) return std::nullopt;
    const bool in_macro = !renames(place->name, step.callee);
    if (in_macro && !places_.body(step.loc)) return std::nullopt;
    plans_.sites.push_back({next(), step.loc, step.callee, end, std::move(*place), in_macro});
    return plans_.sites.back().id;
  }

  // A call of which no spec says how it fails: the path tells what it must return.
  std::optional<unsigned> forced(const std::vector<Step>& path, std::size_t i) {
    const Step& step = path[i];
    constexpr std::string_view kWhen = "when ", kReturns = " returns";
    std::string_view name = step.text;
    if (name.starts_with(kWhen) && name.ends_with(kReturns)) {
      name.remove_prefix(kWhen.size());
      name.remove_suffix(kReturns.size());
    }
    if (!name.ends_with("()") || name.find(' ') != std::string_view::npos) return std::nullopt;
    const auto place = places_.at(step.loc);
    if (!place || place->name + "()" != name) return std::nullopt;
    const auto value = demanded(path, i, *place);
    if (!value) return std::nullopt;
    report::CallEnd end;
    end.value = value;
    Step named = step;
    named.callee = place->name;
    return site(named, end);
  }

  void attempts(const report::Finding& f, Plan& out) {
    std::vector<unsigned> all, essential, failing, outside;
    std::string missing;
    for (std::size_t i = 0; i < f.path.size(); ++i) {
      const Step& step = f.path[i];
      const report::CallEnd* end = report::end_of(run_, step);
      if (!end || !(end->failure || end->decides))
        if (const auto id = forced(f.path, i); id && std::find(outside.begin(), outside.end(), *id) == outside.end())
          outside.push_back(*id);
      if (!end || !(end->failure || end->decides) || explained_inside(f.path, i)) continue;
      const auto id = site(step, *end);
      if (!id) {
        if (step.essential) missing = fmt::format("{}() at line {}", step.callee, step.loc.line);
        continue;
      }
      auto add = [&](std::vector<unsigned>& list) {
        if (std::find(list.begin(), list.end(), *id) == list.end()) list.push_back(*id);
      };
      add(all);
      if (end->failure) add(failing);
      if (end->failure && step.essential) add(essential);
    }
    auto attempt = [&](std::vector<unsigned> sites) {
      if (std::find(out.attempts.begin(), out.attempts.end(), sites) == out.attempts.end())
        out.attempts.push_back(std::move(sites));
    };
    if (all.empty() && outside.empty() && !missing.empty()) {
      out.untried = fmt::format("{} must fail, and its text could not be rewritten", missing);
      return;
    }
    if (!essential.empty()) attempt(essential);
    attempt(all);
    if (!failing.empty()) attempt(failing), attempt({failing.back()});
    if (!all.empty()) attempt({all.back()});
    if (outside.empty()) return;
    // What the path assumes of other calls comes last: it is an assumption of the path, and no spec's.
    attempt({outside.back()});
    std::vector<unsigned> both = {outside.back()};
    both.insert(both.end(), all.begin(), all.end());
    attempt(both);
    both = outside;
    both.insert(both.end(), all.begin(), all.end());
    attempt(both);
  }

  const report::Run& run_;
  report::CallPlaces places_;
  Plans plans_;
  std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, unsigned> entry_at_;
};

}  // namespace

const Site* Plans::site(unsigned id) const {
  const auto it = std::find_if(sites.begin(), sites.end(), [&](const Site& s) { return s.id == id; });
  return it == sites.end() ? nullptr : &*it;
}

Plans make_plans(const std::vector<Subject>& subjects, const report::Run& run, report::Sources& sources) {
  Planner planner(run, sources);
  for (const Subject& subject : subjects) planner.add(planner.plan(subject));
  return planner.take();
}

std::string shown(const Site& site, const std::string& base) {
  return fmt::format("{}() at {}:{}", site.in_macro ? site.function : site.place.name,
                     report::shown_path(site.loc.file, base), site.loc.line);
}

}  // namespace reckon::confirm
