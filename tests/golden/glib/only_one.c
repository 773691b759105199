// The one object of its class, which the class's own constructor keeps in a variable.
#include <glib-object.h>

typedef struct { GObject parent; } Parser;
typedef struct { GObjectClass parent_class; } ParserClass;
G_DEFINE_TYPE(Parser, parser, G_TYPE_OBJECT)

static Parser *instance;

static GObject *parser_constructor(GType type, guint n, GObjectConstructParam *params) {
  if (instance) return G_OBJECT(instance);
  GObject *object = G_OBJECT_CLASS(parser_parent_class)->constructor(type, n, params);
  instance = (Parser *)object;
  return object;
}

static void parser_class_init(ParserClass *klass) { G_OBJECT_CLASS(klass)->constructor = parser_constructor; }
static void parser_init(Parser *self) {}

Parser *parser_get(void) {
  if (instance) return instance;
  return (Parser *)g_object_new(parser_get_type(), NULL);
}

static int parse(Parser *parser, const char *text) { return g_object_get_data(G_OBJECT(parser), text) ? 1 : 0; }

int S01_ok_lent(const char *text) {
  Parser *parser = parser_get();
  return parse(parser, text);
}

Parser *parser_another(void) { return (Parser *)g_object_new(parser_get_type(), NULL); }

int S02_bad_new(const char *text) {  // expect-in-function: glib-leak
  Parser *parser = parser_another();
  return parse(parser, text);
}

// A reference is taken before the one object is given: callers give it back.
Parser *parser_ref(void) {
  if (!instance) return (Parser *)g_object_new(parser_get_type(), NULL);
  return g_object_ref(instance);
}

int S03_bad_counted(const char *text) {  // expect-in-function: glib-leak
  Parser *parser = parser_ref();
  return parse(parser, text);
}

// A variable that holds the object without a reference: each who asks is given one, the first that of the object.
Parser *parser_shared(void) {
  static Parser *shared;
  if (shared) return g_object_ref(shared);
  shared = (Parser *)g_object_new(parser_get_type(), NULL);
  g_object_add_weak_pointer(G_OBJECT(shared), (gpointer *)&shared);
  return shared;
}

int S04_ok_given_back(const char *text) {
  Parser *parser = parser_shared();
  int r = parse(parser, text);
  g_object_unref(parser);
  return r;
}
