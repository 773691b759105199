// What C code becomes in the model: returns, members, calls, variables, atomics, control flow.
#include "capture_fixture.h"

namespace reckon::capture {
namespace {

using model::Op;
using model::OperandKind;
using Lines = std::vector<unsigned>;
using Names = std::vector<std::string>;

class CaptureLowering : public CaptureTest {};

TEST_F(CaptureLowering, EveryReturnKeepsItsLineAndValue) {
  model::Unit u = c("int f(int n) {\n  if (n > 5)\n    return 7;\n  if (n < 0)\n    return -1;\n  return n;\n}\n");
  const model::Function& f = function(u, "f");
  EXPECT_EQ(return_lines(f), (Lines{3, 5, 6}));
  for (const model::Instr& r : all(f, Op::Ret)) {
    model::Operand v = f.body.ops(r)[0];
    model::Operand expected = model::Operand::value(model::ValueId(0));
    if (r.loc.line == 3) expected = model::Operand::integer(7);
    if (r.loc.line == 5) expected = model::Operand::integer(-1);
    EXPECT_EQ(v, expected);
  }
  EXPECT_EQ(f.end.line, 7u);
}

TEST_F(CaptureLowering, ReturnsOfStructsKeepTheirLines) {
  model::Unit u =
      c("struct p { long a; void *b; };\nstruct p f(struct p x, int n) {\n  struct p r = {1, 0};\n  if (n)\n"
        "    return x;\n  return r;\n}\n");
  EXPECT_EQ(return_lines(function(u, "f")), (Lines{5, 6}));
}

TEST_F(CaptureLowering, MembersOfMembersAreOneFieldWithADottedPath) {
  model::Unit u =
      c("struct power { int mode; long usage_count; };\n"
        "struct device { void *parent; struct power power; char name[8]; };\n"
        "long get(struct device *d) { return d->power.usage_count++; }\n"
        "struct power *addr(struct device *d) { return &d->power; }\n");
  EXPECT_EQ(field_paths(u, function(u, "get")), (Names{"device.power.usage_count+16"}));
  EXPECT_EQ(field_paths(u, function(u, "addr")), (Names{"device.power+8"}));
  // Parameters and what they point to are completed.
  const model::Type& pointer = u.type(function(u, "get").params[0].type);
  ASSERT_EQ(pointer.kind, model::TypeKind::Pointer);
  EXPECT_EQ(u.type(pointer.elem).fields.size(), 3u);
}

TEST_F(CaptureLowering, UnionMembersAndBitFieldsHaveTheNameThatWasWritten) {
  model::Unit u =
      c("struct w { int kind; union { struct { int x, y; } pt; void *ptr; } u; unsigned a:3, b:5;\n"
        "  union { int i; float f; }; };\n"
        "void f(struct w *w) { w->u.pt.y = 1; w->u.ptr = 0; w->b = 2; w->i = 3; }\n");
  EXPECT_EQ(field_paths(u, function(u, "f")), (Names{"w.u.pt.y+12", "w.u.ptr+8", "w.b+16", "w.i+20"}));
}

TEST_F(CaptureLowering, AVariableSubscriptIsAnIndex) {
  model::Unit u =
      c("struct e { int k; void *p; };\nstruct t { int n; struct e e[4]; };\n"
        "void f(struct t *t, int i) { t->e[i].p = 0; t->e[2].p = 0; }\n");
  const model::Function& f = function(u, "f");
  ASSERT_EQ(all(f, Op::Index).size(), 1u);
  EXPECT_EQ(all(f, Op::Index)[0].imm, 16);
  EXPECT_EQ(field_paths(u, f), (Names{"t.e+8", "e.p+8", "t.e.p+48"}));
}

TEST_F(CaptureLowering, MacroOriginIsTheOutermostMacro) {
  model::Unit u =
      c("int g(int);\n#define INNER(x) g(x)\n#define OUTER(x) (INNER(x) + 1)\n"
        "int f(int n) {\n  int a = OUTER(n);\n  return a + g(1);\n}\n");
  const model::Function& f = function(u, "f");
  std::vector<model::Instr> calls = all(f, Op::Call);
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(u.str(calls[0].loc.macro), "OUTER");
  EXPECT_EQ(calls[0].loc.line, 5u);
  EXPECT_EQ(calls[0].loc.col, 11u);
  EXPECT_EQ(u.str(calls[1].loc.macro), "");
}

TEST_F(CaptureLowering, ArgumentTypesAreThoseBeforePromotion) {
  model::Unit u =
      c("typedef long mine;\nint p(const char *f, ...);\n"
        "int f(char ch, short s, float x, mine m, char *t) { return p(\"%c\", ch, s, x, m, t); }\n");
  const model::Function& f = function(u, "f");
  std::optional<model::Instr> call = call_of(u, f, "p");
  ASSERT_TRUE(call);
  Names names;
  for (model::TypeId t : f.body.calls[call->aux].arg_types) names.emplace_back(u.str(u.type(t).name));
  EXPECT_EQ(names, (Names{"", "char", "short", "float", "mine", ""}));
  EXPECT_TRUE(u.type(f.body.calls[call->aux].type).variadic);
  EXPECT_EQ(u.type(f.body.calls[call->aux].arg_types[5]).kind, model::TypeKind::Pointer);
}

TEST_F(CaptureLowering, CallsThroughPointersSayWhereThePointerCameFrom) {
  model::Unit u =
      c("struct ops { int (*open)(int); struct { void (*stop)(void); } pm; };\nstruct dev { struct ops *ops; };\n"
        "extern void **API; extern int (*hook)(int); extern struct ops fixed; extern void *table[];\n"
        "void f(struct dev *d) {\n  d->ops->open(1);\n  d->ops->pm.stop();\n  ((void (*)(void))API[94])();\n"
        "  hook(2);\n  fixed.open(3);\n  ((void (*)(void))table[3])();\n}\n");
  const model::Function& f = function(u, "f");
  Names origins;
  for (const model::Instr& i : all(f, Op::Call)) origins.emplace_back(u.str(f.body.calls[i.aux].origin));
  EXPECT_EQ(origins, (Names{"ops.open", "ops.pm.stop", "API[94]", "hook", "ops.open", "table[3]"}));
}

TEST_F(CaptureLowering, ArgumentsAreCountedAsInC) {
  // two words in registers, 48 bytes in memory, a large result: the ABI moves them all about
  model::Unit u =
      c("typedef struct { double re, im; } cplx;\nstruct big { long a[6]; };\n"
        "struct big make(cplx c, void *o, struct big b);\n"
        "struct big f(cplx c, void *o, struct big b) { return make(c, o, b); }\n");
  const model::Function& f = function(u, "f");
  ASSERT_EQ(f.params.size(), 4u);
  EXPECT_EQ(u.str(f.params[0].name), "c");
  EXPECT_EQ(u.str(f.params[1].name), "o");
  EXPECT_EQ(u.str(f.params[2].name), "b");
  EXPECT_EQ(u.type(f.params[3].type).kind, model::TypeKind::Pointer);
  std::optional<model::Instr> call = call_of(u, f, "make");
  ASSERT_TRUE(call);
  ASSERT_EQ(f.body.ops(*call).size(), 5u);
  EXPECT_EQ(f.body.ops(*call)[2], model::Operand::value(model::ValueId(1)));
}

TEST_F(CaptureLowering, VariablesNameTheValuesTheyHold) {
  model::Unit u =
      c("void *get(void); void put(void **);\n"
        "int f(int n) { void *item = get(); void *kept = get(); put(&kept); return item != 0; }\n");
  const model::Function& f = function(u, "f");
  std::optional<model::Instr> call = call_of(u, f, "get");
  ASSERT_TRUE(call);
  EXPECT_EQ(u.str(f.body.value_names[call->result]), "item");
  ASSERT_EQ(f.body.locals.size(), 1u);
  EXPECT_EQ(u.str(f.body.locals[0].name), "kept");
  EXPECT_EQ(u.str(f.body.value_names[0]), "n");
}

TEST_F(CaptureLowering, CleanupFunctionsAreCalledOnEveryWayOut) {
  model::Unit u =
      c("void put(void **p); void *get(void);\nint f(int n) {\n"
        "  __attribute__((cleanup(put))) void *p = get();\n  if (n) return 1;\n  return 2;\n}\n");
  const model::Function& f = function(u, "f");
  std::optional<model::Instr> call = call_of(u, f, "put");
  ASSERT_TRUE(call);
  EXPECT_EQ(all(f, Op::Ret).size(), 1u);
  EXPECT_EQ(f.body.ops(*call)[1].kind, OperandKind::Value);
}

TEST_F(CaptureLowering, AtomicsShowTheirDataFlow) {
  model::Unit u =
      c("struct r { int count; };\nint f(struct r *r) { return __atomic_fetch_add(&r->count, 1, 5); }\n"
        "int g(int *p) { return __sync_bool_compare_and_swap(p, 1, 2); }\n");
  const model::Function& f = function(u, "f");
  ASSERT_EQ(all(f, Op::Load).size(), 1u);
  ASSERT_EQ(all(f, Op::Arith).size(), 1u);
  ASSERT_EQ(all(f, Op::Store).size(), 1u);
  EXPECT_EQ(f.body.ops(all(f, Op::Ret)[0])[0].value_id(), all(f, Op::Load)[0].result);
  EXPECT_EQ(all(function(u, "g"), Op::Select).size(), 1u);
}

TEST_F(CaptureLowering, SwitchGotoAsmAndVariadicsAreControlFlow) {
  model::Unit u =
      c("#include <stdarg.h>\n"
        "int s(int x) { switch (x) { case 1: return 10; case 2: case 3: return 20; } return 30; }\n"
        "int a(int x) { int r; __asm__(\"\" : \"=r\"(r) : \"r\"(x)); __asm__ goto(\"\" : : : : out); return r; out: "
        "return -1; }\n"
        "int g(int k) { static void *t[] = {&&p, &&q}; goto *t[k]; p: return 1; q: return 2; }\n"
        "int v(int n, ...) { va_list ap; va_start(ap, n); int r = va_arg(ap, int); va_end(ap); return r; }\n");
  const model::Function& s = function(u, "s");
  ASSERT_EQ(all(s, Op::Switch).size(), 1u);
  EXPECT_EQ(all(s, Op::Switch)[0].num_targets, 4u);
  const model::Function& a = function(u, "a");
  ASSERT_EQ(all(a, Op::Call).size(), 2u);
  EXPECT_TRUE(a.body.calls[all(a, Op::Call)[0].aux].inline_asm);
  EXPECT_EQ(all(a, Op::Switch).size(), 1u);
  EXPECT_EQ(all(function(u, "g"), Op::Switch).size(), 1u);
  EXPECT_TRUE(call_of(u, function(u, "v"), "llvm.va_start"));
  EXPECT_TRUE(function(u, "v").variadic);
}

TEST_F(CaptureLowering, TypedefsAndRecursiveStructsKeepTheirNames) {
  model::Unit u =
      c("typedef struct node *NODE;\nstruct node { struct node *next; NODE other; };\n"
        "typedef struct { int a; } anonymous;\nNODE f(NODE n, anonymous *x, unsigned long k) { return n->next; }\n");
  const model::Function& f = function(u, "f");
  const model::Type& node = u.type(f.params[0].type);
  EXPECT_EQ(u.str(node.name), "NODE");
  EXPECT_EQ(u.str(u.type(node.elem).name), "node");
  EXPECT_EQ(u.type(u.type(node.elem).fields[0].type).elem, node.elem);
  EXPECT_EQ(u.str(u.type(u.type(f.params[1].type).elem).name), "anonymous");
  EXPECT_EQ(u.str(u.type(f.params[2].type).name), "unsigned long");
  EXPECT_EQ(u.str(u.type(f.result).name), "NODE");
}

TEST_F(CaptureLowering, OnlyTouchedRecordsAreFilled) {
  model::Unit u =
      c("struct far { int secret; };\nstruct head { int refs; };\nstruct near { struct head h; struct far *far; };\n"
        "int f(struct near *n) { return n->h.refs; }\n");
  bool seen = false;
  for (const model::Type& t : u.types) {
    if (u.str(t.name) == "far") {
      EXPECT_TRUE(t.fields.empty());
      seen = true;
    }
    if (u.str(t.name) == "head") {
      EXPECT_EQ(t.fields.size(), 1u);  // what `near` begins with
    }
  }
  EXPECT_TRUE(seen);
}

TEST_F(CaptureLowering, UnreachableCodeIsLeftOut) {
  model::Unit u = c("int g(void);\nint f(void) { return 1; g(); }\n");
  EXPECT_TRUE(all(function(u, "f"), Op::Call).empty());
}

}  // namespace
}  // namespace reckon::capture
