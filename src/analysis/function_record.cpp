#include "analysis/function_record.h"

#include "report/finding_bytes.h"

namespace reckon::analysis {

namespace {

template <typename A, typename Place>
void code_globals(A& a, FunctionRecord& r, std::uint32_t base, const GlobalNames& names, Place place) {
  a.list(r.globals, [&](checks::GlobalShare& share) {
    std::string name = share.name;
    if constexpr (!A::reading) names(name);
    a.text(name);
    if constexpr (A::reading) {
      if (!names(name)) a.fail();
      share.name = name;
    }
    a.number(share.offset);
    a.list(share.unsafe, [&](checks::GlobalStore& store) {
      place(a, store.loc, base);
      a.number(store.argument);
      a.number(store.if_entered);
    });
    a.number(share.sets);
    a.number(share.reads);
    a.number(share.kept);
    a.number(share.lasting);
  });
}

template <typename A, typename Findings>
void code(A& a, FunctionRecord& r, std::uint32_t base, Findings findings) {
  a.number(r.cut_short);
  a.text(r.reason);
  a.number(r.steps);
  a.list(r.owned, [&](OwnedMember& m) {
    a.text(m.record);
    a.text(m.path);
    a.number(m.any_type);
  });
  findings(a, r.findings, base);
}

}  // namespace

void write_record(support::Writer& out, FunctionRecord& record, std::uint32_t base, const GlobalNames& names) {
  write_summary(out, record.summary, names);
  code_globals(out, record, base, names, report::write_place);
  code(out, record, base, report::write_findings);
}

void read_record(support::Reader& in, FunctionRecord& record, std::uint32_t base, const GlobalNames& names) {
  read_summary(in, record.summary, names);
  code_globals(in, record, base, names, report::read_place);
  code(in, record, base, report::read_findings);
}

}  // namespace reckon::analysis
