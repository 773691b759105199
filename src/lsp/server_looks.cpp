// Which file is looked at next. Open files come first, each when its pause is over; then repairs that somebody waits
// for; then users of headers that were saved. A question that has come up for something the editor shows ends a look in
// the background, which begins anew later.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "lsp/places.h"
#include "lsp/server.h"

namespace reckon::lsp {

using nlohmann::json;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds kLongLook{1000};  // what takes longer is told as progress
constexpr int kWaitMilliseconds = 1000;  // between two looks at a deadline

}  // namespace

void Server::want(const std::string& path, milliseconds pause) {
  const Document* document = documents_.find(path);
  if (!document) return;
  if (running_ && running_->question.path == path && running_->question.repair.empty()) {
    if (running_->edit == document->edit && pause == milliseconds(0)) return;  // the answer is under way
    running_.reset();
  }
  due_[path] = Clock::now() + pause;
}

void Server::want_users(const std::string& header, milliseconds pause, bool closed_ones) {
  std::set<std::string> users;
  for (const auto& [source, headers] : headers_of_)
    if (headers.contains(header)) users.insert(source);
  if (users.empty() || closed_ones)
    for (const std::string& source : analyst_.users_of(header)) users.insert(analyst_.real_path(source));
  for (const std::string& source : users) {
    if (documents_.find(source))
      want(source, pause);
    else if ((closed_ones || users.size() == 1) && std::find(later_.begin(), later_.end(), source) == later_.end())
      later_.push_back(source);
  }
}

int Server::poll_timeout() const {
  int timeout = running_ ? kWaitMilliseconds : -1;
  if (running_ && running_->background && due_.empty()) return timeout;
  for (const auto& [path, when] : due_) {
    const auto left = std::chrono::ceil<milliseconds>(when - Clock::now()).count();
    const int wait = static_cast<int>(std::clamp<long long>(left, 0, kWaitMilliseconds));
    timeout = timeout < 0 ? wait : std::min(timeout, std::max(wait, running_ && !running_->background ? 50 : 0));
  }
  return timeout;
}

void Server::start_next() {
  const auto now = Clock::now();
  if (running_ && !running_->background) return;
  for (auto it = due_.begin(); it != due_.end(); ++it) {
    if (it->second > now) continue;
    if (running_) {  // in the background; the file is looked at as soon as that process has ended
      later_.push_front(running_->question.path);
      running_.reset();
      return;
    }
    const std::string path = it->first;
    due_.erase(it);
    if (start({path, documents_.texts(), {}}, false)) return;
    return start_next();
  }
  if (running_ || start_repair()) return;
  while (!later_.empty()) {
    const std::string path = later_.front();
    later_.pop_front();
    if (progress_.empty()) later_done_ = 0, begin_progress("checking users of a header");
    ++later_done_;
    if (!progress_.empty())
      connection_.notify("$/progress", {{"token", progress_},
                                        {"value",
                                         {{"kind", "report"},
                                          {"message", std::filesystem::path(path).filename().string()},
                                          {"percentage", (later_done_ - 1) * 100 / (later_done_ + later_.size())}}}});
    if (start({path, documents_.texts(), {}}, true)) return;
  }
  end_progress();
}

bool Server::start(Question question, bool background) {
  auto running = std::make_unique<Running>();
  std::string problem, note;
  const Document* document = documents_.find(question.path);
  running->edit = document ? document->edit : 0;
  question.preamble = wishes_.preamble && document != nullptr;
  running->background = background;
  running->since = Clock::now();
  running->look = analyst_.ask(question, problem, note);
  running->question = std::move(question);
  tell(note);
  if (!running->look) {
    take_failure(*running, problem);
    return false;
  }
  running_ = std::move(running);
  return true;
}

// Of all requests that wait: the first document whose findings have repairs that were not tried.
bool Server::start_repair() {
  for (const WaitingActions& waiting : waiting_) {
    const std::string path = documents_.path_of_uri(waiting.params["textDocument"]["uri"].get<std::string>());
    std::vector<std::string> untried = untried_at(path, waiting.params);
    if (!untried.empty()) return start({path, documents_.texts(), std::move(untried)}, false);
  }
  answer_waiting();
  return false;
}

