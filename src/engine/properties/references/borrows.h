// Borrowed references: whose they are, and what code that runs behind our back does to them.
#pragma once

#include <string_view>

#include "engine/core/module.h"

namespace reckon::engine {

class Borrows : public Module {
 public:
  using Module::Module;

  bool shared_container(const State& s, TermId container) const;
  void code_ran(State& s, std::uint32_t instr);
  const specs::DomainSpec::UnstableField* unstable_read(TermId v) const;
  const specs::CountedType* header_read(TermId v, std::string_view* field) const;
  void rewritten(State& s, TermId base, std::int64_t offset, TermId value);
};

}  // namespace reckon::engine
