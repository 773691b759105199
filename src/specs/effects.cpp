// What follows from the rows of effects.def alone: equality, the list of words, the reference page.
#include "specs/effects.h"

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

}  // namespace

bool Outcome::operator==(const Outcome& other) const {
  return std::apply([&](auto... effect) { return ((this->*effect.field == other.*effect.field) && ...); }, Effects{});
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
