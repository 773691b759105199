// The counts' part of a state: how this function changed named counts since it began.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/part.h"
#include "specs/ids.h"

namespace reckon::engine {

struct Count {  // change of a named count since entry
  TermId object = kNoTerm;
  specs::CountId kind{};
  std::int16_t delta = 0;
  InstrId touched = model::kNone;
  bool same_property(const Count& o) const { return object == o.object && kind == o.kind && delta == o.delta; }
};

inline std::uint32_t kind_bit(specs::CountId kind) { return std::uint32_t{1} << (kind < 31 ? kind : 31); }

struct CountsPart : Part<CountsPart> {
  std::vector<Count> counts;    // sorted by object, kind
  std::uint32_t coarsened = 0;  // bits of the kinds of counts that were let go, with what came and went in a loop

  int count(TermId object, specs::CountId kind) const;
  void change_count(TermId object, specs::CountId kind, int delta, InstrId instr);

  // ---- what the core asks of a part (core/part.h)
  struct Change {
    std::vector<Count> counts;  // those that changed, as they are afterwards
  };
  std::size_t size() const { return counts.size(); }
  static bool same(const TermArena& terms, Seen<CountsPart> a, Seen<CountsPart> b, bool strict);
  static void hash(const TermArena& terms, Seen<CountsPart> s, Hasher& h);
  void forget_old(const TermArena& terms, TermId symbol, TermId old);
  void substitute(TermArena& terms, TermId symbol, TermId old);
  void scan_later(MadeSymbols& found) const;
  static void join(const Meeting<CountsPart>& m, JoinNotes& notes);
  bool describe_change(const TermArena& terms, const CountsPart& before, Change& change) const;
};

}  // namespace reckon::engine
