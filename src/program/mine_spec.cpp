#include "program/mine_spec.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "program/mine.h"

namespace reckon::program {

namespace {

using model::TypeKind;

// What words of names say of a function that gives a pointer.
constexpr std::string_view kMakers[] = {"new",   "create", "alloc", "make", "open", "dup",   "copy",
                                        "clone", "parse",  "build", "from", "read", "decode"};
// And of one that stores a pointer for its caller.
constexpr std::string_view kStorers[] = {"connect", "accept", "load"};
constexpr std::string_view kLenders[] = {"first",  "next", "prev",    "last", "peek",
                                         "parent", "root", "current", "get0", "owner"};

constexpr std::string_view kReleasers[] = {"free",  "unref",   "release", "put",    "destroy", "delete",
                                           "close", "dispose", "drop",    "decref", "cleanup"};
constexpr std::string_view kHolders[] = {"ref", "retain", "incref", "hold", "acquire"};

// Words of which the first takes one more reference to an object that is there, and the second gives it back.
constexpr std::pair<std::string_view, std::string_view> kReferences[] = {
    {"ref", "unref"},      {"get", "put"},       {"acquire", "release"}, {"grab", "drop"},
    {"hold", "release"},   {"hold", "put"},      {"inc", "dec"},         {"up_ref", "free"},
    {"retain", "release"}, {"incref", "decref"}, {"addref", "release"}};
// Words of which the first begins something that the second has to end. What is added to a container, registered or
// loaded may stay.
constexpr std::pair<std::string_view, std::string_view> kObligations[] = {
    {"lock", "unlock"}, {"enable", "disable"},  {"prepare", "unprepare"}, {"pin", "unpin"}, {"claim", "release"},
    {"map", "unmap"},   {"acquire", "release"}, {"hold", "release"},      {"begin", "end"}, {"suspend", "resume"}};

// Do the names differ in these words, and in nothing else?
template <std::size_t N>
bool differ_in(const std::string& up, const std::string& down,
               const std::pair<std::string_view, std::string_view> (&words)[N]) {
  return std::any_of(std::begin(words), std::end(words), [&](const auto& pair) {
    const auto& [first, second] = pair;
    for (std::size_t at = up.find(first); at != std::string::npos; at = up.find(first, at + 1))
      if ((at == 0 || up[at - 1] == '_') && (at + first.size() == up.size() || up[at + first.size()] == '_') &&
          up.substr(0, at) + std::string(second) + up.substr(at + first.size()) == down)
        return true;
    return false;
  });
}

template <std::size_t N>
bool has_word(const std::string& name, const std::string_view (&words)[N]) {
  const std::string text = "_" + name + "_";
  return std::any_of(std::begin(words), std::end(words), [&](std::string_view word) {
    const std::string begin = "_" + std::string(word);
    for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1)) {
      const std::size_t end = text.find_first_not_of("0123456789", at + begin.size());  // open3
      if (text[end] == '_') return true;
    }
    return false;
  });
}

