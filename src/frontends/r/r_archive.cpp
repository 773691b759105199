// tar lists the archive first, so that its size is known before anything is written; a time limit holds for archives
// whose compressed content does not end. tar itself refuses to leave the folder, whatever the names in the archive.
#include "frontends/r/r_archive.h"

#include <fmt/core.h>

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "host/process.h"

namespace reckon::frontends {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxMembers = 100'000;
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;
constexpr std::size_t kMaxListing = 50'000'000;  // bytes
constexpr const char* kSeconds = "120";

// The list of an archive may be longer than the memory; `script` says how much of it is wanted.
host::ProcessResult run_tar(const std::string& script, std::vector<std::string> arguments) {
  // Without --force-local a name with a colon is a file on another machine.
  arguments.insert(arguments.begin(),
                   {"timeout", "--kill-after=5", kSeconds, "sh", "-c", script, "sh", "--force-local"});
  host::ProcessRequest request{std::move(arguments), ""};
  request.environment = {{"TAR_OPTIONS", ""}, {"LC_ALL", "C"}};
  return host::run_process(request);
}

// Third column of `tar --list --verbose`; devices have two numbers there.
std::uint64_t size_in(std::string_view line) {
  for (int column = 0; column < 2; ++column) {
    line.remove_prefix(std::min(line.find(' '), line.size()));
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  }
  std::uint64_t size = 0;
  std::from_chars(line.data(), line.data() + line.size(), size);
  return size;
}

std::string complaint_about(std::string_view listing) {
  if (listing.empty()) return "no archive that tar can read";
  if (listing.size() >= kMaxListing) return "too many members";
  std::size_t members = 0;
  std::uint64_t bytes = 0;
  while (!listing.empty()) {
    const std::string_view line = listing.substr(0, listing.find('\n'));
    listing.remove_prefix(std::min(listing.size(), line.size() + 1));
    if (++members > kMaxMembers) return fmt::format("more than {} members", kMaxMembers);
    const std::uint64_t size = size_in(line);
    if (size > kMaxBytes || (bytes += size) > kMaxBytes) return fmt::format("more than {} MiB", kMaxBytes >> 20);
  }
  return "";
}

std::string failure(const host::ProcessResult& tar) {
  return "tar " + (tar.error.empty() ? host::describe_status(tar.status) : tar.error);
}

}  // namespace

void leave_files_and_folders(const std::string& folder) {
  std::error_code ec;
  std::vector<fs::path> others;
  for (fs::recursive_directory_iterator it(folder, ec), end; !ec && it != end; it.increment(ec)) {
    std::error_code gone;
    const fs::file_status status = it->symlink_status(gone);
    if (!fs::is_regular_file(status) && !fs::is_directory(status)) others.push_back(it->path());
  }
  for (const fs::path& path : others) fs::remove(path, ec);
}

std::string complaint_about_archive(const std::string& archive) {
  std::error_code ec;
  if (!fs::is_regular_file(archive, ec)) return "not a regular file";
  const host::ProcessResult listing =
      run_tar(fmt::format("tar \"$@\" | head -c {}", kMaxListing),
              {"--list", "--verbose", "--numeric-owner", "--quoting-style=escape", "--file", archive});
  if (!listing.error.empty() || listing.status != 0) return failure(listing);
  return complaint_about(listing.output);
}

std::string unpack_archive(const std::string& archive, const std::string& folder) {
  if (std::string complaint = complaint_about_archive(archive); !complaint.empty()) return complaint;
  const host::ProcessResult unpacked =
      run_tar("tar \"$@\"", {"--extract", "--no-same-owner", "--no-same-permissions", "--delay-directory-restore",
                             "--file", archive, "--directory", folder});
  if (!unpacked.error.empty() || unpacked.status != 0) return failure(unpacked);
  leave_files_and_folders(folder);
  return "";
}

}  // namespace reckon::frontends
