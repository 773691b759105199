// A spec for an API of which nothing is known, that works as it stands: for whoever has counted objects and no spec
// yet.
//
// Evidence: pairs of functions (mine.h) name the structs that are counted; every other function that takes or gives a
// pointer to such a struct is told by what its declaration's comment says of ownership (written.h), or by a word of its
// name. Where a comment and the names of a pair say different things, the line says so. Limits: comments and names say
// what somebody meant. A function that gives such a pointer and says nothing of it gets no line.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "program/program.h"
#include "program/written.h"
#include "specs/spec_set.h"

namespace reckon::program {

// How every such spec begins.
inline constexpr std::string_view kMinedHeading = "# Mined from names";

// What is written at a declaration.
using WrittenAt = std::function<Written(std::string_view file, std::uint32_t line)>;

struct MinedSpec {
  std::string text;          // "": no struct looks counted
  std::size_t families = 0;  // structs that look counted
  std::size_t functions = 0;
};

MinedSpec mine_spec(const Program& program, const specs::SpecSet& specs, std::string_view domain,
                    const WrittenAt& written_at);

// A line for each of these functions, by the name people call it: as it would be mined, else by what its comment, its
// types and the words of its name suggest.
std::map<std::string, std::string> propose_lines(const Program& program, const specs::SpecSet& specs,
                                                 const std::set<std::string>& names, const WrittenAt& written_at);

// How many structs look counted: the cheap half of the question.
std::size_t count_families(const Program& program, const specs::SpecSet& specs);

}  // namespace reckon::program
