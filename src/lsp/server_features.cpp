// What an editor asks about a place in a document. All of it is looked up: names in the specs, the rest in the last
// answer about the document. Only repairs take time, since each is tried before it is offered.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "lsp/places.h"
#include "lsp/server.h"
#include "lsp/words.h"
#include "report/uri.h"
#include "specs/printer.h"

namespace reckon::lsp {

using nlohmann::json;

namespace {

std::string list_of(const std::vector<std::string>& clauses) {
  std::string out;
  for (const std::string& clause : clauses) out += "- " + clause + "\n";
  return out.empty() ? "- nothing is said of its result, and it changes no count\n" : out;
}

std::string link_to(const std::string& file, std::uint32_t line) {
  return fmt::format("[{}:{}]({}#L{})", std::filesystem::path(file).filename().string(), line, report::file_uri(file),
                     line);
}

std::string about_spec(const specs::FunctionSpec& spec, const std::string& name) {
  return fmt::format("**{}** (spec, domain {})\n\n{}\n```\n{}\n```\n{}", name, spec.domain,
                     list_of(in_words(behaviour_of(spec))), specs::to_text(spec),
                     link_to(spec.loc.file, spec.loc.line));
}

std::string about_function(const json& function) {
  const std::string words = function.value("words", "");
  return fmt::format("**{}** (computed{})\n\n{}{}", function.value("name", ""),
                     function.value("known", false) ? "" : "; too much for callers to know it all",
                     words.empty() ? "- it changes no count\n" : words,
                     function.contains("file")
                         ? "\n" + link_to(function["file"].get<std::string>(), function.value("line", std::uint32_t{1}))
                         : "");
}

// Is `name` how somebody may write the function `full`? "f" and "N::f" for "N::f".
bool names(const std::string& name, std::string full) {
  full = full.substr(0, full.find('('));
  return full == name || full.ends_with("::" + name);
}

// Positions and ranges come from the editor: at() throws where one lacks a field, and the request is answered with
// that.
bool within(const json& position, const json& range) {
  const auto before = [](const json& a, const json& b) {
    return std::pair(a.at("line").get<int>(), a.at("character").get<int>()) <=
           std::pair(b.at("line").get<int>(), b.at("character").get<int>());
  };
  return before(range.at("start"), position) && before(position, range.at("end"));
}

bool share_lines(const json& a, const json& b) {
  return a.at("start").at("line").get<int>() <= b.at("end").at("line").get<int>() &&
         b.at("start").at("line").get<int>() <= a.at("end").at("line").get<int>();
}

// References owned of a variable at a line, on the paths of findings; "" if no path says anything.
std::string about_variable(const json& states, const std::string& path, const std::string& variable,
                           std::uint32_t line) {
  std::string out;
  for (const json& state : states) {
    if (state.value("file", "") != path || !state.contains("first")) continue;
    if (line < state["first"].get<std::uint32_t>() || line > state["last"].get<std::uint32_t>()) continue;
    std::string owned;
    std::uint32_t since = 0;
    for (const json& step : state["steps"]) {
      const auto at = step["line"].get<std::uint32_t>();
      if (at <= line && step["owned"].contains(variable)) {
        owned = step["owned"][variable].get<std::string>();
        since = at;
      }
    }
    if (!owned.empty())
      out += fmt::format("- owned references: {} (after line {}, on the way to line {}: {})\n", owned, since,
                         state.value("line", 0), state.value("message", ""));
  }
  return out;
}

}  // namespace

json Server::hover(const json& params) {
  const std::string path = documents_.path_of_uri(params.at("textDocument").value("uri", ""));
  const Document* document = documents_.find(path);
  if (!document) return nullptr;
  const json& position = params.at("position");
  const Word word = word_under(document->text, offset_of(document->text, position));
  if (word.text.empty()) return nullptr;
  const auto shown = [](const std::string& text) -> json {
    return {{"contents", {{"kind", "markdown"}, {"value", text}}}};
  };
  const std::string last = document->text.substr(word.start, word.end - word.start);
  if (document->answer) {
    if (!word.called)
      if (const std::string owned =
              about_variable((*document->answer)["states"], path, last, position.value("line", std::uint32_t{0}) + 1);
          !owned.empty())
        return shown(fmt::format("`{}`\n\n{}", last, owned));
  }
  for (const std::string& name : {word.text, last})
    if (const specs::FunctionSpec* spec = analyst_.specs().find(name)) {
      // A name of another domain means something else here.
      const json domains = document->answer ? document->answer->value("domains", json::array()) : json::array();
      const bool ours = domains.empty() || spec->domain == "libc" ||
                        std::find(domains.begin(), domains.end(), spec->domain) != domains.end();
      if (ours) return shown(about_spec(*spec, name));
    }
  if (document->answer)
    for (const json& function : (*document->answer)["functions"])
      if (names(word.text, function.value("name", ""))) return shown(about_function(function));
  return nullptr;
}

json Server::code_lens(const json& params) {
  const Document* document = documents_.find_uri(params.at("textDocument").value("uri", ""));
  json out = json::array();
  // Lines have moved since: better no lens than one at the wrong place.
  if (!document || !document->answer || document->answered_edit != document->edit) return out;
  for (const json& function : (*document->answer)["functions"]) {
    if (!function.contains("lens") || function["lens"].empty()) continue;
    std::string title;
    for (const json& part : function["lens"]) title += (title.empty() ? "" : ", ") + part.get<std::string>();
    out.push_back({{"range", function["range"]}, {"command", {{"title", title}, {"command", ""}}}});
  }
  return out;
}

// The other ends of the pair that begins or ends at a position: from where an object is obtained to where it is given
// up, and back.
json Server::ends_at(const Document& document, const json& position) const {
  json out = json::array();
  if (!document.answer) return out;
  const json& ends = (*document.answer)["ends"];
  for (const json& here : ends) {
    if (here["range"]["start"]["line"] != position.at("line")) continue;
    const bool exact = within(position, here["range"]);
    for (const json& there : ends)
      if (there["scope"] == here["scope"] && there["object"] == here["object"] && there["obtains"] != here["obtains"]) {
        json location = {{"uri", document.uri}, {"range", there["range"]}};
        if (std::find(out.begin(), out.end(), location) != out.end()) continue;
        if (exact)
          out.insert(out.begin(), std::move(location));
        else
          out.push_back(std::move(location));
      }
  }
  return out;
}

json Server::other_end(const json& params) {
  const Document* document = documents_.find_uri(params.at("textDocument").value("uri", ""));
  return document ? ends_at(*document, params.at("position")) : json::array();
}

json Server::execute_command(const json& params) {
  const std::string command = params.value("command", "");
  const json arguments = params.value("arguments", json::array());
  if (command == "reckon.check" && !arguments.empty()) {
    want(documents_.path_of_uri(arguments[0].get<std::string>()), std::chrono::milliseconds(0));
    return nullptr;
  }
  if (command != "reckon.otherEnd" || arguments.size() < 2) return nullptr;
  const Document* document = documents_.find_uri(arguments[0].get<std::string>());
  if (!document) return nullptr;
  const json ends = ends_at(*document, arguments[1]);
  if (ends.empty()) return nullptr;
  if (shows_documents_)
    connection_.request("window/showDocument",
                        {{"uri", ends[0]["uri"]}, {"takeFocus", true}, {"selection", ends[0]["range"]}});
  return ends[0];
}

// Findings at a range whose repairs nobody has tried with this text.
std::vector<std::string> Server::untried_at(const std::string& path, const json& params) {
  std::vector<std::string> out;
  const Document* document = documents_.find(path);
  if (!document || document->answered_edit != document->edit || !published_.contains(path)) return out;
  for (const auto& [owner, diagnostics] : published_[path])
    for (const json& diagnostic : diagnostics) {
      if (owner != path || !diagnostic.contains("data") || !share_lines(diagnostic["range"], params["range"])) continue;
      const std::string fingerprint = diagnostic["data"].value("fingerprint", "");
      const bool tried = document->repaired_edit == document->edit && document->repairs.contains(fingerprint);
      if (!tried) out.push_back(fingerprint);
    }
  return out;
}

void Server::code_action(const json& id, const json& params) {
  const std::string path = documents_.path_of_uri(params.at("textDocument").value("uri", ""));
  (void)share_lines(params.at("range"), params.at("range"));  // throws if a field is not there
  if (untried_at(path, params).empty()) return connection_.reply(id, actions_at(path, params));
  waiting_.push_back({id, params});
}

void Server::answer_waiting() {
  std::erase_if(waiting_, [&](const WaitingActions& waiting) {
    const std::string path = documents_.path_of_uri(waiting.params["textDocument"]["uri"].get<std::string>());
    if (!untried_at(path, waiting.params).empty()) return false;
    connection_.reply(waiting.id, actions_at(path, waiting.params));
    return true;
  });
}

json Server::actions_at(const std::string& path, const json& params) {
  json out = json::array();
  const Document* document = documents_.find(path);
  if (!document || !published_.contains(path)) return out;
  const bool tried = document->repaired_edit == document->edit;
  json suppressions = json::array();
  for (const auto& [owner, diagnostics] : published_[path])
    for (const json& diagnostic : diagnostics) {
      if (!diagnostic.contains("data") || !share_lines(diagnostic["range"], params["range"])) continue;
      const std::string fingerprint = diagnostic["data"].value("fingerprint", "");
      const auto repairs = document->repairs.find(fingerprint);
      for (const json& repair : tried&& repairs != document->repairs.end() ? repairs->second : json::array()) {
        json changes = json::object();
        for (const auto& [file, edits] : repair["edits"].items()) changes[documents_.uri_of(file)] = edits;
        out.push_back({{"title", repair["title"]},
                       {"kind", "quickfix"},
                       {"diagnostics", json::array({diagnostic})},
                       {"isPreferred", true},
                       {"edit", {{"changes", std::move(changes)}}}});
      }
      // The comment goes on a line of its own above the finding. Without a reason it does not hold yet: Reckon asks
      // for one where the comment stands.
      const int line = diagnostic["range"]["start"]["line"];
      const std::size_t start = offset_of(document->text, {{"line", line}, {"character", 0}});
      const std::size_t text = std::min(document->text.find_first_not_of(" \t", start), document->text.size());
      const std::string comment = fmt::format("{}// reckon: ignore[{}] \n", document->text.substr(start, text - start),
                                              diagnostic["code"].get<std::string>());
      const json place = {{"line", line}, {"character", 0}};
      const json edit = {{"range", {{"start", place}, {"end", place}}}, {"newText", comment}};
      suppressions.push_back({{"title", fmt::format("suppress {} here with a reason (to be written into the comment)",
                                                    diagnostic["code"].get<std::string>())},
                              {"kind", "quickfix"},
                              {"diagnostics", json::array({diagnostic})},
                              {"edit", {{"changes", {{document->uri, json::array({edit})}}}}}});
    }
  for (json& suppression : suppressions) out.push_back(std::move(suppression));
  return out;
}

}  // namespace reckon::lsp
