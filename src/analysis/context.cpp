#include "analysis/context.h"

#include <algorithm>
#include <map>
#include <optional>

#include "engine/core/header_structs.h"
#include "program/types.h"
#include "program/values.h"
#include "specs/attributes.h"
#include "specs/lookup.h"
#include "support/limits.h"

namespace reckon::analysis {

namespace {

Contract contract_of(const Context& ctx, const specs::SlotSpec& slot) {
  const specs::ContractSpec* c = ctx.specs.find_contract(slot.contract);
  if (!c) return Contract::Other;
  if (c->gives_new) return c->may_end ? Contract::NewOrEnd : Contract::NewOrNull;
  if (c->fails_by_minus_one)
    return c->runs_again      ? Contract::Init
           : c->value_or_null ? Contract::Setter
           : c->fills_view    ? Contract::GetBuffer
                              : Contract::IntError;
  if (c->frees_object) return c->drops_type ? Contract::HeapDealloc : Contract::Dealloc;
  if (c->balanced) return Contract::Balanced;
  if (c->acquires) return c->lent ? Contract::AcquireLent : Contract::Acquire;
  if (c->releases) return c->lent ? Contract::ReleaseLent : Contract::Release;
  if (c->consumes) return Contract::Consume;
  if (c->transmits) return Contract::Transmit;
  return Contract::Other;
}

bool promises(const Context& ctx, const specs::SlotSpec* slot, bool specs::ContractFlags::* what) {
  const specs::ContractSpec* c = slot ? ctx.specs.find_contract(slot->contract) : nullptr;
  return c && c->*what;
}

// Functions passed to functions that register them (`slot FUNCTION[N] CONTRACT`).
void place_registered(Context& ctx) {
  const program::Program& program = ctx.program;
  for (FuncId f = 0; f < program.num_functions(); ++f) {
    const model::Unit& unit = program.unit(f);
    const model::Body& body = program.function(f).body;
    for (const model::Instr& i : body.instrs) {
      if (i.op != model::Op::Call) continue;
      const auto ops = body.ops(i);
      if (ops.empty() || ops[0].kind != model::OperandKind::Symbol) continue;
      for (std::size_t a = 1; a < ops.size(); ++a) {
        if (ops[a].kind != model::OperandKind::Symbol || unit.symbols[ops[a].id].kind != model::SymbolKind::Function)
          continue;
        const FuncId target = program.definition(program.unit_id(f), ops[a].id);
        if (target == model::kNone) continue;
        if (const auto* slot = ctx.specs.find_slot(unit.name(ops[0].id), "[" + std::to_string(a - 1) + "]"))
          ctx.contracts[target] = contract_of(ctx, *slot);
      }
    }
  }
}

// A public function that nobody in sight calls or names is called by a table of some other program. `slot
// device.*_remove` says which by its first parameter and how its name ends.
void place_by_name(Context& ctx) {
  const auto& program = ctx.program;
  for (FuncId f = 0; f < program.num_functions(); ++f) {
    const model::Function& fn = program.function(f);
    const model::Unit& unit = program.unit(f);
    const model::Symbol& symbol = unit.symbols[fn.symbol];
    // What exports it names it, too, in no struct of its own.
    const auto roles = program.roles(f);
    const bool in_table =
        std::any_of(roles.begin(), roles.end(), [](const program::TableEntry& e) { return !e.record.empty(); });
    if (ctx.contracts[f] != Contract::None || in_table || !program.callers(f).empty() || fn.params.empty() ||
        symbol.linkage != model::Linkage::External)
      continue;
    const std::string_view name = program.name(f);
    const std::size_t last = name.rfind('_');
    const model::Type& first = unit.type(fn.params[0].type);
    if (last == std::string_view::npos || first.kind != model::TypeKind::Pointer) continue;
    if (const specs::SlotSpec* slot =
            ctx.specs.find_slot(unit.str(unit.type(first.elem).name), "*" + std::string(name.substr(last))))
      ctx.contracts[f] = contract_of(ctx, *slot);
  }
}

// Functions that stand in no table of the program and are called by the interpreter all the same: a public function
// without parameters, known by how its name begins (`slot void.PyInit_* CONTRACT`), and one that takes its arguments
// apart itself.
void place_by_shape(Context& ctx) {
  const auto& program = ctx.program;
  for (FuncId f = 0; f < program.num_functions(); ++f) {
    const model::Function& fn = program.function(f);
    if (ctx.contracts[f] != Contract::None || !program.roles(f).empty() || !program.callers(f).empty() ||
        fn.body.blocks.empty() || fn.from_header)
      continue;
    const program::UnitId u = program.unit_id(f);
    const model::Symbol& symbol = program.unit(f).symbols[fn.symbol];
    if (ctx.counted_domain[u][fn.result] == 0 || symbol.address_taken) continue;
    if (fn.params.empty()) {
      const std::string_view name = program.name(f);
      const specs::SlotSpec* slot =
          name.find('_') == std::string_view::npos
              ? nullptr
              : ctx.specs.find_slot("void", std::string(name.substr(0, name.find('_') + 1)) + "*");
      if (slot && symbol.linkage == model::Linkage::External) ctx.contracts[f] = contract_of(ctx, *slot);
      continue;
    }
    if (fn.params.size() < 2 || fn.params.size() > 3) continue;
    const bool objects = std::all_of(fn.params.begin(), fn.params.end(),
                                     [&](const model::Param& p) { return ctx.counted_domain[u][p.type] != 0; });
    if (!objects) continue;
    for (const model::Instr& i : fn.body.instrs) {
      const auto ops = fn.body.ops(i);
      if (i.op != model::Op::Call || ops.size() < 2 || ops[0].kind != model::OperandKind::Symbol) continue;
      const specs::FunctionSpec* spec = ctx.spec_of[u][ops[0].id];
      if (!spec || spec->varargs != specs::VarargKind::ParseFormat) continue;
      if (ops[1].kind == model::OperandKind::Value && ops[1].id == 1) ctx.contracts[f] = Contract::NewOrNull;
    }
  }
}

// Tables of {number, function} rows (`slot RECORD[N] CONTRACT`): the number stands in the row's first field.
std::string row_number(const model::Unit& unit, const program::TableEntry& entry) {
  if (entry.element == model::kNone) return {};
  const model::Constant& row = unit.constants[entry.element];
  if (row.kind != model::ConstKind::Aggregate || row.children.empty()) return {};
  const model::Constant& first = unit.constants[row.children[0]];
  return first.kind == model::ConstKind::Int ? "[" + std::to_string(first.imm) + "]" : std::string();
}

bool includes(const model::Unit& unit, const std::string& header) {
  return std::any_of(unit.headers.begin(), unit.headers.end(), [&](model::StrId h) {
    const std::string_view path = unit.str(h);
    return path.ends_with(header) && (path.size() == header.size() || path[path.size() - header.size() - 1] == '/');
  });
}

// Which domain a unit belongs to: forced, by the headers it read, or by the calls it makes.
void place_unit(Context& ctx, const model::Unit& unit, std::vector<const specs::FunctionSpec*>& by_symbol,
                const std::vector<std::string>& forced) {
  const auto& domains = ctx.specs.domains();
  std::vector<std::size_t> calls(domains.size(), 0);
  std::vector<char> named(domains.size(), 0);
  for (std::size_t d = 0; d < domains.size(); ++d)
    named[d] = std::find(forced.begin(), forced.end(), domains[d].name) != forced.end() ||
               std::any_of(domains[d].headers.begin(), domains[d].headers.end(),
                           [&](const auto& h) { return includes(unit, h); });
  // In a unit that says where it belongs, a name from elsewhere is a coincidence.
  const bool any_named = std::find(named.begin(), named.end(), 1) != named.end();
  for (const specs::FunctionSpec*& spec : by_symbol)
    if (spec && any_named)
      if (const std::size_t d = ctx.domain_index(spec->domain); !named[d] && !domains[d].headers.empty())
        spec = nullptr;
  for (const specs::FunctionSpec* spec : by_symbol)
    if (spec && program::changes_counts(*spec)) ++calls[ctx.domain_index(spec->domain)];
  std::size_t best = 0;
  bool concerned = false;
  for (std::size_t d = 0; d < domains.size(); ++d) {
    if (named[d]) calls[d] += unit.symbols.size();
    if (calls[d] > calls[best]) best = d;
    concerned = concerned || calls[d] > 0;
  }
  ctx.unit_domain.push_back(static_cast<std::uint8_t>(best));
  ctx.unit_concerned.push_back(concerned);
}

// The structs whose objects a domain counts, where its specs name none: those that its functions give new references
// to or whose count they change.
class InferredTypes {
 public:
  explicit InferredTypes(const Context& ctx) : ctx_(ctx) {
    for (const specs::DomainSpec& d : ctx.specs.domains()) silent_.push_back(!ctx.specs.counts_types(d.name));
  }
  void learn(const model::Unit& unit, const model::Symbol& symbol, const specs::FunctionSpec& spec) {
    const std::uint8_t domain = ctx_.domain_index(spec.domain);
    const model::Type& type = unit.type(symbol.type);
    if (!silent_[domain] || type.kind != model::TypeKind::Function) return;
    for (const specs::Outcome& o : spec.outcomes) {
      if (o.result.kind == specs::Value::Kind::Object && o.result.object < o.objects.size() &&
          o.objects[o.result.object].owned)
        add(unit, type.elem, domain);
      for (const specs::CountChange& c : o.counts)
        if (c.kind.empty() && c.object.root == specs::Place::Root::Arg && c.object.path.empty() &&
            c.object.field_path.empty() && c.object.index < type.params.size())
          add(unit, type.params[c.object.index], domain);
    }
  }
  // 1 + domain, 0: none
  std::uint8_t find(std::string_view record) const {
    auto it = domains_.find(record);
    return it == domains_.end() ? 0 : it->second;
  }

