// References that a program counts itself, in memory of GLib: who makes an object sets its count to one, and who gives
// the last one back frees it.
#include <gio/gio.h>

typedef struct Node Node;
struct Node {
  Node *children, *parent;
  char *content;
  int refs;
};

static Node *node_new(const char *content) {
  Node *node = g_new0(Node, 1);
  node->content = g_strdup(content);
  node->refs = 1;
  return node;
}

static Node *node_ref(Node *node) {
  node->refs += 1;
  return node;
}

static void node_unref(Node *node) {
  node->refs -= 1;
  if (node->refs == 0) {
    g_free(node->content);
    g_free(node);
  }
}

static void node_append(Node *parent, Node *child) {
  if (parent->children) return;
  parent->children = node_ref(child);
  child->parent = parent;
}

// Where nobody took the node, the count is one, and it goes.
void N01_ok_child_or_none(Node *parent, const char *content) {
  Node *node = node_new(content);
  node_append(parent, node);
  node_unref(node);
}

void N01_ok_made_and_gone(const char *content) {
  Node *node = node_new(content);
  node_unref(node);
}

int N01_bad_early_return(const char *content, int early) {  // expect-in-function: glib-leak
  Node *node = node_new(content);
  if (early) return -1;
  node_unref(node);
  return 0;
}

void N01_bad_one_reference_more(const char *content) {  // expect-in-function: glib-leak
  Node *node = node_new(content);
  node_ref(node);
  node_unref(node);
}

// The same, by GLib's atomic operations.
typedef struct {
  volatile int refs;
  char *name;
} Atomic;

static Atomic *atomic_new(const char *name) {
  Atomic *a = g_slice_new0(Atomic);
  a->refs = 1;
  a->name = g_strdup(name);
  return a;
}

static void atomic_unref(Atomic *a) {
  if (g_atomic_int_dec_and_test(&a->refs)) {
    g_free(a->name);
    g_slice_free(Atomic, a);
  }
}

void N02_ok_atomic(const char *name) {
  Atomic *a = atomic_new(name);
  atomic_unref(a);
}

int N02_bad_atomic(const char *name, int early) {  // expect-in-function: glib-leak
  Atomic *a = atomic_new(name);
  if (early) return -1;
  atomic_unref(a);
  return 0;
}

typedef struct {
  guint refs : 20;
  guint type : 7;
  char *name;
} Narrow;

Narrow *narrow_new(int type, const char *name) {
  Narrow *n = g_new0(Narrow, 1);
  n->type = type;
  n->refs = 1;
  n->name = g_strdup(name);
  return n;
}

void narrow_unref(Narrow *n) {
  n->refs -= 1;
  if (n->refs == 0) {
    g_free(n->name);
    g_free(n);
  }
}

// A count in some bits of a word: what the others hold is not known, so neither is the word.
void FP_N03_some_bits(int type, const char *name) {
  Narrow *n = narrow_new(type, name);
  narrow_unref(n);
}  // false-alarm: glib-leak

// How many references there are is not known here: one is given up all the same.
extern GTask *task_of(const char *content);

int N04_ok_one_of_several(const char *content) {
  Node *node = g_task_propagate_pointer(task_of(content), NULL);
  if (!node) return -1;
  node_unref(node);
  return 0;
}

int N04_bad_not_given_up(const char *content, int early) {  // expect-in-function: glib-leak
  Node *node = g_task_propagate_pointer(task_of(content), NULL);
  if (!node) return -1;
  if (early) return 1;
  node_unref(node);
  return 0;
}
