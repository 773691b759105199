#!/usr/bin/env python3
"""Proves that teach.py finds the files of a page."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import teach  # noqa: E402


class Teach(unittest.TestCase):
    def test_files(self):
        page = "text\n```c\n/* a.h */\nint x;\n```\n```c\nint other;\n```\n```\n$ one\n/* b.h */\n```\n```c\n/* c.c */\nint y;\n\nint z;\n```\n"
        self.assertEqual(teach.files(page), {"a.h": "/* a.h */\nint x;\n", "c.c": "/* c.c */\nint y;\n\nint z;\n"})


if __name__ == "__main__":
    unittest.main()
