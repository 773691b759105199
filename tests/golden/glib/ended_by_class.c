// Objects of a program's own classes: each class has a function that ends its objects, and one call by a pointer ends
// all.
#include <glib.h>

typedef struct _Shape Shape;
typedef struct {
  void (*destroy)(Shape *);
  void (*paint)(Shape *);
} ShapeClass;
struct _Shape {
  const ShapeClass *klass;
  int used;
};
typedef struct {
  Shape shape;
  GSList *parts;
} Box;

static void plain_destroy(Shape *s) { g_free(s); }
static void box_destroy(Shape *s) {
  g_slist_free(((Box *)s)->parts);
  g_free(s);
}
// What there is once for all is not freed.
static void fixed_destroy(Shape *s) { s->used = 0; }
static void paint(Shape *s) { s->used++; }

static const ShapeClass plain_class = {plain_destroy, paint};
static const ShapeClass box_class = {box_destroy, paint};
static const ShapeClass fixed_class = {fixed_destroy, paint};
const ShapeClass *shape_classes[] = {&plain_class, &box_class, &fixed_class};

static Shape *shape_new(const ShapeClass *klass) {
  Shape *s = g_malloc0(sizeof(Box));
  s->klass = klass;
  return s;
}

static void shape_end(Shape *s) { s->klass->destroy(s); }
static void shape_paint(Shape *s) { s->klass->paint(s); }

// Which of the functions is called depends on the object, and most of them end it.
int V01_ok_ended(const ShapeClass *klass) {
  Shape *s = shape_new(klass);
  int n = s->used;
  shape_end(s);
  return n;
}

int V02_lost(const ShapeClass *klass) {  // expect-in-function: glib-leak
  Shape *s = shape_new(klass);
  return s->used;
}

// None of the functions behind this pointer ends an object.
int V03_only_painted(const ShapeClass *klass) {  // expect-in-function: glib-leak
  Shape *s = shape_new(klass);
  shape_paint(s);
  return s->used;
}

int V04_lost_on_one_way(const ShapeClass *klass, int bad) {  // expect-in-function: glib-leak
  Shape *s = shape_new(klass);
  if (bad) return -1;
  int n = s->used;
  shape_end(s);
  return n;
}
