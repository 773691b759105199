#!/usr/bin/env python3
"""The first steps: what a newcomer types wrong and is told, what init and doctor see, settings, completion, the hook.

Usage: check.py RECKON ROOT [unittest arguments]
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

RECKON = str(pathlib.Path(sys.argv.pop(1)).resolve())
ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
FIRST = ROOT / "examples/first"


class Steps(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="reckon-start-")).resolve()
        self.addCleanup(shutil.rmtree, self.folder)
        self.environment = {"PATH": f"{self.folder}/bin:/usr/bin:/bin", "HOME": str(self.folder), "LANG": "C.UTF-8"}
        (self.folder / "bin").mkdir()
        (self.folder / "bin/reckon").symlink_to(RECKON)
        self.work = self.folder / "work"
        shutil.copytree(FIRST, self.work)

    def write(self, name, text=""):
        path = self.work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def database(self, place, *names):
        entries = [{"directory": str(self.work), "file": str(self.work / n), "arguments": ["cc", "-c", str(self.work / n)]} for n in names]
        self.write(f"{place}/compile_commands.json", json.dumps(entries))

    def reckon(self, *arguments, code=None, **more):
        run = subprocess.run(["reckon", *arguments], cwd=more.pop("cwd", self.work), env={**self.environment, **more}, capture_output=True,
                             text=True, timeout=300)
        if code is not None:
            self.assertEqual(code, run.returncode, run.stdout + run.stderr)
        return run

    def told(self, words, *arguments):
        """A mistake: exit code 2, and these words on stderr."""
        run = self.reckon(*arguments, code=2)
        self.assertIn(words, run.stderr)

    # -- twelve mistakes of a newcomer

    def test_01_misspelt_command(self):
        self.told("there is no command 'chekc' (did you mean `check`?)", "chekc", "first.c")

    def test_02_misspelt_option(self):
        self.told("reckon check has no option '--confidnece' (did you mean `--confidence`?)", "check", "--confidnece=low", "first.c")

    def test_03_misspelt_check(self):
        self.told("no check is called 'python-leek' (did you mean `python-leak`?)", "check", "--checks=python-leek", "first.c")

    def test_04_misspelt_domain(self):
        self.told("did you mean `python`?", "check", "--domain=pyhton", "first.c")

    def test_05_flags_without_dashes(self):
        self.told("flags of the compiler stand after --: reckon check FILE... -- -I.", "check", "first.c", "-I.")

    def test_06_a_folder_instead_of_files(self):
        self.told("is a folder (give -p to check the files of a build below it)", "check", "/usr/include")

    def test_07_a_database_that_is_not_there(self):
        run = self.reckon("check", "-p", "nowhere", code=2)
        self.assertIn("reckon run -- BUILD COMMAND", run.stderr)

    def test_08_nothing_at_all(self):
        self.told("nothing to check: give source files, or -p with a folder that holds compile_commands.json (reckon init says how to get one here)",
                  "check")

    def test_09_a_header_alone(self):
        self.told("a header alone is not analysed; name a source that includes it", "check", "Python.h")

    def test_10_run_without_a_command(self):
        self.told("no build command: reckon run [OPTIONS] -- COMMAND...", "run")

    def test_11_an_unknown_format(self):
        self.told("'sariff' is none of text, json, sarif, github, gitlab, rchk, html (did you mean `sarif`?)", "check", "--format=sariff", "first.c")

    def test_12_a_misspelt_setting(self):
        self.write("reckon.toml", 'basline = "x"\n')
        self.told("unknown key `basline`", "check", "first.c")

    def test_an_up_to_date_build(self):
        self.write("Makefile", "all:\n\ttrue\n")
        if shutil.which("bear"):
            self.told("clean it first", "run", "--", "make")

    # -- databases

    def test_build_is_searched(self):
        self.database("build", "first.c")
        self.assertIn("checking what build/compile_commands.json lists", self.reckon("check", code=1).stderr)
        run = self.reckon("check", "first.c", code=1)
        self.assertIn(f"using the flags in {self.work}/build/compile_commands.json", run.stderr)

    def test_several_databases(self):
        shutil.copy(self.work / "first.c", self.work / "second.c")
        self.database("one", "first.c")
        self.database("two", "second.c", "first.c")
        run = self.reckon("check", "-p", "one", "-p", "two", code=1)
        self.assertIn("2 units: ", run.stdout)

    def test_database_of_the_settings(self):
        self.database("out", "first.c")
        self.write("reckon.toml", 'database = "out"\n')
        self.assertIn("3 findings", self.reckon("check", code=1).stdout)
        self.assertIn("3 findings", self.reckon("check", "first.c", "--", "-I.", code=1).stdout)

    # -- settings

    def test_settings_of_reports(self):
        self.reckon("check", "--write-baseline", "known", "first.c", code=0)
        self.write("reckon.toml", 'baseline = "known"\nstrict = true\n')
        self.assertIn("nothing new found", self.reckon("check", "first.c", code=0).stdout)
        self.write("reckon.toml", 'severity = "high"\n')
        self.assertIn("left out for low severity (--severity): 3", self.reckon("check", "first.c", code=0).stdout)
        self.assertIn("3 findings", self.reckon("check", "--severity=note", "first.c", code=1).stdout)
        self.write("reckon.toml", 'confidence = "certain"\n')
        self.told("expected `low`, `medium` or `high` for `confidence`, found `certain`", "check", "first.c")

    def test_schema_and_program_know_the_same_keys(self):
        schema = json.loads((ROOT / "share/reckon.schema.json").read_text())
        self.write("reckon.toml", "nonsense = 1\n")
        said = self.reckon("check", "first.c", code=2).stderr
        known = set(re.findall(r"`([a-z-]+)`", said.split("expected one of", 1)[1].split("did you mean")[0]))
        self.assertEqual(known, set(schema["properties"]))

    def test_root(self):
        run = self.reckon("check", "-q", "--root", "..", "first.c", code=1)
        self.assertTrue(run.stdout.startswith("work/first.c:"), run.stdout)

    # -- the report

    def test_severity_and_order(self):
        self.write("more.c", (self.work / "first.c").read_text() + """
