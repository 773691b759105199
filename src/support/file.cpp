#include "support/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <limits>
#include <vector>

namespace reckon::support {

namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  int close() {  // with the error that only shows here on some file systems
    int fd = fd_;
    fd_ = -1;
    return ::close(fd);
  }

 private:
  int fd_;
};

int open_retrying(const char* path, int flags, mode_t mode = 0) {
  int fd;
  do {
    fd = ::open(path, flags | O_CLOEXEC, mode);
  } while (fd < 0 && errno == EINTR);
  return fd;
}

constexpr int kNoRegularFile = -1;
constexpr int kTooLarge = -2;

std::string reason_for(int error) {
  if (error == kNoRegularFile) return "not a regular file";
  if (error == kTooLarge) return "larger than " + std::to_string(kMaxInputBytes >> 20) + " MiB";
  return std::strerror(error);
}

// Opens a regular file. Neither the opening nor the reading waits for anybody: O_NONBLOCK is for pipes and devices,
// which are then refused. 0, or what reason_for() takes.
int open_regular(const std::string& path, int& fd, std::uint64_t& size) {
  fd = open_retrying(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return errno == ENXIO ? kNoRegularFile : errno;  // ENXIO: a socket
  struct stat st;
  if (::fstat(fd, &st) != 0) return errno;
  if (S_ISDIR(st.st_mode)) return EISDIR;
  if (!S_ISREG(st.st_mode)) return kNoRegularFile;
  size = static_cast<std::uint64_t>(st.st_size);
  return 0;
}

// Calls f(data, size) for each piece of at most `limit` bytes. 0, or what reason_for() takes.
template <typename F>
int read_pieces(const std::string& path, std::uint64_t limit, F f) {
  int opened = -1;
  std::uint64_t size = 0;
  const int error = open_regular(path, opened, size);
  Descriptor fd(opened);
  if (error != 0) return error;
  if (size > limit) return kTooLarge;
  std::vector<char> buffer(std::size_t{1} << 17);
  for (std::uint64_t total = 0;;) {
    ssize_t n = ::read(fd.get(), buffer.data(), buffer.size());
    if (n == 0) return 0;
    if (n > 0) {
      total += static_cast<std::uint64_t>(n);
      if (total > limit) return kTooLarge;  // files of /proc and those that grow say another size
      f(buffer.data(), static_cast<std::size_t>(n));
    } else if (errno != EINTR) {
      return errno;
    }
  }
}

}  // namespace

std::string system_error(std::string_view path, int error_number) {
  return std::string(path) + ": " + std::strerror(error_number);
}

bool read_input(const std::string& path, std::string& text, std::string& reason) {
  text.clear();
  const int error = read_pieces(path, kMaxInputBytes, [&](const char* p, std::size_t n) { text.append(p, n); });
  if (error == 0) return true;
  text.clear();
  reason = reason_for(error);
  return false;
}

std::string complaint_about_input(const std::string& path) {
  int opened = -1;
  std::uint64_t size = 0;
  const int error = open_regular(path, opened, size);
  Descriptor fd(opened);
  if (error != 0) return reason_for(error);
  return size > kMaxInputBytes ? reason_for(kTooLarge) : "";
}

std::string first_bytes(const std::string& path, std::size_t count) {
  int opened = -1;
  std::uint64_t size = 0;
  const int error = open_regular(path, opened, size);
  Descriptor fd(opened);
  if (error != 0 || size > kMaxInputBytes) return "";
  std::string bytes(count, '\0');
  ssize_t n;
  do {
    n = ::read(fd.get(), bytes.data(), bytes.size());
  } while (n < 0 && errno == EINTR);
  bytes.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return bytes;
}

std::optional<std::string> read_file(const std::string& path, std::string& error) {
  std::string text, reason;
  if (read_input(path, text, reason)) return text;
  error = path + ": " + reason;
  return std::nullopt;
}

std::optional<StrongHash> hash_file(const std::string& path, std::string& error) {
  StrongHasher h;
  constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();
  if (int e = read_pieces(path, no_limit, [&](const char* p, std::size_t n) { h.bytes(p, n); })) {
    error = path + ": " + reason_for(e);
    return std::nullopt;
  }
  return h.finish();
}

bool write_file(const std::string& path, const std::string& temp_dir, std::string_view bytes, std::string& error) {
  // The time and the process make a name that is new; where they do not, O_EXCL notices.
  auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  std::string temp;
  int fd = -1;
  for (int attempt = 0; attempt < 100; ++attempt) {
    temp = temp_dir + "/" + std::to_string(::getpid()) + "-" + std::to_string(now + attempt);
    fd = open_retrying(temp.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (fd >= 0 || errno != EEXIST) break;
  }
  if (fd < 0) {
    error = system_error(temp, errno);
    return false;
  }
  Descriptor file(fd);
  auto give_up = [&](const std::string& at) {
    error = system_error(at, errno);
    ::unlink(temp.c_str());
    return false;
  };
  for (std::size_t done = 0; done < bytes.size();) {
    ssize_t n = ::write(fd, bytes.data() + done, bytes.size() - done);
    if (n >= 0) {
      done += static_cast<std::size_t>(n);
    } else if (errno != EINTR) {
      return give_up(temp);
    }
  }
  if (file.close() != 0) return give_up(temp);
  if (::rename(temp.c_str(), path.c_str()) != 0) return give_up(path);
  return true;
}

bool make_folders(const std::string& path, std::string& error) {
  for (std::size_t at = 0; at != std::string::npos;) {
    at = path.find('/', at + 1);
    std::string part = path.substr(0, at);
    if (::mkdir(part.c_str(), 0777) == 0 || errno == EEXIST) continue;
    int e = errno;
    struct stat st;
    // Above the folder we may not even write what exists (EACCES, EROFS instead of EEXIST).
    if (::stat(part.c_str(), &st) == 0 && S_ISDIR(st.st_mode)) continue;
    error = system_error(part, e);
    return false;
  }
  struct stat st;
  int e = ::stat(path.c_str(), &st) != 0 ? errno : S_ISDIR(st.st_mode) ? 0 : ENOTDIR;
  if (e != 0) error = system_error(path, e);
  return e == 0;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

int MappedFile::open(const std::string& path) {
  Descriptor fd(open_retrying(path.c_str(), O_RDONLY | O_NONBLOCK));
  if (fd.get() < 0) return errno;
  struct stat st;
  if (::fstat(fd.get(), &st) != 0) return errno;
  if (!S_ISREG(st.st_mode)) return EINVAL;
  modified_ = st.st_mtime;
  if (st.st_size == 0) return 0;
  void* p = ::mmap(nullptr, static_cast<std::size_t>(st.st_size), PROT_READ, MAP_PRIVATE, fd.get(), 0);
  if (p == MAP_FAILED) return errno;
  data_ = p;
  size_ = static_cast<std::size_t>(st.st_size);
  return 0;
}

}  // namespace reckon::support
