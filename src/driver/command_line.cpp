#include "driver/command_line.h"
#include "driver/cache_place.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include <utility>

#include "driver/version.h"
#include "report/occasion.h"
#include "report/writers.h"
#include "support/suggest.h"

namespace reckon::driver {

namespace {

constexpr std::size_t kScreen = 80;  // columns

// Long lines are broken between words; lines that begin with spaces continue the one before, and so do broken ones.
std::string fitted(const std::string& text) {
  constexpr std::string_view kCodes = "Exit codes: ";
  std::string out, word;
  std::size_t column = 0, indent = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(' ')) {
      if (!out.empty()) out += '\n';
      column = 0;
      indent = line.starts_with(kCodes) ? kCodes.size() : 0;
    }
    for (std::istringstream words(line); words >> word; column += word.size()) {
      if (column > 0 && column + 1 + word.size() > kScreen) {
        out += '\n' + std::string(indent, ' ');
        column = indent;
      } else if (column > 0) {
        out += ' ';
        ++column;
      }
      out += word;
    }
  }
  return out.empty() ? out : out + '\n';
}

// CLI11 would print "reckon check [OPTIONS] [files...]"; a subcommand's own usage lines say more.
// Options of everyday use come in groups and fit a screen; --help-all lists the others, too.
class Help : public CLI::Formatter {
 public:
  explicit Help(std::string usage) : usage_(std::move(usage)) { column_width(25); }
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
    for (std::size_t at; (at = text.find("\n\n\n")) != std::string::npos;) text.erase(at, 1);  // of groups not shown
    return text;
  }
  std::string make_usage(const CLI::App*, std::string) const override { return "Usage: " + usage_ + "\n"; }
  std::string make_group(std::string heading, bool positional, std::vector<const CLI::Option*> options) const override {
    if (heading == kMore && !show_all) return "";
    std::string text = CLI::Formatter::make_group(std::move(heading), positional, std::move(options));
    return text.starts_with("\n") ? text.substr(1) : text;  // one empty line between groups is enough
  }
  std::string make_footer(const CLI::App* app) const override {
    const auto more = app->get_options([](const CLI::Option* option) { return option->get_group() == kMore; });
    const std::string text = fitted(CLI::Formatter::make_footer(app));
    return more.empty() || show_all ? text : fmt::format("--help-all lists {} more options\n{}", more.size(), text);
  }

  static inline bool show_all = false;  // --help-all

 private:
  std::string usage_;
};

// --format and --output as they came; they belong together by their order.
struct ReportArguments {
  std::vector<std::string> formats, outputs;
};

// One of these words; another gets them all, and the one that is meant.
CLI::Validator one_of(std::vector<std::string> choices) {
  return CLI::Validator(
      [choices = std::move(choices)](std::string& text) -> std::string {
        if (std::find(choices.begin(), choices.end(), text) != choices.end()) return "";
        std::string list;
        for (const std::string& choice : choices) list += (list.empty() ? "" : ", ") + choice;
        return fmt::format("'{}' is none of {}{}", text, list, support::did_you_mean(text, choices));
      },
      "");
}

// `--output ""` would otherwise silently be as if the option were not there.
CLI::Validator not_empty() {
  return CLI::Validator([](std::string& text) -> std::string { return text.empty() ? "the value is empty" : ""; }, "");
}

constexpr double kLargest = 1e9;  // seconds or MiB: beyond it sums would overflow

// A number from 0 on; "nan", "inf" and what a conversion to an unsigned type would make of -1 are none.
CLI::Validator not_negative(bool whole) {
  return CLI::Validator(
      [whole](std::string& text) -> std::string {
        double value = 0;
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool good = problem == std::errc() && end == text.data() + text.size() && std::isfinite(value) &&
                          value >= 0 && value <= kLargest &&
                          (!whole || text.find_first_not_of("0123456789") == std::string::npos);
        return good ? "" : fmt::format("'{}' is no {}number from 0 to 1000000000", text, whole ? "whole " : "");
      },
      "");
}

// "500M": digits first, so that neither a sign nor a word gets through to the conversion.
CLI::Validator starts_with_digit() {
  return CLI::Validator(
      [](std::string& text) -> std::string {
        return !text.empty() && text[0] >= '0' && text[0] <= '9' ? "" : fmt::format("'{}' is no size", text);
      },
      "");
}

