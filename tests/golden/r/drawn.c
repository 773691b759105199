// False alarms on packages drawn at random whose mechanism is known and not mended yet.
#include <stdio.h>

#include "mock.h"

static double *row(int n) { return (double *)R_alloc(n, sizeof(double)); }

// A stream that was just opened is not at its end: the loop runs at least once.
double FP_first_round_sets(FILE *opened, int n) {
  double *data;
  int first = 1;
  while (!feof(opened)) {
    if (first) data = row(n);
    first = 0;
    if (fscanf(opened, "%lf", &data[0]) != 1) break;
  }
  return data[0];  // false-alarm: r-uninit
}

// A member that the whole program only ever sets to NULL decides whether something is collected.
struct result {
  void *extra;
  int id;
};
static struct result *results[4];

void drawn_make(int id) {
  struct result *r = (struct result *)R_alloc(1, sizeof *r);
  r->extra = NULL;
  r->id = id;
  results[id & 3] = r;
}

static int id_of(SEXP handle) { return INTEGER(handle)[0]; }

static void FP_warned_never(SEXP handle) {
  struct result *r = results[id_of(handle) & 3];
  if (r->extra) Rf_warning("not freed");
  results[id_of(handle) & 3] = NULL;  // false-alarm: r-unprotected
}

void drawn_forget(int id) {
  SEXP handle = Rf_ScalarInteger(id);
  FP_warned_never(handle);
}
