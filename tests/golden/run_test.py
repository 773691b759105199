#!/usr/bin/env python3
"""Proves that run.py notices missing, unexpected and newly right answers, with a program that plays reckon."""
import contextlib
import io
import json
import pathlib
import stat
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import run  # noqa: E402

# Answers with the findings in findings.json beside it, for those files that it was given; notes its arguments.
FAKE = """#!{python}
import json, pathlib, sys
here = pathlib.Path(__file__).parent
with open(here / "calls", "a") as calls:
    calls.write(json.dumps(sys.argv[1:]) + "\\n")
script = json.loads((here / "findings.json").read_text())
names = [pathlib.Path(a).name for a in sys.argv]
findings = [f for f in script["findings"] if pathlib.Path(f["location"]["file"]).name in names + ["inline.h"]]
print("".join(json.dumps(f) + "\\n" for f in findings), end="")
sys.exit(script.get("exit", 1 if findings else 0))
"""

CLEAN = """#include <stdlib.h>

int *good(int n)
{
    return malloc(n);
}
"""
BUGGY = """int bad(void)
{
    return 1;  // expect: x-leak
}
static int
FN_missed(int a)
{
    return 2;  // expect-not-yet: x-use -- needs more
}
int FP_alarm(int a) { return 3; }  // false-alarm: x-leak
int two(void)
{
    return 4;  /* expect: x-leak, x-use */
}
"""
ANSWERS = [("b.c", 3, "x-leak"), ("b.c", 10, "x-leak"), ("b.c", 13, "x-leak"), ("b.c", 13, "x-use")]


