#include "lsp/framing.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

namespace reckon::lsp {

namespace {

// The length that a header tells; names of fields are the same in capitals.
std::optional<std::size_t> length_in(std::string_view header) {
  constexpr std::string_view kName = "content-length:";
  while (!header.empty()) {
    const std::size_t end = std::min(header.find("\r\n"), header.size());
    std::string_view line = header.substr(0, end);
    header.remove_prefix(std::min(header.size(), end + 2));
    const bool ours = line.size() > kName.size() &&
                      std::equal(kName.begin(), kName.end(), line.begin(),
                                 [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
    if (!ours) continue;
    line.remove_prefix(kName.size());
    while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
    std::size_t length = 0;
    const auto [rest, error] = std::from_chars(line.data(), line.data() + line.size(), length);
    if (error == std::errc() && length <= kMaxMessageBytes) return length;
  }
  return std::nullopt;
}

}  // namespace

bool MessageReader::next(std::string& body) {
  constexpr std::size_t kHeaderBytes = 4096;
  const std::size_t end = bytes_.find("\r\n\r\n");
  if (end == std::string::npos) {
    broken_ = broken_ || bytes_.size() > kHeaderBytes;
    return false;
  }
  const auto length = length_in(std::string_view(bytes_).substr(0, end + 2));
  if (!length) broken_ = true;
  if (broken_ || bytes_.size() < end + 4 + *length) return false;
  body = bytes_.substr(end + 4, *length);
  bytes_.erase(0, end + 4 + *length);
  return true;
}

std::string framed(std::string_view body) { return fmt::format("Content-Length: {}\r\n\r\n{}", body.size(), body); }

}  // namespace reckon::lsp
