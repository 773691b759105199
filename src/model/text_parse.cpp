// Parses the complete textual form (text.h shows it). Only the syntax is checked: numbers of types, constants and
// blocks may be out of range, as tests of verify() want to have them.
#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "model/op_info.h"
#include "model/text.h"
#include "model/text_scanner.h"

namespace reckon::model {

namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : in_(text), text_(text) { intern(""); }

  bool run() {
    return preset_strings() && head() && all("type", [&] { return type(); }) &&
           all("symbol", [&] { return symbol(); }) && all("const", [&] { return constant(); }) &&
           all("fn", [&] { return function(); }) && strings() && (in_.at_end() || in_.fail("the end of the text"));
  }

  Unit& unit() { return u_; }
  const std::string& error() const { return in_.error(); }

 private:
  template <typename F>
  bool all(std::string_view keyword, F f) {
    while (in_.accept_word(keyword)) {
      if (!f()) return false;
    }
    return true;
  }

  // Calls f for each element of a list in brackets, separated by commas.
  template <typename F>
  bool list(std::string_view open, std::string_view close, F f) {
    if (!in_.expect(open)) return false;
    if (in_.accept(close)) return true;
    do {
      if (!f()) return false;
    } while (in_.accept(","));
    return in_.expect(close);
  }

  template <std::size_t N, typename E>
  bool one_of(const std::string_view (&names)[N], E& e, std::string_view what) {
    std::string_view w = in_.peek_word();
    auto it = std::find(std::begin(names), std::end(names), w);
    if (w.empty() || it == std::end(names)) return in_.fail(what);
    e = static_cast<E>(it - std::begin(names));
    return in_.accept_word(w);
  }

  StrId intern(const std::string& s) {
    auto [it, fresh] = ids_.try_emplace(s, static_cast<StrId>(u_.strings.size()));
    if (fresh) u_.strings.push_back(s);
    return it->second;
  }

  bool str(StrId& id) {
    std::string s;
    if (!in_.string(s)) return false;
    id = intern(s);
    return true;
  }

  bool type_ref(TypeId& t) { return in_.tagged('t', t); }

  // Types in parentheses.
  bool type_refs(std::vector<TypeId>& types) {
    return list("(", ")", [&] { return type_ref(types.emplace_back()); });
  }

  // ---------------------------------------------------------------- head and strings

  // The section at the end, if there, decides about the numbers of strings; so it is read first, and last skipped.
  // Line ends within quotes are escaped, so the search cannot hit a string.
  bool preset_strings() {
    std::size_t at = text_.rfind("\nstrings {\n");
    if (at == std::string_view::npos) return true;
    TextScanner s(text_.substr(at));
    s.accept("strings {");
    while (s.peek() == '"') {
      std::string v;
      if (!s.string(v)) return true;  // strings() will meet it again and say where
      intern(v);
    }
    return true;
  }

  bool strings() {
    if (!in_.accept_word("strings")) return true;
    if (!in_.expect("{")) return false;
    while (in_.peek() == '"') {
      std::string s;
      if (!in_.string(s)) return false;
    }
    return in_.expect("}");
  }

  bool head() {
    if (!in_.expect_word("unit") || !in_.string(u_.path)) return false;
    if (!in_.expect_word("target") || !in_.string(u_.target)) return false;
    if (!in_.expect_word("language")) return false;
    if (in_.accept("c++")) {
      u_.language = Language::Cxx;
    } else if (!in_.accept_word("c")) {
      return in_.fail("'c' or 'c++'");
    }
    return in_.expect_word("pointer_size") && in_.number(u_.pointer_size) &&
           all("header", [&] { return str(u_.headers.emplace_back()); }) &&
           all("macro", [&] { return str(u_.macros.emplace_back()); });
  }

  // A number that must be the next of its kind.
  bool numbered(char tag, std::size_t expected) {
    TextScanner before = in_;
    std::size_t n = 0;
    if (!in_.tagged(tag, n)) return false;
    if (n == expected) return true;
    in_ = before;
    return in_.fail(tag + std::to_string(expected) + ", the next in order");
  }

  bool entry(char tag, std::size_t expected) { return numbered(tag, expected) && in_.expect("="); }

  // ---------------------------------------------------------------- tables

