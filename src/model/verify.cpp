// Checks a unit for everything later stages take for granted.
//
// Tables first: every index must be in range and by-value nesting of types and constants must end. Then each body:
// the shape of blocks and instructions, then, only if that shape holds, SSA form. Dominance comes from immediate
// dominators found by iterating over the blocks in reverse postorder; intervals of a walk over the dominator tree
// then answer each query in constant time, so a body costs little more than one pass over it.
//
// Limits: code that cannot be reached from the entry is checked for shape only, and the result of an invoke counts as
// defined on its unwind edge, too. Types of operands are not compared: C code and LLVM's opaque pointers make
// mismatches legitimate. After kMaxDefects lines the rest is only hinted at.
#include "model/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "model/dominators.h"
#include "model/op_info.h"
#include "support/strings.h"

namespace reckon::model {

namespace {

constexpr std::size_t kMaxDefects = 200;

class Defects {
 public:
  template <typename... A>
  void add(std::string_view where, fmt::format_string<A...> f, A&&... args) {
    if (lines_.size() < kMaxDefects) {
      lines_.push_back(fmt::format("{}: {}", where, fmt::format(f, std::forward<A>(args)...)));
    } else if (lines_.size() == kMaxDefects) {
      lines_.push_back("more defects are not listed");
    }
  }
  std::size_t size() const { return lines_.size(); }
  std::vector<std::string> take() { return std::move(lines_); }

 private:
  std::vector<std::string> lines_;
};

// Finds a node that reaches itself. `next(n, f)` calls f for each successor of n; successors out of range are skipped.
template <typename Next>
std::uint32_t find_cycle(std::uint32_t count, Next next) {
  enum : std::uint8_t { New, Open, Done };
  std::vector<std::uint8_t> state(count, New);
  struct Frame {
    std::uint32_t node;
    std::size_t left;  // successors of this node still on `pending`
  };
  std::vector<Frame> stack;
  std::vector<std::uint32_t> pending;
  auto open = [&](std::uint32_t n) {
    state[n] = Open;
    std::size_t before = pending.size();
    next(n, [&](std::uint32_t m) {
      if (m < count) pending.push_back(m);
    });
    stack.push_back({n, pending.size() - before});
  };
  for (std::uint32_t root = 0; root < count; ++root) {
    if (state[root] != New) continue;
    open(root);
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (top.left == 0) {
        state[top.node] = Done;
        stack.pop_back();
        continue;
      }
      --top.left;
      std::uint32_t m = pending.back();
      pending.pop_back();
      if (state[m] == Open) return m;
      if (state[m] == New) open(m);
    }
  }
  return kNone;
}

class BodyVerifier {
 public:
  BodyVerifier(const Unit& u, const Function& f, std::string_view name, Defects& d)
      : u_(u), f_(f), body_(f.body), name_(name), d_(d) {}

  void run(bool with_ssa) {
    std::size_t before = d_.size();
    tables();
    if (body_.blocks.empty()) return;  // the body was not kept
    if (!layout()) return;
    for (BlockId b{}; b < body_.blocks.size(); ++b) shape(b);
    if (with_ssa && d_.size() == before) ssa();
  }

 private:
  std::string at(BlockId b, std::uint32_t i) const {
    const Instr& in = body_.instrs[body_.blocks[b].first + i];
    const OpInfo* info = op_info(in.op);
    return fmt::format("function {}, block {}, instruction {} ({})", name_, b, i, info ? info->name : "unknown");
  }

  bool str_ok(StrId s) const { return s < u_.strings.size(); }
  bool type_ok(TypeId t) const { return t < u_.types.size(); }
  bool loc_ok(const Loc& l) const { return str_ok(l.file) && str_ok(l.macro); }

