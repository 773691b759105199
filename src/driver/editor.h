// The analyst of the language server (lsp/analyst.h): finds the compiler call of a file, and has a worker process look
// at it. Specs, settings and databases are read here, in the server's process, so that each worker begins with them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "driver/input.h"
#include "driver/options.h"
#include "driver/preambles.h"
#include "driver/worker_process.h"
#include "host/console.h"
#include "lsp/analyst.h"

namespace reckon::driver {

class Editor : public lsp::Analyst {
 public:
  Editor(const Options& options, host::Console& console);

  std::string enter(const std::vector<std::string>& folders) override;
  const specs::SpecSet& specs() const override { return specs_; }
  std::unique_ptr<lsp::Look> ask(const lsp::Question& question, std::string& problem, std::string& note) override;
  bool still_ending() override { return ending_.any(); }
  std::vector<std::string> users_of(const std::string& header) override;
  void closed(const std::string& path) override { preambles_.forget(path); }
  bool is_header(const std::string& path) const override;
  std::string real_path(const std::string& path) const override { return frontends::real_path(path); }

 private:
  // Compiler calls of a file as long as the databases that say so are the same.
  struct Known {
    std::string stamp;
    std::vector<frontends::Command> commands;
    bool guessed = false;  // no database has the file
  };
  const Known& commands_for(const std::string& path);
  std::vector<std::string> databases_near(const std::string& path) const;

  const Options given_;  // by the command line
  Options options_;      // with the settings of the folder
  host::Console& console_;
  specs::SpecSet specs_;
  std::string spec_fingerprint_;
  std::string problem_;  // with settings or specs: nothing is analysed
  std::map<std::string, Known> known_;
  Preambles preambles_;
  EndingWorkers ending_;
};

}  // namespace reckon::driver
