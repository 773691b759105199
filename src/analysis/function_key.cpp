#include "analysis/function_key.h"

#include <algorithm>

#include "checks/format_types.h"
#include "engine/properties/exceptions/ignored_failures.h"
#include "engine/properties/references/handed_back.h"
#include "engine/properties/references/seldom_lost.h"
#include "engine/summaries/summary_bytes.h"
#include "support/limits.h"
#include "support/parallel.h"

namespace reckon::analysis {

using model::kNone;

namespace {

constexpr char kUnitMark = '@';

std::uint64_t mix(std::uint64_t h, std::uint64_t x) {
  h = (h ^ x) * 0x9e3779b97f4a7c15ull;
  return h ^ h >> 29;
}

std::string_view without_unit(std::string_view name) { return name.substr(0, name.find(kUnitMark)); }

// String literals are numbered in the order of the unit.
bool is_numbered(const model::Unit& unit, const model::Symbol& s) {
  return s.kind == model::SymbolKind::Variable && s.linkage == model::Linkage::Internal &&
         unit.str(s.name).starts_with('.');
}

}  // namespace

// What goes into one key.
class FunctionKeys::Feed {
 public:
  Feed(const FunctionKeys& keys, const std::vector<FuncId>& members, FuncId f)
      : keys_(keys),
        ctx_(keys.ctx_),
        members_(members),
        f_(f),
        u_(ctx_.program.unit_id(f)),
        unit_(ctx_.program.unit(f)),
        table_(keys.units_[u_]) {}

  FunctionKey run() {
    hash(keys_.environment_);
    const model::Function& fn = ctx_.program.function(f_);
    base_ = keys_.base_line(f_);
    facts(fn);
    declaration(fn.symbol);
    type(fn.result);
    word(fn.params.size() << 1 | (fn.variadic ? 1 : 0));
    for (const model::Param& p : fn.params) text(p.name), type(p.type);
    place(fn.loc);
    place(fn.end);
    body(fn.body);
    for (std::size_t i = 0; i < called_.size(); ++i)  // grows
      for (const std::string& name : keys_.global_names_[called_[i]]) {
        interned(name);
        const auto it = table_.symbols.find(without_unit(name));
        word(it == table_.symbols.end() ? 0 : 1);
        if (it != table_.symbols.end()) symbol(it->second);
      }
    return {finish(words_), finish(literals_)};
  }

 private:
  static support::Hash128 finish(const std::vector<std::uint64_t>& words) {
    return support::hash128({reinterpret_cast<const char*>(words.data()), words.size() * sizeof(std::uint64_t)});
  }
  void word(std::uint64_t w) { words_.push_back(w); }
  void hash(const support::Hash128& h) { word(h.low), word(h.high); }
  void text(model::StrId s) { word(table_.strings[s]); }
  void type(model::TypeId t) { word(table_.types[t]); }
  void place(const model::Loc& l) {
    text(l.file);
    word(std::uint64_t{l.line == 0 ? 0xffffffffu : l.line - base_} << 32 | l.col);
    text(l.macro);
  }

  // May functions of this unit leave an exception behind?
  bool raises() const {
    const auto& domains = ctx_.specs.domains();
    return ctx_.unit_domain[u_] < domains.size() &&
           domains[ctx_.unit_domain[u_]].failure_value != specs::FailureValue::Errno;
  }

  // What the context says of the function, besides its outcomes.
  void facts(const model::Function& fn) {
    const model::Symbol& sym = unit_.symbols[fn.symbol];
    word(ctx_.contracts[f_].bits());
    word(ctx_.unit_domain[u_] | std::uint64_t{unit_.pointer_size} << 8 |
         static_cast<std::uint64_t>(unit_.language) << 16 | (ctx_.of_both_types[f_] ? 1ull << 32 : 0) |
         (ctx_.private_params[f_] ? 1ull << 33 : 0) | (ctx_.program.roles(f_).empty() ? 1ull << 34 : 0) |
         (ctx_.program.callers(f_).empty() ? 1ull << 35 : 0) | (sym.address_taken ? 1ull << 36 : 0) |
         (base_ != 0 ? 1ull << 37 : 0) | (ctx_.unit_implements[u_] ? 1ull << 38 : 0) |
         (ctx_.ends_objects[f_] ? 1ull << 39 : 0) | (ctx_.without_counts[f_] ? 1ull << 41 : 0) |
         (raises() && callers_ask(ctx_, f_) ? 1ull << 42 : 0) |
         (raises() && deals_with_exceptions(ctx_, f_) ? 1ull << 43 : 0) |
         (ctx_.phases[f_] == engine::Phase::Init ? 1ull << 44 : 0) |
         (sym.linkage == model::Linkage::External ? 1ull << 40 : 0));
    word(std::uint64_t{ctx_.borrowed_params[f_]} << 32 | ctx_.null_params[f_]);
    for (const engine::GivenArgument& given : ctx_.given_arguments[f_]) {
      word(static_cast<std::uint64_t>(given.kind));
      word(static_cast<std::uint64_t>(given.number));
      word(support::hash128(given.global).low);
    }
    word(engine::own_of_callers(ctx_, f_));
    word(support::hash128(ctx_.unit_version[u_]).low);
    word(table_.format_headers);
    const Promise& promise = ctx_.promises[f_];
    word(std::uint64_t{promise.given} << 8 | (promise.primitive ? 2 : 0) | (promise.spec ? 1 : 0));
    if (promise.spec) declaration(fn.symbol);
  }

