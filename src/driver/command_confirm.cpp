// reckon confirm: checks what is named as `reckon check` does, then runs the program so that findings show.
#include <algorithm>
#include <memory>
#include <set>

#include "driver/command_line.h"
#include "driver/commands.h"
#include "driver/confirming.h"
#include "driver/input.h"
#include "driver/pipeline.h"

namespace reckon::driver {

namespace {

int work(ConfirmOptions own, Options options, host::Console& console) {
  if (own.no_sandbox)
    console.warning("--no-sandbox: code of the program runs with your rights, with arguments that nobody chose");
  unsigned seconds = 0;
  if (!read_seconds(own.seconds, seconds, console)) return kExitUsage;  // before the work starts
  std::vector<std::string>& files = options.input.files;
  const auto reports = std::stable_partition(files.begin(), files.end(),
                                             [](const std::string& name) { return !name.ends_with(".json"); });
  own.reports.assign(reports, files.end());
  files.erase(reports, files.end());
  std::set<std::string> known;
  for (const std::string& path : own.reports)
    if (!read_fingerprints(path, known, console)) return kExitUsage;
  const auto input = gather_input(options, console);
  if (!input) return kExitUsage;
  return check_program(*input, options, console, [&](report::Run& run, const specs::SpecSet& specs) {
    return confirm_findings(run, *input, specs, own, console);
  });
}

}  // namespace

void define_confirm(CommandLine& line) {
  auto own = std::make_shared<ConfirmOptions>();
  CommandArguments app =
      line.command({"confirm", "Run the program so that findings show",
                    "reckon confirm [OPTIONS] [REPORT.json] FILE [-- FLAGS...]\n"
                    "       reckon confirm [OPTIONS] [REPORT.json] -p DIR --build CMD [--run CMD]"},
                   [own](const Options& options, host::Console& console) { return work(*own, options, console); });
  app.input(line.options.input);
  app.group("Confirming");
  ConfirmOptions& o = *own;
  app.text({"--build", "Shell command that builds a copy of this folder", "COMMAND"}, o.build);
  app.text({"--run", "Runs the project's own tests", "COMMAND"}, o.run);
  app.repeated({"--finding", "Only findings whose fingerprints begin so", "PREFIX"}, o.findings);
  app.text({"--script", "Folders that show each confirmed finding by themselves", "DIR"}, o.script);
  app.text({"--seconds", "Time for all that is run (default: 600)", "N"}, o.seconds);
  app.group(kMore);
  app.flag("--no-sandbox", "Run the program without a sandbox, with your rights", o.no_sandbox);
  app.choice({"--sort", "confirmed: what was confirmed comes first", "WHAT"}, o.sort, {"confirmed"});
  app.choice({"--only", "confirmed: report nothing else", "WHAT"}, o.only, {"confirmed"});
  line.checking(app, Repairs::None);
}

}  // namespace reckon::driver
