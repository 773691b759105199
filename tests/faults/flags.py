#!/usr/bin/env python3
"""No flag of a compilation database and no source runs a program or writes a file.

Each line of flags.txt becomes a unit of a compilation database in a fresh folder; reckon checks them under strace.
Judged: programs that were started, files opened for writing, made, renamed or removed outside the cache, the report and
the folder for temporary files, what the folder holds afterwards, and which flags -v names as left out.

Usage: flags.py RECKON
"""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
WRITERS = "mkdir,mkdirat,rename,renameat,renameat2,unlink,unlinkat,rmdir,link,linkat,symlink,symlinkat,truncate,chmod," \
          "fchmodat,mknod,mknodat,utimensat,creat"
LEFT_OUT = "flags that Clang does not know or that do not change the program, dropped:"
EVIL = "#!/bin/sh\necho ran >> \"$(dirname \"$0\")/RAN\"\necho sm_70\n"

# Sources that ask for a file or for modules without any flag.
SOURCES = {
    "pragma_module.c": "#pragma clang module build foo\nmodule foo {}\n#pragma clang module contents\nint q;\n"
                       "#pragma clang module endbuild\n#pragma clang module import foo\n",
    "pragma_import.c": "#pragma clang module import stdio\n",
    "pragma_load.c": "#pragma clang module load foo\n",
    "import.cpp": "import foo;\nint f() { return 1; }\n",
    "import_header.cpp": "import <cstdio>;\nint f() { return 1; }\n",
    "module.cpp": "export module foo;\nexport int f() { return 1; }\n",
    "at_import.c": "@import foo;\n",
}


