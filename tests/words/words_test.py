#!/usr/bin/env python3
"""Is a helper as strong as the API it calls? For every word of the spec language that describes behaviour.

cards.py has, for each word, a function with a bug and a clean twin. Both are written in six shapes of the call, checked,
and compared with what the card expects. The words are those of the tables src/specs/effects.def and src/specs/spec.h: a
word of behaviour there that has no card fails, too.

Usage: words_test.py RECKON [--only WORD] [--show]
Exit: 0 all as expected, 1 differences, 2 it could not be run.
"""
import argparse
import collections
import fnmatch
import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "golden"))
import cards  # noqa: E402
import run  # noqa: E402

HEADERS = {"python": "#define PY_SSIZE_T_CLEAN\n#include <Python.h>\n", "r": '#include "mock.h"\n', "linux": '#include "mock.h"\n',
           "glib": "#include <gio/gio.h>\n"}
PROTOTYPE = re.compile(r"(.*?)\b(\w+)\((.*)\)$")


def split_arguments(text):
    out, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            out.append(text[start:i].strip())
            start = i + 1
    last = text[start:].strip()
    return out + [last] if last and last != "void" else out


class Api:
    def __init__(self, prototype):
        self.result, self.name, params = (x.strip() for x in PROTOTYPE.match(prototype).groups())
        self.params = split_arguments(params)
        pointer = re.compile(r"\(\*(\w+)\)")
        self.names = [(pointer.search(p) or re.search(r"(\w+)$", p)).group(1) for p in self.params]
        self.void = self.result == "void"

    def declared(self, *more):
        return ", ".join([*self.params, *more]) or "void"

    def helper(self, name, callee):
        back = "" if self.void else "return "
        return f"static {self.result} {name}({self.declared()}) {{ {back}{callee}({', '.join(self.names)}); }}\n"

    def shape(self, shape, tag):
        """(declarations, a function that gives the call as text for arguments)."""
        h = f"{tag}_h"
        if shape == "direct":
            return "", lambda args: f"{self.name}({args})"
        if shape == "macro":
            names = ", ".join(self.names)
            return f"#define {h}({names}) {self.name}({names})\n", lambda args: f"{h}({args})"
        if shape == "helper":
            return self.helper(h, self.name), lambda args: f"{h}({args})"
        if shape == "twice":
            return self.helper(h + "1", self.name) + self.helper(h, h + "1"), lambda args: f"{h}({args})"
        if shape == "table":
            table = (f"static const struct {{ {self.result} (*call)({self.declared()}); int n; }} {h} = {{{self.name}, 1}};\n")
            return table, lambda args: f"{h}.call({args})"
        if self.void:
            body = f"{self.name}({', '.join(self.names)}); *out_ = 1;"
            made = f"static int {h}({self.declared('int *out_')}) {{ {body} return 0; }}\n"
            return made, lambda args: f"({{ int done_; {h}({args}{', ' if args else ''}&done_); (void)done_; }})"
        out = f"{self.result}*out_" if self.result.endswith("*") else f"{self.result} *out_"
        body = f"*out_ = {self.name}({', '.join(self.names)});"
        made = f"static int {h}({self.declared(out)}) {{ {body} return 0; }}\n"
        local = f"{self.result}got_" if self.result.endswith("*") else f"{self.result} got_"
        return made, lambda args: f"({{ {local}; {h}({args}{', ' if args else ''}&got_); got_; }})"


def expand(text, name, call):
    """`text` with each `@name(args)` written by `call`."""
    while (at := text.find("@" + name + "(")) >= 0:
        depth, i = 0, at + len(name) + 1
        for i in range(i, len(text)):
            depth += (text[i] == "(") - (text[i] == ")")
            if depth == 0:
                break
        text = text[:at] + call(text[at + len(name) + 2:i]) + text[i + 1:]
    return text


Case = collections.namedtuple("Case", "card shape buggy function")


def write(number, card):
    """The source of one card, and its cases."""
    api, text, cases = Api(card.api), [HEADERS[card.area], card.decls + "\n"], []
    for shape in cards.ALL:
        if shape in card.without:
            continue
        tag = f"c{number}_{shape}"
        declared, call = api.shape(shape, tag)
        text.append(declared)
        for buggy, body in ((True, card.bug), (False, card.clean)):
            function = f"{tag}_{'bug' if buggy else 'clean'}"
            text.append(expand(body, api.name, call).replace("FUNC", function) + "\n")
            cases.append(Case(card, shape, buggy, function))
    return "\n".join(text), cases


