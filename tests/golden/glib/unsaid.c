// What introspection data leaves out or tells wrong, and what only the program's own code shows.
#include <gio/gio.h>
#include <stdlib.h>

// ---- further arguments of a function that is known by nothing but its name

static void add(GVariantBuilder *builder, const char *key, GVariant *value) {
  if (value) g_variant_builder_add(builder, "{sv}", key, value);
}

static GVariant *made(void) {
  GVariantBuilder builder;
  g_variant_builder_init(&builder, G_VARIANT_TYPE("as"));
  return g_variant_builder_end(&builder);
}

void W01_ok_taken_by_a_helper(GVariantBuilder *builder) { add(builder, "key", made()); }

int W02_lost(void) {  // expect-in-function: glib-leak
  GVariant *value = made();
  return value != NULL;
}

// ---- free() ends what GLib has made with malloc()

int W03_ok_free(const char *text) {
  char *copy = g_strndup(text, 4);
  int n = copy[0];
  free(copy);
  return n;
}

static void drop(char *text) { free(text); }
int W04_ok_free_in_a_helper(const char *text) {
  char *copy = g_strdup(text);
  int n = copy[0];
  drop(copy);
  return n;
}

// ---- owners of results that nobody has said

int W05_ok_error_of_a_folder(const char *path) {
  GError *error = NULL;
  GDir *dir = g_dir_open(path, 0, &error);
  if (!dir) {
    int code = error->code;
    g_error_free(error);
    return code;
  }
  g_dir_close(dir);
  return 0;
}

int W06_folder_left_open(const char *path) {  // expect-in-function: glib-leak
  GDir *dir = g_dir_open(path, 0, NULL);
  if (!dir) return -1;
  return g_dir_read_name(dir) != NULL;
}

int W07_ok_text_of_the_file(GMappedFile *file) {
  char *text = g_mapped_file_get_contents(file);
  return text ? text[0] : 0;
}

// ---- functions that free by their name

int W08_ok_addresses(GResolver *resolver) {
  GList *found = g_resolver_lookup_by_name(resolver, "localhost", NULL, NULL);
  int n = found != NULL;
  g_resolver_free_addresses(found);
  return n;
}

int W09_addresses_lost(GResolver *resolver) {  // expect-in-function: glib-leak
  GList *found = g_resolver_lookup_by_name(resolver, "localhost", NULL, NULL);
  return found != NULL;
}

// ---- status 0 is the failure, and there is an error then

int W10_ok_status(GIOChannel *channel) {
  GError *error = NULL;
  if (g_io_channel_flush(channel, &error) == G_IO_STATUS_ERROR) {
    int code = error->code;
    g_error_free(error);
    return code;
  }
  return 0;
}

int W11_status_and_error_lost(GIOChannel *channel) {  // expect-in-function: glib-leak
  GError *error = NULL;
  return g_io_channel_flush(channel, &error) == G_IO_STATUS_ERROR;
}

// ---- what hangs on an entry of a table belongs to the entry

typedef struct {
  GHashTable *entries;
} Folder;
typedef struct {
  char *name;
  Folder *below;
} Entry;

static Folder *folder_new(void) {
  Folder *folder = g_new0(Folder, 1);
  folder->entries = g_hash_table_new(g_str_hash, g_str_equal);
  return folder;
}

static Folder *between(Folder *parent, const char *name) {
  Entry *entry = g_new0(Entry, 1);
  entry->name = g_strdup(name);
  entry->below = folder_new();
  g_hash_table_insert(parent->entries, g_strdup(name), entry);
  return entry->below;
}

void W12_ok_folders_on_the_way(Folder *root, char **parts, int n) {
  Folder *folder = root;
  for (int i = 0; i < n; i++) folder = between(folder, parts[i]);
}

void W13_folder_lost(void) {  // expect-in-function: glib-leak
  Folder *folder = folder_new();
  (void)folder->entries;
}

// ---- text that is const all the way cannot be taken over by the function that nobody knows, and is taken for that

int out_of_sight_open(const char *path, void **file);
static int opened(const char *path, void **file) { return out_of_sight_open(path, file); }

int FN_W14_text_lost(const char *folder) {  // expect-not-yet: glib-leak
  char *path = g_build_filename(folder, "list", NULL);
  void *file = NULL;
  return opened(path, &file);
}