// Takes what the file holds, too.
CLI::Validator key_of_cache(support::Secret& secret) {
  return CLI::Validator([&secret](std::string& path) { return path.empty() ? "" : read_cache_key(path, secret); }, "");
}

std::vector<std::string> format_list() {
  std::vector<std::string> names;
  for (const report::Format& format : report::formats()) names.emplace_back(format.name);
  return names;
}

std::string format_names() {
  std::string text;
  for (const std::string& name : format_list()) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::vector<std::string> trigger_list() {
  std::vector<std::string> names;
  for (const report::Trigger trigger : report::all_triggers()) names.emplace_back(report::name_of(trigger));
  return names;
}

std::vector<std::string> place_list() {
  std::vector<std::string> names;
  for (const report::Place place : report::all_places()) names.emplace_back(report::name_of(place));
  return names;
}

void add_analysis(CommandArguments& arguments, AnalysisOptions& o) {
  arguments.group("General");
  arguments.repeated({"--checks", "Checks to run: names or globs, -GLOB leaves out", "GLOBS"}, o.checks);
  arguments.domains(o);
  arguments.group(kMore);
  arguments.text({"--only-function", "Report on this function only", "NAME"}, o.only_function);
  arguments.flag("--free-threaded", "Judge as for an interpreter without a global lock", o.free_threaded);
  arguments.flag("--no-smt", "Do not ask the solver whether a path is possible", o.no_smt);
  arguments.choice({"--dump", "Print the `model`, the `summary` or the `states` of functions, too", "WHAT"}, o.dump,
                   {"model", "summary", "states"});
  arguments.text({"--why-not", "Say what was known at this line, and why it is silent", "FILE:LINE"}, o.why_not);
}

void add_report(CommandArguments& arguments, ReportOptions& o) {
  arguments.group("What is reported");
  arguments.choice({"--severity", "Least severity: note (default), low, medium, high", "LEVEL"}, o.severity,
                   {"note", "low", "medium", "high"});
  arguments.choice({"--confidence", "Least confidence: low, medium (default), high", "LEVEL"}, o.confidence,
                   {"low", "medium", "high"});
  arguments.choice({"--fail-on", "Least severity for exit code 1, or never", "SEVERITY"}, o.fail_on,
                   {"note", "low", "medium", "high", "never"});
  arguments.text({"--baseline", "Only what is not in this file", "FILE"}, o.baseline);
  arguments.text({"--write-baseline", "Write all findings to this file", "FILE"}, o.write_baseline);
  arguments.text({"--new-since", "Only what is new since the branch left this revision", "REV"}, o.new_since);
  arguments.text({"--changed-since", "Only what a change since this git revision affects", "REV"}, o.changed_since);
  arguments.group(kMore);
  arguments.choices({"--trigger", "Only these: normal, input, outside, race, memory", "LIST"}, o.triggers,
                    trigger_list());
  arguments.choices({"--place", "Only these: run, teardown, init", "LIST"}, o.places, place_list());
  arguments.text({"--root", "Show paths relative to this folder, not the current one", "DIR"}, o.base);
  arguments.flag("--full-path", "Show every step of a path", o.full_path);
  arguments.flag("--system-headers", "Report on headers outside the project, too", o.system_headers);
}

void add_repairs(CommandArguments& arguments, ReportOptions& o) {
  arguments.group("Repairs");
  arguments.flag("--offer-fixes", "Try repairs and report those that work", o.offer_fixes);
  arguments.flag("--fix", "Apply the repairs that work", o.fix);
  arguments.flag("--fix-dry-run", "Print them as a patch instead of a report", o.fix_dry_run);
}

// The first format for people, or for machines.
std::string default_format(bool for_people) {
  const std::span<const report::Format> all = report::formats();
  return std::string(std::find_if(all.begin(), all.end(), [&](const report::Format& format) {
                       return format.has_summary == for_people;
                     })->name);
}

// An --output belongs to the --format before it, or else to the first one. "" or what is wrong. `to_stdout`: a report
// without an --output goes there, so that at most one may be without.
std::string pair_reports(const CLI::App& app, const ReportArguments& arguments, bool to_stdout,
                         std::vector<ReportWish>& reports) {
  std::size_t formats = 0, outputs = 0;
  std::string early;
  for (const CLI::Option* option : app.parse_order()) {
    if (option->check_name("--format")) {
      reports.push_back({arguments.formats[formats++], std::exchange(early, "")});
    } else if (option->check_name("--output")) {
      const std::string& output = arguments.outputs[outputs++];
      std::string& place = reports.empty() ? early : reports.back().output;
      if (!place.empty()) return fmt::format("--output {}: the report before it has an output already", output);
      place = output;
    }
  }
  if (reports.empty()) reports.push_back({default_format(to_stdout), early});
  std::size_t without = 0;
  for (const ReportWish& wish : reports) {
    without += wish.output.empty() || wish.output == "-";
    if (report::find_format(wish.format)->to_folder && (wish.output.empty() || wish.output == "-"))
      return fmt::format("--format={} needs --output with a folder", wish.format);
  }
  return to_stdout && without > 1 ? "two reports to standard output; give each --format an --output" : "";
}

// `--output=` of a script whose variable is not set: the library would take the next word for the value. "" or what is
// wrong.
std::string about_empty_values(const std::vector<std::string>& words) {
  for (const std::string& word : words)
    if (word.starts_with("--") && word.find('=') == word.size() - 1)
      return fmt::format("{}: the value is empty", word.substr(0, word.size() - 1));
  return "";
}

// Everything after the first `--` is not ours to parse: compiler flags or a build command.
std::vector<std::string> split_trailing(int argc, char** argv, InputOptions& input) {
  std::vector<std::string> ours;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (input.has_trailing)
      input.trailing.push_back(argument);
    else if (argument == "--")
      input.has_trailing = true;
    else if (argument == "--help-all")
      Help::show_all = true, ours.emplace_back("--help");
    else
      ours.push_back(argument);
  }
  std::reverse(ours.begin(), ours.end());  // the order CLI11 wants
  return ours;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(sub->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

// The command that was named, the innermost.
const CLI::App& named_command(const CLI::App& app) {
  const CLI::App* at = &app;
  for (auto below = at->get_subcommands(); !below.empty(); below = at->get_subcommands()) at = below.front();
  return *at;
}

// "check", "spec check", or "" for reckon itself.
std::string name_of(const CLI::App& command) {
  const CLI::App* above = command.get_parent();
  if (above == nullptr) return "";
  const std::string before = name_of(*above);
  return (before.empty() ? "" : before + " ") + command.get_name();
}

// What to say of words that no option and no place of the command takes; "" if the library's own words will do.
std::string about_unexpected(const CLI::App& app) {
  const CLI::App& command = named_command(app);
  std::string out;
  for (const std::string& word : app.remaining(true)) {
    std::string text;
    if (word.starts_with("--")) {
      const std::string name = word.substr(0, word.find('='));
      text = fmt::format("reckon {} has no option '{}'{}", name_of(command), name,
                         support::did_you_mean(name, option_names(command)));
    } else if (word.starts_with("-") && command.get_option_no_throw("files") != nullptr) {
      text =
          fmt::format("'{}' is no option of reckon {}; flags of the compiler stand after --: reckon {} FILE... -- {}",
                      word, command.get_name(), command.get_name(), word);
    } else if (const auto known = command_names(command); !known.empty()) {
      text = fmt::format("there is no command '{}'{}", word, support::did_you_mean(word, known));
    }
    if (!text.empty()) out += (out.empty() ? "" : "\n") + text;
  }
  return out;
}

// What is wrong with the command line, an error a line.
void tell_usage(const CLI::App& app, std::string_view text) {
  host::Console console(host::Verbosity::Normal);
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), one.size() + 1));
    console.error(one);
  }
  const std::string name = name_of(named_command(app));
  console.result(fmt::format("reckon {}--help says more", name.empty() ? "" : name + " "));
}

}  // namespace

