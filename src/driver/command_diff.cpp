// reckon diff BEFORE.json AFTER.json: what two kept reports (--format=json) do not have in common.
//
// The problem: reports of last week and of today are at hand, and the code of last week is not. The method: findings
// with the same fingerprint are the same; of the others, those of the same check at the same place. Limits: without the
// code nobody knows where lines went, so a renamed function whose lines moved, too, is told as gone and as new;
// --new-since knows better.
#include <fmt/core.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "driver/command_line.h"
#include "driver/commands.h"
#include "host/files.h"
#include "report/compare.h"
#include "report/run.h"
#include "support/terminal_text.h"

namespace reckon::driver {

namespace {

struct DiffOptions {
  std::string before, after;
};

using nlohmann::json;

std::string text_of(const json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : "";
}

// What a comparison needs of a finding. False: the line is none of a report.
bool read_finding(const json& line, report::Finding& f) {
  f.check = text_of(line, "check");
  f.message = text_of(line, "message");
  f.object = text_of(line, "object");
  f.fingerprint = text_of(line, "fingerprint");
  const json place = line.value("location", json::object());
  if (!place.is_object() || f.check.empty() || f.fingerprint.empty()) return false;
  f.loc.file = text_of(place, "file");
  const auto number = place.find("line");
  if (number != place.end() && number->is_number_unsigned()) f.loc.line = number->get<std::uint32_t>();
  if (line.contains("suppression")) f.suppression.emplace();
  return true;
}

// How much of what a report was asked for it is about, as its last line says.
struct Analysed {
  bool nothing = false;
  std::string message;  // "": all of it
};

bool read_report(const std::string& path, report::State& state, Analysed& analysed, host::Console& console) {
  std::string text, problem;
  if (!host::read_file(path, text, problem)) {
    console.error(fmt::format("{}: {}", path, problem));
    return false;
  }
  std::size_t number = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view one = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
    ++number;
    if (one.empty()) continue;
    const json line = json::parse(one, nullptr, false);
    if (line.is_object() && (line.contains("not_known") || line.contains("gone"))) continue;
    if (line.is_object() && line.contains("analysed")) {
      analysed = {text_of(line, "analysed") == "nothing", text_of(line, "message")};
      continue;
    }
    report::Finding finding;
    if (!line.is_object() || !read_finding(line, finding)) {
      console.error(fmt::format("{}:{}: not a finding; reports of --format=json are compared", path, number));
      return false;
    }
    state.kin.push_back(finding.fingerprint);
    state.findings.push_back(std::move(finding));
  }
  return true;
}

void tell(const char* word, const report::Finding& f) {
  const std::string file = report::shown_path(f.loc.file, host::current_folder());
  std::cout << fmt::format("{}: {}\n", word,
                           support::printable(fmt::format("{}:{}: {} [{}]", file, f.loc.line, f.message, f.check)));
}

int work(const DiffOptions& own, host::Console& console) {
  report::State before, after;
  Analysed then, now;
  if (!read_report(own.before, before, then, console) || !read_report(own.after, after, now, console))
    return kExitUsage;
  if (now.nothing) {
    console.error(fmt::format("{}: {}; there is nothing to compare", own.after, now.message));
    return kExitIncomplete;
  }
  const report::Difference difference = report::compare(
      before, after, [](const report::SourceLoc& loc) { return std::optional(std::pair(loc.file, loc.line)); });
  std::size_t fresh = 0;
  for (const report::Finding& f : after.findings) {
    if (f.suppression || difference.remaining.contains(f.fingerprint)) continue;
    tell("new", f);
    ++fresh;
  }
  for (const report::Finding& f : difference.gone) tell("gone", f);
  std::cout << fmt::format("{} new, {} gone, {} as before\n", fresh, difference.gone.size(),
                           difference.remaining.size());
  if (!then.message.empty()) console.result(fmt::format("{}: {}", own.before, then.message));
  if (!now.message.empty())
    console.result(fmt::format("{}: {}; what the rest had is told as gone", own.after, now.message));
  return fresh > 0 ? kExitFindings : kExitClean;
}

}  // namespace

void define_diff(CommandLine& line) {
  auto own = std::make_shared<DiffOptions>();
  CommandArguments app =
      line.command({"diff", "Compare two reports of --format=json", "reckon diff BEFORE.json AFTER.json"},
                   [own](const Options&, host::Console& console) { return work(*own, console); });
  app.text({"before", "The earlier report", "FILE", true}, own->before);
  app.text({"after", "The later report", "FILE", true}, own->after);
  app.footer("Exit codes: 0 nothing is new, 1 something is, 2 wrong usage, 3 the later report is about nothing");
}

}  // namespace reckon::driver
