// with: throws_helper.cpp
// A C function that calls C++ code: an exception that leaves the C++ code ends the program, so nothing leaks by it.
#include <glib.h>

int throws_helper(const char *text);

int T01_ok_called(const char *text) {
  char *copy = g_strdup(text);
  int n = throws_helper(copy);
  g_free(copy);
  return n;
}

static int T02_between(const char *text) { return throws_helper(text) + 1; }

int T02_ok_called_by_another(const char *text) {
  char *copy = g_strdup(text);
  int n = T02_between(copy);
  g_free(copy);
  return n;
}
