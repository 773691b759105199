// What follows from the rows of effects.def alone: equality, the list of words, the reference page.
#include "specs/effects.h"

#include <algorithm>

#include "specs/contract.h"

namespace reckon::specs {

namespace {

std::string_view name_of(Owner owner) {
  switch (owner) {
    case Owner::Core: return "core";
    case Owner::References: return "references";
    case Owner::Exceptions: return "exceptions";
    case Owner::Lock: return "lock";
    case Owner::Floating: return "floating";
    case Owner::Protection: return "protection";
    case Owner::Blocks: return "blocks";
  }
  return "";
}

// A bar would end the cell.
std::string cell(std::string_view text) {
  std::string out;
  for (char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

// Does a field speak of an object that the outcome makes? Which those are, and which of them is the result, does not
// count.
struct SpeaksOfObject {
  bool operator()(const Place& p) const { return p.root == Place::Root::Object; }
  bool operator()(const Value& v) const { return (*this)(v.place); }
  bool operator()(const Condition& c) const { return (*this)(c.place) || (*this)(c.other); }
  bool operator()(const CountChange& c) const { return (*this)(c.object); }
  bool operator()(const Hold& h) const { return (*this)(h.object) || (*this)(h.holder); }
  bool operator()(const Reprotect& r) const { return (*this)(r.object); }
  bool operator()(const DeferredCall& c) const { return (*this)(c.data); }
  bool operator()(const StoreEffect& x) const { return (*this)(x.where) || (*this)(x.value); }
  template <class T>
  bool operator()(const std::optional<T>& x) const {
    return x && (*this)(*x);
  }
  template <class T>
  bool operator()(const std::vector<T>& all) const {
    return std::any_of(all.begin(), all.end(), *this);
  }
  template <class T>
  bool operator()(const T&) const {
    return false;
  }
};

}  // namespace

bool Outcome::operator==(const Outcome& other) const {
  return std::apply([&](auto... effect) { return ((this->*effect.field == other.*effect.field) && ...); }, Effects{});
}

bool speaks_of_objects(const Outcome& o) {
  return std::apply([&](auto... effect) { return (SpeaksOfObject{}(o.*effect.field) || ...); }, Effects{});
}

const std::vector<std::string_view>& effect_words() {
  static const std::vector<std::string_view> words = [] {
    std::vector<std::string_view> out;
    for (const EffectText& effect : kEffectTexts)
      for (const EffectWord& word : effect.words)
        if (!word.text.empty()) out.push_back(word.text);
    return out;
  }();
  return words;
}

std::string effects_page() {
  std::string page = "| effect | meaning | belongs to | computed for functions with a body |\n|---|---|---|---|\n";
  for (const EffectText& effect : kEffectTexts) {
    if (effect.forms.empty()) continue;
    page += "| " + cell(effect.forms) + " | " + cell(effect.meaning) + " | ";
    page += name_of(effect.owner);
    page += effect.computed == Computed::Yes ? " | yes" : " | in part";
    if (!effect.note.empty()) page += ": " + cell(effect.note);
    page += " |\n";
  }
  return page;
}

std::string contracts_page() {
  std::string page = "| property | meaning |\n|---|---|\n";
  for (const ContractWord& word : kContractWords)
    page += "| `" + std::string(word.word) + "` | " + std::string(word.meaning) + " |\n";
  return page;
}

}  // namespace reckon::specs
