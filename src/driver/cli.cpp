#include "driver/cli.h"

#include <fmt/core.h>
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <new>

#include "driver/command_line.h"
#include "driver/commands.h"
#include "driver/link_stage.h"
#include "driver/settings.h"
#include "host/descriptors.h"
#include "host/memory.h"
#include "host/threads.h"

namespace reckon::driver {

namespace {

unsigned available_cores() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? static_cast<unsigned>(std::max(1, CPU_COUNT(&set))) : 1;
}

void define_commands(CommandLine& line) {
  define_init(line);
  define_doctor(line);
  define_check(line);
  define_run(line);
  define_r(line);
  define_confirm(line);
  define_plan(line);
  define_fleet(line);
  define_dump(line);
  define_pack(line);
  define_annotate(line);
  define_mine(line);
  line.group({"compdb", "Make a compilation database without building", "reckon compdb linux DIR"});
  define_compdb_linux(line);
  line.group({"import", "Make a spec of what others wrote down", "reckon import gir FILE... -o OUT.spec"});
  define_import_gir(line);
  line.group({"spec", "Look at spec files", "reckon spec check|show|words|unknown ..."});
  define_spec_check(line);
  define_spec_show(line);
  define_spec_words(line);
  define_spec_unknown(line);
  define_list_checks(line);
  define_explain(line);
  define_diff(line);
  define_lsp(line);
}

int run_command(int argc, char** argv) {
  CommandLine line;
  Options& options = line.options;
  options.capture.jobs = available_cores();
  define_commands(line);
  int exit_code = kExitClean;
  if (!line.parse(argc, argv, exit_code)) return exit_code;
  host::Console console(options.verbosity());
  if (const unsigned threads = host::available_threads(options.capture.jobs); threads < options.capture.jobs) {
    console.warning(fmt::format("the system gives {} of {} threads (-j)", threads, options.capture.jobs));
    options.capture.jobs = threads;
  }
  if (!line.chosen_reads_settings) {
    auto settings = Settings::load(options, console);
    if (!settings) return kExitUsage;
    options.settings = std::make_shared<const Settings>(std::move(*settings));
  }
  return line.chosen(options, console);
}

}  // namespace

int run_cli(int argc, char** argv) {
  host::prepare_process();
  int code = kExitIncomplete;
  try {
    code = run_command(argc, argv);
  } catch (const std::bad_alloc&) {
    host::lift_memory_limit();
    host::Console(host::Verbosity::Normal).error("memory ran out, and nothing was reported (--memory-limit)");
  } catch (const UnitGone& e) {
    host::Console(host::Verbosity::Normal).error(e.what());
  }
  // Whatever a command prints: on a full or closed stream it is lost, and nobody may take that for an answer.
  errno = 0;
  std::cout.flush();
  if (std::cout && std::fflush(stdout) == 0) return code;
  const int problem = errno;  // before a console asks what stderr is
  host::Console(host::Verbosity::Normal)
      .error(std::string("standard output could not be written in full") +
             (problem != 0 ? ": " + std::string(std::strerror(problem)) : ""));
  return kExitUsage;
}

}  // namespace reckon::driver
