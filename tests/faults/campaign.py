#!/usr/bin/env python3
"""Faults from outside, each compared with a run in which nothing went wrong.

A small program is checked while something fails: the process or a worker is killed at a random time, the disk is full,
the system gives no more memory, processes, descriptors or file size, descriptors are closed, folders are missing or
read-only, files of the cache are damaged. Judged, for each try:

  - the answer is the same (findings byte for byte, and the exit code), or part of it with a last line that says so, or
    an error: exit code 2, 3 or 130 and a message that begins with "reckon: ";
  - nothing ends by a signal that we did not send, and no worker outlives its parent;
  - a report of an earlier run is there, complete, unless a new one is;
  - the next run with the same cache, without a fault, gives the same as a run without any cache.

Usage: campaign.py RECKON [--rounds N] [--seed N] [--sanitized] [--only FAULT]
  --rounds N    1 is a choice of all faults; from 3 on all values of all limits are tried, and N times as many kills
  --sanitized   the program has the address sanitizer, which needs terabytes of address space, and processes to find leaks
"""
import argparse
import collections
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

UNITS = 6
OLD = '{"old": "report"}\n'
NOBODY = 65534


def make_project(folder):
    folder.mkdir()
    (folder / "thing.spec").write_text("domain thing\ncheck leaks\nfn thing_new() -> new | NULL\nfn thing_free(t!) -> void t-1\n")
    entries = []
    for i in range(UNITS):
        text = "struct thing;\nstruct thing *thing_new(void);\nvoid thing_free(struct thing *);\n"
        for k in range(5):
            text += f"int keep{i}_{k}(int x) {{\n  struct thing *t = thing_new();\n  if (!t) return -1;\n" \
                    f"  if (x == {k}) return 1;\n  thing_free(t);\n  return 0;\n}}\n"
            text += f"int fine{i}_{k}(int x) {{ return x > {k} ? x * {k} : keep{i}_{k}(x); }}\n"
        (folder / f"u{i}.c").write_text(text)
        entries.append({"directory": str(folder), "file": f"u{i}.c", "arguments": ["cc", "-c", f"u{i}.c"]})
    (folder / "compile_commands.json").write_text(json.dumps(entries))
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)


class Run:
    """One call: what it wrote, and how it ended."""

    def __init__(self, bench, cache, extra=(), before=None, env=None, user=None, stdout=subprocess.PIPE, cwd=None,
                 during=None):
        self.report = bench.base / "out" / "report.json"
        self.report.parent.mkdir(exist_ok=True)
        self.report.parent.chmod(0o777)
        self.report.write_text(OLD)
        self.report.chmod(0o666)
        command = [bench.reckon, "check", "-j", "2", "-p", str(bench.project), "--specs", str(bench.project / "thing.spec"),
                   "--format", "json", "--output", str(self.report), *(["--cache", str(cache)] if cache else []), *extra]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE,
                                   cwd=cwd or bench.project, env=env, user=user, group=user, extra_groups=[] if user else None,
                                   preexec_fn=before)
        if during:
            during(process)
        try:
            errors = process.communicate(timeout=300)[1]
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise
        self.code = process.returncode
        self.errors = errors.decode(errors="replace")
        self.text = self.report.read_text(errors="replace") if self.report.exists() else None

    def last_words(self):
        return (self.errors.strip().splitlines() or [""])[-1]


