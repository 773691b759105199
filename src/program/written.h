// What people wrote at a declaration, read for who owns what.
//
// The problem: "owned by the caller" and "owned by the library" are the same words about different people, and "takes
// over the user" is about one parameter of several. The method: a comment is cut into sentences and words; a phrase
// counts with the word that says who, or what, and with a `not` in front of it. What is taken over has to be named as a
// parameter is, or as its type. Limits: English, and one sentence at a time; what is said of something else than the
// result, in a sentence that does not name a parameter, is taken for said of the result.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reckon::program {

struct Written {
  std::string comment;      // at the declaration; "" if there is none
  std::string declaration;  // the source text from the line of its name on
};

struct WrittenParameter {
  std::string name;                // in small letters; "": it has none
  std::vector<std::string> types;  // the words of its type, without keywords
  bool pointer = false;
};

// The parameters of `function` as its declaration has them; empty if it cannot be read. `pointers`: which are, one for
// each.
std::vector<WrittenParameter> written_parameters(const std::string& declaration, const std::string& function,
                                                 const std::vector<bool>& pointers);

struct Ownership {
  bool gives = false;                // the result is the caller's
  bool lends = false;                // the result stays somebody else's
  std::optional<std::size_t> takes;  // the parameter that is taken over
};

Ownership read_ownership(const std::string& comment, const std::vector<WrittenParameter>& parameters);

}  // namespace reckon::program
