// What is learnt of the program before the first function is looked at. Each learner fills the tables of the context
// that its comment names, from the program, the specs and what learners above it have found; each stands in the file of
// its name. make_context() calls them in this order.
#pragma once

#include <string>
#include <vector>

#include "analysis/context.h"

namespace reckon::analysis {

// count_names.cpp: count_names, count_domains.
void learn_count_names(Context& ctx);

// domains.cpp: spec_of, unit_domain, unit_concerned. `forced`: domains that are on for every unit.
void learn_domains(Context& ctx, const std::vector<std::string>& forced);

// counted_types.cpp: counted_domain.
void learn_counted_types(Context& ctx);

// source_specs.cpp: from_source, source_errors; changes spec_of, and where attributes are all that is known,
// unit_domain, unit_concerned, count_names and count_domains.
void learn_source_specs(Context& ctx);

// source_specs.cpp, too: what the attribute `cleanup` says, where types are known.
void learn_cleanups(Context& ctx);

// promises.cpp: promises.
void learn_promises(Context& ctx);

// contracts.cpp: contracts, of_both_types.
void learn_contracts(Context& ctx);

// implementers.cpp: unit_implements.
void learn_implementers(Context& ctx);

// ends_objects.cpp: ends_objects.
void learn_ends_of_objects(Context& ctx);

// entry_params.cpp: null_params, private_params.
void learn_entry_params(Context& ctx);

// given_arguments.cpp: given_arguments; changes null_params of static functions.
void learn_given_arguments(Context& ctx);

// released.cpp: type_records, released_members, released_fields.
void learn_released(Context& ctx);

// callers.cpp: borrowed_params; changes contracts of functions that stand in no table.
void learn_from_callers(Context& ctx);

// phases.cpp: phases.
void learn_phases(Context& ctx);

// interned.cpp: interned.
void learn_interned(Context& ctx);

// lasting_fields.cpp: lasting_fields.
void learn_lasting_fields(Context& ctx);

// hold_flags.cpp: hold_flags.
void learn_hold_flags(Context& ctx);

// versions.cpp: unit_version.
void learn_versions(Context& ctx);

// concern.cpp: changes unit_concerned and unit_domain of units that use those of a domain.
void spread_concern(Context& ctx);

// classes.cpp: classes, without_counts.
void learn_classes(Context& ctx);

}  // namespace reckon::analysis
