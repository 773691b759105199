#include "model/binary.h"

#include <gtest/gtest.h>

#include <random>

#include "model/canonical.h"
#include "model/text.h"
#include "model/verify.h"
#include "model_sample.h"

namespace reckon::model {
namespace {

std::span<const std::byte> bytes_of(const std::string& s) { return std::as_bytes(std::span(s)); }

TEST(ModelBinary, SampleComesBack) {
  Unit u = canonical(sample::unit()), r;
  ASSERT_TRUE(decode(bytes_of(encode(u)), r));
  EXPECT_TRUE(identical(u, r)) << print(r);
}

TEST(ModelBinary, EmptyUnitComesBack) {
  Unit u, r;
  u.strings = {""};
  u.types.resize(1);
  r.path = "left over";
  ASSERT_TRUE(decode(bytes_of(encode(u)), r));
  EXPECT_TRUE(identical(u, r));
}

TEST(ModelBinary, EqualUnitsGiveEqualBytes) {
  Unit a = sample::unit();
  Unit b = canonical(a);
  EXPECT_EQ(encode(a), encode(b));
  b.functions[0].body.instrs[3].loc.col++;
  EXPECT_NE(encode(a), encode(b));
}

TEST(ModelBinary, ExtremeNumbersComeBack) {
  Unit u = canonical(sample::unit()), r;
  u.types[sample::kObject].size = UINT64_MAX;
  u.types[sample::kObject].fields[0].offset = UINT64_MAX;
  u.types[sample::kObject].fields[1].offset = 0;
  u.types[sample::kObject].fields[2].offset = INT64_MAX;
  u.constants[1].imm = INT64_MIN;
  u.pointer_size = UINT32_MAX;
  u.functions[0].loc.line = UINT32_MAX;
  u.functions[0].end.line = 0;
  u.functions[0].body.instrs[5].imm = INT64_MIN;
  u.functions[0].body.instrs[6].imm = INT64_MAX;
  u.functions[0].body.instrs[2].loc = {u.headers[1], UINT32_MAX, UINT32_MAX, StrId(3)};
  u.symbols[0].attributes = {{StrId(1), StrId(2), {INT64_MIN, INT64_MAX, 0}}};
  ASSERT_TRUE(decode(bytes_of(encode(u)), r));
  EXPECT_TRUE(identical(u, r));
}

TEST(ModelBinary, HeadersAlone) {
  std::vector<std::string> headers = {"left over"};
  std::string good = encode(sample::unit());
  ASSERT_TRUE(decode_headers(bytes_of(good), headers));
  EXPECT_EQ(headers, (std::vector<std::string>{"/src/dir with space/\xc3\xa4.c", "/usr/include/x.h"}));
  EXPECT_FALSE(decode_headers(bytes_of(good.substr(1)), headers));
  EXPECT_FALSE(decode_headers({}, headers));
}

TEST(ModelBinary, SeamsAreInOrderAndInside) {
  Unit u = sample::unit();
  EXPECT_TRUE(seams(bytes_of(encode(u))).empty());  // all is small
  for (int i = 0; i < 400; ++i) u.strings.push_back("a string number " + std::to_string(i));
  std::string bytes = encode(u);
  std::vector<std::size_t> cuts = seams(bytes_of(bytes));
  ASSERT_EQ(cuts.size(), 2u);
  EXPECT_LT(cuts[0], cuts[1]);
  EXPECT_EQ(bytes.substr(cuts[0], u.path.size()), u.path);
  EXPECT_LT(cuts[1], bytes.size());
  EXPECT_TRUE(seams(bytes_of("no unit")).empty());
}

TEST(ModelBinary, RefusesOtherFormatsAndVersions) {
  std::string good = encode(sample::unit());
  Unit r;
  std::string magic = good, version = good, longer = good + '\0';
  magic[0] = 'X';
  version[4] = 99;
  EXPECT_FALSE(decode(bytes_of(magic), r));
  EXPECT_FALSE(decode(bytes_of(version), r));
  EXPECT_FALSE(decode(bytes_of(longer), r));
  EXPECT_FALSE(decode({}, r));
}

TEST(ModelBinary, RefusesIndicesOutOfRange) {
  auto refused = [](auto damage) {
    Unit u = sample::unit(), r;
    damage(u);
    return !decode(bytes_of(encode(u)), r);
  };
  EXPECT_FALSE(refused([](Unit&) {}));
  EXPECT_TRUE(refused([](Unit& u) { u.types[3].elem = TypeId(500); }));
  EXPECT_TRUE(refused([](Unit& u) { u.symbols[1].name = StrId(500); }));
  EXPECT_TRUE(refused([](Unit& u) { u.constants[5].children[0] = ConstId(500); }));
  EXPECT_TRUE(refused([](Unit& u) { u.constants[5].children[0] = ConstId(5); }));  // itself
  EXPECT_TRUE(refused([](Unit& u) { u.functions[0].symbol = kNone; }));
  EXPECT_TRUE(refused([](Unit& u) { u.functions[0].body.targets[0] = BlockId(500); }));
  EXPECT_TRUE(refused([](Unit& u) { u.functions[0].body.operands[0].id = 500; }));
  EXPECT_TRUE(refused([](Unit& u) { u.functions[0].body.instrs[2].num_operands = 1; }));
  EXPECT_TRUE(refused([](Unit& u) { u.functions[0].body.blocks[3].count = 0; }));
  EXPECT_TRUE(refused([](Unit& u) { u.functions[0].body.instrs.back().op = Op::Opaque; }));
}

TEST(ModelBinary, TruncatedIsRefused) {
  std::string good = encode(sample::unit());
  Unit r;
  for (std::size_t n = 0; n < good.size(); ++n) {
    EXPECT_FALSE(decode(bytes_of(good.substr(0, n)), r)) << n;
  }
}

// Whatever is accepted must be safe to walk: print it, check it, encode it again.
TEST(ModelBinary, DamagedNeverCrashes) {
  const std::string good = encode(sample::unit());
  std::mt19937 random(12345);
  auto pick = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  int accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string bad = good;
    for (std::size_t k = 1 + pick(4); k > 0; --k) {
      std::size_t at = pick(bad.size());
      switch (pick(4)) {
        case 0: bad[at] = static_cast<char>(bad[at] ^ (1 << pick(8))); break;
        case 1: bad[at] = static_cast<char>(pick(256)); break;
        case 2: bad.erase(at, 1 + pick(8)); break;
        default: bad.insert(at, 1 + pick(8), static_cast<char>(pick(256))); break;
      }
      if (bad.empty()) bad = "R";
    }
    Unit r;
    std::vector<std::string> headers;
    decode_headers(bytes_of(bad), headers);
    seams(bytes_of(bad));
    if (!decode(bytes_of(bad), r)) continue;
    ++accepted;
    Unit again;
    EXPECT_TRUE(decode(bytes_of(encode(r)), again));
    EXPECT_TRUE(identical(r, again)) << "round " << round;
    verify(r);
    for (const Function& f : r.functions) EXPECT_FALSE(print(r, f).empty());
  }
  EXPECT_GT(accepted, 0);  // flipped letters of strings at least
}

TEST(ModelBinary, RandomBytesNeverCrash) {
  std::mt19937 random(999);
  const std::string head = encode(sample::unit()).substr(0, 5);
  for (int round = 0; round < 5000; ++round) {
    std::string bad = head;
    for (std::size_t n = random() % 300; n > 0; --n) bad.push_back(static_cast<char>(random()));
    Unit r;
    EXPECT_FALSE(decode(bytes_of(bad), r));
  }
}

}  // namespace
}  // namespace reckon::model
