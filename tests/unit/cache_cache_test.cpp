#include "cache/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "cache/entry.h"
#include "cache/manifest.h"
#include "model/canonical.h"
#include "model_sample.h"

namespace reckon::cache {
namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t kLimit = std::uint64_t{1} << 30;

class CacheTest : public testing::Test {
 protected:
  CacheTest() {
    char name[] = "/tmp/reckon-cache-XXXXXX";
    root_ = ::mkdtemp(name);
    dir_ = root_ + "/deep/cache";
    write("main.c", "int main;");
    write("a.h", "int a;");
  }
  ~CacheTest() override {
    std::error_code ignored;
    fs::permissions(root_, fs::perms::owner_all, ignored);
    fs::remove_all(root_, ignored);
  }

  std::string file(const std::string& name) const { return root_ + "/" + name; }
  void write(const std::string& name, const std::string& text) const { std::ofstream(file(name)) << text; }
  std::vector<std::string> deps() const { return {file("main.c"), file("a.h"), file("absent.h"), "/dev/null"}; }

  // Sets the time stamp of the content; the kernel sets the time of change to now.
  void set_time(const std::string& path, std::int64_t seconds_ago) const {
    struct timespec t[2];
    ::clock_gettime(CLOCK_REALTIME, &t[0]);
    t[0].tv_sec -= seconds_ago;
    t[1] = t[0];
    ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), t, 0), 0);
  }

  // A file changed in the very moment a Cache is made does not count as settled; the clock of files is coarse.
  static void next_tick() { ::usleep(20000); }

  std::vector<std::string> entries(const std::string& ending = "") const {
    std::vector<std::string> r;
    for (const auto& e : fs::recursive_directory_iterator(dir_)) {
      std::string p = e.path().string();
      if (e.is_regular_file() && p.ends_with(ending) && !p.ends_with("/usage")) r.push_back(p);
    }
    std::sort(r.begin(), r.end());
    return r;
  }

  std::string store(const std::string& request, const model::Unit& u = model::sample::unit()) const {
    next_tick();
    Cache c({dir_, kLimit, {}});
    std::string key;
    EXPECT_TRUE(c.store(request, deps(), u, {{"-fgcse", "-mfoo"}}, key)) << c.problem();
    EXPECT_EQ(c.problem(), "");
    return key;
  }

  std::optional<std::string> lookup(const std::string& request) const {
    next_tick();
    Cache c({dir_, kLimit, {}});
    return c.lookup(request, file("main.c"));
  }

  std::string root_, dir_;
};

TEST_F(CacheTest, StoredUnitComesBack) {
  std::string key = store("request");
  EXPECT_EQ(key.size(), 64u);
  Cache c({dir_, kLimit, {}});
  ASSERT_EQ(c.lookup("request", file("main.c")), key);
  model::Unit u;
  UnitMeta meta;
  ASSERT_TRUE(c.load(key, u, meta)) << c.problem();
  EXPECT_TRUE(model::identical(u, model::canonical(model::sample::unit())));
  EXPECT_EQ(meta.dropped_flags, (std::vector<std::string>{"-fgcse", "-mfoo"}));
  EXPECT_EQ(c.lookup("other request", file("main.c")), std::nullopt);
  EXPECT_FALSE(c.load("other key", u, meta));
  EXPECT_EQ(c.problem(), "");
}

TEST_F(CacheTest, RequestKeysDiffer) {
  auto key = [](std::string_view d, std::string_view f, std::vector<std::string> a, std::string_view v) {
    return Cache::request_key(d, f, a, v);
  };
  std::string k = key("/d", "f.c", {"-O2", "-g"}, "1");
  EXPECT_EQ(k, key("/d", "f.c", {"-O2", "-g"}, "1"));
  EXPECT_NE(k, key("/e", "f.c", {"-O2", "-g"}, "1"));
  EXPECT_NE(k, key("/d", "g.c", {"-O2", "-g"}, "1"));
  EXPECT_NE(k, key("/d", "f.c", {"-O2-g"}, "1"));
  EXPECT_NE(k, key("/d", "f.c", {"-g", "-O2"}, "1"));
  EXPECT_NE(k, key("/d", "f.c", {"-O2", "-g"}, "2"));
  EXPECT_NE(key("/d", "", {}, ""), key("/", "d", {}, ""));
}

