// Lists, arrays and tables: the container is given back, and what it holds by the function it was made with.
#include <gio/gio.h>

static int uses(void *data) { return data != NULL; }

int C01_list_leaked(GHashTable *table) {  // expect-in-function: glib-leak
  GList *keys = g_hash_table_get_keys(table);
  int n = 0;
  for (GList *l = keys; l; l = l->next) n += uses(l->data);
  return n;
}

int C01_ok_list(GHashTable *table) {
  GList *keys = g_hash_table_get_keys(table);
  int n = 0;
  for (GList *l = keys; l; l = l->next) n += uses(l->data);
  g_list_free(keys);
  return n;
}

int C02_table_leaked(const char *key) {  // expect-in-function: glib-leak
  GHashTable *table = g_hash_table_new(g_str_hash, g_str_equal);
  g_hash_table_insert(table, (char *)key, NULL);
  if (uses(g_hash_table_lookup(table, "x"))) return 1;
  g_hash_table_unref(table);
  return 0;
}

GHashTable *C02_ok_table(const char *key) {
  GHashTable *table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
  g_hash_table_insert(table, g_strdup(key), g_strdup("value"));
  return table;
}

int C03_array_leaked(int n) {  // expect-in-function: glib-leak
  GArray *array = g_array_new(FALSE, FALSE, sizeof(int));
  g_array_append_val(array, n);
  if (array->len > 3) return -1;
  g_array_unref(array);
  return 0;
}

GPtrArray *C04_ok_pointers(const char *text) {
  g_autoptr(GPtrArray) array = g_ptr_array_new_with_free_func(g_free);
  g_ptr_array_add(array, g_strdup(text));
  if (uses(array)) return NULL;
  return g_steal_pointer(&array);
}

GList *C05_ok_built(const char *text) {
  GList *list = NULL;
  for (int i = 0; i < 3; i++) list = g_list_prepend(list, g_strdup(text));
  return g_list_reverse(list);
}

void C06_ok_cleared(GList **list) {
  g_clear_list(list, g_free);
}

char **C07_ok_segment(const char *text) {
  GPtrArray *array = g_ptr_array_new();
  g_ptr_array_add(array, g_strdup(text));
  g_ptr_array_add(array, NULL);
  return (char **)g_ptr_array_free(array, FALSE);
}

// A helper that puts something in front of a list: the head that stood there is in the new one, whatever it does next.
static void C08_in_front(GSList **list, gpointer data, int *more) {
  *list = g_slist_prepend(*list, data);
  if (*more) *more = 0;
}

void C08_ok_by_a_helper(gpointer data, int *more) {
  GSList *list = NULL;
  C08_in_front(&list, data, more);
  C08_in_front(&list, data, more);
  g_slist_free(list);
}

void C08_lost(gpointer data, int *more) {  // expect-in-function: glib-leak
  GSList *list = NULL;
  C08_in_front(&list, data, more);
  C08_in_front(&list, data, more);
}
