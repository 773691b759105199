// Memory of the kernel's allocator.
#include "mock.h"

void *kmalloc(size_t n, gfp_t flags);
void *kcalloc(size_t n, size_t size, gfp_t flags);
void *kmemdup(const void *p, size_t n, gfp_t flags);
char *kstrdup(const char *s, gfp_t flags);
void *krealloc(const void *p, size_t n, gfp_t flags);
void kfree_sensitive(const void *p);
extern int send(struct device *dev, int n);
extern int register_thing(struct device *dev, void *ops);

struct thing {
  struct device *dev;
  char *name;
  u8 *buffer;
  struct list_head node;
  int n;
};

int memory_left_when_sending_fails(struct device *dev) {  // expect-in-function: linux-memory-leak
  u8 *b = kmalloc(64, GFP_KERNEL);
  int ret;

  if (!b)
    return -ENOMEM;
  b[0] = 1;
  ret = send(dev, b[0]);
  if (ret)
    return ret;
  kfree(b);
  return 0;
}

int memory_ok_goto(struct device *dev) {
  struct thing *t;
  int ret;

  t = kzalloc(sizeof(*t), GFP_KERNEL);
  if (!t)
    return -ENOMEM;
  t->name = kstrdup("x", GFP_KERNEL);
  if (!t->name) {
    ret = -ENOMEM;
    goto free_thing;
  }
  t->buffer = kcalloc(4, 4, GFP_KERNEL);
  if (!t->buffer) {
    ret = -ENOMEM;
    goto free_name;
  }
  ret = send(dev, t->n);
  if (ret)
    goto free_buffer;
  dev_set_drvdata(dev, t);
  return 0;

free_buffer:
  kfree(t->buffer);
free_name:
  kfree(t->name);
free_thing:
  kfree(t);
  return ret;
}

int memory_name_left(struct device *dev) {  // expect-in-function: linux-memory-leak
  struct thing *t;
  int ret;

  t = kzalloc(sizeof(*t), GFP_KERNEL);
  if (!t)
    return -ENOMEM;
  t->name = kstrdup("x", GFP_KERNEL);
  if (!t->name) {
    kfree(t);
    return -ENOMEM;
  }
  ret = send(dev, t->n);
  if (ret) {
    kfree(t);
    return ret;
  }
  dev_set_drvdata(dev, t);
  return 0;
}

int memory_ok_sensitive(struct device *dev, const u8 *key) {
  u8 *copy = kmemdup(key, 16, GFP_KERNEL);
  int ret;

  if (!copy)
    return -ENOMEM;
  ret = send(dev, copy[0]);
  kfree_sensitive(copy);
  return ret;
}

static inline void INIT_LIST_HEAD(struct list_head *list) {
  list->next = list;
  list->prev = list;
}
int memory_left_with_empty_list(struct device *dev) {  // expect-in-function: linux-memory-leak
  struct thing *t = kzalloc(sizeof(*t), GFP_KERNEL);
  int ret;

  if (!t)
    return -ENOMEM;
  INIT_LIST_HEAD(&t->node);
  ret = send(dev, t->n);
  if (ret)
    return ret;
  dev_set_drvdata(dev, t);
  return 0;
}

int memory_ok_listed(struct list_head *list) {
  struct thing *t = kzalloc(sizeof(*t), GFP_KERNEL);

  if (!t)
    return -ENOMEM;
  list_add_tail(&t->node, list);
  return 0;
}

// What was put into a list of one's own is freed by walking it.
int memory_ok_own_list(struct device *dev, int n) {
  LIST_HEAD(list);
  struct thing *t, *next;
  int i, ret = 0;

  for (i = 0; i < n; i++) {
    t = kzalloc(sizeof(*t), GFP_KERNEL);
    if (!t) {
      ret = -ENOMEM;
      break;
    }
    list_add_tail(&t->node, &list);
  }
  list_for_each_entry_safe(t, next, &list, node) {
    list_del(&t->node);
    kfree(t);
  }
  return ret;
}

