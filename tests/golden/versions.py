#!/usr/bin/env python3
"""Runs the golden tests of Python, and the bundled example, against the headers of every CPython the machine has.

The same API is spelled as macros in old headers, as inline functions in newer ones, and with immortal objects since
3.12; the findings have to be the same, but for marks that name versions (EXPECTATIONS.md). Headers are looked for under
the system's include folder and where pyenv keeps its versions: 2.7, and 3.8 and later. The last line says which were
used and which of those asked for are not there.

Usage: versions.py --reckon PROGRAM [--only VERSION] AREA
Exit: 0 all as expected, 1 surprises with some version, 77 no headers found.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
ASKED = ("2.7", "3.8", "3.9", "3.10", "3.11", "3.12", "3.13")
EXAMPLE = HERE.parents[1] / "examples" / "spam" / "spammodule.c"


def numbers(version):
    return [int(n) for n in version.split(".")]


def headers():
    """{"3.11": folder}, each with a Python.h; the system's own first."""
    found = {}
    pyenv = pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path.home() / ".pyenv")) / "versions"
    for folder in [*pathlib.Path("/usr/include").glob("python*"), *sorted(pyenv.glob("*/include/python*"))]:
        version = re.fullmatch(r"python(\d\.\d+)", folder.name)
        if version and (folder / "Python.h").is_file() and (version[1] == "2.7" or numbers(version[1]) >= [3, 8]):
            found.setdefault(version[1], folder)
    return dict(sorted(found.items(), key=lambda item: numbers(item[0])))


def golden(reckon, area, folder):
    """Surprises in the area, as (number, what was printed)."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = pathlib.Path(scratch) / area.name
        shutil.copytree(area, copy)
        (copy / "flags").write_text(f"-I. -I{folder}\n")
        if folder.name == "python2.7":
            (copy / "flags-c++").write_text("-std=c++14\n")  # its headers say `register`
        run = subprocess.run([sys.executable, str(HERE / "run.py"), "--reckon", reckon, str(copy)], capture_output=True, text=True)
    count = re.search(r"surprises (\d+)", run.stdout)
    return (int(count[1]) if count else None), run.stdout + run.stderr


def example(reckon, area, folder):
    """Is the bundled example answered as with any other version? And what was printed."""
    older = [f"-I{area}", "-include", "pycompat.h"] if folder.name == "python2.7" else []  # it is written for 3.x
    run = subprocess.run([sys.executable, str(HERE.parent / "example" / "check.py"), reckon, str(EXAMPLE), *older, f"-I{folder}"],
                         capture_output=True, text=True)
    return run.returncode == 0, run.stdout + run.stderr


def main():
    parser = argparse.ArgumentParser(description="Golden tests against the headers of several versions.")
    parser.add_argument("--reckon", required=True, help="the program to test")
    parser.add_argument("--only", help="one version")
    parser.add_argument("area", type=pathlib.Path)
    arguments = parser.parse_args()
    versions, failed = headers(), False
    if arguments.only:
        versions = {v: folder for v, folder in versions.items() if v == arguments.only}
    if not versions:
        print("versions: no headers found")
        return SKIPPED
    for version, folder in versions.items():
        surprises, out = golden(arguments.reckon, arguments.area, folder)
        same, told = example(arguments.reckon, arguments.area.resolve(), folder)
        print(f"{version}: {'not run' if surprises is None else surprises} surprises; example "
              f"{'as expected' if same else 'WRONG'} ({folder})")
        if surprises != 0:
            print("".join(f"  {line}\n" for line in out.splitlines()), end="")
        if not same:
            print("".join(f"  {line}\n" for line in told.splitlines()), end="")
        failed = failed or surprises != 0 or not same
    missing = [v for v in ASKED if v not in headers()]
    print(f"versions: {', '.join(versions)}" + (f"; not on this machine: {', '.join(missing)}" if missing else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
