// Checks of the whole program read no bodies: they go by records, and by what the analysis of each function left.
#include <algorithm>
#include <stdexcept>

#include "analysis/shards.h"
#include "findings_fixture.h"
#include "program/record.h"
#include "program/rests.h"

namespace reckon::analysis_test {
namespace {

class WholeProgramChecks : public AnalysisTest {
 protected:
  static std::vector<std::string> told(const analysis::Analysis& analysis) {
    std::vector<std::string> out;
    for (const report::Finding& f : analysis.findings)
      out.push_back(f.check + " " + f.function + " " + f.message + " at " + std::to_string(f.loc.line));
    return out;
  }

  // Each of these kinds has one finding in the text, and the same from records alone.
  void finds(std::string_view text, const std::vector<std::string>& kinds) {
    const auto unit = program::ready_to_link({this->unit("u.c", text)}, specs_)[0];
    const program::Program whole = program::Program::link({unit});
    analysis::Options options;
    options.check_globs = kinds;
    const std::vector<std::string> expected = told(analyse(whole, options));
    for (const std::string& kind : kinds)
      EXPECT_EQ(std::count_if(expected.begin(), expected.end(),
                              [&](const std::string& f) { return f.starts_with("d-" + kind); }),
                1)
          << kind << ": " << ::testing::PrintToString(expected);

    options.domains = {"d"};
    analysis::ShardRecords known;
    ASSERT_TRUE(known.add(
        analysis::analyse_shard(whole, specs_, options, 1, 0, [](std::uint32_t, std::string&) { return false; })));
    auto record = std::make_shared<program::UnitRecord>();
    ASSERT_TRUE(program::decode_record(program::encode_record(*unit), *record));
    const program::Program from_records = program::Program::link(
        std::make_shared<const program::UnitStore>(
            1, 1,
            [](program::UnitId) -> std::shared_ptr<const model::Unit> { throw std::logic_error("a unit was read"); }),
        std::make_shared<const program::RecordStore>(program::RecordStore::All{record}));
    options.known = &known;
    EXPECT_EQ(told(analysis::analyse(from_records, specs_, options)), expected);
  }
};

TEST_F(WholeProgramChecks, OfCountsReadNoBody) {
  describe(R"(failure exception
unknown-result new
check leaks formats
counted object refs
fn make()                       -> new | NULL raises
fn build(format!, ...build)     -> new | NULL raises
fn xdrop(o?)                    -> void when o != NULL o-1 | void when o == NULL
fn give_back(p) bare-free       -> void steals p
fn power_get(p!)                -> void p.power+1
fn power_put(p!)                -> void p.power-1
fn enter(table)                 -> 0
contract dealloc frees-object at-teardown
contract up acquires
contract down releases
slot ops.end dealloc
slot ops.start up undone-by stop
slot ops.stop down
routines enter.table ".Call" name run count each object returns object
)",
           R"(typedef struct object { long refs; } object; struct dev { int n; };
object *make(void); object *build(const char *format, ...); void xdrop(object *o); void give_back(void *p);
void power_get(struct dev *); void power_put(struct dev *);
typedef struct box { object head; object *value; } box;
struct ops { void (*end)(box *); int (*start)(struct dev *); int (*stop)(struct dev *); };
struct row { const char *name; object *(*run)(object *); int count; }; int enter(const struct row *);)");
  finds(R"c(
void fill(box *b) { object *old = b->value; b->value = make(); xdrop(old); }
static void end(box *b) { give_back(b); }
static int start(struct dev *d) { power_get(d); return 0; }
static int halt(struct dev *d) { return 0; }
struct ops table = {end, start, halt};
object *one(object *a) { return make(); }
object *pair(object *a) { return build("(OO)", a); }
static const struct row rows[] = {{"one", one, 2}, {"pair", pair, 1}, {0, 0, 0}};
void load(int way) { enter(way ? rows : 0); }
)c",
        {"type-dealloc", "halves", "routine", "format"});
}

TEST_F(WholeProgramChecks, OfCollectedObjectsReadNoBody) {
  describe(R"(check protection
counted object
fn make() allocates  -> new
fn keep(o)           -> void keeps o in @kept_for_ever
fn look(o)           -> 0
fn stop() never
)",
           R"(typedef struct object object; object *make(void); void keep(object *); int look(object *);
void stop(void);)");
  finds(R"c(
static object *last, *kept;
object *set(object *a) { last = make(); kept = make(); keep(kept); return a; }
int get(int n) { return look(last) + look(kept); }
void give_up(int n) { if (n) { stop(); } else { stop(); } }
)c",
        {"global", "noreturn"});
}

}  // namespace
}  // namespace reckon::analysis_test
