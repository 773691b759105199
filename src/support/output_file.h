// Files that a user asked for: reports, baselines, repaired sources.
//
// The problem: a run that fails half way, or a full disk, must not cost the file that was there, and a link that a
// stranger has put into the tree must not lead the output to somebody's home. The method: the bytes go to a new file
// beside the place, which takes the place when it is whole. A place in a project, or
// below the current folder, whose links lead out of it is refused. Pipes, terminals and what lies in /dev or /proc are
// written as they are, since nothing can take their place. Limits: a folder that may not be written cannot be written
// to, even if the file in it could be.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reckon::support {

struct OutputPlace {
  std::string path;     // absolute, links followed
  bool direct = false;  // written in place
};

// Where output to `path` goes. nullopt: it may not be written, and `error` says why, with the path.
std::optional<OutputPlace> find_output_place(const std::string& path, std::string& error);

// All of it or nothing. False: `error` says why, with the path.
bool write_output(const OutputPlace& place, std::string_view bytes, std::string& error);
bool write_output(const std::string& path, std::string_view bytes, std::string& error);

// A folder of files that appear together: they are written to a folder inside of it and moved when all are there. What
// else lies in the folder stays.
class OutputFolder {
 public:
  // Makes the folder, if need be. Call it first; false: `error` says why.
  bool open(const std::string& folder, std::string& error);
  ~OutputFolder();

  // `name` may have one folder in front: "findings/0001.html".
  bool write(const std::string& name, std::string_view bytes, std::string& error);
  bool publish(std::string& error);

 private:
  std::string root_, staging_;
  std::vector<std::string> names_, folders_;
};

}  // namespace reckon::support