void CommandArguments::text(const Argument& argument, std::string& place) {
  CLI::Option* option = app_.add_option(argument.names, place, argument.help)
                            ->type_name(argument.type)
                            ->required(argument.required)
                            ->check(not_empty());
  if (argument.hidden) option->group("");
}

void CommandArguments::number(const Argument& argument, std::uint32_t& place, std::uint32_t least, std::uint32_t most) {
  CLI::Option* option = app_.add_option(argument.names, place, argument.help)
                            ->type_name(argument.type)
                            ->required(argument.required)
                            ->check(CLI::Range(least, most).description(""));
  if (argument.hidden) option->group("");
}

void CommandArguments::choice(const Argument& argument, std::string& place, std::vector<std::string> choices) {
  app_.add_option(argument.names, place, argument.help)
      ->type_name(argument.type)
      ->required(argument.required)
      ->check(one_of(std::move(choices)));
}

void CommandArguments::paths(const Argument& argument, std::vector<std::string>& place) {
  app_.add_option(argument.names, place, argument.help)
      ->allow_extra_args(false)
      ->type_name(argument.type)
      ->check(not_empty());
}

void CommandArguments::group(const char* heading) { app_.option_defaults()->group(heading); }

void CommandArguments::words(const Argument& argument, std::vector<std::string>& place) {
  CLI::Option* option = app_.add_option(argument.names, place, argument.help)->type_name(argument.type);
  option->required(argument.required)->check(not_empty());
  if (argument.hidden) option->group("");
}

