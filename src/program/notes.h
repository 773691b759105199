// What the rest of the program asks about the functions of a unit.
//
// The problem: who writes a member, what callers lend and which functions stand in tables are questions about all
// functions of a program, and the bodies of a kernel do not fit into memory, nor do they bear being read once for each
// question. The method: each body is read once, into notes; the program is linked and facts about all of it are learnt
// from notes and from what a unit has besides bodies (record.h). Notes say what stands in a body and not what it means:
// specs and other units are asked when notes of all units are put together.
//
// Limits: what a new question needs has to be noted here first. Chains of casts, members and loads are followed as far
// as support/limits.h says.
#pragma once

#include <cstdint>
#include <vector>

#include "model/model.h"
#include "program/content_hash.h"
#include "program/types.h"

namespace reckon::program {

using model::kNone;

using FieldId = support::Id<struct FieldTag>;  // index into UnitNotes::fields

struct ArgumentNote {
  enum class Kind : std::uint8_t {
    Other,
    Number,  // `number`; NULL is 0
    Symbol,  // the address of the symbol `id`, and `number` bytes
    Param,   // the function's own parameter `id`
    Member,  // the member `id`: its address, what it holds, or what that leads to
    Global,  // what the global variable `id` holds
    Result,  // what the call with the number `id` gave
  };
  static constexpr std::uint16_t kNobody = 0xffff;

  Kind kind = Kind::Other;
  bool cast = false;             // Param: behind a cast
  std::uint8_t loads = 0;        // Member: how often memory is read on the way from its address
  std::uint16_t same = kNobody;  // the earlier argument that is the same value
  // The parameter that it comes from by way of members, elements, casts and one read; whether a member was picked on
  // the way, and whether memory was read.
  std::uint16_t root = kNobody;
  bool root_member = false, root_read = false;
  std::uint32_t id = kNone;
  std::int64_t number = 0;

