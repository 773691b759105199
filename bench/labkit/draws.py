"""First looks: packages and modules drawn at random that nobody here has read, run once, their findings judged.

The seed alone decides the order. What is drawn is taken until enough findings are there or the limit is reached; of a
package with many findings a sample is kept, so that none decides the figure. bench/draws/SEED-DOMAIN.json says what
was drawn and what could not be fetched or captured, SEED-DOMAIN.tsv holds the findings with their verdicts. A draw's
figure is never changed by what is mended later: neither file is written again once enough findings are judged. A draw
that fell short can be gone on with, by the program it measured: the seed still decides what comes next.

The seed is not free: it names the commit that is measured, so the program's sources have to be that commit's, and a draw
that is gone on with has to be made by the same program. What is drawn may join the manifest only when all of it is judged.
What an earlier draw of the domain has drawn is not drawn again: the findings in it were read, and mended for.
"""
import collections
import concurrent.futures
import contextlib
import csv
import datetime
import hashlib
import itertools
import os
import random
import re
import subprocess
from pathlib import Path

from . import guess, labels, manifest, modules, prepare, runs, suites
from .common import BENCH, REPOSITORY, Failure, read_json, run, say, today, write_json

DRAWS = BENCH / "draws"
KEPT = ("package", "stratum", "check", "file", "line", "function", "object", "origin", "message", "fingerprint", "nth")
GIVEN = ("verdict", "trigger", "place", "reason", "reader")
COLUMNS = ("number", *KEPT, *GIVEN)
MOST_FILES = 100
RCPP = "Rcpp or cpp11"
# What is not in the domain is drawn, too: no list tells it before the source is there.
OUTSIDE = ("no C or C++", "no C or C++ with Python.h", "no C or C++ with GLib")
# GLib has draws, and no packages in the manifest yet.
DOMAINS = (*manifest.DOMAINS, "glib")
# The only option: on a machine that is busy otherwise, a unit is not to fail for its time on the clock.
PATIENT = ("--timeout", "1800")
# How many modules may be run before the first of them has ended; more than are needed stay in the scratch folder.
AHEAD = 40


class Left(Exception):
    """A drawn package that gives nothing to judge; the first argument says of which kind, the second why."""


def order(seed, domain, strata, every=3):
    """All names with their stratum, shuffled; of two strata the second has every third place, or what `every` says."""
    shuffled = []
    for stratum, names in strata.items():
        names = sorted(names)
        random.Random(f"{seed} {domain} {stratum}").shuffle(names)
        shuffled.append([(name, stratum) for name in names])
    if len(shuffled) == 1:
        return shuffled[0]
    first, second = (list(reversed(names)) for names in shuffled)
    out = []
    while first or second:
        out += [names.pop() for names in (*[first] * (every - 1), second) if names]
    return out


def sampled(findings, seed, name, each):
    """At most `each` findings of a package, chosen by the seed, in the report's order."""
    numbers = sorted(random.Random(f"{seed} {name}").sample(range(len(findings)), min(each, len(findings))))
    return [findings[n] for n in numbers]


