// format: calls whose further arguments are described by a format string, a count or a sentinel.
//
// The problem: the compiler knows nothing of these formats, so a wrong number or size of arguments passes silently
// and reads or overwrites the stack at run time. The method: the spec of the callee says which grammar its format
// follows; a constant format is read into units, and these are compared with the C types of the arguments as the
// programmer wrote them. Lists of keywords, counts and sentinels are compared with what they should agree with.
//
// Limits: formats, keyword lists and counts that are not constant are not looked at. If one macro makes several
// calls of one function at one place, their written arguments cannot be told apart, so only numbers are compared.

#include <algorithm>
#include <map>
#include <optional>

#include "checks/format_types.h"
#include "checks/kinds.h"
#include "checks/static_checks.h"
#include "engine/properties/formats/formats.h"
#include "model/texts.h"
#include "program/values.h"
#include "specs/parser.h"
#include "support/limits.h"

namespace reckon::checks {

namespace {

using engine::ArgKind;
using engine::Format;
using engine::FormatUnit;
using model::ConstKind;
using model::Op;
using model::Operand;
using model::OperandKind;
using report::Severity;
using specs::FunctionSpec;
using specs::VarargKind;

struct Problem {
  std::string text;
  Severity severity = Severity::High;
  bool without_effect = false;  // against the rules, but what runs does as if it were right
};

std::string plural(std::size_t n, std::string_view what) {
  return std::to_string(n) + " " + std::string(what) + (n == 1 ? "" : "s");
}

// A format in a message: one line, not too long.
std::string shown(std::string_view format) {
  constexpr std::size_t kLongest = support::kLimits.checks.format_length;
  std::string out;
  for (const char c : format.substr(0, kLongest)) {
    if (c == '\n')
      out += "\\n";
    else if (static_cast<unsigned char>(c) < ' ')
      out += '?';
    else
      out += c;
  }
  return '"' + out + (format.size() > kLongest ? "...\"" : "\"");
}

// Everything about one call; the order of its functions is that of a reader of the call.
class CallChecker {
 public:
  CallChecker(const engine::Context& ctx, const model::Unit& unit, const program::ValueDefs& defs,
              const model::Instr& call, const FunctionSpec& spec, bool types_known, bool long_lengths,
              std::string_view lengths_need)
      : ctx_(ctx),
        unit_(unit),
        defs_(defs),
        spec_(spec),
        lengths_need_(lengths_need),
        types_(unit, ctx.specs, spec.varargs == VarargKind::ParseFormat || spec.varargs == VarargKind::OutParams,
               long_lengths) {
    const auto ops = defs.body().ops(call);
    operands_.assign(ops.begin() + 1, ops.end());
    const model::CallInfo& info = defs.body().calls[call.aux];
    // Structs by value may be several operands; then the written arguments count.
    if (types_known && !info.arg_types.empty()) {
      types_known_ = true;
      count_ = info.arg_types.size();
      for (std::size_t i = 0; i < count_; ++i)
        arguments_.push_back({info.arg_types[i], count_ == operands_.size() ? operands_[i] : Operand{}});
    } else {
      count_ = operands_.size();
    }
  }

  std::vector<Problem> run() {
    const std::size_t named = spec_.params.size();
    if (count_ < named) return {};
    given_ = count_ - named;
    switch (spec_.varargs) {
      case VarargKind::ParseFormat:
      case VarargKind::BuildFormat:
      case VarargKind::PrintFormat: check_format(); break;
      case VarargKind::UntilNull: check_sentinel(); break;
      case VarargKind::Counted: check_count(); break;
      case VarargKind::OutParams: check_out_parameters(); break;
      case VarargKind::None: break;
    }
    return std::move(problems_);
  }

 private:
  void add(std::string text, Severity severity = Severity::High, bool without_effect = false) {
    problems_.push_back({std::move(text), severity, without_effect});
  }

  std::size_t parameter(std::string_view name) const {
    for (std::size_t p = 0; p < spec_.params.size(); ++p)
      if (spec_.params[p].name == name) return p;
    return spec_.params.size();
  }
  std::optional<std::int64_t> number(std::size_t p) const {
    if (p >= spec_.params.size() || p >= operands_.size() || operands_[p].kind != OperandKind::Int) return std::nullopt;
    return operands_[p].imm;
  }

