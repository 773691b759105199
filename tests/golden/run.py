#!/usr/bin/env python3
"""Runs reckon over one area of golden tests and compares its findings with the marks in the sources.

An area is a folder of C and C++ files; EXPECTATIONS.md says how a source states what it expects. Every
finding that no mark announces is a failure, and so is every mark without its finding; known wrong answers
(FP_, FN_) fail as soon as they become right.

Other files of an area:
    flags, flags-c, flags-c++   compiler flags for all files, for C, for C++; `$(command)` is replaced by the
                                command's output, `#` starts a comment; commands and paths start in the area
    options                     options of reckon for all files

Files with the same flags and options are checked by one reckon process, as one program; `// alone` in a
file gives it a process of its own (say, because of functions of the same name). CTest runs one file at a time
(--only), with the files that it names by `// with:`; a golden file must mean the same alone and beside the others.

Usage: run.py --reckon PROGRAM [--only FILE] [--cache FOLDER] AREA
Exit: 0 all as expected, 1 surprises, 2 the area could not be run.
"""
import argparse
import collections
import json
import pathlib
import re
import shlex
import subprocess
import sys

SOURCES = (".c", ".cpp", ".cc", ".cxx")
HEADERS = (".h", ".hpp")
KINDS = ("expect", "expect-in-function", "maybe", "maybe-in-function", "expect-not-yet", "false-alarm")
MARK = re.compile(r"((?:expect|maybe|false)[a-z-]*)\s*:(.*)")
ID = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?:\|[a-z][a-z0-9]*(?:-[a-z0-9]+)*)*")
NAME_AND_PARENTHESIS = re.compile(r"(~?[A-Za-z_]\w*)\s*\(")
NOT_FUNCTIONS = {"if", "for", "while", "switch", "return", "sizeof", "defined", "catch", "__attribute__", "alignas"}
KNOWN_WRONG = re.compile(r"(?:FP_|FN_)*")
IDIOM = re.compile(r"(?:FP_|FN_)*([A-Z]+[0-9]+[a-z]?)_")
TOKENS = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
BRACKETS = {"()": re.compile(r"[()]"), "{}": re.compile(r"[{}]")}
NOW_RIGHT = "now right: turn FP_/FN_ into a normal test"

VERSIONED = re.compile(r"(.*?)\s+(since|until)\s+(\d+(?:\.\d+)*)")
# ids: any of them; lines from `line` to `last`; only with headers of these versions
Mark = collections.namedtuple("Mark", "kind ids line last since until", defaults=(None, None))
Function = collections.namedtuple("Function", "name line last")
Finding = collections.namedtuple("Finding", "line check message")


def known_wrong(name):
    """The prefixes of a function's name that say it has known wrong answers: "", "FP_", "FN_", "FP_FN_"."""
    return KNOWN_WRONG.match(name).group()


class AreaError(Exception):
    """The area itself is wrong: a malformed mark, a command that fails, a reckon that does not run."""


def split_comments(text):
    """The text with comments and literals blanked out, and the comments as {line: [text, ...]}."""
    comments = collections.defaultdict(list)

    def blank(match):
        token = match.group()
        if token.startswith("//") or token.startswith("/*"):
            inner = token[2:] if token.startswith("//") else token[2:-2]
            comments[text.count("\n", 0, match.start()) + 1].append(inner.strip())
        return re.sub(r"[^\n]", " ", token)
    return TOKENS.sub(blank, text), comments


def find_functions(code):
    """The definitions in `code` (without comments): a name, parentheses, then a body; nested ones are not told apart."""
    functions, position = [], 0
    while True:
        match = NAME_AND_PARENTHESIS.search(code, position)
        if match is None:
            return functions
        position = match.end()
        start = code.rfind("\n", 0, match.start()) + 1
        if match.group(1) in NOT_FUNCTIONS or code[start:match.start()].lstrip().startswith("#"):
            continue
        after = closing(code, match.end() - 1, "()")
        body = re.compile(r"[^;{}()=,]*(?:\([^;{}()]*\)[^;{}()=,]*)*(?::[^;{}]*)?\{").match(code, after) if after else None
        end = body and closing(code, body.end() - 1, "{}")
        if end:
            functions.append(Function(match.group(1), code.count("\n", 0, match.start()) + 1, code.count("\n", 0, end) + 1))
            position = end


