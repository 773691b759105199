// Files and folders of the driver: reading, temporary folders, and where Reckon's own data lies.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reckon::host {

// Reads a whole file; on failure `error` is the system's reason ("No such file or directory").
bool read_file(const std::string& path, std::string& text, std::string& error);

// A fresh folder that is removed with all it holds.
class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  bool ok() const { return !path_.empty(); }
  const std::string& error() const { return error_; }
  const std::string& path() const { return path_; }
  // Takes the name `reckon-UID-NAME`, unless somebody has it: what a cache knows by path is found again in the next
  // run.
  void settle(const std::string& name);

 private:
  std::string path_, error_;
};

// Folders of the installation or the build tree this program runs from; empty if there is none.
std::string specs_folder();
std::string check_pages_folder();

// Files of `folder` that end in `ending`, sorted by name.
std::vector<std::string> files_in(const std::string& folder, std::string_view ending);

// $XDG_CACHE_HOME/reckon, else ~/.cache/reckon; empty without a home.
std::string default_cache_folder();

std::string current_folder();

// Searches PATH; empty if there is no such program.
std::string find_program(std::string_view name);

}  // namespace reckon::host
