// reckon spec check FILE...: are the files well formed, and do they agree with the code they are about, with its
// declarations and with those bodies that are in sight?
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "analysis/analyse.h"
#include "driver/capture_stage.h"
#include "driver/command_line.h"
#include "driver/commands.h"
#include "driver/declared.h"
#include "driver/input.h"
#include "driver/spec_files.h"
#include "driver/spec_packs.h"
#include "program/named_calls.h"
#include "program/program.h"
#include "support/terminal_text.h"

namespace reckon::driver {

namespace {

// "FILE:LINE:COL: error: TEXT"
std::string line_of(const specs::SpecError& e, std::string_view label) {
  return fmt::format("{}:{}:{}: {}: {}", e.loc.file, e.loc.line, e.loc.col, label, e.message);
}

// Lines whose names no source has: the first of them, for a spec may be about more than these sources use.
void tell_unused(const std::vector<specs::SpecError>& unused, host::Console& console) {
  constexpr std::size_t kMost = 20;
  for (std::size_t i = 0; i < std::min(unused.size(), kMost); ++i)
    console.note(support::printable(line_of(unused[i], "note")));
  if (unused.size() > kMost)
    console.note(
        fmt::format("and {} more lines about functions that no source calls or defines", unused.size() - kMost));
}

// Says where bodies of functions do not do what the files in `set` say. `together`: these and all others.
std::size_t compare_with_bodies(const specs::SpecSet& set, const specs::SpecSet& together, Captured captured,
                                const Options& options, host::Console& console) {
  const program::Program program =
      program::Program::link(program::with_named_calls(std::move(captured.units), together));
  analysis::Options wishes;
  wishes.jobs = options.capture.jobs;
  wishes.check_globs = {"annotation"};
  for (const specs::DomainSpec& domain : set.domains()) wishes.domains.push_back(domain.name);
  std::size_t told = 0;
  for (const report::Finding& f : analysis::analyse(program, together, wishes).findings) {
    const specs::FunctionSpec* spec = set.find(f.function);
    if (!spec) continue;
    ++told;
    console.raw(support::printable(fmt::format("{}:{}:{}: error: {} ({}:{})", f.loc.file, f.loc.line, f.loc.col,
                                               f.message, spec->loc.file, spec->loc.line)));
  }
  return told;
}

// Says where declarations and bodies in the sources contradict the specs. The exit code.
int compare_with_sources(const specs::SpecSet& set, specs::SpecSet& together, const Options& options,
                         host::Console& console) {
  // Behind `--`: sources, and the flags they are compiled with.
  Options sources = options;
  sources.input.files.clear();
  sources.input.trailing.clear();
  for (const std::string& word : options.input.trailing)
    (word.starts_with("-") || !std::filesystem::exists(word) ? sources.input.trailing : sources.input.files)
        .push_back(word);
  if (!options.input.databases.empty()) sources.input.has_trailing = false;
  // A word that is neither a file nor a flag: a flag's value, or a source that is not there.
  const auto missing = std::find_if(sources.input.trailing.begin(), sources.input.trailing.end(),
                                    [](const std::string& word) { return !word.starts_with("-"); });
  if (sources.input.has_trailing && sources.input.files.empty() && missing != sources.input.trailing.end()) {
    console.error(fmt::format("{}: no such file", *missing));
    return kExitUsage;
  }
  const auto input = gather_input(sources, console);
  if (!input) return kExitUsage;
  Captured captured = capture_units(input->commands, sources, console);
  if (captured.interrupted) return kExitInterrupted;
  if (nothing_captured(captured, console)) return kExitIncomplete;
  for (const FailedUnit& unit : captured.failed) console.warning(unit.path + ": " + unit.reason);
  DeclaredFunctions declared(set);
  std::size_t misfits = 0;
  for (const auto& unit : captured.units)
    for (const DeclaredFunctions::Misfit& misfit : declared.compare(*unit)) {
      ++misfits;
      console.raw(
          support::printable(fmt::format("{} (declared at {})", line_of(misfit.error, "error"), misfit.declared_at)));
    }
  tell_unused(declared.unused(), console);
  const std::size_t units = captured.units.size();
  if (!load_packs(captured.headers, console, together)) return kExitUsage;
  const std::size_t contradictions =
      misfits + compare_with_bodies(set, together, std::move(captured), options, console);
  console.note(fmt::format("{} declarations in {} units compared, and bodies where there are any: {} contradictions",
                           declared.compared(), units, contradictions));
  return contradictions == 0 ? kExitClean : kExitFindings;
}

int work(const Options& options, host::Console& console) {
  // Names may be those of the files that come with Reckon; only what is given is compared with sources.
  specs::SpecSet set, together;
  bool ok = load_own_specs(console, together);
  for (const std::string& path : options.input.files) {
    specs::SpecFile file;
    if (load_spec_file(path, console, file))
      console.note(
          fmt::format("{}: {} functions, {} slots, no errors", path, file.functions.size(), file.slots.size()));
    else
      ok = false;
    together.add(file);
    set.add(std::move(file));
  }
  ok = ok && check_together(together, console);
  if (ok && (!options.input.databases.empty() || options.input.has_trailing))
    return compare_with_sources(set, together, options, console);
  return ok ? kExitClean : kExitUsage;
}

}  // namespace

void define_spec_check(CommandLine& line) {
  CommandArguments app = line.command_below("spec",
                                            {"check", "Are spec files well formed, and do they fit the code?",
                                             "reckon spec check FILE... [-p DIR|FILE.json]\n"
                                             "       reckon spec check FILE... -- SOURCE... [FLAGS...]"},
                                            work);
  app.words({"files", "Spec files", "FILE", true}, line.options.input.files);
  app.paths({"-p", "Compare with the prototypes of this database", "DIR|FILE"}, line.options.input.databases);
  app.capture(line.options);
}

}  // namespace reckon::driver
