// Lists and trees that helpers change where their caller keeps them.
#include <glib-object.h>
#include <string.h>

struct node {
  struct node *parent, *children, *next;
  char *name;
};

static void params_add(GSList **params, const char *key, const char *value) {
  if (!key || !value) return;
  *params = g_slist_insert_sorted(*params, g_strdup_printf("%s=%s", key, value), (GCompareFunc)strcmp);
}

// After the loop nobody knows what *params is; it was made of what it was.
static void params_del(GSList **params, const char *key) {
  GSList *l, *n;
  if (!params) return;
  for (l = *params; l; l = n) {
    n = l->next;
    char *data = l->data;
    if (strcmp(data, key) == 0) {
      *params = g_slist_remove(*params, data);
      g_free(data);
    }
  }
}

static void params_set(GSList **params, const char *key, const char *value) {
  params_del(params, key);
  params_add(params, key, value);
}

static void params_free(GSList **params) {
  while (params && *params) {
    g_free((*params)->data);
    *params = g_slist_remove(*params, (*params)->data);
  }
}

void R01_ok_set_twice(GSList **params, const char *key) {
  params_set(params, "key", key);
  params_set(params, "method", "HMAC-SHA1");
  params_set(params, "version", "1.0");
}

int R02_ok_freed(const char *a) {
  GSList *params = NULL;
  params_add(&params, "a", a);
  params_free(&params);
  return 1;
}

int R03_bad_not_freed(const char *a, int n) {  // expect-in-function: glib-leak
  GSList *params = NULL;
  params_add(&params, "a", a);
  if (n) return -1;
  params_free(&params);
  return 1;
}

static char *posted(GSList **params_, const char *key) {
  GSList *params = NULL;
  if (!key) {
    params_free(params_);
    return NULL;
  }
  if (params_) params = *params_;
  R01_ok_set_twice(&params, key);
  params_free(&params);
  return g_strdup("done");
}

// An end of posted() at which no list was given is told to callers as one at which the list may stay.
int FP_R04_given_up_by_helper(const char *pin) {
  GSList *params = NULL;
  params_add(&params, "a", pin);
  params_add(&params, "b", pin);
  char *answer = posted(&params, pin);
  g_free(answer);
  return answer != NULL;  // false-alarm: glib-leak
}

static struct node *node_new(const char *name) {
  struct node *n = g_new0(struct node, 1);
  n->name = g_strdup(name);
  return n;
}

static void node_add(struct node *parent, struct node *child) {
  struct node *node;
  for (node = child; node; node = node->next) node->parent = parent;
  if (parent->children == NULL) {
    parent->children = child;
  } else {
    for (node = parent->children; node->next; node = node->next) {
    }
    node->next = child;
  }
}

static void node_free(struct node *n) {
  if (!n) return;
  g_free(n->name);
  while (n->children) {
    struct node *next = n->children->next;
    node_free(n->children);
    n->children = next;
  }
  g_free(n);
}

// A function that calls itself for each child does not tell what it does to the children's names.
int FP_R05_tree(const char *a) {
  struct node *node = node_new("message");
  node_add(node, node_new("body"));  // false-alarm: glib-leak
  if (strcmp(a, "x") == 0) node_add(node, node_new("active"));
  node_free(node);
  return 1;
}

int R06_bad_tree(const char *a) {  // expect-in-function: glib-leak
  struct node *node = node_new("message");
  struct node *body = node_new("body");
  if (strcmp(a, "x") == 0) {
    node_free(node);
    return 0;
  }
  node_add(node, body);
  node_free(node);
  return 1;
}

struct info {
  char *token;
  GSList *params;
};

// Whatever becomes of the list, the struct is freed.
static void info_free(struct info *info) {
  if (!info) return;
  g_free(info->token);
  params_free(&info->params);
  g_free(info);
}

struct info *R07_ok_freed_with_list(void *d) {
  struct info *info = g_new0(struct info, 1);
  if (!d) {
    info_free(info);
    return NULL;
  }
  return info;
}

struct entry {
  char *file, *user;
};

static void entry_clear(struct entry *e) {
  g_free(e->file);
  if (e->user) g_free(e->user);
  memset(e, 0, sizeof *e);
}

// What was cleared holds nothing that could be given up again.
void R08_ok_cleared_twice(struct entry *e) {
  entry_clear(e);
  entry_clear(e);
}

static void entry_drop(struct entry *e) {
  g_free(e->file);
  if (e->user) g_free(e->user);
}

void R08_bad_dropped_twice(struct entry *e) {
  entry_drop(e);
  entry_drop(e);  // expect: glib-over-release; maybe: glib-over-release
}

struct sync {
  GObject *result;
  GMainLoop *loop;
};

// A member that was NULL, and is NULL, says nothing of the struct.
static void sync_free(struct sync *sync) {
  g_clear_object(&sync->result);
  g_main_loop_unref(sync->loop);
  g_free(sync);
}

extern int started(GMainLoop *loop);

int R09_ok_member_cleared(void) {
  struct sync *sync = g_new0(struct sync, 1);
  sync->loop = g_main_loop_new(NULL, FALSE);
  int r = started(sync->loop);
  sync_free(sync);
  return r;
}
