// Summaries are specs that were computed, so a pack is a spec file: people can read it, mend it and compare two
// versions of it, and a run that loads one needs no code of its own for it. What makes a computed line weaker than
// one that a person wrote is its flag.
//
// Every line is read back before it is written: an outcome the language cannot say is left out and named rather
// than said wrongly. Limits: functions private to a unit, or known by a spec anyway, are not packed; outcomes speak
// of byte offsets, so a pack belongs to the architecture it was made on.
#include "engine/summaries/pack.h"

#include <algorithm>
#include <map>
#include <set>

#include "specs/effects.h"
#include "specs/printer.h"

namespace reckon::engine {

namespace {

std::vector<specs::ParamSpec> parameters(const model::Unit& unit, const model::Function& function) {
  std::vector<specs::ParamSpec> out;
  std::set<std::string> used = {"result"};
  for (const model::Param& p : function.params) {
    specs::ParamSpec param;
    param.name = unit.str(p.name);
    // The language wants names that differ; a parameter without one is called by its number.
    if (param.name.empty() || !used.insert(param.name).second) param.name = "_";
    out.push_back(std::move(param));
  }
  return out;
}

bool on_result(const specs::Condition& c) {
  return c.place.root == specs::Place::Root::Result && c.place.path.empty() && c.place.field_path.empty() &&
         c.mask == ~std::uint64_t{0} && !c.other;
}

// A result stands in an outcome as a value and, in specs, as conditions that follow from it. Without those, the
// same outcome written and computed is the same.
specs::Outcome bare(specs::Outcome o) {
  using Kind = specs::Value::Kind;
  using specs::Pred;
  const specs::Value& r = o.result;
  const bool object = r.kind == Kind::Object && r.object < o.objects.size() && !o.objects[r.object].maybe_null;
  std::erase_if(o.when, [&](const specs::Condition& c) {
    if (!on_result(c)) return false;
    switch (r.kind) {
      case Kind::Int: return c.pred == Pred::Eq && c.imm == r.imm;
      case Kind::Object: return object && c.pred == Pred::Ne && c.imm == 0;
      case Kind::Range:
        return (c.pred == Pred::Ge && c.imm == r.imm) || (c.pred == Pred::Gt && c.imm == r.imm - 1) ||
               (c.pred == Pred::Le && c.imm == r.hi) || (c.pred == Pred::Lt && c.imm == r.hi + 1);
      default: return false;
    }
  });
  if (o.exception == specs::Exception::Set) o.failure = true;  // as `raises` says
  for (specs::Object& made : o.objects) made.what.clear();
  // Packs say nothing of what the language has no words for.
  specs::each_effect([&](auto effect) {
    if constexpr (effect.grammar == specs::Grammar::Unsaid) o.*effect.field = {};
  });
  return o;
}

// Does the line mean what the summary says?
bool reads_back(const specs::FunctionSpec& spec, const std::string& line) {
  std::vector<specs::SpecError> errors;
  const specs::SpecFile file = specs::parse_spec("", line, errors);
  if (!errors.empty() || file.functions.size() != 1) return false;
  const specs::FunctionSpec& read = file.functions[0];
  return read.params == spec.params && read.variadic == spec.variadic && read.returns_void == spec.returns_void &&
         std::equal(read.outcomes.begin(), read.outcomes.end(), spec.outcomes.begin(), spec.outcomes.end(),
                    [](const specs::Outcome& a, const specs::Outcome& b) { return bare(a) == bare(b); });
}

}  // namespace

bool has_body(const Context& ctx, FuncId f) {
  return !ctx.program.function(f).body.blocks.empty() && ctx.unit_concerned[ctx.program.unit_id(f)];
}

Pack make_pack(const Context& ctx, bool known) {
  Pack pack;
  std::map<std::string, std::map<std::string, std::string>> lines;  // by domain, by name
  for (FuncId f{}; f < ctx.program.num_functions(); ++f) {
    const model::Unit& unit = ctx.program.unit(f);
    const model::Function& function = ctx.program.function(f);
    const model::Symbol& symbol = unit.symbols[function.symbol];
    if (symbol.linkage == model::Linkage::Internal || !(known ? has_body(ctx, f) : ctx.worth_analysing(f))) continue;
    const Summary& summary = ctx.summaries[f];
    const std::string name(ctx.program.name(f));
    if (!summary.known) {
      pack.left_out.push_back(name + ": its outcomes are not known");
      continue;
    }
    specs::FunctionSpec spec;
    spec.name = name;
    spec.params = parameters(unit, function);
    spec.variadic = unit.type(symbol.type).variadic;
    spec.returns_void = unit.type(symbol.type).elem == 0;
    spec.computed = true;
    spec.outcomes = summary.outcomes;
    // An alternative that never comes back has no result to show; the language says so with a word of its own.
    if (spec.outcomes.empty()) spec.outcomes.emplace_back().never_returns = true;
    if (std::none_of(spec.outcomes.begin(), spec.outcomes.end(), specs::any_set<specs::kSays>)) {
      ++pack.nothing_to_say;
      continue;
    }
    const std::string line = specs::to_text(spec);
    if (!reads_back(spec, line)) {
      pack.left_out.push_back(name + ": its outcomes cannot be said in the spec language");
      continue;
    }
    const std::string& domain = ctx.specs.domains()[ctx.unit_domain[ctx.program.unit_id(f)]].name;
    lines[domain].emplace(name, line);
  }
  for (const auto& [domain, functions] : lines) {
    pack.text += "\ndomain " + domain + "\n";
    for (const auto& [name, line] : functions) pack.text += line + "\n";
    pack.functions += functions.size();
  }
  std::sort(pack.left_out.begin(), pack.left_out.end());
  return pack;
}

}  // namespace reckon::engine
