/* A small program on GLib and GIO. Each mistake is announced; the other functions are right. */
#include <gio/gio.h>

gboolean remove_note(GFile *note)
{
  /* BUG 1: the error is asked for, and nobody frees it. */
  GError *error = NULL;

  if (!g_file_delete(note, NULL, &error)) {
    g_printerr("cannot delete: %s\n", error->message);
    return FALSE;
  }
  return TRUE;
}

guint count_notes(GFileEnumerator *files)
{
  /* BUG 2: a file without a name leaves the enumerator's last answer behind. */
  GFileInfo *info;
  guint n = 0;

  while ((info = g_file_enumerator_next_file(files, NULL, NULL)) != NULL) {
    if (g_file_info_get_is_hidden(info)) continue;
    n++;
    g_object_unref(info);
  }
  return n;
}

void print_name(GFile *note)
{
  /* BUG 3: the name belongs to the info, which is gone. */
  GFileInfo *info = g_file_query_info(note, "standard::*", 0, NULL, NULL);
  const char *name;

  if (!info) return;
  name = g_file_info_get_name(info);
  g_object_unref(info);
  g_print("%s\n", name);
}

guint bus_size(GDBusConnection *bus)
{
  /* BUG 4: the answer of the bus is looked at and not given back. */
  GVariant *answer = g_dbus_connection_call_sync(bus, "org.example.Notes", "/", "org.example.Notes", "Size",
                                                 g_variant_new("(b)", TRUE), NULL, 0, -1, NULL, NULL);

  if (!answer) return 0;
  return g_variant_n_children(answer);
}

/* Right: everything is given back where the block ends, and the caller gets the text. */
char *read_note(GFile *note, GError **error)
{
  g_autoptr(GBytes) bytes = g_file_load_bytes(note, NULL, NULL, error);
  gsize n;
  const char *data;

  if (!bytes) return NULL;
  data = g_bytes_get_data(bytes, &n);
  return g_strndup(data, n);
}
