// What a call leads to, as far as the function at hand shows it: the function behind a pointer, the answer to a
// question that was asked before, the text of a literal.

#include <fnmatch.h>

#include <algorithm>

#include "engine/core/call_symbols.h"
#include "engine/core/calls.h"
#include "engine/core/loop.h"
#include "engine/core/trail.h"

namespace reckon::engine {

using model::Instr;
using model::kNone;
using specs::FunctionSpec;
using specs::Outcome;

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