TEST_F(CacheTest, ChangedHeaderMisses) {
  std::string key = store("request");
  EXPECT_EQ(lookup("request"), key);
  write("a.h", "int b;");  // the same size
  EXPECT_EQ(lookup("request"), std::nullopt);
  write("a.h", "int a;");
  EXPECT_EQ(lookup("request"), key);
  write("a.h", "int a; ");
  EXPECT_EQ(lookup("request"), std::nullopt);
}

TEST_F(CacheTest, AnEarlierTextOfTheSourceFindsItsUnitAgain) {
  model::Unit unit = model::sample::unit();
  unit.path = file("main.c");
  const std::string first = store("request", unit);
  write("main.c", "int other;");
  EXPECT_EQ(lookup("request"), std::nullopt);
  unit.language = unit.language == model::Language::C ? model::Language::Cxx : model::Language::C;
  const std::string second = store("request", unit);
  EXPECT_NE(first, second);
  EXPECT_EQ(lookup("request"), second);
  write("main.c", "int main;");
  EXPECT_EQ(lookup("request"), first);
  EXPECT_EQ(lookup("request"), first);  // by the manifest of the request itself, this time
  write("a.h", "int b;");
  EXPECT_EQ(lookup("request"), std::nullopt);
}

TEST_F(CacheTest, ATextThatDoesNotLieOnDisk) {
  model::Unit unit = model::sample::unit();
  unit.path = file("main.c");
  const std::string now = store("request", unit);
  const std::map<std::string, std::string> before = {{file("main.c"), "int before;"}, {file("a.h"), "int b;"}};
  next_tick();
  std::string then;
  unit.language = unit.language == model::Language::C ? model::Language::Cxx : model::Language::C;
  {
    Cache c({dir_, kLimit, {}}, &before);
    EXPECT_EQ(c.lookup("request", file("main.c")), std::nullopt);
    EXPECT_TRUE(c.store("request", deps(), unit, {}, then)) << c.problem();
  }
  EXPECT_NE(now, then);
  Cache again({dir_, kLimit, {}}, &before);
  EXPECT_EQ(again.lookup("request", file("main.c")), then);
  EXPECT_EQ(lookup("request"), now);  // what lies on disk is what it was
  const std::map<std::string, std::string> as_now = {{file("main.c"), "int main;"}};
  Cache same({dir_, kLimit, {}}, &as_now);
  EXPECT_EQ(same.lookup("request", file("main.c")), now);
  write("main.c", "int before;");
  write("a.h", "int b;");
  EXPECT_EQ(lookup("request"), then);
}

TEST_F(CacheTest, ChangedHeaderWithItsOldTimeMisses) {
  set_time(file("a.h"), 1000);
  struct stat st;
  ASSERT_EQ(::stat(file("a.h").c_str(), &st), 0);
  store("request");
  write("a.h", "int b;");
  struct timespec t[2] = {st.st_mtim, st.st_mtim};
  ASSERT_EQ(::utimensat(AT_FDCWD, file("a.h").c_str(), t, 0), 0);
  EXPECT_EQ(lookup("request"), std::nullopt);
}

TEST_F(CacheTest, SameTextWithAnotherTimeHits) {
  std::string key = store("request");
  set_time(file("a.h"), 5000);
  EXPECT_EQ(lookup("request"), key);
  fs::remove(file("main.c"));
  write("main.c", "int main;");
  EXPECT_EQ(lookup("request"), key);
}

TEST_F(CacheTest, FileThatAppearsOrGoesMisses) {
  std::string key = store("request");
  write("absent.h", "");
  EXPECT_EQ(lookup("request"), std::nullopt);
  fs::remove(file("absent.h"));
  EXPECT_EQ(lookup("request"), key);
  fs::remove(file("a.h"));
  EXPECT_EQ(lookup("request"), std::nullopt);
}

TEST_F(CacheTest, FileChangedDuringTheRunGetsNoManifest) {
  next_tick();
  Cache c({dir_, kLimit, {}});
  next_tick();
  write("a.h", "int c;");  // the compiler may have seen either text
  std::string key;
  EXPECT_TRUE(c.store("request", deps(), model::sample::unit(), {}, key));
  EXPECT_EQ(lookup("request"), std::nullopt);
  EXPECT_EQ(entries(".u").size(), 1u);
}

