// References that go where the analysis does not follow them word by word: an exchange in assembler, a list that a callee
// sorts in place.
#include "mock.h"

struct exchanged_slot {
  struct device_node *node;
};
#define exchanged_swap(where, value)                                                                    \
  ({                                                                                                    \
    typeof(*(where)) in_ = (value);                                                                     \
    __asm__ volatile("xchg %0, %1" : "+r"(in_), "+m"(*(where)) : : "memory");                           \
    in_;                                                                                                \
  })

// The slot has the node now, and what it had before is put.
int exchanged_by_assembler(struct exchanged_slot *slot, struct device_node *np) {
  struct device_node *found = of_get_child_by_name(np, "port");
  if (!found) return -ENODEV;
  struct device_node *old = exchanged_swap(&slot->node, found);
  of_node_put(old);
  return 0;
}

// The number that is exchanged is not the node.
int exchanged_bad_number(int *state, struct device_node *np) {  // expect-in-function: linux-leak
  struct device_node *found = of_get_child_by_name(np, "port");
  if (!found) return -ENODEV;
  return exchanged_swap(state, 1);
}

static void exchanged_sort(struct device_node **list, int n) {
  for (int k = 0; k < n; k++)
    for (int m = k + 1; m < n; m++)
      if (list[k]->name < list[m]->name) {
        struct device_node *first = list[k];
        list[k] = list[m];
        list[m] = first;
      }
}
// A list of one, sorted by the callee: what the variable holds afterwards is the same node.
void exchanged_by_sorting(struct device_node *np) {
  struct device_node *found = of_get_child_by_name(np, "port");
  if (!found) return;
  exchanged_sort(&found, 1);
  of_node_put(found);
}

// ---- sockets ------------------------------------------------------------------------------------------------------------

struct net;
struct proto;
struct socket;
struct sock_list {
  struct list_head head;
};
struct sock *sk_alloc(struct net *net, int family, gfp_t flags, struct proto *proto, int kern);
void sock_init_data(struct socket *sock, struct sock *sk);
void sk_nulls_add_node_rcu(struct sock *sk, struct sock_list *list);

// The socket of whoever asked names it, and its release puts it.
int exchanged_socket_create(struct net *net, struct socket *sock, struct proto *proto) {
  struct sock *sk = sk_alloc(net, 2, GFP_KERNEL, proto, 0);
  if (!sk) return -ENOMEM;
  sock_init_data(sock, sk);
  return 0;
}
int exchanged_bad_nobody_names_it(struct net *net, struct proto *proto) {  // expect-in-function: linux-leak
  struct sock *sk = sk_alloc(net, 2, GFP_KERNEL, proto, 0);
  if (!sk) return -ENOMEM;
  sock_init_data(NULL, sk);
  return 0;
}
// The same by a helper: whether somebody names it is known where the helper is called.
static void names(struct socket *sock, struct sock *sk) { sock_init_data(sock, sk); }
int exchanged_named_by_helper(struct net *net, struct socket *sock, struct proto *proto) {
  struct sock *sk = sk_alloc(net, 2, GFP_KERNEL, proto, 0);
  if (!sk) return -ENOMEM;
  names(sock, sk);
  return 0;
}
int exchanged_bad_nobody_named_by_helper(struct net *net, struct proto *proto) {  // expect-in-function: linux-leak
  struct sock *sk = sk_alloc(net, 2, GFP_KERNEL, proto, 0);
  if (!sk) return -ENOMEM;
  names(NULL, sk);
  return 0;
}
// The list has one reference, whoever gets the result the other.
struct sock *exchanged_listed(struct net *net, struct proto *proto, struct sock_list *list) {
  struct sock *sk = sk_alloc(net, 2, GFP_KERNEL, proto, 0);
  if (!sk) return NULL;
  sk_nulls_add_node_rcu(sk, list);
  return sk;
}
