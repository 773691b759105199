/* As much of the kernel's interface as the golden inputs need. Functions that count are prototypes, as the specs know
 * them by name; what the kernel defines inline (error pointers, lists, iterators, cleanup helpers) has a body here, too. */
#ifndef GOLDEN_LINUX_MOCK_H
#define GOLDEN_LINUX_MOCK_H

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long size_t;
typedef long ssize_t;
typedef _Bool bool;
typedef unsigned int gfp_t;
enum { false, true };

#define NULL ((void *)0)
#define __init
#define __user
#define __iomem
#define BIT(n) (1UL << (n))
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define fallthrough __attribute__((__fallthrough__))
#define container_of(p, type, member) ((type *)((char *)(p) - __builtin_offsetof(type, member)))
#define GFP_KERNEL 0xcc0u
#define GFP_ATOMIC 0x820u
#define O_CLOEXEC 02000000

#define EPERM 1
#define ENOENT 2
#define ESRCH 3
#define EIO 5
#define ENOMEM 12
#define EACCES 13
#define EBUSY 16
#define ENODEV 19
#define EINVAL 22
#define ENETDOWN 100
#define ETIMEDOUT 110
#define EPROBE_DEFER 517

/* ---- error pointers ---- */
#define MAX_ERRNO 4095
#define IS_ERR_VALUE(x) unlikely((unsigned long)(void *)(x) >= (unsigned long)-MAX_ERRNO)
static inline void *ERR_PTR(long error) { return (void *)error; }
static inline long PTR_ERR(const void *ptr) { return (long)ptr; }
static inline bool IS_ERR(const void *ptr) { return IS_ERR_VALUE((unsigned long)ptr); }
static inline bool IS_ERR_OR_NULL(const void *ptr) { return unlikely(!ptr) || IS_ERR_VALUE((unsigned long)ptr); }
static inline void *ERR_CAST(const void *ptr) { return (void *)ptr; }
static inline int PTR_ERR_OR_ZERO(const void *ptr) { return IS_ERR(ptr) ? (int)PTR_ERR(ptr) : 0; }

/* ---- lists ---- */
struct list_head {
  struct list_head *next, *prev;
};
#define LIST_HEAD(name) struct list_head name = {&(name), &(name)}
static inline void list_add_tail(struct list_head *entry, struct list_head *head) {
  struct list_head *last = head->prev;
  head->prev = entry;
  entry->next = head;
  entry->prev = last;
  last->next = entry;
}
static inline void list_del(struct list_head *entry) {
  entry->next->prev = entry->prev;
  entry->prev->next = entry->next;
  entry->next = NULL;
  entry->prev = NULL;
}
#define list_for_each_entry_safe(pos, n, head, member)                                             \
  for (pos = container_of((head)->next, typeof(*pos), member),                                     \
      n = container_of(pos->member.next, typeof(*pos), member);                                    \
       &pos->member != (head); pos = n, n = container_of(n->member.next, typeof(*n), member))

/* ---- counted things ---- */
typedef struct refcount_struct {
  int refs;
} refcount_t;
struct kref {
  refcount_t refcount;
};
struct kobj_type;
struct kobject {
  const char *name;
  struct kobject *parent;
  const struct kobj_type *ktype;
  struct kref kref;
};
struct kobj_type {
  void (*release)(struct kobject *);
};
struct module;
struct device_node {
  const char *name;
  struct kobject kobj;
};
struct fwnode_handle {
  struct fwnode_handle *secondary;
};
struct device_driver;
struct device {
  struct kobject kobj;
  struct device *parent;
  void *driver_data;
  struct device_node *of_node;
  struct fwnode_handle *fwnode;
  void (*release)(struct device *);
};
struct of_phandle_args {
  struct device_node *np;
  int args_count;
  u32 args[16];
};
struct of_device_id {
  char compatible[128];
};
struct platform_device {
  const char *name;
  int id;
  struct device dev;
};
struct pci_bus;
struct pci_dev {
  struct pci_bus *bus;
  unsigned int devfn;
  struct device dev;
};
struct usb_device {
  int devnum;
  struct device dev;
};
struct usb_interface {
  int minor;
  struct device dev;
};
struct bus_type;
struct class;
struct clk;
struct clk_bulk_data {
  const char *id;
  struct clk *clk;
};
struct regmap;
struct mutex {
  int owner;
};
typedef struct spinlock {
  int lock;
} spinlock_t;
struct work_struct {
  long data;
  void (*func)(struct work_struct *);
};
struct timer_list {
  long expires;
  void (*function)(struct timer_list *);
};
struct rcu_head {
  struct rcu_head *next;
};
struct inode;
struct file {
  void *private_data;
  const struct file_operations *f_op;
};
struct file_operations {
  int (*open)(struct inode *, struct file *);
  int (*release)(struct inode *, struct file *);
};

