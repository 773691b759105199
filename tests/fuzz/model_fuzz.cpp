// Units in binary form: bytes that are accepted describe a unit that is written and read again as it is.
#include <span>

#include "harness.h"
#include "model/binary.h"
#include "model/text.h"
#include "model/verify.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace reckon;
  const auto bytes = std::as_bytes(std::span(data, size));
  std::vector<std::string> headers;
  const bool has_headers = model::decode_headers(bytes, headers);
  (void)model::seams(bytes);
  model::Unit unit;
  if (!model::decode(bytes, unit)) return 0;
  fuzz::require(has_headers, "the headers of a unit that is accepted are, too");
  (void)model::verify(unit);
  const std::string again = model::encode(unit);
  model::Unit second;
  fuzz::require(model::decode(std::as_bytes(std::span(again)), second), "what encode() writes is accepted");
  fuzz::require(model::encode(second) == again, "encode() of the same unit gives the same bytes");
  return 0;
}
