#include "engine/summaries/summary_bytes.h"

namespace reckon::engine {

namespace {

using namespace specs;

template <typename A>
class Coder {
 public:
  Coder(A& a, const GlobalNames& names) : a_(a), names_(names) {}

  void outcome(Outcome& o) {
    a_.list(o.when, [&](Condition& c) { condition(c); });
    value(o.result);
    a_.list(o.objects, [&](Object& x) { object(x); });
    a_.list(o.counts, [&](CountChange& c) {
      place(c.object);
      a_.text(c.kind);
      a_.number(c.delta);
    });
    holds(o.holds);
    a_.list(o.stores, [&](StoreEffect& s) {
      place(s.where);
      value(s.value);
    });
    places(o.clobbers);
    places(o.consumes);
    places(o.frees);
    a_.list(o.runs, [&](LaterCall& l) {
      place(l.function);
      place(l.data);
    });
    places(o.escapes);
    places(o.releases_holds);
    a_.number(o.exception);
    a_.number(o.pending);
    a_.number(o.lock);
    a_.text(o.needs_lock);
    a_.number(o.never_returns);
    a_.number(o.failure);
    a_.number(o.misuse_only);
    a_.number(o.out_of_memory_only);
    a_.number(o.allocates);
    a_.number(o.protects);
    a_.number(o.depth_unknown);
    places(o.protected_objects);
    maybe_place(o.unprotects);
    places(o.unprotected);
    a_.list(o.reprotects, [&](Reprotect& r) {
      place(r.object);
      place(r.slot);
    });
    holds(o.drops);
    places(o.exposes);
    places(o.endangers);
  }

 private:
  void place(Place& p) {
    a_.number(p.root);
    a_.number(p.index);
    if (A::reading) a_.text(p.global);
    if (!p.global.empty() && !names_(p.global)) fail();
    if (!A::reading) a_.text(p.global);
    a_.list(p.path, [&](std::int64_t& step) { a_.number(step); });
    a_.list(p.field_path, [&](std::string& s) { a_.text(s); });
    a_.number(p.address);
  }
  void places(std::vector<Place>& v) {
    a_.list(v, [&](Place& p) { place(p); });
  }
  void maybe_place(std::optional<Place>& p) {
    a_.maybe(p, [&](Place& x) { place(x); });
  }
  void value(Value& v) {
    a_.number(v.kind);
    a_.number(v.imm);
    a_.number(v.hi);
    place(v.place);
    a_.number(v.object);
  }
  void object(Object& x) {
    a_.number(x.owned);
    a_.number(x.maybe_null);
    a_.number(x.immortal);
    a_.number(x.supposed);
    maybe_place(x.borrowed_from);
    a_.text(x.what);
  }
  void condition(Condition& c) {
    place(c.place);
    a_.number(c.mask);
    a_.number(c.pred);
    a_.number(c.imm);
    maybe_place(c.other);
    a_.number(c.known);
  }
  void holds(std::vector<Hold>& v) {
    a_.list(v, [&](Hold& h) {
      place(h.object);
      maybe_place(h.holder);
      a_.number(h.steals);
    });
  }
  void fail() {
    if constexpr (A::reading) a_.fail();
  }

  A& a_;
  const GlobalNames& names_;
};

template <typename A>
void code(A& a, Summary& s, const GlobalNames& names) {
  a.number(s.ready);
  a.number(s.may_throw);
  a.number(s.runs_code);
  a.number(s.complete);
  a.number(s.dereferences);
  a.number(s.uses_ended);
  a.number(s.ready_result.param);
  a.number(s.ready_result.lo);
  a.number(s.ready_result.hi);
  Coder coder(a, names);
  a.list(s.outcomes, [&](Outcome& o) { coder.outcome(o); });
  a.list(s.thrown, [&](Outcome& o) { coder.outcome(o); });
  a.list(s.disputed, [&](std::string& kind) { a.text(kind); });
  a.list(s.count_ends, [&](CountEnd& e) {
    coder.outcome(e.what);
    a.number(e.after_failure);
  });
  a.list(s.unsettled, [&](std::string& kind) { a.text(kind); });
}

}  // namespace

void write_summary(support::Writer& out, Summary summary, const GlobalNames& names) { code(out, summary, names); }
void read_summary(support::Reader& in, Summary& summary, const GlobalNames& names) { code(in, summary, names); }

}  // namespace reckon::engine
