// Project files: any text gives values, or an error inside the text.
#include "harness.h"
#include "specs/config.h"
#include "specs/toml.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace reckon;
  const std::string_view text = fuzz::text_of(data, size);
  specs::TomlError error;
  if (!specs::parse_toml(text, error)) fuzz::require(error.offset <= text.size(), "an error lies inside the text");
  std::vector<specs::SpecError> errors;
  specs::parse_config("reckon.toml", text, errors);
  return 0;
}