  void check_format() {
    if (spec_.format_param >= operands_.size()) return;
    const auto text = model::constant_text(unit_, operands_[spec_.format_param]);
    if (!text) return;
    const bool parse = spec_.varargs == VarargKind::ParseFormat;
    const Format format = parse                                      ? engine::read_parse_format(*text)
                          : spec_.varargs == VarargKind::BuildFormat ? engine::read_build_format(*text)
                                                                     : engine::read_print_format(*text);
    if (!format.problem.empty()) return add(format.problem, Severity::Medium);
    const std::size_t needed = format.units.size();
    if (given_ != needed) {
      // One argument too many is only ignored, unless it is to be filled in.
      const Severity severity = given_ < needed ? Severity::High : parse ? Severity::Medium : Severity::Low;
      add("the format " + shown(*text) + " needs " + plural(needed, "argument") + ", the call gives " +
              (given_ == 0 ? "none" : std::to_string(given_)),
          severity, given_ > needed && (!parse || never_looked_at(needed)));
    }
    const auto length = std::find_if(format.units.begin(), format.units.end(),
                                     [](const FormatUnit& u) { return u.kind == ArgKind::Length; });
    const bool fails = length != format.units.end() && !lengths_need_.empty();
    if (fails)
      add("format unit '" + std::string(length->text) + "' always fails, " + std::string(lengths_need_) +
          " is not defined before the headers are read");
    if (types_known_ && given_ >= needed) {
      for (const FormatUnit& u : format.units)
        if (!fails || u.kind != ArgKind::Length) check_unit(u);  // of what type it is no longer matters
      if (parse) check_type_objects(format);
    }
    if (parse) check_keywords(format);
  }

  // Are the arguments from this one on addresses of locals that nothing else uses?
  bool never_looked_at(std::size_t first) const {
    for (std::size_t a = spec_.params.size() + first; a < operands_.size(); ++a) {
      const model::Instr* def = operands_[a].kind == OperandKind::Value ? defs_.def(operands_[a].value_id()) : nullptr;
      if (!def || def->op != Op::Alloca) return false;
      std::size_t uses = 0;
      for (const model::Instr& i : defs_.body().instrs) {
        const auto ops = defs_.body().ops(i);
        if (i.op == Op::Store && ops[1] != operands_[a]) continue;  // written, not read
        for (const Operand& o : ops) uses += o.kind == OperandKind::Value && o.id == operands_[a].id;
      }
      if (uses > 1) return false;
    }
    return true;
  }

  void check_unit(const FormatUnit& u) {
    const std::size_t at = spec_.params.size() + u.argument;
    const Argument& a = arguments_[at];
    if (types_.fits(u, a)) return;
    // A small constant happens to arrive whole.
    const bool harmless = u.kind == ArgKind::Number && a.operand.kind == OperandKind::Int && a.operand.imm >= 0 &&
                          spec_.varargs != VarargKind::ParseFormat;
    add("format unit '" + std::string(u.text) + "' needs " + types_.needed(u) + ", argument " + std::to_string(at + 1) +
            " is " + types_.name(a.type),
        harmless ? Severity::Low : Severity::High, types_.arrives_whole(u, a.type));
  }

  // The struct of a type's objects, by a spec or by an attribute of the type object; "" if not known.
  std::string_view struct_of(const Operand& type) const {
    if (type.kind != OperandKind::Symbol || type.imm != 0) return {};
    const model::Symbol& symbol = unit_.symbols[type.id];
    for (const model::Attribute& a : symbol.attributes)
      if (unit_.str(a.name) == "cpychecker_type_object_for_typedef") return unit_.str(a.text);
    const specs::TypeObjectSpec* spec = ctx_.specs.find_type_object(unit_.str(symbol.name));
    return spec ? std::string_view(spec->record) : std::string_view();
  }

  // Is one of these structs the other, or does it begin with it?
  bool begins_with(model::TypeId record, std::string_view name) const {
    for (int depth = 0; depth < support::kLimits.program.first_members; ++depth) {
      const model::Type& r = unit_.type(record);
      if (r.kind != model::TypeKind::Struct) return false;
      if (unit_.str(r.name) == name) return true;
      if (r.fields.empty() || r.fields[0].offset != 0) return false;
      record = r.fields[0].type;
    }
    return false;
  }

