// reckon spec check FILE...: are the files well formed, and do they agree with the code they are about? reckon spec
// show NAME: what is known of a function? reckon spec words: the words of the language.
#include <fmt/core.h>

#include <filesystem>
#include <iostream>
#include <set>

#include "driver/capture_stage.h"
#include "driver/commands.h"
#include "driver/files.h"
#include "driver/input.h"
#include "driver/spec_files.h"
#include "specs/effects.h"
#include "specs/lookup.h"
#include "specs/prototype.h"

namespace reckon::driver {

namespace {

// The spec as it stands in its file: its line and those that continue it.
std::string spec_text(const specs::SpecLoc& loc) {
  std::string text, problem, out;
  if (!read_file(loc.file, text, problem)) return "";
  std::string_view rest = text;
  bool continued = false;
  for (std::uint32_t number = 1; !rest.empty(); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (number < loc.line) continue;
    const bool indented = !line.empty() && (line[0] == ' ' || line[0] == '\t');
    if (number > loc.line && !continued && !indented) break;
    out.append(line).push_back('\n');
    continued = line.ends_with('\\');
  }
  return out;
}

specs::Prototype prototype_of(const model::Unit& unit, const model::Type& type) {
  auto is_pointer = [&](model::TypeId t) { return unit.type(t).kind == model::TypeKind::Pointer; };
  using Returns = specs::Prototype::Returns;
  specs::Prototype out;
  out.variadic = type.variadic;
  const model::TypeKind result = unit.type(type.elem).kind;
  out.returns = result == model::TypeKind::Void      ? Returns::Void
                : result == model::TypeKind::Int     ? Returns::Integer
                : result == model::TypeKind::Pointer ? Returns::Pointer
                                                     : Returns::Other;
  for (const model::TypeId p : type.params) out.param_is_pointer.push_back(is_pointer(p));
  return out;
}

// Says where declarations in the sources contradict the specs. False: the sources cannot be read.
bool compare_with_sources(const specs::SpecSet& set, const Options& options, Console& console) {
  // Behind `--`: sources, and the flags they are compiled with.
  Options sources = options;
  sources.files.clear();
  sources.trailing.clear();
  for (const std::string& word : options.trailing)
    (word.starts_with("-") || !std::filesystem::exists(word) ? sources.trailing : sources.files).push_back(word);
  if (!options.database.empty()) sources.has_trailing = false;
  const auto input = gather_input(sources, console);
  if (!input) return false;
  const Captured captured = capture_units(input->commands, sources, console);
  if (captured.interrupted) return false;
  std::set<std::string> told;
  std::size_t compared = 0;
  for (const auto& unit : captured.units)
    for (const model::Symbol& symbol : unit->symbols) {
      const model::Type& type = unit->type(symbol.type);
      const specs::FunctionSpec* spec =
          symbol.kind == model::SymbolKind::Function
              ? specs::find_function(set, unit->str(symbol.name), unit->str(symbol.display))
              : nullptr;
      if (!spec || type.kind != model::TypeKind::Function) continue;
      ++compared;
      for (const specs::SpecError& e : specs::check_against(*spec, prototype_of(*unit, type)))
        if (std::string text = fmt::format("{}:{}:{}: warning: {}", e.loc.file, e.loc.line, e.loc.col, e.message);
            told.insert(text).second)
          console.raw(fmt::format("{} (declared at {}:{})", text, unit->str(symbol.loc.file), symbol.loc.line));
    }
  console.note(fmt::format("{} declarations in {} units compared, {} contradictions", compared, captured.units.size(),
                           told.size()));
  return true;
}

}  // namespace

int command_spec_check(const Options& options, Console& console) {
  // Names may be those of the files that come with Reckon; only what is given is compared with sources.
  specs::SpecSet set, together;
  bool ok = load_own_specs(console, together);
  for (const std::string& path : options.files) {
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
  if (ok && (!options.database.empty() || options.has_trailing)) ok = compare_with_sources(set, options, console);
  return ok ? kExitClean : kExitUsage;
}

int command_spec_show(const Options& options, Console& console) {
  specs::SpecSet set;
  if (!load_specs(options, console, set)) return kExitUsage;
  const specs::FunctionSpec* spec = set.find(options.name);
  if (!spec) {
    console.error(fmt::format("no spec names {}", options.name));
    return kExitUsage;
  }
  std::cout << fmt::format("# {}:{}, domain {}\n", spec->loc.file, spec->loc.line, spec->domain)
            << spec_text(spec->loc);
  return kExitClean;
}

int command_spec_words(const Options&, Console&) {
  std::cout << "## Effects\n\n" << specs::effects_page() << "\n## Contracts\n\n" << specs::contracts_page();
  return kExitClean;
}

}  // namespace reckon::driver
