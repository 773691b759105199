#include "confirm/plan.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
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

// A condition as steps write it behind the name of what is tested: "< 0`", "is not 0", "returns 0".
struct Condition {
  std::string_view relation;  // "==", "!=", "<", "<=", ">", ">="
  std::int64_t number = 0;
  bool of_pointer = false;
  bool fits(std::int64_t n) const {
    if (relation == "==") return n == number;
    if (relation == "!=") return n != number;
    if (relation == "<") return n < number;
    if (relation == "<=") return n <= number;
    return relation == ">" ? n > number : n >= number;
  }
};

// nullopt: it takes an object to make it hold, or these are other words.
std::optional<Condition> read_condition(std::string_view text) {
  if (text.starts_with("is NULL")) return Condition{"==", 0, true};
  struct Words {
    std::string_view words, relation;
  };
  constexpr std::array<Words, 10> kWords = {{{"is not ", "!="},
                                             {"does not return ", "!="},
                                             {"returns ", "=="},
                                             {"is ", "=="},
                                             {"== ", "=="},
                                             {"!= ", "!="},
                                             {">= ", ">="},
                                             {"<= ", "<="},
                                             {"< ", "<"},
                                             {"> ", ">"}}};
  for (const auto& [words, relation] : kWords) {
    if (!text.starts_with(words)) continue;
    const std::string_view rest = text.substr(words.size());
    std::int64_t n = 0;
    if (std::from_chars(rest.data(), rest.data() + rest.size(), n).ec != std::errc()) return std::nullopt;
    return Condition{relation, n};
  }
  return std::nullopt;
}

// A number that makes all of them hold and means failure: below 0, or NULL. Other numbers mean success more often, and
// a call that is made to succeed without doing its work breaks a program that is right.
std::optional<std::int64_t> value_for(const std::vector<Condition>& conditions) {
  if (conditions.empty()) return std::nullopt;
  std::vector<std::int64_t> candidates = {-1};
  for (const Condition& c : conditions) {
    candidates.insert(candidates.end(), {c.number, c.number - 1, c.number + 1});
    if (c.of_pointer) return 0;
  }
  for (const std::int64_t n : candidates)
    if (n < 0 && std::all_of(conditions.begin(), conditions.end(), [&](const Condition& c) { return c.fits(n); }))
      return n;
  return std::nullopt;
}

// What later steps of the path say of this call's result: by the variable that takes it, or by the call's own name.
std::optional<std::int64_t> demanded(const std::vector<Step>& path, std::size_t step, const report::CallPlace& place) {
  constexpr std::string_view kAssuming = "assuming ";
  std::vector<Condition> conditions;
  for (std::size_t i = step + 1; i < path.size(); ++i) {
    if (path[i].depth != path[step].depth || !path[i].text.starts_with(kAssuming)) continue;
    for (const std::string& name : {place.assigned_to, place.name + "()"}) {
      if (name.empty() || name == "()") continue;
      std::string_view text = std::string_view(path[i].text).substr(kAssuming.size());
      if (text.starts_with('`')) text.remove_prefix(1);
      if (!text.starts_with(name)) continue;
      text.remove_prefix(name.size());
      if (text.starts_with('`')) text.remove_prefix(1);
      if (!text.starts_with(' ')) continue;
      const auto condition = read_condition(text.substr(1));
      if (!condition) return std::nullopt;
      conditions.push_back(*condition);
      break;
    }
  }
  return value_for(conditions);
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
    if (!end.value && !(end.failure && end.released.empty() && end.stores.empty())) return std::nullopt;
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

  bool end_is_known(const std::vector<Step>& path, const report::CallPlace& place) {
    return std::any_of(path.begin(), path.end(), [&](const Step& step) {
      if (!report::end_of(run_, step)) return false;
      const auto other = places_.at(step.loc);
      return other && other->extent == place.extent;
    });
  }

  // A call of which nobody says how it ends: the path tells what it must return, by a later step or, where the
  // condition is the call itself, by this one. Where a spec or a summary tells more of the end, returning is not all
  // that the call does: one that reads arguments fills them. Such a call is left alone, unless that end is an error of
  // the program's own function, which is then performed whole.
  std::optional<unsigned> forced(const std::vector<Step>& path, std::size_t i) {
    const Step& step = path[i];
    if (!step.state.empty()) return std::nullopt;
    if (const report::CallEnd* end = report::end_of(run_, step)) {
      if (end->value) return *end->value < 0 ? site(step, *end) : std::nullopt;
      if (!end->stores.empty() || !end->released.empty() || !end->exception.empty()) return std::nullopt;
    }
    constexpr std::string_view kWhen = "when ", kReturns = " returns", kAssuming = "assuming `";
    const auto place = places_.at(step.loc);
    if (!place || place->name.empty()) return std::nullopt;
    const std::string call = place->name + "()";
    std::string_view text = step.text;
    std::optional<std::int64_t> value;
    if (text.starts_with(kAssuming)) {
      text.remove_prefix(kAssuming.size());
      if (!text.starts_with(call + " ") || end_is_known(path, *place)) return std::nullopt;
      if (const auto condition = read_condition(text.substr(call.size() + 1))) value = value_for({*condition});
    } else {
      if (text.starts_with(kWhen) && text.ends_with(kReturns)) {
        text.remove_prefix(kWhen.size());
        text.remove_suffix(kReturns.size());
      }
      if (text != call || (!report::end_of(run_, step) && end_is_known(path, *place))) return std::nullopt;
      value = demanded(path, i, *place);
    }
    if (!value) return std::nullopt;
    report::CallEnd end;
    end.value = value;
    Step named = step;
    named.callee = place->name;
    return site(named, end);
  }

  // "when make() fails" of which no summary says how: it returns NULL, if it returns a pointer. Of numbers nobody can
  // say which one means failure, unless a later step does.
  std::optional<unsigned> failing_somehow(const std::vector<Step>& path, std::size_t i) {
    const Step& step = path[i];
    const auto place = places_.at(step.loc);
    if (!place || place->name.empty() || step.text != fmt::format("when {}() fails", place->name)) return std::nullopt;
    report::CallEnd end;
    end.failure = true;
    end.value = demanded(path, i, *place);
    end.exception = step.change.exception == "set" ? "set" : "";
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
      if (explained_inside(f.path, i)) continue;
      const bool fails = end ? end->failure : step.text.ends_with(" fails");
      // One that must give an object, into an argument, cannot succeed without its work.
      if (!fails && !(end && end->decides && step.state.empty())) continue;
      const auto id = end ? site(step, *end) : failing_somehow(f.path, i);
      if (!id) {
        if (end && step.essential) missing = fmt::format("{}() at line {}", step.callee, step.loc.line);
        continue;
      }
      auto add = [&](std::vector<unsigned>& list) {
        if (std::find(list.begin(), list.end(), *id) == list.end()) list.push_back(*id);
      };
      add(all);
      if (fails) add(failing);
      if (fails && step.essential) add(essential);
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
