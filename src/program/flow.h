// Which blocks of a body follow which.
#pragma once

#include <vector>

#include "model/model.h"
#include "program/notes.h"

namespace reckon::program {

// The calls on the way to a return, from the first step: who asks whether a function returns needs no more of its body.
// Empty: a return is reached without a call by name, or there is no body.
std::vector<FlowNote> flow_of(const model::Body& body);

// By block: is it reached from there?
std::vector<bool> reachable(const model::Body& body, model::BlockId from);

}  // namespace reckon::program
