// Each unit is first looked up in the cache, on all cores. What is missing goes to worker processes, which
// write to the cache themselves and answer with the key of their entry, or, without a cache, with the
// encoded unit. Loading is left until the workers have ended, so that the process they are forked from
// stays small and single threaded. An entry that has vanished or is damaged by then is captured once more,
// this time past the cache.
#include "driver/capture_stage.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <set>
#include <span>
#include <unordered_set>

#include "cache/cache.h"
#include "capture/capture.h"
#include "driver/cache_place.h"
#include "driver/version.h"
#include "driver/workers.h"
#include "host/files.h"
#include "model/binary.h"
#include "support/file.h"
#include "support/parallel.h"

namespace reckon::driver {

namespace {

constexpr std::size_t kUnitsInMemory = 2000;      // of a program that has more, unless the user says otherwise
constexpr std::uint64_t kWorkerMemoryMib = 4096;  // a worker's, unless the user says otherwise

// ------------------------------------------------------------ what a worker answers

struct Answer {
  enum Kind : std::uint8_t { Stored, Inline, Failed };
  Kind kind = Failed;
  std::string body;  // key of the cache entry, encoded unit, or Clang's errors
  std::vector<std::string> dropped_flags;
  std::string cache_problem;
};

void put(std::string& out, std::string_view text) {
  const std::uint64_t size = text.size();
  out.append(reinterpret_cast<const char*>(&size), sizeof size);
  out += text;
}

bool take(std::string_view& in, std::string& text) {
  std::uint64_t size = 0;
  if (in.size() < sizeof size) return false;
  std::memcpy(&size, in.data(), sizeof size);
  in.remove_prefix(sizeof size);
  if (in.size() < size) return false;
  text = in.substr(0, size);
  in.remove_prefix(size);
  return true;
}

const std::string& own_headers() {
  static const std::string folder = host::specs_folder().empty() ? "" : host::specs_folder() + "/headers";
  return folder;
}

// OpenMP's directives would tear a function apart: what runs in parallel becomes a function of its own, called by the
// runtime. Without the flag they are comments, and the code reads as it runs on one thread. What the flag defines stays
// defined, and its header, which Clang has only with the runtime, is found in any case.
void leave_out_openmp(std::vector<std::string>& arguments) {
  const auto is_flag = [](std::string_view word) { return word == "-fopenmp" || word.starts_with("-fopenmp="); };
  if (std::erase_if(arguments, is_flag) == 0) return;
  arguments.insert(arguments.begin() + 1, "-D_OPENMP=201811");
  if (!own_headers().empty()) arguments.insert(arguments.begin() + 1, {"-idirafter", own_headers() + "/missing"});
}

std::string pack(const Answer& answer) {
  std::string out(1, static_cast<char>(answer.kind));
  put(out, answer.body);
  put(out, answer.cache_problem);
  for (const std::string& flag : answer.dropped_flags) put(out, flag);
  return out;
}

bool unpack(std::string_view in, Answer& answer) {
  if (in.empty()) return false;
  answer.kind = static_cast<Answer::Kind>(in[0]);
  in.remove_prefix(1);
  if (!take(in, answer.body) || !take(in, answer.cache_problem)) return false;
  while (!in.empty()) {
    std::string flag;
    if (!take(in, flag)) return false;
    answer.dropped_flags.push_back(std::move(flag));
  }
  return true;
}

// ------------------------------------------------------------ helpers

// Calls body(i) for each i below `count`, where each thread has a body of its own, so that what is not to be shared can
// live in it.
using Body = std::function<void(std::size_t)>;
void with_own_bodies(unsigned jobs, std::size_t count, const std::function<Body()>& make_body) {
  std::atomic<std::size_t> next = 0;
  support::on_threads(std::min<std::size_t>(jobs, count), [&] {
    const Body body = make_body();
    for (std::size_t i; (i = next.fetch_add(1)) < count;) body(i);
  });
}

// Clang's errors without the chain of includes that differs from unit to unit, to tell repeated ones.
std::string without_includes(std::string_view errors) {
  std::string out;
  while (!errors.empty()) {
    const auto end = errors.find('\n');
    const std::string_view line = errors.substr(0, end);
    const auto text = line.find_first_not_of(' ');
    const bool chain = line.starts_with("In file included from ") ||
                       (text != std::string_view::npos && line.substr(text).starts_with("from ") && text > 0);
    if (!chain) out.append(line).push_back('\n');
    if (end == std::string_view::npos) break;
    errors.remove_prefix(end + 1);
  }
  return out;
}

constexpr unsigned kStoresPerEviction = 32;

class Stage {
 public:
  // `most`: how many units may be in memory; where there are more, and a cache, all stay there.
  Stage(const std::vector<frontends::Command>& commands, const Options& options, host::Console& console,
        const Overlay* overlay, std::size_t most)
      : commands_(commands),
        options_(options),
        console_(console),
        overlay_(overlay),
        place_(cache_place(options.capture)),
        cache_(place_, overlay ? overlay->texts : nullptr) {
    version_ = cache_version();
    most_units_ = cache_.writable() && commands.size() > most ? most : SIZE_MAX;
    slots_.resize(commands.size());
    if (place_.folder.empty() && !options.capture.no_cache)
      console_.detail("no cache: neither XDG_CACHE_HOME nor HOME is set (--cache DIR)");
    if (!cache_.problem().empty())
      console_.warning(
          fmt::format("the cache is {}: {}", cache_.enabled() ? "only read" : "not used", cache_.problem()));
  }

