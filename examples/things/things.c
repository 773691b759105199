/* The library behind things.h: a few things by name, with a count each. */
#include <stdlib.h>
#include <string.h>
#include "things.h"

enum { KNOWN = 3 };

struct thing {
	int count;
	int locked;
	int size;
	int value;
};

static const char *const names[KNOWN] = {"box", "lamp", "chair"};
static struct thing *shelf; /* the shelf holds one */
static struct thing *first;

struct thing *thing_find(const char *name)
{
	int i;

	for (i = 0; i < KNOWN; i++)
		if (strcmp(names[i], name) == 0) {
			struct thing *t = calloc(1, sizeof *t);

			if (!t)
				return NULL;
			t->count = 1;
			t->size = 10 * (i + 1);
			return t;
		}
	return NULL;
}

struct thing *thing_first(void)
{
	if (!first)
		first = thing_find(names[0]);
	return first;
}

struct thing *thing_get(struct thing *t)
{
	t->count++;
	return t;
}

void thing_put(struct thing *t)
{
	if (t && --t->count == 0)
		free(t);
}

int thing_lock(struct thing *t)
{
	if (t->locked)
		return -1;
	t->locked = 1;
	return 0;
}

void thing_unlock(struct thing *t)
{
	t->locked = 0;
}

int thing_size(struct thing *t)
{
	return t->size;
}

int thing_write(struct thing *t, int value)
{
	if (!t->locked || value < 0)
		return -1;
	t->value = value;
	return 0;
}

void shelf_add(struct thing *t)
{
	thing_put(shelf);
	shelf = t;
}
