// Units made by hand, for tests of program/: just enough to write a few functions, structs and tables.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/model.h"

namespace reckon::program_test {

class UnitBuilder {
 public:
  explicit UnitBuilder(std::string path = "a.c") {
    unit.path = std::move(path);
    unit.strings.push_back("");
    unit.types.emplace_back();
    int_ = add_type(model::TypeKind::Int, 4, "int");
    func_ = add_type(model::TypeKind::Function, 0, "", int_);
    func_ptr_ = pointer(func_);
  }

  model::StrId str(std::string_view s) {
    const auto [it, added] = strings_.emplace(std::string(s), static_cast<model::StrId>(unit.strings.size()));
    if (s.empty()) return {};
    if (added) unit.strings.emplace_back(s);
    return it->second;
  }
  model::TypeId add_type(model::Type t) {
    unit.types.push_back(std::move(t));
    return static_cast<model::TypeId>(unit.types.size() - 1);
  }
  model::TypeId add_type(model::TypeKind kind, std::uint64_t size, std::string_view name, model::TypeId elem = {}) {
    model::Type t;
    t.kind = kind;
    t.size = size;
    t.name = str(name);
    t.elem = elem;
    return add_type(std::move(t));
  }
  model::TypeId int_type() const { return int_; }
  model::TypeId func_type() const { return func_; }
  model::TypeId func_ptr() const { return func_ptr_; }
  model::TypeId pointer(model::TypeId to, std::string_view name = "") {
    return add_type(model::TypeKind::Pointer, 8, name, to);
  }
  // Fields are laid out one after the other, 8 bytes or their size, whichever is more.
  model::TypeId record(std::string_view tag, std::vector<std::pair<std::string, model::TypeId>> fields) {
    model::Type t;
    t.kind = model::TypeKind::Struct;
    t.name = str(tag);
    for (auto& [name, type] : fields) {
      t.fields.push_back({str(name), type, t.size});
      t.size += unit.types[type].size > 8 ? unit.types[type].size : 8;
    }
    return add_type(std::move(t));
  }
  model::TypeId array(model::TypeId of, std::uint64_t n) {
    return add_type(model::TypeKind::Array, n * unit.types[of].size, "", of);
  }

  model::SymId symbol(std::string_view name, model::Linkage linkage = model::Linkage::External) {
    for (model::SymId s{}; s < unit.symbols.size(); ++s)
      if (unit.name(s) == name) return s;
    model::Symbol sym;
    sym.linkage = linkage;
    sym.name = sym.display = str(name);
    sym.type = func_;
    unit.symbols.push_back(sym);
    return static_cast<model::SymId>(unit.symbols.size() - 1);
  }
  model::SymId variable(std::string_view name, model::TypeId type, model::ConstId init = model::kNone,
                        model::Linkage linkage = model::Linkage::Internal) {
    const model::SymId s = symbol(name, linkage);
    unit.symbols[s].kind = model::SymbolKind::Variable;
    unit.symbols[s].type = type;
    unit.symbols[s].init = init;
    unit.symbols[s].defined = init != model::kNone;
    return s;
  }

  model::ConstId constant(model::Constant c) {
    unit.constants.push_back(std::move(c));
    return static_cast<model::ConstId>(unit.constants.size() - 1);
  }
  model::ConstId address(std::string_view name) {
    return constant({model::ConstKind::Address, func_ptr_, 0, symbol(name), {}});
  }
  model::ConstId integer(std::int64_t i) { return constant({model::ConstKind::Int, int_, i, model::kNone, {}}); }
  model::ConstId aggregate(model::TypeId type, std::vector<model::ConstId> children) {
    return constant({model::ConstKind::Aggregate, type, 0, model::kNone, std::move(children)});
  }

  std::shared_ptr<const model::Unit> done() const { return std::make_shared<const model::Unit>(unit); }

  model::Unit unit;

