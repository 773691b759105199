// The path of an event as steps for people: what was called and how it ended, which way branches went, and what
// that did to each object.
//
// The engine's path is a chain of nodes; State nodes carry differences and belong to the step of the instruction
// they stand at. Objects are numbered in the order in which the path meets them. An object that a loop makes
// again gets a number of its own, so that the one before stays visible.

#include <algorithm>
#include <map>

#include "checks/check.h"
#include "checks/cleanup_exits.h"
#include "checks/conditions.h"
#include "report/state.h"

namespace reckon::checks {

namespace {

using engine::ExcState;
using engine::Obj;
using engine::ObjKind;
using engine::PathNode;
using engine::TermId;
using model::kNone;

class StepBuilder {
 public:
  StepBuilder(const engine::Trace& trace, const View& view) : trace_(trace), view_(view), body_(trace.function().body) {
    const auto& domains = trace_.context().specs.domains();
    const specs::DomainId domain = view.object().domain;
    raises_ = domain < domains.size() && domains[domain].failure_value == specs::FailureValue::Exception;
    exception_ = trace_.entry_exception();
    if (const engine::CountFacts* count = view.event().count_facts()) count_ = count->count;
    if (raises_) {
      pending_.exception = name_of(exception_);
      pending_.lock = "held";
    }
  }

  std::vector<report::Step> build(engine::PathId last) {
    const auto& nodes = trace_.path_nodes();
    std::vector<engine::PathId> order;
    for (engine::PathId n = last; n != kNone; n = nodes[n].parent) order.push_back(n);
    std::reverse(order.begin(), order.end());
    for (std::size_t k = 0; k < order.size(); ++k) {
      const PathNode& node = nodes[order[k]];
      switch (node.kind) {
        case PathNode::Kind::Branch: branch(node); break;
        case PathNode::Kind::Call: call(node); break;
        case PathNode::Kind::Owned: count(node); break;
        case PathNode::Kind::Block: block(node); break;
        case PathNode::Kind::State: {
          const bool more = k + 1 < order.size() && nodes[order[k + 1]].instr == node.instr;
          state(node, more);
          break;
        }
      }
      if (k + 1 == order.size() || nodes[order[k + 1]].instr != node.instr) callee_behind(node.instr);
    }
    leave_out_detours();
    leave_out_rounds();
    // The last branch says how the path got to the end, unless it only asks what is said already.
    if (last_branch_ < steps_.size() && !asks_again(last_branch_)) steps_[last_branch_].essential = true;
    return std::move(steps_);
  }

 private:
  report::Step& add(const PathNode& node, std::string text, bool essential) {
    report::Step step;
    step.loc = view_.loc(node.instr);
    step.text = std::move(text);
    step.essential = essential;
    // The macro is worth a word only if the text does not have it.
    if (step.text.find(step.loc.macro + "()") != std::string::npos) step.loc.macro.clear();
    step.change = std::move(pending_);
    pending_ = {};
    last_instr_ = node.instr;
    steps_.push_back(std::move(step));
    return steps_.back();
  }

  // "when f() fails", and then "assuming `f() < 0`" at the same place.
  bool asks_again(std::size_t branch) const {
    constexpr std::string_view when = "when ", fails = "() fails";
    for (std::size_t i = branch; i-- > 0 && steps_[i].loc == steps_[branch].loc;) {
      const std::string& before = steps_[i].text;
      if (steps_[i].essential && before.starts_with(when) && before.ends_with(fails) &&
          steps_[branch].text.find(before.substr(when.size(), before.size() - when.size() - fails.size()) + "()") !=
              std::string::npos)
        return true;
    }
    return false;
  }

  // The call is done; if it matters, so does what happened in it.
  void callee_behind(model::InstrId instr) {
    if (outcome_of_ != instr || steps_.empty() || last_instr_ != instr || body_.instrs[instr].op != model::Op::Call)
      return;
    const auto ops = body_.ops(body_.instrs[instr]);
    if (ops.empty() || ops[0].kind != model::OperandKind::Symbol) return;
    steps_.back().callee = trace_.unit().name(ops[0].symbol_id());
    steps_.back().outcome = outcome_;
  }

  // Calls that failed before the object was there are not what the finding is about.
  void leave_out_detours() {
    auto about_object = [](const report::Step& s) { return s.depth == 0 && s.essential && !s.state.empty(); };
    const auto first = std::find_if(steps_.begin(), steps_.end(), about_object);
    if (first == steps_.end()) return;
    for (auto it = steps_.begin(); it != first; ++it) it->essential = false;
  }

