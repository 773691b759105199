// Content hashes of what is private to a unit, so that equal copies in several units can be recognised.
//
// The problem: a static function of a header has a copy in every unit that includes it, and the copies are
// made of unit-local numbers (strings, types, symbols). The method: hash each body once, with every number
// replaced by the hash of what it stands for, and with references to other private symbols left out; then
// add those references bottom-up over the strongly connected components of the unit's private symbols. So two
// functions have the same hash only if they have the same text, come from the same place of the source, and
// everything private they reach is the same, too.
//
// Limits: a struct is known by its tag, or, if it has none, by size and the names and offsets of its fields.
// Private variables that start out the same count as the same.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <vector>

#include "model/model.h"

namespace reckon::program {

struct Digest {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  auto operator<=>(const Digest&) const = default;
};

struct DigestHash {
  std::size_t operator()(const Digest& d) const { return d.low; }
};

// A function that is private to its unit.
struct PrivateFunction {
  std::uint32_t index = 0;            // into Unit::functions
  Digest digest;                      // equal ones are copies, if the public functions are the same that they reach
  std::vector<model::SymId> publics;  // of those the ones that the unit defines, ascending
  bool operator==(const PrivateFunction&) const = default;
};

// Those of a unit whose place in the source is known.
std::vector<PrivateFunction> private_functions(const model::Unit& unit);

class ContentHasher {
 public:
  // `foreign`, for variable(), tells apart functions of the same name: what it says of a symbol is fed in besides the
  // name.
  explicit ContentHasher(const model::Unit& unit, std::function<std::uint64_t(model::SymId)> foreign = {});

  // Of the functions with these indices into Unit::functions.
  std::vector<PrivateFunction> functions(const std::vector<std::uint32_t>& indices);
  // Hash of a variable: name, place, type and initial value. Symbols it refers to count by name and `foreign`.
  Digest variable(model::SymId symbol);

 private:
  class Feed;
  struct Node {
    model::SymId symbol;
    Digest local;                            // all but the references to private symbols
    std::vector<model::SymId> refs = {};     // those, in order of appearance
    std::vector<model::SymId> publics = {};  // public functions that the unit defines
  };

  std::uint64_t string_hash(model::StrId s);
  std::uint64_t type_hash(model::TypeId t, int depth = 0);
  std::uint64_t type_hash_uncached(model::TypeId t, int depth);
  bool is_private(model::SymId s) const { return unit_.symbols[s].linkage == model::Linkage::Internal; }
  void feed_loc(Feed& feed, const model::Loc& loc);
  void feed_symbol(Feed& feed, model::SymId s, Node& node);
  void feed_constant(Feed& feed, model::ConstId root, Node& node);
  void feed_body(Feed& feed, const model::Body& body, Node& node);
  Node hash_function(const model::Function& function);
  Node hash_variable(model::SymId s);

  const model::Unit& unit_;
  std::function<std::uint64_t(model::SymId)> foreign_;
  std::vector<std::uint64_t> strings_, types_;  // memo, 0: not computed yet
  std::vector<std::uint32_t> function_of_;      // symbol -> index into Unit::functions
};

}  // namespace reckon::program
