// Programs are linked, and facts about them learnt, from records alone.
#include "program/record.h"

#include <stdexcept>

#include "analysis_program.h"
#include "model/binary.h"
#include "program/rests.h"

namespace reckon::analysis {
namespace {

// Something for each learner: tables, flags, private helpers, interned names, members that are released.
constexpr std::string_view kText = R"(
int power_get(struct thing *t);
void power_put(struct thing *t);
struct dev { int held; struct thing *part; struct thing *seen; };
static void end(struct thing *t) { thing_put(t); }
struct slots slots = { end };
static int lends(struct thing *t, int zero) { return zero + thing_use(t); }
int take(struct dev *d, struct thing *t) {
  d->part = thing_new();
  power_get(d->part);
  d->held = 1;
  if (thing_use(t) < 0 && lends(t, 0)) return -1;
  return lends(d->seen, 0);
}
void leave(struct dev *d) {
  if (d->held) {
    power_put(d->part);
    thing_put(d->part);
    d->held = 0;
  }
  d->seen = 0;
}
static struct thing *made(void) { return thing_new(); }
struct thing *gives(struct slots *s, struct thing *t) {
  s->end = end;
  if (t) s->end(t);
  return made();
}
)";

class ProgramRecord : public AnalysisProgram {
 protected:
  void SetUp() override {
    AnalysisProgram::SetUp();
    std::vector<specs::SpecError> errors;
    specs_.add(specs::parse_spec("power.spec", R"(domain thing
fn power_get(t!)  -> void t.power+1
fn power_put(t!)  -> void t.power-1
)",
                                 errors));
    for (const specs::SpecError& error : errors) ADD_FAILURE() << error.loc.line << ": " << error.message;
  }

  std::shared_ptr<const model::Unit> unit() {
    write("unit.c", "#include \"thing.h\"\n" + std::string(kText));
    capture::Result result =
        capture::capture_unit({folder_.string(), "unit.c", {"cc", "-c", "-I", folder_.string(), "unit.c"}, {}});
    EXPECT_TRUE(result.ok) << result.errors;
    return program::ready_to_link({std::make_shared<const model::Unit>(std::move(result.unit))}, specs_)[0];
  }
};

TEST_F(ProgramRecord, HasAllButTheBodies) {
  const auto unit = this->unit();
  program::UnitRecord record;
  ASSERT_TRUE(program::decode_record(program::encode_record(*unit), record));
  EXPECT_EQ(record.notes, program::notes_of(*unit));
  ASSERT_EQ(record.frame->functions.size(), unit->functions.size());
  for (std::size_t f = 0; f < unit->functions.size(); ++f) {
    EXPECT_TRUE(record.frame->functions[f].body.instrs.empty());
    EXPECT_EQ(record.frame->functions[f].params, unit->functions[f].params);
    EXPECT_EQ(record.notes.functions[f].instructions, unit->functions[f].body.instrs.size());
  }
  EXPECT_EQ(record.frame->symbols.size(), unit->symbols.size());
}

TEST_F(ProgramRecord, DamagedBytesAreRefusedOrHarmless) {
  const auto unit = this->unit();
  const std::string bytes = program::encode_record(*unit);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    program::UnitRecord record;
    if (!program::decode_record(damaged, record)) continue;
    ASSERT_EQ(record.notes.functions.size(), record.frame->functions.size());
    for (const program::FunctionNotes& f : record.notes.functions)
      for (const program::CallNote& call : f.calls)
        ASSERT_TRUE(call.callee == model::kNone || call.callee < record.frame->symbols.size());
    program::UnitRecord half;
    EXPECT_FALSE(program::decode_record(std::string_view(bytes).substr(0, at), half));
  }
}

// With one record in memory at a time, nothing that is learnt may point into one that has gone.
TEST_F(ProgramRecord, RecordsComeAndGo) {
  const auto unit = this->unit();
  program::Units units;
  for (const char* name : {"one", "two", "three"}) {
    auto other = std::make_shared<model::Unit>(*unit);
    other->path = name;
    for (model::Symbol& s : other->symbols)
      if (s.defined && s.linkage == model::Linkage::External) {
        other->strings.push_back(std::string(unit->str(s.name)) + "_" + name);
        s.name = s.display = model::StrId(static_cast<std::uint32_t>(other->strings.size() - 1));
      }
    units.push_back(std::move(other));
  }
  auto records = std::make_shared<const program::RecordStore>(3, 1, [units](program::UnitId u) {
    auto record = std::make_shared<program::UnitRecord>();
    EXPECT_TRUE(program::decode_record(program::encode_record(*units[u]), *record));
    return record;
  });
  const program::Program coming = program::Program::link(std::make_shared<const program::UnitStore>(units), records);
  const program::Program whole = program::Program::link(units);
  const Context learnt = make_context(coming, specs_, {}), expected = make_context(whole, specs_, {});
  ASSERT_EQ(coming.num_functions(), whole.num_functions());
  EXPECT_EQ(coming.components(), whole.components());
  EXPECT_EQ(learnt.hold_flags, expected.hold_flags);
  EXPECT_EQ(learnt.classes, expected.classes);
  EXPECT_EQ(learnt.given_arguments, expected.given_arguments);
  for (FuncId f{}; f < whole.num_functions(); ++f) {
    EXPECT_EQ(coming.name(f), whole.name(f));
    EXPECT_EQ(learnt.contracts[f].bits(), expected.contracts[f].bits());
  }
}

TEST_F(ProgramRecord, NoBodyIsReadToLearnOfTheProgram) {
  const auto unit = this->unit();
  auto record = std::make_shared<program::UnitRecord>();
  ASSERT_TRUE(program::decode_record(program::encode_record(*unit), *record));
  const program::Program from_records = program::Program::link(
      std::make_shared<const program::UnitStore>(
          1, 1,
          [](program::UnitId) -> std::shared_ptr<const model::Unit> { throw std::logic_error("a unit was read"); }),
      std::make_shared<const program::RecordStore>(program::RecordStore::All{record}));
  const program::Program whole = program::Program::link({unit});
  const Context learnt = make_context(from_records, specs_, {}), expected = make_context(whole, specs_, {});

  ASSERT_EQ(from_records.num_functions(), whole.num_functions());
  EXPECT_EQ(from_records.components(), whole.components());
  EXPECT_FALSE(expected.hold_flags.empty());
  EXPECT_FALSE(expected.classes.empty());
  EXPECT_EQ(learnt.hold_flags, expected.hold_flags);
  EXPECT_EQ(learnt.classes, expected.classes);
  EXPECT_EQ(learnt.without_counts, expected.without_counts);
  EXPECT_EQ(learnt.given_arguments, expected.given_arguments);
  EXPECT_EQ(learnt.null_params, expected.null_params);
  EXPECT_EQ(learnt.borrowed_params, expected.borrowed_params);
  EXPECT_EQ(learnt.released_fields, expected.released_fields);
  EXPECT_EQ(learnt.lasting_fields, expected.lasting_fields);
  EXPECT_EQ(learnt.phases, expected.phases);
  for (FuncId f{}; f < whole.num_functions(); ++f) {
    EXPECT_EQ(learnt.contracts[f].bits(), expected.contracts[f].bits());
    EXPECT_EQ(from_records.callees(f).size(), whole.callees(f).size());
    EXPECT_EQ(from_records.roles(f).size(), whole.roles(f).size());
  }
}

}  // namespace
}  // namespace reckon::analysis
