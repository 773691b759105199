// The place for an error must be empty before a call gets it.
#include <gio/gio.h>

int E04_overwritten(GFile *a, GFile *b) {
  GError *error = NULL;
  g_file_delete(a, NULL, &error);
  g_file_delete(b, NULL, &error);  // expect: glib-error-overwritten
  g_clear_error(&error);
  return 0;
}

int E04_ok_cleared(GFile *a, GFile *b) {
  GError *error = NULL;
  g_file_delete(a, NULL, &error);
  g_clear_error(&error);
  g_file_delete(b, NULL, &error);
  g_clear_error(&error);
  return 0;
}

int E21_loop(GFile **files, int n) {
  GError *error = NULL;
  int failed = 0;
  for (int i = 0; i < n; i++)
    if (!g_file_delete(files[i], NULL, &error)) failed++;  // expect: glib-error-overwritten
  g_clear_error(&error);
  return failed;
}

static gboolean E22_helper(GFile *a, GFile *b, GError **error) {
  if (!g_file_delete(a, NULL, error)) return FALSE;
  return g_file_delete(b, NULL, error);
}

int E22_overwritten_by_helper(GFile *a, GFile *b) {
  GError *error = NULL;
  g_file_delete(a, NULL, &error);
  E22_helper(a, b, &error);  // expect: glib-error-overwritten
  g_clear_error(&error);
  return 0;
}

static char *E33_text(GFile *file, GError **error) {
  char *text = NULL;
  if (!g_file_load_contents(file, NULL, &text, NULL, NULL, error)) return NULL;
  return text;
}

// A caller who does not want to know gets no error that could be stored over.
char *E33_ok_asked_or_not_wanted(GFile *a, GFile *b, GError **error) {
  g_free(E33_text(a, error));
  if (error && *error) return NULL;
  return E33_text(b, error);
}
