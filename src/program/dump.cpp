#include "program/dump.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

namespace reckon::program {

namespace {

std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string_view function_file(const Program& program, FuncId f) {
  const model::Unit& unit = program.unit(f);
  const std::string_view file = unit.str(program.function(f).loc.file);
  return file.empty() ? std::string_view(unit.path) : file;
}

// By name, then by unit: what people look for is a name.
std::vector<FuncId> in_name_order(const Program& program, std::string_view only) {
  std::vector<FuncId> order;
  for (FuncId f{}; f < program.num_functions(); ++f)
    if (only.empty() || program.name(f) == only || program.display(f) == only) order.push_back(f);
  std::stable_sort(order.begin(), order.end(), [&](FuncId a, FuncId b) { return program.name(a) < program.name(b); });
  return order;
}

std::string none(std::string_view function) {
  return function.empty() ? std::string() : "no function called " + std::string(function) + " is defined\n";
}

std::string list(const Program& program, std::span<const FuncId> functions) {
  std::string text;
  for (const FuncId f : functions) {
    if (!text.empty()) text += ", ";
    text += spell(program, f);
  }
  return text;
}

// What the calls of a function lead to, one line each, sorted.
std::set<std::string> call_lines(const Program& program, FuncId f) {
  const model::Unit& unit = program.unit(f);
  const model::Body& body = program.function(f).body;
  std::set<std::string> lines;
  for (const model::Instr& i : body.instrs) {
    if (i.op != model::Op::Call || i.num_operands == 0) continue;
    const model::Operand callee = body.ops(i)[0];
    const model::CallInfo* info = i.aux < body.calls.size() ? &body.calls[i.aux] : nullptr;
    const std::vector<FuncId> targets = program.targets(f, i);
    if (info != nullptr && info->inline_asm) {
      lines.insert("inline assembly");
    } else if (callee.kind == model::OperandKind::Symbol) {
      lines.insert(targets.empty() ? std::string(unit.name(callee.symbol_id())) + " [not defined here]"
                                   : spell(program, targets.front()));
    } else {
      const std::string_view origin = info == nullptr ? std::string_view{} : unit.str(info->origin);
      std::string line = "through " + (origin.empty() ? std::string("a pointer") : std::string(origin)) + ": ";
      lines.insert(line + (targets.empty() ? "unknown" : list(program, targets)));
    }
  }
  return lines;
}

}  // namespace

std::string spell(const Program& program, FuncId f) {
  std::string text(program.display(f));
  if (program.unit(f).symbols[program.function(f).symbol].linkage == model::Linkage::Internal) {
    text += " (";
    text += base_name(function_file(program, f));
    text += ')';
  }
  return text;
}

std::string dump_callgraph(const Program& program, std::string_view function) {
  std::string text;
  const std::vector<FuncId> order = in_name_order(program, function);
  if (order.empty()) return none(function);
  for (const FuncId f : order) {
    text += spell(program, f) + "\n";
    for (const std::string& line : call_lines(program, f)) text += "  calls " + line + "\n";
    if (!program.callers(f).empty()) text += "  called by " + list(program, program.callers(f)) + "\n";
  }
  for (const std::vector<FuncId>& component : program.components()) {
    if (component.size() < 2) continue;
    if (!function.empty() && std::none_of(order.begin(), order.end(), [&](FuncId f) {
          return std::binary_search(component.begin(), component.end(), f);
        }))
      continue;
    text += "recursive: " + list(program, component) + "\n";
  }
  return text;
}

std::string dump_tables(const Program& program, std::string_view filter) {
  std::map<std::string, std::vector<std::string>> by_field;
  for (FuncId f{}; f < program.num_functions(); ++f) {
    for (const TableEntry& e : program.roles(f)) {
      std::string key(e.record);
      if (!key.empty()) key += '.';
      key += e.field;
      if (!filter.empty() && filter != e.record && filter != key && filter != program.name(f)) continue;
      const model::Unit& unit = program.unit_at(e.unit);
      std::string line = spell(program, f) + ", ";
      if (e.variable == kNone)
        line += "assigned in ";
      else
        line += "in " + std::string(unit.name(e.variable)) + " of ";
      by_field[key].push_back(line + std::string(base_name(unit.path)));
    }
  }
  std::string text;
  for (auto& [key, lines] : by_field) {
    text += key;
    if (const std::size_t n = program.pointer_targets(key).size(); n == 0 && lines.size() > kMaxPointerTargets)
      text += " [" + std::to_string(lines.size()) + " entries: calls through it have no known target]";
    text += '\n';
    std::sort(lines.begin(), lines.end());
    for (const std::string& line : lines) text += "  " + line + "\n";
  }
  if (text.empty() && !filter.empty()) text = "nothing called " + std::string(filter) + " in any table\n";
  return text;
}

std::string dump_classes(const Program& program, std::span<const Class> classes, std::string_view function) {
  std::string text;
  if (function.empty()) {
    const ClassCounts counts = count_classes(classes);
    for (const auto& [c, n] :
         {std::pair(Class::Changing, counts.changing), std::pair(Class::AffectingAnalysed, counts.affecting_analysed),
          std::pair(Class::AffectingNotAnalysed, counts.affecting_not_analysed), std::pair(Class::Other, counts.other)})
      text += std::string(class_name(c)) + ": " + std::to_string(n) + "\n";
    text += "all: " + std::to_string(counts.total()) + "\n";
  }
  const std::vector<FuncId> order = in_name_order(program, function);
  if (order.empty()) return text + none(function);
  for (const FuncId f : order) text += "  " + spell(program, f) + ": " + std::string(class_name(classes[f])) + "\n";
  return text;
}

}  // namespace reckon::program
