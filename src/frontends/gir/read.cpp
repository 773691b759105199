// Reads a .gir file with Expat. The elements that matter nest in few ways, so a stack of their names is enough to know
// where a piece belongs; elements that nobody asked for are passed over with all they hold.
#include <expat.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <memory>

#include "frontends/gir/gir.h"

namespace reckon::frontends::gir {

namespace {

// The attributes of an element: names and values in turn, ended by NULL.
class Attributes {
 public:
  explicit Attributes(const char** list) : list_(list) {}
  std::string_view operator[](std::string_view name) const {
    for (const char** at = list_; *at; at += 2)
      if (name == *at) return at[1];
    return {};
  }
  bool set(std::string_view name) const { return (*this)[name] == "1"; }
  int number(std::string_view name) const {
    const std::string_view text = (*this)[name];
    int value = -1;
    const bool read = std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc();
    return read && value >= 0 && value < static_cast<int>(kMostParameters) ? value : -1;
  }

 private:
  const char** list_;
};

Transfer transfer_of(std::string_view word) {
  return word == "none"        ? Transfer::None
         : word == "full"      ? Transfer::Full
         : word == "container" ? Transfer::Container
                               : Transfer::Unsaid;
}

Scope scope_of(std::string_view word) {
  return word == "call"       ? Scope::Call
         : word == "async"    ? Scope::Async
         : word == "notified" ? Scope::Notified
         : word == "forever"  ? Scope::Forever
                              : Scope::Unsaid;
}

// Names of namespaces and their versions stand in comments of the spec that is made.
bool is_plain_word(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '.' || c == '-'; });
}

class Reader {
 public:
  explicit Reader(Namespace& out) : out_(out) {}

  void start(std::string_view name, const Attributes& attributes) {
    ++depth_;
    if (skip_from_ != 0) return;
    if (name == "repository") return;
    if (name == "include" && depth_ == 2) {
      out_.includes.push_back(std::string(attributes["name"]) + "-" + std::string(attributes["version"]));
    } else if (name == "c:include" && depth_ == 2) {
      out_.headers.emplace_back(attributes["name"]);
    } else if (name == "namespace") {
      out_.name = attributes["name"];
      out_.version = attributes["version"];
    } else if (start_callable(name, attributes) || start_type(name, attributes)) {
    } else if (name == "parameters" && in_callable_) {
    } else if ((name == "parameter" || name == "instance-parameter") && in_callable_) {
      current_.parameters.push_back(parameter(attributes));
      current_.has_instance = current_.has_instance || name == "instance-parameter";
      at_ = &current_.parameters.back();
      at_depth_ = depth_;
    } else if (name == "return-value" && in_callable_) {
      current_.result = parameter(attributes);
      at_ = &current_.result;
      at_depth_ = depth_;
    } else if ((name == "type" || name == "array") && (at_ != nullptr || !alias_.empty())) {
      type(name == "array", attributes);
    } else if (name == "varargs" && at_ != nullptr) {
      at_->varargs = true;
    } else {
      if (name == "field" && !owner_.empty()) out_.types[owner_].has_fields = true;
      skip_from_ = depth_;
    }
  }

  void end() {
    if (skip_from_ == depth_) skip_from_ = 0;
    if (at_ != nullptr && at_depth_ == depth_) at_ = nullptr;
    if (in_callable_ && callable_depth_ == depth_) {
      in_callable_ = false;
      if (!current_.symbol.empty()) out_.callables.push_back(std::move(current_));
    }
    if (!owner_.empty() && owner_depth_ == depth_) owner_.clear();
    if (!alias_.empty() && owner_depth_ == depth_) alias_.clear();
    --depth_;
  }

 private:
  std::string qualified(std::string_view name) const { return out_.name + "." + std::string(name); }

  bool start_callable(std::string_view name, const Attributes& attributes) {
    const CallableKind kind = name == "function"         ? CallableKind::Function
                              : name == "method"         ? CallableKind::Method
                              : name == "constructor"    ? CallableKind::Constructor
                              : name == "callback"       ? CallableKind::Callback
                              : name == "glib:signal"    ? CallableKind::Signal
                              : name == "virtual-method" ? CallableKind::Virtual
                                                         : CallableKind::Function;
    if (kind == CallableKind::Function && name != "function") return false;
    if (in_callable_ || out_.name.empty()) return false;
    current_ = Callable{};
    current_.kind = kind;
    current_.name = attributes["name"];
    current_.owner = owner_;
    current_.throws = attributes.set("throws");
    // Neither a callback nor a signal has a symbol; the name tells people which one is meant.
    current_.symbol = kind == CallableKind::Callback  ? attributes["c:type"]
                      : kind == CallableKind::Signal  ? owner_ + "::" + current_.name
                      : kind == CallableKind::Virtual ? class_struct_ + "." + current_.name
                                                      : std::string(attributes["c:identifier"]);
    if (kind == CallableKind::Callback && owner_.empty())
      out_.types[qualified(attributes["name"])].kind = TypeKind::Callback;
    in_callable_ = true;
    callable_depth_ = depth_;
    if (kind == CallableKind::Virtual && class_struct_.empty()) current_.symbol.clear();
    // A function that stands elsewhere as a method is described there.
    if (!attributes["moved-to"].empty()) current_.symbol.clear();
    return true;
  }

