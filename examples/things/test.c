/* Calls one function of app.c, as often as RECKON_ROUNDS says (once without it): after the first misuse of memory a
 * sanitizer ends the program, so that the others would not get their turn. It looks after the lock itself, and ends with
 * status 86 where store_twice() leaves it locked. */
#include <stdlib.h>
#include <string.h>
#include "things.h"

int total(const char *a, const char *b);
int first_size(void);
int shelve(const char *name);
int size_of(const char *name);
int store_twice(struct thing *t, int value);

enum { WRONG_COUNT = 86 };

static int call_store_twice(void)
{
	struct thing *t = thing_find("lamp");
	int still_locked;

	if (!t)
		return 0;
	store_twice(t, 5);
	still_locked = thing_lock(t) < 0;
	thing_put(t);
	return still_locked;
}

int main(int argc, char **argv)
{
	const char *rounds = getenv("RECKON_ROUNDS");
	const char *function = argc > 1 ? argv[1] : "";
	int i, n = rounds ? atoi(rounds) : 1;

	for (i = 0; i < n; i++) {
		if (strcmp(function, "total") == 0)
			total("box", "lamp");
		if (strcmp(function, "store_twice") == 0 && call_store_twice())
			return WRONG_COUNT;
		if (strcmp(function, "size_of") == 0)
			size_of("chair");
		if (strcmp(function, "shelve") == 0)
			shelve("box");
		if (strcmp(function, "first_size") == 0)
			first_size();
	}
	return 0;
}
