// global: a C global that keeps an object from one call of native code to the next, while nothing protects it.
//
// The problem: a collector of garbage knows its own roots, not the globals of C code. An object that is made (or
// received as an argument) in one call of native code and found again through a global in another may be gone by then,
// unless somebody preserved it. The method: stores of fresh objects and of arguments to globals and their fields are
// collected, and what is ever passed to a function that keeps its argument, function by function (globals.h); a global
// that is never kept is reported if an entry point reads it, directly or in what it calls, without setting it first. A
// store behind a test of the same global ("if it is not there yet") does not count as setting it.
//
// A function that keeps aside what the global held, and pushes what it puts there, has set it for as long as it runs.
// What is used as an environment somewhere, and came as an argument, mostly is a package's own: told with low
// confidence.
//
// Limits: only globals, fields of global structs and arrays (whose elements are one place), no pointers to such.
// Results of functions that run code, directly or in what they call, are left out unless they are certain to be new:
// what they find mostly has another owner. A global used only while
// the call that set it runs, by a callback, is not reported. Whether it is released again is not looked at.

#include <map>
#include <set>

#include <fmt/core.h>

#include "checks/globals.h"
#include "checks/kinds.h"
#include "checks/static_checks.h"

namespace reckon::checks {

namespace {

using program::FuncId;

using Place = std::pair<std::string, std::int64_t>;  // a global's name (with its unit if private) and an offset

struct StoreSite {
  FuncId function;
  const GlobalStore* store;
};

struct GlobalUse {
  std::string name;  // for people
  std::vector<StoreSite> unsafe;
  std::set<FuncId> sets, reads;  // functions
  bool kept = false, lasting = false;
};

class GlobalChecker {
 public:
  explicit GlobalChecker(const engine::Context& ctx) : ctx_(ctx) {}

  void run(const std::vector<GlobalUser>& users, std::vector<report::Finding>& out) {
    for (program::UnitId u{}; u < ctx_.program.num_units(); ++u, ctx_.program.rest()) {
      const model::Unit& unit = ctx_.program.frame_at(u);
      for (const model::Symbol& s : unit.symbols)
        if (s.kind == model::SymbolKind::Function && s.address_taken) callbacks_.emplace(unit.str(s.name));
    }
    for (const GlobalUser& user : users) add_share(user.function, user.share);
    for (const auto& [place, g] : places_)
      if (!g.kept && !g.unsafe.empty() && !known_root(g.name)) judge(g, out);
  }

 private:
  // A variable that the collector looks at itself.
  bool known_root(const std::string& name) const {
    const specs::GlobalSpec* spec = ctx_.specs.find_global(name);
    return spec && spec->immortal && spec->points_to;
  }

  void add_share(FuncId f, const GlobalShare& share) {
    GlobalUse& use = places_[{share.name, share.offset}];
    use.name = share.name.substr(0, share.name.find('@'));
    if (share.sets) use.sets.insert(f);
    if (share.reads) use.reads.insert(f);
    use.kept = use.kept || share.kept;
    use.lasting = use.lasting || share.lasting;
    for (const GlobalStore& store : share.unsafe)
      if (!store.if_entered || is_entry(f)) use.unsafe.push_back({f, &store});
  }

  bool is_entry(FuncId f) const {
    for (const program::TableEntry& role : ctx_.program.roles(f))
      for (const specs::RoutineSpec& r : ctx_.specs.routines())
        if (role.field == r.function_field) return true;
    const model::Unit& unit = ctx_.program.frame(f);
    const model::Symbol& symbol = unit.symbols[ctx_.program.head(f).symbol];
    return symbol.linkage == model::Linkage::External && ctx_.program.callers(f).empty() &&
           !callbacks_.contains(unit.str(symbol.name));
  }

  // Does some entry point read it without anything on the way that sets it?
  void judge(const GlobalUse& g, std::vector<report::Finding>& out) const {
    for (FuncId e{}; e < ctx_.program.num_functions(); ++e) {
      if (!concerns_globals(ctx_, e) || !is_entry(e)) continue;
      std::set<FuncId> seen{e};
      std::vector<FuncId> todo{e};
      bool reads = false, sets = false;
      while (!todo.empty() && !sets) {
        const FuncId f = todo.back();
        todo.pop_back();
        reads = reads || g.reads.contains(f);
        sets = g.sets.contains(f);
        for (const FuncId next : ctx_.program.callees(f))
          if (seen.insert(next).second) todo.push_back(next);
      }
      if (reads && !sets) return add(g, e, out);
    }
  }

  void add(const GlobalUse& g, FuncId reader, std::vector<report::Finding>& out) const {
    const StoreSite& site = g.unsafe.front();
    report::Finding f;
    f.check = id_in(ctx_.specs.domains()[ctx_.unit_domain[ctx_.program.unit_id(site.function)]].name, check_global);
    f.message = fmt::format("`{}` keeps an object that nothing protects, and {}() finds it there later", g.name,
                            ctx_.program.display(reader));
    f.severity = report::Severity::High;
    f.confidence = site.store->argument && g.lasting ? report::Confidence::Low : report::Confidence::Medium;
    f.function = ctx_.program.display(site.function);
    f.object = g.name;
    f.loc = site.store->loc;
    for (std::size_t i = 1; i < g.unsafe.size(); ++i) f.further_places.push_back(g.unsafe[i].store->loc);
    out.push_back(std::move(f));
  }

  const engine::Context& ctx_;
  std::map<Place, GlobalUse> places_;
  std::set<std::string, std::less<>> callbacks_;  // functions whose address is taken: somebody calls them back
};

void run(const WholeProgram& program, std::vector<report::Finding>& out) {
  GlobalChecker(program.ctx).run(program.globals, out);
}

}  // namespace

constinit const Check check_global{
    .kind = "global",
    .summary = "a global keeps an object that nothing protects",
    .program = run,
    .harm = report::Harm::Collected,
};

}  // namespace reckon::checks
