// reckon plan: the analysis of a large program as jobs for Ninja, and the jobs themselves.
#include <fmt/core.h>

#include <memory>

#include "driver/command_line.h"
#include "driver/commands.h"
#include "driver/input.h"
#include "driver/plan.h"

namespace reckon::driver {

namespace {

constexpr std::uint32_t kMostShards = 100000;

int work(const PlanOptions& plan, const Options& options, host::Console& console) {
  if (plan.folder.empty()) {
    console.error("where should the plan go? reckon plan -p DIR --shards N -o FOLDER");
    return kExitUsage;
  }
  if (const std::string option = not_planned(options); !option.empty()) {
    console.error(
        fmt::format("{} does not go with a plan, whose jobs work on one state of the sources, with a cache", option));
    return kExitUsage;
  }
  if (!plan.job.empty()) return run_job(options, plan, console);
  const auto input = gather_input(options, console);
  if (!input) return kExitUsage;
  const int code = write_plan(*input, options, plan, console);
  if (code == kExitClean)
    console.result(fmt::format("{} units in {} batches, {} shards: ninja -C {}", input->commands.size(),
                               batches_of(*input, plan), plan.shards, plan.folder));
  return code;
}

}  // namespace

void define_plan(CommandLine& line) {
  auto own = std::make_shared<PlanOptions>();
  CommandArguments app =
      line.command({"plan", "Write the check of a large program as jobs for Ninja",
                    "reckon plan -o FOLDER [--shards N] [OPTIONS] -p DIR|FILE.json [FILE...]\n"
                    "       reckon plan status -o FOLDER"},
                   [own](const Options& options, host::Console& console) { return work(*own, options, console); });
  app.text({"-o", "Folder of the plan, and of its reports", "FOLDER"}, own->folder);
  app.number({"--shards", "Parts that the analysis is cut into (default 8)", "N"}, own->shards, 1, kMostShards);
  app.text({"--job", "For the jobs of a plan", "JOB", false, true}, own->job);
  app.input(line.options.input);
  line.checking(app, Repairs::None);

  auto status = std::make_shared<std::string>();
  CommandArguments below =
      line.command_below("plan", {"status", "Say which jobs of a plan are done", "reckon plan status -o FOLDER"},
                         [status](const Options&, host::Console& console) { return tell_status(*status, console); });
  below.group("General");
  below.text({"-o", "Folder of the plan", "FOLDER", true}, *status);
  below.footer("Exit codes: 0 all is done, 2 wrong usage, 3 some jobs are left");
}

}  // namespace reckon::driver
