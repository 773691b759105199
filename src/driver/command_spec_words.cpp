// reckon spec words: the effects and the properties of contracts that specs can name, as docs/specs.md has them.
#include <iostream>

#include "driver/command_line.h"
#include "driver/commands.h"
#include "specs/effects.h"

namespace reckon::driver {

namespace {

int work(const Options&, host::Console&) {
  std::cout << "## Effects\n\n" << specs::effects_page() << "\n## Contracts\n\n" << specs::contracts_page();
  return kExitClean;
}

}  // namespace

void define_spec_words(CommandLine& line) {
  line.command_below("spec", {"words", "Effects and properties of contracts that specs can name", "reckon spec words"},
                     work);
}

}  // namespace reckon::driver
