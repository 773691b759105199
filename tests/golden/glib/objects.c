// References of objects and boxed types: made, taken, given back, cleared, replaced.
#include <gio/gio.h>

static int uses(void *object) { return object != NULL; }
typedef struct { GObject parent; GFile *file; GCancellable *cancellable; } Thing;

int O01_leaked(const char *path) {  // expect-in-function: glib-leak
  GFile *file = g_file_new_for_path(path);
  if (!g_file_query_exists(file, NULL)) return -1;
  g_object_unref(file);
  return 0;
}

int O01_ok(const char *path) {
  GFile *file = g_file_new_for_path(path);
  gboolean there = g_file_query_exists(file, NULL);
  g_object_unref(file);
  return there ? 0 : -1;
}

int O02_autoptr(const char *path) {
  g_autoptr(GFile) file = g_file_new_for_path(path);
  if (!g_file_query_exists(file, NULL)) return -1;
  return 0;
}

int O03_cleared(const char *path) {
  GFile *file = g_file_new_for_path(path);
  int r = g_file_query_exists(file, NULL);
  g_clear_object(&file);
  return r;
}

int O04_used_after(const char *path) {
  GFile *file = g_file_new_for_path(path);
  g_object_unref(file);
  return g_file_query_exists(file, NULL);  // expect: glib-use-after-release
}

GFile *O05_ok_given(GFile *file) { return g_object_ref(file); }

GFile *O06_ok_parent(GFile *file) { return g_file_get_parent(file); }

int O06_bad_parent(GFile *file) {  // expect-in-function: glib-leak
  GFile *parent = g_file_get_parent(file);
  if (!parent) return 0;
  return g_file_query_exists(parent, NULL);
}

void O07_ok_set(Thing *thing, GFile *file) { g_set_object(&thing->file, file); }

void O08_ok_replaced(Thing *thing, GFile *file) {
  g_clear_object(&thing->file);
  thing->file = g_object_ref(file);
}

int O09_lent(GFileInfo *info) {
  GIcon *icon = g_file_info_get_icon(info);
  uses(icon);
  g_object_unref(icon);  // expect: glib-over-release
  return 0;
}

int O10_name_after_info(GFile *file) {
  GFileInfo *info = g_file_query_info(file, "*", 0, NULL, NULL);
  if (!info) return -1;
  const char *name = g_file_info_get_name(info);
  g_object_unref(info);
  return name[0];  // expect: glib-use-after-release
}

int O11_bytes(void) {  // expect-in-function: glib-leak
  GBytes *bytes = g_bytes_new("abc", 3);
  gsize n;
  const char *data = g_bytes_get_data(bytes, &n);
  return data[0];
}

int O11_ok_bytes(void) {
  g_autoptr(GBytes) bytes = g_bytes_new("abc", 3);
  gsize n;
  const char *data = g_bytes_get_data(bytes, &n);
  return data[0];
}

GBytes *O12_ok_taken(const char *text) {
  char *copy = g_strdup(text);
  return g_bytes_new_take(copy, 3);
}

GBytes *O12_bad_taken(const char *text) {
  char *copy = g_strdup(text);
  GBytes *bytes = g_bytes_new_take(copy, 3);
  g_free(copy);  // expect: glib-over-release|glib-use-after-release
  return bytes;
}

int O13_loop(GFileEnumerator *files) {  // expect-in-function: glib-leak
  GFileInfo *info;
  int n = 0;
  while ((info = g_file_enumerator_next_file(files, NULL, NULL)) != NULL) {
    if (g_file_info_get_is_hidden(info)) continue;
    n++;
    g_object_unref(info);
  }
  return n;
}

int O13_ok_loop(GFileEnumerator *files) {
  int n = 0;
  for (;;) {
    g_autoptr(GFileInfo) info = g_file_enumerator_next_file(files, NULL, NULL);
    if (!info) break;
    if (g_file_info_get_is_hidden(info)) continue;
    n++;
  }
  return n;
}

void O14_ok_value(GValue *value, const char *text) { g_value_take_string(value, g_strdup(text)); }

int O15_dup(GValue *value) {  // expect-in-function: glib-leak
  GObject *object = g_value_dup_object(value);
  if (!object) return 0;
  return uses(object);
}

int O15_ok_get(GValue *value) {
  GObject *object = g_value_get_object(value);
  if (!object) return 0;
  return uses(object);
}

void O16_ok_task(GTask *task, const char *text) { g_task_return_pointer(task, g_strdup(text), g_free); }

void O17_ok_kept(GObject *object, const char *text) { g_object_set_data_full(object, "text", g_strdup(text), g_free); }

static GFile *O18_make(const char *path) { return g_file_new_for_path(path); }

int O18_helper(const char *path) {  // expect-in-function: glib-leak
  GFile *file = O18_make(path);
  return g_file_query_exists(file, NULL);
}

static void O19_done(GObject *source, GAsyncResult *result, gpointer data) {
  g_file_enumerator_close_finish((GFileEnumerator *)source, result, NULL);
  g_object_unref(source);
}

// The callback gets the enumerator, and releases it.
void O19_ok_async(GFile *file) {
  GFileEnumerator *files = g_file_enumerate_children(file, "*", G_FILE_QUERY_INFO_NONE, NULL, NULL);
  if (files) g_file_enumerator_close_async(files, G_PRIORITY_DEFAULT, NULL, O19_done, NULL);
}

int O20_ok_reset(GValue *value) {
  g_value_reset(value);
  return 0;
}
