// The part of the spec language after `->`.
//
// Every alternative becomes one Outcome. What its result says is kept twice where that helps: as the Value the
// call gives back, and as a condition on the result, so that a caller's branch on it picks the alternative.
// Which words are effects and which are parameters is told apart by what follows directly: `p+1`, `p.pm-1`,
// `p->f=NULL` have no space inside, so a parameter may have any name. Nothing here recurses on its input.
// alternative_values.cpp reads places, values and conditions.
#include "specs/alternatives.h"

#include <algorithm>

namespace reckon::specs {
namespace {

constexpr std::int64_t max_delta = 1000000;

}  // namespace

bool AlternativeParser::fail(std::size_t at, std::string message) {
  if (!complaint_) complaint_ = Complaint{at, std::move(message)};
  return false;
}

bool AlternativeParser::fail_expected(std::string_view what) {
  in_.skip_space();
  return fail(in_.pos(), "expected " + std::string(what) + ", found " + in_.found());
}

bool AlternativeParser::expect_number(std::int64_t& out, std::string_view what) {
  bool malformed = false;
  std::optional<std::int64_t> n = in_.number(&malformed);
  if (malformed) return fail(in_.pos(), "malformed number " + in_.found());
  if (!n) return fail_expected(what);
  out = *n;
  return true;
}

bool AlternativeParser::parse() {
  do {
    if (!alternative()) return false;
  } while (in_.take_spaced("|"));
  if (!in_.at_end()) return fail_expected("an effect, `|` or the end of the line");
  if (void_results_ != 0 && void_results_ != static_cast<std::size_t>(std::count_if(
                                                 fn_.outcomes.begin(), fn_.outcomes.end(),
                                                 [](const Outcome& outcome) { return !outcome.never_returns; })))
    return fail(in_.pos(), "expected `void` in every alternative or in none");
  fn_.returns_void = void_results_ != 0;
  return true;
}

bool AlternativeParser::alternative() {
  out_ = &fn_.outcomes.emplace_back();
  // value() adds the object and conditions to *out_ and must not write its result there at the same time.
  Value result;
  if (!value(result, Where::Result)) return false;
  out_->result = std::move(result);
  while (!in_.at_end() && in_.peek() != '|')
    if (!effect()) return false;
  return true;
}

bool AlternativeParser::effect() {
  in_.skip_space();
  std::size_t start = in_.pos();
  char c = in_.peek();
  if (c == '*' || c == '&' || c == '@' || c == '$') return effect_on_place();
  bool handled = false;
  if (!protect_effect(&handled)) return false;
  if (handled) return true;
  std::string_view word = in_.word();
  if (word.empty()) return fail_expected("an effect or `|`");
  if (effect_follows()) {
    in_.rewind(start);
    return effect_on_place();
  }
  return keyword_effect(word, start);
}

// P+N, P.KIND-N, P->FIELD=VALUE, *P=VALUE
bool AlternativeParser::effect_on_place() {
  in_.skip_space();
  std::size_t start = in_.pos();
  Place where;
  std::string kind;
  if (!place(where, &kind)) return false;
  char c = in_.peek();
  if (c == '=' && in_.peek(1) != '=') {
    if (where.address) return fail(start, "an address cannot be stored to; leave out the `&`");
    if (where.path.empty() && where.field_path.empty())
      return fail(start, "a store goes through a pointer: `*p=...` or `p->field=...`");
    in_.take("=");
    StoreEffect store;
    if (!value(store.value, Where::Store)) return false;
    store.where = std::move(where);
    out_->stores.push_back(std::move(store));
    return true;
  }
  if (c != '+' && c != '-') return fail_expected("`+N`, `-N` or `=VALUE` right behind the place");
  std::size_t delta_at = in_.pos();
  std::int64_t delta = 0;
  if (!expect_number(delta, "`+N` or `-N`")) return false;
  if (delta == 0 || delta > max_delta || delta < -max_delta)
    return fail(delta_at, "a count changes by 1 to " + std::to_string(max_delta));
  out_->counts.push_back({std::move(where), std::move(kind), static_cast<int>(delta)});
  return true;
}

// protect+N, protect-N, protect-P, protect?
bool AlternativeParser::protect_effect(bool* handled) {
  std::size_t start = in_.pos();
  std::string_view word = in_.identifier();
  char sign = in_.peek();
  if (word != "protect" || (sign != '+' && sign != '-' && sign != '?') || param_index(word) || in_.peek(1) == '>') {
    in_.rewind(start);
    return true;
  }
  *handled = true;
  if (in_.take("?")) return out_->depth_unknown = true;
  if (is_digit(in_.peek(1))) {
    std::int64_t delta = 0;
    if (!expect_number(delta, "a number")) return false;
    if (delta == 0 || delta > max_delta || delta < -max_delta)
      return fail(start, "a count changes by 1 to " + std::to_string(max_delta));
    out_->protects += static_cast<int>(delta);
    return true;
  }
  if (sign == '+') return fail_expected("a number after `protect`");
  in_.take("-");
  if (out_->unprotects) return fail(start, "only one parameter can say how much is unprotected");
  Place count;
  if (!place(count, nullptr)) return false;
  out_->unprotects = std::move(count);
  return true;
}

bool AlternativeParser::keyword_effect(std::string_view word, std::size_t at) {
  auto exception = [&](Exception what) {
    if (out_->exception != Exception::Unchanged)
      return fail(at, "only one of `raises`, `may-raise` and `clears` can happen in one alternative");
    out_->exception = what;
    return true;
  };
  if (word == "raises") {
    out_->failure = true;
    return exception(Exception::Set);
  }
  if (word == "may-raise") return exception(Exception::MaybeSet);
  if (word == "clears") return exception(Exception::Cleared);
  if (word == "fails") return out_->failure = true;
  if (word == "if-oom") return out_->out_of_memory_only = true;
  if (word == "supposed") {
    for (Object& x : out_->objects) x.supposed = x.owned;
    return true;
  }
  if (word == "if-misused") return out_->misuse_only = true;
  if (word == "if-raised" || word == "if-clear") {
    out_->pending = word == "if-raised" ? Pending::Raised : Pending::Clear;
    return true;
  }
  if (word == "when") return conditions();
  if (word == "steals" || word == "keeps") {
    Hold hold;
    hold.steals = word == "steals";
    if (!place(hold.object, nullptr)) return false;
    std::size_t before = (in_.skip_space(), in_.pos());
    std::string_view joint = in_.word();
    if (joint == (hold.steals ? "into" : "in") && !effect_follows()) {
      Place holder;
      if (!place(holder, nullptr)) return false;
      hold.holder = std::move(holder);
    } else {
      in_.rewind(before);
    }
    if (!hold.steals && !hold.holder)
      out_->escapes.push_back(std::move(hold.object));
    else
      out_->holds.push_back(std::move(hold));
    return true;
  }
  if (word == "clobbers") return place(out_->clobbers.emplace_back(), nullptr);
  if (word == "frees") return place(out_->frees.emplace_back(), nullptr);
  if (word == "consumes") {
    if (!place(out_->consumes.emplace_back(), nullptr)) return false;
    out_->counts.push_back({out_->consumes.back(), "", -1});
    return true;
  }
  if (word == "runs") return later_call();
  if (word == "allocates") return out_->allocates = true;
  if (word == "exposes") return place(out_->exposes.emplace_back(), nullptr);
  if (word == "endangers") return place(out_->endangers.emplace_back(), nullptr);
  if (word == "unprotect") return place(out_->unprotected.emplace_back(), nullptr);
  if (word == "reprotect") return reprotect();
  if (word == "drops") return drop();
  if (word == "drops-content" || word == "protect") {
    Place object;
    if (!place(object, nullptr)) return false;
    if (word == "protect") ++out_->protects;
    (word == "protect" ? out_->protected_objects : out_->releases_holds).push_back(std::move(object));
    return true;
  }
  if (word == "makes") {
    Value ignored;
    std::size_t objects = out_->objects.size();
    std::size_t value_at = (in_.skip_space(), in_.pos());
    if (!value(ignored, Where::Store)) return false;
    return out_->objects.size() > objects || fail(value_at, "expected `new`, `borrowed` or `immortal` after `makes`");
  }
  if (param_index(word) || word == "result")
    return fail(in_.pos(), "expected `+N`, `-N` or `=VALUE` right behind " + quoted(word) + ", found " + in_.found());
  in_.rewind(at);
  return fail(at, "expected an effect or `|`, found " + quoted(word) + suggestion(word, effect_words));
}

// runs P on Q
bool AlternativeParser::later_call() {
  LaterCall later;
  if (!place(later.function, nullptr)) return false;
  in_.skip_space();
  const std::size_t at = in_.pos();
  if (in_.word() != "on") {
    in_.rewind(at);
    return fail_expected("`on` and the place that holds the function's argument");
  }
  if (!place(later.data, nullptr)) return false;
  out_->runs.push_back(std::move(later));
  return true;
}

// reprotect P at Q
bool AlternativeParser::reprotect() {
  Reprotect again;
  if (!place(again.object, nullptr)) return false;
  in_.skip_space();
  const std::size_t at = in_.pos();
  if (in_.word() != "at") {
    in_.rewind(at);
    return fail_expected("`at` and the place that holds the slot's number");
  }
  if (!place(again.slot, nullptr)) return false;
  out_->reprotects.push_back(std::move(again));
  return true;
}

// drops P, drops P from Q
bool AlternativeParser::drop() {
  Hold gone;
  if (!place(gone.object, nullptr)) return false;
  in_.skip_space();
  const std::size_t before = in_.pos();
  if (in_.word() == "from" && !effect_follows()) {
    Place holder;
    if (!place(holder, nullptr)) return false;
    gone.holder = std::move(holder);
  } else {
    in_.rewind(before);
  }
  out_->drops.push_back(std::move(gone));
  return true;
}

}  // namespace reckon::specs
