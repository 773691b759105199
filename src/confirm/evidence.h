// A folder for each confirmed finding that somebody can be sent: it runs without Reckon.
#pragma once

#include <string>

#include "confirm/build.h"
#include "confirm/confirm.h"

namespace reckon::confirm {

// False: `problem` says what could not be written. Sets the commands that show findings again.
bool write_evidence(const Plans& plans, const Built& built, const Wishes& wishes, const report::Run& run,
                    report::Sources& sources, std::string& problem);

}  // namespace reckon::confirm
