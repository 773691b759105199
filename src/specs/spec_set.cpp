// Finds the spec of a name.
//
// Several specs may claim one name: variants for different versions, a user's file over ours, patterns. All of
// that is settled when a file is added or a version chosen, so that find() is one hash lookup without allocation
// and, for names nobody specified, a walk over those patterns that start with the same character.
#include "specs/spec_set.h"

#include <algorithm>
#include <tuple>

#include "specs/file_domain.h"
#include "specs/parser.h"
#include "specs/scanner.h"

namespace reckon::specs {
namespace {

constexpr std::size_t characters = 256;
constexpr int max_alias_rounds = 16;  // longest chain of aliases

bool is_pattern(std::string_view name) { return name.find('*') != std::string_view::npos; }

std::size_t literal_length(std::string_view pattern) {
  return pattern.size() - static_cast<std::size_t>(std::count(pattern.begin(), pattern.end(), '*'));
}

std::uint64_t fnv(std::uint64_t hash, std::string_view text) {
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return hash;
}
constexpr std::uint64_t fnv_start = 0xcbf29ce484222325ull;

bool is_bare(const DomainSpec& d) {
  return d.headers.empty() && d.failure_value == FailureValue::Unsaid && d.failure_cause == FailureCause::Unsaid &&
         d.unknown_result == UnknownResult::Unsaid && !d.checks_given && d.stack_top.empty() && d.layouts.empty() &&
         d.kept_in.empty() && d.unstable_fields.empty() && d.versions.empty() && d.long_lengths.empty() &&
         d.predicates.empty() && d.stops_at_zero.empty() && d.error_structs.empty() && d.blamed.empty() &&
         d.blamed_numbers.empty();
}

// Newer first: one that is still valid before one that ended, then the later end, then the later start.
int compare_age(const FunctionSpec& a, const FunctionSpec& b) {
  if (a.until.empty() != b.until.empty()) return a.until.empty() ? 1 : -1;
  if (int order = compare_versions(a.until, b.until)) return order;
  return compare_versions(a.since, b.since);
}

// A file without a line `domain NAME` is in the domain of its own name, as far as it overrides nothing.
std::string own_domain(std::string_view path, std::vector<DomainSpec>& domains) {
  std::string name = domain_named_after(path);
  const bool known =
      std::any_of(domains.begin(), domains.end(), [&](const auto& domain) { return domain.name == name; });
  if (!name.empty() && !known) domains.emplace_back().name = name;
  return name;
}

}  // namespace

std::size_t NameHash::operator()(std::string_view name) const { return fnv(fnv_start, name); }

std::size_t NameHash::operator()(const DottedName& name) const {
  return fnv(fnv(fnv(fnv_start, name.left), "."), name.right);
}

bool NameEqual::operator()(const DottedName& a, std::string_view b) const {
  return b.size() == a.left.size() + 1 + a.right.size() && b.substr(0, a.left.size()) == a.left &&
         b[a.left.size()] == '.' && b.substr(a.left.size() + 1) == a.right;
}

std::string domain_named_after(std::string_view path) {
  std::string_view stem = path.substr(path.rfind('/') + 1);
  stem = stem.substr(0, stem.rfind('.'));
  std::string out;
  for (const char c : stem) {
    const bool in_words = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    out += in_words ? c : '-';
  }
  return out.find_first_not_of('-') == std::string::npos ? "" : out;
}

void SpecSet::add(SpecFile file) {
  std::size_t number = files_++;
  for (DomainSpec& domain : file.domains) {
    auto known = std::find_if(domains_.begin(), domains_.end(),
                              [&](const DomainSpec& other) { return other.name == domain.name; });
    if (known == domains_.end()) {
      domains_.push_back(std::move(domain));
      continue;
    }
    for (std::string& header : domain.headers)
      if (std::find(known->headers.begin(), known->headers.end(), header) == known->headers.end())
        known->headers.push_back(std::move(header));
    if (domain.failure_value != FailureValue::Unsaid) known->failure_value = domain.failure_value;
    if (domain.failure_cause != FailureCause::Unsaid) known->failure_cause = domain.failure_cause;
    if (domain.unknown_result != UnknownResult::Unsaid) known->unknown_result = domain.unknown_result;
    if (!domain.stack_top.empty()) known->stack_top = domain.stack_top;
    if (domain.checks_given) {
      known->checks_given = true;
      known->reports_leaks = domain.reports_leaks;
      known->reports_protection = domain.reports_protection;
      known->reports_pairs = domain.reports_pairs;
      known->reports_formats = domain.reports_formats;
    }
    for (auto& entry : domain.blamed) known->blamed.push_back(std::move(entry));
    for (auto& entry : domain.blamed_numbers) known->blamed_numbers.push_back(entry);
    for (auto& layout : domain.layouts) known->layouts.push_back(std::move(layout));
    for (std::string& name : domain.kept_in) known->kept_in.push_back(std::move(name));
    for (DomainSpec::UnstableField& field : domain.unstable_fields) known->unstable_fields.push_back(std::move(field));
    for (auto& entry : domain.versions) known->versions.push_back(std::move(entry));
    for (std::string& name : domain.long_lengths)
      if (std::find(known->long_lengths.begin(), known->long_lengths.end(), name) == known->long_lengths.end())
        known->long_lengths.push_back(std::move(name));
    for (std::string& name : domain.predicates)
      if (std::find(known->predicates.begin(), known->predicates.end(), name) == known->predicates.end())
        known->predicates.push_back(std::move(name));
    for (std::string& name : domain.error_structs) known->error_structs.push_back(std::move(name));
    for (std::string& name : domain.stops_at_zero) known->stops_at_zero.push_back(std::move(name));
  }
  for (FunctionSpec& function : file.functions) {
    auto owned = std::make_unique<FunctionSpec>(std::move(function));
    if (owned->domain.empty()) {
      const FunctionSpec* overridden = find(owned->name);
      owned->domain = overridden ? overridden->domain : own_domain(file.path, domains_);
    }
    functions_.push_back(std::move(owned));
    file_of_.push_back(number);
  }
  for (AliasSpec& alias : file.aliases) aliases_.push_back({std::move(alias), number});
  for (GlobalSpec& global : file.globals) all_globals_.push_back(std::move(global));
  for (ContractSpec& contract : file.contracts) {
    std::string key = contract.name;
    contracts_.insert_or_assign(std::move(key), std::move(contract));
  }
  for (SlotSpec& slot : file.slots) {
    std::string key = slot.record + "." + slot.field;
    slots_.insert_or_assign(std::move(key), std::move(slot));
  }
  for (CountedType& type : file.counted) {
    std::string key = type.name;
    if (type.domain.empty()) type.domain = own_domain(file.path, domains_);
    counted_.insert_or_assign(std::move(key), std::move(type));
  }
  for (TableSpec& table : file.tables) {
    std::string key = table.record;
    tables_.insert_or_assign(std::move(key), std::move(table));
  }
  for (EntrySpec& entry : file.entries) entries_.push_back(std::move(entry));
  for (RoutineSpec& routine : file.routines) routines_.push_back(std::move(routine));
  for (RepairSpec& repair : file.repairs) repairs_.push_back(std::move(repair));
  for (TypeObjectSpec& type : file.type_objects) {
    auto known = std::find_if(type_objects_.begin(), type_objects_.end(),
                              [&](const TypeObjectSpec& other) { return other.name == type.name; });
    if (known == type_objects_.end())
      type_objects_.push_back(std::move(type));
    else
      *known = std::move(type);
  }
  rebuild();
}

void SpecSet::set_version(std::string domain, std::string version) {
  versions_.insert_or_assign(std::move(domain), std::move(version));
  rebuild();
}

bool SpecSet::in_force(const std::string& domain, const std::string& since, const std::string& until) const {
  auto version = versions_.find(domain);
  if (version == versions_.end() || version->second.empty()) return true;
  return (since.empty() || compare_versions(version->second, since) >= 0) &&
         (until.empty() || up_to_version(version->second, until));
}

bool SpecSet::wins(const Variant& a, const Variant& b) const {
  if (a.spec->computed != b.spec->computed) return b.spec->computed;
  if (a.file != b.file) return a.file > b.file;
  auto version = versions_.find(a.spec->domain);
  if (version == versions_.end() || version->second.empty()) return compare_age(*a.spec, *b.spec) > 0;
  // Both are valid for the version: the one made for it most closely.
  return compare_versions(a.spec->since, b.spec->since) > 0;
}

void SpecSet::rebuild() {
  by_name_.clear();
  alias_copies_.clear();
  for (std::size_t i = 0; i < functions_.size(); ++i) {
    const FunctionSpec& spec = *functions_[i];
    if (!in_force(spec.domain, spec.since, spec.until)) continue;
    Variant variant{&spec, file_of_[i]};
    auto [known, added] = by_name_.try_emplace(spec.name, variant);
    if (!added && wins(variant, known->second)) known->second = variant;
  }
  index_patterns();
  resolve_aliases();
  index_patterns();

  globals_.clear();
  global_patterns_.clear();
  for (const GlobalSpec& spec : all_globals_) {
    GlobalSpec current = spec;
    current.immortal = spec.immortal && in_force(spec.domain, spec.immortal_since, "");
    globals_.insert_or_assign(spec.name, std::move(current));
  }
  for (const auto& [name, spec] : globals_)
    if (is_pattern(name)) global_patterns_.push_back(&spec);
  std::sort(global_patterns_.begin(), global_patterns_.end(), [](const GlobalSpec* a, const GlobalSpec* b) {
    std::size_t x = literal_length(a->name), y = literal_length(b->name);
    return x != y ? x > y : a->name < b->name;
  });
}

// An alias is a copy of its function under another name. Chains are followed in rounds, so a cycle of aliases
// just stays unresolved.
void SpecSet::resolve_aliases() {
  std::vector<bool> resolved(aliases_.size());
  for (int round = 0; round < max_alias_rounds; ++round) {
    bool changed = false;
    for (std::size_t i = 0; i < aliases_.size(); ++i) {
      const Alias& alias = aliases_[i];
      if (resolved[i]) continue;
      const FunctionSpec* target = find(alias.spec.target);
      if (!target) continue;
      resolved[i] = changed = true;
      auto copy = std::make_unique<FunctionSpec>(*target);
      copy->name = alias.spec.name;
      copy->alias_of = alias.spec.target;
      copy->loc = alias.spec.loc;
      Variant variant{copy.get(), alias.file};
      auto [known, added] = by_name_.try_emplace(alias.spec.name, variant);
      if (!added && alias.file >= known->second.file) known->second = variant;
      alias_copies_.push_back(std::move(copy));
    }
    if (!changed) break;
  }
}

void SpecSet::index_patterns() {
  patterns_.clear();
  for (const auto& [name, variant] : by_name_)
    if (is_pattern(name)) patterns_.push_back(variant.spec);
  std::sort(patterns_.begin(), patterns_.end(), [](const FunctionSpec* a, const FunctionSpec* b) {
    std::size_t x = literal_length(a->name), y = literal_length(b->name);
    return x != y ? x > y : a->name < b->name;
  });
  patterns_by_first_.assign(patterns_.empty() ? 0 : characters, {});
  for (const FunctionSpec* spec : patterns_) {
    if (spec->name[0] != '*')
      patterns_by_first_[static_cast<unsigned char>(spec->name[0])].push_back(spec);
    else
      for (auto& bucket : patterns_by_first_) bucket.push_back(spec);
  }
}

const FunctionSpec* SpecSet::find_pattern(std::string_view function) const {
  if (function.empty() || patterns_by_first_.empty()) return nullptr;
  for (const FunctionSpec* spec : patterns_by_first_[static_cast<unsigned char>(function[0])])
    if (matches_pattern(spec->name, function)) return spec;
  return nullptr;
}

const FunctionSpec* SpecSet::find(std::string_view function) const {
  auto exact = by_name_.find(function);
  if (exact == by_name_.end()) return find_pattern(function);
  if (!exact->second.spec->computed) return exact->second.spec;
  const FunctionSpec* pattern = find_pattern(function);
  return pattern ? pattern : exact->second.spec;
}

const GlobalSpec* SpecSet::find_global(std::string_view name) const {
  auto exact = globals_.find(name);
  if (exact != globals_.end()) return &exact->second;
  for (const GlobalSpec* spec : global_patterns_)
    if (matches_pattern(spec->name, name)) return spec;
  return nullptr;
}

const SlotSpec* SpecSet::find_slot(std::string_view record, std::string_view field) const {
  auto found = slots_.find(DottedName{record, field});
  return found != slots_.end() ? &found->second : nullptr;
}

const CountedType* SpecSet::find_counted(std::string_view struct_tag) const {
  auto found = counted_.find(struct_tag);
  return found != counted_.end() ? &found->second : nullptr;
}

bool SpecSet::counts_types(std::string_view domain) const {
  return std::any_of(counted_.begin(), counted_.end(), [&](const auto& c) { return c.second.domain == domain; });
}

const TableSpec* SpecSet::find_table(std::string_view record) const {
  auto found = tables_.find(record);
  return found != tables_.end() ? &found->second : nullptr;
}

const TypeObjectSpec* SpecSet::find_type_object(std::string_view global) const {
  for (const TypeObjectSpec& type : type_objects_)
    if (type.name == global) return &type;
  return nullptr;
}

const DomainSpec* SpecSet::find_domain(std::string_view name) const {
  for (const DomainSpec& domain : domains_)
    if (domain.name == name) return &domain;
  return nullptr;
}

const ContractSpec* SpecSet::find_contract(std::string_view name) const {
  auto found = contracts_.find(name);
  return found != contracts_.end() ? &found->second : nullptr;
}

std::vector<SpecError> SpecSet::check() const {
  std::vector<SpecError> errors;
  for (const Alias& alias : aliases_)
    if (!find(alias.spec.target)) {
      std::vector<std::string_view> names;
      for (const auto& [name, variant] : by_name_) names.push_back(name);
      std::sort(names.begin(), names.end());
      errors.push_back({alias.spec.target_loc, "no spec of " + quoted(alias.spec.target) + ", which " +
                                                   quoted(alias.spec.name) + " is to be a spelling of" +
                                                   suggestion(alias.spec.target, names)});
    }
  std::vector<std::string_view> contracts;
  for (const auto& [name, contract] : contracts_) contracts.push_back(name);
  std::sort(contracts.begin(), contracts.end());
  for (const auto& [key, slot] : slots_)
    if (!find_contract(slot.contract))
      errors.push_back(
          {slot.contract_loc, "no contract is called " + quoted(slot.contract) + suggestion(slot.contract, contracts)});
  for (const auto& function : functions_)
    if (function->domain.empty())
      errors.push_back({function->loc, quoted(function->name) +
                                           " is in no domain: expected a line `domain NAME` before it, since it "
                                           "overrides no other spec"});
  // A domain of which nothing is said but its name is a user's own, unless it looks like one of an earlier file.
  std::vector<std::string_view> described;
  for (const DomainSpec& domain : domains_) {
    if (!is_bare(domain)) {
      described.push_back(domain.name);
    } else if (std::string meant = suggestion(domain.name, described); domain.loc.line != 0 && !meant.empty()) {
      errors.push_back({domain.loc, "no domain is called " + quoted(domain.name) + meant +
                                        "; a domain of your own has a line that begins with `header` or `check`"});
    }
  }
  std::sort(errors.begin(), errors.end(), [](const SpecError& a, const SpecError& b) {
    return std::tie(a.loc.file, a.loc.line, a.loc.col) < std::tie(b.loc.file, b.loc.line, b.loc.col);
  });
  return errors;
}

std::vector<std::string> SpecSet::records_with(bool (*promise)(const ContractFlags&)) const {
  std::vector<std::string> out;
  for (const auto& [key, slot] : slots_)
    if (const ContractSpec* contract = find_contract(slot.contract); contract && promise(*contract))
      out.push_back(slot.record);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace reckon::specs
