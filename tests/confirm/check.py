#!/usr/bin/env python3
"""What `reckon confirm` shows of the bundled examples, run as a user would.

Usage: check.py RECKON spam|debug|things|r|parts EXAMPLES [PYTHON FLAGS...]

Exits with 77 (skipped) where there is no sandbox. Every planted bug of spam must be confirmed by the generated driver, and
each evidence folder must show its finding without Reckon; those of things by its own test program and a sanitizer, those of
unprotected.c and of a small package by R under gctorture. `parts` looks at the driver's own decisions: which commands are tests, which calls go first.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIP = 77


def confirm(reckon, folder, *arguments):
    done = subprocess.run([reckon, "confirm", "--no-cache", "--format=json", *arguments], cwd=folder, text=True,
                          capture_output=True)
    if done.returncode not in (0, 1):
        sys.exit(f"reckon confirm ended with {done.returncode}:\n{done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def expect_confirmed(findings, expected, stderr):
    """`expected`: function: what must stand in the evidence, and whether calls had to fail."""
    problems = []
    for function, (words, assuming) in expected.items():
        found = [f["confirmation"] for f in findings if f["function"] == function]
        if not any(c["status"] == "confirmed" and any(word in c["seen"] for word in words) and
                   bool(c.get("assuming")) == assuming for c in found):
            problems.append(f"{function}: {found}")
    if problems:
        sys.exit("\n".join([*problems, stderr]))


def spam(reckon, examples, flags):
    source = examples / "spam" / "spammodule.c"
    with tempfile.TemporaryDirectory() as scratch:
        findings, stderr = confirm(reckon, scratch, "--script", f"{scratch}/out", "-v", str(source), "--", *flags)
        crash, grows, falls = ("SIGSEGV", "SIGABRT"), ("blocks", "references", "still there"), ("references", "SIG")
        expect_confirmed(findings, {"spam_squares": (grows, False), "spam_system": (grows, True),
                                    "spam_describe": (grows, True), "spam_first": (falls, False),
                                    "spam_join": (crash, False), "spam_single": (falls, True),
                                    "spam_pair": (crash, True)}, stderr)
        for finding in findings:
            if finding["confirmation"]["status"] != "confirmed":
                continue
            folder = pathlib.Path(scratch) / "out" / finding["fingerprint"][:12]
            shown = subprocess.run(["sh", "run.sh"], cwd=folder, text=True, capture_output=True)
            if not (folder / "README.md").read_text() or "calls that fail: none" not in shown.stdout:
                sys.exit(f"{folder}: {shown.stdout}{shown.stderr}")
            # The planted crash must be one without Reckon, too.
            if finding["check"] == "python-null-arg" and shown.returncode == 0:
                sys.exit(f"{folder}: nothing is shown:\n{shown.stdout}{shown.stderr}")


def things(reckon, examples):
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "things"
        shutil.copytree(examples / "things", folder)
        findings, stderr = confirm(reckon, folder, "-v", "--specs", "things.spec", "--build", "make -s", "--run",
                                   "./test {function}", "app.c", "--", "-I.")
        asan = ("heap-use-after-free",)
        expect_confirmed(findings, {"total": (("objects that the leak checker lists",), True),
                                    "first_size": (asan, False), "shelve": (asan, False), "size_of": (asan, False),
                                    "store_twice": (("a count wrong",), True)}, stderr)


def links(reckon, examples):
    """What is run leaves a link in place of a file that Reckon writes, which is outside the sandbox."""
    with tempfile.TemporaryDirectory() as scratch:
        folder, victim = pathlib.Path(scratch) / "things", pathlib.Path(scratch) / "victim"
        shutil.copytree(examples / "things", folder)
        victim.write_text("mine\n")
        command = f"./test {{function}}; rm -f $RECKON_RECORD; ln -s {victim} $RECKON_RECORD"
        confirm(reckon, folder, "--specs", "things.spec", "--build", "make -s", "--run", command, "app.c", "--", "-I.")
        if victim.read_text() != "mine\n":
            sys.exit("a link led out of the sandbox")


def report(reckon, examples, flags):
    """Only what a report holds is tried; what is no report is refused."""
    source = examples / "spam" / "spammodule.c"
    with tempfile.TemporaryDirectory() as scratch:
        done = subprocess.run([reckon, "check", "--no-cache", "--format=json", str(source), "--", *flags], text=True,
                              capture_output=True, check=False)
        first = next(line for line in done.stdout.splitlines() if json.loads(line)["function"] == "spam_pair")
        name = pathlib.Path(scratch) / "report.json"
        name.write_text(first + "\n")
        findings, stderr = confirm(reckon, scratch, str(name), str(source), "--only=confirmed", "--", *flags)
        if [f["fingerprint"] for f in findings] != [json.loads(first)["fingerprint"]]:
            sys.exit(f"a report with one finding: {findings}\n{stderr}")
        name.write_text("no report\n")
        done = subprocess.run([reckon, "confirm", str(name), str(source), "--", *flags], text=True, capture_output=True)
        if done.returncode != 2 or "is no report" not in done.stderr:
            sys.exit(f"what is no report: {done.returncode} {done.stderr}")


def unprotected(reckon):
    headers = pathlib.Path("/usr/share/R/include")
    if shutil.which("Rscript") is None or not headers.exists():
        print("no R here")
        sys.exit(SKIP)
    source = pathlib.Path(__file__).resolve().parent / "unprotected.c"
    with tempfile.TemporaryDirectory() as scratch:
        findings, stderr = confirm(reckon, scratch, "-v", str(source), "--", f"-I{headers}")
        expect_confirmed(findings, {"pair_of": (("while every allocation collects garbage",), False)}, stderr)


def package(reckon):
    """A package's own example is the driver, with numbers of the other type than it has."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "weights"
        shutil.copytree(pathlib.Path(__file__).resolve().parent / "package", folder)
        build = "mkdir -p lib && R CMD INSTALL --no-docs --no-byte-compile --no-test-load --library=lib ."
        findings, stderr = confirm(reckon, folder, "-v", "--build", build, "src/weights.c", "--", "-I/usr/share/R/include")
        expect_confirmed(findings, {"weights_of": (("weights.R, with an argument of another type",), False)}, stderr)


