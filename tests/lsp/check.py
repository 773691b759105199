#!/usr/bin/env python3
"""The language server as an editor sees it: diagnostics, repairs, hovers, jumps, and what goes wrong on the way.

Usage: check.py RECKON [NAME...]    names of tests; none: all
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import client as lsp

RECKON = os.path.abspath(sys.argv[1])
PYTHON = subprocess.run(["/usr/bin/python3-config", "--includes"], capture_output=True, text=True).stdout.split()

LEAK = """#include <Python.h>

PyObject *pair(PyObject *a) {
    PyObject *list = PyList_New(0);
    if (!list) return NULL;
    PyObject *n = PyLong_FromLong(4200);
    if (!n) { Py_DECREF(list); return NULL; }
    if (PyList_Append(list, n) < 0) {
        Py_DECREF(list);
        return NULL;
    }
    Py_DECREF(n);
    return list;
}
"""
GOOD = LEAK.replace("        Py_DECREF(list);\n        return", "        Py_DECREF(n);\n        Py_DECREF(list);\n        return")

HELPERS = """#include <Python.h>

static PyObject *first(PyObject *list) {
    return PyList_GET_ITEM(list, 0);
}

int put(PyObject *list, PyObject *item) {
    return PyList_SetItem(list, 0, item);
}

PyObject *use(PyObject *list) {
    PyObject *x = first(list);
    Py_INCREF(x);
    return x;
}

static PyObject *second(PyObject *list, PyObject *x) {
    PyObject *y = PyList_GET_ITEM(list, 1);
    if (x == y) return x;
    Py_DECREF(x);
    return Py_NewRef(y);
}

