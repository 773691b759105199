// One look at a file for an editor: its compiler call captured with the texts that the editor has, analysed alone, and
// what was found and computed told as lsp/answer.h describes it. Runs in a process of its own.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "driver/options.h"
#include "frontends/builds/compdb.h"
#include "specs/spec_set.h"

namespace reckon::driver {

struct EditorQuestion {
  frontends::Command command;
  std::map<std::string, std::string> texts;  // of open files, by path
  std::vector<std::string> repair;           // fingerprints of findings to be repaired; none: look at the file
  int preamble = -1;                         // capture::Request::preamble
};

// JSON.
std::string look_for_editor(const EditorQuestion& question, const Options& options, const specs::SpecSet& specs,
                            const std::string& spec_fingerprint);

}  // namespace reckon::driver
