// What a path did to things that callers can name, where nothing else in the state shows it at the end.
//
// The problem: a count that changed can be told to callers at the end of a function, because the state still has it.
// That memory was freed, a container emptied or a slot replaced cannot: the path went on without them. The method:
// whoever applies such an effect leaves a note here, in the terms of the effect's row (specs/effects.def), and the
// summary tells the notes as they stand. What callers cannot name is not noted, so most states have none.
//
// Limits: a few notes a path; beyond that the last ones are left out.
#pragma once

#include <compare>
#include <vector>

#include "engine/core/part.h"
#include "specs/effects.h"

namespace reckon::engine {

struct Deed {
  specs::effect_rows::Index row;
  TermId object = kNoTerm, other = kNoTerm;  // `other`: the second place of the effect, if it has one
  auto operator<=>(const Deed&) const = default;
};

struct DeedsPart : Part<DeedsPart> {
  std::vector<Deed> deeds;  // sorted

  // `made`: of an object that this function made, which callers may get.
  void note_deed(const TermArena& terms, Deed deed, bool made = false);

  // Does the path rest on something that only a caller can know? Then nothing that happens on it is reported here.
  bool for_callers_only() const;

  // ---- what the core asks of a part (core/part.h)
  std::size_t size() const { return deeds.size(); }
  static bool same(const TermArena&, Seen<DeedsPart> a, Seen<DeedsPart> b, bool) {
    return a.part.deeds == b.part.deeds;
  }
  static void hash(const TermArena& terms, Seen<DeedsPart> s, Hasher& h);
  void forget_old(const TermArena& terms, TermId symbol, TermId old);
  void substitute(TermArena& terms, TermId symbol, TermId old);
};

}  // namespace reckon::engine
