#include "model/verify.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "model/binary.h"
#include "model/canonical.h"
#include "model/dominators.h"
#include "model/text.h"
#include "model_sample.h"

namespace reckon::model {
namespace {

std::string all(const std::vector<std::string>& lines) {
  std::string r;
  for (const std::string& l : lines) r += l + "\n";
  return r;
}

// The sample has two variables of one name, which is fine; its strings must differ.
TEST(ModelVerify, SampleIsWellFormed) { EXPECT_EQ(all(verify(sample::unit())), ""); }

struct Defect {
  const char* name;
  std::function<void(Unit&)> make;
  const char* message;  // part of one line
};

Body& body(Unit& u) { return u.functions[0].body; }

Instr& first(Unit& u, Op op) {
  for (Instr& in : body(u).instrs) {
    if (in.op == op) return in;
  }
  throw std::logic_error("the sample has no such instruction");
}

Operand& operand(Unit& u, Op op, std::uint32_t i) { return body(u).operands[first(u, op).first_operand + i]; }
BlockId& target(Unit& u, Op op, std::uint32_t i) { return body(u).targets[first(u, op).first_target + i]; }

const Defect kDefects[] = {
    {"strings", [](Unit& u) { u.strings[0] = "x"; }, "strings: entry 0 is not the empty string"},
    {"no tables", [](Unit& u) { u = Unit{}; }, "types: entry 0 is not void"},
    {"double string", [](Unit& u) { u.strings.push_back(u.strings[1]); }, "occurs twice"},
    {"language", [](Unit& u) { u.language = static_cast<Language>(9); }, "unknown language"},
    {"header", [](Unit& u) { u.headers[0] = StrId(999); }, "headers: string 999 out of range"},
    {"macro", [](Unit& u) { u.macros[0] = StrId(999); }, "macros: string 999 out of range"},
    {"type kind", [](Unit& u) { u.types[1].kind = static_cast<TypeKind>(77); }, "type 1: unknown kind 77"},
    {"type name", [](Unit& u) { u.types[1].name = StrId(999); }, "type 1: name 999 out of range"},
    {"type elem", [](Unit& u) { u.types[3].elem = TypeId(999); }, "type 3: element type 999 out of range"},
    {"type field", [](Unit& u) { u.types[2].fields[0].type = TypeId(999); }, "type 2: field out of range"},
    {"type param", [](Unit& u) { u.types[4].params[0] = TypeId(999); }, "type 4: parameter type 999 out of range"},
    {"type in itself", [](Unit& u) { u.types[2].fields[0].type = TypeId(2); }, "type 2: contains itself"},
    {"symbol kind", [](Unit& u) { u.symbols[0].linkage = static_cast<Linkage>(9); }, "symbol 0: unknown kind"},
    {"symbol name", [](Unit& u) { u.symbols[0].display = StrId(999); }, "symbol 0: name out of range"},
    {"symbol type", [](Unit& u) { u.symbols[0].type = TypeId(999); }, "symbol 0: type 999 out of range"},
    {"symbol init", [](Unit& u) { u.symbols[2].init = ConstId(999); }, "symbol 2: initial value 999 out of range"},
    {"symbol loc", [](Unit& u) { u.symbols[0].loc.file = StrId(999); }, "symbol 0: place out of range"},
    {"attribute", [](Unit& u) { u.symbols[1].attributes[0].text = StrId(999); }, "symbol 1: attribute out of range"},
    {"constant type", [](Unit& u) { u.constants[0].type = TypeId(999); }, "constant 0: type 999 out of range"},
    {"constant kind", [](Unit& u) { u.constants[0].kind = static_cast<ConstKind>(9); }, "constant 0: unknown kind 9"},
    {"constant symbol", [](Unit& u) { u.constants[4].ref = 999; }, "constant 4: symbol 999 out of range"},
    {"constant string", [](Unit& u) { u.constants[2].ref = 999; }, "constant 2: string 999 out of range"},
    {"constant child", [](Unit& u) { u.constants[5].children[1] = ConstId(999); },
     "constant 5: child 999 out of range"},
    {"constant in itself", [](Unit& u) { u.constants[5].children[1] = ConstId(5); }, "constant 5: contains itself"},
    {"function symbol", [](Unit& u) { u.functions[1].symbol = SymId(999); }, "function #1: symbol 999 out of range"},
    {"variable", [](Unit& u) { u.functions[0].symbol = sample::kTable; }, "its symbol is not a function"},
    {"undefined", [](Unit& u) { u.symbols[0].defined = false; }, "its symbol is not marked as defined"},
    {"twice", [](Unit& u) { u.functions[1].symbol = SymId(0); }, "function run: is defined twice"},
    {"function loc", [](Unit& u) { u.functions[0].end.macro = StrId(999); }, "function run: place out of range"},
    {"function result", [](Unit& u) { u.functions[0].result = TypeId(999); }, "result type 999 out of range"},
    {"param", [](Unit& u) { u.functions[0].params[0].name = StrId(999); }, "parameter name or type out of range"},
    {"local", [](Unit& u) { body(u).locals[0].type = TypeId(999); }, "local out of range"},
    {"field name", [](Unit& u) { body(u).fields[0].path = StrId(999); }, "field name out of range"},
    {"call info", [](Unit& u) { body(u).calls[0].arg_types[0] = TypeId(999); }, "call info out of range"},
    {"value name", [](Unit& u) { body(u).value_names[3] = StrId(999); }, "value name out of range"},
    {"value names", [](Unit& u) { body(u).value_names.pop_back(); }, "20 value names for 21 values"},
    {"few values", [](Unit& u) { body(u).num_values = 1; }, "fewer values than parameters"},
    {"many values", [](Unit& u) { body(u).num_values = 4000000000u; }, "4000000000 values, but only"},
    {"no blocks", [](Unit& u) { body(u).blocks.clear(); }, "instructions without blocks"},
    {"empty block", [](Unit& u) { body(u).blocks[2].count = 0; }, "block 2 is empty"},
    {"block range", [](Unit& u) { body(u).blocks[2].first = InstrId(4000000000u); }, "block 2 out of range"},
    {"gap", [](Unit& u) { body(u).blocks.pop_back(); }, "instructions, the body"},
    {"overlap", [](Unit& u) { body(u).blocks[7].first = InstrId(0); }, "instruction 0 is in two blocks"},
    {"operand range", [](Unit& u) { first(u, Op::Load).num_operands = 4000000000u; }, "of an instruction out of range"},
    {"target range", [](Unit& u) { first(u, Op::Br).first_target = 4000000000u; }, "of an instruction out of range"},
    {"shared operands", [](Unit& u) { first(u, Op::Load).num_operands = 20; }, "instructions share operands"},
    {"shared targets",
     [](Unit& u) {
       first(u, Op::Br).first_target = 0;
       first(u, Op::Br).num_targets = 5;
     },
     "instructions share targets"},
    {"op", [](Unit& u) { first(u, Op::Load).op = static_cast<Op>(99); }, "unknown instruction kind 99"},
    {"no terminator", [](Unit& u) { first(u, Op::Unreachable).op = Op::Opaque; }, "does not end in a terminator"},
    {"early terminator", [](Unit& u) { first(u, Op::Landing).op = Op::Unreachable; }, "terminator inside the block"},
    {"late phi", [](Unit& u) { std::swap(first(u, Op::Extract), first(u, Op::Phi)); }, "phi after another instruction"},
    {"operand count", [](Unit& u) { first(u, Op::Store).num_operands = 1; }, "(store): 1 operands"},
    {"target count", [](Unit& u) { first(u, Op::CondBr).num_targets = 1; }, "(condbr): 1 targets"},
    {"half an invoke", [](Unit& u) { body(u).instrs[13].num_targets = 1; }, "(call): 1 targets"},
    {"phi count", [](Unit& u) { first(u, Op::Phi).num_operands = 1; }, "(phi): 1 operands for 2 targets"},
    {"switch count", [](Unit& u) { first(u, Op::Switch).num_targets = 2; }, "(switch): 3 operands for 2 targets"},
    {"case", [](Unit& u) { operand(u, Op::Switch, 1) = Operand::value(ValueId(0)); }, "case 0 is not an integer"},
    {"no result", [](Unit& u) { first(u, Op::Load).result = kNone; }, "(load): no result"},
    {"result", [](Unit& u) { first(u, Op::Store).result = ValueId(5); }, "a result where there is none"},
    {"variant", [](Unit& u) { first(u, Op::Cmp).sub = 99; }, "unknown variant 99"},
    {"instr type", [](Unit& u) { first(u, Op::Load).type = TypeId(999); }, "type 999 out of range"},
    {"instr loc", [](Unit& u) { first(u, Op::Load).loc.file = StrId(999); }, "place out of range"},
    {"result range", [](Unit& u) { first(u, Op::Load).result = ValueId(999); }, "result %999 out of range"},
    {"result is a parameter", [](Unit& u) { first(u, Op::Load).result = ValueId(0); }, "result %0 out of range"},
    {"operand kind", [](Unit& u) { operand(u, Op::Load, 0).kind = static_cast<OperandKind>(9); }, "operand kind 9"},
    {"operand value", [](Unit& u) { operand(u, Op::Load, 0).id = 999; }, "operand %999 out of range"},
    {"operand symbol", [](Unit& u) { operand(u, Op::Call, 0).id = 999; }, "symbol 999 out of range"},
    {"target block", [](Unit& u) { target(u, Op::Br, 0) = BlockId(999); }, "target block 999 out of range"},
    {"entry", [](Unit& u) { target(u, Op::Br, 0) = BlockId(0); }, "the entry block is a target"},
    {"alloca aux", [](Unit& u) { first(u, Op::Alloca).aux = 99; }, "(alloca): aux 99 out of range"},
    {"field aux", [](Unit& u) { first(u, Op::Field).aux = 99; }, "(field): aux 99 out of range"},
    {"call aux", [](Unit& u) { first(u, Op::Call).aux = kNone; }, "(call): aux -1 out of range"},
    {"extract aux", [](Unit& u) { first(u, Op::Extract).aux = kNone; }, "(extract): aux -1 out of range"},
    {"two definitions", [](Unit& u) { first(u, Op::Extract).result = ValueId(14); }, "%14 is defined twice"},
    {"no definition",
     [](Unit& u) {
       first(u, Op::Load).result = kNone;
       first(u, Op::Load).op = Op::Opaque;
       operand(u, Op::Ret, 0).id = 4;
     },
     "%4 is used but never defined"},
    {"use before definition", [](Unit& u) { operand(u, Op::Load, 0).id = 5; }, "of %5 does not dominate this use"},
    {"use beside definition", [](Unit& u) { operand(u, Op::Resume, 0).id = 14; }, "of %14 does not dominate this use"},
    {"own result", [](Unit& u) { operand(u, Op::Load, 0).id = 4; }, "of %4 does not dominate this use"},
    {"phi operand", [](Unit& u) { operand(u, Op::Phi, 1).id = 13; }, "of %13 does not dominate this use"},
    {"phi predecessors", [](Unit& u) { target(u, Op::Phi, 1) = BlockId(4); },
     "comes from blocks 1,4, but the predecessors are 1,2"},
};

TEST(ModelVerify, FindsEachDefect) {
  for (const Defect& d : kDefects) {
    Unit u = sample::unit();
    d.make(u);
    std::string found = all(verify(u));
    EXPECT_NE(found.find(d.message), std::string::npos) << d.name << " gives:\n" << found;
    print(u);  // must not crash, nor must this:
    Unit r;
    std::string bytes = encode(u);
    decode(std::as_bytes(std::span(bytes)), r);
  }
}

TEST(ModelVerify, PlacesAreNamed) {
  Unit u = sample::unit();
  first(u, Op::Switch).num_targets = 2;
  EXPECT_EQ(all(verify(u)), "function run, block 2, instruction 1 (switch): 3 operands for 2 targets\n");
}

TEST(ModelVerify, UnreachableCodeMayUseAnything) {
  Unit u = sample::unit();
  Function& f = u.functions[0];
  f.body = Body{};
  sample::BodyBuilder fresh(u, f);
  fresh.block();
  fresh.add(Op::Ret, sample::kVoid, {});
  fresh.block();
  fresh.value(Op::Load, sample::kInt, {Operand::value(ValueId(3))});
  fresh.value(Op::Load, sample::kInt, {Operand::value(ValueId(2))});
  fresh.add(Op::Br, sample::kVoid, {}, {1});
  EXPECT_EQ(all(verify(u)), "");
}

TEST(ModelVerify, ManyDefectsAreCut) {
  Unit u = sample::unit();
  for (int i = 0; i < 5000; ++i) u.headers.push_back(StrId(9999));
  EXPECT_EQ(verify(u).size(), 201u);
  EXPECT_EQ(verify(u).back(), "more defects are not listed");
}

// Garbage in every number, and deep nesting: no crash, no endless loop.
TEST(ModelVerify, SurvivesGarbage) {
  std::mt19937 random(4711);
  for (int round = 0; round < 5000; ++round) {
    Unit u = sample::unit();
    auto n = [&] { return random() % 4 == 0 ? random() : random() % 12; };
    Body& b = body(u);
    for (int k = 0; k < 3; ++k) {
      switch (random() % 10) {
        case 0:
          b.blocks[random() % b.blocks.size()] = {static_cast<InstrId>(n()), static_cast<std::uint32_t>(n())};
          break;
        case 1: b.instrs[random() % b.instrs.size()].first_operand = static_cast<std::uint32_t>(n()); break;
        case 2: b.instrs[random() % b.instrs.size()].num_operands = static_cast<std::uint32_t>(n()); break;
        case 3: b.instrs[random() % b.instrs.size()].num_targets = static_cast<std::uint32_t>(n()); break;
        case 4: b.instrs[random() % b.instrs.size()].op = static_cast<Op>(n() % 256); break;
        case 5: b.instrs[random() % b.instrs.size()].result = static_cast<ValueId>(n()); break;
        case 6: b.targets[random() % b.targets.size()] = static_cast<BlockId>(n()); break;
        case 7: b.operands[random() % b.operands.size()].id = static_cast<std::uint32_t>(n()); break;
        case 8: u.types[random() % u.types.size()].elem = static_cast<TypeId>(n()); break;
        default: u.constants[5].children[random() % 3] = static_cast<ConstId>(n()); break;
      }
    }
    verify(u);
    if (round % 10 == 0) print(u);
  }
  Unit deep = sample::unit();
  for (std::uint32_t i = 0; i < 300000; ++i) {
    deep.constants.push_back(
        {ConstKind::Aggregate, sample::kArray, 0, kNone, {static_cast<ConstId>(deep.constants.size() - 1)}});
  }
  EXPECT_EQ(all(verify(deep)), "");
}

TEST(ModelDominators, DiamondAndLoop) {
  Unit u = sample::unit();
  Dominators d(body(u));
  EXPECT_TRUE(d.dominates(BlockId(0), BlockId(7)));
  EXPECT_TRUE(d.dominates(BlockId(2), BlockId(5)));
  EXPECT_TRUE(d.dominates(BlockId(5), BlockId(6)));
  EXPECT_FALSE(d.dominates(BlockId(6), BlockId(5)));
  EXPECT_FALSE(d.dominates(BlockId(1), BlockId(3)));
  EXPECT_TRUE(d.dominates(BlockId(3), BlockId(3)));
  EXPECT_EQ(d.immediate(BlockId(3)), BlockId(0));
  EXPECT_EQ(d.immediate(BlockId(4)), BlockId(1));
  EXPECT_EQ(d.immediate(BlockId(0)), kNone);
  EXPECT_EQ(std::vector<BlockId>(d.predecessors(BlockId(5)).begin(), d.predecessors(BlockId(5)).end()),
            (std::vector<BlockId>{BlockId(2), BlockId(6)}));
  ASSERT_EQ(body(u).blocks.size(), 8u);
  for (BlockId b{}; b < 8; ++b) EXPECT_TRUE(d.reachable(b)) << b;
}

}  // namespace
}  // namespace reckon::model
