#!/usr/bin/env python3
"""The packed program runs where nothing of ours is installed, and says what is missing where it cannot.

Builds the tree that tarball and wheel hold (scripts/package tree) and tries it in root file systems that have the C
library's three files and nothing else, in ones that lack it or have an older one, called in every way a program can be
called, and as a wheel in a fresh virtual environment. No network. scripts/try-package does the same with whole systems.

Usage: check.py ROOT
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
LOADER = "/lib64/ld-linux-x86-64.so.2"
EXAMPLE = "/reckon/share/reckon/example/first.c"


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=600, **options)


def setUpModule():
    made = run(ROOT / "scripts/package", "tree")
    if made.returncode != 0:
        raise RuntimeError(made.stdout + made.stderr)


def tree():
    version = (ROOT / "VERSION").read_text().strip()
    return ROOT / "build/packed" / f"reckon-{version}-linux-{os.uname().machine}"


class Bare(unittest.TestCase):
    """A root with the C library, in a folder of its own."""

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="reckon-bare-"))
        self.addCleanup(shutil.rmtree, self.root)
        self.libraries = self.root / "lib/x86_64-linux-gnu"
        for folder in (self.libraries, self.root / "lib64", self.root / "tmp", self.root / "reckon"):
            folder.mkdir(parents=True)
        for name in ("libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"):
            shutil.copy(pathlib.Path(LOADER).resolve().parent / name, self.libraries)
        (self.root / "lib64/ld-linux-x86-64.so.2").symlink_to("../lib/x86_64-linux-gnu/ld-linux-x86-64.so.2")

    def reckon(self, *arguments, program="/reckon/bin/reckon", options=(), proc=True):
        command = ["bwrap", "--unshare-user", "--unshare-net", "--clearenv", "--bind", self.root, "/", "--ro-bind", tree(), "/reckon",
                   "--dev", "/dev", *(["--proc", "/proc"] if proc else []), *options, program, *arguments]
        return run(*command)

    def expect_findings(self, result):
        self.assertEqual((1, ""), (result.returncode, result.stderr))
        self.assertIn("3  python-leak", result.stdout)

    def test_first_finding(self):
        self.expect_findings(self.reckon("check", EXAMPLE))

    def test_without_proc(self):
        self.expect_findings(self.reckon("check", EXAMPLE, proc=False))

    def test_through_path(self):
        options = ["--setenv", "PATH", "/reckon/bin"]
        self.expect_findings(self.reckon("check", EXAMPLE, program="reckon", options=options))

    def test_through_a_link(self):
        (self.root / "usr").mkdir()
        (self.root / "usr/reckon").symlink_to("/reckon/bin/reckon")
        self.expect_findings(self.reckon("check", EXAMPLE, program="/usr/reckon"))

    def test_relative(self):
        self.expect_findings(self.reckon("check", "share/reckon/example/first.c", program="bin/reckon", options=["--chdir", "/reckon"]))

    def test_libraries_of_the_environment_are_not_taken(self):
        wrong = self.root / "wrong"
        wrong.mkdir()
        (wrong / "libz3.so.4").write_text("no library")
        self.expect_findings(self.reckon("check", EXAMPLE, options=["--setenv", "LD_LIBRARY_PATH", "/wrong"]))

    def test_version_names_the_specs(self):
        result = self.reckon("--version")
        self.assertRegex(result.stdout, r"^reckon \d+\.\d+\.\d+ \(Clang 19\.[\d.]+\)\nspecs [0-9a-f]{12}: \d+ files in /reckon/share/reckon/specs\n$")
        self.assertIn(f"reckon {(ROOT / 'VERSION').read_text().strip()} ", result.stdout)

    def test_older_c_library(self):
        (self.libraries / "libc.so.6").write_text("GNU C Library (Old 2.31-1) stable release version 2.31.\n")
        result = self.reckon("--version")
        self.assertEqual(2, result.returncode)
        self.assertRegex(result.stderr, r"^reckon: error: this system has version 2\.31 of the GNU C library, and reckon needs 2\.\d\d or newer")

    def test_no_c_library(self):
        for path in self.libraries.iterdir():
            path.unlink()
        result = self.reckon("--version")
        self.assertEqual(2, result.returncode)
        self.assertIn("this system has no GNU C library", result.stderr)

    def test_nothing_else_is_needed(self):
        """Every library is one of ours or the C library's."""
        needed = set()
        for path in (tree() / "lib/reckon").iterdir():
            if path.is_file():
                lines = run("objdump", "-p", path).stdout.splitlines()
                needed |= {line.split()[1] for line in lines if "NEEDED" in line}
        ours = {path.name for path in (tree() / "lib/reckon").iterdir()}
        self.assertEqual(set(), needed - ours - {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"})

    def test_terms_of_what_is_carried(self):
        terms = {path.name.split("-")[0] for path in (tree() / "share/doc/reckon/licenses").iterdir()}
        self.assertLessEqual({"libz3", "libfmt9", "libmd4c0", "llvm", "libclang", "libstdc++6"}, terms)


class Wheel(unittest.TestCase):
    def test_fresh_environment(self):
        made = run(ROOT / "scripts/package", "wheel")
        self.assertEqual(0, made.returncode, made.stderr)
        wheel, = (ROOT / "dist").glob(f"reckon-{(ROOT / 'VERSION').read_text().strip()}-*.whl")
        with tempfile.TemporaryDirectory() as folder:
            run("/usr/bin/python3", "-m", "venv", folder, check=True)
            installed = run(f"{folder}/bin/pip", "install", "--no-index", "--disable-pip-version-check", wheel)
            self.assertEqual(0, installed.returncode, installed.stderr)
            result = run(f"{folder}/bin/reckon", "check", "--no-cache", f"{folder}/share/reckon/example/first.c")
            self.assertEqual(1, result.returncode, result.stderr)
            self.assertIn("3  python-leak", result.stdout)
            gone = run(f"{folder}/bin/pip", "uninstall", "-y", "reckon")
            self.assertEqual(0, gone.returncode, gone.stderr)
            self.assertFalse(os.path.exists(f"{folder}/bin/reckon"))


class Deb(unittest.TestCase):
    def test_lintian(self):
        if not shutil.which("lintian"):
            self.skipTest("lintian is not installed")
        made = run(ROOT / "scripts/package", "deb")
        self.assertEqual(0, made.returncode, made.stderr)
        package, = (ROOT / "dist").glob(f"reckon_{(ROOT / 'VERSION').read_text().strip()}_*.deb")
        result = run("lintian", "--fail-on", "error,warning", package)
        self.assertEqual(0, result.returncode, result.stdout)


unittest.main(verbosity=2)
