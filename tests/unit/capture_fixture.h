// Captures small sources written to a folder of their own, and finds things in the unit that comes out.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include "capture/capture.h"
#include "model/text.h"
#include "model/verify.h"

namespace reckon::capture {

class CaptureTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ =
        std::filesystem::canonical(std::filesystem::temp_directory_path()) /
        (std::string("reckon-") + info->test_suite_name() + "-" + info->name() + "-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, std::string_view text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }

  Result run(const std::string& file, std::vector<std::string> command, std::vector<std::string> macros = {}) {
    Request request;
    request.directory = folder_.string();
    request.file = file;
    request.arguments = std::move(command);
    request.arguments.push_back(file);
    request.macros_wanted = std::move(macros);
    return capture_unit(request);
  }

  // The unit of a source that must compile and give a well-formed model.
  model::Unit c(std::string_view text, std::vector<std::string> command = {"gcc", "-c"}) {
    return must("unit.c", text, std::move(command));
  }
  model::Unit cxx(std::string_view text) { return must("unit.cpp", text, {"g++", "-c"}); }

  model::Unit must(const std::string& name, std::string_view text, std::vector<std::string> command) {
    write(name, text);
    Result result = run(name, std::move(command));
    EXPECT_TRUE(result.ok) << result.errors;
    for (const std::string& defect : model::verify(result.unit)) ADD_FAILURE() << defect;
    return std::move(result.unit);
  }

  std::filesystem::path folder_;
};

inline const model::Symbol* symbol(const model::Unit& u, std::string_view name) {
  for (const model::Symbol& s : u.symbols)
    if (u.str(s.name) == name || u.str(s.display) == name) return &s;
  return nullptr;
}

inline const model::Function& function(const model::Unit& u, std::string_view name) {
  for (const model::Function& f : u.functions)
    if (u.name(f.symbol) == name || u.str(u.symbols[f.symbol].display) == name) return f;
  static const model::Function none;
  ADD_FAILURE() << "no function " << name;
  return none;
}

inline std::vector<model::Instr> all(const model::Function& f, model::Op op) {
  std::vector<model::Instr> result;
  for (const model::Instr& i : f.body.instrs)
    if (i.op == op) result.push_back(i);
  return result;
}

// Lines of the returns, sorted.
inline std::vector<unsigned> return_lines(const model::Function& f) {
  std::vector<unsigned> lines;
  for (const model::Instr& i : all(f, model::Op::Ret)) lines.push_back(i.loc.line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

inline std::string callee(const model::Unit& u, const model::Function& f, const model::Instr& call) {
  model::Operand to = f.body.ops(call)[0];
  return to.kind == model::OperandKind::Symbol ? std::string(u.name(to.symbol_id())) : std::string();
}

// The first call of that name; calls through pointers have the name "".
inline std::optional<model::Instr> call_of(const model::Unit& u, const model::Function& f, std::string_view name) {
  for (const model::Instr& i : all(f, model::Op::Call))
    if (callee(u, f, i) == name) return i;
  return std::nullopt;
}

inline std::vector<std::string> field_paths(const model::Unit& u, const model::Function& f) {
  std::vector<std::string> result;
  for (const model::Instr& i : all(f, model::Op::Field)) {
    if (i.aux == model::kNone) continue;
    const model::FieldName& name = f.body.fields[i.aux];
    result.push_back(std::string(u.str(u.type(name.record).name)) + "." + std::string(u.str(name.path)) + "+" +
                     std::to_string(i.imm));
  }
  return result;
}

inline const model::Attribute* attribute(const model::Unit& u, const model::Symbol& s, std::string_view name) {
  for (const model::Attribute& a : s.attributes)
    if (u.str(a.name) == name) return &a;
  return nullptr;
}

}  // namespace reckon::capture
