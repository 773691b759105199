#include "analysis/analyse.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>

#include "analysis/callee_steps.h"
#include "analysis/coverage.h"
#include "analysis/dump_states.h"
#include "analysis/grouping.h"
#include "analysis/schedule.h"
#include "checks/check.h"
#include "checks/static_checks.h"
#include "specs/printer.h"

namespace reckon::analysis {

using namespace checks;

namespace {

bool on_request(const std::string& check) {
  const Check* known = check_of(check);
  return known && known->on_request;
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
bool of_its_ends(const Event& e) {
  switch (e.kind) {
    case EventKind::PathPair:
    case EventKind::StatePair:
    case EventKind::FailureKeeps:
    case EventKind::CountKept: return !e.get<CountFacts>().count.empty();
    case EventKind::DepthAtExit:
    case EventKind::DepthNegative:
    case EventKind::DepthInLoop: return true;
    default: return false;
  }
}

// What functions come to, as they are done: called from several threads.
class Results {
 public:
  Results(const Context& ctx, const Options& options) : ctx_(ctx), options_(options) {}

  std::vector<report::Finding> judge(const Executor& ex, const FunctionResult& r, bool joined) {
    std::vector<report::Finding> mine;
    const bool described = ctx_.known_by_spec(ex.id());
    const Trace trace(ex);
    std::vector<Unreported> unreported;
    for (const Event& e : r.events) {
      const bool judged = !described || of_its_ends(e);
      if (auto f = judged ? finding_for(View(trace, e)) : std::nullopt)
        mine.push_back(std::move(*f));
      else
        unreported.push_back({e.instr, judged ? engine::Silence::NoRule : engine::Silence::DescribedBySpec});
    }
    if (!mine.empty()) group_by_root_cause(mine);
    if (joined)
      for (report::Finding& f : mine) f.confidence = std::min(f.confidence, report::Confidence::Medium);
    if (options_.dump == "states" && wanted(ex.id())) {
      std::string text = states_at_exits(ex);
      const std::lock_guard lock(mutex_);
      states_.insert_or_assign(ex.id(), std::move(text));
    }
    if (ex.answer().asked()) {
      std::string text = thoughts(ex, r, unreported);
      const std::lock_guard lock(mutex_);
      asked_[ex.id()] = {std::move(text), mine};
    }
    return mine;
  }

  void take(FuncId f, FunctionRecord r) {
    if (r.owned.empty() && r.findings.empty()) return;
    const bool reported = wanted(f);
    std::vector<report::Finding> told;
    for (report::Finding& x : r.findings) {
      if (!reported || !selected(x.check, options_.check_globs)) continue;
      explain_callees(ctx_, f, x.path);
      explain_callees(ctx_, f, x.other_path);
      x.place = place_of(f);
      if (const Check* check = check_of(x.check); check && check->tells_lock_user) explain_lock_user(ctx_, f, x);
      told.push_back(std::move(x));
    }
    const std::lock_guard lock(mutex_);
    for (OwnedMember& m : r.owned) stores_.push_back({f, std::move(m)});
    for (report::Finding& x : told) findings_.push_back(std::move(x));
  }

  // After the last function: checks of the program as a whole, then all findings in order.
  std::vector<report::Finding> findings() {
    std::vector<report::Finding> without_path;
    std::sort(stores_.begin(), stores_.end());  // threads end in any order
    run_static_checks({ctx_, options_.native_calls, stores_}, without_path);
    place_by_name(without_path);
    for (report::Finding& f : without_path)
      if (selected(f.check, options_.check_globs) &&
          (options_.only_function.empty() || f.function == options_.only_function))
        findings_.push_back(std::move(f));
    put_in_order(findings_);
    group_by_text(findings_);
    return std::move(findings_);
  }

  // The answer to --why-not.
  std::string answers(const std::vector<FunctionReport>& reports) const {
    std::string out;
    for (const FunctionReport& r : reports)
      if (ctx_.asked_lines.contains(r.function)) {
        const auto known = asked_.find(r.function);
        const bool looked = known != asked_.end();
        out += answer(ctx_, r, options_.why_not, looked ? known->second.first : std::string(),
                      looked ? known->second.second : std::vector<report::Finding>(),
                      [&](const report::Finding& x) { return selected(x.check, options_.check_globs); });
      }
    return out;
  }

  std::string states() const {
    std::string out;
    for (const auto& [f, text] : states_) out += text;
    return out;
  }

 private:
  report::Place place_of(FuncId f) const {
    const engine::Phase phase = ctx_.phases[f];
    return phase == engine::Phase::Init       ? report::Place::Init
           : phase == engine::Phase::Teardown ? report::Place::Teardown
                                              : report::Place::Run;
  }

  // Checks of the whole program name the function; the file tells static ones of one name apart.
  void place_by_name(std::vector<report::Finding>& findings) const {
    if (findings.empty()) return;
    std::map<std::pair<std::string_view, std::string_view>, report::Place> places;
    for (FuncId f{}; f < ctx_.program.num_functions(); ++f)
      if (place_of(f) != report::Place::Run)
        places.emplace(std::pair(ctx_.program.display(f), ctx_.program.unit(f).str(ctx_.program.function(f).loc.file)),
                       place_of(f));
    for (report::Finding& f : findings)
      if (const auto known = places.find({f.function, f.loc.file}); known != places.end()) f.place = known->second;
  }

  bool wanted(FuncId f) const {
    return options_.only_function.empty() || ctx_.program.display(f) == options_.only_function ||
           ctx_.program.name(f) == options_.only_function;
  }

  const Context& ctx_;
  const Options& options_;
  std::mutex mutex_;
  std::vector<report::Finding> findings_;
  std::vector<MemberStore> stores_;
  std::map<FuncId, std::string> states_;
  std::map<FuncId, std::pair<std::string, std::vector<report::Finding>>> asked_;  // what was thought and found
};

// --dump=summary: the outcomes of functions, as a spec would say them.
std::string summaries_text(const Context& ctx, const std::vector<FunctionReport>& reports, const std::string& only) {
  std::string out;
  for (const FunctionReport& r : reports) {
    if (!r.analysed || (!only.empty() && ctx.program.display(r.function) != only)) continue;
    std::vector<std::string> names;
    for (const model::Param& p : ctx.program.function(r.function).params)
      names.emplace_back(ctx.program.unit(r.function).str(p.name));
    const Summary& summary = ctx.summaries[r.function];
    out += std::string(ctx.program.display(r.function)) + (summary.known ? "" : "  (unknown to callers)") + "\n";
    for (const specs::Outcome& o : summary.outcomes) out += "  " + specs::to_text(o, names) + "\n";
  }
  return out;
}

// What this run leaves to the next one.
void keep(KeptResults& recall, std::size_t units, Earlier& earlier) {
  earlier.damaged = recall.damaged();
  for (program::UnitId u{}; u < units; ++u)
    if (std::string bytes; recall.bytes(u, bytes)) earlier.fresh.emplace_back(u, std::move(bytes));
}

}  // namespace

Analysis analyse(const program::Program& program, const specs::SpecSet& specs, const Options& options) {
  Context ctx = make_context(program, specs, options.domains);
  ctx.free_threaded = options.free_threaded;
  if (options.why_not.line != 0) ctx.asked_lines = functions_at(program, options.why_not);

  Results results(ctx, options);
  auto filter = [&](FuncId f) { return ctx.worth_analysing(f) || (options.pack_known && has_body(ctx, f)); };
  auto judge = [&](const Executor& ex, const FunctionResult& r, bool joined) { return results.judge(ex, r, joined); };
  auto sink = [&](FuncId f, FunctionRecord r) { results.take(f, std::move(r)); };
  Smt smt;
  std::unique_ptr<KeptResults> recall;
  if (options.earlier)
    recall = std::make_unique<KeptResults>(ctx, options.earlier->environment, std::move(options.earlier->kept));
  const auto reports = run_all(ctx, options.jobs, filter, judge, sink, recall.get(), options.smt ? &smt : nullptr);

  Analysis out;
  out.findings = results.findings();
  out.smt = smt.figures();
  if (recall) keep(*recall, program.units().size(), *options.earlier);
  out.reused = static_cast<std::size_t>(
      std::count_if(reports.begin(), reports.end(), [](const FunctionReport& r) { return r.reused; }));
  out.coverage = coverage_of(ctx, reports);
  out.classes = classes_of(ctx, reports);
  out.dump_text = results.answers(reports) + results.states();
  if (options.dump == "summary") out.dump_text += summaries_text(ctx, reports, options.only_function);
  if (options.collections) out.collections = collection_points(ctx);
  if (options.pack) out.pack = make_pack(ctx, options.pack_known);
  return out;
}

}  // namespace reckon::analysis
