// The language server: messages of an editor in, diagnostics and answers out.
//
// The problem: an editor asks while somebody types, and an analysis takes time, may crash and may eat memory. The
// method: the server itself only keeps texts and the last answers, and waits with poll(). Each look at a file is a
// process of its own that ends with its answer, so a crash costs one answer, an edit ends the look that it made
// obsolete, and memory goes back with each look. Hovers, lenses and jumps are looked up in the last answer.
//
// Limits: one look at a time; what the editor shows comes before what happens in the background.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "lsp/analyst.h"
#include "lsp/connection.h"
#include "lsp/documents.h"

namespace reckon::lsp {

// What the editor may say in initializationOptions.
struct Wishes {
  std::chrono::milliseconds pause{400};  // after a change
  bool preamble = true;                  // #include lines of open files are kept precompiled
};

class Server {
 public:
  Server(Analyst& analyst, int in, int out, std::string version);
  // Until the editor says exit or closes the stream. Returns the exit code that the protocol asks for.
  int run();

 private:
  using json = nlohmann::json;
  using Clock = std::chrono::steady_clock;
  using Handler = void (Server::*)(const json& params);
  using Asked = json (Server::*)(const json& params);

  // ---- server.cpp: messages
  void handle(const std::string& body);
  void handle_request(const json& id, const std::string& method, const json& params);
  void handle_notification(const std::string& method, const json& params);
  json initialize(const json& params);
  void initialized(const json& params);
  void opened(const json& params);
  void changed(const json& params);
  void saved(const json& params);
  void closed(const json& params);
  void cancelled(const json& params);
  void progress_cancelled(const json& params);
  void folders_changed(const json& params);
  void files_changed(const json& params);
  void log(const std::string& text, int type);
  void tell(const std::string& text);  // shown to the user, once
  void enter_folders();

  // ---- server_looks.cpp: which file is looked at, and when
  struct Running {
    Question question;
    std::uint64_t edit = 0;  // of the document, 0 if it is not open
    std::unique_ptr<Look> look;
    Clock::time_point since;
    bool background = false;
  };
  void want(const std::string& path, std::chrono::milliseconds pause);
  void want_users(const std::string& header, std::chrono::milliseconds pause, bool closed_ones);
  void start_next();
  bool start(Question question, bool background);
  bool start_repair();
  void attend();
  void take_answer(Running done, const std::string& text);
  void take_failure(const Running& done, const std::string& reason);
  void take_repairs(const Running& done, const json& answer);
  void publish(const std::string& owner, const json& files);
  void publish_file(const std::string& path);
  void begin_progress(const std::string& title);
  void end_progress();
  int poll_timeout() const;

  // ---- server_features.cpp: what is asked of a document
  struct WaitingActions {
    json id, params;
  };
  json hover(const json& params);
  json code_lens(const json& params);
  json other_end(const json& params);
  json execute_command(const json& params);
  void code_action(const json& id, const json& params);
  json actions_at(const std::string& path, const json& params);
  void answer_waiting();
  std::vector<std::string> untried_at(const std::string& path, const json& params);
  json ends_at(const Document& document, const json& position) const;

  Analyst& analyst_;
  Connection connection_;
  Documents documents_;
  std::string version_;
  bool initialized_ = false, shutting_down_ = false, exiting_ = false;

  // What the client can do.
  bool shows_progress_ = false, shows_documents_ = false, watches_files_ = false, shows_related_ = true;
  Wishes wishes_;
  std::vector<std::string> folders_;
  std::set<std::string> told_;

  std::map<std::string, Clock::time_point> due_;  // open files to be looked at
  std::deque<std::string> later_;                 // files to be looked at when nothing else is to be done
  std::size_t later_done_ = 0;                    // of the queue that is told as progress
  std::unique_ptr<Running> running_;
  std::vector<WaitingActions> waiting_;
  std::map<std::string, std::map<std::string, json>> published_;  // diagnostics by file, and by the unit that has them
  std::map<std::string, std::set<std::string>> headers_of_;       // by source file
  std::string progress_;                                          // token; "": none is shown
  std::size_t progresses_ = 0;
};

}  // namespace reckon::lsp
