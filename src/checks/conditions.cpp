// A branch in the words of the source.
//
// "The true branch" is of no use to a reader: the compiler turns `if (!x)` round, and splits `a && b` into two
// branches. What was compared says it plainly, whichever way the source has it: the comparison of the model is written
// down as C would have it, with the names of variables and fields, and negated on the other side.
//
// Limits: values that control flow puts together (a flag computed by `a && b`) have no such form, and neither have long
// expressions; then the reader is told where it goes on. Names of enumerators and macros are gone: their numbers are
// shown.

#include "checks/conditions.h"
#include "support/limits.h"

#include <array>
#include <utility>

namespace reckon::checks {

namespace {

using model::ArithOp;
using model::CmpPred;
using model::Instr;
using model::kNone;
using model::Op;
using model::Operand;
using model::OperandKind;

constexpr std::size_t kLongest =
    support::kLimits.checks.expression_length;  // characters of an expression that still reads well
constexpr int kFuel = support::kLimits.checks.expression_depth;

const char* sign(CmpPred p) {
  static constexpr std::array<const char*, 14> signs = {"==", "!=", "<",  "<=", ">",  ">=", "<",
                                                        "<=", ">",  ">=", "<",  "<=", ">",  ">="};
  return signs[static_cast<std::size_t>(p)];
}

const char* sign(ArithOp op) {
  static constexpr std::array<const char*, 11> signs = {"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", ">>"};
  return signs[static_cast<std::size_t>(op)];
}

class Words {
 public:
  explicit Words(const engine::Trace& trace) : trace_(trace), body_(trace.function().body), unit_(trace.unit()) {}

  // The condition as it is known to hold; "" if it has no short form.
  std::string condition(const Operand& o, bool truth, int fuel = kFuel) const {
    const Instr* def = definition(o);
    if (!def || fuel <= 0) return {};
    const auto ops = body_.ops(*def);
    if (name(o).empty()) {
      if (def->op == Op::Cast) return condition(ops[0], truth, fuel - 1);
      if (def->op == Op::Arith && static_cast<ArithOp>(def->sub) == ArithOp::Xor && is_one(ops[1]) &&
          is_truth_value(ops[0], fuel))
        return condition(ops[0], !truth, fuel - 1);
    }
    if (def->op == Op::Cmp) return comparison(*def, truth, fuel);
    const std::string text = expression(o, fuel);
    if (text.empty()) return {};
    return def->op == Op::Call && name(o).empty() ? text + " returns " + (truth ? "true" : "false")
                                                  : "`" + text + "` is " + (truth ? "true" : "false");
  }

 private:
  std::string comparison(const Instr& cmp, bool truth, int fuel) const {
    auto pred = static_cast<CmpPred>(cmp.sub);
    const auto ops = body_.ops(cmp);
    const bool equality = pred == CmpPred::Eq || pred == CmpPred::Ne;
    // `(a < b) != 0` is `a < b`.
    if (equality && is_zero(ops[1]) && is_truth_value(ops[0], fuel))
      return condition(ops[0], (pred == CmpPred::Ne) == truth, fuel - 1);
    if (!truth) pred = engine::negate(pred);
    const std::string a = expression(ops[0], fuel), b = expression(ops[1], fuel);
    if (a.empty() || b.empty() || a.size() + b.size() > kLongest) return {};
    if (!equality || !is_zero(ops[1])) return "`" + a + " " + sign(pred) + " " + b + "`";
    const bool is = pred == CmpPred::Eq;
    const Instr* def = definition(ops[0]);
    if (def && def->op == Op::Call && name(ops[0]).empty()) return a + (is ? " returns " : " does not return ") + b;
    return "`" + a + "` is " + (is ? "" : "not ") + b;
  }

  // An expression as C would have it; "" if it has no short form.
  std::string expression(const Operand& o, int fuel) const {
    if (fuel <= 0) return {};
    switch (o.kind) {
      case OperandKind::Int: return std::to_string(o.imm);
      case OperandKind::Null: return "NULL";
      case OperandKind::Symbol: return o.imm == 0 ? std::string(unit_.str(unit_.symbols[o.id].display)) : std::string();
      case OperandKind::Undef:
      case OperandKind::Other: return {};
      case OperandKind::Value: break;
    }
    if (std::string n = name(o); !n.empty()) return n;
    const Instr* def = definition(o);
    if (!def) return {};
    const auto ops = body_.ops(*def);
    switch (def->op) {
      case Op::Cast: return expression(ops[0], fuel - 1);
      case Op::Load: return place(ops[0], fuel - 1);
      case Op::Call: {
        const std::string callee = trace_.callee_name(*def);
        return callee.empty() ? callee : callee + "()";
      }
      case Op::Arith: {
        const std::string a = part(ops[0], fuel), b = part(ops[1], fuel);
        return a.empty() || b.empty() ? std::string() : a + " " + sign(static_cast<ArithOp>(def->sub)) + " " + b;
      }
      case Op::Field:
      case Op::Index:
      case Op::Alloca: {
        const std::string at = place(o, fuel - 1);
        return at.empty() ? at : "&" + at;
      }
      default: return {};
    }
  }

