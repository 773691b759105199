#!/usr/bin/env python3
"""Runs harnesses by CPU time, as a machine that is shared gives it, until nothing new is reached.

Each harness runs on its corpus for at least --cpu seconds of CPU time and until the last --quiet seconds of it brought
no new edge, at most --most seconds. A crash, a hang, a leak or too much memory ends everything with 1.

Usage: campaign.py BUILD [--cpu N] [--quiet N] [--most N] [--seed N] HARNESS...
"""
import argparse
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent


def cpu_seconds(pid):
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def edges_in(text):
    found = re.findall(r"\bcov: (\d+)", text)
    return max(map(int, found), default=0)


def command_of(build, name, seed):
    seeds = build / "seeds" / name
    if not seeds.is_dir():
        seeds = HERE / "seeds" / name
    corpus = build / "corpus" / name
    corpus.mkdir(parents=True, exist_ok=True)
    command = [str(build / f"{name}_fuzz"), str(corpus), str(seeds), f"-seed={seed}", "-timeout=120",
               "-rss_limit_mb=2048", "-max_len=20000", "-print_final_stats=1", f"-artifact_prefix={build}/{name}-"]
    dictionary = HERE / f"{name}.dict"
    return command + ([f"-dict={dictionary}"] if dictionary.exists() else [])


def run(build, name, options):
    log = build / f"{name}.campaign.log"
    with log.open("w") as out:
        process = subprocess.Popen(command_of(build, name, options.seed), stdout=out, stderr=out)
    edges, used, last_new, ended = 0, 0.0, 0.0, False
    while process.poll() is None:
        time.sleep(2)
        used = cpu_seconds(process.pid) or used
        if (now := edges_in(log.read_text(errors="replace"))) > edges:
            edges, last_new = now, used
        if used >= options.most or (used >= options.cpu and used - last_new >= options.quiet):
            ended = True
            process.send_signal(signal.SIGINT)
            process.wait()
    text = log.read_text(errors="replace")
    inputs = re.search(r"number_of_executed_units: *(\d+)", text)
    memory = re.search(r"peak_rss_mb: *(\d+)", text)
    print(f"{name}: {int(inputs.group(1)) if inputs else 0:,} inputs, {used:.0f} s CPU, {edges:,} edges, "
          f"the last new one {used - last_new:.0f} s before the end, {memory.group(1) if memory else '?'} MiB", flush=True)
    if not ended or re.search(r"^==\d+== ?ERROR|SUMMARY: (?!libFuzzer: run interrupted)", text, re.M):
        print(text[-4000:], file=sys.stderr)
        print(f"{name}: failed; the input is in {build}/{name}-*", file=sys.stderr)
        return False
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--cpu", type=float, default=600)
    parser.add_argument("--quiet", type=float, default=120)
    parser.add_argument("--most", type=float, default=2400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("harnesses", nargs="+")
    options = parser.parse_args()
    options.build = options.build.resolve()
    return 0 if all([run(options.build, name, options) for name in options.harnesses]) else 1


if __name__ == "__main__":
    sys.exit(main())