  Captured run() {
    Captured result;
    find_cached();
    std::vector<std::uint32_t> missing = slots_without_unit();
    result.from_cache = slots_.size() - missing.size();
    refuse_unreadable(missing);
    missing = slots_without_unit();
    for (const bool use_cache : {true, false}) {
      if (missing.empty()) break;
      if (!compile(missing, use_cache && cache_.writable())) {
        console_.error("interrupted");
        result.interrupted = true;
        return result;
      }
      load_units(missing);
      missing = slots_without_unit();
    }
    // What is left in the cache must not go before it was read.
    if (stored_ && cache_.writable() && most_units_ == SIZE_MAX) cache_.evict();
    collect(result);
    if (cache_.enabled()) result.cache = place_;
    return result;
  }

 private:
  struct Slot {
    std::string request_key;
    std::string content_key, encoded;  // where a compiled unit is to be had
    std::string loaded_key;            // where it was loaded from
    std::shared_ptr<const model::Unit> unit;
    bool in_cache = false;  // and left there
    std::vector<std::string> headers, dropped_flags;
    bool undecodable = false;
    std::string failure;  // why there will be no unit
    std::string errors;   // Clang's, if it does not compile
    bool captured() const { return unit || in_cache; }
  };

  void find_cached() {
    if (!cache_.enabled()) return;
    with_own_bodies(options_.capture.jobs, slots_.size(), [&]() -> Body {
      const auto cache = make_cache();
      return [&, cache](std::size_t i) {
        const frontends::Command& command = commands_[i];
        slots_[i].request_key = cache::Cache::request_key(command.directory, command.file, command.arguments, version_);
        const auto key = cache->lookup(slots_[i].request_key, command.path);
        if (!key) return;
        slots_[i].content_key = *key;
        load_unit(*cache, slots_[i]);
      };
    });
  }

  // One Cache belongs to one thread.
  std::shared_ptr<cache::Cache> make_cache() const {
    return std::make_shared<cache::Cache>(place_, overlay_ ? overlay_->texts : nullptr);
  }

  // Loads what is in the cache or was sent by a worker.
  void load_units(const std::vector<std::uint32_t>& indices) {
    with_own_bodies(options_.capture.jobs, indices.size(), [&]() -> Body {
      const auto cache = make_cache();
      return [&, cache](std::size_t n) { load_unit(*cache, slots_[indices[n]]); };
    });
    for (const std::uint32_t i : indices) {
      if (!slots_[i].undecodable) continue;
      slots_[i].failure = "the captured unit cannot be decoded";
      explain_failure(i);
    }
  }

  // A cache entry that is not what it should be leaves the slot empty, to be compiled.
  void load_unit(cache::Cache& cache, Slot& slot) const {
    const std::string key = std::move(slot.content_key), encoded = std::move(slot.encoded);
    slot.content_key.clear();
    slot.encoded.clear();
    cache::UnitMeta meta;
    if (!key.empty() && most_units_ != SIZE_MAX) {
      slot.in_cache = cache.describe(key, slot.headers, meta);
      if (!slot.in_cache) return;
      slot.loaded_key = key;
      slot.dropped_flags = std::move(meta.dropped_flags);
      return;
    }
    auto unit = std::make_shared<model::Unit>();
    if (!key.empty() && cache.load(key, *unit, meta)) {
      slot.unit = std::move(unit);
      slot.loaded_key = key;
      slot.dropped_flags = std::move(meta.dropped_flags);
    } else if (!encoded.empty()) {
      slot.undecodable = !model::decode(std::as_bytes(std::span(encoded)), *unit);
      if (!slot.undecodable) slot.unit = std::move(unit);
    }
  }

