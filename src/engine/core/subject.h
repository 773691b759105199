// Questions about the function at hand that its prototype, its contract and the conventions of its domain answer.
#pragma once

#include "engine/core/module.h"
#include "support/limits.h"

namespace reckon::engine {

class Subject : public Module {
 public:
  using Module::Module;

  bool fails_by_errno(DomainId domain) const {
    return domain < ctx_.specs.domains().size() &&
           ctx_.specs.domains()[domain].failure_value == specs::FailureValue::Errno;
  }
  bool is_entry() const { return contract_.entry; }
  // A parameter that all calls in sight merely lend.
  bool borrowed_from_callers(TermId t) const {
    return terms_[t].kind == TermKind::Param && terms_[t].a < 32 && id_ < ctx_.borrowed_params.size() &&
           (ctx_.borrowed_params[id_] >> terms_[t].a & 1) != 0;
  }
  // What every call in sight gives for a parameter.
  const GivenArgument& given_argument(std::uint32_t p) const;
  // What a spec promises of this body; nothing for most functions.
  const Promise& promise() const;
  // Does somebody who wrote a spec say what becomes of references at the ends? Then ends are compared with that, and
  // not with each other.
  bool has_contract() const { return promise().spec && !promise().spec->from_source; }
  // An argument that came with a reference, which is the function's from the beginning.
  bool given(TermId t) const { return terms_[t].kind == TermKind::Param && promise().gives(terms_[t].a); }
  bool may_fail_for_good() const { return contract_.acquires; }
  bool embedded(TermId t) const { return terms_[t].kind == TermKind::Offset; }
  // A pointer with flags in its lowest bits, without them.
  TermId untagged(TermId t) const {
    for (int fuel = support::kLimits.values.tag_steps; fuel > 0 && terms_[t].kind == TermKind::Arith; --fuel) {
      const Term& x = terms_[t];
      const auto op = static_cast<model::ArithOp>(x.sub);
      const bool clears = op == model::ArithOp::And && terms_.is_const(x.right()) && terms_[x.right()].imm < 0 &&
                          terms_[x.right()].imm >= -8;
      if (!clears && op != model::ArithOp::Or) break;
      t = x.left();
    }
    return t;
  }
  bool counted(model::TypeId type) const;        // does it point to objects that some domain counts?
  DomainId domain_of(model::TypeId type) const;  // that domain, else the unit's
  bool is_type_pointer(model::TypeId type) const;
  bool visible_place(TermId t, specs::Place& out) const;  // a symbol as callers see it; false: they cannot
  bool begin_differently(const State& a, const State& b) const;
  bool fails_for_callers(const Exit& e) const;
  bool says_no_success(const Exit& e) const;
};

}  // namespace reckon::engine
