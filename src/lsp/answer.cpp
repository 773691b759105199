#include "lsp/answer.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "lsp/places.h"
#include "report/occasion.h"
#include "report/state.h"
#include "report/uri.h"

namespace reckon::lsp {

using nlohmann::json;

namespace {

enum DiagnosticSeverity { kError = 1, kWarning = 2, kInformation = 3, kHint = 4 };

int severity_of(report::Severity severity) {
  switch (severity) {
    case report::Severity::High: return kError;
    case report::Severity::Medium: return kWarning;
    case report::Severity::Low: return kInformation;
    case report::Severity::Note: return kHint;
  }
  return kWarning;
}

json location_of(const report::SourceLoc& loc, report::Sources& sources) {
  return {{"uri", report::file_uri(loc.file)}, {"range", word_at(sources.file(loc.file), loc.line, loc.col)}};
}

class Diagnostics {
 public:
  Diagnostics(const Facts& facts, report::Sources& sources) : facts_(facts), sources_(sources) {}

  json diagnostic(const report::Finding& f) {
    json out = {{"range", word_at(sources_.file(f.loc.file), f.loc.line, f.loc.col)},
                {"severity", severity_of(f.severity)},
                {"source", "reckon"},
                {"code", f.check},
                {"message", fmt::format("{}; this shows {}", f.message, report::occasion_of(f))},
                {"data", {{"fingerprint", f.fingerprint}}}};
    if (const std::string page = page_of(f.check); !page.empty())
      out["codeDescription"] = {{"href", report::file_uri(page)}};
    json related = json::array();
    add_steps(related, f.path, "");
    add_steps(related, f.other_path, "the other path: ");
    for (const report::SourceLoc& loc : f.further_places) add(related, loc, "the same cause shows here, too");
    if (!related.empty()) out["relatedInformation"] = std::move(related);
    return out;
  }

 private:
  void add(json& related, const report::SourceLoc& loc, const std::string& text) {
    if (!loc.file.empty()) related.push_back({{"location", location_of(loc, sources_)}, {"message", text}});
  }

  void add_steps(json& related, const std::vector<report::Step>& steps, const std::string& lead) {
    for (const report::Step& step : steps)
      if (step.essential)
        add(related, step.loc, lead + step.text + (step.state.empty() ? "" : " (" + step.state + ")"));
  }

  // A check's page is that of its kind, or of one domain's variant of it.
  std::string page_of(std::string_view check) const {
    std::error_code ec;
    while (!facts_.pages.empty()) {
      std::string page = fmt::format("{}/{}.md", facts_.pages, check);
      if (std::filesystem::exists(page, ec)) return page;
      const std::size_t dash = check.find('-');
      if (dash == std::string_view::npos) return "";
      check.remove_prefix(dash + 1);
    }
    return "";
  }

