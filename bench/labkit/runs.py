"""Runs Reckon on a prepared package and reads what it says: findings, coverage, time, memory."""
import json
import os
import re
import shutil

from .common import Failure, measured, read_json, write_json
from .prepare import prepared


def findings_in(text):
    """Findings of a JSON report: one object a line, or one document with a list."""
    text = text.strip()
    if not text:
        return []
    try:
        document = json.loads(text)
        listed = document.get("findings", [document] if "check" in document else []) if isinstance(document, dict) \
            else document
    except json.JSONDecodeError:
        listed = [json.loads(line) for line in text.splitlines()]
    return [f for f in listed if "check" in f]


def coverage_in(log):
    """The figures a run ends with; nothing is taken as zero silently."""
    units = re.search(r"(\d+) units?: (\d+) captured, (\d+) from the cache, (\d+) failed", log)
    functions = re.search(r"(\d+) functions?: (\d+) analysed in full, (\d+) cut short, (\d+) not analysed", log)
    if not units or not functions:
        raise Failure(f"reckon's closing figures are not there:\n{log[-800:]}")
    return {"units": int(units[1]), "units_failed": int(units[4]), "functions": int(functions[1]),
            "full": int(functions[2]), "cut_short": int(functions[3]), "not_analysed": int(functions[4])}


def solver_in(log):
    """What was asked of the solver and what that cost; None for a Reckon without one."""
    figures = re.search(r"solver: (\d+) queries, (\d+) more answered from memory; (\d+) impossible, (\d+) undecided; ([\d.]+) s CPU", log)
    return figures and {"queries": int(figures[1]), "repeated": int(figures[2]), "impossible": int(figures[3]),
                        "undecided": int(figures[4]), "cpu": float(figures[5])}


def report(reckon, words, out, cwd, timeout=7200):
    """One run of Reckon with these words after its own options; returns findings, coverage and cost."""
    out.mkdir(parents=True, exist_ok=True)
    written, log = out / "report.json", out / "log.txt"
    written.unlink(missing_ok=True)
    with open(log, "w", encoding="utf-8") as errors:
        status, cpu, memory = measured([str(reckon.resolve()), words[0], "-v", "--format", "json", "--output", str(written), *words[1:]],
                                       cwd=cwd, stdout=errors, stderr=errors, timeout=timeout)
    text = log.read_text(errors="replace")
    if status not in (0, 1):
        raise Failure(f"reckon ended with {status}:\n{text[-1500:]}")
    return findings_in(written.read_text(encoding="utf-8", errors="replace")), coverage_in(text), cpu, memory


def check(reckon, database, out, cache=None, jobs=2, files=(), more=(), timeout=7200):
    """One run of `reckon check`; returns findings, coverage and cost."""
    stored = ["--cache", str(cache)] if cache else ["--no-cache"]
    return report(reckon, ["check", "-j", str(jobs), *stored, *more, "-p", str(database), *files], out, database.parent, timeout)


def run_package(package, scratch, reckon, jobs, kind="run"):
    """A cold run over a package; the result is kept in the scratch folder."""
    database, about = prepared(package, scratch, jobs)
    out = scratch / kind / package["name"]
    cache = out / "cache"
    shutil.rmtree(cache, ignore_errors=True)
    findings, coverage, cpu, memory = check(reckon, database, out, cache, jobs)
    tree = about["tree"]
    for finding in findings:
        relocate(finding, tree)
    result = {**{k: about[k] for k in ("name", "domain", "version", "pinned", "note", "tried", "files", "lines")},
              "offered": about.get("offered", about["tried"]),
              "refused": about["refused"], "cpu": round(cpu, 2), "memory": round(memory), "coverage": coverage,
              "findings": findings}
    write_json(out / "result.json", result)
    return result


def relocate(value, tree):
    """Makes file names relative to the package's source folder, in place."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "file" and isinstance(inner, str):
                value[key] = os.path.relpath(inner, tree) if inner.startswith(tree + "/") else inner
            else:
                relocate(inner, tree)
    elif isinstance(value, list):
        for inner in value:
            relocate(inner, tree)


def last_result(name, scratch):
    return read_json(scratch / "run" / name / "result.json")
