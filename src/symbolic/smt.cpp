#include "symbolic/smt.h"

#include <fmt/core.h>
#include <z3.h>

#include <algorithm>
#include <atomic>
#include <ctime>
#include <map>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string_view>
#include <unordered_map>

namespace reckon::symbolic {

using model::ArithOp;
using model::CmpPred;

namespace {

constexpr support::SolverLimits kMost = support::kLimits.solver;

bool is_leaf(const Term& x) {
  switch (x.kind) {
    case TermKind::Const:
    case TermKind::Offset:
    case TermKind::Index:
    case TermKind::Arith:
    case TermKind::Cmp: return false;
    default: return true;
  }
}

void leaves(const TermArena& terms, TermId t, std::vector<TermId>& out) {
  const Term& x = terms[t];
  if (x.kind == TermKind::Const) return;
  if (is_leaf(x)) {
    const auto it = std::lower_bound(out.begin(), out.end(), t);
    if (it == out.end() || *it != t) out.insert(it, t);
    return;
  }
  leaves(terms, x.left(), out);
  if (x.kind != TermKind::Offset) leaves(terms, x.right(), out);
}

bool overlap(const std::vector<TermId>& a, const std::vector<TermId>& b) {
  return std::any_of(a.begin(), a.end(), [&](TermId t) { return std::binary_search(b.begin(), b.end(), t); });
}

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// One fact: what it says of which symbols. Either `range` of the term `a`, or `relation`.
struct Constraint {
  TermId a = kNoTerm;
  const Range* range = nullptr;
  const Relation* relation = nullptr;
  std::vector<TermId> symbols;
  std::function<std::string()> text;
  bool is_range_of_symbol = false;
  bool is_value = false;  // says that a computed term has one value
};

// Looks for values that satisfy all constraints by trying some. Most questions are answered that way.
class Samples {
 public:
  Samples(const TermArena& terms, const std::vector<const Constraint*>& constraints, const Smt::TypeOf& type_of)
      : terms_(terms), constraints_(constraints) {
    std::vector<std::int64_t> seeds{0, 1, 2, 3, 4, 5, 7, 8, 16, 64, 255, 256, 1000, -1, -2};
    for (const Constraint* c : constraints) {
      if (c->range)
        for (const std::int64_t v : {c->range->lo, c->range->hi})
          if (v != kMin && v != kMax) seeds.insert(seeds.end(), {v, v - 1, v + 1});
      for (const TermId s : c->symbols) values_.emplace(s, std::vector<std::int64_t>{});
    }
    for (auto& [symbol, list] : values_) {
      const SymbolType type = type_of(symbol);
      const bool narrow = type.bytes > 0 && type.bytes < 8;
      const std::int64_t half = narrow ? std::int64_t{1} << (8 * type.bytes - 1) : 0;
      most_[symbol] = narrow ? half - 1 : kMax;
      const Range* own = nullptr;
      for (const Constraint* c : constraints)
        if (c->range && c->a == symbol) own = c->range;
      for (const std::int64_t v : seeds)
        if ((!narrow || (v >= (type.is_signed ? -half : 0) && v < half)) && (!own || own->allows(v))) list.push_back(v);
    }
  }

  bool satisfied() {
    if (by_bits()) return true;
    if (std::any_of(values_.begin(), values_.end(), [](const auto& v) { return v.second.empty(); })) return false;
    std::uint64_t state = 1;
    for (int n = 0; n < kMost.samples; ++n) {
      for (const auto& [symbol, list] : values_) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        now_[symbol] = list[n == 0 ? 0 : (state >> 33) % list.size()];
      }
      if (all_hold()) return true;
    }
    return false;
  }

 private:
  bool all_hold() {
    return std::all_of(constraints_.begin(), constraints_.end(), [&](const Constraint* c) { return holds_now(*c); });
  }

