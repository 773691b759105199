// How far the analysis goes: every number that bounds it, in one place.
//
// A limit never makes a finding wrong by itself: where one is met, the analysis knows less and says so (a function is
// "cut short"), or stays silent about what lies beyond. All limits count things (steps, states, levels), never seconds,
// so that results do not depend on the machine. The key of kept results covers the whole struct, byte by byte: a
// changed limit makes every result of earlier runs out of date.
//
// docs/limits.md is made from this file by scripts/limits: a structure is a chapter, a field with its comment is a row.
// Numbers that are no limits (sizes of C types, marks, numbers of symbols) stay with the code that uses them.
#pragma once

#include <string_view>
#include <type_traits>

namespace reckon::support {

// One look at one function, and how states that meet are joined
struct LookLimits {
  int steps = 120000;         // instructions executed in a look that joins states by property, over all its states
  int plain_steps = 1000;     // the same for a function without objects, before its calls alone sum it up
  int path_steps = 3000;      // of a first look that keeps paths apart; short functions need no other look
  int recheck_steps = 60000;  // of a look by paths at a longer function, taken when there is something to report
  int states_per_block = 48;  // states kept apart at one block in a look by property
  int path_states = 400;      // states kept apart at one block in a look by paths
  int path_rounds = 64;       // states at a loop's head before a look by paths joins them
  int few_path_rounds = 12;   // the same in the second try, when the first one met its limit of steps
  int recursion_rounds = 4;   // rounds over functions that call each other; what changes even then is taken as it is
  int block_rounds = 60;      // visits of a loop's head: a safety net, widening ends every loop long before
  int widen_after = 3;        // visits of a loop's head before ranges are widened
  int forget_after = 8;       // visits before memory that is written to in ever new places is forgotten
  int coarsen_above = 4;      // states at a loop's head before objects of older rounds are let go
  int depths_at_loop = 4;     // depths of the protection stack at a loop's head, all else being equal
  int merge_in_block = 6;     // states that forked inside one block before they are joined at its end
  int exits = 400;            // ends of one function that are kept apart
  int work = 40000000;        // entries of states (values, cells, objects) that one look copies and compares
  int kept = 20000000;        // entries of states that one look keeps until it ends
  int loop_bits = 268435456;  // loops times blocks of a function; beyond, it is not looked at
  int liveness_words = 16777216;  // 64 values that cross blocks, times blocks; beyond, it is not looked at
  int asked_states = 64;          // states of one line that --why-not looks at
};

// Values: terms, ranges and facts
struct ValueLimits {
  int weight = 48;    // nodes of a term; a larger one becomes an unknown value
  int chain = 8;      // reads through reads that are told apart: a walk down a list
  int excluded = 8;   // single values that a range leaves out
  int cases = 6;      // "either these ranges or those" kept where fact sets were joined
  int bit_depth = 6;  // levels of a term that are looked at to find which bits it may have
  int tag_steps = 4;  // operations on the low bits of a pointer that are taken off to find the pointer
};

// Questions to the solver
struct SolverLimits {
  int steps = 400000;   // of Z3, a question: less than a tenth of a second; most contradictions take far less
  int memory = 512;     // MiB that Z3 may hold during a question, its own 16 included; beyond, there is no answer
  int undecided = 6;    // questions without an answer in one look at a function; further ones would not fare better
  int questions = 400;  // questions in one look at a function
  int facts = 40;       // in one question; more are never about one thing
  int weight = 200;     // nodes of a term in a question
  int samples = 300;    // sets of values tried before the solver is asked
};

// Objects and counts of a state
struct ObjectLimits {
  int owned = 6;          // references or counts of one object; more are "many", and nothing is said about many
  int holders = 4;        // objects that are remembered as holding one object
  int lost = 64;          // objects whose last pointer went away, kept until an end of the function
  int copied_bytes = 64;  // size of a struct whose unread words are copied, too, when it is copied as memory
};

// What callers are told of a function
struct OutcomeLimits {
  int per_function = 12;        // outcomes of one function; with more, it counts as not described completely
  int few = 6;                  // outcomes that stay apart although only numbers tell them apart
  int many = 10;                // outcomes from which on results that are numbers are merged to "any number"
  int conditions = 8;           // conditions of one outcome
  int pointer_conditions = 12;  // the same with those on pointers, where protection is judged
  int stores = 8;               // stores to memory that callers see
  int deeds = 8;                // what a path did to callers' things that its end does not show
  int path = 3;                 // reads between an argument or a global and a place that callers are told about
  int count_path = 5;           // the same for named counts: drivers reach their device by way of frameworks' structs
  int count_exits = 64;         // ends that change named counts, kept for whoever adds up two halves
};

// The protection stack of a collector
struct ProtectionLimits {
  int sum_depth = 12;        // levels of a term that are read as a sum
  int sum_parts = 6;         // symbols in a depth where two depths are matched by a counter
  int sum_factor = 1000;     // factor (exclusive) by which a symbol of a sum may be multiplied
  int pair_candidates = 12;  // counters of which pairs are tried to explain two depths
  int told_depth = 1000;     // change of the depth (exclusive) that callers are told as a number
  int few_pushes = 16;       // a counter known to be below this was counted up in the function, not read from somewhere
  int tracked = 12;          // conditions that pushes and pops depend on
  int branches_up = 2;       // branches above a push or pop that are taken as its conditions
  int slots = 8;             // places on the stack remembered for one object
  int nesting = 8;           // containers within containers, and calls within the arguments of a call
  int alive_steps = 12;      // holders of holders that are followed to find what keeps an object alive
  int owner_steps = 8;       // owners of owners that are followed at an end of a function
  int far = 1000000000;      // a bound of a depth that is not below this (or above its negative) is none
};

// How far back in a function an operand is followed
struct OperandLimits {
  int answer_parts = 6;    // arguments, and what their memory holds, that make up a question to a pure function
  int null_steps = 8;      // to find out where an argument was set to NULL
  int failure_steps = 6;   // from a branch to the call whose failure it asks for
  int array_steps = 8;     // instructions before the use of an array's address
  int named_records = 4;   // structs within structs in the name of a member
  int cast_steps = 8;      // casts, where callers and callees are compared
  int type_steps = 6;      // casts between a value and a type's own object
  int variable_steps = 8;  // members and casts between an address and the global variable it lies in
  int format_steps = 16;   // members at offset 0 and casts of an argument that a format string describes
  int copy_steps = 16;     // copies of a value that is written to a global
  int merged_copies = 8;   // meeting points of branches in such copies
  int branch_steps = 6;    // from a branch to the helper that decided it
  int cause_steps = 16;    // between a branch and the call whose result it asks for, to tell why a call failed
};

// What is learnt of the program before functions are looked at
struct ProgramLimits {
  int pointer_targets = 32;  // functions that one member of a struct may point to; with more, calls by it are unknown
  int table_steps = 32;      // levels of a constant table, and operations on the way to an entry
  int record_nesting = 64;   // structs within structs
  int hashed_types = 24;     // types within types in the hash of a function
  int key_type_rounds = 8;   // types within types in the key of kept results
  int first_members = 16;    // structs that begin with a struct, where a type of counted objects is looked for
  int caller_rounds = 3;     // functions around functions, where what all callers do is learnt
  int counter_calls = 4;     // functions that no spec describes between a function and the counter it keeps
  int released_calls = 2;    // callees of a deallocator that are searched for members it releases
  int released_steps = 8;    // operations between such a release and the member
  int rest_instructions = 600;  // of a function with its rest in a helper; beyond, each is for itself
  int spare_results = 16;       // kept results without a use in this run, beside as many as had one
};

// Checks and the steps that a report tells
struct CheckLimits {
  int callee_depth = 2;        // callees of callees whose steps are told
  int callee_steps = 40;       // steps told of one callee
  int lock_depth = 4;          // calls between a finding and the function that needs the lock
  int cleanup_blocks = 64;     // blocks of a chain of cleanups, where its end is looked for
  int expression_depth = 8;    // levels of a condition that is told as an expression
  int expression_length = 60;  // characters of such an expression
  int format_length = 60;      // characters of a format string that is quoted
  int number_nesting = 16;     // structs and arrays that begin with the number a format asks for
  int type_calls = 3;          // callees of functions in a type's table
  int type_tables = 2;         // tables within tables of a type
  int member_calls = 6;        // callees in which members of an object are looked for
  int half_calls = 3;          // callees that are searched for a change of a count, where two halves are compared
  int handed_calls = 2;        // callees that are searched for functions they hand to others
  int table_lines = 5000;      // lines below the start of a table in which one of its rows is looked for
};

struct Limits {
  LookLimits looks;
  ValueLimits values;
  SolverLimits solver;
  ObjectLimits objects;
  OutcomeLimits outcomes;
  ProtectionLimits protection;
  OperandLimits operands;
  ProgramLimits program;
  CheckLimits checks;
};

inline constexpr Limits kLimits;

// All of them, for a hash. Without padding the bytes are the value.
inline std::string_view bytes_of(const Limits& limits) {
  static_assert(std::has_unique_object_representations_v<Limits>);
  return {reinterpret_cast<const char*>(&limits), sizeof limits};
}

}  // namespace reckon::support