  void tables() {
    auto where = [&] { return fmt::format("function {}", name_); };
    if (!loc_ok(f_.loc) || !loc_ok(f_.end)) d_.add(where(), "place out of range");
    if (!type_ok(f_.result)) d_.add(where(), "result type {} out of range", f_.result);
    for (const Param& p : f_.params) {
      if (!str_ok(p.name) || !type_ok(p.type)) d_.add(where(), "parameter name or type out of range");
    }
    for (const Local& l : body_.locals) {
      if (!str_ok(l.name) || !type_ok(l.type) || !loc_ok(l.loc)) d_.add(where(), "local out of range");
    }
    for (const FieldName& n : body_.fields) {
      if (!type_ok(n.record) || !str_ok(n.path) || !type_ok(n.type)) d_.add(where(), "field name out of range");
    }
    for (const CallInfo& c : body_.calls) {
      bool args = std::all_of(c.arg_types.begin(), c.arg_types.end(), [&](TypeId t) { return type_ok(t); });
      if (!type_ok(c.type) || !str_ok(c.origin) || !args) d_.add(where(), "call info out of range");
    }
    if (!std::all_of(body_.value_names.begin(), body_.value_names.end(), [&](StrId s) { return str_ok(s); })) {
      d_.add(where(), "value name out of range");
    }
    if (body_.blocks.empty()) {
      if (!body_.instrs.empty()) d_.add(where(), "instructions without blocks");
      return;
    }
    if (body_.value_names.size() != body_.num_values) {
      d_.add(where(), "{} value names for {} values", body_.value_names.size(), body_.num_values);
    }
    if (body_.num_values < f_.params.size()) d_.add(where(), "fewer values than parameters");
    if (body_.num_values > f_.params.size() + body_.instrs.size()) {
      d_.add(where(), "{} values, but only {} parameters and instructions", body_.num_values,
             f_.params.size() + body_.instrs.size());
    }
  }

  // Every instruction is in exactly one block; operands and targets are in their pools and not shared, which also
  // bounds the work of everything below by the size of the body.
  bool layout() {
    auto where = [&] { return fmt::format("function {}", name_); };
    std::size_t before = d_.size();
    std::uint64_t in_blocks = 0, operands = 0, targets = 0;
    for (BlockId b{}; b < body_.blocks.size(); ++b) {
      const Block& block = body_.blocks[b];
      in_blocks += block.count;
      if (block.count == 0) d_.add(where(), "block {} is empty", b);
      if (std::uint64_t{block.first} + block.count > body_.instrs.size()) d_.add(where(), "block {} out of range", b);
    }
    for (const Instr& in : body_.instrs) {
      operands += in.num_operands;
      targets += in.num_targets;
      if (std::uint64_t{in.first_operand} + in.num_operands > body_.operands.size() ||
          std::uint64_t{in.first_target} + in.num_targets > body_.targets.size()) {
        d_.add(where(), "operands or targets of an instruction out of range");
      }
    }
    if (d_.size() != before) return false;
    if (in_blocks != body_.instrs.size()) {
      d_.add(where(), "blocks hold {} instructions, the body {}", in_blocks, body_.instrs.size());
      return false;
    }
    std::vector<bool> owned(body_.instrs.size());
    for (const Block& block : body_.blocks) {
      for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
        if (owned[i]) d_.add(where(), "instruction {} is in two blocks", i);
        owned[i] = true;
      }
    }
    if (operands > body_.operands.size()) d_.add(where(), "instructions share operands");
    if (targets > body_.targets.size()) d_.add(where(), "instructions share targets");
    return d_.size() == before;
  }

  void shape(BlockId b) {
    auto instrs = body_.block(b);
    bool phis_over = false;
    for (std::uint32_t i = 0; i < instrs.size(); ++i) {
      const Instr& in = instrs[i];
      const OpInfo* info = op_info(in.op);
      if (info == nullptr) {
        d_.add(at(b, i), "unknown instruction kind {}", static_cast<unsigned>(in.op));
        continue;
      }
      bool last = i + 1 == instrs.size();
      if (is_terminator(in) != last) {
        d_.add(at(b, i), "{}", last ? "the block does not end in a terminator" : "terminator inside the block");
      }
      if (in.op != Op::Phi) {
        phis_over = true;
      } else if (phis_over) {
        d_.add(at(b, i), "phi after another instruction");
      }
      counts(b, i, in, *info);
      indices(b, i, in);
    }
  }

