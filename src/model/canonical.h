// The canonical form of a unit: what print() and encode() write, and so what parse() and decode() give back.
//
// A body refers into pools (operands, targets, calls, fields) whose order means nothing. Canonical is: instructions
// in the order of the blocks, the operands and targets of each instruction one after the other in that order, one
// CallInfo per call in that order, field names without doubles in the order of their first use, one value name per
// value, and nothing unused. Parts of operands and constants that their kind does not use are cleared.
//
// Numbers people refer to (strings, types, symbols, constants, functions, blocks, values, locals) never change.
#pragma once

#include "model/model.h"

namespace reckon::model {

// Never fails: what is out of range in a malformed body is left out or becomes kNone (see verify()).
Body canonical(const Body& body);
Unit canonical(const Unit& unit);

// Both in canonical form and equal in every part. Unit and Function have no operator==, because the same code may
// stand in different pool orders; compare canonical() forms with this.
bool identical(const Unit& a, const Unit& b);

}  // namespace reckon::model