  bool type() {
    if (!entry('t', u_.types.size())) return false;
    Type t;
    if (!one_of(kTypeKindNames, t.kind, "a kind of type")) return false;
    t.is_signed = in_.accept_word("signed");
    t.variadic = in_.accept_word("variadic");
    if (in_.accept_word("size") && !in_.number(t.size)) return false;
    if (in_.accept_word("name") && !str(t.name)) return false;
    if (in_.accept_word("elem") && !type_ref(t.elem)) return false;
    if (in_.accept_word("params") && !type_refs(t.params)) return false;
    if (in_.accept("{")) {
      while (in_.peek() == '+') {
        Field f;
        if (!in_.number(f.offset) || !type_ref(f.type) || !str(f.name)) return false;
        t.fields.push_back(f);
      }
      if (!in_.expect("}")) return false;
    }
    u_.types.push_back(std::move(t));
    return true;
  }

  bool symbol() {
    if (!entry('s', u_.symbols.size())) return false;
    Symbol y;
    static constexpr std::string_view kKinds[] = {"function", "variable"};
    if (!one_of(kKinds, y.kind, "'function' or 'variable'")) return false;
    if (!one_of(kLinkageNames, y.linkage, "'external', 'internal' or 'merged'")) return false;
    y.defined = in_.accept_word("defined");
    y.is_constant = in_.accept_word("constant");
    y.is_virtual = in_.accept_word("virtual");
    y.address_taken = in_.accept_word("address_taken");
    if (!str(y.name)) return false;
    y.display = y.name;
    if (in_.accept_word("display") && !str(y.display)) return false;
    if (!in_.expect_word("type") || !type_ref(y.type)) return false;
    if (in_.accept_word("init") && !in_.tagged('c', y.init)) return false;
    while (in_.accept_word("attribute")) {
      Attribute& a = y.attributes.emplace_back();
      if (!str(a.name) || !str(a.text)) return false;
      if (!list("(", ")", [&] { return in_.number(a.args.emplace_back()); })) return false;
    }
    file_ = StrId{};
    if (in_.accept_word("at") && !loc(y.loc)) return false;
    auto number = static_cast<SymId>(u_.symbols.size());
    auto [it, fresh] = symbols_.try_emplace(u_.strings[y.name], number);
    if (!fresh) it->second = kNone;
    u_.symbols.push_back(std::move(y));
    return true;
  }

  bool constant() {
    if (!entry('c', u_.constants.size())) return false;
    Constant c;
    if (!one_of(kConstKindNames, c.kind, "a kind of constant") || !type_ref(c.type)) return false;
    bool good = true;
    switch (c.kind) {
      case ConstKind::Int: good = in_.number(c.imm); break;
      case ConstKind::String: {
        StrId text{};
        good = str(text);
        c.ref = text;
        break;
      }
      case ConstKind::Address: good = symbol_ref(c.ref, c.imm); break;
      case ConstKind::Aggregate:
        good = list("{", "}", [&] { return in_.tagged('c', c.children.emplace_back()); });
        break;
      case ConstKind::Zero:
      case ConstKind::Other: break;
    }
    u_.constants.push_back(std::move(c));
    return good;
  }

  // name, @number, or either with an offset in parentheses.
  bool symbol_ref(std::uint32_t& ref, std::int64_t& offset) {
    offset = 0;
    SymId s{};
    const bool good = in_.accept("(") ? plain_symbol(s) && in_.number(offset) && in_.expect(")") : plain_symbol(s);
    if (good) ref = s;
    return good;
  }

  bool plain_symbol(SymId& s) {
    if (in_.peek() == '@') return in_.tagged('@', s);
    std::string_view w = in_.peek_word();
    auto it = symbols_.find(std::string(w));
    if (w.empty() || it == symbols_.end()) return in_.fail("a symbol");
    if (it->second == kNone) return in_.fail("'@' and a number, because several symbols have this name");
    s = it->second;
    return in_.accept_word(w);
  }

  // ["file":]line:col[ macro=NAME]
  bool loc(Loc& l) {
    l.file = file_;
    if (in_.peek() == '"' && !(str(l.file) && in_.expect(":"))) return false;
    if (!in_.number(l.line) || !in_.expect(":") || !in_.number(l.col)) return false;
    if (in_.line_ends() || !in_.accept_word("macro")) return true;
    if (!in_.expect("=")) return false;
    if (in_.peek() == '"') return str(l.macro);
    std::string_view w;
    if (!in_.word(w)) return false;
    l.macro = intern(std::string(w));
    return true;
  }

  // ---------------------------------------------------------------- functions

