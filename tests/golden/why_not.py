#!/usr/bin/env python3
"""Asks `--why-not` about bugs that golden sources know to be missed, and expects the reason by its name.

MISSES lists functions named FN_ with the reason (a row of src/engine/core/silence.def) that the answer must give for one
of the lines with their mark, or for the line that a row names. A miss that is found one day has to leave this list.

Usage: why_not.py --reckon PROGRAM
Exit: 0 all are explained, 1 one is not, 2 something could not be run.
"""
import argparse
import pathlib
import re
import subprocess
import sys

import run

# (area, file, function, reason)
MISSES = [
    ("linux", "devices.c", "FN_DV14_keeps_without_taking", "NobodyReleases"),
    ("linux", "rewritten.c", "FN_struct_in_struct", "OutOfSight"),
    ("linux", "taken.c", "FN_mill_probe", "CallersKnow"),
    ("python", "remembered.c", "FN_item_left_in_structure", "NobodyReleases"),
    ("python", "rewritten.c", "FN_text_while_raised", "HelperUnderException"),
    ("python", "rewritten.c", "FN_text_in_a_struct", "FailureUnnoticed"),
    ("python", "rewritten.c", "FN_remembered_by_helper", "NobodyReleases"),
    ("r", "reach.c", "FN_array_filled_in_loop", "OlderForgotten"),
    ("r", "rewritten.c", "FN_text_of_unprotected", "PointerInto"),
]


def answer(reckon, area, source, line):
    (flags, options, _), = run.groups(area, [source])
    command = [reckon, "check", "--no-cache", "-q", *options, "--why-not", f"{source.path.name}:{line}", str(source.path), "--",
               *flags]
    done = subprocess.run(command, capture_output=True, text=True, cwd=area)
    if done.returncode not in (0, 1):
        raise run.AreaError(f"exit code {done.returncode} from {' '.join(command)}\n{done.stderr.strip()}")
    return done.stdout


def explain(reckon, golden, area, file, name, reason):
    """What is wrong with the answer; "" if nothing is."""
    area = (golden / area).resolve()
    source = run.Source(area / file)
    source.version = run.header_version(area, run.read_words(area / "flags"))
    if source.version and source.needs and source.version < source.needs:
        return ""
    function = next((f for f in source.functions if f.name == name), None)
    if function is None:
        return f"{file} has no function {name}"
    lines = [m.line for m in source.of_kind("expect-not-yet") if function.line <= m.line <= function.last]
    text = answer(reckon, area, source, lines[0])
    named = sorted(set(re.findall(r"\((\w+)\)$", text.partition("  exit at")[0], re.M)))
    return "" if reason in named else f"{file}:{lines[0]}: {name} is to be missed because of {reason}; the answer has {named}"


def main():
    parser = argparse.ArgumentParser(description="Are known misses explained?")
    parser.add_argument("--reckon", required=True)
    arguments = parser.parse_args()
    golden = pathlib.Path(__file__).parent
    try:
        wrong = [w for w in (explain(arguments.reckon, golden, *miss) for miss in MISSES) if w]
    except (run.AreaError, OSError) as error:
        print(f"why-not: {error}", file=sys.stderr)
        return 2
    print("\n".join(wrong) if wrong else f"why-not: {len(MISSES)} misses are explained")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
