// reckon annotate: lines where garbage may be collected, as a list or as annotated copies of the sources.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <sstream>

#include "analysis/analyse.h"
#include "driver/capture_stage.h"
#include "driver/command_line.h"
#include "driver/commands.h"
#include "driver/input.h"
#include "driver/spec_files.h"
#include "frontends/builds/compdb.h"
#include "host/files.h"
#include "program/named_calls.h"
#include "program/program.h"
#include "specs/spec_set.h"
#include "support/file.h"
#include "support/output_file.h"
#include "support/terminal_text.h"

namespace reckon::driver {

namespace {

namespace fs = std::filesystem;

struct AnnotateOptions {
  std::string folder;  // for annotated copies; "": a list
};

using Lines = report::Collections::mapped_type;

// "FILE" below `base` as "sub/FILE"; what is elsewhere is left alone.
std::string below(const std::string& file, const std::string& base) {
  return file.starts_with(base + "/") ? file.substr(base.size() + 1) : std::string();
}

constexpr std::string_view kMarked = "GC | ", kPlain = "   | ";  // how lines of a copy start

bool write_copy(const std::string& file, const Lines& lines, const fs::path& to, host::Console& console) {
  std::string text, error;
  if (!host::read_file(file, text, error)) {
    console.error(fmt::format("{}: {}", file, error));
    return false;
  }
  if (!support::OutputFolder().open(to.parent_path().string(), error)) {
    console.error(error);
    return false;
  }
  // Only earlier copies are replaced: the folder may be one with sources.
  const std::string start = support::first_bytes(to.string(), kMarked.size());
  if (!start.empty() && start != kMarked && start != kPlain) {
    console.error(fmt::format("{}: exists and is no annotated copy; give --copy another folder", to.string()));
    return false;
  }
  std::ostringstream out;
  std::uint32_t number = 1;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const auto it = lines.find(number);
    out << (it == lines.end() ? kPlain : kMarked) << std::string_view(text).substr(at, end - at);
    if (it != lines.end()) {
      out << "  // may collect:";
      for (const std::string& callee : it->second) out << ' ' << callee;
    }
    out << '\n';
    at = end + 1;
  }
  if (support::write_output(to.string(), out.str(), error)) return true;
  console.error(error);
  return false;
}

int work(const AnnotateOptions& own, const Options& options, host::Console& console) {
  const auto input = gather_input(options, console);
  if (!input) return kExitUsage;
  specs::SpecSet specs;
  if (!load_specs(options, console, specs)) return kExitUsage;
  Captured captured = capture_units(input->commands, options, console);
  if (captured.interrupted) return kExitInterrupted;
  if (nothing_captured(captured, console)) return kExitIncomplete;
  const program::Program program = program::Program::link(program::with_named_calls(std::move(captured.units), specs));
  analysis::Options wish;
  wish.jobs = options.capture.jobs;
  wish.domains = options.analysis.domains;
  wish.collections = true;
  const analysis::Analysis analysis = analysis::analyse(program, specs, wish);

  const std::string base = host::current_folder();
  std::size_t lines = 0, files = 0;
  for (const auto& [file, marked] : analysis.collections) {
    if (below(file, base).empty()) continue;
    ++files;
    lines += marked.size();
    if (!own.folder.empty()) {
      if (!write_copy(file, marked, fs::path(own.folder) / below(file, base), console)) return kExitUsage;
      continue;
    }
    for (const auto& [line, callees] : marked) {
      std::string text = fmt::format("{}:{}:", below(file, base), line);
      for (const std::string& callee : callees) text += " " + callee;
      std::cout << support::printable(text) << '\n';
    }
  }
  console.note(fmt::format("{} line{} in {} file{} where garbage may be collected", lines, lines == 1 ? "" : "s", files,
                           files == 1 ? "" : "s"));
  if (!captured.failed.empty())
    console.warning(fmt::format("not all was analysed: {} units failed", captured.failed.size()));
  return options.strict && !captured.failed.empty() ? kExitIncomplete : kExitClean;
}

}  // namespace

void define_annotate(CommandLine& line) {
  auto own = std::make_shared<AnnotateOptions>();
  CommandArguments app =
      line.command({"annotate", "Show the lines where garbage may be collected",
                    "reckon annotate [--copy DIR] [OPTIONS] -p DIR|FILE.json [FILE...]\n"
                    "       reckon annotate [--copy DIR] [OPTIONS] FILE... [-- FLAGS...]"},
                   [own](const Options& options, host::Console& console) { return work(*own, options, console); });
  app.text({"--copy", "Write annotated copies of the sources there", "DIR"}, own->folder);
  app.input(line.options.input);
  app.capture(line.options);
  app.domains(line.options.analysis);
  app.specs(line.options);
  app.footer(kExitCodes);
}

}  // namespace reckon::driver
