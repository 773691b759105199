#include "driver/link_stage.h"

#include <fmt/core.h>

#include <memory>

#include "cache/cache.h"
#include "driver/version.h"
#include "program/rests.h"
#include "support/archive.h"
#include "support/strong_hash.h"

namespace reckon::driver {

namespace {

// How many records are held for each unit that may be: they are smaller, and the link looks at all of them a dozen
// times.
constexpr std::size_t kRecordsPerUnit = 20;

// The units of a program that stay in the cache, and what is kept beside them. Each use has a Cache of its own: one
// belongs to one thread at a time.
class CachedUnits {
 public:
  CachedUnits(const Captured& captured, std::string specs) : captured_(captured), specs_(std::move(specs)) {}

  program::CallNamer::Lookups lookups() const {
    return [this, cache = cache()](program::UnitId u) {
      // They do not depend on specs, so that capturing can leave them.
      const std::string key = fmt::format("lookups {} {}", analysis_version(), captured_.content_keys[u]);
      program::LookupNotes notes;
      if (std::string bytes; cache->load_blob(key, bytes) && decode(bytes, notes)) return notes;
      notes = program::lookups_of(*load(*cache, u));
      support::Writer writer;
      code(writer, notes);
      cache->store_blob(key, writer.bytes());
      return notes;
    };
  }

  program::ReadyUnits ready(const specs::SpecSet& specs) const {
    auto read = [this, cache = cache()](program::UnitId u) { return load(*cache, u); };
    return program::ready_to_link(captured_.units.size(), captured_.most_units, std::move(read), lookups(), specs);
  }

  program::RecordStore::Read records(const program::ReadyUnits& ready) const {
    return [this, cache = cache(), units = ready.units,
            naming = support::strong_hash(ready.naming).hex()](program::UnitId u) {
      const std::string key =
          fmt::format("record {} {} {} {}", analysis_version(), specs_, naming, captured_.content_keys[u]);
      auto record = std::make_shared<program::UnitRecord>();
      if (std::string bytes; cache->load_blob(key, bytes) && program::decode_record(bytes, *record)) return record;
      const std::string bytes = program::encode_record(units->at(u));
      units->rest();
      cache->store_blob(key, bytes);
      *record = {};
      program::decode_record(bytes, *record);
      return record;
    };
  }

 private:
  std::shared_ptr<cache::Cache> cache() const { return std::make_shared<cache::Cache>(captured_.cache); }

  std::shared_ptr<const model::Unit> load(cache::Cache& cache, program::UnitId u) const {
    if (captured_.units[u]) return captured_.units[u];
    auto unit = std::make_shared<model::Unit>();
    cache::UnitMeta ignored;
    if (!cache.load(captured_.content_keys[u], *unit, ignored))
      throw UnitGone("nothing was reported: a unit has gone from the cache since this run began; run it again");
    return unit;
  }

  template <class Archive>
  static void code(Archive& a, program::LookupNotes& notes) {
    auto flag = [&](bool& b) {
      std::uint8_t n = b;
      a.number(n);
      b = n != 0;
    };
    a.list(notes.uses, [&](program::LookupNotes::Use& use) {
      a.text(use.variable);
      flag(use.is_private);
      a.text(use.function);
    });
  }
  static bool decode(const std::string& bytes, program::LookupNotes& notes) {
    support::Reader reader(bytes);
    code(reader, notes);
    return reader.ok() && reader.at_end();
  }

  const Captured& captured_;
  std::string specs_;
};

}  // namespace

void keep_lookups(const Captured& captured) {
  const CachedUnits cached(captured, "");
  const program::CallNamer::Lookups lookups = cached.lookups();
  for (program::UnitId u{}; u < captured.units.size(); ++u) lookups(u);
}

void keep_records(const Captured& captured, const specs::SpecSet& specs, const std::string& fingerprint,
                  std::size_t first, std::size_t end) {
  if (captured.all_in_memory()) return;
  const CachedUnits cached(captured, fingerprint);
  const program::RecordStore::Read record = cached.records(cached.ready(specs));
  for (std::size_t u = first; u < end; ++u) record(program::UnitId(static_cast<std::uint32_t>(u)));
}

program::Program link_captured(Captured& captured, const specs::SpecSet& specs, const std::string& fingerprint,
                               unsigned jobs) {
  if (captured.all_in_memory())
    return program::Program::link(program::ready_to_link(std::move(captured.units), specs), jobs);
  const auto cached = std::make_shared<const CachedUnits>(captured, fingerprint);
  const program::ReadyUnits ready = cached->ready(specs);
  // What is read lives as long as those who read it.
  auto records = [cached, read = cached->records(ready)](program::UnitId u) { return read(u); };
  return program::Program::link(ready.units,
                                std::make_shared<const program::RecordStore>(
                                    captured.units.size(), captured.most_units * kRecordsPerUnit, std::move(records)));
}

}  // namespace reckon::driver
