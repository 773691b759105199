// Variables that hold one interned object for good: `sym_f = install("f")` and no other assignment anywhere. Two of
// them with different texts are different objects, so a branch on which of them an argument is can be decided by
// callers.
//
// Limits: a variable counts as holding its object from the start, though it is assigned at some time; one whose address
// is taken could be changed behind our back, and is left out.

#include "analysis/learn/learn.h"

namespace reckon::analysis {

void learn_interned(Context& ctx) {
  bool any = false;
  for (const auto& f : ctx.specs.functions()) any = any || f->interns;
  if (!any) return;
  std::unordered_set<std::string> spoilt;
  for (const FuncId f : ctx.program.wholes()) {
    const program::UnitId u = ctx.program.unit_id(f);
    const model::Unit& unit = ctx.program.frame(f);
    const program::FunctionNotes& notes = ctx.program.notes(f);
    auto name_of = [&](model::SymId variable) {
      std::string name(unit.name(variable));
      if (unit.symbols[variable].linkage == model::Linkage::Internal) name += "@" + std::to_string(u);
      return name;
    };
    for (const program::InternedNote& n : notes.interned) {
      const specs::FunctionSpec* spec = ctx.spec_of[u][n.callee];
      std::string name = name_of(n.variable);
      const auto known = ctx.interned.find(name);
      if (!spec || !spec->interns || (known != ctx.interned.end() && known->second != unit.str(n.text)))
        spoilt.insert(std::move(name));
      else
        ctx.interned.emplace(std::move(name), unit.str(n.text));
    }
    for (const model::SymId variable : notes.touched) spoilt.insert(name_of(variable));
    ctx.program.rest();
  }
  for (const std::string& name : spoilt) ctx.interned.erase(name);
}

}  // namespace reckon::analysis
