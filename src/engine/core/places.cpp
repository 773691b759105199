#include "engine/core/places.h"

namespace reckon::engine {

using specs::Place;

bool to_place(const TermArena& terms, TermId t, Place& out, std::size_t most) {
  const Term& x = terms[t];
  switch (x.kind) {
    case TermKind::Param:
      out = Place{};
      out.root = Place::Root::Arg;
      out.index = x.a;
      return true;
    case TermKind::Global:
      if (terms.global_name(t).find('@') != std::string_view::npos) return false;  // private to its unit
      out = Place{};
      out.root = Place::Root::Global;
      out.global = std::string(terms.global_name(t));
      return true;
    case TermKind::Initial:
      if (x.b != 0 || !to_place(terms, x.left(), out, most) || out.address || out.path.size() >= most) return false;
      out.path.push_back(x.imm);
      return true;
    case TermKind::Offset:
      if (!to_place(terms, x.left(), out, most) || out.address || out.path.size() >= most) return false;
      out.path.push_back(x.imm);
      out.address = true;
      return true;
    default: return false;
  }
}

}  // namespace reckon::engine