class Bench:
    def __init__(self, reckon, base, seed, rounds, sanitized):
        self.reckon, self.base, self.rounds, self.sanitized = reckon, base, rounds, sanitized
        self.random = random.Random(seed)
        self.project = base / "project"
        make_project(self.project)
        self.results = collections.defaultdict(collections.Counter)
        self.problems = []
        started = time.monotonic()
        self.clean = Run(self, None, ["--no-cache"])
        self.seconds = time.monotonic() - started
        assert self.clean.code == 1 and self.clean.text.count("thing-leak") >= UNITS, \
            f"the clean run: {self.clean.code} {self.clean.errors}"

    def fresh_cache(self, warm=False):
        cache = self.base / "cache"
        shutil.rmtree(cache, ignore_errors=True)
        cache.mkdir()
        cache.chmod(0o777)
        if warm:
            Run(self, cache)
        return cache

    def judge(self, fault, detail, run, cache=None, killed=(), may_lose_report=False):
        """Counts what became of a run, and tries the cache it leaves."""
        where = f"{fault} ({detail})"
        kind = "other"
        if run.code == self.clean.code and run.text == self.clean.text:
            kind = "same"
        elif run.code < 0 and -run.code in killed:
            kind = "killed"
        elif run.code in (0, 1, 3) and run.text and self.is_part(run.text) and "not all was analysed" in run.errors:
            kind = "part, and said so"
        elif run.code == 3 and "nothing was analysed" in run.errors:
            kind = "nothing, and said so"
        elif run.code == 2 and "reckon: error: " in run.errors:
            kind = "error"
        elif run.code == 130 and "interrupted" in run.errors:
            kind = "interrupted"
        elif run.code == 127 and "error while loading shared libraries" in run.errors:
            kind = "not started by the system"
        else:
            self.problems.append(f"{where}: exit code {run.code}, {run.last_words()!r}")
        self.results[fault][kind] += 1
        if kind in ("killed", "error", "interrupted", "not started by the system") and \
                run.text not in (OLD, self.clean.text) and not may_lose_report:
            self.problems.append(f"{where}: the old report is gone: {str(run.text)[:60]!r}")
        left = [p.name for p in run.report.parent.iterdir() if p != run.report]
        if left and not killed:
            self.problems.append(f"{where}: left beside the report: {left}")
        for name in left:
            (run.report.parent / name).unlink()
        if cache:
            again = Run(self, cache)
            if again.code != self.clean.code or again.text != self.clean.text:
                self.problems.append(f"{where}: the next run differs: exit code {again.code}, {again.last_words()!r}")

    def is_part(self, text):
        return set(text.splitlines()) <= set(self.clean.text.splitlines())

    # ------------------------------------------------------------ faults

    def delay(self):
        time.sleep(self.random.random() * self.seconds)

    def kill_process(self):
        for i in range(4 * self.rounds):
            cache = self.fresh_cache(warm=i % 4 == 3)
            which = self.random.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
            workers = []

            def during(process):
                self.delay()
                workers.extend(children(process.pid))
                process.send_signal(which)
            run = Run(self, cache, during=during)
            self.judge("the process is killed", which.name, run, cache, {which})
            until = time.monotonic() + 20
            while any(alive(w) for w in workers) and time.monotonic() < until:
                time.sleep(0.05)
            if any(alive(w) for w in workers):
                self.problems.append("a worker outlives its parent")

    def kill_worker(self):
        for _ in range(4 * self.rounds):
            cache = self.fresh_cache()
            hit = []

            def during(process):
                until = time.monotonic() + self.random.random() * self.seconds
                while process.poll() is None and not hit:
                    workers = children(process.pid)
                    if workers and time.monotonic() >= until:
                        try:
                            os.kill(self.random.choice(workers), signal.SIGKILL)
                            hit.append(1)
                        except ProcessLookupError:
                            pass
                    time.sleep(0.002)
            run = Run(self, cache, during=during)
            self.judge("a worker is killed", "hit" if hit else "missed", run, cache)
            if run.code != self.clean.code:
                self.problems.append(f"a worker is killed: not tried again: {run.last_words()}")

    def limit(self, fault, which, values, user=None, cached=True):
        for value in values:
            cache = self.fresh_cache() if cached else None

            def before():
                resource.setrlimit(which, (value, value))
            run = Run(self, cache, [] if cached else ["--no-cache"], before=before, user=user)
            self.judge(fault, str(value), run, cache if not user else None)

    def memory(self):
        if self.sanitized:
            self.results["address space"]["not tried: sanitizer"] += 1
            return
        self.limit("address space", resource.RLIMIT_AS,
                   [m << 20 for m in self.some([64, 160, 256, 300, 340, 380, 420, 460, 512, 600, 700, 800, 1000, 2000], 4)])

    def processes(self):
        self.limit("processes", resource.RLIMIT_NPROC, self.some([0, 1, 2, 3, 5, 8], 2), NOBODY if os.geteuid() == 0 else None,
                   cached=False)

    def descriptors(self):
        self.limit("descriptors", resource.RLIMIT_NOFILE, self.some([3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 32], 4))

    def file_size(self):
        self.limit("file size", resource.RLIMIT_FSIZE, self.some([0, 1, 100, 1000, 2000, 4096, 8192, 20000, 100000], 3))

    def disk_full(self):
        """A file system of a few pages for the cache, for the report, for both."""
        if os.geteuid() != 0:
            self.results["disk full"]["not tried: needs root"] += 1
            return
        place = self.base / "small"
        place.mkdir(exist_ok=True)
        for size in self.some([4, 8, 16, 32, 64, 128], 2):
            if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}k", "none", str(place)],
                              capture_output=True).returncode != 0:
                self.results["disk full"]["not tried: no mount"] += 1
                return
            try:
                run = Run(self, place / "cache")
                self.judge("disk full", f"cache of {size} KiB", run)
                if run.code != self.clean.code or run.text != self.clean.text:
                    self.problems.append(f"disk full: a cache of {size} KiB changes the answer")
                again = Run(self, place / "cache")
                self.judge("disk full", f"cache of {size} KiB, again", again)
                shutil.rmtree(place / "cache", ignore_errors=True)
                (place / "r.json").write_text(OLD)
                fill(place / "fill")
                run = Run(self, None, ["--no-cache", "--format", "sarif", "--output", str(place / "r.json")])
                if run.code != 2 or (place / "r.json").read_text() != OLD:
                    self.problems.append(f"disk full: report onto a full disk: {run.code} {run.last_words()}")
                self.results["disk full"]["error"] += 1
            finally:
                subprocess.run(["umount", str(place)], check=True)

    def closed(self):
        for numbers in self.some([(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)], 3):
            cache = self.fresh_cache()

            def before():
                for number in numbers:
                    os.close(number)
            run = Run(self, cache, before=before)
            self.judge("closed descriptors", str(numbers), run, cache)
            if run.text != self.clean.text:
                self.problems.append(f"closed descriptors {numbers}: no report")
        full = Run(self, None, ["--no-cache", "--format", "text"], stdout=open("/dev/full", "w"))
        if full.code != 2 or "standard output" not in full.errors:
            self.problems.append(f"standard output is full: {full.code} {full.last_words()}")
        self.results["full output"]["error"] += 1

    def environment(self):
        nowhere = str(self.base / "nowhere")
        plain = {k: v for k, v in os.environ.items() if k.startswith(("ASAN", "UBSAN", "LSAN", "LD_"))}
        whole = {**os.environ}
        for detail, env in self.some([("nothing", plain), ("no home", {**whole, "HOME": nowhere, "XDG_CACHE_HOME": ""}),
                                      ("home is a file", {**whole, "HOME": str(self.project / "u0.c")}),
                                      ("no TMPDIR", {**whole, "TMPDIR": nowhere}),
                                      ("cache home is a device", {**whole, "XDG_CACHE_HOME": "/dev/null"}),
                                      ("odd locale", {**whole, "LC_ALL": "xx_YY.UTF-8", "TERM": "nonsense"})], 3):
            run = Run(self, None, env=env)
            self.judge("environment", detail, run)
            if run.text != self.clean.text:
                self.problems.append(f"environment ({detail}): another answer: {run.last_words()}")

    def read_only_cache(self):
        if os.geteuid() != 0:
            self.results["read-only cache"]["not tried: needs root"] += 1
            return
        for warm in (True, False):
            cache = self.fresh_cache(warm)
            for path in [cache, *cache.rglob("*")]:
                path.chmod(0o555 if path.is_dir() else 0o444)
            self.base.chmod(0o755)
            run = Run(self, cache, user=NOBODY)
            self.judge("read-only cache", "warm" if warm else "empty", run)
            if run.text != self.clean.text:
                self.problems.append(f"read-only cache: another answer: {run.last_words()}")

    def damage(self):
        for _ in range(3 * self.rounds):
            cache = self.fresh_cache(warm=True)
            files = sorted(p for p in cache.rglob("*") if p.is_file())
            for path in self.random.sample(files, min(len(files), 1 + self.random.randrange(len(files)))):
                data = bytearray(path.read_bytes())
                how = self.random.choice(["flip", "cut", "empty", "swap", "gone", "folder"])
                if how == "flip" and data:
                    data[self.random.randrange(len(data))] ^= 1 << self.random.randrange(8)
                    path.write_bytes(data)
                elif how == "cut":
                    path.write_bytes(data[:self.random.randrange(len(data) + 1)])
                elif how == "empty":
                    path.write_bytes(b"")
                elif how == "swap":
                    path.write_bytes(self.random.choice(files).read_bytes() if files else b"") if path.exists() else None
                else:
                    path.unlink()
                    if how == "folder":
                        path.mkdir()
                        files = [p for p in files if p != path]
                    else:
                        files = [p for p in files if p != path]
            run = Run(self, cache)
            self.judge("damaged cache", "", run, cache)
            if run.text != self.clean.text:
                self.problems.append("damaged cache: another answer")

    def some(self, values, number):
        """All of them in a long campaign, a choice in a short one."""
        return values if self.rounds > 2 else self.random.sample(values, number)


