// reckon.toml.
#include "specs/config.h"

#include <gtest/gtest.h>

namespace reckon::specs {
namespace {

std::string errors_of(std::string_view text, Config* config = nullptr) {
  std::vector<SpecError> errors;
  Config parsed = parse_config("reckon.toml", text, errors);
  if (config) *config = parsed;
  std::string all;
  for (const SpecError& error : errors)
    all += std::to_string(error.loc.line) + ":" + std::to_string(error.loc.col) + ": " + error.message + "\n";
  return all;
}

TEST(SpecsConfig, AllKeys) {
  Config config;
  EXPECT_EQ(errors_of("# project\n"
                      "specs = [\"tools/a.spec\",\n  'b.spec', # why\n]\n"
                      "exclude = [\"third_party/**\"]\n"
                      "domains = [\"python\", \"mine\"]\n"
                      "python-version = \"3.11\"\n"
                      "fail-on = \"medium\"\n"
                      "[checks]\nenable = [\"python-*\"]\ndisable = [\"python-gil\", \"r-*\"]\n",
                      &config),
            "");
  EXPECT_EQ(config.path, "reckon.toml");
  EXPECT_EQ(config.specs, (std::vector<std::string>{"tools/a.spec", "b.spec"}));
  EXPECT_EQ(config.exclude, std::vector<std::string>{"third_party/**"});
  EXPECT_EQ(config.domains, (std::vector<std::string>{"python", "mine"}));
  EXPECT_EQ(config.versions, (std::map<std::string, std::string>{{"python", "3.11"}}));
  EXPECT_EQ(config.fail_on, "medium");
  EXPECT_EQ(config.enable_checks, std::vector<std::string>{"python-*"});
  EXPECT_EQ(config.disable_checks, (std::vector<std::string>{"python-gil", "r-*"}));
}

TEST(SpecsConfig, InlineTableAndEmptyFile) {
  Config config;
  EXPECT_EQ(errors_of("checks = { disable = [\"x\"] }\n", &config), "");
  EXPECT_EQ(config.disable_checks, std::vector<std::string>{"x"});
  EXPECT_EQ(errors_of("", &config), "");
  EXPECT_TRUE(config.specs.empty());
}

TEST(SpecsConfig, Folders) {
  Config config;
  EXPECT_EQ(errors_of("include = [\"src\"]\n[folders]\n\"old/**\" = { disable = [\"*\"], fail-on = \"high\" }\n"
                      "tests = { enable = [\"r-*\"] }\n",
                      &config),
            "");
  EXPECT_EQ(config.include, std::vector<std::string>{"src"});
  ASSERT_EQ(config.folders.size(), 2u);
  EXPECT_EQ(config.folders[0].pattern, "old/**");
  EXPECT_EQ(config.folders[0].disable_checks, std::vector<std::string>{"*"});
  EXPECT_EQ(config.folders[0].fail_on, "high");
  EXPECT_EQ(config.folders[1].enable_checks, std::vector<std::string>{"r-*"});
  EXPECT_EQ(errors_of("[folders]\nold = { exclude = [] }\n"),
            "2:9: unknown key `exclude`, expected one of `enable`, `disable`, `fail-on`\n");
  EXPECT_EQ(errors_of("[folders]\nold = 1\n"),
            "2:7: expected a table such as { disable = [\"*-leak\"] } for `old`, found a number\n");
}

TEST(SpecsConfig, UnknownKeys) {
  Config config;
  EXPECT_EQ(errors_of("domains = [\"r\"]\nspec = [\"a\"]\n[checks]\nenabled = []\n", &config),
            "2:1: unknown key `spec`, expected one of `specs`, `include`, `exclude`, `checks`, `folders`, "
            "`domains`, `fail-on`, `severity`, `confidence`, `baseline`, `database`, `strict`, `DOMAIN-version` (did "
            "you mean `specs`?)\n"
            "4:1: unknown key `enabled`, expected one of `enable`, `disable` (did you mean `enable`?)\n");
  EXPECT_EQ(config.domains, std::vector<std::string>{"r"}) << "the rest is kept";
}

TEST(SpecsConfig, WrongTypesAndValues) {
  EXPECT_EQ(errors_of("specs = \"a.spec\"\n"), "1:9: expected a list of strings for `specs`, found a string\n");
  EXPECT_EQ(errors_of("exclude = [\"a\", 3]\n"), "1:17: expected a list of strings for `exclude`, found a number\n");
  EXPECT_EQ(errors_of("exclude = [\"\"]\n"), "1:12: an empty string in `exclude`\n");
  EXPECT_EQ(errors_of("checks = true\n"), "1:10: expected a table for `checks`, found a boolean\n");
  EXPECT_EQ(errors_of("python-version = 3.11\n"),
            "1:18: expected a string such as \"3.11\" for `python-version`, found a number\n");
  EXPECT_EQ(errors_of("python-version = \"three\"\n"),
            "1:18: expected a version such as \"3.11\" for `python-version`, found `three`\n");
  EXPECT_EQ(errors_of("python-version = \"3..1\"\n"),
            "1:18: expected a version such as \"3.11\" for `python-version`, found `3..1`\n");
  EXPECT_EQ(errors_of("\nfail-on = \"warnings\"\n"),
            "2:11: expected `note`, `low`, `medium`, `high` or `never` for `fail-on`, found `warnings`\n");
}

TEST(SpecsConfig, Strings) {
  Config config;
  EXPECT_EQ(errors_of("exclude = [\"a \\\"b\\\" \\\\ c\", 'C:\\x', \"#no comment\"]\r\n\"domains\" = [ ] # none\r\n",
                      &config),
            "");
  EXPECT_EQ(config.exclude, (std::vector<std::string>{"a \"b\" \\ c", "C:\\x", "#no comment"}));
}

TEST(SpecsConfig, NotToml) {
  Config config;
  EXPECT_EQ(errors_of("domains = [\"r\"]\nspecs = [\n", &config), "3:1: expected a value, found the end of the file\n");
  EXPECT_TRUE(config.domains.empty()) << "a file that cannot be read to its end gives nothing";
  EXPECT_EQ(errors_of("specs = [\"a\" \"b\"]"), "1:14: expected `,` or `]`, found `\"`\n");
  EXPECT_EQ(errors_of("specs\n"), "1:6: expected `=`, found the end of the line\n");
  EXPECT_EQ(errors_of("fail-on = high\n"), "1:11: expected a value, found `high`; strings need quotes\n");
  EXPECT_EQ(errors_of("fail-on = \"high\n\"\n"), "1:11: a string without an end\n");
  EXPECT_EQ(errors_of("fail-on = \"\\q\"\n"),
            "1:12: expected `\\\"`, `\\\\`, `\\n` or `\\t`; in single quotes a backslash is itself\n");
  EXPECT_EQ(errors_of("fail-on = \"high\" x\n"), "1:18: expected the end of the line, found `x`\n");
  EXPECT_EQ(errors_of("fail-on = \"high\"\nfail-on = \"low\"\n"), "2:1: the key `fail-on` twice\n");
  EXPECT_EQ(errors_of("[checks\n"), "1:8: expected `]`, found the end of the line\n");
  EXPECT_EQ(errors_of("[checks]\n[checks]\n"), "2:2: the key `checks` twice\n");
  EXPECT_EQ(errors_of("checks = {enable = []"), "1:22: expected `,` or `}`, found the end of the file\n");
  EXPECT_EQ(errors_of("specs = \"\"\"a\"\""), "1:9: a string without an end\n");
  EXPECT_EQ(errors_of("specs = " + std::string(100000, '[')), "1:26: lists or tables nested too deeply\n");
}

}  // namespace
}  // namespace reckon::specs
