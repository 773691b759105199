// Silence with a reason: why the engine reports nothing of an object, or of a difference that a rule has found.
//
// Nobody can mend a miss without knowing what was thought there, so there is no way to silence the engine without a
// reason: `escaped` of a record can be set by because() only, and a rule that holds back says so to Trail::silent().
// `reckon check --why-not FILE:LINE` prints the reasons.
#pragma once

#include <cstdint>
#include <string_view>

namespace reckon::engine {

enum class Silence : std::uint8_t {
  None,
#define SILENCE(name, text) name,
#include "engine/core/silence.def"
#undef SILENCE
};

std::string_view name_of(Silence why);
std::string_view text_of(Silence why);

// Has an object escaped, so that nothing more is reported about it, and why? Two that have are alike, whatever the
// reasons are: they do not keep states apart.
class Escape {
 public:
  explicit operator bool() const { return why_ != Silence::None; }
  Silence why() const { return why_; }
  void because(Silence why) {
    if (why_ == Silence::None) why_ = why;  // the first reason is the one to look at
  }
  void join(Escape other) { because(other.why_); }
  bool operator==(Escape other) const { return static_cast<bool>(*this) == static_cast<bool>(other); }

 private:
  Silence why_ = Silence::None;
};

}  // namespace reckon::engine