  void counts(BlockId b, std::uint32_t i, const Instr& in, const OpInfo& info) {
    if (in.num_operands < info.min_operands || in.num_operands > info.max_operands) {
      d_.add(at(b, i), "{} operands", in.num_operands);
    }
    bool pair = in.op == Op::Call && in.num_targets == 1;
    if (in.num_targets < info.min_targets || in.num_targets > info.max_targets || pair) {
      d_.add(at(b, i), "{} targets", in.num_targets);
    }
    if ((in.op == Op::Phi || in.op == Op::Switch) && in.num_operands != in.num_targets) {
      d_.add(at(b, i), "{} operands for {} targets", in.num_operands, in.num_targets);
    }
    if (in.op == Op::Switch) {
      auto ops = body_.ops(in);
      for (std::size_t k = 1; k < ops.size(); ++k) {
        if (ops[k].kind != OperandKind::Int) d_.add(at(b, i), "case {} is not an integer", k - 1);
      }
    }
    if (info.result == Result::Always && in.result == kNone) d_.add(at(b, i), "no result");
    if (info.result == Result::Never && in.result != kNone) d_.add(at(b, i), "a result where there is none");
    auto subs = sub_names(in.op);
    if (!subs.empty() && in.sub >= subs.size()) d_.add(at(b, i), "unknown variant {}", in.sub);
  }

  void indices(BlockId b, std::uint32_t i, const Instr& in) {
    if (!type_ok(in.type)) d_.add(at(b, i), "type {} out of range", in.type);
    if (!loc_ok(in.loc)) d_.add(at(b, i), "place out of range");
    if (in.result != kNone && (in.result >= body_.num_values || in.result < f_.params.size())) {
      d_.add(at(b, i), "result %{} out of range", in.result);
    }
    for (const Operand& o : body_.ops(in)) {
      if (o.kind > OperandKind::Other) d_.add(at(b, i), "unknown operand kind {}", static_cast<unsigned>(o.kind));
      if (o.kind == OperandKind::Value && o.id >= body_.num_values) d_.add(at(b, i), "operand %{} out of range", o.id);
      if (o.kind == OperandKind::Symbol && o.id >= u_.symbols.size()) d_.add(at(b, i), "symbol {} out of range", o.id);
    }
    for (BlockId t : body_.succs(in)) {
      if (t >= body_.blocks.size()) d_.add(at(b, i), "target block {} out of range", t);
      if (t == 0 && in.op != Op::Phi) d_.add(at(b, i), "the entry block is a target");
    }
    bool aux = true;
    switch (in.op) {
      case Op::Alloca: aux = in.aux == kNone || in.aux < body_.locals.size(); break;
      case Op::Field: aux = in.aux == kNone || in.aux < body_.fields.size(); break;
      case Op::Call: aux = in.aux < body_.calls.size(); break;
      case Op::Extract:
      case Op::Insert: aux = in.aux != kNone; break;
      default: break;
    }
    if (!aux) d_.add(at(b, i), "aux {} out of range", static_cast<std::int32_t>(in.aux));
  }

