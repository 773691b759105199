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
