"""What Debian offers beyond the manifest: source packages of this suite and of later ones.

The system's apt stays as it is: package lists in a folder of their own, entries made from the system's by adding the
later suites; the files themselves are checked against these lists. Mirrors lose files of an older suite while a newer one still has its own, so a package is taken from the first
suite that can be fetched whole, else its upstream part alone.
"""
import hashlib
import os
import re
import shutil
import subprocess
import urllib.request
from pathlib import Path

from .common import Failure, run, say
from .fetch import source_entries, unpack_upstream

LATER = ("trixie", "sid")
LARGEST = 40_000_000  # bytes of compressed source; what is larger is recorded and not fetched
DEPENDS = ("Build-Depends", "Build-Depends-Arch", "Build-Depends-Indep")
GLIB = re.compile(r"(?<![\w.+-])libglib2\.0-dev\b")
PYTHON = re.compile(r"(?<![\w.+-])(lib)?python3(\.\d+)?(-all)?-dev\b")
# Headers for other languages, and what brings only tools.
OTHERS = re.compile(r"^(golang|librust|libghc|node)-|^(php|ruby|tcl|tk|lua|guile|erlang|ocaml|ghc|mono|default-)|-ocaml-dev$|-perl-dev$|-java-dev$|^python3?(\.\d+)?-(dbg|all-dbg)|^r-base-dev$|^libqt|^qt")
RCPP = re.compile(r"(?<![\w.+-])r-cran-(rcpp|cpp11)\b")


def with_later(lines, stanzas):
    """The system's entries for sources with the later suites added; updates and security have none of these."""
    def suites(text):
        named = [s for s in text.split() if not re.search(r"-(updates|security|backports)$", s)]
        return " ".join(dict.fromkeys([*named, *LATER])) if named else ""
    out_lines, out_stanzas = [], []
    for stanza in stanzas:
        named = suites(re.search(r"^Suites:(.*)$", stanza, re.M)[1])
        if named:
            out_stanzas.append(re.sub(r"^Suites:.*$", f"Suites: {named}", stanza, flags=re.M))
    for line in lines:
        found = re.match(r"(deb-src\s+(?:\[[^]]*\]\s+)?\S+)\s+(\S+)\s+(.*)$", line)
        for suite in suites(found[2]).split() if found else ():
            out_lines.append(f"{found[1]} {suite} {found[3]}")
    return list(dict.fromkeys(out_lines)), list(dict.fromkeys(out_stanzas))


class Archive:
    """Debian's source packages by name and suite, and how they are fetched."""

    def __init__(self, scratch):
        self.scratch, conf = scratch, scratch / "apt-later"
        parts = conf / "parts"
        for folder in (parts, conf / "lists" / "partial"):
            folder.mkdir(parents=True, exist_ok=True)
        lines, stanzas = with_later(*source_entries())
        (conf / "sources.list").write_text("".join(line + "\n" for line in lines))
        (parts / "later.sources").write_text("\n\n".join(stanzas) + "\n")
        self.apt = ["apt-get", "-q", "-o", f"Dir::Etc::SourceList={conf}/sources.list",
                    "-o", f"Dir::Etc::SourceParts={parts}", "-o", f"Dir::State::Lists={conf}/lists",
                    "-o", "APT::Sandbox::User=root", "-o", f"Dir::Cache::pkgcache={conf}/pkg.bin",
                    "-o", f"Dir::Cache::srcpkgcache={conf}/src.bin"]
        self.lists = conf / "lists"
        self.mirrors = list(dict.fromkeys([uri for s in stanzas for uri in re.search(r"^URIs:(.*)$", s, re.M)[1].split()]
                                          + [uri for line in lines for uri in re.findall(r"\s(\w+://\S+)", line)]))
        if not any(self.lists.glob("*Sources*")):
            run([*self.apt, "update"])
        self.packages = {}
        for file in sorted(self.lists.glob("*_source_Sources*"), key=self.rank):
            text = subprocess.run(["/usr/lib/apt/apt-helper", "cat-file", str(file)], capture_output=True, text=True,
                                  errors="replace", check=True).stdout
            suite = re.search(r"_dists_([^_]+)_", file.name)[1]
            for fields in stanzas_of(text):
                # Of several versions in one suite the last counts.
                self.packages.setdefault(fields["Package"], {})[suite] = fields

    @staticmethod
    def rank(file):
        suite = re.search(r"_dists_([^_]+)_", file.name)[1]
        return LATER.index(suite) + 1 if suite in LATER else 0

    def named(self, name):
        """(suite, fields) of a package, this system's suite first."""
        return list(self.packages[name].items())

    def fetch(self, name):
        """The unpacked source of a package; returns its folder, version, suite and a note. Fetched once."""
        parent = self.scratch / "unseen" / name
        told = parent / "fetched"
        if told.exists():
            return (parent / "tree").resolve(), *told.read_text().split("\n")
        if all(size_of(fields) > LARGEST for _, fields in self.named(name)):
            raise Failure(f"{max(size_of(fields) for _, fields in self.named(name)) // 1_000_000} MB of source: too large")
        problem = "nothing was unpacked"
        for suite, fields in self.named(name):
            if size_of(fields) > LARGEST:
                continue
            shutil.rmtree(parent, ignore_errors=True)
            parent.mkdir(parents=True)
            try:
                note = self.unpacked(fields, parent)
            except (Failure, OSError) as error:
                problem = f"{suite}: {str(error).strip().splitlines()[-1]}"
                continue
            folder = next(p for p in sorted(parent.iterdir()) if p.is_dir())
            (parent / "tree").symlink_to(folder.name)
            told.write_text("\n".join((fields["Version"], suite, note)))
            return folder.resolve(), fields["Version"], suite, note
        raise Failure(problem)

    def unpacked(self, fields, parent):
        """Fetches one version's files into `parent` and unpacks them; the note says what is missing."""
        got, missing = [], []
        for digest, _, file in (line.split() for line in fields["Checksums-Sha256"].split("\n") if line.strip()):
            (got if self.download(f"{fields['Directory']}/{file}", digest, parent / file) else missing).append(file)
        described = next((f for f in got if f.endswith(".dsc")), None)
        if described and not missing:
            run(["dpkg-source", "--no-check", "-x", described], cwd=parent)
            return ""
        if not any(re.search(r"\.orig\.tar\.\w+$", f) for f in got):
            raise Failure("not on the mirror: " + ", ".join(missing))
        unpack_upstream(parent)
        return "upstream tarball without Debian's patches"

    def download(self, path, digest, target):
        """One file of the pool, checked against the package list; says whether a mirror had it."""
        for mirror in self.mirrors:
            try:
                with urllib.request.urlopen(f"{mirror.rstrip('/')}/{path}", timeout=60) as answer:
                    content = answer.read()
            except OSError:
                continue
            if hashlib.sha256(content).hexdigest() == digest:
                target.write_bytes(content)
                return True
        return False