  // Relies on a good shape.
  void ssa() {
    Dominators dom(body_);
    struct Def {
      BlockId block = kNone;
      std::uint32_t pos = 0;  // 1 + position, 0 for parameters
    };
    std::vector<Def> defs(body_.num_values);
    for (std::size_t p = 0; p < f_.params.size(); ++p) defs[p] = {BlockId{}, 0};
    for (BlockId b{}; b < body_.blocks.size(); ++b) {
      auto instrs = body_.block(b);
      for (std::uint32_t i = 0; i < instrs.size(); ++i) {
        ValueId v = instrs[i].result;
        if (v == kNone) continue;
        if (defs[v].block != kNone) d_.add(at(b, i), "%{} is defined twice", v);
        defs[v] = {b, i + 1};
      }
    }
    auto available_at_end = [&](ValueId v, BlockId b) { return dom.dominates(defs[v].block, b); };
    for (BlockId b{}; b < body_.blocks.size(); ++b) {
      auto instrs = body_.block(b);
      for (std::uint32_t i = 0; i < instrs.size(); ++i) {
        const Instr& in = instrs[i];
        if (in.op == Op::Phi) predecessors(b, i, in, dom);
        auto ops = body_.ops(in);
        for (std::size_t k = 0; k < ops.size(); ++k) {
          if (ops[k].kind != OperandKind::Value) continue;
          ValueId v = ops[k].value_id();
          if (defs[v].block == kNone) {
            d_.add(at(b, i), "%{} is used but never defined", v);
            continue;
          }
          bool ok;
          if (in.op == Op::Phi) {
            BlockId from = body_.succs(in)[k];
            ok = !dom.reachable(from) || available_at_end(v, from);
          } else if (!dom.reachable(b)) {
            ok = true;
          } else if (defs[v].block == b) {
            ok = defs[v].pos <= i;
          } else {
            ok = available_at_end(v, b);
          }
          if (!ok) d_.add(at(b, i), "the definition of %{} does not dominate this use", v);
        }
      }
    }
  }

  void predecessors(BlockId b, std::uint32_t i, const Instr& in, const Dominators& dom) {
    auto from = body_.succs(in);
    std::vector<BlockId> sorted(from.begin(), from.end());
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    auto preds = dom.predecessors(b);
    if (!std::equal(sorted.begin(), sorted.end(), preds.begin(), preds.end())) {
      d_.add(at(b, i), "comes from blocks {}, but the predecessors are {}", fmt::join(sorted, ","),
             fmt::join(preds, ","));
    }
  }

  const Unit& u_;
  const Function& f_;
  const Body& body_;
  std::string_view name_;
  Defects& d_;
};

class UnitVerifier {
 public:
  UnitVerifier(const Unit& u, bool with_ssa) : u_(u), with_ssa_(with_ssa) {}

  std::vector<std::string> run() {
    if (u_.strings.empty() || !u_.strings[0].empty()) d_.add("strings", "entry 0 is not the empty string");
    if (u_.types.empty() || u_.types[0].kind != TypeKind::Void) d_.add("types", "entry 0 is not void");
    if (u_.language > Language::Cxx) d_.add("unit", "unknown language");
    std::unordered_set<std::string_view> seen;
    for (std::size_t s = 0; with_ssa_ && s < u_.strings.size(); ++s) {
      if (!seen.insert(u_.strings[s]).second) d_.add(fmt::format("string {}", s), "occurs twice");
    }
    for (StrId h : u_.headers) {
      if (!str_ok(h)) d_.add("headers", "string {} out of range", h);
    }
    for (StrId m : u_.macros) {
      if (!str_ok(m)) d_.add("macros", "string {} out of range", m);
    }
    types();
    symbols();
    constants();
    functions();
    return d_.take();
  }

 private:
  bool str_ok(StrId s) const { return s < u_.strings.size(); }
  bool type_ok(TypeId t) const { return t < u_.types.size(); }

  void types() {
    for (TypeId t{}; t < u_.types.size(); ++t) {
      const Type& ty = u_.types[t];
      auto where = [&] { return fmt::format("type {}", t); };
      if (ty.kind > TypeKind::Other) d_.add(where(), "unknown kind {}", static_cast<unsigned>(ty.kind));
      if (!str_ok(ty.name)) d_.add(where(), "name {} out of range", ty.name);
      if (!type_ok(ty.elem)) d_.add(where(), "element type {} out of range", ty.elem);
      for (const Field& f : ty.fields) {
        if (!str_ok(f.name) || !type_ok(f.type)) d_.add(where(), "field out of range");
      }
      for (TypeId p : ty.params) {
        if (!type_ok(p)) d_.add(where(), "parameter type {} out of range", p);
      }
    }
    auto by_value = [&](std::uint32_t t, auto f) {
      const Type& ty = u_.types[t];
      if (ty.kind == TypeKind::Array) f(ty.elem);
      if (ty.kind == TypeKind::Struct || ty.kind == TypeKind::Union) {
        for (const Field& field : ty.fields) f(field.type);
      }
    };
    std::uint32_t bad = find_cycle(static_cast<std::uint32_t>(u_.types.size()), by_value);
    if (bad != kNone) d_.add(fmt::format("type {}", bad), "contains itself");
  }

