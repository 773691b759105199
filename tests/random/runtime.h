/* What the generated drivers share with the mock runtime. */
#ifndef RUNTIME_H
#define RUNTIME_H
#include "thing.h"

enum { E_LEAK = 1, E_OVER = 2, E_USE = 4, E_NULL = 8, E_PAIR = 16, E_MIX = 32 };

struct driven {
  const char* name;
  int inputs;    /* how many integers it takes */
  int arguments; /* how many objects */
  void (*drive)(const int* inputs);
};
extern const struct driven driven_functions[]; /* ends with a NULL name */

struct thing* mock_argument(void);
void mock_end(struct thing* result, int number, const int* inputs, struct thing** arguments, int num_arguments,
              struct thing** outs, int num_outs);
#endif
