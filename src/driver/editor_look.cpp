#include "driver/editor_look.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "analysis/analyse.h"
#include "cache/cache.h"
#include "capture/capture.h"
#include "driver/cache_place.h"
#include "driver/capture_stage.h"
#include "driver/earlier_runs.h"
#include "driver/fixes.h"
#include "driver/reports.h"
#include "driver/version.h"
#include "frontends/builds/input.h"
#include "host/files.h"
#include "lsp/answer.h"
#include "program/program.h"
#include "program/rests.h"
#include "report/repair.h"
#include "specs/lookup.h"

namespace reckon::driver {

namespace {

using nlohmann::json;

// What a look at one compiler call came to.
struct Looked {
  std::string errors;  // of the compiler; "" if there were none
  std::shared_ptr<const model::Unit> unit;
  report::Run run;
  std::vector<analysis::FunctionOutcomes> outcomes;
  std::set<std::string> domains;
};

class UnitLook {
 public:
  UnitLook(const EditorQuestion& question, const Options& options, const specs::SpecSet& specs,
           const std::string& spec_fingerprint)
      : question_(question), options_(options), specs_(specs), spec_fingerprint_(spec_fingerprint) {}

  Looked look(const std::map<std::string, std::string>& texts, bool keep) {
    const frontends::Command& command = question_.command;
    Looked out;
    const capture::Request request{command.directory, command.file, with_own_headers(command), {}, texts,
                                   question_.preamble};
    capture::Result captured = capture::capture_unit(request);
    if (!captured.ok) {
      out.errors = captured.errors.empty() ? "it does not compile" : captured.errors;
      return out;
    }
    Captured units;
    units.units.push_back(std::make_shared<model::Unit>(std::move(captured.unit)));
    units.compiled = 1;
    for (const model::StrId header : units.units[0]->headers) units.headers.emplace(units.units[0]->str(header));
    if (keep) find_cache(units);
    out.unit = units.units.front();
    const program::Program program = program::Program::link(program::ready_to_link(units.units, specs_));
    analysis::Options wishes;
    wishes.jobs = options_.capture.jobs;
    wishes.check_globs = options_.analysis.checks;
    wishes.free_threaded = options_.analysis.free_threaded;
    wishes.smt = !options_.analysis.no_smt;
    wishes.domains = options_.analysis.domains;
    wishes.outcomes = true;
    EarlierRuns earlier(units, options_, spec_fingerprint_, console_);
    wishes.earlier = earlier.get();
    analysis::Analysis analysis = analysis::analyse(program, specs_, wishes);
    if (keep) earlier.save();
    out.outcomes = std::move(analysis.outcomes);
    out.domains = std::move(analysis.domains);
    frontends::Input input;
    input.commands.push_back(command);
    report::Baseline baseline;
    load_baseline(options_, console_, baseline);
    out.run = make_run(input, units, std::move(analysis), options_, baseline, nullptr, texts);
    return out;
  }

 private:
  // What earlier looks found out is kept by the compiler call, whatever the text was: an edit leaves most functions as
  // they are.
  void find_cache(Captured& units) const {
    units.cache = cache_place(options_.capture);
    const frontends::Command& command = question_.command;
    if (!units.cache.folder.empty())
      units.request_keys.push_back(
          cache::Cache::request_key(command.directory, command.file, command.arguments, cache_version()));
  }

  const EditorQuestion& question_;
  const Options& options_;
  const specs::SpecSet& specs_;
  const std::string& spec_fingerprint_;
  host::Console console_{host::Verbosity::Quiet};
};

// Calls of the main file's functions that obtain an object or give one up.
class PairEnds {
 public:
  PairEnds(const Looked& looked, const specs::SpecSet& specs) : unit_(*looked.unit), specs_(specs) {
    for (const analysis::FunctionOutcomes& f : looked.outcomes)
      if (f.known) computed_.emplace(f.name, &f.outcomes);
  }

