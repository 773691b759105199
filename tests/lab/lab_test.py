#!/usr/bin/env python3
"""The lab in continuous integration: its own logic, and a small part of it whose expected findings are fixed.

The lab's packages cannot be in the repository, so the part that runs here is the bundled example: what Reckon finds in
examples/spam must be what tests/lab/spam.tsv labels, with nothing unjudged, lost or back. The page docs/results.md must
be what the data say.

Usage: lab_test.py RECKON ROOT [COMPILER FLAGS...]
"""
import importlib.machinery
import importlib.util
import json
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

sys.dont_write_bytecode = True
RECKON, ROOT, FLAGS = (Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]) if len(sys.argv) > 2 else (None, None, [])
if ROOT:
    sys.path.insert(0, str(ROOT / "bench"))
    from labkit import charts, distil, draws, guess, labels, manifest, modules, runs, suites


def finding(function, line, **more):
    return {"check": "python-leak", "message": "reference to `x` is leaked", "function": function, "object": "x",
            "origin_api": "PyList_New", "location": {"file": "a.c", "line": line}, **more}


def label_of(made, verdict="real", cause="", seen="yes"):
    return {**labels.described([made])[0], "verdict": verdict, "cause": cause, "seen": seen, "reason": "read",
            "trigger": "normal", "place": "run"}


MODEL = """type t1 = int size 4
type t2 = struct size 24 name "device" {
  +0 t1 "usage"
}
type t3 = struct size 32 name "card" {
  +0 t4 "host"
  +8 t2 "dev"
}
type t4 = pointer size 8 elem t3  // card *
symbol s1 = function external defined "card_get" type t9
fn card_get(t4 "card") -> t1 values 7 at "card.c":1:1 end 5:1 {
fn card_put(t4 "card") -> t0 values 7 at "card.c":7:1 end 9:1 {
fn card_free(t4 "card") -> t0 values 7 at "card.c":7:1 end 9:1 {
fn card_find(t4 "near", t1 "number") -> t4 values 7 at "card.c":7:1 end 9:1 {
"""


class Distil(unittest.TestCase):
    def distilled(self, line):
        return distil.distilled(line, distil.Types(MODEL))[0]

    def test_offsets_become_names_and_failures_one(self):
        self.assertEqual(self.distilled("fn card_get(card) computed -> -22 when card != NULL and card->0->12 == 3 | -12 if-oom"
                                        " | 0 when card != NULL card->16=any &card->8.pm+1"),
                         "fn card_get(card) computed -> <0 fails clobbers card | 0 &card->dev.pm+1 clobbers card")

    def test_a_count_that_goes_by_what_callers_cannot_see_is_left_out(self):
        with self.assertRaises(distil.Unsure):
            self.distilled("fn card_get(card) computed -> 0 when card->0->12 == 3 | 0 &card->8.pm+1")

    def test_arguments_tell_alternatives_apart(self):
        self.assertEqual(self.distilled("fn card_find(near, number) computed -> new when near != NULL near-1 | "
                                        "new when near == NULL | NULL when near != NULL near-1 | NULL when near == NULL | -517"),
                         "fn card_find(near, number) computed -> new when near != NULL near-1 | new when near == NULL | "
                         "NULL when near != NULL near-1 | NULL when near == NULL | errptr")

    def test_what_counts_nothing_is_no_line(self):
        line = "fn card_get(card) computed -> 0 card->16=any clobbers card | -12 if-oom"
        self.assertIsNone(distil.distilled(line, distil.Types(MODEL)))

    def test_half_a_pair_is_left_out(self):
        types = distil.Types(MODEL)
        get, put, other = (distil.distilled(line, types) for line in (
            "fn card_get(card) computed -> 0 &card->8.pm+1", "fn card_put(card) computed -> void &card->8.pm-1",
            "fn card_free(card) computed -> void card-1"))
        self.assertEqual(distil.settled([get, other]), [other[0]])
        self.assertEqual(distil.settled([get, put]), [get[0], put[0]])