  // The same of a struct by its name; one that is not in sight may.
  bool may_begin_with(std::string_view record, std::string_view name) const {
    bool found = false;
    for (model::TypeId t{}; t < unit_.types.size(); ++t) {
      if (unit_.types[t].kind != model::TypeKind::Struct || unit_.str(unit_.types[t].name) != record) continue;
      if (begins_with(t, name)) return true;
      found = found || !unit_.types[t].fields.empty();
    }
    return !found;
  }

  // O! with a type object and a variable for objects of another type.
  void check_type_objects(const Format& format) {
    for (std::size_t i = 0; i + 1 < format.units.size(); ++i) {
      if (format.units[i].kind != ArgKind::Type) continue;
      const Argument& type = arguments_[spec_.params.size() + i];
      const std::string_view want = struct_of(type.operand);
      if (want.empty()) continue;
      model::TypeId t = arguments_[spec_.params.size() + i + 1].type;
      for (int level = 0; level < 2; ++level)
        if (unit_.type(t).kind == model::TypeKind::Pointer) t = unit_.type(t).elem;
      const model::Type& have = unit_.type(t);
      if (have.kind != model::TypeKind::Struct || begins_with(t, want)) continue;
      // Only a struct that is known to belong to another type speaks against it, or one that the struct named in the
      // source does not begin with; the common base of all does not.
      const auto& all = ctx_.specs.type_objects();
      const std::string_view name = unit_.str(have.name);
      const bool anothers = std::any_of(all.begin(), all.end(), [&](const auto& o) { return o.record == name; });
      if (!anothers && (name.empty() || ctx_.specs.find_type_object(unit_.name(type.operand.symbol_id())) ||
                        may_begin_with(want, name)))
        continue;
      add("format unit 'O!' checks for " + std::string(unit_.name(type.operand.symbol_id())) + ", whose objects are " +
          std::string(want) + ", argument " + std::to_string(spec_.params.size() + i + 2) + " is " +
          types_.name(arguments_[spec_.params.size() + i + 1].type));
    }
  }

  // The object whose first byte this is the address of: an array by its first element.
  Operand start_of(Operand o) const {
    for (int depth = 0; depth < support::kLimits.operands.format_steps && o.kind == OperandKind::Value; ++depth) {
      const model::Instr* def = defs_.def(o.value_id());
      if (!def || !((def->op == Op::Field && def->imm == 0) || def->op == Op::Cast)) break;
      o = defs_.body().ops(*def)[0];
    }
    return o;
  }

  // The constant data a pointer refers to: a global's, or what a local array was filled with.
  const model::Constant* constant_data(const Operand& address) const {
    const Operand o = start_of(address);
    if (o.kind == OperandKind::Symbol && o.imm == 0) {
      const model::ConstId init = unit_.symbols[o.id].init;
      return init == model::kNone ? nullptr : &unit_.constants[init];
    }
    const model::Instr* def = o.kind == OperandKind::Value ? defs_.def(o.value_id()) : nullptr;
    if (!def || def->op != Op::Alloca) return nullptr;
    const model::Constant* found = nullptr;
    for (const model::Instr& i : defs_.body().instrs) {
      const auto ops = defs_.body().ops(i);
      if (i.op != Op::Call || ops.size() < 3 || ops[0].kind != OperandKind::Symbol ||
          unit_.name(ops[0].symbol_id()) != "memcpy" || start_of(ops[1]) != o)
        continue;
      if (found || ops[2].kind != OperandKind::Symbol || ops[2].imm != 0) return nullptr;
      const model::ConstId init = unit_.symbols[ops[2].id].init;
      if (init == model::kNone) return nullptr;
      found = &unit_.constants[init];
    }
    return found;
  }

