#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "support/bytes.h"
#include "support/file.h"
#include "support/hash.h"
#include "support/strings.h"
#include "support/strong_hash.h"

namespace reckon::support {
namespace {

TEST(SupportStrings, Identifiers) {
  for (const char* good : {"a", "_x9", "$f", ".L1", "a.b"}) EXPECT_TRUE(is_identifier(good)) << good;
  for (const char* bad : {"", "9a", "a b", "a-b", "\xc3\xa4"}) EXPECT_FALSE(is_identifier(bad)) << bad;
}

TEST(SupportStrings, Utf8) {
  for (const char* good : {"", "abc", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80"})
    EXPECT_TRUE(is_utf8(good)) << good;
  for (const char* bad :
       {"\x80", "\xc3", "\xc3x", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xff"}) {
    EXPECT_FALSE(is_utf8(bad)) << bad;
  }
}

TEST(SupportStrings, QuotedComesBack) {
  EXPECT_EQ(quote("a\"\\\n\t\x01\xff"), R"("a\"\\\n\t\x01\xff")");
  EXPECT_EQ(quote("\xc3\xa4"), "\"\xc3\xa4\"");
  std::string every;
  for (int c = 0; c < 256; ++c) every.push_back(static_cast<char>(c));
  for (const std::string& s : {every, std::string("x\xc3\xa4\n"), std::string()}) {
    std::size_t length = 0;
    std::string q = quote(s);
    EXPECT_EQ(unquote(q + " rest", length), s);
    EXPECT_EQ(length, q.size());
  }
  std::size_t length = 0;
  for (const char* bad : {"", "x", "\"", "\"\\", "\"\\q\"", "\"\\x1\"", "\"\\x", "\"abc"}) {
    EXPECT_FALSE(unquote(bad, length)) << bad;
  }
}

TEST(SupportHash, PiecesAndWholesAgree) {
  Hasher h;
  h.bytes("ab", 2);
  h.bytes("c", 1);
  EXPECT_EQ(h.finish(), hash128("abc"));
  EXPECT_EQ(hash128("abc").hex().size(), 32u);
  Hasher a, b;
  a.text("ab");
  a.text("c");
  b.text("a");
  b.text("bc");
  EXPECT_NE(a.finish(), b.finish());
  EXPECT_EQ((Hash128{0x0123456789abcdef, 1}.hex()), "0123456789abcdef0000000000000001");
}

// Values of the test vectors that BLAKE3's authors publish: the bytes 0, 1, 2, and the key they use.
TEST(SupportStrongHash, IsBlake3) {
  EXPECT_EQ(strong_hash("").hex(), "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262");
  const std::string three("\0\1\2", 3);
  EXPECT_EQ(strong_hash(three).hex(), "e1be4d7a8ab5560aa4199eea339849ba8e293d55ca0a81006726d184519e647f");
  StrongHash key;
  const std::string_view words = "whats the Elvish word for friend";
  std::copy(words.begin(), words.end(), key.bytes.begin());
  EXPECT_EQ(strong_hash(three, key).hex(), "39e67b76b5a007d4921969779fe666da67b5213b096084ab674742f0d5ec62b9");
  StrongHasher a, b;
  a.text("ab");
  a.text("c");
  b.text("a");
  b.text("bc");
  EXPECT_NE(a.finish(), b.finish());
}

TEST(SupportBytes, NumbersAndTexts) {
  std::string s;
  for (std::uint64_t n : {std::uint64_t{0}, std::uint64_t{127}, std::uint64_t{128}, UINT64_MAX}) put_number(s, n);
  put_text(s, "text");
  ByteReader in(s);
  EXPECT_EQ(in.number(), 0u);
  EXPECT_EQ(in.number(), 127u);
  EXPECT_EQ(in.number(), 128u);
  EXPECT_EQ(in.number(), UINT64_MAX);
  EXPECT_EQ(in.text(), "text");
  EXPECT_TRUE(in.ok());
  EXPECT_EQ(in.number(), 0u);
  EXPECT_FALSE(in.ok());
  ByteReader too_long(std::string_view("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10));
  EXPECT_EQ(too_long.number(), 0u);
  EXPECT_FALSE(too_long.ok());
  ByteReader short_text(
      "\x05"
      "abc");
  EXPECT_EQ(short_text.text(), "");
  EXPECT_FALSE(short_text.ok());
}

TEST(SupportFile, WriteReadReplace) {
  char name[] = "/tmp/reckon-file-XXXXXX";
  std::string dir = ::mkdtemp(name), error;
  ASSERT_TRUE(make_folders(dir + "/a/b//c/", error)) << error;
  ASSERT_TRUE(make_folders(dir + "/a/b/c", error)) << error;
  std::string path = dir + "/a/file";
  EXPECT_TRUE(write_file(path, dir + "/a/b", "one", error)) << error;
  EXPECT_TRUE(write_file(path, dir + "/a/b", std::string(300000, 'x'), error)) << error;
  EXPECT_EQ(read_file(path, error), std::string(300000, 'x'));
  EXPECT_EQ(hash_file(path, error), strong_hash(std::string(300000, 'x')));
  {
    MappedFile m;
    EXPECT_EQ(m.open(path), 0);
    EXPECT_EQ(m.bytes(), std::string(300000, 'x'));
  }
  EXPECT_TRUE(write_file(path, dir + "/a/b", "", error));
  MappedFile empty;
  EXPECT_EQ(empty.open(path), 0);
  EXPECT_EQ(empty.bytes(), "");

  EXPECT_FALSE(read_file(dir + "/none", error));
  EXPECT_EQ(error, dir + "/none: No such file or directory");
  EXPECT_FALSE(write_file(dir + "/none/file", dir + "/a/b", "x", error));
  EXPECT_EQ(error, dir + "/none/file: No such file or directory");
  EXPECT_FALSE(make_folders(path + "/sub", error));
  EXPECT_EQ(error, path + "/sub: Not a directory");
  EXPECT_TRUE(std::filesystem::is_empty(dir + "/a/b/c"));
  EXPECT_FALSE(read_file(dir, error));
  std::filesystem::remove_all(dir);
}

}  // namespace
}  // namespace reckon::support
