#include "program/mine_spec.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <vector>

#include "program/mine.h"

namespace reckon::program {

namespace {

using model::TypeKind;

// What comments say of ownership, in small letters.
constexpr std::string_view kTakes[] = {"takes over", "taken over", "takes ownership", "takes the reference", "steals",
                                       "consumes",   "gives up",   "now owned by",    "transfer full"};
constexpr std::string_view kLends[] = {"stays the",     "belongs to",   "borrowed",       "do not free", "not be freed",
                                       "must not free", "do not unref", "do not release", "owned by"};
constexpr std::string_view kGives[] = {"caller frees",  "caller must",     "must be freed",      "free with",
                                       "free it with",  "freed by",        "one more reference", "returns a reference",
                                       "new reference", "owned reference", "caller owns",        "must be released"};
// What words of names say of a function that gives a pointer.
constexpr std::string_view kMakers[] = {"new",    "create", "alloc", "make", "find",
                                        "lookup", "open",   "dup",   "copy", "clone"};
constexpr std::string_view kLenders[] = {"first",  "next", "prev",    "last", "peek",
                                         "parent", "root", "current", "get0", "owner"};

constexpr std::string_view kReleasers[] = {"free",  "unref",   "release", "put",    "destroy", "delete",
                                           "close", "dispose", "drop",    "decref", "cleanup"};
constexpr std::string_view kHolders[] = {"ref", "retain", "incref", "hold", "acquire"};

template <std::size_t N>
bool says(const std::string& comment, const std::string_view (&phrases)[N]) {
  return std::any_of(std::begin(phrases), std::end(phrases),
                     [&](std::string_view phrase) { return comment.find(phrase) != std::string::npos; });
}

template <std::size_t N>
bool has_word(const std::string& name, const std::string_view (&words)[N]) {
  const std::string text = "_" + name + "_";
  return std::any_of(std::begin(words), std::end(words), [&](std::string_view word) {
    return text.find("_" + std::string(word) + "_") != std::string::npos;
  });
}

struct Declared {
  const model::Unit* unit = nullptr;
  const model::Symbol* symbol = nullptr;
};

// The struct that a pointer leads to; "": none.
std::string struct_behind(const model::Unit& unit, model::TypeId t) {
  const model::Type& pointer = unit.type(t);
  if (pointer.kind != TypeKind::Pointer) return "";
  const model::Type& to = unit.type(pointer.elem);
  return to.kind == TypeKind::Struct ? std::string(unit.str(to.name)) : "";
}

class Miner {
 public:
  Miner(const Program& program, const specs::SpecSet& specs) : specs_(specs) {
    for (UnitId u{}; u < program.num_units(); ++u) {
      const model::Unit& unit = program.unit_at(u);
      for (const model::Symbol& symbol : unit.symbols)
        if (symbol.kind == model::SymbolKind::Function && unit.type(symbol.type).kind == TypeKind::Function)
          declared_.try_emplace(std::string(unit.str(symbol.display)), Declared{&unit, &symbol});
    }
    // Pairs that hand objects out come first: the struct is counted, and its other pairs are counts with a name.
    for (const MinedPair& pair : mine_pairs(program, specs))
      if (pair.hands_out) {
        families_.insert(pair.object);
        lines_.try_emplace(pair.up, pair.up_line);
        lines_.try_emplace(pair.down, pair.down_line);
      } else {
        counts_.push_back(pair);
      }
  }

  std::size_t families() const { return families_.size(); }

  // A line for a function that somebody asks about.
  std::string propose(const std::string& name, const CommentAt& comment_at) {
    const auto where = declared_.find(name);
    if (where == declared_.end()) return "";
    if (lines_.count(name) == 0) describe(name, where->second, comment_at);
    const auto mined = lines_.find(name);
    return mined != lines_.end() ? mined->second : guess(name, where->second, comment_at);
  }

  MinedSpec write(std::string_view domain, const CommentAt& comment_at) {
    for (const MinedPair& pair : counts_)
      if (families_.count(pair.object) != 0) {
        lines_.try_emplace(pair.up, pair.up_line);
        lines_.try_emplace(pair.down, pair.down_line);
      }
    for (const auto& [name, where] : declared_)
      if (!specs_.find(name)) describe(name, where, comment_at);
    MinedSpec out;
    out.families = families_.size();
    if (families_.empty()) return out;
    out.text =
        std::string(kMinedHeading) + ", bodies and comments: read it once, mend what happens on failure, keep it.\n";
    out.text += "domain " + std::string(domain) + "\n";
    if (const std::string header = common_header(); !header.empty()) out.text += "header " + header + "\n";
    out.text += "check leaks pairs\n\n";
    for (const auto& [name, line] : lines_) {
      out.text += line + "\n";
      ++out.functions;
    }
    return out;
  }

