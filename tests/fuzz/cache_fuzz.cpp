// Files of the cache. The first byte chooses: a file as it is; one whose checksum is right, so that the decompressor
// sees the bytes; a payload that is packed and unpacked; a manifest.
#include <algorithm>
#include <string>

#include "cache/entry.h"
#include "cache/manifest.h"
#include "harness.h"
#include "support/strong_hash.h"

namespace {

// As cache/entry.cpp lays it out.
std::string file_with_checksum(std::string_view name, std::string_view compressed, std::uint64_t size) {
  reckon::support::StrongHasher hasher;
  hasher.text(name);
  hasher.number(size);
  hasher.text(compressed);
  std::string out = "RKNC";
  const auto put = [&](std::uint64_t n, int bytes) {
    for (int i = 0; i < bytes; ++i) out.push_back(static_cast<char>(n >> (8 * i)));
  };
  put(2, 4);
  put(size, 8);
  out += hasher.finish().view();
  return out.append(compressed);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace reckon;
  if (size < 3) return 0;
  const std::string_view rest = fuzz::text_of(data + 3, size - 3);
  std::string payload;
  switch (data[0] % 4) {
    case 0: (void)cache::unpack("u1", fuzz::text_of(data + 1, size - 1), payload); break;
    case 1: {
      const std::uint64_t claimed = static_cast<std::uint64_t>(data[1]) << 8 | data[2];
      if (cache::unpack("u1", file_with_checksum("u1", rest, claimed), payload))
        fuzz::require(payload.size() == claimed, "a payload is as long as its header says");
      break;
    }
    case 2: {
      const std::string packed = cache::pack("m2", rest, std::nullopt, {rest.size() / 3, rest.size() / 2});
      fuzz::require(cache::unpack("m2", packed, payload) && payload == rest, "what pack() writes comes back");
      fuzz::require(!cache::unpack("m3", packed, payload), "a file under another name is refused");
      break;
    }
    default: {
      cache::Manifest manifest, again;
      if (!manifest.decode(rest)) break;
      fuzz::require(again.decode(manifest.encode()), "what Manifest::encode() writes is accepted");
      fuzz::require(again.files == manifest.files && again.content_key == manifest.content_key &&
                        again.states == manifest.states && again.seen == manifest.seen,
                    "a manifest comes back");
    }
  }
  return 0;
}