class Drawing:
    """One draw: how its domain is listed, captured and run."""

    def __init__(self, seed, domain, scratch, reckon, jobs, earlier=()):
        self.seed, self.domain, self.scratch, self.reckon, self.jobs = seed, domain, scratch, reckon, jobs
        self.folder = scratch / "draws" / f"{seed}-{domain}"
        if domain == "linux":
            self.package = next(p for p in manifest.packages() if p["name"] == "linux-source-6.12")
            self.tree, self.about, self.modules = modules.all_modules(self.package, scratch)
            self.strata = {"": [name for name, m in self.modules.items() if m["files"] and not m["seen"]]}
        else:
            self.archive = suites.Archive(scratch)
            known = {p.get("source", p["name"]) for p in manifest.packages()}
            self.strata = suites.population(self.archive, domain, known)
        drawn = drawn_by(earlier, domain)
        self.strata = {stratum: [name for name in names if name not in drawn] for stratum, names in self.strata.items()}

    def one(self, name, stratum):
        """The record of one drawn package with its findings; made once."""
        kept = self.folder / f"{name.replace('/', '_')}.json"
        record = read_json(kept)
        if record is None:
            record = {"name": name, "stratum": stratum, "findings": []}
            try:
                record.update({"python": self.python, "glib": self.glib, "r": self.r, "linux": self.linux}[self.domain](name))
                record["status"] = "run"
            except Left as reason:
                record.update(status=reason.args[0], why=reason.args[1])
            except Failure as problem:
                record.update(status="not analysed", why=str(problem).strip().splitlines()[-1])
            write_json(kept, record)
        return record

    def records(self, listed):
        """The records of the names listed, in this order. Modules are mostly one file, which further jobs cannot make
        quicker: so several are run at the same time, each with one job, and a large one does not hold up the rest."""
        if self.domain != "linux" or self.jobs == 1:
            yield from (self.one(*drawn) for drawn in listed)
            return
        at_once, self.jobs = self.jobs, 1
        waiting, listed = collections.deque(), iter(listed)
        with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
            try:
                while True:
                    waiting.extend(pool.submit(self.one, *drawn) for drawn in itertools.islice(listed, AHEAD - len(waiting)))
                    if not waiting:
                        return
                    yield waiting.popleft().result()
            finally:
                for left in waiting:
                    left.cancel()

    def fetched(self, name):
        try:
            return self.archive.fetch(name)
        except Failure as problem:
            raise Left("not fetched", str(problem).strip().splitlines()[-1]) from problem

    def about_run(self, findings, coverage, cpu):
        return {"findings": findings, "coverage": coverage, "cpu": round(cpu, 1)}

    def headers(self, name, suite, further=()):
        """Installs what the build needs to compile; what could not be installed, and include folders."""
        needed = [p for p in suites.build_depends(self.archive.packages[name][suite])
                  if p == "python3-numpy" or p.endswith("-dev") and not suites.OTHERS.search(p)]
        installed, left = suites.install_limited([*dict.fromkeys([*needed, *further])])
        return suites.header_folders([p for p in installed if not re.match(r"(lib)?python3", p)]), left

    def python(self, name):
        tree, version, suite, note = self.fetched(name)
        files, generated = guess.files_with(tree, ["Python.h"])
        about = {"version": version, "suite": suite, "note": note, "generated": len(generated)}
        if not files:
            raise Left("no C or C++ with Python.h", "only generated files have it" if generated else "")
        if len(files) > MOST_FILES:
            raise Left("too large", f"{len(files)} files")
        entries, refused = guess.entries(tree, files, [])
        left = {}
        if any("file not found" in error for error in refused.values()):
            flags, left = self.headers(name, suite)
            entries, refused = guess.entries(tree, files, flags)
        about.update(files=len(entries), offered=len(files), refused=refused, missing_packages=left)
        if not entries:
            common = collections.Counter(refused.values()).most_common(1)[0][0]
            raise Left("not captured", f"none of {len(files)} files: {common}")
        return {**about, **self.checked(name, entries, tree)}

    def glib(self, name):
        tree, version, suite, note = self.fetched(name)
        files, generated = guess.files_with(tree, guess.GLIB_HEADERS)
        about = {"version": version, "suite": suite, "note": note, "generated": len(generated)}
        if not files:
            raise Left("no C or C++ with GLib", "only generated files have it" if generated else "")
        if len(files) > MOST_FILES:
            raise Left("too large", f"{len(files)} files")
        flags, left = self.headers(name, suite)
        entries, refused = guess.entries(tree, files, flags, prepare.GLIB_FLAGS)
        about.update(files=len(entries), offered=len(files), refused=refused, missing_packages=left)
        if not entries:
            common = collections.Counter(refused.values()).most_common(1)[0][0]
            raise Left("not captured", f"none of {len(files)} files: {common}")
        return {**about, **self.checked(name, entries, tree)}

    def checked(self, name, entries, tree):
        out = self.folder / "run" / name.replace("/", "_")
        database = out / "compile_commands.json"
        write_json(database, entries)
        findings, coverage, cpu, _ = runs.check(self.reckon, database, out, jobs=self.jobs, more=PATIENT, timeout=7200)
        for finding in findings:
            runs.relocate(finding, str(tree))
        return self.about_run(findings, coverage, cpu)

    def r(self, name):
        tree, version, suite, note = self.fetched(name)
        if not any(f.suffix in guess.SUFFIXES for f in (tree / "src").glob("**/*")):
            raise Left("no C or C++", "")
        said = re.search(r"^LinkingTo:((?:.*\n)(?:[ \t].*\n)*)", (tree / "DESCRIPTION").read_text(errors="replace") + "\n", re.M)
        linked = [re.sub(r"\(.*?\)", "", w).strip().lower() for w in said[1].split(",")] if said else []
        offered = set(self.archive.packages)
        further = [next((p for p in (f"r-cran-{w}", f"r-bioc-{w}") if p in offered), f"r-cran-{w}") for w in linked if w]
        _, left = self.headers(name, suite, further)
        out = self.folder / "run" / name
        try:
            findings, coverage, cpu, _ = runs.report(self.reckon, ["r", "-j", str(self.jobs), "--no-cache", *PATIENT, str(tree)], out, None, 7200)
        except Failure as problem:
            said = (out / "log.txt").read_text(errors="replace").strip().splitlines()
            raise Left("not captured", said[-1] if said else str(problem).splitlines()[0]) from problem
        for finding in findings:
            runs.relocate(finding, str(tree))
            relocate_copy(finding, tree.name)
        about = {"version": version, "suite": suite, "note": note, "missing_packages": left, "files": coverage["units"]}
        if coverage["units"] == coverage["units_failed"]:
            raise Left("not captured", f"none of {coverage['units']} files")
        return {**about, **self.about_run(findings, coverage, cpu)}

    def linux(self, name):
        module = self.modules[name]
        if len(module["files"]) > MOST_FILES:
            raise Left("too large", f"{len(module['files'])} files")
        about = {"version": self.about["version"], "files": len(module["files"]), "without": module["without"]}
        result = self.checked(name, modules.entries(self.tree, module), self.tree)
        if result["coverage"]["units"] == result["coverage"]["units_failed"]:
            raise Left("not captured", f"none of {len(module['files'])} files")
        return {**about, **result}

    def tree_of(self, name):
        return self.tree if self.domain == "linux" else (self.scratch / "unseen" / name / "tree").resolve()


