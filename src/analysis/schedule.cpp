#include "analysis/schedule.h"

#include <algorithm>
#include <new>

#include "analysis/order.h"
#include "checks/static_checks.h"
#include "support/limits.h"
#include "support/parallel.h"

namespace reckon::analysis {

namespace {

class Run {
 public:
  Run(Context& ctx, unsigned jobs, const Filter& filter, const Judge& judge, const Sink& sink, KeptResults* kept,
      Smt* smt, const Part& part)
      : ctx_(ctx), jobs_(jobs), filter_(filter), judge_(judge), sink_(sink), kept_(kept), smt_(smt), part_(part) {
    reports_.resize(ctx.program.num_functions());
    for (FuncId f{}; f < reports_.size(); ++f) reports_[f].function = f;
  }

  std::vector<FunctionReport> all() {
    order_ = order_of_work(ctx_);
    ctx_.component_of = order_.component_of;
    find_needed();
    for (const auto& level : order_.levels)
      in_turns(level.size(), [&](std::size_t k) {
        if (needed_[level[k]]) component(level[k]);
      });
    bodies_of_described();
    return std::move(reports_);
  }

 private:
  struct Member {
    std::vector<std::size_t> callers = {};  // among the members
    bool stale = true, told = false, spent = false;
  };

  // In parallel, with a rest now and then, in which units go that are too many.
  template <typename Body>
  void in_turns(std::size_t count, const Body& body) {
    constexpr std::size_t kTurn = 512;
    for (std::size_t first = 0; first < count; first += kTurn) {
      support::in_parallel(jobs_, std::min(kTurn, count - first), [&](std::size_t k) { body(first + k); });
      ctx_.program.rest();
    }
  }

  // The components of this part and, where no record tells what is in them, those that they wait for in turn.
  void find_needed() {
    needed_.assign(order_.components.size(), part_.shards == nullptr);
    if (part_.shards == nullptr) return;
    auto need = [&](std::span<const FuncId> functions, std::uint32_t before) {
      for (const FuncId g : functions)
        if (order_.component_of[g] < before) needed_[order_.component_of[g]] = true;
    };
    const auto count = static_cast<std::uint32_t>(order_.components.size());
    for (FuncId f{}; f < reports_.size(); ++f)
      if (!filter_(f) && part_.mine(f)) need(ctx_.program.callees(f), count), need(order_.named[f], count);
    for (std::uint32_t c = count; c-- > 0;)
      for (const FuncId f : order_.components[c]) {
        if (!filter_(f)) continue;
        const bool mine = part_.mine(f);
        if (mine) needed_[c] = true;
        if (!mine && (!needed_[c] || (part_.known && part_.known->has(f)))) continue;
        need(order_.callees[f], c);
        need(order_.named[f], c);
      }
  }

  // What is known of these functions from other processes or earlier runs.
  bool taken_over(const std::vector<FuncId>& members, const FunctionKey& key, std::vector<FunctionRecord>& records,
                  bool& reused) {
    if (part_.known && part_.known->find(members, records)) return true;
    reused = kept_ && kept_->find(key, members, records);
    return reused;
  }

  void component(std::uint32_t c) {
    std::vector<FuncId> members;
    for (FuncId f : order_.components[c])
      if (filter_(f)) members.push_back(f);
    if (members.empty()) return;
    std::sort(members.begin(), members.end());
    std::vector<FunctionRecord> records(members.size());
    const FunctionKey key = kept_ ? kept_->key(members) : FunctionKey{};
    bool reused = false;
    const bool known = taken_over(members, key, records, reused);
    if (!known) {
      settle(members, records);
      for (std::size_t m = 0; m < members.size(); ++m) without_paths(members[m], records[m]);
    }
    for (std::size_t m = 0; known && m < members.size(); ++m) {
      ctx_.summaries[members[m]] = records[m].summary;
      ctx_.summaries[members[m]].tried = true;
    }
    if (kept_ && !known && !starved(records)) kept_->add(key, members, records);
    if (kept_) kept_->settle(members);
    if (!part_.mine(members[0])) return;
    for (std::size_t m = 0; m < members.size(); ++m) {
      const FunctionRecord& r = records[m];
      reports_[members[m]] = {.function = members[m],
                              .analysed = true,
                              .cut_short = r.cut_short,
                              .reused = reused,
                              .reason = r.reason,
                              .steps = r.steps};
      sink_(members[m], std::move(records[m]));
    }
  }

