#include "analysis/analyse.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

#include "analysis/callee_steps.h"
#include "analysis/coverage.h"
#include "analysis/dump_states.h"
#include "analysis/grouping.h"
#include "analysis/joined_ways.h"
#include "analysis/order.h"
#include "analysis/schedule.h"
#include "checks/check.h"
#include "checks/static_checks.h"
#include "checks/wanted.h"
#include "specs/printer.h"

namespace reckon::analysis {

using namespace checks;

namespace {

// Is the check named by --checks, and its domain by --domain?
bool selected(const std::string& id, const Options& options) {
  return checks::wanted(id, options.check_globs) &&
         (options.domains.empty() || std::any_of(options.domains.begin(), options.domains.end(),
                                                 [&](const auto& domain) { return id.starts_with(domain + "-"); }));
}

// A primitive may well do to objects what others must not. How it leaves counts with a name is judged all the same.
bool of_named_counts(const Event& e) {
  switch (e.kind) {
    case EventKind::PathPair:
    case EventKind::StatePair:
    case EventKind::UncheckedGet:
    case EventKind::FailureKeeps:
    case EventKind::CountKept: return !e.get<CountFacts>().count.empty();
    default: return false;
  }
}

// Does the domain of the function say neither what functions out of sight give, nor that what fails gives an error
// number? Its programs are large, and their objects go many ways; in a driver, what fails goes down one ladder.
bool nothing_said(const Executor& ex) {
  const Context& ctx = ex.context();
  const specs::DomainSpec& domain = ctx.specs.domains()[ctx.unit_domain[ctx.program.unit_id(ex.id())]];
  return domain.unknown_result == specs::UnknownResult::None && domain.failure_value != specs::FailureValue::Errno;
}

// Does it rest on who has what by rules that only callers know: an argument that goes with a callback on another way,
// or one that a member takes over?
bool by_rules_of_callers(const Event& e) {
  if (const auto* over = e.find<engine::OverReleaseFacts>())
    return e.object.kind == engine::ObjKind::Param && over->ends.other_path != model::kNone;
  const auto* borrowed = e.find<engine::BorrowedFacts>();
  return borrowed && !borrowed->stored_in.empty();
}

// What functions come to, as they are done: called from several threads.
class Results {
 public:
  Results(const Context& ctx, const Options& options) : ctx_(ctx), options_(options) {}

  std::vector<report::Finding> judge(const Executor& ex, const FunctionResult& r, bool joined) {
    std::vector<report::Finding> mine;
    const bool primitive = ctx_.promises[ex.id()].primitive;
    const Trace trace(ex);
    std::vector<Unreported> unreported;
    for (const Event& e : r.events) {
      const bool judged = !primitive || of_named_counts(e);
      if (auto f = judged ? finding_for(View(trace, e)) : std::nullopt) {
        if (nothing_said(ex) && ((joined && rests_on_joining(ex, e)) || by_rules_of_callers(e)))
          f->confidence = report::Confidence::Low;
        mine.push_back(std::move(*f));
      } else
        unreported.push_back({e.instr, judged ? engine::Silence::NoRule : engine::Silence::Primitive});
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
    if (ctx_.program.whole(f) != f) return;  // it is judged as part of that
    if (r.owned.empty() && r.globals.empty() && r.findings.empty()) return;
    const bool reported = wanted(f);
    std::vector<report::Finding> told;
    for (report::Finding& x : r.findings) {
      if (!reported || !selected(x.check, options_)) continue;
      explain_callees(ctx_, f, x.path);
      explain_callees(ctx_, f, x.other_path);
      put_into_place(x, place_of(f));
      if (const Check* check = check_of(x.check); check && check->tells_lock_user) explain_lock_user(ctx_, f, x);
      told.push_back(std::move(x));
    }
    const std::lock_guard lock(mutex_);
    for (OwnedMember& m : r.owned) stores_.push_back({f, std::move(m)});
    for (GlobalShare& share : r.globals) globals_.push_back({f, std::move(share)});
    for (report::Finding& x : told) findings_.push_back(std::move(x));
  }

  // After the last function: checks of the program as a whole, then all findings in order.
  std::vector<report::Finding> findings() {
    std::vector<report::Finding> without_path;
    std::sort(stores_.begin(), stores_.end());  // threads end in any order
    std::sort(globals_.begin(), globals_.end(), [](const GlobalUser& a, const GlobalUser& b) {
      return std::tie(a.function, a.share.name, a.share.offset) < std::tie(b.function, b.share.name, b.share.offset);
    });
    run_static_checks({ctx_, options_.scripts, stores_, globals_}, without_path);
    place_by_name(without_path);
    for (report::Finding& f : without_path)
      if (selected(f.check, options_) && (options_.only_function.empty() || f.function == options_.only_function))
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
                      [&](const report::Finding& x) { return selected(x.check, options_); });
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
           : phase == engine::Phase::Uncalled ? report::Place::Uncalled
                                              : report::Place::Run;
  }

