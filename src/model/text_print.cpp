// Prints the model. One printer serves both forms: the complete one that parse() reads, and the one of a single
// function for people, which differs only in how it names types, fields, locals and calls.
//
// It is the first tool anybody reaches for when a unit is wrong, so it must show malformed units as well: an index
// out of range prints as `<type 99>` and never crashes.
#include <fmt/format.h>

#include <iterator>
#include <unordered_map>

#include "model/canonical.h"
#include "model/op_info.h"
#include "model/text.h"
#include "support/strings.h"

namespace reckon::model {

namespace {

using support::is_identifier;
using support::quote;

std::string_view text_of(const Unit& u, StrId s) { return s < u.strings.size() ? u.str(s) : std::string_view("?"); }

std::string spell_type(const Unit& u, TypeId t, int depth);

std::string spell_params(const Unit& u, const Type& fn, int depth) {
  std::string r = "(";
  for (TypeId p : fn.params) {
    if (r.size() > 1) r += ", ";
    r += spell_type(u, p, depth + 1);
  }
  if (fn.variadic) r += fn.params.empty() ? "..." : ", ...";
  if (fn.params.empty() && !fn.variadic) r += "void";
  return r + ")";
}

// Bounded by `depth`: types may be recursive through pointers, and malformed ones through anything.
std::string spell_type(const Unit& u, TypeId t, int depth) {
  if (t >= u.types.size()) return fmt::format("<type {}>", t);
  const Type& ty = u.type(t);
  if (ty.name != 0) return std::string(text_of(u, ty.name));
  if (depth > 6) return "...";
  switch (ty.kind) {
    case TypeKind::Void: return "void";
    case TypeKind::Int: return fmt::format("{}int{}", ty.is_signed ? "" : "u", ty.size * 8);
    case TypeKind::Float: return fmt::format("float{}", ty.size * 8);
    case TypeKind::Struct: return "struct <anonymous>";
    case TypeKind::Union: return "union <anonymous>";
    case TypeKind::Function: return spell_type(u, ty.elem, depth + 1) + " " + spell_params(u, ty, depth);
    case TypeKind::Other: return "<other>";
    case TypeKind::Array: {
      std::uint64_t each = ty.elem < u.types.size() ? u.type(ty.elem).size : 0;
      std::string n = each != 0 && ty.size != 0 ? fmt::format("[{}]", ty.size / each) : "[]";
      return spell_type(u, ty.elem, depth + 1) + n;
    }
    case TypeKind::Pointer: {
      if (ty.elem < u.types.size()) {
        const Type& to = u.type(ty.elem);
        if (to.kind == TypeKind::Function && to.name == 0) {
          return spell_type(u, to.elem, depth + 1) + " (*)" + spell_params(u, to, depth);
        }
      }
      std::string s = spell_type(u, ty.elem, depth + 1);
      return s + (!s.empty() && s.back() == '*' ? "*" : " *");
    }
  }
  return "<kind>";
}

class Printer {
 public:
  Printer(const Unit& unit, bool full) : u_(unit), full_(full) {
    if (!full) return;
    for (SymId s{}; s < u_.symbols.size(); ++s) {
      auto [it, fresh] = by_name_.try_emplace(text_of(u_, u_.symbols[s].name), s);
      if (!fresh) it->second = kNone;  // not unique: refer to it by number
    }
  }

  void unit() {
    put("unit {}\ntarget {}\nlanguage {}\npointer_size {}\n", quote(u_.path), quote(u_.target),
        u_.language == Language::C ? "c" : "c++", u_.pointer_size);
    for (StrId h : u_.headers) put("header {}\n", str(h));
    for (StrId m : u_.macros) put("macro {}\n", str(m));
    if (!u_.types.empty()) put("\n");
    for (TypeId t{}; t < u_.types.size(); ++t) type_entry(t);
    if (!u_.symbols.empty()) put("\n");
    for (SymId s{}; s < u_.symbols.size(); ++s) symbol_entry(s);
    if (!u_.constants.empty()) put("\n");
    for (ConstId c{}; c < u_.constants.size(); ++c) const_entry(c);
    for (const Function& f : u_.functions) {
      put("\n");
      function(f);
    }
    strings();
  }

