#!/usr/bin/env python3
"""Proves that source.py reads the forms of declarations that our sources use."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import source  # noqa: E402


def read(text):
    return source.File("a.cpp", text)


def functions(text):
    return [(f.name, f.line, f.last) for f in read(text).functions]


def members(text):
    return [(c.name, c.methods, [f.name for f in c.fields]) for c in read(text).classes]


class Source(unittest.TestCase):
    def test_functions(self):
        self.assertEqual(functions("namespace a {\nnamespace {\nint f() { return 1; }\n}\n"
                                   "template <class T, int N = 3>\nauto g(T t) -> std::vector<T> {\n  return {t};\n}\n}\n"),
                         [("f", 3, 3), ("g", 5, 8)])
        self.assertEqual(functions("bool A::operator==(const A& o) const {\n}\nA::~A() {}\nvoid* A::operator()(int) { }\n"
                                   "bool operator<(A a, B b) { return a < b; }\nA::operator bool() const { return true; }\n"),
                         [("A::operator==", 1, 2), ("A::~A", 3, 3), ("A::operator()", 4, 4), ("operator<", 5, 5),
                          ("A::operatorbool", 6, 6)])
        self.assertEqual(functions("template <>\nint f<int>(int a) { return a; }\nstatic std::map<int, X> g(std::function<int(int)> h) {\n}\n"),
                         [("f", 1, 2), ("g", 3, 4)])

    def test_constructors(self):
        self.assertEqual(functions("A::A(int x) : a_(x), b_{x, {1}}, c_<int>{2} {\n  go();\n}\nA::A() : A(1) {}\n"),
                         [("A::A", 1, 3), ("A::A", 4, 4)])

    def test_what_is_no_function(self):
        self.assertEqual(functions('int a[] = {1, f(2)};\nstd::mutex m{};\nconst auto l = [](int x) {\n  return x;\n};\n'
                                   'int declared(int);\n#define F(x) \\\n  int x() {}\nconst char* s = "int f() {";\n'
                                   'const char* r = R"(int f() {)";\nenum class E : int { a = f(1), b };\nchar c = \'{\';\n'), [])

    def test_both_sides_of_a_literal_suffix(self):
        self.assertEqual(functions("int f() { return 1'000'000; }\nint g() { return 0x1p-3; }\n"), [("f", 1, 1), ("g", 2, 2)])

    def test_members(self):
        text = """class A final : public B<int> {
 public:
  explicit A(int x) : x_(x) {}
  ~A();
  bool operator==(const A&) const = default;
  std::function<void(int)> callback;
  int get() const { return x_; }
  template <class T>
  void put(T t);
  friend bool operator<(A, A);
  static constexpr int kLimit = 4;
  using Id = int;
  enum class Kind { one, two };
  struct Inner {
    int a = 1, b{2};
    unsigned c : 1, d : 3;
  };

 private:
  std::map<int, std::pair<Inner, int>> inner_;
  int x_ = f(3) < 4, *y_ = nullptr;
  char name_[16];
  struct {
    int hidden;
  } part_;
};
struct Declared;
"""
        self.assertEqual(members(text), [
            ("A", ["A", "~A", "operator==", "get", "put"], ["callback", "inner_", "x_", "y_", "name_", "part_"]),
            ("A::Inner", [], ["a", "b", "c", "d"]), ("A::(unnamed)", [], ["hidden"])])
        a = read(text).classes[0]
        self.assertEqual(a.bases, {"public", "B", "int"})
        self.assertIn("Inner", next(f for f in a.fields if f.name == "inner_").type_names)
        self.assertEqual([e[0] for e in read(text).enumerators], ["one", "two"])
        self.assertEqual([e[0] for e in read(text).constants], ["A::kLimit"])

    def test_what_it_does_not_understand_is_an_error(self):
        for text in ("int f() {\n", "}\n", "int f(\n", "struct A {\n#include \"fields.def\"\n};\n", "int a\n"):
            with self.assertRaises(source.ShapeError, msg=text):
                read(text)

    def test_fields_from_tables_in_a_table(self):
        tables = {"t.def": source.Tokens("src/t.def", '#include "u.def"\n#ifdef X\n#include "v.h"\n#endif\n'),
                  "u.def": source.Tokens("src/u.def", "A(Lock, lock, true)\nB(Steps, steps)\nC(Part)\n")}
        text = ("struct S {\n#define A(Type, name, active) std::unique_ptr<Type> name;\n"
                "#define B(Type, name) Type name;\n#include \"t.def\"\n};\n")
        (read_class,) = source.File("a.h", text, tables).classes
        self.assertEqual([(f.name, f.table) for f in read_class.fields], [("lock", "src/u.def"), ("steps", "src/u.def")])

    def test_fields_from_a_table(self):
        table = source.Tokens("src/t.def", '// A(none, int)\nA(a, int, "A(b, int)")\nB(c, bool)\nA(d,\n  std::vector<int>)\n')
        text = 'struct S {\n  int own;\n#define A(field, type, ...) type field{};\n#include "t.def"\n};\nint after;\n'
        (read_class,) = source.File("a.h", text, {"t.def": table}).classes
        self.assertEqual([(f.name, f.line, f.table) for f in read_class.fields],
                         [("own", 2, ""), ("a", 2, "src/t.def"), ("d", 4, "src/t.def")])
        for wrong in (text.replace("t.def", "u.def"), text.replace("type field{};", "type field{}; int more;"),
                      text.replace("#define A(field, type, ...) type field{};\n", ""),
                      text.replace("\n};", '\n#include "t.def"\n};')):
            with self.assertRaises(source.ShapeError, msg=wrong):
                source.File("a.h", wrong, {"t.def": table})


if __name__ == "__main__":
    unittest.main()
