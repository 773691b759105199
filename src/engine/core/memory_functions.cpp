// Memory that is copied, set or filled as a whole.

#include <algorithm>

#include "engine/core/call_symbols.h"
#include "engine/core/hooks.h"
#include "engine/core/memory.h"
#include "support/limits.h"

namespace reckon::engine {

namespace {

constexpr std::int64_t kWord = 8, kSmall = support::kLimits.objects.copied_bytes;

// The bytes that a function writes, counted from the start of what the address points into; without a size all from
// there on.
struct Range {
  TermId base{};
  std::int64_t offset = 0, size = 0;
  bool covers(const Cell& c) const { return c.base == base && covers(c.offset); }
  bool covers(std::int64_t at) const { return at >= offset && (size == 0 || at < offset + size); }
};

}  // namespace

bool Memory::memory_function(State& s, InstrId index, std::string_view name, const std::vector<TermId>& args) {
  if (args.size() < 3 || !memory_name(name)) return false;
  if (name == "memset") {
    set_bytes(s, index, args);
  } else {
    hooks_.each<&Property::filling>(s, args[0], index);
    copy_bytes(s, index, args);
  }
  bind(s, index, args[0]);
  return true;
}

// Members outside the bytes that are written stay as they are.
void Memory::forget_bytes(State& s, TermId base, std::int64_t offset, std::int64_t size) {
  const Range range{base, offset, size};
  std::erase_if(s.memory, [&](const Cell& c) { return range.covers(c); });
  s.facts.retain([&](TermId t) {
    return !(terms_[t].kind == TermKind::Initial && terms_[t].left() == base && range.covers(terms_[t].imm));
  });
}

void Memory::set_bytes(State& s, InstrId index, const std::vector<TermId>& args) {
  const auto [base, off] = terms_.split(args[0]);
  const std::int64_t size = terms_.is_const(args[2]) ? terms_[args[2]].imm : 0;
  const bool zero = terms_.is_zero(args[1]);
  const bool part =
      size > 0 && (off > 0 || std::any_of(s.memory.begin(), s.memory.end(),
                                          [&, at = base](const Cell& c) { return c.base == at && c.offset >= size; }));
  const Range range{base, part ? off : 0, part ? size : 0};
  for (const Cell& c : s.memory)
    if (range.covers(c) && terms_[base].kind == TermKind::Slot) hooks_.each<&Property::covered>(s, c.value, index);
  if (!part) {
    s.invalidate(base, zero && off == 0 ? 1 : index + 2);
    return;
  }
  forget_bytes(s, base, off, size);
  for (std::int64_t at = 0; zero && at + kWord <= std::min(size, kSmall); at += kWord)
    s.write(base, off + at, terms_.zero());
}

void Memory::copy_bytes(State& s, InstrId index, const std::vector<TermId>& args) {
  const auto [base, off] = terms_.split(args[0]);
  for (const Cell& c : s.memory)
    if (c.base == base && terms_[base].kind == TermKind::Slot) hooks_.each<&Property::covered>(s, c.value, index);
  const auto [from, from_off] = terms_.split(args[1]);
  std::vector<Cell> copied;
  const std::uint32_t epoch = s.epoch(from);
  const std::int64_t size = terms_.is_const(args[2]) ? terms_[args[2]].imm : 0;
  for (const Cell& c : s.memory)
    if (c.base == from && c.offset >= from_off && c.offset < from_off + size) copied.push_back(c);
  // Words of a small struct that nobody has looked at yet go along, too: that is how C++ moves what holds one
  // pointer.
  for (std::int64_t at = 0; size <= kSmall && at + kWord <= size; at += kWord) {
    const bool known = std::any_of(copied.begin(), copied.end(), [&, begin = from_off + at](const Cell& c) {
      return c.offset >= begin && c.offset < begin + kWord;
    });
    const TermId v = known ? kNoTerm : read(s, terms_.offset(args[1], at), {}, index);
    if (v != kNoTerm && terms_[v].kind != TermKind::Undef) copied.push_back({from, from_off + at, v});
  }
  if (off > 0 && terms_[base].kind != TermKind::Slot) {
    forget_bytes(s, base, off, size);
  } else {
    s.invalidate(base, epoch == 1 ? 1 : index + 2);
  }
  for (const Cell& c : copied) s.write(base, off + c.offset - from_off, c.value);
  hooks_.each<&Property::moved>(s, args[0], args[1], index);
}

// Code out of sight was given the address of a member and fills it; nobody finds the struct around it. What it held is
// out of sight.
void Memory::fill_member(State& s, TermId address, InstrId index, std::uint32_t symbol) {
  const auto [base, off] = terms_.split(address);
  for (const Cell& c : s.memory)
    if (c.base == base && c.offset == off) hooks_.each<&Property::out_of_sight>(s, c.value);
  s.write(base, off, terms_.fresh(index, 0, symbol));
}

// Code out of sight was given this address and may have written there.
void Memory::clobber(State& s, TermId address, InstrId index) {
  const TermId root = terms_.root(address);
  if (terms_[root].kind == TermKind::Param) {
    // Our own view of a caller's structure stays as it is (fields that configure things do not change under our
    // feet), but the caller's locals behind it may have been filled.
    auto it = std::lower_bound(s.clobbered.begin(), s.clobbered.end(), root);
    if (it == s.clobbered.end() || *it != root) s.clobbered.insert(it, root);
    return;
  }
  if (terms_[root].kind != TermKind::Slot) return;
  if (hooks_.any<&Property::in_use>(s, root)) return;
  // An array is there to be read; a single variable whose address is taken is there to be filled.
  const model::Type& slot = unit_.type(body_.instrs[terms_[root].a].type);
  const bool is_array = slot.kind == model::TypeKind::Pointer && unit_.type(slot.elem).kind == model::TypeKind::Array;
  // The address of a number or pointer inside a struct: that member is filled.
  const auto [base, off] = terms_.split(address);
  const model::Type& whole = unit_.type(slot.elem);
  const auto member =
      std::find_if(whole.fields.begin(), whole.fields.end(),
                   [at = static_cast<std::uint64_t>(off)](const model::Field& x) { return x.offset == at; });
  if (off > 0 && off < kWhole - kMember && base == root && whole.kind == model::TypeKind::Struct &&
      member != whole.fields.end() &&
      (unit_.type(member->type).kind == model::TypeKind::Int ||
       unit_.type(member->type).kind == model::TypeKind::Pointer)) {
    fill_member(s, address, index, kMember + static_cast<std::uint32_t>(off));
    return;
  }
  const bool has_content = s.epoch(root) != 0 ||
                           std::any_of(s.memory.begin(), s.memory.end(), [&](const Cell& c) { return c.base == root; });
  if (is_array && has_content) return;
  // Who takes a reference over gets the object itself, not the address of a part.
  for (const Cell& c : s.memory)
    if (c.base == root) hooks_.each<&Property::out_of_sight>(s, c.value);
  s.invalidate(root, index + 2);
}

}  // namespace reckon::engine
