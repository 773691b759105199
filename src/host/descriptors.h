// What a process inherits that could end it or spoil its output.
#pragma once

namespace reckon::host {

// Call it first. A standard stream that was closed would give its number to the next file that is opened, and messages
// would end up in there: closed ones are occupied, so that writing to standard output is an error that is noticed, and
// messages are lost. A file size limit makes a write fail instead of ending the process.
void prepare_process();

}  // namespace reckon::host