class Golden(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        self.area = self.root / "area"
        self.area.mkdir()
        self.fake = self.root / "reckon"
        self.fake.write_text(FAKE.format(python=sys.executable))
        self.fake.chmod(self.fake.stat().st_mode | stat.S_IXUSR)

    def run_area(self, files, answers, exit_code=None, only=None):
        for name, text in files.items():
            (self.area / name).write_text(text)
        script = {"findings": [{"location": {"file": str(self.area / f), "line": l}, "check": c, "message": "m"}
                               for f, l, c in answers]}
        if exit_code is not None:
            script["exit"] = exit_code
        (self.root / "findings.json").write_text(json.dumps(script))
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            surprises = run.run_area(str(self.fake), self.area, only)
        calls = [json.loads(line) for line in (self.root / "calls").read_text().splitlines()]
        return surprises, out.getvalue(), calls

    def test_all_as_expected(self):
        surprises, out, _ = self.run_area({"a.c": CLEAN, "b.c": BUGGY}, ANSWERS)
        self.assertEqual(surprises, 0, out)
        self.assertIn("area: 5 functions, 3 right (60.0%), 2 wrong; known false alarms 1, known misses 1, surprises 0", out)
        self.assertIn("area: wrong: FN_missed FP_alarm\n", out)

    def test_a_missing_finding(self):
        surprises, out, _ = self.run_area({"b.c": BUGGY}, ANSWERS[1:])
        self.assertEqual(surprises, 1)
        self.assertIn("area/b.c:3: missing: x-leak", out)

    def test_an_unexpected_finding(self):
        surprises, out, _ = self.run_area({"a.c": CLEAN}, [("a.c", 5, "x-leak")])
        self.assertEqual(surprises, 1)
        self.assertIn("area/a.c:5: unexpected: x-leak: m", out)
        self.assertIn("1 functions, 0 right (0.0%), 1 wrong", out)

    def test_a_finding_of_another_check_is_both(self):
        surprises, _, _ = self.run_area({"b.c": BUGGY}, [("b.c", 3, "x-use")] + ANSWERS[1:])
        self.assertEqual(surprises, 2)

    def test_a_finding_in_a_header_counts(self):
        files = {"a.c": CLEAN, "inline.h": "int f(void);\n"}
        self.assertEqual(self.run_area(files, [("inline.h", 1, "x-leak")])[0], 1)
        files["inline.h"] = "int f(void);  // expect: x-leak\n"
        self.assertEqual(self.run_area(files, [("inline.h", 1, "x-leak")])[0], 0)

    def test_a_miss_that_is_found_now(self):
        surprises, out, _ = self.run_area({"b.c": BUGGY}, ANSWERS + [("b.c", 8, "x-use")])
        self.assertEqual(surprises, 1)
        self.assertIn("b.c:8: x-use is found; now right: turn FP_/FN_ into a normal test", out)

    def test_a_false_alarm_that_is_gone_now(self):
        surprises, out, _ = self.run_area({"b.c": BUGGY}, ANSWERS[:1] + ANSWERS[2:])
        self.assertEqual(surprises, 1)
        self.assertIn("now right: turn FP_/FN_ into a normal test", out)

    def test_marks_for_some_versions(self):
        text = "int f(void)\n{\n  return 1;  // expect: x-leak until 3.11\n}\n"
        headers = self.root / "headers"
        headers.mkdir()
        (headers / "Python.h").write_text("")
        (self.area / "flags").write_text(f"-I{headers}\n")
        for version, needed, surprises in (("3.11.2", 1, 0), ("3.12.1", 1, 1), ("3.12.1", 0, 0), ("3.9.0", 0, 1)):
            (headers / "patchlevel.h").write_text(f'#define PY_VERSION  "{version}"\n')
            self.assertEqual(self.run_area({"a.c": text}, [("a.c", 3, "x-leak")][:needed])[0], surprises, version)
        self.assertIn("a.c: skipped, needs version 4.0", self.run_area({"a.c": "// needs: 4.0\n" + text, "b.c": CLEAN}, [])[1])

    def test_marks_and_names_must_agree(self):
        for text in ("int f(void)\n{\n  return 1;  // false-alarm: x-leak\n}\n",
                     "int FP_f(void)\n{\n  return 1;  // expect-not-yet: x-leak\n}\n",
                     "int FN_f(void)\n{\n  return 1;\n}\n"):
            with self.assertRaises(run.AreaError, msg=text):
                self.run_area({"a.c": text}, [])

    def test_malformed_expectations(self):
        for text in ("// expects: x-leak\n", "// expect: X Leak\n", "// expect:\n", "// expect-not: x-leak\n"):
            with self.assertRaises(run.AreaError, msg=text):
                self.run_area({"a.c": text}, [])

    def test_idioms_are_right_when_all_their_functions_are(self):
        text = ("int L01_a(void)\n{\n  return 1;\n}\nint FN_L01_b(void)\n{\n  return 1;  // expect-not-yet: x-leak\n}\n"
                "int helper(int x) { return x; }\nint L02_c(void)\n{\n  return 1;  // expect: x-leak\n}\n")
        _, out, _ = self.run_area({"a.c": text}, [("a.c", 12, "x-leak")])
        self.assertIn("2 idioms, 1 right (50.0%), 1 wrong", out)
        self.assertIn("area: wrong: L01\n", out)

    def test_marks_for_a_whole_function(self):
        text = ("static int\nf(int a)  // expect-in-function: x-leak, x-leak; maybe-in-function: x-use -- why\n{\n"
                "  if (a) return 1;\n  return 2;\n}\nint g(void) { return 3; }\n")
        for lines, surprises in (([4, 5], 0), ([5, 5], 0), ([5], 1), ([4, 5, 5], 1), ([4, 7], 2)):
            answers = [("a.c", line, "x-leak") for line in lines] + [("a.c", 4, "x-use"), ("a.c", 5, "x-use")]
            self.assertEqual(self.run_area({"a.c": text}, answers)[0], surprises, lines)
        with self.assertRaises(run.AreaError):
            self.run_area({"a.c": "int f(void)\n{\n  return 1;  // expect-in-function: x-leak\n}\n"}, [])

    def test_alternatives_and_maybe(self):
        text = "int f(void)\n{\n  g();  // expect: x-leak|x-use; maybe: x-other\n  g();  // expect: x-leak, x-leak\n}\n"
        rest = [("a.c", 4, "x-leak"), ("a.c", 4, "x-leak")]
        self.assertEqual(self.run_area({"a.c": text}, rest + [("a.c", 3, "x-use")])[0], 0)
        self.assertEqual(self.run_area({"a.c": text}, rest + [("a.c", 3, "x-leak"), ("a.c", 3, "x-other")])[0], 0)
        self.assertEqual(self.run_area({"a.c": text}, rest + [("a.c", 3, "x-leak"), ("a.c", 3, "x-use")])[0], 1)
        self.assertEqual(self.run_area({"a.c": text}, rest[1:] + [("a.c", 3, "x-leak")])[0], 1)

    def test_known_answers_for_a_whole_function(self):
        text = "int FN_f(int a) {  // expect-not-yet: x-leak\n  return a;\n}\nint FP_g(int a) {  // false-alarm: x-use\n  return a;\n}\n"
        self.assertEqual(self.run_area({"a.c": text}, [("a.c", 5, "x-use")])[0], 0)
        self.assertEqual(self.run_area({"a.c": text}, [("a.c", 5, "x-use"), ("a.c", 2, "x-leak")])[0], 1)
        self.assertEqual(self.run_area({"a.c": text}, [])[0], 1)

    def test_what_is_a_function(self):
        code = ("#define CALL(x) do { x; } while (0)\nint declared(int);\nint table[] = {1, f(2)};\n"
                "static int *\nlayout(char c,\n       int (*g)(int))\n{\n  if (g(c)) { return 0; }\n  return 0;\n}\n"
                "struct S {\n  S() : a(1), b{2} { go(); }\n  ~S() noexcept {}\n  int get() const override { return a; }\n};\n"
                "int text(void) { return s(\"}\") + '{'; }\nint last(void) __attribute__((cold));\n")
        code, _ = run.split_comments(code)
        self.assertEqual([(f.name, f.line, f.last) for f in run.find_functions(code)],
                         [("layout", 5, 10), ("S", 12, 12), ("~S", 13, 13), ("get", 14, 14), ("text", 16, 16)])

    def test_flags_options_and_grouping(self):
        files = {"a.c": CLEAN, "b.c": "int b;\n", "c.c": "// flags: -- -DC\nint c;\n", "d.cpp": "int d;\n",
                 "e.c": "// flags: --deep\nint e;\n", "f.c": "// alone: same names as a.c\nint f;\n",
                 "flags": "-I. $(echo -DSHELL '-DTWO') # note\n", "flags-c++": "-std=c++17\n", "options": "--fast\n"}
        surprises, _, calls = self.run_area(files, [])
        self.assertEqual(surprises, 0)
        common = ["check", "--no-cache", "--strict", "--timeout", "0", "--confidence", "low", "--format", "json", "--fast"]
        flags = ["--", "-I.", "-DSHELL", "-DTWO"]

        def call(names, options=(), more=()):
            return common + list(options) + [str(self.area / n) for n in names] + flags + list(more)
        self.assertCountEqual(calls, [call(["a.c", "b.c"]), call(["c.c"], more=["-DC"]), call(["f.c"]),
                                      call(["d.cpp"], more=["-std=c++17"]), call(["e.c"], options=["--deep"])])

    def test_one_file_and_what_it_names(self):
        files = {"a.c": CLEAN, "b.c": BUGGY, "c.c": "// expects: x-leak\n", "d.c": "// with: a.c b.c\nint d;\n",
                 "e.c": "// with: absent.c\nint e;\n", "inline.h": "int f(void);\n"}
        surprises, out, calls = self.run_area(files, ANSWERS, only="b.c")  # nobody reads c.c
        self.assertEqual((surprises, calls[-1][-2:]), (0, [str(self.area / "b.c"), "--"]), out)
        surprises, out, calls = self.run_area(files, ANSWERS, only="d.c")
        self.assertEqual((surprises, calls[-1][-4:-1]), (0, [str(self.area / n) for n in ("d.c", "a.c", "b.c")]), out)
        self.assertEqual(self.run_area(files, ANSWERS[1:], only="d.c")[0], 1)
        self.assertEqual(self.run_area(files, [("inline.h", 1, "x-leak")], only="a.c")[0], 1)
        for name in ("e.c", "absent.c", "c.c"):
            with self.assertRaises(run.AreaError, msg=name):
                self.run_area(files, [], only=name)

    def test_a_command_in_flags_that_fails(self):
        with self.assertRaises(run.AreaError):
            self.run_area({"a.c": CLEAN, "flags": "$(false)\n"}, [])

    def test_a_reckon_that_fails(self):
        for code in (2, 3, 139):  # 3: something was not analysed
            surprises, out, calls = self.run_area({"a.c": CLEAN, "b.c": BUGGY}, [], exit_code=code)
            self.assertEqual(surprises, 2)
            self.assertIn("trying one by one", out)
            self.assertIn(f"area/b.c:1: could not be checked: exit code {code}", out)
            self.assertIn("5 functions, 0 right", out)

    def test_an_exit_code_that_contradicts_the_findings(self):
        surprises, out, _ = self.run_area({"b.c": BUGGY}, ANSWERS, exit_code=0)
        self.assertEqual(surprises, 1)
        self.assertIn("does not fit the findings", out)

    def test_an_empty_area(self):
        with self.assertRaises(run.AreaError):
            self.run_area({"notes.txt": ""}, [])


if __name__ == "__main__":
    unittest.main()
