#!/usr/bin/env python3
"""Proves that format.py accepts formatted files, names each one that is not, and formats them on request."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

FORMAT = pathlib.Path(__file__).with_name("format.py")
GOOD = "int one() { return 1; }\n"
BAD = "int two( )  { return 2 ; }\n"


class Format(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write(".clang-format", "BasedOnStyle: Google\n")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_on(self, *options):
        run = subprocess.run([sys.executable, FORMAT, self.root, *options], capture_output=True, text=True)
        return run.returncode, run.stdout

    def test_formatted(self):
        self.write("src/a.cpp", GOOD)
        self.assertEqual(self.run_on(), (0, "format: 1 files\n"))

    def test_names_each_file(self):
        self.write("src/a.cpp", GOOD)
        self.write("src/deep/b.h", BAD)
        self.write("tests/unit/c_test.cpp", BAD)
        code, text = self.run_on()
        self.assertEqual(code, 1)
        self.assertIn("src/deep/b.h: differs", text)
        self.assertIn("tests/unit/c_test.cpp: differs", text)
        self.assertNotIn("src/a.cpp", text)

    def test_golden_is_left_alone(self):
        self.write("src/a.cpp", GOOD)
        self.write("tests/golden/x/bad.cpp", BAD)
        self.assertEqual(self.run_on()[0], 0)

    def test_fix(self):
        self.write("src/b.cpp", BAD)
        self.assertEqual(self.run_on("--fix")[0], 0)
        self.assertEqual((self.root / "src/b.cpp").read_text(), "int two() { return 2; }\n")

    def test_nothing_to_look_at(self):
        self.assertEqual(self.run_on()[0], 2)

    def test_a_style_that_cannot_be_read(self):
        self.write("src/a.cpp", GOOD)
        self.write(".clang-format", "BasedOnStyle: Nobody\n")
        self.assertEqual(self.run_on()[0], 2)


if __name__ == "__main__":
    unittest.main()
