// Compilation databases: any text gives commands, or an error that names the file.
#include "frontends/builds/compdb.h"

#include "harness.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace reckon;
  const frontends::Compdb db = frontends::parse_compdb(fuzz::text_of(data, size), "/nowhere/compile_commands.json");
  fuzz::require(db.ok || db.error.starts_with("/nowhere/compile_commands.json:"), "an error names the file");
  for (const frontends::Command& command : db.commands) {
    fuzz::require(!command.arguments.empty(), "a command has words");
    (void)frontends::identity(command);
  }
  return 0;
}
