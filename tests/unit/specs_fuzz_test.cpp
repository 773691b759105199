// Random mutations of valid text: the parser never crashes, errors lie inside the text, what it accepts prints to a
// line that reads the same, and a line is accepted or not whatever stands around it. Seeds are fixed; the engine's
// output is used directly, as distributions differ between libraries.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>

#include "specs/config.h"
#include "specs/printer.h"

namespace reckon::specs {
namespace {

const char* const corpus[] = {
    "fn PyList_New(n) -> new | NULL raises",
    "fn f(list!, i, item?) -> 0 steals item into list | -1 raises steals item",
    "fn f(d!, key!, out!) -> 1 *out=new | 0 *out=NULL | -1 raises *out=borrowed d",
    "fn f(o?) runs-code -> void when o != NULL o-1 | void when o == NULL",
    "fn f(dev) since 3.8 until 3.10 -> <0 fails dev.pm+1 | 0..1 dev.pm+1 | >=2 | !=7",
    "fn A = B = f*(_, dev^) needs-gil -> any arg0.pm-1 if-oom may-raise",
    "fn f(format, n, ...counted(n)) never",
    "fn f(p, q) -> same p | interior? q | immortal | errptr | nonnull keeps p in q keeps q drops-content p",
    "fn f(p, q) -> any p->a.b=NULL &p->dev.pm+1 p->next->prev-1 p->16->8+1 @cache+1 q->f=-3..9",
    "fn f(p) -> 0 when p == \"\" | 1 when p != \"a b\" and p != \"\"",
    "fn f(p, q, n) -> any when p == q and n & 4 and !(n & 8) and n & 0xff == 7 and p != errptr and p->f >= -2",
    "fn f(a!) -> new *a=new? makes immortal $1+1 keeps $2 in a protect a protect-2 protect-a",
    "domain python",
    "header Python.h # comment",
    "failure exception",
    "unknown-result borrowed",
    "check leaks, pairs",
    "counted _object ob_refcnt",
    "immortal None since 3.12",
    "immortal-pointer PyExc_*",
    "slot _typeobject.tp_iter new-or-null",
    "alias A B",
    "table PyMethodDef ends-at ml_name",
    "table PyMethodDef.ml_meth(object, objects, number?) when ml_flags & 0x28f == 0x80",
    "type-object PyList_Type PyListObject",
    "long-lengths *_SizeT some.h",
    "routines f.tab .Call name fun n each object returns nothing",
    "flags needs-gil pure",
};

const char* const fragments[] = {"->",
                                 "|",
                                 "(",
                                 ")",
                                 "*",
                                 "&",
                                 "$0",
                                 "@g",
                                 "...",
                                 "..",
                                 "new",
                                 "borrowed",
                                 "steals ",
                                 "into ",
                                 "when ",
                                 "and ",
                                 "+1",
                                 "-1",
                                 "=",
                                 "==",
                                 "!(",
                                 "NULL",
                                 "\\\n",
                                 "\n  ",
                                 "#",
                                 " ",
                                 "0x",
                                 "-9223372036854775808",
                                 "9223372036854775807",
                                 "result",
                                 "arg0",
                                 ".pm",
                                 "?",
                                 "!",
                                 "^",
                                 "protect",
                                 "since 3",
                                 "_",
                                 ","};

class Mutator {
 public:
  explicit Mutator(std::uint32_t seed) : random_(seed) {}

  std::size_t below(std::size_t n) { return random_() % n; }

  std::string mutate(std::string text) {
    for (std::size_t edits = 1 + below(3); edits > 0; --edits) {
      std::size_t at = below(text.size() + 1);
      switch (below(6)) {
        case 0: text.insert(at, 1, static_cast<char>(below(256))); break;
        case 1: text.insert(at, 1, static_cast<char>(' ' + below(95))); break;
        case 2: text.insert(at, fragments[below(std::size(fragments))]); break;
        case 3: text.erase(at, 1 + below(8)); break;
        case 4: {
          std::string_view other = corpus[below(std::size(corpus))];
          std::size_t from = below(other.size());
          text.insert(at, other.substr(from, 1 + below(20)));
          break;
        }
        default:
          if (!text.empty()) text[at % text.size()] = static_cast<char>(' ' + below(95));
      }
    }
    return text;
  }