  // An object that each round of a loop makes anew: the last one counts.
  void leave_out_rounds() {
    for (auto it = steps_.begin(); it != steps_.end(); ++it)
      if (it->essential && !it->state.empty() && std::any_of(it + 1, steps_.end(), [&](const report::Step& s) {
            return s.essential && s.depth == it->depth && s.loc == it->loc && s.text == it->text &&
                   s.state == it->state;
          }))
        it->essential = false;
  }

  std::string callee(const PathNode& node) const {
    const model::Instr& i = body_.instrs[node.instr];
    return i.op == model::Op::Call ? trace_.callee_name(i) : std::string();
  }

  void branch(const PathNode& node) {
    add(node, branch_in_words(trace_, node.instr, node.which), false);
    last_branch_ = steps_.size() - 1;
  }

  void call(const PathNode& node) {
    outcome_of_ = node.instr;
    outcome_ = node.which;
    const std::string name = callee(node);
    if (name.empty()) return;
    const bool failed = node.failure || node.which == kNone;
    report::Step& step = add(node,
                             "when " + name +
                                 (node.which == kNone ? "() throws"
                                  : node.failure      ? "() fails"
                                                      : "() returns"),
                             failed);
    step.failed = failed;
  }

  void count(const PathNode& node) {
    const std::string name = trace_.describe(node.object), by = callee(node);
    report::Step& step = add(node, by.empty() ? "the count changes" : by + "()", node.object == view_.object().term);
    step.state =
        "owned references of " + (name.empty() ? "the object" : "`" + name + "`") + ": " + std::to_string(node.owned);
    report::ObjectState& o = known(node.object, {}, made_again(node));
    o.owned = node.owned;
    report::merge(step.change, {.objects = {o}, .exception = {}, .lock = {}, .depth = {}, .stack = {}, .bare = {}});
  }

  void block(const PathNode& node) {
    const std::string name = trace_.describe(node.object), by = callee(node);
    report::Step& step = add(node, by.empty() ? "memory changes hands" : by + "()", node.object == view_.object().term);
    const std::string what = name.empty() || name.ends_with("()") ? "the memory" : "`" + name + "`";
    step.state = what + (node.owned != 0 ? " has to be freed" : " is freed");
  }

  void state(const PathNode& node, bool more) {
    const engine::PathChange& change = trace_.path_changes()[node.which];
    report::StateChange out;
    for (const Obj& o : change.objects) {
      report::ObjectState& k = known(o.term, {}, false);
      k.kind = name_of(o.kind);
      k.owned = o.owned;
      k.released = o.life == engine::Life::Released;
      k.escaped = static_cast<bool>(o.escaped);
      k.lender = o.kind == ObjKind::Borrowed && o.owner != engine::kNoTerm ? trace_.describe(o.owner) : std::string();
      k.holders.clear();
      for (TermId h : o.holders) {
        std::string name = trace_.describe(h);
        k.holders.push_back(name.empty() ? "another object" : std::move(name));
      }
      report::merge(out, {.objects = {k}, .exception = {}, .lock = {}, .depth = {}, .stack = {}, .bare = {}});
    }
    std::string counted;
    bool mine = false;
    for (const engine::Count& c : change.counts) {
      report::ObjectState& k = known(c.object, c.kind, false);
      k.owned = c.delta;
      mine = mine || k.count == count_;
      counted += (counted.empty() ? "`" : ", `") + k.count + "` count of " +
                 (k.name.empty() ? "an object" : "`" + k.name + "`") + ": " + (c.delta > 0 ? "+" : "") +
                 std::to_string(c.delta);
      report::merge(out, {.objects = {k}, .exception = {}, .lock = {}, .depth = {}, .stack = {}, .bare = {}});
    }
    std::string depth;
    if (change.protection) {
      out.depth = depth_text(change.depth);
      for (TermId t : change.stack) out.stack.push_back(name_or(t, "an object"));
      for (TermId t : change.bare) out.bare.push_back(name_or(t, "an object"));
      if (out.depth != depth_) depth = depth_ = out.depth;
    }
    if (raises_ && change.exception != exception_) out.exception = name_of(change.exception);
    if (raises_ && change.unlocked != unlocked_) out.lock = change.unlocked ? "given up" : "held";
    exception_ = change.exception;
    unlocked_ = change.unlocked;

    if (!steps_.empty() && last_instr_ == node.instr) {
      report::merge(steps_.back().change, out);
    } else {
      report::merge(pending_, out);
      // Another node of this instruction takes it; else it is a step of its own.
      if (!more && !pending_.empty())
        add(node, callee(node).empty() ? "the state changes" : callee(node) + "()", false);
    }
    if (steps_.empty() || last_instr_ != node.instr) return;
    if (!depth.empty()) counted += (counted.empty() ? "" : ", ") + ("depth of the protection stack: " + depth);
    if (counted.empty()) return;
    steps_.back().state += (steps_.back().state.empty() ? "" : ", ") + counted;
    steps_.back().essential = steps_.back().essential || mine || (!depth.empty() && about_depth());
  }

