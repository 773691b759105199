#!/usr/bin/env python3
"""Precompiled starts of files change nothing that the editor sees, follow what they were made of, and are used.

Usage: preamble.py RECKON [--all] [NAME...]    names of tests; --all: every golden file instead of a dozen
"""
import os
import pathlib
import re
import sys
import tempfile

ALL = "--all" in sys.argv
sys.argv = [word for word in sys.argv if word != "--all"]
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "golden"))
import check  # noqa: E402
import client as lsp  # noqa: E402
import run as golden  # noqa: E402

RECKON = check.RECKON
DOZEN = {"python": ["annotation.c", "byvalue.c", "callers.c", "cxx.cpp", "cxx_containers.cpp", "formats.c", "slots.c"],
         "r": ["guards.cpp", "counters.c"], "linux": ["pm.c", "halves.c"], "glib": ["objects.c"]}


def kept_preambles(process):
    """Sizes of the files in which the server keeps precompiled starts."""
    sizes = []
    for link in pathlib.Path(f"/proc/{process.pid}/fd").iterdir():
        try:
            if "reckon-preamble-" in os.readlink(link):
                sizes.append(os.stat(link).st_size)
        except FileNotFoundError:
            pass
    return sizes


def seen(folder, name, arguments, preamble, environment):
    """What the editor sees of a file after an edit: diagnostics with their paths, and lenses."""
    c = lsp.Client(RECKON, folder, *arguments, options={"pause": 0, "preamble": preamble}, environment=environment)
    text = pathlib.Path(folder, name).read_text(encoding="utf-8")
    c.open(name, text)
    c.diagnostics(name)
    c.change(name, text + "\n// one line more\n")
    found = c.diagnostics(name)
    lenses = c.request("textDocument/codeLens", {"textDocument": {"uri": c.uri(name)}})
    ends = [c.request("textDocument/implementation", c.at(name, text.count("\n", 0, m.start()), 0))
            for m in list(re.finditer(r"\n.*(?:DECREF|_put)", text))[:5]]
    used = any(kept_preambles(c.process))
    assert c.end() == 0
    assert used == preamble, f"{name}: a precompiled start was {'not ' if preamble else ''}written"
    return {"diagnostics": sorted(found, key=str), "lenses": lenses, "ends": ends}


def golden_files():
    for area in sorted(HERE.parent.joinpath("golden").iterdir()):
        if not (area / "flags").exists():
            continue
        common = golden.read_words(area / "flags")
        for path in sorted(area.iterdir()):
            if path.suffix not in golden.SOURCES or not (ALL or path.name in DOZEN.get(area.name, [])):
                continue
            if "include" not in path.read_text(encoding="utf-8") or "flags:" in path.read_text(encoding="utf-8"):
                continue
            language = "c" if path.suffix == ".c" else "c++"
            yield area, path.name, [*common, *golden.read_words(area / f"flags-{language}")]


def test_it_changes_nothing(folder):
    count = 0
    different = []
    for area, name, flags in golden_files():
        files = [seen(str(area), name, ["--", *flags], preamble,
                      {"XDG_CACHE_HOME": os.path.join(folder, f"{count}-{preamble}")}) for preamble in (False, True)]
        count += 1
        if files[0] != files[1]:
            different.append(name)
            if os.environ.get("VERBOSE"):
                print(name, *(f"\n{key}\n  {files[0][key]}\n  {files[1][key]}" for key in files[0]
                              if files[0][key] != files[1][key]))
    print(f"{count} files with and without")
    assert count >= 8, count
    assert not different, different


HEADER = """#include <Python.h>
#define NUMBER PyLong_FromLong(4200)
static inline void done(PyObject *n) { Py_DECREF(n); }
"""
USER = """#include "add.h"
PyObject *pair(PyObject *list) {
    PyObject *n = NUMBER;
    if (!n) return NULL;
    if (PyList_Append(list, n) < 0) { done(n); return NULL; }
    done(n);
    Py_RETURN_NONE;
}
"""
LEAKING = HEADER.replace("Py_DECREF(n);", "(void)n;")


def test_it_follows_its_headers(folder):
    c = lsp.Client(RECKON, check.project(folder, {"add.h": HEADER, "m.c": USER}), options={"pause": 0})
    c.open("m.c")
    assert c.diagnostics("m.c") == []
    assert any(kept_preambles(c.process))
    pathlib.Path(folder, "add.h").write_text(LEAKING)  # behind the server's back
    c.save("m.c")
    assert set(check.codes(c.diagnostics("m.c"))) == {"python-leak"}
    pathlib.Path(folder, "add.h").write_text(HEADER)
    c.save("m.c")
    assert c.diagnostics("m.c") == []
    c.open("add.h")
    c.diagnostics("m.c")
    c.change("add.h", LEAKING)  # not saved
    assert set(check.codes(c.diagnostics("m.c"))) == {"python-leak"}
    c.change("add.h", HEADER)
    assert c.diagnostics("m.c") == []
    c.change("m.c", "#define Py_LIMITED_API 0x030a0000\n" + USER)  # the start itself
    assert c.diagnostics("m.c") == []
    c.change("m.c", USER.replace('#include "add.h"', '#include "no-such.h"'))
    assert check.codes(c.diagnostics("m.c")) == ["does-not-compile"]
    c.change("m.c", USER)
    assert c.diagnostics("m.c") == []
    c.close("m.c")
    c.close("add.h")
    c.hover("m.c", 0, 0)  # answered after the others
    assert kept_preambles(c.process) == [], "a file that was closed keeps nothing"
    assert c.end() == 0


def test_few_are_kept(folder):
    names = [f"m{i}.c" for i in range(10)]
    c = lsp.Client(RECKON, check.project(folder, {n: check.GOOD.replace("pair", n[:-2]) for n in names}))
    for name in names:
        c.open(name)
        assert c.diagnostics(name) == []
    assert len(kept_preambles(c.process)) == 8
    c.save(names[0])  # whose start was given up
    assert c.diagnostics(names[0]) == []
    assert c.end() == 0


def test_files_left_behind(folder):
    temporary = pathlib.Path(folder, "tmp")
    temporary.mkdir()
    c = lsp.Client(RECKON, check.project(folder, {"m.c": check.LEAK}), environment={"TMPDIR": str(temporary)})
    c.open("m.c")
    assert check.codes(c.diagnostics("m.c")) == ["python-leak"]
    assert any(kept_preambles(c.process))
    c.process.kill()
    c.process.wait()
    assert list(temporary.iterdir()) == []
    # No folder for them: everything works, without.
    c = lsp.Client(RECKON, folder, environment={"TMPDIR": str(temporary / "none")})
    c.open("m.c")
    assert check.codes(c.diagnostics("m.c")) == ["python-leak"]
    assert not kept_preambles(c.process)
    assert c.end() == 0


if __name__ == "__main__":
    sys.exit(check.main({name[5:]: test for name, test in globals().items() if name.startswith("test_")}))
