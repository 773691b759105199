#!/usr/bin/env python3
"""Proves that sizes.py notices each way to be too large, and an exception that nobody needs any more."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import sizes  # noqa: E402
import source  # noqa: E402


def function(name, lines):
    return f"int {name}() {{\n" + "  go();\n" * (lines - 2) + "}\n"


def struct(name, fields=0, methods=0, more=""):
    return (f"struct {name} {{\n" + "".join(f"  int f{i};\n" for i in range(fields)) +
            "".join(f"  void m{i}();\n" for i in range(methods)) + more + "};\n")


class Sizes(unittest.TestCase):
    def problems(self, *texts, known=None):
        files = [source.File(f"src/{chr(97 + i)}.cpp", text) for i, text in enumerate(texts)]
        return sizes.judge(sizes.measure(files), known or {})

    def test_within_the_limits(self):
        self.assertEqual(self.problems(function("f", 100), struct("A", 30, 60)), [])

    def test_functions(self):
        self.assertEqual(self.problems(function("f", 101)), ["src/a.cpp:1: f has 101 lines; at most 100 are allowed"])

    def test_files(self):
        self.assertEqual(self.problems("int x;\n" * 600), [])
        self.assertEqual(len(self.problems("int x;\n" * 601)), 1)

    def test_ten_long_functions_and_no_more(self):
        ten = [function(f"f{i}", 81) for i in range(10)]
        self.assertEqual(self.problems(*ten), [])
        self.assertEqual(len(self.problems(*ten, function("g", 81))), 11)
        self.assertEqual(len(self.problems(*ten, function("g", 80))), 0)

    def test_members(self):
        self.assertEqual(len(self.problems(struct("A", 31))), 1)
        self.assertEqual(len(self.problems(struct("A", 0, 61))), 1)

    def test_parts_that_one_class_uses_count_with_it(self):
        whole = struct("Part", 20) + struct("A", 20, more="  std::vector<Part> part;\n  void go();\n") + "void A::go() { Part p; }\n"
        self.assertIn("src/a.cpp:23 with Part: A has 41 fields", self.problems(whole)[0])
        self.assertIn("A has 40 fields", self.problems(struct("Part", 20) + struct("A", 20).replace("A {", "A : Part {"))[0])
        self.assertIn("A has 41 fields", self.problems(struct("A", 20, more="  struct {\n" + "  int x;\n" * 20 + "  } part;\n"))[0])
        # It is a thing of its own if a function or a class beside speaks of it.
        self.assertEqual(self.problems(whole + "int other(Part p) { return p.f1; }\n"), [])
        self.assertEqual(self.problems(whole + struct("B", more="  Part again;\n")), [])
        self.assertEqual(self.problems(whole.replace("struct Part {", "struct Part {\n  void act();")), [])

    def test_known_exceptions(self):
        known = {("function", "f"): (120, "reason")}
        self.assertEqual(self.problems(function("f", 120), known=known), [])
        self.assertEqual(len(self.problems(function("f", 121), known=known)), 1)
        self.assertEqual(self.problems(function("f", 100), known=known),
                         ["tests/style/sizes.py: f (function) is within the limits now: take it out of KNOWN"])
        self.assertEqual(len(self.problems(function("g", 10), known=known)), 1)

    def test_exceptions_have_reasons(self):
        for key, (size, reason) in sizes.KNOWN.items():
            self.assertTrue(reason and size > 0, key)


if __name__ == "__main__":
    unittest.main()
