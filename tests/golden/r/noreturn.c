// noreturn: a function never returns and is not marked so.
#include "mock.h"

void noreturn_unmarked(const char *what) {  // expect-in-function: r-noreturn
  error("bad %s", what);
}

NORET void noreturn_ok_marked(const char *what);
void noreturn_ok_marked(const char *what) { error("bad %s", what); }

void noreturn_ok_comes_back(const char *what) {
  if (what != NULL) error("bad %s", what);
}
