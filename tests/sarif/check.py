#!/usr/bin/env python3
"""Writes SARIF with the built reckon and holds it against the standard.

    check.py facts RECKON SOURCES...    against our own table of what SARIF says (facts.py)
    check.py schema RECKON SOURCES...   against the published schema; exit 77 (skipped) if that is not at hand
    check.py github RECKON SOURCES...   against what GitHub asks of rules, and by Microsoft's validator with GitHub's rules;
                                        the validator is passed over, and that is said, if it is not at hand
    check.py self                       broken logs must be noticed

The published schema is looked for in $RECKON_SARIF_SCHEMA and in ~/.cache/reckon-tests/. If it is in neither place,
`fetch_schema` is asked to put it there, which needs npm and a network. The tree holds no copy.
"""
import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import facts  # noqa: E402
import schema  # noqa: E402

SKIPPED = 77
FETCH_SECONDS = 60
LEAK = """#include "thing.h"
/* \u00e4\U0001F600 */ int forget(int n) { struct thing *t = thing_new(); if (!t) return -1; if (n) return 0;
  thing_unref(t);
  return 0;
}
int keep(struct thing *t) {
  int r = thing_get(t);
  if (r) return r;
  r = work(t);
  if (r) return r;
  thing_put(t);
  return 0;
}
int known(int n) {
  struct thing *t = thing_new();
  if (n) return 0;  // reckon: ignore[thing-leak] the process ends soon
  if (t) thing_unref(t);
  return 0;
}
"""
SPEC = """domain thing
check leaks pairs
fn thing_new()    -> new | NULL
fn thing_unref(t) -> void t-1
fn thing_get(t)   -> 0 t.use+1 | <0 fails
fn thing_put(t)   -> void t.use-1
"""
HEADER = """struct thing;
struct thing *thing_new(void);
void thing_unref(struct thing *t);
int thing_get(struct thing *t);
void thing_put(struct thing *t);
int work(struct thing *t);
"""


