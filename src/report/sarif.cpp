// The log is built result by result and written at once. Three things need care: columns (ours count bytes, SARIF's
// UTF-16 units), addresses of files (relative to SRCROOT, so that the log means the same on another machine) and
// GitHub's limits (the most severe results and the essential steps stay, a notification says what went).
#include "report/sarif.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "report/occasion.h"
#include "report/sources.h"
#include "report/state.h"
#include "report/uri.h"
#include "support/terminal_text.h"

namespace reckon::report {

namespace {

using json = nlohmann::ordered_json;

constexpr const char* kSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json";
constexpr const char* kRoot = "SRCROOT";

const char* level_of(Severity severity) {
  switch (severity) {
    case Severity::High: return "error";
    case Severity::Medium: return "warning";
    case Severity::Low:
    case Severity::Note: return "note";
  }
  return "none";
}

const char* precision_of(Confidence confidence) {
  switch (confidence) {
    case Confidence::High: return "high";
    case Confidence::Medium: return "medium";
    case Confidence::Low: return "low";
  }
  return "low";
}

// 0..100, as SARIF ranks: severity first, confidence within it.
double rank_of(const Finding& f) {
  return 25.0 * static_cast<double>(f.severity) + 8.0 * static_cast<double>(f.confidence) + 8.0;
}

json text(const std::string& s) { return {{"text", s}}; }

// The first paragraph below the title, as one line.
std::string first_paragraph(const std::string& page) {
  std::string out;
  std::size_t at = 0;
  while (at < page.size()) {
    const std::size_t end = std::min(page.find('\n', at), page.size());
    const std::string line = page.substr(at, end - at);
    at = end + 1;
    if (line.empty() && !out.empty()) break;
    if (line.empty() || line[0] == '#') continue;
    out += (out.empty() ? "" : " ") + line;
  }
  return out;
}

// Numbers of the weaknesses that a page names in its last line: "Weakness: CWE-401, CWE-911".
std::vector<std::string> weaknesses_of(const std::string& page) {
  std::vector<std::string> out;
  const std::size_t at = page.rfind("\nWeakness: ");
  if (at == std::string::npos) return out;
  const std::string_view line = std::string_view(page).substr(at + 1, page.find('\n', at + 1) - at - 1);
  for (std::size_t i = line.find("CWE-"); i != std::string_view::npos; i = line.find("CWE-", i + 1)) {
    const std::size_t end = line.find_first_not_of("0123456789", i + 4);
    out.emplace_back(line.substr(i + 4, end == std::string_view::npos ? end : end - i - 4));
  }
  return out;
}

// GitHub's scale: critical from 9.0 on, high from 7.0, medium from 4.0. What corrupts memory is high; nothing here is
// known to be more.
const char* security_severity(Severity severity) {
  switch (severity) {
    case Severity::High: return "7.5";
    case Severity::Medium: return "5.0";
    case Severity::Low: return "3.0";
    case Severity::Note: return "1.0";
  }
  return "1.0";
}

std::string subject_of(const Fact& fact) {
  const std::string what = fact.subject.empty() ? "" : "`" + fact.subject + "`";
  switch (fact.kind) {
    case FactKind::Owned: return "owned references of " + what;
    case FactKind::Holder: return "holder of " + what;
    case FactKind::Exception: return "exception";
    case FactKind::Lock: return "lock";
    case FactKind::Protection: return fact.subject.empty() ? "protection stack" : "protection of " + what;
    case FactKind::Count:
    case FactKind::Other: return fact.subject;
  }
  return fact.subject;
}

class Log {
 public:
  explicit Log(const Run& run) : run_(run), sources_(run.originals) {}

  json build() {
    json results = json::array();
    for (const Finding* f : chosen()) results.push_back(result(*f));
    for (const Finding& f : run_.gone) {
      results.push_back(result(f));
      results.back()["baselineState"] = "absent";
    }
    return {{"$schema", kSchema},
            {"version", "2.1.0"},
            {"runs", json::array({{{"tool", tool()},
                                   {"invocations", json::array({invocation()})},
                                   {"originalUriBaseIds", {{kRoot, {{"uri", file_uri(run_.base) + "/"}}}}},
                                   {"columnKind", "utf16CodeUnits"},
                                   {"results", std::move(results)}}})}};
  }