 private:
  void add(const model::Unit& unit, model::TypeId pointer, std::uint8_t domain) {
    if (unit.type(pointer).kind != model::TypeKind::Pointer) return;
    const model::Type& record = unit.type(unit.type(pointer).elem);
    if (record.kind == model::TypeKind::Struct && !unit.str(record.name).empty())
      domains_.emplace(unit.str(record.name), static_cast<std::uint8_t>(1 + domain));
  }
  const Context& ctx_;
  std::vector<bool> silent_;  // by domain
  std::map<std::string, std::uint8_t, std::less<>> domains_;
};

// What attributes at a declaration say about the function.
void add_source_spec(Context& ctx, program::UnitId u, model::SymId s) {
  const model::Unit& unit = *ctx.program.units()[u];
  const model::Symbol& sym = unit.symbols[s];
  std::vector<specs::SourceAttribute> attributes;
  for (const model::Attribute& a : sym.attributes)
    attributes.push_back({std::string(unit.str(a.name)), std::string(unit.str(a.text)), a.args});
  const model::Type& type = unit.type(sym.type);
  specs::Declaration d;
  d.name = unit.str(sym.display);
  d.returns_object = ctx.counted_domain[u][type.elem] != 0;
  d.loc = {std::string(unit.str(sym.loc.file)), sym.loc.line, sym.loc.col};
  auto is_pointer = [&](model::TypeId t) { return unit.type(t).kind == model::TypeKind::Pointer; };
  d.prototype.variadic = type.variadic;
  d.prototype.returns = is_pointer(type.elem) ? specs::Prototype::Returns::Pointer
                        : type.elem == 0      ? specs::Prototype::Returns::Void
                                              : specs::Prototype::Returns::Integer;
  for (model::TypeId p : type.params) {
    d.prototype.param_is_pointer.push_back(is_pointer(p));
    d.param_names.emplace_back();
  }
  auto spec = std::make_unique<specs::FunctionSpec>();
  spec->name = d.name;
  if (!specs::spec_from_attributes(attributes, d, *spec, ctx.source_errors)) return;
  spec->from_source = true;
  if (!ctx.specs.domains().empty()) spec->domain = ctx.specs.domains()[ctx.unit_domain[u]].name;
  ctx.spec_of[u][s] = spec.get();
  ctx.from_source.push_back(std::move(spec));
}

}  // namespace

namespace {

// A unit that calls no API itself, but functions of the program that do, is concerned as well: its bugs are in how
// it uses those. It belongs to the domain of the first unit it was reached from, in the order of functions.
void spread_concern(Context& ctx) {
  std::vector<FuncId> work;
  std::vector<char> seen(ctx.program.num_functions(), 0);
  for (FuncId f = 0; f < ctx.program.num_functions(); ++f) {
    const program::UnitId u = ctx.program.unit_id(f);
    if (!ctx.unit_concerned[u] || ctx.known_by_spec(f)) continue;
    const model::Body& body = ctx.program.function(f).body;
    const bool changes = std::any_of(body.instrs.begin(), body.instrs.end(), [&](const model::Instr& i) {
      if (i.op != model::Op::Call || i.num_operands == 0) return false;
      const model::Operand callee = body.ops(i)[0];
      const specs::FunctionSpec* spec = callee.kind == model::OperandKind::Symbol ? ctx.spec_of[u][callee.id] : nullptr;
      return spec && program::changes_counts(*spec);
    });
    if (changes) seen[f] = 1, work.push_back(f);
  }
  for (std::size_t next = 0; next < work.size(); ++next) {
    const FuncId f = work[next];
    for (FuncId caller : ctx.program.callers(f)) {
      if (seen[caller] || ctx.known_by_spec(caller)) continue;
      seen[caller] = 1;
      work.push_back(caller);
      const program::UnitId u = ctx.program.unit_id(caller);
      if (ctx.unit_concerned[u]) continue;
      ctx.unit_concerned[u] = 1;
      ctx.unit_domain[u] = ctx.unit_domain[ctx.program.unit_id(f)];
    }
  }
}

// A number in a row of a table, by the name of its field.
std::optional<std::uint64_t> row_value(const model::Unit& unit, const model::Constant& row, std::string_view name) {
  const model::Type& t = unit.type(row.type);
  if (row.kind != model::ConstKind::Aggregate || t.fields.size() != row.children.size()) return std::nullopt;
  for (std::size_t i = 0; i < t.fields.size(); ++i) {
    if (unit.str(t.fields[i].name) != name) continue;
    const model::Constant& c = unit.constants[row.children[i]];
    if (c.kind == model::ConstKind::Zero) return 0;
    if (c.kind == model::ConstKind::Int) return static_cast<std::uint64_t>(c.imm);
  }
  return std::nullopt;
}

// Offsets at which a function reads objects from its first argument.
std::vector<std::int64_t> members_read(const Context& ctx, FuncId f) {
  const model::Body& body = ctx.program.function(f).body;
  const auto& counted = ctx.counted_domain[ctx.program.unit_id(f)];
  std::vector<char> self(body.num_values, 0);
  std::vector<std::int64_t> field(body.num_values, -1), out;
  if (!self.empty()) self[0] = 1;
  // Count and type are set by whoever makes the object.
  auto in_header = [&](const model::Instr& i) { return names_header(ctx.specs, ctx.program.unit(f), body, i); };
  for (const model::Instr& i : body.instrs) {
    const auto ops = body.ops(i);
    const bool from_value = !ops.empty() && ops[0].kind == model::OperandKind::Value && ops[0].id < body.num_values;
    if (!from_value) continue;
    if (i.op == model::Op::Cast && self[ops[0].id]) self[i.result] = 1;
    if (i.op == model::Op::Field && self[ops[0].id] && !in_header(i)) field[i.result] = i.imm;
    if (i.op == model::Op::Load && field[ops[0].id] > 0 && counted[i.type]) out.push_back(field[ops[0].id]);
  }
  return out;
}

// Members of structs that a deallocator, or a function it calls, gives up.
void learn_released_fields(Context& ctx, FuncId f, int depth) {
  const model::Unit& unit = ctx.program.unit(f);
  const program::UnitId u = ctx.program.unit_id(f);
  const model::Body& body = ctx.program.function(f).body;
  const program::ValueDefs defs(body);
  auto field_of = [&](model::Operand o) -> const model::FieldName* {
    for (int step = 0; step < support::kLimits.program.released_steps && o.kind == model::OperandKind::Value; ++step) {
      const model::Instr* i = defs.def(o.id);
      if (!i) return nullptr;
      if (i->op == model::Op::Field) return i->aux != model::kNone ? &body.fields[i->aux] : nullptr;
      if (i->op != model::Op::Load && i->op != model::Op::Cast) return nullptr;
      o = body.ops(*i)[0];
    }
    return nullptr;
  };
  for (const model::Instr& i : body.instrs) {
    if (i.op != model::Op::Call) continue;
    const auto ops = body.ops(i);
    if (ops.empty() || ops[0].kind != model::OperandKind::Symbol) continue;
    const specs::FunctionSpec* spec = ctx.spec_of[u][ops[0].id];
    if (!spec) {
      const FuncId callee = ctx.program.definition(u, ops[0].id);
      if (callee != program::kNone && depth < support::kLimits.program.released_calls)
        learn_released_fields(ctx, callee, depth + 1);
      continue;
    }
    for (const specs::Outcome& o : spec->outcomes)
      for (const specs::CountChange& c : o.counts)
        if (c.delta < 0 && c.kind.empty() && c.object.root == specs::Place::Root::Arg && c.object.path.empty() &&
            c.object.field_path.empty() && c.object.index + 1 < ops.size())
          if (const model::FieldName* field = field_of(ops[c.object.index + 1]))
            ctx.released_fields.insert(std::string(unit.str(unit.type(field->record).name)) + "." +
                                       std::string(unit.str(field->path)));
  }
}

// What is known of functions in tables besides their contract: arguments that are always NULL or made for one call,
// and which members deallocators see to.
void learn_entries(Context& ctx) {
  const program::Program& program = ctx.program;
  ctx.type_records = ctx.specs.records_with("dealloc");
  for (FuncId f = 0; f < program.num_functions(); ++f) {
    const auto& params = program.function(f).params;
    const auto& counted = ctx.counted_domain[program.unit_id(f)];
    ctx.private_params[f] =
        (ctx.contracts[f] == Contract::NewOrNull || ctx.contracts[f] == Contract::Init) && params.size() == 3 &&
        std::all_of(params.begin(), params.end(), [&](const model::Param& p) { return counted[p.type] != 0; });
    if (is_dealloc(ctx.contracts[f])) learn_released_fields(ctx, f, 0);
    for (const program::TableEntry& e : program.roles(f)) {
      if (e.unit == model::kNone) continue;
      const model::Unit& unit = *program.units()[e.unit];
      const specs::SlotSpec* slot = ctx.specs.find_slot(e.record, e.field);
      if (!slot) slot = ctx.specs.find_slot(e.record, row_number(unit, e));
      if (promises(ctx, slot, &specs::ContractFlags::clears_members)) learn_released_fields(ctx, f, 0);
      if (is_dealloc(ctx.contracts[f]) && e.variable != model::kNone) {
        std::string name(unit.str(unit.symbols[e.variable].name));
        if (unit.symbols[e.variable].linkage == model::Linkage::Internal) name += "@" + std::to_string(e.unit);
        ctx.released_members.emplace(std::move(name), members_read(ctx, f));
      }
      if (e.element == model::kNone) continue;
      // The first line whose flags are those of the row says how the function is called.
      for (const specs::EntrySpec& way : ctx.specs.entries()) {
        if (way.record != e.record || way.field != e.field) continue;
        if (!way.flags_field.empty()) {
          const auto flags = row_value(unit, unit.constants[e.element], way.flags_field);
          if (!flags || (*flags & way.mask) != way.value) continue;
        }
        for (std::size_t p = 0; p < way.params.size() && p < 31; ++p)
          if (way.params[p].kind == specs::EntryParamKind::Null && p < params.size()) ctx.null_params[f] |= 1u << p;
        break;
      }
    }
  }
}

// The spec of a name, for a function that takes so many parameters: `NAME/3` where `NAME` has another number.
const specs::FunctionSpec* with_arity(const specs::SpecSet& specs, std::string_view name, std::string_view shown,
                                      std::size_t parameters) {
  const specs::FunctionSpec* spec = specs::find_function(specs, name, shown);
  if (!spec || spec->variadic || spec->params.size() == parameters) return spec;
  auto exact = [&](std::string_view which) -> const specs::FunctionSpec* {
    const std::string other = std::string(which) + "/" + std::to_string(parameters);
    const specs::FunctionSpec* found = specs.find(other);
    return found && found->name == other ? found : nullptr;
  };
  if (const specs::FunctionSpec* found = exact(name)) return found;
  const specs::FunctionSpec* found = shown.find("::") == std::string_view::npos ? nullptr : exact(shown);
  return found ? found : spec;
}

}  // namespace

namespace {

// Where an exception or a collector matters, functions without counts do, too.
void classify_functions(Context& ctx) {
  auto counts_alone = [&](std::uint8_t d) {
    const auto& domains = ctx.specs.domains();
    return d < domains.size() && domains[d].reports_pairs && !domains[d].reports_protection &&
           domains[d].failure_value != "exception";
  };
  ctx.without_counts.assign(ctx.program.num_functions(), 0);
  if (std::none_of(ctx.unit_domain.begin(), ctx.unit_domain.end(), counts_alone)) return;
  ctx.classes = program::classify(ctx.program, ctx.specs, {.max_branches = program::kAnyBranches});
  for (FuncId f = 0; f < ctx.classes.size(); ++f)
    ctx.without_counts[f] =
        ctx.classes[f] == program::Class::Other && counts_alone(ctx.unit_domain[ctx.program.unit_id(f)]);
}

}  // namespace

Context make_context(const program::Program& program, const specs::SpecSet& specs,
                     const std::vector<std::string>& forced) {
  Context ctx(program, specs);
  ctx.summaries.resize(program.num_functions());
  ctx.contracts.assign(program.num_functions(), Contract::None);
  ctx.null_params.assign(program.num_functions(), 0);
  ctx.of_both_types.assign(program.num_functions(), 0);
  ctx.ends_objects.assign(program.num_functions(), 0);
  ctx.private_params.assign(program.num_functions(), 0);

  // Every name of a count gets a number before threads start.
  auto add_kind = [&](const std::string& k, const std::string& domain) {
    if (std::find(ctx.count_kinds.begin(), ctx.count_kinds.end(), k) != ctx.count_kinds.end()) return;
    ctx.count_kinds.push_back(k);
    ctx.count_domains.push_back(ctx.domain_index(domain));
  };
  for (const auto& f : specs.functions())
    for (const specs::Outcome& o : f->outcomes)
      for (const specs::CountChange& c : o.counts) add_kind(c.kind, f->domain);

  for (const auto& unit : program.units()) {
    auto& by_symbol = ctx.spec_of.emplace_back(unit->symbols.size(), nullptr);
    for (std::size_t s = 0; s < unit->symbols.size(); ++s)
      if (const model::Symbol& sym = unit->symbols[s]; sym.kind == model::SymbolKind::Function) {
        const std::size_t parameters = unit->types[sym.type].params.size();
        const std::string_view shown = unit->str(sym.display);
        by_symbol[s] = with_arity(specs, unit->str(sym.name), shown, parameters);
        // C++ mangles the names of a C header's static inline functions.
        if (!by_symbol[s] && sym.linkage == model::Linkage::Internal && sym.display != sym.name)
          by_symbol[s] = with_arity(specs, shown, shown, parameters);
      }
    place_unit(ctx, *unit, by_symbol, forced);
  }
  InferredTypes inferred(ctx);
  for (std::size_t u = 0; u < program.units().size(); ++u)
    for (std::size_t s = 0; s < ctx.spec_of[u].size(); ++s)
      if (ctx.spec_of[u][s]) inferred.learn(*program.units()[u], program.units()[u]->symbols[s], *ctx.spec_of[u][s]);
  for (const auto& unit : program.units()) {
    auto& by_type = ctx.counted_domain.emplace_back(unit->types.size(), 0);
    const std::vector<model::TypeId> headers = headers_in(specs, *unit);
    for (model::TypeId t = 0; t < unit->types.size(); ++t) {
      model::TypeId record = unit->types[t].kind == model::TypeKind::Pointer ? unit->types[t].elem : 0;
      // The struct itself or what its first member is, recursively.
      for (int depth = 0; record != 0 && depth < support::kLimits.program.first_members; ++depth) {
        const model::Type& r = unit->types[record];
        if (r.kind != model::TypeKind::Struct) break;
        if (const specs::CountedType* c = counted_as(specs, *unit, headers, r))
          by_type[t] = static_cast<std::uint8_t>(1 + ctx.domain_index(c->domain));
        else
          by_type[t] = inferred.find(unit->str(r.name));
        if (by_type[t] != 0) break;
        if (r.fields.empty() || r.fields[0].offset != 0) break;
        record = r.fields[0].type;
      }
    }
  }
  for (program::UnitId u = 0; u < program.units().size(); ++u)
    for (model::SymId s = 0; s < program.units()[u]->symbols.size(); ++s) {
      const model::Symbol& sym = program.units()[u]->symbols[s];
      const specs::FunctionSpec*& spec = ctx.spec_of[u][s];
      // A domain that no header announces (the C library) knows its functions by name only: a body in the
      // program with the same name is the program's own function.
      if (spec && ctx.specs.domains()[ctx.domain_index(spec->domain)].headers.empty() &&
          program.definition(u, s) != model::kNone && !program::changes_counts(*spec))
        spec = nullptr;
      if (spec && spec->computed && program.definition(u, s) != model::kNone) spec = nullptr;
      if (!spec && !sym.attributes.empty() && sym.kind == model::SymbolKind::Function) add_source_spec(ctx, u, s);
    }
  for (FuncId f = 0; f < program.num_functions(); ++f)
    for (const program::TableEntry& e : program.roles(f)) {
      const specs::SlotSpec* slot = specs.find_slot(e.record, e.field);
      if (!slot && e.unit != model::kNone) slot = specs.find_slot(e.record, row_number(*program.units()[e.unit], e));
      if (!slot) continue;
      if (promises(ctx, slot, &specs::ContractFlags::ends_object)) ctx.ends_objects[f] = 1;
      const Contract now = contract_of(ctx, *slot), before = ctx.contracts[f];
      ctx.contracts[f] = now;
      if (is_dealloc(now) && is_dealloc(before) && now != before) {
        ctx.contracts[f] = Contract::Dealloc;
        ctx.of_both_types[f] = 1;
      }
    }
  place_by_name(ctx);
  ctx.unit_implements.assign(program.units().size(), 0);
  for (FuncId f = 0; f < program.num_functions(); ++f) {
    if (program.function(f).from_header || program.function(f).body.blocks.empty() || !ctx.known_by_spec(f)) continue;
    const specs::FunctionSpec& spec = *ctx.spec_of[program.unit_id(f)][program.function(f).symbol];
    for (const specs::Outcome& o : spec.outcomes)
      for (const specs::CountChange& c : o.counts)
        if (!c.kind.empty() && !spec.computed) ctx.unit_implements[program.unit_id(f)] = 1;
  }
  place_registered(ctx);
  place_by_shape(ctx);
  for (FuncId f = 0; f < program.num_functions(); ++f)
    if (is_dealloc(ctx.contracts[f])) ctx.ends_objects[f] = 1;
  std::vector<FuncId> helpers;
  for (FuncId f = 0; f < program.num_functions(); ++f)
    for (FuncId c : program.callers(f))
      if (ctx.ends_objects[c]) helpers.push_back(f);
  for (FuncId f : helpers) ctx.ends_objects[f] = 1;
  learn_entries(ctx);
  learn_from_callers(ctx);
  learn_interned(ctx);
  learn_lasting_fields(ctx);
  for (program::UnitId u = 0; u < program.units().size(); ++u) {
    std::string& version = ctx.unit_version.emplace_back();
    if (ctx.unit_domain[u] < specs.domains().size())
      for (const auto& [v, header] : specs.domains()[ctx.unit_domain[u]].versions)
        if (includes(*program.units()[u], header)) version = v;
  }
  spread_concern(ctx);
  classify_functions(ctx);
  return ctx;
}

}  // namespace reckon::analysis
