// Specs: any text gives declarations and errors, and the errors lie inside the text.
#include <algorithm>

#include "harness.h"
#include "specs/spec_set.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace reckon;
  const std::string_view text = fuzz::text_of(data, size);
  std::vector<specs::SpecError> errors;
  const specs::SpecFile file = specs::parse_spec("a.spec", text, errors);
  const auto lines = static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n') + 1);
  for (const specs::SpecError& error : errors)
    fuzz::require(error.loc.line >= 1 && error.loc.line <= lines, "an error lies inside the text");
  specs::SpecSet set;
  set.add(file);
  return 0;
}