  std::vector<lsp::PairEnd> find() {
    std::uint32_t scope = 0;
    for (const model::Function& function : unit_.functions) {
      ++scope;
      if (function.from_header) continue;
      const model::Body& body = function.body;
      made_by_.assign(body.num_values, nullptr);
      for (const model::Instr& i : body.instrs)
        if (i.result != model::kNone) made_by_[i.result] = &i;
      for (const model::Instr& i : body.instrs)
        if (i.op == model::Op::Call) look_at(body, i, scope);
    }
    return std::move(out_);
  }

 private:
  void look_at(const model::Body& body, const model::Instr& call, std::uint32_t scope) {
    const auto operands = body.ops(call);
    if (operands.empty() || operands[0].kind != model::OperandKind::Symbol) return;
    const model::Symbol& callee = unit_.symbols[operands[0].symbol_id()];
    const std::vector<specs::Outcome>* outcomes = nullptr;
    if (const auto* spec = specs::find_function(specs_, unit_.str(callee.name), unit_.str(callee.display)))
      outcomes = &spec->outcomes;
    else if (const auto known = computed_.find(std::string(unit_.str(callee.display))); known != computed_.end())
      outcomes = known->second;
    if (!outcomes) return;
    for (const specs::Outcome& o : *outcomes) {
      if (o.result.kind == specs::Value::Kind::Object && specs::owns(o, o.result.object) && call.result != model::kNone)
        add(call, unit_.str(body.value_names[call.result]), scope, true);
      auto argument = [&](const specs::Place& place) -> std::string_view {
        const bool plain = place.root == specs::Place::Root::Arg && place.path.empty() && place.field_path.empty();
        return plain && place.index + 1 < operands.size() ? name_of(body, operands[place.index + 1]) : "";
      };
      for (const specs::CountChange& change : o.counts) add(call, argument(change.object), scope, change.delta > 0);
      for (const specs::Place& place : lsp::stolen_by(o)) add(call, argument(place), scope, false);
    }
  }

  // The variable that an argument is, if it is one.
  std::string_view name_of(const model::Body& body, const model::Operand& operand) const {
    if (operand.kind != model::OperandKind::Value) return "";
    if (const std::string_view name = unit_.str(body.value_names[operand.value_id()]); !name.empty()) return name;
    const model::Instr* made = made_by_[operand.value_id()];
    if (!made || made->op != model::Op::Load) return "";
    const model::Operand address = body.ops(*made)[0];
    const model::Instr* slot = address.kind == model::OperandKind::Value ? made_by_[address.value_id()] : nullptr;
    return slot && slot->op == model::Op::Alloca && slot->aux != model::kNone ? unit_.str(body.locals[slot->aux].name)
                                                                              : "";
  }

  void add(const model::Instr& call, std::string_view object, std::uint32_t scope, bool obtains) {
    if (object.empty()) return;
    lsp::PairEnd end{
        {std::string(unit_.str(call.loc.file)), call.loc.line, call.loc.col, ""}, std::string(object), scope, obtains};
    const auto same = [&](const lsp::PairEnd& e) {
      return e.loc == end.loc && e.object == end.object && e.scope == scope && e.obtains == obtains;
    };
    if (end.loc.file == unit_.path && std::none_of(out_.begin(), out_.end(), same)) out_.push_back(std::move(end));
  }