def stanzas_of(text):
    for stanza in text.split("\n\n"):
        fields, key = {}, None
        for line in stanza.splitlines():
            if line[:1] in (" ", "\t"):
                fields[key] += "\n" + line.strip()
            elif ":" in line:
                key, _, value = line.partition(":")
                fields[key] = value.strip()
        if "Package" in fields:
            yield fields


def size_of(fields):
    return sum(int(line.split()[1]) for line in fields.get("Files", "").split("\n") if len(line.split()) == 3)


def build_depends(fields):
    """Names of the packages a build needs, without alternatives, architectures and profiles."""
    text = ", ".join(fields.get(key, "") for key in DEPENDS)
    names = []
    for one in text.split(","):
        found = re.match(r"\s*([a-z0-9][a-z0-9.+-]+)", one)
        if found and "<!nocheck>" not in one:
            names.append(found[1])
    return list(dict.fromkeys(names))


def population(archive, domain, known):
    """The names that can be drawn, by stratum; `known` are those of the manifest."""
    strata = {"python": {"": []}, "glib": {"": []}, "r": {"C": [], "Rcpp or cpp11": []}}[domain]
    for name in sorted(set(archive.packages) - set(known)):
        every = archive.packages[name].values()
        depends = ", ".join(fields.get(key, "") for fields in every for key in DEPENDS)
        if domain == "python" and PYTHON.search(depends) or domain == "glib" and GLIB.search(depends):
            strata[""].append(name)
        # Architecture-dependent R packages are those with compiled code.
        if domain == "r" and re.match(r"r-(cran|bioc)-", name) and any(f.get("Architecture") != "all" for f in every):
            strata["Rcpp or cpp11" if RCPP.search(depends) else "C"].append(name)
    return strata


def simulated(names):
    """What installing these packages would do: how many new ones, those that cannot be had, or None if it cannot be done."""
    tried = subprocess.run(["apt-get", "install", "-s", "-q", "--no-install-recommends", *names], capture_output=True, text=True,
                           env=dict(os.environ, LC_ALL="C"))
    text = tried.stdout + tried.stderr
    gone = [n for n in names if re.search(rf"^E: (Unable to locate package {re.escape(n)}$|Package '{re.escape(n)}' has no)", text, re.M)]
    if tried.returncode != 0 or re.search(r"^Remv ", text, re.M):
        return None, gone
    return len(re.findall(r"^Inst ", text, re.M)), []


def install_limited(names, most_new=60, most_named=15):
    """Installs build dependencies from the system's own suite; (installed, what was not and why). All together if that is
    possible and small, else one by one. A build that names more is not served: what its headers need is then refused."""
    state = subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n", *names], capture_output=True, text=True).stdout
    done = [n for n in names if re.search(rf"^{re.escape(n)} installed$", state, re.M)]
    missing = [n for n in names if n not in done]
    left = {n: f"more than {most_named} missing" for n in missing[most_named:]}
    waiting = [missing[:most_named]] if missing else []
    while waiting:
        some = waiting.pop()
        new, gone = simulated(some)
        left.update((n, "not in this suite") for n in gone)
        if gone:
            some = [n for n in some if n not in gone]
            waiting += [some] if some else []
        elif (new is None or new > most_new) and len(some) > 1:
            waiting += [[n] for n in some]
        elif new is None or new > most_new:
            left[some[0]] = "cannot be installed" if new is None else f"would install {new} packages"
        else:
            say(f"installing {' '.join(some)}")
            try:
                run(["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y", "-q", "--no-install-recommends",
                     "-o", "DPkg::Lock::Timeout=600", *(f"-oDPkg::Options::=--path-exclude=/usr/share/{d}/*" for d in ("man", "doc", "locale")),
                     *some])
                done += some
            except Failure as problem:
                left.update((n, str(problem).splitlines()[-1]) for n in some)
    return done, left


def header_folders(packages):
    """Include folders that the .pc files of installed packages name."""
    flags = []
    for package in packages:
        listed = subprocess.run(["dpkg", "-L", package], capture_output=True, text=True).stdout.split("\n")
        for file in listed:
            if file.endswith(".pc"):
                said = subprocess.run(["pkg-config", "--cflags", Path(file).stem], capture_output=True, text=True)
                flags += [w for w in said.stdout.split() if w.startswith("-I")] if said.returncode == 0 else []
    return list(dict.fromkeys(flags))
