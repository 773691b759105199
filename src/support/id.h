// Ids: numbers that stand for an element of one table, with a type of its own for each table.
//
// The problem: terms, instructions, blocks, functions and types are all 32-bit numbers that are passed side by side. As
// bare integers they can be swapped in a call, or compared with each other, and the compiler says nothing.
//
// The method: Id<Tag> is made of a number only where the code says so, and never of the id of another table. It turns
// into its number by itself, so that `table[id]`, hashing and printing stay short. Ids of two tables cannot be
// compared; nor can an id and a bare std::uint32_t be tested for equality. The elements of one table are ordered by
// their number.
//
// The limit: an id still fits where a number is asked for, so a vector takes the id of any table as its index. A
// parameter that means an id must have the id's type.
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>

namespace reckon::support {

// No element of any table: every id can be made of it and compared with it. As a number it is the largest.
struct NoId {
  constexpr operator std::uint32_t() const { return 0xffffffffu; }
};
inline constexpr NoId kNone{};

template <class Tag>
class Id {
 public:
  constexpr Id() = default;  // the table's first element
  constexpr Id(NoId none) : number_(none) {}
  explicit constexpr Id(std::uint32_t number) : number_(number) {}
  template <class Other>
  Id(Id<Other>) = delete;

  constexpr operator std::uint32_t() const { return number_; }

  constexpr Id& operator++() {
    ++number_;
    return *this;
  }
  constexpr Id& operator--() {
    --number_;
    return *this;
  }

  friend constexpr bool operator==(Id, Id) = default;
  friend constexpr std::strong_ordering operator<=>(Id, Id) = default;

 private:
  std::uint32_t number_ = 0;
};

// What would otherwise be done with the numbers of two ids, or with that of one and some number that may be an id.
template <class A, class B>
  requires(!std::is_same_v<A, B>)
bool operator==(Id<A>, Id<B>) = delete;
template <class A, class B>
  requires(!std::is_same_v<A, B>)
std::strong_ordering operator<=>(Id<A>, Id<B>) = delete;
template <class A, std::same_as<std::uint32_t> Number>
bool operator==(Id<A>, Number) = delete;
template <class A, class B>
std::uint32_t operator+(Id<A>, Id<B>) = delete;
template <class A, class B>
  requires(!std::is_same_v<A, B>)
std::uint32_t operator-(Id<A>, Id<B>) = delete;  // of one table: how far they stand apart
template <class A, class B>
std::uint32_t operator*(Id<A>, Id<B>) = delete;

}  // namespace reckon::support

template <class Tag>
struct std::hash<reckon::support::Id<Tag>> {
  std::size_t operator()(reckon::support::Id<Tag> id) const noexcept { return std::hash<std::uint32_t>()(id); }
};