  const model::Unit& unit_;
  const specs::SpecSet& specs_;
  std::unordered_map<std::string, const std::vector<specs::Outcome>*> computed_;
  std::vector<const model::Instr*> made_by_;
  std::vector<lsp::PairEnd> out_;
};

// Functions, by display name, that return a pointer to a struct that specs call counted.
std::set<std::string> functions_with_counted_results(const model::Unit& unit, const specs::SpecSet& specs) {
  std::set<std::string> out;
  for (const model::Function& function : unit.functions) {
    const model::Type& result = unit.type(function.result);
    if (result.kind == model::TypeKind::Pointer && specs.find_counted(unit.str(unit.type(result.elem).name)))
      out.emplace(unit.str(unit.symbols[function.symbol].display));
  }
  return out;
}

// Functions, by display name, that the editor can ask about: those of the main file, and those that it names.
std::set<std::string_view> functions_in_view(const model::Unit& unit) {
  std::set<std::string_view> out;
  for (const model::Function& function : unit.functions) {
    if (function.from_header) continue;
    out.insert(unit.str(unit.symbols[function.symbol].display));
    for (const model::Operand& operand : function.body.operands)
      if (operand.kind == model::OperandKind::Symbol) out.insert(unit.str(unit.symbols[operand.symbol_id()].display));
  }
  return out;
}

json findings_answer(Looked looked, const specs::SpecSet& specs, report::Sources& sources) {
  lsp::Facts facts;
  facts.path = looked.unit->path;
  facts.ends = PairEnds(looked, specs).find();
  facts.run = std::move(looked.run);
  const std::set<std::string> counted = functions_with_counted_results(*looked.unit, specs);
  const std::set<std::string_view> in_view = functions_in_view(*looked.unit);
  for (analysis::FunctionOutcomes& f : looked.outcomes) {
    if (!in_view.contains(f.name)) continue;
    lsp::ProgramFunction& function = facts.functions.emplace_back();
    function.name = std::move(f.name);
    function.loc = {std::move(f.file), f.line, f.col, ""};
    function.known = f.known;
    function.behaviour = {std::move(f.params), std::move(f.outcomes), f.pointer, false, {}, {}};
    function.behaviour.counted = counted.contains(function.name);
    function.behaviour.flags.runs_code = f.runs_code;
  }
  for (const model::StrId header : looked.unit->headers)
    facts.headers.push_back(frontends::real_path(std::string(looked.unit->str(header))));
  facts.domains = std::move(looked.domains);
  facts.pages = host::check_pages_folder();
  return lsp::answer_of(facts, sources);
}

std::multiset<std::string> fingerprints_of(const report::Run& run) {
  std::multiset<std::string> out;
  for (const report::Finding& f : run.findings)
    if (report::is_active(f)) out.insert(f.fingerprint);
  return out;
}

// Each proposal is tried on the text: the finding is gone, no other has come, and no less was analysed.
json repairs_answer(UnitLook& unit, const Looked& before, const EditorQuestion& question, const specs::SpecSet& specs,
                    report::Sources& sources) {
  json repairs = json::object();
  const std::multiset<std::string> known = fingerprints_of(before.run);
  for (const report::Finding& f : before.run.findings) {
    if (std::find(question.repair.begin(), question.repair.end(), f.fingerprint) == question.repair.end()) continue;
    for (const report::Fix& fix : proposed_fixes(f, before.run, specs, sources)) {
      auto texts = question.texts;
      const std::string text = report::apply_edits(sources.file(f.loc.file), fix.edits);
      for (const std::string& name : {f.loc.file, frontends::real_path(f.loc.file)}) texts[name] = text;
      const Looked after = unit.look(texts, false);
      if (!after.errors.empty()) continue;
      const std::multiset<std::string> left = fingerprints_of(after.run);
      const bool works =
          !left.contains(f.fingerprint) && std::includes(known.begin(), known.end(), left.begin(), left.end()) &&
          after.run.coverage.count(report::Depth::CutShort) <= before.run.coverage.count(report::Depth::CutShort);
      if (!works) continue;
      repairs[f.fingerprint] = json::array({lsp::repair_json(fix, sources)});
      break;
    }
  }
  return {{"ok", true}, {"repairs", std::move(repairs)}};
}

}  // namespace

std::string look_for_editor(const EditorQuestion& question, const Options& options, const specs::SpecSet& specs,
                            const std::string& spec_fingerprint) {
  UnitLook unit(question, options, specs, spec_fingerprint);
  report::Sources sources(question.texts);
  Looked looked = unit.look(question.texts, true);
  json answer;
  if (!looked.errors.empty())
    answer = lsp::answer_of_errors(question.command.path, question.command.file, looked.errors, sources);
  else if (question.repair.empty())
    answer = findings_answer(std::move(looked), specs, sources);
  else
    answer = repairs_answer(unit, looked, question, specs, sources);
  return answer.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace reckon::driver
