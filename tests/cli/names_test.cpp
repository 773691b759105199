// What messages call an object: by something that a reader finds in the function.
#include <gtest/gtest.h>

#include "cli/cli_helper.h"

namespace reckon::cli {
namespace {

const char kClocks[] =
    "struct device;\nstruct clk;\nstruct box { struct clk *clk; };\n"
    "struct clk *devm_clk_get(struct device *dev, const char *id);\n"
    "int clk_prepare_enable(struct clk *clk);\nvoid clk_disable_unprepare(struct clk *clk);\n"
    "int start(struct box *b);\n"
    "static inline long PTR_ERR(const void *p) { return (long)p; }\n"
    "static inline int IS_ERR(const void *p) { return (unsigned long)p >= -4095UL; }\n";

TEST(Names, ErrorCodesAreNoNames) {
  Sandbox box;
  box.write("a.c", std::string(kClocks) +
                       "int probe(struct box *b, struct device *dev) {\n"
                       "  int rc;\n"
                       "  b->clk = devm_clk_get(dev, 0);\n"
                       "  if (IS_ERR(b->clk)) {\n    rc = PTR_ERR(b->clk);\n    goto out;\n  }\n"
                       "  rc = clk_prepare_enable(b->clk);\n"
                       "  if (rc) goto out;\n"
                       "  rc = start(b);\n"
                       "  if (rc < 0) goto out;\n"
                       "  clk_disable_unprepare(b->clk);\n"
                       "  return 0;\nout:\n  return rc;\n}\n");
  const RunResult r = run(box, {"check", "--no-cache", "--domain=linux", "a.c"});
  EXPECT_TRUE(contains(r.out, "count of the result of devm_clk_get() ")) << r.out << r.err;
  EXPECT_FALSE(contains(r.out, "count of `rc`")) << r.out;
}

TEST(Names, VariablesOfMacrosAreNoNames) {
  Sandbox box;
  box.write("a.c", std::string(kClocks) +
                       "#define got(dev) ({ struct clk *_res = devm_clk_get(dev, 0); _res; })\n"
                       "int probe(struct device *dev, struct box *b) {\n"
                       "  if (clk_prepare_enable(b->clk = got(dev))) return -5;\n"
                       "  if (start(b) < 0) return -5;\n"
                       "  clk_disable_unprepare(b->clk);\n"
                       "  return 0;\n}\n");
  const RunResult r = run(box, {"check", "--no-cache", "--domain=linux", "a.c"});
  EXPECT_TRUE(contains(r.out, "count of the result of devm_clk_get() ")) << r.out << r.err;
}

}  // namespace
}  // namespace reckon::cli