  // Flags and small numbers that share a word: `(x >> 7 & 1) == 1 && (x & 31) == 19` is put together bit by bit.
  bool by_bits() {
    for (const auto& [symbol, list] : values_) now_[symbol] = 0;
    bool any = false;
    for (const Constraint* c : constraints_) {
      const Bits b = c->range ? bits_of(c->a) : Bits{};
      if (b.symbol == kNoTerm) continue;
      any = true;
      const Range& r = *c->range;
      const std::int64_t wish = r.allows(0) ? 0 : (r.hi & b.mask) == r.hi ? r.hi : r.lo & b.mask;
      std::int64_t& now = now_[b.symbol];
      now = (now & ~shifted(b.mask, b.shift)) | shifted(wish, b.shift);
    }
    return any &&
           std::all_of(now_.begin(), now_.end(),
                       [&](const auto& v) { return v.second >= 0 && v.second <= most_[v.first]; }) &&
           all_hold();
  }

  struct Bits {
    TermId symbol = kNoTerm;  // none: the term is something else
    std::int64_t mask = 0, shift = 0;
  };

  // `symbol >> shift & mask`
  Bits bits_of(TermId t) const {
    const Term& x = terms_[t];
    if (x.kind != TermKind::Arith || static_cast<ArithOp>(x.sub) != ArithOp::And || !terms_.is_const(x.right()))
      return {};
    Bits out{x.left(), terms_[x.right()].imm, 0};
    if (const Term& y = terms_[out.symbol]; y.kind == TermKind::Arith) {
      const auto op = static_cast<ArithOp>(y.sub);
      if ((op != ArithOp::Shr && op != ArithOp::Sar) || !terms_.is_const(y.right())) return {};
      out.symbol = y.left();
      out.shift = terms_[y.right()].imm;
    }
    const bool fits = out.mask >= 0 && out.shift >= 0 && out.shift < 64 && out.mask <= (kMax >> out.shift);
    return fits && is_leaf(terms_[out.symbol]) ? out : Bits{};
  }

  static std::int64_t shifted(std::int64_t v, std::int64_t by) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(v) << by);
  }

  bool holds_now(const Constraint& c) {
    if (c.range) {
      const auto v = value(c.a);
      return v && c.range->allows(*v);
    }
    const auto a = value(c.relation->a), b = value(c.relation->b);
    if (!a || !b) return false;
    const __int128 d = static_cast<__int128>(*a) - *b;
    return (c.relation->lo == kMin || d >= c.relation->lo) && (c.relation->hi == kMax || d <= c.relation->hi) &&
           (!c.relation->ne || d != 0);
  }

  // Nothing: not a value everybody agrees on.
  std::optional<std::int64_t> value(TermId t) {
    const Term& x = terms_[t];
    if (x.kind == TermKind::Const) return x.imm;
    if (is_leaf(x)) return now_[t];
    const auto a = value(x.left());
    if (!a) return a;
    auto wrapped = [](std::uint64_t v) { return static_cast<std::int64_t>(v); };
    const auto u = static_cast<std::uint64_t>(*a);
    if (x.kind == TermKind::Offset) return wrapped(u + static_cast<std::uint64_t>(x.imm));
    const auto b = value(x.right());
    if (!b) return b;
    const auto v = static_cast<std::uint64_t>(*b);
    if (x.kind == TermKind::Index) return wrapped(u + v * static_cast<std::uint64_t>(x.imm));
    if (x.kind == TermKind::Cmp) return holds(static_cast<CmpPred>(x.sub), *a, *b) ? 1 : 0;
    switch (static_cast<ArithOp>(x.sub)) {
      case ArithOp::Add: return wrapped(u + v);
      case ArithOp::Sub: return wrapped(u - v);
      case ArithOp::Mul: return wrapped(u * v);
      case ArithOp::And: return wrapped(u & v);
      case ArithOp::Or: return wrapped(u | v);
      case ArithOp::Xor: return wrapped(u ^ v);
      case ArithOp::Shl: return v < 64 ? wrapped(u << v) : 0;
      case ArithOp::Sar: return *a >> (v < 64 ? v : 63);
      case ArithOp::Shr: return *a < 0 ? std::nullopt : std::optional(v < 64 ? wrapped(u >> v) : 0);
      case ArithOp::Div: return *a < 0 || *b <= 0 ? std::nullopt : std::optional(*a / *b);
      case ArithOp::Rem: return *a < 0 || *b <= 0 ? std::nullopt : std::optional(*a % *b);
    }
    return std::nullopt;
  }

  const TermArena& terms_;
  const std::vector<const Constraint*>& constraints_;
  std::map<TermId, std::vector<std::int64_t>> values_;
  std::map<TermId, std::int64_t> now_, most_;
};