/* ---- drivers and callbacks ---- */
enum irqreturn { IRQ_NONE = 0, IRQ_HANDLED = 1, IRQ_WAKE_THREAD = 2 };
typedef enum irqreturn irqreturn_t;
typedef irqreturn_t (*irq_handler_t)(int, void *);
int request_irq(unsigned int irq, irq_handler_t handler, unsigned long flags, const char *name, void *dev);
int request_threaded_irq(unsigned int irq, irq_handler_t handler, irq_handler_t thread, unsigned long flags,
                         const char *name, void *dev);
struct dev_pm_ops {
  int (*suspend)(struct device *);
  int (*resume)(struct device *);
  int (*runtime_suspend)(struct device *);
  int (*runtime_resume)(struct device *);
  int (*thaw)(struct device *);
};
struct device_driver {
  const char *name;
  const struct dev_pm_ops *pm;
};
struct platform_driver {
  int (*probe)(struct platform_device *);
  union {
    void (*remove)(struct platform_device *);
    void (*remove_new)(struct platform_device *);
  };
  struct device_driver driver;
};
struct pci_device_id;
struct pci_driver {
  int (*probe)(struct pci_dev *, const struct pci_device_id *);
  void (*remove)(struct pci_dev *);
};
struct usb_device_id;
struct usb_driver {
  int (*probe)(struct usb_interface *, const struct usb_device_id *);
  void (*disconnect)(struct usb_interface *);
};

/* ---- runtime PM ---- */
int pm_runtime_get(struct device *dev);
int pm_runtime_get_sync(struct device *dev);
void pm_runtime_get_noresume(struct device *dev);
int pm_runtime_resume_and_get(struct device *dev);
int pm_runtime_get_if_in_use(struct device *dev);
int pm_runtime_put(struct device *dev);
int pm_runtime_put_sync(struct device *dev);
int pm_runtime_put_autosuspend(struct device *dev);
void pm_runtime_put_noidle(struct device *dev);
void pm_runtime_enable(struct device *dev);
void pm_runtime_disable(struct device *dev);
int pm_runtime_set_active(struct device *dev);
void pm_runtime_forbid(struct device *dev);
void pm_runtime_allow(struct device *dev);
void pm_runtime_use_autosuspend(struct device *dev);
void pm_runtime_set_autosuspend_delay(struct device *dev, int delay);
int devm_pm_runtime_enable(struct device *dev);
int usb_autopm_get_interface(struct usb_interface *intf);
int usb_autopm_get_interface_async(struct usb_interface *intf);
void usb_autopm_put_interface(struct usb_interface *intf);
void usb_autopm_put_interface_async(struct usb_interface *intf);

/* ---- nodes ---- */
struct device_node *of_node_get(struct device_node *np);
void of_node_put(struct device_node *np);
struct device_node *of_get_parent(const struct device_node *np);
struct device_node *of_get_next_parent(struct device_node *np);
struct device_node *of_get_next_child(const struct device_node *np, struct device_node *prev);
struct device_node *of_get_next_available_child(const struct device_node *np, struct device_node *prev);
struct device_node *of_get_child_by_name(const struct device_node *np, const char *name);
struct device_node *of_find_node_by_path(const char *path);
struct device_node *of_find_node_by_name(struct device_node *from, const char *name);
struct device_node *of_find_compatible_node(struct device_node *from, const char *type, const char *compatible);
struct device_node *of_find_matching_node(struct device_node *from, const struct of_device_id *ids);
struct device_node *of_parse_phandle(const struct device_node *np, const char *name, int index);
int of_parse_phandle_with_args(const struct device_node *np, const char *list, const char *cells, int index,
                               struct of_phandle_args *out);
bool of_device_is_available(const struct device_node *np);
bool of_node_name_eq(const struct device_node *np, const char *name);
void __iomem *of_iomap(struct device_node *np, int index);
int of_platform_populate(struct device_node *np, const struct of_device_id *ids, const void *lookup,
                         struct device *parent);
int of_dma_configure(struct device *dev, struct device_node *np, bool force);
#define for_each_child_of_node(parent, child) \
  for (child = of_get_next_child(parent, NULL); child != NULL; child = of_get_next_child(parent, child))
#define for_each_available_child_of_node(parent, child)                         \
  for (child = of_get_next_available_child(parent, NULL); child != NULL;        \
       child = of_get_next_available_child(parent, child))
#define for_each_compatible_node(dn, type, compatible)                          \
  for (dn = of_find_compatible_node(NULL, type, compatible); dn; dn = of_find_compatible_node(dn, type, compatible))

