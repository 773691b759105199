// Network (NT01 to NT06), other object families (OB01 to OB09), managed resources and cleanup helpers (MG01 to MG05).
// flags: --checks=* --checks=-linux-noreturn
#include "mock.h"

int sock_join(struct sock *sk, struct net_device *dev);

int NT01_error_without_put(struct net *net, struct sock *sk, const char *name) {  // expect-in-function: linux-leak
  struct net_device *dev = dev_get_by_name(net, name);
  int r;
  if (!dev) return -ENODEV;
  if (!(dev->flags & IFF_UP)) return -ENETDOWN;
  r = sock_join(sk, dev);
  dev_put(dev);
  return r;
}

int NT01_ok_error_with_put(struct net *net, struct sock *sk, const char *name) {
  struct net_device *dev = dev_get_by_name(net, name);
  int r;
  if (!dev) return -ENODEV;
  r = -ENETDOWN;
  if (!(dev->flags & IFF_UP)) goto out;
  r = sock_join(sk, dev);
out:
  dev_put(dev);
  return r;
}

unsigned int NT02_borrowing_lookup(struct net *net, int index) {
  struct net_device *dev;
  unsigned int n = 0;
  rcu_read_lock();
  dev = dev_get_by_index_rcu(net, index);
  if (dev) n = dev->mtu;
  rcu_read_unlock();
  return n;
}

struct packet_sock {
  struct net_device *dev;
};

int NT03_hold_kept(struct packet_sock *po, struct net_device *dev) {
  dev_hold(dev);
  po->dev = dev;
  return 0;
}

void NT03_release(struct packet_sock *po) {
  dev_put(po->dev);
  po->dev = NULL;
}

void NT04_timer_started(struct sock *sk, unsigned long when) {
  if (!mod_timer(&sk->timer, when)) sock_hold(sk);
}

void NT04_timer_stopped(struct sock *sk) {
  if (del_timer(&sk->timer)) __sock_put(sk);
}

struct ring {
  struct sk_buff *slot[16];
  unsigned int head, tail;
};
static struct ring the_ring;
static bool ring_room(struct ring *q) { return q->head - q->tail < 16; }
static void ring_queue(struct ring *q, struct sk_buff *skb) { q->slot[q->head++ & 15] = skb; }

static netdev_tx_t NT05_always_consumes(struct sk_buff *skb, struct net_device *dev) {
  struct ring *q = &the_ring;
  if (!ring_room(q)) {
    kfree_skb(skb);
    return NETDEV_TX_OK;
  }
  ring_queue(q, skb);
  return NETDEV_TX_OK;
}

static netdev_tx_t NT06_busy_after_free(struct sk_buff *skb, struct net_device *dev) {  // expect-in-function: linux-over-release|linux-use-after-release|linux-path-pair|linux-count-left
  struct ring *q = &the_ring;
  if (!ring_room(q)) {
    kfree_skb(skb);
    return NETDEV_TX_BUSY;
  }
  ring_queue(q, skb);
  return NETDEV_TX_OK;
}

static netdev_tx_t NT06_ok_busy(struct sk_buff *skb, struct net_device *dev) {
  struct ring *q = &the_ring;
  if (!ring_room(q)) return NETDEV_TX_BUSY;
  ring_queue(q, skb);
  return NETDEV_TX_OK;
}

const struct net_device_ops ops_consuming = {.ndo_start_xmit = NT05_always_consumes};
const struct net_device_ops ops_busy = {.ndo_start_xmit = NT06_busy_after_free};
const struct net_device_ops ops_busy_ok = {.ndo_start_xmit = NT06_ok_busy};

// ---- OB01 to OB09 ---------------------------------------------------------------------------------------------------

// The creation reference of the object is handed in.
int OB01_handle_then_drop(struct drm_file *f, struct drm_gem_object *o, u32 *h) {
  int r = drm_gem_handle_create(f, o, h);
  drm_gem_object_put(o);
  return r;
}

int OB02_fd_install(struct file *file) {
  int fd = get_unused_fd_flags(O_CLOEXEC);
  if (fd < 0) {
    fput(file);
    return fd;
  }
  fd_install(fd, file);
  return fd;
}

