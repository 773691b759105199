#!/usr/bin/env python3
"""`reckon plan`: jobs that Ninja runs end with the report that one process makes, byte for byte.

A small program of several units (calls across units, circles of calls, a unit that does not compile, a table of functions,
golden sources of the Python domain) is checked by one process and by plans with 1, 3, 8 and 40 shards. Then jobs are killed, run
twice, out of order and by two engines at once, entries of the cache are damaged or vanish, and sources change.

usage: run.py --reckon PROGRAM
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
sys.path.insert(0, os.path.join(TESTS, "random"))
import generate  # noqa: E402

RANDOM = os.path.join(TESTS, "random")
GOLDEN = os.path.join(TESTS, "golden", "python")
SPEC = os.path.join(RANDOM, "thing.spec")

# Calls across units, up and down; `ping` and `pong` call each other.
SHARED = """#include "thing.h"
struct thing *make_thing(int way);
int spend_thing(struct thing *t);
int ping(struct thing *t, int n);
int pong(struct thing *t, int n);
struct ops { int (*run)(struct thing *); };
extern const struct ops the_ops;
"""
UNITS = {
    "make.c": """struct thing *make_thing(int way) {
  struct thing *t = thing_new();
  if (!t) return NULL;
  if (way && thing_use(t) < 0) { thing_put(t); return NULL; }
  return t;
}
""",
    "spend.c": """int spend_thing(struct thing *t) {
  int r = thing_use(t);
  thing_put(t);
  return r;
}
""",
    "ping.c": """int ping(struct thing *t, int n) {
  if (n == 0) return spend_thing(t);
  return pong(t, n - 1);
}
""",
    "pong.c": """int pong(struct thing *t, int n) {
  if (n < 0) return -1; /* keeps it */
  return ping(t, n);
}
""",
    "table.c": """static int run_it(struct thing *t) { return spend_thing(t); }
const struct ops the_ops = { run_it };
""",
    "top.c": """int leaks(int way) {
  struct thing *t = make_thing(way);
  if (!t) return -1;
  thing_peek(t);
  return 0;
}
int twice(void) {
  struct thing *t = make_thing(1);
  if (!t) return -1;
  spend_thing(t);
  return spend_thing(t);
}
int round_trip(int n) {
  struct thing *t = make_thing(0);
  if (!t) return -1;
  return ping(t, n);
}
int by_table(void) {
  struct thing *t = make_thing(0);
  if (!t) return -1;
  return the_ops.run(t);
}
""",
    "broken.c": "int broken(struct thing *t) { return undeclared_variable; }\n",
}
GOLDENS = ("helpers.c", "callers.c", "leaks.c", "method_table.c")

# In place of Slurm's: runs what is submitted at once, each element of an array, and says a number.
SBATCH = """#!/usr/bin/env python3
import os, subprocess, sys
folder, words, elements, chdir = os.path.dirname(os.path.abspath(__file__)), sys.argv[1:], [None], "."
with open(os.path.join(folder, "submitted"), "a") as f:
    f.write(" ".join(words) + "\\n")
while words[0].startswith("-"):
    option, _, value = words.pop(0).partition("=")
    if option == "--array":
        elements = []
        for part in value.split(","):
            first, _, last = part.partition("-")
            elements += range(int(first), int(last or first) + 1)
    if option == "--chdir":
        chdir = value
    if option == "--dependency" and not value.startswith("afterok:1"):
        sys.exit("no such job: " + value)
for element in elements:
    if element is not None:
        os.environ["SLURM_ARRAY_TASK_ID"] = str(element)
    if subprocess.run(["/bin/sh", *words], cwd=chdir, stdout=sys.stderr).returncode != 0:
        sys.exit("a job failed: " + " ".join(words))
