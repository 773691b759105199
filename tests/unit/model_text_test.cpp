#include "model/text.h"

#include <gtest/gtest.h>

#include "model/canonical.h"
#include "model/verify.h"
#include "model_sample.h"

namespace reckon::model {
namespace {

Unit reparsed(const Unit& u) {
  std::string error;
  auto r = parse(print(u), error);
  EXPECT_TRUE(r.has_value()) << error;
  return r ? *r : Unit{};
}

TEST(ModelText, SampleComesBack) {
  Unit u = canonical(sample::unit());
  EXPECT_TRUE(identical(reparsed(u), u)) << print(reparsed(u));
}

TEST(ModelText, EmptyUnitComesBack) {
  Unit u;
  u.strings = {""};
  EXPECT_TRUE(identical(reparsed(u), u));
}

TEST(ModelText, StringOrderIsKept) {
  Unit u = canonical(sample::unit());
  u.strings.push_back("never used");
  EXPECT_NE(print(u).find("\nstrings {"), std::string::npos);
  EXPECT_TRUE(identical(reparsed(u), u));
}

TEST(ModelText, NoStringSectionWhenTheOrderOfUseSays) {
  std::string error;
  std::string text = print(sample::unit());
  std::string without = text.substr(0, text.rfind("\nstrings {"));
  auto u = parse(without, error);
  ASSERT_TRUE(u) << error;
  EXPECT_EQ(print(*u), without);
}

TEST(ModelText, PoolOrderDoesNotMatter) {
  Unit a = sample::unit(), b = a;
  Body& body = b.functions[0].body;
  // Move the operands of the first store to the end of the pool.
  for (Instr& in : body.instrs) {
    if (in.op != Op::Store) continue;
    auto ops = body.ops(in);
    std::vector<Operand> copy(ops.begin(), ops.end());
    in.first_operand = static_cast<std::uint32_t>(body.operands.size());
    body.operands.insert(body.operands.end(), copy.begin(), copy.end());
  }
  std::swap(body.fields[0], body.fields[1]);
  for (Instr& in : body.instrs) {
    if (in.op == Op::Field && in.aux != kNone) in.aux = 1 - in.aux;
  }
  EXPECT_FALSE(a.functions[0].body == body);
  EXPECT_EQ(print(a), print(b));
  EXPECT_TRUE(identical(canonical(a), canonical(b)));
}

TEST(ModelText, FunctionForPeople) {
  Unit u = sample::unit();
  std::string text = print(u, u.functions[0]);
  EXPECT_NE(text.find("fn static _object *run(_object *self, int n, ...) {  // /src/dir with space/\xc3\xa4.c:10"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  %5 = field %0 +8 (_object.next) : _object *  ; 12:5\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  %4 = load %2 : _object *  ; 11:5 macro=GET\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  %12 = call make(%0, %11) : _object *  ; 15:5  // made\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  %13 = call %12((table+8)) via ops.make -> b3, b4"), std::string::npos) << text;
  EXPECT_NE(text.find("  %14 = phi %13, %12 from b1, b2 : _object *"), std::string::npos) << text;
}

TEST(ModelText, SpellsTypes) {
  Unit u = sample::unit();
  EXPECT_EQ(spell(u, sample::kObjectPtr), "_object *");
  EXPECT_EQ(spell(u, sample::kFunction), "_object * (_object *, int, ...)");
  EXPECT_EQ(spell(u, sample::kFunctionPtr), "callback");
  EXPECT_EQ(spell(u, sample::kArray), "callback[2]");
  EXPECT_EQ(spell(u, sample::kBool), "uint8");
  EXPECT_EQ(spell(u, TypeId(999)), "<type 999>");
  u.types[sample::kObjectPtr].elem = sample::kObjectPtr;  // no end
  EXPECT_FALSE(spell(u, sample::kObjectPtr).empty());
}

TEST(ModelText, PrintsMalformedFunctions) {
  Unit u = sample::unit();
  Function& f = u.functions[0];
  f.symbol = SymId(99);
  f.result = TypeId(99);
  f.loc.file = StrId(99);
  f.body.blocks[1].count = 9999;
  f.body.instrs[2].first_operand = 9999;
  f.body.instrs[3].type = TypeId(9999);
  f.body.instrs[4].aux = 9999;
  f.body.instrs[5].op = static_cast<Op>(77);
  f.body.instrs[6].loc.macro = StrId(9999);
  f.body.instrs[0].aux = 9999;
  f.body.operands[0].kind = static_cast<OperandKind>(50);
  std::string text = print(u, f);
  EXPECT_NE(text.find("<symbol 99>"), std::string::npos) << text;
  EXPECT_NE(text.find("<op>"), std::string::npos) << text;
  EXPECT_FALSE(print(u).empty());
}

TEST(ModelText, TextWrittenByHand) {
  std::string text = R"(unit "a.c"
target ""
language c
pointer_size 8
type t0 = void
type t1 = int signed size 4 name "int"
symbol s0 = function internal defined "f" type t0   // comments are skipped
fn f(t1 "x") -> t1 {
b0:
  %1 = arith.add %0, -1 : t1
  ret %1
}
)";
  std::string error;
  auto u = parse(text, error);
  ASSERT_TRUE(u) << error;
  EXPECT_TRUE(verify(*u).empty()) << verify(*u).front();
  EXPECT_EQ(u->functions[0].body.num_values, 2u);
  EXPECT_EQ(u->functions[0].body.operands[1], Operand::integer(-1));
}

struct BadText {
  const char* replace;
  const char* by;
  const char* error;
};

TEST(ModelText, ErrorsSayWhereAndWhat) {
  const std::string good = R"(unit "a.c"
target ""
language c
pointer_size 8
type t0 = void
symbol s0 = function internal defined "f" type t0
fn f() -> t0 {
b0:
  %0 = call f() : t0
  ret
}
)";
  std::string error;
  ASSERT_TRUE(parse(good, error)) << error;
  const BadText cases[] = {
      {"language c", "language d", "3:10: expected 'c' or 'c++'"},
      {"type t0", "type t1", "5:6: expected t0, the next in order"},
      {"= void", "= nothing", "5:11: expected a kind of type"},
      {"\"f\"", "\"f", "6:39: expected a string in quotes"},
      {"fn f", "fn g", "7:4: expected a symbol"},
      {"b0:", "b1:", "8:1: expected b0, the next in order"},
      {"call f()", "jump f()", "9:8: expected an instruction"},
      {"call f()", "call f(", "9:16: expected a symbol"},
      {": t0", ": x0", "9:19: expected 't' and a number"},
      {"ret", "ret ret", "10:7: expected a symbol"},
      {"%0", "%5", "12:1: expected no more values than parameters and instructions before this"},
      {"}\n", "}\nmore", "12:1: expected the end of the text"},
  };
  for (const BadText& c : cases) {
    std::string text = good;
    text.replace(text.find(c.replace), std::string(c.replace).size(), c.by);
    EXPECT_FALSE(parse(text, error)) << text;
    EXPECT_EQ(error, c.error) << text;
  }
}

TEST(ModelText, NoCrashOnCutText) {
  std::string text = print(sample::unit()), error;
  for (std::size_t n = 0; n < text.size(); n += 3) {
    error.clear();
    auto u = parse(std::string_view(text).substr(0, n), error);
    EXPECT_EQ(u.has_value(), error.empty());
  }
}

}  // namespace
}  // namespace reckon::model
