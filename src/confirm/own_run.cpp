#include "confirm/own_run.h"

#include <fmt/core.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstring>
#include <map>

#include "confirm/work_files.h"
#include "host/files.h"

namespace reckon::confirm {

namespace {

using report::Confirmation;
using report::Harm;

constexpr std::size_t kPlaces = 32768;  // as in share/confirm/runtime.h
constexpr std::array<unsigned, 3> kRounds = {4, 8, 16};
constexpr int kWrongCount = 86;  // the status of a command that found a count wrong

class OwnRun {
 public:
  OwnRun(const Wishes& wishes, const std::string& folder, const std::string& work, const Sandbox& sandbox)
      : wishes_(wishes), folder_(folder), work_(work), record_(work + "/record"), sandbox_(sandbox) {}

  // From now on the command is that for this function.
  void choose(const std::string& name) {
    constexpr std::string_view kPlaceholder = "{function}";
    // The shell reads the command, and names such as operator>() mean something to it.
    const bool plain =
        std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_' || c == ':'; });
    const std::string function = plain ? name : "'" + name + "'";
    command_ = wishes_.run;
    for (std::size_t at = 0; (at = command_.find(kPlaceholder, at)) != std::string::npos; at += function.size())
      command_.replace(at, kPlaceholder.size(), function);
  }
  const std::string& command() const { return command_; }

  // Without a failure, once for each command.
  struct Usual {
    Sandbox::Result result;
    std::vector<unsigned> reached;
  };
  const Usual& usual() {
    const auto [it, is_new] = usual_.try_emplace(command_);
    if (is_new) it->second.result = run("", kRounds.front()), it->second.reached = counters();
    return it->second;
  }

  Sandbox::Result run(const std::string& fail, unsigned rounds) {
    std::string problem;
    if (!write_in(work_, record_, std::string(4 * kPlaces * sizeof(unsigned), '\0'), problem)) return {problem, 0, ""};
    return sandbox_.run(command_, folder_, {wishes_.seconds, 0},
                        {{"RECKON_FAIL", fail},
                         {"RECKON_RECORD", record_},
                         {"RECKON_ROUNDS", std::to_string(rounds)},
                         {"ASAN_OPTIONS", "detect_leaks=1:exitcode=99:fast_unwind_on_malloc=0"}});
  }

  // How often places were reached, and behind that how often they failed.
  std::vector<unsigned> counters() const {
    std::vector<unsigned> out(2 * kPlaces);
    std::string bytes, problem;
    host::read_file(record_, bytes, problem);  // what cannot be read was not reached
    std::memcpy(out.data(), bytes.data(), std::min(bytes.size(), out.size() * sizeof(unsigned)));
    return out;
  }

