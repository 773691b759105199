// Questions about the function at hand.

#include <algorithm>

#include "engine/core/call_symbols.h"
#include "engine/core/conditions.h"
#include "engine/core/from_entry.h"
#include "engine/core/places.h"
#include "engine/core/subject.h"

namespace reckon::engine {

using specs::Place;

bool from_entry(const TermArena& terms, TermId t) {
  const Term& x = terms[t];
  switch (x.kind) {
    case TermKind::Const:
    case TermKind::Param:
    case TermKind::Global: return true;
    case TermKind::Fresh: return x.instr() == kAnswer;
    case TermKind::Initial: return x.b == 0 && from_entry(terms, x.left());
    case TermKind::Offset: return from_entry(terms, x.left());
    case TermKind::Index:
    case TermKind::Arith:
    case TermKind::Cmp:
    case TermKind::Answer: return from_entry(terms, x.left()) && from_entry(terms, x.right());
    default: return false;
  }
}

bool Subject::visible_place(TermId t, Place& out) const { return to_place(terms_, t, out, kMaxCountPath); }

const Promise& Subject::promise() const {
  static const Promise kNone;
  return id_ < ctx_.promises.size() ? ctx_.promises[id_] : kNone;
}

const GivenArgument& Subject::given_argument(std::uint32_t p) const {
  static const GivenArgument kOpen;
  if (id_ >= ctx_.given_arguments.size() || p >= ctx_.given_arguments[id_].size()) return kOpen;
  return ctx_.given_arguments[id_][p];
}

bool Subject::counted(model::TypeId type) const { return ctx_.counted(unit_id_, type); }

DomainId Subject::domain_of(model::TypeId type) const {
  return counted(type) ? ctx_.counted_domain[unit_id_][type] : ctx_.unit_domain[unit_id_];
}

// Do the two ways need the function to begin in different states? Outcomes say so only of what their places can name.
bool Subject::begin_differently(const State& a, const State& b) const {
  auto ib = b.facts.ranges().begin();
  for (const auto& [t, r] : a.facts.ranges()) {
    while (ib != b.facts.ranges().end() && ib->first < t) ++ib;
    if (ib == b.facts.ranges().end()) break;
    if (ib->first != t || !from_entry(terms_, t)) continue;
    Range both = r;
    both.meet(ib->second);
    if (both.empty()) return true;
  }
  return false;
}

bool Subject::fails_for_callers(const Exit& e) const {
  if (e.result == kNoTerm) return false;
  const Range r = e.state.facts.range(terms_, e.result);
  switch (unit_.type(fn_.result).kind) {
    case model::TypeKind::Int:  // what a call said, not zero: by the kernel's rules an error
      return r.hi < 0 || (r.lo < 0 && !r.allows(0) && terms_[e.result].kind == TermKind::Fresh);
    case model::TypeKind::Pointer: return r.lo >= kFirstError && r.hi <= 0;
    default: return false;
  }
}

// A number that is not zero and may be negative: most likely some error, though not surely one.
bool Subject::says_no_success(const Exit& e) const {
  if (e.result == kNoTerm || unit_.type(fn_.result).kind != model::TypeKind::Int) return false;
  const Range r = e.state.facts.range(terms_, e.result);
  return r.lo < 0 && !r.allows(0);
}

bool Subject::is_type_pointer(model::TypeId type) const {
  if (type == 0 || unit_.type(type).kind != model::TypeKind::Pointer) return false;
  const std::string_view record = unit_.str(unit_.type(unit_.type(type).elem).name);
  return std::find(ctx_.type_records.begin(), ctx_.type_records.end(), record) != ctx_.type_records.end();
}

}  // namespace reckon::engine