  model::SymId symbol_id() const { return model::SymId(id); }  // of a Symbol or a Global
  FieldId field_id() const { return FieldId(id); }             // of a Member
  bool operator==(const ArgumentNote&) const = default;
};

// Symbols whose address an argument may be, where it is not simply one of them.
struct AddressesNote {
  std::uint32_t argument = 0;
  std::vector<model::SymId> symbols;
  bool operator==(const AddressesNote&) const = default;
};

struct CallNote {
  model::SymId callee = kNone;       // who is called by name
  std::uint32_t param = kNone;       // the function's own parameter that is called
  bool at_offset = false;            // what is called is not where that begins
  bool by_pointer = false;           // what is called is a value
  bool assembly = false;             // inline assembly
  bool passed_on = false;            // the result is returned, and looked at in no way but by comparison
  model::StrId origin{};             // where the pointer was read from that is called (model::CallInfo)
  model::TypeId type{};              // of what is called
  std::vector<model::SymId> behind;  // functions whose address the pointer may be
  std::vector<ArgumentNote> arguments;
  std::vector<AddressesNote> addresses;
  std::vector<model::TypeId> types;       // of the arguments as they are written
  std::vector<std::uint32_t> decided_by;  // the nearest calls that may have a say in it, by number
  bool operator==(const CallNote&) const = default;
};

// Addresses of functions that are put somewhere.
struct PutNote {
  std::vector<model::SymId> functions;
  model::SymId variable = kNone;  // the global, kNone if the object is not known
  std::vector<Step> steps;        // from there, or from the outermost struct known
  bool operator==(const PutNote&) const = default;
};

// Something that is read from a member of the first parameter.
struct OwnMemberNote {
  std::int64_t offset = 0;
  model::TypeId type{};          // of what is read
  model::TypeId record = kNone;  // the struct, kNone if it is not known
  bool operator==(const OwnMemberNote&) const = default;
};

// A branch on whether a member is set: who is called on the side where it is, and not on the other.
struct AskedNote {
  FieldId member{};
  std::vector<model::SymId> callees;
  bool operator==(const AskedNote&) const = default;
};

// A variable that gets the result of a call whose only argument is a text.
struct InternedNote {
  model::SymId variable = kNone, callee = kNone;
  model::StrId text{};
  bool operator==(const InternedNote&) const = default;
};

// A store to a member that could be a counter.
struct CountNote {
  FieldId member{};
  std::vector<std::uint32_t> decided_by;  // as for calls
  bool operator==(const CountNote&) const = default;
};

// A member that the function looks into, or its address is taken.
struct LookNote {
  FieldId member{};
  bool is_far = false;  // how far it is from the start of its struct is known: `offset`
  std::int64_t offset = 0;
  auto operator<=>(const LookNote&) const = default;
};

// A store to a variable, or to a part of it; or a call that is given the address of a part.
struct VariableNote {
  model::SymId variable = kNone;
  bool exact = true;         // else it is some element
  std::uint64_t offset = 0;  // from the variable's start
  std::uint32_t call = kNone, argument = 0;
  bool operator==(const VariableNote&) const = default;
};

// What a call of a parameter is given first: what traversing an object calls for each member.
struct VisitNote {
  std::uint32_t call = 0;
  FieldId member{kNone};               // that it was read from
  std::vector<model::TypeId> records;  // structs that it points to, by the types of its casts
  bool operator==(const VisitNote&) const = default;
};

// A call that gets the address of a function: where its result goes.
struct RegistrationNote {
  std::uint32_t call = 0;
  model::Loc loc;
  bool dropped = true;           // nobody looks at it
  bool elsewhere = false;        // not only into members
  std::vector<FieldId> members;  // in the order of the text
  bool operator==(const RegistrationNote&) const = default;
};

// A step of the way to a return: calls by name, and where it goes on when they return. Ways without such calls are left
// out.
struct FlowNote {
  std::uint32_t first_call = 0, calls = 0;  // by number
  bool returns = false;                     // without further calls
  std::vector<std::uint32_t> next;          // by number; only where it does not
  bool operator==(const FlowNote&) const = default;
};

struct FunctionNotes {
  bool has_body = false;
  std::uint32_t instructions = 0, branches = 0;  // branches: a switch counts as one for each case
  model::SymId rest_of = kNone;                  // as model::Function has it
  std::vector<CallNote> calls;                   // in the order of the text
  std::vector<model::SymId> named;               // functions, in the order of the text
  std::vector<PutNote> puts;
  std::vector<OwnMemberNote> own_members;
  std::uint32_t unused = 0;                   // bits of the parameters that nothing looks at
  std::uint32_t adds_to = 0;                  // bits of the parameters that have a part to which it adds
  std::vector<FieldId> written;               // members that are stored to
  std::vector<model::SymId> written_globals;  // variables that are
  std::vector<FieldId> nulled;                // members set to NULL, other than in what a call has just made
  std::vector<FieldId> raised, cleared;       // numbers that get a constant other than 0, or a bit; or lose it
  std::vector<AskedNote> asked;               // of those in `cleared`
  std::vector<InternedNote> interned;
  std::vector<model::SymId> touched;  // pointer variables of which something else is done than reading
  std::vector<CountNote> counts;
  std::vector<std::uint32_t> result_decided_by;  // calls, by number
  std::vector<std::uint32_t> stores_decided_by;  // those behind what is stored through parameters
  std::vector<model::SymId> handed;              // functions whose address is used other than for a call by name
  std::vector<LookNote> looks;
  std::vector<model::TypeId> own_structs;  // looked into: of the first parameter, or of what a call made to be returned
  std::vector<VariableNote> variables;
  std::vector<VisitNote> visits;
  std::vector<RegistrationNote> registrations;
  std::vector<FlowNote> flow;  // from the first; empty: a return is reached without calls
  bool operator==(const FunctionNotes&) const = default;
};

struct UnitNotes {
  std::vector<model::FieldName> fields;  // members that functions name
  std::vector<FunctionNotes> functions;  // by index into Unit::functions
  // Of functions that are private to the unit, for finding their copies in other units (content_hash.h).
  std::vector<PrivateFunction> privates;
  bool operator==(const UnitNotes&) const = default;
};

UnitNotes notes_of(const model::Unit& unit);

}  // namespace reckon::program
