/* What the generated drivers share with the mock runtime of dev.h. */
#ifndef DEV_RUNTIME_H
#define DEV_RUNTIME_H
#include "dev.h"

enum { E_PAIR = 1 };

struct driven {
  const char* name;
  int inputs; /* how many integers it takes */
  void (*drive)(const int* inputs);
};
extern const struct driven driven_functions[]; /* ends with a NULL name */

struct dev* mock_argument(void);
void mock_end(int result, const int* inputs);
#endif
