// The command line program, from argv to the exit code.
#pragma once

namespace reckon::driver {

int run_cli(int argc, char** argv);

}  // namespace reckon::driver
