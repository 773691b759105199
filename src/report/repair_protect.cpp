// The method: a pop is looked for where a person would look, as the last one of the block before the `return`. If it
// has a number, the number is changed; if there is none, one is written. A push goes around the call that made the
// object, and every later `return` pops one more; functions that count in a variable count one up instead.
//
// Limits: pops by an expression are left alone, and so are objects made inside macros.
#include "report/repair_protect.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace reckon::report {

namespace {

using Index = RepairText::Index;
constexpr Index kNowhere = RepairText::kNowhere;
constexpr int kMostTries = 3;  // smaller numbers that are tried for a pop that takes too much

class Proposals {
 public:
  Proposals(const Finding& finding, const RepairWords& words, const RepairText& text)
      : f_(finding), words_(words), text_(text) {}

  std::vector<Fix> take() { return std::move(out_); }

  // The stack is not as it was at a return.
  void imbalance() {
    const Index exit = text_.exit_at(f_.loc);
    if (exit == kNowhere || !f_.loc.macro.empty() || f_.depth_left == 0) return;
    Fix fix{};
    const int change = f_.depth_left;
    if (!pop_more(exit, change, fix)) return;
    fix.description = change > 0 ? "take " + objects(change) + " more off the protection stack"
                                 : "take " + objects(-change) + " less off the protection stack";
    offer(fix);
    if (change < 0) return;
    // Others may have been forgotten in the same way.
    const auto [open, close] = text_.function_around(exit);
    if (open == kNowhere) return;
    Fix all{"take what is left off the protection stack before each return", {}};
    for (Index i = open; i < close; ++i)
      if (text_.is(i, "return") && pop_before(i) == kNowhere && i >= first_push(open, close) &&
          !pop_more(i, change, all))
        return;
    if (is_void_end(close) && exit == close && !pop_more(close, change, all)) return;
    offer(std::move(all));
  }

  // A pop takes what others have pushed.
  void negative_depth() {
    Index at = text_.token_at(f_.loc);
    if (at == kNowhere || !is_pop(at)) return;
    const auto count = number(at + 2);
    for (int less = 1; count && less <= std::min(*count, kMostTries); ++less) {
      Fix fix{"take " + objects(less) + " less off the protection stack", {}};
      change_pop(at, *count - less, fix);
      offer(std::move(fix));
    }
  }

  // An object is made and nothing protects it.
  void unprotected(bool nested_first) {
    const Index call = text_.token_at(f_.origin);
    if (f_.origin.file != f_.loc.file || call == kNowhere || !is_identifier(text_.word(call)) ||
        !text_.is(call + 1, "("))
      return;
    const Index end = text_.closing(call + 1);
    const auto [open, close] = text_.function_around(call);
    if (end == kNowhere || open == kNowhere) return;
    if (call >= 2 && text_.is(call - 1, "(") && text_.is(call - 2, words_.protect)) return;  // popped too early
    Fix fix{"protect " + (is_identifier(f_.object) ? "`" + f_.object + "`" : std::string("the new object")), {}};
    fix.edits.push_back(text_.insertion(f_.origin, call, words_.protect + "("));
    fix.edits.push_back(text_.insertion_behind(f_.origin, end, ")"));
    offer(fix);  // the pop may be there, and only the push missing
    const auto candidates = {nested_first ? &Proposals::pop_behind_statement : &Proposals::pop_at_returns,
                             &Proposals::pop_at_block_end, &Proposals::pop_at_returns};
    for (const auto candidate : candidates) {
      Fix whole = fix;
      if ((this->*candidate)(call, open, close, whole)) offer(std::move(whole));
    }
  }

  // Each round of a loop leaves something on the stack.
  void loop() {
    Index at = text_.token_at(f_.loc);
    const auto [open, close] = text_.function_around(at == kNowhere ? 0 : at);
    for (Index i = at; open != kNowhere && i > open; --i) {
      if (!text_.is(i, "for") && !text_.is(i, "while")) continue;
      const Index body = text_.closing(i + 1) + 1;
      if (!text_.is(body, "{")) return;
      Fix fix{"take what a round of the loop protects off the stack", {}};
      if (pop_more(text_.closing(body), 1, fix)) offer(std::move(fix));
      return;
    }
  }

 private:
  static std::string objects(int n) { return n == 1 ? "1 object" : std::to_string(n) + " objects"; }

  void offer(Fix fix) {
    std::sort(fix.edits.begin(), fix.edits.end());
    fix.edits.erase(std::unique(fix.edits.begin(), fix.edits.end()), fix.edits.end());
    const auto same = [&](const Fix& other) { return other.edits == fix.edits; };
    if (std::none_of(out_.begin(), out_.end(), same)) out_.push_back(std::move(fix));
  }

