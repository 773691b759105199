// routine: functions registered with an interpreter, against their definitions and against the calls in scripts.
//
// The problem: a package hands R a table of native functions, each with the number of its arguments, through casts the
// compiler cannot see behind. A wrong number is a crash or garbage at run time; so is a script that passes another
// number of arguments, which R does not notice for functions whose number is not registered. The method: `routines`
// lines of the specs name the registering function and the fields of its tables. Every constant table passed to it is
// compared row by row with the definition of the function, which may stand in another file than the declaration the
// table was compiled with; then every call in the package's scripts is compared with the rows.
//
// Where the package's scripts are known, tables that nothing registers when the library is loaded, and routines that no
// script names, are left alone.
//
// Limits: tables filled at run time are not looked at. The model has no places for rows: a finding stands at the first
// line of the table's text that has the routine's name, at the table where there is none. A call in a script with `...`
// among its arguments has no number and is not compared.

#include <algorithm>
#include <cctype>
#include <map>

#include <fmt/core.h>

#include "checks/format_types.h"
#include "checks/kinds.h"
#include "checks/static_checks.h"
#include "report/sources.h"
#include "support/limits.h"

namespace reckon::checks {

namespace {

using model::Constant;
using model::ConstKind;
using model::Type;
using model::TypeId;
using model::TypeKind;
using report::Severity;
using specs::RoutineSpec;

// What is known of a function by its definition, else by its declaration.
struct Signature {
  const model::Unit* unit = nullptr;
  std::vector<TypeId> params;
  TypeId result{};
  bool usable = false;  // a declaration without parameters in C says nothing
};

struct Routine {
  const RoutineSpec* spec;
  std::string function;  // display name
  int count = -1;        // registered, else what the function takes; -1: any
  bool counted = false;  // the number is registered: the interpreter compares it itself
};

constexpr std::size_t kContext = 4;  // parameters of those that get call, function, list of arguments and environment

bool with_context(const RoutineSpec& spec) { return !spec.each && spec.kind == specs::EntryParamKind::Objects; }

class RoutineChecker {
 public:
  RoutineChecker(const engine::Context& ctx, const Scripts& scripts, std::vector<report::Finding>& out)
      : ctx_(ctx), scripts_(scripts), out_(out) {
    if (!scripts.start.empty()) find_started();
  }

  void tables() {
    for (const RoutineSpec& spec : ctx_.specs.routines()) {
      const specs::FunctionSpec* registrar = ctx_.specs.find(spec.registrar);
      if (!registrar) continue;
      const auto param = std::find_if(registrar->params.begin(), registrar->params.end(),
                                      [&](const specs::ParamSpec& p) { return p.name == spec.param; });
      if (param == registrar->params.end()) continue;
      find_calls(spec, static_cast<std::size_t>(param - registrar->params.begin()));
    }
  }

  void scripts() {
    for (const NativeCall& call : scripts_.calls) check_script(call);
  }

 private:
  // What runs when the library is loaded. A function that is made for a library of another name registers nothing.
  void find_started() {
    started_.assign(ctx_.program.num_functions(), 0);
    std::vector<program::FuncId> todo;
    auto add = [&](program::FuncId f) {
      if (!started_[f]) todo.push_back(f);
      started_[f] = 1;
    };
    for (program::FuncId f{}; f < ctx_.program.num_functions(); ++f)
      if (ctx_.program.name(f) == scripts_.start) add(f);
    while (!todo.empty()) {
      const program::FuncId f = todo.back();
      todo.pop_back();
      for (const program::FuncId callee : ctx_.program.callees(f)) add(callee);
    }
  }

  static bool names(const model::Unit& unit, std::string_view function) {
    return std::any_of(unit.symbols.begin(), unit.symbols.end(),
                       [&](const model::Symbol& s) { return unit.str(s.name) == function; });
  }

  void find_calls(const RoutineSpec& spec, std::size_t param) {
    for (program::UnitId u{}; u < ctx_.program.num_units(); ++u, ctx_.program.rest()) {
      if (!names(ctx_.program.frame_at(u), spec.registrar)) continue;
      const model::Unit& unit = ctx_.program.frame_at(u);
      for (std::size_t n = 0; n < unit.functions.size(); ++n) {
        if (const program::FuncId id = ctx_.program.definition(u, unit.functions[n].symbol);
            !started_.empty() && id != program::kNone && !started_[id])
          continue;
        for (const program::CallNote& call : ctx_.program.unit_notes(u).functions[n].calls)
          if (call.callee != model::kNone && call.arguments.size() > param && unit.name(call.callee) == spec.registrar)
            for (const model::SymId table : given(call, param)) check_table(spec, u, table);
      }
    }
  }

