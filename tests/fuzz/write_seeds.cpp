// Seeds in forms that change with the program: a unit, files of the cache, and each paragraph of the specs in a folder.
// Usage: write_seeds FOLDER SPECS    (FOLDER gets the folders model, cache and spec)
#include <filesystem>
#include <fstream>
#include <iostream>

#include "cache/entry.h"
#include "cache/manifest.h"
#include "model/binary.h"
#include "model_sample.h"

namespace {

void write(const std::filesystem::path& path, const std::string& bytes) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

// A paragraph of a spec alone means little: it gets the domain of its file.
void write_paragraphs(const std::filesystem::path& spec, const std::filesystem::path& folder) {
  std::ifstream in(spec, std::ios::binary);
  std::string line, domain, paragraph;
  int number = 0;
  const auto flush = [&] {
    if (!paragraph.empty()) write(folder / (spec.stem().string() + std::to_string(++number)), domain + paragraph);
    paragraph.clear();
  };
  while (std::getline(in, line)) {
    if (line.starts_with("domain ")) domain = line + "\n";
    if (line.empty())
      flush();
    else
      paragraph += line + "\n";
  }
  flush();
}

}  // namespace

int main(int argc, char** argv) {
  using namespace reckon;
  if (argc != 3) {
    std::cerr << "usage: write_seeds FOLDER SPECS\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  const std::string unit = model::encode(model::sample::unit());
  write(folder / "model/sample", unit);
  write(folder / "model/empty", model::encode(model::Unit()));
  write(folder / "cache/file", std::string(1, '\0') + cache::pack("u1", unit));
  write(folder / "cache/frame", std::string("\1\0\5", 3) + cache::pack("u1", "hello").substr(48));
  write(folder / "cache/payload", std::string("\2\0\0", 3) + unit.substr(0, 200));
  cache::Manifest manifest;
  manifest.files = {"/usr/include/a.h", "/usr/include/b.h", "/src/x.c"};
  manifest.content_key = "0123456789abcdef";
  write(folder / "cache/manifest", std::string("\3\0\0", 3) + manifest.encode());
  for (const auto& entry : std::filesystem::directory_iterator(argv[2]))
    if (entry.path().extension() == ".spec") write_paragraphs(entry.path(), folder / "spec");
  return 0;
}