  bool start_type(std::string_view name, const Attributes& attributes) {
    if (in_callable_ || !owner_.empty() || out_.name.empty()) return false;
    TypeDeclaration declaration;
    if (name == "class")
      declaration.kind = TypeKind::Class;
    else if (name == "interface")
      declaration.kind = TypeKind::Interface;
    else if (name == "record" || name == "union" || name == "glib:boxed")
      declaration.kind = TypeKind::Record;
    else if (name == "enumeration" || name == "bitfield")
      declaration.kind = TypeKind::Number;
    else if (name == "alias")
      declaration.kind = TypeKind::Alias;
    else
      return false;
    const std::string_view parent = attributes["parent"];
    if (!parent.empty()) declaration.parent = parent.find('.') == parent.npos ? qualified(parent) : std::string(parent);
    declaration.ref_func = attributes["glib:ref-func"];
    declaration.get_type = attributes["glib:get-type"];
    class_struct_ = class_struct(attributes);
    const std::string own = qualified(attributes[name == "glib:boxed" ? "glib:name" : "name"]);
    (declaration.kind == TypeKind::Alias ? alias_ : owner_) = own;
    owner_depth_ = depth_;
    out_.types[own] = std::move(declaration);
    return true;
  }

  // The struct that holds the functions of a class or an interface, as C calls it: it has the class's prefix, and by
  // convention an underscore before its name.
  static std::string class_struct(const Attributes& attributes) {
    const std::string_view own = attributes["name"], c_type = attributes["c:type"],
                           name = attributes["glib:type-struct"];
    if (name.empty() || !c_type.ends_with(own)) return "";
    return "_" + std::string(c_type.substr(0, c_type.size() - own.size())) + std::string(name);
  }

  Parameter parameter(const Attributes& attributes) const {
    Parameter p;
    p.name = attributes["name"];
    p.transfer = transfer_of(attributes["transfer-ownership"]);
    const std::string_view direction = attributes["direction"];
    p.direction = direction == "out" ? Direction::Out : direction == "inout" ? Direction::InOut : Direction::In;
    p.scope = scope_of(attributes["scope"]);
    p.nullable = attributes.set("nullable");
    p.optional = attributes.set("optional");
    p.caller_allocates = attributes.set("caller-allocates");
    p.closure = attributes.number("closure");
    p.destroy = attributes.number("destroy");
    return p;
  }

  // Names of the namespace's own types stand there without it; fundamental ones begin with a small letter or are GType.
  void type(bool array, const Attributes& attributes) {
    const std::string_view name = attributes["name"];
    const bool own =
        !name.empty() && name[0] >= 'A' && name[0] <= 'Z' && name != "GType" && name.find('.') == name.npos;
    const std::string full = own ? qualified(name) : std::string(name);
    if (at_ == nullptr) {
      if (out_.types[alias_].parent.empty()) out_.types[alias_].parent = full;
      return;
    }
    if (!at_->type.name.empty() || at_->type.array) return;  // of an element
    at_->type.array = array;
    at_->type.name = full;
    at_->type.c_type = attributes["c:type"];
  }

  Namespace& out_;
  int depth_ = 0;
  int skip_from_ = 0;
  bool in_callable_ = false;
  Callable current_;
  int callable_depth_ = 0;
  Parameter* at_ = nullptr;  // whose type is being read
  int at_depth_ = 0;
  std::string owner_, alias_;  // the type that is being read
  std::string class_struct_;   // and the struct that holds its functions
  int owner_depth_ = 0;
};

}  // namespace

bool read(std::string_view text, Namespace& out, std::string& problem) {
  Reader reader(out);
  const std::unique_ptr<XML_ParserStruct, void (*)(XML_Parser)> parser(XML_ParserCreate(nullptr), XML_ParserFree);
  XML_SetUserData(parser.get(), &reader);
  XML_SetElementHandler(
      parser.get(),
      [](void* self, const char* name, const char** attributes) {
        static_cast<Reader*>(self)->start(name, Attributes(attributes));
      },
      [](void* self, const char*) { static_cast<Reader*>(self)->end(); });
  // Expat counts in int; pieces keep it away from the limit.
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  for (std::size_t at = 0; at == 0 || at < text.size(); at += kPiece) {
    const std::size_t size = std::min(kPiece, text.size() - at);
    const bool last = at + size == text.size();
    if (XML_Parse(parser.get(), text.data() + at, static_cast<int>(size), last) == XML_STATUS_OK) continue;
    problem = "line " + std::to_string(XML_GetCurrentLineNumber(parser.get())) + ": " +
              XML_ErrorString(XML_GetErrorCode(parser.get()));
    return false;
  }
  if (!out.name.empty() && is_plain_word(out.name) && is_plain_word(out.version)) return true;
  problem = !out.name.empty() ? "the namespace has a name or a version that no library has"
                              : "no introspection data: there is no <namespace>";
  return false;
}

}  // namespace reckon::frontends::gir
