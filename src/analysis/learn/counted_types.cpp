// Which types of a unit point to objects that a domain counts: those that its specs name, and structs that begin with
// one.

#include "analysis/learn/learn.h"

#include <map>

#include "engine/core/header_structs.h"
#include "support/limits.h"

namespace reckon::analysis {

namespace {

// The structs whose objects a domain counts, where its specs name none: those that its functions give new references
// to or whose count they change.
class InferredTypes {
 public:
  explicit InferredTypes(const Context& ctx) : ctx_(ctx) {
    for (const specs::DomainSpec& d : ctx.specs.domains()) silent_.push_back(!ctx.specs.counts_types(d.name));
  }
  void learn(const model::Unit& unit, const model::Symbol& symbol, const specs::FunctionSpec& spec) {
    const specs::DomainId domain = ctx_.domain_id(spec.domain);
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
  specs::DomainId find(std::string_view record) const {
    auto it = domains_.find(record);
    return it == domains_.end() ? model::kNone : it->second;
  }

 private:
  void add(const model::Unit& unit, model::TypeId pointer, specs::DomainId domain) {
    if (unit.type(pointer).kind != model::TypeKind::Pointer) return;
    const model::Type& record = unit.type(unit.type(pointer).elem);
    if (record.kind == model::TypeKind::Struct && !unit.str(record.name).empty())
      domains_.emplace(unit.str(record.name), domain);
  }
  const Context& ctx_;
  std::vector<bool> silent_;  // by domain
  std::map<std::string, specs::DomainId, std::less<>> domains_;
};

}  // namespace

void learn_counted_types(Context& ctx) {
  const program::Program& program = ctx.program;
  const specs::SpecSet& specs = ctx.specs;
  ctx.counted_domain.clear();
  InferredTypes inferred(ctx);
  for (program::UnitId u{}; u < program.num_units(); ++u, program.rest())
    for (std::size_t s = 0; s < ctx.spec_of[u].size(); ++s)
      if (ctx.spec_of[u][s]) inferred.learn(program.frame_at(u), program.frame_at(u).symbols[s], *ctx.spec_of[u][s]);
  for (program::UnitId u{}; u < program.num_units(); ++u, program.rest()) {
    const model::Unit& unit = program.frame_at(u);
    auto& by_type = ctx.counted_domain.emplace_back(unit.types.size(), model::kNone);
    const std::vector<model::TypeId> headers = headers_in(specs, unit);
    for (model::TypeId t{}; t < unit.types.size(); ++t) {
      model::TypeId record = unit.types[t].kind == model::TypeKind::Pointer ? unit.types[t].elem : model::TypeId{};
      // The struct itself or what its first member is, recursively.
      for (int depth = 0; record != 0 && depth < support::kLimits.program.first_members; ++depth) {
        const model::Type& r = unit.types[record];
        if (r.kind != model::TypeKind::Struct) break;
        if (const specs::CountedType* c = counted_as(specs, unit, headers, r))
          by_type[t] = ctx.domain_id(c->domain);
        else
          by_type[t] = inferred.find(unit.str(r.name));
        if (by_type[t] != model::kNone) break;
        if (r.fields.empty() || r.fields[0].offset != 0) break;
        record = r.fields[0].type;
      }
    }
  }
}

}  // namespace reckon::analysis
