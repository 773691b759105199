#!/usr/bin/env python3
"""Functions beyond all measure end within the budget.

Generates functions with thousands of branches, cases, nested conditions, calls and loops over the mock API of
tests/random, and lets reckon check each. Every function must end up analysed in full or cut short with a reason, and what
is plainly wrong in a function that was analysed in full must have been found. How long it takes is not looked at: the test
runner's limit is enough to tell an analysis that does not end.

usage: run.py --reckon PROGRAM [--only NAME] [--keep FOLDER] [--divide N]

--divide N makes the functions smaller, for a program that the sanitizers slow down. With 4 some are still cut short for their
exits and for their states; states that grow too large are a test of their own (Cost.ManyObjectsInOneState).
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
MOCK = os.path.join(os.path.dirname(HERE), "random")


def function(name, params, lines):
    return f"int {name}({params}) {{\n" + "\n".join(lines) + "\n}\n"


def branches_plain(n):
    """Branches that change a number only, while an object is owned."""
    lines = ["struct thing *t = thing_new();", "int k = 0;", "if (!t) return -1;"]
    lines += [f"if (a > {i}) k += {i % 7};" for i in range(n)]
    return function("branches_plain", "int a", lines + ["thing_put(t);", "return k;"])


def branches_unrelated(n):
    """The same, and no two conditions have to do with each other."""
    lines = ["struct thing *t = thing_new();", "int k = 0;", "if (!t) return -1;"]
    lines += [f"if (choose()) k += {i % 7};" for i in range(n)]
    return function("branches_unrelated", "void", lines + ["thing_put(t);", "return k;"])


def branches_get_put(n):
    lines = [f"if (choose()) {{ thing_get(x); if (thing_use(x) < 0) {{ thing_put(x); return -1; }} thing_put(x); }}" for _ in range(n)]
    return function("branches_get_put", "struct thing *x", lines + ["return 0;"])


def branches_owned(n):
    """Each branch may own one more object of its own."""
    lines = [f"struct thing *t{i} = 0;" for i in range(n)]
    lines += [f"if (choose()) t{i} = thing_new();" for i in range(n)]
    lines += [f"thing_xput(t{i});" for i in range(n)]
    return function("branches_owned", "void", lines + ["return 0;"])


def else_if(n):
    lines = ["struct thing *t = thing_new();", "if (!t) return -1;"]
    lines += [f"{'else ' if i else ''}if (a == {i * 3}) thing_peek(t);" for i in range(n)]
    return function("else_if", "int a", lines + ["thing_put(t);", "return 0;"])


def cleanup_ladder(n):
    """n objects, each failure releases those before it."""
    lines = [f"struct thing *t{i};" for i in range(n)]
    for i in range(n):
        lines += [f"t{i} = thing_new();", f"if (!t{i}) goto e{i};"]
    lines += ["return 0;" if n < 0 else f"thing_put(t{n - 1});"]
    for i in range(n - 1, 0, -1):
        lines += [f"e{i}: thing_put(t{i - 1});"]
    return function("cleanup_ladder", "void", lines + ["e0: return 0;"])


def switch_cases(n):
    lines = ["struct thing *t = thing_new();", "if (!t) return -1;", "switch (a) {"]
    for i in range(n):
        lines.append(f"case {i}: thing_get(x); thing_peek(x); thing_put(x); break;" if i % 2 else
                     f"case {i}: if (thing_use(t) < 0) {{ thing_put(t); return {-i - 1}; }} break;")
    return function("switch_cases", "int a, struct thing *x", lines + ["default: break;", "}", "thing_put(t);", "return 0;"])


def switch_leaks(n):
    """Every third case forgets the object."""
    lines = ["struct thing *t = thing_new();", "if (!t) return -1;", "switch (a) {"]
    lines += [f"case {i}: {'' if i % 3 == 0 else 'thing_put(t); '}return {i};" for i in range(n)]
    return function("switch_leaks", "int a", lines + ["}", "thing_put(t);", "return 0;"])


def nested(n):
    lines = ["struct thing *t = thing_new();", "if (!t) return -1;"]
    lines += ["if (choose()) {" for _ in range(n)] + ["thing_peek(t);"] + ["} else thing_peek(t);" for _ in range(n)]
    return function("nested", "void", lines + ["thing_put(t);", "return 0;"])


def nested_owning(n):
    """Each level owns an object of its own."""
    lines = []
    for i in range(n):
        lines.append(f"{{ struct thing *t{i} = thing_new(); if (t{i}) {{")
    for i in range(n - 1, -1, -1):
        lines.append(f"thing_put(t{i}); }} }}")
    return function("nested_owning", "void", lines + ["return 0;"])


def nested_loops(n):
    lines = ["struct thing *t;"] + [f"for (int i{i} = 0; i{i} < a; i{i}++) {{" for i in range(n)]
    lines += ["t = thing_new();", "if (!t) return -1;", "thing_put(t);"] + ["}" for _ in range(n)]
    return function("nested_loops", "int a", lines + ["return 0;"])


def many_calls(n):
    lines = ["struct thing *t = thing_new();", "if (!t) return -1;"]
    lines += ["if (thing_use(t) < 0) goto out;" for _ in range(n)]
    return function("many_calls", "void", lines + ["out: thing_put(t);", "return 0;"])


def many_gotos(n):
    lines = ["struct thing *t = thing_new();", "if (!t) return -1;"]
    lines += [f"l{i}: if (choose()) goto l{(i * 7919 + 13) % n};" for i in range(n)]
    return function("many_gotos", "void", lines + ["thing_put(t);", "return 0;"])


def chain(n):
    text = "static int deep0(struct thing *t) { thing_get(t); return 0; }\n"
    for i in range(1, n):
        text += f"static int deep{i}(struct thing *t) {{ if (choose()) return -1; return deep{i - 1}(t); }}\n"
    return text + function("chain", "void", ["struct thing *t = thing_new();", "if (!t) return -1;",
                                             f"if (deep{n - 1}(t) == 0) thing_put(t);", "thing_put(t);", "return 0;"])


def recursion(n):
    body = ["struct thing *t = thing_new();", "if (!t) return -1;", "if (a > 0) {"]
    body += [f"if (a == {i}) recursion(a - {i + 1}, t);" for i in range(n)]
    return function("recursion", "int a, struct thing *x", body + ["}", "thing_put(t);", "return recursion(a - 1, x);"])


def ring(n):
    """Each function calls the next, the last the first."""
    text = "".join(f"int ring{i}(int a, struct thing *x);\n" for i in range(n))
    for i in range(n):
        text += function(f"ring{i}", "int a, struct thing *x", ["if (a < 0) return 0;", "thing_get(x);",
                         f"if (ring{(i + 1) % n}(a - 1, x) < 0) {{ thing_put(x); return -1; }}", "thing_put(x);", "return 0;"])
    return text


def knot(n):
    """Each function calls every other one."""
    text = "".join(f"int knot{i}(int a, struct thing *x);\n" for i in range(n))
    for i in range(n):
        body = ["struct thing *t = thing_new();", "if (!t) return -1;"]
        body += [f"if (knot{j}(a - 1, t) < 0) goto out;" for j in range(n) if j != i]
        text += function(f"knot{i}", "int a, struct thing *x", body + ["out: thing_put(t);", "return 0;"])
    return text


CASES = {
    "branches_plain": (branches_plain, 10000), "branches_unrelated": (branches_unrelated, 10000),
    "branches_get_put": (branches_get_put, 2500), "branches_owned": (branches_owned, 500), "else_if": (else_if, 2000),
    "cleanup_ladder": (cleanup_ladder, 1000), "switch_cases": (switch_cases, 2000), "switch_leaks": (switch_leaks, 2000),
    "nested": (nested, 500), "nested_owning": (nested_owning, 500), "nested_loops": (nested_loops, 60),
    "many_calls": (many_calls, 5000), "many_gotos": (many_gotos, 1000), "chain": (chain, 2000), "recursion": (recursion, 500),
    "ring": (ring, 300), "knot": (knot, 30),
}
MUST_FIND = {"switch_leaks": "thing-leak"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--reckon", required=True)
    parser.add_argument("--only")
    parser.add_argument("--keep")
    parser.add_argument("--divide", type=int, default=1)
    options = parser.parse_args()
    problems = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or temporary
        os.makedirs(folder, exist_ok=True)
        for name, (make, n) in CASES.items():
            if options.only and name != options.only:
                continue
            n //= options.divide
            path = os.path.join(folder, name + ".c")
            with open(path, "w") as f:
                f.write('#include "thing.h"\n' + make(n))
            start = time.monotonic()
            command = [options.reckon, "check", "--no-cache", "-v", "--format=json", "--specs", f"{MOCK}/thing.spec", path, "--",
                       "-w", f"-I{MOCK}", "-fbracket-depth=4000"]
            done = subprocess.run(command, capture_output=True, text=True)
            seconds = time.monotonic() - start
            line = re.search(r"(\d+) functions?: (\d+) analysed in full, (\d+) cut short, (\d+) not analysed", done.stderr)
            checks = {json.loads(l)["check"] for l in done.stdout.splitlines()} if done.returncode in (0, 1) else set()
            wrong = []
            if done.returncode not in (0, 1) or not line:
                wrong.append(f"ended with {done.returncode}:\n{done.stderr[-2000:]}")
            elif line.group(4) != "0" or line.group(1) == "0":
                wrong.append(line.group(0))
            elif line.group(3) == "0":
                wanted = MUST_FIND.get(name)
                if wanted and wanted not in checks:
                    wrong.append(f"{wanted} not found")
                if not wanted and checks - {"thing-path-pair"} and name not in ("ring", "knot", "recursion"):
                    wrong.append(f"clean, and flagged: {sorted(checks)}")
            reason = re.findall(r"^\s+\w+: (.*)$", done.stderr, re.M) if line and line.group(3) != "0" else []
            if line and line.group(3) != "0" and not reason:
                wrong.append("cut short without a reason:\n" + done.stderr)
            print(f"{name} ({n}): {line.group(0) if line else '?'}{' (' + reason[0] + ')' if reason else ''}, {seconds:.1f} s"
                  + "".join("\n  FAILED: " + w for w in wrong), flush=True)
            problems += len(wrong)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