// A fresh file is compared by content, and once that has succeeded late enough its time is trusted.
TEST_F(CacheTest, YoungFilesAreReadAgainAndThenTrusted) {
  std::string key = store("request");
  std::string manifest = entries(".m").at(0);
  auto seen = [&](const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(in)), {}), payload;
    Manifest m;
    EXPECT_TRUE(unpack("mrequest", bytes, payload) && m.decode(payload));
    return m.seen;
  };
  std::int64_t before = seen(manifest);
  EXPECT_EQ(lookup("request"), key);
  EXPECT_GT(seen(manifest), before);  // by content, and noted
  bool trusted = false;
  for (int tenths = 0; tenths < 100 && !trusted; ++tenths) {
    ::usleep(100'000);
    before = seen(manifest);
    EXPECT_EQ(lookup("request"), key);
    trusted = seen(manifest) == before;
  }
  EXPECT_TRUE(trusted);
}

// The paths are in the unit already, so the manifest need not repeat them.
TEST_F(CacheTest, FilesThatTheUnitNames) {
  model::Unit u = model::sample::unit();
  u.headers.clear();
  for (const std::string& d : deps()) u.headers.push_back(model::sample::intern(u, d));
  std::string key = store("request", u);
  std::string with_list = store("listed");
  EXPECT_EQ(lookup("listed"), with_list);
  auto manifests = entries(".m");
  ASSERT_EQ(manifests.size(), 2u);
  EXPECT_NE(fs::file_size(manifests[0]), fs::file_size(manifests[1]));
  Cache c({dir_, kLimit, {}});
  model::Unit loaded;
  UnitMeta meta;
  EXPECT_EQ(c.lookup("request", file("main.c")), key);
  EXPECT_TRUE(c.load(key, loaded, meta));
  EXPECT_TRUE(c.load(with_list, loaded, meta));
  EXPECT_TRUE(c.load(key, loaded, meta));
  write("a.h", "int b;");
  EXPECT_EQ(lookup("request"), std::nullopt);
  write("a.h", "int a;");
  EXPECT_EQ(lookup("request"), key);
  for (const std::string& p : entries(".u")) fs::remove(p);
  EXPECT_EQ(lookup("request"), std::nullopt);
}

TEST_F(CacheTest, EqualUnitsShareAnEntry) {
  EXPECT_EQ(store("one"), store("two"));
  EXPECT_EQ(entries(".u").size(), 1u);
  EXPECT_EQ(entries(".m").size(), 2u);
  model::Unit other = model::sample::unit();
  other.functions[0].loc.line++;
  EXPECT_NE(store("three", other), store("one"));
  EXPECT_EQ(entries(".u").size(), 2u);
}

TEST_F(CacheTest, DamagedEntryIsNoticedAndDeleted) {
  std::string key = store("request");
  std::string path = entries(".u").at(0);
  auto size = static_cast<std::size_t>(fs::file_size(path));
  std::string good(size, '\0');
  std::ifstream(path, std::ios::binary).read(good.data(), static_cast<std::streamsize>(size));
  model::Unit u;
  UnitMeta meta;
  for (std::size_t at = 0; at <= size; at += at < 56 ? 1 : 37) {
    std::string bad = good;
    if (at < size) {
      bad[at] = static_cast<char>(bad[at] ^ 4);
    } else {
      bad.resize(size / 2);
    }
    std::ofstream(path, std::ios::binary) << bad;
    Cache c({dir_, kLimit, {}});
    EXPECT_FALSE(c.load(key, u, meta)) << at;
    EXPECT_FALSE(fs::exists(path)) << at;
  }
  std::ofstream{path};  // empty
  Cache c({dir_, kLimit, {}});
  EXPECT_FALSE(c.load(key, u, meta));
  EXPECT_FALSE(fs::exists(path));
  EXPECT_EQ(store("request"), key);  // made again
  EXPECT_TRUE(c.load(key, u, meta));
}

TEST_F(CacheTest, EntryInTheWrongPlaceIsDamaged) {
  next_tick();
  Cache c({dir_, kLimit, {}});
  ASSERT_TRUE(c.store_blob("one", "first"));
  std::string one = entries(".b").at(0);
  ASSERT_TRUE(c.store_blob("two", "second"));
  for (const std::string& p : entries(".b")) {
    if (p != one) fs::copy_file(p, one, fs::copy_options::overwrite_existing);
  }
  std::string bytes;
  EXPECT_FALSE(c.load_blob("one", bytes));
  EXPECT_FALSE(fs::exists(one));
}

