#include "engine/formats.h"

namespace reckon::engine {

namespace {
constexpr std::string_view kNumbersBuild = "bBhiIHlkLKncCdfp";
constexpr std::string_view kNumbersParse = "bBhHiIlkLKncCfdDp";

bool contains(std::string_view set, char c) { return set.find(c) != std::string_view::npos; }
}  // namespace

std::vector<FormatUnit> parse_units(std::string_view f, bool& ok) {
  std::vector<FormatUnit> out;
  ok = true;
  bool optional = false;
  auto add = [&](UnitUse use, char letter) {
    out.push_back({use, letter, optional, static_cast<std::uint32_t>(out.size())});
  };
  for (std::size_t i = 0; i < f.size(); ++i) {
    const char c = f[i];
    const char next = i + 1 < f.size() ? f[i + 1] : '\0';
    if (c == ':' || c == ';') break;
    if (c == '|') {
      optional = true;
    } else if (c == '$' || c == '(' || c == ')' || c == ' ') {
      continue;
    } else if (c == 'e' && (next == 's' || next == 't')) {
      add(UnitUse::Plain, 'e');   // the encoding
      add(UnitUse::Plain, next);  // a buffer the caller frees
      ++i;
      if (i + 1 < f.size() && f[i + 1] == '#') {
        add(UnitUse::Plain, '#');
        ++i;
      }
    } else if (c == 's' || c == 'z' || c == 'y' || c == 'w' || c == 'u' || c == 'Z') {
      if (next == '*') {
        add(UnitUse::Buffer, c);
        ++i;
      } else {
        add(UnitUse::Interior, c);
        if (next == '#') {
          add(UnitUse::Plain, '#');
          ++i;
        }
      }
    } else if (c == 'O') {
      if (next == '!') {
        add(UnitUse::Plain, '!');
        add(UnitUse::Object, 'O');
        ++i;
      } else if (next == '&') {
        add(UnitUse::Plain, '&');
        add(UnitUse::Converter, 'O');
        ++i;
      } else {
        add(UnitUse::Object, 'O');
      }
    } else if (c == 'S' || c == 'U' || c == 'Y') {
      add(UnitUse::Object, c);
    } else if (contains(kNumbersParse, c)) {
      add(UnitUse::Plain, c);
    } else {
      ok = false;
      return out;
    }
  }
  return out;
}

std::vector<FormatUnit> build_units(std::string_view f, bool& ok) {
  std::vector<FormatUnit> out;
  ok = true;
  auto add = [&](UnitUse use, char letter) {
    out.push_back({use, letter, false, static_cast<std::uint32_t>(out.size())});
  };
  for (std::size_t i = 0; i < f.size(); ++i) {
    const char c = f[i];
    const char next = i + 1 < f.size() ? f[i + 1] : '\0';
    if (contains("()[]{},: \t", c)) continue;
    if (c == 's' || c == 'z' || c == 'y' || c == 'u' || c == 'U') {
      add(UnitUse::Plain, c);
      if (next == '#') {
        add(UnitUse::Plain, '#');
        ++i;
      }
    } else if (c == 'O' || c == 'S' || c == 'N') {
      if (next == '&') {
        add(UnitUse::Plain, '&');
        add(UnitUse::Converter, c);
        ++i;
      } else {
        add(c == 'N' ? UnitUse::Consumed : UnitUse::Object, c);
      }
    } else if (c == 'D' || contains(kNumbersBuild, c)) {
      add(UnitUse::Plain, c);
    } else {
      ok = false;
      return out;
    }
  }
  return out;
}

}  // namespace reckon::engine