void CommandArguments::repeated(const Argument& argument, std::vector<std::string>& place) {
  choices(argument, place, {});
}

void CommandArguments::choices(const Argument& argument, std::vector<std::string>& place,
                               std::vector<std::string> words) {
  CLI::Option* option = app_.add_option(argument.names, place, argument.help)
                            ->delimiter(',')
                            ->allow_extra_args(false)
                            ->type_name(argument.type)
                            ->check(not_empty());
  if (!words.empty()) option->check(one_of(std::move(words)));
}

void CommandArguments::flag(const char* names, const char* help, bool& place) { app_.add_flag(names, place, help); }

void CommandArguments::hidden_flag(const char* names, bool& place) { app_.add_flag(names, place)->group(""); }

void CommandArguments::footer(const char* text) { app_.footer(text); }

void CommandArguments::input(InputOptions& input) {
  group("Input");
  paths({"-p", "Compilation database, or its folder; may be repeated", "DIR|FILE"}, input.databases);
  words({"files", "Source files; with -p only these", "FILE", false, true}, input.files);
  group(kMore);
  flag("--skip-headers", "Pass over headers among the files, for hooks", input.skip_headers);
}

void CommandArguments::capture(Options& options) {
  CaptureOptions& o = options.capture;
  group("General");
  app_.add_option("-j,--jobs", o.jobs, "Parallel jobs (default: one a core)")
      ->check(CLI::Range(1u, 4096u).description(""))
      ->type_name("N");
  flag("--strict", "Exit with 3 if anything was not analysed", options.strict);
  flag("-v,--verbose", "Say more: dropped flags, every unit that failed", options.verbose);
  flag("-q,--quiet", "Findings and errors only", options.quiet);
  group(kMore);
  text({"--cache", "Cache folder (default ~/.cache/reckon)", "DIR"}, o.cache_dir);
  app_.add_option("--cache-key", o.cache_key, "The secret of those who share the cache")
      ->type_name("FILE")
      ->check(not_empty())
      ->check(key_of_cache(o.cache_secret));
  flag("--no-cache", "Neither read nor write a cache", o.no_cache);
  app_.add_option("--cache-size", o.cache_size, "Size limit of the cache, e.g. 500M (default 5G)")
      ->transform(CLI::AsSizeValue(false).description(""))
      ->transform(starts_with_digit())  // the one added last runs first
      ->type_name("SIZE");
  app_.add_option("--timeout", o.timeout, "Seconds a unit may take (default 120; 0: any)")
      ->check(not_negative(false))
      ->type_name("S");
  app_.add_option("--units-in-memory", o.units_in_memory, "Units held in memory at once (default 2000)")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1000000000}).description(""))
      ->type_name("N");
  app_.add_option("--memory-limit", o.memory_limit_mib, "MiB a process may use (capture: default 4096; 0: any)")
      ->check(not_negative(true))
      ->type_name("MIB");
}

void CommandArguments::specs(Options& options) {
  group("Input");
  text({"--config", "Settings (default: the nearest reckon.toml)", "FILE"}, options.config);
  paths({"--specs", "A spec file of your own; may be repeated", "FILE"}, options.analysis.specs);
}

void CommandArguments::domains(AnalysisOptions& wishes) {
  repeated({"--domain", "Domains to check (default: as the units include)", "NAMES"}, wishes.domains);
}

