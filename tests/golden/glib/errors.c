// GError: set exactly when a function says that it failed, and owned by whoever asked for it.
#include <gio/gio.h>

static int uses(const char *text) { return text && text[0] == 1 ? -1 : 0; }
GQuark domain(void);

int E01_leaked(GFile *file) {  // expect-in-function: glib-leak
  GError *error = NULL;
  if (!g_file_delete(file, NULL, &error)) return -1;
  return 0;
}

int E01_ok(GFile *file) {
  GError *error = NULL;
  if (!g_file_delete(file, NULL, &error)) {
    uses(error->message);
    g_error_free(error);
    return -1;
  }
  return 0;
}

int E02_ok_autoptr(GFile *file) {
  g_autoptr(GError) error = NULL;
  if (!g_file_delete(file, NULL, &error)) return uses(error->message);
  return 0;
}

int E03_ok_not_asked(GFile *file) { return g_file_delete(file, NULL, NULL) ? 0 : -1; }

gboolean E06_ok_passed_on(GFile *file, GError **error) { return g_file_delete(file, NULL, error); }

gboolean E07_ok_propagated(GFile *file, GError **error) {
  GError *local = NULL;
  if (!g_file_delete(file, NULL, &local)) {
    g_propagate_error(error, local);
    return FALSE;
  }
  return TRUE;
}

// The spec says that the error is stored at `error`, not who holds it there, since that may be a local of the caller.
gboolean FN_E07_propagated_and_freed(GFile *file, GError **error) {
  GError *local = NULL;
  if (!g_file_delete(file, NULL, &local)) {
    g_propagate_error(error, local);
    g_error_free(local);  // expect-not-yet: glib-over-release
    return FALSE;
  }
  return TRUE;
}

gboolean E08_ok_set(int n, GError **error) {
  if (n < 0) {
    g_set_error(error, domain(), 1, "%d", n);
    return FALSE;
  }
  return TRUE;
}

int E09_helper(int n) {  // expect-in-function: glib-leak
  GError *error = NULL;
  if (!E08_ok_set(n, &error)) return -1;
  return 0;
}

int E09_ok_helper(int n) {
  g_autoptr(GError) error = NULL;
  if (!E08_ok_set(n, &error)) return -1;
  return 0;
}

int E10_result_leaked(GFile *file) {  // expect-in-function: glib-leak
  GError *error = NULL;
  GFileInfo *info = g_file_query_info(file, "*", 0, NULL, &error);
  if (error) {
    g_error_free(error);
    return -1;
  }
  return g_file_info_get_is_hidden(info);
}

int E10_ok_result(GFile *file) {
  GError *error = NULL;
  GFileInfo *info = g_file_query_info(file, "*", 0, NULL, &error);
  if (error) {
    g_error_free(error);
    return -1;
  }
  int r = g_file_info_get_is_hidden(info);
  g_object_unref(info);
  return r;
}

int E11_ok_matches(GFile *file) {
  GError *error = NULL;
  if (!g_file_delete(file, NULL, &error)) {
    if (!g_error_matches(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND)) uses(error->message);
    g_clear_error(&error);
  }
  return 0;
}

int E23_ok_prefixed(GFile *file) {
  g_autoptr(GError) error = NULL;
  if (!g_file_delete(file, NULL, &error)) {
    g_prefix_error(&error, "deleting: ");
    return uses(error->message);
  }
  return 0;
}

gboolean E24_ok_task(GTask *task, GError **error) { return g_task_propagate_boolean(task, error); }

// TRUE says that the error was set: the operation was cancelled.
gboolean E30_ok_cancelled(GCancellable *cancellable, GError **error, int n) {
  for (int i = 0; i < n; i++)
    if (g_cancellable_set_error_if_cancelled(cancellable, error)) return FALSE;
  return TRUE;
}

int E30_ok_looked_at(GCancellable *cancellable) {
  g_autoptr(GError) error = NULL;
  if (g_cancellable_set_error_if_cancelled(cancellable, &error)) return uses(error->message);
  return 0;
}

// A number of which one value says that it failed, and all others that it did not.
int E31_ok_zero_fails(GKeyFile *file) {
  g_autoptr(GError) error = NULL;
  int n = g_key_file_get_integer(file, "group", "key", &error);
  if (n < 0) return n;
  if (error) return uses(error->message);
  return n;
}

// Whoever calls this gives the place of an error that is empty, or none: no function can see that here.
int FP_E32_either_said(GFile *file, GError **error) {
  GFileInfo *info = g_file_query_info(file, "*", 0, NULL, error);
  if (!info || *error) return -1;  // false-alarm: glib-leak, glib-error-missing
  g_object_unref(info);
  return 0;
}
