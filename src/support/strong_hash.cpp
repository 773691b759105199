#include "support/strong_hash.h"

#include <llvm-c/blake3.h>

namespace reckon::support {

struct StrongHasher::State {
  llvm_blake3_hasher blake3;
};

std::string StrongHash::hex() const {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string r;
  r.reserve(2 * bytes.size());
  for (const unsigned char b : bytes) {
    r += kDigits[b >> 4];
    r += kDigits[b & 15];
  }
  return r;
}

StrongHash strong_hash(std::string_view bytes, const Secret& secret) {
  StrongHasher h(secret);
  h.bytes(bytes.data(), bytes.size());
  return h.finish();
}

StrongHasher::StrongHasher(const Secret& secret) : state_(std::make_unique<State>()) {
  if (secret)
    llvm_blake3_hasher_init_keyed(&state_->blake3, secret->bytes.data());
  else
    llvm_blake3_hasher_init(&state_->blake3);
}
StrongHasher::~StrongHasher() = default;

void StrongHasher::bytes(const void* data, std::size_t size) { llvm_blake3_hasher_update(&state_->blake3, data, size); }

void StrongHasher::number(std::uint64_t n) {
  unsigned char le[8];
  for (int i = 0; i < 8; ++i) le[i] = static_cast<unsigned char>(n >> (8 * i));
  bytes(le, sizeof le);
}

void StrongHasher::text(std::string_view s) {
  number(s.size());
  bytes(s.data(), s.size());
}

StrongHash StrongHasher::finish() const {
  StrongHash h;
  llvm_blake3_hasher_finalize(&state_->blake3, h.bytes.data(), h.bytes.size());
  return h;
}

}  // namespace reckon::support
