// reckon import gir FILE... -o OUT.spec: what GObject introspection says of a library, as a spec.
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <memory>

#include "driver/command_line.h"
#include "driver/commands.h"
#include "driver/output_places.h"
#include "frontends/builds/compdb.h"
#include "frontends/gir/gir.h"
#include "host/files.h"
#include "specs/spec_set.h"
#include "support/output_file.h"

namespace reckon::driver {

namespace {

namespace gir = frontends::gir;

struct ImportOptions {
  std::vector<std::string> files;
  std::string output;
  std::string domain = "glib";
  std::vector<std::string> headers;
  std::vector<std::string> held;  // classes whose objects the library keeps
};

constexpr std::string_view kHeading = "# Imported from introspection data:";

// The namespaces by "Gtk-3.0": those that are imported, and those that they refer to, for the types in them.
class Library {
 public:
  explicit Library(host::Console& console) : console_(console) {}

  // The key of the namespace in this file; "": it cannot be read, and the console has said so.
  std::string read(const std::string& path) {
    std::vector<std::string> referred;
    const std::string key = read_one(path, referred);
    if (key.empty()) return "";
    while (!referred.empty()) {  // no recursion: a file may refer to as many others as it likes, and to itself
      const std::string next = std::move(referred.back());
      referred.pop_back();
      if (read_one(next, referred).empty()) return "";
    }
    return key;
  }

  std::map<std::string, gir::Namespace> spaces;
  std::vector<std::string> missing;
  std::vector<std::string> files;  // that were read

 private:
  std::string read_one(const std::string& path, std::vector<std::string>& referred) {
    std::string text, problem;
    gir::Namespace space;
    if (!host::read_file(path, text, problem) || !gir::read(text, space, problem)) {
      console_.error(fmt::format("{}: {}", path, problem));
      return "";
    }
    files.push_back(frontends::absolute_path(path, host::current_folder()));
    std::string key = space.name + "-" + space.version;
    for (const std::string& include : space.includes) {
      if (!spaces.try_emplace(include).second) continue;  // each is asked for once, whatever its file then holds
      const std::string place = place_of(include, path);
      (place.empty() ? missing : referred).push_back(place.empty() ? include : place);
    }
    gir::Namespace& entry = spaces[key];
    if (entry.name.empty()) entry = std::move(space);
    return key;
  }

  // What a file refers to lies beside it, as a rule, or where the system keeps such files; "": nowhere.
  static std::string place_of(const std::string& include, const std::string& path) {
    if (include.find('/') != std::string::npos) return "";
    for (const std::filesystem::path& folder :
         {std::filesystem::path(path).parent_path(), std::filesystem::path("/usr/share/gir-1.0")}) {
      const std::filesystem::path other = folder / (include + ".gir");
      std::error_code ignored;
      if (std::filesystem::exists(other, ignored)) return other.string();
    }
    return "";
  }

  host::Console& console_;
};

std::string heading(const ImportOptions& own, const std::vector<std::string>& keys) {
  std::string text(kHeading);
  for (const std::string& key : keys) text += " " + key;
  text += "\n";
  if (!own.headers.empty()) {
    text += "only-with";
    for (const std::string& header : own.headers) text += " " + header;
    text += "\n";
  }
  return text + "domain " + own.domain + "\n\n";
}

int work(const ImportOptions& own, const Options& options, host::Console& console) {
  const auto in_word = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; };
  if (!std::all_of(own.domain.begin(), own.domain.end(), in_word)) {
    console.error(fmt::format("--domain: '{}' is no name of a domain", own.domain));
    return kExitUsage;
  }
  OutputPlaces places(options, console);
  for (const std::string& path : own.files)
    places.enter(frontends::absolute_path(path, host::current_folder()), "is read by this run");
  const auto place = places.made_spec(own.output, kHeading, "imported spec");  // known before the work starts
  if (!place) return kExitUsage;
  Library library(console);
  std::vector<std::string> keys;
  for (const std::string& path : own.files) {
    keys.push_back(library.read(path));
    if (keys.back().empty()) return kExitUsage;
  }
  if (!places.spare(library.files)) return kExitUsage;
  std::string text = heading(own, keys);
  std::size_t functions = 0;
  gir::LeftOut left_out;
  for (const std::string& key : keys) {
    gir::Written written = gir::write_spec(library.spaces[key], library.spaces, own.held);
    text += written.text;
    functions += written.functions;
    for (auto& [reason, names] : written.left_out) {
      std::vector<std::string>& all = left_out[reason];
      all.insert(all.end(), names.begin(), names.end());
    }
  }
  // A name in the data may be one that the language cannot say.
  std::vector<specs::SpecError> errors;
  specs::parse_spec(own.output, text, errors);
  for (const specs::SpecError& error : errors)
    console.error(fmt::format("{}:{}: {}", error.loc.file, error.loc.line, error.message));
  std::string problem;
  if (!support::write_output(*place, text, problem)) {
    console.error(problem);
    return kExitUsage;
  }
  for (const std::string& name : library.missing)
    console.warning(fmt::format("{}.gir was not found: types of that namespace are not known", name));
  console.note(fmt::format("{}: {} functions", own.output, functions));
  for (const auto& [reason, names] : left_out) {
    console.note(fmt::format("not said, of {}: {}", names.size(), reason));
    if (options.verbose)
      for (const std::string& name : names) console.note("    " + name);
  }
  return errors.empty() ? kExitClean : kExitUsage;
}

}  // namespace

void define_import_gir(CommandLine& line) {
  auto own = std::make_shared<ImportOptions>();
  CommandArguments app = line.command_below(
      "import",
      {"gir", "From GObject introspection data: who owns what", "reckon import gir [OPTIONS] FILE... -o OUT.spec"},
      [own](const Options& options, host::Console& console) { return work(*own, options, console); });
  app.text({"-o,--output", "The spec file to write", "FILE", true}, own->output);
  app.text({"--domain", "The domain that the functions belong to (default: glib)", "NAME"}, own->domain);
  app.repeated({"--only-with", "Read the spec only for units that read this header", "HEADER"}, own->headers);
  app.repeated({"--held", "A class whose objects the library keeps itself", "CLASS"}, own->held);
  app.flag("-v,--verbose", "Name the functions of which something could not be said", line.options.verbose);
  app.words({"files", "Introspection data, e.g. /usr/share/gir-1.0/Gtk-3.0.gir", "FILE", true}, own->files);
}

}  // namespace reckon::driver
