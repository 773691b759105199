#include "program/mine.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace reckon::program {

namespace {

using model::TypeKind;

// What takes, and what gives back.
constexpr std::array<std::pair<std::string_view, std::string_view>, 46> kAntonyms{{
    {"get", "put"},
    {"acquire", "release"},
    {"ref", "unref"},
    {"grab", "drop"},
    {"hold", "release"},
    {"hold", "put"},
    {"inc", "dec"},
    {"enable", "disable"},
    {"prepare", "unprepare"},
    {"request", "free"},
    {"request", "release"},
    {"alloc", "free"},
    {"create", "destroy"},
    {"new", "free"},
    {"new", "unref"},
    {"new", "put"},
    {"new", "release"},
    {"new", "destroy"},
    {"create", "free"},
    {"create", "unref"},
    {"create", "release"},
    {"alloc", "put"},
    {"dup", "free"},
    {"retain", "release"},
    {"incref", "decref"},
    {"up_ref", "free"},
    {"open", "close"},
    {"take", "give"},
    {"pin", "unpin"},
    {"attach", "detach"},
    {"claim", "release"},
    {"resume", "suspend"},
    {"lookup", "put"},
    {"find", "put"},
    {"begin", "end"},
    {"start", "stop"},
    {"register", "unregister"},
    {"lock", "unlock"},
    {"map", "unmap"},
    {"bind", "unbind"},
    {"connect", "disconnect"},
    {"add", "remove"},
    {"add", "del"},
    {"load", "unload"},
    {"join", "leave"},
    {"install", "uninstall"},
}};

// Parts of the names of functions that end an object.
constexpr std::string_view kEnds[] = {"free", "destroy", "dispose", "finalize", "delete"};

struct Known {  // a function some unit names
  UnitId unit = kNone;
  model::SymId symbol = model::kNone;
};

// "struct.field" that a body counts by one, with the parameter it is reached from; step +1 or -1.
struct Counter {
  std::string field;
  std::uint32_t param = 0;
  int step = 0;
  bool frees = false;  // the body also hands that parameter to a function that is called like one that frees
};

// Does a call of the body hand this value, and nothing else, to a function with such a name?
bool frees_value(const model::Unit& unit, const model::Body& body, const model::Operand& value) {
  return std::any_of(body.instrs.begin(), body.instrs.end(), [&](const model::Instr& i) {
    if (i.op != model::Op::Call || i.num_operands != 2) return false;
    const auto ops = body.ops(i);
    if (ops[0].kind != model::OperandKind::Symbol || !(ops[1] == value)) return false;
    const std::string_view name = unit.str(unit.symbols[ops[0].id].display);
    return std::any_of(std::begin(kEnds), std::end(kEnds),
                       [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
  });
}

// The first store of the form p->f = p->f +- 1, p a parameter.
Counter counter_of(const model::Unit& unit, const model::Function& fn) {
  const model::Body& body = fn.body;
  std::vector<const model::Instr*> defs(body.num_values, nullptr);
  for (const model::Instr& i : body.instrs)
    if (i.result != model::kNone && i.result < defs.size()) defs[i.result] = &i;
  auto def = [&](const model::Operand& o) {
    return o.kind == model::OperandKind::Value && o.id < defs.size() ? defs[o.id] : nullptr;
  };
  for (const model::Instr& i : body.instrs) {
    if (i.op != model::Op::Store) continue;
    const auto ops = body.ops(i);
    const model::Instr* sum = def(ops[1]);
    const model::Instr* field = def(ops[0]);
    if (!sum || !field || sum->op != model::Op::Arith || field->op != model::Op::Field || field->aux == model::kNone)
      continue;
    const auto terms = body.ops(*sum);
    const auto op = static_cast<model::ArithOp>(sum->sub);
    const model::Instr* load = def(terms[0]);
    if (!load || load->op != model::Op::Load || terms[1].kind != model::OperandKind::Int) continue;
    const model::Instr* from = def(body.ops(*load)[0]);
    const model::Operand base = body.ops(*field)[0];
    if (!from || from->op != model::Op::Field || from->imm != field->imm || !(body.ops(*from)[0] == base)) continue;
    if (base.kind != model::OperandKind::Value || base.id >= fn.params.size()) continue;
    int step = 0;
    if (op == model::ArithOp::Add) step = terms[1].imm == 1 ? 1 : terms[1].imm == -1 ? -1 : 0;
    if (op == model::ArithOp::Sub) step = terms[1].imm == 1 ? -1 : 0;
    if (step == 0) continue;
    const model::Type& pointer = unit.type(fn.params[base.id].type);
    const std::string_view record =
        pointer.kind == TypeKind::Pointer ? unit.str(unit.type(pointer.elem).name) : std::string_view();
    return {std::string(record) + "." + std::string(unit.str(body.fields[field->aux].path)), base.id, step,
            frees_value(unit, body, base)};
  }
  return {};
}

std::string type_key(const model::Unit& unit, model::TypeId t) {
  const model::Type& x = unit.type(t);
  if (x.kind != TypeKind::Pointer) return "";
  const model::Type& to = unit.type(x.elem);
  return to.kind == TypeKind::Struct ? std::string(unit.str(to.name)) : "";
}

std::string parameters(std::size_t n, bool variadic) {
  std::string out;
  for (std::size_t k = 0; k < n; ++k) out += (k ? ", " : "") + std::string(k == 0 ? "p" : "a" + std::to_string(k));
  if (variadic) out += n ? ", ..." : "...";
  return out;
}

}  // namespace

std::vector<std::string> antonyms_of(const std::string& name) {
  std::vector<std::string> out;
  for (const auto& [up, down] : kAntonyms)
    for (std::size_t at = name.find(up); at != std::string::npos; at = name.find(up, at + 1)) {
      const bool starts = at == 0 || name[at - 1] == '_';
      const std::size_t end = at + up.size();
      if (!starts || (end != name.size() && name[end] != '_')) continue;
      out.push_back(name.substr(0, at) + std::string(down) + name.substr(end));
      // get_sync, get_noresume: the way back may have no such adjective.
      if (end != name.size()) out.push_back(name.substr(0, at) + std::string(down));
    }
  return out;
}

std::vector<MinedPair> mine_pairs(const Program& program, const specs::SpecSet& specs) {
  std::map<std::string, Known> known;
  for (UnitId u{}; u < program.num_units(); ++u) {
    const model::Unit& unit = program.unit_at(u);
    for (model::SymId s{}; s < unit.symbols.size(); ++s)
      if (unit.symbols[s].kind == model::SymbolKind::Function)
        known.try_emplace(std::string(unit.str(unit.symbols[s].display)), Known{u, s});
  }

  // Who calls what, and what the bodies count.
  std::map<std::string, std::set<FuncId>> callers;
  std::map<std::string, Counter> counters;
  for (FuncId f{}; f < program.num_functions(); ++f) {
    const model::Unit& unit = program.unit(f);
    const model::Body& body = program.function(f).body;
    for (const model::Instr& i : body.instrs)
      if (i.op == model::Op::Call && i.num_operands > 0)
        if (const model::Operand callee = body.ops(i)[0]; callee.kind == model::OperandKind::Symbol)
          callers[std::string(unit.str(unit.symbols[callee.id].display))].insert(f);
    if (Counter c = counter_of(unit, program.function(f)); c.step != 0)
      counters.emplace(std::string(program.display(f)), std::move(c));
  }

  std::vector<MinedPair> out;
  auto propose = [&](const std::string& up, const std::string& down, bool by_name, const Counter& counts) {
    if (up == down || specs.find(up) || specs.find(down)) return;
    if (std::any_of(out.begin(), out.end(), [&](const MinedPair& p) { return p.up == up && p.down == down; })) return;
    const Known &a = known.at(up), &b = known.at(down);
    const model::Unit &ua = program.unit_at(a.unit), &ub = program.unit_at(b.unit);
    const model::Type &ta = ua.type(ua.symbols[a.symbol].type), &tb = ub.type(ub.symbols[b.symbol].type);
    if (tb.params.empty()) return;
    const std::string object = type_key(ub, tb.params[0]);
    const bool handed_out = !object.empty() && type_key(ua, ta.elem) == object;
    const bool same_object = !object.empty() && !ta.params.empty() && type_key(ua, ta.params[0]) == object;
    if (!handed_out && !same_object) return;
    MinedPair p;
    p.up = up;
    p.object = object;
    p.hands_out = handed_out;
    p.takes_it = same_object;
    p.down = down;
    p.by_name = by_name;
    p.field = counts.field;
    p.frees = counts.frees;
    const auto &ca = callers[up], &cb = callers[down];
    p.together =
        static_cast<std::size_t>(std::count_if(ca.begin(), ca.end(), [&](FuncId f) { return cb.count(f) != 0; }));
    const std::string kind = !handed_out && counts.field.empty() ? "." + object
                             : counts.field.empty()              ? ""
                                                    : "." + counts.field.substr(counts.field.find('.') + 1);
    const std::string head = "fn " + up + "(" + parameters(ta.params.size(), ta.variadic) + ")";
    if (handed_out && same_object)
      p.up_line = head + "  -> same p p" + kind + "+1";
    else if (handed_out)
      p.up_line = head + "  -> new | NULL";
    else if (ua.type(ta.elem).kind == TypeKind::Int)
      p.up_line = head + "  -> 0 p" + kind + "+1 | <0 fails";
    else
      p.up_line = head + "  -> void p" + kind + "+1";
    const bool gives_nothing = ub.type(tb.elem).kind == TypeKind::Void;
    p.down_line = "fn " + down + "(" + parameters(tb.params.size(), tb.variadic) + ")  -> " +
                  (gives_nothing ? "void" : "any") + " p" + (handed_out && !same_object ? "" : kind) + "-1";
    out.push_back(std::move(p));
  };
  for (const auto& [name, where] : known)
    for (const std::string& other : antonyms_of(name))
      if (known.count(other)) {
        auto x = counters.find(name), y = counters.find(other);
        const bool counted = x != counters.end() && y != counters.end() && x->second.field == y->second.field &&
                             x->second.step == 1 && y->second.step == -1;
        propose(name, other, true, counted ? y->second : Counter{});
      }
  for (const auto& [up, x] : counters)
    for (const auto& [down, y] : counters)
      if (x.step == 1 && y.step == -1 && x.field == y.field && x.param == 0 && y.param == 0)
        propose(up, down, false, y);
  std::stable_sort(out.begin(), out.end(),
                   [](const MinedPair& a, const MinedPair& b) { return a.together > b.together; });
  return out;
}

}  // namespace reckon::program
