// with: throws.c
#include <glib.h>

extern "C" int throws_helper(const char *text) {
  if (text[0] == 'x') throw 1;
  return text[0];
}
