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

    def test_nothing_counted(self):
        (self.path / "x.c").write_text("int f(int x) { return x + 1; }\n")
        self.reckon("mine", "--no-cache", "-o", "x.spec", "x.c", code=3)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