  void symbols() {
    for (SymId s{}; s < u_.symbols.size(); ++s) {
      const Symbol& y = u_.symbols[s];
      auto where = [&] { return fmt::format("symbol {}", s); };
      if (y.kind > SymbolKind::Variable || y.linkage > Linkage::Merged) d_.add(where(), "unknown kind or linkage");
      if (!str_ok(y.name) || !str_ok(y.display)) d_.add(where(), "name out of range");
      if (!type_ok(y.type)) d_.add(where(), "type {} out of range", y.type);
      if (!str_ok(y.loc.file) || !str_ok(y.loc.macro)) d_.add(where(), "place out of range");
      if (y.init != kNone && y.init >= u_.constants.size()) d_.add(where(), "initial value {} out of range", y.init);
      for (const Attribute& a : y.attributes) {
        if (!str_ok(a.name) || !str_ok(a.text)) d_.add(where(), "attribute out of range");
      }
    }
  }

  void constants() {
    for (ConstId c{}; c < u_.constants.size(); ++c) {
      const Constant& k = u_.constants[c];
      auto where = [&] { return fmt::format("constant {}", c); };
      if (k.kind > ConstKind::Other) d_.add(where(), "unknown kind {}", static_cast<unsigned>(k.kind));
      if (!type_ok(k.type)) d_.add(where(), "type {} out of range", k.type);
      if (k.kind == ConstKind::Address && k.ref >= u_.symbols.size()) d_.add(where(), "symbol {} out of range", k.ref);
      if (k.kind == ConstKind::String && !str_ok(k.string_id())) d_.add(where(), "string {} out of range", k.ref);
      for (ConstId child : k.children) {
        if (child >= u_.constants.size()) d_.add(where(), "child {} out of range", child);
      }
    }
    auto children = [&](std::uint32_t c, auto f) {
      for (ConstId child : u_.constants[c].children) f(child);
    };
    std::uint32_t bad = find_cycle(static_cast<std::uint32_t>(u_.constants.size()), children);
    if (bad != kNone) d_.add(fmt::format("constant {}", bad), "contains itself");
  }

  void functions() {
    std::vector<bool> has_body(u_.symbols.size());
    for (std::size_t i = 0; i < u_.functions.size(); ++i) {
      const Function& f = u_.functions[i];
      std::string name = fmt::format("#{}", i);
      if (f.symbol >= u_.symbols.size()) {
        d_.add("function " + name, "symbol {} out of range", static_cast<std::int32_t>(f.symbol));
      } else {
        const Symbol& y = u_.symbols[f.symbol];
        if (str_ok(y.name)) name = support::one_line(u_.str(y.name));
        if (y.kind != SymbolKind::Function) d_.add("function " + name, "its symbol is not a function");
        if (!y.defined) d_.add("function " + name, "its symbol is not marked as defined");
        if (has_body[f.symbol]) d_.add("function " + name, "is defined twice");
        has_body[f.symbol] = true;
      }
      BodyVerifier(u_, f, name, d_).run(with_ssa_);
    }
  }

  const Unit& u_;
  bool with_ssa_;
  Defects d_;
};

}  // namespace

std::vector<std::string> verify(const Unit& unit) { return UnitVerifier(unit, true).run(); }

bool well_shaped(const Unit& unit) { return UnitVerifier(unit, false).run().empty(); }

}  // namespace reckon::model
