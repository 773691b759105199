// Blocks where states are compared, joined and aged.
//
// What is bound to a block that has to be freed is compared with the blocks themselves, so that no join loses the last
// pointer to one.
#include "engine/properties/blocks/part.h"

#include <algorithm>

#include "engine/core/bindings.h"
#include "engine/core/symbol_sets.h"

namespace reckon::engine {

HeapBlock* BlocksPart::block(TermId t) {
  auto it = std::lower_bound(blocks.begin(), blocks.end(), t, [](const HeapBlock& b, TermId k) { return b.term < k; });
  return it != blocks.end() && it->term == t ? &*it : nullptr;
}
const HeapBlock* BlocksPart::block(TermId t) const { return const_cast<BlocksPart*>(this)->block(t); }

bool BlocksPart::watches(const TermArena&, TermId object) const {
  const HeapBlock* b = block(object);
  return b && b->held();
}

void BlocksPart::add_block(const HeapBlock& b) {
  auto it =
      std::lower_bound(blocks.begin(), blocks.end(), b.term, [](const HeapBlock& x, TermId k) { return x.term < k; });
  if (it != blocks.end() && it->term == b.term)
    *it = b;
  else
    blocks.insert(it, b);
}

void BlocksPart::remove_block(TermId t) {
  std::erase_if(blocks, [&](const HeapBlock& b) { return b.term == t; });
}

namespace {

bool same_block(const HeapBlock& a, const HeapBlock& b) {
  return a.term == b.term && a.life == b.life && a.made == b.made;
}

// Where pointers to blocks are kept that have to be freed.
std::vector<Binding> bindings(const TermArena& terms, const Seen<BlocksPart>& s) {
  std::vector<TermId> held;
  for (const HeapBlock& b : s.part.blocks)
    if (b.held()) held.push_back(b.term);
  return engine::bindings(terms, s.core, held);
}

}  // namespace

bool BlocksPart::same(const TermArena& terms, Seen<BlocksPart> a, Seen<BlocksPart> b, bool) {
  const std::vector<HeapBlock>&mine = a.part.blocks, &theirs = b.part.blocks;
  if (mine.empty() && theirs.empty()) return true;
  return std::equal(mine.begin(), mine.end(), theirs.begin(), theirs.end(), same_block) &&
         bindings(terms, a) == bindings(terms, b);
}

void BlocksPart::hash(const TermArena&, Seen<BlocksPart> s, Hasher& h) {
  for (const HeapBlock& b : s.part.blocks) {
    h.mix(b.term);
    h.mix(static_cast<std::uint64_t>(b.life) << 1 | (b.made ? 1 : 0));
  }
}

void BlocksPart::forget_old(const TermArena& terms, TermId, TermId old) {
  std::erase_if(blocks, [&](const HeapBlock& b) { return terms.contains(b.term, old); });
  std::erase_if(lost_blocks, [&](const LostBlock& l) { return terms.contains(l.block.term, old); });
}

void BlocksPart::substitute(TermArena& terms, TermId symbol, TermId old) {
  for (HeapBlock& b : blocks) b.term = terms.substitute(b.term, symbol, old);
  for (LostBlock& l : lost_blocks) l.block.term = terms.substitute(l.block.term, symbol, old);
  std::sort(blocks.begin(), blocks.end(), [](const HeapBlock& a, const HeapBlock& b) { return a.term < b.term; });
}

void BlocksPart::scan(MadeSymbols& found) const {
  for (const HeapBlock& b : blocks) found.add(b.term);
}

// What a joined symbol stood for in an earlier round of a loop was another block.
void BlocksPart::join(const Meeting<BlocksPart>& m, JoinNotes&) {
  BlocksPart& into = m.into.part;
  for (const Difference& d : m.differences)
    std::erase_if(into.blocks, [&](const HeapBlock& b) { return !b.made && m.terms.contains(b.term, d.symbol); });
  for (LostBlock& l : m.from.part.lost_blocks)
    if (std::none_of(into.lost_blocks.begin(), into.lost_blocks.end(),
                     [&](const LostBlock& x) { return x.block.term == l.block.term; }))
      into.lost_blocks.push_back(l);
}

bool BlocksPart::changed(const BlocksPart& before, const JoinNotes&) const {
  return lost_blocks.size() != before.lost_blocks.size() || blocks.size() != before.blocks.size();
}

void BlocksPart::forget(const TermArena&, Mentioned& mentioned) {
  std::erase_if(blocks, [&](const HeapBlock& b) { return !mentioned.covers(b.term); });
}

}  // namespace reckon::engine