def read_tries():
    tries = []
    for number, line in enumerate((HERE / "flags.txt").read_text().splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            kind, text = line.split(None, 1)
            assert kind in ("drop", "hush", "keep", "part", "fail", "lang"), f"flags.txt:{number}: {kind}"
            tries.append((kind, number, text))
    return tries


def make_project(folder, tries):
    """Returns the names that flags.txt uses."""
    names = {"evil": folder / "evil.sh", "out": folder / "written", "yaml": folder / "overlay.yaml",
             "map": folder / "module.modulemap", "cfg": folder / "clang.cfg", "rsp": folder / "words"}
    names["evil"].write_text(EVIL)
    names["evil"].chmod(0o755)
    names["yaml"].write_text('{"version": 0, "roots": []}\n')
    names["map"].write_text('module foo { header "words.h" export * }\n')
    names["cfg"].write_text(f"--target=nvptx64-nvidia-cuda -march=native --nvptx-arch-tool={names['evil']}\n")
    names["rsp"].write_text("-DX=1\n")
    (folder / "words.h").write_text("#define FROM_WORDS 1\n")
    (folder / "canary").write_text("canary\n")
    entries = []

    def add(file, text, flags):
        (folder / file).write_text(text)
        entries.append({"directory": str(folder), "file": file, "arguments": ["cc", *flags, "-c", file]})

    for kind, number, text in tries:
        flags = shlex.split(text.format(**names))
        source = f"{kind}{number}.c"
        if kind == "fail":  # its last flag takes the file's name for its value
            (folder / source).write_text("int f(void) { return 0; }\n")
            entries.append({"directory": str(folder), "file": source, "arguments": ["cc", source, *flags]})
        else:
            add(source, "int f(void) { return 0; }\n", flags)
    return names, entries, add


def snapshot(folder):
    return {str(p.relative_to(folder)): p.read_bytes() if p.is_file() else None for p in sorted(folder.rglob("*"))}


def run(reckon, base, folder, entries):
    (folder / "compile_commands.json").write_text(json.dumps(entries))
    for name in ("home", "tmp"):
        (base / name).mkdir(exist_ok=True)
    before = snapshot(folder)
    trace = base / "trace"
    # The leak sanitizer does not work under strace.
    sanitizer = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
    done = subprocess.run(
        ["strace", "-f", "-qq", "-s", "4096", "-o", str(trace), "-e", f"trace=execve,execveat,open,openat,{WRITERS}",
         reckon, "check", "-v", "--cache", str(base / "cache"), "--output", str(base / "report"),
         "-p", str(folder)], cwd=folder, capture_output=True, text=True, errors="replace",
        env={**os.environ, "HOME": str(base / "home"), "TMPDIR": str(base / "tmp"), "ASAN_OPTIONS": sanitizer},
        timeout=900)
    problems = judge_trace(trace.read_text(errors="replace"), base)
    after = snapshot(folder)
    if before != after:
        changed = sorted(set(before) ^ set(after)) or [n for n in before if before[n] != after[n]]
        problems.append("the project's folder has changed: " + ", ".join(changed))
    left = [p.name for p in (base / "tmp").iterdir()]
    if left:
        problems.append("left in the folder for temporary files: " + ", ".join(left))
    report = base / "report"
    return done, report.read_text() if report.exists() else "", problems


def whole_lines(text):
    """A call that another process interrupts stands in two lines."""
    waiting, lines = {}, []
    for line in text.splitlines():
        pid = line.split(None, 1)[0]
        if line.endswith("<unfinished ...>"):
            waiting[pid] = line[:-len("<unfinished ...>")]
        elif resumed := re.search(r"<\.\.\. \w+ resumed>(.*)", line):
            lines.append(waiting.pop(pid, "") + resumed.group(1))
        else:
            lines.append(line)
    return lines + list(waiting.values())


def judge_trace(text, base):
    problems = []
    lines = whole_lines(text)
    programs = [line for line in lines if re.search(r"\bexecve(at)?\(", line) and "= -1 E" not in line]
    if len(programs) != 1:
        problems += ["a program was run: " + line for line in programs[1:]] or ["strace saw no program at all"]
    # A report is written beside its place and renamed.
    own = [str(base / name) for name in ("cache", "report", "home", ".report")]
    writing = re.compile(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC")
    for line in lines:
        call = re.search(r"\b(\w+)\((.*)", line)
        if call is None or call.group(1).startswith("execve") or re.search(r"= -1 E", line):
            continue
        if call.group(1) in ("open", "openat") and not writing.search(call.group(2)):
            continue
        paths = re.findall(r'"((?:[^"\\]|\\.)*)"', call.group(2))
        for path in paths:
            if path in ("/dev/null", "/dev/tty") or path.startswith("/proc/self/") or \
                    any(path == o or path.startswith(o + "/") or path.startswith(o + ".") for o in own):
                continue
            problems.append("a file was written: " + line)
            break
    return problems


def words_expected(text):
    """What -v must name for a line of flags.txt."""
    flags = shlex.split(text)
    first = flags[0]
    if first in ("-Xclang", "-Xpreprocessor"):
        return flags[1] if flags[1] != "-Xclang" else flags[3]
    if first.startswith("-Xclang="):
        return first[len("-Xclang="):]
    if first.startswith("-Wp,"):
        return first.split(",")[1]
    return first


def main():
    reckon = os.path.abspath(sys.argv[1])
    problems = []
    tries = read_tries()
    assert len(tries) >= 200, "flags.txt holds fewer than 200 tries"
    for kinds in (("drop", "part", "lang"), ("hush",), ("keep",), ("fail",), ("source",)):
        with tempfile.TemporaryDirectory(prefix="reckon-flags-") as temp:
            base = pathlib.Path(temp).resolve()
            folder = base / "project"
            folder.mkdir()
            chosen = [t for t in tries if t[0] in kinds]
            names, entries, add = make_project(folder, chosen)
            if kinds == ("source",):
                for file, text in SOURCES.items():
                    add(file, text, ["-std=c++20"] if file.endswith("pp") else [])
            done, report, found = run(reckon, base, folder, entries)
            problems += [f"{'/'.join(kinds)}: {p}" for p in found]
            if done.returncode not in ((0,) if kinds[0] in ("drop", "hush", "keep") else (0, 3)):
                problems.append(f"{kinds[0]}: exit code {done.returncode}")
            failed = set(re.findall(r"/((?:drop|part|hush|keep|fail|lang)\d+)\.c: not analysed", done.stderr))
            if kinds[0] != "fail":
                problems += [f"{f}: not captured" for f in sorted(failed)]
            else:
                problems += [f"{k}{n}: captured" for k, n, _ in chosen if f"{k}{n}" not in failed]
            units = re.search(r"(\d+) units?: (\d+) captured", report)
            wanted = sum(t[0] not in ("lang", "fail") for t in chosen)
            if kinds != ("source",) and (not units or int(units.group(2)) != wanted):
                problems.append(f"{kinds[0]}: {units and units.group(0)}, {wanted} expected")
            named = " ".join(line.split(LEFT_OUT, 1)[1] for line in done.stderr.splitlines() if LEFT_OUT in line) + " "
            if kinds[0] == "drop":
                for kind, number, text in chosen:
                    word = words_expected(text.format(**names))
                    if kind == "drop" and f" {word}" not in named:
                        problems.append(f"flags.txt:{number}: {word} is not named as left out")
            elif kinds[0] in ("hush", "keep") and named.strip():
                problems.append(f"{kinds[0]}: named as left out: {named}")
            if problems and os.environ.get("VERBOSE"):
                print(done.stderr)
    for problem in problems:
        print(problem)
    print(f"{len(tries)} tries of flags and {len(SOURCES)} of sources, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
