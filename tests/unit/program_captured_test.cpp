// Linking and classification of C code that went through capture: that the names capture gives to pointers are
// the ones program/ collects functions under, and that copies of one header come out equal.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "capture/capture.h"
#include "program/classify.h"
#include "program/program.h"
#include "program/types.h"

namespace reckon::program_test {
namespace {

using program::Class;
using program::FuncId;
using program::Program;
using Names = std::vector<std::string>;

class Captured : public testing::Test {
 protected:
  void SetUp() override {
    const testing::TestInfo* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) / (std::string("reckon-program-") + info->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, std::string_view text) { std::ofstream(folder_ / name) << text; }

  std::shared_ptr<const model::Unit> capture(const std::string& name, std::string_view text,
                                             std::vector<std::string> flags = {}) {
    write(name, text);
    std::vector<std::string> command{"cc", "-c", name};
    command.insert(command.end(), flags.begin(), flags.end());
    capture::Result result = capture::capture_unit({folder_.string(), name, command, {}});
    EXPECT_TRUE(result.ok) << result.errors;
    return std::make_shared<const model::Unit>(std::move(result.unit));
  }

  std::filesystem::path folder_;
};

FuncId find(const Program& p, std::string_view name) {
  for (FuncId f{}; f < p.num_functions(); ++f)
    if (p.name(f) == name) return f;
  ADD_FAILURE() << "no function " << name;
  return {};
}

std::size_t count(const Program& p, std::string_view name) {
  std::size_t n = 0;
  for (FuncId f{}; f < p.num_functions(); ++f) n += p.name(f) == name;
  return n;
}

Names callees(const Program& p, std::string_view name) {
  Names names;
  for (const FuncId f : p.callees(find(p, name))) names.emplace_back(p.name(f));
  return names;
}

TEST_F(Captured, HeaderStaticsAreOneUnlessAMacroMakesThemDiffer) {
  write("dev.h", R"(
    struct page; struct device { int id; struct { int usage; } power; };
    void note(const char *text); void *touch(struct page *p);
    static int seen;
    static inline int inner(struct device *d) { note("inner"); return d->power.usage + ++seen; }
    static inline int outer(struct device *d) { static int calls; calls++; return inner(d) + 1; }
    static inline void *pass_on(struct page *p) { return touch(p); }
    #ifdef LOUD
    static inline void say(void) { note("loud"); }
    #else
    static inline void say(void) { note("soft"); }
    #endif
    static inline void speak(void) { say(); }
    inline int shared(int x) { return x; })");
  const Program p = Program::link({
      capture("a.c", R"(#include "dev.h"
        static int helper(void) { return 1; }
        int a(struct device *d, struct page *p) { speak(); pass_on(p); return outer(d) + helper() + shared(1); })"),
      capture("b.c", R"(
        enum colour { RED }; struct page { enum colour c; };
        void unrelated(const char *); void first(void) { unrelated("first"); }
        #include "dev.h"
        static int helper(void) { return 1; }
        int b(struct device *d, struct page *p) {
          speak(); pass_on(p); return p->c + outer(d) + helper() + shared(2); })"),
      capture("c.c", R"(#define LOUD
        #include "dev.h"
        int c(struct device *d) { speak(); return outer(d); })"),
  });
  EXPECT_EQ(count(p, "outer"), 1u);
  EXPECT_EQ(count(p, "inner"), 1u);
  EXPECT_EQ(count(p, "pass_on"), 1u);
  EXPECT_EQ(count(p, "say"), 2u);
  EXPECT_EQ(count(p, "speak"), 2u);  // the same text, but what it calls differs
  EXPECT_EQ(count(p, "helper"), 2u);
  EXPECT_LE(count(p, "shared"), 1u);
  EXPECT_EQ(p.callers(find(p, "outer")).size(), 3u);
}

TEST_F(Captured, TablesAssignmentsAndCallsThroughThem) {
  const Program p = Program::link({
      capture("ops.c", R"(
        struct ops { int (*open)(int); int (*close)(int); };
        struct driver { const char *name; struct ops ops; struct { int (*probe)(int); int id; } bus; };
        static int my_open(int x) { return x; }
        static int my_close(int x) { return x; }
        static int my_probe(int x) { return x; }
        static int late(int x) { return x; }
        static int h0(int x) { return x; }
        static int h1(int x) { return x + 1; }
        static int hooked(int x) { return x; }
        struct driver drv = { .name = "drv", .ops = { .open = my_open, .close = my_close }, .bus = { my_probe } };
        int (*handlers[2])(int) = { h0, h1 };
        int (*hook)(int);
        struct ops other_ops;
        void setup(struct driver *d) { d->ops.open = late; hook = hooked; other_ops.close = late; })"),
      capture("use.c", R"(
        struct ops { int (*open)(int); int (*close)(int); };
        struct driver { const char *name; struct ops ops; struct { int (*probe)(int); int id; } bus; };
        struct device { int id; struct ops ops; };
        extern struct driver drv; extern int (*handlers[2])(int); extern int (*hook)(int);
        int use_ops(struct ops *o) { return o->open(1); }
        int use_driver(struct driver *d) { return d->ops.open(1); }
        int use_global(void) { return drv.ops.close(1); }
        int use_device(struct device *d) { return d->ops.close(1); }
        int use_probe(struct driver *d) { return d->bus.probe(1); }
        int use_any(int i) { return handlers[i](1); }
        int use_first(void) { return handlers[1](1); }
        int use_hook(void) { return hook ? hook(1) : 0; })"),
  });
  EXPECT_EQ(callees(p, "use_ops"), (Names{"my_open", "late"}));
  EXPECT_EQ(callees(p, "use_driver"), (Names{"my_open", "late"}));
  EXPECT_EQ(callees(p, "use_global"), Names{"my_close"});
  EXPECT_EQ(callees(p, "use_device"), (Names{"my_close", "late"}));
  EXPECT_EQ(callees(p, "use_probe"), Names{"my_probe"});
  EXPECT_EQ(callees(p, "use_any"), (Names{"h0", "h1"}));
  EXPECT_EQ(callees(p, "use_first"), Names{"h1"});
  EXPECT_EQ(callees(p, "use_hook"), Names{"hooked"});
}

TEST_F(Captured, InitialValuesOfLocalsAndCompoundLiterals) {
  const Program p = Program::link({capture("local.c", R"(
    struct ops { long id; void (*open)(void); void (*close)(void); long more[8]; };
    struct device { int id; struct ops ops; };
    void publish(struct ops *o);
    static void f(void) {} static void g(void) {} static void h(void) {}
    void local(void) { struct ops o = { .id = 1, .open = f, .close = g }; publish(&o); }
    void assign(struct device *d) { d->ops = (struct ops){ .id = 2, .close = h }; })")});
  const auto names = [&](std::string_view origin) {
    Names n;
    for (const FuncId f : p.pointer_targets(origin)) n.emplace_back(p.name(f));
    return n;
  };
  EXPECT_EQ(names("ops.open"), Names{"f"});
  EXPECT_EQ(names("ops.close"), (Names{"g", "h"}));
}

TEST_F(Captured, RowsOfTablesCanBeRead) {
  const auto unit = capture("mod.c", R"(
    typedef struct { const char *name; void *(*meth)(void *, void *); int flags; const char *doc; } MethodDef;
    typedef struct { int slot; void *func; } Slot;
    static void *run(void *self, void *args) { return args; }
    static int exec(void *self) { return 0; }
    static MethodDef methods[] = { {"run", run, 8, "runs"}, {0, 0, 0, 0} };
    static Slot slots[] = { {7, (void *)exec}, {0, 0} };
    struct module { MethodDef *m; Slot *s; } module = { methods, slots };)");
  const Program p = Program::link({unit});
  ASSERT_EQ(p.roles(find(p, "run")).size(), 1u);
  const program::TableEntry& row = p.roles(find(p, "run")).front();
  EXPECT_EQ(row.record, "MethodDef");
  EXPECT_EQ(row.field, "meth");
  EXPECT_EQ(unit->name(row.variable), "methods");
  const model::Constant& element = unit->constants[row.element];
  ASSERT_EQ(element.children.size(), 4u);
  EXPECT_EQ(unit->constants[element.children[2]].imm, 8);
  ASSERT_EQ(p.roles(find(p, "exec")).size(), 1u);
  const program::TableEntry& slot = p.roles(find(p, "exec")).front();
  EXPECT_EQ(slot.record, "Slot");
  EXPECT_EQ(slot.field, "func");
  EXPECT_EQ(unit->constants[unit->constants[slot.element].children[0]].imm, 7);
}

TEST_F(Captured, TheExampleOfThePaperIsClassified) {
  const Program p = Program::link({capture("foo.c", R"(
    typedef struct device { int regs[64]; } device;
    void inc_pmcount(device *d); void log_line(const char *s); void abort(void);
    static int raw_read(device *d, int reg) { return d->regs[reg]; }
    static void trace(device *d) { log_line("trace"); }
    int reg_read(device *d, int reg) { if (!d) return -1; int v = raw_read(d, reg); if (v < 0) return -1; return v; }
    int foo(device *dev) {
      if (!dev) abort();
      trace(dev);
      int v = reg_read(dev, 0x54);
      if (v <= 0) goto exit;
      inc_pmcount(dev);
    exit:
      return 0;
    })")});
  std::vector<specs::SpecError> errors;
  specs::SpecSet specs;
  specs.add(specs::parse_spec("pm.spec", "domain linux\nfn inc_pmcount(d) -> void d.pm+1\n", errors));
  ASSERT_TRUE(errors.empty());
  const std::vector<Class> classes = program::classify(p, specs);
  EXPECT_EQ(classes[find(p, "foo")], Class::Changing);
  EXPECT_EQ(classes[find(p, "reg_read")], Class::AffectingAnalysed);
  EXPECT_EQ(classes[find(p, "raw_read")], Class::AffectingAnalysed);
  EXPECT_EQ(classes[find(p, "trace")], Class::Other);
}

TEST_F(Captured, TypedefPointersPointToTheirRecord) {
  const auto unit = capture("types.c", R"(
    typedef struct _object { long refs; } Object; typedef struct { Object base; int n; } List;
    typedef struct sexp *SEXP; struct sexp { int kind; };
    SEXP as_sexp(List *l, Object **out) { return 0; })");
  const Program p = Program::link({unit});
  const model::Function& f = p.function(find(p, "as_sexp"));
  const auto records_behind = [&](model::TypeId pointer) {
    EXPECT_EQ(unit->type(pointer).kind, model::TypeKind::Pointer);
    return program::leading_records(*unit, unit->type(pointer).elem);
  };
  using Tags = std::vector<std::string_view>;
  EXPECT_EQ(records_behind(f.params[0].type), (Tags{"List", "_object"}));
  EXPECT_EQ(records_behind(f.params[1].type), Tags{});
  EXPECT_EQ(records_behind(f.result), Tags{"sexp"});
}

}  // namespace
}  // namespace reckon::program_test
