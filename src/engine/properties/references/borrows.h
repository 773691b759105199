// Borrowed references: whose they are, and what code that runs behind our back does to them.
#pragma once

#include <string_view>

#include "engine/core/property.h"

namespace reckon::engine {

class Borrows : public Property {
 public:
  using Property::Property;

  void overwriting(State& s, TermId base, std::int64_t offset, TermId value) override;
  void before_call(State& s, const Call& call) override;
  void code_ran(State& s, const Call& call) override;

  bool shared_container(const State& s, TermId container) const;
  const specs::DomainSpec::UnstableField* unstable_read(TermId v) const;
  bool runs_code_by_releasing(InstrId call) const;
  const specs::CountedType* header_read(TermId v, std::string_view* field) const;
};

}  // namespace reckon::engine
