// What a call leads to, as far as the function at hand shows it: the function behind a pointer, the answer to a
// question that was asked before, the text of a literal.

#include <fnmatch.h>

#include <algorithm>

#include "engine/core/asked_again.h"
#include "engine/core/call_symbols.h"
#include "engine/core/calls.h"
#include "engine/core/hooks.h"
#include "engine/core/loop.h"
#include "engine/core/trail.h"
#include "support/limits.h"

namespace reckon::engine {

using model::Instr;
using model::kNone;
using specs::FunctionSpec;
using specs::Outcome;
using specs::Value;

// The outcomes of the function a pointer is known to point to; nullptr: not known.
const std::vector<Outcome>* Calls::outcomes_behind(TermId function) const {
  if (terms_[function].kind != TermKind::Global) return nullptr;
  std::string_view name = terms_.global_name(function);
  name = name.substr(0, name.find('@'));
  for (model::SymId sym{}; sym < unit_.symbols.size(); ++sym) {
    if (unit_.symbols[sym].kind != model::SymbolKind::Function || unit_.str(unit_.symbols[sym].name) != name) continue;
    if (const specs::FunctionSpec* spec = ctx_.spec_of[unit_id_][sym]) return &spec->outcomes;
    const FuncId f = ctx_.program.definition(unit_id_, sym);
    return ctx_.outcomes_before(f, id_);
  }
  return nullptr;
}

// A function of which nothing is known but that, by its name, asks a question: asked again, it answers the same. The
// symbol that stands for the answer. In loops the answer may change.
std::optional<TermId> Calls::predicate(InstrId instr, const std::vector<TermId>& args) {
  if (flow_.in_cycle(loop_.current_)) return std::nullopt;
  const model::Instr& i = body_.instrs[instr];
  if (unit_.type(i.type).kind != model::TypeKind::Int) return std::nullopt;
  const std::string name = trail_.callee_name(i);
  const auto& patterns = ctx_.specs.domains()[ctx_.unit_domain[unit_id_]].predicates;
  if (name.empty() || std::none_of(patterns.begin(), patterns.end(),
                                   [&](const std::string& p) { return fnmatch(p.c_str(), name.c_str(), 0) == 0; }))
    return std::nullopt;
  const auto [it, added] = questions_.try_emplace({name, args}, static_cast<std::uint32_t>(questions_.size()));
  return terms_.fresh(kAnswer, 0, it->second);
}

// Is the same function called at another place of the body?
bool Calls::asked_elsewhere(InstrId instr) {
  return asked_elsewhere_.get(instr, [&] {
    const model::Operand callee = body_.ops(body_.instrs[instr])[0];
    for (InstrId n{}; n < body_.instrs.size(); ++n)
      if (n != instr && body_.instrs[n].op == model::Op::Call && body_.ops(body_.instrs[n])[0] == callee) return true;
    return false;
  });
}

// What a function without effects gives for these arguments and what their memory holds now. kNoTerm: too much to say.
TermId Calls::answer(const State& s, InstrId instr, const std::vector<TermId>& args) {
  const Instr& i = body_.instrs[instr];
  const model::TypeKind kind = unit_.type(i.type).kind;
  if (i.result == kNone ||
      (kind != model::TypeKind::Int && kind != model::TypeKind::Pointer && kind != model::TypeKind::Float))
    return kNoTerm;
  if (!asked_elsewhere(instr)) return kNoTerm;  // nobody compares its answers
  std::vector<TermId> parts = args;
  std::vector<std::int64_t> memory;  // when it was last written by an unknown hand, and which of it we know
  for (TermId a : args) {
    const TermId root = terms_.root(a);
    auto of_argument = [&](TermId base) {
      return base == root || (terms_[base].kind == TermKind::Answer && terms_.contains(base, root)) ||
             base == version_of_parts(terms_, root) || hooks_.first<&Property::leads_into>(s, base) == root;
    };
    for (const auto& [base, epoch] : s.epochs)
      if (of_argument(base)) memory.push_back(epoch);
    for (const Cell& c : s.memory)
      if (of_argument(c.base)) {
        memory.push_back(c.offset);
        parts.push_back(c.value);
      }
  }
  if (parts.size() > support::kLimits.operands.answer_parts) return kNoTerm;
  const std::string name = trail_.callee_name(i);
  const auto [it, added] = pure_questions_.try_emplace({name, memory}, static_cast<std::uint32_t>(asked_.size()));
  if (added) asked_.push_back(name);
  TermId all = terms_.zero();
  for (TermId p : parts) all = terms_.answer(it->second, all, p);
  return parts.empty() ? terms_.answer(it->second, all, all) : all;
}

// A number or pointer that was asked for before is that again; false: this outcome gives another one.
bool Calls::give_answer(State& s, const Applying& call, TermId& result) {
  const Value& v = call.outcome->result;
  if (call.answer == kNoTerm) return true;
  if (v.kind == Value::Kind::Int) return s.facts.assume_cmp(terms_, model::CmpPred::Eq, call.answer, result);
  if (v.kind != Value::Kind::Unknown && v.kind != Value::Kind::Range) return true;
  result = call.answer;
  return v.kind == Value::Kind::Unknown ||
         (s.facts.assume_cmp(terms_, model::CmpPred::Sge, result, terms_.constant(v.imm)) &&
          s.facts.assume_cmp(terms_, model::CmpPred::Sle, result, terms_.constant(v.hi)));
}

// The text of a string literal, if `t` is the address of one.
std::optional<std::string> Calls::string_constant(TermId t) const {
  if (terms_[t].kind != TermKind::Global) return std::nullopt;
  std::string_view name = terms_.global_name(t);
  name = name.substr(0, name.find('@'));
  for (const model::Symbol& sym : unit_.symbols) {
    if (sym.kind != model::SymbolKind::Variable || sym.init == kNone || unit_.str(sym.name) != name) continue;
    const model::Constant& c = unit_.constants[sym.init];
    if (c.kind == model::ConstKind::String) return std::string(unit_.str(c.string_id()));
    if (c.kind == model::ConstKind::Zero) return std::string();
    return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace reckon::engine