  void function(const Function& f) {
    if (full_) {
      full_header(f);
    } else {
      plain_header(f);
    }
    const Body& body = f.body;
    file_ = f.loc.file;
    for (std::size_t i = 0; i < body.locals.size(); ++i) {
      const Local& l = body.locals[i];
      if (full_) {
        put("  local l{} {} {}", i, type(l.type), str(l.name));
      } else {
        put("  local {} {}", type(l.type), local_name(body, i));
      }
      if (!(l.loc == Loc{})) put(" at {}", loc(l.loc));
      put("\n");
    }
    if (full_) names(body);
    for (BlockId b{}; b < body.blocks.size(); ++b) {
      put("b{}:\n", b);
      const Block& block = body.blocks[b];
      if (std::uint64_t{block.first} + block.count > body.instrs.size()) {
        put("  <instructions {} + {} of {}>\n", block.first, block.count, body.instrs.size());
        continue;
      }
      for (const Instr& i : body.block(b)) instr(body, i);
    }
    put("}}\n");
  }

  std::string take() { return std::move(out_); }

 private:
  template <typename... A>
  void put(fmt::format_string<A...> f, A&&... args) {
    fmt::format_to(std::back_inserter(out_), f, std::forward<A>(args)...);
  }

  std::string str(StrId s) {
    if (s >= u_.strings.size()) return fmt::format("<string {}>", s);
    if (full_ && s != 0) {
      if (used_.size() < u_.strings.size()) used_.resize(u_.strings.size());
      if (!used_[s]) {
        used_[s] = true;
        in_order_ = in_order_ && s == ++last_used_;
      }
    }
    return quote(u_.str(s));
  }

  std::string type(TypeId t) const {
    if (!full_) return spell(u_, t);
    return t < u_.types.size() ? fmt::format("t{}", t) : fmt::format("<type {}>", t);
  }

  std::string sym(SymId s) const {
    if (s >= u_.symbols.size()) return fmt::format("<symbol {}>", s);
    std::string_view name = text_of(u_, u_.symbols[s].name);
    if (!full_) return std::string(name);
    auto it = by_name_.find(name);
    bool plain = is_identifier(name) && !is_reserved_word(name) && it != by_name_.end() && it->second == s;
    return plain ? std::string(name) : fmt::format("@{}", s);
  }

  std::string sym_plus(SymId s, std::int64_t offset) const {
    return offset == 0 ? sym(s) : fmt::format("({}{:+})", sym(s), offset);
  }

  std::string loc(const Loc& l) {
    std::string r;
    if (l.file != file_) r = (full_ ? str(l.file) : std::string(text_of(u_, l.file))) + ":";
    r += fmt::format("{}:{}", l.line, l.col);
    if (l.macro != 0) {
      std::string m = str(l.macro);  // also notes the use
      std::string_view plain = text_of(u_, l.macro);
      r += " macro=" + (is_identifier(plain) ? std::string(plain) : m);
    }
    return r;
  }

  template <typename T>
  std::string type_list(const T& types) const {
    std::string r;
    for (TypeId t : types) r += (r.empty() ? "" : ", ") + type(t);
    return r;
  }

  template <typename N>
  static std::string_view name_of(const N& names, auto e) {
    auto i = static_cast<std::size_t>(e);
    return i < std::size(names) ? names[i] : std::string_view("<kind>");
  }

  // ---------------------------------------------------------------- tables

  void type_entry(TypeId t) {
    const Type& ty = u_.types[t];
    put("type t{} = {}", t, name_of(kTypeKindNames, ty.kind));
    if (ty.is_signed) put(" signed");
    if (ty.variadic) put(" variadic");
    if (ty.size != 0) put(" size {}", ty.size);
    if (ty.name != 0) put(" name {}", str(ty.name));
    if (ty.elem != 0) put(" elem {}", type(ty.elem));
    if (!ty.params.empty()) put(" params ({})", type_list(ty.params));
    if (!ty.fields.empty()) {
      put(" {{\n");
      for (const Field& f : ty.fields) put("  +{} {} {}\n", f.offset, type(f.type), str(f.name));
      put("}}");
    }
    if (ty.kind == TypeKind::Pointer || ty.kind == TypeKind::Function || ty.kind == TypeKind::Array) {
      if (ty.name == 0) put("  // {}", support::one_line(spell(u_, t)));
    }
    put("\n");
  }

