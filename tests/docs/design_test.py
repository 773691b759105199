#!/usr/bin/env python3
"""Proves that design.py finds the commands of a page and notices what differs."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import design  # noqa: E402


class Design(unittest.TestCase):
    def test_commands(self):
        page = "text\n```\n$ one\na\nb\n$ two\n```\n```c\nint x;\n```\n```\n$ three\n...\n```\n"
        self.assertEqual(design.commands(page), [("one", ["a", "b"]), ("two", []), ("three", ["..."])])

    def test_a_block_in_a_list(self):
        self.assertEqual(design.commands("1. text\n\n   ```\n   $ one\n     a\n   ```\n"), [("one", ["  a"])])

    def test_lines(self):
        self.assertTrue(design.matches(["a", "b "], ["a", "b"]))
        self.assertFalse(design.matches(["a"], ["a", "b"]))
        self.assertFalse(design.matches(["a", "b"], ["a"]))
        self.assertFalse(design.matches([" a"], ["a"]))
        self.assertTrue(design.matches([], []))
        self.assertFalse(design.matches([], ["a"]))

    def test_gaps(self):
        self.assertTrue(design.matches(["..."], []))
        self.assertTrue(design.matches(["a", "...", "c"], ["a", "c"]))
        self.assertTrue(design.matches(["...", "b", "  ...", "d"], ["a", "b", "c", "b", "d"]))
        self.assertTrue(design.matches(["...", "a", "b", "..."], ["a", "a", "b"]))
        self.assertFalse(design.matches(["...", "b", "...", "a"], ["a", "b"]))
        self.assertFalse(design.matches(["a", "...", "a"], ["a"]))
        self.assertFalse(design.matches(["...", "a", "c", "..."], ["a", "b", "c"]))
        self.assertFalse(design.matches(["b", "..."], ["a", "b"]))


if __name__ == "__main__":
    unittest.main()
