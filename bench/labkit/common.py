"""What every part of the lab needs: places, messages, running and timing commands."""
import concurrent.futures
import datetime
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
BENCH = REPOSITORY / "bench"
DATA = BENCH / "data"
LABELS = BENCH / "labels"
CLANG = "clang-19"


class Failure(Exception):
    """What was asked for cannot be done; the text says why."""


def say(text):
    print(text, file=sys.stderr, flush=True)


def default_scratch():
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "reckon-lab"


def checked_scratch(path):
    scratch = path.resolve()
    if scratch.is_relative_to(REPOSITORY):
        raise Failure("the scratch folder has to be outside the repository")
    scratch.mkdir(parents=True, exist_ok=True)
    return scratch


def run(command, cwd=None, log=None, env=None):
    """Runs a command that has to succeed; its output is kept in `log` and shown in part if it fails."""
    shell = isinstance(command, str)
    done = subprocess.run(command, cwd=cwd, env=env, shell=shell, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace")
    if log:
        with open(log, "a", encoding="utf-8") as file:
            file.write(done.stdout)
    if done.returncode != 0:
        shown = command if shell else shlex.join(map(str, command))
        raise Failure(f"{shown} failed:\n{done.stdout[-1500:]}")
    return done.stdout


METER = """import os, sys
pid = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(pid, 0)
said = f"{os.waitstatus_to_exitcode(status)} {usage.ru_utime + usage.ru_stime} {usage.ru_maxrss}"
os.write(int(sys.argv[1]), said.encode())
"""


def measured(command, cwd=None, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=None, timeout=None):
    """Runs a command; returns exit status, CPU seconds of it and its children, and the largest process's MiB."""
    if timeout:
        command = ["timeout", str(timeout), *command]
    reading, writing = os.pipe()
    with os.fdopen(reading) as answer:
        # The kernel counts what a process was before it became another program: a small one has to start it.
        with subprocess.Popen([sys.executable, "-I", "-S", "-c", METER, str(writing), *command], cwd=cwd, env=env,
                              stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, pass_fds=(writing,)):
            os.close(writing)
        said = answer.read().split()
    if not said:
        raise Failure(f"{command[0]} cannot be run")
    return int(said[0]), float(said[1]), float(said[2]) / 1024


def clang_words(entry, extra, compiler=None):
    """The entry's compiler call without output and -c, with further arguments."""
    words = list(entry["arguments"])
    if compiler:
        words[0] = compiler
    while "-o" in words:
        at = words.index("-o")
        del words[at:at + 2]
    return [w for w in words if w != "-c"] + list(extra)


def clang_errors(entries, jobs):
    """For each entry, the first error `clang-19 -fsyntax-only` has, or ""."""
    def one(entry):
        with tempfile.TemporaryFile("w+", errors="replace") as errors:
            status, _, _ = measured(clang_words(entry, ["-fsyntax-only", "-w"]), entry["directory"], stderr=errors)
            errors.seek(0)
            text = errors.read()
        if status == 0:
            return ""
        first = re.search(r"error: (.*)", text)
        return first[1] if first else f"clang-19 ended with {status}"
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(one, entries))


def reckon_version(reckon):
    """The program's version with the commit of the repository, if it is one."""
    version = run([str(reckon), "--version"]).split("\n")[0].strip()
    commit = subprocess.run(["git", "-C", str(REPOSITORY), "rev-parse", "--short", "HEAD"], capture_output=True,
                            text=True).stdout.strip()
    return f"{version} ({commit})" if commit else version


def machine():
    model = re.search(r"^model name\s*:\s*(.*)$", Path("/proc/cpuinfo").read_text(), re.M)
    return {"cores": os.cpu_count(), "cpu": model[1] if model else os.uname().machine}


def today():
    return datetime.date.today().isoformat()


def write_json(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")


def read_json(path, default=None):
    if not path.exists():
        return default
    return json.loads(path.read_text(encoding="utf-8"))
