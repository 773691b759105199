#include "report/finding_bytes.h"

namespace reckon::report {

namespace {

template <typename A>
class Coder {
 public:
  Coder(A& a, std::uint32_t base) : a_(a), base_(base) {}

  void finding(Finding& f) {
    a_.text(f.check);
    a_.text(f.message);
    a_.number(f.severity);
    a_.number(f.confidence);
    a_.number(f.trigger);  // not `place`: who calls the function may change while it does not
    a_.text(f.function);
    a_.text(f.object);
    loc(f.loc);
    loc(f.origin);
    a_.text(f.origin_api);
    a_.number(f.origin_index);
    path(f.path);
    path(f.other_path);
    a_.list(f.further_places, [&](SourceLoc& l) { loc(l); });
    a_.number(f.depth_left);
  }
  void loc(SourceLoc& l) {
    a_.text(l.file);
    line(l.line);
    a_.number(l.col);
    a_.text(l.macro);
  }

 private:
  // Line 0 is "no line" and stays.
  void line(std::uint32_t& l) {
    std::int64_t moved = l == 0 ? 0 : static_cast<std::int64_t>(l) - base_ + 1;
    if (!A::reading && l != 0 && moved <= 0) --moved;
    a_.number(moved);
    if constexpr (A::reading) {
      if (moved < 0)
        ++moved;
      else if (moved == 0) {
        l = 0;
        return;
      }
      l = static_cast<std::uint32_t>(moved - 1 + base_);
    }
  }
  void object(ObjectState& o) {
    a_.number(o.id);
    a_.text(o.name);
    a_.text(o.kind);
    a_.text(o.count);
    a_.number(o.owned);
    a_.number(o.released);
    a_.number(o.escaped);
    a_.text(o.lender);
    a_.list(o.holders, [&](std::string& s) { a_.text(s); });
    line(o.line);
    a_.number(o.focus);
  }
  void path(std::vector<Step>& steps) {
    a_.list(steps, [&](Step& s) {
      loc(s.loc);
      a_.text(s.text);
      a_.text(s.state);
      a_.number(s.depth);
      a_.number(s.essential);
      a_.list(s.change.objects, [&](ObjectState& o) { object(o); });
      a_.text(s.change.exception);
      a_.text(s.change.lock);
      a_.text(s.change.depth);
      a_.list(s.change.stack, [&](std::string& n) { a_.text(n); });
      a_.list(s.change.bare, [&](std::string& n) { a_.text(n); });
      a_.text(s.callee);
      a_.number(s.outcome);
    });
  }

  A& a_;
  std::uint32_t base_;
};

}  // namespace

void write_findings(support::Writer& out, std::vector<Finding>& findings, std::uint32_t base) {
  Coder coder(out, base);
  out.list(findings, [&](Finding& f) { coder.finding(f); });
}

void read_findings(support::Reader& in, std::vector<Finding>& findings, std::uint32_t base) {
  Coder coder(in, base);
  in.list(findings, [&](Finding& f) { coder.finding(f); });
}

void write_place(support::Writer& out, SourceLoc& place, std::uint32_t base) { Coder(out, base).loc(place); }
void read_place(support::Reader& in, SourceLoc& place, std::uint32_t base) { Coder(in, base).loc(place); }

}  // namespace reckon::report