print(1000 + len(elements))
"""

problems = []


def expect(condition, text):
    if not condition:
        problems.append(text)
        print("FAILED:", text)


class Bench:
    def __init__(self, reckon, folder):
        self.reckon, self.folder = reckon, folder
        self.source = os.path.join(folder, "src with space")
        os.mkdir(self.source)
        texts = {name: SHARED + text for name, text in UNITS.items()}
        for k in range(3):
            made = [f.text() for n in range(k * 8, k * 8 + 8) for f in generate.make_program("plan", n)]
            texts[f"prog{k}.c"] = '#include "thing.h"\n' + "\n".join(made)
        for name, text in texts.items():
            self.write(name, text)
        python = subprocess.run(["/usr/bin/python3-config", "--includes"], capture_output=True, text=True).stdout.split()
        database = []
        for name in texts:
            database.append({"directory": self.source, "file": name, "arguments": ["cc", "-w", f"-I{RANDOM}", "-c", name]})
        for name in GOLDENS:
            shutil.copy(os.path.join(GOLDEN, name), self.source)
            database.append({"directory": self.source, "file": name,
                             "arguments": ["cc", "-w", f"-I{GOLDEN}", *python, "-c", name]})
        with open(os.path.join(self.source, "compile_commands.json"), "w") as f:
            json.dump(database, f)
        self.count = 0

    def write(self, name, text):
        with open(os.path.join(self.source, name), "w") as f:
            f.write(text)

    def arguments(self, cache):
        return ["-p", self.source, "--cache", cache, "--specs", SPEC, "--confidence", "low", "--full-path"]

    def check(self, *options, cache=None):
        """The report of one process that takes over nothing."""
        cache = cache or tempfile.mkdtemp(dir=self.folder)
        out = os.path.join(cache, "out.json")
        done = subprocess.run([self.reckon, "check", "-q", *self.arguments(cache), *options, "--format", "json",
                               "--output", out], capture_output=True, text=True, cwd=self.folder)
        expect(done.returncode == 1 and "1 of 14 units failed" in done.stderr, f"check: {done.returncode}: {done.stderr}")
        with open(out, "rb") as f:
            return f.read()


class Plan:
    def __init__(self, bench, shards, cache=None, extra=()):
        bench.count += 1
        self.bench, self.shards = bench, shards
        self.folder = os.path.join(bench.folder, f"plan {bench.count}")
        self.cache = cache or os.path.join(bench.folder, f"cache{bench.count}")
        self.options = ["--shards", str(shards), "-o", self.folder, *bench.arguments(self.cache), *extra, "--format", "json",
                        "--format", "sarif"]
        done = subprocess.run([bench.reckon, "plan", *self.options], capture_output=True, text=True, cwd=bench.folder)
        expect(done.returncode == 0, f"plan ends with {done.returncode}: {done.stderr}")

    def ninja(self, *words):
        return subprocess.run(["ninja", "-C", self.folder, *words], capture_output=True, text=True)

    def job(self, name):
        return subprocess.run([self.bench.reckon, "plan", "--job", name, *self.options], capture_output=True, text=True,
                              cwd=self.bench.folder)

    def report(self):
        with open(os.path.join(self.folder, "report.json"), "rb") as f:
            return f.read()

    def status(self):
        done = subprocess.run([self.bench.reckon, "plan", "status", "-o", self.folder], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def same(self, good, what):
        done = self.ninja()
        expect(done.returncode == 0, f"{what}: ninja ends with {done.returncode}\n{done.stdout}{done.stderr}")
        expect(done.returncode == 0 and self.report() == good, f"{what}: the report is not that of one process")
        return done

    def blobs(self):
        return [os.path.join(d, f) for d, _, files in os.walk(self.cache) for f in files if f.endswith(".b")]


def any_number(bench, good):
    for shards in (1, 3, 8, 40):
        plan = Plan(bench, shards)
        plan.same(good, f"{shards} shards")
        code, text = plan.status()
        expect(code == 0 and f"shard: {shards} of {shards} done" in text and "report: done" in text,
               f"{shards} shards: status says {code}: {text}")
        done = plan.ninja()
        expect("no work to do" in done.stdout, f"{shards} shards: nothing is left to do, but\n{done.stdout}")
        with open(os.path.join(plan.folder, "report.sarif")) as f:
            expect(len(json.load(f)["runs"][0]["results"]) > 0, f"{shards} shards: the SARIF report has results")


def few_in_memory(bench, good):
    """Units that are read from the cache when they are asked for, and go again."""
    for most in (1, 2, 5):
        cache = tempfile.mkdtemp(dir=bench.folder)
        expect(bench.check("--units-in-memory", str(most), cache=cache) == good, f"{most} units in memory: another report")
        expect(bench.check("--units-in-memory", str(most), "-j1", cache=cache) == good,
               f"{most} units in memory, all in the cache: another report")
    for path in [os.path.join(d, f) for d, _, files in os.walk(cache) for f in files if f.endswith(".u")][::2]:
        with open(path, "r+b") as f:
            f.truncate(os.path.getsize(path) // 2)
    expect(bench.check("--units-in-memory", "1", cache=cache) == good, "damaged units are captured again")
    expect(bench.check("--units-in-memory", "1", "--no-cache") == good, "without a cache all are in memory")
    plan = Plan(bench, 3, extra=("--units-in-memory", "1"))
    plan.same(good, "a plan with one unit in memory")
    code, text = plan.status()
    expect("record: 3 of 3 done" in text, f"records: status says {code}: {text}")
    # Records are entries as any others: damaged ones are made again by whoever needs them.
    for path in plan.blobs():
        with open(path, "r+b") as f:
            f.truncate(os.path.getsize(path) // 2)
    for name in os.listdir(plan.folder):
        if name.startswith(("shard-", "link.")):
            os.unlink(os.path.join(plan.folder, name))
    plan.same(good, "a plan with one unit in memory, records damaged")


def by_itself(bench, good):
    """`reckon check` of many units has Ninja run a plan of its own, leaves nothing of it behind, and does without Ninja."""
    cache = tempfile.mkdtemp(dir=bench.folder)
    temporary = tempfile.mkdtemp(dir=bench.folder)

    def check(path, above="3"):
        out = os.path.join(cache, "out.json")
        done = subprocess.run([bench.reckon, "check", "-v", *bench.arguments(cache), "--plan-above", above,
                               "--format", "json", "--output", out], capture_output=True, text=True, cwd=bench.folder,
                              env={**os.environ, "PATH": path, "TMPDIR": temporary})
        expect(done.returncode == 1, f"a check in jobs: {done.returncode}: {done.stderr}")
        with open(out, "rb") as f:
            expect(f.read() == good, f"a check in jobs above {above} units: another report")
        return done.stderr

    said = check(os.environ["PATH"])
    expect("shard:7" in said and "done here" not in said and "left nothing" not in said,
           f"a check of many units runs jobs: {said}")
    expect(os.listdir(temporary) == [], f"the plan is gone: {os.listdir(temporary)}")
    expect("shard:7" not in check(os.environ["PATH"], "14"), "a check of few units runs no jobs")
    bare = os.path.join(bench.folder, "bare")
    os.mkdir(bare)
    expect("there is no 'ninja'" in check(bare), "a check without Ninja says so with -v")
    with open(os.path.join(bare, "ninja"), "w") as f:
        f.write("#!/bin/sh\nexit 7\n")
    os.chmod(os.path.join(bare, "ninja"), 0o755)
    expect("ninja failed with exit status 7" in check(bare), "a Ninja that fails is told of")


def shares_work(bench):
    """The shards did the work: with all of their records there, the report has nothing to analyse."""
    plan = Plan(bench, 8)
    plan.ninja()
    kept = [p for p in plan.blobs() if os.path.getsize(p) > 0]
    expect(len(kept) >= 8, f"8 shards leave 8 entries, not {len(kept)}")
    done = plan.job("report")
    expect("left nothing" not in done.stderr, f"the report finds what all shards left: {done.stderr}")
    with open(os.path.join(plan.folder, "shards.dd")) as f:
        needs = {line.split()[1].rstrip(":"): line.split(" | ")[1].split() for line in f if " | " in line}
    expect(len(needs) > 0, "some shard waits for another")
    with open(os.path.join(plan.folder, ".ninja_log")) as f:
        times = {line.split("\t")[3]: tuple(map(int, line.split("\t")[:2])) for line in f if "\t" in line}
    for shard, before in needs.items():
        for other in before:
            expect(times[other][1] <= times[shard][0], f"{shard} began before {other} had ended")


def killed(bench, good):
    plan = Plan(bench, 8)
    code, text = plan.status()
    expect(code == 3 and "link: not done" in text, f"before the first job: status says {code}: {text}")
    rng = random.Random(5)
    for _ in range(4):
        engine = subprocess.Popen(["ninja", "-j3", "-C", plan.folder], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  start_new_session=True)
        time.sleep(rng.uniform(0.05, 1.5))
        try:
            os.killpg(engine.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        engine.wait()
    plan.same(good, "after kills")


def repeated(bench, good):
    plan = Plan(bench, 4)
    plan.same(good, "once")
    for name in ("shard:2", "capture:0", "link", "shard:2", "shard:0", "report"):
        done = plan.job(name)
        expect(done.returncode == 0, f"{name} again ends with {done.returncode}: {done.stderr}")
    expect(plan.report() == good, "jobs that ran twice change nothing")
    for name in ("shard:4", "shard:x", "capture:9", "nonsense", "link:1"):
        expect(plan.job(name).returncode == 2, f"{name} is no job of the plan")
    # Two engines at once, with a cache in common.
    cache = os.path.join(bench.folder, "common")
    both = [Plan(bench, 5, cache), Plan(bench, 5, cache)]
    running = [subprocess.Popen(["ninja", "-C", p.folder], stdout=subprocess.DEVNULL) for p in both]
    for p, engine in zip(both, running):
        expect(engine.wait() == 0 and p.report() == good, "two engines at once: the report is that of one process")


def damaged(bench, good):
    plan = Plan(bench, 6)
    plan.same(good, "before the damage")
    rng = random.Random(9)
    for how in ("flipped", "cut", "gone"):
        for path in plan.blobs():
            with open(path, "rb") as f:
                data = bytearray(f.read())
            os.unlink(path)
            if how == "gone" or (how == "cut" and rng.random() < 0.5):
                continue
            if how == "flipped":
                data[len(data) // 2] ^= 0x55
            with open(path, "wb") as f:
                f.write(data if how == "flipped" else data[: len(data) // 2])
        # A shard in the middle does without what those before it left; then the report without what all left.
        done = plan.job("shard:3")
        expect(done.returncode == 0, f"{how} entries: shard:3 ends with {done.returncode}: {done.stderr}")
        done = plan.job("report")
        expect(done.returncode == 0 and plan.report() == good, f"{how} entries: the report differs: {done.stderr}")
        expect("of 6 shards left nothing" in done.stderr, f"{how} entries: the report says so: {done.stderr}")
    os.unlink(os.path.join(plan.folder, "link.done"))
    for name in os.listdir(plan.folder):
        if name.startswith("shard-"):
            os.unlink(os.path.join(plan.folder, name))
    plan.same(good, "shards again")
    # Units that vanish are captured again by whoever needs them.
    for d, _, files in os.walk(plan.cache):
        for f in files:
            if f.endswith(".u"):
                os.unlink(os.path.join(d, f))
    expect(plan.job("shard:1").returncode == 0 and plan.job("report").returncode == 0 and plan.report() == good,
           "units that vanished: the report differs")


def changed(bench):
    plan = Plan(bench, 4)
    plan.ninja()
    before = plan.report()
    time.sleep(1.1)
    bench.write("spend.c", SHARED + UNITS["spend.c"].replace("thing_put(t);", ""))
    after = bench.check()
    expect(before != after, "the edit changes the report")
    plan.same(after, "after an edit")
    time.sleep(1.1)
    bench.write("spend.c", SHARED + UNITS["spend.c"])
    plan.same(before, "after the edit was undone")


def slurm(bench, good):
    """The script for Slurm, with a stand-in for sbatch: the jobs and their order are right. bench/slurm tries Slurm itself."""
    plan = Plan(bench, 7)
    tools = os.path.join(bench.folder, "tools")
    os.mkdir(tools)
    with open(os.path.join(tools, "sbatch"), "w") as f:
        f.write(SBATCH)
    os.chmod(os.path.join(tools, "sbatch"), 0o755)
    done = subprocess.run(["sh", os.path.join(plan.folder, "slurm.sh"), "--mem=4G"], capture_output=True, text=True, cwd="/",
                          env={**os.environ, "PATH": tools + ":" + os.environ["PATH"]})
    expect(done.returncode == 0 and plan.report() == good, f"slurm: {done.returncode}\n{done.stdout}{done.stderr}")
    with open(os.path.join(tools, "submitted")) as f:
        lines = f.read().splitlines()
    expect(len(lines) >= 5 and all("--mem=4G" in line and "--requeue" in line for line in lines), f"slurm: {lines}")


def refusals(bench):
    for words, text in ((["--no-cache"], "--no-cache"), (["--dump", "summary"], "--dump"), ([], "where should the plan go")):
        where = ["-o", os.path.join(bench.folder, "none")] if words else []
        done = subprocess.run([bench.reckon, "plan", "-p", bench.source, *where, *words], capture_output=True, text=True)
        expect(done.returncode == 2 and text in done.stderr, f"plan {words}: {done.returncode} {done.stderr}")
    done = subprocess.run([bench.reckon, "plan", "status", "-o", bench.folder], capture_output=True, text=True)
    expect(done.returncode == 2, f"status of no plan: {done.returncode}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reckon", required=True)
    options = parser.parse_args()
    if shutil.which("ninja") is None:
        sys.exit("ninja is not installed (ninja-build)")
    with tempfile.TemporaryDirectory(prefix="reckon-plan-") as folder:
        bench = Bench(os.path.abspath(options.reckon), os.path.realpath(folder))
        good = bench.check()
        lines = [json.loads(line) for line in good.splitlines()]
        functions = {line.get("function") for line in lines}
        expect({"leaks", "twice"} <= functions and len(lines) > 20, f"the program has findings in {functions}")
        any_number(bench, good)
        few_in_memory(bench, good)
        by_itself(bench, good)
        shares_work(bench)
        killed(bench, good)
        repeated(bench, good)
        damaged(bench, good)
        slurm(bench, good)
        changed(bench)
        refusals(bench)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
