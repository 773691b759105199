// reckon spec check FILE...: are the files well formed, and do they agree with the code they are about?
#include <fmt/core.h>

#include <filesystem>
#include <set>

#include "driver/capture_stage.h"
#include "driver/command_line.h"
#include "driver/commands.h"
#include "driver/input.h"
#include "driver/spec_files.h"
#include "specs/lookup.h"
#include "specs/prototype.h"
#include "support/terminal_text.h"

namespace reckon::driver {

namespace {

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
bool compare_with_sources(const specs::SpecSet& set, const Options& options, host::Console& console) {
  // Behind `--`: sources, and the flags they are compiled with.
  Options sources = options;
  sources.input.files.clear();
  sources.input.trailing.clear();
  for (const std::string& word : options.input.trailing)
    (word.starts_with("-") || !std::filesystem::exists(word) ? sources.input.trailing : sources.input.files)
        .push_back(word);
  if (!options.input.databases.empty()) sources.input.has_trailing = false;
  const auto input = gather_input(sources, console);
  if (!input) return false;
  const Captured captured = capture_units(input->commands, sources, console);
  if (captured.interrupted || nothing_captured(captured, console)) return false;
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
          console.raw(support::printable(
              fmt::format("{} (declared at {}:{})", text, unit->str(symbol.loc.file), symbol.loc.line)));
    }
  console.note(fmt::format("{} declarations in {} units compared, {} contradictions", compared, captured.units.size(),
                           told.size()));
  return true;
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
    ok = compare_with_sources(set, options, console);
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