  void check_keywords(const Format& format) {
    const std::size_t p = parameter("kwlist");
    if (p >= spec_.params.size() || p >= operands_.size()) return;
    const model::Constant* list = constant_data(operands_[p]);
    if (!list || list->kind != ConstKind::Aggregate) return;
    std::size_t names = 0;
    bool ended = false;
    for (const model::ConstId c : list->children) {
      const ConstKind kind = unit_.constants[c].kind;
      if (kind == ConstKind::Zero) {
        ended = true;
        break;
      }
      if (kind != ConstKind::Address) return;
      ++names;
    }
    if (!ended)
      add("the keyword list does not end with NULL");
    else if (names != format.items)
      add("the format takes " + plural(format.items, "argument") + ", the keyword list has " + plural(names, "name"));
  }

  // May the value be NULL because a branch before the call chose so?
  bool may_be_null(const Operand& o) const {
    if (o.kind == OperandKind::Null || (o.kind == OperandKind::Int && o.imm == 0)) return true;
    const model::Instr* def = o.kind == OperandKind::Value ? defs_.def(o.value_id()) : nullptr;
    if (!def || (def->op != Op::Phi && def->op != Op::Select)) return false;
    const auto ops = defs_.body().ops(*def);
    return std::any_of(ops.begin(), ops.end(), [](const Operand& x) {
      return x.kind == OperandKind::Null || (x.kind == OperandKind::Int && x.imm == 0);
    });
  }

  void check_objects(std::size_t first, std::size_t last) {
    if (!types_known_) return;
    for (std::size_t i = first; i < last; ++i)
      if (!types_.is_null(arguments_[i]) && !types_.is_object_pointer(arguments_[i].type))
        add("argument " + std::to_string(i + 1) + " must be an object, it is " + types_.name(arguments_[i].type));
  }

  void check_sentinel() {
    const std::size_t named = spec_.params.size();
    std::size_t end = named;
    while (end < operands_.size() && !may_be_null(operands_[end])) ++end;
    if (end == operands_.size()) return add("the list of arguments does not end with NULL");
    if (count_ == operands_.size()) check_objects(named, end);
  }

  void check_count() {
    const auto n = number(spec_.count_param);
    if (n && *n != static_cast<std::int64_t>(given_))
      return add("the call announces " + std::to_string(*n) + (*n == 1 ? " object" : " objects") + " and gives " +
                     std::to_string(given_),
                 static_cast<std::int64_t>(given_) < *n ? Severity::High : Severity::Medium);
    check_objects(spec_.params.size(), count_);
  }

  void check_out_parameters() {
    const auto least = number(parameter("min")), most = number(parameter("max"));
    if (least && most && *least > *most)
      return add("the call wants at least " + std::to_string(*least) + " and at most " + std::to_string(*most) +
                 " objects");
    if (most && *most != static_cast<std::int64_t>(given_))
      return add(
          "the call takes apart up to " + std::to_string(*most) + " objects and has room for " + std::to_string(given_),
          static_cast<std::int64_t>(given_) < *most ? Severity::High : Severity::Medium);
    if (!types_known_) return;
    FormatUnit object;
    object.kind = ArgKind::Object;
    for (std::size_t i = spec_.params.size(); i < count_; ++i)
      if (!types_.fits(object, arguments_[i]))
        add("argument " + std::to_string(i + 1) + " must be " + types_.needed(object) + ", it is " +
            types_.name(arguments_[i].type));
  }

  const engine::Context& ctx_;
  const model::Unit& unit_;
  const program::ValueDefs& defs_;
  const FunctionSpec& spec_;
  std::string_view lengths_need_;  // the macro without which a unit with a length fails; empty if none does
  FormatTypes types_;
  std::vector<Operand> operands_;  // without the callee
  std::vector<Argument> arguments_;
  bool types_known_ = false;
  std::size_t count_ = 0;  // arguments, named and further
  std::size_t given_ = 0;  // further arguments
  std::vector<Problem> problems_;
};

class FunctionChecker {
 public:
  FunctionChecker(const engine::Context& ctx, program::FuncId f, std::vector<report::Finding>& out)
      : ctx_(ctx), f_(f), unit_(ctx.program.unit(f)), body_(ctx.program.function(f).body), out_(out) {}