 private:
  std::mt19937 random_;
};

TEST(SpecsFuzz, MutatedFilesNeverCrashAndPrintTheSame) {
  Mutator mutator(20240607);
  std::size_t accepted = 0, rejected = 0;
  for (int round = 0; round < 30000; ++round) {
    std::string text;
    for (std::size_t lines = 1 + mutator.below(3); lines > 0; --lines)
      text += mutator.mutate(corpus[mutator.below(std::size(corpus))]) + "\n";
    std::vector<SpecError> errors;
    SpecFile file = parse_spec("f", text, errors);
    std::size_t line_count = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    for (const SpecError& error : errors) {
      ASSERT_FALSE(error.message.empty());
      ASSERT_GE(error.loc.line, 1u);
      ASSERT_LE(error.loc.line, line_count);
      ASSERT_GE(error.loc.col, 1u);
      ASSERT_LE(error.message.size(), 600u);
    }
    rejected += errors.size();
    for (const FunctionSpec& spec : file.functions) {
      ++accepted;
      std::string printed = to_text(spec);
      std::vector<SpecError> again_errors;
      SpecFile again = parse_spec("f", printed, again_errors);
      ASSERT_TRUE(again_errors.empty()) << text << "\nprinted: " << printed << "\n" << again_errors[0].message;
      ASSERT_EQ(again.functions.size(), 1u) << printed;
      ASSERT_TRUE(equivalent(spec, again.functions[0]))
          << text << "\nprinted: " << printed << "\nagain:   " << to_text(again.functions[0]);
    }
    SpecSet set;
    set.add(std::move(file));
    for (const auto& spec : set.functions()) ASSERT_NE(set.find(spec->name), nullptr) << text;
  }
  EXPECT_GT(accepted, 1000u);
  EXPECT_GT(rejected, 1000u);
}

// Valid parts in any combination: deeper into the language than mutations reach.
TEST(SpecsFuzz, RandomCombinationsRoundTrip) {
  const char* const results[] = {"new",
                                 "new?",
                                 "borrowed p",
                                 "borrowed",
                                 "borrowed? q->f",
                                 "immortal",
                                 "same p",
                                 "same *q",
                                 "interior p",
                                 "interior? q",
                                 "NULL",
                                 "nonnull",
                                 "0",
                                 "-1",
                                 "<0",
                                 "<=-1",
                                 ">0",
                                 ">=1",
                                 "!=0",
                                 "!=3",
                                 "0..5",
                                 "-9223372036854775808..-1",
                                 "errptr",
                                 "any",
                                 "never",
                                 "<=9223372036854775807",
                                 ">=-9223372036854775808"};
  const char* const effects[] = {"raises",
                                 "fails",
                                 "if-oom",
                                 "p+1",
                                 "q.pm-3",
                                 "p->f.pm+1",
                                 "p->f+1",
                                 "&p->a.b.k+1",
                                 "*p-1",
                                 "result+1",
                                 "result->dev+1",
                                 "@g->8+1",
                                 "steals p",
                                 "steals *q into p->f",
                                 "keeps p in q",
                                 "keeps p",
                                 "keeps result in q",
                                 "drops-content q",
                                 "clobbers *q",
                                 "*q=new",
                                 "*q=new?",
                                 "*q=borrowed p",
                                 "*q=borrowed",
                                 "q->x.y=NULL",
                                 "q->8=interior p",
                                 "q->8=same p",
                                 "*q=-4..9",
                                 "*q=<0",
                                 "*q=errptr",
                                 "*q=any",
                                 "**q=immortal",
                                 "when p == NULL",
                                 "when p != q",
                                 "when n & 4",
                                 "when !(n & 0x80) and n > 3",
                                 "when p->f & 0xffff0000 == 65536",
                                 "when *q == errptr",
                                 "protect p",
                                 "protect+2",
                                 "protect-1",
                                 "protect?",
                                 "unprotect p",
                                 "reprotect p at q->%top",
                                 "drops p from q",
                                 "drops q",
                                 "allocates",
                                 "exposes p",
                                 "endangers q",
                                 "*q=stack-top",
                                 "when known p->%type == 3",
                                 "makes new",
                                 "makes borrowed p",
                                 "p->-8=0"};
  const char* contradictions[] = {"can happen in one alternative", "gets a value twice",
                                  "cannot be stolen twice",        "either stolen or kept",
                                  "`protect?` says that",          "new in one alternative and borrowed"};
  int read = 0;
  Mutator mutator(4711);
  for (int round = 0; round < 20000; ++round) {
    std::string text = "fn f(p, q, n)";
    const char* separator = " -> ";
    for (std::size_t alternatives = 1 + mutator.below(3); alternatives > 0; --alternatives) {
      text += separator + std::string(results[mutator.below(std::size(results))]);
      std::size_t before = std::string::npos;
      for (std::size_t count = mutator.below(5); count > 0; --count) {
        std::size_t which = mutator.below(std::size(effects));
        if (which != before) text += std::string(" ") + effects[before = which];
      }
      separator = " | ";
    }
    std::vector<SpecError> errors, again_errors;
    SpecFile file = parse_spec("f", text, errors);
    // Effects put together at random may contradict each other; nothing else may be wrong with them.
    for (const SpecError& error : errors) {
      const bool contradiction = std::any_of(std::begin(contradictions), std::end(contradictions),
                                             [&](const char* c) { return error.message.find(c) != std::string::npos; });
      ASSERT_TRUE(contradiction) << text << "\n" << error.message;
    }
    if (!errors.empty()) continue;
    ++read;
    std::string printed = to_text(file.functions[0]);
    SpecFile again = parse_spec("f", printed, again_errors);
    ASSERT_TRUE(again_errors.empty()) << text << "\nprinted: " << printed << "\n" << again_errors[0].message;
    ASSERT_TRUE(equivalent(file.functions[0], again.functions[0])) << text << "\nprinted: " << printed;
  }
  EXPECT_GT(read, 10000);  // most of them mean something
}

TEST(SpecsFuzz, NeighboursDoNotMatter) {
  Mutator mutator(99);
  for (int round = 0; round < 3000; ++round) {
    std::string line = mutator.mutate(corpus[mutator.below(11)]);
    // A mutation that spills into the next lines is another test's business.
    std::replace(line.begin(), line.end(), '\n', ' ');
    if (line.empty() || line.back() == '\\' || line[0] == ' ' || line[0] == '\t' ||
        line.find('\\') != std::string::npos)
      continue;
    std::vector<SpecError> alone, among;
    SpecFile one = parse_spec("f", line, alone);
    SpecFile three = parse_spec("f", "fn before_() -> new\n" + line + "\nfn after_() -> new\n", among);
    ASSERT_EQ(alone.size(), among.size()) << line;
    ASSERT_EQ(three.functions.size(), one.functions.size() + 2) << line;
    ASSERT_EQ(three.functions.back().name, "after_");
  }
}

TEST(SpecsFuzz, MutatedConfigs) {
  const std::string base =
      "specs = [\"a.spec\", \"b/c.spec\"]\nexclude = [\"x/**\"]\ndomains = [\"python\"]\npython-version = \"3.11\"\n"
      "fail-on = \"high\"\n[checks]\nenable = [\"python-*\"]\ndisable = [\"r-*\"]\n";
  Mutator mutator(7);
  std::size_t broken = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<SpecError> errors;
    parse_config("reckon.toml", mutator.mutate(base), errors);
    broken += !errors.empty();
    for (const SpecError& error : errors) ASSERT_GE(error.loc.line, 1u) << error.message;
  }
  EXPECT_GT(broken, 500u);
}

}  // namespace
}  // namespace reckon::specs
