// Numbers that keep the symbols of one call apart, shared by the files that apply calls.
#pragma once

#include <cstdint>
#include <string_view>

namespace reckon::engine {

// Which of several symbols a call makes: objects by their number, then these.
inline constexpr std::uint32_t kResult = 1000;
inline constexpr std::uint32_t kStored = 1001;
inline constexpr std::uint32_t kWritten = 1500;   // + number of the place
inline constexpr std::uint32_t kOutParam = 2000;  // + argument number

// Stands for the instruction in symbols that are answers of predicates: they are the same wherever they are asked for.
inline constexpr std::uint32_t kAnswer = 0xffffffffu - 3;

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
inline bool never_throws(std::string_view name) { return name.starts_with("__cxa_") || name == "__clang_call_terminate"; }

// The compiler's own block operations, which the engine carries out itself.
inline bool memory_name(std::string_view name) { return name == "memset" || name == "memcpy" || name == "memmove"; }

}  // namespace reckon::engine
