#include "cache/manifest.h"

#include <algorithm>

#include "support/bytes.h"

namespace reckon::cache {

std::string Manifest::encode() const {
  std::string out;
  out += states.view();
  out += contents.view();
  support::put_number(out, static_cast<std::uint64_t>(seen));
  support::put_text(out, content_key);
  support::put_number(out, files_in_unit ? 1 : 0);
  if (files_in_unit) return out;
  support::put_number(out, files.size());
  std::string_view last;
  for (std::string_view f : files) {
    auto shared =
        static_cast<std::size_t>(std::mismatch(f.begin(), f.end(), last.begin(), last.end()).first - f.begin());
    support::put_number(out, shared);
    support::put_text(out, f.substr(shared));
    last = f;
  }
  return out;
}

bool Manifest::decode(std::string_view bytes) {
  support::ByteReader in(bytes);
  for (support::StrongHash* h : {&states, &contents}) {
    const std::string_view bytes_of_hash = in.take(h->bytes.size());
    std::copy(bytes_of_hash.begin(), bytes_of_hash.end(), h->bytes.begin());
  }
  seen = static_cast<std::int64_t>(in.number());
  content_key = in.text();
  files.clear();
  files_in_unit = in.number() == 1;
  if (files_in_unit) return in.ok() && in.left() == 0;
  std::uint64_t count = in.number();
  if (!in.ok() || count > in.left()) return false;
  files.reserve(count);
  std::string path;
  for (std::uint64_t i = 0; i < count && in.ok(); ++i) {
    std::uint64_t shared = in.number();
    if (shared > path.size()) return false;
    path.resize(shared);
    path += in.text();
    files.push_back(path);
  }
  return in.ok() && in.left() == 0;
}

}  // namespace reckon::cache
