// 256-bit content hashes (BLAKE3): for what others may have had a hand in, as in a cache that several machines share.
// With a secret they say, too, who wrote it: nobody without the secret can make the hash of a text of theirs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace reckon::support {

struct StrongHash {
  std::array<unsigned char, 32> bytes{};
  bool operator==(const StrongHash&) const = default;
  std::string_view view() const { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
  std::string hex() const;  // 64 characters
};

using Secret = std::optional<StrongHash>;

StrongHash strong_hash(std::string_view bytes, const Secret& secret = std::nullopt);

// Hashes in pieces.
class StrongHasher {
 public:
  explicit StrongHasher(const Secret& secret = std::nullopt);
  ~StrongHasher();
  StrongHasher(const StrongHasher&) = delete;
  StrongHasher& operator=(const StrongHasher&) = delete;

  void bytes(const void* data, std::size_t size);
  void number(std::uint64_t n);   // the same on every machine
  void text(std::string_view s);  // with its length, so that "ab","c" and "a","bc" differ
  StrongHash finish() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace reckon::support
