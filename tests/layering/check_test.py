#!/usr/bin/env python3
"""Proves that check.py accepts a tree that keeps the rules and notices each way of breaking them."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import check  # noqa: E402

RULES = """
| folder | may include |
|---|---|
| `low/` | nothing |
| `mid/` | `low/` |
| `driver/` | `mid/`, `low/` |

| foreign headers | only in |
|---|---|
| `llvm/alone.h` | one file of `low/` |
| `llvm/`, `clang/` | `mid/` |
| `z3` | one file of `low/` |
"""
TREE = {
    "docs/architecture.md": RULES,
    "src/low/a.h": "#include <vector>\n",
    "src/low/b.cpp": '#include "low/a.h"\n#include <z3++.h>\n',
    "src/mid/c.cpp": '#include "low/a.h"\n#include <llvm/IR/Module.h>\n',
    "src/driver/d.h": '#include "mid/c.h"\n',
    "src/main.cpp": '#include "driver/d.h"\n',
}


class Layering(unittest.TestCase):
    def problems(self, **changed):
        """What check() says of TREE with some files replaced (`/` and `.` in names as `__` and `_dot_`)."""
        files = dict(TREE)
        for name, text in changed.items():
            files[name.replace("__", "/").replace("_dot_", ".")] = text
        with tempfile.TemporaryDirectory() as root:
            for name, text in files.items():
                path = pathlib.Path(root) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return check.check(root)

    def refused(self, expected, **changed):
        problems = self.problems(**changed)
        self.assertEqual(len(problems), 1, problems)
        self.assertIn(expected, problems[0])

    def test_a_good_tree_passes(self):
        self.assertEqual(self.problems(), [])

    def test_a_check_of_the_whole_program_that_reads_a_body(self):
        rules = RULES.replace("| `mid/` |", "| `checks/` | `low/` |\n| `mid/` |", 1)
        text = "void run(const WholeProgram& p) {\n  p.ctx.program.%s(f);\n}\n"
        for call, problems in ("notes", 0), ("frame_at", 0), ("unit_at", 1), ("function", 1):
            found = self.problems(docs__architecture_dot_md=rules, src__checks__c_dot_cpp=text % call)
            self.assertEqual(len(found), problems, found)

    def test_an_include_that_points_upwards(self):
        self.refused("src/low/a.h:1: low may not include mid", src__low__a_dot_h='#include "mid/c.h"\n')

    def test_angle_brackets_and_spaces_do_not_hide_it(self):
        self.refused("low may not include driver", src__low__a_dot_h="  #  include <driver/d.h>\n")

    def test_a_table_names_headers_of_its_folder_only(self):
        rules = RULES.replace("| `mid/` |", "| `mid/rows.def` | nothing |\n| `mid/` |", 1)
        own = {"docs__architecture_dot_md": rules, "src__mid__rows_dot_def": '#include "mid/c.h"\n'}
        self.assertEqual(self.problems(**own), [])
        self.refused("src/mid/rows.def:1", **{**own, "src__mid__rows_dot_def": '#include "low/a.h"\n'})

    def test_a_relative_include(self):
        self.refused('write "folder/c.h"', src__low__a_dot_h='#include "../mid/c.h"\n')

    def test_a_sibling_without_its_folder(self):
        self.refused('write "folder/a.h"', src__low__b_dot_cpp='#include "a.h"\n')

    def test_a_computed_include(self):
        self.refused("not a plain name", src__low__a_dot_h="#include HEADER\n")

    def test_main_sees_the_driver_alone(self):
        self.refused("main.cpp may not include low", src__main_dot_cpp='#include "low/a.h"\n')

    def test_a_foreign_header_in_the_wrong_folder(self):
        self.refused("only mid may include clang/AST/Decl.h", src__driver__d_dot_h="#include <clang/AST/Decl.h>\n")

    def test_a_foreign_header_with_a_row_of_its_own(self):
        self.assertEqual(self.problems(src__low__h_dot_cpp="#include <llvm/alone.h>\n"), [])
        self.refused("only low may include llvm/alone.h", src__mid__h_dot_cpp="#include <llvm/alone.h>\n")

    def test_a_second_file_that_sees_z3(self):
        self.refused("only one file may include z3", src__low__e_dot_cpp="#include <z3.h>\n")

    def test_a_folder_without_a_row(self):
        self.refused("src/extra: no row", src__extra__x_dot_h="\n")

    def test_a_row_without_a_folder(self):
        self.refused("src/gone does not exist",
                     docs__architecture_dot_md=RULES.replace("\n\n|", "\n| `gone/` | nothing |\n\n|"))

    def test_a_row_for_all_folders_that_have_none(self):
        rules = RULES.replace("| `mid/` |", "| `parts/one/` | `mid/` |\n| `parts/*/` | `low/` |\n| `mid/` |", 1)
        tree = {"docs__architecture_dot_md": rules, "src__parts__one__p_dot_h": '#include "mid/c.h"\n',
                "src__parts__two__p_dot_h": '#include "low/a.h"\n#include "parts/two/q.h"\n'}
        self.assertEqual(self.problems(**tree), [])
        self.refused("parts/two may not include mid", **{**tree, "src__parts__two__p_dot_h": '#include "mid/c.h"\n'})
        self.refused("parts/two may not include parts/one", **{**tree, "src__parts__two__p_dot_h": '#include "parts/one/p.h"\n'})

    def test_a_circle_in_the_table(self):
        self.refused("in a circle", docs__architecture_dot_md=RULES.replace("| nothing", "| `mid/`"))

    def test_a_document_without_tables(self):
        self.refused("cannot read the layer tables", docs__architecture_dot_md="nothing here\n")


if __name__ == "__main__":
    unittest.main()
