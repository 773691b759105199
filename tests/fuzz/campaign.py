#!/usr/bin/env python3
"""Runs harnesses by CPU time, as a machine that is shared gives it, until nothing new is reached.

Each harness runs on its corpus for at least --cpu seconds of CPU time and until the last --quiet seconds of it brought
no new edge, at most --most seconds; they take turns of --turn seconds. What a harness has had is kept in
BUILD/NAME.campaign.json and counts for the next campaign, too, as long as the program is the same, byte for byte. A
crash, a hang, a leak or too much memory ends everything with 1.

Usage: campaign.py BUILD [--cpu N] [--quiet N] [--most N] [--turn N] [--seed N] HARNESS...
"""
import argparse
import hashlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

MEMORY = "/dev/shm"
HERE = pathlib.Path(__file__).resolve().parent


def cpu_seconds(pid):
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def most_in(pattern, text):
    return max(map(int, re.findall(pattern, text, re.M)), default=0)


class Harness:
    def __init__(self, build, name, options):
        self.build, self.name, self.options = build, name, options
        self.program = build / f"{name}_fuzz"
        self.kept = build / f"{name}.campaign.json"
        digest = hashlib.sha256(self.program.read_bytes()).hexdigest()
        self.figures = {"program": digest, "cpu": 0.0, "last_new": 0.0, "edges": 0, "inputs": 0, "mib": 0}
        if self.kept.exists():
            before = json.loads(self.kept.read_text())
            if before["program"] == digest:
                self.figures = before

    def done(self):
        f, o = self.figures, self.options
        return f["cpu"] >= o.most or (f["cpu"] >= o.cpu and f["cpu"] - f["last_new"] >= o.quiet)

    def command(self):
        corpus = self.build / "corpus" / self.name
        corpus.mkdir(parents=True, exist_ok=True)
        seeds = self.build / "seeds" / self.name  # put there by scripts/fuzz
        # Each turn makes other choices, or it would repeat the one before.
        seed = self.options.seed and self.options.seed + int(self.figures["cpu"])
        command = [str(self.program), str(corpus), str(seeds), f"-seed={seed}", "-timeout=120", "-rss_limit_mb=2048",
                   "-max_len=20000", "-print_final_stats=1", f"-artifact_prefix={self.build}/{self.name}-"]
        dictionary = HERE / f"{self.name}.dict"
        return command + ([f"-dict={dictionary}"] if dictionary.exists() else [])

    def take_turn(self):
        """False: something went wrong."""
        log = self.build / f"{self.name}.campaign.log"
        before = dict(self.figures)
        # One harness writes a file for each input: in memory that is as quick as it should be.
        environment = {**os.environ, **({"TMPDIR": MEMORY} if os.path.isdir(MEMORY) else {})}
        with log.open("w") as out:
            process = subprocess.Popen(self.command(), stdout=out, stderr=out, env=environment)
        ended, f = False, self.figures
        while process.poll() is None:
            time.sleep(2)
            used = cpu_seconds(process.pid) or f["cpu"] - before["cpu"]
            text = log.read_text(errors="replace")
            f["cpu"] = before["cpu"] + used
            f["inputs"] = before["inputs"] + most_in(r"^#(\d+)\s", text)
            f["mib"] = max(f["mib"], most_in(r"\brss: (\d+)Mb", text))
            if (edges := most_in(r"\bcov: (\d+)", text)) > f["edges"]:
                f["edges"], f["last_new"] = edges, f["cpu"]
            self.kept.write_text(json.dumps(f))
            if used >= self.options.turn or self.done():
                ended = True
                # It ends between two inputs; SIGINT would end it amid one, where it may hold a lock that it then waits for.
                process.send_signal(signal.SIGUSR1)
                process.wait()
        text = log.read_text(errors="replace")
        f["inputs"] = before["inputs"] + most_in(r"number_of_executed_units: *(\d+)", text)
        self.kept.write_text(json.dumps(f))
        if ended and not re.search(r"^==\d+== ?ERROR|SUMMARY: |^ALARM", text, re.M):
            return True
        print(text[-4000:], file=sys.stderr)
        print(f"{self.name}: failed; the input is in {self.build}/{self.name}-*", file=sys.stderr)
        return False

    def tell(self):
        f = self.figures
        print(f"{self.name}: {f['inputs']:,} inputs, {f['cpu']:.0f} s CPU, {f['edges']:,} edges, "
              f"the last new one {f['cpu'] - f['last_new']:.0f} s before the end, {f['mib']} MiB", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--cpu", type=float, default=600)
    parser.add_argument("--quiet", type=float, default=120)
    parser.add_argument("--most", type=float, default=2400)
    parser.add_argument("--turn", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("harnesses", nargs="+")
    options = parser.parse_args()
    left = [Harness(options.build.resolve(), name, options) for name in options.harnesses]
    while left:
        for harness in left:
            if not harness.done() and not harness.take_turn():
                return 1
            if harness.done():
                harness.tell()
        left = [harness for harness in left if not harness.done()]
    return 0


if __name__ == "__main__":
    sys.exit(main())
