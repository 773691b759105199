// The tables of a unit in the binary form: strings, types, symbols, constants, headers of functions.
#pragma once

#include "model/binary_coder.h"

namespace reckon::model::binary {

template <typename A>
class TableCoder : Coder<A> {
 public:
  TableCoder(A& a, Unit& u) : Coder<A>(a, u), table_loc_(a, kTableLoc, Loc{}) {}

  void tables() {
    head();
    a_.length(S::Unit, u_.types, S::TypeHead);
    for (TypeId t{}; t < u_.types.size(); ++t) type(t, u_.types[t]);
    a_.length(S::Unit, u_.symbols, S::SymbolHead);
    for (Symbol& s : u_.symbols) symbol(s);
    a_.length(S::Unit, u_.constants, S::ConstHead);
    for (Constant& c : u_.constants) constant(c);
    a_.length(S::Unit, u_.functions, S::FunctionHead);
    for (Function& f : u_.functions) function(f);
  }

  void head() {
    a_.text(u_.path);
    a_.text(u_.target);
    a_.num(S::Unit, u_.language);
    a_.num(S::Unit, u_.pointer_size);
    a_.length(S::Unit, u_.strings, S::StringLength);
    for (std::string& s : u_.strings) a_.text(s);
    ids(S::Headers, u_.headers);
    ids(S::Headers, u_.macros);
  }

 private:
  using Coder<A>::a_;
  using Coder<A>::u_;
  using Coder<A>::ids;
  using Coder<A>::name;
  using Coder<A>::param_of;
  using Coder<A>::result_of;
  using Coder<A>::symbol_type;

  void type(TypeId id, Type& t) {
    std::uint16_t head = 0;
    if constexpr (!A::reading) {
      head = static_cast<std::uint16_t>(static_cast<unsigned>(t.kind) | (t.name != 0 ? 16 : 0) |
                                        (t.fields.empty() ? 0 : 32) | (t.params.empty() ? 0 : 64) |
                                        (t.is_signed ? 128 : 0) | (t.variadic ? 256 : 0));
    }
    a_.num(S::TypeHead, head);
    t.kind = static_cast<TypeKind>(head & 15);
    t.is_signed = (head & 128) != 0;
    t.variadic = (head & 256) != 0;
    a_.num(S::TypeSize, t.size);
    if (head & 16) name(S::TypeName, t.name, last_type_name_);
    std::uint32_t elem = t.elem == 0 ? 0 : id - t.elem;  // near in the table; 0 is void
    if (t.elem != 0 && elem == 0) elem = kNone;          // refers to itself: only through damage
    a_.delta(S::TypeElem, elem, 0);
    if constexpr (A::reading) t.elem = TypeId(elem == 0 ? 0 : elem == kNone ? id : id - elem);
    if (head & 32) {
      a_.length(S::TypeCount, t.fields, S::FieldType);
      std::uint64_t offset = 0;
      for (Field& f : t.fields) {
        auto d = static_cast<std::int64_t>(f.offset - offset);
        a_.sint(S::FieldOffset, d);
        f.offset = offset + static_cast<std::uint64_t>(d);
        offset = f.offset;
        a_.num(S::FieldType, f.type);
        name(S::FieldName, f.name, last_field_name_);
      }
    }
    if (head & 64) {
      a_.length(S::TypeCount, t.params, S::TypeParam);
      for (TypeId& p : t.params) a_.num(S::TypeParam, p);
    }
  }

  void symbol(Symbol& y) {
    std::uint16_t head = 0;
    if constexpr (!A::reading) {
      head = static_cast<std::uint16_t>(static_cast<unsigned>(y.kind) | static_cast<unsigned>(y.linkage) << 1 |
                                        (y.defined ? 8 : 0) | (y.is_constant ? 16 : 0) | (y.is_virtual ? 32 : 0) |
                                        (y.address_taken ? 64 : 0) | (y.attributes.empty() ? 0 : 128) |
                                        (y.display != y.name ? 256 : 0) | (y.init != kNone ? 512 : 0));
    }
    a_.num(S::SymbolHead, head);
    y.kind = static_cast<SymbolKind>(head & 1);
    y.linkage = static_cast<Linkage>(head >> 1 & 3);
    y.defined = (head & 8) != 0;
    y.is_constant = (head & 16) != 0;
    y.is_virtual = (head & 32) != 0;
    y.address_taken = (head & 64) != 0;
    name(S::SymbolName, y.name, last_symbol_name_);
    if (head & 256) {
      a_.delta(S::SymbolDisplay, y.display, y.name);
    } else {
      y.display = y.name;
    }
    a_.num(S::SymbolType, y.type);
    if (head & 512) {
      a_.delta(S::SymbolInit, y.init, last_init_ + 1);
      last_init_ = y.init;
    } else {
      y.init = kNone;
    }
    table_loc_.code(y.loc);
    if ((head & 128) == 0) return;
    a_.length(S::Attribute, y.attributes, S::Attribute);
    for (Attribute& at : y.attributes) {
      a_.num(S::Attribute, at.name);
      a_.num(S::Attribute, at.text);
      a_.length(S::Attribute, at.args, S::Attribute);
      for (std::int64_t& n : at.args) a_.sint(S::Attribute, n);
    }
  }

  void constant(Constant& c) {
    a_.num(S::ConstHead, c.kind);
    a_.guess(S::ConstType, c.type, last_const_type_);
    last_const_type_ = c.type;
    switch (c.kind) {
      case ConstKind::Int: a_.sint(S::ConstInt, c.imm); break;
      case ConstKind::String:
        a_.delta(S::ConstRef, c.ref, last_const_string_ + 1);
        last_const_string_ = c.string_id();
        break;
      case ConstKind::Address:
        a_.delta(S::ConstRef, c.ref, last_const_symbol_ + 1);
        last_const_symbol_ = c.symbol_id();
        a_.sint(S::ConstInt, c.imm);
        break;
      case ConstKind::Aggregate: {
        a_.length(S::ConstCount, c.children, S::ConstChild);
        for (ConstId& child : c.children) {
          a_.delta(S::ConstChild, child, last_child_ + 1);
          last_child_ = child;
        }
        break;
      }
      case ConstKind::Zero:
      case ConstKind::Other: break;
    }
  }

  void function(Function& f) {
    std::uint8_t head = 0;
    if constexpr (!A::reading) {
      head = static_cast<std::uint8_t>((f.variadic ? 1 : 0) | (f.from_header ? 2 : 0));
    }
    a_.num(S::FunctionHead, head);
    f.variadic = (head & 1) != 0;
    f.from_header = (head & 2) != 0;
    a_.delta(S::FunctionSymbol, f.symbol, last_function_ + 1);
    last_function_ = f.symbol;
    TypeId fn = symbol_type(f.symbol);
    a_.guess(S::FunctionType, f.result, result_of(fn));
    a_.length(S::FunctionType, f.params, S::ParamName);
    for (std::size_t i = 0; i < f.params.size(); ++i) {
      a_.guess(S::FunctionType, f.params[i].type, param_of(fn, i));
      a_.num(S::ParamName, f.params[i].name);
    }
    table_loc_.code(f.loc);
    table_loc_.code(f.end);
  }

  LocCoder<A> table_loc_;
  StrId last_type_name_{}, last_field_name_{}, last_symbol_name_{}, last_const_string_{};
  TypeId last_const_type_{};
  SymId last_const_symbol_{}, last_function_{};
  ConstId last_init_{}, last_child_{};
};

}  // namespace reckon::model::binary
