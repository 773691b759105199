// Which spec is found for a name.
#include <gtest/gtest.h>

#include <thread>

#include "specs/file_domain.h"
#include "specs/spec_set.h"

namespace reckon::specs {
namespace {

SpecFile parse(std::string name, std::string_view text) {
  std::vector<SpecError> errors;
  SpecFile file = parse_spec(std::move(name), text, errors);
  for (const SpecError& error : errors) ADD_FAILURE() << error.loc.line << ": " << error.message;
  return file;
}

std::string param_of(const SpecSet& set, std::string_view name) {
  const FunctionSpec* spec = set.find(name);
  return !spec ? "none" : spec->params.empty() ? "" : spec->params[0].name;
}

TEST(SpecsSet, ExactBeforeLongestPattern) {
  SpecSet set;
  set.add(parse("a", "fn put*(any)\nfn put_sync*(longer)\nfn put_sync(exact)\nfn *_unref(suffix)\n"));
  EXPECT_EQ(param_of(set, "put_sync"), "exact");
  EXPECT_EQ(param_of(set, "put_sync_now"), "longer");
  EXPECT_EQ(param_of(set, "put_noidle"), "any");
  EXPECT_EQ(param_of(set, "thing_unref"), "suffix");
  EXPECT_EQ(param_of(set, "put_unref"), "suffix") << "six literal characters beat three";
  EXPECT_EQ(param_of(set, "thing_get"), "none");
  EXPECT_EQ(param_of(set, ""), "none");
}

TEST(SpecsSet, ExactFromAnEarlierFileBeatsALaterPattern) {
  SpecSet set;
  set.add(parse("a", "fn thing_get(exact)\n"));
  set.add(parse("b", "fn thing_*(pattern)\n"));
  EXPECT_EQ(param_of(set, "thing_get"), "exact");
}

TEST(SpecsSet, LaterFilesWin) {
  SpecSet set;
  set.add(parse("a", "domain d\nfn f(ours)\nfn g(ours)\n"));
  set.add(parse("b", "fn f(theirs)\n"));
  EXPECT_EQ(param_of(set, "f"), "theirs");
  EXPECT_EQ(set.find("f")->domain, "d") << "an override without a domain stays in the domain";
  EXPECT_EQ(param_of(set, "g"), "ours");
}

TEST(SpecsSet, Versions) {
  SpecSet set;
  set.add(parse("a",
                "domain p\nfn f(old) until 3.9\nfn f(mid) since 3.10 until 3.11\nfn f(new_) since 3.12\n"
                "fn g(only) until 3.9\nfn h(base)\nfn h(later) since 3.12\n"
                "domain q\nfn z(other) since 9\n"));
  EXPECT_EQ(param_of(set, "f"), "new_") << "without a version the newest";
  EXPECT_EQ(param_of(set, "g"), "only");
  EXPECT_EQ(param_of(set, "h"), "later");
  set.set_version("p", "3.11");
  EXPECT_EQ(param_of(set, "f"), "mid");
  EXPECT_EQ(param_of(set, "g"), "none");
  EXPECT_EQ(param_of(set, "h"), "base");
  EXPECT_EQ(param_of(set, "z"), "other") << "another domain is not concerned";
  set.set_version("p", "3.11.7");
  EXPECT_EQ(param_of(set, "f"), "mid");
  set.set_version("p", "3.9");
  EXPECT_EQ(param_of(set, "f"), "old");
  set.set_version("p", "3.13");
  EXPECT_EQ(param_of(set, "h"), "later");
  set.set_version("p", "");
  EXPECT_EQ(param_of(set, "f"), "new_");
}

TEST(SpecsSet, VersionThatHidesTheExactNameLeavesThePattern) {
  SpecSet set;
  set.add(parse("a", "domain p\nfn f(exact) since 3.12\nfn f*(pattern)\n"));
  set.set_version("p", "3.11");
  EXPECT_EQ(param_of(set, "f"), "pattern");
}

TEST(SpecsSet, AUsersSpecWinsOverANewerVariantOfOurs) {
  SpecSet set;
  set.add(parse("a", "fn f(ours) since 3.12\n"));
  set.add(parse("b", "fn f(theirs)\n"));
  EXPECT_EQ(param_of(set, "f"), "theirs");
}

TEST(SpecsSet, Aliases) {
  SpecSet set;
  set.add(parse("a",
                "domain d\nalias C B\nalias B A\nfn A(x) -> new\nalias macro_* A\nalias lost nowhere\nalias l1 l2\n"
                "alias l2 l1\n"));
  for (const char* name : {"B", "C", "macro_x"}) {
    ASSERT_NE(set.find(name), nullptr) << name;
    EXPECT_EQ(set.find(name)->outcomes.size(), 1u);
  }
  EXPECT_EQ(set.find("C")->name, "C");
  EXPECT_EQ(set.find("C")->alias_of, "B");
  EXPECT_EQ(set.find("lost"), nullptr);
  EXPECT_EQ(set.find("l1"), nullptr);
  std::vector<SpecError> errors = set.check();
  ASSERT_EQ(errors.size(), 3u);
  EXPECT_EQ(errors[0].message, "no spec of `nowhere`, which `lost` is to be a spelling of");
  EXPECT_EQ(errors[0].loc.line, 6u);
  // An alias follows what a later file says about its function; a later definition replaces the alias.
  set.add(parse("b", "fn A(x) -> borrowed x | NULL\nfn B(own)\n"));
  EXPECT_EQ(set.find("macro_x")->outcomes.size(), 2u);
  EXPECT_EQ(param_of(set, "B"), "own");
}

TEST(SpecsSet, GlobalsSlotsAndTypes) {
  SpecSet set;
  set.add(parse("a",
                "domain p\nimmortal None since 3.12\nimmortal-pointer Exc_*\nimmortal True\n"
                "slot _type.tp_iter new-or-null\nslot _type.tp_as_number.nb_add new\ncounted _object refs\n"));
  ASSERT_NE(set.find_global("None"), nullptr);
  EXPECT_TRUE(set.find_global("None")->immortal);
  ASSERT_NE(set.find_global("Exc_Type"), nullptr);
  EXPECT_TRUE(set.find_global("Exc_Type")->points_to);
  EXPECT_EQ(set.find_global("Ex"), nullptr);
  ASSERT_NE(set.find_slot("_type", "tp_iter"), nullptr);
  EXPECT_EQ(set.find_slot("_type", "tp_iter")->contract, "new-or-null");
  ASSERT_NE(set.find_slot("_type", "tp_as_number.nb_add"), nullptr);
  EXPECT_EQ(set.find_slot("_type", "tp"), nullptr);
  EXPECT_EQ(set.find_slot("_typ", "e.tp_iter"), nullptr);
  ASSERT_NE(set.find_counted("_object"), nullptr);
  EXPECT_EQ(set.find_counted("object"), nullptr);
  set.set_version("p", "3.11");
  EXPECT_FALSE(set.find_global("None")->immortal);
  EXPECT_TRUE(set.find_global("True")->immortal);
}

TEST(SpecsSet, DomainsMerge) {
  SpecSet set;
  set.add(parse("a", "domain p\nheader P.h\nfailure exception\ncheck leaks pairs\n"));
  set.add(parse("b", "domain p\nheader Q.h P.h\n"));
  ASSERT_EQ(set.domains().size(), 1u);
  const DomainSpec* domain = set.find_domain("p");
  ASSERT_NE(domain, nullptr);
  EXPECT_EQ(domain->headers, (std::vector<std::string>{"P.h", "Q.h"}));
  EXPECT_EQ(domain->failure_value, FailureValue::Exception);
  EXPECT_TRUE(domain->reports_leaks && domain->reports_pairs);
  set.add(parse("c", "domain p\ncheck pairs\n"));
  EXPECT_FALSE(set.find_domain("p")->reports_leaks);
  EXPECT_EQ(set.find_domain("x"), nullptr);
}

TEST(SpecsSet, FindFromSeveralThreads) {
  SpecSet set;
  std::string text;
  for (int i = 0; i < 300; ++i)
    text += "fn f" + std::to_string(i) + "(p" + std::to_string(i) + ")\nfn g" + std::to_string(i) + "_*(x)\n";
  set.add(parse("a", text));
  std::vector<int> wrong(4);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 300; ++i) {
        std::string n = std::to_string(i);
        wrong[t] += param_of(set, "f" + n) != "p" + n;
        wrong[t] += param_of(set, "g" + n + "_z") != "x";
        wrong[t] += set.find("h" + n) != nullptr;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4));
}

