// Byte streams of the binary form: one per kind of number, because a compressor does far better on ten thousand
// columns in a row than on columns, types and operands taking turns.
//
// Writer and Reader have the same members, so that one description of the format (binary.cpp) serves both ways and
// they cannot drift apart. A Reader never reads beyond its bytes: after the first problem it is not ok() and yields
// zeros; lists are never made longer than the stream that their elements come from.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "support/bytes.h"

namespace reckon::model::binary {

enum class S : std::uint8_t {
  // Tables.
  Unit,
  StringLength,
  StringBytes,
  Headers,
  TypeHead,
  TypeSize,
  TypeName,
  TypeElem,
  TypeCount,
  TypeParam,
  FieldOffset,
  FieldType,
  FieldName,
  SymbolHead,
  SymbolName,
  SymbolDisplay,
  SymbolType,
  SymbolInit,
  Attribute,
  TableLoc,
  TableLine,
  TableCol,
  TableFile,
  ConstHead,
  ConstType,
  ConstInt,
  ConstRef,
  ConstCount,
  ConstChild,
  FunctionHead,
  FunctionSymbol,
  FunctionType,
  ParamName,
  // Bodies.
  BodyHead,
  BlockSize,
  Op,
  Sub,
  Extra,
  Result,
  InstrType,
  Count,
  OperandKind,
  Value,
  Int,
  SymbolId,
  SymbolOffset,
  Callee,
  Target,
  Field,
  FieldKey,
  FieldImm,
  Call,
  CallKey,
  Slot,
  Element,
  Loc,
  Line,
  Col,
  Macro,
  File,
  LocalName,
  LocalType,
  ValueName,
  ValueNew,
  End
};
inline constexpr std::size_t kNumStreams = static_cast<std::size_t>(S::End);
inline constexpr std::size_t kFirstBodyStream = static_cast<std::size_t>(S::BodyHead);

inline std::uint64_t zigzag(std::int64_t v) {
  return (static_cast<std::uint64_t>(v) << 1) ^ static_cast<std::uint64_t>(v >> 63);
}
inline std::int64_t unzigzag(std::uint64_t v) { return static_cast<std::int64_t>((v >> 1) ^ (~(v & 1) + 1)); }

class Writer {
 public:
  static constexpr bool reading = false;
  bool ok() const { return true; }

  // A plain number, id, enum or bool.
  template <typename T>
  void num(S s, T& v) {
    support::put_number(stream(s), static_cast<std::uint64_t>(v));
  }
  void sint(S s, std::int64_t& v) { support::put_number(stream(s), zigzag(v)); }
  // An index or an id close to `base`; kNone is allowed.
  template <typename T>
  void delta(S s, T& v, std::uint32_t base) {
    support::put_number(stream(s), zigzag(static_cast<std::int32_t>(v - base)));
  }
  // An index or an id that often is `guess`.
  template <typename T>
  void guess(S s, T& v, std::uint32_t guess) {
    const std::uint32_t n = v;
    support::put_number(stream(s), n == guess ? 0 : std::uint64_t{n} + 1);
  }
  // The length of `list`, whose elements each take at least one byte of `elements`.
  template <typename T>
  void length(S s, std::vector<T>& list, S) {
    support::put_number(stream(s), list.size());
  }
  void text(std::string& v) {
    support::put_number(stream(S::StringLength), v.size());
    stream(S::StringBytes).append(v);
  }

  std::string take(std::size_t i) { return std::move(streams_[i]); }

 private:
  std::string& stream(S s) { return streams_[static_cast<std::size_t>(s)]; }
  std::array<std::string, kNumStreams> streams_;
};

class Reader {
 public:
  static constexpr bool reading = true;
  bool ok() const { return ok_; }
  void fail() { ok_ = false; }

  void set(std::size_t i, std::string_view bytes) { streams_[i] = support::ByteReader(bytes); }
  // Whether all was read, and nothing is left over.
  bool exhausted() const {
    for (const support::ByteReader& s : streams_) {
      if (!s.ok() || s.left() != 0) return false;
    }
    return ok_;
  }

  template <typename T>
  void num(S s, T& v) {
    std::uint64_t n = raw(s);
    if constexpr (std::is_same_v<T, bool>) {
      check(n <= 1);
      v = n != 0;
    } else if constexpr (std::is_enum_v<T>) {
      check(n <= std::numeric_limits<std::underlying_type_t<T>>::max());
      v = static_cast<T>(n);
    } else if constexpr (std::is_class_v<T>) {
      check(n <= std::numeric_limits<std::uint32_t>::max());
      v = T(static_cast<std::uint32_t>(n));
    } else {
      check(n <= std::numeric_limits<T>::max());
      v = static_cast<T>(n);
    }
  }
  void sint(S s, std::int64_t& v) { v = unzigzag(raw(s)); }
  template <typename T>
  void delta(S s, T& v, std::uint32_t base) {
    std::int64_t d = unzigzag(raw(s));
    check(d >= std::numeric_limits<std::int32_t>::min() && d <= std::numeric_limits<std::int32_t>::max());
    v = T(base + static_cast<std::uint32_t>(d));
  }
  template <typename T>
  void guess(S s, T& v, std::uint32_t guess) {
    std::uint64_t n = raw(s);
    check(n <= std::uint64_t{1} << 32);
    v = T(n == 0 ? guess : static_cast<std::uint32_t>(n - 1));
  }
  template <typename T>
  void length(S s, std::vector<T>& list, S elements) {
    std::uint64_t n = raw(s);
    if (n > streams_[static_cast<std::size_t>(elements)].left()) {
      fail();
      n = 0;
    }
    list.clear();
    list.resize(n);
  }
  void text(std::string& v) {
    support::ByteReader& bytes = streams_[static_cast<std::size_t>(S::StringBytes)];
    v = bytes.take(raw(S::StringLength));
    check(bytes.ok());
  }
  std::size_t left(S s) const { return streams_[static_cast<std::size_t>(s)].left(); }

 private:
  std::uint64_t raw(S s) {
    if (!ok_) return 0;
    support::ByteReader& in = streams_[static_cast<std::size_t>(s)];
    std::uint64_t v = in.number();
    check(in.ok());
    return v;
  }
  void check(bool good) {
    if (!good) ok_ = false;
  }
  std::array<support::ByteReader, kNumStreams> streams_;
  bool ok_ = true;
};

}  // namespace reckon::model::binary
