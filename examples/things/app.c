/* Code that uses things.h. Each mistake is announced; the other functions are right. */
#include <stddef.h>
#include "things.h"

int total(const char *a, const char *b)
{
	/* BUG 1: an early return forgets the reference. */
	struct thing *x = thing_find(a), *y;
	int sum;

	if (!x)
		return -1;
	y = thing_find(b);
	if (!y)
		return -1;
	sum = thing_size(x) + thing_size(y);
	thing_put(x);
	thing_put(y);
	return sum;
}

int first_size(void)
{
	/* BUG 2: what belongs to the library is given back. */
	struct thing *t = thing_first();
	int size;

	if (!t)
		return 0;
	size = thing_size(t);
	thing_put(t);
	return size;
}

int shelve(const char *name)
{
	/* BUG 3: the shelf has the reference already. */
	struct thing *t = thing_find(name);

	if (!t)
		return -1;
	shelf_add(t);
	thing_put(t);
	return 0;
}

int size_of(const char *name)
{
	/* BUG 4: used after the last reference was given back. */
	struct thing *t = thing_find(name);

	if (!t)
		return -1;
	thing_put(t);
	return thing_size(t);
}

int store_twice(struct thing *t, int value)
{
	/* BUG 5: one way to fail unlocks, the other does not, and callers cannot tell which it was. */
	if (thing_lock(t) < 0)
		return -1;
	if (thing_write(t, value) < 0)
		return -1;
	if (thing_write(t, value + 1) < 0) {
		thing_unlock(t);
		return -1;
	}
	thing_unlock(t);
	return 0;
}

/* Right: a reference for the caller. */
struct thing *first_or_find(const char *name)
{
	struct thing *t = thing_first();

	if (t)
		return thing_get(t);
	return thing_find(name);
}

/* Right: whoever calls this unlocks. */
int begin(struct thing *t)
{
	if (thing_lock(t) < 0)
		return -1;
	if (thing_write(t, 0) < 0) {
		thing_unlock(t);
		return -1;
	}
	return 0;
}