def closing(code, position, pair):
    """Position after the bracket that closes the one at `position`, or None."""
    depth = 0
    for bracket in BRACKETS[pair].finditer(code, position):
        depth += 1 if bracket.group() == pair[0] else -1
        if depth == 0:
            return bracket.end()
    return None


class Source:
    """One file: what it expects, and how it wants to be compiled."""

    def __init__(self, path):
        self.path = path
        self.marks, self.flags, self.options, self.alone, self.others = [], [], [], False, []
        self.needs, self.version = None, None  # first version of the headers that it compiles with; theirs, if known
        code, comments = split_comments(path.read_text(encoding="utf-8", errors="replace"))
        self.functions = find_functions(code)
        for line, texts in sorted(comments.items()):
            for text in texts:
                self.read_comment(line, text)
        self.check_names()

    def read_comment(self, line, text):
        if text.startswith("flags:"):
            words = shlex.split(text.removeprefix("flags:"))
            cut = words.index("--") if "--" in words else len(words)
            self.options += words[:cut]
            self.flags += words[cut + 1:]
        elif re.match(r"alone\b", text):
            self.alone = True
        elif text.startswith("with:"):
            self.others += text.removeprefix("with:").split()
        elif text.startswith("needs:"):
            self.needs = numbers(text.removeprefix("needs:").split(" -- ")[0].strip())
        elif MARK.match(text):
            for part in text.split(" -- ")[0].split(";"):
                self.read_mark(line, part.strip())

    def read_mark(self, line, text):
        match = MARK.fullmatch(text)
        if match is None or match.group(1) not in KINDS:
            raise AreaError(f"{self.path}:{line}: '{text}' is not one of the marks {', '.join(KINDS)}")
        kind = match.group(1)
        first = last = line
        signature = next((f for f in self.functions if f.line == line), None)
        if kind.endswith("-in-function") and signature is None:
            raise AreaError(f"{self.path}:{line}: '{kind}' belongs on the line with the name of a function")
        # Known wrong answers count for the whole function if they stand at its name.
        if signature and (kind.endswith("-in-function") or kind in ("expect-not-yet", "false-alarm") and
                          signature.last != line):
            last = signature.last
        for ids in (word.strip() for word in match.group(2).split(",")):
            versions = {}
            while match := VERSIONED.fullmatch(ids):
                ids, word, version = match.groups()
                versions[word] = numbers(version)
            if not ID.fullmatch(ids):
                raise AreaError(f"{self.path}:{line}: '{ids}' is not the id of a check")
            self.marks.append(Mark(kind, frozenset(ids.split("|")), first, last, **versions))

    def of_kind(self, *kinds):
        """Marks of these kinds that hold for the headers' version, the pickier ones (one id, one line) first."""
        def holds(mark):
            return self.version is None or ((mark.since is None or self.version >= mark.since) and
                                            (mark.until is None or self.version[:len(mark.until)] <= mark.until))
        return sorted((m for m in self.marks if m.kind in kinds and holds(m)), key=lambda m: (len(m.ids), m.last - m.line))

    def function_at(self, line):
        return next((f for f in self.functions if f.line <= line <= f.last), None)

    def check_names(self):
        """FP_ and FN_ functions hold the mark that belongs to them, and only they do."""
        for kind, prefix in (("false-alarm", "FP_"), ("expect-not-yet", "FN_")):
            marked = set()
            for mark in self.of_kind(kind):
                function = self.function_at(mark.line)
                marked.add(function)
                if function is not None and prefix not in known_wrong(function.name):
                    raise AreaError(f"{self.path}:{mark.line}: '{kind}' belongs into a function named {prefix}..., "
                                    f"this is {function.name}")
            for function in self.functions:
                if prefix in known_wrong(function.name) and function not in marked:
                    raise AreaError(f"{self.path}:{function.line}: {function.name} holds no '{kind}' mark")

    def compare(self, findings):
        """What is not as this file says, as [(line, text)]."""
        left, surprises = list(findings), []

        def take(mark):
            found = next((f for f in left if f.check in mark.ids and mark.line <= f.line <= mark.last), None)
            if found:
                left.remove(found)
            return found
        for mark in self.of_kind("expect") + self.of_kind("expect-in-function"):
            if not take(mark):
                where = "" if mark.line == mark.last else " in this function"
                surprises.append((mark.line, f"missing{where}: {'|'.join(sorted(mark.ids))}"))
        for mark in self.of_kind("false-alarm"):
            if not take(mark):
                surprises.append((mark.line, f"{'|'.join(sorted(mark.ids))} is no longer reported; {NOW_RIGHT}"))
        for mark in self.of_kind("expect-not-yet"):
            found = take(mark)
            if found:
                surprises.append((found.line, f"{found.check} is found; {NOW_RIGHT}"))
        for mark in self.of_kind("maybe", "maybe-in-function"):
            while take(mark):
                pass
        surprises += [(f.line, f"unexpected: {f.check}: {f.message}") for f in left]
        return sorted(surprises)


