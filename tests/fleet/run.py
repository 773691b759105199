#!/usr/bin/env python3
"""`reckon fleet`: many packages as jobs, one report over all; a package that fails costs a row, and a killed run goes on.

Packages are made here: R packages and extension folders with a planted leak and without, an archive, a Debian source
package with a patch, one that does not compile, one that is no archive, names that could mean something to a shell, to
Ninja, to HTML and to a terminal.

usage: run.py --reckon PROGRAM
"""

import argparse
import hashlib
import html.parser
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time

LEAK = """#include <Python.h>
#include "helper.h"
static PyObject *%s(PyObject *self, PyObject *args) {
  PyObject *list = PyList_New(0);
  if (!list) return NULL;
  if (!PyArg_ParseTuple(args, "")) return NULL; /* leaks the list */
  return list;
}
PyMethodDef methods[] = {{"f", %s, METH_VARARGS, ""}, {NULL, NULL, 0, NULL}};
"""
CLEAN = """#include <Python.h>
PyObject *same(PyObject *o) { Py_INCREF(o); return o; }
"""
R_LEAK = """#include <Rinternals.h>
SEXP two(void) {
  SEXP x = Rf_allocVector(INTSXP, 1);
  SEXP y = Rf_allocVector(INTSXP, 1);
  INTEGER(x)[0] = INTEGER(y)[0];
  return x;
}
"""
HOSTILE = "a b$HOME'`touch owned`;<script>alert(1)</script>\x1b[31m"
HAVE_R = shutil.which("R") is not None

problems = []


def expect(condition, text):
    if not condition:
        problems.append(text)
        print("FAILED:", text)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)


def extension(folder, function="leaks", text=None):
    write(f"{folder}/setup.py", "raise SystemExit('nobody runs this')\n")
    write(f"{folder}/src/mod.c", text or LEAK % (function, function))
    write(f"{folder}/lib/helper.h", "#define HELPED 1\n")  # found by trying


def r_package(folder, text):
    write(f"{folder}/DESCRIPTION", f"Package: {os.path.basename(folder)}\nVersion: 1.0\n")
    write(f"{folder}/src/code.c", text)


def archive(path, folder):
    with tarfile.open(path, "w:gz") as tar:
        tar.add(folder, arcname="pkg-1.0")


def debian_source(folder, name):
    """A source package in format 3.0 (quilt) whose patch plants the leak."""
    tree = f"{folder}/build/{name}-1.0"
    extension(tree, text=CLEAN)
    with tarfile.open(f"{folder}/{name}_1.0.orig.tar.gz", "w:gz") as tar:
        tar.add(tree, arcname=f"{name}-1.0")
    write(f"{folder}/debian/source/format", "3.0 (quilt)\n")
    added = LEAK % ("patched", "patched")
    write(f"{folder}/debian/patches/leak.patch", "--- /dev/null\n+++ b/src/patched.c\n@@ -0,0 +1,%d @@\n%s" % (
        added.count("\n"), "".join("+" + line + "\n" for line in added.splitlines())))
    write(f"{folder}/debian/patches/series", "leak.patch\n")
    write(f"{folder}/debian/control", f"Source: {name}\n")
    write(f"{folder}/debian/changelog", f"{name} (1.0-1) unstable; urgency=low\n\n  * x\n\n -- A <a@b.c>  Mon, 01 Jan 2024 00:00:00 +0000\n")
    with tarfile.open(f"{folder}/{name}_1.0-1.debian.tar.gz", "w:gz") as tar:
        tar.add(f"{folder}/debian", arcname="debian")
    lines = []
    for file in (f"{name}_1.0.orig.tar.gz", f"{name}_1.0-1.debian.tar.gz"):
        with open(f"{folder}/{file}", "rb") as f:
            data = f.read()
        lines.append((hashlib.md5(data).hexdigest(), hashlib.sha256(data).hexdigest(), len(data), file))
    write(f"{folder}/{name}_1.0-1.dsc", "Format: 3.0 (quilt)\nSource: %s\nBinary: x\nArchitecture: any\nVersion: 1.0-1\n"
          "Maintainer: A <a@b.c>\nChecksums-Sha256:\n%sFiles:\n%s" % (
              name, "".join(f" {sha} {size} {file}\n" for _, sha, size, file in lines),
              "".join(f" {md5} {size} {file}\n" for md5, _, size, file in lines)))
    return f"{folder}/{name}_1.0-1.dsc"


