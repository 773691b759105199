// What the coders of tables and of bodies share. A is a Writer or a Reader (binary_streams.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/binary_streams.h"
#include "model/model.h"

namespace reckon::model::binary {

// Bits of a coded place.
enum : std::uint8_t { kFileBit = 1, kLineBit = 2, kColBit = 4, kMacroBit = 8, kNoPlace = 16 };

struct LocStreams {
  S head, line, col, file, macro;
};
constexpr LocStreams kTableLoc{S::TableLoc, S::TableLine, S::TableCol, S::TableFile, S::TableFile};
constexpr LocStreams kBodyLoc{S::Loc, S::Line, S::Col, S::File, S::Macro};

// Codes places one after the other, each by what changed.
template <typename A>
class LocCoder {
 public:
  LocCoder(A& a, const LocStreams& s, Loc start) : a_(a), s_(s), last_(start) {}

  void code(Loc& l) {
    std::uint8_t head = 0;
    if constexpr (!A::reading) {
      if (l == Loc{}) {
        head = kNoPlace;
      } else {
        head = static_cast<std::uint8_t>((l.file != last_.file ? kFileBit : 0) | (l.line != last_.line ? kLineBit : 0) |
                                         (l.col != last_.col ? kColBit : 0) | (l.macro != last_.macro ? kMacroBit : 0));
      }
    }
    a_.num(s_.head, head);
    if (head & kNoPlace) {
      l = Loc{};
      return;
    }
    if constexpr (A::reading) l = last_;
    if (head & kFileBit) a_.num(s_.file, l.file);
    if (head & kLineBit) a_.delta(s_.line, l.line, last_.line);
    if (head & kColBit) a_.num(s_.col, l.col);
    if (head & kMacroBit) {
      // Code mostly goes from no macro into the one it just left, and back.
      a_.guess(s_.macro, l.macro, last_.macro == 0 ? last_macro_ : StrId{});
      if (l.macro != 0) last_macro_ = l.macro;
    }
    last_ = l;
  }

 private:
  A& a_;
  const LocStreams& s_;
  Loc last_;
  StrId last_macro_{};
};

template <typename A>
class Coder {
 protected:
  Coder(A& a, Unit& u) : a_(a), u_(u) {}

  const Type* type_at(TypeId t) const { return t < u_.types.size() ? &u_.types[t] : nullptr; }
  TypeId symbol_type(SymId s) const { return s < u_.symbols.size() ? u_.symbols[s].type : TypeId{}; }
  TypeId result_of(TypeId fn) const { return fn < u_.types.size() ? u_.types[fn].elem : TypeId{}; }
  TypeId param_of(TypeId fn, std::size_t i) const {
    const Type* t = type_at(fn);
    return t != nullptr && i < t->params.size() ? t->params[i] : TypeId{};
  }

  // A list of ids that mostly grow by one.
  void ids(S s, std::vector<StrId>& list) {
    a_.length(s, list, s);
    std::uint32_t next = 0;
    for (StrId& id : list) {
      a_.delta(s, id, next);
      next = id + 1;
    }
  }

  // A name: new ones mostly come in the order of the string table.
  void name(S s, StrId& v, StrId& last) {
    a_.delta(s, v, last + 1);
    last = std::max(last, v);
  }

  void fail() {
    if constexpr (A::reading) a_.fail();
  }

  A& a_;
  Unit& u_;
};

}  // namespace reckon::model::binary
