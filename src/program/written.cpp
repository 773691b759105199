#include "program/written.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>

namespace reckon::program {

namespace {

using Words = std::vector<std::string>;
using Phrase = std::initializer_list<std::string_view>;

constexpr std::size_t kNear = 3;      // words between a verb and what belongs to it
constexpr std::size_t kNearNoun = 6;  // words in which an object stands behind its verb

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}
bool is_article(std::string_view word) { return is_one_of(word, {"the", "a", "an", "its", "your"}); }
bool is_caller(std::string_view word) { return is_one_of(word, {"caller", "callers", "caller's", "you", "yours"}); }
bool is_negation(std::string_view word) {
  return is_one_of(word, {"not", "never", "don't", "doesn't", "mustn't", "cannot", "no"});
}
bool is_result(std::string_view word) { return is_one_of(word, {"return", "returns", "result"}); }
bool is_release(std::string_view word) {
  return is_one_of(word, {"free", "release", "unref", "destroy", "dispose", "drop", "put", "decref", "close"});
}
bool is_released(std::string_view word) {
  return is_one_of(word, {"freed", "released", "unreffed", "unrefed", "destroyed", "disposed", "dropped"});
}

// Sentences of words in small letters.
std::vector<Words> sentences_of(const std::string& comment) {
  std::vector<Words> out(1);
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) out.back().push_back(std::move(word));
    word.clear();
  };
  for (std::size_t i = 0; i < comment.size(); ++i) {
    const char c = comment[i];
    const bool inside = i + 1 < comment.size() && is_letter(comment[i + 1]);
    if (is_letter(c) || (c == '\'' && !word.empty() && inside)) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      continue;
    }
    end_word();
    if ((c == '.' && !inside) || c == ';' || c == '\n') out.emplace_back();
  }
  end_word();
  return out;
}

// One sentence.
class Sentence {
 public:
  Sentence(const Words& words, const std::vector<WrittenParameter>& parameters)
      : words_(words), parameters_(parameters) {}

  void read(Ownership& out) const {
    for (std::size_t at = 0; at < words_.size(); ++at) {
      whose(at, out);
      who_releases(at, out);
      if (!out.takes) out.takes = taken(at);
    }
  }

 private:
  std::string_view word(std::size_t at) const { return at < words_.size() ? std::string_view(words_[at]) : ""; }

  // Where the phrase that begins here ends, articles between its words left out; 0: it does not stand here.
  std::size_t behind(std::size_t at, Phrase phrase) const {
    for (auto wanted = phrase.begin(); wanted != phrase.end(); ++wanted) {
      while (wanted != phrase.begin() && is_article(word(at)) && word(at) != *wanted) ++at;
      if (word(at) != *wanted) return 0;
      ++at;
    }
    return at;
  }
  std::size_t behind_any(std::size_t at, std::initializer_list<Phrase> phrases) const {
    for (const Phrase& phrase : phrases)
      if (const std::size_t end = behind(at, phrase); end != 0) return end;
    return 0;
  }

  std::size_t noun(std::size_t at) const {
    while (is_article(word(at))) ++at;
    return at;
  }
  bool near_before(std::size_t at, bool (*is)(std::string_view)) const {
    for (std::size_t k = 1; k <= kNear && k <= at; ++k)
      if (is(word(at - k))) return true;
    return false;
  }
  bool negated(std::size_t at) const { return near_before(at, is_negation); }
  // Is this about an argument, which was its owner's before?
  bool about_argument(std::size_t at) const {
    if (near_before(at, [](std::string_view w) { return is_one_of(w, {"still", "stays", "remains", "keeps"}); }))
      return true;
    const std::size_t subject = noun(0);
    return subject < at && named(word(subject));
  }

  // "belongs to the caller", "stays the library's", "borrowed", "a new reference"
  void whose(std::size_t at, Ownership& out) const {
    if (const std::size_t end = behind_any(at, {{"owned", "by"}, {"belongs", "to"}, {"belong", "to"}}); end != 0) {
      if (behind(at > 0 ? at - 1 : at, {"now", "owned"}) != 0 || about_argument(at)) return;
      (is_caller(word(noun(end))) != negated(at) ? out.gives : out.lends) = true;
    } else if (is_one_of(word(at), {"stays", "remains"}) && is_article(word(at + 1))) {
      if (!is_caller(word(noun(at + 1))) && !about_argument(at)) out.lends = true;
    } else if (word(at) == "borrowed") {
      (negated(at) ? out.gives : out.lends) = true;
    } else if (behind_any(at, {{"one", "more", "reference"},
                               {"new", "reference"},
                               {"owned", "reference"},
                               {"returns", "reference"},
                               {"stores", "new"},
                               {"caller", "owns"}}) != 0) {
      (negated(at) ? out.lends : out.gives) = true;
    } else if (behind(at, {"transfer", "full"}) != 0 && near_before(at, is_result)) {
      out.gives = true;
    } else if (behind(at, {"transfer", "none"}) != 0 && near_before(at, is_result)) {
      out.lends = true;
    } else if (behind(at, {"is", "caller's"}) != 0 && !about_argument(at)) {
      out.gives = true;
    }
  }

  // "the caller must free it", "to be released with thing_unref()", "do not free"
  void who_releases(std::size_t at, Ownership& out) const {
    const bool imperative = is_release(word(at)) && is_one_of(word(noun(at + 1)), {"it", "with", "result"});
    const bool by_caller = (is_release(word(at)) || is_one_of(word(at), {"frees", "releases", "unrefs", "destroys"})) &&
                           near_before(at, is_caller);
    const bool passive = is_released(word(at)) && near_before(at, [](std::string_view w) { return w == "be"; });
    if (is_release(word(at)) && negated(at) && !about_argument(at))
      out.lends = true;
    else if (passive &&
             (negated(at) || (word(at + 1) == "by" && is_article(word(at + 2)) && !is_caller(word(noun(at + 2))))))
      out.lends = true;
    else if ((imperative || by_caller || passive) && !negated(at))
      out.gives = true;
  }