  const Facts& facts_;
  report::Sources& sources_;
};

// References owned along the path of a finding, by line.
json state_of(const report::Finding& f, const std::vector<report::FunctionCoverage>& functions) {
  json steps = json::array();
  report::PathState state;
  for (const report::Step& step : f.path) {
    state.apply(step.change);
    if (step.loc.file != f.loc.file || step.depth > 0) continue;
    json owned = json::object();
    for (const report::Fact& fact : state.facts())
      if (fact.kind == report::FactKind::Owned && !fact.subject.empty()) owned[fact.subject] = fact.value;
    steps.push_back({{"line", step.loc.line}, {"owned", std::move(owned)}});
  }
  json out = {{"file", f.loc.file}, {"line", f.loc.line}, {"message", f.message}, {"steps", std::move(steps)}};
  for (const report::FunctionCoverage& function : functions)
    if (function.file == f.loc.file && function.line <= f.loc.line && f.loc.line <= function.end_line)
      out["first"] = function.line, out["last"] = function.end_line;
  return out;
}

std::string list_of(const std::vector<std::string>& clauses) {
  std::string out;
  for (const std::string& clause : clauses) out += "- " + clause + "\n";
  return out;
}

}  // namespace

json answer_of(const Facts& facts, report::Sources& sources) {
  json out = {{"ok", true}, {"files", json::object()}, {"functions", json::array()}, {"ends", json::array()}};
  out["states"] = json::array();
  out["files"][facts.path] = json::array();
  Diagnostics diagnostics(facts, sources);
  for (const report::Finding& f : facts.run.findings) {
    if (!report::is_active(f) || f.loc.file.empty()) continue;
    out["files"][f.loc.file].push_back(diagnostics.diagnostic(f));
    if (!f.path.empty()) out["states"].push_back(state_of(f, facts.run.coverage.functions));
  }
  for (const report::SuppressionProblem& problem : facts.run.suppression_problems)
    out["files"][problem.loc.file].push_back({{"range", word_at(sources.file(problem.loc.file), problem.loc.line, 0)},
                                              {"severity", kInformation},
                                              {"source", "reckon"},
                                              {"code", "suppression"},
                                              {"message", problem.text}});
  for (const ProgramFunction& function : facts.functions) {
    const std::vector<std::string> clauses = in_words(function.behaviour);
    json entry = {{"name", function.name}, {"known", function.known}, {"words", list_of(clauses)}};
    entry["file"] = function.loc.file;
    entry["line"] = function.loc.line;
    if (function.loc.file == facts.path) {
      entry["range"] = word_at(sources.file(facts.path), function.loc.line, function.loc.col);
      entry["lens"] = function.known ? off_convention(function.behaviour) : std::vector<std::string>();
    }
    out["functions"].push_back(std::move(entry));
  }
  for (const PairEnd& end : facts.ends)
    out["ends"].push_back({{"object", end.object},
                           {"scope", end.scope},
                           {"obtains", end.obtains},
                           {"range", word_at(sources.file(end.loc.file), end.loc.line, end.loc.col)}});
  out["headers"] = facts.headers;
  out["domains"] = facts.domains;
  return out;
}

json answer_of_errors(const std::string& path, const std::string& spelled, const std::string& errors,
                      report::Sources& sources) {
  // "FILE:LINE:COL: error: TEXT", the first of them in this file; else what was said first.
  std::uint32_t line = 1, col = 1;
  std::string text = errors.substr(0, errors.find('\n'));
  bool mine = false;
  for (std::size_t at = 0; at < errors.size() && !mine;) {
    const std::string one = errors.substr(at, errors.find('\n', at) - at);
    at += one.size() + 1;
    const std::size_t error = one.find("error: ");
    if (error == std::string::npos || !one.starts_with(spelled + ":")) continue;
    const char* place = one.data() + spelled.size() + 1;
    const auto [colon, problem] = std::from_chars(place, one.data() + one.size(), line);
    if (problem == std::errc() && *colon == ':') std::from_chars(colon + 1, one.data() + one.size(), col);
    text = one.substr(error + 7);
    mine = true;
  }
  json diagnostic = {{"range", word_at(sources.file(path), line, col)},
                     {"severity", kHint},
                     {"source", "reckon"},
                     {"code", "does-not-compile"},
                     {"message", "not analysed, since it does not compile: " + text}};
  return {{"ok", false}, {"compiles", false}, {"files", {{path, json::array({std::move(diagnostic)})}}}};
}

json repair_json(const report::Fix& fix, report::Sources& sources) {
  json edits = json::object();
  for (const report::Edit& edit : fix.edits) {
    const report::SourceFile& source = sources.file(edit.file);
    edits[edit.file].push_back(
        {{"range", range_of(source, edit.line, edit.col, edit.end_line, edit.end_col)}, {"newText", edit.text}});
  }
  return {{"title", fix.description}, {"edits", std::move(edits)}};
}

}  // namespace reckon::lsp
