// Attributes in the analysed source, and specs against prototypes.
#include "specs/attributes.h"

#include <gtest/gtest.h>

#include "specs/printer.h"

namespace reckon::specs {
namespace {

using Returns = Prototype::Returns;

Declaration object_function() {
  Declaration declaration;
  declaration.name = "f";
  declaration.param_names = {"self", "n", "item"};
  declaration.prototype = {Returns::Pointer, {true, false, true}, false};
  declaration.returns_object = true;
  declaration.loc = {"x.h", 12, 5};
  return declaration;
}

Declaration int_function() {
  Declaration declaration = object_function();
  declaration.prototype.returns = Returns::Integer;
  declaration.returns_object = false;
  return declaration;
}

// The spec as text, or the errors.
std::string spec_of(const Declaration& declaration, std::vector<SourceAttribute> attributes) {
  FunctionSpec spec;
  std::vector<SpecError> errors;
  bool known = spec_from_attributes(attributes, declaration, spec, errors);
  std::string text = known ? to_text(spec) : "nothing";
  for (const SpecError& error : errors)
    text += "\n" + error.loc.file + ":" + std::to_string(error.loc.line) + ": " + error.message;
  return text;
}

TEST(SpecsAttributes, CpycheckerNames) {
  EXPECT_EQ(spec_of(object_function(), {{"cpychecker_returns_borrowed_ref", "", {}}}),
            "fn f(self, n, item) -> borrowed | NULL raises");
  EXPECT_EQ(spec_of(object_function(), {{"cpychecker_steals_reference_to_arg", "", {3}}}),
            "fn f(self, n, item) -> new steals item | NULL raises steals item");
  EXPECT_EQ(spec_of(int_function(),
                    {{"cpychecker_steals_reference_to_arg", "", {1}}, {"cpychecker_steals_reference_to_arg", "", {3}}}),
            "fn f(self, n, item) -> any steals self steals item");
  EXPECT_EQ(spec_of(int_function(), {{"cpychecker_negative_result_sets_exception", "", {}}}),
            "fn f(self, n, item) -> <0 raises | >=0");
  Declaration setter = int_function();
  setter.prototype.returns = Returns::Void;
  EXPECT_EQ(spec_of(setter, {{"cpychecker_sets_exception", "", {}}}), "fn f(self, n, item) -> void raises");
}

TEST(SpecsAttributes, Combined) {
  EXPECT_EQ(spec_of(object_function(),
                    {{"cpychecker_steals_reference_to_arg", "", {3}}, {"cpychecker_returns_borrowed_ref", "", {}}}),
            "fn f(self, n, item) -> borrowed steals item | NULL raises steals item");
}

TEST(SpecsAttributes, ClangNames) {
  EXPECT_EQ(spec_of(object_function(), {{"ownership_returns", "malloc", {2}}}), "fn f(self, n, item) -> new | NULL");
  EXPECT_EQ(spec_of(int_function(), {{"ownership_takes", "malloc", {1}}}), "fn f(self, n, item) -> any self-1");
  EXPECT_EQ(spec_of(int_function(), {{"ownership_holds", "malloc", {1, 3}}}),
            "fn f(self, n, item) -> any steals self steals item");
  EXPECT_EQ(spec_of(int_function(), {{"noreturn", "", {}}}), "fn f(self, n, item) never");
  EXPECT_EQ(spec_of(object_function(), {{"returns_nonnull", "", {}}, {"ownership_returns", "m", {}}}),
            "fn f(self, n, item) -> new");
  EXPECT_EQ(spec_of(int_function(), {{"nonnull", "", {}}}), "fn f(self!, n, item!)");
  EXPECT_EQ(spec_of(int_function(), {{"nonnull", "", {3}}}), "fn f(self, n, item!)");
}

TEST(SpecsAttributes, Deallocators) {
  EXPECT_EQ(spec_of(object_function(), {{"malloc", "f_free", {1}}}), "fn f(self, n, item) -> new | NULL");
  EXPECT_EQ(spec_of(object_function(), {{"malloc", "f_free", {}}, {"returns_nonnull", "", {}}}),
            "fn f(self, n, item) -> new");
  EXPECT_EQ(spec_of(object_function(), {{"malloc", "", {}}}), "nothing");
  EXPECT_EQ(deallocator_of({"malloc", "f_free", {2}}).param, 1u);
  EXPECT_EQ(deallocator_of({"malloc", "f_free", {0}}).name, "");
  EXPECT_EQ(deallocator_of({"ownership_takes", "malloc", {1}}).name, "");

  auto taker = [](const Declaration& declaration, std::uint32_t param) {
    FunctionSpec spec;
    return spec_of_deallocator(declaration, param, spec) ? to_text(spec) : "nothing";
  };
  EXPECT_EQ(taker(int_function(), 2), "fn f(self, n, item) -> any item-1");
  EXPECT_EQ(taker(object_function(), 0), "fn f(self, n, item) -> new self-1 | NULL");
  EXPECT_EQ(taker(int_function(), 1), "nothing") << "no pointer";
  EXPECT_EQ(taker(int_function(), 3), "nothing");
}

TEST(SpecsAttributes, Annotations) {
  EXPECT_EQ(spec_of(object_function(), {{"annotate", "reckon: runs-code -> new keeps item in self | NULL raises", {}}}),
            "fn f(self, n, item) runs-code -> new keeps item in self | NULL raises");
  EXPECT_EQ(spec_of(object_function(), {{"annotate", "other tool: -> new", {}}}), "nothing");
  EXPECT_EQ(spec_of(object_function(), {}), "nothing");
  // Flags alone leave the other attributes in force; alternatives replace what they say.
  EXPECT_EQ(
      spec_of(object_function(), {{"annotate", "reckon: runs-code", {}}, {"cpychecker_returns_borrowed_ref", "", {}}}),
      "fn f(self, n, item) runs-code -> borrowed | NULL raises");
  EXPECT_EQ(
      spec_of(object_function(), {{"annotate", "reckon: -> new?", {}}, {"cpychecker_returns_borrowed_ref", "", {}}}),
      "fn f(self, n, item) -> new?");
  Declaration unnamed = object_function();
  unnamed.param_names = {"", "", ""};
  EXPECT_EQ(spec_of(unnamed, {{"annotate", "reckon: -> new steals arg2", {}}}), "fn f(_, _, _) -> new steals arg2");
}

TEST(SpecsAttributes, Errors) {
  EXPECT_EQ(spec_of(object_function(), {{"cpychecker_steals_reference_to_arg", "", {4}}}),
            "nothing\nx.h:12: attribute `cpychecker_steals_reference_to_arg` names parameter 4, but `f` has 3");
  EXPECT_EQ(spec_of(object_function(), {{"cpychecker_steals_reference_to_arg", "", {0}}}),
            "nothing\nx.h:12: attribute `cpychecker_steals_reference_to_arg` names parameter 0, but `f` has 3");
  EXPECT_EQ(spec_of(object_function(), {{"cpychecker_steals_reference_to_arg", "", {2}}}),
            "nothing\nx.h:12: attribute `cpychecker_steals_reference_to_arg` names parameter 2, which is no pointer");
  EXPECT_EQ(spec_of(int_function(), {{"cpychecker_returns_borrowed_ref", "", {}}}),
            "nothing\nx.h:12: attribute `cpychecker_returns_borrowed_ref` needs a function that returns a pointer");
  EXPECT_EQ(spec_of(object_function(), {{"annotate", "reckon: -> newish", {}}}),
            "nothing\nx.h:12: in the annotation of `f`, column 12: expected a result, found `newish`");
  EXPECT_EQ(spec_of(object_function(), {{"annotate", "reckon: -> new", {}}, {"annotate", "reckon: -> borrowed", {}}}),
            "fn f(self, n, item) -> new\nx.h:12: two annotations of `f` give alternatives");
}

std::vector<std::string> contradictions(const char* line, Prototype prototype) {
  std::vector<SpecError> errors;
  SpecFile file = parse_spec("t.spec", line, errors);
  EXPECT_TRUE(errors.empty()) << line;
  std::vector<std::string> messages;
  for (const SpecError& error : check_against(file.functions.at(0), prototype)) {
    EXPECT_EQ(error.loc.line, 1u);
    messages.push_back(error.message);
  }
  return messages;
}

using Messages = std::vector<std::string>;

TEST(SpecsPrototype, Agreement) {
  EXPECT_EQ(contradictions("fn f(list!, i, item?) -> 0 steals item into list | -1 raises steals item",
                           {Returns::Integer, {true, false, true}, false}),
            Messages{});
  EXPECT_EQ(contradictions("fn f(n) -> new | NULL raises", {Returns::Pointer, {false}, false}), Messages{});
  EXPECT_EQ(contradictions("fn f(o?) -> void when o != NULL o-1 | void when o == NULL", {Returns::Void, {true}, false}),
            Messages{});
  EXPECT_EQ(contradictions("fn f(a, ...until-null) -> new", {Returns::Pointer, {true}, true}), Messages{});
  EXPECT_EQ(contradictions("fn put*(dev) -> any dev.pm-1", {Returns::Integer, {true, false}, false}), Messages{})
      << "a pattern need not name every parameter";
  EXPECT_EQ(contradictions("fn f(a, b) -> same b", {Returns::Integer, {true, false}, false}), Messages{});
  EXPECT_EQ(contradictions("fn f(x) never", {Returns::Pointer, {true}, false}), Messages{});
}

TEST(SpecsPrototype, Parameters) {
  EXPECT_EQ(contradictions("fn f(a, b, c)", {Returns::Void, {true, true}, false}),
            Messages{"the spec of `f` names 3 parameters, the prototype has 2"});
  EXPECT_EQ(contradictions("fn f(a)", {Returns::Void, {true, true}, false}),
            Messages{"the spec of `f` names 1 parameter, the prototype has 2"});
  EXPECT_EQ(contradictions("fn f(format, ...parse)", {Returns::Void, {true}, false}),
            Messages{"the spec of `f` has `...`, the prototype has not"});
  EXPECT_EQ(contradictions("fn f(a!, b?)", {Returns::Void, {false, false}, false}),
            (Messages{"parameter `a` of `f` is marked `!`, but is no pointer",
                      "parameter `b` of `f` is marked `?`, but is no pointer"}));
}

TEST(SpecsPrototype, Results) {
  EXPECT_EQ(contradictions("fn f() -> new | NULL raises", {Returns::Integer, {}, false}),
            Messages{"the spec of `f` gives `new`, but the function returns an integer"});
  EXPECT_EQ(contradictions("fn f() -> 0 | -1 raises", {Returns::Pointer, {}, false}),
            Messages{"the spec of `f` gives `-1`, but the function returns a pointer"});
  EXPECT_EQ(contradictions("fn f() -> <0 raises | >=0", {Returns::Void, {}, false}),
            (Messages{"the spec of `f` gives `<0`, but the function returns nothing",
                      "the spec of `f` gives `>=0`, but the function returns nothing"}));
  EXPECT_EQ(contradictions("fn f(p) -> void p-1", {Returns::Integer, {true}, false}),
            Messages{"the spec of `f` gives `void`, but the function returns an integer"});
  EXPECT_EQ(contradictions("fn f(p) -> same p", {Returns::Integer, {true}, false}),
            Messages{"the spec of `f` gives `same p`, but the function returns an integer"});
  EXPECT_EQ(contradictions("fn f(p, o!) -> borrowed p *o=new", {Returns::Integer, {true, true}, false}),
            Messages{"the spec of `f` gives `borrowed p`, but the function returns an integer"});
}

TEST(SpecsPrototype, EffectsOnWhatIsNoPointer) {
  EXPECT_EQ(contradictions("fn f(n, p) -> 0 n+1 steals p into n | 1 *n=new", {Returns::Integer, {false, true}, false}),
            Messages{"the spec of `f` has an effect on parameter `n`, which is no pointer"});
  EXPECT_EQ(contradictions("fn f(n) -> 0 when n->flags & 1", {Returns::Integer, {false}, false}),
            Messages{"the spec of `f` has an effect on parameter `n`, which is no pointer"});
  EXPECT_EQ(contradictions("fn f(n) -> 0 result+1", {Returns::Integer, {false}, false}),
            Messages{"the spec of `f` has an effect on its result, which is no pointer"});
}

}  // namespace
}  // namespace reckon::specs