std::string problems(std::initializer_list<std::string_view> files) {
  SpecSet set;
  for (std::string_view text : files) set.add(parse("t", text));
  std::string all;
  for (const SpecError& e : set.check())
    all += std::to_string(e.loc.line) + ":" + std::to_string(e.loc.col) + ": " + e.message + "\n";
  return all;
}

// What only all files together can tell.
TEST(SpecsSet, DanglingNames) {
  EXPECT_EQ(problems({"contract balanced balanced\n", "slot a.b balanced\n"}), "");
  EXPECT_EQ(problems({"contract balanced balanced\n", "\nslot a.b balancd\n"}),
            "2:10: no contract is called `balancd` (did you mean `balanced`?)\n");
  EXPECT_EQ(problems({"domain d\nfn thing_new() -> new\n", "alias thing_make thing_nwe\n"}),
            "1:18: no spec of `thing_nwe`, which `thing_make` is to be a spelling of (did you mean `thing_new`?)\n");
  EXPECT_EQ(
      problems({"domain python\nheader P.h\n", "domain pyhton\nfn f() -> new\n"}),
      "1:1: no domain is called `pyhton` (did you mean `python`?); a domain of your own has a line that begins with "
      "`header` or `check`\n");
  EXPECT_EQ(problems({"domain python\nheader P.h\n", "domain pithon\nheader pi.h\n", "domain mine\n"}), "");
  // Not the first file is wrong: it knows nothing of what a user calls a domain later.
  EXPECT_EQ(problems({"domain libc\nfn malloc() -> any\n", "domain lib\nheader lib.h\n"}), "");
  EXPECT_EQ(problems({"domain d\nfn thing_*() -> new\n", "fn thing_new() -> new\nfn other() -> new\n"}), "");
}

