// reckon dump model|callgraph|classes|tables: what the stages before the analysis have made of a program.
#include <fmt/core.h>

#include <iostream>
#include <map>
#include <memory>
#include <set>

#include "driver/capture_stage.h"
#include "driver/command_line.h"
#include "driver/commands.h"
#include "driver/input.h"
#include "driver/spec_files.h"
#include "driver/spec_packs.h"
#include "model/text.h"
#include "program/classify.h"
#include "program/named_calls.h"
#include "program/program.h"

namespace reckon::driver {

namespace {

using program::FuncId;
using program::Program;

struct DumpOptions {
  std::string what;
  std::string function;  // only this one; "": all
};

bool is_wanted(const Program& program, FuncId f, const DumpOptions& own) {
  return own.function.empty() || program.name(f) == own.function || program.display(f) == own.function;
}

void dump_model(const Program& program, const DumpOptions& own) {
  if (own.function.empty()) {
    for (program::UnitId u{}; u < program.num_units(); ++u) std::cout << model::print(program.unit_at(u));
    return;
  }
  for (FuncId f{}; f < program.num_functions(); ++f)
    if (is_wanted(program, f, own)) std::cout << model::print(program.unit(f), program.function(f));
}

// Names of the functions `f` calls directly that are not defined in the program.
std::set<std::string_view> external_callees(const Program& program, FuncId f) {
  std::set<std::string_view> names;
  const model::Unit& unit = program.unit(f);
  const model::Body& body = program.function(f).body;
  for (const model::Instr& instr : body.instrs) {
    if (instr.op != model::Op::Call || instr.num_operands == 0) continue;
    const model::Operand callee = body.ops(instr)[0];
    if (callee.kind != model::OperandKind::Symbol || unit.symbols[callee.id].kind != model::SymbolKind::Function)
      continue;
    if (program.definition(program.unit_id(f), callee.symbol_id()) == program::kNone)
      names.insert(unit.str(unit.symbols[callee.id].display));
  }
  return names;
}

// One line per edge; a chosen function shows the edges that lead to it, too.
void dump_callgraph(const Program& program, const DumpOptions& own) {
  for (FuncId f{}; f < program.num_functions(); ++f) {
    for (const FuncId callee : program.callees(f))
      if (is_wanted(program, f, own) || is_wanted(program, callee, own))
        std::cout << program.display(f) << " -> " << program.display(callee) << '\n';
    if (!is_wanted(program, f, own)) continue;
    for (const std::string_view name : external_callees(program, f))
      std::cout << program.display(f) << " -> " << name << '\n';
  }
}

// Each table with its functions; then those assigned at run time.
void dump_tables(const Program& program, const DumpOptions& own) {
  std::map<std::pair<program::UnitId, model::SymId>, std::vector<program::TableEntry>> tables;
  for (FuncId f{}; f < program.num_functions(); ++f) {
    if (!is_wanted(program, f, own)) continue;
    for (const program::TableEntry& entry : program.roles(f)) tables[{entry.unit, entry.variable}].push_back(entry);
  }
  for (const auto& [key, entries] : tables) {
    if (key.first == program::kNone) continue;
    const model::Unit& unit = program.unit_at(key.first);
    if (key.second == model::kNone) {
      std::cout << fmt::format("assigned in {}\n", unit.path);
    } else {
      const model::Symbol& symbol = unit.symbols[key.second];
      std::cout << fmt::format("{} ({}:{})\n", unit.str(symbol.name), unit.str(symbol.loc.file), symbol.loc.line);
    }
    for (const program::TableEntry& entry : entries)
      std::cout << fmt::format("  {}{}{} = {}\n", entry.record, entry.record.empty() ? "" : ".", entry.field,
                               program.display(entry.function));
  }
}

void dump_classes(const Program& program, const DumpOptions& own, const specs::SpecSet& specs) {
  const std::vector<program::Class> classes = program::classify(program, specs);
  for (FuncId f{}; f < program.num_functions(); ++f)
    if (is_wanted(program, f, own))
      std::cout << fmt::format("{:24} {}\n", program::class_name(classes[f]), program.display(f));
  if (!own.function.empty()) return;
  const program::ClassCounts counts = program::count_classes(classes);
  std::cout << fmt::format(
      "{} functions: {} changing, {} affecting and analysed, {} affecting and not analysed, {} other\n", counts.total(),
      counts.changing, counts.affecting_analysed, counts.affecting_not_analysed, counts.other);
}

int work(const DumpOptions& own, const Options& options, host::Console& console) {
  const auto input = gather_input(options, console);
  if (!input) return kExitUsage;
  Captured captured = capture_units(input->commands, options, console);
  if (captured.interrupted) return kExitInterrupted;
  if (nothing_captured(captured, console)) return kExitIncomplete;
  const bool incomplete = !captured.failed.empty();
  // The model is what capture made; the others show what the analysis works with.
  specs::SpecSet specs;
  if (own.what != "model" && !load_specs(options, console, specs)) return kExitUsage;
  if (own.what != "model" && !load_packs(captured.headers, console, specs)) return kExitUsage;
  const Program program = Program::link(program::with_named_calls(std::move(captured.units), specs));

  if (own.what == "model")
    dump_model(program, own);
  else if (own.what == "callgraph")
    dump_callgraph(program, own);
  else if (own.what == "tables")
    dump_tables(program, own);
  else
    dump_classes(program, own, specs);

  if (!own.function.empty()) {
    bool found = false;
    for (FuncId f{}; f < program.num_functions(); ++f) found = found || is_wanted(program, f, own);
    if (!found) {
      console.error(fmt::format("no function {} is defined in the program", own.function));
      return kExitUsage;
    }
  }
  if (incomplete) console.warning(fmt::format("{} units could not be captured", captured.failed.size()));
  return options.strict && incomplete ? kExitIncomplete : kExitClean;
}

}  // namespace

void define_dump(CommandLine& line) {
  auto own = std::make_shared<DumpOptions>();
  CommandArguments app =
      line.command({"dump", "Show what was captured and linked",
                    "reckon dump WHAT [OPTIONS] -p DIR|FILE.json [FILE...]\n"
                    "       reckon dump WHAT [OPTIONS] FILE... [-- FLAGS...]"},
                   [own](const Options& options, host::Console& console) { return work(*own, options, console); });
  app.choice({"what", "model, callgraph, classes or tables", "WHAT", true}, own->what,
             {"model", "callgraph", "classes", "tables"});
  app.input(line.options.input);
  app.text({"--function", "Only this function", "NAME"}, own->function);
  app.capture(line.options);
  app.specs(line.options);
  app.footer(kExitCodes);
}

}  // namespace reckon::driver
