/* The mock API with a protection stack. Every call that can collect does so on some run. */
#ifndef NODE_H
#define NODE_H
struct node {
  int id;
};

struct node* node_new(void);                   /* may collect */
struct node* node_pair(struct node* a);        /* may collect, then makes a node that keeps `a` */
int node_eval(struct node* x);                 /* may collect, then uses x */
void node_collect(void);                       /* may collect */
int node_peek(struct node* x);                 /* only looks */
void node_set(struct node* x, struct node* v); /* x keeps v */
struct node* node_get(struct node* x);         /* something x keeps */
struct node* protect(struct node* x);
void unprotect(int n);
int choose(void);
#endif