// A handler has it.
static int handler(int irq, void *data) {
  struct thing *t = data;

  return t->n;
}
int memory_ok_irq(struct device *dev) {
  struct thing *t = kzalloc(sizeof(*t), GFP_KERNEL);
  int ret;

  if (!t)
    return -ENOMEM;
  ret = request_irq(3, handler, 0, "thing", t);
  if (ret) {
    kfree(t);
    return ret;
  }
  return send(dev, 1);
}
int memory_ok_registered(struct device *dev) {
  struct thing *t = kzalloc(sizeof(*t), GFP_KERNEL);

  if (!t)
    return -ENOMEM;
  return register_thing(dev, t);
}

// Managed memory goes with the device.
int memory_ok_managed(struct device *dev) {
  struct thing *t = devm_kzalloc(dev, sizeof(*t), GFP_KERNEL);

  if (!t)
    return -ENOMEM;
  return send(dev, t->n);
}

int memory_ok_null(struct device *dev, int wanted) {
  u8 *b = NULL;
  int ret;

  if (wanted) {
    b = kmalloc(64, GFP_KERNEL);
    if (!b)
      return -ENOMEM;
  }
  ret = send(dev, 1);
  kfree(b);
  return ret;
}

void memory_freed_twice(struct thing *t) {
  kfree(t->buffer);
  kfree(t->name);
  kfree(t->buffer);  // expect: linux-memory-double-free
}
int memory_used_after(struct thing *t) {
  kfree(t);
  return t->n;  // expect: linux-memory-use-after-free
}
void memory_ok_walk(struct list_head *list) {
  struct thing *t, *next;

  list_for_each_entry_safe(t, next, list, node) {
    list_del(&t->node);
    kfree(t->name);
    kfree(t);
  }
}

// A block that cannot be made larger is still there.
int memory_ok_grown(struct thing *t, int n) {
  u8 *more = krealloc(t->buffer, n, GFP_KERNEL);

  if (!more)
    return -ENOMEM;
  t->buffer = more;
  t->buffer[0] = 0;
  return 0;
}
int memory_lost_by_growing(struct device *dev, int n) {  // expect-in-function: linux-memory-leak
  u8 *b = kmalloc(4, GFP_KERNEL);

  if (!b)
    return -ENOMEM;
  b = krealloc(b, n, GFP_KERNEL);
  if (!b)
    return -ENOMEM;
  kfree(b);
  return 0;
}

// The device that is in it ends it.
struct counted_thing {
  int n;
  struct device dev;
};
static void counted_release(struct device *dev) { kfree(container_of(dev, struct counted_thing, dev)); }
void device_initialize(struct device *dev);
int device_add(struct device *dev);
void put_device(struct device *dev);
int memory_ok_counted(void) {
  struct counted_thing *t = kzalloc(sizeof(*t), GFP_KERNEL);
  int ret;

  if (!t)
    return -ENOMEM;
  device_initialize(&t->dev);
  t->dev.release = counted_release;
  ret = device_add(&t->dev);
  if (ret) {
    put_device(&t->dev);
    return ret;
  }
  return 0;
}

// What stands in the structure is freed with it, in a helper.
static void thing_free(struct thing *t) {
  if (!t)
    return;
  kfree(t->buffer);
  kfree(t->name);
  kfree(t);
}
int memory_ok_freed_by_helper(struct device *dev) {
  struct thing *t = kzalloc(sizeof(*t), GFP_KERNEL);

  if (!t)
    return -ENOMEM;
  t->name = kstrdup("x", GFP_KERNEL);
  if (!t->name)
    goto fail;
  t->buffer = kmalloc(4, GFP_KERNEL);
  if (!t->buffer)
    goto fail;
  dev_set_drvdata(dev, t);
  return 0;
fail:
  thing_free(t);
  return -ENOMEM;
}

// The head of the list leads to another element in each round.
static inline bool list_empty(const struct list_head *head) { return head->next == head; }
void memory_ok_first_of_list(struct list_head *list) {
  while (!list_empty(list)) {
    struct thing *t = container_of(list->next, struct thing, node);
    list_del(&t->node);
    kfree(t);
  }
}
struct packet {
  struct list_head node;
  int n;
};
void memory_ok_first_at_front(struct list_head *list) {
  while (!list_empty(list)) {
    struct packet *p = (struct packet *)list->next;
    list_del(&p->node);
    kfree(p);
  }
}
