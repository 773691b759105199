#include "support/id.h"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "engine/core/core_state.h"
#include "model/model.h"
#include "program/program.h"
#include "symbolic/term.h"

namespace reckon::support {
namespace {

template <class A, class B>
concept Comparable = requires(A a, B b) { a == b; };
template <class A, class B>
concept Ordered = requires(A a, B b) { a < b; };
template <class A, class B>
concept Added = requires(A a, B b) { a + b; };
template <class A, class B>
concept Subtracted = requires(A a, B b) { a - b; };

// Neither becomes the other, by itself or where the code asks for it, and no expression takes both.
template <class A, class B>
constexpr bool kApart =
    !std::is_convertible_v<A, B> && !std::is_constructible_v<B, A> && !std::is_assignable_v<B&, A> &&
    !Comparable<A, B> && !Ordered<A, B> && !Added<A, B> && !Subtracted<A, B>;

template <class... Ids>
struct Table {
  template <class A, class B>
  static constexpr bool pair = std::is_same_v<A, B> || kApart<A, B>;
  template <class A>
  static constexpr bool row = (pair<A, Ids> && ...);
  static constexpr bool all = (row<Ids> && ...);
};

static_assert(Table<symbolic::TermId, model::StrId, model::TypeId, model::SymId, model::ConstId, model::ValueId,
                    model::BlockId, model::InstrId, engine::PathId, program::FuncId, program::UnitId>::all);

template <class I>
constexpr bool kOfNumbers = !std::is_convertible_v<std::uint32_t, I> && std::is_constructible_v<I, std::uint32_t> &&
                            std::is_convertible_v<I, std::uint32_t> && !Comparable<I, std::uint32_t> &&
                            Ordered<I, std::uint32_t> && Ordered<I, std::size_t>;
template <class I>
constexpr bool kOfNone = std::is_convertible_v<NoId, I> && Comparable<I, NoId>;
template <class I>
constexpr bool kFree = sizeof(I) == sizeof(std::uint32_t) && std::is_trivially_copyable_v<I>;

static_assert(kOfNumbers<symbolic::TermId> && kOfNone<symbolic::TermId> && kFree<symbolic::TermId>);
static_assert(Subtracted<model::InstrId, model::InstrId> && !Added<model::InstrId, model::InstrId>);

using Fruit = Id<struct FruitTag>;

TEST(SupportId, ANewIdIsTheFirstElement) {
  const std::vector<std::string> names{"apple", "pear"};
  Fruit f;
  EXPECT_EQ(names[f], "apple");
  ++f;
  EXPECT_EQ(names[f], "pear");
  EXPECT_EQ(f, Fruit(1));
  --f;
  EXPECT_EQ(f, Fruit{});
}

TEST(SupportId, NoneIsTheLargestNumberOfEveryTable) {
  const Fruit none = kNone;
  EXPECT_EQ(none, kNone);
  EXPECT_NE(Fruit(7), kNone);
  EXPECT_LT(Fruit(7), none);
  EXPECT_EQ(std::uint32_t{none}, 0xffffffffu);
}

TEST(SupportId, IdsAreKeysOfHashTables) {
  std::unordered_map<Fruit, int> prices{{Fruit(3), 30}, {Fruit(4), 40}};
  EXPECT_EQ(prices.at(Fruit(4)), 40);
  EXPECT_FALSE(prices.contains(Fruit(5)));
  EXPECT_EQ(std::hash<Fruit>()(Fruit(9)), std::hash<std::uint32_t>()(9)) << "tables keep the order they had";
}

TEST(SupportId, IdsPrintAsTheirNumbers) { EXPECT_EQ(std::to_string(Fruit(12)), "12"); }

}  // namespace
}  // namespace reckon::support
