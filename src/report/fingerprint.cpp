#include "report/fingerprint.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

#include "report/c_text.h"
#include "support/hash.h"

namespace reckon::report {

namespace {

constexpr std::size_t kMostTokens = 64;  // of an expression

class Expressions {
 public:
  explicit Expressions(Sources& sources) : sources_(sources) {}

  // The tokens from a place to the end of its expression or statement, one blank between.
  std::string at(const SourceLoc& loc) {
    const SourceFile& file = sources_.file(loc.file);
    const std::size_t offset = file.offset(loc.line, loc.col);
    if (offset == std::string::npos) return {};
    const std::vector<Token>& tokens = tokens_of(loc.file, file);
    auto it =
        std::lower_bound(tokens.begin(), tokens.end(), offset, [](const Token& t, std::size_t o) { return t.at < o; });
    std::string out;
    int depth = 0;
    for (std::size_t n = 0; it != tokens.end() && n < kMostTokens; ++it) {
      if (it->kind == Token::Kind::Comment) continue;
      const std::string_view text = it->text(file.text);
      depth += text == "(" || text == "[";
      depth -= text == ")" || text == "]";
      if (depth < 0 || text == "{" || text == "}" || (text == ";" && depth == 0)) break;
      out.append(text).push_back(' ');
      ++n;
    }
    return out;
  }

 private:
  const std::vector<Token>& tokens_of(const std::string& path, const SourceFile& file) {
    const auto [it, is_new] = tokens_.try_emplace(path);
    if (is_new) it->second = tokenize(file.text);
    return it->second;
  }

  Sources& sources_;
  std::unordered_map<std::string, std::vector<Token>> tokens_;
};

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// All that tells a finding from others, but for its place.
std::string key_of(const Finding& f, Expressions& expressions) {
  const bool known_origin = !f.origin.file.empty() && !f.origin_api.empty();
  std::string key;
  for (const std::string& part :
       {f.check, file_name(f.loc.file), f.function, f.origin_api, std::to_string(f.origin_index),
        known_origin ? std::string() : f.object, expressions.at(known_origin ? f.origin : f.loc)})
    key.append(part).push_back('\0');
  return key;
}

}  // namespace

void assign_fingerprints(std::vector<Finding>& findings, Sources& sources) {
  Expressions expressions(sources);
  std::vector<std::size_t> order(findings.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(findings[a].loc, findings[a].origin) < std::tie(findings[b].loc, findings[b].origin);
  });
  std::map<std::string, std::size_t> seen;
  for (const std::size_t i : order) {
    std::string key = key_of(findings[i], expressions);
    const std::size_t number = seen[key]++;
    if (number > 0) key += std::to_string(number);
    findings[i].fingerprint = support::hash128(key).hex();
  }
}

std::vector<std::string> kin_of(const std::vector<Finding>& findings, Sources& sources) {
  Expressions expressions(sources);
  std::vector<std::string> out;
  for (const Finding& f : findings) out.push_back(key_of(f, expressions));
  return out;
}

}  // namespace reckon::report
