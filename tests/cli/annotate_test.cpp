// reckon annotate: lines where garbage may be collected.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "cli/cli_helper.h"

namespace reckon::cli {
namespace {

constexpr const char* kSource = R"(typedef struct SEXPREC *SEXP;
SEXP Rf_allocVector(unsigned, long);
SEXP Rf_getAttrib(SEXP, SEXP);
_Noreturn void Rf_error(const char *, ...);
int LENGTH(SEXP);
extern SEXP R_DimSymbol;
static SEXP make(void) { return Rf_allocVector(13, 1); }
SEXP f(SEXP x) {
  if (LENGTH(x) > 3) {
    make();
    Rf_error("too long");
  }
  Rf_getAttrib(x, R_DimSymbol);
  return make();
}
)";

class Annotate : public testing::Test {
 protected:
  void SetUp() override { box_.write("a.c", kSource); }
  Sandbox box_;
};

TEST_F(Annotate, ListsLinesWithTheirCalls) {
  const RunResult r = run(box_, {"annotate", "--domain=r", "a.c"});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(contains(r.out, "a.c:7: Rf_allocVector()\n")) << r.out;
  EXPECT_TRUE(contains(r.out, "a.c:14: make()\n")) << r.out;
  EXPECT_FALSE(contains(r.out, "a.c:9:")) << r.out;
  EXPECT_FALSE(contains(r.out, "a.c:13:")) << "this attribute is stored: " << r.out;
  EXPECT_FALSE(contains(r.out, "a.c:10:")) << "on the way to an error only: " << r.out;
}

TEST_F(Annotate, WritesCopies) {
  const RunResult r = run(box_, {"annotate", "--domain=r", "--copy", "out", "a.c"});
  EXPECT_EQ(r.code, 0) << r.err;
  std::ifstream in(box_.path("out/a.c"));
  std::stringstream text;
  text << in.rdbuf();
  EXPECT_TRUE(contains(text.str(), "GC |   return make();  // may collect: make()\n")) << text.str();
  EXPECT_TRUE(contains(text.str(), "   |     Rf_error(\"too long\");\n")) << text.str();
}

TEST_F(Annotate, TheHtmlReportMarksTheLines) {
  box_.write("a.c", std::string(kSource) + R"(
SEXP g(SEXP x) {
  SEXP a = make();
  SEXP b = make();
  return LENGTH(a) ? a : b;
}
)");
  const auto page = [&] {
    const RunResult r = run(box_, {"check", "--domain=r", "--format=html", "--output=out", "a.c"});
    EXPECT_EQ(r.code, 1) << r.err;
    std::ifstream in(box_.path("out/findings/0001.html"));
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
  };
  const std::string text = page();
  EXPECT_TRUE(contains(text, "<i>19<b class=\"gc\" title=\"May collect garbage: make()\">GC</b></i>")) << text;
  EXPECT_TRUE(contains(text, "<i>20</i>")) << text;
  EXPECT_EQ(page(), text) << "the same from the cache";
}

}  // namespace
}  // namespace reckon::cli
