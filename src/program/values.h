// Where the SSA values of a body come from.
#pragma once

#include <vector>

#include "model/model.h"

namespace reckon::program {

class ValueDefs {
 public:
  explicit ValueDefs(const model::Body& body);

  // The instruction that makes `v`, nullptr for a parameter.
  const model::Instr* def(model::ValueId v) const {
    return v < index_.size() && index_[v] != model::kNone ? &body_.instrs[index_[v]] : nullptr;
  }
  const model::Body& body() const { return body_; }

 private:
  const model::Body& body_;
  std::vector<model::InstrId> index_;
};

// The symbols whose address `operand` may be, looking through casts, phis and selects; with offset 0 only.
std::vector<model::SymId> addresses(const ValueDefs& defs, const model::Operand& operand);

}  // namespace reckon::program