 private:
  // In order of place as long as GitHub shows all; else the most severe first, and no more than it takes.
  std::vector<const Finding*> chosen() {
    std::vector<const Finding*> out;
    for (const Finding& f : run_.findings) out.push_back(&f);
    if (out.size() <= kShownResults) return out;
    std::stable_sort(out.begin(), out.end(), [](const Finding* a, const Finding* b) {
      return std::tuple(is_active(*a), rank_of(*a)) > std::tuple(is_active(*b), rank_of(*b));
    });
    if (out.size() > kMostResults) {
      left_out_ = out.size() - kMostResults;
      out.resize(kMostResults);
    }
    return out;
  }

  json tool() {
    json rules = json::array();
    for (const CheckInfo& check : run_.checks) {
      const std::string full = first_paragraph(check.page);
      json rule = {{"id", check.id}, {"shortDescription", text(check.summary.empty() ? check.id : check.summary)}};
      if (!full.empty()) rule["fullDescription"] = text(full);
      if (!check.page.empty()) rule["help"] = {{"text", check.page}, {"markdown", check.page}};
      const std::vector<std::string> weaknesses = weaknesses_of(check.page);
      if (!weaknesses.empty())
        rule["helpUri"] = "https://cwe.mitre.org/data/definitions/" + weaknesses.front() + ".html";
      rule["defaultConfiguration"] = {{"level", level_of(highest(check.id))}};
      rule["properties"] = {{"tags", json::array({"correctness", "reference-counting"})},
                            {"precision", precision_of(least_sure(check.id))},
                            {"problem.severity", highest(check.id) == Severity::High ? "error" : "warning"}};
      if (!weaknesses.empty()) {
        // GitHub takes a rule for one of security by the tag, and ranks it by the number.
        rule["properties"]["tags"].push_back("security");
        for (const std::string& number : weaknesses) rule["properties"]["tags"].push_back("external/cwe/cwe-" + number);
        rule["properties"]["security-severity"] = security_severity(highest(check.id));
      }
      rules.push_back(std::move(rule));
    }
    json notifications = json::array();
    for (const auto& [id, what] : {std::pair{"not-compiled", "A file could not be read as the compiler would."},
                                   {"cut-short", "A function was not analysed to its end."},
                                   {"not-analysed", "A function was not analysed."},
                                   {"unusable-entry", "An entry of the compilation database could not be used."},
                                   {"not-known", "How the package is compiled is not known in full."},
                                   {"nothing-analysed", "The build failed, or no file could be analysed."},
                                   {"suppression", "A comment that should suppress a finding does not."},
                                   {"left-out", "There are more results than the log may hold."}})
      notifications.push_back({{"id", id},
                               {"shortDescription", text(what)},
                               {"fullDescription", text(what)},
                               {"help", text("docs/reports.md, \"What was not analysed\"")}});
    return {{"driver",
             {{"name", "Reckon"},
              {"version", run_.version},
              {"semanticVersion", run_.version},
              {"rules", std::move(rules)},
              {"notifications", std::move(notifications)}}}};
  }

  Severity highest(const std::string& check) {
    Severity out = Severity::Note;
    for (const Finding& f : run_.findings)
      if (f.check == check) out = std::max(out, f.severity);
    return out;
  }
  Confidence least_sure(const std::string& check) {
    Confidence out = Confidence::High;
    for (const Finding& f : run_.findings)
      if (f.check == check) out = std::min(out, f.confidence);
    return out;
  }

  json notification(const char* id, const char* level, const std::string& message, const SourceLoc& loc) {
    json out = {{"descriptor", {{"id", id}}}, {"level", level}, {"message", text(message)}};
    if (!loc.file.empty()) out["locations"] = json::array({{{"physicalLocation", physical(loc)}}});
    return out;
  }