  bool function() {
    Function& f = u_.functions.emplace_back();
    fields_.clear();
    if (!plain_symbol(f.symbol)) return false;
    auto param = [&] {
      Param& p = f.params.emplace_back();
      return type_ref(p.type) && str(p.name);
    };
    if (!list("(", ")", param) || !in_.expect("->") || !type_ref(f.result)) return false;
    f.variadic = in_.accept_word("variadic");
    f.from_header = in_.accept_word("header");
    std::optional<std::uint32_t> values;
    if (in_.accept_word("values") && !in_.number(values.emplace())) return false;
    file_ = StrId{};
    if (in_.accept_word("at") && !loc(f.loc)) return false;
    file_ = f.loc.file;
    if (in_.accept_word("end") && !loc(f.end)) return false;
    if (!in_.expect("{")) return false;
    while (in_.accept_word("local")) {
      if (!local(f.body)) return false;
    }
    std::vector<std::pair<ValueId, StrId>> names;
    if (in_.accept_word("names")) {
      do {
        auto& [v, s] = names.emplace_back();
        if (!in_.tagged('%', v) || !str(s)) return false;
      } while (in_.accept(","));
    }
    while (!in_.accept("}")) {
      if (!block(f.body)) return false;
    }
    return finish(f, values, names);
  }

  bool local(Body& b) {
    Local l;
    if (!numbered('l', b.locals.size()) || !type_ref(l.type) || !str(l.name)) return false;
    if (in_.accept_word("at") && !loc(l.loc)) return false;
    b.locals.push_back(l);
    return true;
  }

  bool finish(Function& f, std::optional<std::uint32_t> values, std::vector<std::pair<ValueId, StrId>>& names) {
    Body& b = f.body;
    std::size_t most = f.params.size() + b.instrs.size();
    std::size_t used = b.blocks.empty() ? 0 : f.params.size();
    for (const Instr& in : b.instrs) {
      if (in.result != kNone) used = std::max<std::size_t>(used, std::size_t{in.result} + 1);
    }
    std::size_t count = values.value_or(static_cast<std::uint32_t>(std::min<std::size_t>(used, kNone)));
    if (count > most) return in_.fail("no more values than parameters and instructions before this");
    b.num_values = static_cast<std::uint32_t>(count);
    b.value_names.resize(count);
    for (auto [v, s] : names) {
      if (v >= count) return in_.fail("names of existing values before this");
      b.value_names[v] = s;
    }
    return true;
  }

  bool block(Body& b) {
    if (!numbered('b', b.blocks.size()) || !in_.expect(":")) return false;
    Block block{static_cast<InstrId>(b.instrs.size()), 0};
    while (in_.peek() != '}' && !at_label()) {
      if (!instr(b)) return false;
      if (!in_.line_ends()) return in_.fail("the end of the line");
      ++block.count;
    }
    b.blocks.push_back(block);
    return true;
  }

  // `b` and digits: no instruction is called that.
  bool at_label() {
    std::string_view w = in_.peek_word();
    return w.size() > 1 && w[0] == 'b' && w.find_first_not_of("0123456789", 1) == std::string_view::npos;
  }

  bool instr(Body& b) {
    Instr in;
    if (in_.peek() == '%' && !(in_.tagged('%', in.result) && in_.expect("="))) return false;
    if (!mnemonic(in)) return false;
    in.first_operand = static_cast<std::uint32_t>(b.operands.size());
    in.first_target = static_cast<std::uint32_t>(b.targets.size());
    if (in.op == Op::Call ? !call_operands(b, in) : !plain_operands(b, in)) return false;
    if (in.op == Op::Field && !field(b, in)) return false;
    if (in.op == Op::Index && !(in_.expect("*") && in_.number(in.imm))) return false;
    if (in.op == Op::Call && !call_info(b, in)) return false;
    if (!rest(b, in)) return false;
    b.instrs.push_back(in);
    return true;
  }

  bool mnemonic(Instr& in) {
    std::string_view w = in_.peek_word();
    std::string_view name = w.substr(0, w.find('.'));
    auto it = std::find_if(std::begin(kOps), std::end(kOps), [&](const OpInfo& o) { return o.name == name; });
    if (it == std::end(kOps)) return in_.fail("an instruction");
    in.op = it->op;
    auto subs = sub_names(in.op);
    if (!subs.empty()) {
      auto sub = std::find(subs.begin(), subs.end(), w.substr(std::min(w.size(), name.size() + 1)));
      if (sub == subs.end()) return in_.fail("a known variant of '" + std::string(name) + "'");
      in.sub = static_cast<std::uint8_t>(sub - subs.begin());
    } else if (name != w) {
      return in_.fail("an instruction");
    }
    return in_.accept_word(w);
  }