void CommandArguments::report_outputs(std::vector<std::string>& formats, std::vector<std::string>& outputs) {
  group("Output");
  app_.add_option("--format", formats, format_names())
      ->check(one_of(format_list()))
      ->allow_extra_args(false)
      ->type_name("FORMAT");
  app_.add_option("--output", outputs, "File or folder of the format before it")
      ->allow_extra_args(false)
      ->type_name("PATH")
      ->check(not_empty());
}

void CommandArguments::overlay(std::vector<std::string>& place) {
  app_.add_option("--overlay", place, "For repairs that are tried")->expected(2)->group("");
}

struct CommandLine::Parser {
  CLI::App app{"Finds bugs in code that counts references or protects objects by hand.", "reckon"};
  ReportArguments reports;
};

CommandLine::CommandLine() : parser_(std::make_unique<Parser>()) {
  CLI::App& app = parser_->app;
  app.formatter(std::make_shared<Help>("reckon SUBCOMMAND [OPTIONS]; reckon SUBCOMMAND --help says more"));
  app.require_subcommand(1);
  app.footer(kExitCodes);
  app.set_version_flag("--version", version_text);
}

CommandLine::~CommandLine() = default;

CommandArguments CommandLine::command(const CommandText& text, Work work) { return command_below("", text, work); }

CommandArguments CommandLine::command_below(const std::string& parent, const CommandText& text, Work work) {
  CLI::App& above = parent.empty() ? parser_->app : *parser_->app.get_subcommand(parent);
  CLI::App& app = *above.add_subcommand(text.name, text.help);
  app.formatter(std::make_shared<Help>(text.usage));
  // Whoever reads it knows. Below a command that hides its own, the library makes none.
  CLI::Option* help = app.get_help_ptr();
  if (help == nullptr) help = app.set_help_flag("-h,--help", "Print this help message and exit");
  help->group("");
  app.parse_complete_callback([this, &app, work = std::move(work), reads_settings = text.reads_settings] {
    if (!app.get_subcommands().empty()) return;  // a command below it is meant
    chosen = work;
    chosen_reads_settings = reads_settings;
  });
  return CommandArguments(app);
}

void CommandLine::group(const CommandText& text) {
  CLI::App& app = *parser_->app.add_subcommand(text.name, text.help);
  app.formatter(std::make_shared<Help>(text.usage));
  app.require_subcommand(1);
}

void CommandLine::checking(CommandArguments& arguments, Repairs repairs) {
  arguments.specs(options);
  arguments.report_outputs(parser_->reports.formats, parser_->reports.outputs);
  add_report(arguments, options.report);
  if (repairs == Repairs::Offered) add_repairs(arguments, options.report);
  add_analysis(arguments, options.analysis);
  arguments.capture(options);
  arguments.overlay(options.report.overlay);
  arguments.footer(kExitCodes);
}

bool CommandLine::parse(int argc, char** argv, int& exit_code) {
  CLI::App& app = parser_->app;
  std::vector<std::string> words = split_trailing(argc, argv, options.input);
  if (const std::string problem = about_empty_values(words); !problem.empty()) {
    host::Console(host::Verbosity::Normal).error(problem);
    exit_code = kExitUsage;
    return false;
  }
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError& e) {
    const std::string text = e.get_exit_code() == 0 ? "" : about_unexpected(app);
    if (!text.empty()) {
      tell_usage(app, text);
      exit_code = kExitUsage;
      return false;
    }
    exit_code = e.get_exit_code() == 0 ? kExitClean : kExitUsage;
    if (exit_code == kExitClean)
      app.exit(e);  // prints the help, or the version
    else
      tell_usage(app, e.what());
    return false;
  }
  for (const char* name : {"check", "run", "r", "confirm", "plan", "fleet"}) {
    const CLI::App* sub = app.get_subcommand(name);
    if (!sub->parsed()) continue;
    const bool to_stdout = name != std::string_view("plan") && name != std::string_view("fleet");  // theirs are files
    if (const std::string problem = pair_reports(*sub, parser_->reports, to_stdout, options.report.reports);
        !problem.empty()) {
      host::Console(options.verbosity()).error(problem);
      exit_code = kExitUsage;
      return false;
    }
  }
  options.arguments.assign(argv, argv + argc);
  options.analysis.narrowed = !options.analysis.checks.empty() || !options.analysis.only_function.empty();
  return true;
}

}  // namespace reckon::driver
