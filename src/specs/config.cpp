// Checks every key of the file against the few we know: a misspelt option that silently does nothing is worse than
// none at all.
#include "specs/config.h"

#include <algorithm>

#include "specs/alternatives.h"
#include "specs/scanner.h"
#include "specs/toml.h"

namespace reckon::specs {
namespace {

constexpr std::string_view version_suffix = "-version";
// share/reckon.schema.json lists the same for editors; a test compares.
constexpr std::string_view root_keys[] = {"specs",    "include", "exclude",       "checks",     "folders",
                                          "domains",  "fail-on", "severity",      "confidence", "baseline",
                                          "database", "strict",  "DOMAIN-version"};
constexpr std::string_view check_keys[] = {"enable", "disable"};
constexpr std::string_view folder_keys[] = {"enable", "disable", "fail-on"};
constexpr std::string_view fail_levels[] = {"note", "low", "medium", "high", "never"};
constexpr std::string_view severities[] = {"note", "low", "medium", "high"};
constexpr std::string_view confidences[] = {"low", "medium", "high"};

const char* kind_name(const TomlValue& value) {
  switch (value.kind) {
    case TomlValue::Kind::String: return "a string";
    case TomlValue::Kind::Number: return "a number";
    case TomlValue::Kind::Boolean: return "a boolean";
    case TomlValue::Kind::List: return "a list";
    case TomlValue::Kind::Table: return "a table";
  }
  return "";
}

bool is_version(std::string_view text) {
  bool digit_before = false;
  for (char c : text) {
    bool digit = c >= '0' && c <= '9';
    if (!digit && !(c == '.' && digit_before)) return false;
    digit_before = digit;
  }
  return digit_before;
}

class ConfigReader {
 public:
  ConfigReader(Config& config, const Positions& positions, std::vector<SpecError>& errors)
      : config_(config), positions_(positions), errors_(errors) {}

  void report(std::size_t offset, std::string message) {
    errors_.push_back({positions_.at(config_.path, offset), std::move(message)});
  }

  void root(const TomlValue& table) {
    for (const TomlEntry& entry : table.entries) {
      const std::string& name = entry.key;
      if (name == "specs")
        strings(entry, config_.specs);
      else if (name == "include")
        strings(entry, config_.include);
      else if (name == "exclude")
        strings(entry, config_.exclude);
      else if (name == "domains")
        strings(entry, config_.domains);
      else if (name == "checks")
        checks(entry);
      else if (name == "fail-on")
        choice(entry, fail_levels, config_.fail_on);
      else if (name == "severity")
        choice(entry, severities, config_.severity);
      else if (name == "confidence")
        choice(entry, confidences, config_.confidence);
      else if (name == "baseline")
        text(entry, config_.baseline);
      else if (name == "database")
        text_or_list(entry, config_.databases);
      else if (name == "strict")
        boolean(entry, config_.strict);
      else if (name == "folders")
        folders(entry);
      else if (name.size() > version_suffix.size() && name.ends_with(version_suffix))
        version(entry);
      else
        unknown(entry, root_keys);
    }
  }

 private:
  void unknown(const TomlEntry& entry, std::span<const std::string_view> known) {
    std::string list;
    for (std::string_view word : known) list += (list.empty() ? "" : ", ") + quoted(word);
    report(entry.offset,
           "unknown key " + quoted(entry.key) + ", expected one of " + list + suggestion(entry.key, known));
  }

  void wrong_kind(const std::string& key, std::string_view expected, const TomlValue& value) {
    report(value.offset, "expected " + std::string(expected) + " for " + quoted(key) + ", found " + kind_name(value));
  }

  void strings(const TomlEntry& entry, std::vector<std::string>& out) {
    if (entry.value.kind != TomlValue::Kind::List) return wrong_kind(entry.key, "a list of strings", entry.value);
    for (const TomlValue& item : entry.value.items) {
      if (item.kind != TomlValue::Kind::String)
        wrong_kind(entry.key, "a list of strings", item);
      else if (item.text.empty())
        report(item.offset, "an empty string in " + quoted(entry.key));
      else
        out.push_back(item.text);
    }
  }