  // The variables whose address an argument may be.
  static std::vector<model::SymId> given(const program::CallNote& call, std::size_t argument) {
    const program::ArgumentNote& note = call.arguments[argument];
    if (note.kind == program::ArgumentNote::Kind::Symbol && note.number == 0) return {note.symbol_id()};
    for (const program::AddressesNote& several : call.addresses)
      if (several.argument == argument) return several.symbols;
    return {};
  }

  void check_table(const RoutineSpec& spec, program::UnitId u, model::SymId table) {
    const model::Unit& unit = ctx_.program.frame_at(u);
    const model::Symbol& variable = unit.symbols[table];
    if (variable.init == model::kNone) return;
    const Constant& init = unit.constants[variable.init];
    if (init.kind != ConstKind::Aggregate) return;
    for (const model::ConstId row : init.children) check_row(spec, u, variable, unit.constants[row]);
  }

  static const Constant* field(const model::Unit& unit, const Constant& row, std::string_view name) {
    const Type& t = unit.type(row.type);
    if (row.kind != ConstKind::Aggregate || t.fields.size() != row.children.size()) return nullptr;
    for (std::size_t i = 0; i < t.fields.size(); ++i)
      if (unit.str(t.fields[i].name) == name) return &unit.constants[row.children[i]];
    return nullptr;
  }

  void check_row(const RoutineSpec& spec, program::UnitId u, const model::Symbol& table, const Constant& row) {
    const model::Unit& unit = ctx_.program.frame_at(u);
    const Constant* name = field(unit, row, spec.name_field);
    const Constant* function = field(unit, row, spec.function_field);
    const Constant* count = field(unit, row, spec.count_field);
    if (!name || !function || !count || function->kind != ConstKind::Address || function->imm != 0) return;
    const model::Symbol& symbol = unit.symbols[function->ref];
    if (symbol.kind != model::SymbolKind::Function) return;
    const std::string text = text_of(unit, *name);
    const std::string display(unit.str(symbol.display));
    const Signature signature = signature_of(u, function->symbol_id());
    if (signature.usable && !is_for(spec, signature.params.size())) return;
    const int registered = count->kind == ConstKind::Zero  ? 0
                           : count->kind == ConstKind::Int ? static_cast<int>(count->imm)
                                                           : -1;
    Routine routine{&spec, display, registered, registered >= 0};
    if (registered < 0 && spec.each && signature.usable) routine.count = static_cast<int>(signature.params.size());
    if (!text.empty()) routines_.emplace(std::pair(spec.interface, text), routine);
    // A routine that no script names is an address for somebody else, who knows what it takes.
    if (!text.empty() && !scripts_.calls.empty() && !scripts_.names.contains(text)) return;
    // Nor is one compared that scripts call in another way only: check_script() looks at that.
    auto called = [&](bool this_way) {
      return std::any_of(scripts_.calls.begin(), scripts_.calls.end(), [&](const NativeCall& c) {
        return c.name == text && (c.interface == spec.interface) == this_way;
      });
    };
    if (called(false) && !called(true)) return;
    if (signature.usable) compare(spec, unit, table, text.empty() ? display : text, display, registered, signature);
  }

  // Of two ways to be called that share a table, the function's parameters tell which it is for.
  bool is_for(const RoutineSpec& spec, std::size_t takes) const {
    if (with_context(spec)) return takes == kContext;
    const auto& all = ctx_.specs.routines();
    return spec.each || takes != kContext || std::none_of(all.begin(), all.end(), [&](const RoutineSpec& other) {
             return with_context(other) && other.registrar == spec.registrar && other.param == spec.param;
           });
  }

  static std::string text_of(const model::Unit& unit, const Constant& c) {
    if (c.kind == ConstKind::String) return std::string(unit.str(c.string_id()));
    if (c.kind != ConstKind::Address || c.imm != 0 || unit.symbols[c.ref].init == model::kNone) return {};
    const Constant& init = unit.constants[unit.symbols[c.ref].init];
    return init.kind == ConstKind::String ? std::string(unit.str(init.string_id())) : std::string();
  }

