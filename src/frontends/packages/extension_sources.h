// Compiler calls of an extension module whose build nobody runs.
//
// The problem: how a module is compiled stands in a program (setup.py) or in the files of a build system. The method:
// taken are the C and C++ files that include a header of the API, themselves or through headers of the package. The
// flags start with the API's folders and those around the file. What Clang then misses is looked for: a header in the
// package, nearest to the file, or below the system's folders; a macro that the build's own files name gets a value
// that is made up. The lab prepares unknown packages in the same way (bench/labkit/guess.py).
//
// Limits: files that a generator wrote (Cython, SWIG, SIP) are left out, since a build writes them anew. A file that a
// build would make is missing, but for config.h, which is an empty one. A package has at most 100,000 files.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "frontends/builds/compdb.h"

namespace reckon::frontends {

class ExtensionSources {
 public:
  // `root`: of the package. `scratch`: a folder for the headers that are made up.
  ExtensionSources(std::string root, std::string scratch) : root_(std::move(root)), scratch_(std::move(scratch)) {}

  // Finds the files that include one of `headers`. "", or why there is nothing to compile.
  std::string find(const std::vector<std::string>& headers);

  // `flags`: of all files, the API's folders among them.
  std::vector<Command> commands(const std::vector<std::string>& flags) const;

  // Looks for what Clang missed in a file. False: nothing was found that has not been tried.
  bool cure(const std::string& file, const std::string& errors);

  // What is not known of the build, in words.
  std::vector<std::string> not_known() const;

 private:
  struct Text;
  using Index = std::map<std::string, std::vector<std::string>>;  // base name of a header, where it lies

  std::string read_tree(std::map<std::string, Text>& texts);
  std::vector<std::string> around(const std::string& file) const;
  std::string folder_of(const std::string& header, const std::string& file);
  std::string empty_header(const std::string& name);
  const Index& system_headers();
  bool build_names(const std::string& macro) const;

  std::string root_, scratch_;
  std::vector<std::string> files_;                         // absolute, sorted
  std::map<std::string, std::vector<std::string>> cures_;  // flags by file
  std::set<std::string> made_up_;                          // macros and headers
  Index own_, system_;
  std::string build_texts_;
  std::size_t generated_ = 0;
};

// Folders of the headers of the Python that is installed, as flags; empty if there is none.
std::vector<std::string> python_flags(const std::string& include);

}  // namespace reckon::frontends
