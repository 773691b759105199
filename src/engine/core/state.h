// The whole state, for those of the core that hand it on: engine/state.h puts it together.
#pragma once

#include "engine/state.h"
