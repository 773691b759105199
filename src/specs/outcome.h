// Outcomes: the one language in which Reckon says what a call does.
//
// A spec is a list of outcomes written by hand, a summary a list of outcomes computed from a body. The
// engine applies both in the same way: for each outcome whose condition is possible in the caller's
// state, fork the state, assume the condition, apply the effects.
//
// Everything is said in the caller's terms. A Place names a value the caller can reach: an argument, the
// result, a global, an object made by the call, or what is read by following pointers from one of these.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reckon::specs {

struct Place {
  enum class Root : std::uint8_t { Arg, Result, Global, Object, Text };
  Root root = Root::Arg;
  std::uint32_t index = 0;                   // Arg: 0-based number; Object: index into Outcome::objects
  std::string global = {};                   // Global: linker name; the place is its address. Text: that text, which
                                             // only stands on the right of a condition
  std::vector<std::int64_t> path = {};       // each step: read the pointer-sized or integer value at that byte offset,
                                             // or a named property of the object (property_step)
  std::vector<std::string> field_path = {};  // steps a spec names by field ("dev", "a.b"), before those of `path`;
                                             // the engine turns them into offsets with the C types at hand
  bool address = false;  // `&p->dev`: the last step is not read, its address is meant (an embedded object)
  bool operator==(const Place&) const = default;
  auto operator<=>(const Place&) const = default;
};

// `x->%type`: a property an object has, whatever its layout, and that an API tells by a function. It is a step of a
// path like any other, at an offset no struct has: the name, up to seven letters, in the bits of a negative number.
inline constexpr std::size_t kMaxPropertyName = 7;
std::int64_t property_step(std::string_view name);
// The name behind such a step; "" for an ordinary offset.
std::string property_name(std::int64_t step);

// A value the outcome gives to its result or stores somewhere.
struct Value {
  enum class Kind : std::uint8_t {
    Unknown,   // anything the conditions allow
    Int,       // the constant `imm`; a null pointer is Int 0
    Place,     // the value at `place` (an argument returned, a field read)
    Object,    // Outcome::objects[object]
    Interior,  // a pointer into the object at `place`, valid as long as it is (PyBytes_AsString)
    Range,     // an integer within [imm, hi]
    ErrPtr,    // an error pointer (ERR_PTR(-errno))
    StackTop,  // R: the depth of the protection stack before the call
  };
  Kind kind = Kind::Unknown;
  std::int64_t imm = 0;
  std::int64_t hi = 0;
  Place place;
  std::uint32_t object = 0;
  bool read_only = false;  // Interior: not to be written through
  bool operator==(const Value&) const = default;
};

// An object the caller did not know before: made by the call, or lent by it.
struct Object {
  bool owned = true;                   // the caller gets one reference
  bool maybe_null = false;             // "new or NULL" where the two need not be told apart
  bool immortal = false;               // None, small ints, static types
  bool assumed_kind = false;           // made only if an argument is of a kind that nobody has shown it to be
  std::optional<Place> borrowed_from;  // valid as long as this one is and keeps holding it
  std::optional<Place> key;            // what it was found by in there; garbage: the type it was made of
  bool unstable = false;               // lent, and any code that runs may remove it from there
  bool garbage = false;                // made, and its fields hold garbage
  std::string what;                    // for people: "list", "dict item"; may be empty
  bool operator==(const Object&) const = default;
};

enum class Pred : std::uint8_t { Eq, Ne, Lt, Le, Gt, Ge };  // signed

// An error pointer is a value whose bits above the lowest twelve are all set: (p & mask) == value.
inline constexpr std::uint64_t err_ptr_mask = ~std::uint64_t{0xfff};
inline constexpr std::int64_t err_ptr_value = -4096;

