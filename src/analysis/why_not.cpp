#include "analysis/why_not.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

namespace reckon::analysis {

using model::kNone;

namespace {

bool names_file(std::string_view path, std::string_view asked) {
  return path == asked || (path.size() > asked.size() && path.ends_with(asked) &&
                           (asked.starts_with('/') || path[path.size() - asked.size() - 1] == '/'));
}

// The first line at or behind `line` that has an instruction; else the last that has one.
std::uint32_t line_with_code(const model::Function& fn, std::uint32_t line) {
  std::uint32_t next = 0, last = 0;
  for (const model::Instr& i : fn.body.instrs) {
    if (i.loc.file != fn.loc.file || i.loc.line == 0) continue;
    if (i.loc.line >= line && (next == 0 || i.loc.line < next)) next = i.loc.line;
    last = std::max(last, i.loc.line);
  }
  return next != 0 ? next : last;
}

std::string counted(std::size_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

// Where an object came from.
std::string_view origin_of(ObjKind kind) {
  switch (kind) {
    case ObjKind::Loaded: return "read from memory";
    case ObjKind::Interior: return "a pointer into an object";
    case ObjKind::Unknown: return "of unknown origin";
    default: return name_of(kind);
  }
}

class Text {
 public:
  explicit Text(const Executor& look) : look_(look) {}

  std::string object(TermId t) const {
    if (t == kNoTerm) return "";
    const std::string name = look_.describe(t);
    return name.empty() ? "an object without a name" : fmt::format("`{}`", name);
  }

  // What a function returns need not be an object.
  std::string value(TermId t) const {
    const std::string name = look_.describe(t);
    return name.empty() ? "a value without a name" : fmt::format("`{}`", name);
  }

  std::uint32_t line(InstrId instr) const {
    const auto& instrs = look_.function().body.instrs;
    return instr < instrs.size() ? instrs[instr].loc.line : 0;
  }

  std::string since(const char* what, InstrId instr) const {
    return instr == kNone ? "" : fmt::format(", {} line {}", what, line(instr));
  }

  std::string of(const Obj& o) const {
    std::string out = fmt::format("{}: {}, ", object(o.term), origin_of(o.kind));
    out += o.owned < 0 ? fmt::format("{} more released than taken", -o.owned) : fmt::format("{} owned", o.owned);
    out += since("from", o.origin);
    if (o.life == Life::Released) out += since("released at", o.released);
    if (o.stale != kNone) out += since("may be gone since", o.stale);
    if (o.owner != kNoTerm) out += ", borrowed from " + object(o.owner);
    for (const TermId h : o.holders) out += ", held by " + object(h);
    if (o.immortal) out += ", never dies";
    if (o.escaped) out += fmt::format(", escaped: {}", text_of(o.escaped.why()));
    return out;
  }

  std::string of(const GcObject& o) const {
    std::string out = fmt::format("{}: {}", object(o.term),
                                  o.fresh             ? "made here"
                                  : o.origin == kNone ? "not made here"
                                                      : "part of another object");
    out += since("from", o.origin);
    if (!o.slots.empty()) out += fmt::format(", in {} of the stack", counted(o.slots.size(), "slot"));
    for (const TermId h : o.holders) out += ", held by " + object(h);
    out += since("may have been collected at", o.exposed);
    if (o.escaped) out += fmt::format(", escaped: {}", text_of(o.escaped.why()));
    return out;
  }

  std::string of(const Count& c) const {
    return fmt::format("count {} of {}: {:+}", look_.context().count_names[c.kind], object(c.object), c.delta);
  }

  // What a state knows, a line each.
  std::string of(const State& s) const {
    std::string out;
    auto add = [&](const std::string& line) { out += "    " + line + '\n'; };
    for (const Obj& o : s.objects) add(of(o));
    for (const State::Lost& l : s.lost) add("lost: " + of(l.object));
    for (const Count& c : s.counts) add(of(c));
    if (s.gc.on)
      add(s.gc.depth ? fmt::format("the stack is {} deep", s.gc.depth->constant) : "the depth of the stack is lost");
    for (const GcObject& o : s.gc.objects) add(of(o));
    if (raises()) add(fmt::format("exception: {}", name_of(s.exception)));
    if (s.lock != 0) add(given_up(s.lock) ? "the lock: given up here" : "the lock: taken, or given back, here");
    if (out.empty()) add("no object and no count");
    return out;
  }

  std::string of(const Silenced& s) const {
    std::string out = "    ";
    if (s.instr != kNone) out += fmt::format("line {}: ", line(s.instr));
    if (s.other != kNone) out += fmt::format("against line {}: ", line(s.other));
    if (s.object != kNoTerm) out += object(s.object) + ": ";
    return out + fmt::format("{} ({})\n", text_of(s.why), name_of(s.why));
  }

 private:
  // Do functions of this domain fail by setting an exception?
  bool raises() const {
    const Context& ctx = look_.context();
    const DomainId domain = ctx.unit_domain[ctx.program.unit_id(look_.id())];
    return domain < ctx.specs.domains().size() &&
           ctx.specs.domains()[domain].failure_value == specs::FailureValue::Exception;
  }

  const Executor& look_;
};

std::string paragraph(const char* title, const std::string& text) {
  return text.empty() ? "" : fmt::format("  {}\n{}", title, text);
}

}  // namespace

std::map<FuncId, std::uint32_t> functions_at(const program::Program& program, const AskedLine& asked) {
  std::map<FuncId, std::uint32_t> out;
  for (FuncId f{}; f < program.num_functions(); ++f) {
    const model::Function& fn = program.function(f);
    if (asked.line >= fn.loc.line && asked.line <= fn.end.line && !fn.body.instrs.empty() &&
        names_file(program.unit(f).str(fn.loc.file), asked.file))
      out.emplace(program.whole(f), line_with_code(fn, asked.line));
  }
  return out;
}

std::string why_nowhere(const program::Program& program, const AskedLine& asked) {
  bool captured = false;
  for (program::UnitId u{}; u < program.num_units() && !captured; ++u) {
    const model::Unit& unit = program.unit_at(u);
    captured = names_file(unit.path, asked.file) ||
               std::any_of(unit.headers.begin(), unit.headers.end(),
                           [&](model::StrId header) { return names_file(unit.str(header), asked.file); });
  }
  if (!captured) return fmt::format("{} is not among the files that were captured", asked.file);
  return fmt::format("line {} of {} is in no function that was captured; an inline function that nobody calls is not",
                     asked.line, asked.file);
}

std::string thoughts(const Executor& look, const FunctionResult& result, const std::vector<Unreported>& unreported) {
  const Text text(look);
  const Answer& known = look.answer();
  std::string out = fmt::format("  looked at in {}, up to {} at one place, {}{}\n", counted(result.steps, "step"),
                                counted(result.max_states, "state"), counted(look.exits().size(), "exit"),
                                result.cut_short ? "; cut short: " + result.reason : "");

  std::vector<std::string> states;  // as they came, each once
  for (const auto& [instr, s] : known.seen)
    if (std::string now = text.of(s); std::find(states.begin(), states.end(), now) == states.end())
      states.push_back(std::move(now));
  if (states.empty()) out += fmt::format("  no path that is possible reaches line {}\n", known.line);
  for (std::size_t n = 0; n < states.size(); ++n)
    out += fmt::format("  known in front of {}line {}{}\n{}", states.size() > 1 ? "or within " : "", known.line,
                       states.size() > 1 ? fmt::format(", state {} of {}", n + 1, states.size()) : "", states[n]);

  std::string silent;
  for (const Silenced& s : known.silences) silent += text.of(s);
  for (const Unreported& u : unreported)
    silent += fmt::format("    line {}: {} ({})\n", text.line(u.instr), text_of(u.why), name_of(u.why));
  out += paragraph("silent", silent.empty() ? "    nothing was held back\n" : silent);

  std::string unknown;
  for (const InstrId call : known.unknown_calls) {
    const std::string name = look.callee_name(look.function().body.instrs[call]);
    unknown += fmt::format("    line {}: {} has neither a body nor a spec\n", text.line(call),
                           name.empty() ? "a function behind a pointer" : name + "()");
  }
  out += paragraph("not known", unknown);

  std::set<std::string> exits;  // many differ in what does not matter here
  for (const Exit& e : look.exits())
    exits.insert(fmt::format("  exit at line {}, {}\n{}", text.line(e.instr),
                             e.by_exception        ? "by an exception"
                             : e.result == kNoTerm ? "without a result"
                                                   : "returns " + (look.terms().is_const(e.result)
                                                                       ? std::to_string(look.terms()[e.result].imm)
                                                                       : text.value(e.result)),
                             text.of(e.state)));
  for (const std::string& exit : exits) out += exit;
  return out;
}

std::string answer(const Context& ctx, const FunctionReport& report, const AskedLine& asked,
                   const std::string& thoughts, const std::vector<report::Finding>& findings,
                   const std::function<bool(const report::Finding&)>& shown) {
  const FuncId f = report.function;
  const model::Function& fn = ctx.program.function(f);
  std::string out = fmt::format("{} is in {}\n", asked.text, ctx.program.display(f));
  if (asked.line < fn.loc.line || asked.line > fn.end.line)
    out += "  by a helper that ends it; both are looked at as one function\n";
  if (const std::uint32_t line = ctx.asked_lines.at(f); line != asked.line)
    out += fmt::format("  line {} has no code of its own; this is about line {}\n", asked.line, line);
  if (ctx.known_by_spec(f)) out += "  a spec describes it, and callers go by that\n";
  if (thoughts.empty())
    out += ctx.known_by_spec(f) ? "  its body was not looked at\n"
                                : "  nobody looked at it: no domain has to do with this unit (--domain names one)\n";
  if (report.cut_short) out += fmt::format("  cut short: {}; callers know nothing of it\n", report.reason);
  out += thoughts;
  std::string found;
  for (const report::Finding& x : findings)
    found += fmt::format("    line {}: {}, confidence {}{}\n", x.loc.line, x.check, report::name_of(x.confidence),
                         shown(x) ? "" : "; not shown: the check is left out, or made on request (--checks)");
  out += paragraph("found in this function", found.empty() ? "    nothing\n" : found);
  return out + '\n';  // the findings of the run come next
}

}  // namespace reckon::analysis