  // Which parameter a verb that begins here takes over.
  std::optional<std::size_t> taken(std::size_t at) const {
    if (negated(at)) return std::nullopt;
    // "takes the reference over"
    if (is_one_of(word(at), {"takes", "take"}) && word(at + 1) != "over")
      for (std::size_t k = at + 1; k <= at + kNearNoun && k < words_.size(); ++k)
        if (words_[k] == "over") return object(at + 1, k, false);
    if (const std::size_t end = behind_any(at, {{"takes", "over"},
                                                {"take", "over"},
                                                {"takes", "ownership"},
                                                {"take", "ownership"},
                                                {"takes", "the", "reference"},
                                                {"takes", "the", "caller's", "reference"},
                                                {"transfers", "ownership"},
                                                {"ownership", "of"},
                                                {"steals"},
                                                {"consumes"},
                                                {"gives", "up"}});
        end != 0)
      return object(end, std::min(words_.size(), end + kNearNoun), false);
    if (behind_any(at, {{"taken", "over"}, {"now", "owned", "by"}, {"is", "consumed"}, {"is", "stolen"}}) != 0)
      return object(0, at, true);
    if (behind(at, {"transfer", "full"}) != 0 && !near_before(at, is_result)) return object(0, at, true);
    return std::nullopt;
  }

  // The parameter that these words speak of, the nearest to the verb. One of several that no word tells apart from the
  // others is none.
  std::optional<std::size_t> object(std::size_t from, std::size_t to, bool backwards) const {
    bool vague = true;  // nothing is named: "it", "the reference"
    for (std::size_t k = from; k < to; ++k) {
      const std::string_view w = word(backwards ? to - 1 - (k - from) : k);
      if (is_article(w)) continue;
      if (const auto parameter = named(w)) return parameter;
      if (const auto parameter = of_type(w)) return parameter;
      vague =
          vague && is_one_of(w, {"it", "reference", "argument", "object", "caller's", "of", "to", "is", "if", "and"});
    }
    if (!vague) return std::nullopt;
    return only([](const WrittenParameter& p) { return p.pointer; });
  }
  std::optional<std::size_t> named(std::string_view w) const {
    if (w.ends_with("'s")) w.remove_suffix(2);
    return only([&](const WrittenParameter& p) { return p.pointer && p.name == w; });
  }
  std::optional<std::size_t> of_type(std::string_view w) const {
    if (w.ends_with("'s")) w.remove_suffix(2);
    return only([&](const WrittenParameter& p) {
      return p.pointer && std::any_of(p.types.begin(), p.types.end(), [&](const std::string& type) {
               return type == w || type.ends_with("_" + std::string(w));
             });
    });
  }
  template <class Is>
  std::optional<std::size_t> only(const Is& is) const {
    std::optional<std::size_t> found;
    for (std::size_t k = 0; k < parameters_.size(); ++k) {
      if (!is(parameters_[k])) continue;
      if (found) return std::nullopt;
      found = k;
    }
    return found;
  }

  const Words& words_;
  const std::vector<WrittenParameter>& parameters_;
};

bool is_keyword(std::string_view word) {
  return is_one_of(word, {"const", "volatile", "restrict", "__restrict", "struct", "union", "enum", "unsigned",
                          "signed", "int", "char", "long", "short", "void", "float", "double", "register", "static"});
}

// "const struct user *u": its name and the words of its type.
WrittenParameter parameter_of(std::string_view text) {
  WrittenParameter out;
  Words words;
  std::string word;
  for (const char c : std::string(text.substr(0, text.find('['))) + " ") {
    if (is_letter(c)) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!word.empty()) {
      if (!is_keyword(word)) words.push_back(word);
      word.clear();
    }
  }
  // The name comes last, behind the stars.
  const std::size_t star = text.rfind('*');
  const bool behind_star = star != std::string_view::npos &&
                           std::any_of(text.begin() + static_cast<std::ptrdiff_t>(star), text.end(), is_letter);
  if (behind_star && !words.empty()) {
    out.name = words.back();
    words.pop_back();
  }
  out.types = std::move(words);
  return out;
}

}  // namespace

std::vector<WrittenParameter> written_parameters(const std::string& declaration, const std::string& function,
                                                 const std::vector<bool>& pointers) {
  std::size_t at = declaration.find(function);
  if (at == std::string::npos) return {};
  at = declaration.find_first_not_of(" \t\n", at + function.size());
  if (at == std::string::npos || declaration[at] != '(') return {};
  std::vector<WrittenParameter> out;
  std::size_t begin = at + 1;
  int depth = 0;
  for (; at < declaration.size(); ++at) {
    const char c = declaration[at];
    if (c == '(') ++depth;
    const bool ends = c == ')' && --depth == 0;
    if (!ends && (c != ',' || depth != 1)) continue;
    out.push_back(parameter_of(std::string_view(declaration).substr(begin, at - begin)));
    begin = at + 1;
    if (ends) break;
  }
  if (depth != 0 || out.size() < pointers.size()) return {};
  out.resize(pointers.size());  // what is variadic comes last
  for (std::size_t k = 0; k < out.size(); ++k) out[k].pointer = pointers[k];
  return out;
}

Ownership read_ownership(const std::string& comment, const std::vector<WrittenParameter>& parameters) {
  Ownership out;
  for (const Words& words : sentences_of(comment)) Sentence(words, parameters).read(out);
  return out;
}

}  // namespace reckon::program