void Server::attend() {
  if (!running_) return;
  const bool background = running_->background;
  std::string text;
  switch (running_->look->receive(text)) {
    case Look::Event::Nothing:
      if (!running_->background && progress_.empty() && Clock::now() - running_->since > kLongLook)
        begin_progress("checking " + std::filesystem::path(running_->question.path).filename().string());
      return;
    case Look::Event::Answer: {
      const std::unique_ptr<Running> done = std::move(running_);
      take_answer(std::move(*done), text);
      break;
    }
    case Look::Event::Failed: {
      const std::unique_ptr<Running> done = std::move(running_);
      take_failure(*done, text);
      break;
    }
  }
  if (!background || later_.empty()) end_progress();
}

void Server::take_answer(Running done, const std::string& text) {
  json answer = json::parse(text, nullptr, false);
  if (answer.is_discarded() || !answer.is_object()) return take_failure(done, "the answer is damaged");
  if (!done.question.repair.empty()) return take_repairs(done, answer);
  const std::string& path = done.question.path;
  Document* document = documents_.find(path);
  if (!document && !done.background) return;
  if (answer.contains("headers")) {
    std::set<std::string> headers;
    for (const json& header : answer["headers"]) headers.insert(header.get<std::string>());
    headers_of_[path] = std::move(headers);
    answer.erase("headers");
  }
  publish(path, answer.value("files", json::object()));
  answer.erase("files");
  if (document && answer.value("ok", false)) {
    document->answer = std::move(answer);
    document->answered_edit = done.edit;
  }
}

void Server::take_failure(const Running& done, const std::string& reason) {
  const std::string text = fmt::format("{}: {}", done.question.path, reason);
  log(text, 2);
  if (Document* document = documents_.find(done.question.path); document && !done.question.repair.empty()) {
    if (document->repaired_edit != document->edit) document->repairs.clear();
    document->repaired_edit = document->edit;
    for (const std::string& fingerprint : done.question.repair) document->repairs[fingerprint] = json::array();
  }
}

void Server::take_repairs(const Running& done, const json& answer) {
  Document* document = documents_.find(done.question.path);
  if (!document) return;
  if (document->edit != done.edit) return;  // the text is another one now
  if (document->repaired_edit != document->edit) document->repairs.clear();
  document->repaired_edit = document->edit;
  for (const std::string& fingerprint : done.question.repair) {
    const json repairs = answer.value("repairs", json::object());
    document->repairs[fingerprint] = repairs.value(fingerprint, json::array());
  }
}

void Server::publish(const std::string& owner, const json& files) {
  std::set<std::string> touched;
  for (auto it = published_.begin(); it != published_.end();) {
    if (it->second.erase(owner) > 0) touched.insert(it->first);
    ++it;
  }
  for (const auto& [path, diagnostics] : files.items()) {
    const std::string real = analyst_.real_path(path);
    if (!diagnostics.empty()) published_[real][owner] = diagnostics;
    touched.insert(real);
  }
  for (const std::string& path : touched) publish_file(path);
}

// A header's findings may come from several units, the same ones from each.
void Server::publish_file(const std::string& path) {
  json all = json::array();
  std::set<std::string> seen;
  for (const auto& [owner, diagnostics] : published_[path])
    for (json diagnostic : diagnostics) {
      const std::string key = diagnostic.contains("data") ? diagnostic["data"].dump() : diagnostic.dump();
      if (!seen.insert(key).second) continue;
      if (!shows_related_) diagnostic.erase("relatedInformation");
      if (diagnostic.contains("relatedInformation"))
        for (json& step : diagnostic["relatedInformation"])
          step["location"]["uri"] = documents_.uri_of(path_of(step["location"]["uri"].get<std::string>()));
      all.push_back(std::move(diagnostic));
    }
  json params = {{"uri", documents_.uri_of(path)}, {"diagnostics", std::move(all)}};
  if (const Document* document = documents_.find(path)) params["version"] = document->version;
  connection_.notify("textDocument/publishDiagnostics", std::move(params));
  if (published_[path].empty()) published_.erase(path);
}

void Server::begin_progress(const std::string& title) {
  if (!shows_progress_) return;
  progress_ = fmt::format("reckon/{}", ++progresses_);
  connection_.request("window/workDoneProgress/create", {{"token", progress_}});
  connection_.notify(
      "$/progress",
      {{"token", progress_}, {"value", {{"kind", "begin"}, {"title", "Reckon: " + title}, {"cancellable", true}}}});
}

void Server::end_progress() {
  if (progress_.empty()) return;
  connection_.notify("$/progress", {{"token", progress_}, {"value", {{"kind", "end"}}}});
  progress_.clear();
}

}  // namespace reckon::lsp
