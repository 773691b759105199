// Only this file knows the TOML library. It is used without exceptions; every key is checked against the few we
// know, because a misspelt option that silently does nothing is worse than none.
#include "specs/config.h"

#include <algorithm>

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include "specs/alternatives.h"

namespace reckon::specs {
namespace {

constexpr std::string_view version_suffix = "-version";
constexpr std::string_view root_keys[] = {"specs", "exclude", "checks", "domains", "fail-on", "DOMAIN-version"};
constexpr std::string_view check_keys[] = {"enable", "disable"};
constexpr std::string_view severities[] = {"note", "low", "medium", "high", "never"};

const char* type_name(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table: return "a table";
    case toml::node_type::array: return "a list";
    case toml::node_type::string: return "a string";
    case toml::node_type::integer: return "an integer";
    case toml::node_type::floating_point: return "a float";
    case toml::node_type::boolean: return "a boolean";
    default: return "a date or time";
  }
}

class Reader {
 public:
  Reader(Config& config, std::vector<SpecError>& errors) : config_(config), errors_(errors) {}

  void root(const toml::table& table) {
    for (auto&& [key, node] : table) {
      std::string_view name = key.str();
      if (name == "specs") {
        strings(name, node, config_.specs);
      } else if (name == "exclude") {
        strings(name, node, config_.exclude);
      } else if (name == "domains") {
        strings(name, node, config_.domains);
      } else if (name == "checks") {
        checks(node);
      } else if (name == "fail-on") {
        severity(node);
      } else if (name.size() > version_suffix.size() && name.ends_with(version_suffix)) {
        version(name, node);
      } else {
        unknown(key, root_keys);
      }
    }
  }

 private:
  void report(const toml::source_position& at, std::string message) {
    SpecLoc loc;
    loc.file = config_.path;
    loc.line = static_cast<std::uint32_t>(at.line);
    loc.col = static_cast<std::uint32_t>(at.column);
    errors_.push_back({std::move(loc), std::move(message)});
  }

  void unknown(const toml::key& key, std::span<const std::string_view> known) {
    std::string list;
    for (std::string_view word : known) list += (list.empty() ? "" : ", ") + quoted(word);
    report(key.source().begin, "unknown key " + quoted(key.str()) + ", expected one of " + list +
                                   suggestion(key.str(), known));
  }

  void wrong_type(std::string_view key, std::string_view expected, const toml::node& node) {
    report(node.source().begin,
           "expected " + std::string(expected) + " for " + quoted(key) + ", found " + type_name(node));
  }

  void strings(std::string_view key, const toml::node& node, std::vector<std::string>& out) {
    const toml::array* list = node.as_array();
    if (!list) return wrong_type(key, "a list of strings", node);
    for (const toml::node& element : *list) {
      const auto* text = element.as_string();
      if (!text)
        wrong_type(key, "a list of strings", element);
      else if (text->get().empty())
        report(element.source().begin, "an empty string in " + quoted(key));
      else
        out.push_back(text->get());
    }
  }

  void checks(const toml::node& node) {
    const toml::table* table = node.as_table();
    if (!table) return wrong_type("checks", "a table", node);
    for (auto&& [key, value] : *table) {
      std::string_view name = key.str();
      if (name == "enable")
        strings(name, value, config_.enable_checks);
      else if (name == "disable")
        strings(name, value, config_.disable_checks);
      else
        unknown(key, check_keys);
    }
  }

  void severity(const toml::node& node) {
    const auto* text = node.as_string();
    if (!text) return wrong_type("fail-on", "a string", node);
    if (std::find(std::begin(severities), std::end(severities), text->get()) == std::end(severities))
      return report(node.source().begin, "expected `note`, `low`, `medium`, `high` or `never` for `fail-on`, found " +
                                             quoted(text->get()));
    config_.fail_on = text->get();
  }

  void version(std::string_view key, const toml::node& node) {
    const auto* text = node.as_string();
    if (!text) return wrong_type(key, "a string such as \"3.11\"", node);
    const std::string& version = text->get();
    bool good = !version.empty() && version.back() != '.' && version.front() != '.';
    for (std::size_t i = 0; i < version.size(); ++i)
      good = good && ((version[i] >= '0' && version[i] <= '9') || (version[i] == '.' && version[i - 1] != '.'));
    if (!good)
      return report(node.source().begin, "expected a version such as \"3.11\" for " + quoted(key) + ", found " +
                                             quoted(version));
    config_.versions[std::string(key.substr(0, key.size() - version_suffix.size()))] = version;
  }

  Config& config_;
  std::vector<SpecError>& errors_;
};

}  // namespace

Config parse_config(std::string path, std::string_view text, std::vector<SpecError>& errors) {
  Config config;
  config.path = std::move(path);
  toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    const toml::source_position& at = parsed.error().source().begin;
    SpecLoc loc;
    loc.file = config.path;
    loc.line = static_cast<std::uint32_t>(at.line);
    loc.col = static_cast<std::uint32_t>(at.column);
    errors.push_back({std::move(loc), "not a TOML file: " + std::string(parsed.error().description())});
    return config;
  }
  std::size_t before = errors.size();
  Reader(config, errors).root(parsed.table());
  // The library sorts by key; people read from the top.
  std::stable_sort(errors.begin() + static_cast<std::ptrdiff_t>(before), errors.end(),
                   [](const SpecError& a, const SpecError& b) {
                     return std::pair(a.loc.line, a.loc.col) < std::pair(b.loc.line, b.loc.col);
                   });
  return config;
}

}  // namespace reckon::specs
