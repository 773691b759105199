// 128-bit content hashes (XXH3). Good against accidents, not against an attacker: strong_hash.h is for that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace reckon::support {

struct Hash128 {
  std::uint64_t high = 0, low = 0;
  bool operator==(const Hash128&) const = default;
  std::string hex() const;  // 32 characters
};

Hash128 hash128(std::string_view bytes);

// Hashes in pieces.
class Hasher {
 public:
  Hasher();
  ~Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;

  void bytes(const void* data, std::size_t size);
  void number(std::uint64_t n);   // the same on every machine
  void text(std::string_view s);  // with its length, so that "ab","c" and "a","bc" differ
  void hash(const Hash128& h);
  Hash128 finish() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace reckon::support
