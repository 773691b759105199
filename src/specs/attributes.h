// Attributes of a declaration in the analysed source, as a spec of that function.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "specs/prototype.h"

namespace reckon::specs {

struct SourceAttribute {
  std::string name;                // "annotate", "cpychecker_returns_borrowed_ref"
  std::string text;                // string argument
  std::vector<std::int64_t> args;  // integer arguments, as written: parameters count from 1
};

// The declaration the attributes stand at.
struct Declaration {
  std::string name;
  std::vector<std::string> param_names;  // "" where the source gives none
  Prototype prototype;
  bool returns_object = false;  // a pointer to a counted type
  SpecLoc loc;
};

// Builds the spec the attributes give. False: none of them says anything, `spec` is unchanged. An attribute in
// error (a parameter that does not exist, a mistake in an annotation) is reported and left out.
bool spec_from_attributes(std::span<const SourceAttribute> attributes, const Declaration& declaration,
                          FunctionSpec& spec, std::vector<SpecError>& errors);

// Whom `malloc(FREE, N)` names, and the parameter, counted from 0. "": the attribute is another, or names nobody.
struct Deallocator {
  std::string name;
  std::uint32_t param = 0;
};
Deallocator deallocator_of(const SourceAttribute& attribute);

// The spec of such a function, which gives back its argument `param`. False: there is no such pointer.
bool spec_of_deallocator(const Declaration& declaration, std::uint32_t param, FunctionSpec& spec);

// The spec of a function that a variable's `cleanup` names, which gives back what that holds.
bool spec_of_cleanup(const Declaration& declaration, FunctionSpec& spec);

}  // namespace reckon::specs
