#include "analysis/kept_results.h"

#include <algorithm>
#include <unordered_set>

#include "support/limits.h"

namespace reckon::analysis {

namespace {

// Entries that this run had no use for are kept as long as they are no more than those it had: two builds of the same
// sources, or two branches, then do not drive each other out.
constexpr std::size_t kSpare = support::kLimits.program.spare_results;

void put_hash(std::string& out, const support::Hash128& h) {
  for (const std::uint64_t part : {h.high, h.low})
    for (int shift = 0; shift < 64; shift += 8) out += static_cast<char>(part >> shift);
}

support::Hash128 take_hash(support::ByteReader& in) {
  const std::string_view bytes = in.take(16);
  support::Hash128 h;
  if (!in.ok()) return h;
  for (int k = 7; k >= 0; --k) {
    h.high = h.high << 8 | static_cast<unsigned char>(bytes[static_cast<std::size_t>(k)]);
    h.low = h.low << 8 | static_cast<unsigned char>(bytes[static_cast<std::size_t>(8 + k)]);
  }
  return h;
}

}  // namespace

bool KeptResults::index(Unit& unit) {
  support::ByteReader in(unit.kept);
  while (in.ok() && in.left() > 0) {
    const support::Hash128 key = take_hash(in);
    const std::string_view entry = in.text();
    if (in.ok()) unit.old.emplace(key, entry);
  }
  if (!in.ok()) unit.old.clear();
  return in.ok();
}

KeptResults::KeptResults(const Context& context, std::string_view environment, std::vector<std::string> kept,
                         unsigned jobs)
    : ctx_(context), keys_(context, environment, jobs), units_(context.program.num_units()) {
  for (program::UnitId u{}; u < units_.size() && u < kept.size(); ++u) {
    units_[u].kept = std::move(kept[u]);
    if (!index(units_[u])) damaged_.push_back(u);
  }
}

// An entry: 1 and the hash of the literals' names if it mentions one, else 0; then each member's record.
bool KeptResults::find(const FunctionKey& key, const std::vector<FuncId>& members,
                       std::vector<FunctionRecord>& records) {
  Unit& unit = units_[ctx_.program.unit_id(members[0])];
  const auto it = unit.old.find(key.content);
  if (it == unit.old.end()) return false;
  support::ByteReader head(it->second);
  if (head.number() != 0 && !(take_hash(head) == key.literals)) return false;
  support::Reader in(head.rest());
  records.resize(members.size());
  for (std::size_t m = 0; m < members.size() && in.ok(); ++m) {
    read_record(in, records[m], keys_.base_line(members[m]), [&](std::string& name) { return keys_.from_kept(name); });
  }
  if (!head.ok() || !in.ok() || !in.at_end()) return false;
  const std::lock_guard lock(unit.mutex);
  unit.used.push_back(key.content);
  return true;
}

void KeptResults::add(const FunctionKey& key, const std::vector<FuncId>& members,
                      std::vector<FunctionRecord>& records) {
  support::Writer out;
  for (std::size_t m = 0; m < members.size(); ++m) {
    write_record(out, records[m], keys_.base_line(members[m]), [&](std::string& name) { return keys_.to_kept(name); });
  }
  const bool literals = out.bytes().find(".str") != std::string::npos;
  std::string entry;
  support::put_number(entry, literals ? 1 : 0);
  if (literals) put_hash(entry, key.literals);
  entry += out.bytes();
  Unit& unit = units_[ctx_.program.unit_id(members[0])];
  const std::lock_guard lock(unit.mutex);
  unit.fresh.insert_or_assign(key.content, std::move(entry));
}

bool KeptResults::bytes(program::UnitId u, std::string& out) {
  Unit& unit = units_[u];
  if (unit.fresh.empty()) return false;
  const std::unordered_set<support::Hash128, HashOf> used(unit.used.begin(), unit.used.end());
  std::vector<std::pair<support::Hash128, std::string_view>> entries, spare;
  for (const auto& [key, entry] : unit.fresh) entries.emplace_back(key, entry);
  for (const auto& [key, entry] : unit.old)
    if (!unit.fresh.contains(key)) (used.contains(key) ? entries : spare).emplace_back(key, entry);
  auto by_key = [](const auto& a, const auto& b) {
    return std::tie(a.first.high, a.first.low) < std::tie(b.first.high, b.first.low);
  };
  std::sort(spare.begin(), spare.end(), by_key);
  if (spare.size() > entries.size() + kSpare) spare.resize(entries.size() + kSpare);
  entries.insert(entries.end(), spare.begin(), spare.end());
  std::sort(entries.begin(), entries.end(), by_key);
  out.clear();
  for (const auto& [key, entry] : entries) {
    put_hash(out, key);
    support::put_text(out, entry);
  }
  return true;
}

}  // namespace reckon::analysis
