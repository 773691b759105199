#!/usr/bin/env python3
"""What a change brought: --new-since, --changed-since and reckon diff in repositories made for the purpose.

Usage: check.py RECKON [unittest arguments]
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

RECKON = str(pathlib.Path(sys.argv.pop(1)).resolve())

HEADER = """#define NULL ((void*)0)
typedef struct _object PyObject;
PyObject *PyList_New(long size);
PyObject *PyLong_FromLong(long value);
void Py_DecRef(PyObject *object);
#define Py_DECREF(object) Py_DecRef(object)
"""
# A function that leaks its list when the number cannot be made.
LEAK = """PyObject *{name}(long value)
{{
    PyObject *list = PyList_New(0);
    if (list == NULL)
        return NULL;
    PyObject *number = PyLong_FromLong(value);
    if (number == NULL)
        return NULL;
    Py_DECREF(number);
    return list;
}}
"""
CLEAN = LEAK.replace("    if (number == NULL)\n        return NULL;\n", "    if (number == NULL) {{\n        Py_DECREF(list);\n        return NULL;\n    }}\n")


def leak(name):
    return LEAK.format(name=name)


def clean(name):
    return CLEAN.format(name=name)


class Repository(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="reckon-changes-")).resolve()
        self.addCleanup(shutil.rmtree, self.folder)
        self.work = self.folder / "work"
        self.work.mkdir()
        self.git("init", "-q", "-b", "main")
        self.write("Python.h", HEADER)

    def git(self, *words, cwd=None):
        return subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *words], cwd=cwd or self.work,
                              check=True, capture_output=True, text=True).stdout

    def write(self, name, text):
        path = self.work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def source(self, name, *functions, before=""):
        self.write(name, before + '#include "Python.h"\n' + "".join(functions))

    def commit(self, message="change"):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def branch(self):
        self.commit("base")
        self.git("checkout", "-q", "-b", "topic")

    def reckon(self, *arguments, cwd=None):
        environment = dict(os.environ, XDG_CACHE_HOME=str(self.folder / "cache"))
        return subprocess.run([RECKON, *arguments], cwd=cwd or self.work, env=environment, capture_output=True, text=True,
                              timeout=300)

    def compare(self, *arguments, files=("a.c",), revision="main"):
        """Functions of new, remaining and gone findings, and the exit code."""
        flags = ["--", "-I."] if files else []
        run = self.reckon("check", "-q", "--format=json", "--new-since", revision, *arguments, *files, *flags)
        new, remaining, gone, self.lines = [], [], [], {}
        for line in run.stdout.splitlines():
            finding = json.loads(line)
            if "check" not in finding:  # it says what could not be analysed
                continue
            place = finding["function"]
            self.lines[place] = finding["location"]["line"]
            (gone if finding.get("gone") else new if finding["new"] else remaining).append(place)
        self.assertIn(run.returncode, (0, 1), run.stderr)
        return sorted(new), sorted(remaining), sorted(gone), run.returncode

    # -- what is new

    def test_a_new_leak(self):
        self.source("a.c", leak("old"), clean("other"))
        self.branch()
        self.source("a.c", leak("old"), leak("other"))
        self.assertEqual((["other"], ["old"], [], 1), self.compare())

    def test_a_repair_is_gone(self):
        self.source("a.c", leak("one"), leak("two"))
        self.branch()
        self.source("a.c", clean("one"), leak("two"))
        self.assertEqual(([], ["two"], ["one"], 0), self.compare())

    def test_moved_lines_and_comments_bring_nothing(self):
        self.source("a.c", leak("one"))
        self.branch()
        self.source("a.c", leak("one").replace("    PyObject *number", "    /* a number */\n    PyObject *number"), before="/* long\n\n\ntext */\n")
        self.assertEqual(([], ["one"], [], 0), self.compare())

    def test_a_renamed_function(self):
        self.source("a.c", leak("one"))
        self.branch()
        self.source("a.c", "\n\n" + leak("uno"))
        self.assertEqual(([], ["uno"], [], 0), self.compare())

    def test_a_renamed_file(self):
        self.source("a.c", leak("one"))
        self.branch()
        self.git("mv", "a.c", "b.c")
        self.assertEqual(([], ["one"], [], 0), self.compare(files=["b.c"]))

    def test_of_two_that_look_alike_the_first_is_repaired(self):
        twice = """PyObject *twice(long a, long b)
{
    PyObject *number = PyLong_FromLong(a);
    if (a > 100)
        return NULL;
    Py_DECREF(number);
    number = PyLong_FromLong(a);
    if (a > 10)
        return NULL;
    Py_DECREF(number);
    return NULL;
}
"""
        self.source("a.c", twice)
        self.branch()
        before = self.compare()
        self.source("a.c", twice.replace("    if (a > 100)\n        return NULL;\n", "", 1))
        new, remaining, gone, code = self.compare()
        self.assertEqual(([], 0), (new, code), before)
        self.assertEqual(6, self.lines["twice"], (before, remaining, gone))  # the one that is gone comes last

    def test_a_new_file(self):
        self.source("a.c", leak("one"))
        self.branch()
        self.source("b.c", leak("fresh"))
        self.assertEqual((["fresh"], ["one"], [], 1), self.compare(files=["a.c", "b.c"]))

    def test_a_callee_in_another_file(self):
        """The change is in a helper, the finding in its caller."""
        self.source("helper.c", "PyObject *made(void) { return NULL; }\n")
        self.source("a.c", "PyObject *made(void);\nint use(void) { PyObject *x = made(); return x != NULL; }\n")
        self.branch()
        self.source("helper.c", "PyObject *made(void) { return PyList_New(0); }\n")
        new, remaining, gone, code = self.compare(files=["a.c", "helper.c"])
        self.assertEqual((["use"], [], [], 1), (new, remaining, gone, code))

    def test_a_macro_in_a_header(self):
        self.write("own.h", "#define DROP(x) Py_DECREF(x)\n")
        self.source("a.c", '#include "own.h"\n', clean("one").replace("Py_DECREF(list)", "DROP(list)"))
        self.branch()
        self.write("own.h", "#define DROP(x) (void)(x)\n")
        new, remaining, gone, code = self.compare()
        self.assertEqual((["one"], [], [], 1), (new, remaining, gone, code))

    def test_a_deleted_header_and_a_header_that_git_ignores(self):
        self.write(".gitignore", "made.h\n")
        self.write("made.h", "#define MADE 1\n")
        self.write("old.h", "#define OLD 1\n")
        self.source("a.c", '#include "made.h"\n#include "old.h"\nint x = MADE + OLD;\n', leak("one"))
        self.branch()
        self.git("rm", "-q", "old.h")
        self.source("a.c", '#include "made.h"\nint x = MADE;\n', leak("one"))
        self.assertEqual(["one"], self.compare()[1])

    # -- sources that were deleted

    def database(self, *files):
        self.write("build/compile_commands.json", json.dumps(
            [{"directory": str(self.work), "file": f, "arguments": ["cc", "-I.", "-c", f]} for f in files]))

    def test_findings_of_a_deleted_source_are_gone(self):
        """Its compiler call is gone with it: the one of its neighbour serves."""
        self.write(".gitignore", "build\n")
        self.source("a.c", leak("one"))
        self.source("b.c", leak("two"))
        self.branch()
        self.git("rm", "-q", "b.c")
        self.database("a.c")
        self.assertEqual(([], ["one"], ["two"], 0), self.compare_database())

    def test_a_deleted_source_that_the_database_still_lists(self):
        self.write(".gitignore", "build\n")
        self.source("a.c", leak("one"))
        self.source("b.c", leak("two"))
        self.branch()
        self.git("rm", "-q", "b.c")
        self.database("a.c", "b.c")
        self.assertEqual(([], ["one"], ["two"], 0), self.compare_database())

    def test_a_function_that_moved_out_of_a_deleted_source_is_not_new(self):
        self.write(".gitignore", "build\n")
        self.source("a.c", leak("one"))
        self.source("b.c", leak("two"), "".join(clean(f"more{i}") for i in range(9)))
        self.branch()
        self.git("rm", "-q", "b.c")
        self.source("a.c", leak("one"), leak("two"))
        self.database("a.c")
        self.assertEqual(([], ["one", "two"], [], 0), self.compare_database())

    def test_a_deleted_source_that_does_not_compile(self):
        self.write(".gitignore", "build\n")
        self.source("a.c", leak("one"))
        self.source("b.c", '#include "of_another_system.h"\n', leak("two"))
        self.branch()
        self.git("rm", "-q", "b.c")
        self.database("a.c")
        self.assertEqual(([], ["one"], [], 0), self.compare_database())
        run = self.reckon("check", "-p", "build", "--new-since", "main")
        self.assertIn("1 of 1 deleted sources could not be captured as they were at main", run.stderr)

    def test_who_names_files_asks_for_these_alone(self):
        self.source("a.c", leak("one"))
        self.source("b.c", leak("two"))
        self.branch()
        self.git("rm", "-q", "b.c")
        self.assertEqual(([], ["one"], [], 0), self.compare())

    def compare_database(self):
        return self.compare("-p", "build", files=())

    def test_calls_through_a_table_are_the_same_in_both_states(self):
        """Specs know some functions by the table that holds their address: at the base as well as now."""
        made = """extern void **PyArray_API;
