#include "confirm/evidence.h"

#include <fmt/core.h>

#include <filesystem>

#include "report/patch.h"
#include "support/output_file.h"

namespace reckon::confirm {

namespace fs = std::filesystem;

namespace {

using report::Confirmation;

constexpr std::size_t kShownFingerprint = 12;

std::string readme(const Plan& plan, const Built& built, const Wishes& wishes, const report::Run& run) {
  const report::Finding& f = *plan.finding;
  const Confirmation& c = *plan.result;
  std::string out = fmt::format("# {}\n\n{}:{}, in `{}`. Found by Reckon ({}), and shown by running the program.\n\n",
                                f.message, report::shown_path(f.loc.file, run.base), f.loc.line, f.function, f.check);
  out += "## What was seen\n\n    " + c.seen + "\n\n";
  if (c.assuming.empty()) {
    out += "No call was made to fail.\n\n";
  } else {
    out += "These calls were made to fail, as their documentation says they can:\n\n";
    for (const std::string& call : c.assuming) out += "- " + call + "\n";
    out +=
        "\nEverything else is the program as it is. A call fails only while the environment variable `RECKON_FAIL` "
        "names "
        "its number; without it the rewritten program does what the original does.\n\n";
  }
  out += "## The way there\n\n";
  for (const report::Step& s : f.path)
    if (s.essential)
      out += fmt::format("- {}:{}: {}{}\n", report::shown_path(s.loc.file, run.base), s.loc.line, s.text,
                         s.state.empty() ? "" : "; " + s.state);
  out += fmt::format("- {}:{}: {}\n\n## To see it\n\n    sh run.sh{}\n\n", report::shown_path(f.loc.file, run.base),
                     f.loc.line, f.message, wishes.build.empty() ? "" : " FOLDER   # a copy of the project's sources");
  out += wishes.build.empty()
             ? "It compiles the source of this folder, in which those calls can fail, and runs `show.py`.\n"
             : "It applies `inject.patch` to that copy, builds it and runs `show.py` with it.\n";
  out += fmt::format("\nThe build was `{}`.\n", built.command);
  return out;
}

std::string runner(const Plan& plan, const Built& built, const Wishes& wishes) {
  const Confirmation& c = *plan.result;
  std::string out = "#!/bin/sh\n# Shows the finding that README.md describes.\nset -e\n";
  const std::string show =
      c.script.empty() ? c.command : "PYTHONMALLOC=debug \"${PYTHON:-/usr/bin/python3}\" \"$here/show.py\"";
  out += "here=$(cd \"$(dirname \"$0\")\" && pwd)\n";
  if (wishes.build.empty()) {
    out += fmt::format("mkdir -p \"$here/built\"\ncd \"$here\"\n{}\n", built.command);
    out += "name=$(grep -ao 'PyInit_[A-Za-z0-9_]*' module.so | head -n 1)\nmv module.so \"built/${name#PyInit_}.so\"\n";
    out += show + (c.script.empty() ? "\n" : " \"$here/built\"\n");
  } else {
    out += fmt::format("cd \"$1\"\npatch -s -p1 < \"$here/inject.patch\"\n{}\n{}{}\n", wishes.build, show,
                       c.script.empty() ? "" : " \"$PWD\"");
  }
  return out;
}

}  // namespace

bool write_evidence(const Plans& plans, const Built& built, const Wishes& wishes, const report::Run& run,
                    report::Sources& sources, std::string& problem) {
  for (const Plan& plan : plans.plans) {
    Confirmation& c = *plan.result;
    if (c.status != Confirmation::Status::Confirmed) continue;
    const fs::path folder = fs::path(wishes.script) / plan.finding->fingerprint.substr(0, kShownFingerprint);
    std::error_code ec;
    fs::create_directories(folder, ec);
    auto write = [&](const std::string& name, const std::string& text) {
      return support::write_output((folder / name).string(), text, problem);
    };
    std::string patch;
    for (const auto& [path, text] : built.sources) {
      const std::string inside = report::shown_path(path, wishes.root);
      if (!wishes.build.empty() && inside != path) patch += report::unified_diff(inside, sources.file(path).text, text);
      if (wishes.build.empty() && !write(fs::path(path).filename().string(), text)) return false;
    }
    if (!patch.empty() && !write("inject.patch", patch)) return false;
    if (!c.script.empty() && !write("show.py", c.script)) return false;
    if (!write("README.md", readme(plan, built, wishes, run)) || !write("run.sh", runner(plan, built, wishes)))
      return false;
    c.command = fmt::format("sh {}/run.sh{}", folder.string(), wishes.build.empty() ? "" : " COPY-OF-THE-SOURCES");
  }
  return true;
}

}  // namespace reckon::confirm
