// Functions that are called with an object until somebody removes them: whoever ends the object has to.
#include <gio/gio.h>

typedef struct { GObject parent; char *name; guint tick; guint other; gulong handler; } Ticker;
typedef struct { GObjectClass parent; } TickerClass;
GType ticker_get_type(void);
G_DEFINE_TYPE(Ticker, ticker, G_TYPE_OBJECT)

static gboolean ticker_again(gpointer data) {
  Ticker *self = data;
  g_print("%s\n", self->name);
  return G_SOURCE_CONTINUE;
}

static gboolean ticker_once(gpointer data) {
  Ticker *self = data;
  g_print("%s\n", self->name);
  return G_SOURCE_REMOVE;
}

static gboolean ticker_once_counted(gpointer data) {
  Ticker *self = data;
  g_print("%s\n", self->name);
  g_object_unref(self);
  return G_SOURCE_REMOVE;
}

static void ticker_changed(GObject *sender, Ticker *self) { g_print("%s\n", self->name); }

static void ticker_finalize(GObject *object) {
  Ticker *self = (Ticker *)object;
  g_free(self->name);
  if (self->other) g_source_remove(self->other);
  G_OBJECT_CLASS(ticker_parent_class)->finalize(object);
}
static void ticker_init(Ticker *self) {}
static void ticker_class_init(TickerClass *klass) { G_OBJECT_CLASS(klass)->finalize = ticker_finalize; }

void ticker_start(Ticker *self) {
  self->tick = g_timeout_add(100, ticker_again, self);  // expect: glib-callback-outlives -- `tick` is never removed
}

void ticker_start_other(Ticker *self) { self->other = g_timeout_add(100, ticker_again, self); }

void ticker_start_unnamed(Ticker *self) {
  g_timeout_add_seconds(1, ticker_again, self);  // expect: glib-callback-outlives -- nobody has its number
}

// It comes once, and soon: nobody can say whether the object is there then.
void ticker_start_once(Ticker *self) { g_idle_add(ticker_once, self); }

void ticker_start_counted(Ticker *self) { g_timeout_add(100, ticker_again, g_object_ref(self)); }

void ticker_start_counted_before(Ticker *self) {
  g_object_ref(self);
  g_idle_add(ticker_once_counted, self);
}

guint ticker_start_for_caller(Ticker *self) { return g_timeout_add(100, ticker_again, self); }

// The application is everybody's, and stays.
void ticker_watch_application(Ticker *self) {
  g_signal_connect(g_application_get_default(), "activate",  // expect: glib-callback-outlives
                   G_CALLBACK(ticker_changed), self);
}

void ticker_watch_application_by_number(Ticker *self) {
  self->handler = g_signal_connect(g_application_get_default(), "activate",  // expect: glib-callback-outlives
                                   G_CALLBACK(ticker_changed), self);
}

// An object that is the ticker's own, or that somebody gave, may end with it.
void ticker_watch(Ticker *self, GObject *sender) {
  g_signal_connect(sender, "notify", G_CALLBACK(ticker_changed), self);
}

void ticker_watch_as_object(Ticker *self) {
  g_signal_connect_object(g_application_get_default(), "activate", G_CALLBACK(ticker_changed), self, 0);
}

// What dispose removes by the object is removed, whatever its number.
typedef struct { GObject parent; char *name; guint tick; } Tidy;
typedef struct { GObjectClass parent; } TidyClass;
GType tidy_get_type(void);
G_DEFINE_TYPE(Tidy, tidy, G_TYPE_OBJECT)

static gboolean tidy_again(gpointer data) { return G_SOURCE_CONTINUE; }
static void tidy_changed(GObject *sender, Tidy *self) {}

static void tidy_dispose(GObject *object) {
  Tidy *self = (Tidy *)object;
  g_clear_pointer(&self->name, g_free);
  g_clear_handle_id(&self->tick, g_source_remove);
  g_signal_handlers_disconnect_by_data(g_application_get_default(), self);
  G_OBJECT_CLASS(tidy_parent_class)->dispose(object);
}
static void tidy_init(Tidy *self) { self->tick = g_timeout_add(100, tidy_again, self); }
static void tidy_class_init(TidyClass *klass) { G_OBJECT_CLASS(klass)->dispose = tidy_dispose; }
void tidy_watch(Tidy *self) {
  g_signal_connect(g_application_get_default(), "activate", G_CALLBACK(tidy_changed), self);
}

// A member that another function removes: whoever ends the object may have called that before.
typedef struct { GObject parent; char *name; guint tick; } Stopped;
typedef struct { GObjectClass parent; } StoppedClass;
GType stopped_get_type(void);
G_DEFINE_TYPE(Stopped, stopped, G_TYPE_OBJECT)

static gboolean stopped_again(gpointer data) { return G_SOURCE_CONTINUE; }
static void stopped_finalize(GObject *object) {
  g_free(((Stopped *)object)->name);
  G_OBJECT_CLASS(stopped_parent_class)->finalize(object);
}
static void stopped_init(Stopped *self) {}
static void stopped_class_init(StoppedClass *klass) { G_OBJECT_CLASS(klass)->finalize = stopped_finalize; }
void stopped_start(Stopped *self) {
  self->tick = g_timeout_add(100, stopped_again, self);  // expect: glib-callback-outlives -- of low confidence
}
void stopped_stop(Stopped *self) { g_clear_handle_id(&self->tick, g_source_remove); }