struct fwnode_handle *fwnode_handle_get(struct fwnode_handle *fwnode);
void fwnode_handle_put(struct fwnode_handle *fwnode);
struct fwnode_handle *device_get_next_child_node(const struct device *dev, struct fwnode_handle *prev);
struct fwnode_handle *fwnode_get_named_child_node(const struct fwnode_handle *fwnode, const char *name);
struct fwnode_handle *fwnode_find_reference(const struct fwnode_handle *fwnode, const char *name, unsigned int index);
#define device_for_each_child_node(dev, child)                                  \
  for (child = device_get_next_child_node(dev, NULL); child; child = device_get_next_child_node(dev, child))

/* ---- devices ---- */
struct device *get_device(struct device *dev);
void put_device(struct device *dev);
void device_initialize(struct device *dev);
int device_add(struct device *dev);
int device_register(struct device *dev);
void device_del(struct device *dev);
void device_unregister(struct device *dev);
struct device *bus_find_device_by_name(const struct bus_type *bus, struct device *start, const char *name);
struct device *class_find_device_by_name(const struct class *class, const char *name);
struct platform_device *of_find_device_by_node(struct device_node *np);
struct platform_device *platform_device_alloc(const char *name, int id);
int platform_device_add_data(struct platform_device *pdev, const void *data, size_t n);
int platform_device_add(struct platform_device *pdev);
void platform_device_put(struct platform_device *pdev);
static inline void *dev_get_drvdata(const struct device *dev) { return dev->driver_data; }
static inline void dev_set_drvdata(struct device *dev, void *data) { dev->driver_data = data; }
static inline void *platform_get_drvdata(const struct platform_device *pdev) { return dev_get_drvdata(&pdev->dev); }
int dev_err_probe(const struct device *dev, int err, const char *format, ...);
void _dev_err(const struct device *dev, const char *format, ...);
void _dev_warn(const struct device *dev, const char *format, ...);
#define dev_err(dev, format, ...) _dev_err(dev, format, ##__VA_ARGS__)
#define dev_warn(dev, format, ...) _dev_warn(dev, format, ##__VA_ARGS__)
void panic(const char *format, ...) __attribute__((noreturn));

int kobject_init_and_add(struct kobject *kobj, const struct kobj_type *type, struct kobject *parent, const char *format,
                         ...);
void kobject_put(struct kobject *kobj);
void kref_init(struct kref *ref);
void kref_get(struct kref *ref);
int kref_put(struct kref *ref, void (*release)(struct kref *));
int kref_get_unless_zero(struct kref *ref);
bool refcount_inc_not_zero(refcount_t *r);
bool refcount_dec_and_test(refcount_t *r);
bool try_module_get(struct module *m);
void module_put(struct module *m);

/* ---- PCI, USB ---- */
#define PCI_ANY_ID (~0u)
#define PCI_DEVFN(slot, func) ((((slot) & 0x1f) << 3) | ((func) & 0x07))
void pci_dev_put(struct pci_dev *dev);
struct pci_dev *pci_get_device(unsigned int vendor, unsigned int device, struct pci_dev *from);
struct pci_dev *pci_get_class(unsigned int class, struct pci_dev *from);
struct pci_dev *pci_get_slot(struct pci_bus *bus, unsigned int devfn);
int pci_enable_device(struct pci_dev *dev);
#define for_each_pci_dev(d) while ((d = pci_get_device(PCI_ANY_ID, PCI_ANY_ID, d)) != NULL)
struct usb_device *usb_get_dev(struct usb_device *dev);
void usb_put_dev(struct usb_device *dev);
struct usb_device *interface_to_usbdev(struct usb_interface *intf);
struct urb;
struct usb_anchor {
  int count;
};
struct urb *usb_alloc_urb(int packets, gfp_t flags);
void usb_free_urb(struct urb *urb);
void usb_anchor_urb(struct urb *urb, struct usb_anchor *anchor);
void usb_unanchor_urb(struct urb *urb);
int usb_submit_urb(struct urb *urb, gfp_t flags);

/* ---- clocks ---- */
int clk_prepare(struct clk *clk);
int clk_enable(struct clk *clk);
int clk_prepare_enable(struct clk *clk);
void clk_unprepare(struct clk *clk);
void clk_disable_unprepare(struct clk *clk);
int clk_bulk_prepare_enable(int n, const struct clk_bulk_data *clks);
void clk_bulk_disable_unprepare(int n, const struct clk_bulk_data *clks);
struct clk *devm_clk_get_optional(struct device *dev, const char *id);
struct clk *devm_clk_get_enabled(struct device *dev, const char *id);
int devm_add_action(struct device *dev, void (*action)(void *), void *data);
int devm_add_action_or_reset(struct device *dev, void (*action)(void *), void *data);
int regcache_sync(struct regmap *map);

