// An error is there only after a failure.
#include <gio/gio.h>

static int uses(const char *text) { return text && text[0] == 1 ? -1 : 0; }

// The call succeeded, so the error is what it was before: NULL.
int E05_not_set(GFile *file) {
  GError *error = NULL;
  if (g_file_delete(file, NULL, &error)) {
    return uses(error->message);  // expect: glib-error-unset
  }
  g_error_free(error);
  return 0;
}

int E18_ok_asked_first(GFile *file) {
  g_autoptr(GError) error = NULL;
  g_autoptr(GFileInfo) info = g_file_query_info(file, "*", 0, NULL, &error);
  if (!info) return error ? uses(error->message) : 0;
  return 1;
}

// NULL without an error: there is no further file.
int E19_end_of_list(GFileEnumerator *files) {
  g_autoptr(GError) error = NULL;
  g_autoptr(GFileInfo) info = g_file_enumerator_next_file(files, NULL, &error);
  if (!info) return uses(error->message);  // expect: glib-error-unset
  return 1;
}

int E20_ok_loop(GFile **files, int n) {
  int failed = 0;
  for (int i = 0; i < n; i++) {
    g_autoptr(GError) error = NULL;
    if (!g_file_delete(files[i], NULL, &error)) failed += uses(error->message) ? 1 : 2;
  }
  return failed;
}