class Labels(unittest.TestCase):
    def test_a_moved_finding_keeps_its_label(self):
        paired, left = labels.match([finding("f", 90)], [label_of(finding("f", 10))])
        self.assertEqual(paired[0][2]["line"], "10")
        self.assertEqual(left, [])

    def test_the_fingerprint_wins(self):
        old = label_of(finding("f", 10, fingerprint="abc"))
        paired, _ = labels.match([finding("renamed", 10, fingerprint="abc")], [old])
        self.assertIs(paired[0][2], old)

    def test_another_function_is_new(self):
        paired, left = labels.match([finding("g", 10)], [label_of(finding("f", 10))])
        self.assertIsNone(paired[0][2])
        self.assertEqual(len(left), 1)

    def test_two_alike_are_told_apart_by_their_order(self):
        both = [finding("f", 10), finding("f", 20)]
        rows = [{**r, "verdict": v, "cause": "", "seen": "yes", "reason": "read"}
                for r, v in zip(labels.described(both), ("real", "harmless"))]
        paired, _ = labels.match(both, rows)
        self.assertEqual([p[2]["verdict"] for p in paired], ["real", "harmless"])

    def test_a_real_one_that_went_silent_is_a_regression(self):
        paired, left = labels.match([], [label_of(finding("f", 10)), label_of(finding("g", 10), seen="no")])
        lost, back = labels.regressions(paired, left)
        self.assertEqual([r["function"] for r in lost], ["f"])
        self.assertEqual(back, [])

    def test_what_is_not_in_the_sample_is_no_regression(self):
        there, away = [label_of(finding("f", 1, location={"file": name, "line": 1})) for name in ("drivers/a.c", "drivers/b.c")]
        header = label_of(finding("g", 1, location={"file": "include/c.h", "line": 1}))
        self.assertEqual(labels.of_files([there, away, header], {"/src/linux/drivers/a.c"}), ([there, header], [away]))

    def test_a_further_place_of_another_finding_is_not_silent(self):
        first = finding("f", 10, further_places=[{"file": "a.c", "line": 20}])
        labelled = [label_of(finding("f", 10)), label_of(finding("g", 20)), label_of(finding("h", 30))]
        lost, _ = labels.regressions(*labels.match([first], labelled))
        self.assertEqual([r["function"] for r in lost], ["h"])

    def test_a_false_one_that_came_back_is_a_regression(self):
        known = label_of(finding("f", 10), "false", "some cause", "no")
        lost, back = labels.regressions(*labels.match([finding("f", 10)], [known]))
        self.assertEqual((len(lost), len(back)), (0, 1))


    def test_versions_are_compared_under_the_same_verdicts(self):
        known = [label_of(finding("f", 10)), label_of(finding("g", 10), "false", "some cause")]
        old = labels.verdicts([finding("f", 10), finding("g", 10)], known)
        new = labels.verdicts([finding("f", 12), finding("h", 1)], known)
        self.assertEqual((old["real"], old["false"], old["not judged"]), (1, 1, 0))
        self.assertEqual((new["real"], new["false"], new["not judged"]), (1, 0, 1))

    def test_labels_of_an_earlier_commit_say_what_its_program_reported(self):
        """They had fewer columns, and other verdicts."""
        columns = labels.COLUMNS[:-2]
        rows = [label_of(finding("f", 10), "real"), label_of(finding("g", 10), "real", seen="no")]
        text = "\t".join(columns) + "\n" + "".join("\t".join(r[c] for c in columns) + "\n" for r in rows)
        old = labels.verdicts(labels.as_findings(text), [label_of(finding("f", 10), "false", "some cause")])
        self.assertEqual((old["real"], old["false"], old["not judged"]), (0, 1, 0))

    def test_trigger_and_place_are_kept_and_checked(self):
        known = label_of(finding("f", 10))
        row = labels.described([finding("f", 20)])[0]
        self.assertEqual([labels.updated(row, known)[k] for k in ("trigger", "place", "line")], ["normal", "run", "20"])
        self.assertTrue(labels.sound({**known, "verdict": "misplaced", "trigger": "memory"}))
        for wrong in ({"trigger": "often"}, {"place": ""}, {"verdict": "false"}, {"cause": "c"}):
            self.assertFalse(labels.sound({**known, **wrong}), wrong)


    def test_what_was_computed_is_compared_where_it_was_judged(self):
        known = [label_of(finding("f", 10)), {**label_of(finding("g", 10)), "trigger": "unknown"}]
        found = [finding("f", 10, trigger="memory", place="run"), finding("g", 10, trigger="memory", place="init"), finding("h", 1, trigger="input")]
        paired, _ = labels.match(found, known)
        self.assertEqual(labels.agreement(paired, "trigger"), [("normal", "memory")])
        self.assertEqual(labels.agreement(paired, "place"), [("run", "run"), ("run", "init")])


