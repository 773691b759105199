// Specs as the parser delivers them: per function, its outcomes and what else is known about it.
// The language is described in docs/specs.md; parser.cpp reads it, spec_set.h finds the spec of a name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "specs/contract.h"
#include "specs/ids.h"
#include "specs/outcome.h"

namespace reckon::specs {

struct SpecLoc {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t col = 0;
};

enum class VarargKind : std::uint8_t {
  None,         // no further arguments, or nothing happens to them
  ParseFormat,  // PyArg_ParseTuple: the format is `format_param`
  BuildFormat,  // Py_BuildValue
  PrintFormat,  // PyErr_Format, PyUnicode_FromFormat
  UntilNull,    // objects, ended by NULL, lent to the call
  Counted,      // objects, as many as the parameter `count_param` says (PyTuple_Pack)
  OutParams,    // PyArg_UnpackTuple: borrowed objects stored through each
};

// What an argument means to the others; the parameter's name says so.
enum class ParamRole : std::uint8_t {
  Plain,
  Format,   // `format`: says what the further arguments are
  Minimum,  // `min`: so many of the further arguments are filled in at least
};

struct ParamSpec {
  std::string name;
  ParamRole role = ParamRole::Plain;
  bool null_ok = false;          // `p?`: NULL is a documented value
  bool null_crashes = false;     // `p!`: dereferenced without a test
  bool callee_protects = false;  // `p^`: R, safe to pass unprotected, the callee protects it
  bool read_first = false;  // `p~`: R, safe to pass unprotected as it is not used after a collection; may be gone then
  bool operator==(const ParamSpec&) const = default;
};

// What one word behind the parameters says of a function; kFunctionFlags names the words.
struct FunctionFlags {
  bool runs_code = false;  // may run arbitrary code (finalisers, user methods)
  bool allocates = false;  // may run the garbage collector (R)
  bool needs_gil = false;
  bool drops_gil = false;  // after it the GIL is not held
  bool takes_gil = false;
  bool pure = false;              // same arguments, same answer, no effect
  bool tests_exception = false;   // returns non-NULL/non-zero iff an exception is set
  bool computed = false;          // from a pack: any other spec, and a body in the program, wins over it
  bool unstable = false;          // what it lends may be removed from its owner by any code that runs later
  bool bare_free = false;         // gives the memory of its first argument back as it is: what that holds stays held
  bool garbage = false;           // the fields of the object it makes hold garbage
  bool leaves = false;            // does not come back, but leaves the function with all it owns (longjmp)
  bool tells_count = false;       // gives the number of references
  bool read_only = false;         // what the pointer it gives points to is not to be written
  bool interns = false;           // gives one object for each text: different texts, different objects
  bool builds_from_list = false;  // builds by `format` from a va_list: what that consumes is the caller's caller's
  bool finds = false;             // what it gives is held by what it was found in as well (a module)
  bool fails_by_input = false;    // when it fails, it is for what it was given
  bool fails_for_memory = false;  // when it fails, memory ran out, as a rule: what it is given is the program's own
  bool fails_outside = false;     // when it fails, it is for something outside: a device, a file, a server
  bool operator==(const FunctionFlags&) const = default;
};

// Does a word describe what a function does, or the line that describes it?
enum class WordKind : std::uint8_t {
  Behaviour,    // computed for functions with a body, and told to their callers
  NotComputed,  // behaviour as well; the row says why it is not computed
  Note,         // about the spec
};

struct FlagWord {
  std::string_view word;
  bool FunctionFlags::* flag;
  WordKind kind = WordKind::Behaviour;
  std::string_view why = {};
};
// In the order in which they are printed.
inline constexpr FlagWord kFunctionFlags[] = {
    {"runs-code", &FunctionFlags::runs_code},
    {"allocates", &FunctionFlags::allocates},
    {"needs-gil", &FunctionFlags::needs_gil},
    {"drops-gil", &FunctionFlags::drops_gil},
    {"takes-gil", &FunctionFlags::takes_gil},
    {"pure", &FunctionFlags::pure},
    {"tests-exception", &FunctionFlags::tests_exception},
    {"computed", &FunctionFlags::computed, WordKind::Note, "it says where the line comes from"},
    {"unstable", &FunctionFlags::unstable},
    {"bare-free", &FunctionFlags::bare_free},
    {"garbage", &FunctionFlags::garbage},
    {"leaves", &FunctionFlags::leaves},
    {"tells-count", &FunctionFlags::tells_count, WordKind::NotComputed,
     "a number that a helper hands on is not followed back to the count it was read from"},
    {"read-only", &FunctionFlags::read_only},
    {"interns", &FunctionFlags::interns, WordKind::NotComputed,
     "which text a helper hands on is seen only where the text itself is written"},
    {"builds-from-list", &FunctionFlags::builds_from_list, WordKind::NotComputed,
     "arguments of a variadic function are read where it is called, not in the function"},
    {"finds", &FunctionFlags::finds, WordKind::NotComputed,
     "an object is not followed to the function that a helper found it with"},
    {"fails-by-input", &FunctionFlags::fails_by_input},
    {"fails-for-memory", &FunctionFlags::fails_for_memory},
    {"fails-outside", &FunctionFlags::fails_outside},
};

struct FunctionSpec : FunctionFlags {
  std::string name;  // may hold `*` as a pattern
  std::string domain;
  std::string alias_of;  // not empty: another spelling of this function
  std::vector<ParamSpec> params;
  bool variadic = false;      // ends in `...`
  bool returns_void = false;  // every alternative says `void`
  VarargKind varargs = VarargKind::None;
  std::uint32_t count_param = 0;   // Counted: the parameter that says how many
  std::uint32_t format_param = 0;  // ParseFormat, BuildFormat, PrintFormat: the one called `format`, else the last
  std::vector<Outcome> outcomes;   // empty: unknown result, no effect
  std::string since, until;        // first and last version ("3.10") that has it, may be empty; 3.10.4 is a 3.10
  Ready ready;                     // when its result is one of the objects that are there anyway
  std::string safer;               // free threading: what to call instead, may be empty
  bool from_source = false;        // given by attributes in the analysed source: its body is still worth looking at
  SpecLoc loc;