  // What never runs is no bug that anybody meets.
  static void put_into_place(report::Finding& f, report::Place place) {
    f.place = place;
    if (place == report::Place::Uncalled) f.confidence = report::Confidence::Low;
  }

  // Checks of the whole program name the function; the file tells static ones of one name apart.
  void place_by_name(std::vector<report::Finding>& findings) const {
    if (findings.empty()) return;
    std::map<std::pair<std::string_view, std::string_view>, report::Place> places;
    for (FuncId f{}; f < ctx_.program.num_functions(); ++f)
      if (place_of(f) != report::Place::Run)
        places.emplace(std::pair(ctx_.program.display(f), ctx_.program.frame(f).str(ctx_.program.declared(f).loc.file)),
                       place_of(f));
    for (report::Finding& f : findings)
      if (const auto known = places.find({f.function, f.loc.file}); known != places.end())
        put_into_place(f, known->second);
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
  std::vector<GlobalUser> globals_;
  std::map<FuncId, std::string> states_;
  std::map<FuncId, std::pair<std::string, std::vector<report::Finding>>> asked_;  // what was thought and found
};

// --dump=summary: the outcomes of functions, as a spec would say them.
std::string summaries_text(const Context& ctx, const std::vector<FunctionReport>& reports, const std::string& only) {
  std::string out;
  for (const FunctionReport& r : reports) {
    if (!r.analysed || (!only.empty() && ctx.program.display(r.function) != only)) continue;
    std::vector<std::string> names;
    for (const model::Param& p : ctx.program.declared(r.function).params)
      names.emplace_back(ctx.program.frame(r.function).str(p.name));
    const Summary& summary = ctx.summaries[r.function];
    out += std::string(ctx.program.display(r.function)) + (summary.known ? "" : "  (unknown to callers)") + "\n";
    for (const specs::Outcome& o : summary.outcomes) out += "  " + specs::to_text(o, names) + "\n";
  }
  return out;
}

// The outcomes of functions as data, with the names and places that a reader knows them by.
std::vector<FunctionOutcomes> outcomes_of(const Context& ctx, const std::vector<FunctionReport>& reports) {
  std::vector<FunctionOutcomes> out;
  for (const FunctionReport& r : reports) {
    if (!r.analysed) continue;
    const model::Function& function = ctx.program.declared(r.function);
    const model::Unit& unit = ctx.program.frame(r.function);
    const Summary& summary = ctx.summaries[r.function];
    FunctionOutcomes& mine = out.emplace_back();
    mine.name = ctx.program.display(r.function);
    mine.file = unit.str(function.loc.file);
    mine.line = function.loc.line;
    mine.col = function.loc.col;
    mine.known = summary.known;
    mine.pointer = unit.type(function.result).kind == model::TypeKind::Pointer;
    mine.runs_code = summary.runs_code;
    for (const model::Param& p : function.params) mine.params.emplace_back(unit.str(p.name));
    mine.outcomes = summary.outcomes;
  }
  return out;
}

std::set<std::string> domains_of(const Context& ctx) {
  std::set<std::string> out;
  for (std::size_t u = 0; u < ctx.unit_domain.size(); ++u)
    if (ctx.unit_concerned[u] && ctx.unit_domain[u] < ctx.specs.domains().size())
      out.insert(ctx.specs.domains()[ctx.unit_domain[u]].name);
  return out;
}

// What this run leaves to the next one.
void keep(KeptResults& kept, std::size_t units, Earlier& earlier) {
  earlier.damaged = kept.damaged();
  for (program::UnitId u{}; u < units; ++u)
    if (std::string bytes; kept.bytes(u, bytes)) earlier.fresh.emplace_back(u, std::move(bytes));
}

}  // namespace

Shards shards_of(const program::Program& program, const specs::SpecSet& specs, const Options& options,
                 std::size_t count) {
  const Context ctx = make_context(program, specs, options.domains);
  return cut(ctx, order_of_work(ctx), [&](FuncId f) { return ctx.worth_analysing(f); }, count);
}

std::string analyse_shard(const program::Program& program, const specs::SpecSet& specs, const Options& options,
                          std::size_t count, std::uint32_t shard,
                          const std::function<bool(std::uint32_t, std::string&)>& read) {
  Context ctx = make_context(program, specs, options.domains);
  ctx.free_threaded = options.free_threaded;
  const Filter filter = [&](FuncId f) { return ctx.worth_analysing(f); };
  const Shards shards = cut(ctx, order_of_work(ctx), filter, count);
  ShardRecords known;
  for (const std::uint32_t other : shards.needs[shard])
    if (std::string bytes; read(other, bytes)) known.add(std::move(bytes));
  Results results(ctx, options);
  std::mutex mutex;
  std::map<FuncId, std::string> done;  // threads end in any order
  auto sink = [&](FuncId f, FunctionRecord r) {
    if (r.reason == kStarved) return;
    std::string bytes;
    ShardRecords::write(bytes, f, r);
    const std::lock_guard lock(mutex);
    done.emplace(f, std::move(bytes));
  };
  Smt smt;
  run_all(ctx, options.jobs, filter,
          [&](const Executor& ex, const FunctionResult& r, bool joined) { return results.judge(ex, r, joined); }, sink,
          nullptr, options.smt ? &smt : nullptr, {&known, &shards, shard});
  std::string out;
  for (const auto& [f, bytes] : done) out += bytes;
  return out;
}

Analysis analyse(const program::Program& program, const specs::SpecSet& specs, const Options& options) {
  Context ctx = make_context(program, specs, options.domains);
  ctx.free_threaded = options.free_threaded;
  if (options.why_not.line != 0) ctx.asked_lines = functions_at(program, options.why_not);

  Results results(ctx, options);
  auto filter = [&](FuncId f) { return ctx.worth_analysing(f) || (options.pack_known && has_body(ctx, f)); };
  auto judge = [&](const Executor& ex, const FunctionResult& r, bool joined) { return results.judge(ex, r, joined); };
  auto sink = [&](FuncId f, FunctionRecord r) {
    results.take(f, std::move(r));
    if (options.progress) ++options.progress->done;
  };
  for (FuncId f{}; options.progress && f < program.num_functions(); ++f) options.progress->total += filter(f);
  Smt smt;
  std::unique_ptr<KeptResults> kept;
  if (options.earlier)
    kept = std::make_unique<KeptResults>(ctx, options.earlier->environment, std::move(options.earlier->kept),
                                         options.jobs);
  const auto reports = run_all(ctx, options.jobs, filter, judge, sink, kept.get(), options.smt ? &smt : nullptr,
                               {.known = options.known});

  Analysis out;
  out.findings = results.findings();
  out.smt = smt.figures();
  if (kept) keep(*kept, program.num_units(), *options.earlier);
  out.reused = static_cast<std::size_t>(
      std::count_if(reports.begin(), reports.end(), [](const FunctionReport& r) { return r.reused; }));
  out.coverage = coverage_of(ctx, reports);
  out.source_errors = ctx.source_errors;
  out.classes = classes_of(ctx, reports);
  out.dump_text = results.answers(reports) + results.states();
  if (options.dump == "summary") out.dump_text += summaries_text(ctx, reports, options.only_function);
  if (options.collections) out.collections = collection_points(ctx);
  if (options.outcomes) out.outcomes = outcomes_of(ctx, reports), out.domains = domains_of(ctx);
  if (options.pack) out.pack = make_pack(ctx, options.pack_known);
  return out;
}

}  // namespace reckon::analysis
