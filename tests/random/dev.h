/* The mock API with a named count, whose users are seen by their arguments and result only. */
#ifndef DEV_H
#define DEV_H
struct dev {
  int id;
};

int dev_get(struct dev* d);   /* 0: counts up, negative: failed */
int dev_sync(struct dev* d);  /* counts up whether it fails or not */
void dev_hold(struct dev* d); /* counts up */
void dev_put(struct dev* d);  /* counts down */
int dev_work(struct dev* d);  /* 0, negative: failed */
int choose(void);
#endif
