// What goes to functions out of sight: some of these take it over, and their names or how they are reached tell which.
#include <gio/gio.h>

typedef void (*Done)(GList *files, gpointer data);
struct operation {
  Done done;
  gpointer data;
};

// Whoever started the operation gave the function, and may have asked for the list.
void U01_ok_member(struct operation *op, const char *a) {
  GList *files = g_list_prepend(NULL, g_strdup(a));
  op->done(files, op->data);
}

void U01_ok_parameter(Done done, const char *a) {
  GList *files = g_list_prepend(NULL, g_strdup(a));
  done(files, NULL);
}

// A function that answers a question looks, and takes nothing.
int U01_bad_asked(int (*fits)(GList *), const char *a) {  // expect-in-function: glib-leak
  GList *files = g_list_prepend(NULL, g_strdup(a));
  return fits(files);
}

int U01_bad_before_the_call(struct operation *op, const char *a, int early) {  // expect-in-function: glib-leak
  GList *files = g_list_prepend(NULL, g_strdup(a));
  if (early) return -1;
  op->done(files, op->data);
  return 0;
}

// A function of another library: its name says that it gives up what it gets.
extern void path_list_free(GList *paths);
extern void path_list_show(GList *paths);

void U02_ok_freed(const char *a) {
  GList *paths = g_list_prepend(NULL, g_strdup(a));
  path_list_free(paths);
}

void U02_bad_shown(const char *a) {  // expect-in-function: glib-leak
  GList *paths = g_list_prepend(NULL, g_strdup(a));
  path_list_show(paths);
}

// An invocation is answered once, with a value or with an error in a format.
void U03_ok_answered(GDBusMethodInvocation *invocation, const char *method) {
  if (g_str_equal(method, "get")) {
    g_dbus_method_invocation_return_value(invocation, g_variant_new("(s)", "yes"));
    return;
  }
  g_dbus_method_invocation_return_error(invocation, G_DBUS_ERROR, G_DBUS_ERROR_UNKNOWN_METHOD, "no %s", method);
}

// Memory of a size that is not 0 is there.
struct holder {
  GMainContext *context;
};
struct holder *U04_ok_made(void) {
  GMainContext *context = g_main_context_new();
  struct holder *h = g_new0(struct holder, 1);
  if (h)
    h->context = context;
  else
    g_main_context_unref(context);
  return h;
}

// Where no line is read, none is stored.
int U05_ok_lines(GIOChannel *channel) {
  char *line;
  int n = 0;
  while (g_io_channel_read_line(channel, &line, NULL, NULL, NULL) == G_IO_STATUS_NORMAL) {
    n++;
    g_free(line);
  }
  return n;
}

int U05_bad_lines(GIOChannel *channel) {  // expect-in-function: glib-leak
  char *line;
  int n = 0;
  while (g_io_channel_read_line(channel, &line, NULL, NULL, NULL) == G_IO_STATUS_NORMAL) n++;
  return n;
}

void U06_ok_registered(GDBusConnection *connection, GDBusInterfaceInfo *info, const GDBusInterfaceVTable *table) {
  GError *error = NULL;
  guint id = g_dbus_connection_register_object(connection, "/", info, table, NULL, NULL, &error);
  if (id == 0) {
    g_warning("%s", error->message);
    g_error_free(error);
  }
}

int U07_ok_started(void) {
  GError *error = NULL;
  GSubprocess *process = g_subprocess_new(G_SUBPROCESS_FLAGS_NONE, &error, "true", NULL);
  if (error) {
    g_error_free(error);
    return -1;
  }
  g_object_unref(process);
  return 0;
}