// The facts as text in the language of solvers.
class Query {
 public:
  Query(const TermArena& terms, const Smt::TypeOf& type_of) : terms_(terms), type_of_(type_of) {}

  // "" if there is nothing to ask.
  std::string of(const Facts& facts, TermId about) {
    std::vector<Constraint> all;
    auto add = [&](TermId a, std::optional<TermId> b, std::function<std::string()> text) {
      if (terms_.weight(a) > kMost.weight || (b && terms_.weight(*b) > kMost.weight)) return;
      Constraint c;
      leaves(terms_, a, c.symbols);
      if (b) leaves(terms_, *b, c.symbols);
      c.text = std::move(text);
      c.a = a;
      c.is_range_of_symbol = !b && is_leaf(terms_[a]);
      if (!c.symbols.empty()) all.push_back(std::move(c));
    };
    for (const auto& [t, r] : facts.ranges()) {
      const std::size_t before = all.size();
      add(t, std::nullopt, [this, t = t, &r = r] { return range(t, r); });
      if (all.size() == before) continue;
      all.back().range = &r;
      all.back().is_value = r.is_single() && !all.back().is_range_of_symbol;
    }
    for (const Relation& r : facts.relations()) {
      const std::size_t before = all.size();
      add(r.a, r.b, [this, &r] { return relation(r); });
      if (all.size() > before) all.back().relation = &r;
    }

    // What has to do with the symbols in question, directly or by way of others.
    std::vector<TermId> symbols;
    leaves(terms_, about, symbols);
    std::vector<const Constraint*> chosen;
    std::vector<char> taken(all.size(), 0);
    for (bool grows = true; grows;) {
      grows = false;
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (taken[i] || !overlap(all[i].symbols, symbols)) continue;
        taken[i] = 1;
        grows = true;
        for (TermId s : all[i].symbols) {
          const auto it = std::lower_bound(symbols.begin(), symbols.end(), s);
          if (it == symbols.end() || *it != s) symbols.insert(it, s);
        }
      }
    }
    bool beyond = false;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (taken[i]) {
        chosen.push_back(&all[i]);
        beyond = beyond || !all[i].is_range_of_symbol;
      }
    // One fact alone is mostly possible.
    if (!beyond || chosen.size() > kMost.facts || (chosen.size() == 1 && !chosen[0]->is_value)) return {};
    if (Samples(terms_, chosen, type_of_).satisfied()) return {};
    std::string asserts;
    for (const Constraint* c : chosen) asserts += "(assert " + c->text() + ")\n";
    return declarations_ + bounds_ + asserts;
  }

 private:
  static std::string number(std::int64_t v) { return fmt::format("#x{:016x}", static_cast<std::uint64_t>(v)); }

  std::string symbol(TermId t) {
    const auto [it, is_new] = names_.emplace(t, fmt::format("s{}", names_.size()));
    if (is_new) {
      declarations_ += fmt::format("(declare-const {} (_ BitVec 64))\n", it->second);
      const SymbolType type = type_of_(t);
      if (type.bytes > 0 && type.bytes < 8) {
        const std::int64_t half = std::int64_t{1} << (8 * type.bytes - 1);
        // A value of that width may have been extended either way.
        bounds_ += fmt::format("(assert (and (bvsge {0} {1}) (bvsle {0} {2})))\n", it->second, number(-half),
                               number(type.is_signed ? half - 1 : 2 * half - 1));
      }
    }
    return it->second;
  }

  // How wide the symbols of both operands are, if all of them are signed, or none is; 0: not known.
  std::uint8_t width(const Term& x, bool is_signed) {
    std::vector<TermId> symbols;
    leaves(terms_, x.left(), symbols);
    leaves(terms_, x.right(), symbols);
    std::uint8_t bytes = 0;
    for (const TermId s : symbols) {
      const SymbolType type = type_of_(s);
      if (type.bytes == 0 || type.bytes > 8 || type.is_signed != is_signed) return 0;
      bytes = std::max(bytes, type.bytes);
    }
    return std::max<std::uint8_t>(bytes, bytes == 0 ? 0 : 4);  // arithmetic is done in int at least
  }

  // The operations that depend on the sign: exact where the symbols have one, or none, or the operands are not
  // negative. By what is no constant, they are anything: the circuits for that are large, and conditions that need them
  // rare.
  std::string guarded(const Term& x, const std::string& a, const std::string& b, const char* when_positive,
                      const char* when_signed) {
    if (!terms_.is_const(x.right())) {
      const std::string any = fmt::format("u{}", unknowns_++);
      declarations_ += fmt::format("(declare-const {} (_ BitVec 64))\n", any);
      return any;
    }
    if (when_signed && width(x, true) != 0) return fmt::format("({} {} {})", when_signed, a, b);
    const std::string name = fmt::format("u{}", unknowns_++);
    declarations_ += fmt::format("(declare-const {} (_ BitVec 64))\n", name);
    if (const std::uint8_t bytes = width(x, false); bytes != 0) {
      if (bytes == 8) return fmt::format("({} {} {})", when_positive, a, b);
      // Large values may have been extended either way; what counts is their low bits.
      const std::int64_t half = std::int64_t{1} << (8 * bytes - 1), mask = 2 * half - 1;
      bounds_ += fmt::format("(assert (= (bvand {0} {3}) ({4} (bvand {1} {3}) (bvand {2} {3}))))\n", name, a, b,
                             number(mask), when_positive);
      bounds_ += fmt::format("(assert (and (bvsge {0} {1}) (bvsle {0} {2})))\n", name, number(-half), number(mask));
      return name;
    }
    bounds_ += fmt::format("(assert (=> (and (bvsge {0} {2}) (bvsge {1} {2})) (= {3} ({4} {0} {1}))))\n", a, b,
                           number(0), name, when_positive);
    return name;
  }

  std::string term(TermId t) {
    const Term& x = terms_[t];
    switch (x.kind) {
      case TermKind::Const: return number(x.imm);
      case TermKind::Offset: return fmt::format("(bvadd {} {})", term(x.left()), number(x.imm));
      case TermKind::Index:
        return fmt::format("(bvadd {} (bvmul {} {}))", term(x.left()), term(x.right()), number(x.imm));
      case TermKind::Cmp: return fmt::format("(ite {} {} {})", comparison(x), number(1), number(0));
      case TermKind::Arith: return arithmetic(t, x);
      default: return symbol(t);
    }
  }

  std::string arithmetic(TermId t, const Term& x) {
    if (const auto known = made_.find(t); known != made_.end()) return known->second;
    const std::string a = term(x.left()), b = term(x.right());
    std::string out;
    switch (static_cast<ArithOp>(x.sub)) {
      case ArithOp::Add: out = fmt::format("(bvadd {} {})", a, b); break;
      case ArithOp::Sub: out = fmt::format("(bvsub {} {})", a, b); break;
      case ArithOp::Mul: out = fmt::format("(bvmul {} {})", a, b); break;
      case ArithOp::And: out = fmt::format("(bvand {} {})", a, b); break;
      case ArithOp::Or: out = fmt::format("(bvor {} {})", a, b); break;
      case ArithOp::Xor: out = fmt::format("(bvxor {} {})", a, b); break;
      case ArithOp::Shl: out = fmt::format("(bvshl {} {})", a, b); break;
      case ArithOp::Sar: out = fmt::format("(bvashr {} {})", a, b); break;
      case ArithOp::Shr: out = guarded(x, a, b, "bvlshr", nullptr); break;
      case ArithOp::Div: out = guarded(x, a, b, "bvudiv", "bvsdiv"); break;
      case ArithOp::Rem: out = guarded(x, a, b, "bvurem", "bvsrem"); break;
    }
    return made_[t] = out;
  }

  std::string comparison(const Term& x) {
    const std::string a = term(x.left()), b = term(x.right());
    switch (static_cast<CmpPred>(x.sub)) {
      case CmpPred::Eq: return fmt::format("(= {} {})", a, b);
      case CmpPred::Ne: return fmt::format("(not (= {} {}))", a, b);
      case CmpPred::Ult: return fmt::format("(bvult {} {})", a, b);
      case CmpPred::Ule: return fmt::format("(bvule {} {})", a, b);
      case CmpPred::Ugt: return fmt::format("(bvugt {} {})", a, b);
      case CmpPred::Uge: return fmt::format("(bvuge {} {})", a, b);
      case CmpPred::Slt: return fmt::format("(bvslt {} {})", a, b);
      case CmpPred::Sle: return fmt::format("(bvsle {} {})", a, b);
      case CmpPred::Sgt: return fmt::format("(bvsgt {} {})", a, b);
      case CmpPred::Sge: return fmt::format("(bvsge {} {})", a, b);
      case CmpPred::Flt:
      case CmpPred::Fle:
      case CmpPred::Fgt:
      case CmpPred::Fge: break;  // never become terms
    }
    return "true";
  }

  std::string range(TermId t, const Range& r) {
    const std::string x = term(t);
    std::string out = "(and true";
    if (r.lo != kMin) out += fmt::format(" (bvsge {} {})", x, number(r.lo));
    if (r.hi != kMax) out += fmt::format(" (bvsle {} {})", x, number(r.hi));
    for (const std::int64_t v : r.excluded) out += fmt::format(" (not (= {} {}))", x, number(v));
    if (r.has_gap())
      out += fmt::format(" (not (and (bvsge {0} {1}) (bvsle {0} {2})))", x, number(r.gap_lo), number(r.gap_hi));
    return out + ")";
  }

  // The difference may need a bit more than its operands.
  std::string relation(const Relation& r) {
    const std::string a = term(r.a), b = term(r.b);
    auto wide = [](const std::string& x) { return "((_ sign_extend 1) " + x + ")"; };
    const std::string d = fmt::format("(bvsub {} {})", wide(a), wide(b));
    std::string out = "(and true";
    if (r.lo != kMin) out += fmt::format(" (bvsge {} {})", d, wide(number(r.lo)));
    if (r.hi != kMax) out += fmt::format(" (bvsle {} {})", d, wide(number(r.hi)));
    if (r.ne) out += fmt::format(" (not (= {} {}))", a, b);
    return out + ")";
  }

  const TermArena& terms_;
  const Smt::TypeOf& type_of_;
  std::string declarations_, bounds_;
  std::map<TermId, std::string> names_, made_;
  std::size_t unknowns_ = 0;
};

