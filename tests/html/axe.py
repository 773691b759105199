#!/usr/bin/env python3
"""The HTML report against axe-core's rules for pages that everybody can read and operate.

Every page of two reports is tried: on a wide screen and on a phone, in light and in dark colours. All rules of axe-core
count, those of WCAG as well as its best practices.

Usage: axe.py RECKON SPAMMODULE.C FLAGS...
Exit: 0 good, 1 a page breaks a rule, 77 axe-core is not at hand (`scripts/setup tests` fetches it).
"""
import pathlib
import sys
import tempfile

import check
from browser import Browser

RULES = pathlib.Path("~/.cache/reckon-tests/axe-4.10.3.js").expanduser()
SCREENS = {"wide": (1400, 900), "phone": (390, 800)}
SKIPPED = 77
RUN = """
const done = arguments[arguments.length - 1];
axe.run(document, {resultTypes: ['violations']}).then(
  r => done({rules: r.passes.length + r.violations.length,
             broken: r.violations.map(v => v.id + ': ' + v.help + ': ' + v.nodes.map(n => n.target.join(' ')).slice(0, 3).join(', '))}),
  e => done({rules: 0, broken: ['axe-core failed: ' + e]}));
"""


def broken_rules(page, file, rules):
    """Rules that the page breaks, as text. A page to which no rule applied was not looked at."""
    page.open(file)
    page.run(rules)
    answer = page.run_async(RUN)
    return answer["broken"] if answer["rules"] else [f"no rule applied: {answer['broken']}"]


def problems(page, folders, rules):
    for dark in (False, True):
        page.prefer(dark=dark)
        for screen, size in SCREENS.items():
            page.resize(*size)
            for folder in folders:
                for file in sorted(folder.rglob("*.html")):
                    for rule in broken_rules(page, file, rules):
                        yield f"{file.relative_to(folder.parent)}, {screen}, {'dark' if dark else 'light'}: {rule}"


def main():
    reckon, spam_source, *flags = sys.argv[1:]
    if not RULES.exists():
        print("skipped: axe-core is not at hand (`scripts/setup tests` fetches it)")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="reckon-axe-") as box, Browser() as page:
        folders = check.reports(reckon, pathlib.Path(box).resolve(), spam_source, flags)
        rules = RULES.read_text(encoding="utf-8")
        found = list(problems(page, folders, rules))
        empty = pathlib.Path(box).resolve() / "bad.html"
        empty.write_text("<html><body><img src='x.png'><button></button></body></html>")
        assert broken_rules(page, empty, rules), "a page without a title, with a nameless button, breaks rules"
    for problem in found:
        print(problem)
    print(f"axe: {len(found)} broken rule(s)")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