#define PyArray_GetNumericOps (*(PyObject *(*)(void))PyArray_API[41])
int made(void)
{
    PyObject *operations = PyArray_GetNumericOps();
    return operations != NULL;
}
"""
        self.source("a.c", made)
        self.branch()
        self.source("a.c", made, clean("other"))
        self.assertEqual(([], ["made"], [], 0), self.compare())

    def test_the_merge_base_and_not_the_tip(self):
        """What main repaired meanwhile is not this branch's doing."""
        self.source("a.c", leak("one"))
        self.branch()
        self.git("checkout", "-q", "main")
        self.source("a.c", clean("one"))
        self.commit()
        self.git("checkout", "-q", "topic")
        self.assertEqual(([], ["one"], [], 0), self.compare())

    def test_a_suppression_taken_away_is_new(self):
        ignored = leak("one").replace("        return NULL;\n    Py_DECREF", "        return NULL;  /* reckon: ignore[python-leak] known */\n    Py_DECREF")
        self.source("a.c", ignored)
        self.branch()
        self.assertEqual(([], [], [], 0), tuple(x if not isinstance(x, list) else [] for x in self.compare()))
        self.source("a.c", leak("one"))
        self.assertEqual((["one"], [], [], 1), self.compare())

    def test_the_work_tree_is_not_touched(self):
        self.source("a.c", leak("one"))
        self.branch()
        self.source("a.c", leak("two"))
        before = sorted((p, p.stat().st_mtime_ns) for p in self.work.rglob("*") if ".git" not in p.parts)
        self.compare()
        after = sorted((p, p.stat().st_mtime_ns) for p in self.work.rglob("*") if ".git" not in p.parts)
        self.assertEqual(before, after)

    # -- how it is said

    def test_words(self):
        self.source("a.c", leak("one"), leak("kept"), clean("two"))
        self.branch()
        self.source("a.c", clean("one"), leak("kept"), leak("two"))
        run = self.reckon("check", "--new-since", "main", "a.c", "--", "-I.")
        self.assertEqual(1, run.returncode)
        self.assertRegex(run.stdout, r"compared with main \([0-9a-f]{12}\): 1 new, 1 gone, 1 as before")
        self.assertRegex(run.stdout, r"  gone: a\.c:9: reference to `list` is leaked.* \[python-leak\] \((low|medium|high)\)")
        self.assertEqual(1, run.stdout.count(": warning: "))

    def test_sarif(self):
        self.source("a.c", leak("one"), leak("kept"), clean("two"))
        self.branch()
        self.source("a.c", clean("one"), leak("kept"), leak("two"))
        run = self.reckon("check", "-q", "--format=sarif", "--new-since", "main", "a.c", "--", "-I.")
        results = json.loads(run.stdout)["runs"][0]["results"]
        self.assertEqual(["absent", "new", "unchanged"], sorted(r["baselineState"] for r in results))

    # -- what cannot be done

    def test_shallow_clone(self):
        self.source("a.c", leak("one"))
        self.commit()
        self.source("a.c", leak("two"))
        self.commit()
        clone = self.folder / "clone"
        self.git("clone", "-q", "--depth=1", f"file://{self.work}", str(clone), cwd=self.folder)
        run = self.reckon("check", "--new-since", "HEAD~1", "a.c", "--", "-I.", cwd=clone)
        self.assertEqual(2, run.returncode)
        self.assertIn("this clone is shallow: git fetch --unshallow gets the rest", run.stderr)

    def test_no_merge_base(self):
        self.source("a.c", leak("one"))
        self.commit()
        self.git("checkout", "-q", "--orphan", "alone")
        self.commit("another root")
        run = self.reckon("check", "--new-since", "main", "a.c", "--", "-I.")
        self.assertEqual(2, run.returncode)
        self.assertIn("'main' and HEAD have no commit in common", run.stderr)

    def test_unknown_revision(self):
        self.source("a.c", leak("one"))
        self.commit()
        run = self.reckon("check", "--new-since", "origin/main", "a.c", "--", "-I.")
        self.assertEqual(2, run.returncode)
        self.assertIn("git knows no revision 'origin/main'; git fetch origin main may get it", run.stderr)

    def test_no_repository(self):
        run = self.reckon("check", "--new-since", "main", str(self.work / "Python.h"), cwd=self.folder)
        self.assertEqual(2, run.returncode)

    # -- --changed-since

    def changed(self):
        run = self.reckon("check", "-q", "--format=json", "--changed-since", "main", "a.c", "--", "-I.")
        return [json.loads(line)["function"] for line in run.stdout.splitlines()]

    def test_comments_and_white_space_change_nothing(self):
        self.source("a.c", leak("one"), leak("two"))
        self.branch()
        self.source("a.c", leak("one").replace("    if (list == NULL)\n        return NULL;", "    if (list == NULL)   return NULL; /* why */"), leak("two"),
                    before="/* new\n   text */\n")
        self.assertEqual([], self.changed())

    def test_code_beside_comments_does(self):
        self.source("a.c", leak("one"), leak("two"))
        self.branch()
        self.source("a.c", leak("one"), leak("two").replace("New(0)", "New(1)"), before="/* new */\n")
        self.assertEqual(["two"], self.changed())

    def test_a_comment_that_swallows_code_does(self):
        self.source("a.c", "int x; /* a */ int y;\n", leak("one"), "/* end */\n")
        self.branch()
        self.source("a.c", "int x; /* a */ int y;\n/*\n", leak("one"), "/* end */\n", leak("three"))
        self.assertEqual(["three"], self.changed())

    def test_a_directive_that_is_broken_does(self):
        self.source("a.c", "#define SIZE 0\n", leak("one").replace("New(0)", "New(SIZE)"))
        self.branch()
        self.source("a.c", "#define SIZE\\\n 1\n", leak("one").replace("New(0)", "New(SIZE)"))
        self.assertEqual(["one"], self.changed())

    # -- kept reports

    def test_diff_of_reports(self):
        self.source("a.c", leak("one"), leak("kept"), clean("two"))
        self.reckon("check", "-q", "--format=json", "--output", "before.json", "a.c", "--", "-I.")
        self.source("a.c", clean("one"), leak("kept"), leak("two"))
        self.reckon("check", "-q", "--format=json", "--output", "after.json", "a.c", "--", "-I.")
        run = self.reckon("diff", "before.json", "after.json")
        self.assertEqual(1, run.returncode, run.stderr)
        lines = run.stdout.splitlines()
        self.assertRegex(lines[0], r"^new: a\.c:\d+: reference to `list` is leaked.* \[python-leak\]$")
        self.assertRegex(lines[1], r"^gone: a\.c:9: ")
        self.assertEqual("1 new, 1 gone, 1 as before", lines[2])
        self.assertEqual(0, self.reckon("diff", "after.json", "after.json").returncode)

    def test_diff_of_something_else(self):
        self.write("x.json", "{}\n")
        run = self.reckon("diff", "x.json", "x.json")
        self.assertEqual(2, run.returncode)
        self.assertIn("x.json:1: not a finding; reports of --format=json are compared", run.stderr)


unittest.main(verbosity=1)
