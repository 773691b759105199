// TOML as people write it: comments, tables, inline tables, lists of tables, dotted and quoted keys, strings of all
// four kinds with their escapes, lists, numbers, booleans. Limits: dates and numbers are taken as text, and their
// digits are not judged.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reckon::specs {

struct TomlEntry;

struct TomlValue {
  enum class Kind { String, Number, Boolean, List, Table };
  Kind kind = Kind::String;
  std::string text;                // String: its content; Number (dates, too), Boolean: as written
  std::vector<TomlValue> items;    // List
  std::vector<TomlEntry> entries;  // Table, in the order of the file
  std::size_t offset = 0;          // where it starts in the text
};

struct TomlEntry {
  std::string key;
  std::size_t offset = 0;
  TomlValue value;
};

struct TomlError {
  std::size_t offset = 0;
  std::string message;
};

// The root table, or the first error.
std::optional<TomlValue> parse_toml(std::string_view text, TomlError& error);

}  // namespace reckon::specs