def numbers(version):
    return tuple(int(part) for part in version.split("."))


def header_version(area, flags):
    """The version of Python's headers that these flags lead to, as numbers; None without any."""
    for flag in flags:
        folder = flag.startswith("-I") and area / flag[2:]
        if folder and (folder / "Python.h").is_file():
            found = re.search(r'#define PY_VERSION\s+"(\d+\.\d+)', (folder / "patchlevel.h").read_text())
            return numbers(found.group(1)) if found else None
    return None


def read_words(path):
    """The words of a flags or options file; none if there is no such file."""
    if not path.is_file():
        return []

    def output(match):
        run = subprocess.run(match.group(1), shell=True, capture_output=True, text=True, cwd=path.parent)
        if run.returncode != 0:
            raise AreaError(f"{path}: '{match.group(1)}' failed: {run.stderr.strip()}")
        return run.stdout.strip()
    return [word for line in path.read_text().splitlines()
            for word in shlex.split(re.sub(r"\$\(([^)]*)\)", output, line), comments=True)]


def groups(area, sources):
    """Sources by the call that checks them: [(flags, options, sources)]."""
    common, options = read_words(area / "flags"), read_words(area / "options")
    by_language = {language: read_words(area / f"flags-{language}") for language in ("c", "c++")}
    result = collections.defaultdict(list)
    for source in sources:
        if source.path.suffix in SOURCES:
            language = "c" if source.path.suffix == ".c" else "c++"
            flags = tuple(common + by_language[language] + source.flags)
            result[flags, tuple(options + source.options), source.path if source.alone else None].append(source)
    return [(flags, opts, members) for (flags, opts, _), members in result.items()]


CACHE = ["--no-cache"]  # what reckon is told about its cache


def run_reckon(reckon, area, flags, options, members):
    """The findings of one reckon process, as {path: [Finding]}."""
    limit = [] if "--confidence" in options else ["--confidence", "low"]
    # A busy machine is no surprise: whoever runs this ends what hangs.
    command = [reckon, "check", *CACHE, "--strict", "--timeout", "0", *limit, "--format", "json", *options]
    command += [str(member.path) for member in members] + ["--", *flags]
    run = subprocess.run(command, capture_output=True, text=True, cwd=area)
    shown = shlex.join(command)
    if run.returncode not in (0, 1):
        raise AreaError(f"exit code {run.returncode} from: {shown}\n{run.stderr.strip()}")
    result = collections.defaultdict(list)
    try:
        for f in map(json.loads, run.stdout.splitlines()):
            place = f["location"]
            result[(area / place["file"]).resolve()].append(Finding(place["line"], f["check"], f["message"]))
    except (ValueError, KeyError, TypeError) as error:
        raise AreaError(f"no findings in JSON from: {shown}\n{error!r}\n{run.stdout[:500]}\n{run.stderr.strip()}")
    if (run.returncode == 1) != bool(result):
        raise AreaError(f"exit code {run.returncode} does not fit the findings of: {shown}\n{run.stderr.strip()}")
    return result


