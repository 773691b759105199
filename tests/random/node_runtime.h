/* What the generated drivers share with the mock runtime of node.h. */
#ifndef NODE_RUNTIME_H
#define NODE_RUNTIME_H
#include "node.h"

enum { E_UNPROTECTED = 1, E_BALANCE = 2 };

struct driven {
  const char* name;
  int inputs; /* how many integers it takes */
  void (*drive)(const int* inputs);
};
extern const struct driven driven_functions[]; /* ends with a NULL name */

struct node* mock_argument(void);
void mock_end(struct node* result);
#endif
