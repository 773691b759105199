// Backward slices, as far as calls go: which calls of a body may have a say in what some of its instructions do.
//
// From an instruction, follow operands to where they were made, loads to the stores that may have written what they
// read, and every instruction to the branches that decide whether it runs (control dependence, by post-dominators); a
// phi also to the branches that decide where it is reached from. At a call the way ends: behind it are the calls that
// decide about that call.
//
// Limits: memory is told apart by local variable, by global, or by the name of the field; two objects of one
// struct are not. A call writes the locals whose address it gets, and nothing else. Pointers to locals that
// were put into memory are not followed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/model.h"
#include "program/values.h"

namespace reckon::program {

// For each list of instructions in `wanted` the nearest calls behind them, as numbers into `calls`, ascending.
// `calls`: all calls of the body.
std::vector<std::vector<std::uint32_t>> deciding_calls(const ValueDefs& defs, std::span<const model::InstrId> calls,
                                                       std::span<const std::vector<model::InstrId>> wanted);

// For each block, those whose terminator decides whether it runs. Blocks that cannot reach an exit count as
// leaving the function at their last block.
std::vector<std::vector<model::BlockId>> control_dependences(const model::Body& body);

// What an address is based on, looking through fields, indices and casts.
model::Operand root_of(const ValueDefs& defs, model::Operand address);

}  // namespace reckon::program