 private:
  // What the comment, or else the name, says of a function that is in no pair.
  void describe(const std::string& name, const Declared& where, const CommentAt& comment_at) {
    const model::Type& type = where.unit->type(where.symbol->type);
    std::size_t taken = type.params.size();
    std::string list;
    for (std::size_t k = 0; k < type.params.size(); ++k) {
      if (taken == type.params.size() && families_.count(struct_behind(*where.unit, type.params[k])) != 0) taken = k;
      list += (k == 0 ? "" : ", ") + ("a" + std::to_string(k));
    }
    if (type.variadic) list += list.empty() ? "..." : ", ...";
    const bool gives = families_.count(struct_behind(*where.unit, type.elem)) != 0;
    if (!gives && taken == type.params.size()) return;
    const std::string comment = small(comment_at(where.unit->str(where.symbol->loc.file), where.symbol->loc.line));
    const std::string head = "fn " + name + "(" + list + ")  -> ";
    const std::string takes =
        taken < type.params.size() && says(comment, kTakes) ? " steals a" + std::to_string(taken) : "";
    if (gives && says(comment, kLends))
      replace(name, head + "borrowed" + takes + " | NULL" + takes);
    else if (gives && says(comment, kGives))
      lines_.try_emplace(name, head + "new" + takes + " | NULL fails" + takes);
    else if (gives && has_word(name, kMakers))
      lines_.try_emplace(name, head + "new" + takes + " | NULL fails" + takes);
    else if (gives && has_word(name, kLenders))
      lines_.try_emplace(name, head + "borrowed" + takes + " | NULL" + takes);
    else if (!takes.empty())
      replace(name, head + (where.unit->type(type.elem).kind == TypeKind::Void ? "void" : "any") + takes);
  }

  // By types and words alone, of any pointer.
  std::string guess(const std::string& name, const Declared& where, const CommentAt& comment_at) const {
    const model::Unit& unit = *where.unit;
    const model::Type& type = unit.type(where.symbol->type);
    const std::string comment = small(comment_at(unit.str(where.symbol->loc.file), where.symbol->loc.line));
    std::string list, object, out;  // the first pointer, and the first address of one
    for (std::size_t k = 0; k < type.params.size(); ++k) {
      const std::string param = "a" + std::to_string(k);
      list += (k == 0 ? "" : ", ") + param;
      const model::Type& pointer = unit.type(type.params[k]);
      if (pointer.kind != TypeKind::Pointer) continue;
      (unit.type(pointer.elem).kind == TypeKind::Pointer ? out : object).append(param + " ");
    }
    if (type.variadic) list += list.empty() ? "..." : ", ...";
    object = object.substr(0, object.find(' '));
    out = out.substr(0, out.find(' '));
    const TypeKind result = unit.type(type.elem).kind;
    const bool maker = says(comment, kGives) || has_word(name, kMakers);
    const std::string head = "fn " + name + "(" + list + ")  -> ", plain = result == TypeKind::Void ? "void" : "any";
    if (result == TypeKind::Pointer) {
      if (says(comment, kLends)) return head + "borrowed | NULL";
      if (!object.empty() && !maker && has_word(name, kHolders)) return head + "same " + object + " " + object + "+1";
      return head + (maker ? "new | NULL" : "borrowed | NULL  # or: new | NULL");
    }
    if (!object.empty() && says(comment, kTakes)) return head + plain + " steals " + object;
    if (!object.empty() && has_word(name, kReleasers)) return head + plain + " " + object + "-1";
    if (!object.empty() && has_word(name, kHolders)) return head + plain + " " + object + "+1";
    if (!out.empty() && maker && result == TypeKind::Int)
      return head + "0 *" + out + "=new | !=0 fails *" + out + "=NULL";
    return head + plain;
  }

  static std::string small(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
  }

  // A comment knows better than the name by which a pair was found.
  void replace(const std::string& name, std::string line) { lines_.insert_or_assign(name, std::move(line)); }

  // The header that declares most of these functions, by its name; "": they are declared in sources.
  std::string common_header() const {
    std::map<std::string, std::size_t> votes;
    for (const auto& [name, line] : lines_)
      if (const auto it = declared_.find(name); it != declared_.end()) {
        const std::string_view path = it->second.unit->str(it->second.symbol->loc.file);
        const std::string file(path.substr(path.rfind('/') + 1));
        const bool plain =
            std::all_of(file.begin(), file.end(), [](unsigned char c) { return std::isgraph(c) && c != '#'; });
        if (plain && (file.ends_with(".h") || file.ends_with(".hpp"))) ++votes[file];  // a spec is made of words
      }
    std::string best;
    for (const auto& [file, n] : votes)
      if (best.empty() || n > votes[best]) best = file;
    return best;
  }

  const specs::SpecSet& specs_;
  std::map<std::string, Declared> declared_;
  std::set<std::string> families_;  // structs that look counted
  std::vector<MinedPair> counts_;   // pairs of named counts
  std::map<std::string, std::string> lines_;
};

}  // namespace

MinedSpec mine_spec(const Program& program, const specs::SpecSet& specs, std::string_view domain,
                    const CommentAt& comment_at) {
  return Miner(program, specs).write(domain, comment_at);
}

std::map<std::string, std::string> propose_lines(const Program& program, const specs::SpecSet& specs,
                                                 const std::set<std::string>& names, const CommentAt& comment_at) {
  Miner miner(program, specs);
  std::map<std::string, std::string> out;
  for (const std::string& name : names)
    if (std::string line = miner.propose(name, comment_at); !line.empty()) out.emplace(name, std::move(line));
  return out;
}

std::size_t count_families(const Program& program, const specs::SpecSet& specs) {
  return Miner(program, specs).families();
}

}  // namespace reckon::program
