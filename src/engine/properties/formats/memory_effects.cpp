// What calls do to memory: arguments told by a format, blocks copied or cleared, and code out of sight.

#include <algorithm>

#include "engine/core/applying.h"
#include "engine/core/call_symbols.h"
#include "engine/core/calls.h"
#include "engine/core/memory.h"
#include "engine/core/subject.h"
#include "engine/core/trail.h"
#include "engine/properties/formats/formats.h"
#include "engine/properties/formats/formats_property.h"
#include "engine/properties/properties.h"
#include "engine/properties/references/references.h"

namespace reckon::engine {

using model::CmpPred;
using model::Instr;
using specs::FunctionSpec;
using specs::Outcome;

// A buffer is filled in: its contents are unknown, but the object it keeps alive is there.
void Formats::acquire_buffer(State& s, TermId address, InstrId index) {
  s.change_count(address, ctx_.count_id(kBufferCount), 1, index);
  if (terms_[address].kind != TermKind::Slot) return;
  s.invalidate(address, index + 2);
  const model::Type& slot = unit_.type(body_.instrs[terms_[address].a].type);
  if (slot.kind != model::TypeKind::Pointer) return;
  for (const model::Field& f : unit_.type(slot.elem).fields) {
    if (!subject_.counted(f.type)) continue;
    const TermId t = terms_.fresh(index, 0, kOutParam + 500);
    s.facts.assume_cmp(terms_, CmpPred::Ne, t, terms_.zero());
    s.write(address, static_cast<std::int64_t>(f.offset), t);
    break;
  }
  // And so is the memory it is about, which its first field points to.
  const auto& fields = unit_.type(slot.elem).fields;
  if (fields.empty() || fields[0].offset != 0 || unit_.type(fields[0].type).kind != model::TypeKind::Pointer ||
      s.cell(address, 0))
    return;
  const TermId memory = terms_.fresh(index, 0, kOutParam + 501);
  s.facts.assume_cmp(terms_, CmpPred::Ne, memory, terms_.zero());
  s.write(address, 0, memory);
}

// A buffer is given back. One whose contents were moved elsewhere is no longer this function's to give.
void Formats::release_buffer(State& s, TermId address, InstrId index, const std::string& callee) {
  const CountId kind = ctx_.count_id(kBufferCount);
  const bool held = s.count(address, kind) > 0;
  s.change_count(address, kind, -1, index);
  if (terms_[address].kind != TermKind::Slot) return;
  const model::Type& slot = unit_.type(body_.instrs[terms_[address].a].type);
  if (slot.kind != model::TypeKind::Pointer) return;
  for (const model::Field& f : unit_.type(slot.elem).fields) {
    if (!subject_.counted(f.type)) continue;
    const Cell* c = s.cell(address, static_cast<std::int64_t>(f.offset));
    if (!held && c && s.count(terms_.offset(address, kMovedMark), kind) > 0) {
      Obj o;
      o.term = address;
      o.domain = ctx_.count_domains[kind];
      o.origin = index;
      if (Event* e = trail_.emit(EventKind::OverRelease, s, &o, index, callee))
        e->get<OverReleaseFacts>().reason = OverReleaseFacts::Reason::ContentsMoved;
    }
    s.write(address, static_cast<std::int64_t>(f.offset), terms_.zero());
    break;
  }
}

// Further arguments of a variadic call, told by its format.
void Formats::variadic(State& s, InstrId index, const Outcome& o, const FunctionSpec& spec,
                       const std::vector<TermId>& args) {
  using specs::VarargKind;
  const std::size_t named = spec.params.size();
  auto out_object = [&](TermId address, std::uint32_t which, ObjKind kind, bool maybe_null) {
    if (terms_.is_const(address)) return;
    const TermId t = terms_.fresh(index, 0, kOutParam + which);
    Obj n;
    n.term = t;
    n.kind = kind;
    n.domain = ctx_.domain_id(spec.domain);
    n.origin = index;
    s.add_object(n);
    if (!maybe_null) s.facts.assume_cmp(terms_, CmpPred::Ne, t, terms_.zero());
    memory_.write(s, address, t, index);
  };
  if (spec.varargs == VarargKind::OutParams) {
    // So many at least are filled in, if a number says so; the others are left alone where nothing is given for them.
    std::size_t least = 1;
    for (std::size_t p = 0; p < named && p < args.size(); ++p)
      if (spec.params[p].role == specs::ParamRole::Minimum && terms_.is_const(args[p]))
        least = static_cast<std::size_t>(std::max<std::int64_t>(terms_[args[p]].imm, 0));
    for (std::size_t a = named; a < args.size() && !o.failure; ++a) {
      const bool optional = a - named >= least;
      if (optional && terms_[memory_.read(s, args[a], {}, index)].kind == TermKind::Undef) continue;
      out_object(args[a], static_cast<std::uint32_t>(a), ObjKind::Borrowed, optional);
    }
    return;
  }
  if (spec.varargs != VarargKind::ParseFormat && spec.varargs != VarargKind::BuildFormat) return;
  const std::size_t format_at = spec.format_param;
  const auto text = format_at < args.size() ? calls_.string_constant(args[format_at]) : std::nullopt;
  bool ok = false;
  std::vector<FormatUnit> units;
  if (text) units = spec.varargs == VarargKind::ParseFormat ? parse_units(*text, ok) : build_units(*text, ok);
  if (!ok) {
    // An unknown format: whatever was passed may have been taken or filled.
    for (std::size_t a = named; a < args.size(); ++a) {
      const Term& t = terms_[args[a]];
      const bool argument =
          t.kind == TermKind::Param && t.a < fn_.params.size() && subject_.counted(fn_.params[t.a].type);
      if (Obj* x = argument ? props().references->obj(s, args[a], index) : s.object(args[a]))
        trail_.silence(*x, Silence::UnknownFormat, index);
      if (terms_[terms_.root(args[a])].kind == TermKind::Slot && terms_.root(args[a]) == args[a])
        s.invalidate(args[a], index + 2);
    }
    return;
  }
  for (const FormatUnit& u : units) {
    const std::size_t a = named + u.argument;
    if (a >= args.size()) break;
    const auto which = static_cast<std::uint32_t>(a);
    if (spec.varargs == VarargKind::BuildFormat) {
      if (u.use == UnitUse::Consumed && !s.facts.known_zero(terms_, args[a])) {
        const bool in_result = !o.failure && !o.objects.empty();
        props().references->steal(
            s, args[a], in_result ? std::optional<TermId>(terms_.fresh(index, 0, 0)) : std::nullopt, index, !in_result);
      }
      continue;
    }
    // A converter that ran before a later unit failed has stored its object, unless the parser takes it back.
    if (o.failure && u.use == UnitUse::Converter && &u != &units.back() && a > 0)
      if (const Converted gives = converter(args[a - 1]); gives.owned && !gives.taken_back) {
        out_object(args[a], which, ObjKind::New, true);
        if (Obj* x = s.object(terms_.fresh(index, 0, kOutParam + which))) x->owned = 1;
      }
    if (o.failure || u.use == UnitUse::Plain) {
      if (!o.failure && u.letter != '!' && u.letter != '&') {
        const TermId given = terms_.fresh(index, 0, kOutParam + which);
        memory_.write(s, args[a], given, index);
        // Nothing is shorter than nothing; what is optional may keep the value that stands for "not given".
        if (u.kind == ArgKind::Length && !u.optional) s.facts.assume_cmp(terms_, CmpPred::Sge, given, terms_.zero());
      }
      continue;
    }
    switch (u.use) {
      case UnitUse::Object: {
        if (u.optional && terms_[memory_.read(s, args[a], {}, index)].kind == TermKind::Undef)
          break;  // not given: still nothing there
        const bool had_null = u.optional && !s.facts.known_nonzero(terms_, memory_.read(s, args[a], {}, index));
        out_object(args[a], which, ObjKind::Borrowed, had_null);
        break;
      }
      case UnitUse::Converter: {
        const Converted gives = a > 0 ? converter(args[a - 1]) : Converted{};
        // It may fill a structure, of which the object is a part.
        if (terms_[args[a]].kind == TermKind::Slot) s.invalidate(args[a], index + 2);
        const ObjKind kind = !gives.known ? ObjKind::Unknown : gives.owned ? ObjKind::New : ObjKind::Borrowed;
        out_object(args[a], which, kind, !gives.known || gives.maybe_null);
        if (Obj* x = s.object(terms_.fresh(index, 0, kOutParam + which)); x && gives.owned) x->owned = 1;
        break;
      }
      case UnitUse::Buffer: acquire_buffer(s, args[a], index); break;
      default: memory_.write(s, args[a], terms_.fresh(index, 0, kOutParam + which), index);
    }
  }
}

// A variadic function of the program that hands its format and further arguments on to one that builds from them: units
// of the format that take references over take them from the caller.
void Formats::hand_to_format(State& s, InstrId index, FuncId callee, const std::vector<TermId>& args) {
  const model::Function& f = ctx_.program.function(callee);
  if (!f.variadic || args.size() <= f.params.size()) return;
  const program::UnitId unit = ctx_.program.unit_id(callee);
  for (const Instr& i : f.body.instrs) {
    const auto ops = f.body.ops(i);
    if (i.op != model::Op::Call || ops.empty() || ops[0].kind != model::OperandKind::Symbol) continue;
    const FunctionSpec* spec = ctx_.spec_of[unit][ops[0].id];
    if (!spec || !spec->builds_from_list) continue;
    for (std::size_t p = 0; p < spec->params.size() && p + 1 < ops.size(); ++p) {
      if (spec->params[p].role != specs::ParamRole::Format) continue;
      const model::Operand& format = ops[p + 1];
      const bool own = format.kind == model::OperandKind::Value && format.id < f.params.size();
      const auto text = own ? calls_.string_constant(args[format.id]) : std::nullopt;
      bool ok = false;
      const auto units = text ? build_units(*text, ok) : std::vector<FormatUnit>{};
      for (std::size_t a = f.params.size(); a < args.size() && !ok; ++a)
        if (Obj* x = s.object(args[a])) trail_.silence(*x, Silence::UnknownFormat, index);
      for (const FormatUnit& u : units)
        if (const std::size_t a = f.params.size() + u.argument; ok && u.use == UnitUse::Consumed && a < args.size())
          if (!s.facts.known_zero(terms_, args[a])) props().references->steal(s, args[a], std::nullopt, index, false);
      return;
    }
  }
}

// What a converter stores through its second argument when it succeeds; nothing if that is not known.
Converted Formats::converter(TermId function) const {
  Converted out;
  if (terms_[function].kind != TermKind::Global) return out;
  const std::string_view name = terms_.global_name(function);
  const std::vector<Outcome>* outcomes = nullptr;
  const FunctionSpec* spec = ctx_.specs.find(name);
  if (spec) outcomes = &spec->outcomes;
  for (model::SymId sym{}; !outcomes && sym < unit_.symbols.size(); ++sym) {
    if (unit_.symbols[sym].kind != model::SymbolKind::Function || unit_.name(sym) != name.substr(0, name.find('@')))
      continue;
    const FuncId f = ctx_.program.definition(unit_id_, sym);
    outcomes = ctx_.outcomes_before(f, id_);
  }
  if (!outcomes) return out;
  for (const Outcome& o : *outcomes) {
    // Success is any number but zero; a number other than one asks for another call when a later argument fails.
    const bool success = !o.failure && !(o.result.kind == specs::Value::Kind::Int && o.result.imm == 0);
    if (o.result.kind == specs::Value::Kind::Int && o.result.imm > 1) out.taken_back = true;
    if (!success) continue;
    for (const specs::StoreEffect& st : o.stores)
      if (st.where.root == specs::Place::Root::Arg && st.where.index == 1 &&
          st.where.path == std::vector<std::int64_t>{0} && st.value.kind == specs::Value::Kind::Object) {
        const specs::Object& x = o.objects[st.value.object];
        out.known = true;
        out.owned = specs::owns(o, st.value.object);
        out.maybe_null = x.maybe_null;
      }
  }
  return out;
}

// Does a format build something from an object that is NULL? Then the call fails.
bool Formats::builds_from_null(const State& s, const FunctionSpec& spec, const std::vector<TermId>& args) const {
  const auto text = spec.format_param < args.size() ? calls_.string_constant(args[spec.format_param]) : std::nullopt;
  if (!text) return false;
  bool ok = false;
  for (const FormatUnit& u : build_units(*text, ok)) {
    const std::size_t a = spec.params.size() + u.argument;
    if (a >= args.size()) break;
    if ((u.use == UnitUse::Object || u.use == UnitUse::Consumed) && s.facts.known_zero(terms_, args[a])) return true;
  }
  return false;
}

bool Formats::must_fail(State& s, const Call& call) {
  return call.spec && call.spec->varargs == specs::VarargKind::BuildFormat &&
         builds_from_null(s, *call.spec, call.args);
}

void Formats::before_outcomes(State& s, const Call& call) {
  optional_ = null_before(s, call.index, *call.spec, call.args);
}

void Formats::after_outcomes(States& out, std::size_t from, const Call& call) {
  leave_null(out, from, call.index, optional_, call.args);
}

void Formats::before_targets(State& s, const Call& call, const Targets& targets) {
  if (targets.functions.size() == 1) hand_to_format(s, call.index, targets.functions[0], call.args);
}

void Formats::further_arguments(State& s, const Applying& call) {
  if (call.spec && call.spec->varargs != specs::VarargKind::None)
    variadic(s, call.index, *call.outcome, *call.spec, *call.args);
}

// Counts on the source go along: a buffer moved by struct assignment.
void Formats::moved(State& s, TermId to, TermId from, InstrId instr) {
  bool buffer = false;
  for (Count& c : s.counts)
    if (c.object == from) {
      c.object = to;
      buffer = buffer || (c.kind == ctx_.count_id(kBufferCount) && c.delta > 0);
    }
  if (buffer && terms_[from].kind == TermKind::Slot)
    s.change_count(terms_.offset(from, kMovedMark), ctx_.count_id(kBufferCount), 1, instr);
}

bool Formats::count_changes(State& s, const CountStep& step) {
  if (step.kind != ctx_.count_id(kBufferCount)) return false;
  if (step.delta > 0)
    acquire_buffer(s, step.object, step.instr);
  else
    release_buffer(s, step.object, step.instr, step.callee);
  return true;
}

// A buffer in use is there to be read, too.
bool Formats::in_use(const State& s, TermId local) const { return s.count(local, ctx_.count_id(kBufferCount)) > 0; }

}  // namespace reckon::engine
