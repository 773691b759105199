#include "confirm/inject.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "report/repair.h"

namespace reckon::confirm {

namespace {

using report::Edit;

// Might evaluating it do something? A name or a number need not be evaluated, and may be no expression: a type.
bool has_effect(const std::string& argument) { return argument.find_first_of("(=+-") != std::string::npos; }

bool contains(const std::vector<std::uint32_t>& list, std::size_t n) {
  return std::find(list.begin(), list.end(), n) != list.end();
}

// What the call does instead: everything but its result, as expressions with commas behind them.
std::string deeds(const report::CallEnd& end, const std::vector<std::string>& arguments) {
  std::string out;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto store = std::find_if(end.stores.begin(), end.stores.end(),
                                    [&](const report::CallEnd::Store& s) { return s.argument == i; });
    if (contains(end.released, i))
      out += fmt::format("RECKON_RELEASE({}), ", arguments[i]);
    else if (store != end.stores.end())
      out += fmt::format("(void)(*({}) = {}), ", arguments[i], store->value);
    else if (has_effect(arguments[i]))
      out += fmt::format("(void)({}), ", arguments[i]);
  }
  if (end.exception == "set" || (end.exception == "may be set" && end.failure)) out += "RECKON_RAISE(), ";
  return out;
}

// The condition under which a call fails, and what it then returns. An end without a value is NULL: it is taken where
// the call gives a pointer.
std::string when(unsigned id, const report::CallEnd& end, const std::string& call) {
  const std::string fails = fmt::format("RECKON_FAILS({})", id);
  return end.value ? fails : fmt::format("RECKON_IS_POINTER({}) && {}", call, fails);
}

std::string instead(unsigned id, const report::CallEnd& end, const std::string& call,
                    const std::vector<std::string>& arguments) {
  return fmt::format("({} ? ({}(__typeof__({}))({})) : ", when(id, end, call), deeds(end, arguments), call,
                     end.value.value_or(0));
}

class Rewriter {
 public:
  Rewriter(const Plans& plans, const Injection& how, report::Sources& sources)
      : plans_(plans), how_(how), sources_(sources), places_(sources) {}

  std::map<std::string, std::string> run() {
    std::set<std::string> files;
    for (const Site& s : plans_.sites) files.insert(s.loc.file);
    for (const Entry& e : plans_.entries) files.insert(e.loc.file);
    for (const Maker& m : plans_.makers) files.insert(m.place.extent.file);
    for (const Entry& e : plans_.entries) begin(e);
    for (const Site& s : plans_.sites)
      if (std::find(how_.left_out.begin(), how_.left_out.end(), s.id) == how_.left_out.end())
        s.in_macro ? in_macro(s) : around(s.place, instead(s.id, s.end, s.place.text, s.place.arguments));
    for (const Maker& m : plans_.makers)
      if (std::find(how_.left_out.begin(), how_.left_out.end(), m.id) == how_.left_out.end())
        around(m.place, fmt::format("RECKON_MADE({}, ", m.id));
    for (const std::string& file : files) formats(file);
    for (const auto& [place, text] : wrapped_) {
      const auto& [file, line, col, end_line, end_col] = place;
      edits_[file].push_back({file, line, col, line, col, text.first});
      edits_[file].push_back({file, end_line, end_col, end_line, end_col, text.second});
    }
    std::map<std::string, std::string> out;
    for (const std::string& file : files)
      out[file] = fmt::format("#line 1 \"reckon/runtime.h\"\n{}\n#line 1 \"{}\"\n{}", how_.runtime, file,
                              report::apply_edits(sources_.file(file), edits_[file]));
    return out;
  }

 private:
  void begin(const Entry& e) {
    Edit edit = e.begin;
    edit.text = fmt::format(" RECKON_ENTER({}) ", e.id);
    edits_[edit.file].push_back(std::move(edit));
  }

  void around(const report::CallPlace& place, const std::string& before) {
    const Edit& e = place.extent;
    auto& text = wrapped_[{e.file, e.line, e.col, e.end_line, e.end_col}];
    text.first = before + text.first;
    text.second += ")";
  }

  // Inside its function the name of what is called becomes a macro. It stands for the call wherever another macro
  // puts it; the number of the line tells this use from others.
  void in_macro(const Site& s) {
    const auto body = places_.body(s.loc);
    if (!body) return;
    auto [begin, end] = *body;
    const std::string& name = s.function;
    if (!masked_.insert({begin.file, begin.line, name}).second) return;  // one of them is enough
    report::CallEnd plain = s.end;
    plain.released.clear();  // which argument is which cannot be told without the text of the call
    plain.stores.clear();
    begin.text = fmt::format(
        "\n#pragma push_macro(\"{0}\")\n#undef {0}\n#define {0}(...) ((__LINE__ == {1} && {2}) ? "
        "({3}(__typeof__({0}(__VA_ARGS__)))({4})) : {0}(__VA_ARGS__))\n#line {5} \"{6}\"\n",
        name, s.loc.line, when(s.id, s.end, name + "(__VA_ARGS__)"), deeds(plain, {}), s.end.value.value_or(0),
        begin.line, begin.file);
    end.text = fmt::format("\n#pragma pop_macro(\"{}\")\n#line {} \"{}\"\n", name, end.line, end.file);
    edits_[begin.file].push_back(std::move(begin));
    edits_[end.file].push_back(std::move(end));
  }

  void formats(const std::string& file) {
    std::vector<std::string> names;
    for (const FormatReader& r : how_.readers) names.push_back(r.name);
    for (const report::CallPlace& call : places_.calls_of(file, names)) {
      const auto reader = std::find_if(how_.readers.begin(), how_.readers.end(),
                                       [&](const FormatReader& r) { return r.name == call.name; });
      if (reader->format < call.arguments.size())
        around(call, fmt::format("(RECKON_FORMAT({}), ", call.arguments[reader->format]));
    }
  }

  const Plans& plans_;
  const Injection& how_;
  report::Sources& sources_;
  report::CallPlaces places_;
  std::map<std::string, std::vector<Edit>> edits_;
  // By the place of the call: what is put before it and behind it.
  using Place = std::tuple<std::string, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
  std::map<Place, std::pair<std::string, std::string>> wrapped_;
  std::set<std::tuple<std::string, std::uint32_t, std::string>> masked_;
};

}  // namespace

std::map<std::string, std::string> inject(const Plans& plans, const Injection& how, report::Sources& sources) {
  return Rewriter(plans, how, sources).run();
}

}  // namespace reckon::confirm
