#include "driver/json_lines.h"

#include <nlohmann/json.hpp>

namespace reckon::driver {

namespace {

using nlohmann::json;

const char* name_of(report::Severity severity) {
  switch (severity) {
    case report::Severity::Note: return "note";
    case report::Severity::Low: return "low";
    case report::Severity::Medium: return "medium";
    case report::Severity::High: return "high";
  }
  return "";
}

const char* name_of(report::Confidence confidence) {
  switch (confidence) {
    case report::Confidence::Low: return "low";
    case report::Confidence::Medium: return "medium";
    case report::Confidence::High: return "high";
  }
  return "";
}

json to_json(const report::SourceLoc& loc) {
  json out = {{"file", loc.file}, {"line", loc.line}, {"column", loc.col}};
  if (!loc.macro.empty()) out["macro"] = loc.macro;
  return out;
}

json to_json(const std::vector<report::Step>& path) {
  json out = json::array();
  for (const report::Step& step : path)
    out.push_back({{"location", to_json(step.loc)},
                   {"text", step.text},
                   {"state", step.state},
                   {"depth", step.depth},
                   {"essential", step.essential}});
  return out;
}

}  // namespace

void write_json_lines(std::ostream& out, std::span<const report::Finding> findings) {
  for (const report::Finding& f : findings) {
    json line = {{"check", f.check},
                 {"message", f.message},
                 {"severity", name_of(f.severity)},
                 {"confidence", name_of(f.confidence)},
                 {"function", f.function},
                 {"object", f.object},
                 {"location", to_json(f.loc)},
                 {"path", to_json(f.path)},
                 {"fingerprint", f.fingerprint}};
    if (!f.origin.file.empty()) line["origin"] = to_json(f.origin);
    if (!f.origin_api.empty()) line["origin_api"] = f.origin_api;
    if (!f.other_path.empty()) line["other_path"] = to_json(f.other_path);
    for (const report::SourceLoc& place : f.further_places) line["further_places"].push_back(to_json(place));
    // Paths need not be UTF-8; a stray byte must not end the run.
    out << line.dump(-1, ' ', false, json::error_handler_t::replace) << '\n';
  }
}

}  // namespace reckon::driver
