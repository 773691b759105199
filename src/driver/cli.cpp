#include "driver/cli.h"

#include <fmt/core.h>
#include <sched.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "capture/capture.h"
#include "driver/commands.h"
#include "driver/options.h"
#include "driver/settings.h"
#include "driver/version.h"
#include "report/writers.h"

namespace reckon::driver {

namespace {

constexpr const char* kExitCodes =
    "Exit codes: 0 nothing found, 1 findings, 2 wrong usage, 3 not all analysed (--strict)";

unsigned available_cores() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? static_cast<unsigned>(std::max(1, CPU_COUNT(&set))) : 1;
}

// CLI11 would print "reckon check [OPTIONS] [files...]"; a subcommand's own usage lines say more.
class Help : public CLI::Formatter {
 public:
  explicit Help(std::string usage) : usage_(std::move(usage)) { column_width(25); }
  std::string make_usage(const CLI::App*, std::string) const override { return "Usage: " + usage_ + "\n"; }

 private:
  std::string usage_;
};

using Command = int (*)(const Options&, Console&);

// Like CLI::IsMember, without listing the choices in the help a second time.
CLI::Validator one_of(std::vector<std::string> choices) { return CLI::IsMember(std::move(choices)).description(""); }

void add_input(CLI::App& app, Options& o) {
  app.add_option("-p", o.database, "Compilation database, or its folder")->type_name("DIR|FILE");
  app.add_option("files", o.files, "Source files; with -p only these")->type_name("FILE")->group("");  // usage tells
}

void add_capture(CLI::App& app, Options& o) {
  app.add_option("-j,--jobs", o.jobs, "Parallel jobs (default: one a core)")
      ->check(CLI::Range(1u, 4096u).description(""))
      ->type_name("N");
  app.add_option("--cache", o.cache_dir, "Cache folder (default ~/.cache/reckon)")->type_name("DIR");
  app.add_flag("--no-cache", o.no_cache, "Neither read nor write a cache");
  app.add_option("--cache-size", o.cache_size, "Size limit of the cache, e.g. 500M (default 5G)")
      ->transform(CLI::AsSizeValue(false).description(""))
      ->type_name("SIZE");
  app.add_option("--timeout", o.timeout, "Seconds a unit may take (default 120; 0: any)")
      ->check(CLI::Validator(CLI::NonNegativeNumber).description(""))
      ->type_name("S");
  app.add_option("--memory-limit", o.memory_limit_mib, "MiB a worker may use (default 4096; 0: any)")->type_name("MIB");
  app.add_flag("--strict", o.strict, "Exit with 3 if anything was not analysed");
  app.add_flag("-v,--verbose", o.verbose, "Say more: dropped flags, every unit that failed");
  app.add_flag("-q,--quiet", o.quiet, "Findings and errors only");
}

void add_specs(CLI::App& app, Options& o) {
  app.add_option("--config", o.config, "Settings (default: the nearest reckon.toml)")->type_name("FILE");
  app.add_option("--specs", o.specs, "A spec file of your own; may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false);
}

// --format and --output as they came; they belong together by their order.
struct ReportArguments {
  std::vector<std::string> formats, outputs;
};

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

// An --output belongs to the --format before it, or else to the first one. "" or what is wrong.
std::string pair_reports(const CLI::App& app, const ReportArguments& arguments, std::vector<ReportWish>& reports) {
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
  if (reports.empty()) reports.push_back({"text", early});
  std::size_t to_stdout = 0;
  for (const ReportWish& wish : reports) {
    to_stdout += wish.output.empty() || wish.output == "-";
    if (report::find_format(wish.format)->to_folder && (wish.output.empty() || wish.output == "-"))
      return fmt::format("--format={} needs --output with a folder", wish.format);
  }
  return to_stdout > 1 ? "two reports to standard output; give each --format an --output" : "";
}

void add_domains(CLI::App& app, Options& o) {
  app.add_option("--domain", o.domains, "Domains to check (default: as the units include)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAMES");
}

void add_analysis(CLI::App& app, Options& o, ReportArguments& w) {
  app.add_option("--checks", o.checks, "Checks to run: names or globs, -GLOB leaves out")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("GLOBS");
  add_domains(app, o);
  app.add_option("--only-function", o.only_function, "Report on this function only")->type_name("NAME");
  app.add_flag("--free-threaded", o.free_threaded, "Judge as for an interpreter without a global lock");
  app.add_flag("--no-smt", o.no_smt, "Do not ask the solver whether a path is possible");
  add_specs(app, o);
  app.add_option("--dump", o.dump, "Print the model, the summaries or the states at the ends, too")
      ->check(one_of({"model", "summary", "states"}))
      ->type_name("WHAT");
  app.add_option("--format", w.formats, format_names() + "; may be repeated")
      ->check(one_of(format_list()))
      ->allow_extra_args(false)
      ->type_name("FORMAT");
  app.add_option("--output", w.outputs, "File or folder of the format before it")
      ->allow_extra_args(false)
      ->type_name("PATH");
  app.add_flag("--full-path", o.full_path, "Show every step of a path");
  app.add_option("--fail-on", o.fail_on, "Least severity for exit code 1, or never")
      ->check(one_of({"note", "low", "medium", "high", "never"}))
      ->type_name("SEVERITY");
  app.add_option("--confidence", o.confidence, "Least confidence of what is reported (default medium)")
      ->check(one_of({"low", "medium", "high"}))
      ->type_name("LEVEL");
  app.add_option("--baseline", o.baseline, "Report only what is not in this file")->type_name("FILE");
  app.add_option("--write-baseline", o.write_baseline, "Write all findings to this file")->type_name("FILE");
  app.add_option("--changed-since", o.changed_since, "Only what a change since this git revision affects")
      ->type_name("REV");
  app.add_flag("--offer-fixes", o.offer_fixes, "Try repairs and report those that work");
  app.add_option("--overlay", o.overlay, "For repairs that are tried")->expected(2)->group("");
  app.add_flag("--fix", o.fix, "Apply the repairs that work");
  app.add_flag("--fix-dry-run", o.fix_dry_run, "Print them as a patch instead of a report");
}

CLI::App* add_command(CLI::App& app, const char* name, const char* help, const char* usage, Command& chosen,
                      Command command) {
  CLI::App* sub = app.add_subcommand(name, help);
  sub->formatter(std::make_shared<Help>(usage));
  sub->parse_complete_callback([&chosen, command] { chosen = command; });
  return sub;
}

void define(CLI::App& app, Options& o, ReportArguments& w, Command& chosen) {
  app.formatter(std::make_shared<Help>("reckon SUBCOMMAND [OPTIONS]; reckon SUBCOMMAND --help says more"));
  app.require_subcommand(1);
  app.footer(kExitCodes);
  app.set_version_flag("--version",
                       [] { return fmt::format("reckon {} (Clang {})", version(), capture::clang_version()); });

  CLI::App* check = add_command(app, "check", "Check a program or source files",
                                "reckon check [OPTIONS] -p DIR|FILE.json [FILE...]\n"
                                "       reckon check [OPTIONS] FILE... [-- FLAGS...]",
                                chosen, command_check);
  add_input(*check, o);
  add_capture(*check, o);
  add_analysis(*check, o, w);
  check->footer(kExitCodes);

  CLI::App* run = add_command(app, "run", "Record a build with Bear and check what it compiled",
                              "reckon run [OPTIONS] -- BUILD COMMAND...", chosen, command_run);
  add_capture(*run, o);
  add_analysis(*run, o, w);
  run->footer(kExitCodes);

  CLI::App* r = add_command(app, "r", "Check an R package from its sources", "reckon r [OPTIONS] FOLDER|ARCHIVE",
                            chosen, command_r);
  r->add_option("package", o.name, "The package: a folder or a .tar.gz")->required()->type_name("PACKAGE");
  add_capture(*r, o);
  add_analysis(*r, o, w);
  r->footer(kExitCodes);

  CLI::App* dump = add_command(app, "dump", "Show what was captured and linked",
                               "reckon dump WHAT [OPTIONS] -p DIR|FILE.json [FILE...]\n"
                               "       reckon dump WHAT [OPTIONS] FILE... [-- FLAGS...]",
                               chosen, command_dump);
  dump->add_option("what", o.dump_what, "model, callgraph, classes or tables")
      ->required()
      ->check(one_of({"model", "callgraph", "classes", "tables"}))
      ->type_name("WHAT");
  add_input(*dump, o);
  dump->add_option("--function", o.function, "Only this function")->type_name("NAME");
  add_capture(*dump, o);
  add_specs(*dump, o);
  dump->footer(kExitCodes);

  CLI::App* pack = add_command(app, "pack", "Write what a library's functions do as a spec file",
                               "reckon pack -o FILE [OPTIONS] -p DIR|FILE.json [FILE...]\n"
                               "       reckon pack -o FILE [OPTIONS] FILE... [-- FLAGS...]",
                               chosen, command_pack);
  pack->add_option("-o,--output", o.pack_file, "The pack, a spec file; use it with --specs")
      ->required()
      ->type_name("FILE");
  pack->add_flag("--known", o.pack_known, "Also functions that a spec describes: what their bodies do");
  add_input(*pack, o);
  add_capture(*pack, o);
  add_domains(*pack, o);
  add_specs(*pack, o);
  pack->footer(kExitCodes);

  CLI::App* annotate = add_command(app, "annotate", "Show the lines where garbage may be collected",
                                   "reckon annotate [--copy DIR] [OPTIONS] -p DIR|FILE.json [FILE...]\n"
                                   "       reckon annotate [--copy DIR] [OPTIONS] FILE... [-- FLAGS...]",
                                   chosen, command_annotate);
  annotate->add_option("--copy", o.annotate_folder, "Write annotated copies of the sources there")->type_name("DIR");
  add_input(*annotate, o);
  add_capture(*annotate, o);
  add_domains(*annotate, o);
  add_specs(*annotate, o);
  annotate->footer(kExitCodes);

  CLI::App* mine = add_command(app, "mine", "Propose spec lines for pairs that look like get and put",
                               "reckon mine [OPTIONS] -p DIR|FILE.json [FILE...]\n"
                               "       reckon mine [OPTIONS] FILE... [-- FLAGS...]",
                               chosen, command_mine);
  add_input(*mine, o);
  add_capture(*mine, o);
  add_specs(*mine, o);
  mine->footer(kExitCodes);

  CLI::App* compdb = app.add_subcommand("compdb", "Make a compilation database without building");
  compdb->formatter(std::make_shared<Help>("reckon compdb linux DIR"));
  compdb->require_subcommand(1);
  CLI::App* kernel =
      add_command(*compdb, "linux", "Of a configured kernel tree",
                  "reckon compdb linux [-o FILE] DIR [TARGET...] [-- MAKE ARGUMENTS...]", chosen, command_compdb_linux);
  kernel->add_option("-o,--output", o.pack_file, "Default: compile_commands.json in the tree")->type_name("FILE");
  kernel->add_option("tree", o.tree, "The tree, with its .config")->required()->type_name("DIR");
  kernel->add_option("targets", o.files, "Folders (drivers/spi/) or objects; default: everything")->type_name("TARGET");

  CLI::App* spec = app.add_subcommand("spec", "Look at spec files");
  spec->formatter(std::make_shared<Help>("reckon spec check|show|words ..."));
  spec->require_subcommand(1);
  CLI::App* spec_check = add_command(*spec, "check", "Are spec files well formed, and do they fit the code?",
                                     "reckon spec check FILE... [-p DIR|FILE.json]\n"
                                     "       reckon spec check FILE... -- SOURCE... [FLAGS...]",
                                     chosen, command_spec_check);
  spec_check->add_option("files", o.files, "Spec files")->required()->type_name("FILE");
  spec_check->add_option("-p", o.database, "Compare with the prototypes of this compilation database")
      ->type_name("DIR|FILE");
  add_capture(*spec_check, o);
  CLI::App* spec_show = add_command(*spec, "show", "What the specs say of a function",
                                    "reckon spec show [--specs FILE] NAME", chosen, command_spec_show);
  spec_show->add_option("name", o.name, "Name of the function")->required()->type_name("NAME");
  add_specs(*spec_show, o);
  add_command(*spec, "words", "Effects and properties of contracts that specs can name", "reckon spec words", chosen,
              command_spec_words);

  add_command(app, "list-checks", "Name all checks", "reckon list-checks", chosen, command_list_checks);
  CLI::App* explain =
      add_command(app, "explain", "Print the page of a check", "reckon explain CHECK", chosen, command_explain);
  explain->add_option("check", o.name, "Name of the check")->required()->type_name("CHECK");
}

// Everything after the first `--` is not ours to parse: compiler flags or a build command.
std::vector<std::string> split_trailing(int argc, char** argv, Options& options) {
  std::vector<std::string> ours;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (options.has_trailing)
      options.trailing.push_back(argument);
    else if (argument == "--")
      options.has_trailing = true;
    else
      ours.push_back(argument);
  }
  std::reverse(ours.begin(), ours.end());  // the order CLI11 wants
  return ours;
}

}  // namespace

int run_cli(int argc, char** argv) {
  Options options;
  options.jobs = available_cores();
  Command command = nullptr;
  CLI::App app("Finds bugs in code that counts references or protects objects by hand.", "reckon");
  ReportArguments reports;
  define(app, options, reports, command);
  try {
    app.parse(split_trailing(argc, argv, options));
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? kExitClean : kExitUsage;
  }
  Console console(options.verbosity());
  for (const char* name : {"check", "run", "r"}) {
    const CLI::App* sub = app.get_subcommand(name);
    if (!sub->parsed()) continue;
    if (const std::string problem = pair_reports(*sub, reports, options.reports); !problem.empty()) {
      console.error(problem);
      return kExitUsage;
    }
  }
  options.arguments.assign(argv, argv + argc);
  options.narrowed = !options.checks.empty() || !options.only_function.empty();
  if (auto settings = Settings::load(options, console))
    options.settings = std::make_shared<const Settings>(std::move(*settings));
  else
    return kExitUsage;
  return command(options, console);
}

}  // namespace reckon::driver