class Fleet:
    def __init__(self, reckon, folder):
        self.reckon, self.folder = reckon, folder
        self.cache = f"{folder}/cache"

    def run(self, listed, out, *words, cwd=None):
        return subprocess.run(self.command(listed, out, *words), capture_output=True, text=True, cwd=cwd or self.folder)

    def command(self, listed, out, *words):
        return [self.reckon, "fleet", "--out", out, "--cache", self.cache, "--python-include", python_include(), *words, listed]

    def report(self, out):
        with open(f"{out}/fleet.json") as f:
            report = json.load(f)
        return report, {p["name"]: p for p in report["packages"]}

    def status(self, out):
        done = subprocess.run([self.reckon, "fleet", "status", "--out", out], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr


def python_include():
    words = subprocess.run(["/usr/bin/python3-config", "--includes"], capture_output=True, text=True).stdout.split()
    return words[0][2:]


def packages(folder):
    """The packages, and the lines of a list of them."""
    extension(f"{folder}/leaky")
    extension(f"{folder}/clean", text=CLEAN)
    extension(f"{folder}/broken", text="#include <Python.h>\nint f(void) { return undeclared; }\n")
    extension(f"{folder}/{HOSTILE.replace('/', '_')}", "hostile")
    write(f"{folder}/nothing/README", "no code\n")
    write(f"{folder}/noarchive.tar.gz", "this is no archive\n")
    extension(f"{folder}/packed")
    archive(f"{folder}/packed_1.0.tar.gz", f"{folder}/packed")
    shutil.rmtree(f"{folder}/packed")
    lines = ["# a comment", "", "leaky", "clean", "broken", "nothing", "noarchive.tar.gz", "packed_1.0.tar.gz", "gone.tar.gz",
             "'" + HOSTILE.replace("/", "_").replace("'", "'\\''") + "'", "leaky name='the same again' flags='-DX=\"a b\"'"]
    if HAVE_R:
        r_package(f"{folder}/rone", R_LEAK)
        r_package(f"{folder}/rtwo", R_LEAK.replace("y = Rf_allocVector(INTSXP, 1)", "y = x"))
        lines += ["rone", "rtwo"]
    return lines


def whole(fleet):
    lines = packages(fleet.folder)
    write(f"{fleet.folder}/list", "\n".join(lines) + "\n")
    out = f"{fleet.folder}/out one"
    done = fleet.run("list", out)
    expect(done.returncode == 3, f"packages that could not be analysed: exit code 3, not {done.returncode}: {done.stderr}")
    report, by_name = fleet.report(out)
    for name in ("leaky", "packed_1.0", "the same again", HOSTILE.replace("/", "_")):
        p = by_name.get(name, {})
        expect(p.get("status") == "analysed" and p.get("checks") == {"python-leak": 1} and p["units"] == 1, f"{name}: {p}")
        expect(os.path.exists(f"{out}/{p.get('folder')}/pages/index.html"), f"{name} has a report in HTML")
    expect(by_name["clean"]["status"] == "analysed" and by_name["clean"]["findings"] == [], f"clean: {by_name['clean']}")
    for name, reason in (("broken", "undeclared"), ("nothing", "no C or C++ file"), ("noarchive", "unpacked"), ("gone", "no such file")):
        p = by_name.get(name, {})
        expect(p.get("status") == "not analysed" and reason in p.get("reason", ""), f"{name}: {p}")
        expect(f"{name}: not analysed: " in done.stdout, f"the summary names {name}: {done.stdout}")
    if HAVE_R:
        expect(by_name["rone"]["kind"] == "r" and len(by_name["rone"]["findings"]) == 1, f"rone: {by_name['rone']}")
        expect(by_name["rtwo"]["status"] == "analysed" and by_name["rtwo"]["findings"] == [], f"rtwo: {by_name['rtwo']}")
    totals = report["totals"]
    expect(totals["packages"] == len(lines) - 2 and totals["not_analysed"] == 4 and totals["not_done"] == 0, f"totals: {totals}")
    expect(totals["cpu_seconds"] > 0 and totals["findings"] == sum(report["checks"].values()), f"totals: {totals}")
    expect(not any(os.path.exists(f"{d}/owned") for d in (fleet.folder, out)), "a name is only a name")
    expect("\x1b" not in done.stdout + done.stderr, "a name does not command the terminal")
    page = open(f"{out}/index.html").read()
    expect("<script>alert" not in page and "Content-Security-Policy" in page, "the page escapes names and has a policy")
    links = [value for tag, attributes in parsed(page) if tag == "a" for name, value in attributes if name == "href"]
    expect(all(os.path.exists(os.path.join(out, link)) for link in links if not link.startswith("#")) and len(links) > 5,
           f"the links of the page lead to files: {links}")
    code, text = fleet.status(out)
    expect(code == 0 and f"{len(lines) - 2} of {len(lines) - 2} done, 4 of them not analysed" in text, f"status: {code} {text}")
    return out


def parsed(page):
    found = []

    class Reader(html.parser.HTMLParser):
        def handle_starttag(self, tag, attrs):
            found.append((tag, attrs))

    Reader().feed(page)
    return found


def again(fleet, out):
    """The same command does what is missing only; a changed archive or option is done again; new findings are told."""
    def times():
        return {p: os.stat(f"{out}/packages/{p}/result.json").st_mtime_ns for p in os.listdir(f"{out}/packages")}

    before = times()
    done = fleet.run("list", out)
    expect(times() == before and done.returncode == 3, f"nothing is left to do: {done.stderr}")
    done = fleet.run("list", out, "--retry")
    changed = {p for p, t in times().items() if before[p] != t}
    expect(len(changed) == 4, f"--retry does four again: {changed}")
    shutil.copy(f"{out}/fleet.json", f"{fleet.folder}/old.json")
    extension(f"{fleet.folder}/packed", "other")
    archive(f"{fleet.folder}/packed_1.0.tar.gz", f"{fleet.folder}/packed")
    done = fleet.run("list", out, "--since", "old.json")
    _, by_name = fleet.report(out)
    p = by_name["packed_1.0"]
    expect(p["new"] == 1 and len(p["gone"]) == 1 and p["findings"][0]["new"], f"a changed archive: {p}")
    expect("(1 new, 1 gone)" in done.stdout, f"new since: {done.stdout}")
    expect(by_name["leaky"]["new"] == 0, f"what was there is not new: {by_name['leaky']}")


def green(fleet):
    write(f"{fleet.folder}/good", "clean\n")
    expect(fleet.run("good", f"{fleet.folder}/green").returncode == 0, "all analysed, nothing found: 0")
    write(f"{fleet.folder}/bad", "leaky\n")
    expect(fleet.run("bad", f"{fleet.folder}/red").returncode == 1, "findings: 1")
    expect(fleet.run("bad", f"{fleet.folder}/red", "--fail-on", "never").returncode == 0, "findings with --fail-on never: 0")
    done = fleet.run("bad", f"{fleet.folder}/planned", "--plan-only")
    expect(done.returncode == 0 and not os.path.exists(f"{fleet.folder}/planned/fleet.json"), f"--plan-only: {done.stderr}")
    expect(fleet.status(f"{fleet.folder}/planned")[0] == 3, "nothing of a plan is done")
    done = subprocess.run(["ninja", "-C", f"{fleet.folder}/planned"], capture_output=True, text=True, cwd="/")
    expect(done.returncode == 0 and fleet.report(f"{fleet.folder}/planned")[0]["totals"]["findings"] == 1, f"ninja: {done.stdout}")


def killed(fleet):
    """The engine, a job and its work are killed; the next run ends with the report of one that was not."""
    names = []
    for k in range(6):
        extension(f"{fleet.folder}/many/p{k}", f"leak{k}")
        names.append(f"many/p{k}")
    write(f"{fleet.folder}/six", "\n".join(names) + "\n")
    fleet.run("six", f"{fleet.folder}/calm")
    out = f"{fleet.folder}/stormy"
    fleet.cache = f"{fleet.folder}/cache2"
    for pause in (0.3, 1.0, 2.0):
        engine = subprocess.Popen(fleet.command("six", out, "-j2"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  cwd=fleet.folder)
        time.sleep(pause)
        engine.send_signal(signal.SIGKILL)
        engine.wait()
    done = fleet.run("six", out, "-j2")
    fleet.cache = f"{fleet.folder}/cache"

    def plain(folder):
        report, _ = fleet.report(folder)
        return [(p["name"], p["status"], p["checks"], [f["fingerprint"] for f in p["findings"]]) for p in report["packages"]]

    expect(done.returncode == 1 and plain(out) == plain(f"{fleet.folder}/calm"), f"after kills: {done.returncode} {plain(out)}")


def limits(fleet):
    """A package that takes too long, or too much memory, is a row with the reason."""
    slow = "#include <Python.h>\n#define A(x) x x x x x x x x\nint n = 0\n#define B A(A(A(A(A(A(A(A(+1))))))))\nB B B\n;\n"
    extension(f"{fleet.folder}/slow", text=slow)
    write(f"{fleet.folder}/slowlist", "slow\nclean\n")
    done = fleet.run("slowlist", f"{fleet.folder}/slowout", "--package-timeout", "2", "--memory-limit", "400")
    _, by_name = fleet.report(f"{fleet.folder}/slowout")
    expect(done.returncode == 3 and by_name["slow"]["status"] == "not analysed", f"slow: {by_name['slow']}")
    print("the slow package:", by_name["slow"]["reason"])


def debian(fleet):
    if shutil.which("dpkg-source") is None or shutil.which("bwrap") is None:
        print("dpkg-source or bwrap is missing: the Debian source package is not tried")
        return
    dsc = debian_source(f"{fleet.folder}/deb", "native")
    write(f"{fleet.folder}/deblist", dsc + "\n")
    done = fleet.run("deblist", f"{fleet.folder}/debout")
    _, by_name = fleet.report(f"{fleet.folder}/debout")
    p = by_name["native_1.0-1"]
    if "bubblewrap" in p.get("reason", ""):
        print("bwrap has no rights here: the Debian source package is not tried")
        return
    expect(done.returncode == 1 and [f["function"] for f in p["findings"]] == ["patched"], f"a .dsc with its patch: {p}")


def built(fleet):
    """With --allow-build a package is built in a sandbox; without it, it is said that it would have to be."""
    folder = f"{fleet.folder}/made"
    write(f"{folder}/Makefile", "all:\n\ttouch %s/escaped || true\n\t$(CC) -I%s -c made.c\n" % (fleet.folder, python_include()))
    write(f"{folder}/made.c", LEAK.replace('#include "helper.h"\n', "") % ("made", "made"))
    write(f"{fleet.folder}/makelist", "made kind=build\n")
    done = fleet.run("makelist", f"{fleet.folder}/unbuilt")
    expect(done.returncode == 3 and "--allow-build" in done.stdout, f"not built: {done.stdout}")
    if shutil.which("bwrap") is None or shutil.which("bear") is None:
        print("bwrap or bear is missing: no build is tried")
        return
    done = fleet.run("makelist", f"{fleet.folder}/built", "--allow-build")
    _, by_name = fleet.report(f"{fleet.folder}/built")
    if "bubblewrap" in by_name["made"].get("reason", ""):
        print("bwrap has no rights here: no build is tried")
        return
    expect(done.returncode == 1 and by_name["made"]["checks"] == {"python-leak": 1}, f"built: {by_name['made']}")
    expect(not os.path.exists(f"{fleet.folder}/escaped"), "a build cannot write outside of its copy")
    expect(not os.path.exists(f"{folder}/made.o"), "a build gets a copy")


def refusals(fleet):
    for text, words in (("leaky name=x\nleaky name=x\n", "listed twice"), ("leaky colour=red\n", "colour=red"), ("\n# nothing\n", "names no package"),
                        ("leaky kind=rust\n", "kind=rust")):
        write(f"{fleet.folder}/wrong", text)
        done = fleet.run("wrong", f"{fleet.folder}/none")
        expect(done.returncode == 2 and words in done.stderr, f"{text!r}: {done.returncode} {done.stderr}")
    for words in (["--baseline", "x"], ["--output", "x"], ["--dump", "model"], ["--since", "list"]):
        done = fleet.run("good", f"{fleet.folder}/green", *words)
        expect(done.returncode == 2, f"{words}: {done.returncode} {done.stderr}")
    expect(fleet.status(fleet.folder)[0] == 2, "status of no fleet")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reckon", required=True)
    options = parser.parse_args()
    if shutil.which("ninja") is None:
        sys.exit("ninja is not installed (ninja-build)")
    with tempfile.TemporaryDirectory(prefix="reckon-fleet-") as folder:
        fleet = Fleet(os.path.abspath(options.reckon), os.path.realpath(folder))
        out = whole(fleet)
        again(fleet, out)
        green(fleet)
        killed(fleet)
        limits(fleet)
        debian(fleet)
        built(fleet)
        refusals(fleet)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