  bool operand(Body& b, Instr& in) {
    Operand o;
    char c = in_.peek();
    if (c == '%') {
      o.kind = OperandKind::Value;
      if (!in_.tagged('%', o.id)) return false;
    } else if (c == '-' || (c >= '0' && c <= '9')) {
      o.kind = OperandKind::Int;
      if (!in_.number(o.imm)) return false;
    } else if (in_.accept_word("null")) {
      o.kind = OperandKind::Null;
    } else if (in_.accept_word("undef")) {
      o.kind = OperandKind::Undef;
    } else if (!in_.accept_word("other")) {
      o.kind = OperandKind::Symbol;
      if (!symbol_ref(o.id, o.imm)) return false;
    }
    b.operands.push_back(o);
    ++in.num_operands;
    return true;
  }

  bool plain_operands(Body& b, Instr& in) {
    if (in_.line_ends()) return true;
    char c = in_.peek();
    std::string_view w = in_.peek_word();
    bool attribute =
        w == "from" || w == "sub" || w == "imm" || std::string_view("#+*[{;:").find(c) != std::string_view::npos;
    if (attribute || at_arrow()) return true;
    do {
      if (!operand(b, in)) return false;
    } while (in_.accept(","));
    return true;
  }

  bool at_arrow() const {
    TextScanner ahead = in_;
    return ahead.accept("->");
  }

  bool call_operands(Body& b, Instr& in) {
    return operand(b, in) && list("(", ")", [&] { return operand(b, in); });
  }

  bool field(Body& b, Instr& in) {
    if (!in_.number(in.imm)) return false;
    if (in_.line_ends() || !in_.accept("[")) return true;
    FieldName f;
    if (!type_ref(f.record) || !str(f.path) || !type_ref(f.type) || !in_.expect("]")) return false;
    auto next = static_cast<std::uint32_t>(b.fields.size());
    auto [it, fresh] = fields_.try_emplace({f.record, f.path, f.type}, next);
    if (fresh) b.fields.push_back(f);
    in.aux = it->second;
    return true;
  }

  // {type[ origin "..."][ asm][ args (types)]}; nothing at all: nothing is known.
  bool call_info(Body& b, Instr& in) {
    in.aux = static_cast<std::uint32_t>(b.calls.size());
    CallInfo& c = b.calls.emplace_back();
    if (in_.line_ends() || !in_.accept("{")) return true;
    if (!type_ref(c.type)) return false;
    if (in_.accept_word("origin") && !str(c.origin)) return false;
    c.inline_asm = in_.accept_word("asm");
    if (in_.accept_word("args") && !type_refs(c.arg_types)) return false;
    return in_.expect("}");
  }

  // What any instruction may have after its operands.
  bool rest(Body& b, Instr& in) {
    if (in_.line_ends()) return true;
    if (in_.accept("#") && !in_.number(in.aux)) return false;
    if (in_.line_ends()) return true;
    if (in_.accept_word("sub") && !(in_.expect("=") && in_.number(in.sub))) return false;
    if (in_.accept_word("imm") && !(in_.expect("=") && in_.number(in.imm))) return false;
    if (in_.accept("->") || in_.accept_word("from")) {
      do {
        if (!in_.tagged('b', b.targets.emplace_back())) return false;
        ++in.num_targets;
      } while (in_.accept(","));
    }
    if (in_.line_ends()) return true;
    if (in_.accept(":") && !type_ref(in.type)) return false;
    if (in_.line_ends()) return true;
    return !in_.accept(";") || loc(in.loc);
  }

  TextScanner in_;
  std::string_view text_;
  Unit u_;
  StrId file_{};  // the file that places leave out
  std::unordered_map<std::string, StrId> ids_;
  std::unordered_map<std::string, SymId> symbols_;                     // kNone: several of this name
  std::map<std::tuple<TypeId, StrId, TypeId>, std::uint32_t> fields_;  // of the function at hand
};

}  // namespace

std::optional<Unit> parse(std::string_view text, std::string& error) {
  Parser p(text);
  if (!p.run()) {
    error = p.error();
    return std::nullopt;
  }
  return std::move(p.unit());
}

}  // namespace reckon::model
