#!/usr/bin/env python3
"""Proves that promises.py counts: a check that lacks a file, a format that leaks out of its row, an effect that too many files know,
a property that the core knows by name."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import promises  # noqa: E402
import source  # noqa: E402

WRITERS = """constexpr Format kFormats[] = {
    {.name = "text", .summary = "for people", .to_stream = write_text},
    {.name = "json", .summary = "for scripts", .to_stream = write_json},
};
"""


class Promises(unittest.TestCase):
    def setUp(self):
        self.known, promises.WRITERS_KNOWN_ELSEWHERE = promises.WRITERS_KNOWN_ELSEWHERE, {}

    def tearDown(self):
        promises.WRITERS_KNOWN_ELSEWHERE = self.known

    def formats(self, **more):
        texts = {"src/report/writers.cpp": WRITERS, "src/report/text.cpp": "void write_text() {}\n",
                 "src/report/json_parts.h": "void write_json();\n", **{k.replace("__", "/") + ".cpp": v for k, v in more.items()}}
        return promises.check_formats([source.File(path, text) for path, text in texts.items()])

    def test_formats(self):
        self.assertEqual(self.formats(src__driver__cli='const char* format = "text";\n'), [])
        self.assertEqual(len(self.formats(src__driver__cli='const char* format = "json";\n')), 1)
        self.assertEqual(len(self.formats(src__driver__cli="void f() { write_json(); }\n")), 1)
        self.assertEqual(len(self.formats(src__report__text="void f() { write_json(); }\n")), 1)
        self.assertEqual(len(promises.check_formats([source.File("src/report/writers.cpp", "int x;\n")])), 1)
        self.assertEqual(len(promises.check_formats([source.File("src/report/other.cpp", "int x;\n")])), 1)

    def test_an_excuse_that_is_not_needed(self):
        promises.WRITERS_KNOWN_ELSEWHERE = {("src/driver/cli.cpp", "write_json"): "reason"}
        self.assertEqual(self.formats(src__driver__cli="void f() { write_json(); }\n"), [])
        self.assertEqual(len(self.formats()), 1)

    def checks(self, leave_out="", golden="// expect: python-null-arg\n", uses="int x;\n"):
        texts = {"src/checks/kinds.def": "CHECK(check_leak)\nCHECK(check_null_arg)\n", "src/checks/kinds/leak.cpp": "",
                 "src/checks/kinds/null_arg.cpp": "", "docs/checks/leak.md": "", "docs/checks/null-arg.md": "",
                 "tests/golden/r/leak.c": "int f() {  // expect-in-function: r-leak\n", "tests/golden/python/null_arg.c": golden}
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, text in texts.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                if path != leave_out:
                    (root / path).write_text(text)
            return promises.check_checks(root, [source.File("src/checks/kinds/null_arg.cpp", 'auto k = "null-arg";\n'),
                                                source.File("src/driver/a.cpp", uses)])

    def test_checks(self):
        self.assertEqual(self.checks(), [])
        for path in ("docs/checks/leak.md", "src/checks/kinds/leak.cpp", "tests/golden/r/leak.c", "tests/golden/python/null_arg.c"):
            self.assertEqual(len(self.checks(path)), 1, path)
        self.assertEqual(len(self.checks(golden="// expect: python-null-argument\n")), 1)
        self.assertEqual(len(self.checks(golden="// false-alarm: python-null-arg\n")), 1)

    def test_a_check_that_others_know(self):
        for text in ('"null-arg"', '"python-null-arg"', '"-null-arg"', '"-leak"', '"r-leak"'):
            self.assertEqual(len(self.checks(uses=f"auto k = {text};\n")), 1, text)
        for text in ('"leak"', '"--leak"', '"null"', '"null-argument"'):
            self.assertEqual(self.checks(uses=f"auto k = {text};\n"), [], text)

    def lists(self, **more):
        """What check_lists() says of a small tree (`/` and `.` in names as `__` and `_dot_`)."""
        texts = {"src/checks/kinds.def": "CHECK(check_leak)\nCHECK(check_null_arg)\nCHECK(check_null_deref)\nCHECK(check_use_late)\n",
                 "src/report/writers.cpp": WRITERS.replace("};", '    {.name = "csv", .summary = "for tables", .to_stream = write_csv},\n};'),
                 **{name: "" for name in promises.FORMATS_LISTED_IN},
                 **{name.replace("__", "/").replace("_dot_", "."): text for name, text in more.items()}}
        with tempfile.TemporaryDirectory() as folder:
            for path, text in texts.items():
                (pathlib.Path(folder) / path).parent.mkdir(parents=True, exist_ok=True)
                (pathlib.Path(folder) / path).write_text(text)
            return promises.check_lists(pathlib.Path(folder))

    def test_lists_that_would_have_to_be_kept_in_step(self):
        self.assertEqual(self.lists(src__checks__a_dot_def="ROW(null-arg)\nROW(leak)\n"), [])
        self.assertEqual(len(self.lists(src__checks__a_dot_def="ROW(null-arg)\nROW(null-deref)\n")), 1)
        self.assertEqual(len(self.lists(editors__a_dot_json="null-arg python-use-late")), 1)
        self.assertEqual(self.lists(completions__reckon_dot_fish="text json\ncsv\n"), [])
        self.assertEqual(len(self.lists(completions__reckon_dot_fish="text json csv\n")), 1)
        table = "<!-- formats -->\ntext json csv\n<!-- end -->\n"
        self.assertEqual(self.lists(docs__reports_dot_md=table), [])
        self.assertEqual(len(self.lists(docs__reports_dot_md=table + "text json csv\n")), 1)
        self.assertEqual(self.lists(**{"docs__reckon_dot_1": '.\\" formats\ntext json csv\n.\\" end\n'}), [])

    def effects(self, uses, wider=None, outcome="struct Outcome : Part {\n};\n"):
        table = source.Tokens("src/specs/effects.def", "ROW(frees, Places)\nROW(result, Result)\n")
        part = 'struct Part {\n#define ROW(field, type, ...) type field{};\n#include "specs/effects.def"\n};\n'
        files = [source.File("src/specs/outcome.h", part + outcome, {"specs/effects.def": table}),
                 source.File("src/model/model.h", "struct Instr {\n  int result;\n};\n")]
        files += [source.File(f"src/engine/{i}.cpp", "void f() { o.frees = o.result; }\n") for i in range(uses)]
        return promises.check_effects(files, wider or {})

    def properties(self, table=("lock", "counts"), leave_out="", core="int x;\n", path="src/engine/core/loop.cpp"):
        lines = "".join(f'#include "engine/properties/{name}/property.def"\n' for name in table)
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name in ("lock", "counts"):
                (root / "src/engine/properties" / name).mkdir(parents=True)
                if name != leave_out:
                    (root / "src/engine/properties" / name / "property.def").write_text("")
            (root / promises.PROPERTY_TABLE).write_text(lines)
            own = "enum class LockStep { Gave };\nstruct LockPart { int lock = 0; };\n"
            return promises.check_properties(root, [source.File("src/engine/properties/lock/part.h", own),
                                                    source.File(path, core)])

    def test_properties(self):
        self.assertEqual(self.properties(), [])
        self.assertEqual(len(self.properties(table=("lock",))), 1)
        self.assertEqual(len(self.properties(table=("lock", "counts", "counts"))), 1)
        self.assertEqual(len(self.properties(leave_out="lock")), 1)

    def test_a_property_that_the_core_knows(self):
        self.assertEqual(len(self.properties(core="LockPart part;\n")), 1)
        self.assertEqual(len(self.properties(core="int f(LockStep step);\n")), 1)
        self.assertEqual(len(self.properties(core="LockPart part;\n", path="src/engine/executor.cpp")), 1)
        self.assertEqual(self.properties(core="LockPart part;\n", path="src/checks/steps.cpp"), [])
        self.assertEqual(len(self.properties(core="#define MODULE_HEADERS\n")), 1)
        self.assertEqual(self.properties(core="#define MODULE_HEADERS\n", path="src/engine/executor.cpp"), [])

    def test_effects(self):
        self.assertEqual(self.effects(1), [])
        self.assertEqual(len(self.effects(2)), 1)
        self.assertIn("the effect frees is known to 3 files", self.effects(2)[0])
        self.assertEqual(self.effects(3, {"frees": (4, "reason")}), [])
        self.assertEqual(len(self.effects(4, {"frees": (4, "reason")})), 1)
        self.assertEqual(len(self.effects(2, {"frees": (4, "reason")})), 1)
        self.assertEqual(len(self.effects(1, {"frees": (4, "reason")})), 1)
        self.assertEqual(len(self.effects(1, {"gone": (4, "reason")})), 1)

    def core_fields(self, text, path="src/engine/core/calls.cpp"):
        table = source.Tokens("src/specs/effects.def", "CORE_EFFECT(stores, int)\nLOCK_EFFECT(lock, int)\n")
        parts = "".join(f'struct {owner.title()}Effects {{\n#define {owner}_EFFECT(field, type, ...) type field{{}};\n'
                        '#include "specs/effects.def"\n};\n' for owner in ("CORE", "LOCK"))
        return promises.check_core_fields([source.File("src/specs/outcome.h", parts, {"specs/effects.def": table}),
                                           source.File(path, text)])

    def test_a_field_that_the_core_reads(self):
        self.assertEqual(self.core_fields("void f() { o.stores = 1; lock(); }\n"), [])
        self.assertEqual(len(self.core_fields("void f() { o.lock = 1; }\n")), 1)
        self.assertEqual(len(self.core_fields("void f() { g(o->lock); }\n")), 1)
        self.assertEqual(self.core_fields("void f() { o.lock = 1; }\n", "src/engine/properties/lock/locks.cpp"), [])

    def test_a_field_without_a_row(self):
        self.assertEqual(len(self.effects(1, outcome="struct Outcome : Part {\n  int more;\n};\n")), 1)
        self.assertEqual(len(self.effects(1, outcome="struct More {\n  int more;\n};\nstruct Outcome : Part, More {\n};\n")), 1)


if __name__ == "__main__":
    unittest.main()
