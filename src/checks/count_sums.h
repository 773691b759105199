// What functions leave of a named count, all objects of the kind together, and who makes up for it: for checks that
// look for the other half of what a function does (kinds/halves.cpp).
//
// A sum is what the ends of a function say, with counts of objects that no outcome can name. It is open where a loop, a
// queue or a helper may have done more. Who is called from out of sight, and leaves such a count, is a half of
// something, unless another function of its table (or itself, by an argument) does the opposite.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "engine/core/context.h"
#include "support/limits.h"

namespace reckon::checks {

class CountSums {
 public:
  using FuncId = engine::FuncId;
  // A field of a table: unit, variable, element, struct, field.
  using TablePlace = std::tuple<program::UnitId, model::SymId, model::ConstId, std::string, std::string>;

  explicit CountSums(const engine::Context& ctx);

  static TablePlace place_of(const program::TableEntry& e, std::string_view field);
  // The functions in another field of the table that the entry stands in.
  const std::set<FuncId>& beside(const program::TableEntry& e, std::string_view field) const;

  // Of one end.
  static int sum_of(const specs::ReferenceEffects& named, const std::vector<engine::CountExit::Unnamed>& unnamed,
                    const std::string& kind);
  // What all ends of `f` leave, failing ones too.
  std::set<int> all_sums(FuncId f, const std::string& kind) const;
  // Is not all of what `f` does to this kind of count in the sums of its ends?
  bool open_sum(FuncId f, const std::string& kind) const;

  // Does `f`, or what it calls, change a count of this kind by this sign?
  bool may_change(FuncId f, const std::string& kind, int sign, int depth = support::kLimits.checks.half_calls) const;
  // Does `f` rest on a function of the program that was given up on, and that changes the count so?
  bool unsure_of(FuncId f, const std::string& kind, int sign, int depth = support::kLimits.checks.half_calls) const;
  // Is a function that changes the count so handed to somebody, or kept, by `f` or what it calls?
  bool hands_out(FuncId f, const std::string& kind, int sign, int depth = support::kLimits.checks.handed_calls) const;

  // Is the function called by who is not in sight, so that no caller's ends tell what it does?
  bool is_entry(FuncId f) const;
  // May `g` change the count by this sign in the end, and for somebody else than those that it stands in a table with?
  bool is_half(FuncId g, const std::string& kind, int sign) const;
  // Somebody around `f` changes the count the other way, and it is not known that this is for somebody else.
  bool has_another_half(FuncId f, const std::string& kind, int sign) const;

 private:
  bool lost_in_helpers(FuncId f, const std::string& kind, int depth) const;
  bool made_up_for(FuncId g, const std::string& kind, int sign) const;
  std::set<program::UnitId> around(FuncId f) const;

  const engine::Context& ctx_;
  std::map<TablePlace, std::set<FuncId>> entries_;
};

}  // namespace reckon::checks