  void declaration(model::SymId s) {
    const model::Symbol& sym = unit_.symbols[s];
    text(sym.name);
    text(sym.display);
    word(static_cast<std::uint64_t>(sym.kind) << 8 | static_cast<std::uint64_t>(sym.linkage));
    type(sym.type);
    word(sym.attributes.size());
    for (const model::Attribute& a : sym.attributes) {
      text(a.name);
      text(a.text);
      for (const std::int64_t v : a.args) word(static_cast<std::uint64_t>(v));
    }
    // The specs themselves belong to the environment.
    const specs::FunctionSpec* spec = ctx_.spec_of[u_][s];
    word(!spec ? 0 : spec->from_source ? 1 : 2);
    if (spec) word(support::hash128(spec->name).low), word(ctx_.domain_id(spec->domain));
  }

  // A symbol that the function, or an outcome it sees, mentions. Twice the same is said once.
  void symbol(model::SymId s) {
    const auto [seen, is_new] = symbols_.emplace(s, symbols_.size());
    word(seen->second);
    if (!is_new) return;
    const model::Symbol& sym = unit_.symbols[s];
    if (is_numbered(unit_, sym)) {
      literals_.push_back(table_.strings[sym.name]);
      type(sym.type);
    } else {
      declaration(s);
    }
    if (sym.kind == model::SymbolKind::Function) {
      if (const FuncId f = ctx_.program.definition(u_, s); f != program::kNone) callee(f);
      return;
    }
    if (sym.init != kNone) constant(unit_.type(sym.type), unit_.constants[sym.init]);
    std::string name(unit_.str(sym.name));
    if (ctx_.phases[f_] == engine::Phase::Init && sym.linkage == model::Linkage::Internal)
      word(engine::read_elsewhere(unit_, ctx_.program.function(f_), name) ? 1 : 0);
    if (sym.linkage == model::Linkage::Internal) name += kUnitMark + std::to_string(u_);
    interned(name);
    if (const auto it = ctx_.released_members.find(name); it != ctx_.released_members.end())
      for (const std::int64_t offset : it->second) word(static_cast<std::uint64_t>(offset));
  }

  // Of an array of pointers also which of them are NULL: formats are compared with lists of names.
  void constant(const model::Type& type, const model::Constant& c) {
    word(static_cast<std::uint64_t>(c.kind));
    if (c.kind == model::ConstKind::String) text(c.string_id());
    if (type.kind != model::TypeKind::Array || unit_.type(type.elem).kind != model::TypeKind::Pointer) return;
    word(c.children.size());
    for (const model::ConstId child : c.children) word(static_cast<std::uint64_t>(unit_.constants[child].kind));
  }

  void interned(const std::string& name) {
    if (const auto it = ctx_.interned.find(name); it != ctx_.interned.end()) word(support::hash128(it->second).low);
  }

  // Of a variadic function callers also see where its format goes (Executor::hand_to_format).
  void handed_on(FuncId f) {
    const model::Function& fn = ctx_.program.function(f);
    word(fn.params.size() << 1 | (fn.variadic ? 1 : 0));
    for (const model::Instr& i : fn.body.instrs) {
      if (!fn.variadic || i.op != model::Op::Call || i.num_operands == 0) continue;
      const auto ops = fn.body.ops(i);
      if (ops[0].kind != model::OperandKind::Symbol) continue;
      const specs::FunctionSpec* spec = ctx_.spec_of[ctx_.program.unit_id(f)][ops[0].id];
      if (!spec) continue;
      word(support::hash128(spec->name).low);
      for (std::size_t a = 1; a < ops.size(); ++a) word(static_cast<std::uint64_t>(ops[a].kind) << 32 | ops[a].id);
    }
  }

