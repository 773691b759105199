// Symbols, attributes, constant data, macros and files of a unit.
#include "capture_fixture.h"

namespace reckon::capture {
namespace {

using model::ConstKind;
using model::Linkage;

class CaptureSymbols : public CaptureTest {};

const model::Constant& child(const model::Unit& u, const model::Constant& c, std::size_t n) {
  return u.constants[c.children.at(n)];
}

TEST_F(CaptureSymbols, LinkageAndDefinition) {
  model::Unit u =
      c("static int s(void) { return 1; }\nint e(void);\n__attribute__((weak)) int w(void) { return s() + e(); }\n"
        "int f(void) { static int counter; return counter++; }\n");
  EXPECT_EQ(symbol(u, "s")->linkage, Linkage::Internal);
  EXPECT_TRUE(symbol(u, "s")->defined);
  EXPECT_FALSE(symbol(u, "e")->defined);
  EXPECT_EQ(symbol(u, "w")->linkage, Linkage::Merged);
  ASSERT_NE(symbol(u, "f.counter"), nullptr);
  EXPECT_EQ(u.str(symbol(u, "f.counter")->display), "counter");
  EXPECT_EQ(symbol(u, "f.counter")->loc.line, 4u);
}

TEST_F(CaptureSymbols, MethodTablesHaveTheirCTypes) {
  model::Unit u =
      c("typedef struct { const char *name; int (*call)(int); int flags; const char *doc; } Def;\n"
        "static int one(int x) { return x; }\n"
        "Def defs[] = { {\"one\", one, 3, .doc = 0}, {0} };\n");
  const model::Symbol* defs = symbol(u, "defs");
  ASSERT_NE(defs, nullptr);
  const model::Constant& table = u.constants[defs->init];
  ASSERT_EQ(table.kind, ConstKind::Aggregate);
  ASSERT_EQ(table.children.size(), 2u);
  const model::Constant& first = child(u, table, 0);
  EXPECT_EQ(u.str(u.type(first.type).name), "Def");
  ASSERT_EQ(first.children.size(), 4u);
  ASSERT_EQ(child(u, first, 0).kind, ConstKind::Address);
  const model::Symbol& text = u.symbols[child(u, first, 0).ref];
  EXPECT_EQ(u.constants[text.init].kind, ConstKind::String);
  EXPECT_EQ(u.str(u.constants[text.init].string_id()), "one");
  EXPECT_EQ(u.name(child(u, first, 1).symbol_id()), "one");
  EXPECT_EQ(child(u, first, 2).imm, 3);
  EXPECT_EQ(child(u, first, 3).kind, ConstKind::Zero);
  EXPECT_EQ(child(u, table, 1).kind, ConstKind::Zero);
  EXPECT_TRUE(symbol(u, "one")->address_taken);
}

TEST_F(CaptureSymbols, UnionsAndBitFieldsInConstants) {
  model::Unit u =
      c("int target;\nstruct s { unsigned a:3, b:7; union { int n; void *p; } u; };\nstruct s x = { 5, 100, { .p = "
        "&target } };\n");
  const model::Constant& x = u.constants[symbol(u, "x")->init];
  ASSERT_EQ(x.children.size(), 3u);
  EXPECT_EQ(child(u, x, 0).imm, 5);
  EXPECT_EQ(child(u, x, 1).imm, 100);
  const model::Constant& both = child(u, x, 2);
  ASSERT_EQ(both.children.size(), 2u);
  EXPECT_EQ(child(u, both, 1).kind, ConstKind::Address);
  EXPECT_EQ(u.name(child(u, both, 1).symbol_id()), "target");
}

TEST_F(CaptureSymbols, LongTablesOfNumbersAreNotKept) {
  std::string source = "const int t[500] = {";
  for (int i = 0; i < 500; ++i) source += std::to_string(i + 1) + ",";
  model::Unit u = c(source + "};\nconst short few[2] = {7, -8};\n");
  EXPECT_EQ(u.constants[symbol(u, "t")->init].kind, ConstKind::Other);
  const model::Constant& few = u.constants[symbol(u, "few")->init];
  EXPECT_EQ(child(u, few, 1).imm, -8);
}

TEST_F(CaptureSymbols, AttributesWithArguments) {
  model::Unit u =
      c("void *a(int) __attribute__((annotate(\"new\"), returns_nonnull));\n"
        "void b(void *, void *) __attribute__((nonnull(2)));\n_Noreturn void die(void);\n"
        "int p(const char *, ...) __attribute__((format(printf, 1, 2)));\n"
        "void *m(unsigned long) __attribute__((malloc, warn_unused_result));\n"
        "void s(int, ...) __attribute__((sentinel));\n"
        "void f(void) { b(a(1), m(3)); p(\"\"); s(1, (void *)0); die(); }\n");
  EXPECT_EQ(u.str(attribute(u, *symbol(u, "a"), "annotate")->text), "new");
  EXPECT_NE(attribute(u, *symbol(u, "a"), "returns_nonnull"), nullptr);
  EXPECT_EQ(attribute(u, *symbol(u, "b"), "nonnull")->args, (std::vector<std::int64_t>{2}));
  EXPECT_NE(attribute(u, *symbol(u, "die"), "noreturn"), nullptr);
  const model::Attribute* format = attribute(u, *symbol(u, "p"), "format");
  ASSERT_NE(format, nullptr);
  EXPECT_EQ(u.str(format->text), "printf");
  EXPECT_EQ(format->args, (std::vector<std::int64_t>{1, 2}));
  EXPECT_NE(attribute(u, *symbol(u, "m"), "malloc"), nullptr);
  EXPECT_NE(attribute(u, *symbol(u, "m"), "warn_unused_result"), nullptr);
  EXPECT_NE(attribute(u, *symbol(u, "s"), "sentinel"), nullptr);
}

TEST_F(CaptureSymbols, AttributesOnlyCheckersKnow) {
  model::Unit u =
      c("void *g(void) __attribute__((cpychecker_returns_borrowed_ref));\n"
        "int t(void *, void *, void *) __attribute__((cpychecker_steals_reference_to_arg(1), "
        "cpychecker_steals_reference_to_arg(3)));\n"
        "int f(void) { return t(g(), g(), g()); }\n");
  EXPECT_NE(attribute(u, *symbol(u, "g"), "cpychecker_returns_borrowed_ref"), nullptr);
  std::vector<std::int64_t> stolen;
  for (const model::Attribute& a : symbol(u, "t")->attributes)
    if (u.str(a.name) == "cpychecker_steals_reference_to_arg")
      stolen.insert(stolen.end(), a.args.begin(), a.args.end());
  EXPECT_EQ(stolen, (std::vector<std::int64_t>{1, 3}));
}

TEST_F(CaptureSymbols, MallocWithItsDeallocator) {
  model::Unit u =
      c("#define DEALLOC(f, n) __attribute__((__malloc__(f, n)))\nvoid take(int, void *);\n"
        "void *a(void) __attribute__((nonnull, malloc(take, 2)));\nvoid *b(void) DEALLOC(take, 2);\n"
        "__attribute__((malloc(later))) void *d(void);\n[[gnu::malloc(take, 2)]] void *e(void);\n"
        "void *malloc(unsigned long);\n"
        "void f(void) { a(); b(); d(); e(); malloc(2); }\n");
  for (const char* name : {"a", "b", "e"}) {
    const model::Attribute* said = attribute(u, *symbol(u, name), "malloc");
    ASSERT_NE(said, nullptr) << name;
    EXPECT_EQ(u.str(said->text), "take");
    EXPECT_EQ(said->args, (std::vector<std::int64_t>{2}));
  }
  EXPECT_EQ(u.str(attribute(u, *symbol(u, "d"), "malloc")->text), "later");
  EXPECT_TRUE(attribute(u, *symbol(u, "d"), "malloc")->args.empty());
  EXPECT_NE(symbol(u, "malloc"), nullptr);
}

TEST_F(CaptureSymbols, WhatCleansUpVariables) {
  model::Unit u =
      c("void up(int *);\nvoid down(int *);\n"
        "void f(void) { __attribute__((cleanup(up))) int x = 1; down(&x); }\n");
  EXPECT_NE(attribute(u, *symbol(u, "up"), "cleanup"), nullptr);
  EXPECT_EQ(attribute(u, *symbol(u, "down"), "cleanup"), nullptr);
}

TEST_F(CaptureSymbols, AnAliasIsAFunctionThatCallsTheOriginal) {
  model::Unit u = c("static int start(int x) { return x; }\nint init_module(int) __attribute__((alias(\"start\")));\n");
  const model::Function& f = function(u, "init_module");
  EXPECT_EQ(symbol(u, "init_module")->linkage, Linkage::External);
  EXPECT_TRUE(call_of(u, f, "start"));
}

TEST_F(CaptureSymbols, WantedMacrosAndFiles) {
  write("part.h", "#define CLEAN\n#define WIDTH (1 + 2)\n#define CALL(x) x\n");
  std::string file = write("m.c", "#include \"part.h\"\nint x = WIDTH;\n");
  Result r = run("m.c", {"cc", "-c"}, {"CLEAN", "WIDTH", "CALL", "ABSENT"});
  ASSERT_TRUE(r.ok) << r.errors;
  std::vector<std::string> macros;
  for (model::StrId s : r.unit.macros) macros.emplace_back(r.unit.str(s));
  EXPECT_EQ(macros, (std::vector<std::string>{"CLEAN=", "WIDTH=(1 + 2)"}));
  EXPECT_EQ(r.dependencies, (std::vector<std::string>{file, (folder_ / "part.h").string()}));
  EXPECT_EQ(r.unit.headers.size(), 2u);
  EXPECT_EQ(r.unit.path, file);
}

TEST_F(CaptureSymbols, FunctionsFromHeadersAreMarked) {
  write("inl.h", "static inline int twice(int x) { return 2 * x; }\nstatic inline int unused(int x) { return x; }\n");
  model::Unit u = c("#include \"inl.h\"\nint f(int x) { return twice(x); }\n");
  EXPECT_TRUE(function(u, "twice").from_header);
  EXPECT_FALSE(function(u, "f").from_header);
  EXPECT_EQ(u.functions.size(), 2u);
  EXPECT_EQ(u.str(function(u, "twice").loc.file), (folder_ / "inl.h").string());
}

TEST_F(CaptureSymbols, TheSameSourceGivesTheSameUnit) {
  const char* text =
      "struct a { struct b *b; int n; };\nstatic const char *names[] = {\"x\", \"y\"};\n"
      "const char *f(struct a *a) { return names[a->n]; }\n";
  EXPECT_EQ(model::print(c(text)), model::print(c(text)));
}

}  // namespace
}  // namespace reckon::capture