  // As an operand of an operator.
  std::string part(const Operand& o, int fuel) const {
    const std::string text = expression(o, fuel - 1);
    return text.find(' ') == std::string::npos ? text : "(" + text + ")";
  }

  // What stands at an address.
  std::string place(const Operand& o, int fuel) const {
    if (fuel <= 0) return {};
    if (o.kind == OperandKind::Symbol)
      return o.imm == 0 ? std::string(unit_.str(unit_.symbols[o.id].display)) : std::string();
    const Instr* def = definition(o);
    if (def && name(o).empty()) {
      const auto ops = body_.ops(*def);
      switch (def->op) {
        case Op::Cast: return place(ops[0], fuel - 1);
        case Op::Alloca:
          return def->aux < body_.locals.size() ? std::string(unit_.str(body_.locals[def->aux].name)) : std::string();
        case Op::Field: {
          if (def->aux >= body_.fields.size()) return {};
          const std::string base = member_of(ops[0], fuel - 1);
          return base.empty() ? base : base + std::string(unit_.str(body_.fields[def->aux].path));
        }
        case Op::Index: {
          const std::string base = expression(ops[0], fuel - 1), at = expression(ops[1], fuel - 1);
          return base.empty() ? base : (base[0] == '&' ? base.substr(1) : base) + "[" + (at.empty() ? "..." : at) + "]";
        }
        default: break;
      }
    }
    const std::string pointer = expression(o, fuel - 1);
    return pointer.empty() ? pointer : pointer[0] == '&' ? pointer.substr(1) : "*" + pointer;
  }

  // The base of a member with its "." or "->".
  std::string member_of(const Operand& o, int fuel) const {
    const Instr* def = definition(o);
    const bool inside =
        o.kind == OperandKind::Symbol ||
        (def && name(o).empty() && (def->op == Op::Alloca || def->op == Op::Field || def->op == Op::Index));
    const std::string base = inside ? place(o, fuel) : expression(o, fuel);
    return base.empty() ? base : base + (inside ? "." : "->");
  }

  // Is it the answer of a comparison, as a number?
  bool is_truth_value(const Operand& o, int fuel) const {
    const Instr* def = definition(o);
    if (!def || fuel <= 0 || !name(o).empty()) return false;
    if (def->op == Op::Cmp) return true;
    if (def->op == Op::Cast) return is_truth_value(body_.ops(*def)[0], fuel - 1);
    return def->op == Op::Arith && static_cast<ArithOp>(def->sub) == ArithOp::Xor && is_one(body_.ops(*def)[1]) &&
           is_truth_value(body_.ops(*def)[0], fuel - 1);
  }

  static bool is_zero(const Operand& o) {
    return o.kind == OperandKind::Null || (o.kind == OperandKind::Int && o.imm == 0);
  }
  static bool is_one(const Operand& o) { return o.kind == OperandKind::Int && (o.imm == 1 || o.imm == -1); }

  // Of the variable whose value it is. A variable in memory lends its name to its address, too; that is no value of it.
  std::string name(const Operand& o) const {
    if (o.kind != OperandKind::Value) return {};
    if (const Instr* def = definition(o); def && def->op == Op::Alloca) return {};
    if (o.id < trace_.function().params.size()) return std::string(unit_.str(trace_.function().params[o.id].name));
    return o.id < body_.value_names.size() ? std::string(unit_.str(body_.value_names[o.id])) : std::string();
  }

  const Instr* definition(const Operand& o) const {
    if (o.kind != OperandKind::Value || o.id < trace_.function().params.size()) return nullptr;
    for (const Instr& i : body_.instrs)
      if (i.result == o.value_id()) return &i;
    return nullptr;
  }

  const engine::Trace& trace_;
  const model::Body& body_;
  const model::Unit& unit_;
};

// The first line behind a branch; 0 if it is not known.
std::uint32_t line_of(const model::Body& body, model::BlockId block) {
  for (int fuel = kFuel; fuel > 0; --fuel) {
    for (const Instr& i : body.block(block))
      if (i.op != Op::Phi && i.loc.line != 0) return i.loc.line;
    const auto next = body.succs(body.terminator(block));
    if (next.size() != 1) break;
    block = next[0];
  }
  return 0;
}

}  // namespace

std::string branch_in_words(const engine::Trace& trace, model::InstrId branch, std::uint32_t successor) {
  const model::Body& body = trace.function().body;
  const Instr& i = body.instrs[branch];
  if (i.op == Op::Switch)
    return successor == 0 ? "taking the default case" : "taking case " + std::to_string(body.ops(i)[successor].imm);
  if (i.op == Op::CondBr)
    if (std::string held = Words(trace).condition(body.ops(i)[0], successor == 0); !held.empty())
      return "assuming " + held;
  const auto targets = body.succs(i);
  const std::uint32_t line = successor < targets.size() ? line_of(body, targets[successor]) : 0;
  // Told from here, not by its number: a finding that is taken over from an earlier run may have moved.
  const std::uint32_t here = i.loc.line;
  if (line == 0 || here == 0 || line == here) return "going on";
  const std::string lines = std::to_string(line > here ? line - here : here - line) +
                            (line - here == 1 || here - line == 1 ? " line " : " lines ");
  return "going on " + lines + (line > here ? "below" : "above");
}

}  // namespace reckon::checks
