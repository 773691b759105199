#include "analysis/unknown.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/context.h"

namespace reckon::analysis {

namespace {

using model::TypeKind;

bool could_matter(const model::Unit& unit, const model::Type& type) {
  if (type.kind != TypeKind::Function) return false;
  if (unit.type(type.elem).kind == TypeKind::Pointer) return true;
  return std::any_of(type.params.begin(), type.params.end(), [&](model::TypeId p) {
    if (unit.type(p).kind != TypeKind::Pointer) return false;
    const TypeKind to = unit.type(unit.type(p).elem).kind;
    return to == TypeKind::Struct || to == TypeKind::Void || to == TypeKind::Pointer;
  });
}

}  // namespace

std::vector<UnknownFunction> unknown_functions(const program::Program& program, const specs::SpecSet& specs,
                                               const std::vector<std::string>& forced) {
  const Context ctx = make_context(program, specs, forced);
  std::map<std::string_view, UnknownFunction> found;
  for (FuncId f{}; f < program.num_functions(); ++f, program.rest()) {
    if (!program.head(f).has_body) continue;
    const program::UnitId u = program.unit_id(f);
    const model::Unit& unit = program.unit(f);
    const model::Body& body = program.function(f).body;
    std::map<std::string_view, std::size_t> here;
    for (const model::Instr& i : body.instrs) {
      if (i.op != model::Op::Call || i.num_operands == 0) continue;
      const model::Operand callee = body.ops(i)[0];
      if (callee.kind != model::OperandKind::Symbol) continue;
      const model::SymId s = callee.symbol_id();
      const model::Symbol& symbol = unit.symbols[s];
      const std::string_view name = unit.str(symbol.display);
      if (ctx.spec_of[u][s] || program.definition(u, s) != model::kNone || name.starts_with("llvm.") ||
          !could_matter(unit, unit.type(symbol.type)))
        continue;
      ++here[name];
    }
    for (const auto& [name, calls] : here) {
      UnknownFunction& x = found[name];
      x.name = name;
      x.calls += calls;
      ++x.functions;
    }
  }
  std::vector<UnknownFunction> out;
  for (auto& [name, x] : found) out.push_back(std::move(x));
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
    return std::make_tuple(b.calls, b.functions, std::string_view(a.name)) <
           std::make_tuple(a.calls, a.functions, std::string_view(b.name));
  });
  return out;
}

}  // namespace reckon::analysis
