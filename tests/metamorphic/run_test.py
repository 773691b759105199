#!/usr/bin/env python3
"""Proves that the rewritings keep the meaning: each rewritten program is compiled, run and compared with the original.

The program prints what its calls do, so an order or a branch that a rewriting gets wrong is seen; and every kind of
rewriting must have changed what it is for.
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import run  # noqa: E402
from source import Source  # noqa: E402

PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int trace(const char *what, int n);
static int limit = 3;

static int ladder(int n) {
  int a, b = 0;
  a = abs(n);
  if (trace("a", a) > 6) goto out;
  b = trace("b", a + 1);
  if (b > 5) {
    trace("undo", b);
    goto out_b;
  }
  if (b == 4) goto out_b;
  return trace("fine", a);
out_b:
  trace("out_b", b);
out:
  trace("out", a);
  return -1;
}

static int search(int n) {
  int i, j;
  for (i = 0; i < limit; i++)
    for (j = 0; j < limit; j++) {
      if (i * j == n) {
        trace("found", i);
        return i + 10 * j;
      }
      if (j == n) break;
    }
  switch (n) {
    case 7:
      if (i > 2) return trace("seven", i);
      trace("not reached", 0);
    case 8:
      return 8;
    default:
      break;
  }
  while (n > 0) {
    if (n == 5) return -5;
    n--;
  }
  return 0;
}

static void early(int n, char *out) {
  char text[8];
  int left = n, *at = &left;
  if (n < 0) {
    trace("negative", n);
    return;
  }
  if (n > 2) trace("large", n);
  else if (n == 1) return;
  memset(text, 'a' + *at, 3);
  text[3] = 0;
  if (n == 2) return;
  strcpy(out, text);
}

static int trace(const char *what, int n) {
  printf("%s %d\n", what, n);
  return n;
}

int main(void) {
  for (int n = -2; n < 10; n++) {
    char out[8] = "-";
    early(n, out);
    printf("%d %d %d %s\n", n, ladder(n), search(n), out);
  }
  return 0;
}
"""
MARKS = {"calls": "via_abs", "tails": "early_tail", "struct": "&lv_.left", "nest": "} else {", "jump": "goto out_",
         "flag": "if (!done_)", "units": ""}


def output(folder, texts):
    files = [folder / f"{n}.c" for n in range(len(texts))]
    for file, text in zip(files, texts):
        file.write_text(text)
    subprocess.run(["clang-19", "-w", "-o", folder / "program", *files], check=True)
    return subprocess.run([folder / "program"], check=True, capture_output=True, text=True).stdout


class KeepsTheMeaning(unittest.TestCase):
    def test_each_kind(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            path = folder / "program.c"
            path.write_text(PROGRAM)
            source = Source(path, [])
            self.assertEqual(source.errors, [])
            before = output(folder, [PROGRAM])
            for kind in run.KINDS:
                with self.subTest(kind):
                    rewritten = run.rewrite(kind, source, path, [], None)
                    self.assertIn(MARKS[kind], rewritten.texts[0])
                    self.assertEqual(len(rewritten.texts), 2 if kind == "units" else 1)
                    self.assertGreaterEqual(len(rewritten.changed), 1)
                    self.assertEqual(output(folder, rewritten.texts), before)

    def test_differences_are_told(self):
        rewritten = run.rewrites.Rewritten([], ["f", "g"], {"f_tail": "f"})
        outcome = run.compare({"f": {"x-leak"}, "g": {"x-leak"}}, {"f_tail": {"x-leak"}, "h": {"x-leak"}}, rewritten, {})
        found = run.differences({("tails", "a.c"): outcome})
        self.assertEqual(found, {("tails", "a.c", "g"): "-x-leak", ("tails", "a.c", "h"): "+x-leak"})
        self.assertEqual(run.surprises(found, {}, {("tails", "a.c")}), ["tails a.c g -x-leak", "tails a.c h +x-leak"])
        known = {("tails", "a.c", "g"): ("-x-leak", "FN_no_such_test"), ("tails", "a.c", "i"): ("-x-leak", "FN_no_such_test")}
        self.assertEqual(len(run.surprises(found, known, {("tails", "a.c")})), 4)
        known = {key: (text, run.NO_TEST) for key, text in found.items()}
        self.assertEqual(run.surprises(found, known, {("tails", "a.c")}), [])


if __name__ == "__main__":
    unittest.main()
