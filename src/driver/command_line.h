// What commands say of the command line, and what they share of it. Only command_line.cpp and cli.cpp know the library
// that parses it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "driver/options.h"
#include "host/console.h"

namespace CLI {
class App;
}

namespace reckon::driver {

// The work of a command. Returns the exit code.
using Work = std::function<int(const Options&, host::Console&)>;

inline constexpr const char* kExitCodes =
    "Exit codes: 0 nothing found, 1 findings, 2 wrong usage, 3 nothing analysed or the build failed\n"
    "            (with --strict: not all analysed); 3 wins over 1";

inline constexpr const char* kMore = "More options";

struct Argument {
  const char* names;  // "-o,--output", or a word for what is found by its place: "files"
  const char* help;
  const char* type;  // "FILE", for the help
  bool required = false;
  bool hidden = false;  // the usage lines tell it
};

// One command (or one word with commands below it) while its arguments are described.
class CommandArguments {
 public:
  explicit CommandArguments(CLI::App& app) : app_(app) {}

  void text(const Argument& argument, std::string& place);
  void number(const Argument& argument, std::uint32_t& place, std::uint32_t least, std::uint32_t most);
  void choice(const Argument& argument, std::string& place, std::vector<std::string> choices);
  void words(const Argument& argument, std::vector<std::string>& place);     // all that are left
  void repeated(const Argument& argument, std::vector<std::string>& place);  // one at a time
  void choices(const Argument& argument, std::vector<std::string>& place, std::vector<std::string> words);
  void flag(const char* names, const char* help, bool& place);
  void hidden_flag(const char* names, bool& place);  // between processes of ours
  void footer(const char* text);
  // The heading under which --help lists the options that follow. Those of kMore are only listed by --help-all.
  void group(const char* heading);

  void input(InputOptions& input);  // -p and files
  void capture(Options& options);   // how units are captured, and -v, -q, --strict
  void paths(const Argument& argument, std::vector<std::string>& place);  // one at a time, commas belong to them
  void specs(Options& options);                                           // --config and --specs
  void domains(AnalysisOptions& wishes);                                  // --domain
  void report_outputs(std::vector<std::string>& formats, std::vector<std::string>& outputs);
  void overlay(std::vector<std::string>& place);  // for repairs that are tried

 private:
  CLI::App& app_;
};

struct CommandText {
  const char* name;
  const char* help;
  const char* usage;
  bool reads_settings = false;  // itself, of folders that it comes to know later
};

enum class Repairs : std::uint8_t { Offered, None };

class CommandLine {
 public:
  CommandLine();
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  // A command, below the word `parent` if there is one.
  CommandArguments command(const CommandText& text, Work work);
  CommandArguments command_below(const std::string& parent, const CommandText& text, Work work);
  // A word that only has commands below it.
  void group(const CommandText& text);
  // All that check, run, r, confirm, plan and fleet have in common.
  void checking(CommandArguments& arguments, Repairs repairs = Repairs::Offered);

  // False: there is nothing to run (--help, or a mistake that was told), and `exit_code` says how to end.
  bool parse(int argc, char** argv, int& exit_code);

  Options options;
  Work chosen;                         // set by parse()
  bool chosen_reads_settings = false;  // likewise

 private:
  struct Parser;  // the library's side
  std::unique_ptr<Parser> parser_;
};

}  // namespace reckon::driver
