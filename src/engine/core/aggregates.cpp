// Structs that are returned by value in registers: what is in them goes to the caller with the result.
//
// A function loads such a struct whole and gives that back; its caller takes it apart. At the end the members are told
// as stores to the result (outcomes.cpp). In the caller each is read once, and is no longer kept by the result then.
//
// Limits: what the C++ library returns (iterators, pairs of those) points into containers and is not followed; nor is
// a struct that several ways meet with, and one that is passed on whole.

#include <algorithm>

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

void Memory::extract(State& s, InstrId index) {
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