class Data(unittest.TestCase):
    def test_manifest(self):
        listed = manifest.packages()
        self.assertGreaterEqual(sum(p["domain"] == "python" for p in listed), 15)
        self.assertGreaterEqual(sum(p["domain"] == "r" for p in listed), 21)
        self.assertTrue(any(p.get("quick") for p in listed))

    def test_labels_can_be_read_and_have_reasons(self):
        known = {p["name"] for p in manifest.packages()}
        for file in sorted((ROOT / "bench" / "labels").glob("*.tsv")):
            self.assertIn(file.stem, known)
            for row in labels.read(file.stem):
                self.assertTrue(row["reason"], f"{file.name}: {row}")

    def test_page_is_what_the_data_say(self):
        done = subprocess.run([sys.executable, str(ROOT / "bench" / "results"), "--check"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_charts_are_drawn(self):
        picture = charts.bars("t", [("a <b>", [1.0, None])], "x", ["one", "two"])
        self.assertIn("a &lt;b&gt;", picture)
        self.assertIn("<polyline", charts.lines("t", [("s", [(1, 1), (2, 4)])], "x", "y"))

    def test_findings_are_read_from_both_forms(self):
        one = finding("f", 1)
        self.assertEqual(len(runs.findings_in(json.dumps(one) + "\n" + json.dumps(one))), 2)
        self.assertEqual(len(runs.findings_in(json.dumps({"findings": [one]}))), 1)
        self.assertEqual(runs.findings_in(""), [])


def script(name):
    """A program of bench/ as a module."""
    loader = importlib.machinery.SourceFileLoader(name, str(ROOT / "bench" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


class Seeds(unittest.TestCase):
    def sites(self):
        return [{"id": f"{file}:{function}:{kind}:{n}", "file": file, "function": function, "kind": kind}
                for file in ("a.c", "b.c") for function in ("f", "g") for kind in ("one", "two") for n in range(5)]

    def test_the_order_is_fixed_and_takes_kinds_in_turn(self):
        seed = script("seed")
        first = seed.drawn(self.sites(), ("one", "two"), 8, 7)
        self.assertEqual(first, seed.drawn(list(reversed(self.sites())), ("one", "two"), 8, 7))
        self.assertNotEqual(first, seed.drawn(self.sites(), ("one", "two"), 8, 8))
        self.assertEqual([s["kind"] for s in first[:2]], ["one", "two"])

    def test_no_function_decides_the_result(self):
        seed = script("seed")
        drawn = seed.drawn(self.sites(), ("one", "two"), 40, 7)
        self.assertEqual(len(drawn), 12)  # four functions, three edits each

    def test_the_edited_file_takes_the_place_of_the_original(self):
        seed = script("seed")
        entry = {"directory": "/d", "file": "/d/src/a.c", "arguments": ["clang-19", "-Isrc", "-c", "src/a.c"]}
        made = seed.entry_for(entry, Path("/t/a.c"), Path("/d/src/a.c"))
        self.assertEqual(made["arguments"], ["clang-19", "-iquote", "/d/src", "-Isrc", "-c", "/t/a.c"])

    def test_only_what_is_new_counts(self):
        seed = script("seed")
        before, after = [finding("f", 10)], [finding("f", 11), finding("f", 20)]
        self.assertEqual(sum((seed.shapes(after) - seed.shapes(before)).values()), 1)


DRY_RUN = r"""set -e; echo '  clang-19 -DX -c -o drivers/rtc/a.o drivers/rtc/a.c'; clang-19 -Wp,-MMD,x.d -DX -c -o drivers/rtc/a.o drivers/rtc/a.c; printf '%s\n' 'savedcmd := clang-19'
set -e; echo '# cmd_mod'; echo '  printf '\''%s\n'\''   a.o sub/../b.o | awk'; printf '%s\n'   a.o sub/../b.o a.o | awk '!x[$0]++ { print("drivers/rtc/"$0) }' > drivers/rtc/ab.mod; printf '%s\n' 'savedcmd_drivers/rtc/ab.mod := printf '\''%s\n'\'' a.o'
"""


class Draws(unittest.TestCase):
    def test_the_seed_alone_decides_and_a_third_uses_rcpp(self):
        strata = {"C": [f"c{n}" for n in range(40)], draws.RCPP: [f"p{n}" for n in range(20)]}
        first = draws.order("29ca7835", "r", strata)
        self.assertEqual(first, draws.order("29ca7835", "r", {k: list(reversed(v)) for k, v in strata.items()}))
        self.assertNotEqual(first, draws.order("29ca7836", "r", strata))
        self.assertEqual(sum(stratum == draws.RCPP for _, stratum in first[:30]), 10)
        self.assertEqual(len(set(first)), 60)

    def test_a_package_with_many_findings_is_sampled_by_the_seed(self):
        some = draws.sampled(list(range(50)), "1", "p", 5)
        self.assertEqual(some, draws.sampled(list(range(50)), "1", "p", 5))
        self.assertEqual(some, sorted(some))
        self.assertEqual(draws.sampled([1, 2], "1", "p", 5), [1, 2])

    def test_a_draw_that_is_gone_on_with_keeps_what_was_judged(self):
        def row(package, verdict):
            return {"package": package, "fingerprint": package, "check": "c", "line": "1", "nth": "1", "verdict": verdict}
        before = [row("a", "real"), row("d", "false")]
        self.assertFalse(draws.enough([row("a", "real")], [], 2))
        self.assertTrue(draws.enough([row("a", "real"), row("b", "")], [], 2))
        self.assertFalse(draws.enough([row("a", "real"), row("b", "")], before, 2))
        self.assertTrue(draws.enough([row("a", "real"), row("b", ""), row("d", "false")], before, 2))

    def test_what_an_earlier_draw_has_drawn_is_not_drawn_again(self):
        with tempfile.TemporaryDirectory() as name, unittest.mock.patch.object(draws, "DRAWS", Path(name)):
            for seed, domain, drawn in (("1", "r", ["a", "b"]), ("2", "r", ["c"]), ("3", "python", ["d"])):
                draws.write_json(draws.file_of(seed, domain, "json"), {"drawn": [{"name": n} for n in drawn], "earlier": ["1"]})
            self.assertEqual(draws.earlier_seeds("4", "r"), ["1", "2"])
            self.assertEqual(draws.earlier_seeds("2", "r"), ["1"])
            self.assertEqual(draws.drawn_by(["1", "2"], "r"), {"a", "b", "c"})
            with unittest.mock.patch.object(draws.suites, "Archive"), \
                    unittest.mock.patch.object(draws.suites, "population", return_value={"C": ["a", "e"], draws.RCPP: ["c", "f"]}):
                self.assertEqual(draws.Drawing("4", "r", Path(name), "", 1, ["1", "2"]).strata, {"C": ["e"], draws.RCPP: ["f"]})

    def test_intervals_and_agreement(self):
        low, high = draws.wilson(30, 60)
        self.assertAlmostEqual(low, 0.3962, 3)
        self.assertAlmostEqual(low + high, 1.0, 6)
        self.assertEqual(draws.kappa([("real", "real"), ("false", "false")]), 1.0)
        self.assertEqual(draws.kappa([("real", "false"), ("false", "real")]), -1.0)

    def test_strata_and_samples_are_weighted(self):
        about = {"population": {"C": 100, draws.RCPP: 50}, "drawn": [
            {"name": "a", "stratum": "C", "status": "run", "found": 4, "kept": 2},
            {"name": "b", "stratum": draws.RCPP, "status": "run", "found": 1, "kept": 1},
            {"name": "c", "stratum": draws.RCPP, "status": "not fetched"}]}
        rows = [{"package": "a", "stratum": "C", "verdict": "real"}, {"package": "a", "stratum": "C", "verdict": "real"},
                {"package": "b", "stratum": draws.RCPP, "verdict": "false"}]
        self.assertAlmostEqual(draws.weighted(about, rows), 400 / 450)

    def test_modules_are_read_from_a_dry_run(self):
        calls, listed = modules.parsed(DRY_RUN.splitlines())
        self.assertEqual(calls, {"drivers/rtc/a.c": ["clang-19", "-DX", "-c", "-o", "drivers/rtc/a.o", "drivers/rtc/a.c"]})
        self.assertEqual(listed, {"drivers/rtc/ab": ["drivers/rtc/a.o", "drivers/rtc/b.o"]})

    def test_later_suites_are_added_to_the_systems_entries(self):
        lines, stanzas = suites.with_later(["deb-src [signed-by=/k] http://m/debian old main", "deb-src http://m/debian old-updates main"],
                                           ["Types: deb-src\nURIs: http://m/debian\nSuites: old old-updates",
                                            "Types: deb-src\nURIs: http://m/s\nSuites: old-security"])
        self.assertEqual(lines, [f"deb-src [signed-by=/k] http://m/debian {s} main" for s in ("old", "trixie", "sid")])
        self.assertEqual(stanzas, ["Types: deb-src\nURIs: http://m/debian\nSuites: old trixie sid"])

    def test_build_dependencies_are_named(self):
        fields = {"Build-Depends": "debhelper-compat (= 13), python3-all-dev:any, libfoo-dev (>= 2) | libbar-dev,\n libtest-dev <!nocheck>"}
        self.assertEqual(suites.build_depends(fields), ["debhelper-compat", "python3-all-dev", "libfoo-dev"])
        self.assertTrue(suites.PYTHON.search("libpython3-all-dev, x"))
        self.assertFalse(suites.PYTHON.search("gir-python3-dev, python3-numpy-dev"))

    def test_flags_are_guessed_from_errors(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for name, text in (("lib/deep/one.h", "#include <Python.h>\n"), ("src/a.c", '#include "deep/one.h"\n'),
                               ("src/b.c", "int b;\n"), ("src/c.c", "/* Generated by Cython 0.29 */\n#include <Python.h>\n"),
                               ("setup.py", "macros=[('A_VERSION', '1')]")):
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            files, generated = guess.files_with(root, ["Python.h"])
            self.assertEqual(([f.name for f in files], [f.name for f in generated]), (["a.c"], ["c.c"]))
            tree = guess.Tree(root)
            self.assertEqual(guess.repaired(tree, files[0], "'deep/one.h' file not found"), [f"-I{root}/lib"])
            self.assertEqual(guess.repaired(tree, files[0], "use of undeclared identifier 'A_VERSION'"), ['-DA_VERSION="0"'])
            self.assertEqual(guess.repaired(tree, files[0], "use of undeclared identifier 'B_VERSION'"), [])

    def test_what_a_library_writes_for_its_own_files_is_made_up(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder) / "tree"
            (root / "lib").mkdir(parents=True)
            (root / "lib" / "a.h").write_text("#if !defined(A_INSIDE) && !defined(A_COMPILATION)\n"
                                              "#error \"Only <lib/a.h> can be included directly.\"\n#endif\n")
            (root / "lib" / "version.h.in").write_text("#define A_MAJOR (@A_MAJOR@)\n")
            tree, file = guess.Tree(root), root / "lib" / "a.c"
            self.assertEqual(guess.repaired(tree, file, '"Only <lib/a.h> can be included directly."'), ["-DA_COMPILATION"])
            self.assertEqual(guess.repaired(tree, file, '"Only <lib/b.h> can be included directly."'), [])
            self.assertEqual(guess.repaired(tree, file, "'lib/version.h' file not found"), [f"-I{folder}/made-config"])
            self.assertEqual((Path(folder) / "made-config" / "lib" / "version.h").read_text(), "#define A_MAJOR (1)\n")
            self.assertEqual(guess.repaired(tree, file, "'lib/none-at-all.h' file not found"), [])
            # What another library has installed under that name is none of this package's.
            tree.headers["config.h"] = ["/usr/include/other/config.h"]
            self.assertEqual(guess.repaired(tree, file, "'config.h' file not found"), [])
            self.assertEqual(guess.repaired(tree, file, "You must define GETTEXT_PACKAGE before"), ['-DGETTEXT_PACKAGE="0"'])

    def test_every_fifth_is_for_a_second_reader(self):
        for seed in {about["seed"] for about, _ in draws.all_draws()}:
            for domain in {d for d, _ in draws.every_fifth(seed)}:
                some = [row for d, row in draws.every_fifth(seed) if d == domain]
                self.assertEqual(len(some), -(-len(draws.read(seed, domain)) // 5))
            self.assertEqual({(r["domain"], r["fingerprint"]) for r in draws.second(seed)} >=
                             {(d, row["fingerprint"]) for d, row in draws.every_fifth(seed)}, True)

    def test_the_seed_is_the_commit_that_is_measured(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)

            def git(*words):
                return subprocess.run(["git", "-C", folder, "-c", "user.name=n", "-c", "user.email=e", *words], check=True,
                                      capture_output=True, text=True).stdout.strip()
            (root / "src").mkdir()
            (root / "src" / "a.c").write_text("int a;\n")
            git("init", "-q")
            git("add", ".")
            git("commit", "-qm", "first")
            seed = git("rev-parse", "HEAD")[:8]
            draws.check_seed(seed, root)
            for other in ("00000000", seed[:7], seed.upper() + "0", "HEAD"):
                with self.assertRaisesRegex(draws.Failure, "the commit that is measured"):
                    draws.check_seed(other, root)
            (root / "notes").write_text("no part of the program\n")
            git("add", ".")
            git("commit", "-qm", "second")
            draws.check_seed(seed, root)
            (root / "src" / "b.c").write_text("int b;\n")
            with self.assertRaisesRegex(draws.Failure, "not that of"):
                draws.check_seed(seed, root)
            git("add", ".")
            git("commit", "-qm", "third")
            with self.assertRaisesRegex(draws.Failure, "not that of"):
                draws.check_seed(seed, root)
            draws.check_seed(git("rev-parse", "HEAD")[:8], root)

    def test_a_judged_draw_stays_and_others_keep_out_of_the_manifest(self):
        row = {**dict.fromkeys(draws.COLUMNS, "1"), "package": "p"}
        judged = {**row, "verdict": "real", "trigger": "normal", "place": "run", "reason": "read", "reader": "first"}
        open_ = {**row, **dict.fromkeys(draws.GIVEN, "")}
        with self.assertRaisesRegex(draws.Failure, "kept as it is"):
            draws.store(Path("x.tsv"), draws.COLUMNS, [judged], ["1\tfalse\tnormal\trun\tread again"], "first", lambda r: r["number"])
        about = {"seed": "12345678", "domain": "python", "drawn": [{"name": "p", "status": "run"}]}
        listed = [{"name": "set-of-p", "source": "p", "domain": "python"}, {"name": "q", "domain": "python"}]
        for rows, early in (([judged, open_], ["set-of-p (12345678-python)"]), ([judged], [])):
            with unittest.mock.patch.object(draws, "all_draws", lambda rows=rows: [(about, rows)]):
                self.assertEqual(draws.joined_early(listed), early)
        self.assertEqual(draws.joined_early(manifest.packages()), [])

    def test_draws_stand_by_domain_in_the_order_of_time(self):
        def named(draw):
            return draw[0]["domain"] + " " + draw[0]["seed"]
        def one(domain, seed, date, **time):
            return {"domain": domain, "seed": seed, "date": date, **time}, []
        drawn = [one("r", "a", "2026-11-18"), one("r", "b", "2026-11-18", time="03:34"), one("r", "c", "2026-11-16"),
                 one("python", "d", "2026-11-18", time="09:37"), one("r", "e", "2026-11-18", time="10:05")]
        self.assertEqual([named(d) for d in sorted(drawn, key=draws.order_of_time)], ["python d", "r c", "r b", "r e", "r a"])
        self.assertEqual([named(d) for d in draws.all_draws()], [named(d) for d in sorted(draws.all_draws(), key=draws.order_of_time)])

    def test_draws_can_be_read(self):
        for about, rows in draws.all_draws():
            self.assertEqual(sum(d.get("kept", 0) for d in about["drawn"]), len(rows), about["seed"] + about["domain"])
        for file in draws.DRAWS.glob("second-*.tsv"):
            draws.read_rows(file, draws.SECOND)


class FixedPart(unittest.TestCase):
    def test_the_example_has_its_labelled_findings(self):
        source = ROOT / "examples" / "spam" / "spammodule.c"
        with tempfile.TemporaryDirectory() as folder:
            database = Path(folder) / "compile_commands.json"
            database.write_text(json.dumps([{"directory": folder, "file": str(source),
                                             "arguments": ["clang-19", *FLAGS, "-c", str(source)]}]))
            found, coverage, _, _ = runs.check(RECKON, database, Path(folder) / "out", jobs=1)
        for one in found:
            runs.relocate(one, str(source.parent))
        self.assertEqual(coverage["units_failed"] + coverage["cut_short"] + coverage["not_analysed"], 0)
        known = labels.read_file(Path(__file__).with_name("spam.tsv"))
        paired, left = labels.match(found, known)
        self.assertEqual([row["message"] for _, row, label in paired if not label], [], "not labelled")
        self.assertEqual([row["message"] for row in left], [], "no longer found")


if __name__ == "__main__":
    if not ROOT:
        sys.exit(__doc__)
    unittest.main(argv=sys.argv[:1])