PyObject *again(void) { PyObject *x = PyDict_New(); if (x == NULL) return NULL; Py_DECREF(x); return x; }
PyObject *one(void) { PyObject *x = PyDict_New(); return NULL; }
PyObject *two(void) { PyObject *x = PyDict_New(); return NULL; }
""")
        lines = self.reckon("check", "more.c", code=1).stdout.splitlines()
        levels = ["note", "low", "medium", "high"]
        weight = {}
        for line in self.reckon("check", "-q", "--format=json", "more.c").stdout.splitlines():
            f = json.loads(line)
            weight[f["location"]["line"], f["message"]] = (levels.index(f["confidence"]), f["trigger"] == "normal", levels.index(f["severity"]))
        self.assertEqual({True, False}, {nothing_fails for _, nothing_fails, _ in weight.values()})
        shown = [m.groups() for line in lines if (m := re.match(r"more\.c:(\d+):\d+: warning: (.*) (\[python-[a-z-]+\] \(\w+\))$", line))]
        self.assertEqual(len(weight), len(shown))
        order = [weight[int(number), message] for number, message, _ in shown]
        for (*_, label), (*_, severity) in zip(shown, order):
            self.assertTrue(label.endswith(f"({levels[severity]})"), label)
        self.assertEqual(sorted(order, reverse=True), order)
        at = lines.index("look at these first:")
        self.assertEqual([f"  more.c:{number}: {message} {label}" for number, message, label in shown[:3]], lines[at + 1:at + 4])
        self.assertRegex("\n".join(lines), r"\n +\d+  python-leak: \d+ medium\n")
        self.assertFalse(lines[at + 4].startswith("  more.c"))

    def test_github(self):
        self.write("many.c", '#include "Python.h"\n' + "".join(
            f"PyObject *f{i}(void) {{ PyObject *x = PyDict_New(); return NULL; }}\n" for i in range(14)))
        run = self.reckon("check", "-q", "--format=github", "many.c", code=1, GITHUB_STEP_SUMMARY=str(self.folder / "summary"))
        commands = [line for line in run.stdout.splitlines() if line.startswith("::warning file=many.c,line=")]
        self.assertEqual(10, len(commands), run.stdout)
        self.assertIn("::notice title=reckon::4 more findings are in the summary of the job", run.stdout)
        self.assertEqual(14, (self.folder / "summary").read_text().count("| medium | many.c:"))

    def test_help_fits_a_screen(self):
        for command in ("init", "doctor", "check", "run", "r", "confirm", "dump", "pack", "annotate", "mine", "diff", "explain", "list-checks"):
            with self.subTest(command=command):
                self.assertLessEqual(len(self.reckon(command, "--help", code=0).stdout.splitlines()), 44)
        short, full = self.reckon("check", "--help").stdout, self.reckon("check", "--help-all").stdout
        self.assertNotIn("--memory-limit", short)
        self.assertIn("--memory-limit", full)

    # -- init and doctor

    def test_init(self):
        kinds = {"setup.py": ("a Python extension", "reckon run -- python3 setup.py build_ext"), "pyproject.toml": ("a Python extension", "reckon run"),
                 "meson.build": ("a meson project", "meson setup build"), "CMakeLists.txt": ("a CMake project", "EXPORT_COMPILE_COMMANDS"),
                 "Makefile": ("a project with a Makefile", "reckon run -- make -B"), "Kbuild": ("a kernel module", "M=$PWD")}
        for mark, (kind, command) in kinds.items():
            with self.subTest(mark=mark):
                shutil.rmtree(self.work)
                self.work.mkdir()
                self.write(mark)
                said = self.reckon("init", code=0).stdout
                self.assertIn(f"this is {kind} ({mark})", said)
                self.assertIn(command, said)
                self.reckon("list-checks", code=0)  # the settings are read without complaint
                before = (self.work / "reckon.toml").read_text()
                self.assertIn("is there already", self.reckon("init", code=0).stdout)
                self.assertEqual(before, (self.work / "reckon.toml").read_text())

    def test_init_of_an_r_package(self):
        self.write("DESCRIPTION", "Package: x\n")
        self.write("src/x.c")
        self.assertIn("reckon r .", self.reckon("init", code=0).stdout)

    def test_init_knows_nothing(self):
        self.told("no file here tells how this project is built", "init")

    def test_doctor(self):
        self.write("CMakeLists.txt")
        run = self.reckon("doctor", code=3, PATH=f"{self.folder}/bin")
        self.assertIn("missing  the program cmake", run.stdout)
        self.assertIn("missing  a compilation database in build", run.stdout)
        self.assertIn("run: cmake -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON", run.stdout)
        self.database("build", "first.c", "gone.c")
        self.assertIn("1 of the 2 files that", self.reckon("doctor", code=3).stdout)
        self.database("build", "first.c")
        self.assertIn("nothing is missing; to check this project: reckon check", self.reckon("doctor", code=0).stdout)
        self.assertIn("CPATH is set", self.reckon("doctor", CPATH="/x").stdout)

    # -- recording

    def test_proxy(self):
        """Bear's parts talk to each other; a proxy that answers nothing must not be asked."""
        self.write("Makefile", "all:\n\tcc -c first.c -o first.o; echo proxy $$http_proxy\n")
        if not shutil.which("bear"):
            self.skipTest("bear is not installed")
        run = self.reckon("run", "--", "make", code=1, http_proxy="http://127.0.0.1:9", https_proxy="http://127.0.0.1:9")
        self.assertIn("3 findings", run.stdout)
        self.assertIn("proxy http://127.0.0.1:9", run.stderr)

    def test_as_kbuild_calls_checkers(self):
        run = self.reckon("check", "-q", "--fail-on=never", "--", "-D__linux__", "-Wbitwise", "--arch=x86", "-Wp,-MMD,x.d", "-I.", "first.c", code=0)
        self.assertEqual(3, run.stdout.count(": warning: "))

    # -- completion

    def test_completion_of_every_command(self):
        commands = re.findall(r"^  ([a-z][a-z-]*) ", self.reckon("--help").stdout.split("Subcommands:")[1], re.M)
        self.assertIn("doctor", commands)
        for command in commands:
            with self.subTest(command=command):
                script = f"source {ROOT}/completions/reckon.bash; COMP_WORDS=(reckon {command} --); COMP_CWORD=2; _reckon; echo ${{COMPREPLY[@]}}"
                # words of `spec`, `compdb` and `import` have options below them only
                if command in ("spec", "compdb", "import"):
                    script = script.replace(" --)", " '')")
                done = subprocess.run(["bash", "-c", script], env=self.environment, capture_output=True, text=True, check=True)
                self.assertRegex(done.stdout, r"--help|check|linux|gir", done.stderr)
        for shell, file in (("zsh", "_reckon"), ("fish", "reckon.fish")):
            text = (ROOT / "completions" / file).read_text()
            for command in commands:
                self.assertRegex(text, rf"\b{command}\b", f"{file} does not know {command}")
            if shutil.which(shell):
                subprocess.run([shell, "-n", str(ROOT / "completions" / file)], check=True, env=self.environment)

    # -- the hook

    def test_pre_commit(self):
        if not shutil.which("pre-commit"):
            self.skipTest("pre-commit is not installed")
        hooks = self.folder / "hooks"
        hooks.mkdir()
        shutil.copy(ROOT / ".pre-commit-hooks.yaml", hooks)

        def git(*words, cwd=self.work):
            subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *words], cwd=cwd, check=True, env=self.environment,
                           capture_output=True)

        for folder in (hooks, self.work):
            git("init", "-q", ".", cwd=folder)
        git("add", "-A", cwd=hooks)
        git("commit", "-qm", "hooks", cwd=hooks)
        head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=hooks, capture_output=True, text=True, check=True).stdout.strip()
        self.write(".pre-commit-config.yaml", f"repos:\n- repo: {hooks}\n  rev: {head}\n  hooks:\n  - id: reckon\n")

        def hook():
            return subprocess.run(["pre-commit", "run", "--all-files"], cwd=self.work, env=self.environment, capture_output=True, text=True)

        git("add", "Python.h", ".pre-commit-config.yaml")
        run = hook()
        self.assertEqual(0, run.returncode, run.stdout + run.stderr)  # headers alone go through
        git("add", "-A")
        run = hook()
        self.assertEqual(1, run.returncode, run.stdout + run.stderr)
        self.assertIn("[python-leak]", run.stdout)


unittest.main(verbosity=1)
