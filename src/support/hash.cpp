#include "support/hash.h"

#include <xxhash.h>

namespace reckon::support {

namespace {

Hash128 from(XXH128_hash_t h) { return {h.high64, h.low64}; }

}  // namespace

struct Hasher::State {
  struct Free {
    void operator()(XXH3_state_t* s) const { XXH3_freeState(s); }
  };
  std::unique_ptr<XXH3_state_t, Free> xxh{XXH3_createState()};
};

std::string Hash128::hex() const {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string r;
  r.reserve(32);
  for (std::uint64_t part : {high, low}) {
    for (int shift = 60; shift >= 0; shift -= 4) r += kDigits[part >> shift & 15];
  }
  return r;
}

Hash128 hash128(std::string_view bytes) { return from(XXH3_128bits(bytes.data(), bytes.size())); }

Hasher::Hasher() : state_(std::make_unique<State>()) { XXH3_128bits_reset(state_->xxh.get()); }
Hasher::~Hasher() = default;

void Hasher::bytes(const void* data, std::size_t size) { XXH3_128bits_update(state_->xxh.get(), data, size); }

void Hasher::number(std::uint64_t n) {
  unsigned char le[8];
  for (int i = 0; i < 8; ++i) le[i] = static_cast<unsigned char>(n >> (8 * i));
  bytes(le, sizeof le);
}

void Hasher::text(std::string_view s) {
  number(s.size());
  bytes(s.data(), s.size());
}

void Hasher::hash(const Hash128& h) {
  number(h.high);
  number(h.low);
}

Hash128 Hasher::finish() const { return from(XXH3_128bits_digest(state_->xxh.get())); }

}  // namespace reckon::support
