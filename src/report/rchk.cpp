// The package with its version comes first, then findings by function: an empty line, "Function NAME", and a line each
// with a mark, what is wrong and the place. The marks are rchk's: [UP] for objects that a collection may take, [PB] for
// the protection stack. What rchk has no mark for stands under the name of its check. What must happen for it to show
// stands in brackets behind it.
#include "report/rchk.h"

#include <fmt/core.h>

#include <map>
#include <set>
#include <vector>

#include "report/occasion.h"
#include "support/file.h"
#include "support/terminal_text.h"

namespace reckon::report {

namespace {

struct Words {
  const char* mark;
  const char* text;  // rchk's own sentence, or nullptr
};

const std::map<std::string_view, Words> kWords = {
    {"unprotected", {"UP", nullptr}},      {"unprotected-arg", {"UP", nullptr}},
    {"arguments", {"UP", nullptr}},        {"global", {"UP", nullptr}},
    {"write-barrier", {"UP", nullptr}},    {"imbalance", {"PB", "has possible protection stack imbalance"}},
    {"protect-overflow", {"PB", nullptr}}, {"negative-depth", {"PB", "has negative depth"}},
    {"preserve-leak", {"PB", nullptr}},
};

// " version 1.0" as the package's DESCRIPTION says; "" without one.
std::string version_of(const std::string& package) {
  std::string text, problem;
  if (!support::read_input(package + "/DESCRIPTION", text, problem)) return "";
  constexpr std::string_view kField = "\nVersion:";
  text.insert(0, "\n");
  const std::size_t at = text.find(kField);
  if (at == std::string::npos) return "";
  const std::string_view line = std::string_view(text).substr(at + kField.size());
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return "";
  const std::string_view version = line.substr(begin, line.find_first_of(" \t\r\n", begin) - begin);
  return version.empty() ? "" : fmt::format(" version {}", version);
}

}  // namespace

void write_rchk(std::ostream& out, const Run& run, const WriterOptions&) {
  const std::string package = run.base.substr(run.base.rfind('/') + 1);
  out << support::printable(fmt::format("Package {}{}", package, version_of(run.base))) << '\n';
  out << fmt::format("Checked with reckon version {}\n", run.version);
  std::map<std::string, std::vector<const Finding*>> by_function;
  for (const Finding& f : run.findings)
    if (is_active(f)) by_function[f.function].push_back(&f);
  for (const auto& [function, findings] : by_function) {
    out << '\n' << support::printable(fmt::format("Function {}", function)) << '\n';
    for (const Finding* f : findings) {
      const CheckInfo* check = find_check(run, f->check);
      const auto words = kWords.find(check ? std::string_view(check->kind) : std::string_view());
      const std::string mark = words == kWords.end() ? f->check : words->second.mark;
      std::string text = words != kWords.end() && words->second.text ? words->second.text : f->message;
      if (f->trigger != Trigger::Normal || f->place != Place::Run) text += fmt::format(" ({})", occasion_of(*f));
      out << support::printable(
                 fmt::format("  [{}] {} {}/{}:{}", mark, text, package, shown_path(f->loc.file, run.base), f->loc.line))
          << '\n';
    }
  }
  out << fmt::format("\nAnalyzed {} functions\n",
                     run.coverage.count(Depth::Full) + run.coverage.count(Depth::CutShort));
  if (const std::string missing = run.coverage.shortfall(); !missing.empty())
    out << support::printable(missing) << '\n';
}

}  // namespace reckon::report