  void symbol_entry(SymId s) {
    const Symbol& y = u_.symbols[s];
    put("symbol s{} = {} {}", s, y.kind == SymbolKind::Function ? "function" : "variable",
        name_of(kLinkageNames, y.linkage));
    if (y.defined) put(" defined");
    if (y.is_constant) put(" constant");
    if (y.is_virtual) put(" virtual");
    if (y.address_taken) put(" address_taken");
    put(" {}", str(y.name));
    if (y.display != y.name) put(" display {}", str(y.display));
    put(" type {}", type(y.type));
    if (y.init != kNone) put(" init c{}", y.init);
    for (const Attribute& a : y.attributes) {
      put(" attribute {}", str(a.name));  // one by one: str() notes the order of use
      put(" {} (", str(a.text));
      for (std::size_t i = 0; i < a.args.size(); ++i) put("{}{}", i == 0 ? "" : ", ", a.args[i]);
      put(")");
    }
    file_ = StrId{};
    if (!(y.loc == Loc{})) put(" at {}", loc(y.loc));
    put("\n");
  }

  void const_entry(ConstId c) {
    const Constant& k = u_.constants[c];
    put("const c{} = {} {}", c, name_of(kConstKindNames, k.kind), type(k.type));
    switch (k.kind) {
      case ConstKind::Int: put(" {}", k.imm); break;
      case ConstKind::String: put(" {}", str(k.string_id())); break;
      case ConstKind::Address: put(" {}", sym_plus(k.symbol_id(), k.imm)); break;
      case ConstKind::Aggregate:
        put(" {{");
        for (std::size_t i = 0; i < k.children.size(); ++i) put("{}c{}", i == 0 ? "" : ", ", k.children[i]);
        put("}}");
        break;
      case ConstKind::Zero:
      case ConstKind::Other: break;
    }
    put("\n");
  }

  void strings() {
    if (in_order_ && (u_.strings.empty() || last_used_ + 1 == u_.strings.size())) return;
    put("\nstrings {{\n");
    for (std::size_t s = 1; s < u_.strings.size(); ++s) put("  {}\n", quote(u_.strings[s]));
    put("}}\n");
  }

  // ---------------------------------------------------------------- functions

  void full_header(const Function& f) {
    put("fn {}(", sym(f.symbol));
    for (std::size_t i = 0; i < f.params.size(); ++i) {
      put("{}{} {}", i == 0 ? "" : ", ", type(f.params[i].type), str(f.params[i].name));
    }
    put(") -> {}", type(f.result));
    if (f.variadic) put(" variadic");
    if (f.from_header) put(" header");
    put(" values {}", f.body.num_values);
    file_ = StrId{};
    if (!(f.loc == Loc{})) put(" at {}", loc(f.loc));
    file_ = f.loc.file;
    if (!(f.end == Loc{})) put(" end {}", loc(f.end));
    put(" {{\n");
  }

  void plain_header(const Function& f) {
    put("fn ");
    if (f.symbol < u_.symbols.size() && u_.symbols[f.symbol].linkage == Linkage::Internal) put("static ");
    std::string result = spell(u_, f.result);
    put("{}{}{}(", result, !result.empty() && result.back() == '*' ? "" : " ", sym(f.symbol));
    for (std::size_t i = 0; i < f.params.size(); ++i) {
      std::string t = spell(u_, f.params[i].type);
      put("{}{}{}{}", i == 0 ? "" : ", ", t, !t.empty() && t.back() == '*' ? "" : " ",
          f.params[i].name != 0 ? std::string(text_of(u_, f.params[i].name)) : fmt::format("%{}", i));
    }
    if (f.variadic) put("{}", f.params.empty() ? "..." : ", ...");
    put(") {{  // {}:{}\n", text_of(u_, f.loc.file), f.loc.line);
  }

  void names(const Body& body) {
    bool any = false;
    for (std::size_t v = 0; v < body.value_names.size(); ++v) {
      if (body.value_names[v] == 0) continue;
      put("{}%{} {}", any ? ", " : "  names ", v, str(body.value_names[v]));
      any = true;
    }
    if (any) put("\n");
  }

  std::string local_name(const Body& body, std::size_t i) const {
    if (i >= body.locals.size()) return fmt::format("<local {}>", i);
    std::string_view n = text_of(u_, body.locals[i].name);
    return n.empty() ? fmt::format("l{}", i) : std::string(n);
  }

  std::string operand(const Operand& o) const {
    switch (o.kind) {
      case OperandKind::Value: return fmt::format("%{}", o.id);
      case OperandKind::Int: return fmt::format("{}", o.imm);
      case OperandKind::Null: return "null";
      case OperandKind::Undef: return "undef";
      case OperandKind::Symbol: return sym_plus(o.symbol_id(), o.imm);
      case OperandKind::Other: return "other";
    }
    return "<operand>";
  }

