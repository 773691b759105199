// Terms: the symbolic values of one function's analysis, hash-consed, so that equal terms have equal ids.
//
// A term is a constant, a symbol (parameter, content of memory at entry, result of a call, a value joined at
// a block) or an operation on terms. Arithmetic on addresses and integers with constants is normalised to
// Offset(base, k), which makes `p->field` read twice, or `n + 1 - 1`, the same term. Width-changing casts are
// the identity except where they cut bits off (see Executor::cast).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/model.h"
#include "support/id.h"

namespace reckon::symbolic {

using model::InstrId;

using TermId = support::Id<struct TermTag>;
inline constexpr TermId kNoTerm = support::kNone;

enum class TermKind : std::uint8_t {
  Const,    // imm
  Undef,    // an uninitialised local
  Param,    // a: number
  Initial,  // what memory held at entry (or after an invalidation): a: base term, imm: offset, b: epoch
  Fresh,    // a: instruction that made it, b: generation (0 newest, 1 older), imm: which of several
  Join,     // a: block, b: key; a value that differed between merged states
  Slot,     // a: alloca instruction
  Global,   // a: index into the arena's global names
  Offset,   // a + imm
  Index,    // a + b * imm
  Arith,    // sub: model::ArithOp
  Cmp,      // sub: model::CmpPred
  Answer,   // what the question imm gives for a and b: the same for the same two
};

struct Term {
  TermKind kind = TermKind::Const;
  std::uint8_t sub = 0;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::int64_t imm = 0;
  bool operator==(const Term&) const = default;

  // The terms that this one is made of: Initial, Offset and Index have a base on the left.
  TermId left() const { return TermId(a); }
  TermId right() const { return TermId(b); }
  // The instruction that made it: Fresh and Slot.
  InstrId instr() const { return InstrId(a); }
  // Where a Join came to be.
  model::BlockId block() const { return model::BlockId(a); }
};

class TermArena {
 public:
  TermArena();

  const Term& operator[](TermId t) const { return terms_[t]; }
  std::size_t size() const { return terms_.size(); }
  // Nodes of the term written out as a tree, saturating: what walking it costs.
  std::uint16_t weight(TermId t) const { return weights_[t]; }

  TermId constant(std::int64_t v);
  TermId undef() { return intern({TermKind::Undef, 0, 0, 0, 0}); }
  TermId param(std::uint32_t n) { return intern({TermKind::Param, 0, n, 0, 0}); }
  TermId initial(TermId base, std::int64_t offset, std::uint32_t epoch) {
    return intern({TermKind::Initial, 0, base, epoch, offset});
  }
  TermId fresh(InstrId instr, std::uint32_t generation, std::uint32_t which) {
    return intern({TermKind::Fresh, 0, instr, generation, which});
  }
  TermId join(model::BlockId block, std::uint32_t key) { return intern({TermKind::Join, 0, block, key, 0}); }
  TermId slot(InstrId instr) { return intern({TermKind::Slot, 0, instr, 0, 0}); }
  TermId global(std::string_view name);
  TermId offset(TermId base, std::int64_t k);
  TermId index(TermId base, TermId idx, std::int64_t size);
  TermId arith(model::ArithOp op, TermId a, TermId b);
  TermId cmp(model::CmpPred pred, TermId a, TermId b);
  TermId answer(std::uint32_t question, TermId a, TermId b) { return intern({TermKind::Answer, 0, a, b, question}); }

  bool is_const(TermId t) const { return terms_[t].kind == TermKind::Const; }
  bool is_zero(TermId t) const { return t == zero_; }
  TermId zero() const { return zero_; }
  std::string_view global_name(TermId t) const { return global_names_[terms_[t].a]; }

  // base and offset of an address or a sum: Offset(b, k) -> (b, k), anything else -> (t, 0).
  std::pair<TermId, std::int64_t> split(TermId t) const {
    const Term& x = terms_[t];
    if (x.kind == TermKind::Offset) return {x.left(), x.imm};
    return {t, 0};
  }

  // The address a pointer is derived from: strips offsets and indices.
  TermId root(TermId t) const;
  // The object memory belongs to: strips offsets, indices and reads (`p->a->b[i]` -> p).
  TermId owner_root(TermId t) const;

  // offset(base, k) if that term exists, kNoTerm else.
  TermId find_offset(TermId base, std::int64_t k) const {
    if (k == 0) return base;
    return find(Term{TermKind::Offset, 0, base, 0, k});
  }

  TermId find_param(std::uint32_t n) const { return find(Term{TermKind::Param, 0, n, 0, 0}); }

  bool contains(TermId t, TermId needle) const;
  // Does one of these joined symbols occur in `t`?
  bool mentions_any(TermId t, const std::vector<TermId>& sorted) const;
  // `t` with `from` replaced by `to` everywhere.
  TermId substitute(TermId t, TermId from, TermId to);

 private:
  std::size_t slot_of(const Term& t) const;
  TermId intern(const Term& t);
  // Bits that are 0 here are 0 in every value of `t`; and a simpler term that has the same `wanted` bits, if there is
  // one.
  std::uint64_t possible_bits(TermId t, int depth) const;
  TermId only_bits(TermId t, std::uint64_t wanted, int depth);

  TermId find(const Term& t) const;

  std::vector<Term> terms_;
  std::vector<std::uint16_t> weights_;
  std::vector<std::uint8_t> joins_;  // 1: a joined symbol occurs in the term
  // Open addressing: the slot of a term is the first free one, or its own, from its hash on. A power of two, at most
  // half full; kNoTerm: free.
  std::vector<TermId> slots_;
  std::vector<std::string> global_names_;
  std::unordered_map<std::string, std::uint32_t> global_ids_;
  TermId zero_{};
};

model::CmpPred negate(model::CmpPred p);
model::CmpPred swap_sides(model::CmpPred p);
bool holds(model::CmpPred p, std::int64_t a, std::int64_t b);

}  // namespace reckon::symbolic
