#include "report/json.h"

#include <nlohmann/json.hpp>

#include "report/call_places.h"
#include "report/occasion.h"
#include "report/state.h"
#include "support/terminal_text.h"

namespace reckon::report {

namespace {

using nlohmann::json;

const char* name_of(FactKind kind) {
  switch (kind) {
    case FactKind::Owned: return "owned";
    case FactKind::Holder: return "holder";
    case FactKind::Count: return "count";
    case FactKind::Exception: return "exception";
    case FactKind::Lock: return "lock";
    case FactKind::Protection: return "protection";
    case FactKind::Other: return "other";
  }
  return "";
}

json to_json(const SourceLoc& loc) {
  json out = {{"file", loc.file}, {"line", loc.line}, {"column", loc.col}};
  if (!loc.macro.empty()) out["macro"] = loc.macro;
  return out;
}

json to_json(const CallEnd& end, const Step& step, CallPlaces& places) {
  json out = {{"function", step.callee}, {"failure", end.failure}};
  if (end.value) out["value"] = *end.value;
  if (!end.exception.empty()) out["exception"] = end.exception;
  if (!end.released.empty()) out["released"] = end.released;
  for (const CallEnd::Store& s : end.stores) out["stores"].push_back({{"argument", s.argument}, {"value", s.value}});
  if (const auto place = places.at(step.loc)) {
    out["written"] = place->name;
    out["extent"] = {{"line", place->extent.line},
                     {"column", place->extent.col},
                     {"end_line", place->extent.end_line},
                     {"end_column", place->extent.end_col}};
  }
  return out;
}

json to_json(const Confirmation& c) {
  json out = {{"status", name_of(c.status)}};
  if (!c.seen.empty()) out["seen"] = c.seen;
  if (!c.why.empty()) out["why"] = c.why;
  if (!c.assuming.empty()) out["assuming"] = c.assuming;
  if (!c.command.empty()) out["command"] = c.command;
  return out;
}

json to_json(const Run& run, const std::vector<Step>& path, CallPlaces& places) {
  json out = json::array();
  PathState state;
  for (const Step& step : path) {
    json entry = {{"location", to_json(step.loc)},
                  {"text", step.text},
                  {"state", step.state},
                  {"depth", step.depth},
                  {"essential", step.essential}};
    if (const CallEnd* end = end_of(run, step)) entry["call"] = to_json(*end, step, places);
    state.apply(step.change);
    for (const Fact& fact : state.facts())  // all of them at each step would make a report of its square
      if (fact.changed)
        entry["facts"].push_back({{"kind", name_of(fact.kind)}, {"subject", fact.subject}, {"value", fact.value}});
    out.push_back(std::move(entry));
  }
  return out;
}

json to_json(const Fix& fix) {
  json out = {{"description", fix.description}, {"edits", json::array()}};
  for (const Edit& edit : fix.edits)
    out["edits"].push_back({{"file", edit.file},
                            {"line", edit.line},
                            {"column", edit.col},
                            {"end_line", edit.end_line},
                            {"end_column", edit.end_col},
                            {"text", edit.text}});
  return out;
}

json to_json(const Run& run, const Finding& f, CallPlaces& places) {
  json line = {{"check", f.check},
               {"message", f.message},
               {"severity", name_of(f.severity)},
               {"confidence", name_of(f.confidence)},
               {"trigger", name_of(f.trigger)},
               {"place", name_of(f.place)},
               {"function", f.function},
               {"object", f.object},
               {"location", to_json(f.loc)},
               {"path", to_json(run, f.path, places)},
               {"fingerprint", f.fingerprint}};
  if (!f.origin.file.empty()) line["origin"] = to_json(f.origin);
  if (!f.origin_api.empty()) line["origin_api"] = f.origin_api;
  if (!f.other_path.empty()) line["other_path"] = to_json(run, f.other_path, places);
  for (const SourceLoc& place : f.further_places) line["further_places"].push_back(to_json(place));
  for (const Fix& fix : f.fixes) line["fixes"].push_back(to_json(fix));
  if (f.suppression)
    line["suppression"] = {{"reason", f.suppression->reason}, {"location", to_json(f.suppression->loc)}};
  if (f.in_baseline) line["in_baseline"] = true;
  if (const Confirmation* c = confirmation_of(run, f)) line["confirmation"] = to_json(*c);
  return line;
}

// Paths need not be UTF-8; a stray byte must not end the run.
void write_line(std::ostream& out, const json& line) {
  out << support::printable_json(line.dump(-1, ' ', false, json::error_handler_t::replace)) << '\n';
}

}  // namespace

void write_json(std::ostream& out, const Run& run, const WriterOptions&) {
  Sources sources(run.originals);
  CallPlaces places(sources);
  for (const Finding& f : run.findings) {
    json line = to_json(run, f, places);
    if (is_repaired(run, f)) line["repaired"] = true;
    if (!run.compared_with.empty()) {
      const bool remains = run.remaining.contains(f.fingerprint);
      line["new"] = !remains;
      if (remains) line.erase("in_baseline");
    }
    write_line(out, line);
  }
  for (const Finding& f : run.gone) {
    json line = to_json(run, f, places);
    line["gone"] = true;
    write_line(out, line);
  }
  const Coverage& coverage = run.coverage;
  if (!coverage.not_known.empty()) write_line(out, json({{"not_known", coverage.not_known}}));
  if (coverage.failed() || !coverage.units_failed.empty() || coverage.entries_unusable > 0)
    write_line(out, json({{"analysed", coverage.failed() ? "nothing" : "part"}, {"message", coverage.shortfall()}}));
}

}  // namespace reckon::report
