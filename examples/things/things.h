/* A small library with a count of its own. */
#ifndef THINGS_H
#define THINGS_H

struct thing;

struct thing *thing_find(const char *name); /* one more reference, or NULL */
struct thing *thing_first(void);            /* stays the library's */
struct thing *thing_get(struct thing *t);   /* takes a reference, returns its argument */
void thing_put(struct thing *t);            /* NULL is fine */
int thing_lock(struct thing *t);            /* 0, or -1: and then it is not locked */
void thing_unlock(struct thing *t);
int thing_size(struct thing *t);
int thing_write(struct thing *t, int value); /* 0 or -1 */
void shelf_add(struct thing *t);            /* the shelf takes the reference over */

#endif
