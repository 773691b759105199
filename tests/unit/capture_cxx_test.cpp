// C++: exception edges, destructors, virtual calls, qualified names.
#include <cstdio>

#include "capture_fixture.h"

namespace reckon::capture {
namespace {

using model::Op;

class CaptureCxx : public CaptureTest {};

TEST_F(CaptureCxx, ACallThatMayThrowHasTwoWaysOut) {
  model::Unit u =
      cxx("void may(); void put(void *);\nstruct Guard { void *p; ~Guard() { put(p); } };\n"
          "int f(void *p) {\n  Guard g{p};\n  may();\n  return 1;\n}\n");
  EXPECT_EQ(u.language, model::Language::Cxx);
  const model::Function& f = function(u, "f");
  int invokes = 0, releases = 0;
  for (const model::Instr& i : all(f, Op::Call)) {
    if (callee(u, f, i) == "_Z3mayv" && i.num_targets == 2) ++invokes;
    if (callee(u, f, i) == "_ZN5GuardD2Ev") ++releases;
  }
  EXPECT_EQ(invokes, 1);
  EXPECT_EQ(releases, 2);  // on the way out and while unwinding
  EXPECT_EQ(all(f, Op::Landing).size(), 1u);
  EXPECT_EQ(all(f, Op::Resume).size(), 1u);
}

TEST_F(CaptureCxx, VirtualCallsNameTheMethod) {
  model::Unit u =
      cxx("namespace ns { struct Base { virtual int run(char, int); virtual ~Base(); }; }\n"
          "int f(ns::Base *b) { return b->run('c', 2); }\n");
  const model::Function& f = function(u, "f");
  std::optional<model::Instr> call = call_of(u, f, "");
  ASSERT_TRUE(call);
  const model::CallInfo& info = f.body.calls[call->aux];
  EXPECT_EQ(u.str(info.origin), "ns::Base::run");
  EXPECT_EQ(u.type(info.type).params.size(), 3u);
  EXPECT_EQ(info.arg_types.size(), 3u);
  EXPECT_EQ(f.body.ops(*call).size(), 4u);
}

TEST_F(CaptureCxx, NamesAreQualifiedForPeople) {
  model::Unit u =
      cxx("namespace a { template <class T> struct Box { T v; T get() { return v; } }; }\n"
          "int f(a::Box<int> &b) { return b.get(); }\n");
  const model::Symbol* get = symbol(u, "a::Box<int>::get");
  ASSERT_NE(get, nullptr);
  EXPECT_EQ(get->linkage, model::Linkage::Merged);
  EXPECT_EQ(field_paths(u, function(u, "a::Box<int>::get")), (std::vector<std::string>{"a::Box<int>.v+0"}));
}

TEST_F(CaptureCxx, BasesAndLocalStatics) {
  model::Unit u =
      cxx("struct A { long a; }; struct B { int b; }; struct D : A, B { int d; };\n"
          "int f(D *x) { static int seen = 4; return x->b + x->d + seen; }\n");
  EXPECT_EQ(field_paths(u, function(u, "f")), (std::vector<std::string>{"B.b+8", "D.d+12"}));
  const model::Symbol* seen = symbol(u, "seen");
  ASSERT_NE(seen, nullptr);
  EXPECT_EQ(u.constants[seen->init].imm, 4);
}

TEST_F(CaptureCxx, TheStandardLibraryIsFound) {
  model::Unit u =
      cxx("#include <memory>\n#include <string>\n#include <vector>\n"
          "int f(std::vector<std::string> &v) { auto p = std::make_unique<int>(3); v.push_back(\"x\"); return *p; }\n");
  EXPECT_GT(u.functions.size(), 10u);
}

// Of heavy headers only what the main file reaches is lowered: by calls, by addresses taken, as members of classes that
// are constructed, and as objects that exist before it runs. So it is with a precompiled start of the file, too.
TEST_F(CaptureCxx, OnlyWhatTheMainFileReaches) {
  write("heavy.h",
        "inline int deep() { return 1; }\ninline int called() { return deep(); }\ninline int passed() { return 2; }\n"
        "inline int idle_deep() { return 3; }\ninline int idle() { return idle_deep(); }\n"
        "static int idle_static() { return 4; }\n"
        "struct Made { virtual int seen() { return called(); } virtual ~Made() {} int idle_member() { return idle(); } "
        "};\n"
        "struct IdleMade { virtual int idle_virtual() { return idle(); } virtual ~IdleMade() {} };\n"
        "template <class T> struct Box { T get() { return T(); } T idle_get() { return T(); } };\n"
        "struct Early { Early() { up(); } void up() {} };\nstatic Early early;\n");
  const std::string source =
      "#include \"heavy.h\"\nint take(int (*)());\nstatic int (*table[])() = {passed};\n"
      "int f() { Made m; Box<int> b; return take(table[0]) + m.seen() + b.get(); }\n";
  const model::Unit plain = cxx(source);
  std::vector<std::string> lowered;
  for (const model::Function& f : plain.functions) lowered.emplace_back(plain.str(plain.symbols[f.symbol].display));
  for (const char* name : {"f", "called", "deep", "passed", "Made::seen", "Made::~Made", "Box<int>::get", "Early::up"})
    EXPECT_EQ(std::count(lowered.begin(), lowered.end(), name) > 0, true) << name;
  for (const std::string& name : lowered) EXPECT_EQ(name.find("dle"), std::string::npos) << name;

  std::FILE* kept = std::tmpfile();
  ASSERT_NE(kept, nullptr);
  for (int round = 0; round < 2; ++round) {  // made, and used
    Request request{folder_.string(), "unit.cpp", {"g++", "-c", "unit.cpp"}, {}, {}, fileno(kept)};
    const Result result = capture_unit(request);
    ASSERT_TRUE(result.ok) << result.errors;
    std::vector<std::string> again;
    for (const model::Function& f : result.unit.functions)
      again.emplace_back(result.unit.str(result.unit.symbols[f.symbol].display));
    std::sort(again.begin(), again.end());
    std::sort(lowered.begin(), lowered.end());
    EXPECT_EQ(again, lowered);
  }
  std::fclose(kept);
}

}  // namespace
}  // namespace reckon::capture