SOURCES = HERE.parent.parent / "src" / "specs"
MOST_NOT_COMPUTED = 5  # as many words of behaviour may be left out of summaries, each with its reason


def table_words():
    """({word of behaviour}, {word that is not computed: why}) of the tables in the source."""
    effects = re.sub(r"//[^\n]*", "", (SOURCES / "effects.def").read_text())
    words = set(re.findall(r'\{"([a-z-]+)"', effects))
    flags = re.findall(r'\{"([a-z-]+)", &FunctionFlags::\w+(?:, WordKind::(\w+),\s*"([^"]*)")?\}', (SOURCES / "spec.h").read_text())
    words |= {word for word, kind, _ in flags if not kind}
    return words, {word: why for word, kind, why in flags if kind == "NotComputed"}


def uncovered():
    """What is wrong with the tables and the cards, beside each other."""
    words, left_out = table_words()
    have = {card.word.split()[0] for card in cards.CARDS}
    lines = [f"{word}: a word of behaviour without a card" for word in sorted(words - have)]
    lines += [f"{word}: is not computed and does not say why" for word, why in sorted(left_out.items()) if not why]
    lines += [f"{card.word}: shapes are left out and nothing says why" for card in cards.CARDS if card.without and not card.why]
    if len(left_out) > MOST_NOT_COMPUTED:
        lines.append(f"{len(left_out)} words are not computed, at most {MOST_NOT_COMPUTED} may be: {', '.join(sorted(left_out))}")
    if not words or not left_out:
        lines.append("the tables could not be read")
    return lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("reckon")
    parser.add_argument("--only")
    parser.add_argument("--show", action="store_true")
    args = parser.parse_args()
    failures = total = 0
    for line in [] if args.only else uncovered():
        failures += 1
        print(line)
    with tempfile.TemporaryDirectory() as scratch:
        for area in HEADERS:
            sources, cases = [], []
            for number, card in enumerate(cards.CARDS):
                if card.area != area or (args.only and args.only != card.word):
                    continue
                text, mine = write(number, card)
                if not mine:
                    continue
                path = pathlib.Path(scratch) / f"{area}_{number}.c"
                path.write_text(text)
                if args.show:
                    print(text)
                sources.append(path)
                cases += mine
            if not sources:
                continue
            golden = HERE.parent / "golden" / area
            flags = run.read_words(golden / "flags") + run.read_words(golden / "flags-c")
            options = run.read_words(golden / "options")
            own = [card.spec for card in cards.CARDS if card.area == area and card.spec]
            if own:
                spec = pathlib.Path(scratch) / f"{area}.spec"
                spec.write_text("\n".join([f"domain {area}", *own]) + "\n")
                options.append(f"--specs={spec}")
            done = subprocess.run([args.reckon, "check", "-q", "--format=json", "--confidence=low", "--strict", "--no-cache", *options,
                                   *map(str, sources), "--", f"-I{golden}", *flags, "-w"], capture_output=True, text=True)
            if done.returncode not in (0, 1):
                print(done.stderr, file=sys.stderr)
                return 2
            findings = [json.loads(line) for line in done.stdout.splitlines()]
            by_function = collections.defaultdict(list)
            for f in findings:
                by_function[f["function"]].append(f)
            for case in cases:
                total += 1
                card = case.card
                seen = [f["check"] for f in by_function.get(case.function, [])]
                fits = [c for c in seen if any(fnmatch.fnmatch(c, p) for p in card.check.split("|"))]
                others = [c for c in seen if c not in fits and not any(fnmatch.fnmatch(c, p) for p in card.also)]
                ok = (bool(fits) and not others) if case.buggy else not fits and not others
                if ok and case.buggy and card.told:
                    said = {f[card.told[0]] for f in by_function[case.function] if f["check"] in fits}
                    seen.append(f"{card.told[0]} {sorted(said)}")
                    ok = said == {card.told[1]}
                if not ok:
                    failures += 1
                    print(f"{card.word:20} {case.shape:7} {'bug' if case.buggy else 'clean':5} {card.area:6} saw {seen}")
    print(f"{total - failures} of {total} as expected")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