int OB02_bad_opened_file_lost(unsigned int num) {  // expect-in-function: linux-leak
  struct file *file = fget(num);
  int fd;
  if (!file) return -EINVAL;
  fd = get_unused_fd_flags(O_CLOEXEC);
  if (fd < 0) return fd;
  fd_install(fd, file);
  return fd;
}

struct orbit {
  struct file *file;
};
static const struct file_operations orbit_fops;
static struct orbit *orbit_of(struct file *f) { return f->f_op == &orbit_fops ? f->private_data : NULL; }

struct orbit *FP_OB03_hidden_behind(unsigned int num) {
  struct file *f = fget(num);
  struct orbit *o = f ? orbit_of(f) : NULL;
  if (f && !o) fput(f);
  return o;  // false-alarm: linux-leak -- a lock-and-count pair is not followed
}

void OB03_put(struct orbit *o) { fput(o->file); }

int mm_pin(struct mm_struct *mm);

int OB04_two_counters(struct mm_struct *mm) {
  if (!mmget_not_zero(mm)) return -ESRCH;
  mm_pin(mm);
  mmput(mm);
  return 0;
}

void OB04_other_counter(struct mm_struct *mm) {
  mmgrab(mm);
  mm_pin(mm);
  mmdrop(mm);
}

int OB04_bad_wrong_counter(struct mm_struct *mm) {  // expect-in-function: linux-path-pair|linux-leak|linux-over-release; maybe-in-function: linux-path-pair, linux-state-pair, linux-leak, linux-over-release
  if (!mmget_not_zero(mm)) return 0;
  mm_pin(mm);
  mmdrop(mm);
  return 0;
}

int task_poke(struct task_struct *t);

int OB05_task_held(struct pid *pid) {
  struct task_struct *t;
  int r;
  rcu_read_lock();
  t = pid_task(pid, PIDTYPE_PID);
  if (t) get_task_struct(t);
  rcu_read_unlock();
  if (!t) return -ESRCH;
  r = task_poke(t);
  put_task_struct(t);
  return r;
}

int OB05_bad_task_kept(struct pid *pid) {  // expect-in-function: linux-leak
  struct task_struct *t;
  rcu_read_lock();
  t = pid_task(pid, PIDTYPE_PID);
  if (t) get_task_struct(t);
  rcu_read_unlock();
  if (!t) return -ESRCH;
  return task_poke(t);
}

int vfs_op(void);

int OB06_credentials(const struct cred *c) {
  const struct cred *old = override_creds(c);
  int r = vfs_op();
  revert_creds(old);
  return r;
}

struct dentry *OB07_inode_to_dcache(struct super_block *sb, unsigned long ino, struct dentry *dentry) {
  struct inode *inode = iget_locked(sb, ino);
  if (!inode) return ERR_PTR(-ENOMEM);
  return d_splice_alias(inode, dentry);
}

struct radio {
  struct usb_device *udev;
  struct usb_anchor anchor;
};

int OB08_urb_anchored(struct radio *d) {
  struct urb *u = usb_alloc_urb(0, GFP_KERNEL);
  int r;
  if (!u) return -ENOMEM;
  usb_anchor_urb(u, &d->anchor);
  r = usb_submit_urb(u, GFP_KERNEL);
  if (r) usb_unanchor_urb(u);
  usb_free_urb(u);
  return r;
}

int OB08_bad_urb_lost(struct radio *d) {  // expect-in-function: linux-leak
  struct urb *u = usb_alloc_urb(0, GFP_KERNEL);
  if (!u) return -ENOMEM;
  return usb_submit_urb(u, GFP_KERNEL);
}

int radio_init(struct radio *z);
int radio_map(struct radio *z);

static int OB09_error_label_forgets(struct usb_interface *i, const struct usb_device_id *id) {  // expect-in-function: linux-leak|linux-path-pair
  struct radio *z = kzalloc(sizeof(*z), GFP_KERNEL);
  int r;
  if (!z) return -ENOMEM;
  r = radio_map(z);
  if (r) goto err;
  z->udev = usb_get_dev(interface_to_usbdev(i));
  r = radio_init(z);
  if (r) goto err;
  dev_set_drvdata(&i->dev, z);
  return 0;
err:
  kfree(z);
  return r;
}