  void callee(FuncId f) {
    handed_on(f);
    word(ctx_.contracts[f].bits());
    if (const auto it = std::find(members_.begin(), members_.end(), f); it != members_.end()) {
      word(static_cast<std::uint64_t>(it - members_.begin()));  // its own key is part of the whole
      return;
    }
    if (ctx_.component_of[f] > ctx_.component_of[f_]) return word(~std::uint64_t{0});  // not known yet
    hash(keys_.outcomes_[f]);
    if (std::find(called_.begin(), called_.end(), f) == called_.end()) called_.push_back(f);
  }

  void body(const model::Body& b) {
    word(b.blocks.size() << 32 | b.instrs.size());
    for (const model::Block& block : b.blocks) word(std::uint64_t{block.first} << 32 | block.count);
    for (const model::Instr& i : b.instrs) {
      word(static_cast<std::uint64_t>(i.op) << 40 | std::uint64_t{i.sub} << 32 | i.result);
      word(std::uint64_t{i.aux} << 32 | i.num_operands << 8 | i.num_targets);
      word(static_cast<std::uint64_t>(i.imm));
      type(i.type);
      place(i.loc);
      for (const model::Operand& o : b.ops(i)) {
        word(static_cast<std::uint64_t>(o.kind));
        word(static_cast<std::uint64_t>(o.imm));
        if (o.kind == model::OperandKind::Symbol)
          symbol(o.symbol_id());
        else
          word(o.id);
      }
      for (const model::BlockId t : b.succs(i)) word(t);
      if (i.op == model::Op::Call && i.num_operands != 0 && b.ops(i)[0].kind != model::OperandKind::Symbol)
        for (const FuncId f : ctx_.program.targets(f_, i)) callee(f);
    }
    word(b.fields.size());
    for (const model::FieldName& n : b.fields) {
      type(n.record), text(n.path), type(n.type);
      const std::string name = std::string(unit_.str(unit_.type(n.record).name)) + "." + std::string(unit_.str(n.path));
      word((ctx_.released_fields.contains(name) ? 1 : 0) | (ctx_.lasting_fields.contains(name) ? 2 : 0));
      const auto held = ctx_.hold_flags.find(name);
      word(held == ctx_.hold_flags.end() ? 0 : held->second.size());
      if (held != ctx_.hold_flags.end())
        for (const CountId kind : held->second) word(kind);
    }
    for (const model::CallInfo& c : b.calls) {
      type(c.type);
      text(c.origin);
      word(c.arg_types.size() << 1 | (c.inline_asm ? 1 : 0));
      for (const model::TypeId t : c.arg_types) type(t);
    }
    for (const model::Local& l : b.locals) text(l.name), type(l.type);
    for (const model::StrId s : b.value_names) text(s);
    word(b.num_values);
  }

