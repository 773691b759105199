// What introspection data says of floating references and of virtual functions, as lines of a spec.
#include <gtest/gtest.h>

#include "frontends/gir/gir.h"

namespace reckon::frontends::gir {
namespace {

constexpr const char* kObjects = R"(<repository><namespace name="GObject" version="2.0">
<class name="Object" glib:get-type="g_object_get_type">
<method name="ref_sink" c:identifier="g_object_ref_sink"/></class>
<class name="InitiallyUnowned" parent="Object" glib:get-type="g_initially_unowned_get_type"/>
</namespace></repository>)";

constexpr const char* kLibrary = R"(<repository><include name="GObject" version="2.0"/>
<namespace name="T" version="1">
<class name="Plain" parent="GObject.Object" glib:get-type="t_plain_get_type"/>
<class name="Bud" parent="GObject.InitiallyUnowned" glib:get-type="t_bud_get_type">
<constructor name="new" c:identifier="t_bud_new">
<return-value transfer-ownership="none"><type name="Bud" c:type="TBud*"/></return-value></constructor>
<method name="add" c:identifier="t_bud_add">
<return-value transfer-ownership="none"><type name="none" c:type="void"/></return-value>
<parameters><instance-parameter name="bud" transfer-ownership="none"><type name="Bud" c:type="TBud*"/></instance-parameter>
<parameter name="child" transfer-ownership="none"><type name="Bud" c:type="TBud*"/></parameter></parameters></method>
</class>
<class name="Post" parent="GObject.Object" c:type="TPost" glib:type-struct="PostClass">
<virtual-method name="handle"><return-value transfer-ownership="none"><type name="none" c:type="void"/></return-value>
<parameters><instance-parameter name="post" transfer-ownership="none"><type name="Post" c:type="TPost*"/></instance-parameter>
<parameter name="letter" transfer-ownership="full"><type name="Letter" c:type="TLetter*"/></parameter></parameters>
</virtual-method>
<virtual-method name="send" throws="1"><return-value transfer-ownership="full"><type name="Letter" c:type="TLetter*"/></return-value>
<parameters><instance-parameter name="post" transfer-ownership="none"><type name="Post" c:type="TPost*"/></instance-parameter>
<parameter name="letter" transfer-ownership="full"><type name="Letter" c:type="TLetter*"/></parameter></parameters>
</virtual-method>
<virtual-method name="look"><return-value transfer-ownership="full"><type name="Letter" c:type="TLetter*"/></return-value>
<parameters><instance-parameter name="post" transfer-ownership="none"><type name="Post" c:type="TPost*"/></instance-parameter>
<parameter name="letter" transfer-ownership="none"><type name="Letter" c:type="TLetter*"/></parameter></parameters>
</virtual-method></class>
<record name="Letter" c:type="TLetter"/>
<class name="Window" parent="Bud" glib:get-type="t_window_get_type">
<constructor name="new" c:identifier="t_window_new">
<return-value transfer-ownership="none"><type name="Bud" c:type="TBud*"/></return-value></constructor></class>
<record name="Value" c:type="TValue">
<method name="ref_sink" c:identifier="t_value_ref_sink">
<return-value transfer-ownership="full"><type name="Value" c:type="TValue*"/></return-value></method></record>
<function name="take" c:identifier="t_take">
<return-value transfer-ownership="none"><type name="none" c:type="void"/></return-value>
<parameters><parameter name="value" transfer-ownership="none"><type name="Value" c:type="TValue*"/></parameter></parameters>
</function></namespace></repository>)";

std::string written(const std::vector<std::string>& held) {
  std::map<std::string, Namespace> all;
  std::string problem;
  EXPECT_TRUE(read(kObjects, all["GObject-2.0"], problem)) << problem;
  EXPECT_TRUE(read(kLibrary, all["T-1"], problem)) << problem;
  return write_spec(all["T-1"], all, held).text;
}

bool has(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != text.npos;
}

TEST(FrontendsGir, ConstructorsOfClassesBelowInitiallyUnownedFloat) {
  const std::string text = written({});
  EXPECT_TRUE(has(text, "fn t_bud_new() -> new floats result")) << text;
  EXPECT_TRUE(has(text, "fn t_window_new() -> new floats result")) << text;
}

TEST(FrontendsGir, VirtualFunctionsThatTakeAnArgumentOver) {
  const std::string text = written({});
  EXPECT_TRUE(has(text, "fn _TPostClass.handle(post, letter) -> void steals letter")) << text;
  EXPECT_TRUE(has(text, "fn _TPostClass.send(post, letter, error?) -> any steals letter clobbers error")) << text;
  // Whose the result is stands there whether somebody said it or not.
  EXPECT_EQ(text.find("_TPostClass.look"), text.npos) << text;
}

TEST(FrontendsGir, WhatTheLibraryHoldsIsLent) {
  const std::string text = written({"T.Window"});
  EXPECT_TRUE(has(text, "fn t_bud_new() -> new floats result")) << text;
  EXPECT_TRUE(has(text, "fn t_window_new() -> borrowed")) << text;
  EXPECT_EQ(text.find("t_window_get_type"), text.npos) << text;
}

TEST(FrontendsGir, ParametersOtherThanTheInstanceAreSunk) {
  const std::string text = written({});
  EXPECT_TRUE(has(text, "fn t_bud_add(bud, child) -> void may-sink child")) << text;
  EXPECT_TRUE(has(text, "fn t_take(value) -> void sinks value")) << text;
}

TEST(FrontendsGir, TypesSayWhetherTheirObjectsFloat) {
  const std::string text = written({});
  EXPECT_TRUE(has(text, "fn t_plain_get_type() -> nonnull result->%floats=0")) << text;
  EXPECT_TRUE(has(text, "fn t_bud_get_type() -> nonnull result->%floats=1")) << text;
}

}  // namespace
}  // namespace reckon::frontends::gir
