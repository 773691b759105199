#include "driver/version.h"

#include <elf.h>
#include <fmt/core.h>
#include <link.h>

#include "capture/capture.h"

#ifndef RECKON_VERSION
#define RECKON_VERSION "0.1.0"
#endif

namespace reckon::driver {

namespace {

#ifndef RECKON_CAPTURE_ID
// The linker's build id of the executable, in hexadecimal; empty if it has none.
int find_build_id(dl_phdr_info* info, std::size_t, void* out) {
  auto& id = *static_cast<std::string*>(out);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_NOTE) continue;
    const char* at = reinterpret_cast<const char*>(info->dlpi_addr + header.p_vaddr);
    const char* end = at + header.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      const auto* note = reinterpret_cast<const ElfW(Nhdr)*>(at);
      const std::size_t name_size = (note->n_namesz + 3u) & ~3u, text_size = (note->n_descsz + 3u) & ~3u;
      const char* name = at + sizeof *note;
      if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && std::string_view(name, 3) == "GNU")
        for (std::size_t k = 0; k < note->n_descsz; ++k)
          id += fmt::format("{:02x}", static_cast<unsigned char>(name[name_size + k]));
      at = name + name_size + text_size;
    }
  }
  return 1;  // the executable comes first; no need to see the libraries
}
#endif

std::string capture_identity() {
#ifdef RECKON_CAPTURE_ID
  return RECKON_CAPTURE_ID;
#else
  std::string id;
  dl_iterate_phdr(find_build_id, &id);
  return id;
#endif
}

}  // namespace

std::string version() { return RECKON_VERSION; }

std::string cache_version() { return fmt::format("{} {} {}", version(), capture::clang_version(), capture_identity()); }

}  // namespace reckon::driver
