#!/usr/bin/env python3
"""What a run takes over from earlier ones changes nothing but the time.

Analyses sources with a cache, edits them, and compares each report, byte for byte, with one that was made without a
cache: unchanged, with all lines moved, with random edits of random functions, with a damaged cache, and two runs at once.
Also counts what is analysed again after an edit of one function.

usage: run.py --reckon PROGRAM [--rounds N]
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
sys.path.insert(0, os.path.join(TESTS, "random"))
import generate  # noqa: E402

SPEC = os.path.join(TESTS, "random", "thing.spec")
INCLUDE = os.path.join(TESTS, "random")

# A caller of a caller of a function; `edit_me` is what changes.
CHAIN = """#include "thing.h"
static int helper(struct thing *t) {
  if (thing_use(t) < 0) return -1; /* edit_me */
  return 0;
}
static struct thing *maker(void) {
  struct thing *t = thing_new();
  if (!t) return NULL;
  if (helper(t) < 0) {
    thing_put(t);
    return NULL;
  }
  return t;
}
int user(void) {
  struct thing *t = maker();
  if (!t) return -1;
  thing_peek(t);
  return 0;
}
int bystander(struct thing *t) {
  thing_get(t);
  thing_put(t);
  return 0;
}
"""

problems = []


def expect(condition, text):
    if not condition:
        problems.append(text)
        print("FAILED:", text)


class Bench:
    def __init__(self, reckon, folder):
        self.reckon, self.folder, self.cache = reckon, folder, os.path.join(folder, "cache")

    def command(self, files, cached, extra=()):
        where = ["--cache", self.cache] if cached else ["--no-cache"]
        return [self.reckon, "check", *where, "--full-path", "--format=json", "--specs", SPEC, *extra, *files, "--",
                "-w", f"-I{INCLUDE}"]

    def run(self, files, cached=True, extra=()):
        done = subprocess.run(self.command(files, cached, extra), capture_output=True, text=True, cwd=self.folder)
        if done.returncode not in (0, 1):
            sys.exit(f"reckon ended with {done.returncode}:\n{done.stderr}")
        taken = re.search(r"taken over from an earlier run: (\d+)", done.stderr)
        all_ = re.search(r"(\d+) functions?: (\d+) analysed in full, (\d+) cut short", done.stderr)
        return done.stdout, int(taken.group(1)) if taken else 0, int(all_.group(2)) + int(all_.group(3)), done.stderr

    def same(self, files, what):
        """Runs with and without the cache; returns how many functions were analysed again."""
        out, taken, all_, _ = self.run(files)
        plain, none, _, _ = self.run(files, cached=False)
        expect(none == 0, f"{what}: something taken over without a cache")
        expect(out == plain, f"{what}: the report differs from one made without a cache")
        return all_ - taken

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w") as f:
            f.write(text)
        return path


def compiles(path):
    return subprocess.run(["cc", "-w", "-fsyntax-only", f"-I{INCLUDE}", path], capture_output=True).returncode == 0


def chain(bench):
    name = bench.write("chain.c", CHAIN)
    expect(bench.same([name], "chain, first") == 4, "chain: the first run analyses all")
    expect(bench.same([name], "chain, again") == 0, "chain: nothing changed, nothing is analysed")
    bench.write("chain.c", "\n\n/* moved */\n" + CHAIN)
    expect(bench.same([name], "chain, moved") == 0, "chain: moved lines are no change")
    # Another body, the same outcome: its callers do not notice.
    bench.write("chain.c", CHAIN.replace("return -1; /* edit_me */", "{ thing_peek(t); return -1; }"))
    expect(bench.same([name], "chain, callee edited") == 1, "chain: an edit that callers cannot see stops there")
    # Another outcome: the caller is analysed again, and what it gives stays the same.
    bench.write("chain.c", CHAIN.replace("return -1; /* edit_me */", "return -2;"))
    again = bench.same([name], "chain, outcome changed")
    expect(2 <= again <= 3, f"chain: a new outcome reaches its callers ({again})")
    bench.write("chain.c", CHAIN.replace("thing_peek(t);\n  return 0;\n}\nint by", "thing_put(t);\n  return 0;\n}\nint by"))
    expect(bench.same([name], "chain, user edited") == 1, "chain: an edit of the outermost function reaches nobody")
    # Other specs, other answers.
    spec = bench.write("more.spec", "domain thing\nfn thing_peek(t!) -> any t-1\n")
    out, taken, _, _ = bench.run([name], extra=["--specs", spec])
    expect(taken == 0 and out == bench.run([name], cached=False, extra=["--specs", spec])[0], "chain: other specs")


def random_edits(bench, rounds):
    rng = random.Random(7)
    texts = ['#include "thing.h"\n' + "\n".join(f.text() for n in range(k * 40, k * 40 + 40) for f in generate.make_program("recall", n))
             for k in range(3)]
    names = [bench.write(f"prog{k}.c", t) for k, t in enumerate(texts)]
    everything = bench.same(names, "programs, first")
    expect(bench.same(names, "programs, again") == 0, "programs: nothing changed, nothing is analysed")
    edits = [("thing_put(", "thing_peek("), ("thing_get(", "thing_peek("), ("return -1;", "return 0;"), ("> 0", "> 1"),
             ("thing_peek(", "thing_put("), ("thing_new()", "list_new()"), ("thing_use(", "thing_submit(")]
    done = 0
    while done < rounds:
        k = rng.randrange(len(names))
        lines = texts[k].split("\n")
        i = rng.randrange(len(lines))
        fitting = [e for e in edits if e[0] in lines[i]]
        if not fitting:
            continue
        old, new = rng.choice(fitting)
        lines[i] = lines[i].replace(old, new, 1) + rng.choice(["", "\n\n"])
        bench.write(f"prog{k}.c", "\n".join(lines))
        if not compiles(names[k]):
            continue
        done += 1
        if rng.random() < 0.7:
            texts[k] = "\n".join(lines)
        again = bench.same(names, f"programs, edit {done} ({old} in prog{k}.c)")
        expect(again < everything / 4, f"edit {done}: {again} of {everything} functions analysed again")
        bench.write(f"prog{k}.c", texts[k])
    for k, text in enumerate(texts):
        bench.write(f"prog{k}.c", text)
    # A unit more, in front: units get other numbers.
    expect(bench.same([bench.write("a.c", CHAIN)] + names, "a unit more") <= everything / 2 + 4,
           "a unit more: the others are taken over")


def entries(bench):
    return [os.path.join(d, f) for d, _, files in os.walk(bench.cache) for f in files if f.endswith(".b")]


def damaged(bench):
    name = bench.write("chain.c", CHAIN)
    bench.run([name])
    good = bench.run([name])[0]
    for how in ("flipped", "cut", "empty"):
        for path in entries(bench):
            with open(path, "rb") as f:
                data = bytearray(f.read())
            if how == "flipped":
                data[len(data) // 2] ^= 0x55
            data = data if how == "flipped" else data[: len(data) // 2] if how == "cut" else b""
            os.unlink(path)
            with open(path, "wb") as f:
                f.write(data)
        out, taken, _, err = bench.run([name])
        expect(out == good and taken == 0, f"{how} entries: the report differs")
        expect(err.count("damaged") == 1, f"{how} entries: one message, not\n{err}")
        expect(bench.run([name])[1] == 4, f"{how} entries: replaced by good ones")


def at_once(bench):
    name = bench.write("chain.c", CHAIN + "int one_more(struct thing *t) { return thing_use(t); }\n")
    good = bench.run([name], cached=False)[0]
    both = [subprocess.Popen(bench.command([name], True), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=bench.folder)
            for _ in range(2)]
    for p in both:
        expect(p.communicate()[0] == good, "two runs at once: the report differs")
    expect(bench.run([name])[1] == 5, "two runs at once: kept")


def goldens(bench):
    """The golden sources: expectations are met by what is taken over as well."""
    program = os.path.join(TESTS, "golden", "run.py")
    for area in ("linux", "python", "r", "random"):
        for time in ("first", "again"):
            command = [sys.executable, program, "--reckon", bench.reckon, "--cache", bench.cache, os.path.join(TESTS, "golden", area)]
            done = subprocess.run(command, capture_output=True, text=True)
            expect(done.returncode == 0, f"golden {area}, {time}:\n{done.stdout}{done.stderr}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--reckon", required=True)
    parser.add_argument("--rounds", type=int, default=12)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options.reckon, folder)
        chain(bench)
        damaged(bench)
        at_once(bench)
        random_edits(bench, options.rounds)
        goldens(bench)
    print("all reports equal" if not problems else f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