  std::string field_name(const FieldName& f) {
    if (full_) return fmt::format(" [{} {} {}]", type(f.record), str(f.path), type(f.type));
    return fmt::format(" ({}.{})", spell(u_, f.record), text_of(u_, f.path));
  }

  std::string call_info(const CallInfo& c) {
    std::string r;
    if (full_) {
      r = " {" + type(c.type);
      if (c.origin != 0) r += " origin " + str(c.origin);
      if (c.inline_asm) r += " asm";
      if (!c.arg_types.empty()) r += " args (" + type_list(c.arg_types) + ")";
      return r + "}";
    }
    if (c.inline_asm) r += " asm";
    if (c.origin != 0) r += fmt::format(" via {}", text_of(u_, c.origin));
    return r;
  }

  void instr(const Body& body, const Instr& in) {
    const OpInfo* info = op_info(in.op);
    put("  ");
    if (in.result != kNone) put("%{} = ", in.result);
    put("{}", info != nullptr ? info->name : std::string_view("<op>"));
    auto subs = sub_names(in.op);
    if (!subs.empty()) put(".{}", name_of(subs, in.sub));
    operands(body, in);
    if (in.op == Op::Alloca && in.aux != kNone && !full_) put(" {}", local_name(body, in.aux));
    bool uses_imm = in.op == Op::Field || in.op == Op::Index;
    if (in.op == Op::Field) {
      put(" {:+}", in.imm);
      if (in.aux < body.fields.size()) put("{}", field_name(body.fields[in.aux]));
    } else if (in.op == Op::Index) {
      put(" * {}", in.imm);
    } else if (in.op == Op::Call) {
      if (in.aux < body.calls.size()) put("{}", call_info(body.calls[in.aux]));
    } else if (in.aux != kNone && (full_ || in.op != Op::Alloca)) {
      put(" #{}", in.aux);
    }
    if (subs.empty() && in.sub != 0) put(" sub={}", in.sub);
    if (!uses_imm && in.imm != 0) put(" imm={}", in.imm);
    targets(body, in);
    if (in.type != 0) put(" : {}", type(in.type));
    if (!(in.loc == Loc{})) put("  ; {}", loc(in.loc));
    if (in.result != kNone && in.result < body.value_names.size() && body.value_names[in.result] != 0) {
      put("  // {}", support::one_line(text_of(u_, body.value_names[in.result])));
    }
    put("\n");
  }

  void operands(const Body& body, const Instr& in) {
    if (std::uint64_t{in.first_operand} + in.num_operands > body.operands.size()) {
      put(" <operands {} + {} of {}>", in.first_operand, in.num_operands, body.operands.size());
      return;
    }
    auto ops = body.ops(in);
    bool call = in.op == Op::Call && !ops.empty();
    for (std::size_t i = 0; i < ops.size(); ++i) {
      put("{}{}", i == 0 ? " " : call && i == 1 ? "(" : ", ", operand(ops[i]));
    }
    if (call) put("{}", ops.size() == 1 ? "()" : ")");
  }

  void targets(const Body& body, const Instr& in) {
    if (std::uint64_t{in.first_target} + in.num_targets > body.targets.size()) {
      put(" <targets {} + {} of {}>", in.first_target, in.num_targets, body.targets.size());
      return;
    }
    auto list = body.succs(in);
    for (std::size_t i = 0; i < list.size(); ++i) {
      put("{}b{}", i != 0 ? ", " : in.op == Op::Phi ? " from " : " -> ", list[i]);
    }
  }

  const Unit& u_;
  bool full_;
  std::string out_;
  StrId file_{};  // the file that places leave out
  std::unordered_map<std::string_view, SymId> by_name_;
  // Whether the parser, numbering strings as they come, would number them as the unit does.
  std::vector<bool> used_;
  StrId last_used_{};
  bool in_order_ = true;
};

}  // namespace

std::string spell(const Unit& unit, TypeId type) { return spell_type(unit, type, 0); }

std::string print(const Unit& unit) {
  Unit c = canonical(unit);
  Printer p(c, true);
  p.unit();
  return p.take();
}

std::string print(const Unit& unit, const Function& function) {
  Printer p(unit, false);
  p.function(function);
  return p.take();
}

}  // namespace reckon::model
