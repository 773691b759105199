// bin/reckon of the tarball and the wheel: starts lib/reckon/reckon, if this system can.
//
// The problem: the program needs a certain version of the GNU C library. An older one refuses it with a line about
// symbols, and a system without it says "not found" of a file that is there. The method: this program needs no library
// at all (it is linked statically). It looks at the C library that would be used, which lies beside the loader that the
// program names and says its version in its own text, and either starts the program or says what is missing.
//
// Limits: a C library that does not tell its version in the words of the GNU releases is taken to be new enough, and
// then the loader has the last word.
//
// Compiled by scripts/package, which finds out both values from the program:
//   RECKON_LOADER       the program interpreter, "/lib64/ld-linux-x86-64.so.2"
//   RECKON_GLIBC_MINOR  36 stands for 2.36
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { kExitUsage = 2 };  // as of reckon itself: nothing was looked at

static const char kMark[] = "stable release version 2.";

// The minor number of the GNU C library in this file; 0 if it does not say.
static int minor_version(const char* path) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  struct stat info;
  if (fd < 0) return 0;
  int minor = 0;
  if (fstat(fd, &info) == 0 && info.st_size > 0) {
    const size_t size = (size_t)info.st_size;
    const char* text = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (text != MAP_FAILED) {
      const char* at = memmem(text, size, kMark, sizeof kMark - 1);
      if (at != NULL)
        for (at += sizeof kMark - 1; at < text + size && *at >= '0' && *at <= '9' && minor < 1000; ++at)
          minor = 10 * minor + (*at - '0');
      munmap((void*)text, size);
    }
  }
  close(fd);
  return minor;
}

// Puts the folder of this program's file, links resolved, into `folder`. False: the system does not tell.
static int own_folder(char folder[PATH_MAX]) {
  const ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
  if (length > 0) {
    folder[length] = '\0';
  } else {
    const char* name = (const char*)getauxval(AT_EXECFN);  // what the kernel was given to execute
    if (name == NULL || realpath(name, folder) == NULL) return 0;
  }
  char* slash = strrchr(folder, '/');
  if (slash == NULL) return 0;
  *slash = '\0';
  if (length <= 0) {  // the loader cannot know either where the program's libraries lie, unless it is told
    char origin[PATH_MAX + 32];
    snprintf(origin, sizeof origin, "%s/../lib/reckon", folder);
    setenv("LD_ORIGIN_PATH", origin, 1);
  }
  return 1;
}

int main(int argc, char** argv) {
  (void)argc;
  char folder[PATH_MAX], program[PATH_MAX + 32], loader[PATH_MAX], library[PATH_MAX + 16];
  if (!own_folder(folder)) {
    fprintf(stderr, "reckon: error: the system does not tell where this program lies (is /proc missing?)\n");
    return kExitUsage;
  }
  snprintf(program, sizeof program, "%s/../lib/reckon/reckon", folder);

  if (realpath(RECKON_LOADER, loader) == NULL) {
    fprintf(
        stderr,
        "reckon: error: this system has no GNU C library (%s is missing); reckon needs version 2.%d of it or newer\n",
        RECKON_LOADER, RECKON_GLIBC_MINOR);
    return kExitUsage;
  }
  char* slash = strrchr(loader, '/');
  *slash = '\0';
  snprintf(library, sizeof library, "%s/libc.so.6", loader);
  const int minor = minor_version(library);
  if (minor != 0 && minor < RECKON_GLIBC_MINOR) {
    fprintf(stderr,
            "reckon: error: this system has version 2.%d of the GNU C library, and reckon needs 2.%d or newer "
            "(Debian 12, Ubuntu 24.04, Fedora 37 and later have it); build it from source here, or use the container\n",
            minor, RECKON_GLIBC_MINOR);
    return kExitUsage;
  }
  execv(program, argv);
  fprintf(stderr, "reckon: error: %s: %s; the package is not complete, unpack it again\n", program, strerror(errno));
  return kExitUsage;
}
