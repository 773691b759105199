// What each construct of the spec language means as outcomes.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "specs/parser.h"

namespace reckon::specs {
namespace {

SpecFile parse_ok(std::string_view text) {
  std::vector<SpecError> errors;
  SpecFile file = parse_spec("t.spec", text, errors);
  for (const SpecError& error : errors) ADD_FAILURE() << error.loc.line << ":" << error.loc.col << " " << error.message;
  return file;
}

FunctionSpec fn(std::string_view line) {
  SpecFile file = parse_ok(line);
  EXPECT_EQ(file.functions.size(), 1u) << line;
  return file.functions.empty() ? FunctionSpec{} : file.functions[0];
}

Outcome only_outcome(std::string_view line) {
  FunctionSpec spec = fn(line);
  EXPECT_EQ(spec.outcomes.size(), 1u) << line;
  return spec.outcomes.empty() ? Outcome{} : spec.outcomes[0];
}

Place arg(std::uint32_t index) { return Place{.index = index}; }
Place result() { return Place{.root = Place::Root::Result}; }

Condition condition(Place place, Pred pred, std::int64_t imm) {
  Condition made;
  made.place = std::move(place);
  made.pred = pred;
  made.imm = imm;
  return made;
}

TEST(SpecsParser, NameForANumberOfParameters) {
  SpecFile file = parse_ok("fn f(o) -> void o-1\nfn f/3(file, line, o) -> void o-1\nalias g/3 f/3\n");
  ASSERT_EQ(file.functions.size(), 2u);
  EXPECT_EQ(file.functions[1].name, "f/3");
  EXPECT_EQ(file.functions[1].outcomes.at(0).counts, (std::vector<CountChange>{{arg(2), "", -1}}));
  EXPECT_EQ(file.aliases.at(0).target, "f/3");
}

TEST(SpecsParser, NewOrNull) {
  FunctionSpec spec = fn("fn PyList_New(n) -> new | NULL raises");
  EXPECT_EQ(spec.name, "PyList_New");
  ASSERT_EQ(spec.params.size(), 1u);
  EXPECT_EQ(spec.params[0].name, "n");
  ASSERT_EQ(spec.outcomes.size(), 2u);

  const Outcome& made = spec.outcomes[0];
  ASSERT_EQ(made.objects.size(), 1u);
  EXPECT_TRUE(made.objects[0].owned);
  EXPECT_FALSE(made.objects[0].maybe_null);
  EXPECT_EQ(made.result.kind, Value::Kind::Object);
  EXPECT_EQ(made.result.object, 0u);
  EXPECT_EQ(made.when, std::vector{condition(result(), Pred::Ne, 0)});
  EXPECT_FALSE(made.failure);

  const Outcome& failed = spec.outcomes[1];
  EXPECT_EQ(failed.result.kind, Value::Kind::Int);
  EXPECT_EQ(failed.result.imm, 0);
  EXPECT_EQ(failed.when, std::vector{condition(result(), Pred::Eq, 0)});
  EXPECT_EQ(failed.exception, Exception::Set);
  EXPECT_TRUE(failed.failure);
}

TEST(SpecsParser, StealsOnSuccessIntoHolder) {
  FunctionSpec spec = fn("fn f(list!, i, item?) -> 0 steals item into list | -1 raises steals item");
  EXPECT_TRUE(spec.params[0].null_crashes);
  EXPECT_FALSE(spec.params[1].null_ok);
  EXPECT_TRUE(spec.params[2].null_ok);
  ASSERT_EQ(spec.outcomes.size(), 2u);
  EXPECT_EQ(spec.outcomes[0].when, std::vector{condition(result(), Pred::Eq, 0)});
  EXPECT_EQ(spec.outcomes[0].holds, (std::vector<Hold>{{arg(2), arg(0), true}}));
  EXPECT_EQ(spec.outcomes[1].result.imm, -1);
  EXPECT_EQ(spec.outcomes[1].holds, (std::vector<Hold>{{arg(2), std::nullopt, true}}));
  EXPECT_EQ(spec.outcomes[1].exception, Exception::Set);
}

TEST(SpecsParser, KeepsAndDrops) {
  Outcome outcome = only_outcome("fn f(p, q) -> void keeps p in q keeps q drops-content p keeps result clobbers q->f");
  EXPECT_EQ(outcome.holds, (std::vector<Hold>{{arg(0), arg(1), false}}));
  EXPECT_EQ(outcome.escapes, (std::vector<Place>{arg(1), result()}));
  EXPECT_EQ(outcome.releases_holds, (std::vector<Hold>{{arg(0), arg(1), false}}));
  ASSERT_EQ(outcome.clobbers.size(), 1u);
  EXPECT_EQ(outcome.clobbers[0].field_path, std::vector<std::string>{"f"});
}

TEST(SpecsParser, BorrowedFromParameterOrNobody) {
  Outcome from = only_outcome("fn f(list) -> borrowed list may-raise");
  ASSERT_EQ(from.objects.size(), 1u);
  EXPECT_FALSE(from.objects[0].owned);
  EXPECT_EQ(from.objects[0].borrowed_from, arg(0));
  EXPECT_EQ(from.when, std::vector{condition(result(), Pred::Ne, 0)});
  EXPECT_EQ(from.exception, Exception::MaybeSet);

  Outcome nobody = only_outcome("fn f(list) -> borrowed list+1");
  EXPECT_EQ(nobody.objects[0].borrowed_from, std::nullopt);
  EXPECT_EQ(nobody.counts, (std::vector<CountChange>{{arg(0), "", 1}}));

  Outcome twice = only_outcome("fn f(list) -> borrowed list list-2");
  EXPECT_EQ(twice.objects[0].borrowed_from, arg(0));
  EXPECT_EQ(twice.counts, (std::vector<CountChange>{{arg(0), "", -2}}));

  EXPECT_EQ(only_outcome("fn f() -> borrowed raises").objects[0].borrowed_from, std::nullopt);
  EXPECT_TRUE(only_outcome("fn f(d) -> borrowed? d").objects[0].maybe_null);
}

TEST(SpecsParser, MaybeNullAndImmortal) {
  Outcome maybe = only_outcome("fn f() -> new?");
  EXPECT_TRUE(maybe.objects[0].maybe_null);
  EXPECT_TRUE(maybe.when.empty());
  Outcome immortal = only_outcome("fn f() -> immortal");
  EXPECT_TRUE(immortal.objects[0].immortal);
  EXPECT_FALSE(immortal.objects[0].owned);
}

TEST(SpecsParser, SameAndInterior) {
  Outcome same = only_outcome("fn f(a, b) -> same b b+1");
  EXPECT_EQ(same.result.kind, Value::Kind::Place);
  EXPECT_EQ(same.result.place, arg(1));
  EXPECT_TRUE(same.when.empty());
  EXPECT_EQ(same.counts, (std::vector<CountChange>{{arg(1), "", 1}}));
  Outcome interior = only_outcome("fn f(a, b) -> interior a");
  EXPECT_EQ(interior.result.kind, Value::Kind::Interior);
  EXPECT_EQ(interior.result.place, arg(0));
  EXPECT_EQ(interior.when, std::vector{condition(result(), Pred::Ne, 0)});
}

struct IntegerResult {
  const char* text;
  Value::Kind kind;
  std::int64_t low, high;
  std::vector<std::pair<Pred, std::int64_t>> when;
};

TEST(SpecsParser, IntegerResults) {
  constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
  const IntegerResult cases[] = {
      {"7", Value::Kind::Int, 7, 0, {{Pred::Eq, 7}}},
      {"-12", Value::Kind::Int, -12, 0, {{Pred::Eq, -12}}},
      {"0x1f", Value::Kind::Int, 31, 0, {{Pred::Eq, 31}}},
      {"0..1", Value::Kind::Range, 0, 1, {{Pred::Ge, 0}, {Pred::Le, 1}}},
      {"-4095..-1", Value::Kind::Range, -4095, -1, {{Pred::Ge, -4095}, {Pred::Le, -1}}},
      {"<0", Value::Kind::Range, lowest, -1, {{Pred::Lt, 0}}},
      {"<=0", Value::Kind::Range, lowest, 0, {{Pred::Le, 0}}},
      {">0", Value::Kind::Range, 1, highest, {{Pred::Gt, 0}}},
      {">=0", Value::Kind::Range, 0, highest, {{Pred::Ge, 0}}},
      {"!=0", Value::Kind::Unknown, 0, 0, {{Pred::Ne, 0}}},
      {"nonnull", Value::Kind::Unknown, 0, 0, {{Pred::Ne, 0}}},
      {"NULL", Value::Kind::Int, 0, 0, {{Pred::Eq, 0}}},
      {"any", Value::Kind::Unknown, 0, 0, {}},
      {"errptr", Value::Kind::ErrPtr, 0, 0, {}},
  };
  for (const IntegerResult& expected : cases) {
    SCOPED_TRACE(expected.text);
    Outcome outcome = only_outcome(std::string("fn f() -> ") + expected.text);
    EXPECT_EQ(outcome.result.kind, expected.kind);
    EXPECT_EQ(outcome.result.imm, expected.low);
    EXPECT_EQ(outcome.result.hi, expected.high);
    std::vector<Condition> when;
    for (auto [pred, imm] : expected.when) when.push_back(condition(result(), pred, imm));
    EXPECT_EQ(outcome.when, when);
  }
}

TEST(SpecsParser, CountsOfNamedKindsAndFields) {
  Outcome outcome =
      only_outcome("fn f(dev, out) -> any dev.pm+1 dev->parent.pm-1 dev->of_node+1 &dev->kobj.ref-2 *out-1");
  Place parent = arg(0);
  parent.field_path = {"parent"};
  Place node = arg(0);
  node.field_path = {"of_node"};
  Place embedded = arg(0);
  embedded.field_path = {"kobj"};
  embedded.address = true;
  Place pointee = arg(1);
  pointee.path = {0};
  EXPECT_EQ(outcome.counts,
            (std::vector<CountChange>{
                {arg(0), "pm", 1}, {parent, "pm", -1}, {node, "", 1}, {embedded, "ref", -2}, {pointee, "", -1}}));
}

TEST(SpecsParser, MembersOfEmbeddedStructsAndOffsets) {
  Outcome outcome = only_outcome("fn f(p) -> any p->a.b.pm+1 p->a.b=NULL p->next->prev=any p->f->16-1 *p->f=3 p->-8=0");
  ASSERT_EQ(outcome.counts.size(), 2u);
  EXPECT_EQ(outcome.counts[0].object.field_path, std::vector<std::string>{"a.b"});
  EXPECT_EQ(outcome.counts[0].kind, "pm");
  EXPECT_EQ(outcome.counts[1].object.field_path, std::vector<std::string>{"f"});
  EXPECT_EQ(outcome.counts[1].object.path, std::vector<std::int64_t>{16});
  ASSERT_EQ(outcome.stores.size(), 4u);
  EXPECT_EQ(outcome.stores[0].where.field_path, std::vector<std::string>{"a.b"});
  EXPECT_EQ(outcome.stores[1].where.field_path, (std::vector<std::string>{"next", "prev"}));
  EXPECT_EQ(outcome.stores[2].where.field_path, std::vector<std::string>{"f"});
  EXPECT_EQ(outcome.stores[2].where.path, std::vector<std::int64_t>{0});
  EXPECT_EQ(outcome.stores[3].where.path, std::vector<std::int64_t>{-8});
}

TEST(SpecsParser, OutParameters) {
  FunctionSpec spec = fn("fn f(d!, key!, out!) -> 1 *out=new | 0 *out=NULL | -1 raises *out=borrowed d");
  ASSERT_EQ(spec.outcomes.size(), 3u);
  Place where = arg(2);
  where.path = {0};
  const Outcome& found = spec.outcomes[0];
  ASSERT_EQ(found.stores.size(), 1u);
  EXPECT_EQ(found.stores[0].where, where);
  EXPECT_EQ(found.stores[0].value.kind, Value::Kind::Object);
  ASSERT_EQ(found.objects.size(), 1u);
  EXPECT_TRUE(found.objects[0].owned);
  EXPECT_EQ(found.when.size(), 1u) << "a stored object puts no condition on the result";
  EXPECT_EQ(spec.outcomes[1].stores[0].value.kind, Value::Kind::Int);
  EXPECT_EQ(spec.outcomes[2].objects[0].borrowed_from, arg(0));
}

TEST(SpecsParser, SeveralObjects) {
  Outcome outcome = only_outcome("fn f(a!, b!) -> new *a=new? *b=same a makes new keeps $2 in a $1+1");
  ASSERT_EQ(outcome.objects.size(), 3u);
  EXPECT_EQ(outcome.stores[0].value.object, 1u);
  EXPECT_TRUE(outcome.objects[1].maybe_null);
  EXPECT_EQ(outcome.stores[1].value.kind, Value::Kind::Place);
  EXPECT_EQ(outcome.holds[0].object.root, Place::Root::Object);
  EXPECT_EQ(outcome.holds[0].object.index, 2u);
  EXPECT_EQ(outcome.counts[0].object.index, 1u);
}

TEST(SpecsParser, Conditions) {
  Outcome outcome = only_outcome(
      "fn f(p, q, n) -> void when p != NULL and n < 5 q-1 when p == q and n & 4 and !(n & 8) and n & 0xff == 7 "
      "and p != errptr and p->flags >= -2");
  ASSERT_EQ(outcome.when.size(), 8u);
  EXPECT_EQ(outcome.when[0], condition(arg(0), Pred::Ne, 0));
  EXPECT_EQ(outcome.when[1], condition(arg(2), Pred::Lt, 5));
  EXPECT_EQ(outcome.when[2].other, arg(1));
  EXPECT_EQ(outcome.when[2].pred, Pred::Eq);
  EXPECT_EQ(outcome.when[3].mask, 4u);
  EXPECT_EQ(outcome.when[3].pred, Pred::Ne);
  EXPECT_EQ(outcome.when[3].imm, 0);
  EXPECT_EQ(outcome.when[4].mask, 8u);
  EXPECT_EQ(outcome.when[4].pred, Pred::Eq);
  EXPECT_EQ(outcome.when[5].mask, 0xffu);
  EXPECT_EQ(outcome.when[5].imm, 7);
  EXPECT_EQ(outcome.when[6].mask, err_ptr_mask);
  EXPECT_EQ(outcome.when[6].imm, err_ptr_value);
  EXPECT_EQ(outcome.when[7].place.field_path, std::vector<std::string>{"flags"});
  EXPECT_EQ(outcome.counts.size(), 1u);
}

TEST(SpecsParser, Flags) {
  FunctionSpec spec = fn("fn f(x) runs-code allocates needs-gil drops-gil tests-exception since 3.9 until 3.12");
  EXPECT_TRUE(spec.runs_code && spec.allocates && spec.needs_gil && spec.drops_gil && spec.tests_exception);
  FunctionSpec other = fn("fn f(x) takes-gil pure");
  EXPECT_TRUE(other.takes_gil && other.pure && !other.drops_gil);
  EXPECT_EQ(spec.since, "3.9");
  EXPECT_EQ(spec.until, "3.12");
  EXPECT_TRUE(spec.outcomes.empty());
}

TEST(SpecsParser, Never) {
  for (const char* line : {"fn f(msg) never", "fn f(msg) -> never"}) {
    Outcome outcome = only_outcome(line);
    EXPECT_TRUE(outcome.never_returns) << line;
  }
  FunctionSpec mixed = fn("fn f(x) -> void when x != 0 | never when x == 0");
  EXPECT_FALSE(mixed.outcomes[0].never_returns);
  EXPECT_TRUE(mixed.outcomes[1].never_returns);
  EXPECT_TRUE(mixed.returns_void);
}

TEST(SpecsParser, FailureAndMemory) {
  Outcome outcome = only_outcome("fn f(x) -> <0 fails if-oom clears");
  EXPECT_TRUE(outcome.failure);
  EXPECT_TRUE(outcome.out_of_memory_only);
  EXPECT_EQ(outcome.exception, Exception::Cleared);
}

TEST(SpecsParser, ProtectionStack) {
  Outcome push = only_outcome("fn f(x^) -> same x protect x");
  EXPECT_EQ(push.protects, 1);
  EXPECT_EQ(push.protected_objects, std::vector<Place>{arg(0)});
  EXPECT_EQ(only_outcome("fn f(x) -> void protect-2").protects, -2);
  Outcome pop = only_outcome("fn f(n) -> void protect-n");
  EXPECT_EQ(pop.unprotects, arg(0));
  EXPECT_EQ(pop.protects, 0);
  EXPECT_TRUE(fn("fn f(x!^)").params[0].callee_protects);
  EXPECT_TRUE(fn("fn f(x~)").params[0].read_first);
  EXPECT_TRUE(only_outcome("fn f(x) -> void protect?").depth_unknown);
  EXPECT_EQ(only_outcome("fn f(x) -> void unprotect x").unprotected, std::vector<Place>{arg(0)});
  EXPECT_EQ(only_outcome("fn f(x, i) -> void reprotect x at i").reprotects, (std::vector<Reprotect>{{arg(0), arg(1)}}));
  EXPECT_EQ(only_outcome("fn f(x, m) -> void drops x from m").drops[0].holder, arg(1));
  EXPECT_EQ(only_outcome("fn f(x) -> void drops x").drops[0].holder, std::nullopt);
  EXPECT_EQ(only_outcome("fn f(i) -> void *i=stack-top").stores[0].value.kind, Value::Kind::StackTop);
  Outcome type = only_outcome("fn f(x) -> same x->%type");
  EXPECT_EQ(property_name(type.result.place.path.at(0)), "type");
  EXPECT_EQ(property_name(-8), "");
  EXPECT_TRUE(only_outcome("fn f(x) -> any when known x == 1").when[0].known);
}

TEST(SpecsParser, Varargs) {
  EXPECT_EQ(fn("fn f(args!, format!, ...parse)").varargs, VarargKind::ParseFormat);
  EXPECT_EQ(fn("fn f(fmt, ...build)").varargs, VarargKind::BuildFormat);
  EXPECT_EQ(fn("fn f(fmt, ...print)").varargs, VarargKind::PrintFormat);
  EXPECT_EQ(fn("fn f(o, ...until-null)").varargs, VarargKind::UntilNull);
  EXPECT_EQ(fn("fn f(o, ...out)").varargs, VarargKind::OutParams);
  FunctionSpec counted = fn("fn f(x, n, ...counted(n))");
  EXPECT_EQ(counted.varargs, VarargKind::Counted);
  EXPECT_EQ(counted.count_param, 1u);
  FunctionSpec plain = fn("fn f(...)");
  EXPECT_EQ(plain.varargs, VarargKind::None);
  EXPECT_TRUE(plain.variadic);
  EXPECT_EQ(fn("fn f(args, kw, format, names, ...parse)").format_param, 2u);
  EXPECT_EQ(fn("fn f(args, fmt, ...parse)").format_param, 1u);
}

TEST(SpecsParser, ParametersWithoutNames) {
  Outcome outcome = only_outcome("fn f(_, _) -> void arg1-1");
  EXPECT_EQ(outcome.counts[0].object, arg(1));
}

TEST(SpecsParser, ParameterMayHaveTheNameOfAnEffect) {
  Outcome outcome = only_outcome("fn f(old, new, fails) -> void old-1 new+1 fails+2");
  EXPECT_EQ(outcome.counts, (std::vector<CountChange>{{arg(0), "", -1}, {arg(1), "", 1}, {arg(2), "", 2}}));
  EXPECT_FALSE(outcome.failure);
}

TEST(SpecsParser, LinesGoOn) {
  SpecFile file = parse_ok(
      "# a comment\r\n"
      "fn a(x) -> new \\\r\n"
      "| NULL  # why\n"
      "\n"
      "fn b(x)     # first\n"
      "    -> new  # second\n"
      "  # between\n"
      "\t| NULL raises\n"
      "fn c(x)");
  ASSERT_EQ(file.functions.size(), 3u);
  EXPECT_EQ(file.functions[0].outcomes.size(), 2u);
  EXPECT_EQ(file.functions[1].outcomes.size(), 2u);
  EXPECT_EQ(file.functions[1].loc.line, 5u);
  EXPECT_EQ(file.functions[1].loc.col, 4u);
  EXPECT_EQ(file.functions[2].name, "c");
}

TEST(SpecsParser, AliasesOnTheSameLine) {
  SpecFile file = parse_ok("fn A = B = C[12](x) -> new\nalias D C\n");
  ASSERT_EQ(file.functions.size(), 3u);
  EXPECT_EQ(file.functions[0].alias_of, "C[12]");
  EXPECT_EQ(file.functions[2].name, "C[12]");
  EXPECT_EQ(file.functions[2].alias_of, "");
  ASSERT_EQ(file.aliases.size(), 1u);
  EXPECT_EQ(file.aliases[0].name, "D");
  EXPECT_EQ(file.aliases[0].target, "C");
}

TEST(SpecsParser, OtherLines) {
  SpecFile file = parse_ok(
      "domain python\n"
      "header Python.h linux/pm.h\n"
      "failure exception\n"
      "unknown-result new\n"
      "blame PyExc_OSError outside\n"
      "blame -12 memory\n"
      "blame PyUnicode_Decode*(replace) memory\n"
      "check pairs\n"
      "counted _object ob_refcnt\n"
      "immortal _Py_NoneStruct since 3.12\n"
      "immortal-pointer PyExc_*\n"
      "slot _typeobject.tp_as_number.nb_add new-or-null\n"
      "slot PyType_Slot[65] void\n"
      "fn f()\n"
      "domain other\n"
      "fn g()\n");
  ASSERT_EQ(file.domains.size(), 2u);
  EXPECT_EQ(file.domains[0].headers, (std::vector<std::string>{"Python.h", "linux/pm.h"}));
  EXPECT_EQ(file.domains[0].failure_value, FailureValue::Exception);
  EXPECT_EQ(file.domains[0].unknown_result, UnknownResult::New);
  EXPECT_EQ(file.domains[0].blamed[0], (std::pair<std::string, FailureCause>("PyExc_OSError", FailureCause::Outside)));
  EXPECT_EQ(file.domains[0].blamed_numbers[0], (std::pair<std::int64_t, FailureCause>(-12, FailureCause::Memory)));
  EXPECT_EQ(file.domains[0].blamed[1],
            (std::pair<std::string, FailureCause>("PyUnicode_Decode*(replace)", FailureCause::Memory)));
  EXPECT_TRUE(file.domains[0].reports_pairs);
  EXPECT_FALSE(file.domains[0].reports_leaks);
  EXPECT_TRUE(file.domains[1].reports_leaks);
  ASSERT_EQ(file.counted.size(), 1u);
  EXPECT_EQ(file.counted[0].count_field, "ob_refcnt");
  ASSERT_EQ(file.globals.size(), 2u);
  EXPECT_EQ(file.globals[0].immortal_since, "3.12");
  EXPECT_FALSE(file.globals[0].points_to);
  EXPECT_TRUE(file.globals[1].points_to);
  ASSERT_EQ(file.slots.size(), 2u);
  EXPECT_EQ(file.slots[0].record, "_typeobject");
  EXPECT_EQ(file.slots[0].field, "tp_as_number.nb_add");
  EXPECT_EQ(file.slots[0].contract, "new-or-null");
  EXPECT_EQ(file.slots[1].field, "[65]");
  EXPECT_EQ(file.functions[0].domain, "python");
  EXPECT_EQ(file.functions[1].domain, "other");
}

TEST(SpecsParser, FlagsLineHoldsUntilTheNext) {
  SpecFile file = parse_ok("flags needs-gil runs-code\nfn a()\nfn b() no-gil\nflags\nfn c()\n");
  EXPECT_TRUE(file.functions[0].needs_gil && file.functions[0].runs_code);
  EXPECT_FALSE(file.functions[1].needs_gil);
  EXPECT_TRUE(file.functions[1].runs_code);
  EXPECT_FALSE(file.functions[2].needs_gil);
}

TEST(SpecsParser, Versions) {
  EXPECT_LT(compare_versions("3.9", "3.10"), 0);
  EXPECT_EQ(compare_versions("3.10", "3.10.0"), 0);
  EXPECT_GT(compare_versions("4", "3.99"), 0);
  EXPECT_TRUE(up_to_version("3.11.4", "3.11"));
  EXPECT_TRUE(up_to_version("3.9", "3.11"));
  EXPECT_FALSE(up_to_version("3.12", "3.11"));
  EXPECT_FALSE(up_to_version("3.11.5", "3.11.4"));
}

TEST(SpecsParser, Patterns) {
  EXPECT_TRUE(matches_pattern("pm_runtime_put*", "pm_runtime_put"));
  EXPECT_TRUE(matches_pattern("*_get", "thing_get"));
  EXPECT_TRUE(matches_pattern("a*b*c", "axxbyybzc"));
  EXPECT_FALSE(matches_pattern("a*b*c", "axxbyybz"));
  EXPECT_FALSE(matches_pattern("*_get", "thing_get2"));
  EXPECT_TRUE(matches_pattern("*", ""));
}

TEST(SpecsParser, Contract) {
  FunctionSpec spec;
  spec.name = "f";
  spec.params.resize(2);
  spec.params[0].name = "list";
  std::vector<SpecError> errors;
  EXPECT_TRUE(parse_contract(" runs-code -> 0 steals arg1 into list | -1", {}, spec, errors));
  EXPECT_TRUE(spec.runs_code);
  ASSERT_EQ(spec.outcomes.size(), 2u);
  EXPECT_EQ(spec.outcomes[0].holds[0].object, arg(1));
  EXPECT_FALSE(parse_contract("-> 0 steals nobody", {"x.c", 7, 20}, spec, errors));
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].loc.line, 7u);
  EXPECT_EQ(errors[0].loc.col, 32u);
  EXPECT_EQ(errors[0].message, "unknown parameter `nobody`");
  EXPECT_EQ(spec.outcomes.size(), 2u) << "a contract in error changes nothing";
}

}  // namespace
}  // namespace reckon::specs
