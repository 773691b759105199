/* What rewritten sources need at run time. It includes nothing, so that it can stand before the file's own first line;
 * functions of the C library go by names of our own, so that their declarations cannot clash with the headers' ones.
 *
 * RECKON_FAIL    calls that fail, by number, separated by commas: "3,7". "3@2" makes every second one fail.
 * RECKON_RECORD  a file of 131072 zero words: word 0 is the place of the function that is at work, of those that findings
 *                are in; word N counts how often place N was reached, word 32768+N how often it failed; behind these, as
 *                64-bit numbers, the count of objects that place RECKON_WATCH gave, and for each its address and what
 *                stood behind its first 8 bytes (in CPython, its type).
 * RECKON_FORMATS a file that gets the formats by which arguments were read, one a line. */
#ifndef RECKON_CONFIRM
#define RECKON_CONFIRM
#ifdef __cplusplus
extern "C" {
#endif
extern char *reckon_getenv(const char *) __asm__("getenv");
extern int reckon_open(const char *, int, ...) __asm__("open");
extern int reckon_close(int) __asm__("close");
extern long reckon_write(int, const void *, unsigned long) __asm__("write");
extern void *reckon_mmap(void *, unsigned long, int, int, int, long) __asm__("mmap");
#ifdef __cplusplus
}
#endif

enum { reckon_places = 32768, reckon_watched = 16000, reckon_read_write = 2, reckon_append = 1025 /* O_WRONLY | O_APPEND */ };

__attribute__((unused)) static volatile unsigned *reckon_record(void) {
  static volatile unsigned *words;
  static int asked;
  if (!asked) {
    const char *path = reckon_getenv("RECKON_RECORD");
    asked = 1;
    if (path) {
      int file = reckon_open(path, reckon_read_write);
      if (file >= 0) {
        void *memory = reckon_mmap((void *)0, 4ul * reckon_places * sizeof(unsigned), 3, 1, file, 0);
        reckon_close(file);
        if (memory != (void *)-1) words = (volatile unsigned *)memory;
      }
    }
  }
  return words;
}

__attribute__((unused)) static int reckon_enter(unsigned id) {
  volatile unsigned *record = reckon_record();
  if (record) ++record[id];
  return 0;
}

/* A function that is left by a jump, as R leaves one for an error, stays the one at work: its caller's end puts that right. */
__attribute__((unused)) static unsigned reckon_begin(unsigned id) {
  volatile unsigned *record = reckon_record();
  unsigned before = record ? record[0] : 0;
  reckon_enter(id);
  if (record) record[0] = id;
  return before;
}

__attribute__((unused)) static void reckon_end(unsigned *before) {
  volatile unsigned *record = reckon_record();
  if (record) record[0] = *before;
}

__attribute__((unused)) static int reckon_fails(unsigned id) {
  static unsigned calls[reckon_places];
  const char *list = reckon_getenv("RECKON_FAIL");
  reckon_enter(id);
  while (list && *list) {
    unsigned number = 0, every = 1;
    for (; *list >= '0' && *list <= '9'; ++list) number = number * 10 + (unsigned)(*list - '0');
    if (*list == '@')
      for (every = 0, ++list; *list >= '0' && *list <= '9'; ++list) every = every * 10 + (unsigned)(*list - '0');
    if (number == id && (every < 2 || ++calls[id] % every == 0)) {
      volatile unsigned *record = reckon_record();
      if (record) ++record[reckon_places + id];
      return 1;
    }
    if (*list) ++list;
  }
  return 0;
}

__attribute__((unused)) static void *reckon_made(unsigned id, int pointer, void *object) {
  volatile unsigned *record = reckon_record();
  const char *watched = reckon_getenv("RECKON_WATCH");
  unsigned number = 0;
  for (; watched && *watched >= '0' && *watched <= '9'; ++watched) number = number * 10 + (unsigned)(*watched - '0');
  reckon_enter(id);
  if (record && !pointer) ++record[reckon_places + id]; /* its objects cannot be watched: it gives them in another way */
  if (record && pointer && object && number == id) {
    volatile unsigned long *made = (volatile unsigned long *)(record + 2 * reckon_places);
    if (made[0] < reckon_watched) {
      made[1 + 2 * made[0]] = (unsigned long)object;
      made[2 + 2 * made[0]] = ((unsigned long *)object)[1];
      ++made[0];
    }
  }
  return object;
}

__attribute__((unused)) static int reckon_format(const char *format) {
  const char *path = reckon_getenv("RECKON_FORMATS");
  int file = path && *path && format ? reckon_open(path, reckon_append) : -1;
  if (file >= 0) {
    unsigned long length = 0;
    while (format[length]) ++length;
    if (reckon_write(file, format, length) < 0 || reckon_write(file, "\n", 1) < 0) length = 0;
    reckon_close(file);
  }
  return 0;
}

#define RECKON_ENTER(id) __attribute__((unused, cleanup(reckon_end))) unsigned reckon_entered_##id = reckon_begin(id);
#define RECKON_MADE(id, call) ((__typeof__(call))(unsigned long)reckon_made(id, RECKON_IS_POINTER(call), (void *)(unsigned long)(call)))
#define RECKON_FAILS(id) reckon_fails(id)
#define RECKON_IS_POINTER(call) (__builtin_classify_type(call) == 5) /* does not make the call */
#define RECKON_FORMAT(format) reckon_format(format)
