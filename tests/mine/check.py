#!/usr/bin/env python3
"""From silence to a first finding: what a run says where no API is known, and the spec that `reckon mine -o` writes.

On examples/things the mined spec must find what the hand-written one does. Usage: check.py RECKON ROOT
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

RECKON, ROOT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()

WIDGETS = """\
struct widget { int refs; };
struct widget *widget_new(void);
struct widget *widget_ref(struct widget *w);
void widget_unref(struct widget *w);
int widget_size(struct widget *w);
int use(void) {
  struct widget *w = widget_new();
  if (!w) return -1;
  if (widget_size(w) == 0) return 0;
  widget_unref(w);
  return 1;
}
"""

# What stands before it is one more function of this library, with a comment.
SESSIONS = """
struct session;
struct user;
struct session *session_new(const char *name);
void session_unref(struct session *s);
struct session *session_of(int kind);
struct session *session_open_any(int kind);
void session_set_user(struct session *s, struct user *u);
void session_park(struct session *);
int use(struct user *u) {
  struct session *s = session_new("a");
  session_set_user(session_of(1), u);
  session_park(session_open_any(2));
  session_unref(s);
  return 1;
}
"""

# No name here is one of a pair.
COUNTS = """
#include <stdlib.h>
struct obj { int refcnt; int uses; int parts; };
struct obj *obj_make(void) {
  struct obj *o = malloc(sizeof *o);
  if (o) o->refcnt = 1;
  return o;
}
void obj_hold(struct obj *o) { o->refcnt++; }
void obj_lose(struct obj *o) { if (--o->refcnt == 0) free(o); }
void obj_more(struct obj *o) { o->uses++; }
void obj_less(struct obj *o) { o->uses--; }
void obj_free_part(struct obj *o, int part);
void obj_push(struct obj *o) { o->parts++; }
void obj_pop(struct obj *o) { obj_free_part(o, o->parts--); }
"""


class Mine(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def reckon(self, *arguments, code=0):
        done = subprocess.run([RECKON, *arguments], cwd=self.path, capture_output=True, text=True)
        self.assertEqual(code, done.returncode, done.stdout + done.stderr)
        return done

    def findings(self, spec, domain, source, code=1):
        out = self.path / "out.json"
        self.reckon("check", "-q", "--no-cache", "--specs", spec, "--format=json", "--output", out, source, code=code)
        return sorted((f["check"].removeprefix(domain + "-"), f["function"]) for f in map(json.loads, out.read_text().splitlines()))

    def test_the_hint(self):
        (self.path / "w.c").write_text(WIDGETS)
        done = self.reckon("check", "--no-cache", "w.c")
        self.assertIn("no API known here; 1 family looks counted: `reckon mine`", done.stdout + done.stderr)

    def test_a_spec_that_works_as_it_stands(self):
        (self.path / "w.c").write_text(WIDGETS)
        self.reckon("mine", "--no-cache", "-o", "widgets.spec", "w.c")
        self.reckon("spec", "check", "widgets.spec")
        self.assertEqual([("leak", "use")], self.findings("widgets.spec", "widgets", "w.c"))

    def test_as_good_as_by_hand(self):
        things = ROOT / "examples" / "things"
        self.reckon("mine", "--no-cache", "-o", "mined.spec", things / "app.c")
        by_hand = self.findings(things / "things.spec", "things", things / "app.c")
        self.assertEqual(5, len(by_hand))
        self.assertEqual(by_hand, self.findings("mined.spec", "mined", things / "app.c"))

    def test_a_comment_behind_the_declaration_above(self):
        above = "int widget_size(struct widget *w);"
        (self.path / "w.c").write_text(WIDGETS.replace(above, "void widget_add(struct widget *w); /* takes over w */\n" + above))
        self.reckon("mine", "--no-cache", "-o", "widgets.spec", "w.c")
        self.assertNotIn("widget_size", (self.path / "widgets.spec").read_text())

    def lines_of(self, source, *more):
        """{function: the rest of its line} of the spec that is mined from a source."""
        (self.path / "s.c").write_text(source)
        self.reckon("mine", "--no-cache", "-o", "s.spec", "s.c", *more)
        lines = (self.path / "s.spec").read_text().splitlines()
        (self.path / "s.spec").unlink()
        return {line[3:line.index("(")]: line.split("-> ", 1)[1] for line in lines if line.startswith("fn ")}

    def comment(self, text, function="struct session *session_new(const char *name)", name="session_new"):
        """What a comment makes of one function of a library that is counted."""
        return self.lines_of(f"struct session;\nstruct user;\n/* {text} */\n{function};\n" + SESSIONS).get(name)

    def test_owned_by_whom(self):
        for text in ("The result belongs to the caller.", "Returns a session owned by the caller.",
                     "To be released with session_unref().", "The caller must unref it."):
            self.assertEqual("new | NULL", self.comment(text), text)
            open_ = "struct session *session_open_any(int kind)"
            self.assertEqual("new | NULL fails", self.comment(text, open_, "session_open_any"), text)
            of = "struct session *session_of(int kind)"
            self.assertEqual("new | NULL fails", self.comment(text, of, "session_of"), text)
        for text in ("The result belongs to the library.", "Stays the table's.", "Owned by the table: do not free it.",
                     "A borrowed session.", "The caller must not release it.", "Must not be freed by the caller.",
                     "It is not owned by the caller."):
            of = "struct session *session_of(int kind)"
            self.assertEqual("borrowed | NULL", self.comment(text, of, "session_of"), text)

    def test_a_comment_does_not_beat_the_names_of_a_pair_silently(self):
        line = self.comment("The result belongs to the library.")
        self.assertEqual("new | NULL  # its comment speaks of an object that is lent", line)
        line = self.comment("Gives up the reference.", "void session_unref(struct session *s)", "session_unref")
        self.assertEqual("void p-1", line)

    def test_who_is_taken_over(self):
        takes = "void session_set_user(struct session *s, struct user *u)"
        for text in ("The session takes ownership of the user.", "Takes ownership of u.", "s takes over u.", "u is now owned by s",
                     "Takes the user over.", "u is taken over."):
            self.assertEqual("void steals a1", self.comment(text, takes, "session_set_user"), text)
        for text in ("Takes over the connection.", "Takes it over.", "Does not take over u.", "The user is looked up."):
            self.assertIsNone(self.comment(text, takes, "session_set_user"), text)
        park = "void session_park(struct session *)"
        self.assertEqual("void steals a0", self.comment("Takes the reference over", park, "session_park"))

    def test_out_parameters(self):
        line = "0 *a2=new | !=0 fails"
        for name in ("session_connect", "session_open3"):
            reach = f"int {name}(const char *host, int port, struct session **out)"
            self.assertEqual(line, self.lines_of(f"{SESSIONS}{reach};\n" + f"int w(struct session **p) {{ return {name}(0, 1, p); }}\n")[name])
        other = "int session_reach(const char *host, int port, struct session **out)"
        text = "Stores a new session in *out, to be released with session_unref()."
        called = other + ";\nint v(struct session **p) { return session_reach(0, 1, p); }\n"
        self.assertEqual(line, self.lines_of(f"{SESSIONS}/* {text} */\n{called}")["session_reach"])
        (self.path / "u.c").write_text(SESSIONS + called)
        unknown = self.reckon("spec", "unknown", "--no-cache", "u.c").stdout
        self.assertIn("fn session_reach(a0, a1, a2)  -> 0 *a2=new | !=0 fails *a2=NULL", unknown)

    def test_bodies_that_count(self):
        lines = self.lines_of(COUNTS)
        self.assertEqual({"obj_hold": "void p+1", "obj_lose": "void p-1", "obj_make": "new | NULL fails"}, lines)

    def test_a_library_alone(self):
        lines = self.lines_of(COUNTS.replace("obj_hold", "obj_ref").replace("obj_lose", "obj_unref"))
        self.assertEqual({"obj_ref", "obj_unref", "obj_make"}, set(lines))

    def test_nothing_counted(self):
        (self.path / "x.c").write_text("int f(int x) { return x + 1; }\n")
        self.reckon("mine", "--no-cache", "-o", "x.spec", "x.c", code=3)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
