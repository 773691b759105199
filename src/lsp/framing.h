// Messages of the protocol on a stream of bytes: a header with the length, an empty line, and JSON.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace reckon::lsp {

inline constexpr std::size_t kMaxMessageBytes = std::size_t{64} << 20;  // more is no message but a mistake

// Takes bytes as they come and gives whole messages.
class MessageReader {
 public:
  void add(std::string_view bytes) { bytes_ += bytes; }
  // True: `body` is the next message. False: there is none yet, or broken() is true.
  bool next(std::string& body);
  // A header without a length, or one beyond all measure: nobody can say where the next message begins.
  bool broken() const { return broken_; }

 private:
  std::string bytes_;
  bool broken_ = false;
};

std::string framed(std::string_view body);

}  // namespace reckon::lsp
