// A function that fails sets the error that its caller asked for.
#include <gio/gio.h>

GQuark domain(void);

gboolean E12_not_set_on_failure(int n, GError **error) {
  if (n < 0) {
    g_set_error(error, domain(), 1, "%d", n);
    return FALSE;
  }
  if (n > 100) return FALSE;  // expect: glib-error-missing
  return TRUE;
}

gboolean E12_ok_set_on_failure(int n, GError **error) {
  if (n < 0) {
    g_set_error(error, domain(), 1, "%d", n);
    return FALSE;
  }
  if (n > 100) {
    g_set_error_literal(error, domain(), 2, "large");
    return FALSE;
  }
  return TRUE;
}

gboolean E13_ok_by_callee(GFile *a, GFile *b, GError **error) {
  if (!g_file_delete(a, NULL, error)) return FALSE;
  if (!g_file_delete(b, NULL, error)) return FALSE;
  return TRUE;
}

gboolean E13_after_callee(GFile *a, int n, GError **error) {
  if (!g_file_delete(a, NULL, error)) return FALSE;
  if (n < 0) return FALSE;  // expect: glib-error-missing
  return TRUE;
}

gboolean E14_ok_by_helper(int n, GError **error) {
  if (!E12_ok_set_on_failure(n, error)) return FALSE;
  return TRUE;
}

gboolean E14_after_helper(int n, GError **error) {
  if (!E12_ok_set_on_failure(n, error)) return FALSE;
  if (n == 7) return FALSE;  // expect: glib-error-missing
  return TRUE;
}

gboolean E15_ok_asked_for(int n, GError **error) {
  if (n < 0) {
    if (error) *error = g_error_new(domain(), 1, "%d", n);
    return FALSE;
  }
  return TRUE;
}

gboolean asks_stranger(int n, GError **error);

gboolean E16_ok_stranger(int n, GError **error) {
  if (n < 0) {
    g_set_error(error, domain(), 1, "%d", n);
    return FALSE;
  }
  if (!asks_stranger(n, error)) return FALSE;
  return TRUE;
}

// FALSE is all that it returns, so FALSE says nothing.
gboolean E17_ok_always_false(int n, GError **error) {
  if (n < 0) g_set_error(error, domain(), 1, "%d", n);
  return FALSE;
}

// An error that was there and is given up: the caller is not to know of it.
gboolean E17_nobodys_business(GFile *a, int n, GError **error) {
  GError *own = NULL;
  if (n < 0) {
    g_set_error(error, domain(), 1, "%d", n);
    return FALSE;
  }
  if (!g_file_delete(a, NULL, &own)) {
    g_clear_error(&own);
    return FALSE;  // expect: glib-error-missing
  }
  return TRUE;
}

// What makes an object says by NULL that it could not, and why.
GRegex *E18_ok_constructor(const char *pattern, GError **error) {
  if (pattern[0] == '\0') {
    g_set_error_literal(error, domain(), 1, "empty");
    return NULL;
  }
  GRegex *made = g_regex_new(pattern, 0, 0, error);
  if (made == NULL) return NULL;
  g_regex_match(made, "x", 0, NULL);
  return made;
}
