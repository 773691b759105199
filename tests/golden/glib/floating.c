// Floating references: the first who sinks an object has its reference, and until then nobody does.
#include <gio/gio.h>

static int uses(void *object) { return object != NULL; }
void stranger(GVariant *value);

int F01_leaked(const char *text) {  // expect-in-function: glib-leak
  GVariant *value = g_variant_new_string(text);
  return (int)g_variant_n_children(value);
}

int F01_ok_released(const char *text) {
  GVariant *value = g_variant_new_string(text);
  int n = (int)g_variant_n_children(value);
  g_variant_unref(value);
  return n;
}

int F02_ok_sunk(const char *text) {
  GVariant *value = g_variant_ref_sink(g_variant_new("(s)", text));
  int n = (int)g_variant_n_children(value);
  g_variant_unref(value);
  return n;
}

int F02_sunk_and_leaked(const char *text) {  // expect-in-function: glib-leak
  GVariant *value = g_variant_ref_sink(g_variant_new("(s)", text));
  return (int)g_variant_n_children(value);
}

int F03_sunk_by_itself(const char *text) {
  GVariant *value = g_variant_new_string(text);
  g_variant_ref_sink(value);
  g_variant_unref(value);
  return (int)g_variant_n_children(value);  // expect: glib-use-after-release
}

void F04_ok_given(GDBusProxy *proxy, const char *text) {
  g_dbus_proxy_call(proxy, "Say", g_variant_new("(s)", text), G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL, NULL);
}

void F04_given_and_released(GDBusProxy *proxy, const char *text) {
  g_autoptr(GVariant) value = g_variant_new("(s)", text);
  g_dbus_proxy_call(proxy, "Say", value, G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL, NULL);
}  // expect: glib-over-release

void F04_ok_own(GDBusProxy *proxy, const char *text) {
  g_autoptr(GVariant) value = g_variant_ref_sink(g_variant_new("(s)", text));
  g_dbus_proxy_call(proxy, "Say", value, G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL, NULL);
}

void F05_own_leaked(GDBusProxy *proxy, const char *text) {  // expect-in-function: glib-leak
  GVariant *value = g_variant_ref_sink(g_variant_new("(s)", text));
  g_dbus_proxy_call(proxy, "Say", value, G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL, NULL);
}

static void F06_add(GVariantBuilder *builder, GVariant *value) { g_variant_builder_add_value(builder, value); }

void F06_ok_helper(GVariantBuilder *builder, const char *text) { F06_add(builder, g_variant_new_string(text)); }

void F06_helper_and_released(GVariantBuilder *builder, const char *text) {
  GVariant *value = g_variant_new_string(text);
  F06_add(builder, value);
  g_variant_unref(value);  // expect: glib-over-release
}

static GVariant *F07_make(const char *text) { return g_variant_new("(s)", text); }

void F07_ok_made_by_helper(GVariantBuilder *builder, const char *text) {
  g_variant_builder_add_value(builder, F07_make(text));
}

int F07_made_by_helper(const char *text) {  // expect-in-function: glib-leak
  GVariant *value = F07_make(text);
  return (int)g_variant_n_children(value);
}

GVariant *F08_ok_nested(GVariant *inner) { return g_variant_new("(@s)", g_variant_new_variant(inner)); }

void F09_ok_stranger(const char *text) { stranger(g_variant_new_string(text)); }

int F10_error_path(GVariantBuilder *builder, const char *text, int n) {  // expect-in-function: glib-leak
  GVariant *value = g_variant_new_string(text);
  if (n < 0) return -1;
  g_variant_builder_add_value(builder, value);
  return 0;
}

int F11_object_leaked(void) {  // expect-in-function: glib-leak
  GObject *object = g_object_new(G_TYPE_OBJECT, NULL);
  return uses(object);
}

int F11_ok_object(void) {
  GObject *object = g_object_new(G_TYPE_OBJECT, NULL);
  int r = uses(object);
  g_object_unref(object);
  return r;
}

int F12_known_class(void) {  // expect-in-function: glib-leak
  GCancellable *c = g_object_new(G_TYPE_CANCELLABLE, NULL);
  return g_cancellable_is_cancelled(c);
}

int F12_ok_known_class(void) {
  GCancellable *c = g_object_new(G_TYPE_CANCELLABLE, NULL);
  int r = g_cancellable_is_cancelled(c);
  g_object_unref(c);
  return r;
}

// The type is not known: the object may float or not.
int F14_ok_unknown_class(GType type) {
  GObject *object = g_object_new(type, NULL);
  int r = uses(object);
  g_object_unref(object);
  return r;
}

typedef struct { GObject parent; char *name; } Own;
typedef struct { GObjectClass parent; } OwnClass;
GType own_get_type(void);
G_DEFINE_TYPE(Own, own, G_TYPE_OBJECT)
static void own_init(Own *self) { self->name = NULL; }
static void own_class_init(OwnClass *klass) {}

int F15_own_class(void) {  // expect-in-function: glib-leak
  Own *own = g_object_new(own_get_type(), NULL);
  return uses(own->name);
}

int F15_ok_own_class(void) {
  Own *own = g_object_new(own_get_type(), NULL);
  int r = uses(own->name);
  g_object_unref(own);
  return r;
}

typedef struct { GInitiallyUnowned parent; GVariant *value; } Bud;
typedef struct { GInitiallyUnownedClass parent; } BudClass;
GType bud_get_type(void);
G_DEFINE_TYPE(Bud, bud, G_TYPE_INITIALLY_UNOWNED)
static void bud_init(Bud *self) { self->value = NULL; }
static void bud_class_init(BudClass *klass) {}

Bud *F16_ok_returned(void) { return g_object_new(bud_get_type(), NULL); }

void F17_ok_stored(Bud *bud, const char *text) { bud->value = g_variant_new_string(text); }

void F18_ok_sunk_and_stored(Bud *bud, GVariant *value) {
  g_clear_pointer(&bud->value, g_variant_unref);
  bud->value = g_variant_ref_sink(value);
}

void F18_ok_caller(Bud *bud, const char *text) { F18_ok_sunk_and_stored(bud, g_variant_new_string(text)); }

void F19_ok_array(GDBusProxy *proxy, const char *text) {
  GVariant *children[2];
  children[0] = g_variant_new_string(text);
  children[1] = g_variant_new_boolean(TRUE);
  g_dbus_proxy_call(proxy, "Say", g_variant_new_tuple(children, 2), G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL, NULL);
}

// A format says of a further argument that it is a value, and sinks it.
static GVariant *wrapped(GVariant *value) { return g_variant_ref_sink(g_variant_new("(@a{sv})", value)); }

GVariant *F21_ok_further_argument(GVariantBuilder *builder) { return wrapped(g_variant_builder_end(builder)); }
