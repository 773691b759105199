// A lookup hands on its argument on one path: a test for an error value is about the other one.
#include "mock.h"

struct net *get_net(struct net *net);
void put_net(struct net *net);
struct net *get_net_ns_by_fd(int fd);
int space_use(struct net *net);

int passed_argument_is_no_error(struct net *src, int fd) {
  struct net *net = fd ? get_net_ns_by_fd(fd) : get_net(src);
  if (IS_ERR(net)) return PTR_ERR(net);
  space_use(net);
  put_net(net);
  return 0;
}

int passed_bad_kept(struct net *src, int fd) {  // expect-in-function: linux-leak
  struct net *net = get_net(src);
  if (space_use(net)) return -EINVAL;
  put_net(net);
  return 0;
}
