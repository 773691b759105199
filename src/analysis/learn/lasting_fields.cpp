// Members in which the program remembers objects from one call to the next, without a reference as far as it shows.
//
// Some function uses what the member holds as an object, and no function ever releases it, hands it over, or sets the
// member to NULL other than in an object that is being made: where one does, the member may be a pointer back to
// something whose end is told (a parent that clears its children's pointers), or have references of its own.
//
// What a function of the program does with an argument it does with the member that it is given: used, released or
// handed over, through as many functions as it takes.
//
// Limits: a member whose address goes to a function of the program, or whose content goes to one out of sight, may be
// released there, and is left out.

#include <vector>

#include "analysis/learn/learn.h"

namespace reckon::analysis {

namespace {

using model::kNone;
using program::ArgumentNote;
using program::CallNote;

bool is_argument(const specs::Place& p, std::size_t a) {
  return p.root == specs::Place::Root::Arg && p.index == a && p.path.empty() && p.field_path.empty();
}
bool gives_up(const specs::FunctionSpec& spec, std::size_t a) {
  for (const specs::Outcome& o : spec.outcomes) {
    for (const specs::CountChange& c : o.counts)
      if (c.delta < 0 && is_argument(c.object, a)) return true;
    for (const specs::Hold& h : o.holds)
      if (h.steals && is_argument(h.object, a)) return true;
  }
  return false;
}
bool changes(const specs::FunctionSpec& spec, std::size_t a) {
  for (const specs::Outcome& o : spec.outcomes)
    for (const specs::CountChange& c : o.counts)
      if (is_argument(c.object, a)) return true;
  return false;
}

// What becomes of an object that a function is given.
struct Fate {
  bool used = false, ended = false;
  bool add(const Fate& other) {
    const Fate before = *this;
    used = used || other.used;
    ended = ended || other.ended;
    return used != before.used || ended != before.ended;
  }
};

// The fates of the parameters of all functions.
class Fates {
 public:
  explicit Fates(const Context& ctx) : ctx_(ctx), fates_(ctx.program.num_functions()) {
    for (FuncId f{}; f < fates_.size(); ++f, ctx.program.rest())
      fates_[f].resize(ctx.program.declared(f).params.size());
    for (const FuncId f : ctx.program.wholes()) read(f), ctx.program.rest();
    for (bool again = true; again;) {
      again = false;
      for (const Passed& p : passed_) again = fates_[p.from][p.param].add(at(p.to, p.argument)) || again;
    }
  }

  // Of argument `a` of a call.
  Fate of(program::UnitId u, const CallNote& call, std::size_t a) const {
    if (call.callee == kNone) return {.ended = true};
    if (const specs::FunctionSpec* spec = ctx_.spec_of[u][call.callee])
      return {.used = !gives_up(*spec, a) && !changes(*spec, a), .ended = gives_up(*spec, a)};
    const FuncId f = ctx_.program.definition(u, call.callee);
    return f == kNone ? Fate{.ended = true} : at(f, a);
  }

 private:
  struct Passed {
    FuncId from, to;
    std::size_t param, argument;
  };

  Fate at(FuncId f, std::size_t a) const {
    return a < fates_[f].size() && ctx_.program.head(f).has_body ? fates_[f][a] : Fate{.ended = true};
  }

  void read(FuncId f) {
    const program::UnitId u = ctx_.program.unit_id(f);
    for (const CallNote& call : ctx_.program.notes(f).calls)
      for (std::size_t a = 0; a < call.arguments.size(); ++a) {
        const ArgumentNote& argument = call.arguments[a];
        if (argument.kind != ArgumentNote::Kind::Param) continue;
        const bool by_name = call.callee != kNone && !ctx_.spec_of[u][call.callee];
        const FuncId callee = by_name ? ctx_.program.definition(u, call.callee) : FuncId(kNone);
        if (callee != kNone)
          passed_.push_back({f, callee, argument.id, a});
        else
          fates_[f][argument.id].add(of(u, call, a));
      }
  }

  const Context& ctx_;
  std::vector<std::vector<Fate>> fates_;  // by function and parameter
  std::vector<Passed> passed_;
};

// What a function does with members: which it uses objects from, and which of them it, or those it calls, may end.
void read_fields(const Context& ctx, const Fates& fates, FuncId f, std::unordered_set<std::string>& used,
                 std::unordered_set<std::string>& ended) {
  const model::Unit& unit = ctx.program.frame(f);
  const program::UnitId u = ctx.program.unit_id(f);
  const program::FunctionNotes& notes = ctx.program.notes(f);
  // "" if it is none that may hold an object.
  auto name_of = [&](program::FieldId id) -> std::string {
    const model::FieldName& field = ctx.program.member(u, id);
    const std::string_view record = unit.str(unit.type(field.record).name);
    if (record.empty() || !ctx.counted(u, field.type)) return {};
    return std::string(record) + "." + std::string(unit.str(field.path));
  };
  if (!ctx.contracts[f].runs_again)
    for (const program::FieldId id : notes.nulled)
      if (std::string member = name_of(id); !member.empty()) ended.insert(std::move(member));
  for (const CallNote& call : notes.calls) {
    const specs::FunctionSpec* spec = call.callee != kNone ? ctx.spec_of[u][call.callee] : nullptr;
    for (std::size_t a = 0; a < call.arguments.size(); ++a) {
      const ArgumentNote& argument = call.arguments[a];
      if (argument.kind != ArgumentNote::Kind::Member || argument.loads > 1) continue;
      std::string member = name_of(argument.field_id());
      if (member.empty()) continue;
      const bool address = argument.loads == 0;
      const Fate fate = address ? Fate{} : fates.of(u, call, a);
      // A parser that fills the member does nothing to what it holds.
      if (address ? !(spec && spec->varargs != specs::VarargKind::None) : fate.ended)
        ended.insert(std::move(member));
      else if (fate.used)
        used.insert(std::move(member));
    }
  }
}

}  // namespace

void learn_lasting_fields(Context& ctx) {
  std::unordered_set<std::string> used, ended;
  const auto& domains = ctx.specs.domains();
  const Fates fates(ctx);
  for (const FuncId f : ctx.program.wholes()) {
    const DomainId domain = ctx.unit_domain[ctx.program.unit_id(f)];
    if (domain < domains.size() && domains[domain].failure_value == specs::FailureValue::Exception)
      read_fields(ctx, fates, f, used, ended);
    ctx.program.rest();
  }
  for (const std::string& member : used)
    if (!ended.contains(member)) ctx.lasting_fields.insert(member);
}

}  // namespace reckon::analysis