static int OB09_ok_error_label(struct usb_interface *i, const struct usb_device_id *id) {
  struct radio *z = kzalloc(sizeof(*z), GFP_KERNEL);
  int r;
  if (!z) return -ENOMEM;
  r = radio_map(z);
  if (r) goto err;
  z->udev = usb_get_dev(interface_to_usbdev(i));
  r = radio_init(z);
  if (r) goto err_put;
  dev_set_drvdata(&i->dev, z);
  return 0;
err_put:
  usb_put_dev(z->udev);
err:
  kfree(z);
  return r;
}

static void OB09_ok_disconnect(struct usb_interface *i) {
  struct radio *z = dev_get_drvdata(&i->dev);
  usb_put_dev(z->udev);
  kfree(z);
}

struct usb_driver radio_forgets = {.probe = OB09_error_label_forgets, .disconnect = OB09_ok_disconnect};
struct usb_driver radio_ok = {.probe = OB09_ok_error_label, .disconnect = OB09_ok_disconnect};

// ---- MG01 to MG05 ---------------------------------------------------------------------------------------------------

struct mango {
  struct clk *clk;
  struct mutex lock;
  struct kref ref;
  bool ready;
};
int mango_more(struct mango *z);
int devm_register_mango(struct device *d, struct mango *z);
static void mango_clk_off(void *data) { clk_disable_unprepare(data); }

int MG01_action_or_reset(struct device *d, struct mango *z) {
  int r = clk_prepare_enable(z->clk);
  if (r) return r;
  r = devm_add_action_or_reset(d, mango_clk_off, z->clk);
  if (r) return r;
  return mango_more(z);
}

int MG02_action_without_reset(struct device *d, struct mango *z) {  // expect-in-function: linux-path-pair; maybe-in-function: linux-path-pair
  int r = clk_prepare_enable(z->clk);
  if (r) return r;
  r = devm_add_action(d, mango_clk_off, z->clk);
  if (r) return r;
  return mango_more(z);
}

int MG02_ok_action_without_reset(struct device *d, struct mango *z) {
  int r = clk_prepare_enable(z->clk);
  if (r) return r;
  r = devm_add_action(d, mango_clk_off, z->clk);
  if (r) {
    clk_disable_unprepare(z->clk);
    return r;
  }
  return mango_more(z);
}

int MG03_managed_enabled(struct device *d, struct mango *z) {
  z->clk = devm_clk_get_enabled(d, NULL);
  if (IS_ERR(z->clk)) return PTR_ERR(z->clk);
  return devm_register_mango(d, z);
}

int MG04_managed_enable_then_get(struct device *d, struct mango *z) {
  int r = devm_pm_runtime_enable(d);
  if (r) return r;
  r = pm_runtime_resume_and_get(d);
  if (r) return r;
  r = mango_more(z);
  pm_runtime_put(d);
  return r;
}

int MG05_guard(struct mango *z) {
  guard(mutex)(&z->lock);
  if (!z->ready) return -ENODEV;
  kref_get(&z->ref);
  return 0;
}

int MG05_bad_guard(struct mango *z) {  // expect-in-function: linux-state-pair
  guard(mutex)(&z->lock);
  if (mango_more(z)) return 0;
  kref_get(&z->ref);
  return 0;
}

int MG05_bad_guard_failing_get(struct mango *z, struct device *d) {  // expect-in-function: linux-failure-keeps|linux-path-pair
  int ret;
  guard(mutex)(&z->lock);
  if (!z->ready) return -EBUSY;
  ret = pm_runtime_get_sync(d);
  if (ret < 0) return ret;
  mango_more(z);
  pm_runtime_put(d);
  return 0;
}

int MG05_guard_get(struct mango *z, struct device *d) {
  int ret;
  guard(mutex)(&z->lock);
  if (!z->ready) return -EBUSY;
  ret = pm_runtime_resume_and_get(d);
  if (ret < 0) return ret;
  ret = mango_more(z);
  pm_runtime_put(d);
  return ret;
}

