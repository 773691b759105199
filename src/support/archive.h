// One function that says what a value is made of both writes and reads it: `code(archive, value)` with a Writer or a
// Reader. Reading never trusts what it reads: after the first problem a Reader is not ok() and yields nothing more.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "support/bytes.h"

namespace reckon::support {

class Writer {
 public:
  static constexpr bool reading = false;

  template <typename T>
  void number(T& v) {
    if constexpr (std::is_enum_v<T>)
      put_number(bytes_, static_cast<std::uint64_t>(v));
    else if constexpr (std::is_signed_v<T>)
      put_number(bytes_,
                 static_cast<std::uint64_t>(v) << 1 ^ static_cast<std::uint64_t>(static_cast<std::int64_t>(v) >> 63));
    else
      put_number(bytes_, v);
  }
  void text(const std::string& s) { put_text(bytes_, s); }
  template <typename T, typename Each>
  void list(std::vector<T>& v, Each each) {
    put_number(bytes_, v.size());
    for (T& x : v) each(x);
  }
  template <typename T, typename Each>
  void maybe(std::optional<T>& v, Each each) {
    put_number(bytes_, v ? 1 : 0);
    if (v) each(*v);
  }
  bool ok() const { return true; }
  std::string& bytes() { return bytes_; }

 private:
  std::string bytes_;
};

class Reader {
 public:
  static constexpr bool reading = true;
  explicit Reader(std::string_view bytes) : in_(bytes) {}

  template <typename T>
  void number(T& v) {
    const std::uint64_t n = in_.number();
    if constexpr (std::is_enum_v<T>)
      v = static_cast<T>(n);
    else if constexpr (std::is_signed_v<T>)
      v = static_cast<T>(n >> 1 ^ (~(n & 1) + 1));
    else
      v = static_cast<T>(n);
  }
  void text(std::string& s) { s = in_.text(); }
  template <typename T, typename Each>
  void list(std::vector<T>& v, Each each) {
    const std::uint64_t n = in_.number();
    v.clear();
    if (n > in_.left()) return in_.fail();  // each element has at least a byte
    for (std::uint64_t i = 0; i < n && in_.ok(); ++i) each(v.emplace_back());
  }
  template <typename T, typename Each>
  void maybe(std::optional<T>& v, Each each) {
    v.reset();
    if (in_.number() != 0 && in_.ok()) each(v.emplace());
  }
  bool ok() const { return in_.ok(); }
  void fail() { in_.fail(); }
  bool at_end() const { return in_.left() == 0; }

 private:
  ByteReader in_;
};

}  // namespace reckon::support
