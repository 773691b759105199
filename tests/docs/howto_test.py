#!/usr/bin/env python3
"""Proves that howto.py puts code where a page says, and notices what does not compile."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import howto  # noqa: E402

PAGE = """
1. Text

   ```c++
   // src/a/b.h, with a/c.h
   struct B : C {};
   ```
   ```c++
   // src/a/b.cpp, with a/b.h
   B b;
   ```
   ```c++
   int left_alone();
   ```
"""


class HowTo(unittest.TestCase):
    def tree(self, files):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for path, text in files.items():
            target = pathlib.Path(folder.name) / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        return pathlib.Path(folder.name)

    def test_blocks(self):
        self.assertEqual([head for head, _ in howto.blocks(PAGE)], ["src/a/b.h, with a/c.h", "src/a/b.cpp, with a/b.h"])

    def test_code_that_compiles(self):
        root = self.tree({"src/a/c.h": "#pragma once\nnamespace reckon::a { struct C {}; }\n"})
        self.assertEqual(howto.problems_of("c++", root, PAGE), ([], 1))

    def test_code_that_does_not(self):
        root = self.tree({"src/a/c.h": "#pragma once\nnamespace reckon::a { struct D {}; }\n"})
        problems, _ = howto.problems_of("c++", root, PAGE)
        self.assertEqual(len(problems), 1)
        self.assertIn("src/a/b.cpp does not compile", problems[0])

    def test_places(self):
        table = "ROW(one,\n    1)\nROW(two,\n    2)\n"
        self.assertEqual(howto.inserted(table, "behind the row of `one`", "X\n"), "ROW(one,\n    1)\nX\nROW(two,\n    2)\n")
        code = "void A::f(int) {\n  for (int x : o.list)\n    g(x);\n}\n"
        self.assertEqual(howto.inserted(code, "in A::f, before the loop over `list`", "h();\n"),
                         "void A::f(int) {\n  h();\n  for (int x : o.list)\n    g(x);\n}\n")
        for place in ("behind the row of `three`", "in A::g, before the loop over `list`", "somewhere"):
            with self.assertRaises(howto.PageError):
                howto.inserted(table, place, "X\n")

    def test_a_page_without_code(self):
        with self.assertRaises(howto.PageError):
            howto.problems_of("c++", self.tree({}), "text")


if __name__ == "__main__":
    unittest.main()