def relocate_copy(value, folder):
    """File names of a package that Reckon copied into a temporary folder, made relative to it, in place."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "file" and isinstance(inner, str):
                value[key] = re.sub(rf"^/.*?/reckon-[^/]*/{re.escape(folder)}/", "", inner)
            else:
                relocate_copy(inner, folder)
    elif isinstance(value, list):
        for inner in value:
            relocate_copy(inner, folder)


def file_of(seed, domain, suffix):
    return DRAWS / f"{seed}-{domain}.{suffix}"


def read_rows(file, columns):
    if not file.exists():
        return []
    with open(file, encoding="utf-8", newline="") as text:
        rows = list(csv.DictReader(text, delimiter="\t", quoting=csv.QUOTE_NONE))
    for row in rows:
        if tuple(row) != tuple(columns) or None in row.values():
            raise Failure(f"{file.name}: a bad row: {row}")
        if row["verdict"]:
            check_verdict(file.name, row)
    return rows


def check_verdict(where, row):
    if row["verdict"] not in labels.VERDICTS or row["trigger"] not in labels.TRIGGERS or row["place"] not in labels.PLACES \
            or not row["reason"] or not row["reader"]:
        raise Failure(f"{where}: not a verdict: {row['number']} {row['verdict']} {row['trigger']} {row['place']} {row['reason']}")


def write_rows(file, columns, rows):
    file.parent.mkdir(exist_ok=True)
    file.write_text("".join("\t".join(line) + "\n" for line in [columns, *([r[c] for c in columns] for r in rows)]), encoding="utf-8")


def read(seed, domain):
    return read_rows(file_of(seed, domain, "tsv"), COLUMNS)


def same(row):
    return row["package"], row["fingerprint"], row["check"], row["line"], row["nth"]


def distinct(rows):
    """How many findings differ: one in a header that many packages include is a single one."""
    return len({(row["check"], row["fingerprint"]) for row in rows})


def earlier_seeds(seed, domain):
    """The seeds of the domain's other draws, for a draw that begins; one that is gone on with keeps those it began with."""
    about = read_json(file_of(seed, domain, "json"))
    if about is not None:
        return about.get("earlier", [])
    return sorted(file.name.split("-")[0] for file in DRAWS.glob(f"*-{domain}.json"))