  json invocation() {
    json notes = json::array();
    const Coverage& c = run_.coverage;
    for (const FailedUnit& unit : c.units_failed)
      notes.push_back(notification("not-compiled", "error", "not analysed: " + unit.reason, {unit.path, 0, 0, ""}));
    for (const FunctionCoverage& f : c.functions) {
      const SourceLoc at{f.file, f.line, 0, ""};
      if (f.depth == Depth::CutShort)
        notes.push_back(notification("cut-short", "warning", f.name + "() was cut short: " + f.reason, at));
      else if (f.depth == Depth::NotAnalysed)
        notes.push_back(notification("not-analysed", "warning", f.name + "() was not analysed: " + f.reason, at));
    }
    if (c.entries_unusable > 0)
      notes.push_back(notification("unusable-entry", "warning",
                                   fmt::format("entries of the compilation database left out: {}", c.entries_unusable),
                                   {}));
    for (const std::string& what : c.not_known)
      notes.push_back(notification("not-known", "warning", "not known without --allow-build: " + what, {}));
    for (const SuppressionProblem& problem : run_.suppression_problems)
      notes.push_back(notification("suppression", "warning", problem.text, problem.loc));
    if (left_out_ > 0)
      notes.push_back(notification(
          "left-out", "warning",
          fmt::format("left out as the least severe: {} of {} findings", left_out_, run_.findings.size()), {}));
    if (const std::string missing = run_.coverage.shortfall(); run_.coverage.failed())
      notes.push_back(notification("nothing-analysed", "error", missing, {}));
    json out = {{"executionSuccessful", !run_.coverage.failed()}, {"toolExecutionNotifications", std::move(notes)}};
    if (!run_.arguments.empty())
      out["arguments"] = std::vector<std::string>(run_.arguments.begin() + 1, run_.arguments.end());
    return out;
  }

  json artifact(const std::string& file) {
    const std::string shown = shown_path(file, run_.base);
    if (shown == file) return {{"uri", file_uri(file)}};
    return {{"uri", relative_uri(shown)}, {"uriBaseId", kRoot}};
  }

  // SARIF's columns count UTF-16 units.
  std::uint32_t column(const std::string& file, std::uint32_t line, std::uint32_t col) {
    return utf16_column(sources_.file(file).line(line), col);
  }

  json physical(const SourceLoc& loc) {
    json out = {{"artifactLocation", artifact(loc.file)}};
    if (loc.line > 0) {
      out["region"]["startLine"] = loc.line;
      if (loc.col > 0) out["region"]["startColumn"] = column(loc.file, loc.line, loc.col);
    }
    return out;
  }

  json location(const SourceLoc& loc, const std::string& message) {
    json out = json::object();
    if (!loc.file.empty()) out["physicalLocation"] = physical(loc);
    if (!message.empty()) out["message"] = text(message);
    return out;
  }

  static json function_of(const Finding& f) {
    const auto colons = f.function.rfind("::");
    const std::string name = colons == std::string::npos ? f.function : f.function.substr(colons + 2);
    return {{"name", name}, {"fullyQualifiedName", f.function}, {"kind", "function"}};
  }

  json result(const Finding& f) {
    json out = {{"ruleId", f.check}};
    const auto rule = std::find_if(run_.checks.begin(), run_.checks.end(), [&](auto& c) { return c.id == f.check; });
    if (rule != run_.checks.end()) out["ruleIndex"] = rule - run_.checks.begin();
    out["level"] = level_of(f.severity);
    out["message"] = text(f.message);
    json where = location(f.loc, "");
    if (!f.function.empty()) where["logicalLocations"] = json::array({function_of(f)});
    out["locations"] = json::array({std::move(where)});
    related(f, out);
    flows(f, out);
    if (!f.fingerprint.empty())
      // The second name is the one GitHub compares.
      out["partialFingerprints"] = {{"reckon/v1", f.fingerprint}, {"primaryLocationLineHash", f.fingerprint + ":1"}};
    for (const Fix& fix : f.fixes) out["fixes"].push_back(fix_of(fix));
    if (f.suppression)
      out["suppressions"] = json::array({{{"kind", "inSource"},
                                          {"justification", f.suppression->reason},
                                          {"location", location(f.suppression->loc, "")}}});
    if (is_repaired(run_, f))
      out["baselineState"] = "absent";  // it was there when the run began, and is no more
    else if (run_.has_baseline || !run_.compared_with.empty())
      out["baselineState"] = f.in_baseline ? "unchanged" : "new";
    out["rank"] = rank_of(f);
    out["properties"] = {{"confidence", name_of(f.confidence)},
                         {"severity", name_of(f.severity)},
                         {"trigger", name_of(f.trigger)},
                         {"place", name_of(f.place)}};
    if (!f.object.empty()) out["properties"]["object"] = f.object;
    if (const Confirmation* c = confirmation_of(run_, f)) {
      json& shown = out["properties"]["confirmation"];
      shown = {{"status", name_of(c->status)}};
      if (!c->seen.empty()) shown["seen"] = c->seen;
      if (!c->why.empty()) shown["why"] = c->why;
      if (!c->assuming.empty()) shown["assuming"] = c->assuming;
      if (!c->command.empty()) shown["command"] = c->command;
    }
    return out;
  }

