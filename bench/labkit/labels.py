"""Verdicts on findings, by people who read the source: bench/labels/PACKAGE.tsv.

A label is found again by the finding's fingerprint; where that changed (another version of the fingerprint, a renamed
file), by the shape of the finding: check, file, function, object, the call the reference came from, and the message,
plus a number when several findings of one function look alike. So a rerun asks only for what is new.

Verdicts: real, only as the message says; misplaced (there is a bug, but the message names the wrong call, object or
path); harmless (true, but nothing to mend: an immortal object, a process about to end); unclear; false, with the cause
of the false alarm by name. `trigger` is what must happen for the bug to show: normal (every such call), input (what a
caller or a user passes), outside (a device, a file or a server fails), memory (an allocation fails), race; for what
is false, what the message claims. `place` is where it stands: run, init, teardown. Both are unknown where nobody judged them. `seen` says whether the last accepted run had the finding: a real one that went
silent, or a false one that came back, is a regression.
"""
import csv
import io
import re
import subprocess

from .common import LABELS, REPOSITORY, Failure

COLUMNS = ["fingerprint", "check", "file", "function", "object", "origin", "message", "nth", "line", "verdict", "cause",
           "seen", "reason", "trigger", "place"]
VERDICTS = ("real", "misplaced", "harmless", "unclear", "false")
# What must happen for the bug to show, and where it stands.
TRIGGERS = ("normal", "input", "outside", "memory", "race", "unknown")
PLACES = ("run", "init", "teardown", "unknown")
SHAPE = ("check", "file", "function", "object", "origin", "message", "nth")


def plain(text):
    return re.sub(r"\s+", " ", text or "").strip()


def described(findings):
    """Findings as rows of a label file, without a verdict."""
    rows, counts = [], {}
    for f in findings:
        row = {"fingerprint": f.get("fingerprint", ""), "check": f["check"], "file": f["location"]["file"],
               "function": f["function"], "object": f.get("object", ""), "origin": f.get("origin_api", ""),
               "message": f["message"], "line": str(f["location"]["line"])}
        row = {k: plain(v) for k, v in row.items()}
        shape = tuple(row[k] for k in SHAPE[:-1])
        counts[shape] = counts.get(shape, 0) + 1
        row["nth"] = str(counts[shape])
        row.update(verdict="", cause="", seen="", reason="", trigger="", place="")
        rows.append(row)
    return rows


def shape_of(row):
    return tuple(row[k] for k in SHAPE)


def read(package):
    file = LABELS / f"{package}.tsv"
    return read_file(file) if file.exists() else []


def read_file(file):
    with open(file, encoding="utf-8", newline="") as text:
        rows = list(csv.DictReader(text, delimiter="\t", quoting=csv.QUOTE_NONE))
    for row in rows:
        if set(row) != set(COLUMNS) or not sound(row):
            raise Failure(f"{file}: a bad row: {row}")
    return rows


def reported_at(commit, package):
    """What the program of an earlier commit reported, as findings: that commit's labels say which were seen then. No labels
    are no findings: every finding had been judged."""
    name = f"{commit}:{LABELS.relative_to(REPOSITORY).as_posix()}/{package}.tsv"
    shown = subprocess.run(["git", "show", name], cwd=REPOSITORY, capture_output=True, text=True, check=False)
    return as_findings(shown.stdout)


def as_findings(text):
    """The rows of a label file that were seen, of an earlier form, too, as findings."""
    return [{"fingerprint": row["fingerprint"], "check": row["check"], "function": row["function"], "object": row["object"],
             "origin_api": row["origin"], "message": row["message"], "location": {"file": row["file"], "line": row["line"]}}
            for row in csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE) if row["seen"] == "yes"]


def sound(row):
    """Whether verdict, cause, trigger and place fit together."""
    return row["verdict"] in VERDICTS and (row["verdict"] == "false") == bool(row["cause"]) \
        and row["trigger"] in TRIGGERS and row["place"] in PLACES


def write(package, rows):
    LABELS.mkdir(exist_ok=True)
    write_file(LABELS / f"{package}.tsv", rows)


def write_file(file, rows):
    rows = sorted(rows, key=lambda r: (r["file"], int(r["line"]), r["check"], r["object"], r["message"], int(r["nth"])))
    with open(file, "w", encoding="utf-8", newline="") as text:
        text.write("\t".join(COLUMNS) + "\n")
        for row in rows:
            text.write("\t".join(row[c] for c in COLUMNS) + "\n")


def match(findings, labels):
    """Pairs findings with labels. Returns (finding, row, label or None) for each finding, and the labels left over."""
    rows = described(findings)
    left = list(labels)
    paired = [None] * len(rows)
    # The sources are pinned, so a finding in other words still stands at its line; the last resort, other words and
    # another line, is the object. Both count only where they leave no choice.
    steps = ((lambda r: r["fingerprint"] or None, False), (shape_of, False),
             (lambda r: (r["check"], r["file"], r["function"], r["line"]), True),
             (lambda r: tuple(r[k] for k in SHAPE[:5]), True))
    for keys, strict in steps:
        waiting, asking = {}, {}
        for label in left:
            if keys(label) is not None:
                waiting.setdefault(keys(label), []).append(label)
        for i, row in enumerate(rows):
            if paired[i] is None:
                asking[keys(row)] = asking.get(keys(row), 0) + 1
        if strict:
            waiting = {key: found for key, found in waiting.items() if len(found) == asking.get(key)}
        for i, row in enumerate(rows):
            if paired[i] is None and waiting.get(keys(row)):
                paired[i] = waiting[keys(row)].pop(0)
                left = [label for label in left if label is not paired[i]]
    return list(zip(findings, rows, paired)), left


def verdicts(findings, labels):
    """How many findings have which verdict under these labels; `not judged` are those without."""
    counts = {v: 0 for v in (*VERDICTS, "not judged")}
    for _, _, label in match(findings, labels)[0]:
        counts[label["verdict"] if label else "not judged"] += 1
    return counts


def agreement(paired, column):
    """Pairs (judged, computed) of a column, trigger or place, where a reader judged it and the finding tells it."""
    return [(label[column], f[column]) for f, _, label in paired if label and label[column] != "unknown" and f.get(column)]


def updated(row, label):
    """The label with the finding's present looks."""
    return {**row, **{k: label[k] for k in ("verdict", "cause", "reason", "trigger", "place")}, "seen": "yes"}


def of_files(some, names):
    """Labels that stand in files of this list, or in headers, and the others."""
    def is_there(label):
        return label["file"].endswith((".h", ".hpp", ".hh")) or any(name.endswith("/" + label["file"]) for name in names)
    return [label for label in some if is_there(label)], [label for label in some if not is_there(label)]


def regressions(paired, left):
    """Real findings that went silent, and false ones that are back. What another finding names as one of its further
    places (one macro, one root) is not silent."""
    told = {(f["check"], place["file"], str(place["line"])) for f, _, _ in paired for place in f.get("further_places", [])}
    lost = [label for label in left if label["verdict"] == "real" and label["seen"] == "yes"
            and (label["check"], label["file"], label["line"]) not in told]
    back = [label for _, _, label in paired if label and label["verdict"] == "false" and label["seen"] == "no"]
    return lost, back
