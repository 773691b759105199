#include "support/command_words.h"

#include <algorithm>
#include <filesystem>

#include "support/file.h"

namespace reckon::support {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxDepth = 10;         // of files that name files
constexpr std::size_t kMaxWords = 1'000'000;  // of one command
constexpr std::size_t kMaxNamed = 10'000;     // times that files are named: each one costs time, even an empty one

class Expansion {
 public:
  Expansion(const std::string& directory, std::string& error) : directory_(directory), error_(error) {}

  std::vector<std::string> run(const std::vector<std::string>& arguments) {
    std::vector<std::string> out;
    for (const std::string& argument : arguments)
      if (!add(argument, out)) return {};
    return out;
  }

 private:
  bool fail(const std::string& file, const std::string& reason) {
    error_ = "the response file " + file + ": " + reason;
    return false;
  }

  bool add(const std::string& argument, std::vector<std::string>& out) {
    if (argument.size() < 2 || argument[0] != '@') {
      out.push_back(argument);
      return true;
    }
    const std::string path = (fs::path(directory_) / argument.substr(1)).lexically_normal().string();
    if (std::find(open_.begin(), open_.end(), path) != open_.end()) return fail(path, "it names itself");
    if (open_.size() >= kMaxDepth) return fail(path, "nested too deeply");
    if (++named_ > kMaxNamed) return fail(path, "more than " + std::to_string(kMaxNamed) + " response files");
    std::string text, reason;
    if (!read_input(path, text, reason)) return fail(path, reason);
    const std::vector<std::string> words = split_command(text);
    words_ += words.size();
    if (words_ > kMaxWords) return fail(path, "more than " + std::to_string(kMaxWords) + " words");
    open_.push_back(path);
    for (const std::string& word : words)
      if (!add(word, out)) return false;
    open_.pop_back();
    return true;
  }

  const std::string& directory_;
  std::string& error_;
  std::vector<std::string> open_;
  std::size_t words_ = 0, named_ = 0;
};

}  // namespace

std::vector<std::string> split_command(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool has_next = i + 1 < text.size();
    if (quote == '\'') {
      if (c == '\'')
        quote = 0;
      else
        word += c;
    } else if (quote == '"') {
      if (c == '"')
        quote = 0;
      else if (c == '\\' && has_next && text[i + 1] == '\n')
        ++i;
      else if (c == '\\' && has_next && std::string_view("\"\\$`").find(text[i + 1]) != std::string_view::npos)
        word += text[++i];
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      in_word = true;
    } else if (c == '\\' && has_next) {
      if (text[++i] != '\n') {  // an escaped line end joins lines
        word += text[i];
        in_word = true;
      }
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      if (in_word) words.push_back(std::move(word));
      word.clear();
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word) words.push_back(std::move(word));
  return words;
}

std::string shell_word(std::string_view word) {
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  }
  return out + "'";
}

std::vector<std::string> expand_response_files(std::vector<std::string> arguments, const std::string& directory,
                                               std::string& error) {
  const bool any = std::any_of(arguments.begin(), arguments.end(), [](const auto& a) { return a.starts_with("@"); });
  if (!any) return arguments;
  return Expansion(directory, error).run(arguments);
}

}  // namespace reckon::support