  Signature signature_of(program::UnitId u, model::SymId s) const {
    Signature out;
    if (const program::FuncId f = ctx_.program.definition(u, s); f != program::kNone) {
      const model::Function& fn = ctx_.program.declared(f);
      out.unit = &ctx_.program.frame(f);
      // Structs by value may be several parameters of the body; the type says what was written.
      const Type& type = out.unit->type(out.unit->symbols[fn.symbol].type);
      if (type.kind != TypeKind::Function || type.variadic) return out;
      out.params = type.params;
      out.result = fn.result;
      out.usable = true;
      return out;
    }
    out.unit = &ctx_.program.frame_at(u);
    const Type& type = out.unit->type(out.unit->symbols[s].type);
    if (type.kind != TypeKind::Function || type.variadic || type.params.empty()) return out;
    out.params = type.params;
    out.result = type.elem;
    out.usable = true;
    return out;
  }

  // From the table to the row that names the routine, or else the function.
  void move_to_row(report::SourceLoc& loc, const std::string& name, const std::string& function) {
    const report::SourceFile& file = sources_.file(loc.file);
    auto part_of_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; };
    for (const std::string& word : {name, function})
      for (std::uint32_t n = loc.line;
           n != 0 && n <= file.lines() && n < loc.line + support::kLimits.checks.table_lines; ++n) {
        const std::string_view line = file.line(n);
        for (std::size_t at = line.find(word); at != std::string_view::npos; at = line.find(word, at + 1)) {
          const std::size_t end = at + word.size();
          if ((at > 0 && part_of_word(line[at - 1])) || (end < line.size() && part_of_word(line[end]))) continue;
          loc.line = n;
          loc.col = static_cast<std::uint32_t>(at + 1);
          return;
        }
        if (line.find("};") != std::string_view::npos) break;
      }
  }

  // The first parameter that cannot hold what is passed this way; one past the last: there is none.
  std::size_t unfit(const RoutineSpec& spec, const Signature& has) const {
    const FormatTypes types(*has.unit, ctx_.specs, false, false);
    for (std::size_t i = 0; i < has.params.size(); ++i) {
      const Type& t = has.unit->type(has.params[i]);
      if (t.kind == TypeKind::Other || t.kind == TypeKind::Void) continue;
      if (t.kind != TypeKind::Pointer) return i;
      if (spec.kind != specs::EntryParamKind::Pointer && !types.is_object_pointer(has.params[i])) return i;
    }
    return has.params.size();
  }

  void compare(const RoutineSpec& spec, const model::Unit& unit, const model::Symbol& table, const std::string& name,
               const std::string& display, int registered, const Signature& has) {
    auto add = [&](std::string message, Severity severity, report::Confidence confidence = report::Confidence::High) {
      report::Finding f;
      f.check = id_in(spec.domain, check_routine);
      f.message = fmt::format("routine \"{}\": {}", name, message);
      f.severity = severity;
      f.confidence = confidence;
      f.object = name;
      f.loc = source_loc(unit, table.loc);
      move_to_row(f.loc, name, display);
      out_.push_back(std::move(f));
    };
    const FormatTypes types(*has.unit, ctx_.specs, false, false);
    const std::size_t takes = has.params.size();
    auto arguments = [](std::size_t n) { return fmt::format("{} argument{}", n, n == 1 ? "" : "s"); };
    if (spec.each && registered >= 0 && takes != static_cast<std::size_t>(registered)) {
      // By the calling conventions in use, an argument that the function does not have is ignored.
      const bool ignored = takes < static_cast<std::size_t>(registered);
      return add(fmt::format("{}() takes {}, it is registered with {}", display, arguments(takes), registered),
                 ignored ? Severity::Low : Severity::High,
                 ignored ? report::Confidence::Low : report::Confidence::High);
    }
    if (!spec.each && !with_context(spec) && takes != 1)
      return add(fmt::format("{}() takes {}, {} passes one list", display, arguments(takes), spec.interface),
                 Severity::High);
    if (const std::size_t i = unfit(spec, has); i < takes)
      return add(fmt::format("parameter {} of {}() is {}, {} passes {}", i + 1, display, types.name(has.params[i]),
                             spec.interface, spec.kind == specs::EntryParamKind::Pointer ? "pointers" : "objects"),
                 Severity::High);
    const TypeKind result = has.unit->type(has.result).kind;
    const bool object =
        result == TypeKind::Other || (result == TypeKind::Pointer && types.is_object_pointer(has.result));
    if (spec.returns_object && !object)
      add(fmt::format("{}() returns {}, {} needs an object", display, types.name(has.result), spec.interface),
          Severity::High);
  }