def drawn_by(seeds, domain):
    """The names that the draws with these seeds have drawn."""
    return {drawn["name"] for seed in seeds for drawn in read_json(file_of(seed, domain, "json"))["drawn"]}


def draw(seed, domain, scratch, reckon, jobs, want, limit, each, every=3):
    """Draws, runs and records; verdicts that were given stay. `want` counts distinct findings, `limit` what was drawn, run
    or not."""
    before = read(seed, domain)
    if distinct(before) >= want and all(row["verdict"] for row in before):
        raise Failure(f"the draw {seed}-{domain} is judged; its figure is kept as it is")
    check_program(seed, domain, reckon)
    earlier = earlier_seeds(seed, domain)
    drawing = Drawing(seed, domain, scratch, reckon, jobs, earlier)
    given = {same(row): row for row in before}
    about = {"seed": seed, "domain": domain, "reckon": run([str(reckon), "--version"]).split("\n")[0].strip(), "program": program_of(reckon), "date": today(),
             "time": datetime.datetime.now(datetime.timezone.utc).strftime("%H:%M"),
             "population": {s: len(names) for s, names in drawing.strata.items()}, "want": want, "limit": limit, "each": each,
             "every": every, "earlier": earlier, "drawn": []}
    rows = []
    listed = order(seed, domain, drawing.strata, every)[:limit]
    with contextlib.closing(drawing.records(listed)) as records:
        for (name, stratum), record in zip(listed, records):
            chosen = sampled(record["findings"], seed, name, each)
            kept = {k: v for k, v in record.items() if k != "findings"}
            if record["status"] == "run":
                kept.update(found=len(record["findings"]), kept=len(chosen))
            about["drawn"].append(kept)
            for row in labels.described(chosen):
                rows.append({**{k: row.get(k, "") for k in KEPT}, "package": name, "stratum": stratum, "number": str(len(rows) + 1)})
            say(f"{len(about['drawn'])} {name}: {record['status']} {record.get('why', '')}"
                + (f"{len(record['findings'])} findings; {len(rows)} in all, {distinct(rows)} distinct" if record["status"] == "run" else ""))
            # Somebody may judge the first findings while the draw goes on.
            given.update((same(row), row) for row in read(seed, domain))
            rows = [{**row, **{k: given.get(same(row), {}).get(k, "") for k in GIVEN}} for row in rows]
            write_rows(file_of(seed, domain, "tsv"), COLUMNS, rows)
            write_json(file_of(seed, domain, "json"), about)
            if enough(rows, before, want):
                break
    return about, rows


# What makes the program: a commit with the same of these is the one that is measured.
PROGRAM = ("src", "specs", "CMakeLists.txt", "cmake")


def check_seed(seed, repository=REPOSITORY):
    """The seed has to be the first eight hex digits of a commit whose program is the one in the working tree."""
    def git(*words):
        return subprocess.run(["git", "-C", str(repository), *words], capture_output=True, text=True, check=False)
    commit = git("rev-parse", "--verify", "--quiet", f"{seed}^{{commit}}").stdout.strip()
    if not re.fullmatch("[0-9a-f]{8}", seed) or not commit.startswith(seed):
        now = git("rev-parse", "HEAD").stdout[:8]
        raise Failure(f"the seed is the first eight hex digits of the commit that is measured: {now}, not {seed}")
    there = [name for name in PROGRAM if (repository / name).exists()]
    if git("diff", "--quiet", commit, "--", *there).returncode or git("ls-files", "--others", "--exclude-standard", "--", *there).stdout:
        raise Failure(f"the working tree's program is not that of {seed}, so a draw with this seed would measure another one")


def program_of(reckon):
    """A short hash of the program's file and of its specs, which it names itself."""
    said = run([str(reckon), "--version"])
    return hashlib.sha256(Path(reckon).read_bytes() + " ".join(re.findall(r"specs (\w+)", said)).encode()).hexdigest()[:16]


