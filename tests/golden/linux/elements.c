// Elements of a list, and objects that a lookup found: the same call counts another object on another path.
#include "mock.h"

void refcount_inc(refcount_t *r);
void refcount_set(refcount_t *r, int n);
struct span_entry {
  struct list_head list;
  refcount_t refs;
  struct net_device *port;
  u8 id;
};
struct span {
  struct list_head entries;
};
int span_make(struct net_device *port, u8 *id);
int span_allow(struct net_device *port);
#define list_for_each_entry(pos, head, member)                                                          \
  for (pos = container_of((head)->next, typeof(*pos), member); &pos->member != (head);                  \
       pos = container_of(pos->member.next, typeof(*pos), member))

static struct span_entry *span_find(struct span *span, struct net_device *port) {
  struct span_entry *entry;
  list_for_each_entry(entry, &span->entries, list) if (entry->port == port) return entry;
  return NULL;
}

// The element found is counted, whichever it is.
int element_found_or_made(struct span *span, struct net_device *port, u8 *id) {
  struct span_entry *entry = span_find(span, port);
  int err;
  u8 made;
  if (entry) {
    refcount_inc(&entry->refs);
    *id = entry->id;
    return 0;
  }
  err = span_make(port, &made);
  if (err) return err;
  *id = made;
  return 0;
}

int element_bad_kept_where_it_fails(struct span *span, struct net_device *port, u8 *id) {  // expect-in-function: linux-path-pair
  struct span_entry *entry = span_find(span, port);
  if (!entry) return -ENOENT;
  refcount_inc(&entry->refs);
  if (span_allow(port)) return -EPERM;
  refcount_dec_and_test(&entry->refs);
  return span_make(port, id) ? -EPERM : 0;
}

// Every element that fits gives up its count, in a walk that may find none.
static int span_tell(u8 id) {
  if (id > 3) return -EINVAL;
  return 0;
}
int element_given_up(struct span *span, u32 id) {  // maybe-in-function: linux-state-pair
  struct span_entry *entry;
  u8 last = 0;
  list_for_each_entry(entry, &span->entries, list) if (entry->id == id) last = refcount_dec_and_test(&entry->refs);
  if (last) return span_tell(id);
  return 0;
}