  std::vector<std::uint32_t> slots_without_unit() const {
    std::vector<std::uint32_t> missing;
    for (std::uint32_t i = 0; i < slots_.size(); ++i)
      if (!slots_[i].captured() && slots_[i].failure.empty()) missing.push_back(i);
    return missing;
  }

  // A list of files that are gone (an old database) needs no compiler to say so.
  void refuse_unreadable(const std::vector<std::uint32_t>& indices) {
    for (const std::uint32_t i : indices) {
      if (overlay_ && overlay_->texts->contains(commands_[i].path)) continue;
      slots_[i].failure = support::complaint_about_input(commands_[i].path);
      if (!slots_[i].failure.empty()) explain_failure(i);
    }
  }

  // Runs in the worker.
  std::string work(std::uint32_t i, bool use_cache) {
    const frontends::Command& command = commands_[i];
    std::vector<std::string> arguments = with_own_headers(command);
    if (overlay_) arguments.insert(arguments.begin() + 1, {"-ivfsoverlay", overlay_->list});
    capture::Result captured = capture::capture_unit({command.directory, command.file, arguments, {}});
    Answer answer;
    answer.dropped_flags = captured.dropped_flags;
    if (!captured.ok) {
      answer.body = std::move(captured.errors);
      return pack(answer);
    }
    if (use_cache) {
      if (cache_.store(slots_[i].request_key, captured.dependencies, captured.unit, {captured.dropped_flags},
                       answer.body)) {
        answer.kind = Answer::Stored;
        // The folder's size is known from what each process says it wrote, so workers have to say it, too.
        if (++stores_ % kStoresPerEviction == 0 && most_units_ == SIZE_MAX) cache_.evict();
        return pack(answer);
      }
      answer.cache_problem = cache_.problem();
    }
    answer.kind = Answer::Inline;
    answer.body = model::encode(captured.unit);
    return pack(answer);
  }

  // False: interrupted.
  bool compile(const std::vector<std::uint32_t>& tasks, bool use_cache) {
    WorkerLimits limits;
    limits.seconds = options_.capture.timeout;
    limits.memory_mib = options_.capture.memory_limit_mib.value_or(kWorkerMemoryMib);
    if (limits.memory_mib > 0) limits.retire_rss_mib = std::min<std::uint64_t>(1024, limits.memory_mib / 2);
    WorkerCallbacks callbacks;
    callbacks.work = [&](std::uint32_t i) { return work(i, use_cache); };
    callbacks.done = [&](std::uint32_t i, TaskResult result) { take_result(i, std::move(result)); };
    callbacks.tick = [&](std::size_t finished) { console_.progress("capturing", finished, tasks.size()); };
    console_.progress("capturing", 0, tasks.size());
    const bool complete = run_in_workers(tasks, options_.capture.jobs, limits, callbacks);
    console_.end_progress();
    return complete;
  }

  void explain_failure(std::uint32_t i) {
    const std::string text = fmt::format("{}: not analysed: {}", commands_[i].path, slots_[i].failure);
    overlay_ ? console_.detail(text) : console_.warning(text);
  }

  void take_result(std::uint32_t i, TaskResult result) {
    Slot& slot = slots_[i];
    Answer answer;
    if (!result.ok) {
      slot.failure = result.reason;
      explain_failure(i);
      if (!result.output.empty() && console_.verbose()) {
        console_.detail("the worker's last words:");
        console_.raw(result.output);
      }
      return;
    }
    if (!unpack(result.bytes, answer)) {
      slot.failure = "the worker process gave a damaged answer";
      explain_failure(i);
      return;
    }
    slot.dropped_flags = std::move(answer.dropped_flags);
    if (!answer.cache_problem.empty() && cache_problems_.insert(answer.cache_problem).second)
      console_.warning(fmt::format("the cache cannot be written: {}", answer.cache_problem));
    switch (answer.kind) {
      case Answer::Stored:
        slot.content_key = std::move(answer.body);
        stored_ = true;
        break;
      case Answer::Inline: slot.encoded = std::move(answer.body); break;
      case Answer::Failed:
        slot.failure = "does not compile";
        if (!overlay_ || console_.verbose())
          if (shown_errors_.insert(without_includes(answer.body)).second) console_.raw(answer.body);
        slot.errors = std::move(answer.body);
        console_.detail(fmt::format("{}: not analysed: does not compile", commands_[i].path));
        break;
    }
  }

