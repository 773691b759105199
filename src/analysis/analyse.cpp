#include "analysis/analyse.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

#include "analysis/dump_states.h"
#include "analysis/schedule.h"
#include "checks/callees.h"
#include "checks/check.h"
#include "checks/static_checks.h"
#include "specs/printer.h"

namespace reckon::analysis {

using namespace checks;

namespace {

bool on_request(const std::string& check) {
  for (const Check& c : all_checks())
    if (c.on_request && check.ends_with("-" + std::string(c.kind))) return true;
  return false;
}

bool selected(const std::string& check, const std::vector<std::string>& globs) {
  bool any_positive = false, on = false, off = false;
  for (const std::string& g : globs) {
    const bool minus = g.starts_with("-");
    const bool match = names_check(minus ? g.substr(1) : g, check);
    if (minus)
      off = off || match;
    else
      any_positive = true, on = on || match;
  }
  return (on || (!any_positive && !on_request(check))) && !off;
}

// A function that a spec describes may well do to objects what others must not. How it leaves counts and the protection
// stack at its ends is judged all the same.
bool of_its_ends(const engine::Event& e) {
  using engine::EventKind;
  switch (e.kind) {
    case EventKind::PathPair:
    case EventKind::StatePair:
    case EventKind::FailureKeeps:
    case EventKind::CountKept: return !e.count.empty();
    case EventKind::DepthAtExit:
    case EventKind::DepthNegative:
    case EventKind::DepthInLoop: return true;
    default: return false;
  }
}

bool is_unprotected(const report::Finding& f) {
  return f.check.ends_with("-unprotected") || f.check.ends_with("-unprotected-arg");
}

bool counts(const report::Finding& f) {
  return f.check.ends_with("-path-pair") || f.check.ends_with("-failure-keeps") || f.check.ends_with("-count-left");
}

// All wrong ends of one object's life in one function are one finding, with its further places.
void group_by_root_cause(std::vector<report::Finding>& findings) {
  std::vector<report::Finding> out;
  std::sort(findings.begin(), findings.end(), [](const auto& a, const auto& b) {
    return std::tie(a.check, a.origin, a.loc) < std::tie(b.check, b.origin, b.loc);
  });
  for (report::Finding& f : findings) {
    auto same = [&](const report::Finding& o) {
      // One wrong release, use or return is one finding, whatever it may concern; one return can leak several things.
      // What is wrong by itself and what is wrong beside another path are two.
      // One end can leave several counts wrong: what another function takes is another mistake.
      const bool another_count = counts(f) && o.origin_api != f.origin_api;
      if (o.check == f.check && o.loc == f.loc && !f.check.ends_with("leak") &&
          o.other_path.empty() == f.other_path.empty() && !another_count)
        return true;
      if (f.origin.file.empty() || o.origin != f.origin || o.origin_api != f.origin_api) return false;
      // What one call made and nobody protects is one mistake, however much it is and whatever happens to it.
      if (is_unprotected(o) && is_unprotected(f)) return true;
      return o.check == f.check && o.origin_index == f.origin_index;
    };
    auto it = std::find_if(out.begin(), out.end(), same);
    if (it == out.end()) {
      out.push_back(std::move(f));
      continue;
    }
    // The most severe one speaks for all.
    if (std::pair(it->confidence, it->severity) < std::pair(f.confidence, f.severity)) std::swap(*it, f);
    if (f.loc != it->loc && f.loc != it->origin) it->further_places.push_back(f.loc);
    it->further_places.insert(it->further_places.end(), f.further_places.begin(), f.further_places.end());
  }
  findings = std::move(out);
}

// Does it all happen within one expansion of a macro?
bool within_macro(const report::Finding& f) {
  auto outside = [&](const report::SourceLoc& l) { return l.macro != f.origin.macro || l.line != f.origin.line; };
  // A leak shows at the end of the function, wherever it was made.
  if (f.origin.macro.empty() || (outside(f.loc) && !f.check.ends_with("leak"))) return false;
  bool reached = false;
  for (const report::Step& s : f.path) {
    reached = reached || s.loc == f.origin;
    if (reached && s.essential && s.depth == 0 && outside(s.loc)) return false;
  }
  return reached;
}

// A bug in a macro is one bug, however often the macro is used; the same holds for a template and its instances.
// `findings` are sorted.
void group_by_text(std::vector<report::Finding>& findings) {
  using Key = std::tuple<std::string, std::string, report::SourceLoc, report::SourceLoc, std::string, std::uint32_t>;
  std::map<Key, std::size_t> first;
  std::vector<report::Finding> out;
  for (report::Finding& f : findings) {
    const bool macro = within_macro(f);
    report::SourceLoc origin = f.origin, at = f.loc;
    if (macro) at = {}, origin.line = origin.col = 0;
    const Key key{f.check, f.message, std::move(at), std::move(origin), f.origin_api, f.origin_index};
    const auto [it, fresh] = first.emplace(key, out.size());
    if (fresh) {
      if (macro) f.loc = f.origin;  // the use of the macro, not where the function ends
      out.push_back(std::move(f));
    } else {
      report::Finding& same = out[it->second];
      same.confidence = std::max(same.confidence, f.confidence);
      if (macro && f.origin != same.origin) same.further_places.push_back(f.origin);
    }
  }
  for (report::Finding& f : out) {
    std::sort(f.further_places.begin(), f.further_places.end());
    f.further_places.erase(std::unique(f.further_places.begin(), f.further_places.end()), f.further_places.end());
  }
  findings = std::move(out);
}

report::Depth depth_of(const engine::Context& ctx, const FunctionReport& r) {
  if (!r.analysed) return ctx.known_by_spec(r.function) ? report::Depth::BySpec : report::Depth::Unconcerned;
  if (!r.cut_short) return report::Depth::Full;
  return ctx.without_counts[r.function] ? report::Depth::WithoutCounts : report::Depth::CutShort;
}

void count_class(const engine::Context& ctx, const FunctionReport& r, report::CountClasses& classes) {
  if (ctx.classes.empty()) return;
  switch (ctx.classes[r.function]) {
    case program::Class::Changing: ++classes.changing; break;
    case program::Class::Other: ++classes.other; break;
    default: ++(r.analysed && !r.cut_short ? classes.affecting : classes.affecting_not_analysed);
  }
}

}  // namespace

Analysis analyse(const program::Program& program, const specs::SpecSet& specs, const Options& options) {
  engine::Context ctx = make_context(program, specs, options.domains);
  ctx.free_threaded = options.free_threaded;

  std::mutex mutex;
  std::vector<report::Finding> findings;
  auto filter = [&](engine::FuncId f) {
    return ctx.worth_analysing(f) || (options.pack_known && engine::has_body(ctx, f));
  };
  std::vector<MemberStore> stores;
  std::map<engine::FuncId, std::string> states;
  auto wanted = [&](engine::FuncId f) {
    return options.only_function.empty() || program.display(f) == options.only_function ||
           program.name(f) == options.only_function;
  };
  auto judge = [&](const engine::Executor& ex, const engine::FunctionResult& r, bool joined) {
    std::vector<report::Finding> mine;
    const bool described = ctx.known_by_spec(ex.id());
    for (const engine::Event& e : r.events)
      if (const Check* c = described && !of_its_ends(e) ? nullptr : check_for(e.kind))
        if (auto f = c->report(View(ex, e))) mine.push_back(std::move(*f));
    if (!mine.empty()) group_by_root_cause(mine);
    if (joined)
      for (report::Finding& f : mine) f.confidence = std::min(f.confidence, report::Confidence::Medium);
    if (options.dump == "states" && wanted(ex.id())) {
      std::string text = states_at_exits(ex);
      const std::lock_guard lock(mutex);
      states.insert_or_assign(ex.id(), std::move(text));
    }
    return mine;
  };
  auto sink = [&](engine::FuncId f, FunctionRecord r) {
    if (r.owned.empty() && r.findings.empty()) return;
    const bool reported = wanted(f);
    std::vector<report::Finding> told;
    for (report::Finding& x : r.findings) {
      if (!reported || !selected(x.check, options.check_globs)) continue;
      tell_callees(ctx, f, x.path);
      tell_callees(ctx, f, x.other_path);
      if (x.check.ends_with("-gil")) tell_lock_user(ctx, f, x);
      told.push_back(std::move(x));
    }
    const std::lock_guard lock(mutex);
    for (engine::OwnedMember& m : r.owned) stores.push_back({f, std::move(m)});
    for (report::Finding& x : told) findings.push_back(std::move(x));
  };
  engine::Smt smt;
  std::unique_ptr<Recall> recall;
  if (options.earlier)
    recall = std::make_unique<Recall>(ctx, options.earlier->environment, std::move(options.earlier->kept));
  const auto reports = run_all(ctx, options.jobs, filter, judge, sink, recall.get(), options.smt ? &smt : nullptr);

  std::vector<report::Finding> without_path;
  run_static_checks(ctx, options.native_calls, without_path);
  std::sort(stores.begin(), stores.end());  // threads end in any order
  check_members(ctx, stores, without_path);
  check_type_slots(ctx, stores, without_path);
  for (report::Finding& f : without_path)
    if (selected(f.check, options.check_globs) &&
        (options.only_function.empty() || f.function == options.only_function))
      findings.push_back(std::move(f));

  Analysis out;
  out.smt = smt.figures();
  for (const auto& [f, text] : states) out.dump_text += text;
  if (recall) {
    options.earlier->damaged = recall->damaged();
    for (program::UnitId u = 0; u < program.units().size(); ++u)
      if (std::string bytes; recall->bytes(u, bytes)) options.earlier->fresh.emplace_back(u, std::move(bytes));
  }
  for (const FunctionReport& r : reports) {
    if (r.recalled) ++out.recalled;
    report::FunctionCoverage& covered = out.coverage.emplace_back();
    const model::Function& fn = program.function(r.function);
    covered.name = program.display(r.function);
    covered.file = program.unit(r.function).str(fn.loc.file);
    covered.line = fn.loc.line;
    covered.end_line = fn.end.line;
    covered.reason = r.reason;
    covered.depth = depth_of(ctx, r);
    count_class(ctx, r, out.classes);
    if (options.dump == "summary" && r.analysed &&
        (options.only_function.empty() || program.display(r.function) == options.only_function)) {
      std::vector<std::string> names;
      for (const model::Param& p : program.function(r.function).params)
        names.emplace_back(program.unit(r.function).str(p.name));
      out.dump_text += std::string(program.display(r.function)) +
                       (ctx.summaries[r.function].ready ? "" : "  (unknown to callers)") + "\n";
      for (const specs::Outcome& o : ctx.summaries[r.function].outcomes)
        out.dump_text += "  " + specs::to_text(o, names) + "\n";
    }
  }
  std::sort(out.coverage.begin(), out.coverage.end(), [](const auto& a, const auto& b) {
    return std::tie(a.file, a.line, a.name, a.end_line, a.depth, a.reason) <
           std::tie(b.file, b.line, b.name, b.end_line, b.depth, b.reason);
  });
  if (options.collections) out.collections = collection_points(ctx);
  if (options.pack) out.pack = engine::make_pack(ctx, options.pack_known);
  // A total order: the report must not depend on which thread was first.
  auto key = [](const report::Finding& f) {
    return std::tie(f.loc, f.check, f.message, f.function, f.origin, f.origin_index, f.path, f.other_path,
                    f.further_places);
  };
  std::sort(findings.begin(), findings.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  findings.erase(
      std::unique(findings.begin(), findings.end(), [&](const auto& a, const auto& b) { return key(a) == key(b); }),
      findings.end());
  group_by_text(findings);
  out.findings = std::move(findings);
  return out;
}

}  // namespace reckon::analysis