def count_entries(sources, surprises, failed):
    """How many idioms (functions, in an area that names none) there are, and which of them have a wrong answer."""
    functions = [(source, function) for source in sources for function in source.functions]
    idioms = any(IDIOM.match(function.name) for _, function in functions)
    total, wrong = set(), set()
    for source, function in functions:
        entry = function.name if not idioms else (match := IDIOM.match(function.name)) and match.group(1)
        if entry is None:
            continue
        total.add(entry)
        lines = [mark.line for mark in source.of_kind("false-alarm", "expect-not-yet")]
        lines += [line for path, line, _ in surprises if path == source.path]
        if source.path in failed or any(function.line <= line <= function.last for line in lines):
            wrong.add(entry)
    return ("idioms" if idioms else "functions"), total, wrong


def read_sources(area, only):
    """The sources and headers of an area; of sources just the file `only` and those it names, if that is given."""
    if only is None:
        return [Source(p) for p in sorted(area.iterdir()) if p.suffix in SOURCES + HEADERS]
    if not (area / only).is_file():
        raise AreaError(f"{area}: no file {only}")
    first = Source(area / only)
    missing = [name for name in first.others if not (area / name).is_file()]
    if missing:
        raise AreaError(f"{first.path}: 'with:' names {', '.join(missing)}, which is not there")
    return [first, *(Source(area / name) for name in first.others),
            *(Source(p) for p in sorted(area.iterdir()) if p.suffix in HEADERS)]


def run_area(reckon, area, only=None):
    """Prints what is wrong; the number of surprises."""
    area = area.resolve()
    sources = read_sources(area, only)
    if not any(s.path.suffix in SOURCES for s in sources):
        raise AreaError(f"{area}: no sources")
    version = header_version(area, read_words(area / "flags"))
    for source in sources:
        source.version = version
        if version and source.needs and version < source.needs:
            print(f"{area.name}/{source.path.name}: skipped, needs version {'.'.join(map(str, source.needs))}")
    sources = [s for s in sources if not (version and s.needs and version < s.needs)]
    found, failed = collections.defaultdict(list), {}
    todo = groups(area, sources)
    while todo:
        flags, options, members = todo.pop(0)
        try:
            findings = run_reckon(reckon, area, flags, options, members)
        except AreaError as error:
            if len(members) > 1:  # one file must not hide the answers for all others
                todo += [(flags, options, [member]) for member in members]
                print(f"{area.name}: {len(members)} files could not be checked together; trying one by one")
            else:
                failed[members[0].path] = error
            continue
        for path, more in findings.items():
            # Two runs that read one header may both report on it.
            found[path] += [f for f in more if path.suffix in SOURCES or f not in found[path]]
    surprises = [(path, 1, f"could not be checked: {error}") for path, error in failed.items()]
    for source in sources:
        if source.path not in failed:
            surprises += [(source.path, line, text) for line, text in source.compare(found.pop(source.path, []))]
    surprises += [(path, f.line, f"unexpected: {f.check}: {f.message}") for path in sorted(found) for f in found[path]]
    for path, line, text in surprises:
        name = path.relative_to(area) if path.is_relative_to(area) else path
        print(f"{area.name}/{name}:{line}: {text}")
    kind, total, wrong = count_entries(sources, surprises, failed)
    known = {k: sum(len(s.of_kind(k)) for s in sources) for k in ("false-alarm", "expect-not-yet")}
    share = f" ({100 * (len(total) - len(wrong)) / len(total):.1f}%)" if total else ""
    print(f"{area.name}: {len(total)} {kind}, {len(total) - len(wrong)} right{share}, {len(wrong)} wrong; "
          f"known false alarms {known['false-alarm']}, known misses {known['expect-not-yet']}, surprises {len(surprises)}")
    if wrong:
        print(f"{area.name}: wrong: {' '.join(sorted(wrong))}")
    return len(surprises)


def main():
    parser = argparse.ArgumentParser(description="Golden tests of one area; see the comment in this file.")
    parser.add_argument("--reckon", required=True, help="the program to test")
    parser.add_argument("--only", help="one file of the area")
    parser.add_argument("--cache", help="a folder for reckon's cache; without it none is used")
    parser.add_argument("area", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.cache:
        CACHE[:] = ["--cache", arguments.cache]
    try:
        return 1 if run_area(arguments.reckon, arguments.area, arguments.only) else 0
    except (AreaError, OSError) as error:
        print(f"golden: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
