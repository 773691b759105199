"""The project's own tests as recipes: they run once without a failure, and each one that comes to a place of a finding
is kept, so that a finding later runs one test and not all of them.

`--run` names them: `python3 -m pytest ...`, `python3 -m unittest ...`, a script with test cases of unittest, or a loop
over scripts (`for test in tests/*.py; do python3 $test; done`), of which each one is a test. What stands before the last
command (`memcached -d; python3 -m pytest`) is run first, once.
"""
import glob
import json
import os
import re
import shlex
import subprocess
import sys


def own_test(kind, name, plugins=()):
    """Runs one test of the project, or all of a command's."""
    if kind == "pytest":
        import pytest
        return int(pytest.main([*name, "-q", "-p", "no:cacheprovider", "-p", "no:faulthandler"], plugins=list(plugins)))
    if kind == "script":
        import runpy
        os.chdir(os.path.dirname(name))
        sys.path.insert(0, os.path.dirname(name))
        sys.argv[1:] = []
        try:
            return runpy.run_path(name, run_name="__main__") and 0
        except SystemExit as end:
            return int(end.code or 0) if isinstance(end.code, (int, type(None))) else 1
    import importlib.util
    import io
    import unittest
    path, test = name
    module = sys.modules.get("reckon_tests")
    if module is None or module.__file__ != path:
        sys.path.insert(0, os.path.dirname(path))
        spec = importlib.util.spec_from_file_location("reckon_tests", path)
        module = sys.modules["reckon_tests"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    suite = unittest.defaultTestLoader.loadTestsFromName(test, module)
    return len(unittest.TextTestRunner(stream=io.StringIO()).run(suite).failures)


TEST_IDLE = 30  # seconds: tests wait for servers and for other processes

LOOP = re.compile(r"(for)\s+(\w+)\s+in\s+([^;]+);\s*do\s+([^;]+?)\s*;\s*done")


def split_before(command):
    """What prepares the tests, such as a server that is started, and the command that runs them."""
    if LOOP.fullmatch(command.strip()):
        return "", command
    before, _, last = command.rpartition(";")
    return before.strip(), last.strip()


def understood(command):
    """(kind, arguments) of a command that runs tests of Python; None if it is another one. Variables before the command
    are set here."""
    loop = LOOP.fullmatch(command.strip())
    try:
        words = shlex.split(loop[4] if loop else command)
    except ValueError:
        return None
    while words and "=" in words[0] and words[0].split("=")[0].isidentifier():
        name, _, value = words.pop(0).partition("=")
        value = os.environ[name] = os.path.expandvars(value)
        if name == "PYTHONPATH":
            sys.path[:0] = [os.path.abspath(folder) for folder in value.split(":") if folder]
    if words and os.path.basename(words[0]).startswith("python"):
        words.pop(0)
        if loop:
            scripts = sorted(file for pattern in shlex.split(loop[3]) for file in glob.glob(pattern))
            return ("script", scripts) if words == [f"${loop[2]}"] else None
        if words[:1] == ["-m"] and words[1:2] in (["pytest"], ["unittest"]):
            return words[1], words[2:]
        return ("unittest", words[:1]) if words and words[0].endswith(".py") else None
    return ("pytest", words[1:]) if words and os.path.basename(words[0]) in ("pytest", "py.test") else None


class Keeper:
    """Which test comes to which places."""

    PER_PLACE = 3

    def __init__(self, ids, record, recipes, before):
        self.ids, self.record, self.recipes, self.before_tests = ids, record, recipes, before
        self.kept = {}

    def begin(self):
        self.before = self.record.reached(self.ids)

    def end(self, kind, name):
        after = self.record.reached(self.ids)
        hits = [i for i in self.ids if after[i] != self.before[i]]
        if all(self.kept.get(i, 0) >= self.PER_PLACE for i in hits):
            return
        for i in hits:
            self.kept[i] = self.kept.get(i, 0) + 1
        with open(self.recipes, "a") as out:
            out.write(json.dumps({"module": None, "test": True, "setup": [], "call": f"own_test({kind!r}, {name!r})",
                                  "hits": hits, "outcome": "good", "before": self.before_tests}) + "\n")


def with_pytest(arguments, keeper):
    import pytest

    class Plugin:
        @pytest.hookimpl(hookwrapper=True)
        def pytest_runtest_protocol(self, item):
            keeper.begin()
            yield
            keeper.end("pytest", [item.nodeid])

    status = own_test("pytest", [word for word in arguments if word not in ("-x", "--exitfirst")], [Plugin()])
    print(f"driver: the project's tests ended with status {status}", file=sys.stderr)


def test_files(arguments):
    """Scripts as they are named; without one, as `python3 -m unittest` finds them."""
    named = [a for a in arguments if a.endswith(".py") and os.path.exists(a)]
    if named:
        return named
    folders = [a for a in arguments if os.path.isdir(a)] or ["."]
    return sorted(os.path.join(folder, file) for top in folders for folder, _, files in os.walk(top) for file in files
                  if file.startswith("test") and file.endswith(".py"))


def with_unittest(path, keeper):
    import importlib.util
    import unittest
    sys.path.insert(0, os.path.dirname(path))
    spec = importlib.util.spec_from_file_location("reckon_tests", path)
    module = sys.modules["reckon_tests"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    class Result(unittest.TestResult):
        def startTest(self, test):
            super().startTest(test)
            keeper.begin()

        def stopTest(self, test):
            super().stopTest(test)
            keeper.end("unittest", [path, ".".join(test.id().split(".")[-2:])])

    result = Result()
    unittest.defaultTestLoader.loadTestsFromModule(module).run(result)
    print(f"driver: {path}: {result.testsRun} tests, {len(result.errors) + len(result.failures)} fail", file=sys.stderr)


def explore(command, ids, record, recipes, in_child, seconds):
    """Appends recipes. False: the command is none that is understood here, and has to be run as it is."""
    before, command = split_before(command)
    found = understood(command)
    if found is None:
        return False
    kind, arguments = found
    if before:
        started = subprocess.run(before, shell=True, stdin=subprocess.DEVNULL, check=False)
        print(f"driver: {before}: status {started.returncode}", file=sys.stderr)
    keeper = Keeper(ids, record, recipes, before)
    if kind == "pytest":
        in_child(lambda: with_pytest(arguments, keeper), seconds, idle=TEST_IDLE)
    elif kind == "script":
        for path in arguments:
            keeper.begin()
            in_child(lambda: own_test("script", os.path.abspath(path)), max(5, seconds / len(arguments)), idle=TEST_IDLE)
            keeper.end("script", os.path.abspath(path))
    else:
        files = test_files(arguments)
        for path in files:
            in_child(lambda: with_unittest(os.path.abspath(path), keeper), max(5, seconds / max(1, len(files))), idle=TEST_IDLE)
    return True
