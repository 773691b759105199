#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "program/classify.h"
#include "program/dump.h"
#include "program/slice.h"
#include "program_builder.h"

namespace reckon::program_test {
namespace {

using model::Operand;
using program::Class;
using program::ClassifyOptions;
using program::FuncId;
using program::Program;

specs::SpecSet spec_set(std::string_view text) {
  std::vector<specs::SpecError> errors;
  specs::SpecSet set;
  set.add(specs::parse_spec("test.spec", text, errors));
  for (const specs::SpecError& e : errors) ADD_FAILURE() << e.message;
  return set;
}

std::map<std::string, Class> classes(const Program& p, std::string_view specs, const ClassifyOptions& options = {}) {
  const std::vector<Class> all = program::classify(p, spec_set(specs), options);
  std::map<std::string, Class> by_name;
  for (FuncId f{}; f < p.num_functions(); ++f) by_name[std::string(p.name(f))] = all[f];
  return by_name;
}

constexpr std::string_view kPm = "domain linux\nfn inc_pmcount(d) -> any d.pm+1\nfn dec_pmcount(d) -> any d.pm-1\n";

// Figure 1 of RID: v = reg_read(dev, 0x54); if (v > 0) inc_pmcount(dev); return 0. With a logger whose
// result nobody looks at.
void figure_1(UnitBuilder& u) {
  FunctionBuilder f(u, "foo", model::Linkage::External, 1);
  f.call("log_entry", {f.param(0)});
  const Operand v = f.call("reg_read", {f.param(0), Operand::integer(0x54)});
  f.cond_br(f.positive(v), 1, 2);
  f.block();
  f.call("inc_pmcount", {f.param(0)});
  f.br(2);
  f.block();
  f.ret();
  f.done();
}

// Returns -1, or what `raw` says if that is positive, after `tests` further branches.
void reg_read(UnitBuilder& u, std::uint32_t tests) {
  FunctionBuilder f(u, "reg_read", model::Linkage::External, 2);
  const Operand v = f.call("raw", {f.param(1)});
  f.call("log_entry", {f.param(0)});
  for (std::uint32_t i = 0; i < tests; ++i) {
    f.cond_br(f.positive(f.param(0)), i + 1, tests + 1);
    f.block();
  }
  f.ret(v);
  f.block();
  f.ret(Operand::integer(-1));
  f.done();
}

TEST(ProgramClassify, TheExampleOfThePaper) {
  UnitBuilder u;
  figure_1(u);
  reg_read(u, 1);
  simple(u, "raw");
  simple(u, "log_entry", {"print"});
  simple(u, "print");
  simple(u, "caller", {"foo"});
  const Program p = Program::link({u.done()});
  EXPECT_EQ(classes(p, kPm), (std::map<std::string, Class>{{"foo", Class::Changing},
                                                           {"caller", Class::Changing},
                                                           {"reg_read", Class::AffectingAnalysed},
                                                           {"raw", Class::AffectingAnalysed},
                                                           {"log_entry", Class::Other},
                                                           {"print", Class::Other}}));
  const std::vector<Class> all = program::classify(p, spec_set(kPm));
  EXPECT_EQ(program::dump_classes(p, all),
            "changing: 2\naffecting, analysed: 2\naffecting, not analysed: 0\nother: 2\nall: 6\n"
            "  caller: changing\n  foo: changing\n  log_entry: other\n  print: other\n  raw: affecting, analysed\n"
            "  reg_read: affecting, analysed\n");
  EXPECT_EQ(program::dump_classes(p, all, "foo"), "  foo: changing\n");
}

TEST(ProgramClassify, AffectingFunctionsWithMoreThanThreeBranchesAreNotAnalysed) {
  for (const std::uint32_t branches : {3u, 4u}) {
    UnitBuilder u;
    figure_1(u);
    reg_read(u, branches);
    simple(u, "raw");
    const Program p = Program::link({u.done()});
    EXPECT_EQ(classes(p, kPm)["reg_read"], branches <= 3 ? Class::AffectingAnalysed : Class::AffectingNotAnalysed);
    EXPECT_EQ(classes(p, kPm)["raw"], Class::AffectingAnalysed);
    ClassifyOptions options;
    options.max_branches = branches - 1;
    EXPECT_EQ(classes(p, kPm, options)["reg_read"], Class::AffectingNotAnalysed);
  }
}

TEST(ProgramClassify, WithoutASpecNothingChanges) {
  UnitBuilder u;
  figure_1(u);
  EXPECT_EQ(classes(Program::link({u.done()}), "")["foo"], Class::Other);
}

TEST(ProgramClassify, ASpecStandsForTheBody) {
  UnitBuilder u;
  simple(u, "wrapper", {"inc_pmcount"});
  simple(u, "user", {"wrapper"});
  const Program p = Program::link({u.done()});
  EXPECT_EQ(classes(p, kPm)["user"], Class::Changing);
  const std::string specs = std::string(kPm) + "fn wrapper() -> any\n";
  EXPECT_EQ(classes(p, specs)["wrapper"], Class::Other);
  EXPECT_EQ(classes(p, specs)["user"], Class::Other);
}

TEST(ProgramClassify, RecursionAndPointers) {
  UnitBuilder u;
  const model::TypeId ops = u.record("ops", {{"get", u.func_ptr()}});
  simple(u, "my_get", {"inc_pmcount"});
  u.variable("table", ops, u.aggregate(ops, {u.address("my_get")}));
  FunctionBuilder even(u, "even", model::Linkage::External, 1);
  even.call("odd", {even.param(0)});
  even.call(even.param(0), {}, "ops.get");
  even.ret();
  even.done();
  simple(u, "odd", {"even"});
  simple(u, "lonely", {"lonely"});
  const auto c = classes(Program::link({u.done()}), kPm);
  EXPECT_EQ(c.at("even"), Class::Changing);
  EXPECT_EQ(c.at("odd"), Class::Changing);
  EXPECT_EQ(c.at("lonely"), Class::Other);
}

TEST(ProgramClassify, ArgumentsMemoryAndOutParametersAreInTheSlice) {
  UnitBuilder u;
  const model::TypeId dev = u.record("dev", {{"state", u.int_type()}, {"name", u.int_type()}});
  FunctionBuilder f(u, "probe", model::Linkage::External, 1);
  const Operand local = f.instr(model::Op::Alloca, {});
  const Operand unused = f.instr(model::Op::Alloca, {});
  f.call("fill", {local});  // writes what is passed below
  f.call("fill_unused", {unused});
  f.store(f.field(f.param(0), dev, "name", 8), f.call("make_name"));
  f.store(f.field(f.param(0), dev, "state", 0), f.call("make_state"));
  const Operand state = f.instr(model::Op::Load, {f.field(f.param(0), dev, "state", 0)});
  f.cond_br(f.positive(state), 1, 2);
  f.block();
  f.call("inc_pmcount", {f.instr(model::Op::Load, {local})});
  f.br(2);
  f.block();
  f.ret();
  f.done();
  for (const char* name : {"fill", "fill_unused", "make_name", "make_state"}) simple(u, name);
  const auto c = classes(Program::link({u.done()}), kPm);
  EXPECT_EQ(c.at("fill"), Class::AffectingAnalysed);
  EXPECT_EQ(c.at("make_state"), Class::AffectingAnalysed);
  EXPECT_EQ(c.at("fill_unused"), Class::Other);
  EXPECT_EQ(c.at("make_name"), Class::Other);
}

TEST(ProgramClassify, TheBranchBehindAPhiOfConstantsIsInTheSlice) {
  UnitBuilder u;
  FunctionBuilder f(u, "start", model::Linkage::External, 1);
  f.call("inc_pmcount", {f.param(0)});
  f.cond_br(f.positive(f.call("check")), 1, 2);
  f.block();
  f.call("notify");
  f.br(2);
  f.block();
  f.ret(f.instr(model::Op::Phi, {Operand::integer(0), Operand::integer(-1)}, {model::BlockId(0), model::BlockId(1)}));
  f.done();
  simple(u, "check");
  simple(u, "notify");
  const auto c = classes(Program::link({u.done()}), kPm);
  EXPECT_EQ(c.at("check"), Class::AffectingAnalysed);
  EXPECT_EQ(c.at("notify"), Class::Other);
}

TEST(ProgramClassify, CountersUnknownFunctionsAndSideEffects) {
  UnitBuilder u;
  const model::TypeId object = u.record("obj", {{"refs", u.int_type()}, {"hash", u.int_type()}});
  const model::TypeId list = u.record("list", {{"base", object}});
  const auto store = [&](const char* name, model::TypeId record, const char* path, std::int64_t offset) {
    FunctionBuilder f(u, name, model::Linkage::External, 1);
    f.store(f.field(f.param(0), record, path, offset), Operand::integer(1));
    f.ret();
    f.done();
  };
  store("set_refs", object, "refs", 0);
  store("set_base_refs", list, "base.refs", 0);
  store("set_hash", object, "hash", 8);
  const model::TypeId returns_list = u.add_type(model::TypeKind::Function, 0, "", u.pointer(list));
  FunctionBuilder make(u, "make_list");
  make.call("mystery");
  make.ret();
  make.done();
  u.unit.functions.back().body.calls[0].type = returns_list;
  simple(u, "collect", {"gc"});
  const Program p = Program::link({u.done()});
  constexpr std::string_view specs = "domain d\nunknown-result new\ncounted obj refs\nfn gc() allocates\n";
  const auto c = classes(p, specs);
  EXPECT_EQ(c.at("set_refs"), Class::Changing);
  EXPECT_EQ(c.at("set_base_refs"), Class::Changing);
  EXPECT_EQ(c.at("set_hash"), Class::Other);
  EXPECT_EQ(c.at("make_list"), Class::Changing);
  EXPECT_EQ(c.at("collect"), Class::Other);
  ClassifyOptions options;
  options.side_effects_matter = true;
  EXPECT_EQ(classes(p, specs, options).at("collect"), Class::Changing);
  EXPECT_EQ(classes(p, "domain d\nunknown-result borrowed\ncounted obj refs\n").at("make_list"), Class::Other);
}

TEST(ProgramSlice, ControlDependenceWithLoopsAndEndlessOnes) {
  UnitBuilder u;
  FunctionBuilder f(u, "f", model::Linkage::External, 1);
  f.cond_br(f.param(0), 1, 3);  // 0
  f.block();
  f.cond_br(f.param(0), 1, 2);  // 1: a loop of its own
  f.block();
  f.ret();  // 2
  f.block();
  f.br(4);  // 3
  f.block();
  f.br(3);  // 4: 3 and 4 never end
  f.done();
  const auto all = program::control_dependences(u.unit.functions[0].body);
  using Blocks = std::vector<std::uint32_t>;
  const auto deps = [&](std::size_t b) { return Blocks(all[b].begin(), all[b].end()); };
  EXPECT_EQ(deps(0), Blocks{});
  EXPECT_EQ(deps(1), (Blocks{0, 1}));
  EXPECT_EQ(deps(2), Blocks{0});
  EXPECT_EQ(deps(3), Blocks{0});
  EXPECT_EQ(deps(4), Blocks{0});
}

TEST(ProgramClassify, DeepChains) {
  UnitBuilder u;
  constexpr std::uint32_t kDepth = 50000;
  for (std::uint32_t i = 0; i <= kDepth; ++i) {
    model::Symbol& s = u.unit.symbols.emplace_back();
    s.name = u.str(i == kDepth ? "inc_pmcount" : "f" + std::to_string(i));
  }
  for (std::uint32_t i = 0; i < kDepth; ++i) {
    model::Function& f = u.unit.functions.emplace_back();
    f.symbol = model::SymId(i);
    f.body.blocks.push_back({{}, 2});
    f.body.instrs.resize(2);
    f.body.operands.push_back(Operand::symbol(model::SymId(i + 1)));
    f.body.instrs[0].op = model::Op::Call;
    f.body.instrs[0].num_operands = 1;
    f.body.instrs[1].op = model::Op::Ret;
  }
  const std::vector<Class> all = program::classify(Program::link({u.done()}), spec_set(kPm));
  EXPECT_EQ(program::count_classes(all).changing, kDepth);
}

}  // namespace
}  // namespace reckon::program_test