struct Declared {
  const model::Unit* unit = nullptr;
  const model::Symbol* symbol = nullptr;
  bool defined = false;                                         // somewhere in the program
  std::set<std::pair<std::string_view, std::uint32_t>> places;  // where units declare or define it
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
        if (symbol.kind == model::SymbolKind::Function && unit.type(symbol.type).kind == TypeKind::Function) {
          Declared& where =
              declared_.try_emplace(std::string(unit.str(symbol.display)), Declared{&unit, &symbol, false, {}})
                  .first->second;
          where.defined = where.defined || symbol.defined;
          where.places.emplace(unit.str(symbol.loc.file), symbol.loc.line);
        }
    }
    // Pairs that hand objects out, or references to them, come first: the struct is counted, and its other pairs are
    // counts with a name.
    const std::vector<MinedPair> pairs = mine_pairs(program, specs);
    for (const MinedPair& pair : pairs) add_own_sources(pair);
    for (const MinedPair& pair : pairs) {
      if (!public_name(pair.up) || !public_name(pair.down)) continue;
      if (pair.takes_it && (takes_reference(pair) || pair.frees)) {
        families_.insert(pair.object);
        lines_.insert_or_assign(pair.up, reference_line(pair.up, pair.hands_out));
        lines_.insert_or_assign(pair.down, release_line(pair.down));
      } else if (pair.hands_out && (!pair.takes_it || has_word(pair.up, kMakers))) {
        families_.insert(pair.object);
        lines_.try_emplace(pair.up, head_of(pair.up, "p") + "new | NULL");
        lines_.insert_or_assign(pair.down, release_line(pair.down));
      } else if (!pair.hands_out && differ_in(pair.up, pair.down, kObligations)) {
        counts_.push_back(pair);
      }
    }
  }

  std::size_t families() const { return families_.size(); }

  // A line for a function that somebody asks about.
  std::string propose(const std::string& name, const WrittenAt& written_at) {
    const auto where = declared_.find(name);
    if (where == declared_.end()) return "";
    if (lines_.count(name) == 0) describe(name, where->second, written_at);
    const auto mined = lines_.find(name);
    return mined != lines_.end() ? mined->second : guess(name, where->second, written_at);
  }

  MinedSpec write(std::string_view domain, const WrittenAt& written_at) {
    for (const MinedPair& pair : counts_)
      if (families_.count(pair.object) != 0) {
        lines_.try_emplace(pair.up, pair.up_line);
        lines_.try_emplace(pair.down, pair.down_line);
      }
    for (const auto& [name, where] : declared_)
      if (!specs_.find(name)) describe(name, where, written_at);
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
  // A source that defines both functions of a pair, for others to call, is one of the library's own.
  void add_own_sources(const MinedPair& pair) {
    const Declared &up = declared_.at(pair.up), &down = declared_.at(pair.down);
    if (!up.defined || !down.defined || is_internal(up) || is_internal(down)) return;
    for (const auto& [file, line] : up.places)
      if (std::any_of(down.places.begin(), down.places.end(), [&](const auto& place) { return place.first == file; }))
        own_sources_.insert(file);
  }

  // Is this one of the library's, and not a helper that one source keeps for itself? What no header declares, and what
  // the program defines, nobody else knows, unless it stands beside a pair in the library's own source.
  bool public_name(const std::string& name) const {
    const Declared& where = declared_.at(name);
    return !where.defined || std::any_of(where.places.begin(), where.places.end(), [&](const auto& place) {
      return is_header(place.first) || (!is_internal(where) && own_sources_.count(place.first) != 0);
    });
  }
  static bool is_internal(const Declared& where) { return where.symbol->linkage == model::Linkage::Internal; }
  static bool is_header(std::string_view file) { return file.ends_with(".h") || file.ends_with(".hpp"); }

  // get and put of one object: the names say so, and `get` is told nothing but which object.
  bool takes_reference(const MinedPair& pair) const {
    const Declared& up = declared_.at(pair.up);
    const model::Type& type = up.unit->type(up.symbol->type);
    if (type.params.size() != 1 || !differ_in(pair.up, pair.down, kReferences)) return false;
    return pair.hands_out || up.unit->type(type.elem).kind != TypeKind::Pointer;
  }

  // "fn NAME(p, a1)  -> "
  std::string head_of(const std::string& name, std::string_view first = "a0") const {
    const Declared& where = declared_.at(name);
    const model::Type& type = where.unit->type(where.symbol->type);
    std::string list;
    for (std::size_t k = 0; k < type.params.size(); ++k)
      list += k == 0 ? std::string(first) : ", a" + std::to_string(k);
    if (type.variadic) list += list.empty() ? "..." : ", ...";
    return "fn " + name + "(" + list + ")  -> ";
  }
  std::string nothing_or_any(const std::string& name) const {
    const Declared& where = declared_.at(name);
    return where.unit->type(where.unit->type(where.symbol->type).elem).kind == TypeKind::Void ? "void" : "any";
  }
  std::string reference_line(const std::string& name, bool gives) const {
    return head_of(name, "p") + (gives ? "same p" : nothing_or_any(name)) + " p+1";
  }
  std::string release_line(const std::string& name) const { return head_of(name, "p") + nothing_or_any(name) + " p-1"; }

  // What is said at its declarations and its definition.
  Ownership said_of(const std::string& name, const Declared& where, const WrittenAt& written_at) const {
    const model::Unit& unit = *where.unit;
    std::vector<bool> pointers;
    for (const model::TypeId p : unit.type(where.symbol->type).params)
      pointers.push_back(unit.type(p).kind == TypeKind::Pointer);
    Ownership out;
    for (const auto& [file, line] : where.places) {
      const Written written = written_at(file, line);
      const Ownership said = read_ownership(written.comment, written_parameters(written.declaration, name, pointers));
      out.gives = out.gives || said.gives;
      out.lends = out.lends || said.lends;
      if (!out.takes) out.takes = said.takes;
    }
    return out;
  }

  // What the comment, or else the name, says of a function that is in no pair.
  void describe(const std::string& name, const Declared& where, const WrittenAt& written_at) {
    if (!public_name(name)) return;
    const model::Unit& unit = *where.unit;
    const model::Type& type = unit.type(where.symbol->type);
    // A container comes first, what is put into it last. Objects are handed out through the address of a pointer, too.
    std::size_t taken = type.params.size(), given = type.params.size();
    for (std::size_t k = 0; k < type.params.size(); ++k) {
      if (families_.count(struct_behind(unit, type.params[k])) != 0) taken = k;
      const model::Type& address = unit.type(type.params[k]);
      if (address.kind == TypeKind::Pointer && families_.count(struct_behind(unit, address.elem)) != 0) given = k;
    }
    const bool gives = families_.count(struct_behind(unit, type.elem)) != 0;
    if (!gives && taken == type.params.size() && given == type.params.size()) return;
    const Ownership said = said_of(name, where, written_at);
    const std::string head = head_of(name);
    const std::string takes = said.takes ? " steals a" + std::to_string(*said.takes) : "";
    const bool maker = has_word(name, kMakers);
    const bool owned = said.gives && !said.lends;
    if (given < type.params.size() && !gives) {
      const std::string out = "*a" + std::to_string(given);
      if ((maker || owned || has_word(name, kStorers)) && unit.type(type.elem).kind == TypeKind::Int)
        lines_.try_emplace(name, head + "0 " + out + "=new | !=0 fails");
    } else if (gives && said.lends && !said.gives) {
      lend(name, head + "borrowed" + takes + " | NULL" + takes, maker);
    } else if (gives && (owned || maker)) {
      lines_.try_emplace(name, head + "new" + takes + " | NULL fails" + takes);
    } else if (gives && has_word(name, kLenders)) {
      lines_.try_emplace(name, head + "borrowed" + takes + " | NULL" + takes);
    } else if (!takes.empty()) {
      lines_.try_emplace(name, head + nothing_or_any(name) + takes);
    }
  }

  // The comment says that the result is lent. It knows better than the name by which a pair was found, unless that is
  // one of a maker; in both cases the line says that they differ.
  void lend(const std::string& name, const std::string& line, bool maker) {
    const auto [of_pair, fresh] = lines_.try_emplace(name, line);
    if (fresh) return;
    if (maker)
      of_pair->second += "  # its comment speaks of an object that is lent";
    else
      of_pair->second = line + "  # by its comment; its name is one of a pair";
  }

  // By types and words alone, of any pointer.
  std::string guess(const std::string& name, const Declared& where, const WrittenAt& written_at) const {
    const model::Unit& unit = *where.unit;
    const model::Type& type = unit.type(where.symbol->type);
    const Ownership said = said_of(name, where, written_at);
    std::string list, object, out;  // the first pointer, and the first address of one
    bool counted = false;           // a pointer to a counted struct stands at that address
    for (std::size_t k = 0; k < type.params.size(); ++k) {
      const std::string param = "a" + std::to_string(k);
      list += (k == 0 ? "" : ", ") + param;
      const model::Type& pointer = unit.type(type.params[k]);
      if (pointer.kind != TypeKind::Pointer) continue;
      const bool address = unit.type(pointer.elem).kind == TypeKind::Pointer;
      if (address && out.empty()) counted = families_.count(struct_behind(unit, pointer.elem)) != 0;
      (address ? out : object).append(param + " ");
    }
    if (type.variadic) list += list.empty() ? "..." : ", ...";
    object = object.substr(0, object.find(' '));
    out = out.substr(0, out.find(' '));
    const TypeKind result = unit.type(type.elem).kind;
    const bool maker = said.gives || has_word(name, kMakers);
    const std::string head = "fn " + name + "(" + list + ")  -> ", plain = result == TypeKind::Void ? "void" : "any";
    if (result == TypeKind::Pointer) {
      if (said.lends && !said.gives) return head + "borrowed | NULL";
      if (!object.empty() && !maker && has_word(name, kHolders)) return head + "same " + object + " " + object + "+1";
      return head + (maker ? "new | NULL" : "borrowed | NULL  # or: new | NULL");
    }
    if (said.takes) return head + plain + " steals a" + std::to_string(*said.takes);
    const std::string stores = head + "0 *" + out + "=new | !=0 fails *" + out + "=NULL";
    if (counted && result == TypeKind::Int && !has_word(name, kReleasers)) return stores;
    if (!object.empty() && has_word(name, kReleasers)) return head + plain + " " + object + "-1";
    if (!object.empty() && has_word(name, kHolders)) return head + plain + " " + object + "+1";
    if (!out.empty() && maker && result == TypeKind::Int) return stores;
    return head + plain;
  }

  // The header that declares most of these functions, by its name; "": they are declared in sources.
  std::string common_header() const {
    std::map<std::string, std::size_t> votes;
    for (const auto& [name, line] : lines_) {
      const auto it = declared_.find(name);
      if (it == declared_.end()) continue;
      for (const auto& [path, at] : it->second.places) {
        const std::string file(path.substr(path.rfind('/') + 1));
        const bool plain =
            std::all_of(file.begin(), file.end(), [](unsigned char c) { return std::isgraph(c) && c != '#'; });
        if (plain && is_header(file)) ++votes[file];  // a spec is made of words
      }
    }
    std::string best;
    for (const auto& [file, n] : votes)
      if (best.empty() || n > votes[best]) best = file;
    return best;
  }

  const specs::SpecSet& specs_;
  std::map<std::string, Declared> declared_;
  std::set<std::string> families_;          // structs that look counted
  std::set<std::string_view> own_sources_;  // that define pairs
  std::vector<MinedPair> counts_;           // pairs of named counts
  std::map<std::string, std::string> lines_;
};

}  // namespace

MinedSpec mine_spec(const Program& program, const specs::SpecSet& specs, std::string_view domain,
                    const WrittenAt& written_at) {
  return Miner(program, specs).write(domain, written_at);
}

std::map<std::string, std::string> propose_lines(const Program& program, const specs::SpecSet& specs,
                                                 const std::set<std::string>& names, const WrittenAt& written_at) {
  Miner miner(program, specs);
  std::map<std::string, std::string> out;
  for (const std::string& name : names)
    if (std::string line = miner.propose(name, written_at); !line.empty()) out.emplace(name, std::move(line));
  return out;
}

std::size_t count_families(const Program& program, const specs::SpecSet& specs) {
  return Miner(program, specs).families();
}

}  // namespace reckon::program
