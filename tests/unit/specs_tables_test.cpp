// Lines about tables of functions, type objects and lengths in formats.
#include <gtest/gtest.h>

#include "specs/spec_set.h"

namespace reckon::specs {
namespace {

SpecFile parse(std::string_view text) {
  std::vector<SpecError> errors;
  SpecFile file = parse_spec("t.spec", text, errors);
  for (const SpecError& e : errors) ADD_FAILURE() << e.loc.line << ": " << e.message;
  return file;
}

TEST(SpecsTables, EndAndEntries) {
  SpecSet set;
  set.add(parse(
      "domain d\ntable T ends-at name\ntable T.run(object, objects, number?, pointer?) when flags & 0x8f == 0x82\n"
      "table T.get(object)\n"));
  ASSERT_NE(set.find_table("T"), nullptr);
  EXPECT_EQ(set.find_table("T")->end_field, "name");
  EXPECT_EQ(set.find_table("T")->domain, "d");
  EXPECT_EQ(set.find_table("U"), nullptr);
  ASSERT_EQ(set.entries().size(), 2u);
  const EntrySpec& run = set.entries()[0];
  EXPECT_EQ(run.record, "T");
  EXPECT_EQ(run.field, "run");
  EXPECT_EQ(run.flags_field, "flags");
  EXPECT_EQ(run.mask, 0x8fu);
  EXPECT_EQ(run.value, 0x82u);
  EXPECT_EQ(run.params, (std::vector<EntryParam>{{EntryParamKind::Object, false},
                                                 {EntryParamKind::Objects, false},
                                                 {EntryParamKind::Number, true},
                                                 {EntryParamKind::Pointer, true}}));
  EXPECT_TRUE(set.entries()[1].flags_field.empty());
}

TEST(SpecsTables, LaterTypeObjectsWin) {
  SpecSet set;
  set.add(parse("type-object A_Type A\ntype-object B_Type B\n"));
  set.add(parse("type-object A_Type A2\n"));
  ASSERT_NE(set.find_type_object("A_Type"), nullptr);
  EXPECT_EQ(set.find_type_object("A_Type")->record, "A2");
  EXPECT_EQ(set.type_objects().size(), 2u);
  EXPECT_EQ(set.find_type_object("C_Type"), nullptr);
}

TEST(SpecsTables, Routines) {
  SpecSet set;
  set.add(
      parse("domain d\nroutines reg.calls .Call name fun n each object returns object\n"
            "routines reg.more .External name fun n list pointer returns nothing\n"));
  ASSERT_EQ(set.routines().size(), 2u);
  const RoutineSpec& calls = set.routines()[0];
  EXPECT_EQ(calls.domain, "d");
  EXPECT_EQ(calls.registrar, "reg");
  EXPECT_EQ(calls.param, "calls");
  EXPECT_EQ(calls.interface, ".Call");
  EXPECT_EQ(calls.count_field, "n");
  EXPECT_TRUE(calls.each && calls.returns_object);
  EXPECT_EQ(calls.kind, EntryParamKind::Object);
  const RoutineSpec& more = set.routines()[1];
  EXPECT_FALSE(more.each || more.returns_object);
  EXPECT_EQ(more.kind, EntryParamKind::Pointer);
}

TEST(SpecsTables, FormatsOfADomain) {
  SpecSet set;
  set.add(parse("domain d\ncheck leaks formats\nlong-lengths *_SizeT some.h\ndomain e\n"));
  set.add(parse("domain d\nlong-lengths some.h other\n"));
  const DomainSpec* d = set.find_domain("d");
  ASSERT_NE(d, nullptr);
  EXPECT_TRUE(d->reports_formats);
  EXPECT_EQ(d->long_lengths, (std::vector<std::string>{"*_SizeT", "some.h", "other"}));
  EXPECT_FALSE(set.find_domain("e")->reports_formats);
}

}  // namespace
}  // namespace reckon::specs