struct Verdict {
  int answer = -1;  // 1 possible, 0 impossible, -1 undecided
  bool memory_ran_out = false;
};

// A context of its own for each query: what was asked before leaves no trace in it. Z3 looks at the limit of memory
// between steps, so it may hold twice as much for a moment.
Verdict put_to_z3(const std::string& query, const support::SolverLimits& solver) {
  Z3_config config = Z3_mk_config();
  Z3_set_param_value(config, "model", "false");
  Z3_context c = Z3_mk_context(config);
  Z3_del_config(config);
  Z3_set_error_handler(c, nullptr);
  Z3_solver asked = Z3_mk_solver_for_logic(c, Z3_mk_string_symbol(c, "QF_BV"));
  Z3_solver_inc_ref(c, asked);
  Z3_params params = Z3_mk_params(c);
  Z3_params_inc_ref(c, params);
  Z3_params_set_uint(c, params, Z3_mk_string_symbol(c, "rlimit"), solver.steps);
  Z3_params_set_uint(c, params, Z3_mk_string_symbol(c, "max_memory"), solver.memory);
  Z3_solver_set_params(c, asked, params);
  Z3_solver_from_string(c, asked, query.c_str());
  Verdict out;
  if (Z3_get_error_code(c) == Z3_OK) {
    const Z3_lbool r = Z3_solver_check(c, asked);
    out.answer = r == Z3_L_TRUE ? 1 : r == Z3_L_FALSE ? 0 : -1;
    if (r == Z3_L_UNDEF) {
      const std::string_view why = Z3_solver_get_reason_unknown(c, asked);
      out.memory_ran_out = why.find("memory") != std::string_view::npos;
    }
  }
  Z3_params_dec_ref(c, params);
  Z3_solver_dec_ref(c, asked);
  Z3_del_context(c);
  return out;
}

