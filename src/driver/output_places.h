// Which places a command may write to.
//
// The problem: a name that slips on the command line, or a link in a stranger's checkout, must not cost a file that the
// run reads, a source, or the output of another option. The method: everything that the run reads is entered first,
// then each output asks for its place and is refused what is taken; what exists and is named like a source, a spec or a
// part of a build is taken in any case. Headers are known only when all is captured, so spare() asks once more. Limits:
// any other file that exists is taken for an earlier output and replaced.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/options.h"
#include "host/console.h"
#include "support/output_file.h"

namespace reckon::driver {

class OutputPlaces {
 public:
  // Specs, settings, baseline and compilation databases that the options name are entered.
  OutputPlaces(const Options& options, host::Console& console);

  // The run reads this file (absolute).
  void enter(const std::string& file, const std::string& what);

  // Where output to `path` goes; `writer` is the option that asks, for messages. A name that ends in `made` is no
  // reason to refuse it: that is what the option makes. nullopt: refused, and the console has said so.
  std::optional<support::OutputPlace> file(const std::string& path, const std::string& writer,
                                           std::string_view made = {});
  // The same for a spec that a command makes: an earlier one, which begins with `heading`, may be replaced, and nothing
  // that a person wrote. `kind` says what is made, for messages.
  std::optional<support::OutputPlace> made_spec(const std::string& path, std::string_view heading,
                                                std::string_view kind);
  // The same for a spec that people mend once it is made: nothing that is there may be replaced.
  std::optional<support::OutputPlace> new_spec(const std::string& path);
  // The same for a folder that gets a report of many files; it is made if need be.
  bool folder(const std::string& path, const std::string& writer);

  // Are all places still free if these files (absolute) are read, too?
  bool spare(const std::vector<std::string>& files);

 private:
  bool take(const std::string& real, const std::string& given, const std::string& writer, std::string_view made);

  host::Console& console_;
  std::map<std::string, std::string> taken_;    // real path: why nothing may be written there
  std::map<std::string, std::string> written_;  // real path: as it was given
  std::map<std::string, std::string> folders_;  // of reports, real path: who writes it
};

}  // namespace reckon::driver
