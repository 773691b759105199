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

    def test_schema_takes_what_the_program_takes(self):
        """By a validator of Debian's: the example of docs/config.md and what init writes are valid, mistakes are not."""
        validate = ("import json, sys, tomllib, jsonschema\n"
                    "schema = json.load(open(sys.argv[1]))\n"
                    "kind = jsonschema.validators.validator_for(schema)\n"
                    "kind.check_schema(schema)\n"
                    "print(json.dumps([[e.message for e in kind(schema).iter_errors(tomllib.loads(t))] for t in json.load(sys.stdin)]))")
        if subprocess.run(["/usr/bin/python3", "-c", "import jsonschema, tomllib"], capture_output=True).returncode != 0:
            self.skipTest("python3-jsonschema is not installed")
        good = re.findall(r"```toml\n(.*?)```", (ROOT / "docs/config.md").read_text(), re.S)
        self.assertTrue(good)
        for mark in ("setup.py", "meson.build", "Kbuild"):
            self.write(mark)
            good.append(self.reckon("init", "--print", code=0).stdout)
        bad = ['confidence = "certain"\n', "severity = 3\n", "nonsense = 1\n", 'strict = "yes"\n', "database = 3\n", "specs = [1]\n",
               '[checks]\nenabled = ["x"]\n', '[folders]\n"x" = { fail-on = "sometimes" }\n']
        done = subprocess.run(["/usr/bin/python3", "-c", validate, ROOT / "share/reckon.schema.json"], input=json.dumps(good + bad),
                              capture_output=True, text=True, check=True)
        answers = json.loads(done.stdout)
        self.assertEqual([[] for _ in good], answers[:len(good)])
        for text, answer in zip(bad, answers[len(good):]):
            with self.subTest(text=text):
                self.assertNotEqual([], answer)
                self.write("reckon.toml", text)
                self.reckon("check", "first.c", code=2)  # the program refuses it, too

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
            weight[f["location"]["line"], f["message"]] = (f["trigger"] == "normal", levels.index(f["confidence"]), levels.index(f["severity"]))
        self.assertEqual({True, False}, {nothing_fails for nothing_fails, _, _ in weight.values()})
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

    def commands(self, *above):
        """All commands as word lists: check, spec check, ..."""
        said = self.reckon(*above, "--help", code=0).stdout
        names = re.findall(r"^  ([a-z][a-z-]*) ", said.split("Subcommands:")[1], re.M) if "Subcommands:" in said else []
        below = [[*above, name] for name in names]
        return below + [deeper for words in below for deeper in self.commands(*words)]

    def test_help_fits_a_screen(self):
        commands = self.commands()
        self.assertIn(["spec", "check"], commands)
        for command in [[], *commands]:
            with self.subTest(command=command):
                lines = self.reckon(*command, "--help", code=0).stdout.splitlines()
                self.assertLessEqual(len(lines), 40)
                self.assertEqual([], [line for line in lines if len(line) > 80])
                self.assertNotIn(("", ""), list(zip(lines, lines[1:])))
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

    def test_doctor_of_a_kernel_module(self):
        """Without the kernel's headers the command that init names cannot work."""
        self.write("Kbuild", "obj-m += x.o\n")
        run = self.reckon("doctor")
        makefile = f"/lib/modules/{os.uname().release}/build/Makefile"
        if os.path.exists(makefile):
            self.assertIn(f"ok       {makefile}", run.stdout)
        else:
            self.assertEqual(3, run.returncode)
            self.assertIn(f"missing  {makefile}, which the build needs\n           on Debian: apt-get install linux-headers-", run.stdout)

    # -- what init says to run finds what is there

    def follow_init(self, programs):
        for program in programs:
            if not shutil.which(program):
                self.skipTest(f"{program} is not installed")
        said = self.reckon("init", code=0).stdout
        commands = re.findall(r"^    (.*)$", said, re.M)
        for command in commands:
            run = subprocess.run(["sh", "-c", command], cwd=self.work, env=self.environment, capture_output=True, text=True, timeout=300)
        self.assertEqual(1, run.returncode, run.stdout + run.stderr)
        self.assertIn("3  python-leak", run.stdout)
        # in a folder that is built already, too
        self.assertIn("nothing is missing", self.reckon("doctor", code=0).stdout)

    def test_follow_init_of_setup_py(self):
        if not os.path.exists("/usr/lib/python3/dist-packages/setuptools"):
            self.skipTest("setuptools is not installed")
        self.write("setup.py", "from setuptools import Extension, setup\nsetup(name='f', ext_modules=[Extension('f', ['first.c'])])\n")
        (self.work / "Python.h").unlink()
        self.follow_init(["bear", "python3", "cc"])

    def test_follow_init_of_a_makefile(self):
        self.write("Makefile", "first.o: first.c\n\tcc -I. -c $< -o $@\n")
        self.follow_init(["bear", "make", "cc"])

    def test_follow_init_of_cmake(self):
        self.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.18)\nproject(f C)\nadd_library(f OBJECT first.c)\n")
        self.follow_init(["cmake", "cc"])

    def test_follow_init_of_meson(self):
        self.write("meson.build", "project('f', 'c')\nstatic_library('f', 'first.c')\n")
        self.follow_init(["meson", "ninja", "cc"])

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

    def options(self, command):
        said = self.reckon(*command, "--help-all", code=0).stdout
        named = re.findall(r"^  (?:-\w,)?(--[a-z][a-z-]*)", said, re.M)
        return {"--help", "--help-all", *named}

    def completed(self, shell, *words):
        """What the shell offers for the last of these words."""
        line = " ".join(f"'{word}'" for word in words)
        script = {
            "bash": f"source {ROOT}/completions/reckon.bash; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _reckon; "
                    "printf '%s\n' \"${COMPREPLY[@]}\"",
            # zsh's own functions, which exist in a line editor only, as far as they are called
            "zsh": "compadd() { [[ $1 != -- ]] || shift; print -l -- $@ }; _files() { print files }; _default() { print default }; "
                   f"words=({line}); CURRENT={len(words)}; source {ROOT}/completions/_reckon",
            "fish": f"source {ROOT}/completions/reckon.fish; complete -C '{' '.join(words)}'",
        }[shell]
        options = {"bash": ["--norc"], "zsh": ["-f"], "fish": ["--no-config"]}[shell]
        done = subprocess.run([shell, *options, "-c", script], cwd=self.work, env=self.environment, capture_output=True, text=True, check=True)
        self.assertEqual("", done.stderr)
        return {line.split("\t")[0] for line in done.stdout.splitlines()}

    def complete_everything(self, shell):
        if not shutil.which(shell):
            self.skipTest(f"{shell} is not installed")
        commands = self.commands()
        self.assertIn(["import", "gir"], commands)
        self.assertEqual({words[0] for words in commands if len(words) == 1}, self.completed(shell, "reckon", ""))
        for command in commands:
            with self.subTest(command=command):
                offered = self.completed(shell, "reckon", *command, "--")
                self.assertEqual(self.options(command), {word for word in offered if word.startswith("--")})
                below = {words[-1] for words in commands if words[:-1] == command}
                if below:
                    self.assertEqual(below, self.completed(shell, "reckon", *command, ""))
        # a file that is called as a command is none
        self.assertEqual(self.options(["check"]), {w for w in self.completed(shell, "reckon", "check", "linux", "--") if w.startswith("--")})
        self.assertLessEqual({"leak", "borrowed-return"}, self.completed(shell, "reckon", "explain", ""))
        # libc is what the others build on, and has no checks of its own
        known = [name for spec in (ROOT / "specs").rglob("*.spec") for name in re.findall(r"^domain ([a-z]+)", spec.read_text(), re.M)]
        self.assertEqual(set(known) - {"libc"}, {word.removeprefix("--domain=") for word in self.completed(shell, "reckon", "check", "--domain", "")})
        formats = {word.removeprefix("--format=") for word in self.completed(shell, "reckon", "check", "--format", "")}
        self.assertEqual({"text", "json", "sarif", "github", "gitlab", "rchk", "html"}, formats)

    def test_completion_in_bash(self):
        self.complete_everything("bash")

    def test_completion_in_zsh(self):
        self.complete_everything("zsh")

    def test_completion_in_fish(self):
        self.complete_everything("fish")

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