 private:
  const Wishes& wishes_;
  const std::string& folder_;
  std::string work_, record_;
  const Sandbox& sandbox_;
  std::string command_;
  std::map<std::string, Usual> usual_;
};

// "ERROR: AddressSanitizer: heap-use-after-free on address ..." and the frames of the program's own files.
std::string sanitizer_words(const std::string& output, const report::Finding& f) {
  const std::size_t at = output.find("ERROR: AddressSanitizer");
  if (at == std::string::npos) return "";
  const std::string rest = output.substr(at);
  if (rest.find(" in " + f.function + " ") == std::string::npos) return "";  // of another function
  return rest.substr(0, rest.find('\n'));
}

// Allocations that the leak checker lists with a frame of this function.
unsigned leaked(const std::string& output, const std::string& function) {
  unsigned total = 0;
  constexpr std::string_view kHead = "irect leak of ", kBytes = " byte(s) in ", kObjects = " object(s)";
  for (std::size_t at = output.find(kHead); at != std::string::npos;) {
    const std::size_t next = output.find(kHead, at + 1);
    const std::string_view part = std::string_view(output).substr(at, next == std::string::npos ? next : next - at);
    at = next;
    const std::size_t number = part.substr(0, part.find('\n')).find(kBytes);
    if (number == std::string_view::npos || part.find(" in " + function + " ") == std::string_view::npos) continue;
    unsigned objects = 0;
    const char* first = part.data() + number + kBytes.size();
    const auto [rest, error] = std::from_chars(first, part.data() + part.size(), objects);
    const std::string_view behind(rest, static_cast<std::size_t>(part.data() + part.size() - rest));
    if (error == std::errc() && behind.starts_with(kObjects)) total += objects;
  }
  return total;
}

int exit_code(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }

std::string joined(const std::vector<unsigned>& sites) {
  std::string out;
  for (const unsigned s : sites) out += (out.empty() ? "" : ",") + std::to_string(s);
  return out;
}

// What is seen with these calls failing; "" if nothing is.
std::string seen_with(const Plan& plan, const std::string& fail, OwnRun& own, bool& fired,
                      const std::vector<unsigned>& sites) {
  const Sandbox::Result& usual = own.usual().result;
  const report::Finding& f = *plan.finding;
  const Sandbox::Result result = own.run(fail, kRounds.front());
  const std::vector<unsigned> counters = own.counters();
  fired = std::all_of(sites.begin(), sites.end(), [&](unsigned s) { return counters[kPlaces + s] > 0; });
  if (!fired) return "";
  if (exit_code(result.status) == kWrongCount && exit_code(usual.status) == 0)
    return fmt::format("the command found a count wrong (status {}), and not without the failure", kWrongCount);
  if (plan.harm == Harm::Grows) {
    std::string text;
    std::array<double, kRounds.size()> rates{};
    for (std::size_t i = 0; i < kRounds.size(); ++i) {
      const unsigned now = leaked(own.run(fail, kRounds[i]).output, f.function);
      const unsigned before = fail.empty() ? 0 : leaked(own.run("", kRounds[i]).output, f.function);
      rates[i] = (static_cast<double>(now) - before) / kRounds[i];
      text += fmt::format("{}after {} rounds: {}", text.empty() ? "" : ", ", kRounds[i], now);
    }
    const auto [low, high] = std::minmax_element(rates.begin(), rates.end());
    constexpr double kLeast = 0.9, kSpread = 1.3;
    return *low > kLeast && *high < kSpread * *low ? "objects that the leak checker lists " + text : "";
  }
  const int sig = signal_of(result.status), usual_sig = signal_of(usual.status);
  if (const std::string words = sanitizer_words(result.output, f); !words.empty())
    return fail.empty() || sanitizer_words(usual.output, f).empty() ? words : "";
  if (sig != 0 && (fail.empty() || usual_sig == 0)) return fmt::format("signal {}", sig);
  return "";
}

}  // namespace

void run_own(const Plans& plans, const Built& built, const Wishes& wishes, const std::string& work,
             const Sandbox& sandbox, const report::Run& run, host::Console& console) {
  OwnRun own(wishes, built.folder, work, sandbox);
  for (const Plan& plan : plans.plans) {
    Confirmation& c = *plan.result;
    if (!plan.untried.empty() || c.status == Confirmation::Status::Confirmed) continue;
    own.choose(plan.finding->function);
    if (own.usual().reached[plan.entry] == 0) {
      if (c.status >= Confirmation::Status::NotReached) continue;
      c.status = Confirmation::Status::NotReached;
      c.why = "the command did not come to the function";
      continue;
    }
    for (const std::vector<unsigned>& sites : plan.attempts) {
      bool fired = false;
      const std::string fail = joined(sites);
      const std::string seen = seen_with(plan, fail, own, fired, sites);
      console.detail(fmt::format("{}: calls {} {}: {}", own.command(), fail.empty() ? "none" : fail,
                                 fired ? "failed" : "did not all fail", seen.empty() ? "nothing was seen" : seen));
      if (fired && c.status < Confirmation::Status::Reached) {
        c.status = Confirmation::Status::Reached;
        c.why = "the place was reached, and nothing was seen";
      } else if (c.status < Confirmation::Status::Reached) {
        c.status = Confirmation::Status::NotReached;
        c.why = "the command did not come to the calls that must fail";
      }
      if (seen.empty()) continue;
      c.status = Confirmation::Status::Confirmed;
      c.why.clear();
      c.seen = seen;
      for (const unsigned s : sites) c.assuming.push_back(shown(*plans.site(s), run.base));
      c.command = fmt::format("RECKON_FAIL={} {}", fail.empty() ? "''" : fail, own.command());
      break;
    }
  }
}

}  // namespace reckon::confirm