// A folder that others can write, too: what was written with another secret, or none, is not taken, wherever it lies.
TEST_F(CacheTest, EntriesOfOthersAreNotBelieved) {
  next_tick();
  const Place ours{dir_, kLimit, support::strong_hash("ours")}, theirs{dir_, kLimit, support::strong_hash("theirs")};
  const Place nobodys{dir_, kLimit, {}};
  std::string bytes;
  ASSERT_TRUE(Cache(ours).store_blob("one", "true"));
  const std::string place = entries(".b").at(0);
  for (const Place& other : {theirs, nobodys}) {
    Cache liar(other);
    EXPECT_FALSE(liar.load_blob("one", bytes));
    ASSERT_TRUE(liar.store_blob("one", "false"));
    EXPECT_TRUE(Cache(ours).load_blob("one", bytes));
    EXPECT_EQ(bytes, "true");
    for (const std::string& p : entries(".b"))
      if (p != place) fs::rename(p, place);  // a valid checksum, of another
    Cache c(ours);
    EXPECT_FALSE(c.load_blob("one", bytes));
    EXPECT_EQ(c.damaged(), 1u);
    EXPECT_FALSE(fs::exists(place));
    ASSERT_TRUE(c.store_blob("one", "true"));
  }
}

TEST_F(CacheTest, DamagedManifestIsDeleted) {
  store("request");
  std::string path = entries(".m").at(0);
  std::ofstream(path) << "garbage";
  EXPECT_EQ(lookup("request"), std::nullopt);
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(CacheTest, Blobs) {
  Cache c({dir_, kLimit, {}});
  std::string bytes = "old";
  EXPECT_FALSE(c.load_blob("../../etc/key \xff with / anything", bytes));
  std::string big(300000, 'x');
  EXPECT_TRUE(c.store_blob("../../etc/key \xff with / anything", big));
  EXPECT_TRUE(c.store_blob("empty", ""));
  EXPECT_TRUE(c.load_blob("../../etc/key \xff with / anything", bytes));
  EXPECT_EQ(bytes, big);
  EXPECT_TRUE(c.load_blob("empty", bytes));
  EXPECT_EQ(bytes, "");
  EXPECT_TRUE(c.store_blob("empty", "no more"));
  EXPECT_TRUE(c.load_blob("empty", bytes));
  EXPECT_EQ(bytes, "no more");
}

TEST_F(CacheTest, NoFolderNoCache) {
  Cache c({"", kLimit, {}});
  EXPECT_FALSE(c.enabled());
  EXPECT_EQ(c.problem(), "");
  std::string key = "x", bytes;
  EXPECT_TRUE(c.store("request", deps(), model::sample::unit(), {}, key));
  EXPECT_EQ(key, "");
  EXPECT_EQ(c.lookup("request", file("main.c")), std::nullopt);
  EXPECT_TRUE(c.store_blob("k", "v"));
  EXPECT_FALSE(c.load_blob("k", bytes));
  c.evict();
}

TEST_F(CacheTest, FileInsteadOfFolder) {
  Cache a({file("main.c"), kLimit, {}}), b({file("main.c") + "/sub", kLimit, {}});
  EXPECT_FALSE(a.enabled());
  EXPECT_NE(a.problem().find("Not a directory"), std::string::npos) << a.problem();
  EXPECT_FALSE(b.enabled());
  EXPECT_NE(b.problem().find("Not a directory"), std::string::npos) << b.problem();
}

// As a user without rights; the test may run as one who has them all, who becomes somebody else in a child.
TEST_F(CacheTest, ReadOnlyFolder) {
  store("request");
  fs::permissions(root_,
                  fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read | fs::perms::others_exec);
  fs::permissions(dir_ + "/tmp",
                  fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read | fs::perms::others_exec);
  pid_t child = ::fork();
  if (child == 0) {
    if (::geteuid() == 0 && ::seteuid(65534) != 0) ::_exit(9);
    Cache existing({dir_, kLimit, {}}), fresh({root_ + "/new/folder", kLimit, {}});
    bool good = !existing.enabled() && existing.problem().find("Permission denied") != std::string::npos &&
                !fresh.enabled() && fresh.problem().find("Permission denied") != std::string::npos &&
                existing.lookup("request", file("main.c")) == std::nullopt;
    ::_exit(good ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  fs::permissions(dir_ + "/tmp", fs::perms::owner_all);
}

// A limit on the size of files makes write() fail half way, as a full disk does.
TEST_F(CacheTest, DiskRefuses) {
  next_tick();
  pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit = {200, 200};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    Cache c({dir_, kLimit, {}});
    std::string key;
    bool refused = !c.store("request", deps(), model::sample::unit(), {}, key);
    bool told = c.problem().find("File too large") != std::string::npos;
    bool on = c.enabled() && c.store_blob("small", "fits");
    ::_exit(refused && told && on ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(entries().size(), 1u);  // the small one; no part of the other, not even under tmp/
  EXPECT_EQ(lookup("request"), std::nullopt);
}

TEST_F(CacheTest, FullDisk) {
  std::string mount = root_ + "/tiny";
  fs::create_directory(mount);
  if (::mount("tmpfs", mount.c_str(), "tmpfs", 0, "size=64k") != 0) GTEST_SKIP() << "needs the right to mount";
  std::string problem;
  int stored = 0;
  {
    Cache c({mount, kLimit, {}});
    std::string noise(6000, '\0');
    for (std::size_t i = 0; i < noise.size(); ++i) noise[i] = static_cast<char>(i * i * 2654435761u >> 13);
    for (int i = 0; i < 50; ++i) {
      noise[0] = static_cast<char>(i);
      stored += c.store_blob("blob " + std::to_string(i), noise) ? 1 : 0;
    }
    problem = c.problem();
    int loaded = 0;
    for (int i = 0; i < 50; ++i) {
      std::string bytes;
      noise[0] = static_cast<char>(i);
      if (c.load_blob("blob " + std::to_string(i), bytes)) loaded += bytes == noise ? 1 : 1000;
    }
    EXPECT_EQ(loaded, stored);
    EXPECT_TRUE(fs::is_empty(mount + "/tmp"));
  }
  EXPECT_GT(stored, 2);
  EXPECT_LT(stored, 50);
  EXPECT_NE(problem.find("No space left"), std::string::npos) << problem;
  ::umount(mount.c_str());
}

TEST_F(CacheTest, TwoProcessesAtOnce) {
  next_tick();
  auto work = [&](int seed) {
    int bad = 0;
    Cache c({dir_, 300000, {}});
    for (int i = 0; i < 150; ++i) {
      std::string name = "key " + std::to_string((i * 7 + seed) % 20);
      std::string bytes, expected = name + std::string(3000, 'x');
      if (c.load_blob(name, bytes) && bytes != expected) ++bad;
      if (!c.store_blob(name, expected)) ++bad;
      std::string key;
      if (!c.store("request", deps(), model::sample::unit(), {}, key)) ++bad;
      if (i % 50 == 49) c.evict();
      auto hit = c.lookup("request", file("main.c"));
      model::Unit u;
      UnitMeta meta;
      if (hit && (*hit != key || (c.load(*hit, u, meta) && u.functions.size() != 2))) ++bad;
    }
    return bad;
  };
  pid_t child = ::fork();
  if (child == 0) ::_exit(work(1) == 0 ? 0 : 1);
  EXPECT_EQ(work(2), 0);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(fs::is_empty(dir_ + "/tmp"));
}

TEST_F(CacheTest, KilledWriterLeavesNothingVisible) {
  ASSERT_TRUE(Cache({dir_, kLimit, {}}).enabled());
  for (int round = 0; round < 20; ++round) {
    pid_t child = ::fork();
    if (child == 0) {
      Cache c({dir_, kLimit, {}});
      for (int i = 0;; ++i) c.store_blob("key " + std::to_string(i % 3), std::string(50000 + i, static_cast<char>(i)));
    }
    ::usleep(2000 + 1000 * round);
    ::kill(child, SIGKILL);
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    std::size_t before = entries(".b").size(), found = 0;
    Cache c({dir_, kLimit, {}});
    for (int i = 0; i < 3; ++i) {
      std::string bytes;
      if (!c.load_blob("key " + std::to_string(i), bytes)) continue;
      ++found;
      EXPECT_GE(bytes.size(), 50000u);
      EXPECT_EQ(bytes, std::string(bytes.size(), bytes[0]));
    }
    EXPECT_EQ(found, before);  // none was damaged
  }
  // What the killed left behind goes after an hour.
  write("deep/cache/tmp/1-1", "half a file");
  write("deep/cache/tmp/1-2", "being written");
  set_time(dir_ + "/tmp/1-1", 4000);
  Cache c({dir_, 1000, {}});
  c.evict();
  EXPECT_FALSE(fs::exists(dir_ + "/tmp/1-1"));
  EXPECT_TRUE(fs::exists(dir_ + "/tmp/1-2"));
}

TEST_F(CacheTest, EvictionTakesTheLeastRecentlyUsed) {
  std::string noise(4000, '\0');
  for (std::size_t i = 0; i < noise.size(); ++i) noise[i] = static_cast<char>(i * i * 2654435761u >> 13);
  auto name = [](int i) { return "blob " + std::to_string(i); };
  {
    Cache c({dir_, kLimit, {}});
    for (int i = 0; i < 20; ++i) {
      noise[0] = static_cast<char>(i);
      std::vector<std::string> before = entries(".b");
      ASSERT_TRUE(c.store_blob(name(i), noise));
      for (const std::string& p : entries(".b")) {
        if (std::find(before.begin(), before.end(), p) == before.end()) set_time(p, 200000 - i * 1000);
      }
    }
    c.evict();  // far below the limit
    EXPECT_EQ(entries(".b").size(), 20u);
    std::string bytes;
    EXPECT_TRUE(c.load_blob(name(3), bytes));  // used after more than a day: young again
  }
  Cache c({dir_, 60000, {}});
  c.evict();
  std::uintmax_t total = 0;
  for (const std::string& p : entries()) total += fs::file_size(p);
  EXPECT_LE(total, 60000u);
  EXPECT_GT(total, 40000u);
  std::string bytes;
  EXPECT_TRUE(c.load_blob(name(3), bytes));
  EXPECT_TRUE(c.load_blob(name(19), bytes));
  EXPECT_FALSE(c.load_blob(name(0), bytes));
  EXPECT_FALSE(c.load_blob(name(4), bytes));
}

TEST_F(CacheTest, KnownSizeSavesTheScan) {
  Cache c({dir_, 10 * 1000 * 1000, {}});
  ASSERT_TRUE(c.store_blob("one", std::string(1000, 'x')));
  c.evict();
  ASSERT_TRUE(fs::exists(dir_ + "/usage"));
  // Something large that this run did not write is not seen while the known size says that there is room ...
  std::string stray = dir_ + "/00";
  fs::create_directory(stray);
  std::ofstream(stray + "/stray.b") << std::string(20 * 1000 * 1000, 'x');
  ASSERT_TRUE(c.store_blob("two", "x"));
  c.evict();
  EXPECT_TRUE(fs::exists(stray + "/stray.b"));
  // ... but when nothing is known.
  fs::remove(dir_ + "/usage");
  set_time(stray + "/stray.b", 1000);
  c.evict();
  EXPECT_FALSE(fs::exists(stray + "/stray.b"));
  std::string bytes;
  EXPECT_TRUE(c.load_blob("two", bytes));
}

TEST(CacheManifest, ComesBackAndRefusesGarbage) {
  Manifest m, r;
  m.files = {"/usr/include/a.h", "/usr/include/ab.h", "/usr/include/a.h", "", "/x"};
  m.states = support::strong_hash("states");
  m.contents = support::strong_hash("contents");
  m.seen = 1234567890123456789;
  m.content_key = "key";
  std::string bytes = m.encode();
  ASSERT_TRUE(r.decode(bytes));
  EXPECT_EQ(r.files, m.files);
  EXPECT_EQ(r.states, m.states);
  EXPECT_EQ(r.contents, m.contents);
  EXPECT_EQ(r.seen, m.seen);
  EXPECT_EQ(r.content_key, m.content_key);
  for (std::size_t n = 0; n < bytes.size(); ++n) EXPECT_FALSE(r.decode(bytes.substr(0, n)));
  EXPECT_FALSE(r.decode(bytes + "x"));
}

}  // namespace
}  // namespace reckon::cache