 private:
  std::unordered_map<std::string, model::StrId> strings_;
  model::TypeId int_, func_, func_ptr_;
};

// One function, instruction by instruction. `block()` starts the next block; targets are block numbers.
class FunctionBuilder {
 public:
  FunctionBuilder(UnitBuilder& u, std::string_view name, model::Linkage linkage = model::Linkage::External,
                  std::uint32_t num_params = 0)
      : u_(u) {
    f_.symbol = u.symbol(name, linkage);
    u.unit.symbols[f_.symbol].linkage = linkage;
    u.unit.symbols[f_.symbol].defined = true;
    f_.result = u.int_type();
    for (std::uint32_t i = 0; i < num_params; ++i) f_.params.push_back({u.str("p" + std::to_string(i)), u.int_type()});
    f_.body.num_values = num_params;
    block();
  }
  FunctionBuilder& at(std::string_view file, std::uint32_t line, bool header = true) {
    f_.loc = {u_.str(file), line, 1, {}};
    f_.from_header = header;
    u_.unit.symbols[f_.symbol].loc = f_.loc;
    return *this;
  }
  model::BlockId block() {
    f_.body.blocks.push_back({static_cast<model::InstrId>(f_.body.instrs.size()), 0});
    return static_cast<model::BlockId>(f_.body.blocks.size() - 1);
  }
  model::Operand instr(model::Op op, std::vector<model::Operand> operands, std::vector<model::BlockId> targets = {},
                       bool has_result = true, std::uint32_t aux = model::kNone, std::int64_t imm = 0,
                       std::uint8_t sub = 0) {
    model::Body& b = f_.body;
    model::Instr i;
    i.op = op;
    i.sub = sub;
    i.type = u_.int_type();
    i.aux = aux;
    i.imm = imm;
    i.first_operand = static_cast<std::uint32_t>(b.operands.size());
    i.num_operands = static_cast<std::uint32_t>(operands.size());
    i.first_target = static_cast<std::uint32_t>(b.targets.size());
    i.num_targets = static_cast<std::uint32_t>(targets.size());
    if (has_result) i.result = model::ValueId(b.num_values++);
    b.operands.insert(b.operands.end(), operands.begin(), operands.end());
    b.targets.insert(b.targets.end(), targets.begin(), targets.end());
    b.instrs.push_back(i);
    ++b.blocks.back().count;
    return model::Operand::value(i.result);
  }
  model::Operand call(std::string_view callee, std::vector<model::Operand> args = {}) {
    return call(model::Operand::symbol(u_.symbol(callee)), std::move(args), "");
  }
  model::Operand call(model::Operand callee, std::vector<model::Operand> args, std::string_view origin) {
    args.insert(args.begin(), callee);
    f_.body.calls.push_back({u_.func_type(), u_.str(origin), false, {}});
    return instr(model::Op::Call, std::move(args), {}, true, static_cast<std::uint32_t>(f_.body.calls.size() - 1));
  }
  model::Operand field(model::Operand base, model::TypeId record, std::string_view path, std::int64_t offset) {
    f_.body.fields.push_back({record, u_.str(path), u_.func_ptr()});
    return instr(model::Op::Field, {base}, {}, true, static_cast<std::uint32_t>(f_.body.fields.size() - 1), offset);
  }
  void store(model::Operand address, model::Operand value) { instr(model::Op::Store, {address, value}, {}, false); }
  model::Operand address_of(std::string_view name, std::int64_t offset = 0) {
    return model::Operand::symbol(u_.symbol(name), offset);
  }
  model::Operand positive(model::Operand v) {
    return instr(model::Op::Cmp, {v, model::Operand::integer(0)}, {}, true, model::kNone, 0,
                 static_cast<std::uint8_t>(model::CmpPred::Sgt));
  }
  void br(std::uint32_t to) { instr(model::Op::Br, {}, {model::BlockId(to)}, false); }
  void cond_br(model::Operand c, std::uint32_t yes, std::uint32_t no) {
    instr(model::Op::CondBr, {c}, {model::BlockId(yes), model::BlockId(no)}, false);
  }
  void ret(model::Operand v = model::Operand::integer(0)) { instr(model::Op::Ret, {v}, {}, false); }
  model::Operand param(std::uint32_t n) const { return model::Operand::value(model::ValueId(n)); }

  void done() {
    f_.body.value_names.assign(f_.body.num_values, model::StrId{});
    u_.unit.functions.push_back(std::move(f_));
  }

 private:
  UnitBuilder& u_;
  model::Function f_;
};

// A function that calls the given ones in turn and returns 0.
inline void simple(UnitBuilder& u, std::string_view name, std::initializer_list<std::string_view> callees = {},
                   model::Linkage linkage = model::Linkage::External) {
  FunctionBuilder f(u, name, linkage);
  for (const std::string_view c : callees) f.call(c);
  f.ret();
  f.done();
}

}  // namespace reckon::program_test
