#include "report/state.h"

#include <gtest/gtest.h>

namespace reckon::report {
namespace {

ObjectState object(std::uint32_t id, std::string name, int owned) {
  ObjectState o;
  o.id = id;
  o.name = std::move(name);
  o.owned = owned;
  return o;
}

TEST(PathState, ChangesAddUp) {
  PathState state;
  StateChange first;
  first.objects = {object(0, "list", 1)};
  first.exception = "not set";
  state.apply(first);
  StateChange second;
  second.objects = {object(1, "item", 0)};
  second.objects[0].holders = {"list"};
  state.apply(second);
  const std::vector<Fact> expected = {{FactKind::Owned, "list", "1", false},
                                      {FactKind::Owned, "item", "0", true},
                                      {FactKind::Holder, "item", "list", true},
                                      {FactKind::Exception, "", "not set", false}};
  EXPECT_EQ(state.facts(), expected);
}

TEST(PathState, LaterWins) {
  PathState state;
  StateChange c;
  c.objects = {object(0, "dev", 1)};
  c.objects[0].count = "usage";
  c.lock = "held";
  c.depth = "1";
  c.stack = {"x"};
  state.apply(c);
  c.objects[0].owned = 0;
  c.lock = "given up";
  c.depth = "0";
  c.stack.clear();
  c.bare = {"x"};
  state.apply(c);
  const std::vector<Fact> expected = {{FactKind::Count, "usage count of `dev`", "0", true},
                                      {FactKind::Lock, "", "given up", true},
                                      {FactKind::Protection, "", "0", true},
                                      {FactKind::Protection, "x", "not protected", true}};
  EXPECT_EQ(state.facts(), expected);
}

}  // namespace
}  // namespace reckon::report
