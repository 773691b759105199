// reckon check: what -p or the files on the command line name.
#include <cstdint>
#include <memory>

#include "driver/command_line.h"
#include "driver/commands.h"
#include "driver/input.h"
#include "driver/pipeline.h"
#include "driver/plan.h"

namespace reckon::driver {

namespace {

constexpr std::uint32_t kPlanAbove = 10000, kNever = 1'000'000'000;

struct CheckOptions {
  std::uint32_t plan_above = kPlanAbove;
  PlanOptions plan;  // of a job
};

int work(const CheckOptions& own, const Options& given, host::Console& console) {
  if (!own.plan.job.empty()) return run_job(given, own.plan, console);
  Options options = given;
  options.capture.plan_above = own.plan_above;
  const auto input = gather_input(options, console);
  return input ? check_program(*input, options, console) : kExitUsage;
}

}  // namespace

void define_check(CommandLine& line) {
  auto own = std::make_shared<CheckOptions>();
  CommandArguments app =
      line.command({"check", "Check a program or source files",
                    "reckon check [OPTIONS] -p DIR|FILE.json [FILE...]\n"
                    "       reckon check [OPTIONS] FILE... [-- FLAGS...]"},
                   [own](const Options& options, host::Console& console) { return work(*own, options, console); });
  app.input(line.options.input);
  app.number({"--plan-above", "Have jobs of Ninja check a program of more units (default 10000)", "N"}, own->plan_above,
             1, kNever);
  app.text({"--job", "For such a job", "JOB", false, true}, own->plan.job);
  app.text({"--job-folder", "For such a job", "FOLDER", false, true}, own->plan.folder);
  app.number({"--job-shards", "For such a job", "N", false, true}, own->plan.shards, 1, kNever);
  line.checking(app);
}

}  // namespace reckon::driver
