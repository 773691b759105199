// A summary as bytes, for results that are kept, and back. What an outcome holds is walked by the rows of
// specs/effects.def, so a field that has a row is written, read and hashed.
#include "engine/summaries/summary_bytes.h"

#include <type_traits>

#include "specs/effects.h"

namespace reckon::engine {

namespace {

using namespace specs;

template <typename A>
class Coder {
 public:
  Coder(A& a, const GlobalNames& names) : a_(a), names_(names) {}

  // Every field that effects.def names, in its order.
  void outcome(Outcome& o) {
    each_effect([&](auto effect) { field(o.*effect.field); });
  }

 private:
  // One overload for each type of a field, and of what those hold.
  template <class T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void field(T& number) {
    a_.number(number);
  }
  void field(std::string& text) { a_.text(text); }
  template <class T>
  void field(std::vector<T>& list) {
    a_.list(list, [&](T& x) { field(x); });
  }
  template <class T>
  void field(std::optional<T>& maybe) {
    a_.maybe(maybe, [&](T& x) { field(x); });
  }
  void field(Place& p) {
    field(p.root);
    field(p.index);
    if (A::reading) a_.text(p.global);
    if (!p.global.empty() && !names_(p.global)) fail();
    if (!A::reading) a_.text(p.global);
    field(p.path);
    field(p.field_path);
    field(p.address);
  }
  void field(Value& v) {
    field(v.kind);
    field(v.imm);
    field(v.hi);
    field(v.place);
    field(v.object);
    field(v.read_only);
  }
  void field(Object& x) {
    field(x.owned);
    field(x.maybe_null);
    field(x.immortal);
    field(x.assumed_kind);
    field(x.borrowed_from);
    field(x.key);
    field(x.unstable);
    field(x.garbage);
    field(x.what);
  }
  void field(Condition& c) {
    field(c.place);
    field(c.mask);
    field(c.pred);
    field(c.imm);
    field(c.other);
    field(c.known);
  }
  void field(CountChange& c) {
    field(c.object);
    field(c.kind);
    field(c.delta);
  }
  void field(Hold& h) {
    field(h.object);
    field(h.holder);
    field(h.steals);
  }
  void field(StoreEffect& s) {
    field(s.where);
    field(s.value);
  }
  void field(DeferredCall& l) {
    field(l.function);
    field(l.data);
  }
  void field(Reprotect& r) {
    field(r.object);
    field(r.slot);
  }
  void fail() {
    if constexpr (A::reading) a_.fail();
  }

  A& a_;
  const GlobalNames& names_;
};

template <typename A>
void code(A& a, Summary& s, const GlobalNames& names) {
  a.number(s.known);
  a.number(s.may_throw);
  a.number(s.runs_code);
  a.number(s.pure);
  a.number(s.complete);
  a.number(s.dereferences);
  a.number(s.kept_blocks);
  a.number(s.ready_result.param);
  a.number(s.ready_result.lo);
  a.number(s.ready_result.hi);
  Coder coder(a, names);
  a.list(s.late_uses, [&](LateUse& u) {
    a.number(u.given_up);
    a.number(u.used);
  });
  a.list(s.outcomes, [&](Outcome& o) { coder.outcome(o); });
  a.list(s.thrown, [&](Outcome& o) { coder.outcome(o); });
  a.list(s.disputed, [&](std::string& kind) { a.text(kind); });
  a.list(s.count_exits, [&](CountExit& e) {
    coder.outcome(e.what);
    a.list(e.unnamed, [&](CountExit::Unnamed& u) {
      a.text(u.kind);
      a.text(u.object);
      a.number(u.delta);
    });
    a.number(e.after_failure);
  });
  a.list(s.disputed_on_success, [&](std::string& kind) { a.text(kind); });
  a.list(s.open_sums, [&](std::string& kind) { a.text(kind); });
}

}  // namespace

void write_summary(support::Writer& out, Summary summary, const GlobalNames& names) { code(out, summary, names); }
void read_summary(support::Reader& in, Summary& summary, const GlobalNames& names) { code(in, summary, names); }

}  // namespace reckon::engine
