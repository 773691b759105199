#include "support/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "support/file.h"
#include "support/project_folders.h"

namespace reckon::support {

namespace {

namespace fs = std::filesystem;

bool is_below(const fs::path& path, const fs::path& folder) {
  const auto [in_folder, in_path] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return in_folder == folder.end();
}

// The tree that links may not lead out of: the nearest project above the place, or the current folder where that is
// nearer. Empty: the place lies in neither.
fs::path tree_of(const fs::path& given, const fs::path& here) {
  for (fs::path folder = given.parent_path();; folder = folder.parent_path()) {
    if (folder == here || starts_project(folder)) return folder;
    if (folder == folder.parent_path()) return {};
  }
}

// "" or why output to `given`, which is `real` when links are followed, is refused.
std::string leads_out(const std::string& path, const fs::path& given, const fs::path& real) {
  std::error_code ec;
  const fs::path tree = tree_of(given, fs::current_path(ec));
  if (tree.empty() || is_below(real, fs::weakly_canonical(tree, ec))) return "";
  return path + ": a link leads out of " + tree.string() + ", to " + real.string() + "; give that name if it is meant";
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

std::string refused(const std::string& path, int error_number) {
  return path + ": cannot be written: " + std::strerror(error_number);
}

bool write_directly(const std::string& path, std::string_view bytes, std::string& error) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
  if (fd < 0 || !write_all(fd, bytes)) {
    error = refused(path, errno);
    if (fd >= 0) ::close(fd);
    return false;
  }
  if (::close(fd) == 0) return true;
  error = refused(path, errno);
  return false;
}

// A new file beside `path`; -1 with errno.
int open_beside(const std::string& path, std::string& name) {
  static std::atomic<unsigned> number{0};
  const fs::path place(path);
  for (int attempt = 0; attempt < 100; ++attempt) {
    name = (place.parent_path() / ("." + place.filename().string().substr(0, 200) + ".reckon-" +
                                   std::to_string(::getpid()) + "-" + std::to_string(number++)))
               .string();
    const int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

}  // namespace

std::optional<OutputPlace> find_output_place(const std::string& path, std::string& error) {
  std::error_code ec;
  const fs::path here = fs::current_path(ec);
  const fs::path given = (here / path).lexically_normal();
  if (path.empty() || given.filename().empty()) {
    error = path + ": is not the name of a file";
    return std::nullopt;
  }
  struct stat info{};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) {
    error = refused(path, EISDIR);
    return std::nullopt;
  }
  if ((exists && !S_ISREG(info.st_mode)) || is_below(given, "/dev") || is_below(given, "/proc"))
    return OutputPlace{given.string(), true};
  const fs::path real = fs::weakly_canonical(given, ec);
  if (ec) {
    error = path + ": cannot be written: " + ec.message();
    return std::nullopt;
  }
  if (error = leads_out(path, given, real); !error.empty()) return std::nullopt;
  if (exists && ::access(real.c_str(), W_OK) != 0) {
    error = refused(path, errno);
    return std::nullopt;
  }
  if (::access(real.parent_path().c_str(), W_OK | X_OK) != 0) {
    error = refused(path, errno);
    return std::nullopt;
  }
  return OutputPlace{real.string(), false};
}

bool write_output(const OutputPlace& place, std::string_view bytes, std::string& error) {
  if (place.direct) return write_directly(place.path, bytes, error);
  std::string name;
  const int fd = open_beside(place.path, name);
  if (fd < 0) {
    error = refused(place.path, errno);
    return false;
  }
  struct stat before{};
  const bool replaces = ::stat(place.path.c_str(), &before) == 0;
  bool ok = write_all(fd, bytes);
  if (ok && replaces) {
    ok = ::fchmod(fd, before.st_mode & 07777) == 0;
    // Only root can give a file away; what stays ours is written all the same.
    if (ok && ::fchown(fd, before.st_uid, before.st_gid) != 0 && errno != EPERM) ok = false;
  }
  int problem = ok ? 0 : errno;
  if (::close(fd) != 0 && problem == 0) problem = errno;
  if (problem == 0 && ::rename(name.c_str(), place.path.c_str()) != 0) problem = errno;
  if (problem == 0) return true;
  ::unlink(name.c_str());
  error = refused(place.path, problem);
  return false;
}

bool write_output(const std::string& path, std::string_view bytes, std::string& error) {
  const auto place = find_output_place(path, error);
  return place && write_output(*place, bytes, error);
}

bool OutputFolder::open(const std::string& folder, std::string& error) {
  std::error_code ec;
  const fs::path here = fs::current_path(ec);
  const fs::path given = (here / folder).lexically_normal();
  const fs::path real = fs::weakly_canonical(given, ec);
  if (error = ec ? "" : leads_out(folder, given, real); !error.empty()) return false;
  root_ = ec ? folder : real.string();
  while (root_.size() > 1 && root_.back() == '/') root_.pop_back();
  fs::create_directories(root_, ec);
  if (!ec && fs::is_directory(root_, ec)) return true;
  error = folder + ": cannot be made: " + (ec ? ec.message() : std::string(std::strerror(ENOTDIR)));
  return false;
}

OutputFolder::~OutputFolder() {
  std::error_code ec;
  if (!staging_.empty()) fs::remove_all(staging_, ec);
}

bool OutputFolder::write(const std::string& name, std::string_view bytes, std::string& error) {
  std::error_code ec;
  if (staging_.empty()) {
    std::string pattern = root_ + "/.reckon-XXXXXX";
    if (!::mkdtemp(pattern.data())) {
      error = refused(root_, errno);
      return false;
    }
    staging_ = pattern;
  }
  if (const std::size_t slash = name.find('/'); slash != std::string::npos) {
    const std::string folder = name.substr(0, slash);
    if (std::find(folders_.begin(), folders_.end(), folder) == folders_.end()) {
      if (fs::is_symlink(root_ + "/" + folder, ec)) {
        error = root_ + "/" + folder + ": is a link; a report is not written through links";
        return false;
      }
      fs::create_directory(staging_ + "/" + folder, ec);
      folders_.push_back(folder);
    }
  }
  const int fd = ::open((staging_ + "/" + name).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  const bool ok = fd >= 0 && write_all(fd, bytes);
  int problem = ok ? 0 : errno;
  if (fd >= 0 && ::close(fd) != 0 && problem == 0) problem = errno;
  if (problem != 0) {
    error = refused(root_ + "/" + name, problem);
    return false;
  }
  names_.push_back(name);
  return true;
}

bool OutputFolder::publish(std::string& error) {
  std::error_code ec;
  for (const std::string& folder : folders_) {
    fs::create_directory(root_ + "/" + folder, ec);
    if (!ec) continue;
    error = root_ + "/" + folder + ": cannot be made: " + ec.message();
    return false;
  }
  for (const std::string& name : names_) {
    if (::rename((staging_ + "/" + name).c_str(), (root_ + "/" + name).c_str()) == 0) continue;
    error = refused(root_ + "/" + name, errno);
    return false;
  }
  return true;
}

}  // namespace reckon::support
