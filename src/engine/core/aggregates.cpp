// Structs that are returned by value in registers: what is in them goes to the caller with the result.
//
// A function loads such a struct whole and gives that back; its caller takes it apart. At the end the members are told
// as stores to the result (outcomes.cpp). In the caller each is read once, and is no longer kept by the result then.
//
// One that is passed by value in registers is put together by the caller, which makes it memory of the caller's, and
// taken apart by the callee, to which its members are those of a struct that it was given the address of.
//
// Limits: arguments of C++ functions are not followed, nor those without counted objects; what the C++ library returns
// (iterators, pairs of those) points into containers and is not followed; nor is a struct that several ways meet with,
// and one that is passed on whole.

#include <algorithm>
#include <iterator>
#include <vector>

#include "engine/core/call_symbols.h"
#include "engine/core/memory.h"

namespace reckon::engine {

using model::Op;

namespace {

// The instruction that makes an operand, which stands shortly before its use.
InstrId maker(const model::Body& body, const model::Operand& o, InstrId before) {
  if (o.kind != model::OperandKind::Value) return model::kNone;
  for (InstrId n = before; n > 0;)
    if (body.instrs[--n].result == o.value_id()) return n;
  return model::kNone;
}

}  // namespace

bool Memory::is_whole(TermId t) const { return terms_[t].kind == TermKind::Fresh && terms_[t].imm == kWhole; }

TermId Memory::returned_whole(State& s, InstrId ret) {
  const auto ops = body_.ops(body_.instrs[ret]);
  if (!manner_.follows_structs || ops.empty() || unit_.type(fn_.result).kind != model::TypeKind::Struct) return kNoTerm;
  if (unit_.language == model::Language::Cxx && cxx_library(unit_.name(fn_.symbol))) return kNoTerm;
  const InstrId load = maker(body_, ops[0], ret);
  if (load == model::kNone || body_.instrs[load].op != Op::Load) return kNoTerm;
  const model::Type& type = unit_.type(body_.instrs[load].type);
  const TermId from = eval(s, body_.ops(body_.instrs[load])[0], load);
  if (type.kind != model::TypeKind::Struct || terms_[terms_.root(from)].kind != TermKind::Slot) return kNoTerm;
  const TermId whole = terms_.fresh(load, 0, kWhole);
  for (const model::Field& f : type.fields) {
    const auto offset = static_cast<std::int64_t>(f.offset);
    const TermId value = read(s, terms_.offset(from, offset), f.type, load);
    if (terms_[value].kind != TermKind::Undef) s.write(whole, offset, value);
  }
  return whole;
}

// A member is added to a struct that goes to a callee.
void Memory::insert(State& s, InstrId index) {
  const model::Instr& i = body_.instrs[index];
  const auto ops = body_.ops(i);
  const model::Type& type = unit_.type(i.type);
  if (unit_.language == model::Language::Cxx || type.kind != model::TypeKind::Struct || i.aux >= type.fields.size()) {
    renew(s, index);
    bind(s, index, terms_.fresh(index, 0, 0));
    return;
  }
  const TermId whole = terms_.slot(index), before = eval(s, ops[0], index), value = eval(s, ops[1], index);
  std::vector<Cell> cells;
  std::copy_if(s.memory.begin(), s.memory.end(), std::back_inserter(cells),
               [&](const Cell& c) { return c.base == before && terms_[before].kind == TermKind::Slot; });
  std::erase_if(s.memory, [&](const Cell& c) { return c.base == whole; });
  for (const Cell& c : cells) s.write(whole, c.offset, c.value);
  if (terms_[value].kind != TermKind::Undef)
    s.write(whole, static_cast<std::int64_t>(type.fields[i.aux].offset), value);
  bind(s, index, whole);
}

// A struct by value is followed for the objects in it: its numbers alone would only tell more states apart.
bool Memory::holds_objects(const model::Type& type) const {
  return type.kind == model::TypeKind::Struct &&
         std::any_of(type.fields.begin(), type.fields.end(),
                     [&](const model::Field& f) { return subject_.counted(f.type); });
}

// A struct that came by value: its pieces are words of it. False: this is none of those.
bool Memory::extract_argument(State& s, InstrId index) {
  const model::Instr& i = body_.instrs[index];
  const model::Operand from = body_.ops(i)[0];
  if (unit_.language == model::Language::Cxx || from.kind != model::OperandKind::Value || from.id >= fn_.params.size())
    return false;
  const model::Type& type = unit_.type(fn_.params[from.id].type);
  if (!holds_objects(type)) return false;
  const std::uint64_t offset = std::uint64_t{i.aux} * unit_.pointer_size;
  const auto field =
      std::find_if(type.fields.begin(), type.fields.end(), [&](const model::Field& f) { return f.offset == offset; });
  if (field == type.fields.end()) return false;
  bind(s, index, read(s, terms_.offset(eval(s, from, index), static_cast<std::int64_t>(offset)), field->type, index));
  return true;
}

void Memory::extract(State& s, InstrId index) {
  if (extract_argument(s, index)) return;
  const model::Instr& i = body_.instrs[index];
  const model::Operand from = body_.ops(i)[0];
  const TermId whole = eval(s, from, index);
  if (const InstrId made = manner_.follows_structs ? maker(body_, from, index) : model::kNone; made != model::kNone) {
    const model::Type& type = unit_.type(body_.instrs[made].type);
    if (type.kind == model::TypeKind::Struct && i.aux < type.fields.size()) {
      const auto offset = static_cast<std::int64_t>(type.fields[i.aux].offset);
      if (const Cell* c = s.cell(whole, offset)) {
        bind(s, index, c->value);
        std::erase_if(s.memory, [&](const Cell& x) { return x.base == whole && x.offset == offset; });
        return;
      }
    }
  }
  bind(s, index, terms_.initial(whole, i.aux, kAggregateEpoch));
}

}  // namespace reckon::engine