  void check_script(const NativeCall& call) {
    auto it = routines_.find({call.interface, call.name});
    if (it == routines_.end()) {
      if (routines_.empty() || (call.by_text && found_by_name(call))) return check_unregistered(call);
      for (const auto& [key, routine] : routines_)
        if (key.second == call.name)
          return add_script(*routine.spec, call,
                            fmt::format("{}() is called by {}, it is registered for {}", routine.function,
                                        call.interface, key.first));
      return;
    }
    const Routine& routine = it->second;
    if (call.arguments < 0 || routine.count < 0 || call.arguments == routine.count) return;
    add_script(*routine.spec, call,
               fmt::format("{} passes {} argument{} to \"{}\", which takes {}", call.interface, call.arguments,
                           call.arguments == 1 ? "" : "s", call.name, routine.count),
               !routine.counted && call.arguments > routine.count);
  }

  const RoutineSpec* spec_for(const std::string& interface) const {
    const RoutineSpec* out = nullptr;
    for (const RoutineSpec& s : ctx_.specs.routines())
      if (s.interface == interface) out = &s;
    return out;
  }

  // The function that the interpreter finds by a name alone; kNone: there is none.
  program::FuncId function_named(const std::string& name) const {
    for (program::FuncId f{}; f < ctx_.program.num_functions(); ++f) {
      if (ctx_.program.name(f) != name) continue;
      const model::Unit& unit = ctx_.program.frame(f);
      const model::Symbol& symbol = unit.symbols[ctx_.program.declared(f).symbol];
      if (symbol.linkage == model::Linkage::External && !unit.type(symbol.type).variadic) return f;
    }
    return program::FuncId(program::kNone);
  }

  // A text that is registered for other calls only is looked for among the library's functions. One that takes what
  // this call passes does what was meant, and the entry in the table does nothing.
  bool found_by_name(const NativeCall& call) const {
    const RoutineSpec* spec = spec_for(call.interface);
    const program::FuncId f = function_named(call.name);
    if (!spec || f == program::kNone) return false;
    Signature has;
    has.unit = &ctx_.program.frame(f);
    has.params = has.unit->type(has.unit->symbols[ctx_.program.declared(f).symbol].type).params;
    return unfit(*spec, has) == has.params.size();
  }

  // Nothing is registered: R looks for a function of that name.
  void check_unregistered(const NativeCall& call) {
    const RoutineSpec* spec = spec_for(call.interface);
    if (!spec || (spec->each && call.arguments < 0)) return;
    const int passed = spec->each ? call.arguments : with_context(*spec) ? static_cast<int>(kContext) : 1;
    const program::FuncId f = function_named(call.name);
    if (f == program::kNone) return;
    const model::Unit& unit = ctx_.program.frame(f);
    const std::size_t takes = unit.type(unit.symbols[ctx_.program.declared(f).symbol].type).params.size();
    if (takes != static_cast<std::size_t>(passed))
      add_script(*spec, call,
                 fmt::format("{} passes {} argument{} to {}(), which takes {}", call.interface, passed,
                             passed == 1 ? "" : "s", call.name, takes),
                 takes < static_cast<std::size_t>(passed));
  }

  // `ignored`: an argument that the function does not have is passed, which no calling convention in use minds.
  void add_script(const RoutineSpec& spec, const NativeCall& call, std::string message, bool ignored = false) {
    report::Finding f;
    f.check = id_in(spec.domain, check_routine);
    f.message = std::move(message);
    f.severity = ignored ? Severity::Low : Severity::High;
    f.confidence = ignored ? report::Confidence::Low : report::Confidence::High;
    f.object = call.name;
    f.loc.file = call.file;
    f.loc.line = call.line;
    f.loc.col = 1;
    out_.push_back(std::move(f));
  }

  const engine::Context& ctx_;
  const Scripts& scripts_;
  std::vector<report::Finding>& out_;
  std::vector<char> started_;  // functions that run when the library is loaded; empty: not known
  report::Sources sources_;
  std::map<std::pair<std::string, std::string>, Routine> routines_;  // by interface and registered name
};

void run(const WholeProgram& program, std::vector<report::Finding>& out) {
  RoutineChecker checker(program.ctx, program.scripts, out);
  checker.tables();
  checker.scripts();
}

}  // namespace

constinit const Check check_routine{
    .kind = "routine",
    .summary = "a registered routine and its function or the calls in R code disagree",
    .program = run,
};

}  // namespace reckon::checks