PyObject *whole(PyObject *list) {
    PyObject *x = first(list);
    Py_INCREF(x);
    return second(list, x);
}
"""


def project(folder, files, database=True):
    for name, text in files.items():
        pathlib.Path(folder, name).parent.mkdir(parents=True, exist_ok=True)
        pathlib.Path(folder, name).write_text(text, encoding="utf-8")
    if database:
        entries = [{"directory": folder, "file": name, "arguments": ["cc", *PYTHON, "-c", name]}
                   for name in files if name.endswith((".c", ".cpp"))]
        pathlib.Path(folder, "compile_commands.json").write_text(json.dumps(entries))
    return folder


def place(text, what, nth=0):
    """Line and character of the n-th occurrence."""
    at = -1
    for _ in range(nth + 1):
        at = text.index(what, at + 1)
    return text.count("\n", 0, at), at - (text.rfind("\n", 0, at) + 1)


def codes(diagnostics):
    return [d["code"] for d in diagnostics]


# ------------------------------------------------------------ tests


def test_diagnostics_of_unsaved_text(folder):
    c = lsp.Client(RECKON, project(folder, {"m.c": GOOD}))
    c.open("m.c")
    assert c.diagnostics("m.c") == []
    c.change("m.c", LEAK)
    found = c.diagnostics("m.c")
    assert codes(found) == ["python-leak"], found
    leak = found[0]
    assert leak["range"]["start"] == dict(zip(("line", "character"), place(LEAK, "return NULL", 2))), leak
    assert "this shows when" in leak["message"], leak
    steps = [step["message"] for step in leak["relatedInformation"]]
    assert any("PyList_Append" in step for step in steps), steps
    assert all(step["location"]["uri"] == c.uri("m.c") for step in leak["relatedInformation"])
    page = leak["codeDescription"]["href"]
    assert page.startswith("file:///") and page.endswith("/leak.md") and os.path.exists(page[7:]), page
    c.change("m.c", GOOD)
    assert c.diagnostics("m.c") == []
    assert c.end() == 0


def test_ranges_of_changes(folder):
    c = lsp.Client(RECKON, project(folder, {"m.c": GOOD}))
    c.open("m.c")
    c.diagnostics("m.c")
    line, _ = place(GOOD, "        Py_DECREF(n);\n        Py_DECREF(list)")
    c.change("m.c", "", {"start": {"line": line, "character": 0}, "end": {"line": line + 1, "character": 0}})
    assert codes(c.diagnostics("m.c")) == ["python-leak"]
    # A column counts UTF-16 units: the character before the edit is two of them.
    c.change("m.c", "/* \U0001d11e */ ", {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 0}})
    c.change("m.c", "Py_DECREF(n); ", {"start": {"line": line, "character": 9}, "end": {"line": line, "character": 9}})
    assert c.diagnostics("m.c") == []
    assert c.end() == 0


def test_pause_after_changes(folder):
    c = lsp.Client(RECKON, project(folder, {"m.c": GOOD}), options={"pause": 300})
    c.open("m.c")
    c.diagnostics("m.c")
    for i in range(20):
        c.change("m.c", GOOD + f"/* {i} */\n")
    c.change("m.c", LEAK)
    assert codes(c.diagnostics("m.c")) == ["python-leak"]
    published = [m for m in c.kept if m.get("method") == "textDocument/publishDiagnostics"]
    assert published == [], "each of the edits was analysed"
    assert c.end() == 0


def test_text_that_does_not_compile(folder):
    c = lsp.Client(RECKON, project(folder, {"m.c": LEAK}))
    c.open("m.c")
    c.diagnostics("m.c")
    c.change("m.c", LEAK.replace("PyList_New(0);", "PyList_New(0"))
    found = c.diagnostics("m.c")
    assert codes(found) == ["does-not-compile"], found
    assert found[0]["range"]["start"]["line"] == 4, found
    c.change("m.c", LEAK)
    assert codes(c.diagnostics("m.c")) == ["python-leak"]
    assert c.end() == 0


def test_closing_takes_diagnostics_away(folder):
    c = lsp.Client(RECKON, project(folder, {"m.c": LEAK}))
    c.open("m.c")
    assert codes(c.diagnostics("m.c")) == ["python-leak"]
    c.close("m.c")
    assert c.diagnostics("m.c") == []
    assert c.end() == 0


def test_messages_that_are_wrong(folder):
    c = lsp.Client(RECKON, project(folder, {"m.c": GOOD}), initialize=False)
    assert c.reply(c.ask("textDocument/hover", {}))["error"]["code"] == -32002
    c.request("initialize", {"capabilities": {}})
    c.send_bytes(b"{ no JSON")
    assert c.wait(lambda m: m.get("id", 0) is None)["error"]["code"] == -32700
    assert c.reply(c.ask("no/such", {}))["error"]["code"] == -32601
    assert c.reply(c.ask("textDocument/hover", {}))["error"]["code"] == -32602
    c.notify("textDocument/didChange", {"textDocument": {}})
    c.notify("textDocument/didOpen", {"textDocument": {"uri": "untitled:1", "text": "int x;"}})
    c.open("m.c")
    assert c.diagnostics("m.c") == []
    assert c.end() == 0


def spoilt(message):
    """The message without each of its fields in turn, and with another type in its place."""
    def places(value, path=()):
        for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
            yield (*path, key)
            yield from places(value[key], (*path, key))
    for path in places(message):
        for other in (None, {}, [], "", -1, 1e300):
            copy = json.loads(json.dumps(message))
            parent = copy
            for key in path[:-1]:
                parent = parent[key]
            parent[path[-1]] = other
            yield copy
        copy = json.loads(json.dumps(message))
        parent = copy
        for key in path[:-1]:
            parent = parent[key]
        del parent[path[-1]]
        yield copy


def test_messages_with_spoilt_fields(folder):
    c = lsp.Client(RECKON, project(folder, {"m.c": LEAK}))
    c.open("m.c")
    leak, = c.diagnostics("m.c")
    document, position = {"uri": c.uri("m.c")}, leak["range"]["start"]
    requests = {"textDocument/hover": {"textDocument": document, "position": position},
                "textDocument/implementation": {"textDocument": document, "position": position},
                "textDocument/codeAction": {"textDocument": document, "range": leak["range"], "context": {"diagnostics": []}},
                "workspace/executeCommand": {"command": "reckon.otherEnd", "arguments": [c.uri("m.c"), position]}}
    for method, params in requests.items():
        for bad in spoilt(params):
            reply = c.reply(c.ask(method, bad))
            assert "result" in reply or reply["error"]["code"] == -32602, (method, bad, reply)
    for bad in spoilt({"textDocument": {**document, "version": 2}, "contentChanges": [{"range": leak["range"], "text": ""}]}):
        c.notify("textDocument/didChange", bad)
    c.change("m.c", GOOD)
    c.wait(lambda m: m.get("method") == "textDocument/publishDiagnostics" and m["params"]["diagnostics"] == [])
    assert c.end() == 0


def test_lengths_that_nobody_sends(folder):
    for header in (b"Content-Length: 99999999999999999999", b"Content-Length: -1", b"Content-Length: 4000000000",
                   b"Content-Length: x", b"x" * 10000):
        c = lsp.Client(RECKON, project(folder, {"m.c": GOOD}))
        c.process.stdin.write(header + b"\r\n\r\n{}")
        c.process.stdin.flush()
        assert c.process.wait(lsp.WAIT) == 1, header


def test_end_without_shutdown(folder):
    c = lsp.Client(RECKON, project(folder, {"m.c": GOOD}))
    c.process.stdin.close()
    assert c.process.wait(lsp.WAIT) == 1

def test_repairs_and_suppression(folder):
    c = lsp.Client(RECKON, project(folder, {"m.c": "int nothing;\n"}))
    c.open("m.c", LEAK)  # never on the disk
    leak, = c.diagnostics("m.c")
    actions = c.actions("m.c", leak)
    repair = next(a for a in actions if a.get("isPreferred"))
    assert repair["kind"] == "quickfix" and repair["diagnostics"][0]["code"] == "python-leak", repair
    suppress = actions[-1]
    assert "suppress python-leak" in suppress["title"], actions
    fixed = apply(LEAK, repair["edit"]["changes"][c.uri("m.c")])
    assert "Py_DECREF(n);\n" in fixed[fixed.index("PyList_Append"):fixed.index("return NULL", fixed.index("PyList_Append"))], fixed
    c.change("m.c", fixed)
    assert c.diagnostics("m.c") == []
    # Without a reason the comment does not hold, and that is told where it stands.
    silent = apply(LEAK, suppress["edit"]["changes"][c.uri("m.c")])
    c.change("m.c", silent)
    found = c.diagnostics("m.c")
    assert sorted(codes(found)) == ["python-leak", "suppression"], found
    c.change("m.c", silent.replace("ignore[python-leak] ", "ignore[python-leak] the process ends here"))
    assert c.diagnostics("m.c") == []
    assert c.end() == 0


def test_cancelled_request(folder):
    c = lsp.Client(RECKON, project(folder, {"m.c": LEAK}))
    c.open("m.c")
    leak, = c.diagnostics("m.c")
    number = c.ask("textDocument/codeAction", {"textDocument": {"uri": c.uri("m.c")}, "range": leak["range"],
                                               "context": {"diagnostics": [leak]}})
    c.notify("$/cancelRequest", {"id": number})
    reply = c.reply(number)
    assert reply.get("error", {}).get("code") == -32800, reply
    assert any(a.get("isPreferred") for a in c.actions("m.c", leak)), "the next request is answered"
    assert c.end() == 0


def test_hover_on_apis(folder):
    c = lsp.Client(RECKON, project(folder, {"m.c": LEAK, "h.c": HELPERS}))
    c.open("m.c")
    c.diagnostics("m.c")
    text = c.hover("m.c", *place(LEAK, "PyLong_FromLong"))
    assert "returns a new reference" in text and "NULL with an exception" in text, text
    line = next(l for l in text.splitlines() if ".spec:" in l)
    assert "file:///" in line and "#L" in line, line
    c.open("h.c")
    c.diagnostics("h.c")
    text = c.hover("h.c", *place(HELPERS, "PyList_SetItem"))
    assert "steals `item`, also when it fails" in text, text
    text = c.hover("h.c", *place(HELPERS, "PyList_GET_ITEM"))
    assert "returns a borrowed reference" in text, text
    assert c.hover("h.c", *place(HELPERS, "return")) == ""
    assert c.end() == 0


def test_hover_on_functions_and_variables(folder):
    c = lsp.Client(RECKON, project(folder, {"m.c": LEAK, "h.c": HELPERS}))
    c.open("h.c")
    c.diagnostics("h.c")
    text = c.hover("h.c", *place(HELPERS, "first(list);"))
    assert "computed" in text and "returns a borrowed reference" in text, text
    text = c.hover("h.c", *place(HELPERS, "put("))
    assert "steals `item`" in text, text
    text = c.hover("h.c", *place(HELPERS, "second(list, x)"))  # it ends its only caller and is judged as part of it
    assert "computed" in text and "gives up a reference to `x`" in text, text
    c.open("m.c")
    c.diagnostics("m.c")
    text = c.hover("m.c", *place(LEAK, "n) < 0"))
    assert "owned references: 1" in text, text
    assert c.end() == 0


def test_code_lenses(folder):
    c = lsp.Client(RECKON, project(folder, {"h.c": HELPERS}))
    c.open("h.c")
    c.diagnostics("h.c")
    lenses = c.request("textDocument/codeLens", {"textDocument": {"uri": c.uri("h.c")}})
    said = {lens["range"]["start"]["line"]: lens["command"]["title"] for lens in lenses}
    assert said.get(place(HELPERS, "first(")[0]) == "returns borrowed", said
    assert "steals 2nd argument" in said.get(place(HELPERS, "put(")[0], ""), said
    assert said.get(place(HELPERS, "second(")[0]) == "gives up 2nd argument", said
    assert place(HELPERS, "use(")[0] not in said, said
    assert c.end() == 0


def test_other_end_of_a_pair(folder):
    c = lsp.Client(RECKON, project(folder, {"m.c": LEAK}))
    c.open("m.c")
    c.diagnostics("m.c")
    there = c.request("textDocument/implementation", c.at("m.c", *place(LEAK, "PyLong_FromLong")))
    assert [t["range"]["start"]["line"] for t in there] == [place(LEAK, "Py_DECREF(n)")[0]], there
    line, character = place(LEAK, "Py_DECREF(n)")
    back = c.request("textDocument/implementation", c.at("m.c", line, character))
    assert [t["range"]["start"]["line"] for t in back] == [place(LEAK, "PyLong_FromLong")[0]], back
    shown = c.request("workspace/executeCommand", {
        "command": "reckon.otherEnd", "arguments": [c.uri("m.c"), {"line": line, "character": character}]})
    assert shown["range"]["start"]["line"] == place(LEAK, "PyLong_FromLong")[0], shown
    c.wait(lambda m: m.get("method") == "window/showDocument")
    assert c.end() == 0


def test_several_databases(folder):
    project(folder, {"one/m.c": LEAK, "two/m.c": LEAK.replace("4200", "NUMBER")}, database=False)
    for name, flags in (("one", []), ("two", ["-DNUMBER=7000"])):
        entry = [{"directory": folder, "file": f"{name}/m.c", "arguments": ["cc", *PYTHON, *flags, "-c", f"{name}/m.c"]}]
        pathlib.Path(folder, name, "compile_commands.json").write_text(json.dumps(entry))
    for arguments in ([], ["-p", "one", "-p", "two"]):
        c = lsp.Client(RECKON, folder, *arguments)
        for name in ("one/m.c", "two/m.c"):
            c.open(name)
            assert codes(c.diagnostics(name)) == ["python-leak"], (arguments, name)
        assert c.end() == 0


def test_folder_without_database(folder):
    c = lsp.Client(RECKON, project(folder, {"m.c": LEAK, "CMakeLists.txt": ""}, database=False))
    c.open("m.c")
    told = c.wait(lambda m: m.get("method") == "window/showMessage")["params"]["message"]
    assert "missing: a compilation database" in told and "cmake -B build" in told, told
    found = c.diagnostics("m.c")
    assert codes(found) == ["does-not-compile"] and "Python.h" in found[0]["message"], found
    # It comes to be there, and the next save uses it.
    project(folder, {"m.c": LEAK})
    c.save("m.c")
    assert codes(c.diagnostics("m.c")) == ["python-leak"]
    assert c.end() == 0


def test_text_that_was_never_saved(folder):
    c = lsp.Client(RECKON, project(folder, {"m.c": GOOD}), options={"pause": 0})
    c.open("new.c", "int f(void) { return nothing; }\n")
    told = c.wait(lambda m: m.get("method") == "window/showMessage")["params"]["message"]
    assert "missing: a compilation database for new.c" in told, told
    assert codes(c.diagnostics("new.c")) == ["does-not-compile"]
    c.change("new.c", "int f(void) { return 1; }\n")
    assert c.diagnostics("new.c") == []
    assert c.end() == 0
    c = lsp.Client(RECKON, project(folder, {}, database=False), "--", *PYTHON)
    c.open("new.c", LEAK)
    assert codes(c.diagnostics("new.c")) == ["python-leak"]
    assert c.end() == 0


def test_flags_on_the_command_line(folder):
    c = lsp.Client(RECKON, project(folder, {"m.c": LEAK}, database=False), "--", *PYTHON)
    c.open("m.c")
    assert codes(c.diagnostics("m.c")) == ["python-leak"]
    assert not [m for m in c.kept if m.get("method") == "window/showMessage"]
    assert c.end() == 0


HEADER = """#include <Python.h>
static inline int add(PyObject *list, PyObject *n) {
    int failed = PyList_Append(list, n);
    Py_DECREF(n);
    return failed;
}
"""
USER = """#include "add.h"
PyObject *NAME(void) {
    PyObject *list = PyList_New(0), *n = PyLong_FromLong(4200);
    if (!list || !n || add(list, n) < 0) { Py_XDECREF(list); return NULL; }
    return list;
}
"""


def test_changed_header(folder):
    users = {f"{name}.c": USER.replace("NAME", name).replace("!list || !n ||", "!n || !list ||" if name == "a" else "!list || !n ||")
             for name in ("a", "b")}
    simple = {name: text.replace("!n || !list || ", "").replace("!list || !n || ", "") for name, text in users.items()}
    c = lsp.Client(RECKON, project(folder, {"add.h": HEADER, **simple}))
    c.open("a.c")
    before = c.diagnostics("a.c")
    c.open("add.h")
    c.change("add.h", HEADER.replace("    Py_DECREF(n);\n", ""))  # not saved: open users see it
    after = c.diagnostics("a.c")
    assert len(after) > len(before), (before, after)
    pathlib.Path(folder, "add.h").write_text(HEADER.replace("    Py_DECREF(n);\n", ""))
    c.save("add.h")
    found = c.diagnostics("b.c")  # closed, so in the background
    assert "python-leak" in codes(found), found
    begin = c.wait(lambda m: m.get("method") == "$/progress" and "users of a header" in
                   m["params"]["value"].get("title", ""))
    assert begin["params"]["value"]["cancellable"], begin
    c.wait(lambda m: m.get("method") == "$/progress" and m["params"]["token"] == begin["params"]["token"] and
           m["params"]["value"]["kind"] == "end")
    assert c.end() == 0


def test_wrong_usage(folder):
    for arguments, word in ((["--domain", "pyhton"], "python"), (["--specs", "none.spec"], "none.spec"),
                            (["--config", "none.toml"], "none.toml")):
        ended = subprocess.run([RECKON, "lsp", *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                               text=True, timeout=60)
        assert ended.returncode == 2 and word in ended.stderr and not ended.stdout, (arguments, ended)


def test_settings_with_a_mistake(folder):
    """The server says so and goes on: they are mended in the same editor."""
    settings = pathlib.Path(project(folder, {"m.c": LEAK}), "reckon.toml")
    for mistake in ("domains = [\n", "domains = ['pyhton']\n", "specs = ['none.spec']\n"):
        settings.write_text(mistake)
        c = lsp.Client(RECKON, folder)
        told = c.wait(lambda m: m.get("method") == "window/showMessage")["params"]["message"]
        assert "errors" in told, told
        c.open("m.c")
        settings.write_text("domains = ['python']\n")
        c.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": c.uri("reckon.toml"), "type": 2}]})
        assert codes(c.diagnostics("m.c")) == ["python-leak"], mistake
        assert c.end() == 0


def test_nothing_is_left_of_a_look(folder):
    """Nobody waits for the end of a process that was looked with; it is reaped all the same."""
    c = lsp.Client(RECKON, project(folder, {"m.c": LEAK}), options={"pause": 0})
    c.open("m.c")
    c.diagnostics("m.c")
    for text in (GOOD, LEAK, GOOD):
        c.change("m.c", text)  # each ends the look before
    assert c.diagnostics("m.c") == []
    children = pathlib.Path(f"/proc/{c.process.pid}/task/{c.process.pid}/children")
    for _ in range(600):
        if not children.read_text().split():
            break
        time.sleep(0.05)
    assert not children.read_text().split()
    assert c.end() == 0


def test_database_that_everybody_may_write(folder):
    project(folder, {"theirs.c": '#include "sub/add.h"\n' + LEAK, "sub/add.h": HEADER})
    for mode, used in ((0o755, True), (0o777, False)):
        os.chmod(folder, mode)
        c = lsp.Client(RECKON, os.path.join(folder, "sub"))
        c.open("add.h")
        c.save("add.h")
        for _ in range(3):  # what a message leads to is begun before the next but one is answered
            c.hover("add.h", 0, 0)
        begun = [m for m in c.kept if m.get("method") == "$/progress" and "users of a header" in
                 m["params"]["value"].get("title", "")]
        assert bool(begun) == used, (oct(mode), c.kept)
        assert c.end() == 0


SIMPLE = USER.replace("!list || !n || ", "")  # a leak only if add() does not release


def test_header_through_a_header(folder):
    c = lsp.Client(RECKON, project(folder, {
        "include/deep.h": HEADER, "include/add.h": '#  include "deep.h"\n', "a.c": SIMPLE.replace("NAME", "a"),
        "b.c": SIMPLE.replace("NAME", "b").replace("add.h", "include/add.h"), "c.c": GOOD}))
    flagged = json.loads(pathlib.Path(folder, "compile_commands.json").read_text())
    for entry in flagged:
        entry["arguments"].insert(1, "-Iinclude")
    pathlib.Path(folder, "compile_commands.json").write_text(json.dumps(flagged))
    c.open("include/deep.h")
    pathlib.Path(folder, "include/deep.h").write_text(HEADER.replace("    Py_DECREF(n);\n", ""))
    c.change("include/deep.h", HEADER.replace("    Py_DECREF(n);\n", ""))
    c.save("include/deep.h")
    for name in ("a.c", "b.c"):
        assert "python-leak" in codes(c.diagnostics(name)), name
    reports = [m["params"]["value"].get("message") for m in c.kept if m.get("method") == "$/progress"]
    assert "c.c" not in reports, reports
    assert c.end() == 0


def test_header_changed_by_others(folder):
    c = lsp.Client(RECKON, project(folder, {"add.h": HEADER, "a.c": SIMPLE.replace("NAME", "a"), "b.c": SIMPLE.replace("NAME", "b")}))
    c.open("a.c")
    assert "python-leak" not in codes(c.diagnostics("a.c"))
    pathlib.Path(folder, "add.h").write_text(HEADER.replace("    Py_DECREF(n);\n", ""))
    c.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": c.uri("add.h"), "type": 2}]})
    for name in ("a.c", "b.c"):
        assert "python-leak" in codes(c.diagnostics(name)), name
    assert c.end() == 0


def test_cancelled_progress(folder):
    names = [f"u{i}.c" for i in range(12)]
    c = lsp.Client(RECKON, project(folder, {"add.h": HEADER, **{n: SIMPLE.replace("NAME", n[:-2]) for n in names}}))
    c.open("add.h")
    c.save("add.h")
    begin = c.wait(lambda m: m.get("method") == "$/progress" and m["params"]["value"]["kind"] == "begin" and
                   "users of a header" in m["params"]["value"]["title"])
    c.notify("window/workDoneProgress/cancel", {"token": begin["params"]["token"]})
    c.wait(lambda m: m.get("method") == "$/progress" and m["params"]["token"] == begin["params"]["token"] and
           m["params"]["value"]["kind"] == "end")
    time.sleep(1)
    c.open(names[0])
    c.diagnostics(names[0])
    published = {m["params"]["uri"] for m in c.kept if m.get("method") == "textDocument/publishDiagnostics"}
    assert c.uri(names[-1]) not in published, "the rest was analysed all the same"
    assert c.end() == 0


def worker_of(process):
    """The process that analyses for the server, as soon as there is one."""
    for _ in range(2000):
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        if children:
            return int(children[0])
        time.sleep(0.005)
    raise AssertionError("no worker was started")


def test_crash_costs_one_answer(folder):
    c = lsp.Client(RECKON, project(folder, {"m.c": LEAK}))
    c.open("m.c")
    os.kill(worker_of(c.process), signal.SIGABRT)  # the sanitizers take SIGSEGV for themselves
    told = c.wait(lambda m: m.get("method") == "window/logMessage")["params"]["message"]
    assert "crashed" in told and "m.c" in told, told
    c.save("m.c")
    assert codes(c.diagnostics("m.c")) == ["python-leak"]
    assert c.end() == 0


def test_memory_after_edits(folder):
    """A short soak; bench/editor has the long one. The server's memory after 120 edits is near that after 20."""
    c = lsp.Client(RECKON, project(folder, {"m.c": GOOD}), options={"pause": 0})

    def resident():
        status = pathlib.Path(f"/proc/{c.process.pid}/status").read_text()
        return int(next(l for l in status.splitlines() if l.startswith("VmRSS")).split()[1])

    c.open("m.c")
    c.diagnostics("m.c")
    early = 0
    for i in range(120):
        c.change("m.c", (LEAK if i % 2 else GOOD) + f"/* {i} */\n")
        if i % 20 == 19:  # the others are overtaken
            c.diagnostics("m.c")
        if i == 19:
            early = resident()
    assert resident() <= early * 1.2, (early, resident())
    assert c.end() == 0


def apply(text, edits):
    def offset(position):
        lines = text.split("\n")
        return sum(len(l) + 1 for l in lines[:position["line"]]) + position["character"]
    for edit in sorted(edits, key=lambda e: offset(e["range"]["start"]), reverse=True):
        text = text[:offset(edit["range"]["start"])] + edit["newText"] + text[offset(edit["range"]["end"]):]
    return text



def main(tests):
    names = sys.argv[2:]
    failed = 0
    for name in names or tests:
        with tempfile.TemporaryDirectory() as folder:
            try:
                tests[name](os.path.realpath(folder))
                print(f"ok       {name}")
            except Exception as problem:  # pylint: disable=broad-except
                failed += 1
                print(f"FAILED   {name}: {type(problem).__name__}: {problem}")
                if not isinstance(problem, (AssertionError, lsp.Gone)) or os.environ.get("VERBOSE"):
                    import traceback
                    traceback.print_exc()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main({name[5:]: test for name, test in globals().items() if name.startswith("test_")}))
