// Layout: "RKNC", version (4 bytes), size of the payload (8), checksum (32), a zstd frame. Numbers are little endian.
// The checksum is over the compressed bytes: damage is found before the decompressor sees it.
#include "cache/entry.h"

#include <zstd.h>

#include <cstdint>
#include <memory>

namespace reckon::cache {

namespace {

constexpr std::string_view kMagic{"RKNC"};
constexpr std::uint64_t kVersion = 2;
constexpr std::size_t kChecksumAt = 4 + 4 + 8, kHeader = kChecksumAt + sizeof(support::StrongHash);
constexpr std::uint64_t kMaxPayload = std::uint64_t{1} << 32;
constexpr int kLevel = 6;

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

support::StrongHash checksum(std::string_view name, std::uint64_t size, std::string_view compressed,
                             const support::Secret& secret) {
  support::StrongHasher h(secret);
  h.text(name);
  h.number(size);
  h.text(compressed);
  return h.finish();
}

struct FreeContext {
  void operator()(ZSTD_CCtx* c) const { ZSTD_freeCCtx(c); }
};

// Appends one frame. The compressor begins a block, with statistics of its own, at every seam.
bool compress(std::string_view payload, const std::vector<std::size_t>& seams, std::string& out) {
  std::unique_ptr<ZSTD_CCtx, FreeContext> c(ZSTD_createCCtx());
  if (!c || ZSTD_isError(ZSTD_CCtx_setParameter(c.get(), ZSTD_c_compressionLevel, kLevel)) ||
      ZSTD_isError(ZSTD_CCtx_setPledgedSrcSize(c.get(), payload.size()))) {
    return false;
  }
  std::size_t used = out.size();
  out.resize(used + ZSTD_compressBound(payload.size()) + 64 * (seams.size() + 1));
  ZSTD_outBuffer to{out.data(), out.size(), used};
  std::size_t from = 0;
  for (std::size_t i = 0; i <= seams.size(); ++i) {
    bool last = i == seams.size();
    std::size_t until = last ? payload.size() : seams[i];
    if (until < from || until > payload.size()) return false;
    ZSTD_inBuffer in{payload.data() + from, until - from, 0};
    std::size_t left;
    do {
      left = ZSTD_compressStream2(c.get(), &to, &in, last ? ZSTD_e_end : ZSTD_e_flush);
      if (ZSTD_isError(left) || (left != 0 && to.pos == to.size)) return false;
    } while (left != 0);
    from = until;
  }
  out.resize(to.pos);
  return true;
}

}  // namespace

std::string pack(std::string_view name, std::string_view payload, const support::Secret& secret,
                 const std::vector<std::size_t>& seams) {
  if (payload.size() > kMaxPayload) return {};
  std::string out(kHeader, '\0');
  if (!compress(payload, seams, out)) return {};
  std::string header(kMagic);
  put(header, kVersion, 4);
  put(header, payload.size(), 8);
  header += checksum(name, payload.size(), std::string_view(out).substr(kHeader), secret).view();
  out.replace(0, kHeader, header);
  return out;
}

bool unpack(std::string_view name, std::string_view file, std::string& payload, const support::Secret& secret) {
  if (file.size() < kHeader || !file.starts_with(kMagic) || get(file, 4, 4) != kVersion) return false;
  std::uint64_t size = get(file, 8, 8);
  std::string_view compressed = file.substr(kHeader);
  if (size > kMaxPayload) return false;
  if (checksum(name, size, compressed, secret).view() != file.substr(kChecksumAt, kHeader - kChecksumAt)) return false;
  payload.resize(size);
  return ZSTD_decompress(payload.data(), payload.size(), compressed.data(), compressed.size()) == size;
}

}  // namespace reckon::cache
