// Sets of symbols that terms speak of: what pruning must keep, and what an instruction made.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/core/call_symbols.h"
#include "engine/core/symbolic.h"

namespace reckon::engine {

// Leaf symbols that live values and kept memory mention.
class Mentioned {
 public:
  explicit Mentioned(const TermArena& terms) : terms_(terms) {}
  bool add(TermId t) {
    const Term& x = terms_[t];
    switch (x.kind) {
      case TermKind::Fresh:
      case TermKind::Join:
      case TermKind::Slot: return insert(t);
      case TermKind::Initial: {
        bool a = insert(t);  // an object read from memory is a leaf of its own, too
        return add(x.left()) || a;
      }
      case TermKind::Offset: return add(x.left());
      case TermKind::Index:
      case TermKind::Arith:
      case TermKind::Cmp: {
        const bool a = add(x.left());
        return add(x.right()) || a;
      }
      case TermKind::Answer: {
        const bool a = insert(t), b = add(x.left());  // so is an object that a function gives whenever it is asked
        return add(x.right()) || a || b;
      }
      case TermKind::Param: return insert(t);
      case TermKind::Global: return insert(t);
      default: return false;
    }
  }
  bool has(TermId t) const { return std::binary_search(set_.begin(), set_.end(), t); }
  // Do only mentioned symbols, parameters and globals occur in t?
  bool covers(TermId t) const {
    const Term& x = terms_[t];
    switch (x.kind) {
      case TermKind::Fresh: return x.instr() == kAnswer || has(t);
      case TermKind::Join:
      case TermKind::Slot: return has(t);
      case TermKind::Initial:
      case TermKind::Offset: return covers(x.left());
      case TermKind::Index:
      case TermKind::Arith:
      case TermKind::Cmp:
      case TermKind::Answer: return covers(x.left()) && covers(x.right());
      default: return true;
    }
  }

 private:
  bool insert(TermId t) {
    auto it = std::lower_bound(set_.begin(), set_.end(), t);
    if (it != set_.end() && *it == t) return false;
    set_.insert(it, t);
    return true;
  }
  const TermArena& terms_;
  std::vector<TermId> set_;
};

// Symbols that one instruction made in an earlier round of a loop, in the order in which they were found.
class MadeSymbols {
 public:
  MadeSymbols(const TermArena& terms, InstrId instr) : terms_(terms), instr_(instr) {}
  void add(TermId t) {
    const Term& x = terms_[t];
    switch (x.kind) {
      case TermKind::Fresh:
        if (x.instr() == instr_ && x.b == 0 && std::find(found_.begin(), found_.end(), t) == found_.end())
          found_.push_back(t);
        return;
      case TermKind::Initial:
      case TermKind::Offset: return add(x.left());
      case TermKind::Index:
      case TermKind::Arith:
      case TermKind::Cmp:
      case TermKind::Answer: add(x.left()); return add(x.right());
      default: return;
    }
  }
  const std::vector<TermId>& found() const { return found_; }

 private:
  const TermArena& terms_;
  const InstrId instr_;
  std::vector<TermId> found_;
};

}  // namespace reckon::engine
