// Introspection data (.gir): what GObject libraries say of their functions in XML, as far as ownership is concerned.
//
// read.cpp reads one file, write.cpp turns it into lines of a spec. No documentation text is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace reckon::frontends::gir {

// Who owns what goes through a result or a parameter after the call.
enum class Transfer : std::uint8_t {
  Unsaid,     // the file does not say: functions that bindings leave out
  None,       // as before
  Container,  // the list or array changes hands, its elements do not
  Full,       // it changes hands with all it holds
};

enum class Direction : std::uint8_t { In, Out, InOut };

// How long a callback may be called.
enum class Scope : std::uint8_t { Unsaid, Call, Async, Notified, Forever };

struct Type {
  std::string name;    // "utf8", "gint", "Gtk.Widget": with its namespace unless it is a fundamental one
  std::string c_type;  // as C writes it: "const gchar*"
  bool array = false;
};

struct Parameter {
  std::string name;
  Type type;
  Transfer transfer = Transfer::Unsaid;
  Direction direction = Direction::In;
  Scope scope = Scope::Unsaid;
  bool nullable = false;  // the value may be NULL; of an out-parameter: what is stored may be
  bool optional = false;  // of an out-parameter: its address may be NULL
  bool caller_allocates = false;
  bool varargs = false;
  int closure = -1;  // of a callback: the parameter that it is called with, the instance not counted
  int destroy = -1;  // of a callback: the parameter that holds what is called when it is not needed any more
};

enum class CallableKind : std::uint8_t { Function, Method, Constructor, Callback, Signal, Virtual };

// What has more is no function that anybody wrote.
inline constexpr std::size_t kMostParameters = 255;

struct Callable {
  CallableKind kind = CallableKind::Function;
  std::string name;    // within its type: "unref"
  std::string symbol;  // for the linker: "g_bytes_unref"; of a virtual function: "_GObjectClass.dispose"
  std::string owner;   // the type it stands in, with its namespace; "": none
  bool throws = false;
  Parameter result;
  std::vector<Parameter> parameters;  // with the instance, if there is one
  bool has_instance = false;
};

enum class TypeKind : std::uint8_t { Class, Interface, Record, Number, Callback, Alias };

struct TypeDeclaration {
  TypeKind kind = TypeKind::Record;
  std::string parent;       // of a class, with its namespace; of an alias: what it stands for
  std::string ref_func;     // classes that are not GObjects
  std::string get_type;     // the function that gives the type of a class at run time
  bool has_fields = false;  // that the file tells; without them a record is opaque
};

struct Namespace {
  std::string name, version;
  std::vector<std::string> includes;             // "Gio-2.0"
  std::vector<std::string> headers;              // "gtk/gtk.h"
  std::map<std::string, TypeDeclaration> types;  // with the namespace: "Gtk.Widget"
  std::vector<Callable> callables;               // in the order of the file
};

// False: `problem` says what is wrong with the text.
bool read(std::string_view text, Namespace& out, std::string& problem);

// What could not be said, and of which functions; by the reason.
using LeftOut = std::map<std::string, std::vector<std::string>>;

struct Written {
  std::string text;
  std::size_t functions = 0;
  LeftOut left_out;
};

// Lines for the callables of `which`; `all` has it and the namespaces it refers to, by "Gtk-3.0". Objects of the
// classes `held`, and of those below, belong to the library from birth, which the data does not tell.
Written write_spec(const Namespace& which, const std::map<std::string, Namespace>& all,
                   const std::vector<std::string>& held = {});

}  // namespace reckon::frontends::gir
