// reckon lsp: the language server for editors, over standard input and output.
#include <unistd.h>

#include "driver/command_line.h"
#include "driver/commands.h"
#include "driver/editor.h"
#include "driver/settings.h"
#include "driver/spec_files.h"
#include "driver/version.h"
#include "lsp/server.h"

namespace reckon::driver {

namespace {

// What is wrong with the command line itself ends the server at once. Settings of a folder may be mended while the
// editor shows it, so their mistakes do not.
bool makes_sense(Options options, host::Console& console) {
  if (!options.config.empty()) {
    auto settings = Settings::load(options, console);
    if (!settings) return false;
    options.settings = std::make_shared<const Settings>(std::move(*settings));
  }
  specs::SpecSet specs;
  return load_specs(options, console, specs);
}

int work(const Options& options, host::Console& console) {
  if (!makes_sense(options, console)) return kExitUsage;
  Editor editor(options, console);
  return lsp::Server(editor, STDIN_FILENO, STDOUT_FILENO, version()).run();
}

}  // namespace

void define_lsp(CommandLine& line) {
  CommandArguments app = line.command({"lsp", "Serve an editor: diagnostics, hovers, repairs",
                                       "reckon lsp [OPTIONS] [-p DIR|FILE.json] [-- FLAGS...]", true},
                                      work);
  app.input(line.options.input);
  app.domains(line.options.analysis);
  app.specs(line.options);
  app.capture(line.options);
  app.footer(
      "Speaks the Language Server Protocol on standard input and output;\n"
      "docs/editor.md has settings for editors");
}

}  // namespace reckon::driver
