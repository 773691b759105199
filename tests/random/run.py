#!/usr/bin/env python3
"""Random programs with a known answer.

Generates programs, runs each under every choice of failures and small inputs, and compares what goes wrong there
with what reckon says. Exit status 1 when something is missed or too many clean programs are flagged.

usage: run.py --reckon PROGRAM [--count N] [--seed S] [--keep FOLDER] [--show N] [--only NUMBER]
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import generate  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
LEAK, OVER, USE, NULL, PAIR, MIX = 1, 2, 4, 8, 16, 32
NAMES = {LEAK: "leak", OVER | USE: "release", PAIR: "pair", MIX: "mix"}
CLASSES = list(NAMES)
PER_FILE = 200
TESTS_ARGUMENT = re.compile(r"if \((\w+ && )?[xl]\b( &&|\))|thing_xput\([xl]\)")


def program_of(function):
    return int(function[1:].split("_")[0])


def classify(finding):
    check = finding["check"]
    pair = bool(finding.get("other-path") or finding.get("other_path")) or "argument" in finding["message"]
    if check.endswith("-path-pair") or check.endswith("failure-keeps"):
        return PAIR
    if check.endswith("-leak"):
        return PAIR if pair else LEAK
    # An argument given up twice is wrong by itself, and beside every path that gives it up less often.
    if check.endswith("-over-release") and finding["message"].startswith("argument") and "given up before" in finding["message"]:
        return PAIR | OVER | USE
    if check.endswith("-over-release") or check.endswith("-use-after-release"):
        return PAIR if pair and check.endswith("-over-release") else OVER | USE
    if check.endswith("-ownership-mix"):
        return MIX
    return NULL


def compile_and_run(folder, parts, texts, compiler):
    """What the runs say: program -> (primary, secondary, bounded)."""
    truth = {}
    jobs = []
    for k in range(len(parts)):
        exe = os.path.join(folder, f"run{k}")
        command = [compiler, "-O0", "-w", "-I", HERE, "-o", exe, f"{folder}/prog{k}.c", f"{folder}/drive{k}.c", f"{HERE}/runtime.c"]
        jobs.append((exe, command))
    for exe, command in jobs:
        subprocess.run(command, check=True)
        out = subprocess.run([exe], check=True, capture_output=True, text=True, timeout=60).stdout
        for line in out.splitlines():
            name, primary, secondary, without, _, bounded = line.split()
            p, s, b = truth.get(program_of(name), (0, 0, 0))
            # An argument that is NULL counts where the function looks for that; the callers of others do not pass it.
            allowed = int(without) if TESTS_ARGUMENT.search(texts[program_of(name)]) else int(without) & ~NULL
            truth[program_of(name)] = (p | int(primary), s | int(secondary) | allowed, b | int(bounded))
    return truth


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--reckon", required=True)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--keep")
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--only", type=int)
    parser.add_argument("--skip", default="", help="do not show programs that hold this text")
    parser.add_argument("--cc", default="cc")
    options = parser.parse_args()

    numbers = [options.only] if options.only is not None else list(range(options.count))
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or temporary
        os.makedirs(folder, exist_ok=True)
        texts, parts = {}, [numbers[i : i + PER_FILE] for i in range(0, len(numbers), PER_FILE)]
        for k, part in enumerate(parts):
            with open(f"{folder}/prog{k}.c", "w") as prog, open(f"{folder}/drive{k}.c", "w") as drive:
                prog.write('#include "thing.h"\n')
                drive.write('#include "runtime.h"\n')
                table = []
                for number in part:
                    functions = generate.make_program(options.seed, number)
                    texts[number] = "\n".join(f.text() for f in functions)
                    prog.write(texts[number] + "\n")
                    for f in functions:
                        text, ints, things = f.driver()
                        drive.write(f.signature() + ";\n" + text)
                        table.append(f'  {{"{f.name}", {ints}, {things}, drive_{f.name}}},\n')
                drive.write("const struct driven driven_functions[] = {\n" + "".join(table) + "  {0, 0, 0, 0}};\n")
        files = [f"{folder}/prog{k}.c" for k in range(len(parts))]
        truth = compile_and_run(folder, parts, texts, options.cc)
        command = [options.reckon, "check", "--no-cache", "-q", "--format=json", "--specs", f"{HERE}/thing.spec", *files, "--", f"-I{HERE}"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode not in (0, 1):
            sys.exit(f"reckon ended with {done.returncode}:\n{done.stderr}")

    said, findings = {}, {}
    for line in done.stdout.splitlines():
        f = json.loads(line)
        number = program_of(f["function"])
        said[number] = said.get(number, 0) | classify(f)
        findings.setdefault(number, []).append(f)

    clean = [n for n in numbers if truth[n][0] == 0]
    flagged = [n for n in clean if any(said.get(n, 0) & c and not truth[n][1] & c for c in CLASSES + [NULL])]
    missed, wrong = {}, {}
    for n in numbers:
        primary, secondary, _ = truth[n]
        for c in CLASSES:
            if primary & c and not said.get(n, 0) & c:
                missed.setdefault(c, []).append(n)
            if said.get(n, 0) & c and not (primary | secondary) & c and primary:
                wrong.setdefault(c, []).append(n)

    def show(n):
        print(f"--- program {n}: runs say {truth[n][0]} (then {truth[n][1]}), reckon says:")
        for f in findings.get(n, []):
            print(f"    {f['location']['line']}: {f['function']}: {f['message']} [{f['check']}]")
        print(texts[n])

    print(f"{len(numbers)} programs, seed {options.seed}: {len(clean)} clean, {len(numbers) - len(clean)} not; "
          f"{sum(truth[n][2] for n in numbers)} with a bounded search")
    print(f"clean programs flagged: {len(flagged)} ({100.0 * len(flagged) / max(1, len(clean)):.2f}%)")
    for c in CLASSES:
        have = sum(1 for n in numbers if truth[n][0] & c)
        print(f"{NAMES[c]:8}: {have} programs have it, missed in {len(missed.get(c, []))}; "
              f"said of {len(wrong.get(c, []))} programs with another error only")
    shown = 0
    for title, list_ in [("flagged", flagged)] + [("missed " + NAMES[c], missed.get(c, [])) for c in CLASSES] + [
            ("wrong " + NAMES[c], wrong.get(c, [])) for c in CLASSES]:
        if list_:
            print(title + ":", " ".join(map(str, list_[:30])))
        if options.skip:
            list_ = [n for n in list_ if options.skip not in texts[n]]
        for n in sorted(list_, key=lambda n: len(texts[n]))[: options.show]:
            show(n)
            shown += 1
    if options.only is not None:
        show(options.only)
    bad = any(missed.values()) or len(flagged) > 0.01 * len(clean)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
