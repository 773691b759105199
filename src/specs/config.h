// reckon.toml: what a project says about itself.
//
//   specs = ["tools/mylib.spec"]        # relative to the file; added after those that ship with Reckon
//   include = ["src/**"]                # paths to report on; without it all
//   exclude = ["third_party/**"]        # paths not to report on
//   domains = ["python"]                # forced on; without it each unit decides
//   python-version = "3.11"             # DOMAIN-version: the specs of this version are in force
//   fail-on = "medium"                  # exit status 1 from this severity on; "never" switches it off
//   severity = "low"                    # report from this severity on
//   confidence = "high"                 # and from this confidence on
//   baseline = ".reckon-baseline"       # report only what is not in this file
//   database = ["build"]                # compilation databases, or their folders
//   strict = true                       # exit status 3 if anything was not analysed
//   [checks]
//   enable = ["python-*"]
//   disable = ["python-gil-*"]
//   [folders]                           # for findings in these paths; later lines win
//   "tests" = { disable = ["*-leak"], fail-on = "high" }
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "specs/spec_set.h"

namespace reckon::specs {

struct FolderConfig {
  std::string pattern;  // of paths, relative to the file
  std::vector<std::string> enable_checks;
  std::vector<std::string> disable_checks;
  std::string fail_on;  // empty: not said
};

struct Config {
  std::string path;
  std::vector<std::string> specs;
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  std::vector<std::string> enable_checks;
  std::vector<std::string> disable_checks;
  std::vector<std::string> domains;
  std::map<std::string, std::string> versions;  // by domain
  std::string fail_on;                          // "note", "low", "medium", "high", "never"; empty: not said
  std::string severity;                         // "note", "low", "medium", "high"; empty: not said
  std::string confidence;                       // "low", "medium", "high"; empty: not said
  std::string baseline;
  std::vector<std::string> databases;
  bool strict = false;
  std::vector<FolderConfig> folders;  // in the order of the file
};

// Reads the text of such a file. Keys in error, unknown ones among them, are reported with their place and left
// out; a text that is not TOML at all gives an empty Config and one error.
Config parse_config(std::string path, std::string_view text, std::vector<SpecError>& errors);

}  // namespace reckon::specs
