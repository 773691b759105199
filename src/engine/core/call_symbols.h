// Numbers that keep the symbols of one call apart, shared by the files that apply calls.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/model.h"

namespace reckon::engine {

// Which of several symbols a call makes: objects by their number, then these.
inline constexpr std::uint32_t kResult = 1000;
inline constexpr std::uint32_t kStored = 1001;
inline constexpr std::uint32_t kWritten = 1500;   // + number of the place
inline constexpr std::uint32_t kOutParam = 2000;  // + argument number
inline constexpr std::uint32_t kMember = 2100;    // + offset: what is left in a member, beside whole arguments
inline constexpr std::uint32_t kWhole = 3000;     // a struct that is returned by value

// Stands for the instruction in symbols that are answers of predicates: they are the same wherever they are asked for.
inline constexpr model::InstrId kAnswer{0xffffffffu - 3};

// The count that a format's buffer unit takes; specs of functions that fill or release a buffer use the same name.
inline constexpr std::string_view kBufferCount = "buffer";

// A count at this offset of a local says that what the local held was moved elsewhere.
inline constexpr std::int64_t kMovedMark = std::int64_t{1} << 40;

// The C++ runtime's ways to throw.
inline bool throws_exception(std::string_view name) {
  return name == "__cxa_throw" || name == "__cxa_rethrow" ||
         (name.starts_with("_ZSt") && name.find("__throw_") != std::string_view::npos);
}

// What the runtime does on the way to a throw or a catch does not throw itself.
inline bool never_throws(std::string_view name) {
  return name.starts_with("__cxa_") || name == "__clang_call_terminate";
}

// The standard library's own functions, by the namespaces they are mangled with. They count nothing themselves:
// whatever reference they take or move belongs to an owner that they keep, and goes when that is destroyed.
inline bool cxx_library(std::string_view mangled) {
  for (const std::string_view prefix : {"_ZSt", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx"})
    if (mangled.starts_with(prefix)) return true;
  // A nested name that begins with an abbreviation: `St` is std, `Sa` std::allocator, `Ss` std::string and so on.
  for (const std::string_view prefix : {"_ZNS", "_ZNKS"})
    if (mangled.starts_with(prefix) && mangled.size() > prefix.size())
      return mangled[prefix.size()] >= 'a' && mangled[prefix.size()] <= 'z';
  return false;
}
// Out of sight, it raises nothing in another language's interpreter; nor does what allocates for it.
inline bool cxx_runtime(std::string_view name) {
  return cxx_library(name) || never_throws(name) || name.starts_with("_Znw") || name.starts_with("_Zna") ||
         name.starts_with("_Zdl") || name.starts_with("_Zda");
}
inline bool cxx_library_shown(std::string_view display) {
  return display.starts_with("std::") || display.starts_with("__gnu_cxx::");
}

// The compiler's own block operations, which the engine carries out itself.
inline bool memory_name(std::string_view name) { return name == "memset" || name == "memcpy" || name == "memmove"; }

// Initial terms that stand for elements of aggregates.
inline constexpr std::uint32_t kAggregateEpoch = 1u << 30;

}  // namespace reckon::engine