  bool about_depth() const {
    const engine::EventKind kind = view_.event().kind;
    return kind == engine::EventKind::DepthAtExit || kind == engine::EventKind::DepthNegative ||
           kind == engine::EventKind::DepthInLoop;
  }

  std::string name_or(TermId t, const char* otherwise) const {
    std::string name = trace_.describe(t);
    return name.empty() ? otherwise : name;
  }

  // "2", "nprotect + 1"
  std::string depth_text(const std::optional<engine::Linear>& depth) const {
    if (!depth) return "not known";
    std::string out;
    for (const auto& [term, factor] : depth->parts) {
      const std::string name = trace_.describe(term);
      if (name.empty()) return "not known";
      out += out.empty() ? (factor < 0 ? "-" : "") : factor < 0 ? " - " : " + ";
      if (factor != 1 && factor != -1) out += std::to_string(factor < 0 ? -factor : factor) + " * ";
      out += name;
    }
    if (out.empty()) return std::to_string(depth->constant);
    if (depth->constant != 0)
      out += (depth->constant < 0 ? " - " : " + ") +
             std::to_string(depth->constant < 0 ? -depth->constant : depth->constant);
    return out;
  }

  // A count node that makes an object which the path has met before: the next round of a loop.
  bool made_again(const PathNode& node) const {
    const engine::Term& t = trace_.terms()[node.object];
    return t.kind == engine::TermKind::Fresh && t.instr() == node.instr && node.owned == 1;
  }

  report::ObjectState& known(TermId term, specs::CountId count, bool anew) {
    const auto key = std::pair(term, count);
    auto it = objects_.find(key);
    if (it != objects_.end() && !anew) return it->second;
    report::ObjectState o;
    o.id = next_id_++;
    o.name = trace_.describe(term);
    o.kind = "unknown";
    o.focus = term == view_.object().term;
    const engine::Term& t = trace_.terms()[term];
    if (t.kind == engine::TermKind::Fresh) o.line = view_.loc(t.instr()).line;
    if (term == view_.object().term) o.kind = name_of(view_.object().kind);
    if (anew) o.kind = "new";
    if (count < trace_.context().count_names.size()) o.count = trace_.context().count_names[count];
    return objects_.insert_or_assign(key, std::move(o)).first->second;
  }

  const engine::Trace& trace_;
  const View& view_;
  const model::Body& body_;
  std::vector<report::Step> steps_;
  std::map<std::pair<TermId, specs::CountId>, report::ObjectState> objects_;
  report::StateChange pending_;
  std::string count_;  // the one that the event is about, "" for references
  model::InstrId last_instr_ = kNone;
  std::size_t last_branch_ = kNone;
  model::InstrId outcome_of_ = kNone;  // the last call, and
  std::uint32_t outcome_ = 0;          // how it ended
  std::uint32_t next_id_ = 0;
  std::string depth_ = "0";
  ExcState exception_ = ExcState::Entry;
  bool unlocked_ = false;
  bool raises_ = false;
};

}  // namespace

std::vector<report::Step> View::steps(engine::PathId last) const { return StepBuilder(trace_, *this).build(last); }

std::vector<report::Step> View::other_path() const {
  const engine::CountFacts* count = event_.count_facts();
  if (!count) return {};
  std::vector<report::Step> out = steps(count->other_path);
  if (count->other_instr == kNone) return out;
  report::Step end;
  end.loc = loc(returned_at(trace_, count->other_instr, count->other_path));
  end.text = "this way ends here";
  if (!count->count.empty())
    end.text += ", the `" + count->count + "` count " +
                (count->other_delta == 0 ? "as it was"
                                         : "changed by " + std::string(count->other_delta > 0 ? "+" : "") +
                                               std::to_string(count->other_delta));
  out.push_back(std::move(end));
  return out;
}

}  // namespace reckon::checks