  bool is_pop(Index i) const { return text_.is(i, words_.unprotect) && text_.is(i + 1, "("); }
  bool is_void_end(Index brace) const {
    const Index last = text_.statement_begin(brace - 1);
    return !text_.is(last, "return");
  }

  std::optional<int> number(Index i) const {
    const std::string_view digits = text_.word(i);
    int value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || !text_.is(i + 1, ")")) return std::nullopt;
    return value;
  }

  Index first_push(Index open, Index close) const {
    for (Index i = open; i < close; ++i)
      if (text_.is(i, words_.protect)) return i;
    return close;
  }

  // The last pop of the block before `exit`, not inside inner blocks; kNowhere: none.
  Index pop_before(Index exit) const {
    int depth = 0;
    for (Index i = exit; i-- > 0;) {
      depth += text_.is(i, "}");
      depth -= text_.is(i, "{");
      if (depth < 0) return kNowhere;
      if (depth == 0 && is_pop(i)) return i;
    }
    return kNowhere;
  }

  void change_pop(Index pop, int count, Fix& fix) const {
    const Index semicolon = text_.closing(pop + 1) + 1;
    const bool alone = text_.is(semicolon, ";") && text_.statement_begin(pop) == pop;
    if (count == 0 && alone)
      fix.edits.push_back(text_.removal(f_.loc, pop, semicolon));
    else
      fix.edits.push_back(text_.replacement(f_.loc, pop + 2, std::to_string(count)));
  }

  // Pops `change` more before the jump or brace.
  bool pop_more(Index exit, int change, Fix& fix) const {
    if (const Index pop = pop_before(exit); pop != kNowhere) {
      const auto count = number(pop + 2);
      if (!count || *count + change < 0) return false;
      change_pop(pop, *count + change, fix);
      return true;
    }
    if (change < 0) return false;
    const auto edits = text_.before(f_.loc, exit, words_.unprotect + "(" + std::to_string(change) + ");");
    if (edits) fix.edits.insert(fix.edits.end(), edits->begin(), edits->end());
    return edits.has_value();
  }

  // The variable that the function counts in.
  std::string counter(Index open, Index close) const {
    std::string name;
    for (Index i = open; i < close; ++i)
      if (is_pop(i) && is_identifier(text_.word(i + 2)) && text_.is(i + 3, ")")) name = std::string(text_.word(i + 2));
    return name;
  }

  bool pop_at_returns(Index call, Index open, Index close, Fix& fix) const {
    if (const std::string name = counter(open, close); !name.empty()) {
      const Index end = text_.statement_end(text_.statement_begin(call));
      if (end == kNowhere) return false;
      const auto edits = text_.behind(f_.origin, end, name + "++;");
      fix.edits.insert(fix.edits.end(), edits.begin(), edits.end());
      return true;
    }
    for (Index i = call; i < close; ++i)
      if (text_.is(i, "return") && !pop_more(i, 1, fix)) return false;
    return !is_void_end(close) || pop_more(close, 1, fix);
  }

  bool pop_at_block_end(Index call, Index open, Index close, Fix& fix) const {
    const auto block = text_.block_around(call);
    if (block.first == open || block.second == kNowhere || block.second >= close) return false;
    return pop_more(block.second, 1, fix);
  }

  bool pop_behind_statement(Index call, Index, Index, Fix& fix) const {
    const Index begin = text_.statement_begin(call), end = text_.statement_end(begin);
    if (end == kNowhere || text_.is(begin, "return")) return false;
    const auto edits = text_.behind(f_.origin, end, words_.unprotect + "(1);");
    fix.edits.insert(fix.edits.end(), edits.begin(), edits.end());
    return true;
  }

  const Finding& f_;
  const RepairWords& words_;
  const RepairText& text_;
  std::vector<Fix> out_;
};

}  // namespace

std::vector<Fix> propose_protection(const Finding& finding, Repair repair, const RepairWords& words,
                                    const RepairText& text) {
  if (words.protect.empty() || words.unprotect.empty()) return {};
  Proposals proposals(finding, words, text);
  if (repair == Repair::Balance)
    finding.depth_left != 0 ? proposals.imbalance() : proposals.loop();
  else if (repair == Repair::PopLess)
    proposals.negative_depth();
  else if (repair == Repair::Protect)
    proposals.unprotected(false);
  else if (repair == Repair::ProtectArgument)
    proposals.unprotected(true);
  return proposals.take();
}

}  // namespace reckon::report
