// Plain memory that GLib hands out: text, vectors, blocks, and who gives them back.
#include <glib.h>

static int uses(const char *text) { return text && text[0] == 1 ? -1 : 0; }
struct pair { char *name; char *value; };

int M01_text_leaked(const char *a) {  // expect-in-function: glib-leak
  char *copy = g_strdup(a);
  if (uses(copy) < 0) return -1;
  g_free(copy);
  return 0;
}

int M01_ok_text(const char *a) {
  char *copy = g_strdup(a);
  int r = uses(copy) < 0 ? -1 : 0;
  g_free(copy);
  return r;
}

int M02_twice(const char *a) {
  char *copy = g_strdup_printf("%s!", a);
  uses(copy);
  g_free(copy);
  if (uses(a)) g_free(copy);  // expect: glib-over-release|glib-use-after-release
  return 0;
}

int M03_used_after(const char *a) {
  char *copy = g_strconcat(a, "/", a, NULL);
  g_free(copy);
  return uses(copy);  // expect: glib-use-after-release
}

int M04_autofree(const char *a) {
  g_autofree char *copy = g_strdup(a);
  if (uses(copy) < 0) return -1;
  return 0;
}

char *M05_ok_stolen(const char *a) {
  g_autofree char *copy = g_strdup(a);
  if (uses(copy) < 0) return NULL;
  return g_steal_pointer(&copy);
}

char *M05_bad_returned(const char *a) {
  g_autofree char *copy = g_strdup(a);
  if (uses(copy) < 0) return NULL;
  return copy;  // expect: glib-use-after-release
}

int M06_vector_leaked(const char *a) {  // expect-in-function: glib-leak
  char **parts = g_strsplit(a, ":", 2);
  if (!parts[0]) return -1;
  g_strfreev(parts);
  return 0;
}

int M06_ok_vector(const char *a) {
  g_auto(GStrv) parts = g_strsplit(a, ":", 2);
  if (!parts[0]) return -1;
  return 0;
}

struct pair *M07_ok_struct(const char *a, const char *b) {
  struct pair *p = g_new0(struct pair, 1);
  p->name = g_strdup(a);
  p->value = g_strdup(b);
  return p;
}

struct pair *M07_bad_struct(const char *a, const char *b) {  // expect-in-function: glib-leak
  struct pair *p = g_new0(struct pair, 1);
  if (uses(a)) return NULL;
  p->value = NULL;
  return p;
}

void M08_ok_cleared(struct pair *p) {
  g_clear_pointer(&p->name, g_free);
  g_clear_pointer(&p->value, g_free);
}

void M09_member_replaced(struct pair *p, const char *a) {
  g_free(p->name);
  p->name = g_strdup(a);
}

char *M10_string_kept(const char *a) {
  GString *s = g_string_new(a);
  g_string_append(s, "!");
  return g_string_free(s, FALSE);
}

int M10_bad_string(const char *a) {  // expect-in-function: glib-leak
  GString *s = g_string_new(a);
  g_string_append_printf(s, "%s", a);
  if (uses(s->str)) return 1;
  g_string_free(s, TRUE);
  return 0;
}

int M11_overwritten(const char *a) {  // expect-in-function: glib-leak
  char *path = g_build_filename(a, "x", NULL);
  path = g_strdup("y");
  int r = uses(path);
  g_free(path);
  return r;
}

char *M12_ok_stripped(const char *a) { return g_strstrip(g_strdup(a)); }

int M13_contents(const char *file) {  // expect-in-function: glib-leak
  char *text = NULL;
  if (!g_file_get_contents(file, &text, NULL, NULL)) return -1;
  return uses(text);
}

int M13_ok_contents(const char *file) {
  g_autofree char *text = NULL;
  gsize n;
  if (!g_file_get_contents(file, &text, &n, NULL)) return -1;
  return uses(text);
}

int M14_lent(void) {
  const char *home = g_get_home_dir();
  uses(home);
  g_free((char *)home);  // expect: glib-over-release
  return 0;
}

const char *M15_ok_pointer_into(const char *path) {
  const char *name = g_strrstr(path, "/");
  return name ? name + 1 : path;
}

char *M16_ok_buffer(double d) {
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_dtostr(text, sizeof text, d);
  return g_strdup(text);
}

// The segment is the string's own, which the struct has by then.
void FP_M17_segment_kept(struct pair *p, const char *a) {
  GString *s = g_string_new(a);
  p->name = s->str;
  g_string_free(s, FALSE);
}  // false-alarm: glib-leak

// A command line that could be parsed has a first word, so the place behind it is written once.
gboolean M20_ok_vector_grown(const char *line, const char *display, char ***out) {
  int len;
  char **argv;
  if (!g_shell_parse_argv(line, NULL, &argv, NULL)) return FALSE;
  for (len = 0; argv[len] != NULL; len++) {
  }
  argv = g_renew(char *, argv, len + 3);
  argv[1] = g_strdup(display);
  len++;
  argv[len++] = g_strdup("-auth");
  argv[len] = NULL;
  *out = argv;
  return TRUE;
}

gboolean M20_bad_written_twice(const char *line, const char *display, char ***out) {  // expect-in-function: glib-leak
  char **argv;
  if (!g_shell_parse_argv(line, NULL, &argv, NULL)) return FALSE;
  argv = g_renew(char *, argv, 20);
  argv[1] = g_strdup(display);
  argv[1] = g_strdup("-auth");
  *out = argv;
  return TRUE;
}

// Whether a parameter has further references nobody here knows, so giving one back does not end it. Memory of g_free() has
// none: what comes after is wrong.
struct counted_pair {
  char *name;
  int n;
};
int FN_M21_parameter_read_after(struct counted_pair *pair) {
  g_free(pair);
  return pair->n;  // expect-not-yet: glib-use-after-release
}
void FN_M21_member_freed_after(struct counted_pair *pair) {
  g_free(pair);
  g_free(pair->name);  // expect-not-yet: glib-use-after-release
}
void M21_ok_member_freed_before(struct counted_pair *pair) {
  g_free(pair->name);
  g_free(pair);
}

// What is printed stays with whoever has it.
int M22_printed(const char *a, int quiet) {  // expect-in-function: glib-leak
  char *copy = g_strdup(a);
  g_warning("cannot find %s", copy);
  if (quiet) return -1;
  g_print("%s\n", copy);
  g_free(copy);
  return 0;
}

int M22_ok_printed(const char *a) {
  char *copy = g_strdup(a);
  g_message("%s", copy);
  g_debug("%s", copy);
  g_free(copy);
  return 0;
}
