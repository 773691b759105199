// Turns what a .gir file says into lines of a spec.
//
// A result marked `full` is a new object, one marked `none` a borrowed one; a parameter marked `full` is stolen. A
// function that throws has one alternative more, in which its last parameter gets a new error. What the spec language
// has no word for is counted by its reason, and the line says the rest.
#include <algorithm>
#include <cctype>
#include <set>

#include "frontends/gir/gir.h"

namespace reckon::frontends::gir {

namespace {

constexpr std::string_view kError = "error";

// The data has no word for floating references: classes below the second have them, and the first may be one of them.
constexpr std::string_view kObject = "GObject.Object";
constexpr std::string_view kInitiallyUnowned = "GObject.InitiallyUnowned";

// Words that a parameter of a spec cannot be called.
bool is_taken(std::string_view name) { return name == "result" || name == "known" || name == "errptr" || name == "at"; }

bool is_identifier(std::string_view name) {
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

bool is_const(const Type& type) { return type.c_type.find("const") != std::string::npos; }

bool is_untyped(const Type& type) { return type.name == "gpointer" || type.name == "gconstpointer"; }

bool is_text(const Type& type) { return type.name == "utf8" || type.name == "filename"; }

int stars(const Type& type) {
  const int written = static_cast<int>(std::count(type.c_type.begin(), type.c_type.end(), '*'));
  const bool hidden = type.c_type.find("gpointer") != std::string::npos ||
                      type.c_type.find("gconstpointer") != std::string::npos || type.c_type.ends_with("strv");
  return written + (hidden ? 1 : 0);
}

// Signed numbers, of which -1 says that a function failed.
bool is_signed(const Type& type) {
  static const std::set<std::string_view> names = {"gint",   "gint8", "gint16", "gint32",
                                                   "gint64", "glong", "gssize", "goffset"};
  return names.count(type.name) != 0;
}

// Numbers by which something is known from then on: there is none that is called 0.
bool is_handle(const Type& type) { return type.name == "guint" && !type.c_type.ends_with("_t"); }

// Further numbers: where these fail they give 0, which may be an answer as well.
bool is_plain_number(const Type& type) {
  static const std::set<std::string_view> names = {"guint8", "guint16", "guint32", "guint64", "gulong", "gsize"};
  return names.count(type.name) != 0 && !type.c_type.ends_with("_t");
}

class Writer {
 public:
  Writer(const Namespace& which, const std::map<std::string, Namespace>& all, const std::vector<std::string>& held)
      : which_(which), all_(all), held_(held) {
    for (const auto& [key, space] : all)
      for (const Callable& c : space.callables) {
        if (c.name == "ref" || c.name == "unref") counted_.insert(c.owner);
        if (c.name == "ref_sink") sunk_.insert(c.owner);
      }
  }

  Written write() {
    std::set<std::string> seen;
    for (const Callable& c : which_.callables) {
      if (c.kind == CallableKind::Callback || c.kind == CallableKind::Signal) {
        callback(c);
        continue;
      }
      if (!seen.insert(c.symbol).second) continue;
      if (c.kind == CallableKind::Virtual) {
        virtual_function(c);
        continue;
      }
      if (!is_identifier(c.symbol)) {
        leave_out("its name is no C identifier", c);
        continue;
      }
      if (c.parameters.size() > kMostParameters) {
        leave_out("it has too many parameters", c);
        continue;
      }
      const std::string line = function(c);
      if (line.empty()) continue;
      ++out_.functions;
      out_.text += line;
    }
    for (const auto& [name, declaration] : which_.types) type_function(name, declaration);
    return std::move(out_);
  }

 private:
  void leave_out(const std::string& reason, const Callable& c) {
    std::vector<std::string>& names = out_.left_out[reason];
    if (names.empty() || names.back() != c.symbol) names.push_back(c.symbol);
  }

  const TypeDeclaration* find(const std::string& name) const {
    const std::string space = name.substr(0, name.find('.'));
    for (const auto& [key, other] : all_) {
      if (other.name != space) continue;
      const auto it = other.types.find(name);
      if (it == other.types.end()) return nullptr;
      if (it->second.kind != TypeKind::Alias) return &it->second;
      const auto meant = other.types.find(it->second.parent);
      return meant == other.types.end() ? nullptr : &meant->second;
    }
    return nullptr;
  }

  bool is_kind(const Type& type, TypeKind kind) const {
    const TypeDeclaration* declaration = find(type.name);
    return declaration && declaration->kind == kind;
  }
  bool is_object(const Type& type) const {
    return is_kind(type, TypeKind::Class) || is_kind(type, TypeKind::Interface);
  }

  // Is a value of this type a pointer? `level`: of how many stars its C type has more than that.
  bool is_pointer(const Type& type, int level) const {
    if (is_kind(type, TypeKind::Callback) || is_kind(type, TypeKind::Number)) return false;
    if (type.c_type.empty()) return type.array || is_text(type) || is_untyped(type) || is_object(type);
    return stars(type) > level;
  }

  // Whether objects of a class float is asked where they are made by their type.
  void type_function(const std::string& name, const TypeDeclaration& declaration) {
    if (declaration.kind != TypeKind::Class || !below(name, kObject) || !is_identifier(declaration.get_type)) return;
    if (held_from_birth(name)) return;
    ++out_.functions;
    out_.text += "fn " + declaration.get_type + "() -> nonnull result->%floats=";
    out_.text += below(name, kInitiallyUnowned) ? "1\n" : "0\n";
  }

  void name_parameters(const Callable& c) {
    params_.clear();
    std::set<std::string> names;
    for (std::size_t k = 0; k < c.parameters.size(); ++k) {
      const Parameter& p = c.parameters[k];
      std::string name = is_identifier(p.name) ? p.name : "a" + std::to_string(k);
      while (is_taken(name) || (!p.varargs && (!names.insert(name).second || (c.throws && name == kError))))
        name += '_';
      params_.push_back(name);
    }
  }

  bool taken_over(const Parameter& p) const {
    return p.direction == Direction::In && !p.type.array && is_pointer(p.type, 0) && !is_const(p.type) &&
           (p.transfer == Transfer::Full || p.transfer == Transfer::Container);
  }

  // A class calls the function of the one above it through a field of that one's struct. Of these only what somebody
  // wrote down counts, which is that an argument is taken over: an owner of the result stands there in any case.
  void virtual_function(const Callable& c) {
    const std::size_t dot = c.symbol.find('.');
    if (!is_identifier(c.symbol.substr(0, dot)) || !is_identifier(c.name) || c.parameters.size() >= kMostParameters ||
        std::none_of(c.parameters.begin(), c.parameters.end(), [&](const Parameter& p) { return taken_over(p); }))
      return;
    name_parameters(c);
    std::string list, effects;
    for (std::size_t k = 0; k < c.parameters.size(); ++k) {
      const Parameter& p = c.parameters[k];
      list += (list.empty() ? "" : ", ") + params_[k] + (p.nullable || p.optional ? "?" : "");
      if (taken_over(p))
        effects += " steals " + params_[k];
      else if (k != 0 && is_pointer(p.type, 0) && !is_const(p.type) && !is_object(p.type))
        effects += " clobbers " + params_[k];
    }
    if (c.throws) {
      list += ", " + std::string(kError) + "?";
      effects += " clobbers " + std::string(kError);
    }
    const bool nothing = c.result.type.name == "none" && stars(c.result.type) == 0;
    ++out_.functions;
    out_.text += "fn " + c.symbol + "(" + list + ") -> " + (nothing ? "void" : "any") + effects + "\n";
  }

  // "": the function has nothing to do with pointers.
  std::string function(const Callable& c) {
    always_.clear();
    on_success_.clear();
    bool pointers = is_pointer(c.result.type, 0) || c.throws;
    std::string list;
    name_parameters(c);
    for (std::size_t k = 0; k < c.parameters.size(); ++k) {
      const Parameter& p = c.parameters[k];
      pointers = pointers || is_pointer(p.type, 0) || p.direction != Direction::In;
      list += list.empty() ? "" : ", ";
      if (p.varargs) {
        list += "...";
        continue;
      }
      const bool may_be_null = p.direction == Direction::In ? p.nullable : p.optional || p.nullable;
      list += params_[k] + (may_be_null ? "?" : "");
      parameter(c, k);
    }
    // What is done later tells the callback whom it was done for, and many callbacks release that.
    if (c.has_instance && std::any_of(c.parameters.begin(), c.parameters.end(),
                                      [](const Parameter& p) { return p.scope == Scope::Async; }))
      always_ += " keeps " + params_[0];
    if (c.throws) list += (list.empty() ? "" : ", ") + std::string(kError) + "?";
    if (!pointers) return "";
    // Further arguments may be addresses of what is to be filled: better nothing is said of such a function.
    if (!c.parameters.empty() && c.parameters.back().varargs && !gives_away(c)) {
      leave_out("it takes further arguments", c);
      return "";
    }
    return "fn " + c.symbol + "(" + list + ") -> " + alternatives(c) + "\n";
  }

  void parameter(const Callable& c, std::size_t k) {
    const Parameter& p = c.parameters[k];
    const std::string& name = params_[k];
    if (p.direction == Direction::Out && !p.caller_allocates) {
      out_parameter(p, name);
      return;
    }
    if (p.direction != Direction::In) {
      always_ += " clobbers " + name;
      if (p.direction == Direction::InOut && p.transfer == Transfer::Full && is_pointer(p.type, 1))
        leave_out("a parameter is read and written, and what is read is taken over", c);
      return;
    }
    if (p.type.array && stars(p.type) > 1 && p.type.c_type.find("char") == std::string::npos) {
      always_ += " clobbers " + name;  // what the elements are, the array does not say: they may be sunk
      return;
    }
    const bool given = p.transfer == Transfer::Full || p.transfer == Transfer::Container;
    if (given && is_pointer(p.type, 0) && !is_const(p.type)) {
      always_ += " steals " + name;
    } else if (given && is_pointer(p.type, 0)) {
      leave_out("a parameter is taken over and const", c);
    } else if (may_float(c, k)) {
      // By convention whoever gets a value of a type that is no class sinks it; of an object nobody says.
      always_ += (sunk_.count(p.type.name) != 0 && p.type.name != kObject ? " sinks " : " may-sink ") + name;
    } else if (is_untyped(p.type) && stars(p.type) == 1 && !is_const(p.type)) {
      untyped(c, k);
    } else if (is_pointer(p.type, 0) && !is_const(p.type) && is_plain(p.type)) {
      always_ += " clobbers " + name;
    }
  }

  // A record whose fields programs see: a function that gets its address may write them.
  bool is_plain(const Type& type) const {
    const TypeDeclaration* declaration = find(type.name);
    return declaration && declaration->kind == TypeKind::Record && declaration->has_fields &&
           counted_.count(type.name) == 0;
  }

  // Is this class, or one above it, `ancestor`?
  bool below(std::string type, std::string_view ancestor) const {
    for (int steps = 0; steps < 32 && !type.empty(); ++steps) {
      if (type == ancestor) return true;
      const TypeDeclaration* declaration = find(type);
      type = declaration ? declaration->parent : "";
    }
    return false;
  }

  // Are objects of this type born with a floating reference?
  bool floats(const Type& type) const {
    return type.name != kObject && (sunk_.count(type.name) != 0 || below(type.name, kInitiallyUnowned));
  }

  // Does the library keep objects of this class itself, so that a caller is lent even a new one?
  bool held_from_birth(const std::string& type) const {
    return std::any_of(held_.begin(), held_.end(), [&](const std::string& ancestor) { return below(type, ancestor); });
  }

  // May a parameter, other than the instance that a method is called on, have a floating reference?
  bool may_float(const Callable& c, std::size_t k) const {
    const Parameter& p = c.parameters[k];
    if ((k == 0 && c.has_instance) || p.direction != Direction::In || !is_pointer(p.type, 0) || is_const(p.type) ||
        p.type.array)
      return false;
    return p.type.name == kObject || floats(p.type);
  }

  // Data that a callback is called with goes with it; other pointers of unknown type may be kept.
  void untyped(const Callable& c, std::size_t k) {
    const int first = c.has_instance ? 1 : 0;
    for (const Parameter& callback : c.parameters) {
      if (callback.closure + first != static_cast<int>(k) || callback.closure < 0) continue;
      if (callback.scope == Scope::Call) return;
      const auto destroy = static_cast<std::size_t>(callback.destroy + first);
      if (callback.destroy >= 0 && destroy < params_.size() && destroy != k) {
        always_ += " runs " + params_[destroy] + " on " + params_[k];
        return;
      }
    }
    always_ += " keeps " + params_[k];
  }

  void out_parameter(const Parameter& p, const std::string& name) {
    if (!is_pointer(p.type, 1)) {
      on_success_ += " *" + name + "=any";
    } else if (p.transfer == Transfer::None || is_const(p.type)) {
      on_success_ += " *" + name + "=" + (is_untyped(p.type) ? "any" : "borrowed?");
    } else if (p.transfer == Transfer::Unsaid || is_untyped(p.type)) {  // whose it is depends on what was put in
      on_success_ += " *" + name + "=any";
    } else {
      // A list without elements is NULL, and nobody calls that nullable.
      on_success_ += " *" + name + "=new" + (p.nullable || is_list(p.type) ? "?" : "");
    }
  }

  static bool gives_away(const Callable& c) {
    return c.kind == CallableKind::Constructor || c.result.transfer == Transfer::Full;
  }

  static bool is_list(const Type& type) { return type.name == "GLib.List" || type.name == "GLib.SList"; }

  // The function that takes or gives back a reference, by the name of a method of the type.
  static std::string counting(const Callable& c, const std::string& instance) {
    if (c.name == "ref") return "same " + instance + " " + instance + "+1";
    if (c.name == "unref" || c.name == "free") return "void " + instance + "-1";
    return "";
  }

  std::string alternatives(const Callable& c) {
    if (c.has_instance && c.parameters.size() == 1 && !c.throws && c.parameters[0].direction == Direction::In)
      if (const std::string text = counting(c, params_[0]); !text.empty()) return text;
    std::string success, failure;
    const Type& type = c.result.type;
    std::vector<std::string> values;
    if (type.name == "none" && stars(type) == 0) {
      values = {"void"};
      failure = "void";
    } else if (is_pointer(type, 0)) {
      values = pointer_values(c);
      failure = "NULL";
    } else if (type.name == "gboolean") {
      // What a function says of success by its result, what it stores depends on.
      values = {c.throws || !on_success_.empty() ? "1" : "any"};
      failure = "0";
    } else if (c.throws && is_signed(type)) {
      values = {">=0"};
      failure = "-1";
    } else if (c.throws && (is_handle(type) || is_plain_number(type))) {
      values = {is_handle(type) ? "!=0" : "any"};
      failure = "0";
    } else {
      values = {"any"};
      failure = "any";
    }
    for (const std::string& value : values)
      success += (success.empty() ? "" : " | ") + value + (value == "NULL" ? "" : on_success_) +
                 (c.throws ? " *" + std::string(kError) + "=same *" + std::string(kError) : "") + always_;
    if (c.throws) return success + " | " + failure + " fails *" + std::string(kError) + "=new" + always_;
    if (type.name == "gboolean" && !on_success_.empty()) return success + " | 0" + always_;
    return success;
  }

  std::vector<std::string> pointer_values(const Callable& c) {
    const Type& type = c.result.type;
    const Transfer transfer = c.result.transfer;
    if (transfer == Transfer::Unsaid) {
      if (!is_const(type)) {
        leave_out("the owner of the result is not said", c);
        return {c.throws && !c.result.nullable ? "nonnull" : "any"};  // NULL says that it failed
      }
    } else if (born_floating(c)) {
      const std::string born = "new floats result";
      if (may_be_nothing(c)) return {born, "NULL"};
      return {born};
    } else if (transfer != Transfer::None && !is_const(type)) {
      if (may_be_nothing(c) || is_list(type)) return {"new", "NULL"};
      return {"new"};
    } else if (transfer != Transfer::None) {
      leave_out("the result is given away and const", c);
      return {"any"};
    }
    if (is_untyped(type)) return {"any"};
    // An object that is lent is mostly held by others as well, so that it need not end with whom it was asked of.
    const bool lender = c.has_instance && !is_object(type);
    return {std::string(c.result.nullable ? "borrowed?" : "borrowed") + (lender ? " " + params_[0] : "")};
  }

  // May the result be NULL although nothing failed? What makes an object says by NULL that it could not.
  static bool may_be_nothing(const Callable& c) {
    return c.result.nullable && !(c.throws && c.kind == CallableKind::Constructor);
  }

  // Is the result born with a floating reference, which belongs to nobody yet?
  bool born_floating(const Callable& c) const {
    if (!floats(c.result.type) || held_from_birth(c.owner)) return false;
    const TypeDeclaration* declaration = find(c.result.type.name);
    const bool said = c.result.transfer == Transfer::None && c.kind == CallableKind::Constructor;
    return said || (!c.has_instance && declaration && declaration->ref_func.ends_with("_ref_sink"));
  }

  // Functions that the library calls: what they are given is lent, and what they return is not asked for.
  void callback(const Callable& c) {
    for (const Parameter& p : c.parameters)
      if (p.direction == Direction::In && p.transfer != Transfer::None && p.transfer != Transfer::Unsaid &&
          is_pointer(p.type, 0))
        leave_out("a callback or signal is given something to keep", c);
    if (c.result.transfer != Transfer::None && c.result.transfer != Transfer::Unsaid && is_pointer(c.result.type, 0))
      leave_out("a callback or signal gives its result away", c);
  }

  const Namespace& which_;
  const std::map<std::string, Namespace>& all_;
  const std::vector<std::string>& held_;
  std::set<std::string> counted_, sunk_;  // types that have functions to take a reference, to sink one
  Written out_;
  std::vector<std::string> params_;  // of the function at hand
  std::string always_, on_success_;  // its effects
};

}  // namespace

Written write_spec(const Namespace& which, const std::map<std::string, Namespace>& all,
                   const std::vector<std::string>& held) {
  return Writer(which, all, held).write();
}

}  // namespace reckon::frontends::gir