// ---- packets that were handed over ---------------------------------------------------------------------------------------

struct sk_buff { unsigned int len; };
int netif_rx(struct sk_buff *skb);
struct stats { unsigned long bytes; };

void counted_after_handover(struct stats *s, struct sk_buff *skb) {
  netif_rx(skb);
  s->bytes += skb->len;  // expect: linux-use-after-release
}

void counted_before_handover(struct stats *s, struct sk_buff *skb) {
  s->bytes += skb->len;
  netif_rx(skb);
}

void handed_over_in_a_loop(struct stats *s, struct sk_buff *(*next)(void)) {
  struct sk_buff *skb;
  while ((skb = next()) != NULL) {
    s->bytes += skb->len;
    netif_rx(skb);
  }
}

// ---- an inode that was just made, and is given up before anybody could see it -------------------------------------------

struct inode *new_inode(struct super_block *sb);
void discard_new_inode(struct inode *inode);
int inode_fill(struct inode *inode);
struct inode *inode_ok_discarded(struct super_block *sb) {
  struct inode *inode = new_inode(sb);
  if (!inode) return ERR_PTR(-ENOMEM);
  if (inode_fill(inode)) {
    discard_new_inode(inode);
    return ERR_PTR(-EIO);
  }
  return inode;
}
struct inode *inode_bad_forgotten(struct super_block *sb) {  // expect-in-function: linux-leak
  struct inode *inode = new_inode(sb);
  if (!inode) return ERR_PTR(-ENOMEM);
  if (inode_fill(inode)) return ERR_PTR(-EIO);
  return inode;
}

// What the third draw of modules showed: functions of the kernel proper that take a reference over, or keep one.
int finish_no_open(struct file *file, struct dentry *dentry);
struct dentry *dget(struct dentry *dentry);
void dput(struct dentry *dentry);
int dentry_ready(struct dentry *dentry);
int OB20_opened_by_somebody_else(struct inode *inode, struct file *file) {
  struct dentry *d = d_splice_alias(inode, NULL);
  if (IS_ERR(d)) return PTR_ERR(d);
  if (d && dentry_ready(d)) return finish_no_open(file, d);
  if (d) dput(d);
  return 0;
}
int OB21_bad_dentry_kept(struct inode *inode, struct file *file) {  // expect-in-function: linux-leak
  struct dentry *d = d_splice_alias(inode, NULL);
  if (IS_ERR(d)) return PTR_ERR(d);
  if (d && dentry_ready(d)) return 0;
  if (d) dput(d);
  return 0;
}

struct inode *igrab(struct inode *inode);
struct inode *OB22_itself_or_another(struct super_block *sb, struct inode *dir, int self) {
  if (self) {
    igrab(dir);
    return dir;
  }
  return iget_locked(sb, 2);
}
struct inode *OB23_bad_itself_or_another(struct super_block *sb, struct inode *dir,  // expect-in-function: linux-ownership-mix
                                         int self) {
  if (self) return dir;
  return iget_locked(sb, 2);
}

struct i2c_adapter {
  struct module *owner;
  struct device dev;
};
struct i2c_mux_core;
struct i2c_adapter *of_get_i2c_adapter_by_node(struct device_node *np);
void i2c_put_adapter(struct i2c_adapter *adap);
struct i2c_mux_core *i2c_mux_alloc(struct i2c_adapter *parent, struct device *dev, int n, int size, u32 flags,
                                   int (*select)(struct i2c_mux_core *, u32), int (*deselect)(struct i2c_mux_core *, u32));
int mux_add(struct i2c_mux_core *muxc);
int OB24_parent_kept(struct device *dev, struct device_node *np) {
  struct i2c_adapter *parent = of_get_i2c_adapter_by_node(np);
  struct i2c_mux_core *muxc;
  int ret;
  if (!parent) return -ENODEV;
  muxc = i2c_mux_alloc(parent, dev, 1, 0, 0, NULL, NULL);
  if (!muxc) {
    i2c_put_adapter(parent);
    return -ENOMEM;
  }
  ret = mux_add(muxc);
  if (ret) {
    i2c_put_adapter(parent);
    return ret;
  }
  return 0;
}