  void related(const Finding& f, json& out) {
    json places = json::array();
    auto add = [&](const SourceLoc& loc, const std::string& message) {
      if (places.size() + 1 >= kMostPlaces) return;
      json place = location(loc, message);
      place["id"] = places.size();
      places.push_back(std::move(place));
    };
    if (!f.origin.file.empty())
      add(f.origin, f.origin_api.empty() ? "the object comes from here" : "obtained from " + f.origin_api + "() here");
    for (const SourceLoc& loc : f.further_places) add(loc, "the same cause shows here, too");
    if (!places.empty()) out["relatedLocations"] = std::move(places);
  }

  void flows(const Finding& f, json& out) {
    std::size_t room = kMostFlowSteps - 1;
    for (const auto* path : {&f.path, &f.other_path}) {
      if (path->empty() || room == 0) continue;
      // Of too many steps the essential ones stay, and of these the last.
      std::vector<std::size_t> kept(path->size());
      std::iota(kept.begin(), kept.end(), std::size_t{0});
      if (kept.size() > room) std::erase_if(kept, [&](std::size_t i) { return !(*path)[i].essential; });
      if (kept.size() > room) kept.erase(kept.begin(), kept.end() - static_cast<std::ptrdiff_t>(room));
      room -= kept.size();
      json steps = json::array();
      PathState state;
      std::size_t done = 0;
      for (const std::size_t i : kept) {
        while (done <= i) state.apply((*path)[done++].change);
        steps.push_back(flow_step((*path)[i], state, steps.size() + 1));
      }
      // Where it goes wrong is the end of the path; the other one has its end among its steps.
      if (path == &f.path) {
        Step end;
        end.loc = f.loc;
        end.text = f.message;
        steps.push_back(flow_step(end, state, steps.size() + 1));
      }
      json flow = {{"threadFlows", json::array({{{"locations", std::move(steps)}}})}};
      if (!f.other_path.empty()) flow["message"] = text(path == &f.path ? "one path" : "the other path");
      out["codeFlows"].push_back(std::move(flow));
    }
  }

  json flow_step(const Step& step, const PathState& path_state, std::size_t order) {
    std::string message = step.text;
    if (!step.loc.macro.empty()) message += " (in macro " + step.loc.macro + ")";
    if (!step.state.empty()) message += "; " + step.state;
    json out = {{"location", location(step.loc, message)}};
    json state = json::object();
    for (const Fact& fact : path_state.facts())
      if (fact.changed) state[subject_of(fact)] = text(fact.value);
    if (!state.empty()) out["state"] = std::move(state);
    if (step.depth > 0) out["nestingLevel"] = step.depth;
    out["executionOrder"] = order;
    out["importance"] = step.essential ? "essential" : "unimportant";
    return out;
  }

  json fix_of(const Fix& fix) {
    std::map<std::string, json> by_file;
    for (const Edit& e : fix.edits)
      by_file[e.file].push_back({{"deletedRegion",
                                  {{"startLine", e.line},
                                   {"startColumn", column(e.file, e.line, e.col)},
                                   {"endLine", e.end_line},
                                   {"endColumn", column(e.file, e.end_line, e.end_col)}}},
                                 {"insertedContent", text(e.text)}});
    json changes = json::array();
    for (auto& [file, replacements] : by_file)
      changes.push_back({{"artifactLocation", artifact(file)}, {"replacements", std::move(replacements)}});
    return {{"description", text(fix.description)}, {"artifactChanges", std::move(changes)}};
  }

  const Run& run_;
  Sources sources_;
  std::size_t left_out_ = 0;
};

}  // namespace

void write_sarif(std::ostream& out, const Run& run, const WriterOptions&) {
  // Text from sources and paths need not be UTF-8; a stray byte must not end the run.
  out << support::printable_json(Log(run).build().dump(1, ' ', false, json::error_handler_t::replace)) << '\n';
}

}  // namespace reckon::report
