#!/usr/bin/env python3
"""The HTML report in a real browser, opened from disk.

Reports are written by reckon itself, of the bundled example and of pair.c beside this file; then a headless
Chromium filters, sorts, walks paths by keyboard, in both colours and on a narrow screen. Every request is logged:
one that leaves the folder is a failure, and so is every error a script reports.

Usage: check.py RECKON SPAMMODULE.C FLAGS...
Exit: 0 good, 1 something is wrong (a missing browser is wrong, too: "scripts/setup tests" installs it).
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import traceback

import browser
from browser import Browser

HERE = pathlib.Path(__file__).resolve().parent


def report(reckon, folder, arguments):
    run = subprocess.run([reckon, "check", "--no-cache", "--format", "html", "--output", str(folder), *arguments],
                         capture_output=True, text=True)
    if run.returncode != 1:
        raise SystemExit(f"reckon ended with {run.returncode}, findings were expected\n{run.stderr}")


def reports(reckon, box, spam_source, flags):
    """The folders of two reports: of the example, and of a finding with two paths."""
    spam, pair = box / "spam", box / "pair"
    report(reckon, spam, [spam_source, "--", *flags])
    report(reckon, pair, ["--specs", str(HERE / "pair.spec"), str(HERE / "pair.c")])
    return spam, pair


class Tests:
    """Each method whose name starts with test_ is one test; it gets a page opened anew."""

    def __init__(self, page, spam, pair):
        self.page, self.spam, self.pair = page, spam, pair
        self.notes = []

    # ---- helpers
    def equal(self, what, found, expected):
        assert found == expected, f"{what}: {found!r}, expected {expected!r}"

    def index(self, fragment="", folder=None):
        self.page.open("/dev/null")  # a change of the fragment alone would not load the page again
        self.page.open((folder or self.spam) / "index.html", fragment)
        self.page.wait("document.body.dataset.filterMs", "the index is filled")

    def rows(self):
        return self.page.run("return Array.from(document.querySelectorAll('.row'), r => r.innerText.replace(/\\s+/g, ' '))")

    def filtered(self, n):
        self.page.wait(f"document.querySelectorAll('.row').length === {n}", f"{n} rows")

    def finding(self, check, folder=None):
        """Opens the first finding of a check through the index."""
        self.index("#check=" + check, folder)
        self.page.click(".row a")
        self.page.wait("document.querySelector('.note.now')", "a step is chosen")

    def step(self):
        return self.page.run("return document.querySelector('.pane.active output').textContent")

    # ---- the index
    def test_index_lists_all(self):
        self.index()
        data = self.page.run("return window.reckonFindings.findings.length")
        assert data >= 7, f"the example has at least seven findings, not {data}"
        self.filtered(data)
        self.equal("rows for screen readers", self.page.run("return document.getElementById('grid').getAttribute('aria-rowcount')"), str(data + 1))

    def test_filters(self):
        self.index()
        total = len(self.rows())
        leaks = self.page.run("return window.reckonFindings.findings.filter(f => window.reckonFindings.checks[f[1]] === 'python-leak').length")
        self.page.click("[data-check='python-leak']")
        self.filtered(leaks)
        assert all("python-leak" in r for r in self.rows())
        self.page.click("[data-check='python-leak']")
        self.filtered(total)
        self.page.type("#function", "describe")
        self.filtered(1)
        assert "spam_describe" in self.rows()[0]
        self.page.click("#clear")
        self.filtered(total)
        self.page.type("#file", "nosuchfile")
        self.filtered(0)
        assert self.page.run("return !document.getElementById('empty').hidden"), "an empty list says so"
        self.page.click("#clear")
        self.page.keys(browser.ESCAPE + "/")
        self.page.keys("describe leaked")  # a function, and a word of a message
        both = self.page.run("const d = window.reckonFindings; return d.findings.filter(f => d.functions[f[4]].includes('describe') && f[5].includes('leaked')).length")
        assert 0 < both < total, both
        self.filtered(both)
        assert "#text=describe+leaked" in self.page.url(), self.page.url()
        assert self.page.run("return document.querySelectorAll('.row mark').length") >= 2, "words are marked"

    def test_severity(self):
        self.index()
        n = self.page.run("return window.reckonFindings.findings.filter(f => f[0] === 2).length")
        if n:
            self.page.click("[data-severity='medium']")
            self.filtered(n)
        self.equal("pressed", self.page.run("return document.querySelector(\"[data-severity='medium']\").getAttribute('aria-pressed')"), "true" if n else "false")

    def test_sort(self):
        self.index()
        self.page.click("[data-sort='file']")
        lines = [int(r.rsplit(":", 1)[1].split()[0]) for r in self.rows()]
        self.equal("by line", lines, sorted(lines))
        self.page.click("[data-sort='file']")
        lines = [int(r.rsplit(":", 1)[1].split()[0]) for r in self.rows()]
        self.equal("by line, downwards", lines, sorted(lines, reverse=True))

    def test_keyboard_opens_and_returns(self):
        self.index("#check=python-leak")
        self.page.keys("jj")
        self.equal("second row", self.page.run("return document.activeElement.dataset.at"), "1")
        self.page.keys(browser.ENTER)
        self.page.wait("document.querySelector('.note.now')", "the finding opened")
        self.page.keys("u")
        self.page.wait("document.querySelector('.row')", "back at the index")
        assert "check=python-leak" in self.page.url(), "the filter is kept"

    # ---- a finding
    def test_walk_by_keyboard(self):
        self.finding("python-leak")
        total = int(self.step().split()[-1])
        assert total >= 3, self.step()
        seen = []
        for n in range(1, total + 1):
            self.equal("step", self.step(), f"Step {n} of {total}")
            seen.append(self.page.run("return document.querySelector('.note.now').innerText"))
            self.page.keys("j" if n % 2 else browser.ARROW_RIGHT)
        self.equal("the last one stays", self.step(), f"Step {total} of {total}")
        self.equal("steps differ", len(set(seen)), total)
        assert "leaked" in seen[-1], seen[-1]
        spoken = self.page.run("return document.getElementById('said').textContent")
        assert spoken.startswith(f"Step {total} of {total}"), spoken
        self.page.keys("k")
        self.equal("back", self.step(), f"Step {total - 1} of {total}")
        self.page.keys("g")
        self.equal("first", self.step(), f"Step 1 of {total}")
        self.page.keys(browser.ARROW_LEFT)
        self.equal("before the first", self.step(), f"Step 1 of {total}")
        self.page.keys("G")
        assert self.page.run("return document.querySelector('svg.rail path.lead') !== null"), "the way to the step is drawn"

    def test_state_panel(self):
        self.finding("python-leak")
        self.page.keys("G")
        focus = self.page.run("return document.querySelector('table.state tr.focus').innerText").split()
        self.equal("the leaked object", focus[0], self.page.run("return JSON.parse(document.getElementById('paths').textContent).object"))
        assert "1" in focus, focus
        modes = self.page.run("return document.querySelector('.modes').innerText")
        assert "Exception" in modes and "GIL" in modes, modes

    def test_exception_is_set_on_the_failing_step(self):
        self.finding("python-exception-set")
        self.page.keys("G")
        self.equal("exception", self.page.run("return document.querySelector('.mode b').textContent"), "set")

    def test_all_steps(self):
        self.finding("python-leak")
        few = int(self.step().split()[-1])
        self.page.keys("a")
        many = int(self.step().split()[-1])
        assert many > few, (few, many)
        self.page.keys("a")
        self.equal("as before", int(self.step().split()[-1]), few)

    def test_step_in_the_address(self):
        self.finding("python-leak")
        self.page.keys("j")
        url, step = self.page.url(), self.step()
        self.page.open("/dev/null")
        self.page.open(url.removeprefix("file://"))
        self.page.wait("document.querySelector('.note.now')", "a step is chosen")
        self.equal("the same step", self.step(), step)

    def test_neighbours(self):
        self.finding("python-leak")
        first = self.page.url()
        self.page.keys("n")
        self.page.wait("document.querySelector('.note.now')", "the next finding")
        assert self.page.url().split("#")[0] != first.split("#")[0]
        assert "python-leak" in self.page.run("return document.title"), "the order of the index is kept"
        self.page.keys("p")
        self.page.wait("document.querySelector('.note.now')", "the finding before")
        self.equal("back", self.page.url().split("#")[0], first.split("#")[0])

    def test_two_paths(self):
        self.finding("thing-path-pair", self.pair)
        self.equal("panes", self.page.run("return document.querySelectorAll('.pane').length"), 2)
        boxes = self.page.run("return Array.from(document.querySelectorAll('.pane'), p => { const b = p.getBoundingClientRect(); return [b.left, b.right]; })")
        assert boxes[0][1] <= boxes[1][0], f"side by side: {boxes}"
        self.equal("left first", self.page.run("return document.querySelector('.pane.active') === document.querySelectorAll('.pane')[0]"), True)
        self.page.keys("x")
        self.equal("then right", self.page.run("return document.querySelector('.pane.active') === document.querySelectorAll('.pane')[1]"), True)

    def test_help(self):
        self.finding("python-leak")
        self.page.keys("?")
        assert self.page.run("return document.getElementById('keys').open"), "? opens the help"
        self.page.keys(browser.ESCAPE)
        assert not self.page.run("return document.getElementById('keys').open"), "Escape closes it"

    # ---- every page
    def background(self):
        return self.page.run("return getComputedStyle(document.body).backgroundColor")

    def test_colours(self):
        for dark in (False, True):
            self.page.prefer(dark=dark)
            self.index()
            self.page.run("localStorage.removeItem('reckon-theme'); delete document.documentElement.dataset.theme")
            system = self.background()
            self.page.click("#theme")
            chosen = self.background()
            assert system != chosen, "the button changes the colours"
            assert (sum(int(x) for x in system[4:-1].split(",")) < 200) == dark, f"system says dark={dark}, page is {system}"
            self.finding("python-leak")
            self.equal("the choice holds on other pages", self.background(), chosen)
            self.page.run("localStorage.removeItem('reckon-theme')")
        self.page.prefer(dark=False)

    def test_contrast(self):
        """Text against its background, by the formula of WCAG 2: at least 4.5."""
        for dark in (False, True):
            self.page.prefer(dark=dark)
            for opened in (self.index, lambda: self.finding("python-leak")):
                opened()
                worst = self.page.run(CONTRAST)
                assert worst[0] >= 4.5, f"dark={dark}: {worst}"
        self.page.prefer(dark=False)

    def test_narrow(self):
        """No page is wider than a phone, the smallest ones included. Source scrolls in a box of its own."""
        try:
            for width in (320, 390):
                self.page.resize(width, 700)
                for folder in (self.spam, self.pair):
                    for page in sorted(folder.rglob("*.html")):
                        self.page.open(page)
                        wide = self.page.run(WIDE)
                        assert not wide, f"{page.name}, {width} px: {wide}"
        finally:
            self.page.resize(1400, 900)

    def test_objects_of_a_loop_are_one_row(self):
        """The example makes an item in each round; rows that say the same are one, with their number."""
        self.finding("python-leak")
        rows = self.page.run("return Array.from(document.querySelectorAll('table.state tbody tr'), r => r.innerText)")
        self.equal("rows that say the same", sorted(rows), sorted(set(rows)))
        assert any("of them" in row for row in rows), rows

    def test_numbers_of_a_row_have_names_on_a_phone(self):
        """There is no room for headings beside each other, so that they are not broken within words."""
        try:
            self.page.resize(320, 700)
            self.page.open(self.spam / "coverage.html")
            shown = self.page.run("const td = document.querySelector('table.stacked tbody td'); "
                                  "return [getComputedStyle(td, '::after').content, td.parentElement.getClientRects().length]")
            self.equal("the name of the first number", shown[0], '" in full"')
            head = self.page.run("return document.querySelector('table.stacked thead').getBoundingClientRect().width")
            assert head <= 1, f"headings are shown, too: {head}"
        finally:
            self.page.resize(1400, 900)

    def test_structure(self):
        self.finding("python-leak")
        for selector in ("html[lang]", "title", "main", "header", "nav[aria-label]", "h1", ".side[aria-label]", "a.skip"):
            assert self.page.run("return document.querySelector(arguments[0]) !== null", selector), f"no {selector}"
        nameless = self.page.run("return Array.from(document.querySelectorAll('button, a[href], input, select')).filter(e => !(e.innerText || e.getAttribute('aria-label') || e.title || (e.labels && e.labels.length))).map(e => e.outerHTML)")
        self.equal("controls without a name", nameless, [])
        twice = self.page.run("const ids = Array.from(document.querySelectorAll('[id]'), e => e.id); return ids.filter((x, i) => ids.indexOf(x) !== i)")
        self.equal("ids used twice", twice, [])

    def test_without_script(self):
        self.page.devtools("Emulation.setScriptExecutionDisabled", value=True)
        try:
            page = sorted((self.spam / "findings").glob("*.html"))[0]
            self.page.open(page)
            text = page.read_text()
            assert text.count('class="note') >= 2 and "<h1>" in text
        finally:
            self.page.devtools("Emulation.setScriptExecutionDisabled", value=False)

    def test_strict_policy_of_a_server(self):
        """As Jenkins serves it: no script, no inline style, nothing from elsewhere. Rows, counts and colours are there."""
        policy = "sandbox; default-src 'none'; img-src 'self'; style-src 'self';"
        with browser.served(self.spam, {"Content-Security-Policy": policy}) as address:
            self.page.open_address(address + "/index.html")
            findings = len(list((self.spam / "findings").glob("*.html")))
            document = self.page.devtools("DOM.getDocument", depth=-1)["root"]["nodeId"]
            rows = self.page.devtools("DOM.querySelectorAll", nodeId=document, selector=".rows .row a[href]")["nodeIds"]
            self.equal("rows without a script", len(rows), findings)
            box = self.page.devtools("DOM.getBoxModel", nodeId=rows[-1])["model"]
            first = self.page.devtools("DOM.getBoxModel", nodeId=rows[0])["model"]
            assert box["content"][1] > first["content"][1], "the rows stand below each other"
            tile = self.page.devtools("DOM.querySelector", nodeId=document, selector="#count")["nodeId"]
            text = self.page.devtools("DOM.getOuterHTML", nodeId=tile)["outerHTML"]
            assert f">{findings} finding" in text, text
            outside = [r for r in self.page.requests() if not r.startswith((address, "file://", "data:"))]
            assert not outside, f"requests left the server: {outside}"
            self.page.open("/dev/null")
            self.page.requests()
        refused = [c for c in self.page.complaints() if "violates" not in c and "sandboxed" not in c]
        assert not refused, f"more than scripts was refused: {refused}"

    def test_print(self):
        self.finding("python-leak")
        pdf = self.page.devtools("Page.printToPDF")["data"]
        assert len(pdf) > 10000, "a page comes out of the printer"

    def test_all_pages_and_links(self):
        for folder in (self.spam, self.pair):
            for page in sorted(folder.rglob("*.html")):
                self.page.open(page)
                links = self.page.run("return Array.from(document.querySelectorAll('[href], [src]'), e => e.href || e.src)")
                for link in links:
                    target = link.split("#")[0]
                    if target.startswith("data:"):
                        continue
                    assert target.startswith("file://" + str(folder) + "/"), f"{page.name} refers to {link}"
                    assert pathlib.Path(target.removeprefix("file://")).exists(), f"{page.name} refers to {link}, which does not exist"

    def test_five_thousand(self):
        """Measured, not judged: machines differ. What is judged is that few rows exist as elements."""
        large = self.spam.parent / "large"
        large.mkdir()
        for part in ("assets", "index.html"):
            (large / part).symlink_to(self.spam / part)
        (large / "data").mkdir()
        names = ["python-leak", "python-null-arg", "python-over-release"]
        rows = [[i % 4, i % 3, i % 211, i % 1000 + 1, i % 1733, f"reference to `item{i % 97}` is leaked when PyList_Append() fails", 0, i % 2] for i in range(5000)]
        data = {"checks": names, "files": [f"src/part{k}/module{k}.c" for k in range(211)],
                "functions": [f"function_{k}" for k in range(1733)], "occasions": ["when nothing fails", "when memory runs out"], "findings": rows}
        (large / "data" / "findings.js").write_text("window.reckonFindings = " + json.dumps(data) + ";\n")
        begin = time.monotonic()
        self.index(folder=large)
        loaded = time.monotonic() - begin
        first = float(self.page.run("return document.body.dataset.filterMs"))
        few = self.page.run("return document.querySelectorAll('.row').length")
        assert 0 < few < 100, f"{few} rows are elements"
        times = []
        for text in ("item4", "item42", "module7.c", "function_1200 leaked", "nothing like this"):
            self.page.run("document.body.dataset.filterMs = ''; const t = document.getElementById('text'); t.value = arguments[0]; t.dispatchEvent(new Event('input'))", text)
            times.append(float(self.page.wait("document.body.dataset.filterMs", "filtered")))
        self.page.click("#clear")
        self.page.run("document.body.dataset.filterMs = ''")
        self.page.click("[data-sort='message']")
        sort = float(self.page.wait("document.body.dataset.filterMs", "sorted"))
        self.page.run("scrollTo(0, 200000)")
        self.page.wait("Number(document.querySelector('.row').getAttribute('aria-rowindex')) > 3000", "rows far down")
        self.page.keys("G")
        self.equal("the last row", self.page.run("return document.activeElement.dataset.at"), "4999")
        self.notes.append(f"5,000 findings: loaded in {loaded * 1000:.0f} ms with the driver's overhead, listed in {first} ms, "
                          f"filtered in {max(times)} ms at most, sorted in {sort} ms")


# Elements that reach beyond the right edge of the screen, outside a box that scrolls; and the page as a whole.
WIDE = r"""
const edge = document.documentElement.clientWidth, out = [];
if (document.documentElement.scrollWidth > edge) out.push('the page: ' + document.documentElement.scrollWidth);
document.querySelectorAll('body *').forEach(e => {
  const box = e.getBoundingClientRect();
  if (!box.width || !box.height || box.right <= edge + 1 || e.closest('.visually-hidden, .skip, dialog:not([open])')) return;
  for (let b = e.parentElement; b; b = b.parentElement)
    if (b !== document.body && b !== document.documentElement && /auto|scroll|hidden|clip/.test(getComputedStyle(b).overflowX)) return;
  out.push(e.tagName + '.' + e.className + ' ends at ' + Math.round(box.right));
});
return out.slice(0, 5);
"""

# Every element with text of its own: contrast of its colour with the nearest opaque background.
CONTRAST = r"""
function lum(c) { return c.map(v => { v /= 255; return v <= 0.03928 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4); }).reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0); }
function rgb(s) { return (s.match(/[\d.]+/g) || []).map(Number); }
let worst = [99, ''];
document.querySelectorAll('body *').forEach(e => {
  if (!Array.from(e.childNodes).some(n => n.nodeType === 3 && n.data.trim())) return;
  const box = e.getBoundingClientRect();
  const style = getComputedStyle(e);
  if (!box.width || !box.height || style.visibility !== 'visible' || e.closest('dialog, .visually-hidden, script, :disabled, .skip')) return;
  let back = null;
  for (let b = e; b && !back; b = b.parentElement) { const c = rgb(getComputedStyle(b).backgroundColor); if (c.length === 3 || c[3] === 1) back = c.slice(0, 3); }
  let fore = rgb(style.color).slice(0, 3);
  const alpha = Number(style.opacity);
  fore = fore.map((v, i) => v * alpha + (back || [255, 255, 255])[i] * (1 - alpha));
  const a = lum(fore), b = lum(back || [255, 255, 255]);
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (ratio < worst[0]) worst = [Math.round(ratio * 100) / 100, e.tagName + '.' + e.className + ': ' + e.textContent.slice(0, 40), style.color, back];
});
return worst;
"""


def main():
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    reckon, spam_source, *flags = sys.argv[1:]
    # The command line is on every page: a folder with a long name shows whether it fits a phone.
    with tempfile.TemporaryDirectory(prefix="reckon_html_in_a_folder_whose_name_is_longer_than_a_phone_is_wide_") as box:
        box = pathlib.Path(box).resolve()
        spam, pair = reports(reckon, box, spam_source, flags)
        try:
            page = Browser()
        except browser.Missing as missing:
            print(f"html: {missing}")
            return 1
        failed = 0
        with page:
            tests = Tests(page, spam, pair)
            names = [n for n in dir(tests) if n.startswith("test_")]
            for name in names:
                page.complaints()
                page.requests()
                begin = time.monotonic()
                try:
                    getattr(tests, name)()
                    outside = [r for r in page.requests() if not r.startswith(("file://" + str(box), "file:///dev/null", "data:"))]
                    assert not outside, f"requests left the folder: {outside}"
                    errors = page.complaints()
                    assert not errors, f"scripts complained: {errors}"
                    print(f"ok      {name} ({time.monotonic() - begin:.1f} s)")
                except (AssertionError, browser.Failure) as problem:
                    failed += 1
                    print(f"FAILED  {name}: {problem}")
                    if isinstance(problem, browser.Failure):
                        traceback.print_exc()
        for note in tests.notes:
            print(note)
        print(f"html: {len(names) - failed} of {len(names)} tests passed")
        return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
