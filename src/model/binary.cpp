// The binary form of a unit.
//
//   "RKNU", version                       then, as varints,
//   size of the tables, size of the bodies
//   tables: lengths of the table streams, their bytes       (strings, types, symbols, constants, function headers)
//   bodies: lengths of the body streams, their bytes        (a reader that wants no bodies skips this)
//
// Each number goes to the stream of its kind (binary_streams.h). Whatever can be guessed from what was coded before
// is coded as 0: the type of a stored value, the result type of a call, the next value number, the place of the
// previous instruction, the end of a block. Names of fields and facts about calls are coded once per unit, where they
// first occur, and by number after that.
//
// The description (binary_tables.h, binary_bodies.h) runs both ways: with a Writer it reads the unit and writes bytes,
// with a Reader the reverse.
// Nothing is checked there except what keeps memory safe while reading; decode() asks well_shaped() about the result.
#include "model/binary.h"

#include <string_view>

#include "model/binary_bodies.h"
#include "model/binary_streams.h"
#include "model/binary_tables.h"
#include "model/canonical.h"
#include "model/verify.h"

namespace reckon::model {

namespace {

using binary::kFirstBodyStream;
using binary::kNumStreams;
using binary::Reader;
using binary::Writer;

constexpr char kMagic[] = {'R', 'K', 'N', 'U'};
constexpr std::uint64_t kVersion = 1;

// Calls f(number, bytes) for each stream; false if this is not what encode() writes.
template <typename F>
bool open_streams(std::span<const std::byte> bytes, F f) {
  support::ByteReader in(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  if (in.take(sizeof kMagic) != std::string_view(kMagic, sizeof kMagic) || in.number() != kVersion) return false;
  std::uint64_t tables = in.number(), bodies = in.number();
  if (!in.ok() || tables > in.left() || bodies != in.left() - tables) return false;
  auto section = [&](std::string_view part, std::size_t first, std::size_t end) {
    support::ByteReader s(part);
    std::uint64_t length[kNumStreams];
    for (std::size_t i = first; i < end; ++i) length[i] = s.number();
    for (std::size_t i = first; i < end; ++i) f(i, s.take(length[i]));
    return s.ok() && s.left() == 0;
  };
  return section(in.take(tables), 0, kFirstBodyStream) && section(in.take(bodies), kFirstBodyStream, kNumStreams);
}

}  // namespace

std::string encode(const Unit& unit) {
  Unit c = canonical(unit);
  Writer w;
  binary::TableCoder<Writer>(w, c).tables();
  binary::BodyCoder<Writer>(w, c).bodies();
  auto section = [&](std::size_t first, std::size_t end) {
    std::string lengths, bytes;
    for (std::size_t i = first; i < end; ++i) {
      std::string s = w.take(i);
      support::put_number(lengths, s.size());
      bytes += s;
    }
    return lengths + bytes;
  };
  std::string tables = section(0, kFirstBodyStream);
  std::string bodies = section(kFirstBodyStream, kNumStreams);
  std::string out(kMagic, sizeof kMagic);
  support::put_number(out, kVersion);
  support::put_number(out, tables.size());
  support::put_number(out, bodies.size());
  return out + tables + bodies;
}

bool decode(std::span<const std::byte> bytes, Unit& unit) {
  unit = Unit{};
  Reader r;
  if (!open_streams(bytes, [&](std::size_t i, std::string_view s) { r.set(i, s); })) return false;
  binary::TableCoder<Reader>(r, unit).tables();
  if (r.ok()) binary::BodyCoder<Reader>(r, unit).bodies();
  return r.exhausted() && well_shaped(unit);
}

bool decode_headers(std::span<const std::byte> bytes, std::vector<std::string>& headers) {
  Unit unit;
  Reader r;
  if (!open_streams(bytes, [&](std::size_t i, std::string_view s) { r.set(i, s); })) return false;
  binary::TableCoder<Reader>(r, unit).head();
  headers.clear();
  for (StrId h : unit.headers) {
    if (h >= unit.strings.size()) return false;
    headers.push_back(unit.strings[h]);
  }
  return r.ok();
}

std::vector<std::size_t> seams(std::span<const std::byte> bytes) {
  // Shorter pieces cost more in tables of the compressor than they gain.
  constexpr std::size_t kShort = 1500;
  std::vector<std::size_t> r;
  auto* start = reinterpret_cast<const char*>(bytes.data());
  auto add = [&](const char* at) {
    auto offset = static_cast<std::size_t>(at - start);
    if (offset != 0 && offset != bytes.size() && (r.empty() || r.back() != offset)) r.push_back(offset);
  };
  auto each = [&](std::size_t, std::string_view s) {
    if (s.size() < kShort) return;
    add(s.data());
    add(s.data() + s.size());
  };
  if (!open_streams(bytes, each)) r.clear();
  return r;
}

}  // namespace reckon::model