def debug(reckon, examples, headers):
    """A module for the interpreter's debug build is driven by that, which counts all references."""
    if not pathlib.Path(headers).exists() or shutil.which("python3.11d") is None:
        print("no debug build of the interpreter here")
        sys.exit(SKIP)
    source = examples / "spam" / "spammodule.c"
    with tempfile.TemporaryDirectory() as scratch:
        findings, stderr = confirm(reckon, scratch, "--script", f"{scratch}/out", "-v", str(source), "--", f"-I{headers}")
        expect_confirmed(findings, {"spam_squares": (("sys.gettotalrefcount",), False)}, stderr)
        for folder in (pathlib.Path(scratch) / "out").iterdir():
            shown = subprocess.run(["sh", "run.sh"], cwd=folder, text=True, capture_output=True)
            if "calls that fail: none" not in shown.stdout:
                sys.exit(f"{folder}: {shown.stdout}{shown.stderr}")


def parts():
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "share" / "confirm" / "python"))
    import own_tests
    import trials
    problems = []

    def expect(what, seen, wanted):
        if seen != wanted:
            problems.append(f"{what}: {seen!r} and not {wanted!r}")

    expect("a server before", own_tests.split_before("serve -d; python3 -m pytest -q tests"), ("serve -d", "python3 -m pytest -q tests"))
    expect("pytest", own_tests.understood("python3 -m pytest -q tests"), ("pytest", ["-q", "tests"]))
    expect("another command", own_tests.understood("make check"), None)
    with tempfile.TemporaryDirectory() as scratch:
        for name in "ba":
            (pathlib.Path(scratch) / f"{name}.py").write_text(f"open({scratch + '/ran'!r}, 'a').write({name!r})\nraise SystemExit(3)\n")
        loop = f"for t in {scratch}/*.py; do python3 $t; done"
        scripts = [f"{scratch}/a.py", f"{scratch}/b.py"]
        expect("a loop has nothing before it", own_tests.split_before(loop), ("", loop))
        expect("a loop over scripts", own_tests.understood(loop), ("script", scripts))
        expect("a loop with arguments", own_tests.understood(loop.replace("$t", "$t -v")), None)
        expect("what a script ends with", own_tests.own_test("script", scripts[0]), 3)
        expect("what ran", (pathlib.Path(scratch) / "ran").read_text(), "a")

    def recipe(name, hits, shape="", setup=()):
        return {"call": name, "hits": hits, "shape": shape, "setup": list(setup), "outcome": "good" if not shape else shape}

    calls = [recipe("refused", [1], "TypeError"), recipe("refused again", [1], "TypeError"), recipe("further", [1], "OSError"),
             recipe("empty object", [1, 2], "OSError", ["a0 = bare('T')"]), recipe("there", [1, 2], "OSError")]
    expect("the order of calls", [r["call"] for r in trials.in_order(calls, {2})],
           ["there", "empty object", "refused", "further", "refused again"])
    if problems:
        sys.exit("\n".join(problems))


def main():
    reckon, which, examples, flags = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), sys.argv[4:]
    if which == "parts":
        parts()
        return
    probe = ["bwrap", "--ro-bind", "/", "/", "--unshare-all", "--dev", "/dev", "--proc", "/proc", "true"]
    if shutil.which("bwrap") is None or subprocess.run(probe, capture_output=True).returncode != 0:
        print("no sandbox here")
        sys.exit(SKIP)
    if which == "spam":
        spam(reckon, examples, flags)
        report(reckon, examples, flags)
    elif which == "r":
        unprotected(reckon)
        package(reckon)
    elif which == "debug":
        debug(reckon, examples, "/usr/include/python3.11d")
    else:
        things(reckon, examples)
        links(reckon, examples)


if __name__ == "__main__":
    main()