def children(pid):
    try:
        return [int(p) for p in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []


def alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def fill(path):
    with open(path, "wb", buffering=0) as out:
        try:
            while True:
                out.write(b"x" * 4096)
        except OSError:
            pass


FAULTS = {"kill": Bench.kill_process, "worker": Bench.kill_worker, "memory": Bench.memory, "processes": Bench.processes,
          "descriptors": Bench.descriptors, "size": Bench.file_size, "disk": Bench.disk_full, "closed": Bench.closed,
          "environment": Bench.environment, "readonly": Bench.read_only_cache, "damage": Bench.damage}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("reckon", type=os.path.abspath)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sanitized", action="store_true")
    parser.add_argument("--only", choices=FAULTS, action="append")
    options = parser.parse_args()
    if options.sanitized:
        os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
    with tempfile.TemporaryDirectory(prefix="reckon-faults-") as temp:
        base = pathlib.Path(temp).resolve()
        base.chmod(0o755)
        bench = Bench(options.reckon, base, options.seed, options.rounds, options.sanitized)
        for name in options.only or FAULTS:
            FAULTS[name](bench)
    for fault, kinds in bench.results.items():
        print(f"{fault}: " + ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items())))
    for problem in bench.problems:
        print("PROBLEM " + problem)
    print(f"{sum(sum(kinds.values()) for kinds in bench.results.values())} tries, {len(bench.problems)} problems")
    return 1 if bench.problems else 0


if __name__ == "__main__":
    sys.exit(main())
