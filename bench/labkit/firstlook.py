"""The results page's chapter on draws: how true findings are in code that nobody here had read."""
import collections

from . import draws, labels

TITLES = {"python": "CPython extensions", "r": "R packages", "linux": "Linux modules", "glib": "GLib programs"}


def table(head, rows, right=()):
    rule = ["--:" if i in right else "---" for i in range(len(head))]
    return ["| " + " | ".join(head) + " |", "|" + "|".join(rule) + "|",
            *("| " + " | ".join(str(c).replace("|", "\\|") for c in row) + " |" for row in rows), ""]


def share(rows):
    """Verdicts, the share of real ones and its interval, as cells."""
    judged = [r for r in rows if r["verdict"]]
    counts = collections.Counter(r["verdict"] for r in judged)
    low, high = draws.wilson(counts["real"], len(judged))
    shown = [f"{100 * counts['real'] / len(judged):.0f}%", f"{100 * low:.0f} to {100 * high:.0f}%"] if judged else ["-", "-"]
    return [len(judged), *(counts[v] for v in labels.VERDICTS), *shown]


def chapter(all_draws=None):
    """The chapter's lines; draws without any verdict are named as not judged."""
    drawn = draws.all_draws() if all_draws is None else all_draws
    out = ["## First look", "", "Code that nobody here had read: packages drawn at random from what Debian offers and the manifest does not have "
           "(for Linux, modules of an allmodconfig tree none of whose files the manifest's sets hold), run with Reckon's default "
           "options (`bench/lab unseen`). A draw whose JSON file has `earlier` leaves out what those draws had. The seed is the commit that was measured. Each draw was judged before anything was mended "
           "for it, unless its paragraph below says otherwise, and its figures stay as they are. A finding is *real* only as its message says. Of one package at most ten "
           "findings are judged; *distinct* counts one in a header that several packages include once; *weighted* counts each "
           "package with all its findings and each stratum with its size. Intervals are Wilson's, at 90%, and take findings as "
           "independent, which those of one package are not quite.", ""]
    if not drawn:
        return [*out, "Nothing was drawn yet.", ""]
    return [*out, *figures(drawn), *by_column(drawn, "check", "By check"), *by_column(drawn, "trigger", "By what must happen"),
            *by_column(drawn, "place", "By place"), *left_out(drawn), *readers(drawn)]


def figures(drawn):
    rows = []
    for about, found in drawn:
        strata = about["population"] if len(about["population"]) > 1 else ()
        for stratum in [None, *strata]:
            some = [d for d in about["drawn"] if stratum in (None, d["stratum"])]
            mine = [r for r in found if stratum in (None, r["stratum"])]
            whole = draws.weighted(about, found) if stratum is None else None
            rows.append([about["date"], about["seed"], TITLES[about["domain"]] + (f": {stratum}" if stratum else ""),
                         sum(d["status"] == "run" for d in some), draws.distinct([r for r in mine if r["verdict"]]), *share(mine),
                         f"{100 * whole:.0f}%" if whole is not None else ""])
    return table(["date", "version", "domain", "packages run", "distinct", "judged", *labels.VERDICTS, "real of judged", "90% interval",
                  "weighted"], rows, range(3, 14))


def by_column(drawn, column, title):
    out = [f"### First look: {title[0].lower()}{title[1:]}", ""]
    rows = []
    for about, found in drawn:
        for value, count in collections.Counter(r[column] for r in found if r["verdict"]).most_common():
            rows.append([about["seed"], TITLES[about["domain"]], value, *share([r for r in found if r[column] == value])])
    return out + table(["version", "domain", column, "judged", *labels.VERDICTS, "real of judged", "90% interval"], rows, range(3, 11))


def left_out(drawn):
    out = ["### First look: what was not looked at", ""]
    for about, found in drawn:
        every = about["drawn"]
        run = [d for d in every if d["status"] == "run"]
        size = ", ".join(f"{n} {s}".strip() for s, n in about["population"].items())
        out += [f"**{TITLES[about['domain']]}, {about['seed']}**: {len(every)} of {sum(about['population'].values())} drawn"
                + (f" ({size})" if len(about["population"]) > 1 else "")
                + f", {sum(d['status'] in draws.OUTSIDE for d in every)} of these hold no such code; {len(run)} run: "
                f"{sum(d.get('files', 0) for d in run)} files, {sum(len(d.get('refused', ())) for d in run)} more were refused by Clang, "
                f"{sum(d['coverage']['units_failed'] for d in run)} not captured; {sum(d['coverage']['functions'] for d in run)} functions, "
                f"{sum(d['coverage']['cut_short'] for d in run)} cut short, {sum(d['coverage']['not_analysed'] for d in run)} not analysed; "
                f"{sum(d['found'] for d in run)} findings, {len(found)} kept to be judged"
                + (f" ({about['want']} were asked for)" if draws.distinct(found) < about["want"] else "") + "."
                + (" " + about["remark"] if about.get("remark") else ""), ""]
        for status in dict.fromkeys(d["status"] for d in every if d["status"] not in ("run", *draws.OUTSIDE)):
            some = [d for d in every if d["status"] == status]
            out += [f"- {status}: " + "; ".join(d["name"] + (f" ({d['why']})" if d.get("why") else "") for d in some)]
        out.append("")
    return out


def readers(drawn):
    out = ["### First look: two readers", "", "A fifth of each draw is judged again by somebody who does not see the first verdict "
           "(`bench/lab second`), some of it by two.", ""]
    rows, differ = [], []
    for seed in dict.fromkeys(about["seed"] for about, _ in drawn):
        for domain, reader, some in draws.agreeing(seed):
            differ += [f"- {seed}, {a['package']}, {a['file'].rsplit('/', 1)[-1]}:{a['line']} ({a['check']}): {a['verdict']}, since {a['reason']}; "
                       f"the {reader} reader: {b['verdict']}, since {b['reason']}" for a, b in some if a["verdict"] != b["verdict"]]
            beyond = draws.kappa([(a["verdict"], b["verdict"]) for a, b in some])
            rows.append([seed, TITLES[domain], reader, len(some), sum(a["verdict"] == b["verdict"] for a, b in some),
                         sum((a["verdict"] == "real") == (b["verdict"] == "real") for a, b in some), f"{beyond:.2f}",
                         sum(a["trigger"] == b["trigger"] for a, b in some), sum(a["place"] == b["place"] for a, b in some)])
    if not rows:
        return [*out, "No second reader has judged yet.", ""]
    if differ:
        differ = ["Where they differ (the first verdict counts in the figures):", "", *differ, ""]
    return out + table(["version", "domain", "reader", "read again", "same verdict", "alike in real or not", "kappa of the verdicts",
                        "same trigger", "same place"], rows, range(3, 9)) + differ
