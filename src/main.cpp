#include "driver/cli.h"

int main(int argc, char** argv) { return reckon::driver::run_cli(argc, argv); }
