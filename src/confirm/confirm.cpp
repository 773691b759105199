#include "confirm/confirm.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "confirm/build.h"
#include "confirm/evidence.h"
#include "confirm/own_run.h"
#include "confirm/sandbox.h"
#include "confirm/work_files.h"
#include "host/files.h"
#include "host/process.h"

namespace reckon::confirm {

namespace fs = std::filesystem;

namespace {

using nlohmann::json;
using report::Confirmation;
using report::Harm;

const char* name_of(Harm harm) {
  switch (harm) {
    case Harm::None: return "none";
    case Harm::Grows: return "grows";
    case Harm::Dangling: return "dangling";
    case Harm::Crash: return "crash";
    case Harm::Exception: return "exception";
    case Harm::Collected: return "collected";
  }
  return "";
}

void give_up(const Plans& plans, const std::string& why) {
  for (const Plan& plan : plans.plans)
    if (plan.untried.empty()) *plan.result = Confirmation{.why = why};
}

// share/confirm/DOMAIN/NAME, or that for any domain; "" if there is none.
std::string data_file(const Wishes& wishes, const std::string& domain, const std::string& name) {
  std::error_code ec;
  for (const std::string& folder : {domain, std::string("any")})
    if (const fs::path path = fs::path(wishes.data) / folder / name; fs::exists(path, ec)) return path.string();
  return "";
}

bool read_runtime(const Wishes& wishes, const std::string& domain, std::string& text, std::string& problem) {
  std::string rest;
  return host::read_file(wishes.data + "/runtime.h", text, problem) &&
         host::read_file(data_file(wishes, domain, "runtime.h"), rest, problem) && !(text += rest).empty();
}

// Is the place in what was built, or did the compiler refuse what was put there?
bool is_built(const Built& built, unsigned id) {
  return std::find(built.left_out.begin(), built.left_out.end(), id) == built.left_out.end();
}

json job_for(const Plans& plans, const Built& built, const Wishes& wishes, const std::string& work,
             const report::Run& run) {
  json findings = json::array();
  for (std::size_t i = 0; i < plans.plans.size(); ++i) {
    const Plan& plan = plans.plans[i];
    if (!plan.untried.empty() || plan.result->status == Confirmation::Status::Confirmed) continue;
    const report::Finding& f = *plan.finding;
    findings.push_back(
        {{"key", i},
         {"function", f.function},
         {"message", f.message},
         {"place", fmt::format("{}:{}, {}()", report::shown_path(f.loc.file, run.base), f.loc.line, f.function)},
         {"harm", name_of(plan.harm)},
         {"entry", plan.entry},
         {"maker", is_built(built, plan.maker) ? plan.maker : 0},
         {"made_at", f.origin.line},
         {"made_by", f.origin_api},
         {"attempts", plan.attempts}});
  }
  return {{"work", work},
          {"folder", built.folder},
          {"modules", built.modules},
          {"explore_seconds", wishes.seconds / 4},
          {"trial_seconds", wishes.trial_seconds},
          {"tests", wishes.run},
          {"findings", std::move(findings)}};
}

// What the driver said of one finding. Throws where a field is of another type than the driver writes.
void read_result(const Plans& plans, const json& result, const report::Run& run) {
  const std::size_t key = result.at("key");
  if (key >= plans.plans.size()) return;
  Confirmation c;
  const std::string status = result.value("status", "untried");
  for (const auto s :
       {Confirmation::Status::NotReached, Confirmation::Status::Reached, Confirmation::Status::Confirmed})
    if (status == report::name_of(s)) c.status = s;
  c.seen = result.value("seen", "");
  c.why = result.value("why", "");
  c.script = result.value("script", "");
  for (const unsigned site : result.value("assuming", std::vector<unsigned>{}))
    if (const Site* s = plans.site(site)) c.assuming.push_back(shown(*s, run.base));
  for (const std::string& what : result.value("assumes", std::vector<std::string>{})) c.assuming.push_back(what);
  Confirmation& known = *plans.plans[key].result;
  if (c.status >= known.status) known = std::move(c);
}

// The generated driver: a program of the domain's folder that reads a job and writes results.
void drive(const Plans& plans, const Built& built, const Wishes& wishes, const std::string& domain,
           const std::string& work, const Sandbox& sandbox, const report::Run& run, host::Console& console) {
  const std::string driver = data_file(wishes, domain, "driver");
  if (driver.empty()) return;
  const json job = job_for(plans, built, wishes, work, run);
  if (job["findings"].empty()) return;
  std::string problem;
  const std::string text = job.dump(1, ' ', false, json::error_handler_t::replace);
  if (!write_in(work, work + "/job.json", text, problem)) return console.error(problem);
  constexpr unsigned kMemory = 4096;
  const Sandbox::Result result =
      sandbox.run(fmt::format("'{}' '{}/job.json'", driver, work), built.folder, {wishes.seconds, kMemory});
  console.detail(result.output);
  if (!result.error.empty()) return give_up(plans, result.error);
  for (const Plan& plan : plans.plans)
    if (plan.untried.empty() && plan.result->status == Confirmation::Status::Untried)
      plan.result->why = "the driver did not get to it in the time that it had (--seconds)";
  std::string results;
  host::read_file(work + "/results", results, problem);
  read_results(plans, results, run);
}

void tell(const Plans& plans, host::Console& console) {
  std::map<Confirmation::Status, std::size_t> counts;
  for (const Plan& plan : plans.plans) ++counts[plan.result->status];
  using S = Confirmation::Status;
  console.note(fmt::format("confirm: {} confirmed, {} reached, {} not reached, {} untried", counts[S::Confirmed],
                           counts[S::Reached], counts[S::NotReached], counts[S::Untried]));
}

// One domain at a time: what is put before the sources, and the driver, are the domain's.
void confirm_domain(const std::string& domain, const std::vector<Subject>& subjects,
                    const std::vector<Compilation>& compilations, const std::vector<FormatReader>& readers,
                    const report::Run& run, const Wishes& wishes, host::Console& console) {
  report::Sources sources(run.originals);
  const Plans plans = make_plans(subjects, run, sources);
  for (const Plan& plan : plans.plans) *plan.result = Confirmation{.why = plan.untried};
  const host::TempFolder folder;
  if (!folder.ok()) return give_up(plans, folder.error());
  const std::string& work = folder.path();
  const bool whole = !wishes.build.empty();
  if (whole) {
    const host::ProcessResult copied =
        host::run_process({{"cp", "-a", "--no-preserve=ownership", wishes.root + "/.", work + "/tree"}, "", {}, true});
    if (!copied.error.empty() || copied.status != 0) return give_up(plans, "the project could not be copied");
  }
  const Sandbox sandbox(work, wishes.root, whole ? work + "/tree" : "", wishes.confined);
  if (const std::string missing = sandbox.problem(); !missing.empty())
    return give_up(plans, missing + ": nothing of others is run without a sandbox (--no-sandbox)");
  Injection how;
  std::string problem;
  if (!read_runtime(wishes, domain, how.runtime, problem)) return give_up(plans, problem);
  how.readers = readers;
  const Built built = build(plans, std::move(how), compilations, wishes, work, sandbox, sources, console);
  if (!built.problem.empty()) return give_up(plans, built.problem);
  drive(plans, built, wishes, domain, work, sandbox, run, console);
  // The driver of a domain may take the tests apart, so that each finding runs one of them.
  if (!wishes.run.empty() && !fs::exists(fs::symlink_status(work + "/tests-done")))
    run_own(plans, built, wishes, work, sandbox, run, console);
  if (!wishes.script.empty() && !write_evidence(plans, built, wishes, run, sources, problem)) console.error(problem);
  tell(plans, console);
}

}  // namespace

void read_results(const Plans& plans, std::string_view text, const report::Run& run) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const json result = json::parse(line, nullptr, false);
    if (!result.is_object()) continue;
    try {
      read_result(plans, result, run);
    } catch (const json::exception&) {
      continue;  // the program that is run can write there, too: such a line is none of the driver's
    }
  }
}

void confirm(const std::vector<Subject>& subjects, const std::vector<Compilation>& compilations,
             const std::vector<FormatReader>& readers, const report::Run& run, const Wishes& wishes,
             host::Console& console) {
  std::map<std::string, std::vector<Subject>> by_domain;
  for (const Subject& subject : subjects) by_domain[subject.domain].push_back(subject);
  for (const auto& [domain, list] : by_domain)
    confirm_domain(domain, list, compilations, readers, run, wishes, console);
}

}  // namespace reckon::confirm
