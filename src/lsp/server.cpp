#include "lsp/server.h"

#include <fmt/core.h>
#include <poll.h>

#include <algorithm>

#include "lsp/places.h"

namespace reckon::lsp {

using nlohmann::json;

namespace {

constexpr int kEndingMilliseconds = 5;  // between two looks whether a process has ended

enum MessageType { kErrorMessage = 1, kWarningMessage = 2 };

// A field of nested objects; null if one is missing.
json at(const json& value, std::initializer_list<const char*> path) {
  const json* here = &value;
  for (const char* name : path) {
    if (!here->is_object() || !here->contains(name)) return nullptr;
    here = &(*here)[name];
  }
  return *here;
}

bool is_true(const json& value) { return value.is_boolean() && value.get<bool>(); }

std::string uri_in(const json& params) {
  const json uri = at(params, {"textDocument", "uri"});
  return uri.is_string() ? uri.get<std::string>() : "";
}

}  // namespace

Server::Server(Analyst& analyst, int in, int out, std::string version)
    : analyst_(analyst), connection_(in, out), documents_(analyst), version_(std::move(version)) {}

int Server::run() {
  bool open = true;
  while (!exiting_ && open && !connection_.lost() && !connection_.broken()) {
    const bool ending = analyst_.still_ending();
    if (!ending) start_next();
    pollfd fds[2] = {{connection_.fd(), POLLIN, 0}, {running_ ? running_->look->fd() : -1, POLLIN, 0}};
    poll(fds, 2, ending ? kEndingMilliseconds : poll_timeout());  // an interrupted call is like a timeout
    if ((fds[0].revents & (POLLIN | POLLHUP | POLLERR)) != 0) open = connection_.receive();
    for (std::string body; !exiting_ && connection_.next(body);) handle(body);
    attend();
  }
  running_.reset();
  return shutting_down_ ? 0 : 1;
}

void Server::handle(const std::string& body) {
  const json message = json::parse(body, nullptr, false);
  if (message.is_discarded() || !message.is_object()) {
    connection_.fail(nullptr, kParseError, "the message is no JSON object");
    return;
  }
  const bool request = message.contains("id");
  if (!message.contains("method")) return;  // a reply to a request of ours
  const json params = message.value("params", json::object());
  try {
    const std::string method = message.at("method");
    if (request)
      handle_request(message["id"], method, params);
    else
      handle_notification(method, params);
  } catch (const json::exception& problem) {  // a field is missing or of another type than the protocol says
    if (request)
      connection_.fail(message["id"], kInvalidParams, problem.what());
    else
      log(fmt::format("a message is not as the protocol says: {}", problem.what()), kWarningMessage);
  }
}

void Server::handle_request(const json& id, const std::string& method, const json& params) {
  static const std::map<std::string, Asked> kAnswers = {
      {"textDocument/hover", &Server::hover},
      {"textDocument/codeLens", &Server::code_lens},
      {"textDocument/implementation", &Server::other_end},
      {"workspace/executeCommand", &Server::execute_command},
  };
  if (method == "initialize") return connection_.reply(id, initialize(params));
  if (!initialized_) return connection_.fail(id, kServerNotInitialized, "initialize comes first");
  if (method == "shutdown") {
    shutting_down_ = true;
    running_.reset();
    due_.clear();
    later_.clear();
    return connection_.reply(id, nullptr);
  }
  if (shutting_down_) return connection_.fail(id, kInvalidRequest, "the server is shutting down");
  if (method == "textDocument/codeAction") return code_action(id, params);
  const auto known = kAnswers.find(method);
  if (known == kAnswers.end()) return connection_.fail(id, kMethodNotFound, "no such method: " + method);
  connection_.reply(id, (this->*known->second)(params));
}

void Server::handle_notification(const std::string& method, const json& params) {
  static const std::map<std::string, Handler> kHandlers = {
      {"initialized", &Server::initialized},
      {"textDocument/didOpen", &Server::opened},
      {"textDocument/didChange", &Server::changed},
      {"textDocument/didSave", &Server::saved},
      {"textDocument/didClose", &Server::closed},
      {"$/cancelRequest", &Server::cancelled},
      {"window/workDoneProgress/cancel", &Server::progress_cancelled},
      {"workspace/didChangeWorkspaceFolders", &Server::folders_changed},
      {"workspace/didChangeWatchedFiles", &Server::files_changed},
  };
  if (method == "exit") exiting_ = true;
  const auto known = kHandlers.find(method);
  if (known != kHandlers.end() && initialized_ && !shutting_down_) (this->*known->second)(params);
}

json Server::initialize(const json& params) {
  initialized_ = true;
  const json client = params.value("capabilities", json::object());
  shows_progress_ = is_true(at(client, {"window", "workDoneProgress"}));
  shows_documents_ = is_true(at(client, {"window", "showDocument", "support"}));
  watches_files_ = is_true(at(client, {"workspace", "didChangeWatchedFiles", "dynamicRegistration"}));
  shows_related_ = is_true(at(client, {"textDocument", "publishDiagnostics", "relatedInformation"}));
  if (const json pause = at(params, {"initializationOptions", "pause"}); pause.is_number_unsigned())
    wishes_.pause = std::chrono::milliseconds(pause.get<unsigned>());
  if (const json wanted = at(params, {"initializationOptions", "preamble"}); wanted.is_boolean())
    wishes_.preamble = wanted.get<bool>();
  for (const json& folder : at(params, {"workspaceFolders"}))
    if (const std::string path = path_of(folder.value("uri", "")); !path.empty()) folders_.push_back(path);
  if (const json root = at(params, {"rootUri"}); folders_.empty() && root.is_string())
    if (const std::string path = path_of(root.get<std::string>()); !path.empty()) folders_.push_back(path);
  enter_folders();
  json capabilities = {{"positionEncoding", "utf-16"},
                       {"textDocumentSync", {{"openClose", true}, {"change", 2}, {"save", {{"includeText", false}}}}},
                       {"hoverProvider", true},
                       {"codeActionProvider", {{"codeActionKinds", {"quickfix"}}}},
                       {"codeLensProvider", {{"resolveProvider", false}}},
                       {"implementationProvider", true},
                       {"executeCommandProvider", {{"commands", {"reckon.otherEnd", "reckon.check"}}}},
                       {"workspace", {{"workspaceFolders", {{"supported", true}, {"changeNotifications", true}}}}}};
  return {{"capabilities", std::move(capabilities)}, {"serverInfo", {{"name", "reckon"}, {"version", version_}}}};
}

void Server::initialized(const json&) {
  if (!watches_files_) return;
  json watchers = json::array();
  for (const char* pattern : {"**/compile_commands.json", "**/reckon.toml", "**/*.spec", "**/*.{h,hh,hpp,hxx}"})
    watchers.push_back({{"globPattern", pattern}});
  const json registration = {{"id", "reckon-files"},
                             {"method", "workspace/didChangeWatchedFiles"},
                             {"registerOptions", {{"watchers", std::move(watchers)}}}};
  connection_.request("client/registerCapability", {{"registrations", json::array({registration})}});
}

void Server::enter_folders() {
  if (const std::string problem = analyst_.enter(folders_); !problem.empty()) {
    log(problem, kErrorMessage);
    tell(problem);
  }
}

void Server::opened(const json& params) {
  if (!documents_.open(params.at("textDocument"))) return;
  const std::string path = documents_.path_of_uri(uri_in(params));
  if (analyst_.is_header(path))
    want_users(path, std::chrono::milliseconds(0), false);
  else
    want(path, std::chrono::milliseconds(0));
}

void Server::changed(const json& params) {
  if (!documents_.change(params)) return;
  const std::string path = documents_.path_of_uri(uri_in(params));
  if (analyst_.is_header(path))
    want_users(path, wishes_.pause, false);
  else
    want(path, wishes_.pause);
}

void Server::saved(const json& params) {
  const std::string path = documents_.path_of_uri(uri_in(params));
  if (!documents_.find(path)) return;
  if (analyst_.is_header(path))
    want_users(path, std::chrono::milliseconds(0), true);
  else
    want(path, std::chrono::milliseconds(0));
}

void Server::closed(const json& params) {
  const std::string path = documents_.path_of_uri(uri_in(params));
  if (!documents_.find(path)) return;
  documents_.close(path);
  analyst_.closed(path);
  due_.erase(path);
  headers_of_.erase(path);
  if (running_ && running_->question.path == path) running_.reset();
  publish(path, json::object());
}

void Server::cancelled(const json& params) {
  const json id = params.value("id", json());
  std::erase_if(waiting_, [&](const WaitingActions& waiting) {
    if (waiting.id != id) return false;
    connection_.fail(id, kRequestCancelled, "cancelled");
    return true;
  });
  if (running_ && !running_->question.repair.empty() && waiting_.empty()) running_.reset();
}

void Server::progress_cancelled(const json& params) {
  if (progress_.empty() || params.value("token", json()) != progress_) return;
  const bool shown = running_ && (running_->background || later_.empty());
  later_.clear();
  if (shown) {
    const std::unique_ptr<Running> done = std::move(running_);
    if (!done->background) take_failure(*done, "cancelled");
  }
  end_progress();
}

void Server::folders_changed(const json& params) {
  const json event = params.at("event");
  for (const json& folder : event.value("removed", json::array()))
    std::erase(folders_, path_of(folder.value("uri", "")));
  for (const json& folder : event.value("added", json::array()))
    if (const std::string path = path_of(folder.value("uri", "")); !path.empty()) folders_.push_back(path);
  enter_folders();
}

// Headers that somebody else has changed are like saved ones. If a database, settings or specs are other than they
// were, all that is open is looked at again.
void Server::files_changed(const json& params) {
  bool settings = false;
  for (const json& change : params.at("changes")) {
    const std::string path = documents_.path_of_uri(change.value("uri", ""));
    if (!analyst_.is_header(path))
      settings = true;
    else if (!documents_.find(path))  // of one that is open the editor tells itself
      want_users(path, wishes_.pause, true);
  }
  if (!settings) return;
  enter_folders();
  for (const auto& [path, document] : documents_.all())
    if (!analyst_.is_header(path)) want(path, wishes_.pause);
}

void Server::log(const std::string& text, int type) {
  connection_.notify("window/logMessage", {{"type", type}, {"message", text}});
}

void Server::tell(const std::string& text) {
  if (text.empty() || !told_.insert(text).second) return;
  connection_.notify("window/showMessage", {{"type", int{kWarningMessage}}, {"message", text}});
}

}  // namespace reckon::lsp
