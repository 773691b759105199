#!/usr/bin/env python3
"""Proves that unused.py finds each kind of thing that nobody uses, and leaves alone what somebody does."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import source  # noqa: E402
import unused  # noqa: E402


class Unused(unittest.TestCase):
    def found(self, *texts, tests=""):
        files = [source.File(f"src/{chr(97 + i)}.cpp", text) for i, text in enumerate(texts)]
        found = unused.by_name(unused.Names(files), [source.File("tests/unit/a_test.cpp", tests)])
        return {thing.name: why for thing, why in found.values()}

    def test_functions(self):
        self.assertEqual(self.found("int f() { return 1; }\nint main() { return g(2); }\n", "int g(int n) { return n; }\n"),
                         {"f": "nobody uses it"})

    def test_one_that_only_calls_itself(self):
        self.assertEqual(self.found("int f(int n) { return f(n - 1); }\n"), {"f": "nobody uses it"})

    def test_a_declaration_is_no_use(self):
        self.assertEqual(self.found("int f();\n", "int f() { return 1; }\n"), {"f": "nobody uses it"})

    def test_methods_fields_enumerators_constants(self):
        text = ("struct A {\n  A();\n  ~A();\n  void go();\n  virtual void called();\n  bool operator==(const A&) const;\n  int read, never;\n};\n"
                "enum class E { one, two };\nconstexpr int kOne = 1, kTwo = 2;\n"
                "int main() {\n  A a;\n  return a.read + kOne + int(E::one);\n}\n")
        self.assertEqual(set(self.found(text)), {"A::go", "A::never", "two", "kTwo"})

    def test_fields_that_are_only_written(self):
        text = "struct A {\n  int n = 0, m = 0;\n};\nint main() {\n  A a{.n = 1};\n  a.n = 2;\n  a.m = 3;\n  return a.m;\n}\n"
        self.assertEqual(self.found(text), {"A::n": "it is assigned to and never read"})

    def test_what_tests_and_macros_use(self):
        self.assertEqual(self.found("int f() { return 1; }\n", tests="int x = f();\n"), {"f": "only tests use it"})
        self.assertEqual(self.found("#define CALL f()\nint f() { return 1; }\n"), {})

    def test_objects_tell_apart_what_has_one_name(self):
        a = "namespace n {\nstruct A { int get(); };\nint A::get() { return 1; }\n}\n"
        b = "namespace n {\nstruct B { int get(); };\nint B::get() { return 2; }\n}\n"
        c = "namespace n {\nstruct B { int get(); };\nint use(B& b) { return b.get(); }\n}\nint main() { n::B b; return use(b); }\n"
        with tempfile.TemporaryDirectory() as folder:
            objects = []
            for name, text in (("a", a), ("b", b), ("c", c)):
                path = pathlib.Path(folder) / f"{name}.cpp"
                path.write_text(text)
                objects.append(str(path.with_suffix(".o")))
                subprocess.run(["g++", "-O1", "-c", path, "-o", objects[-1]], check=True)
            names = unused.Names([source.File(f"src/{n}.cpp", t) for n, t in (("a", a), ("b", b), ("c", c))])
            found = unused.by_object(names, objects, [])
            self.assertEqual([thing.name for thing, _ in found.values()], ["A::get"])
            with self.assertRaises(OSError):
                unused.by_object(names, [folder + "/absent.o"], [])

    def test_exceptions_that_are_not_needed(self):
        every = len(unused.CALLED_BY_OTHERS) + len(unused.ONLY_FOR_TESTS) + len(unused.NOT_YET_REMOVED)
        self.assertEqual(len(unused.judge({})), every)
        thing = unused.Thing("function", "f", "src/a.cpp:1")
        self.assertEqual(unused.judge({"f": (thing, "nobody uses it")})[0], "src/a.cpp:1: function f: nobody uses it")


if __name__ == "__main__":
    unittest.main()