  void collect(Captured& result) {
    std::set<std::string> dropped;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      Slot& slot = slots_[i];
      dropped.insert(slot.dropped_flags.begin(), slot.dropped_flags.end());
      result.unit_of.push_back(slot.unit);
      if (cache_.enabled()) result.key_of.push_back(slot.request_key);
      if (slot.captured()) {
        if (slot.unit)
          for (const model::StrId header : slot.unit->headers) result.headers.emplace(slot.unit->str(header));
        for (std::string& header : slot.headers) result.headers.insert(std::move(header));
        slot.headers = {};
        result.units.push_back(slot.unit);
        result.request_keys.push_back(slot.request_key);
        result.content_keys.push_back(slot.loaded_key);
        continue;
      }
      if (slot.failure.empty()) slot.failure = "could not be read back from the cache";
      result.failed.push_back({i, commands_[i].path, slot.failure, slot.errors});
    }
    result.most_units = most_units_;
    result.compiled = result.units.size() - result.from_cache;
    if (dropped.empty()) return;
    std::string list;
    for (const std::string& flag : dropped) list += " " + flag;
    console_.detail(fmt::format("flags that Clang does not know or that do not change the program, dropped:{}", list));
  }

  const std::vector<frontends::Command>& commands_;
  const Options& options_;
  host::Console& console_;
  const Overlay* overlay_;
  cache::Place place_;
  cache::Cache cache_;
  std::string version_;
  std::size_t most_units_ = SIZE_MAX;  // SIZE_MAX: all are loaded
  std::vector<Slot> slots_;
  bool stored_ = false;  // by any worker
  unsigned stores_ = 0;  // by this process, if it is a worker
  std::unordered_set<std::string> shown_errors_, cache_problems_;
};

}  // namespace

std::vector<std::string> with_own_headers(const frontends::Command& command) {
  static constexpr std::string_view kFlags[] = {"-I", "-isystem", "-iquote", "-idirafter"};
  const std::string& folder = own_headers();
  static const std::vector<std::string> ours = host::files_in(folder, ".h");
  std::vector<std::string> arguments = command.arguments;
  leave_out_openmp(arguments);
  auto shadows = [&](std::string_view dir) {
    const std::string place = dir.starts_with("/") ? std::string(dir) : command.directory + "/" + std::string(dir);
    return std::any_of(ours.begin(), ours.end(), [&](const std::string& header) {
      return access((place + header.substr(folder.size())).c_str(), R_OK) == 0;
    });
  };
  for (std::size_t i = 1; i < arguments.size(); ++i)
    for (const std::string_view flag : kFlags) {
      const std::string_view argument = arguments[i];
      if (!argument.starts_with(flag)) continue;
      const bool apart = argument.size() == flag.size();
      if (apart && i + 1 == arguments.size()) continue;
      if (!shadows(apart ? std::string_view(arguments[i + 1]) : argument.substr(flag.size()))) continue;
      arguments.insert(arguments.begin() + 1, "-I" + folder);
      return arguments;
    }
  return arguments;
}

bool nothing_captured(const Captured& captured, host::Console& console) {
  if (!captured.units.empty() || captured.failed.empty()) return false;
  console.error(
      fmt::format("nothing was analysed: {} of {} units failed", captured.failed.size(), captured.failed.size()));
  return true;
}

Captured capture_units(const std::vector<frontends::Command>& commands, const Options& options, host::Console& console,
                       const Overlay* overlay) {
  return Stage(commands, options, console, overlay, SIZE_MAX).run();
}

Captured capture_many(const std::vector<frontends::Command>& commands, const Options& options, host::Console& console) {
  // What --new-since compares with shares units of today's state.
  if (!options.report.new_since.empty()) return capture_units(commands, options, console);
  const std::size_t most = options.capture.units_in_memory.value_or(kUnitsInMemory);
  return Stage(commands, options, console, nullptr, most).run();
}

}  // namespace reckon::driver
