// Numbers and texts in a row of bytes: varints, and texts with their length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace reckon::support {

inline void put_number(std::string& out, std::uint64_t v) {
  while (v >= 0x80) {
    out.push_back(static_cast<char>(v | 0x80));
    v >>= 7;
  }
  out.push_back(static_cast<char>(v));
}

inline void put_text(std::string& out, std::string_view s) {
  put_number(out, s.size());
  out.append(s);
}

// Reads what the above wrote. After the first problem it is not ok() and yields zeros and empty texts.
class ByteReader {
 public:
  ByteReader() = default;
  explicit ByteReader(std::string_view bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool ok() const { return ok_; }
  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }

  std::uint64_t number() {
    std::uint64_t v = 0;
    for (unsigned shift = 0; shift < 64 && at_ != end_; shift += 7) {
      auto c = static_cast<unsigned char>(*at_++);
      if (shift == 63 && c > 1) break;
      v |= static_cast<std::uint64_t>(c & 0x7f) << shift;
      if (c < 0x80) return v;
    }
    fail();
    return 0;
  }
  std::string_view text() { return take(number()); }
  std::string_view rest() { return take(left()); }

  // The next `size` bytes, none if there are not as many.
  std::string_view take(std::uint64_t size) {
    if (size > left()) {
      fail();
      return {};
    }
    std::string_view s(at_, size);
    at_ += size;
    return s;
  }
  void fail() {
    ok_ = false;
    at_ = end_;
  }

 private:
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  bool ok_ = true;
};

}  // namespace reckon::support
