// Text back from specs: canonical lines, and that reading them again changes nothing.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "specs/printer.h"
#include "test_paths.h"

namespace reckon::specs {
namespace {

FunctionSpec parse_one(const std::string& line) {
  std::vector<SpecError> errors;
  SpecFile file = parse_spec("t.spec", line, errors);
  for (const SpecError& error : errors) ADD_FAILURE() << line << "\n  col " << error.loc.col << ": " << error.message;
  return file.functions.empty() ? FunctionSpec{} : file.functions[0];
}

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(SpecsPrinter, CanonicalLinesComeBackUnchanged) {
  const char* lines[] = {
      "fn PyList_New(n) -> new | NULL raises",
      "fn f(list!, i, item?) -> 0 steals item into list | -1 raises steals item",
      "fn f(d!, key!, out!) -> 1 *out=new | 0 *out=NULL | -1 raises *out=NULL",
      "fn f(o?) runs-code -> void when o != NULL o-1 | void when o == NULL",
      "fn f(dev) -> <0 fails dev.pm+1 | 0..1 dev.pm+1",
      "fn f*(dev) -> any dev.pm-1",
      "fn f(msg) never",
      "fn f(x) -> void when x != 0 | never when x == 0",
      "fn f(a, b) -> same a | interior b | interior? b | immortal | errptr | NULL | nonnull",
      "fn f(a) -> borrowed a | borrowed | borrowed? a | NULL",
      "fn f(a) -> new? | NULL",
      "fn f(a) -> <0 | <=5 | >7 | >=7 | !=0 | !=4 | -3..9",
      "fn f(a, format!, ...parse) since 3.8 until 3.11",
      "fn f(n, x^, y!^, ...counted(n)) allocates pure",
      "fn f(_, ...until-null) -> new steals arg0",
      "fn f(p) -> any p->a.b=NULL &p->dev.pm+1 p->next->prev-1 *p+1 p->16->8+1 @cache+1",
      "fn f(p, q, n) -> any when p == q and n & 4 and !(n & 8) and n & 0xff == 7 and p != errptr and p->f >= -2",
      "fn f(x) -> same x protect x",
      "fn f(a!) -> new *a=new? makes new $2+1 keeps $1 in a",
      "fn f(x) -> any may-raise fails if-oom keeps x drops-content x protect-3",
      "fn f(n) -> void protect-n",
      "fn f(x^, y~) allocates -> same x when x->%type == 14 | new when x->%type != 14 result->%type=14 keeps y in "
      "result",
      "fn f(x, i) -> void *i=stack-top protect x | void reprotect x at i | void unprotect x | void protect?",
      "fn f(x, m) -> any drops x from m | any drops x allocates exposes x endangers m | any keeps x in @list",
      "fn f(x, s) -> borrowed x when known s == *@names and known x->%type & 4 and known !(s & 1) | any",
  };
  for (const char* line : lines) EXPECT_EQ(to_text(parse_one(line)), line);
}

TEST(SpecsPrinter, OtherWordingsBecomeCanonical) {
  EXPECT_EQ(to_text(parse_one("fn f( p , n)  pure -> void p-1 when p!=NULL   |void when p == 0")),
            "fn f(p, n) pure -> void when p != NULL p-1 | void when p == 0");
  EXPECT_EQ(to_text(parse_one("fn f(p) -> nonnull | 0")), "fn f(p) -> !=0 | 0");
  EXPECT_EQ(to_text(parse_one("fn f(p) -> 0 raises fails steals p p->f=0")), "fn f(p) -> 0 raises p->f=NULL steals p");
}

// Everything that ships, and what the documentation shows, survives being printed and read again.
TEST(SpecsPrinter, RoundTripOfAllShippedSpecs) {
  std::size_t functions = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(RECKON_SOURCE_DIR "/specs")) {
    if (entry.path().extension() != ".spec") continue;
    std::vector<SpecError> errors;
    SpecFile file = parse_spec(entry.path().filename(), read(entry.path()), errors);
    for (const SpecError& error : errors)
      ADD_FAILURE() << error.loc.file << ":" << error.loc.line << ":" << error.loc.col << ": " << error.message;
    for (const FunctionSpec& spec : file.functions) {
      ++functions;
      std::string text = to_text(spec);
      FunctionSpec again = parse_one(text);
      EXPECT_TRUE(equivalent(spec, again)) << text << "\n" << to_text(again);
      EXPECT_EQ(to_text(again), text);
    }
  }
  EXPECT_GT(functions, 100u);
}

TEST(SpecsPrinter, RoundTripOfTheDocumentation) {
  std::istringstream lines(read(RECKON_SOURCE_DIR "/docs/specs.md"));
  std::string line, examples;
  bool fenced = false;  // the grammar and other languages
  while (std::getline(lines, line)) {
    fenced ^= line.starts_with("```");
    if (!fenced && line.starts_with("    ") && line.find("NAME") == std::string::npos)
      examples += line.substr(4) + "\n";
  }
  std::vector<SpecError> errors;
  SpecFile file = parse_spec("specs.md", examples, errors);
  for (const SpecError& error : errors) ADD_FAILURE() << error.loc.line << ": " << error.message << "\n" << examples;
  EXPECT_GE(file.functions.size(), 10u);
  for (const FunctionSpec& spec : file.functions)
    EXPECT_TRUE(equivalent(spec, parse_one(to_text(spec)))) << to_text(spec);
}

// A computed summary has offsets, objects in any order, and conditions that are not in the parser's form.
TEST(SpecsPrinter, ComputedOutcome) {
  Outcome outcome;
  outcome.objects.resize(2);
  outcome.objects[0].owned = false;
  outcome.objects[0].borrowed_from = Place{.index = 1, .path = {24}};
  outcome.result.kind = Value::Kind::Object;
  outcome.result.object = 1;
  StoreEffect store;
  store.where = Place{.index = 0, .path = {8, 16}};
  store.value.kind = Value::Kind::Object;
  store.value.object = 0;
  outcome.stores.push_back(store);
  outcome.counts.push_back({Place{.root = Place::Root::Object, .index = 0}, "", 1});
  Place embedded{.index = 1, .path = {32}};
  embedded.address = true;
  outcome.counts.push_back({embedded, "pm", -1});
  std::vector<std::string> names = {"self", ""};
  EXPECT_EQ(to_text(outcome, names), "new self->8->16=borrowed arg1->24 $1+1 &arg1->32.pm-1");
}

TEST(SpecsPrinter, OutcomeWithoutParameterNames) {
  Outcome outcome;
  outcome.result.kind = Value::Kind::Range;
  outcome.result.imm = 0;
  outcome.result.hi = 4;
  outcome.when.push_back({});
  outcome.when[0].place.index = 2;
  outcome.when[0].pred = Pred::Gt;
  outcome.when[0].imm = 3;
  EXPECT_EQ(to_text(outcome, {}), "0..4 when arg2 > 3");
}

TEST(SpecsPrinter, EquivalentSeesDifferences) {
  FunctionSpec spec = parse_one("fn f(p) -> new | NULL raises");
  FunctionSpec other = spec;
  EXPECT_TRUE(equivalent(spec, other));
  other.loc.line = 77;
  EXPECT_TRUE(equivalent(spec, other));
  other.outcomes[1].exception = Exception::MaybeSet;
  EXPECT_FALSE(equivalent(spec, other));
  other = spec;
  other.params[0].null_ok = true;
  EXPECT_FALSE(equivalent(spec, other));
}

}  // namespace
}  // namespace reckon::specs
