// Arguments that a call may fill in and that need not be given: what is not given stays NULL.

#include <algorithm>

#include "engine/core/call_symbols.h"
#include "engine/core/calls.h"
#include "engine/core/memory.h"
#include "engine/properties/formats/formats.h"
#include "engine/properties/formats/formats_property.h"

namespace reckon::engine {

using model::CmpPred;
using model::kNone;
using specs::FunctionSpec;

// Arguments that the call may fill in and that need not be given, pointers that are NULL before it, or that may be
// given as NULL.
std::vector<std::size_t> Formats::null_before(State& s, InstrId index, const FunctionSpec& spec,
                                              const std::vector<TermId>& args) {
  const bool parsed = spec.varargs == specs::VarargKind::ParseFormat;
  const std::uint32_t aux = body_.instrs[index].aux;
  if ((!parsed && spec.varargs != specs::VarargKind::OutParams) || aux == kNone) return {};
  const auto text =
      parsed && spec.format_param < args.size() ? calls_.string_constant(args[spec.format_param]) : std::nullopt;
  bool readable = false;
  const std::vector<FormatUnit> units = text ? parse_units(*text, readable) : std::vector<FormatUnit>{};
  const auto& types = body_.calls[aux].arg_types;
  std::vector<std::size_t> out;
  for (std::size_t a = spec.params.size(); a < args.size() && a < types.size(); ++a) {
    const std::size_t number = a - spec.params.size();
    const bool none = parsed && number < units.size() && units[number].letter == 'z' &&
                      units[number].use == UnitUse::Interior;  // None gives NULL
    if (parsed && !none &&
        (number >= units.size() || !units[number].optional || units[number].use == UnitUse::Converter))
      continue;
    const model::Type& t = unit_.type(types[a]);
    const bool pointer = t.kind == model::TypeKind::Pointer && unit_.type(t.elem).kind == model::TypeKind::Pointer;
    if (pointer && terms_[args[a]].kind == TermKind::Slot &&
        (none || s.facts.known_zero(terms_, memory_.read(s, args[a], {}, index))))
      out.push_back(a);
  }
  return out;
}

// What is not given stays NULL: one more state for each that the call has left, from `from` on.
void Formats::leave_null(States& out, std::size_t from, InstrId index, const std::vector<std::size_t>& optional,
                         const std::vector<TermId>& args) {
  for (std::size_t n = from, end = out.size(); !optional.empty() && n < end; ++n) {
    State none = out[n];
    bool left = false;
    for (const std::size_t a : optional) {
      const TermId now = memory_.read(none, args[a], {}, index);
      if (now != terms_.fresh(index, 0, kOutParam + static_cast<std::uint32_t>(a)) ||
          none.facts.known_nonzero(terms_, now))
        continue;
      left = none.facts.assume_cmp(terms_, CmpPred::Eq, now, terms_.zero()) || left;
    }
    if (left) out.push_back(std::move(none));
  }
}

}  // namespace reckon::engine
