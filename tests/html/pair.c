/* Two ways through one function that its callers cannot tell apart: one gives the count back, one does not. */
struct thing;
int thing_get(struct thing *t);
void thing_put(struct thing *t);
int work(struct thing *t);

int run(struct thing *t)
{
    if (thing_get(t) < 0)
        return -1;
    if (work(t))
        return -1; /* the count is kept here */
    thing_put(t);
    return 0;
}
