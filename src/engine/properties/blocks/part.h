// The part of blocks of memory: those that this function has to free, those that were freed on the way, and those whose
// last pointer is gone.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/object.h"
#include "engine/core/part.h"

namespace reckon::engine {

struct HeapBlock {
  TermId term = kNoTerm;
  Life life = Life::Alive;
  bool made = false;  // a call of this function gave it; else it was there before and was freed here
  bool oom = false;   // exists only where memory ran out before
  // For messages only, not part of the property:
  bool plain = false;  // given or freed by the C library, and not by the allocator of a domain
  InstrId origin = model::kNone;
  InstrId freed = model::kNone;

  bool held() const { return made && life == Life::Alive; }
};

struct BlocksPart : Part<BlocksPart> {
  // A block that is let go of, since somebody else may have it, has no record.
  std::vector<HeapBlock> blocks;  // sorted by term
  // Blocks whose last pointer is gone: leaks, if the path gets to an end of the function. Not part of the property.
  struct LostBlock {
    HeapBlock block;
    PathId path = model::kNone;
    bool oom = false;
    bool failed = false;
  };
  std::vector<LostBlock> lost_blocks;

  HeapBlock* block(TermId t);
  const HeapBlock* block(TermId t) const;
  void add_block(const HeapBlock& b);  // replaces one of the same term
  void remove_block(TermId t);

  // ---- what the core asks of a part (core/part.h)
  std::size_t size() const { return blocks.size() + lost_blocks.size(); }
  static bool same(const TermArena& terms, Seen<BlocksPart> a, Seen<BlocksPart> b, bool strict);
  static void hash(const TermArena& terms, Seen<BlocksPart> s, Hasher& h);
  void forget_old(const TermArena& terms, TermId symbol, TermId old);
  void substitute(TermArena& terms, TermId symbol, TermId old);
  void scan(MadeSymbols& found) const;
  void out_of_sight(TermId value) { remove_block(value); }
  bool watches(const TermArena& terms, TermId object) const;
  static void join(const Meeting<BlocksPart>& m, JoinNotes& notes);
  bool changed(const BlocksPart& before, const JoinNotes& notes) const;
  void forget(const TermArena& terms, Mentioned& mentioned);
};

}  // namespace reckon::engine
