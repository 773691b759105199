// reckon lsp: the language server for editors, over standard input and output.
#include <unistd.h>

#include "driver/command_line.h"
#include "driver/commands.h"
#include "driver/editor.h"
#include "driver/version.h"
#include "lsp/server.h"

namespace reckon::driver {

namespace {

int work(const Options& options, host::Console& console) {
  Editor editor(options, console);
  return lsp::Server(editor, STDIN_FILENO, STDOUT_FILENO, version()).run();
}

}  // namespace

void define_lsp(CommandLine& line) {
  CommandArguments app = line.command(
      {"lsp", "Serve an editor: diagnostics, hovers, repairs", "reckon lsp [OPTIONS] [-p DIR|FILE.json] [-- FLAGS...]"},
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
