#include "driver/comparison.h"

#include <fmt/core.h>

#include <utility>

#include "driver/analysis_stage.h"
#include "driver/reports.h"
#include "program/program.h"
#include "program/rests.h"
#include "report/fingerprint.h"

namespace reckon::driver {

bool Comparison::begin(const Options& options, host::Console& console) {
  if (options.report.new_since.empty()) return true;
  std::string problem;
  if (!options.report.changed_since.empty())
    problem = "not together with --changed-since: the one compares two states, the other asks what a change can affect";
  else
    base_ = BaseState::find(options.report.new_since, problem);
  if (!base_) console.error(fmt::format("--new-since: {}", problem));
  return base_.has_value();
}

bool Comparison::capture(const frontends::Input& input, const Captured& now, const Options& options,
                         host::Console& console) {
  if (!base_) return true;
  std::vector<frontends::Command> commands = input.commands;
  const std::vector<frontends::Command> deleted = base_->deleted(input);
  commands.insert(commands.end(), deleted.begin(), deleted.end());
  captured_ = base_->capture(commands, now, options, console);
  std::size_t not_gone = 0;
  for (std::size_t i = input.commands.size(); i < captured_.unit_of.size(); ++i) not_gone += !captured_.unit_of[i];
  if (const std::size_t failed = captured_.failed.size() - not_gone; failed > 0)
    console.warning(fmt::format(
        "{} of {} units could not be captured as they were at {}; what is found in them counts as new (-v says more)",
        failed, input.commands.size(), base_->name()));
  if (not_gone > 0)
    console.warning(
        fmt::format("{} of {} deleted sources could not be captured as they were at {}; what was found in them is not "
                    "listed as gone (-v says more)",
                    not_gone, deleted.size(), base_->name()));
  return !captured_.interrupted;
}

void Comparison::analyse(const frontends::Input& input, const specs::SpecSet& specs,
                         const std::string& spec_fingerprint, const Options& options, analysis::Options wishes,
                         host::Console& console) {
  if (!base_) return;
  wishes.dump.clear();
  wishes.collections = false;
  wishes.why_not = {};
  const program::Program program = program::Program::link(program::ready_to_link(std::move(captured_.units), specs));
  analysis::Analysis analysis =
      analyse_captured(program, captured_, specs, spec_fingerprint, options, std::move(wishes), console);
  Options then = options;
  then.report.baseline.clear();
  before_.findings = make_run(input, captured_, std::move(analysis), then, {}, nullptr, base_->texts()).findings;
  report::Sources sources(base_->texts());
  before_.kin = report::kin_of(before_.findings, sources);
}

void Comparison::apply(report::Run& run) const {
  if (!base_) return;
  run.compared_with = base_->name();
  report::Sources sources;
  report::Difference difference =
      report::compare(before_, {run.findings, report::kin_of(run.findings, sources)}, base_->place_now());
  run.gone = std::move(difference.gone);
  run.remaining = std::move(difference.remaining);
  for (report::Finding& f : run.findings)
    if (run.remaining.contains(f.fingerprint)) f.in_baseline = true;
  add_checks(run, run.gone);
}

}  // namespace reckon::driver
