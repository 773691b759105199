#!/usr/bin/env python3
"""Random programs with a known answer, over the mock protection stack (node.h) and the mock named count (dev.h).

As run.py, which does the same for counted objects: generates programs, runs each under every choice, and compares what
goes wrong there with what reckon says. Exit status 1 when something is missed or too many clean programs are flagged.

usage: run_mock.py node|dev --reckon PROGRAM [--count N] [--seed S] [--keep FOLDER] [--show N] [--only NUMBER]
"""

import argparse
import importlib
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
PER_FILE = 200
# By API: the module that generates, and for each class of errors its bit and the checks that stand for it.
# Runs show what callers can tell apart, not what is wrong by what a function took and gave back itself.
BEYOND_RUNS = ("count-left", "failure-keeps")
PROFILES = {
    "node": ("generate_nodes", {"unprotected": (1, ("unprotected", "unprotected-arg", "arguments")), "balance": (2, ("imbalance", "negative-depth"))}),
    "dev": ("generate_devs", {"pair": (1, ("path-pair", "state-pair", "failure-keeps", "count-left", "leak", "over-release"))}),
}


def on_purpose(api, function, earlier):
    """A bit for what counts as meant in this function: one that only pops, or only pushes what it was given, does so for
    its callers; and so does one that does nothing else but call such functions."""
    if api != "node":
        return 0
    text = function.text()
    for f in earlier:
        if f.meant and f.name + "(" in text:
            text += "unprotect(" if "unprotect(" in f.text() else "protect(x)"
    pops = "unprotect(" in text
    pushed = re.findall(r"\bprotect\((\w*)", text)
    given = all(any(k == "node" and n == p for k, n in function.params) for p in pushed)
    return 2 if (pops and not pushed and function.result == "void") or (pushed and not pops and given) else 0


def program_of(function):
    return int(function[1:].split("_")[0])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("api", choices=PROFILES)
    parser.add_argument("--reckon", required=True)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--keep")
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--only", type=int)
    parser.add_argument("--known", default="", help="misses that are known, as FN_ tests in tests/golden/random: NUMBER,...")
    parser.add_argument("--cc", default="cc")
    options = parser.parse_args()
    module, classes = PROFILES[options.api]
    known = {int(n) for n in options.known.split(",") if n}
    generate = importlib.import_module(module)
    numbers = [options.only] if options.only is not None else list(range(options.count))
    parts = [numbers[i : i + PER_FILE] for i in range(0, len(numbers), PER_FILE)]
    texts, truth, meant = {}, {n: (0, 0, 0) for n in numbers}, {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or temporary
        os.makedirs(folder, exist_ok=True)
        for k, part in enumerate(parts):
            with open(f"{folder}/prog{k}.c", "w") as prog, open(f"{folder}/drive{k}.c", "w") as drive:
                prog.write(f'#include "{options.api}.h"\n')
                drive.write(f'#include "{options.api}_runtime.h"\n')
                table = ""
                for number in part:
                    functions = generate.make_program(options.seed, number)
                    texts[number] = "\n".join(f.text() for f in functions)
                    prog.write(texts[number] + "\n")
                    for f in functions:
                        f.meant = meant[f.name] = on_purpose(options.api, f, functions[: functions.index(f)])
                        text, ints = f.driver()
                        drive.write(f.signature() + ";\n" + text)
                        table += f'  {{"{f.name}", {ints}, drive_{f.name}}},\n'
                drive.write("const struct driven driven_functions[] = {\n" + table + "  {0, 0, 0}};\n")
            exe = f"{folder}/run{k}"
            subprocess.run([options.cc, "-O1", "-w", "-I", HERE, "-o", exe, f"{folder}/prog{k}.c", f"{folder}/drive{k}.c",
                            f"{HERE}/{options.api}_runtime.c"], check=True)
            for line in subprocess.run([exe], check=True, capture_output=True, text=True, timeout=120).stdout.splitlines():
                name, primary, secondary, bounded = line.split()
                p, s, b = truth[program_of(name)]
                truth[program_of(name)] = (p | int(primary) & ~meant[name], s | int(secondary) | int(primary) & meant[name], b | int(bounded))
        files = [f"{folder}/prog{k}.c" for k in range(len(parts))]
        done = subprocess.run([options.reckon, "check", "--no-cache", "-q", "--format=json", "--checks=*,*-state-pair", "--specs", f"{HERE}/{options.api}.spec",
                               *files, "--", f"-I{HERE}"], capture_output=True, text=True)
        if done.returncode not in (0, 1):
            sys.exit(f"reckon ended with {done.returncode}:\n{done.stderr}")

    said, findings, other = {}, {}, set()
    for line in done.stdout.splitlines():
        f = json.loads(line)
        number, kind = program_of(f["function"]), f["check"].split("-", 1)[1]
        findings.setdefault(number, []).append(f)
        bit = next((b for b, kinds in classes.values() if kind in kinds), 0)
        if (not bit or not truth[number][0]) and kind in BEYOND_RUNS:
            continue
        if not bit:
            other.add(number)
        said[number] = said.get(number, 0) | bit

    clean = [n for n in numbers if truth[n][0] == 0]
    flagged = [n for n in clean if said.get(n, 0) & ~truth[n][1] or n in other]
    print(f"{len(numbers)} programs, seed {options.seed}: {len(clean)} clean, {len(numbers) - len(clean)} not; "
          f"{sum(truth[n][2] for n in numbers)} with a bounded search")
    print(f"clean programs flagged: {len(flagged)} ({100.0 * len(flagged) / max(1, len(clean)):.2f}%)")
    lists, missed_any = [("flagged", flagged)], False
    for name, (bit, _) in classes.items():
        missed = [n for n in numbers if truth[n][0] & bit and not said.get(n, 0) & bit]
        wrong = [n for n in numbers if truth[n][0] and said.get(n, 0) & bit and not (truth[n][0] | truth[n][1]) & bit]
        print(f"{name:11}: {sum(1 for n in numbers if truth[n][0] & bit)} programs have it, missed in {len(missed)}; "
              f"said of {len(wrong)} programs with another error only")
        lists += [("missed " + name, missed), ("wrong " + name, wrong)]
        missed_any = missed_any or bool(set(missed) - known)

    def show(n):
        print(f"--- program {n}: runs say {truth[n][0]} (then {truth[n][1]}), reckon says:")
        for f in findings.get(n, []):
            print(f"    {f['location']['line']}: {f['function']}: {f['message']} [{f['check']}]")
        print(texts[n])

    for title, list_ in lists:
        if list_:
            print(title + ":", " ".join(map(str, list_[:30])))
        for n in sorted(list_, key=lambda n: len(texts[n]))[: options.show]:
            show(n)
    if options.only is not None:
        show(options.only)
    return 1 if missed_any or len(flagged) > 0.01 * len(clean) else 0


if __name__ == "__main__":
    sys.exit(main())
