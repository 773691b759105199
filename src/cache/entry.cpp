// Layout: "RKNC", version (4 bytes), size of the payload (8), checksum (16), a zstd frame. Numbers are little endian.
// The checksum is over the compressed bytes: damage is found before the decompressor sees it.
#include "cache/entry.h"

#include <zstd.h>

#include <cstdint>

#include "support/hash.h"

namespace reckon::cache {

namespace {

constexpr std::string_view kMagic{"RKNC"};
constexpr std::uint64_t kVersion = 1;
constexpr std::size_t kHeader = 4 + 4 + 8 + 16;
constexpr std::uint64_t kMaxPayload = std::uint64_t{1} << 32;
constexpr int kLevel = 3;

void put(std::string& out, std::uint64_t n, int bytes) {
  for (int i = 0; i < bytes; ++i) out.push_back(static_cast<char>(n >> (8 * i)));
}

std::uint64_t get(std::string_view in, std::size_t at, int bytes) {
  std::uint64_t n = 0;
  for (int i = 0; i < bytes; ++i) {
    n |= std::uint64_t{static_cast<unsigned char>(in[at + static_cast<std::size_t>(i)])} << (8 * i);
  }
  return n;
}

support::Hash128 checksum(std::string_view name, std::uint64_t size, std::string_view compressed) {
  support::Hasher h;
  h.text(name);
  h.number(size);
  h.text(compressed);
  return h.finish();
}

}  // namespace

std::string pack(std::string_view name, std::string_view payload) {
  std::string out(kHeader + ZSTD_compressBound(payload.size()), '\0');
  std::size_t n = ZSTD_compress(out.data() + kHeader, out.size() - kHeader, payload.data(), payload.size(), kLevel);
  if (ZSTD_isError(n) || payload.size() > kMaxPayload) return {};
  out.resize(kHeader + n);
  support::Hash128 sum = checksum(name, payload.size(), std::string_view(out).substr(kHeader));
  std::string header(kMagic);
  put(header, kVersion, 4);
  put(header, payload.size(), 8);
  put(header, sum.high, 8);
  put(header, sum.low, 8);
  out.replace(0, kHeader, header);
  return out;
}

bool unpack(std::string_view name, std::string_view file, std::string& payload) {
  if (file.size() < kHeader || !file.starts_with(kMagic) || get(file, 4, 4) != kVersion) return false;
  std::uint64_t size = get(file, 8, 8);
  std::string_view compressed = file.substr(kHeader);
  if (size > kMaxPayload) return false;
  if (checksum(name, size, compressed) != support::Hash128{get(file, 16, 8), get(file, 24, 8)}) return false;
  payload.resize(size);
  return ZSTD_decompress(payload.data(), payload.size(), compressed.data(), compressed.size()) == size;
}

}  // namespace reckon::cache
