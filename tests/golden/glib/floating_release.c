// A reference that floats belongs to nobody: whoever releases it has to sink it first.
#include <gio/gio.h>

static int uses(void *object) { return object != NULL; }

int F13_floating_class(void) {
  GObject *object = g_object_new(G_TYPE_INITIALLY_UNOWNED, NULL);
  int r = uses(object);
  g_object_unref(object);  // expect: glib-floating-release
  return r;
}

int F13_ok_floating_class(void) {
  GObject *object = g_object_ref_sink(g_object_new(G_TYPE_INITIALLY_UNOWNED, NULL));
  int r = uses(object);
  g_object_unref(object);
  return r;
}

int F20_ok_variant(const char *text) {
  GVariant *value = g_variant_new_string(text);
  int n = (int)g_variant_n_children(value);
  g_variant_unref(value);
  return n;
}