  void checks(const TomlEntry& entry) {
    if (entry.value.kind != TomlValue::Kind::Table) return wrong_kind(entry.key, "a table", entry.value);
    for (const TomlEntry& inner : entry.value.entries) {
      if (inner.key == "enable")
        strings(inner, config_.enable_checks);
      else if (inner.key == "disable")
        strings(inner, config_.disable_checks);
      else
        unknown(inner, check_keys);
    }
  }

  void folders(const TomlEntry& entry) {
    if (entry.value.kind != TomlValue::Kind::Table) return wrong_kind(entry.key, "a table", entry.value);
    for (const TomlEntry& inner : entry.value.entries) {
      if (inner.value.kind != TomlValue::Kind::Table) {
        wrong_kind(inner.key, "a table such as { disable = [\"*-leak\"] }", inner.value);
        continue;
      }
      FolderConfig& folder = config_.folders.emplace_back();
      folder.pattern = inner.key;
      for (const TomlEntry& setting : inner.value.entries) {
        if (setting.key == "enable")
          strings(setting, folder.enable_checks);
        else if (setting.key == "disable")
          strings(setting, folder.disable_checks);
        else if (setting.key == "fail-on")
          choice(setting, fail_levels, folder.fail_on);
        else
          unknown(setting, folder_keys);
      }
    }
  }

  void choice(const TomlEntry& entry, std::span<const std::string_view> words, std::string& out) {
    const TomlValue& value = entry.value;
    if (value.kind != TomlValue::Kind::String) return wrong_kind(entry.key, "a string", value);
    if (std::find(words.begin(), words.end(), value.text) == words.end()) {
      std::string list;
      for (std::size_t i = 0; i < words.size(); ++i)
        list += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + quoted(words[i]);
      return report(value.offset, "expected " + list + " for " + quoted(entry.key) + ", found " + quoted(value.text));
    }
    out = value.text;
  }

  void text(const TomlEntry& entry, std::string& out) {
    if (entry.value.kind != TomlValue::Kind::String) return wrong_kind(entry.key, "a string", entry.value);
    if (entry.value.text.empty()) return report(entry.value.offset, "an empty string for " + quoted(entry.key));
    out = entry.value.text;
  }

  void text_or_list(const TomlEntry& entry, std::vector<std::string>& out) {
    if (entry.value.kind != TomlValue::Kind::String) return strings(entry, out);
    text(entry, out.emplace_back());
  }

  void boolean(const TomlEntry& entry, bool& out) {
    if (entry.value.kind != TomlValue::Kind::Boolean) return wrong_kind(entry.key, "true or false", entry.value);
    out = entry.value.text == "true";
  }

  void version(const TomlEntry& entry) {
    const TomlValue& value = entry.value;
    if (value.kind != TomlValue::Kind::String) return wrong_kind(entry.key, "a string such as \"3.11\"", value);
    if (!is_version(value.text))
      return report(value.offset,
                    "expected a version such as \"3.11\" for " + quoted(entry.key) + ", found " + quoted(value.text));
    config_.versions[entry.key.substr(0, entry.key.size() - version_suffix.size())] = value.text;
  }

  Config& config_;
  const Positions& positions_;
  std::vector<SpecError>& errors_;
};

}  // namespace

Config parse_config(std::string path, std::string_view text, std::vector<SpecError>& errors) {
  Config config;
  config.path = std::move(path);
  Positions positions(text);
  ConfigReader reader(config, positions, errors);
  TomlError error;
  if (std::optional<TomlValue> root = parse_toml(text, error))
    reader.root(*root);
  else
    reader.report(error.offset, error.message);
  return config;
}

}  // namespace reckon::specs