// (place & mask) pred rhs, where rhs is a constant or another place. mask ~0: no mask.
struct Condition {
  Place place;
  std::uint64_t mask = ~std::uint64_t{0};
  Pred pred = Pred::Eq;
  std::int64_t imm = 0;
  std::optional<Place> other;
  bool known = false;  // holds only where it is known to: a value of which nothing is known does not satisfy it
  bool operator==(const Condition&) const = default;
};

// Change of a count. kind "" is the domain's ordinary reference count; others are named ("pm").
struct CountChange {
  Place object;
  std::string kind;
  int delta = 0;
  bool operator==(const CountChange&) const = default;
};

// `holder` now keeps a reference to `object`. With steals, it is one the caller owned.
struct Hold {
  Place object;
  std::optional<Place> holder;  // none: something outside the caller's sight
  bool steals = false;
  bool operator==(const Hold&) const = default;
};

// R: the slot of the protection stack whose number `slot` holds now protects `object`.
struct Reprotect {
  Place object;
  Place slot;
  bool operator==(const Reprotect&) const = default;
};

// `function`, a parameter, will be called with `data` at some later time, on behalf of whoever made the call.
struct DeferredCall {
  Place function;
  Place data;
  bool operator==(const DeferredCall&) const = default;
};

struct StoreEffect {
  Place where;  // path not empty: the last step is the offset written
  Value value;
  bool operator==(const StoreEffect&) const = default;
};

enum class Exception : std::uint8_t { Unchanged, Set, Cleared, MaybeSet };

// Whether an exception is set before the call, where the outcome depends on it (`if-raised`, `if-clear`).
enum class Pending : std::uint8_t { Any, Raised, Clear };

// What makes calls fail, those that are met more often first.
enum class FailureCause : std::uint8_t {
  Unsaid,
  Input,    // what they are given
  Outside,  // a device, a file, a server
  Memory,   // none is left
};

// The fields of an outcome, a struct for each owner (effects.def, where a row makes a field, and says how it is
// written, merged, and what it means).
struct CoreEffects {
#define CORE_EFFECT(field, type, ...) type field{};
#include "specs/effects.def"
};

struct ReferenceEffects {
#define REFERENCE_EFFECT(field, type, ...) type field{};
#include "specs/effects.def"
};

struct ExceptionEffects {
#define EXCEPTION_EFFECT(field, type, ...) type field{};
#include "specs/effects.def"
};

struct LockEffects {
#define LOCK_EFFECT(field, type, ...) type field{};
#include "specs/effects.def"
};

struct FloatingEffects {
#define FLOATING_EFFECT(field, type, ...) type field{};
#include "specs/effects.def"
};

// R, and other collectors that want to be told what is in use.
struct ProtectionEffects {
#define PROTECTION_EFFECT(field, type, ...) type field{};
#include "specs/effects.def"
};

// Memory that has to be freed.
struct BlockEffects {
#define BLOCK_EFFECT(field, type, ...) type field{};
#include "specs/effects.def"
};

struct Outcome : CoreEffects,
                 ReferenceEffects,
                 ExceptionEffects,
                 LockEffects,
                 FloatingEffects,
                 ProtectionEffects,
                 BlockEffects {
  bool operator==(const Outcome& other) const;  // effects.cpp
};

// `ready v -5..256`: for these values of a parameter the result is an object that is there anyway, whoever has a
// reference to it. Making it cannot fail, and losing it costs nothing.
struct Ready {
  static constexpr std::uint32_t kNever = ~std::uint32_t{0};
  std::uint32_t param = kNever;
  std::int64_t lo = 0, hi = 0;
  bool operator==(const Ready&) const = default;
};

// Does the caller get a reference to this object of the outcome, with it or taken for it?
inline bool owns(const Outcome& o, std::uint32_t object) {
  if (o.objects[object].owned) return true;
  for (const CountChange& c : o.counts)
    if (c.object.root == Place::Root::Object && c.object.index == object && c.object.path.empty() && c.kind.empty() &&
        c.delta > 0)
      return true;
  return false;
}

}  // namespace reckon::specs
