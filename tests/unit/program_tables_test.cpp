#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "program/dump.h"
#include "program/program.h"
#include "program/types.h"
#include "program_builder.h"

namespace reckon::program_test {
namespace {

using model::Linkage;
using model::Operand;
using program::FuncId;
using program::Program;
using program::TableEntry;
using Names = std::vector<std::string>;

Names targets(const Program& p, std::string_view origin) {
  Names names;
  for (const FuncId f : p.pointer_targets(origin)) names.emplace_back(p.name(f));
  return names;
}

FuncId find(const Program& p, std::string_view name) {
  for (FuncId f{}; f < p.num_functions(); ++f)
    if (p.name(f) == name) return f;
  return program::kNone;
}

TEST(ProgramTables, RowsOfAMethodTable) {
  UnitBuilder u;
  simple(u, "spam_run", {}, Linkage::Internal);
  simple(u, "spam_stop", {}, Linkage::Internal);
  const model::TypeId def =
      u.record("MethodDef", {{"name", u.int_type()}, {"meth", u.func_ptr()}, {"flags", u.int_type()}});
  const model::TypeId table = u.array(def, 3);
  const model::ConstId first = u.aggregate(def, {u.integer(1), u.address("spam_run"), u.integer(8)});
  const model::ConstId second = u.aggregate(def, {u.integer(2), u.address("spam_stop"), u.integer(1)});
  const model::ConstId zero = u.constant({model::ConstKind::Zero, def, 0, model::kNone, {}});
  const model::SymId var = u.variable("methods", table, u.aggregate(table, {first, second, zero}));
  const Program p = Program::link({u.done()});

  EXPECT_EQ(targets(p, "MethodDef.meth"), (Names{"spam_run", "spam_stop"}));
  EXPECT_EQ(targets(p, "methods[1].meth"), Names{"spam_stop"});
  EXPECT_EQ(targets(p, "methods[].meth"), (Names{"spam_run", "spam_stop"}));
  EXPECT_TRUE(targets(p, "MethodDef.flags").empty());
  ASSERT_EQ(p.roles(find(p, "spam_stop")).size(), 1u);
  const TableEntry& e = p.roles(find(p, "spam_stop")).front();
  EXPECT_EQ(e.function, find(p, "spam_stop"));
  EXPECT_EQ(e.record, "MethodDef");
  EXPECT_EQ(e.field, "meth");
  EXPECT_EQ(e.unit, program::UnitId(0));
  EXPECT_EQ(e.variable, var);
  EXPECT_EQ(e.element, second);
  EXPECT_EQ(program::dump_tables(p, "MethodDef"),
            "MethodDef.meth\n  spam_run (a.c), in methods of a.c\n  spam_stop (a.c), in methods of a.c\n");
}

TEST(ProgramTables, OneFunctionInTwoRowsHasTwoRoles) {
  UnitBuilder u;
  simple(u, "init");
  const model::TypeId slot = u.record("Slot", {{"slot", u.int_type()}, {"func", u.pointer(model::TypeId{})}});
  const model::TypeId table = u.array(slot, 2);
  const model::ConstId a = u.aggregate(slot, {u.integer(60), u.address("init")});
  const model::ConstId b = u.aggregate(slot, {u.integer(65), u.address("init")});
  u.variable("slots", table, u.aggregate(table, {a, b}));
  const Program p = Program::link({u.done()});
  ASSERT_EQ(p.roles(FuncId(0)).size(), 2u);
  EXPECT_EQ(p.roles(FuncId(0))[0].element, a);
  EXPECT_EQ(p.roles(FuncId(0))[1].element, b);
  EXPECT_EQ(p.roles(FuncId(0))[1].record, "Slot");
  EXPECT_EQ(p.roles(FuncId(0))[1].field, "func");
}

TEST(ProgramTables, NestedAndUnnamedStructs) {
  UnitBuilder u;
  simple(u, "suspend");
  simple(u, "open");
  const model::TypeId pm = u.record("pm_ops", {{"suspend", u.func_ptr()}});
  const model::TypeId unnamed = u.record("", {{"open", u.func_ptr()}});
  const model::TypeId driver = u.record("driver", {{"id", u.int_type()}, {"pm", pm}, {"file", unnamed}});
  const model::ConstId inner = u.aggregate(pm, {u.address("suspend")});
  const model::ConstId whole = u.aggregate(driver, {u.integer(1), inner, u.aggregate(unnamed, {u.address("open")})});
  u.variable("drv", driver, whole);
  const Program p = Program::link({u.done()});
  EXPECT_EQ(targets(p, "pm_ops.suspend"), Names{"suspend"});
  EXPECT_EQ(targets(p, "driver.pm.suspend"), Names{"suspend"});
  EXPECT_EQ(targets(p, "drv.pm.suspend"), Names{"suspend"});
  EXPECT_EQ(targets(p, "driver.file.open"), Names{"open"});
  const TableEntry& s = p.roles(find(p, "suspend")).front();
  EXPECT_EQ(s.record, "pm_ops");
  EXPECT_EQ(s.field, "suspend");
  EXPECT_EQ(s.element, inner);
  const TableEntry& o = p.roles(find(p, "open")).front();
  EXPECT_EQ(o.record, "driver");
  EXPECT_EQ(o.field, "file.open");
  EXPECT_EQ(o.element, whole);
}

TEST(ProgramTables, GlobalPointersAndArrays) {
  UnitBuilder u;
  simple(u, "a");
  simple(u, "b");
  const model::TypeId table = u.array(u.func_ptr(), 2);
  const model::ConstId init = u.aggregate(table, {u.address("a"), u.address("b")});
  u.variable("table", table, init);
  const model::ConstId hook = u.address("b");
  u.variable("hook", u.func_ptr(), hook);
  const Program p = Program::link({u.done()});
  EXPECT_EQ(targets(p, "table"), (Names{"a", "b"}));
  EXPECT_EQ(targets(p, "table[]"), (Names{"a", "b"}));
  EXPECT_EQ(targets(p, "table[0]"), Names{"a"});
  EXPECT_EQ(targets(p, "hook"), Names{"b"});
  ASSERT_EQ(p.roles(find(p, "b")).size(), 2u);
  EXPECT_EQ(p.roles(find(p, "b"))[0].field, "table");
  EXPECT_EQ(p.roles(find(p, "b"))[0].element, init);
  EXPECT_EQ(p.roles(find(p, "b"))[1].field, "hook");
  EXPECT_EQ(p.roles(find(p, "b"))[1].element, hook);
}

TEST(ProgramTables, StoresToFieldsAndGlobals) {
  UnitBuilder u;
  for (const char* name : {"f1", "f2", "f3", "f4", "f5"}) simple(u, name);
  const model::TypeId ops = u.record("ops", {{"open", u.func_ptr()}, {"close", u.func_ptr()}});
  const model::TypeId dev = u.record("dev", {{"id", u.int_type()}, {"ops", ops}});
  u.variable("hook", u.func_ptr());
  u.variable("global_ops", ops);
  FunctionBuilder f(u, "setup", Linkage::External, 1);
  f.store(f.field(f.param(0), ops, "open", 0), f.address_of("f1"));
  f.store(f.field(f.param(0), ops, "open", 0), f.address_of("f1"));
  f.store(f.field(f.param(0), dev, "ops.close", 16), f.address_of("f2"));
  f.store(f.address_of("hook"), f.address_of("f3"));
  f.store(f.address_of("global_ops", 8), f.address_of("f4"));
  const Operand chosen = f.instr(model::Op::Select, {f.param(0), f.address_of("f4"), f.address_of("f5")});
  f.store(f.field(f.field(f.param(0), dev, "ops", 8), ops, "open", 0), chosen);
  f.ret();
  f.done();
  const Program p = Program::link({u.done()});
  EXPECT_EQ(targets(p, "ops.open"), (Names{"f1", "f4", "f5"}));
  EXPECT_EQ(targets(p, "dev.ops.open"), (Names{"f4", "f5"}));
  EXPECT_EQ(targets(p, "dev.ops.close"), Names{"f2"});
  EXPECT_EQ(targets(p, "ops.close"), (Names{"f2", "f4"}));
  EXPECT_EQ(targets(p, "global_ops.close"), Names{"f4"});
  EXPECT_EQ(targets(p, "hook"), Names{"f3"});
  ASSERT_EQ(p.roles(find(p, "f1")).size(), 1u);  // twice the same assignment
  const TableEntry& e = p.roles(find(p, "f2")).front();
  EXPECT_EQ(e.record, "ops");
  EXPECT_EQ(e.field, "close");
  EXPECT_EQ(e.variable, model::kNone);
  EXPECT_EQ(e.element, model::kNone);
  EXPECT_EQ(program::dump_tables(p, "f2"), "ops.close\n  f2, assigned in a.c\n");
  EXPECT_EQ(program::dump_tables(p, "nobody"), "nothing called nobody in any table\n");
}

TEST(ProgramTables, CallsThroughFieldsAreInTheCallGraph) {
  UnitBuilder a("a.c"), b("b.c");
  simple(a, "my_open", {}, Linkage::Internal);
  const model::TypeId ops = a.record("ops", {{"open", a.func_ptr()}});
  a.variable("table", ops, a.aggregate(ops, {a.address("my_open")}));
  FunctionBuilder f(b, "use", Linkage::External, 1);
  f.call(f.param(0), {}, "ops.open");
  f.call(f.param(0), {}, "ops.close");
  f.call("printf");
  f.ret();
  f.done();
  const Program p = Program::link({a.done(), b.done()});
  ASSERT_EQ(p.callees(find(p, "use")).size(), 1u);
  EXPECT_EQ(p.callees(find(p, "use")).front(), find(p, "my_open"));
  EXPECT_EQ(program::dump_callgraph(p, "use"),
            "use\n  calls printf [not defined here]\n  calls through ops.close: unknown\n"
            "  calls through ops.open: my_open (a.c)\n");
  EXPECT_EQ(program::dump_callgraph(p, "my_open"), "my_open (a.c)\n  called by use\n");
  EXPECT_EQ(program::dump_callgraph(p, "gone"), "no function called gone is defined\n");
}

TEST(ProgramTables, ACallNamedFromAnOuterStructFindsWhatTheInnerOneHolds) {
  UnitBuilder a("a.c"), b("b.c");
  simple(a, "run");
  const model::TypeId ops = a.record("ops", {{"run", a.func_ptr()}});
  a.variable("table", ops, a.aggregate(ops, {a.address("run")}));
  // Whether this unit knows the fields of the inner struct does not matter.
  b.record("device", {{"id", b.int_type()}, {"ops", b.record("ops", {})}});
  FunctionBuilder f(b, "use", Linkage::External, 1);
  f.call(f.param(0), {}, "device.ops.run");
  f.call(f.param(0), {}, "device.ops.stop");
  f.call(f.param(0), {}, "device.nothing");
  f.ret();
  f.done();
  const Program p = Program::link({a.done(), b.done()});
  EXPECT_EQ(targets(p, "device.ops.run"), Names{"run"});
  EXPECT_TRUE(targets(p, "device.ops.stop").empty());
  EXPECT_EQ(p.callees(find(p, "use")).size(), 1u);
}

TEST(ProgramTables, UnionsWithAChildForEachMemberOrOneForAll) {
  UnitBuilder u;
  simple(u, "f");
  const model::TypeId variant = u.record("variant", {{"number", u.int_type()}, {"fn", u.func_ptr()}});
  u.unit.types[variant].kind = model::TypeKind::Union;
  for (model::Field& field : u.unit.types[variant].fields) field.offset = 0;
  u.variable("each", variant, u.aggregate(variant, {u.integer(0), u.address("f")}));
  u.variable("one", variant, u.aggregate(variant, {u.address("f")}));
  const Program p = Program::link({u.done()});
  EXPECT_EQ(targets(p, "each.fn"), Names{"f"});
  EXPECT_EQ(targets(p, "one.fn"), Names{"f"});
  EXPECT_TRUE(targets(p, "one.number").empty());
}

TEST(ProgramTables, TooManyTargetsAreNone) {
  for (const std::size_t n : {program::kMaxPointerTargets, program::kMaxPointerTargets + 1}) {
    UnitBuilder u;
    const model::TypeId ops = u.record("ops", {{"run", u.func_ptr()}});
    const model::TypeId table = u.array(ops, n);
    std::vector<model::ConstId> rows;
    for (std::size_t i = 0; i < n; ++i) {
      simple(u, "f" + std::to_string(i));
      rows.push_back(u.aggregate(ops, {u.address("f" + std::to_string(i))}));
    }
    u.variable("table", table, u.aggregate(table, rows));
    const Program p = Program::link({u.done()});
    EXPECT_EQ(targets(p, "ops.run").size(), n <= program::kMaxPointerTargets ? n : 0);
    EXPECT_EQ(p.roles(FuncId(0)).size(), 1u);  // roles are kept all the same
  }
}

TEST(ProgramTables, ATableOfAHeaderCountsOnce) {
  std::vector<std::shared_ptr<const model::Unit>> units;
  for (const char* path : {"a.c", "b.c"}) {
    UnitBuilder u(path);
    if (path[0] == 'b') u.str("shift");
    FunctionBuilder f(u, "run", Linkage::Internal);
    f.at("ops.h", 4);
    f.ret();
    f.done();
    const model::TypeId ops = u.record("ops", {{"run", u.func_ptr()}});
    const model::SymId var = u.variable("table", ops, u.aggregate(ops, {u.address("run")}));
    u.unit.symbols[var].loc = {u.str("ops.h"), 9, 1, {}};
    units.push_back(u.done());
  }
  const Program p = Program::link(units);
  ASSERT_EQ(p.num_functions(), 1u);
  EXPECT_EQ(p.roles(FuncId(0)).size(), 1u);
}

TEST(ProgramTypes, StructsThatStartWithAnother) {
  UnitBuilder u;
  const model::TypeId object = u.record("_object", {{"count", u.int_type()}});
  const model::TypeId var = u.record("varobject", {{"base", object}, {"size", u.int_type()}});
  const model::TypeId list = u.record("", {{"base", var}});
  const model::TypeId other = u.record("other", {{"id", u.int_type()}, {"base", object}});
  using Tags = std::vector<std::string_view>;
  EXPECT_EQ(program::leading_records(u.unit, object), Tags{"_object"});
  EXPECT_EQ(program::leading_records(u.unit, var), (Tags{"varobject", "_object"}));
  EXPECT_EQ(program::leading_records(u.unit, list), (Tags{"varobject", "_object"}));
  EXPECT_EQ(program::leading_records(u.unit, other), Tags{"other"});
  EXPECT_EQ(program::leading_records(u.unit, u.pointer(object, "SEXP")), Tags{});
  EXPECT_EQ(program::leading_records(u.unit, u.int_type()), Tags{});
}

TEST(ProgramTypes, OffsetsToFields) {
  UnitBuilder u;
  const model::TypeId in = u.record("in", {{"x", u.int_type()}, {"y", u.int_type()}});
  const model::TypeId out = u.record("out", {{"a", u.int_type()}, {"rows", u.array(in, 3)}});
  const std::vector<program::Step> steps = program::steps_to_offset(u.unit, out, 8 + 16 + 8);
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(u.unit.str(steps[0].field), "rows");
  EXPECT_EQ(steps[1].element, 1);
  EXPECT_EQ(u.unit.str(steps[2].field), "y");
  EXPECT_TRUE(program::steps_to_offset(u.unit, out, 8 + 16 + 9).empty());
  EXPECT_TRUE(program::steps_to_offset(u.unit, out, 1000).empty());
}

}  // namespace
}  // namespace reckon::program_test