/* ---- network ---- */
#define IFF_UP 1u
struct net;
struct sk_buff;
struct net_device {
  unsigned int flags;
  unsigned int mtu;
};
struct sock {
  int state;
  struct timer_list timer;
};
typedef enum netdev_tx { __NETDEV_TX_MIN = -2147483647 - 1, NETDEV_TX_OK = 0x00, NETDEV_TX_BUSY = 0x10 } netdev_tx_t;
struct net_device_ops {
  netdev_tx_t (*ndo_start_xmit)(struct sk_buff *, struct net_device *);
};
void dev_hold(struct net_device *dev);
void dev_put(struct net_device *dev);
struct net_device *dev_get_by_name(struct net *net, const char *name);
struct net_device *dev_get_by_index_rcu(struct net *net, int index);
void sock_hold(struct sock *sk);
void __sock_put(struct sock *sk);
void kfree_skb(struct sk_buff *skb);

/* ---- files, memory, tasks, drm ---- */
struct drm_file;
struct drm_gem_object;
struct mm_struct;
struct task_struct;
struct pid;
struct cred;
struct dentry;
struct super_block;
enum pid_type { PIDTYPE_PID };
int drm_gem_handle_create(struct drm_file *f, struct drm_gem_object *obj, u32 *handle);
void drm_gem_object_put(struct drm_gem_object *obj);
int get_unused_fd_flags(unsigned int flags);
void fd_install(unsigned int fd, struct file *file);
struct file *fget(unsigned int fd);
void fput(struct file *file);
bool mmget_not_zero(struct mm_struct *mm);
void mmput(struct mm_struct *mm);
void mmgrab(struct mm_struct *mm);
void mmdrop(struct mm_struct *mm);
struct task_struct *pid_task(struct pid *pid, enum pid_type type);
struct task_struct *get_task_struct(struct task_struct *t);
void put_task_struct(struct task_struct *t);
const struct cred *override_creds(const struct cred *cred);
void revert_creds(const struct cred *cred);
struct inode *iget_locked(struct super_block *sb, unsigned long ino);
struct dentry *d_splice_alias(struct inode *inode, struct dentry *dentry);
void rcu_read_lock(void);
void rcu_read_unlock(void);

/* ---- memory, locks, bits, deferred work ---- */
void *kzalloc(size_t n, gfp_t flags);
void *devm_kzalloc(struct device *dev, size_t n, gfp_t flags);
void kfree(const void *p);
void mutex_lock(struct mutex *lock);
void mutex_unlock(struct mutex *lock);
void spin_lock(spinlock_t *lock);
void spin_unlock(spinlock_t *lock);
bool test_and_set_bit(long nr, volatile unsigned long *addr);
bool test_and_clear_bit(long nr, volatile unsigned long *addr);
bool schedule_work(struct work_struct *work);
int mod_timer(struct timer_list *timer, unsigned long expires);
int del_timer(struct timer_list *timer);
extern unsigned long jiffies;

/* ---- cleanup at the end of a scope ---- */
#define DEFINE_FREE(name, type, action)                  \
  static inline void __free_##name(void *p) {            \
    type _T = *(type *)p;                                \
    action;                                              \
  }
#define __free(name) __attribute__((__cleanup__(__free_##name)))
#define no_free_ptr(p)           \
  ({                             \
    __auto_type place_ = &(p);   \
    __auto_type held_ = *place_; \
    *place_ = NULL;              \
    held_;                       \
  })
#define return_ptr(p) return no_free_ptr(p)
DEFINE_FREE(device_node, struct device_node *, if (_T) of_node_put(_T))
DEFINE_FREE(fwnode_handle, struct fwnode_handle *, fwnode_handle_put(_T))
DEFINE_FREE(put_device, struct device *, if (_T) put_device(_T))
#define for_each_child_of_node_scoped(parent, child)                                             \
  for (struct device_node *child __free(device_node) = of_get_next_child(parent, NULL); child != NULL; \
       child = of_get_next_child(parent, child))
typedef struct mutex *class_mutex_t;
static inline struct mutex *class_mutex_constructor(struct mutex *lock) {
  mutex_lock(lock);
  return lock;
}
static inline void class_mutex_destructor(struct mutex **lock) {
  if (*lock) mutex_unlock(*lock);
}
#define GUARD_NAME_2(line) guard_##line
#define GUARD_NAME(line) GUARD_NAME_2(line)
#define guard(name) \
  class_##name##_t GUARD_NAME(__LINE__) __attribute__((__cleanup__(class_##name##_destructor))) = class_##name##_constructor

#endif
