#include "model/texts.h"

namespace reckon::model {

std::optional<std::string_view> constant_text(const Unit& unit, const Operand& o) {
  if (o.kind != OperandKind::Symbol) return std::nullopt;
  const Symbol& symbol = unit.symbols[o.id];
  if (symbol.kind != SymbolKind::Variable || symbol.init == kNone) return std::nullopt;
  const Constant& c = unit.constants[symbol.init];
  std::string_view text;
  if (c.kind == ConstKind::String)
    text = unit.str(c.string_id());
  else if (c.kind != ConstKind::Zero || unit.type(c.type).kind != TypeKind::Array)
    return std::nullopt;
  if (o.imm < 0 || static_cast<std::size_t>(o.imm) > text.size()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(o.imm));
  return text.substr(0, text.find('\0'));
}

}  // namespace reckon::model