  // A look; running out of memory costs this function and no other.
  Round look(FuncId f, const Turn& turn, FunctionRecord& record) {
    try {
      return look_at(ctx_, f, turn, judge_, smt_, record);
    } catch (const std::bad_alloc&) {
      record = {};
      record.cut_short = true;
      record.reason = kStarved;
      if (turn.for_callers) {
        ctx_.summaries[f] = {};
        ctx_.summaries[f].tried = true;
      }
      return {.told = true, .spent = true};
    }
  }

  // What checks that need no path say and ask of the function. What is part of another one is looked at there.
  void without_paths(FuncId f, FunctionRecord& record) const {
    if (ctx_.program.whole(f) != f) return;
    checks::run_function_checks(ctx_, f, record.findings);
    record.globals = checks::global_shares(ctx_, f);
  }

  // Depends on the machine, so that the next run should try again.
  static bool starved(const std::vector<FunctionRecord>& records) {
    return std::any_of(records.begin(), records.end(), [](const FunctionRecord& r) { return r.reason == kStarved; });
  }

  // Rounds over the members of a recursion: all of them, then those whose callees changed, until none is left.
  void settle(const std::vector<FuncId>& members, std::vector<FunctionRecord>& records) {
    std::vector<Member> state = who_calls_whom(members);
    auto look_again = [&](std::size_t m, bool last) {
      const Round r = look(members[m], {.last = last}, records[m]);
      state[m].stale = false;
      state[m].told = r.told;
      state[m].spent = r.spent;
      if (r.changed)
        for (std::size_t c : state[m].callers) state[c].stale = !state[c].spent;
    };
    const bool recursive = std::any_of(state.begin(), state.end(), [](const Member& m) { return !m.callers.empty(); });
    for (int round = 0; recursive && round < support::kLimits.looks.recursion_rounds; ++round)
      for (std::size_t m = 0; m < members.size(); ++m)
        if (state[m].stale) look_again(m, false);
    for (std::size_t m = 0; m < members.size(); ++m)
      if (state[m].stale || !state[m].told) look_again(m, true);
  }

  std::vector<Member> who_calls_whom(const std::vector<FuncId>& members) const {
    std::vector<Member> out(members.size());
    for (std::size_t m = 0; m < members.size(); ++m)
      for (FuncId callee : order_.callees[members[m]])
        if (const auto at = std::lower_bound(members.begin(), members.end(), callee);
            at != members.end() && *at == callee)
          out[static_cast<std::size_t>(at - members.begin())].callers.push_back(m);
    return out;
  }

  // Bodies of what specs describe, when all that they call is known: to callers the spec holds, and to the body it is
  // the contract.
  void bodies_of_described() {
    std::vector<FuncId> last;
    auto next = static_cast<std::uint32_t>(order_.components.size());
    for (FuncId f{}; f < reports_.size(); ++f)
      if (!filter_(f) && described(ctx_, f)) {
        ctx_.component_of[f] = next++;
        if (part_.mine(f)) last.push_back(f);
      }
    in_turns(last.size(), [&](std::size_t k) {
      const std::vector<FuncId> members{last[k]};
      std::vector<FunctionRecord> records(1);
      const FunctionKey key = kept_ ? kept_->key(members) : FunctionKey{};
      bool reused = false;
      if (!taken_over(members, key, records, reused)) {
        look(members[0], {.for_callers = false}, records[0]);
        without_paths(members[0], records[0]);
        if (kept_ && !starved(records)) kept_->add(key, members, records);
      }
      reports_[members[0]] = {.function = members[0],
                              .judged = true,
                              .cut_short = records[0].cut_short,
                              .reused = reused,
                              .reason = records[0].reason,
                              .steps = records[0].steps};
      records[0].owned.clear();  // what its members hold is the spec's to say
      sink_(members[0], std::move(records[0]));
    });
  }

  Context& ctx_;
  unsigned jobs_;
  const Filter& filter_;
  const Judge& judge_;
  const Sink& sink_;
  KeptResults* kept_;
  Smt* smt_;
  const Part& part_;
  Order order_;
  std::vector<char> needed_;  // by component
  std::vector<FunctionReport> reports_;
};

}  // namespace

std::vector<FunctionReport> run_all(Context& ctx, unsigned jobs, const Filter& filter, const Judge& judge,
                                    const Sink& sink, KeptResults* kept, Smt* smt, const Part& part) {
  return Run(ctx, jobs, filter, judge, sink, kept, smt, part).all();
}

}  // namespace reckon::analysis
