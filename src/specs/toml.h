// The part of TOML a project file needs: comments, tables, inline tables, strings, lists, numbers and booleans.
// Left out: dates, multi-line strings, dotted keys, lists of tables.
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
  std::string text;                // String: its content; Number, Boolean: as written
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
