// Who answers the server's questions about files. The server knows the protocol and the open documents; how a file is
// compiled and analysed is the analyst's business, and happens in a process of its own for each question.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "specs/spec_set.h"

namespace reckon::lsp {

struct Question {
  std::string path;                          // of a source file
  std::map<std::string, std::string> texts;  // what open files hold, by path
  std::vector<std::string> repair;           // fingerprints of findings whose repairs are wanted; none: all but that
  bool preamble = false;                     // keep its #include lines precompiled: it will be asked about again
};

// A question that is being worked on. Destroying it ends the process that does, without waiting for the end.
class Look {
 public:
  virtual ~Look() = default;
  virtual int fd() const = 0;  // becomes readable when there is something to receive
  enum class Event { Nothing, Answer, Failed };
  // Answer: `text` is JSON as answer.h describes it. Failed: `text` says in the user's words why there is none.
  virtual Event receive(std::string& text) = 0;
};

class Analyst {
 public:
  virtual ~Analyst() = default;
  // The folders that the editor shows; the first one's settings are in force. "" or what is wrong with them.
  virtual std::string enter(const std::vector<std::string>& folders) = 0;
  virtual const specs::SpecSet& specs() const = 0;
  // nullptr: `problem` says why the file cannot be looked at. A note is worth telling once, whatever is returned.
  virtual std::unique_ptr<Look> ask(const Question& question, std::string& problem, std::string& note) = 0;
  // Is a process of a look that is over still there? The next question waits for its end: both would write to the same
  // precompiled start of a file.
  virtual bool still_ending() = 0;
  // Sources of the databases at hand that include a header, directly or through others.
  virtual std::vector<std::string> users_of(const std::string& header) = 0;
  // The editor no longer shows this file.
  virtual void closed(const std::string& path) = 0;
  virtual bool is_header(const std::string& path) const = 0;
  // Paths with links followed: the same file has the same.
  virtual std::string real_path(const std::string& path) const = 0;
};

}  // namespace reckon::lsp