// Who is asking. Those who ask side by side share `mutex`; whoever met the limit of memory beside others has it alone
// for another try.
struct Askers {
  std::shared_mutex mutex;
  std::atomic<std::uint64_t> now = 0, ever = 0;
};

Askers& askers() {
  static Askers all;
  return all;
}

int answer_of_z3(const std::string& query, const support::SolverLimits& limits) {
  Askers& all = askers();
  {
    const std::shared_lock beside(all.mutex);
    const bool first = all.now.fetch_add(1) == 0;
    const std::uint64_t before = all.ever.fetch_add(1);
    const Verdict v = put_to_z3(query, limits);
    const bool alone = first && all.ever == before + 1;
    --all.now;
    if (!v.memory_ran_out || alone) return v.answer;
  }
  const std::lock_guard alone(all.mutex);
  return put_to_z3(query, limits).answer;
}

}  // namespace

struct Smt::Shared {
  mutable std::mutex mutex;
  std::unordered_map<std::string, int> answers;
  SmtFigures figures;
};

Smt::Smt(const support::SolverLimits& limits) : limits_(limits), shared_(std::make_unique<Shared>()) {}
Smt::~Smt() = default;

SmtFigures Smt::figures() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->figures;
}

bool Smt::beyond_ranges(const TermArena& terms, TermId condition) {
  const Term& x = terms[condition];
  switch (x.kind) {
    case TermKind::Arith: return true;
    case TermKind::Cmp:
      if (!terms.is_const(x.left()) && !terms.is_const(x.right())) return true;
      return beyond_ranges(terms, x.left()) || beyond_ranges(terms, x.right());
    case TermKind::Offset: return beyond_ranges(terms, x.left());
    default: return false;
  }
}