def sarif_of(reckon, folder, *arguments):
    out = folder / "out.sarif"
    command = [reckon, "check", "-q", "--no-cache", "--format=sarif", "--output", str(out), *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{command}: exit {done.returncode}\n{done.stderr}")
    return json.loads(out.read_text(encoding="utf-8"))


def logs(reckon, sources):
    """Logs that use every property: a user's API in odd places, and the example's Python module."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "thing.spec").write_text(SPEC)
        odd = folder / "odd name \u00e4"
        odd.mkdir()
        (odd / "thing.h").write_text(HEADER)
        (odd / "a b.c").write_text(LEAK, encoding="utf-8")
        (odd / "broken.c").write_text("int f(void) { return nothing_of_that_name; }\n")
        yield sarif_of(reckon, folder, "--specs", "thing.spec", str(odd / "a b.c"), str(odd / "broken.c"))
        (folder / "clean.c").write_text("int f(void) { return 0; }\n")
        yield sarif_of(reckon, folder, "clean.c")
    for source, *flags in (s.split() for s in sources):
        with tempfile.TemporaryDirectory() as name:
            yield sarif_of(reckon, pathlib.Path(name), source, "--", *flags)


def check_odd(log):
    """The first log of logs(): did the things that are easy to get wrong come out right?"""
    run = log["runs"][0]
    by_function = {r["locations"][0]["logicalLocations"][0]["name"]: r for r in run["results"]}
    leak = by_function["forget"]["locations"][0]["physicalLocation"]
    if leak["artifactLocation"]["uri"] != "odd%20name%20%C3%A4/a%20b.c":
        yield f"address {leak['artifactLocation']}"
    # "return 0;" of the second line; before it stand one letter of two bytes and a character of two UTF-16 units.
    text = LEAK.splitlines()[1]
    column = len(text[:text.index("return 0;")].encode("utf-16-le")) // 2 + 1
    if leak["region"] != {"startLine": 2, "startColumn": column}:
        yield f"{leak['region']} is not line 2, column {column}"
    if len(by_function["keep"].get("codeFlows", [])) != 2:
        yield "the pair has not two code flows"
    if "suppressions" not in by_function["known"]:
        yield "the finding with a comment is not suppressed"
    notes = [n["descriptor"]["id"] for n in run["invocations"][0]["toolExecutionNotifications"]]
    if "not-compiled" not in notes:
        yield f"no notification about broken.c: {notes}"


def fetch_schema():
    """True if the schema was fetched; no npm or no network is no failure."""
    try:
        done = subprocess.run([pathlib.Path(__file__).parent / "fetch_schema"], capture_output=True, text=True, check=False,
                              timeout=FETCH_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as problem:
        print(f"the schema could not be fetched: {problem}")
        return False
    if done.returncode != 0:
        print(f"the schema could not be fetched: {done.stderr.strip()[-300:]}")
    return done.returncode == 0


def find_schema():
    places = [os.environ.get("RECKON_SARIF_SCHEMA", ""),
              os.path.expanduser("~/.cache/reckon-tests/sarif-schema-2.1.0.json")]
    return next((p for p in places if p and os.path.isfile(p)), None)


def github_facts(log):
    """What GitHub asks of everything that describes a rule or a notification, and of rules about security."""
    driver = log["runs"][0]["tool"]["driver"]
    for what in driver["rules"] + driver["notifications"]:
        for needed in ("shortDescription", "fullDescription", "help"):
            if not what.get(needed, {}).get("text"):
                yield f"{what['id']}: no {needed}"
    known = {rule["id"] for rule in driver["rules"] if not rule["id"].startswith("thing-")} | {"thing-leak"}
    for rule in driver["rules"]:
        tags = rule["properties"]["tags"]
        if rule["id"] in known and (not any(t.startswith("external/cwe/cwe-") for t in tags) or "security" not in tags):
            yield f"{rule['id']}: no weakness among {tags}"
        if rule["id"] in known and not rule.get("helpUri", "").startswith("https://cwe.mitre.org/data/definitions/"):
            yield f"{rule['id']}: no address of help"
        if rule["id"] in known and not 0 < float(rule["properties"]["security-severity"]) <= 10:
            yield f"{rule['id']}: security-severity"


def find_validator():
    places = [os.environ.get("RECKON_SARIF_VALIDATOR", ""), os.path.expanduser("~/.cache/reckon-tests/Sarif.Multitool")]
    return next((p for p in places if p and os.access(p, os.X_OK)), None)


def validated(validator, log):
    """Errors by GitHub's rules."""
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name) / "log.sarif"
        path.write_text(json.dumps(log))
        done = subprocess.run([validator, "validate", str(path), "--rule-kind", "Sarif;Ghas", "--level", "Error"], capture_output=True, text=True,
                              env={**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"}, check=False)
        if "Analyzing" not in done.stdout:
            yield f"the validator does not work: {done.stderr.strip()[-300:]}"
        yield from (line for line in done.stdout.splitlines() if ": error " in line)


def breakages(log):
    """The log with one mistake each."""
    def broken(change):
        out = copy.deepcopy(log)
        change(out["runs"][0])
        return out
    yield broken(lambda run: run["results"][0].pop("message"))
    yield broken(lambda run: run["results"][0].update(level="fatal"))
    yield broken(lambda run: run["results"][0].update(surprise=1))
    yield broken(lambda run: run["results"][0]["codeFlows"][0].update(threadFlows=[]))
    yield broken(lambda run: run["results"][0]["locations"][0]["physicalLocation"]["region"].update(startLine=0))
    yield broken(lambda run: run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"].update(uri="a b"))
    yield broken(lambda run: run.pop("tool"))


def self_test(reckon):
    log = next(logs(reckon, []))
    problems = []
    checkers = {"facts": facts.check_log}
    if find_schema():
        checkers["schema"] = schema.Schema(find_schema()).check
    for name, checker in checkers.items():
        for i, bad in enumerate(breakages(log)):
            if not checker(bad):
                problems.append(f"{name}: mistake {i} was not noticed")
    return problems


def main():
    what, reckon, sources = sys.argv[1], sys.argv[2], sys.argv[3:]
    if what == "self":
        problems = self_test(reckon)
    elif what == "github":
        all_logs = list(logs(reckon, sources))
        problems = [p for log in all_logs for p in github_facts(log)]
        validator = find_validator()
        if not validator:
            print("Microsoft's validator is not at hand (tests/sarif/fetch_validator gets it)")
        else:
            problems += [p for log in all_logs for p in validated(validator, log)]
    elif what == "facts":
        problems = []
        for i, log in enumerate(logs(reckon, sources)):
            problems += facts.check_log(log) + (list(check_odd(log)) if i == 0 else [])
    else:
        path = find_schema() or (fetch_schema() and find_schema())
        if not path:
            print("skipped: no published schema at hand")
            return SKIPPED
        checker = schema.Schema(path)
        problems = [p for log in logs(reckon, sources) for p in checker.check(log)]
    for problem in problems:
        print(problem)
    print(f"sarif {what}: {len(problems)} problem(s)")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