def check_program(seed, domain, reckon):
    """A new draw needs the program of its seed's commit; one that is gone on with the program that began it, or one built
    anew of the same sources, whose file need not be the same byte for byte."""
    about = read_json(file_of(seed, domain, "json"))
    if about is not None and about.get("program", program_of(reckon)) == program_of(reckon):
        return
    try:
        check_seed(seed)
    except Failure as problem:
        if about is None:
            raise
        raise Failure(f"the draw {seed}-{domain} was begun by another program than {reckon}: {problem}") from problem


def joined_early(packages):
    """Packages of the manifest that a draw has which is not judged to the end."""
    out = []
    for about, rows in all_draws():
        if not all(row["verdict"] for row in rows):
            drawn = {d["name"] for d in about["drawn"]}
            out += [f"{p['name']} ({about['seed']}-{about['domain']})" for p in packages
                    if p["domain"] == about["domain"] and p.get("source", p["name"]) in drawn]
    return out


def enough(rows, before, want):
    """Whether nothing more has to be drawn: what was judged before a draw was gone on with stays in it."""
    judged = {same(row) for row in before if row["verdict"]}
    return distinct(rows) >= want and judged <= {same(row) for row in rows}


def again(seed, domain, scratch, reckon, jobs):
    """(finding, row, verdict) of a draw's judged findings that another program reports, too: how it computes what readers
    judged before they could know. The sources and compiler calls are those of the draw, from the scratch folder."""
    folder = scratch / "draws" / f"{seed}-{domain}" / "run"
    out = []
    by_package = collections.defaultdict(list)
    for row in read(seed, domain):
        if row["verdict"]:
            by_package[row["package"]].append(row)
    for name, rows in by_package.items():
        tree = tree_of(scratch, domain, rows[0])
        database, made = folder / name.replace("/", "_") / "compile_commands.json", scratch / "again" / f"{seed}-{domain}" / name.replace("/", "_")
        if domain == "r":
            findings, *_ = runs.report(reckon, ["r", "-j", str(jobs), "--no-cache", *PATIENT, str(tree)], made, None, 7200)
        elif database.exists():
            findings, *_ = runs.check(reckon, database, made, jobs=jobs, more=PATIENT)
        else:
            raise Failure(f"{name}: its compiler calls are not in the scratch folder; draw again")
        for finding in findings:
            runs.relocate(finding, str(tree))
            relocate_copy(finding, tree.name)
        out += [pair for pair in labels.match(findings, rows)[0] if pair[2]]
        say(f"{name}: {len(findings)} findings")
    return out


def finding_of(seed, domain, scratch, row):
    """The whole finding of a row, from the scratch folder."""
    record = read_json(scratch / "draws" / f"{seed}-{domain}" / f"{row['package'].replace('/', '_')}.json", {"findings": []})
    for finding in record["findings"]:
        if finding.get("fingerprint") == row["fingerprint"] and finding["check"] == row["check"] \
                and str(finding["location"]["line"]) == row["line"]:
            return finding
    return None


def tree_of(scratch, domain, row):
    if domain == "linux":
        about = read_json(scratch / "src" / "linux-source-6.12" / "about.json")
        return scratch / "src" / "linux-source-6.12" / about["folder"] if about else scratch
    return (scratch / "unseen" / row["package"] / "tree").resolve()


def store(file, columns, rows, lines, reader, key):
    """Stores verdicts from lines NUMBER<tab>VERDICT<tab>TRIGGER<tab>PLACE<tab>REASON. Once all are judged, all stay."""
    if rows and all(row["verdict"] for row in rows):
        raise Failure(f"{file.name}: all findings are judged; the figure is kept as it is")
    known = {key(row): row for row in rows}
    for line in lines:
        words = line.rstrip("\n").split("\t")
        if not line.strip():
            continue
        if len(words) != 5 or words[0] not in known:
            raise Failure(f"not a verdict: {line.strip()}")
        row = known[words[0]]
        row.update(zip(GIVEN, [*words[1:4], labels.plain(words[4]), reader]))
        check_verdict(file.name, row)
    write_rows(file, columns, rows)
    return sum(1 for row in rows if not row["verdict"])


SECOND = ("domain", "number", "package", "fingerprint", *GIVEN)


def second_file(seed):
    return DRAWS / f"second-{seed}.tsv"