int Smt::ask(const std::string& query) {
  {
    const std::lock_guard lock(shared_->mutex);
    if (const auto it = shared_->answers.find(query); it != shared_->answers.end()) {
      ++shared_->figures.repeated;
      if (it->second == 0) ++shared_->figures.impossible;
      return it->second;
    }
  }
  const double start = cpu_seconds();
  const int answer = answer_of_z3(query, limits_);
  const double spent = cpu_seconds() - start;

  const std::lock_guard lock(shared_->mutex);
  // Two threads with the same question: it counts once.
  const bool is_new = shared_->answers.emplace(query, answer).second;
  SmtFigures& f = shared_->figures;
  f.seconds += spent;
  ++(is_new ? f.queries : f.repeated);
  if (answer == 0) ++f.impossible;
  if (answer == -1 && is_new) ++f.undecided;
  return answer;
}

int Smt::possible(const TermArena& terms, const Facts& facts, TermId about, const TypeOf& type_of) {
  // One of the cases has to be possible.
  for (const Facts& f : facts.alternatives()) {
    const std::string query = Query(terms, type_of).of(f, about);
    if (const int answer = query.empty() ? 1 : ask(query); answer != 0) return answer;
  }
  return 0;
}

bool AtBranches::possible(const TermArena& terms, const Facts& facts, TermId condition, const Smt::TypeOf& type_of) {
  beyond_ranges_ = beyond_ranges_ || Smt::beyond_ranges(terms, condition);
  if (!solver_ || asked_ >= kMost.questions || undecided_ >= kMost.undecided) return true;
  ++asked_;
  const int answer = solver_->possible(terms, facts, condition, type_of);
  undecided_ += answer < 0;
  return answer != 0;
}

}  // namespace reckon::symbolic