  const FunctionKeys& keys_;
  const Context& ctx_;
  const std::vector<FuncId>& members_;
  const FuncId f_;
  const program::UnitId u_;
  const model::Unit& unit_;
  const UnitTable& table_;
  std::uint32_t base_ = 0;
  std::vector<std::uint64_t> words_, literals_;
  std::unordered_map<model::SymId, std::size_t> symbols_;  // numbered in the order of appearance
  std::vector<FuncId> called_;
};

FunctionKeys::UnitTable FunctionKeys::table_of(program::UnitId u) const {
  const model::Unit& unit = ctx_.program.unit_at(u);
  UnitTable out;
  for (const specs::DomainSpec& domain : ctx_.specs.domains())
    for (const std::string_view name : domain.long_lengths)
      out.format_headers =
          out.format_headers << 1 | (checks::reads_header(unit, name.substr(name.find(':') + 1)) ? 1 : 0);
  out.strings.reserve(unit.strings.size());
  for (const std::string& s : unit.strings) out.strings.push_back(support::hash128(s).low);
  for (model::SymId s{}; s < unit.symbols.size(); ++s) out.symbols.emplace(unit.str(unit.symbols[s].name), s);

  for (model::TypeId t{}; t < unit.types.size(); ++t) {
    const model::Type& type = unit.types[t];
    std::uint64_t h =
        mix(static_cast<std::uint64_t>(type.kind) << 16 | (type.is_signed ? 2 : 0) | (type.variadic ? 1 : 0),
            ctx_.counted_domain[u][t]);
    h = mix(mix(h, out.strings[type.name]), type.size);
    for (const model::Field& f : type.fields) h = mix(mix(h, out.strings[f.name]), f.offset);
    out.types.push_back(h);
  }
  for (int round = 0; round < support::kLimits.program.key_type_rounds; ++round) {
    std::vector<std::uint64_t> next = out.types;
    for (model::TypeId t{}; t < unit.types.size(); ++t) {
      const model::Type& type = unit.types[t];
      std::uint64_t h = mix(next[t], out.types[type.elem]);
      for (const model::TypeId p : type.params) h = mix(h, out.types[p]);
      for (const model::Field& f : type.fields) h = mix(h, out.types[f.type]);
      next[t] = h;
    }
    out.types = std::move(next);
  }
  return out;
}

support::Hash128 hash_of(const support::Limits& limits) { return support::hash128(support::bytes_of(limits)); }

FunctionKeys::FunctionKeys(const Context& context, std::string_view environment, unsigned jobs)
    : ctx_(context),
      units_(context.program.num_units()),
      outcomes_(context.program.num_functions()),
      global_names_(context.program.num_functions()) {
  support::Hasher h;
  h.text(environment);
  h.hash(hash_of(support::kLimits));
  h.number(ctx_.free_threaded);
  for (program::UnitId u{}; u < units_.size(); ++u) {
    // The same file may be compiled more than once.
    std::string identity = ctx_.program.unit_at(u).path;
    while (!unit_by_identity_.emplace(identity, u).second) identity += '+';
    units_[u].identity = identity;
  }
  std::vector<std::pair<std::string, std::string>> interned(ctx_.interned.begin(), ctx_.interned.end());
  for (auto& entry : interned) to_kept(entry.first);
  std::sort(interned.begin(), interned.end());
  for (const auto& [name, text] : interned) h.text(name), h.text(text);
  environment_ = h.finish();
  support::in_parallel(jobs, units_.size(), [&](std::size_t u) {
    std::string identity = std::move(units_[u].identity);
    units_[u] = table_of(static_cast<program::UnitId>(u));
    units_[u].identity = std::move(identity);
  });
  for (FuncId f{}; f < ctx_.program.num_functions(); ++f)
    if (!ctx_.worth_analysing(f)) settle(f);
}

std::uint32_t FunctionKeys::base_line(FuncId f) const {
  const model::Function& fn = ctx_.program.function(f);
  const bool together = std::all_of(fn.body.instrs.begin(), fn.body.instrs.end(), [&](const model::Instr& i) {
    return i.loc.line == 0 || i.loc.file == fn.loc.file;
  });
  return together ? fn.loc.line : 0;
}

FunctionKey FunctionKeys::of(const std::vector<FuncId>& members) const {
  if (members.size() == 1) return Feed(*this, members, members[0]).run();
  support::Hasher content, literals;
  for (const FuncId f : members) {
    const FunctionKey k = Feed(*this, members, f).run();
    content.hash(k.content);
    literals.hash(k.literals);
  }
  return {content.finish(), literals.finish()};
}

void FunctionKeys::settle(FuncId f) {
  support::Writer out;
  auto& names = global_names_[f];
  write_summary(out, ctx_.summaries[f], [&](std::string& name) {
    names.push_back(name);
    return to_kept(name);
  });
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  outcomes_[f] = support::hash128(out.bytes());
}

bool FunctionKeys::to_kept(std::string& name) const {
  const auto mark = name.rfind(kUnitMark);
  if (mark == std::string::npos || mark + 1 == name.size() ||
      !std::all_of(name.begin() + static_cast<std::ptrdiff_t>(mark) + 1, name.end(),
                   [](char c) { return c >= '0' && c <= '9'; }))
    return true;
  const unsigned long unit = std::stoul(name.substr(mark + 1));
  if (unit < units_.size()) name = name.substr(0, mark) + kUnitMark + kUnitMark + units_[unit].identity;
  return true;
}

bool FunctionKeys::from_kept(std::string& name) const {
  const auto mark = name.find("@@");
  if (mark == std::string::npos) return true;
  const auto it = unit_by_identity_.find(name.substr(mark + 2));
  if (it == unit_by_identity_.end()) return false;
  name = name.substr(0, mark) + kUnitMark + std::to_string(it->second);
  return true;
}

}  // namespace reckon::analysis
