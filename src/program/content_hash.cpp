#include "program/content_hash.h"

#include <algorithm>
#include <array>
#include <utility>

#include "program/scc.h"
#include "support/hash.h"
#include "support/limits.h"

namespace reckon::program {

using model::kNone;

// Words on their way into a hash, handed over a buffer at a time.
class ContentHasher::Feed {
 public:
  void word(std::uint64_t w) {
    buffer_[used_++] = w;
    if (used_ == buffer_.size()) flush();
  }
  void pair(std::uint32_t a, std::uint32_t b) { word(std::uint64_t{a} << 32 | b); }
  void digest(const Digest& d) {
    word(d.low);
    word(d.high);
  }
  Digest finish() {
    flush();
    const support::Hash128 h = hasher_.finish();
    return {h.low, h.high};
  }

 private:
  void flush() {
    hasher_.bytes(buffer_.data(), used_ * sizeof(std::uint64_t));
    used_ = 0;
  }
  support::Hasher hasher_;
  std::array<std::uint64_t, 128> buffer_;
  std::size_t used_ = 0;
};

namespace {

// Types nest deeply only through structs, where we stop anyway; the limit is for malformed units.
constexpr int kMaxTypeDepth = support::kLimits.program.hashed_types;

std::uint64_t nonzero(std::uint64_t h) { return h == 0 ? 1 : h; }

}  // namespace

ContentHasher::ContentHasher(const model::Unit& unit, std::function<std::uint64_t(model::SymId)> foreign)
    : unit_(unit),
      foreign_(std::move(foreign)),
      strings_(unit.strings.size(), 0),
      types_(unit.types.size(), 0),
      function_of_(unit.symbols.size(), kNone) {
  for (std::uint32_t i = 0; i < unit.functions.size(); ++i) function_of_[unit.functions[i].symbol] = i;
}

std::uint64_t ContentHasher::string_hash(model::StrId s) {
  if (strings_[s] == 0) strings_[s] = nonzero(support::hash128(unit_.strings[s]).low);
  return strings_[s];
}

std::uint64_t ContentHasher::type_hash(model::TypeId t, int depth) {
  if (types_[t] != 0) return types_[t];
  const std::uint64_t h = nonzero(type_hash_uncached(t, depth));
  if (depth == 0) types_[t] = h;  // deeper ones may have met the limit
  return h;
}

std::uint64_t ContentHasher::type_hash_uncached(model::TypeId t, int depth) {
  const model::Type& type = unit_.types[t];
  Feed feed;
  using enum model::TypeKind;
  feed.word(static_cast<std::uint64_t>(type.kind) << 2 | (type.is_signed ? 2 : 0) | (type.variadic ? 1 : 0));
  feed.word(string_hash(type.name));
  // One unit may know only the tag where another knows the fields; a body says by offsets what it relies on.
  if ((type.kind == Struct || type.kind == Union) && type.name != 0) return feed.finish().low;
  feed.word(type.size);
  if (depth < kMaxTypeDepth) {
    if (type.kind == Pointer || type.kind == Array || type.kind == Function) feed.word(type_hash(type.elem, depth + 1));
    for (const model::TypeId p : type.params) feed.word(type_hash(p, depth + 1));
    for (const model::Field& f : type.fields) {
      feed.word(string_hash(f.name));
      feed.word(f.offset);
    }
  }
  return feed.finish().low;
}

void ContentHasher::feed_loc(Feed& feed, const model::Loc& loc) {
  feed.word(string_hash(loc.file));
  feed.pair(loc.line, loc.col);
}

void ContentHasher::feed_symbol(Feed& feed, model::SymId s, Node& node) {
  const model::Symbol& symbol = unit_.symbols[s];
  if (is_private(s) && (symbol.kind == model::SymbolKind::Variable || function_of_[s] != kNone)) {
    feed.word(1);
    node.refs.push_back(s);
    return;
  }
  feed.word(2);
  feed.word(string_hash(symbol.name));
  if (foreign_)
    feed.word(foreign_(s));
  else if (function_of_[s] != kNone)
    node.publics.push_back(s);
}

void ContentHasher::feed_constant(Feed& feed, model::ConstId root, Node& node) {
  std::vector<model::ConstId> todo{root};
  while (!todo.empty()) {
    const model::Constant& c = unit_.constants[todo.back()];
    todo.pop_back();
    feed.pair(static_cast<std::uint32_t>(c.kind), static_cast<std::uint32_t>(c.children.size()));
    feed.word(type_hash(c.type));
    feed.word(static_cast<std::uint64_t>(c.imm));
    if (c.kind == model::ConstKind::Address && c.ref != kNone) feed_symbol(feed, c.symbol_id(), node);
    if (c.kind == model::ConstKind::String && c.ref != kNone) feed.word(string_hash(c.string_id()));
    todo.insert(todo.end(), c.children.rbegin(), c.children.rend());
  }
}

void ContentHasher::feed_body(Feed& feed, const model::Body& body, Node& node) {
  feed.pair(static_cast<std::uint32_t>(body.blocks.size()), static_cast<std::uint32_t>(body.instrs.size()));
  for (const model::Block& b : body.blocks) feed.pair(b.first, b.count);
  for (const model::Instr& i : body.instrs) {
    feed.pair(static_cast<std::uint32_t>(i.op) << 8 | i.sub, i.result);
    feed.pair(i.aux, i.num_operands);
    feed.word(static_cast<std::uint64_t>(i.imm));
    feed.word(type_hash(i.type));
    for (const model::Operand& o : body.ops(i)) {
      feed.word(static_cast<std::uint64_t>(o.kind));
      feed.word(static_cast<std::uint64_t>(o.imm));
      if (o.kind == model::OperandKind::Symbol)
        feed_symbol(feed, o.symbol_id(), node);
      else
        feed.word(o.id);
    }
    feed.word(i.num_targets);
    for (const model::BlockId b : body.succs(i)) feed.word(b);
  }
  feed.word(body.fields.size());
  for (const model::FieldName& f : body.fields) {
    feed.word(type_hash(f.record));
    feed.word(string_hash(f.path));
    feed.word(type_hash(f.type));
  }
  feed.word(body.calls.size());
  for (const model::CallInfo& c : body.calls) {
    feed.word(type_hash(c.type));
    feed.word(string_hash(c.origin));
    feed.pair(c.inline_asm ? 1 : 0, static_cast<std::uint32_t>(c.arg_types.size()));
    for (const model::TypeId t : c.arg_types) feed.word(type_hash(t));
  }
  feed.word(body.locals.size());
  for (const model::Local& l : body.locals) {
    feed.word(string_hash(l.name));
    feed.word(type_hash(l.type));
  }
  feed.word(body.value_names.size());
  for (const model::StrId s : body.value_names) feed.word(string_hash(s));
}

ContentHasher::Node ContentHasher::hash_function(const model::Function& function) {
  const model::Symbol& symbol = unit_.symbols[function.symbol];
  Node node{function.symbol, {}};
  Feed feed;
  feed.word(3);
  feed.word(string_hash(symbol.name));
  feed_loc(feed, function.loc);
  for (const model::Attribute& a : symbol.attributes) {
    feed.word(string_hash(a.name));
    feed.word(string_hash(a.text));
    for (const std::int64_t v : a.args) feed.word(static_cast<std::uint64_t>(v));
  }
  feed.word(type_hash(function.result));
  feed.pair(function.variadic ? 1 : 0, static_cast<std::uint32_t>(function.params.size()));
  for (const model::Param& p : function.params) {
    feed.word(string_hash(p.name));
    feed.word(type_hash(p.type));
  }
  feed.word(function.rest_of == kNone ? 0 : string_hash(unit_.symbols[function.rest_of].name));
  feed_body(feed, function.body, node);
  node.local = feed.finish();
  return node;
}

ContentHasher::Node ContentHasher::hash_variable(model::SymId s) {
  const model::Symbol& symbol = unit_.symbols[s];
  Node node{s, {}};
  Feed feed;
  feed.word(symbol.is_constant ? 4 : 5);
  // Compilers number string literals and the like; a constant is what it holds, not its name.
  if (!symbol.is_constant) feed.word(string_hash(symbol.name));
  feed_loc(feed, symbol.is_constant ? model::Loc{} : symbol.loc);
  feed.word(type_hash(symbol.type));
  if (symbol.init != kNone) feed_constant(feed, symbol.init, node);
  node.local = feed.finish();
  return node;
}

Digest ContentHasher::variable(model::SymId s) {
  const model::Symbol& symbol = unit_.symbols[s];
  Node node{s, {}};
  Feed feed;
  feed.word(string_hash(symbol.name));
  feed_loc(feed, symbol.loc);
  feed.word(type_hash(symbol.type));
  if (symbol.init != kNone) feed_constant(feed, symbol.init, node);
  for (const model::SymId r : node.refs) {
    feed.word(string_hash(unit_.symbols[r].name));
    feed.word(foreign_(r));
  }
  return feed.finish();
}

std::vector<PrivateFunction> ContentHasher::functions(const std::vector<std::uint32_t>& indices) {
  // Everything private the functions reach, each hashed once.
  std::vector<Node> nodes;
  std::vector<std::uint32_t> node_of(unit_.symbols.size(), kNone);
  std::vector<model::SymId> todo;
  auto want = [&](model::SymId s) {
    if (node_of[s] != kNone) return;
    node_of[s] = static_cast<std::uint32_t>(nodes.size());
    nodes.push_back({s, {}});
    todo.push_back(s);
  };
  for (const std::uint32_t i : indices) want(unit_.functions[i].symbol);
  while (!todo.empty()) {
    const model::SymId s = todo.back();
    todo.pop_back();
    Node node = unit_.symbols[s].kind == model::SymbolKind::Function ? hash_function(unit_.functions[function_of_[s]])
                                                                     : hash_variable(s);
    for (const model::SymId r : node.refs) want(r);
    nodes[node_of[s]] = std::move(node);
  }

  std::vector<std::vector<std::uint32_t>> edges(nodes.size());
  for (std::size_t n = 0; n < nodes.size(); ++n)
    for (const model::SymId r : nodes[n].refs) edges[n].push_back(node_of[r]);

  // Bottom-up: references out of a component by their final hash, those within by their local one plus the
  // hash of the component as a whole.
  std::vector<Digest> final_hash(nodes.size());
  std::vector<std::uint32_t> component_of(nodes.size(), kNone);
  std::uint32_t number = 0;
  for (const std::vector<std::uint32_t>& component : strong_components(edges)) {
    for (const std::uint32_t n : component) component_of[n] = number;
    std::vector<Digest> members;
    std::vector<model::SymId> publics;
    for (const std::uint32_t n : component) {
      publics.insert(publics.end(), nodes[n].publics.begin(), nodes[n].publics.end());
      for (const std::uint32_t r : edges[n])
        if (component_of[r] != number) publics.insert(publics.end(), nodes[r].publics.begin(), nodes[r].publics.end());
      Feed feed;
      feed.digest(nodes[n].local);
      for (const std::uint32_t r : edges[n]) feed.digest(component_of[r] == number ? nodes[r].local : final_hash[r]);
      final_hash[n] = feed.finish();
      members.push_back(final_hash[n]);
    }
    std::sort(publics.begin(), publics.end());
    publics.erase(std::unique(publics.begin(), publics.end()), publics.end());
    for (const std::uint32_t n : component) nodes[n].publics = publics;
    if (component.size() > 1) {
      std::sort(members.begin(), members.end());
      Feed whole;
      for (const Digest& d : members) whole.digest(d);
      const Digest all = whole.finish();
      for (const std::uint32_t n : component) {
        Feed feed;
        feed.digest(final_hash[n]);
        feed.digest(all);
        final_hash[n] = feed.finish();
      }
    }
    ++number;
  }

  std::vector<PrivateFunction> result;
  for (const std::uint32_t i : indices) {
    const std::uint32_t n = node_of[unit_.functions[i].symbol];
    result.push_back({i, final_hash[n], nodes[n].publics});
  }
  return result;
}

std::vector<PrivateFunction> private_functions(const model::Unit& unit) {
  std::vector<std::uint32_t> indices;
  for (std::uint32_t i = 0; i < unit.functions.size(); ++i) {
    const model::Function& f = unit.functions[i];
    if (unit.symbols[f.symbol].linkage == model::Linkage::Internal && (f.from_header || f.loc.file != 0))
      indices.push_back(i);
  }
  return ContentHasher(unit).functions(indices);
}

}  // namespace reckon::program
