#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "program/program.h"
#include "program_builder.h"

namespace reckon::program_test {
namespace {

using model::Linkage;
using program::FuncId;
using program::Program;
using program::UnitId;

std::vector<FuncId> by_name(const Program& p, std::string_view name) {
  std::vector<FuncId> found;
  for (FuncId f{}; f < p.num_functions(); ++f)
    if (p.name(f) == name) found.push_back(f);
  return found;
}

FuncId only(const Program& p, std::string_view name) {
  const std::vector<FuncId> all = by_name(p, name);
  EXPECT_EQ(all.size(), 1u) << name;
  return all.empty() ? program::kNone : all.front();
}

std::vector<std::string> callee_names(const Program& p, FuncId f) {
  std::vector<std::string> names;
  for (const FuncId g : p.callees(f)) names.emplace_back(p.name(g));
  return names;
}

TEST(ProgramLink, StaticsOfTheSameNameStayPrivate) {
  UnitBuilder a("a.c"), b("b.c");
  simple(a, "helper", {}, Linkage::Internal);
  simple(a, "use_a", {"helper"});
  simple(b, "helper", {"puts"}, Linkage::Internal);
  simple(b, "use_b", {"helper"});
  const Program p = Program::link({a.done(), b.done()});
  ASSERT_EQ(by_name(p, "helper").size(), 2u);
  const FuncId ha = p.callees(only(p, "use_a")).front(), hb = p.callees(only(p, "use_b")).front();
  EXPECT_NE(ha, hb);
  EXPECT_EQ(p.unit(ha).path, "a.c");
  EXPECT_EQ(p.unit(hb).path, "b.c");
  EXPECT_EQ(p.unit_id(hb), UnitId(1));
}

TEST(ProgramLink, MainFileStaticsWithEqualBodiesButNoCommonPlaceStayApart) {
  UnitBuilder a("a.c"), b("b.c");
  for (UnitBuilder* u : {&a, &b}) {
    FunctionBuilder f(*u, "helper", Linkage::Internal);
    f.at(u->unit.path, 3, false);
    f.ret();
    f.done();
  }
  EXPECT_EQ(Program::link({a.done(), b.done()}).num_functions(), 2u);
}

TEST(ProgramLink, AStaticDoesNotAnswerForAnExternalName) {
  UnitBuilder a("a.c"), b("b.c");
  simple(a, "helper", {}, Linkage::Internal);
  simple(b, "use", {"helper"});
  const Program p = Program::link({a.done(), b.done()});
  EXPECT_TRUE(p.callees(only(p, "use")).empty());
  EXPECT_EQ(p.definition(UnitId(1), b.symbol("helper")), program::kNone);
}

TEST(ProgramLink, ExternalAndMergedByName) {
  UnitBuilder a("a.c"), b("b.c"), c("c.c");
  simple(a, "use", {"ext", "inl"});
  simple(b, "ext");
  simple(b, "inl", {}, Linkage::Merged);
  simple(c, "inl", {}, Linkage::Merged);
  const Program p = Program::link({a.done(), b.done(), c.done()});
  EXPECT_EQ(p.num_functions(), 3u);
  EXPECT_EQ(callee_names(p, only(p, "use")), (std::vector<std::string>{"ext", "inl"}));
  EXPECT_EQ(p.definition(UnitId(2), c.symbol("inl")), only(p, "inl"));
  EXPECT_EQ(p.unit(only(p, "inl")).path, "b.c");
  EXPECT_EQ(std::vector<FuncId>(p.callers(only(p, "ext")).begin(), p.callers(only(p, "ext")).end()),
            std::vector<FuncId>{only(p, "use")});
}

TEST(ProgramLink, StrongDefinitionWinsOverEarlierWeakOne) {
  UnitBuilder a("a.c"), b("b.c");
  simple(a, "hook", {}, Linkage::Merged);
  simple(a, "use", {"hook"});
  simple(b, "hook");
  const Program p = Program::link({a.done(), b.done()});
  EXPECT_EQ(p.unit(only(p, "hook")).path, "b.c");
  EXPECT_EQ(p.definition(UnitId(0), a.symbol("hook")), only(p, "hook"));
}

TEST(ProgramLink, RivalDefinitionsKeepTheirUnitAndTheFirstAnswersForOthers) {
  UnitBuilder a("a.c"), b("b.c"), c("c.c");
  for (UnitBuilder* u : {&a, &b}) {
    FunctionBuilder f(*u, "init");
    f.at(u->unit.path, 1, false);
    f.ret();
    f.done();
  }
  simple(c, "use", {"init"});
  const Program p = Program::link({a.done(), b.done(), c.done()});
  ASSERT_EQ(by_name(p, "init").size(), 2u);
  EXPECT_EQ(p.unit(p.definition(UnitId(1), b.symbol("init"))).path, "b.c");
  EXPECT_EQ(p.unit(p.callees(only(p, "use")).front()).path, "a.c");
}

TEST(ProgramLink, TheSameSourceCompiledTwiceIsOneFunction) {
  UnitBuilder a("a.c"), again("a.c");
  for (UnitBuilder* u : {&a, &again}) {
    FunctionBuilder s(*u, "helper", Linkage::Internal);
    s.at("a.c", 1, false);
    s.ret();
    s.done();
    FunctionBuilder f(*u, "run");
    f.at("a.c", 5, false);
    f.call("helper");
    f.ret();
    f.done();
  }
  EXPECT_EQ(Program::link({a.done(), again.done()}).num_functions(), 2u);
}

// A header with two static inlines, `outer` calling `inner`; strings and types are numbered differently in
// each unit. `inner_calls` lets a test make the inner one differ.
void header(UnitBuilder& u, std::string_view inner_calls, bool shuffle) {
  if (shuffle) {
    u.str("something else");
    u.add_type(model::TypeKind::Int, 1, "char");
    u.symbol("another");
  }
  const model::TypeId device = u.record("device", {{"ops", u.func_ptr()}, {"count", u.int_type()}});
  FunctionBuilder inner(u, "inner", Linkage::Internal, 1);
  inner.at("dev.h", 10);
  inner.field(inner.param(0), device, "count", 8);
  inner.call(inner_calls);
  inner.ret();
  FunctionBuilder outer(u, "outer", Linkage::Internal, 1);
  outer.at("dev.h", 20);
  outer.ret(outer.call("inner", {outer.param(0)}));
  if (shuffle) {
    outer.done();
    inner.done();
  } else {
    inner.done();
    outer.done();
  }
}

TEST(ProgramLink, IdenticalHeaderStaticsAreOne) {
  UnitBuilder a("a.c"), b("b.c");
  header(a, "get", false);
  header(b, "get", true);
  simple(b, "use", {"outer"});
  const Program p = Program::link({a.done(), b.done()});
  EXPECT_EQ(p.num_functions(), 3u);
  EXPECT_EQ(p.definition(UnitId(0), a.symbol("outer")), p.definition(UnitId(1), b.symbol("outer")));
  EXPECT_EQ(p.definition(UnitId(0), a.symbol("inner")), p.definition(UnitId(1), b.symbol("inner")));
  EXPECT_EQ(p.callees(only(p, "use")).front(), only(p, "outer"));
  EXPECT_EQ(p.unit(only(p, "outer")).path, "a.c");
}

TEST(ProgramLink, HeaderStaticsThatReachDifferentOnesStayApart) {
  UnitBuilder a("a.c"), b("b.c");
  header(a, "get", false);
  header(b, "put", true);  // outer has the same text, but its inner is another
  const Program p = Program::link({a.done(), b.done()});
  EXPECT_EQ(p.num_functions(), 4u);
  EXPECT_NE(p.definition(UnitId(0), a.symbol("outer")), p.definition(UnitId(1), b.symbol("outer")));
}

TEST(ProgramLink, HeaderStaticsThatMeanRivalPublicFunctionsStayApart) {
  UnitBuilder a("a.c"), b("b.c");
  for (UnitBuilder* u : {&a, &b}) {
    FunctionBuilder f(*u, "get");
    f.at(u->unit.path, 1, false);
    f.ret();
    f.done();
    header(*u, "get", false);
  }
  const Program p = Program::link({a.done(), b.done()});
  EXPECT_NE(p.definition(UnitId(0), a.symbol("outer")), p.definition(UnitId(1), b.symbol("outer")));
}

TEST(ProgramLink, MutuallyRecursiveHeaderStaticsMerge) {
  auto make = [](UnitBuilder& u, std::string_view extra) {
    FunctionBuilder even(u, "even", Linkage::Internal, 1);
    even.at("parity.h", 1);
    u.symbol("odd", Linkage::Internal);
    even.ret(even.call("odd", {even.param(0)}));
    FunctionBuilder odd(u, "odd", Linkage::Internal, 1);
    odd.at("parity.h", 9);
    odd.call(extra);
    odd.ret(odd.call("even", {odd.param(0)}));
    even.done();
    odd.done();
  };
  UnitBuilder a("a.c"), b("b.c"), c("c.c");
  make(a, "f");
  make(b, "f");
  make(c, "g");
  const Program p = Program::link({a.done(), b.done(), c.done()});
  EXPECT_EQ(p.num_functions(), 4u);
  EXPECT_EQ(p.definition(UnitId(0), a.symbol("even")), p.definition(UnitId(1), b.symbol("even")));
  EXPECT_NE(p.definition(UnitId(0), a.symbol("even")), p.definition(UnitId(2), c.symbol("even")));
}

TEST(ProgramLink, StringLiteralsCountByContentNotByNumber) {
  auto make = [](UnitBuilder& u, std::string_view literal, std::string_view text) {
    const model::ConstId init = u.constant({model::ConstKind::String, {}, 0, u.str(text), {}});
    u.variable(literal, u.int_type(), init);
    u.unit.symbols[u.symbol(literal)].is_constant = true;
    FunctionBuilder f(u, "log", Linkage::Internal);
    f.at("log.h", 1);
    f.call("puts", {f.address_of(literal)});
    f.ret();
    f.done();
  };
  UnitBuilder a("a.c"), b("b.c"), c("c.c");
  make(a, ".str", "hello");
  make(b, ".str.7", "hello");
  make(c, ".str", "goodbye");
  const Program p = Program::link({a.done(), b.done(), c.done()});
  EXPECT_EQ(p.definition(UnitId(0), a.symbol("log")), p.definition(UnitId(1), b.symbol("log")));
  EXPECT_NE(p.definition(UnitId(0), a.symbol("log")), p.definition(UnitId(2), c.symbol("log")));
}

TEST(ProgramLink, AStructKnownByTagAloneInOneUnitDoesNotKeepCopiesApart) {
  auto make = [](UnitBuilder& u, bool complete) {
    const model::TypeId page = complete ? u.record("page", {{"flags", u.int_type()}}) : u.record("page", {});
    FunctionBuilder f(u, "pass_on", Linkage::Internal, 1);
    f.at("page.h", 1);
    f.ret(f.call("use_page", {f.param(0)}));
    f.done();
    u.unit.functions.back().params[0].type = u.pointer(page);
  };
  UnitBuilder a("a.c"), b("b.c");
  make(a, false);
  make(b, true);
  EXPECT_EQ(Program::link({a.done(), b.done()}).num_functions(), 1u);
}

TEST(ProgramLink, NumbersFollowUnitOrder) {
  UnitBuilder a("a.c"), b("b.c");
  simple(a, "x");
  simple(a, "y");
  simple(b, "z");
  const Program p = Program::link({b.done(), a.done()});
  EXPECT_EQ(p.name(FuncId(0)), "z");
  EXPECT_EQ(p.name(FuncId(1)), "x");
  EXPECT_EQ(p.name(FuncId(2)), "y");
}

TEST(ProgramLink, NothingToLink) { EXPECT_EQ(Program::link(reckon::program::Units{}).num_functions(), 0u); }

TEST(ProgramComponents, RecursionIsOneComponentAndCalleesComeFirst) {
  UnitBuilder a;
  simple(a, "top", {"ping"});
  simple(a, "ping", {"pong"});
  simple(a, "pong", {"ping", "leaf"});
  simple(a, "leaf");
  simple(a, "self", {"self"});
  const Program p = Program::link({a.done()});
  std::vector<std::vector<std::string>> names;
  for (const auto& component : p.components()) {
    names.emplace_back();
    for (const FuncId f : component) names.back().emplace_back(p.name(f));
  }
  EXPECT_EQ(names, (std::vector<std::vector<std::string>>{{"leaf"}, {"ping", "pong"}, {"top"}, {"self"}}));
}

TEST(ProgramComponents, AChainOfAHundredThousandFunctions) {
  constexpr std::uint32_t kDepth = 100000;
  // The builder looks symbols up one by one, so this unit is made by hand; all static, all from one header,
  // so that the content hash has to go down the chain as well.
  UnitBuilder u;
  for (std::uint32_t i = 0; i < kDepth; ++i) {
    model::Symbol& s = u.unit.symbols.emplace_back();
    s.linkage = Linkage::Internal;
    s.name = u.str("f" + std::to_string(i));
  }
  for (std::uint32_t i = 0; i < kDepth; ++i) {
    model::Function f;
    f.symbol = model::SymId(i);
    f.from_header = true;
    f.loc = {u.str("chain.h"), i + 1, 1, {}};
    model::Body& b = f.body;
    b.blocks.push_back({{}, 2});
    b.instrs.resize(2);
    if (i + 1 < kDepth) {
      b.operands.push_back(model::Operand::symbol(model::SymId(i + 1)));
      b.instrs[0].op = model::Op::Call;
      b.instrs[0].num_operands = 1;
    }
    b.instrs[1].op = model::Op::Ret;
    u.unit.functions.push_back(std::move(f));
  }
  const Program p = Program::link({u.done(), u.done()});
  ASSERT_EQ(p.num_functions(), kDepth);
  ASSERT_EQ(p.components().size(), kDepth);
  EXPECT_EQ(p.name(p.components().front().front()), "f" + std::to_string(kDepth - 1));
  EXPECT_EQ(p.name(p.components().back().front()), "f0");
}

}  // namespace
}  // namespace reckon::program_test
