// Errors: where, what was expected, and that one run tells them all.
#include <gtest/gtest.h>

#include <algorithm>

#include "specs/spec_set.h"

namespace reckon::specs {
namespace {

std::string errors_of(std::string_view text, SpecFile* file = nullptr) {
  std::vector<SpecError> errors;
  SpecFile parsed = parse_spec("t.spec", text, errors);
  if (file) *file = std::move(parsed);
  std::string all;
  for (const SpecError& error : errors) {
    if (!all.empty()) all += "\n";
    all += error.loc.file + ":" + std::to_string(error.loc.line) + ":" + std::to_string(error.loc.col) + ": " +
           error.message;
  }
  return all;
}

struct Golden {
  const char* text;
  const char* error;
};

TEST(SpecsErrors, Golden) {
  const Golden cases[] = {
      {"fun f()",
       "t.spec:1:1: expected one of `fn`, `alias`, `domain`, `header`, `failure`, `unknown-result`, `check`, "
       "`counted`, "
       "`immortal`, `immortal-pointer`, `slot`, `flags`, `table`, `type-object`, `long-lengths`, `stack-top`, "
       "`predicates`, `routines`, `repair`, `unstable-field`, `kept-in`, `property`, `version`, `ready-immortal`, "
       "`contract`, `blame`, `stops-at-zero`, `only-with`, `error-struct`, found `fun` (did you mean `fn`?)"},
      {"domain d\nready-immortal 3.12", "t.spec:2:16: expected `since`, found `3.12`"},
      {"fn (x)", "t.spec:1:4: expected the name of a function, found `(`"},
      {"fn f -> new", "t.spec:1:6: expected `(` and the parameters, found `->`"},
      {"fn f(a b)", "t.spec:1:8: expected `,` or `)`, found `b`"},
      {"fn f(a,", "t.spec:1:8: expected a parameter, found the end of the line"},
      {"fn f(a, a)", "t.spec:1:9: two parameters are called `a`"},
      {"fn f(a?!)", "t.spec:1:8: a parameter is marked either `?` or `!`"},
      {"fn f(result)", "t.spec:1:6: a parameter cannot be called `result`"},
      {"fn f(..., x)", "t.spec:1:9: expected `)` after `...`, found `,`"},
      {"fn f(...parse)", "t.spec:1:9: a format needs a parameter before `...`"},
      {"fn f(x, ...scan)",
       "t.spec:1:12: expected `parse`, `build`, `print`, `until-null`, `counted(n)` or `out` after `...`, found "
       "`scan`"},
      {"fn f(x, ...counted(y))", "t.spec:1:20: unknown parameter `y`"},
      {"fn f(x) run-code", "t.spec:1:9: expected a flag or `->`, found `run-code` (did you mean `runs-code`?)"},
      {"fn f(x) since x", "t.spec:1:15: expected a version such as `3.10`, found `x`"},
      {"fn f(x) since 3.", "t.spec:1:15: expected a version such as `3.10`, found `3.`"},
      {"fn f(x) since 3.12 until 3.9", "t.spec:1:20: no version is since `3.12` and until `3.9`"},
      {"fn f(x) never -> new", "t.spec:1:15: a function that never returns has no alternatives"},
      {"fn f(x) ->", "t.spec:1:11: expected a result, found the end of the line"},
      {"fn f(x) -> new |", "t.spec:1:17: expected a result, found the end of the line"},
      {"fn f(x) -> newer", "t.spec:1:12: expected a result, found `newer` (did you mean `never`?)"},
      {"fn f(x) -> borowed x", "t.spec:1:12: expected a result, found `borowed` (did you mean `borrowed`?)"},
      {"fn f(x) -> borrowed y", "t.spec:1:21: unknown parameter `y`"},
      {"fn f(x) -> same y", "t.spec:1:17: unknown parameter `y`"},
      {"fn f(x) -> 3..1", "t.spec:1:12: empty range `3..1`"},
      {"fn f(x) -> 3..", "t.spec:1:15: expected the upper end of the range, found the end of the line"},
      {"fn f(x) -> 3..x", "t.spec:1:15: expected the upper end of the range, found `x`"},
      {"fn f(x) -> 12ab", "t.spec:1:12: malformed number `12ab`"},
      {"fn f(x) -> 99999999999999999999", "t.spec:1:12: malformed number `99999999999999999999`"},
      {"fn f(x) -> <", "t.spec:1:13: expected a number, found the end of the line"},
      {"fn f(x) -> 0 y+1", "t.spec:1:14: unknown parameter `y`"},
      {"fn f(x) -> 0 x +1", "t.spec:1:15: expected `+N`, `-N` or `=VALUE` right behind `x`, found `+1`"},
      {"fn f(x) -> 0 x+0", "t.spec:1:15: a count changes by 1 to 1000000"},
      {"fn f(x) -> 0 x=new", "t.spec:1:14: a store goes through a pointer: `*p=...` or `p->field=...`"},
      {"fn f(x) -> 0 &x->f=new", "t.spec:1:14: an address cannot be stored to; leave out the `&`"},
      {"fn f(x) -> 0 &x+1", "t.spec:1:14: `&` needs a field: `&p->field`"},
      {"fn f(x) -> 0 *x=void", "t.spec:1:17: expected a value, found `void`"},
      {"fn f(x) -> 0 x->8->f+1", "t.spec:1:20: a field name cannot follow a byte offset"},
      {"fn f(x) -> 0 raise", "t.spec:1:14: expected an effect or `|`, found `raise` (did you mean `raises`?)"},
      {"fn f(x) -> 0 raises clears",
       "t.spec:1:21: only one of `raises`, `may-raise` and `clears` can happen in one alternative"},
      {"fn f(x) -> 0 when x == NULL and x != NULL",
       "t.spec:1:33: no value satisfies all conditions of this alternative; write cases as alternatives, with `|` "
       "between them"},
      {"fn f(x) -> 0 when x > 3 and x < 4",
       "t.spec:1:29: no value satisfies all conditions of this alternative; write cases as alternatives, with `|` "
       "between them"},
      {"fn f(x) -> 0 when x & 4 and !(x & 4)",
       "t.spec:1:29: no value satisfies all conditions of this alternative; write cases as alternatives, with `|` "
       "between them"},
      {"fn f(x) -> 0 when x & 3 == 4",
       "t.spec:1:19: no value satisfies all conditions of this alternative; write cases as alternatives, with `|` "
       "between them"},
      {"fn f(x) -> 0 when x == 4 and !(x & 4)",
       "t.spec:1:30: no value satisfies all conditions of this alternative; write cases as alternatives, with `|` "
       "between them"},
      {"fn f(x) -> 0 when x < \"a\"", "t.spec:1:23: a text can only be compared by `==` and `!=`"},
      {"fn f(x) -> 0 when x == \"a", "t.spec:1:24: a text ends with `\"` on the same line, and has no backslash"},
      {"fn f(x) -> 0 when x == errptr and x == NULL",
       "t.spec:1:35: no value satisfies all conditions of this alternative; write cases as alternatives, with `|` "
       "between them"},
      {"fn f(x, y) -> 0 when x == y and y != x",
       "t.spec:1:33: no value satisfies all conditions of this alternative; write cases as alternatives, with `|` "
       "between them"},
      {"fn f(x) -> 0 when x >= 0 and x <= 1 and x != 0 and x != 1",
       "t.spec:1:52: no value satisfies all conditions of this alternative; write cases as alternatives, with `|` "
       "between them"},
      {"fn f(x) -> 0 when result == 1",
       "t.spec:1:19: no value satisfies all conditions of this alternative; write cases as alternatives, with `|` "
       "between them"},
      {"fn f(x) -> 0 when x->f == 1 when x->f == 2",
       "t.spec:1:34: no value satisfies all conditions of this alternative; write cases as alternatives, with `|` "
       "between them"},
      {"fn f(x) -> 0 steals", "t.spec:1:20: expected a parameter, found the end of the line"},
      {"fn f(x) -> 0 steals x into z", "t.spec:1:28: unknown parameter `z`"},
      {"fn f(x) -> 0 when x",
       "t.spec:1:20: expected `==`, `!=`, `<`, `<=`, `>`, `>=` or `&`, found the end of the line"},
      {"fn f(x) -> 0 when x == ",
       "t.spec:1:23: expected `NULL`, `errptr`, a number, a text or a parameter, found the end of the line"},
      {"fn f(x) -> 0 when x < NULL", "t.spec:1:23: `NULL` can only be compared by `==` and `!=`"},
      {"fn f(x) -> 0 when !(x & 3", "t.spec:1:26: expected `)`, found the end of the line"},
      {"fn f(x) -> 0 when !(x)", "t.spec:1:22: expected `&`, found `)`"},
      {"fn f(x) -> 0 $0+1", "t.spec:1:14: no object `$0` in this alternative so far"},
      {"fn f(x) -> void | 1", "t.spec:1:20: expected `void` in every alternative or in none"},
      {"fn f(x) -> new \x01", "t.spec:1:16: expected an effect or `|`, found `\\x01`"},
      {"alias A", "t.spec:1:8: expected the function it stands for, found the end of the line"},
      {"alias A B C", "t.spec:1:11: expected the end of the line, found `C`"},
      {"alias A A", "t.spec:1:7: `A` is an alias of itself"},
      {"domain d\nfailure maybe",
       "t.spec:2:9: expected `exception`, `errno`, `null`, `input` or `outside`, found `maybe`"},
      {"domain d\nblame", "t.spec:2:6: expected a global, a call or an error number, found the end of the line"},
      {"domain d\nblame -12 everyone", "t.spec:2:11: expected `input`, `outside` or `memory`, found `everyone`"},
      {"domain d\nblame f() input", "t.spec:2:9: expected the text that is passed, found `)`"},
      {"domain d\nblame f(replace input", "t.spec:2:17: expected `)`, found `input`"},
      {"domain d\nblame f(replace)", "t.spec:2:17: expected `input`, `outside` or `memory`, found the end of the line"},
      {"contract c at-init at-teardown", "t.spec:1:20: a function runs either `at-init` or `at-teardown`"},
      {"domain d\ncheck leaks, protection",
       "t.spec:2:1: objects of a domain are either counted (`leaks`) or protected (`protection`)"},
      {"domain d\ncheck leaks, all", "t.spec:2:14: expected `leaks`, `pairs`, `formats` or `protection`, found `all`"},
      {"domain d\ncheck leeks",
       "t.spec:2:7: expected `leaks`, `pairs`, `formats` or `protection`, found `leeks` (did you mean `leaks`?)"},
      {"domain d\nunknown-result borowed",
       "t.spec:2:16: expected `new`, `borrowed` or `none`, found `borowed` (did you mean `borrowed`?)"},
      {"immortal X from 3", "t.spec:1:12: expected `as` or `since`, found `from`"},
      {"slot a.b balanced switched-by x", "t.spec:1:31: expected the number of an argument, found `x`"},
      {"slot a.b", "t.spec:1:9: expected a contract such as `new-or-null`, found the end of the line"},
      {"slot ab c", "t.spec:1:6: expected `STRUCT.FIELD` or `STRUCT[N]`, found `ab`"},
      {"table T ends x", "t.spec:1:9: expected `ends-at`, found `ends`"},
      {"table T.f",
       "t.spec:1:10: expected `(` and what functions in the field are called with, found the end of the line"},
      {"table T.f(thing)", "t.spec:1:11: expected `object`, `objects`, `number`, `pointer` or `null`, found `thing`"},
      {"table T.f(object?, number)", "t.spec:1:26: expected `?`, as what comes before may be left out, found `)`"},
      {"table T.f(object) when g == 1", "t.spec:1:26: expected `&` and the flags that matter, found `==`"},
      {"table T.f(object) when g & 1 == x", "t.spec:1:33: expected a number of flags, found `x`"},
      {"type-object A", "t.spec:1:14: expected the struct of its objects, found the end of the line"},
      {"flags never", "t.spec:1:7: expected a flag that can stand for many functions, found `never`"},
      {"fn f(x)\nfn g()\nfn f(y)", "t.spec:3:4: `f` is already defined in line 1"},
      {"fn f(x) since 3.9\nfn f(y) since 3.9", "t.spec:2:4: `f` is already defined in line 1 since `3.9`"},
      {"fn f(x)\nalias f g", "t.spec:2:7: `f` is already defined in line 1"},
      // Contradictions.
      {"fn f(x) pure runs-code", "t.spec:1:14: a function that is `pure` has no effect: it runs no code"},
      {"fn f(x) drops-gil takes-gil", "t.spec:1:19: a function is marked either `drops-gil` or `takes-gil`"},
      {"fn f(x) needs-gil no-gil", "t.spec:1:19: a function is marked either `needs-gil` or `no-gil`"},
      {"fn f(x) finds finds", "t.spec:1:15: the flag `finds` twice"},
      {"fn f(x) -> 0 if-raised if-clear",
       "t.spec:1:24: only one of `if-raised` and `if-clear` can happen in one alternative"},
      {"fn f(x) -> new | borrowed x",
       "t.spec:1:18: the result is new in one alternative and borrowed in another, and nothing tells callers which"},
      {"fn f(x, y) -> 0 *x=new *x=borrowed y", "t.spec:1:24: this place gets a value twice in one alternative"},
      {"fn f(x, y) -> 0 steals x into y steals x", "t.spec:1:33: the same reference cannot be stolen twice"},
      {"fn f(x, y) -> 0 steals x keeps x in y",
       "t.spec:1:26: an object is either stolen or kept with a reference of its own"},
      {"fn f(x) -> void protect? protect x",
       "t.spec:1:26: `protect?` says that the depth is not known, so nothing else can be said of it"},
      {"fn f(value) -> 0 steals valeu", "t.spec:1:25: unknown parameter `valeu` (did you mean `value`?)"},
      {"fn f(object) -> 0 steals objetc", "t.spec:1:26: unknown parameter `objetc` (did you mean `object`?)"},
      {"fn f(item) -> 0 steals arg1", "t.spec:1:24: unknown parameter `arg1`"},
      {"slot a.b balanced\nslot a.b release", "t.spec:2:6: the contract of `a.b` stands in line 1 already"},
      {"counted A x\ncounted A y", "t.spec:2:1: the struct `A` stands in line 1 already"},
      {"type-object A B\ntype-object A C", "t.spec:2:13: the type `A` stands in line 1 already"},
      {"table T ends-at a\ntable T ends-at b", "t.spec:2:7: the end of tables of `T` stands in line 1 already"},
      {"contract c entry entry", "t.spec:1:18: `entry` twice"},
      {"contract c gives-new\ncontract c", "t.spec:2:10: the contract `c` is already described in line 1"},
      {"contract c balance",
       "t.spec:1:12: expected a property of a contract, found `balance` (did you mean `balanced`?)"},
      {"contract c gives-new fails-by-minus-one",
       "t.spec:1:22: a result is either `gives-new` or `fails-by-minus-one`"},
      {"contract c balanced releases",
       "t.spec:1:21: only one of `balanced`, `acquires`, `releases`, `consumes` and `transmits` can be promised"},
  };
  for (const Golden& golden : cases) EXPECT_EQ(errors_of(golden.text), golden.error) << golden.text;
}

TEST(SpecsErrors, ConditionsThatCanHoldTogether) {
  for (const char* when : {"x != 0 and x != 1", "x >= 0 and x <= 1 and x != 0", "x & 4 and !(x & 8)", "x & 6 and x & 4",
                           "x != NULL and x != errptr", "x == y and x != 0 and y != 0", "x <= y and y <= x",
                           "x->f == 1 and x->g == 2", "x & 7 == 4 and x & 8", "x != 4 and x & 4"})
    EXPECT_EQ(errors_of(std::string("fn f(x, y) -> any when ") + when), "") << when;
}

TEST(SpecsErrors, PositionOnContinuedLines) {
  EXPECT_EQ(errors_of("# c\nfn f(x)   # one\n   -> new\n   | NULL rises\n"),
            "t.spec:4:11: expected an effect or `|`, found `rises` (did you mean `raises`?)");
}

TEST(SpecsErrors, AnErrorDoesNotHideThoseOfOtherLines) {
  SpecFile file;
  std::string errors =
      errors_of("domain d\nfn a() -> new\nfn b() -> nwe\nheader\nfn c() -> new\nbogus\nfn d()\n", &file);
  EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 2);
  ASSERT_EQ(file.functions.size(), 3u);
  EXPECT_EQ(file.functions[0].name, "a");
  EXPECT_EQ(file.functions[1].name, "c");
  EXPECT_EQ(file.functions[2].name, "d");
  EXPECT_TRUE(file.domains[0].headers.empty());
}

TEST(SpecsErrors, DefinitionInErrorDoesNotBlockItsName) {
  SpecFile file;
  EXPECT_EQ(errors_of("fn f( -> new\nfn f() -> new\n", &file), "t.spec:1:7: expected a parameter, found `->`");
  EXPECT_EQ(file.functions.size(), 1u);
}

TEST(SpecsErrors, VariantsOfVersionsAreNoDuplicates) {
  SpecFile file;
  EXPECT_EQ(errors_of("fn f(x) until 3.9\nfn f(x) since 3.10\n", &file), "");
  EXPECT_EQ(file.functions.size(), 2u);
}

TEST(SpecsErrors, LongInputEndsWithinReason) {
  std::string big(1 << 20, 'a');
  EXPECT_NE(errors_of(big), "");
  EXPECT_EQ(errors_of("fn " + big + "()"), "");
  EXPECT_NE(errors_of("fn f(x) -> 0 " + big), "");
  EXPECT_NE(errors_of("fn f(x) -> 0 when " + std::string(1 << 20, '(')), "");
  EXPECT_NE(errors_of("fn f(x) -> 0 " + std::string(1 << 20, '*') + "x+1"), "");
  std::string many = "fn f(x) -> any";
  for (int i = 0; i < 100000; ++i) many += " x+1";
  SpecFile file;
  EXPECT_EQ(errors_of(many, &file), "");
  EXPECT_EQ(file.functions[0].outcomes[0].counts.size(), 100000u);
  std::string steps = "fn f(x) -> any x";
  for (int i = 0; i < 200000; ++i) steps += "->y";
  EXPECT_EQ(errors_of(steps + "+1"), "t.spec:1:65: too many steps in one place");
  std::string params = "fn f(a0";
  for (int i = 1; i < 50000; ++i) params += ",a" + std::to_string(i);
  EXPECT_NE(errors_of(params + ")"), "");
}

TEST(SpecsErrors, EmptyInputs) {
  EXPECT_EQ(errors_of(""), "");
  EXPECT_EQ(errors_of("\n\n  \n# only\n\t# comments"), "");
  EXPECT_EQ(errors_of("\xef\xbb\xbf# a byte order mark\nfn f()\n"), "");
  EXPECT_EQ(errors_of("\xef\xbb\xbf"
                      "fn f()"),
            "");
  EXPECT_NE(errors_of("\\"), "");
  EXPECT_NE(errors_of(std::string_view("\0", 1)), "");
}

}  // namespace
}  // namespace reckon::specs