TEST(SpecsSet, AFileIsADomainOfItsName) {
  EXPECT_EQ(domain_named_after("/a/b.c/my lib-2.spec"), "my-lib-2");
  EXPECT_EQ(domain_named_after("mylib"), "mylib");
  EXPECT_EQ(domain_named_after("/tmp/.spec"), "");
  SpecSet set;
  set.add(parse("d.spec", "domain d\nheader d.h\nfn thing_*() -> new\n"));
  // What overrides another spec stays where that is.
  set.add(parse("own.spec", "fn thing_new() -> new\nfn other() -> new\ncounted node refs\n"));
  set.add(parse("e.spec", "header e.h\nfn e_new() -> new\n"));
  EXPECT_EQ(set.find("thing_new")->domain, "d");
  EXPECT_EQ(set.find("other")->domain, "own");
  EXPECT_EQ(set.find_counted("node")->domain, "own");
  EXPECT_EQ(set.find("e_new")->domain, "e");
  ASSERT_NE(set.find_domain("own"), nullptr);
  EXPECT_EQ(set.find_domain("e")->headers, std::vector<std::string>{"e.h"});
  EXPECT_TRUE(set.check().empty());
}

TEST(SpecsSet, ContractsAreFoundByName) {
  SpecSet set;
  set.add(parse("a", "domain d\ncontract get acquires lent\n"));
  ASSERT_NE(set.find_contract("get"), nullptr);
  ContractFlags expected;
  expected.acquires = expected.lent = true;
  EXPECT_EQ(static_cast<const ContractFlags&>(*set.find_contract("get")), expected);
  EXPECT_EQ(set.find_contract("put"), nullptr);
  set.add(parse("b", "contract get balanced\n"));
  EXPECT_TRUE(set.find_contract("get")->balanced);
}

// Every word of a contract sets a property of its own.
TEST(SpecsSet, WordsOfContracts) {
  for (const ContractWord& word : kContractWords) {
    const SpecFile file = parse("a", "contract c " + std::string(word.word) + "\n");
    ASSERT_EQ(file.contracts.size(), 1u) << word.word;
    ContractFlags expected;
    expected.*word.flag = true;
    EXPECT_EQ(static_cast<const ContractFlags&>(file.contracts[0]), expected) << word.word;
  }
}

}  // namespace
}  // namespace reckon::specs
