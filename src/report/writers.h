// The writers: views of one Run. A format is one row of the table in writers.cpp; the driver knows no more of it
// than that row.
#pragma once

#include <cstddef>
#include <ostream>
#include <span>
#include <string>
#include <string_view>

#include "report/run.h"

namespace reckon::report {

struct WriterOptions {
  bool full_path = false;  // show steps that are not essential, too
  bool colour = false;     // text only
  std::size_t width = 0;   // columns, 0: no limit; text only
  bool quiet = false;      // findings only, no summary; text only
  bool verbose = false;    // lists in full; text only
  // HTML: a page each for more findings than this would fill a disk, and nobody reads them.
  std::size_t most_pages = 25'000;
};

// Exactly one of the two functions is set: a format is a stream of bytes or a folder of files.
struct Format {
  std::string_view name;     // what --format takes
  std::string_view summary;  // one line
  void (*to_stream)(std::ostream& out, const Run& run, const WriterOptions& options) = nullptr;
  // Makes the folder if need be. False: `error` says which file could not be written, and why.
  bool (*to_folder)(const std::string& folder, const Run& run, const WriterOptions& options,
                    std::string& error) = nullptr;
  bool collections = false;  // shows Run::collections
  bool capped = false;       // shows a few findings; all of them go into the job's summary
  bool has_summary = false;  // ends with how it went (write_summary), unless that is not wanted
};

std::span<const Format> formats();
const Format* find_format(std::string_view name);  // nullptr: no such format

}  // namespace reckon::report
