// Pairs of functions that look like get and put: proposals for spec lines, for a person to accept (RID 3.1).
//
// Evidence: two names that differ in one word and its antonym (get and put, enable and disable), with types that fit;
// and bodies of which one counts a field of a struct up by one, the other down. Limits: names say what somebody meant,
// not what happens on failure, so what is proposed for that is the custom, not a fact.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "program/program.h"
#include "specs/spec_set.h"

namespace reckon::program {

struct MinedPair {
  std::string up, down;            // the two functions
  std::string object;              // the struct that they are about
  bool hands_out = false;          // `up` gives a pointer to it
  bool takes_it = false;           // `up` is given one first
  std::string up_line, down_line;  // spec lines
  bool by_name = false;
  bool frees = false;        // `down` counts that field, and has a branch that frees its argument
  std::string field;         // "struct.field" that the bodies count, "" if not seen
  std::size_t together = 0;  // functions of the program that call both
};

// Those of which no spec says anything yet; most used together first.
std::vector<MinedPair> mine_pairs(const Program& program, const specs::SpecSet& specs);

// A name with one word replaced by its antonym, all there are: "a_get_b" -> "a_put_b", "a_unget..." is not one.
std::vector<std::string> antonyms_of(const std::string& name);

}  // namespace reckon::program