def every_fifth(seed):
    """(domain, row) of each fifth finding of a draw, in an order the seed decides."""
    for domain in DOMAINS:
        rows = read(seed, domain)
        random.Random(f"{seed} {domain} second").shuffle(rows)
        yield from ((domain, row) for row in sorted(rows[::5], key=lambda r: int(r["number"])))


def second(seed, reader="second"):
    """The rows of one further reader, without verdict at first. A draw that was gone on with gives other numbers and another
    fifth: what was judged is found by its fingerprint, and stays where it is no longer in the fifth."""
    judged = {(r["domain"], r["package"], r["fingerprint"]): r for r in read_rows(second_file(seed), SECOND)
              if r["verdict"] and r["reader"] == reader}
    fifth = [(domain, row["package"], row["fingerprint"]) for domain, row in every_fifth(seed)]
    rows = []
    for domain in DOMAINS:
        for row in read(seed, domain):
            key = domain, row["package"], row["fingerprint"]
            given = judged.pop(key, None)
            if given or key in fifth:
                rows.append({"domain": domain, **{k: row[k] for k in ("number", "package", "fingerprint")},
                             **{k: given[k] if given else "" for k in GIVEN}})
                fifth = [other for other in fifth if other != key]
    return rows


def others(seed, reader):
    """The rows of the other further readers."""
    return [r for r in read_rows(second_file(seed), SECOND) if r["verdict"] and r["reader"] != reader]


def agreement(seed):
    """Pairs (domain, first reader's row, further reader's row) of what both have judged."""
    out = []
    for row in read_rows(second_file(seed), SECOND):
        first = next((r for r in read(seed, row["domain"])
                      if (r["package"], r["fingerprint"]) == (row["package"], row["fingerprint"])), None)
        if row["verdict"] and first and first["verdict"]:
            out.append((row["domain"], first, row))
    return out


def agreeing(seed):
    """(domain, reader, pairs of rows) for each domain and further reader that has judged some of it."""
    pairs = agreement(seed)
    for domain in DOMAINS:
        for reader in dict.fromkeys(b["reader"] for d, _, b in pairs if d == domain):
            yield domain, reader, [(a, b) for d, a, b in pairs if d == domain and b["reader"] == reader]


def kappa(pairs):
    """Cohen's kappa of pairs of words: agreement beyond what chance gives."""
    n = len(pairs)
    if not n:
        return None
    same_word = sum(a == b for a, b in pairs) / n
    left, right = collections.Counter(a for a, _ in pairs), collections.Counter(b for _, b in pairs)
    chance = sum(left[w] * right[w] for w in left) / n / n
    return 1.0 if chance == 1 else (same_word - chance) / (1 - chance)


def wilson(good, n, z=1.6449):
    """The 90% interval of a share, after Wilson."""
    if not n:
        return 0.0, 1.0
    share = good / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * ((share * (1 - share) / n + z * z / (4 * n * n)) ** 0.5) / (1 + z * z / n)
    return max(0.0, middle - half), min(1.0, middle + half)


def weighted(about, rows):
    """The share of real findings if the whole population were run: strata by their size, packages by all they had. What
    could not be fetched or captured is taken to be like what was."""
    real = total = 0.0
    drawn = collections.Counter(d["stratum"] for d in about["drawn"] if d["status"] in ("run", *OUTSIDE))
    found = {d["name"]: d for d in about["drawn"] if d["status"] == "run"}
    for row in rows:
        if row["verdict"]:
            package = found[row["package"]]
            weight = about["population"][row["stratum"]] / drawn[row["stratum"]] * package["found"] / package["kept"]
            total += weight
            real += weight * (row["verdict"] == "real")
    return real / total if total else None


def order_of_time(draw):
    """The domains one after the other, each with the oldest first; one that does not know its hour was the last of its day."""
    about = draw[0]
    return DOMAINS.index(about["domain"]), about["date"], about.get("time", "24:00"), about["seed"]


def all_draws():
    """(about, rows) of every draw, by domain, oldest first."""
    out = []
    for file in sorted(DRAWS.glob("*.json")):
        about = read_json(file)
        out.append((about, read(about["seed"], about["domain"])))
    return sorted(out, key=order_of_time)
