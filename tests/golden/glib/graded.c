// What is left out by default. Each stands beside a neighbour that is told.
// flags: --confidence medium
// alone
#include <glib.h>

// ---- functions with too many ways to be walked one by one
static int many(const int *a, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += a[i];
  return sum;
}
#define ASK(i) \
  if (many(a, i) == i) k += a[i];
#define ASK_ALL ASK(1) ASK(2) ASK(3) ASK(4) ASK(5) ASK(6) ASK(7) ASK(8) ASK(9) ASK(10) ASK(11) ASK(12) ASK(13) ASK(14)

// The kind is asked for twice, and a function out of sight says the second time what it is.
extern int kind_of(int kind);

int J01_ok_kind_asked_again(const int *a, const char *text, int kind) {
  char *made = NULL;
  int k = 0;
  if (kind == 3) made = g_strdup(text);
  ASK_ALL
  ASK_ALL
  if (kind_of(kind) == 1) {
    g_free(made);
    return k;
  }
  return k + 1;
}

int J02_bad_end_before_release(const int *a, const char *text, int early) {  // expect-in-function: glib-leak
  char *made = g_strdup(text);
  int k = 0;
  ASK_ALL
  ASK_ALL
  if (early && k) return k;
  g_free(made);
  return k + 1;
}

int J03_bad_never_released(const int *a, const char *text, int kind) {  // expect-in-function: glib-leak
  char *made = NULL;
  int k = 0;
  if (kind == 3) made = g_strdup(text);
  ASK_ALL
  ASK_ALL
  return k + (made ? made[0] : 0);
}

// ---- the frame around a text is given up, and the text was read from it before
GBytes *J04_ok_taken(const char *a) {
  GString *s = g_string_new(a);
  GBytes *b = g_bytes_new_take(s->str, s->len);
  g_string_free(s, FALSE);
  return b;
}

void J05_bad_thrown_away(const char *a) {  // expect-in-function: glib-leak
  GString *s = g_string_new(a);
  g_string_append(s, a);
  g_string_free(s, FALSE);
}
