#include "analysis/coverage.h"

#include <algorithm>
#include <tuple>

namespace reckon::analysis {

namespace {

report::Depth depth_of(const Context& ctx, const FunctionReport& r) {
  if (ctx.promises[r.function].primitive && !r.analysed) return report::Depth::Primitive;
  if (!r.analysed && !r.judged)
    return ctx.known_by_spec(r.function) ? report::Depth::BySpec : report::Depth::Unconcerned;
  if (!r.cut_short) return report::Depth::Full;
  return ctx.without_counts[r.function] ? report::Depth::WithoutCounts : report::Depth::CutShort;
}

void count_class(const Context& ctx, const FunctionReport& r, report::CountClasses& classes) {
  if (ctx.classes.empty()) return;
  switch (ctx.classes[r.function]) {
    case program::Class::Changing: ++classes.changing; break;
    case program::Class::Other: ++classes.other; break;
    default: ++(r.analysed && !r.cut_short ? classes.affecting : classes.affecting_not_analysed);
  }
}

}  // namespace

std::vector<report::FunctionCoverage> coverage_of(const Context& ctx, const std::vector<FunctionReport>& reports) {
  std::vector<report::FunctionCoverage> out;
  for (const FunctionReport& r : reports) {
    report::FunctionCoverage& covered = out.emplace_back();
    const model::Function& fn = ctx.program.declared(r.function);
    covered.name = ctx.program.display(r.function);
    covered.file = ctx.program.frame(r.function).str(fn.loc.file);
    covered.line = fn.loc.line;
    covered.end_line = fn.end.line;
    covered.reason = r.reason;
    covered.depth = depth_of(ctx, r);
    ctx.program.rest();
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
    return std::tie(a.file, a.line, a.name, a.end_line, a.depth, a.reason) <
           std::tie(b.file, b.line, b.name, b.end_line, b.depth, b.reason);
  });
  return out;
}

report::CountClasses classes_of(const Context& ctx, const std::vector<FunctionReport>& reports) {
  report::CountClasses out;
  for (const FunctionReport& r : reports) count_class(ctx, r, out);
  return out;
}

}  // namespace reckon::analysis
