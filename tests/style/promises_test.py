#!/usr/bin/env python3
"""Proves that promises.py counts: a format that leaks out of its row, an effect that too many files know."""
import pathlib
import sys
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

    def effects(self, uses, wider=None):
        files = [source.File("src/specs/outcome.h", "struct Outcome {\n  int frees;\n  int result;\n};\n"),
                 source.File("src/model/model.h", "struct Instr {\n  int result;\n};\n"),
                 source.Tokens("src/specs/effects.def", "EFFECT(frees, Places)\nEFFECT(result, Result)\n")]
        files += [source.File(f"src/engine/{i}.cpp", "void f() { o.frees = o.result; }\n") for i in range(uses)]
        return promises.check_effects(files, wider or {})

    def test_effects(self):
        self.assertEqual(self.effects(1), [])
        self.assertEqual(len(self.effects(2)), 1)
        self.assertIn("the effect frees is known to 4 files", self.effects(2)[0])
        self.assertEqual(self.effects(2, {"frees": (4, "reason")}), [])
        self.assertEqual(len(self.effects(3, {"frees": (4, "reason")})), 1)
        self.assertEqual(len(self.effects(1, {"frees": (4, "reason")})), 1)
        self.assertEqual(len(self.effects(1, {"gone": (4, "reason")})), 1)


if __name__ == "__main__":
    unittest.main()
