#include "lsp/places.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/uri.h"

namespace reckon::lsp {

using nlohmann::json;

namespace {

bool in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

int digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

}  // namespace

std::string path_of(std::string_view uri) {
  constexpr std::string_view kScheme = "file://";
  if (!uri.starts_with(kScheme)) return "";
  uri.remove_prefix(kScheme.size());
  uri.remove_prefix(std::min(uri.find('/'), uri.size()));  // the name of a host
  std::string out;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    const bool escaped = uri[i] == '%' && i + 2 < uri.size() && digit(uri[i + 1]) >= 0 && digit(uri[i + 2]) >= 0;
    out += escaped ? static_cast<char>(digit(uri[i + 1]) * 16 + digit(uri[i + 2])) : uri[i];
    if (escaped) i += 2;
  }
  return out;
}

std::size_t offset_of(std::string_view text, const json& position) {
  const auto line = position.value("line", std::uint32_t{0}), column = position.value("character", std::uint32_t{0});
  std::size_t at = 0;
  for (std::uint32_t i = 0; i < line; ++i) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) return text.size();
    at = end + 1;
  }
  std::uint32_t units = 0;
  while (at < text.size() && text[at] != '\n' && units < column) {
    const auto byte = static_cast<unsigned char>(text[at]);
    units += byte >= 0xf0 ? 2 : 1;
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) ++at;
  }
  return at;
}

json position_of(const report::SourceFile& source, std::uint32_t line, std::uint32_t col) {
  const std::uint32_t column = report::utf16_column(source.line(line), std::max(col, 1u));
  return {{"line", line > 0 ? line - 1 : 0}, {"character", column - 1}};
}

json range_of(const report::SourceFile& source, std::uint32_t line, std::uint32_t col, std::uint32_t end_line,
              std::uint32_t end_col) {
  return {{"start", position_of(source, line, col)}, {"end", position_of(source, end_line, end_col)}};
}

json word_at(const report::SourceFile& source, std::uint32_t line, std::uint32_t col) {
  std::string_view text = source.line(line);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.remove_suffix(1);
  std::size_t at = std::min<std::size_t>(col > 0 ? col - 1 : 0, text.size());
  if (col == 0) at = std::min(text.find_first_not_of(" \t"), text.size());
  std::size_t end = at;
  while (end < text.size() && in_name(text[end])) ++end;
  if (end == at) end = text.size();
  return range_of(source, line, static_cast<std::uint32_t>(at + 1), line, static_cast<std::uint32_t>(end + 1));
}

Word word_under(std::string_view text, std::size_t offset) {
  Word out;
  out.start = out.end = std::min(offset, text.size());
  while (out.start > 0 && in_name(text[out.start - 1])) --out.start;
  while (out.end < text.size() && in_name(text[out.end])) ++out.end;
  if (out.start == out.end) return out;
  std::size_t first = out.start;
  while (first >= 3 && text.substr(first - 2, 2) == "::" && in_name(text[first - 3])) {
    first -= 2;
    while (first > 0 && in_name(text[first - 1])) --first;
  }
  out.text = text.substr(first, out.end - first);
  const std::size_t next = text.find_first_not_of(" \t\r\n", out.end);
  out.called = next != std::string_view::npos && text[next] == '(';
  return out;
}

}  // namespace reckon::lsp
