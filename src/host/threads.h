// Threads the system is ready to give.
#pragma once

namespace reckon::host {

// How many of `wanted` threads, this one included, can run at once. A limit on processes, or a lack of memory, is met
// here and not in the middle of the work, where a library would end the program.
unsigned available_threads(unsigned wanted);

}  // namespace reckon::host
