#include "report/sources.h"

#include <algorithm>

#include "support/file.h"

namespace reckon::report {

std::string_view SourceFile::line(std::uint32_t number) const {
  if (number == 0 || number > starts.size()) return {};
  const std::size_t start = starts[number - 1];
  const std::size_t end = number < starts.size() ? starts[number] : text.size();
  return std::string_view(text).substr(start, end - start);
}

std::size_t SourceFile::offset(std::uint32_t number, std::uint32_t col) const {
  if (number == 0 || number > starts.size()) return std::string::npos;
  std::string_view content = line(number);
  while (!content.empty() && (content.back() == '\n' || content.back() == '\r')) content.remove_suffix(1);
  return starts[number - 1] + std::min<std::size_t>(col == 0 ? 0 : col - 1, content.size());
}

SourceFile make_source(std::string text) {
  SourceFile file{std::move(text), {}};
  if (!file.text.empty()) file.starts.push_back(0);
  for (std::size_t at = 0; (at = file.text.find('\n', at)) != std::string::npos;) file.starts.push_back(++at);
  return file;
}

const SourceFile& Sources::file(const std::string& path) {
  const auto [it, is_new] = files_.try_emplace(path);
  if (is_new) {
    std::string text, reason;  // a source that cannot be read is shown without its lines
    support::read_input(path, text, reason);
    it->second = make_source(std::move(text));
  }
  return it->second;
}

}  // namespace reckon::report
