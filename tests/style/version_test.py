#!/usr/bin/env python3
"""version.py notices a number that differs, wherever it looks."""
import pathlib
import tempfile
import unittest

import version


class Version(unittest.TestCase):
    def tree(self, **files):
        root = pathlib.Path(tempfile.mkdtemp())
        all_files = {"VERSION": "1.2.3\n", "CHANGELOG.md": "# Changes\n\n## 1.2.3 (unreleased)\n",
                     "CMakeLists.txt": "file(STRINGS VERSION version)\nproject(reckon VERSION ${version})\n"}
        all_files.update({name.replace("__", "/"): text for name, text in files.items()})
        for name, text in all_files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        return root

    def test_one_version(self):
        self.assertEqual([], list(version.problems(self.tree(recipes__a="reckon_1.2.3_amd64.deb"))))

    def test_another_in_a_recipe(self):
        found = list(version.problems(self.tree(recipes__a="x\nreckon-1.2.4-linux.tar.xz\n")))
        self.assertEqual(["recipes/a:2: names version 1.2.4, VERSION says 1.2.3"], found)

    def test_changelog_and_cmake(self):
        found = list(version.problems(self.tree(CMakeLists="", VERSION="1.3.0\n")))
        self.assertEqual(["CHANGELOG.md: its first heading is not 1.3.0"], found)


if __name__ == "__main__":
    unittest.main()
