// What other commands than check read of strangers: introspection data, reports, settings, names of files.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/cli_helper.h"

namespace reckon::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kThings =
    "domain thing\ncheck leaks\nfn thing_new() -> new | NULL\nfn thing_unref(t) -> void t-1\n";

class Strangers : public testing::Test {
 protected:
  std::string file(const std::string& name) {
    std::ifstream in(box_.path(name), std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  // A .gir file with one function that gives a new object.
  void write_gir(const std::string& name, const std::string& space, const std::string& function,
                 const std::string& include = "") {
    box_.write(name + ".gir",
               "<repository>" + (include.empty() ? "" : "<include name='" + include + "' version='1.0'/>") +
                   "<namespace name='" + space + "' version='1.0'><class name='A'/><function name='f' c:identifier='" +
                   function +
                   "'><return-value transfer-ownership='full'><type name='A' c:type='A*'/></return-value></function>"
                   "</namespace></repository>");
  }
  RunResult import_gir(const std::string& name) { return run(box_, {"import", "gir", name, "-o", "out.spec"}); }
  static bool is_clean(const std::string& text) { return text.find('\033') == std::string::npos; }
  Sandbox box_;
};

TEST_F(Strangers, IntrospectionDataThatRefersToItself) {
  write_gir("A-1.0", "A", "a_new", "B");
  write_gir("B-1.0", "C", "c_new", "B");  // under another name than it is asked for by
  const RunResult r = import_gir("A-1.0.gir");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(file("out.spec"), "fn a_new() -> new\n")) << file("out.spec");
}

TEST_F(Strangers, IntrospectionDataOfManyFiles) {
  for (int i = 0; i < 3000; ++i) {
    const std::string next = "N" + std::to_string(i + 1);
    write_gir("N" + std::to_string(i) + "-1.0", "N" + std::to_string(i), "n_new", i + 1 < 3000 ? next : "");
  }
  const RunResult r = shell(box_, "ulimit -s 512; \"$RECKON\" import gir N0-1.0.gir -o out.spec");
  EXPECT_EQ(r.code, 0) << r.err;
}

TEST_F(Strangers, NamesInIntrospectionDataAreNoLines) {
  write_gir("A-1.0", "A", "ok_new");
  write_gir("X-1.0", "A", "f&#10;fn forged() -> new&#10;fn g");
  EXPECT_EQ(import_gir("X-1.0.gir").code, 0);
  EXPECT_FALSE(contains(file("out.spec"), "forged")) << file("out.spec");
  write_gir("X-1.0", "A&#10;check leaks", "ok_new");
  const RunResult r = import_gir("X-1.0.gir");
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "no library has")) << r.err;
  box_.write("X-1.0.gir",
             "<repository><namespace name='A' version='1'><class name='A'/><function name='f' c:identifier='f'>"
             "<return-value transfer-ownership='full'><type name='A' c:type='A*'/></return-value><parameters>"
             "<parameter name='x&#10;y)' transfer-ownership='full' closure='99999999999' destroy='2147483647'>"
             "<type name='A' c:type='A*'/></parameter></parameters></function></namespace></repository>");
  EXPECT_EQ(import_gir("X-1.0.gir").code, 0);
  EXPECT_TRUE(contains(file("out.spec"), "fn f(a0) -> new steals a0\n")) << file("out.spec");
}

TEST_F(Strangers, EntitiesThatGrowAreAnError) {
  std::string text = "<!DOCTYPE r [<!ENTITY a0 '" + std::string(1000, 'x') + "'>";
  for (int i = 1; i < 10; ++i) {
    text += "<!ENTITY a" + std::to_string(i) + " '";
    for (int k = 0; k < 10; ++k) text += "&a" + std::to_string(i - 1) + ";";
    text += "'>";
  }
  box_.write("bomb.gir", text + "]><repository><namespace name='A' version='1'>&a9;</namespace></repository>");
  const RunResult r = import_gir("bomb.gir");
  EXPECT_EQ(r.code, 2);
  EXPECT_TRUE(contains(r.err, "amplification")) << r.err;
}

TEST_F(Strangers, PipesInPlaceOfDataAreRefused) {
  const RunResult r = shell(box_,
                            "mkfifo pipe; echo '{}' >report; for c in 'import gir pipe -o x.spec' 'diff pipe report' "
                            "'diff report /dev/zero' 'spec check pipe'; do timeout 20 \"$RECKON\" $c; "
                            "test $? = 2 || echo \"wrong: $c\"; done");
  EXPECT_EQ(r.out, "") << r.err;
}

// Names of databases, files and specs in what other commands print.
TEST_F(Strangers, NamesForgeNoLinesOfOtherCommands) {
  box_.write("setup.py", "");
  box_.write("reckon.toml", "database = [\"x\\u001b[31m\\nforged\"]\n");
  box_.write("x\nforged\033[31m.spec", kThings);
  box_.write("x\nforged\033[31m.c",
             "void *Rf_allocVector(unsigned, long);\nvoid *f(void) { return Rf_allocVector(1, 1); }\n");
  box_.write("none.toml", "");
  box_.write("before.json", "");
  box_.write(
      "after.json",
      "{\"check\":\"a\\u001b\",\"fingerprint\":\"1\",\"message\":\"b\\nforged\",\"location\":{\"file\":\"c\\nforged\","
      "\"line\":1}}\n");
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"doctor"},
        {"spec", "show", "--config", "none.toml", "--specs", "x\nforged\033[31m.spec", "thing_new"},
        {"annotate", "--config", "none.toml", "--no-cache", "--domain", "r", "x\nforged\033[31m.c"},
        {"diff", "before.json", "after.json"}}) {
    const RunResult r = run(box_, command);
    EXPECT_TRUE(contains(r.out, "forged")) << command[0] << r.out << r.err;  // it is told
    EXPECT_FALSE(contains("\n" + r.out + "\n" + r.err, "\nforged")) << command[0] << r.out << r.err;
    EXPECT_TRUE(is_clean(r.out + r.err)) << command[0] << r.out << r.err;
  }
}

TEST_F(Strangers, NamesOfHeadersAreNoLinesOfAMinedSpec) {
  box_.write("a.c",
             "#line 1 \"x\\ncheck forged.h\"\nstruct obj;\nstruct obj *obj_new(void);\nvoid obj_free(struct obj *o);\n"
             "int use(void) { struct obj *o = obj_new(); obj_free(o); return 0; }\n");
  const RunResult r = run(box_, {"mine", "--no-cache", "-o", "out.spec", "a.c"});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(file("out.spec"), "fn obj_new()")) << file("out.spec");
  EXPECT_FALSE(contains(file("out.spec"), "forged")) << file("out.spec");
}

// The limit is CPU time: pairs of all findings with all others would take ten times as much.
TEST_F(Strangers, ManyFindingsAreCompared) {
  for (const std::string name : {"before", "after"}) {
    std::string text;
    for (int i = 0; i < 60'000; ++i)
      text += "{\"check\":\"c\",\"fingerprint\":\"" + name + std::to_string(i) + "\",\"location\":{\"file\":\"" + name +
              ".c\",\"line\":1}}\n";
    box_.write(name + ".json", text);
  }
  const RunResult r = shell(box_, "ulimit -t 20; \"$RECKON\" diff before.json after.json | tail -n 1");
  EXPECT_EQ(r.out, "60000 new, 60000 gone, 0 as before\n") << r.err;
}

}  // namespace
}  // namespace reckon::cli