  void run() {
    std::vector<const model::Instr*> calls;
    std::map<std::tuple<model::StrId, std::uint32_t, std::uint32_t, model::SymId>, int> at_place;
    for (const model::Instr& i : body_.instrs)
      if (spec_of(i)) {
        calls.push_back(&i);
        ++at_place[place(i)];
      }
    if (calls.empty()) return;
    const program::ValueDefs defs(body_);
    for (const model::Instr* i : calls) {
      const FunctionSpec& spec = *spec_of(*i);
      const bool large = long_lengths(*i, spec);
      CallChecker checker(ctx_, unit_, defs, *i, spec, at_place[place(*i)] == 1, large,
                          large ? std::string_view() : lengths_need(spec));
      report(*i, spec, checker.run());
    }
  }

 private:
  const FunctionSpec* spec_of(const model::Instr& i) const {
    if (i.op != Op::Call || i.aux == model::kNone) return nullptr;
    const Operand& callee = body_.ops(i)[0];
    if (callee.kind != OperandKind::Symbol || callee.imm != 0) return nullptr;
    const FunctionSpec* spec = ctx_.spec_of[ctx_.program.unit_id(f_)][callee.id];
    if (!spec || spec->varargs == VarargKind::None) return nullptr;
    const specs::DomainSpec* domain = ctx_.specs.find_domain(spec->domain);
    return domain && domain->reports_formats ? spec : nullptr;
  }

  std::tuple<model::StrId, std::uint32_t, std::uint32_t, model::SymId> place(const model::Instr& i) const {
    return {i.loc.file, i.loc.line, i.loc.col, body_.ops(i)[0].symbol_id()};
  }

  // The same source calls another function, or reads other headers, where lengths are large.
  bool long_lengths(const model::Instr& i, const FunctionSpec& spec) const {
    const specs::DomainSpec* domain = ctx_.specs.find_domain(spec.domain);
    const std::string_view callee = unit_.name(body_.ops(i)[0].symbol_id());
    return std::any_of(domain->long_lengths.begin(), domain->long_lengths.end(), [&](const std::string& name) {
      return name.find('.') != std::string::npos ? reads_header(unit_, name) : specs::matches_pattern(name, callee);
    });
  }

  // MACRO:HEADER: with this header, and without the macro, the API refuses lengths of any type.
  std::string_view lengths_need(const FunctionSpec& spec) const {
    for (const std::string_view name : ctx_.specs.find_domain(spec.domain)->long_lengths)
      if (const auto colon = name.find(':'); colon != name.npos && reads_header(unit_, name.substr(colon + 1)))
        return name.substr(0, colon);
    return {};
  }

  // One finding a call: what is wrong first, and how much more there is.
  void report(const model::Instr& i, const FunctionSpec& spec, const std::vector<Problem>& problems) {
    if (problems.empty()) return;
    const auto worst = std::max_element(problems.begin(), problems.end(), [](const Problem& a, const Problem& b) {
      return std::pair(!a.without_effect, a.severity) < std::pair(!b.without_effect, b.severity);
    });
    report::Finding f;
    f.check = id_in(spec.domain, check_format);
    f.severity = worst->severity;
    f.confidence = worst->without_effect ? report::Confidence::Low : report::Confidence::High;
    const std::string& name =
        spec.alias_of.empty() ? std::string(unit_.name(body_.ops(i)[0].symbol_id())) : spec.alias_of;
    f.message = "call of " + name + "(): " + worst->text;
    if (problems.size() > 1) f.message += " (and " + std::to_string(problems.size() - 1) + " more)";
    f.function = std::string(ctx_.program.display(f_));
    f.loc = source_loc(unit_, i.loc.line != 0 ? i.loc : ctx_.program.function(f_).loc);
    f.trigger = trigger_of_raising(ctx_, f_, model::InstrId(static_cast<std::uint32_t>(&i - body_.instrs.data())));
    out_.push_back(std::move(f));
  }

  const engine::Context& ctx_;
  program::FuncId f_;
  const model::Unit& unit_;
  const model::Body& body_;
  std::vector<report::Finding>& out_;
};

void run(const engine::Context& ctx, program::FuncId f, std::vector<report::Finding>& out) {
  FunctionChecker(ctx, f, out).run();
}

}  // namespace

constinit const Check check_format{
    .kind = "format",
    .summary = "a format string and the arguments of its call disagree",
    .function = run,
    .harm = report::Harm::Crash,
};

}  // namespace reckon::checks
