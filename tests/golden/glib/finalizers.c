// dispose and finalize: what an object owns is released by one of them, and once.
#include <gio/gio.h>

typedef struct { GObject parent; GFile *file; char *name; GFile *other; } Both;
typedef struct { GObjectClass parent; } BothClass;
GType both_get_type(void);
G_DEFINE_TYPE(Both, both, G_TYPE_OBJECT)

static void both_dispose(GObject *object) {
  Both *self = (Both *)object;
  g_clear_object(&self->file);
  G_OBJECT_CLASS(both_parent_class)->dispose(object);
}

static void both_finalize(GObject *object) {  // expect: glib-type-dealloc -- `other`
  Both *self = (Both *)object;
  g_free(self->name);
  G_OBJECT_CLASS(both_parent_class)->finalize(object);
}

static void both_init(Both *self) {}
static void both_class_init(BothClass *klass) {
  GObjectClass *object_class = G_OBJECT_CLASS(klass);
  object_class->dispose = both_dispose;
  object_class->finalize = both_finalize;
}

void both_set(Both *self, GFile *file, const char *name) {
  g_clear_object(&self->file);
  self->file = g_object_ref(file);
  g_free(self->name);
  self->name = g_strdup(name);
}

void both_set_other(Both *self, GFile *file) { g_set_object(&self->other, file); }

typedef struct { GObject parent; GFile *file; GFile *kept; } Twice;
typedef struct { GObjectClass parent; } TwiceClass;
GType twice_get_type(void);
G_DEFINE_TYPE(Twice, twice, G_TYPE_OBJECT)

static void twice_dispose(GObject *object) {  // expect: glib-type-dealloc -- `file` is released and stays
  Twice *self = (Twice *)object;
  g_object_unref(self->file);
  g_clear_object(&self->kept);
  G_OBJECT_CLASS(twice_parent_class)->dispose(object);
}

static void twice_init(Twice *self) {}
static void twice_class_init(TwiceClass *klass) { G_OBJECT_CLASS(klass)->dispose = twice_dispose; }
void twice_set(Twice *self, GFile *file) {
  self->file = g_object_ref(file);
  self->kept = g_object_ref(file);
}

typedef struct { char *path; GFile *file; } OwnedPrivate;
typedef struct { GObject parent; } Owned;
typedef struct { GObjectClass parent; } OwnedClass;
GType owned_get_type(void);
G_DEFINE_TYPE_WITH_PRIVATE(Owned, owned, G_TYPE_OBJECT)

static void owned_finalize(GObject *object) {  // expect: glib-type-dealloc -- `file` of the private struct
  OwnedPrivate *priv = owned_get_instance_private((Owned *)object);
  g_free(priv->path);
  G_OBJECT_CLASS(owned_parent_class)->finalize(object);
}

static void owned_init(Owned *self) {
  OwnedPrivate *priv = owned_get_instance_private(self);
  priv->file = g_file_new_for_path("/");
}
static void owned_class_init(OwnedClass *klass) { G_OBJECT_CLASS(klass)->finalize = owned_finalize; }

typedef struct { GObject parent; GFile *file; gboolean done; } Marked;
typedef struct { GObjectClass parent; } MarkedClass;
GType marked_get_type(void);
G_DEFINE_TYPE(Marked, marked, G_TYPE_OBJECT)

static void marked_dispose(GObject *object) {
  Marked *self = (Marked *)object;
  if (!self->done) {
    self->done = TRUE;
    g_object_unref(self->file);
  }
  G_OBJECT_CLASS(marked_parent_class)->dispose(object);
}
static void marked_init(Marked *self) { self->file = g_file_new_for_path("/"); }
static void marked_class_init(MarkedClass *klass) { G_OBJECT_CLASS(klass)->dispose = marked_dispose; }

// The child belongs to the store, which may have sunk it: the member is a second name for it.
typedef struct { GObject parent; GListStore *store; GObject *child; } Shared;
typedef struct { GObjectClass parent; } SharedClass;
GType shared_get_type(void);
G_DEFINE_TYPE(Shared, shared, G_TYPE_OBJECT)

static void shared_finalize(GObject *object) {
  Shared *self = (Shared *)object;
  g_object_unref(self->store);
  G_OBJECT_CLASS(shared_parent_class)->finalize(object);
}
static void shared_init(Shared *self) {
  self->store = g_list_store_new(G_TYPE_OBJECT);
  self->child = g_object_new(G_TYPE_INITIALLY_UNOWNED, NULL);
  g_list_store_append(self->store, self->child);
}
static void shared_class_init(SharedClass *klass) { G_OBJECT_CLASS(klass)->finalize = shared_finalize; }

// More members than an outcome tells of: each is forgotten all the same.
typedef struct {
  GObject *a, *b, *c, *d, *e, *f, *g, *h, *i, *j;
  GByteArray *k;
} ManyPrivate;
typedef struct {
  GObject parent;
  ManyPrivate *priv;
} Many;
typedef struct {
  GObjectClass parent;
} ManyClass;
G_DEFINE_TYPE_WITH_PRIVATE(Many, many, G_TYPE_OBJECT)
static void many_init(Many *self) { self->priv = many_get_instance_private(self); }
static void many_dispose(GObject *object) {
  ManyPrivate *priv = ((Many *)object)->priv;
  g_clear_object(&priv->a);
  g_clear_object(&priv->b);
  g_clear_object(&priv->c);
  g_clear_object(&priv->d);
  g_clear_object(&priv->e);
  g_clear_object(&priv->f);
  g_clear_object(&priv->g);
  g_clear_object(&priv->h);
  g_clear_object(&priv->i);
  g_clear_object(&priv->j);
  g_clear_pointer(&priv->k, g_byte_array_unref);
  G_OBJECT_CLASS(many_parent_class)->dispose(object);
}
static void many_class_init(ManyClass *klass) { G_OBJECT_CLASS(klass)->dispose = many_dispose; }