  // Is every outcome tied to a condition? Then the call is a use of its arguments only where one of these holds.
  bool conditional() const {
    for (const Outcome& o : outcomes)
      if (o.when.empty()) return false;
    return !outcomes.empty();
  }
};

// `alias A B`: A is another spelling of B, which may be defined elsewhere or by a pattern.
struct AliasSpec {
  std::string name;
  std::string target;
  std::string domain;
  SpecLoc loc;
  SpecLoc target_loc;
};

// `counted NAME F`: a struct whose objects are counted; first members make subclasses.
struct CountedType {
  std::string domain;
  std::string name;         // struct tag, without "struct"
  std::string count_field;  // path of the counter, may be empty
  SpecLoc loc;
};

// `immortal NAME`: a global object (or the object a global points to) whose count does not matter.
struct GlobalSpec {
  std::string domain;
  std::string name;
  std::string shown;  // how the source calls it, if not by its name
  bool immortal = false;
  std::string immortal_since;  // version
  bool points_to = false;      // the global is a pointer to the object, not the object
  SpecLoc loc;
};

// `contract NAME WORD ...`: what functions in slots promise (contract.h).
struct ContractSpec : ContractFlags {
  std::string name;
  std::string domain;
  SpecLoc loc;
};

// A contract for functions found in a table: `slot _typeobject.tp_iternext ...`
struct SlotSpec {
  std::string domain;
  std::string record;                  // struct tag
  std::string field;                   // field path
  std::string contract;                // the name of a ContractSpec
  std::vector<std::string> undone_by;  // fields of the same table, of which one is filled
  int switched_by = -1;                // argument that says which half is meant
  std::string since;                   // version from which on the contract holds, may be empty
  SpecLoc loc;
  SpecLoc contract_loc;
};

// `table NAME ends-at FIELD`: an array of such structs ends with a row in which the field is zero.
struct TableSpec {
  std::string domain;
  std::string record;  // struct tag
  std::string end_field;
  SpecLoc loc;
};

// `table NAME.FIELD(KIND, ...) when FLAGS & MASK == VALUE`: how functions in that field are called.
enum class EntryParamKind : std::uint8_t {
  Object,   // a counted object
  Objects,  // an array of them
  Number,   // an integer
  Pointer,  // any pointer
  Null,     // a null pointer in the place of an object
};
struct EntryParam {
  EntryParamKind kind = EntryParamKind::Object;
  bool optional = false;  // `KIND?`: functions may do without it, and all that follow
  bool operator==(const EntryParam&) const = default;
};
struct EntrySpec {
  std::string domain;
  std::string record;
  std::string field;
  std::vector<EntryParam> params;
  std::string flags_field;  // empty: always
  std::uint64_t mask = 0;
  std::uint64_t value = 0;
  SpecLoc loc;
};

// `routines FUNCTION.PARAM INTERFACE NAME FUNCTION COUNT each|list KIND returns KIND`: tables passed to FUNCTION as
// PARAM hold functions that INTERFACE calls; the other words are fields of their rows.
struct RoutineSpec {
  std::string domain;
  std::string registrar;
  std::string param;
  std::string interface;
  std::string name_field, function_field, count_field;
  bool each = true;  // one parameter per argument; else the arguments come as one list
  EntryParamKind kind = EntryParamKind::Object;
  bool returns_object = false;
  SpecLoc loc;
};

// `type-object NAME STRUCT`: objects of the type that this global is are such structs.
struct TypeObjectSpec {
  std::string domain;
  std::string name;
  std::string record;  // struct tag
  SpecLoc loc;
};

// How the functions of a domain report that they failed.
enum class FailureValue : std::uint8_t {
  Unsaid,
  Exception,  // an exception is set
  Errno,      // the result is a negative number, or a pointer made of one
  Null,       // the result is NULL
};

// What is assumed of an unknown function that gives a counted pointer.
enum class UnknownResult : std::uint8_t { Unsaid, New, Borrowed, None };

struct DomainSpec {
  std::string name;
  std::vector<std::string> headers;                   // base names or path tails that switch it on
  FailureValue failure_value = FailureValue::Unsaid;  // how functions report failure
  FailureCause failure_cause = FailureCause::Unsaid;  // of most functions
  // `blame NAME CAUSE`: whose fault a failure is, by the global of its kind, the call (`f(TEXT)`) or the error number.
  std::vector<std::pair<std::string, FailureCause>> blamed;
  std::vector<std::pair<std::int64_t, FailureCause>> blamed_numbers;
  UnknownResult unknown_result = UnknownResult::Unsaid;  // of an unknown function that gives a counted pointer
  bool checks_given = false;                             // a `check` line was seen, so the two below are as written
  bool reports_leaks = true;
  bool reports_pairs = false;
  bool reports_formats = false;
  bool reports_protection = false;  // objects are collected unless protected (R)
  std::string stack_top;            // the global that holds the depth of the protection stack, may be empty
  // `property type SEXPREC 0 31`: x->%type is the word at this offset, masked, where the program can see the struct.
  struct Layout {
    std::int64_t step = 0;  // property_step of the name
    std::string record;
    std::int64_t offset = 0;
    std::int64_t mask = 0;
  };
  std::vector<Layout> layouts;
  std::vector<std::string> kept_in;  // records whose memory the collector looks at itself
  struct UnstableField {
    std::string name;   // "RECORD.FIELD": objects read from there may be removed by any code
    std::string safer;  // free threading: what to call instead, may be empty
  };
  std::vector<UnstableField> unstable_fields;
  std::vector<std::pair<std::string, std::string>> versions;  // version, and a header that has been there since
  // Functions (patterns) and headers with which `#` takes pointer-sized lengths; MACRO:HEADER: with the header it fails
  // unless the macro is defined.
  std::vector<std::string> long_lengths;
  std::vector<std::string> predicates;     // unknown functions (patterns) that answer the same question the same way
  std::vector<std::string> error_structs;  // what functions that fail store for their callers, who release it
  std::vector<std::string> stops_at_zero;  // named counts that giving back once too often leaves at zero
  SpecLoc loc;
};

// What a repair adds.
enum class RepairKind : std::uint8_t { Release, ReleaseOrNull, Acquire, AcquireOrNull, Protect, Unprotect };

// `repair KIND NAME [for PATTERN ...]`: how a person writes it, for repairs of findings.
struct RepairSpec {
  std::string domain;
  RepairKind kind = RepairKind::Release;
  std::string name;                   // function or macro; called with the object alone (unprotect: with a number)
  std::vector<std::string> patterns;  // for objects that these calls made; empty: for all of the domain
  SpecLoc loc;
};

struct SpecFile {
  std::string path;
  std::vector<DomainSpec> domains;
  std::vector<FunctionSpec> functions;
  std::vector<AliasSpec> aliases;
  std::vector<CountedType> counted;
  std::vector<GlobalSpec> globals;
  std::vector<ContractSpec> contracts;
  std::vector<SlotSpec> slots;
  std::vector<TableSpec> tables;
  std::vector<EntrySpec> entries;
  std::vector<RoutineSpec> routines;
  std::vector<TypeObjectSpec> type_objects;
  std::vector<RepairSpec> repairs;
};

}  // namespace reckon::specs
