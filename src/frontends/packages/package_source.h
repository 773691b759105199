// The source of a package that lies on disk: a folder, an archive, or a Debian source package.
//
// Packages come from strangers, so nothing of them is run here. An archive is unpacked by tar with the limits of
// r_archive.h. A Debian source package is unpacked by dpkg-source, which applies the patches of debian/patches and runs
// no code of the package; its archives pass the same limits before, it works in a sandbox, and links, devices and pipes
// are removed afterwards.
#pragma once

#include <string>

namespace reckon::frontends {

enum class SourceForm : std::uint8_t { Folder, Archive, DebianSource };

// By what lies there and by its name.
SourceForm form_of(const std::string& path);

// Unpacks what is no folder into an existing, empty folder, and says where the source begins: in the only folder that
// came out, if there is one alone. "", or what is wrong.
std::string unpack_source(const std::string& path, const std::string& folder, std::string& root);

}  // namespace reckon::frontends
