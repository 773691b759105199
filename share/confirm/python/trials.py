"""Runs recipes with calls failing, and judges what is seen against the same calls that nothing makes fail.

A leak is shown by growth that is proportional over three sizes. What a process dies of is shown by its status. Nothing
seen is never a reason to call a finding false.
"""
import ctypes
import gc
import inspect
import io
import json
import os
import re
import resource
import signal
import subprocess
import sys
from pathlib import Path

import explore
import own_tests

SIZES = (16, 32, 64)
FEW = (3, 6, 12)  # for tests, which take long, and for modules: one that is made too often may run out of something
FATAL = {signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGILL, signal.SIGFPE}
STATEMENT = 3  # lines
TESTS = 2  # of the project's own, for one finding
CALLS = 8  # that are tried for one set of failing calls
CHECKS = ("_Py_CheckFunctionResult", "_Py_CheckSlotResult")  # of the debug build, which complains by ending the process
COMPLAINTS = ("raised unreported exception", "failed without raising an exception",
              "without setting an exception", "with an exception set", "without exception set",
              "returned NULL without", "result with an error set", "returned a result with")


def fresh(code, names, count):
    """Makes the values anew for each call, so that only what nobody can reach any more stays."""
    for _ in range(count):
        space = dict(names)
        try:
            exec(code, space)
        except BaseException:  # a failing call raises: that is not what is looked for here
            pass
        space.clear()


def leaves(value, depth=0):
    """The objects in a value whose counts tell something."""
    if isinstance(value, (list, tuple, set)) and depth < 2:
        for item in list(value)[:8]:
            yield from leaves(item, depth + 1)
    elif isinstance(value, dict) and depth < 2:
        for key, item in list(value.items())[:8]:
            yield from leaves(key, depth + 1)
            yield from leaves(item, depth + 1)
    yield value


def proportional(growth, control, sizes=SIZES):
    """Units a call if they grow with the number of calls and not without the failure; 0 if they do not."""
    rates = [(g - c) / n for g, c, n in zip(growth, control, sizes)]
    low, high = min(rates), max(rates)
    if low > 0.9 and high < 1.3 * low + 0.2:
        return sum(rates) / len(rates)
    if high < -0.9 and low > 1.3 * high - 0.2:
        return sum(rates) / len(rates)
    return 0


# The count of all references, which the interpreter's debug build keeps; the other builds have none.
all_references = getattr(sys, "gettotalrefcount", None)


def growth_after(run, fail):
    """Blocks, and references if they are counted, that are there more after so many calls."""
    os.environ["RECKON_FAIL"] = fail
    blocks, references = [], []
    run(8)
    for size in SIZES:
        gc.collect()
        before = sys.getallocatedblocks(), all_references() if all_references else 0
        run(size)
        gc.collect()
        blocks.append(sys.getallocatedblocks() - before[0])
        references.append((all_references() if all_references else 0) - before[1])
    os.environ["RECKON_FAIL"] = ""
    return blocks, references


def measure_growth(recipe, fail, say):
    names = space_of(recipe)
    code = compile("\n".join([*recipe["setup"], f"result = {recipe['call']}"]), "<recipe>", "exec")

    def run(count):
        fresh(code, names, count)
    # The control runs before and after: what only the first rounds need must not look like growth.
    idle = growth_after(lambda count: fresh(compile("\n".join(recipe["setup"]), "<setup>", "exec"), names, count), "")
    control = growth_after(run, "") if fail else idle
    growth = growth_after(run, fail)
    for what, grown, usual in zip(("allocated blocks", "all references (sys.gettotalrefcount)"), growth, control):
        if proportional(grown, usual) > 0:
            say({"seen": f"{what} after " + ", ".join(f"{n} calls: +{g}" for n, g in zip(SIZES, grown)) +
                         (", and without the failure: " if fail else ", and for making the arguments alone: ") +
                         ", ".join(f"+{c}" if c >= 0 else str(c) for c in usual), "how": "blocks"})
            return True
    return False


def measure_counts(recipe, fail, say, sign):
    """References to the arguments, what they hold, and objects that everybody shares."""
    names = space_of(recipe)
    exec("\n".join(recipe["setup"]), names)
    code = compile(recipe["call"], "<recipe>", "eval")
    watched = {}
    for variable in [line.split(" = ")[0] for line in recipe["setup"]]:
        for n, leaf in enumerate(leaves(names[variable])):
            watched.setdefault(id(leaf), (f"{variable}" + (f" (part {n + 1})" if n else ""), leaf))
    for shared in (None, True, False, *range(-1, 10), 255, "", b"", (), NotImplemented):
        watched.setdefault(id(shared), (repr(shared), shared))
    for name, value in vars(names["m"]).items():
        if not name.startswith("__"):
            watched.setdefault(id(value), (f"m.{name}", value))
    held = [[leaf] * 2000 for _, leaf in watched.values()]  # a count that falls must not reach 0 here
    objects = [leaf for _, leaf in watched.values()]

    def run(count):
        for _ in range(count):
            try:
                eval(code, names)
            except BaseException:
                pass

    def counts(failing):
        os.environ["RECKON_FAIL"] = failing
        out = []
        run(8)
        for size in SIZES:
            before = [sys.getrefcount(o) for o in objects]
            run(size)
            out.append([sys.getrefcount(o) - b for o, b in zip(objects, before)])
        os.environ["RECKON_FAIL"] = ""
        return list(zip(*out))

    control = counts("") if fail else [[0] * len(SIZES)] * len(objects)
    changed = counts(fail)
    for (label, value), grown, usual in zip(watched.values(), changed, control):
        rate = proportional(grown, usual)
        if rate * sign > 0:
            say({"seen": f"references to {label} after " +
                         ", ".join(f"{n} calls: {g:+}" for n, g in zip(SIZES, grown)) +
                         (", and without the failure: " + ", ".join(f"{u:+}" for u in usual) if fail else ""),
                 "how": "counts", "label": label})
            del held
            return True
    return False


def still_there(record, run, fail, maker, sizes):
    """How many objects a call gave, and how many of them are still there, for each size. The allocator overwrites what
    is freed, so that a count and a type that fit tell an object that is there."""
    out = []
    os.environ["RECKON_FAIL"] = fail
    run(sizes[0] // 2)
    for size in sizes:
        record.made[0] = 0
        os.environ["RECKON_WATCH"] = str(maker)
        run(size)
        os.environ["RECKON_WATCH"] = ""
        gc.collect()
        objects = {record.made[1 + 2 * i]: record.made[2 + 2 * i] for i in range(record.made[0])}
        alive = 0
        for address, kind in objects.items():
            count, kind_now = (ctypes.c_size_t * 2).from_address(address)
            alive += kind_now == kind and 0 < count < 1 << 30
        out.append((record.made[0], alive))
    os.environ["RECKON_FAIL"] = ""
    return out


def measure_objects(recipe, fail, say, finding, record):
    """Objects of the very call that the finding names: True if they stay, None if they go, False if nothing can be said."""
    maker = finding.get("maker")
    if not maker:
        return False
    if recipe.get("import"):
        run = initialiser(recipe)
    else:
        names = space_of(recipe)
        code = compile("\n".join([*recipe["setup"], f"result = {recipe['call']}"]), "<recipe>", "exec")

        def run(count):
            fresh(code, names, count)
    sizes = FEW if recipe.get("import") or recipe.get("test") else SIZES
    usual = still_there(record, run, "", maker, sizes) if fail else [(0, 0)] * len(sizes)
    found = still_there(record, run, fail, maker, sizes)
    if all(before < 0.1 * size for (_, before), size in zip(usual, sizes)) and \
            proportional([alive for _, alive in found], [0] * len(sizes), sizes) > 0:
        what = "initialisations of the module" if recipe.get("import") else "tests" if recipe.get("test") else "calls"
        say({"seen": f"objects that {finding['made_by']}() gave at line {finding['made_at']} and that are still there after " +
                     ", ".join(f"{n} {what}: {alive}" for n, (_, alive) in zip(sizes, found)), "how": "objects",
             "assumes": ["the module is initialised again and again"] if recipe.get("import") else []})
        return True
    if record.failed(maker):
        return False  # the call gives a number, and its object by an argument
    # Objects were made and are gone, or the call was not made at all: whatever else grows is not what the finding says.
    return None if all(not alive for _, alive in found) else False


def initialiser(recipe):
    """Calls the function that makes the module, and drops what it gives."""
    module = recipe["module"]
    explore.imported(module)
    library = ctypes.PyDLL(module["file"])
    function = library["PyInit_" + module["name"].rpartition(".")[2]]
    function.restype = ctypes.py_object

    def run(count):
        for _ in range(count):
            try:
                made = function()
                if isinstance(made, type(sys)):
                    made.__dict__.clear()
            except BaseException:
                pass
    return run


def space_of(recipe):
    return explore.base_names(None if recipe.get("test") else explore.imported(recipe["module"]))


def call_some(recipe, fail, say):
    """For what ends a process or makes the interpreter complain."""
    names = space_of(recipe)
    setup = compile("\n".join(recipe["setup"]), "<setup>", "exec")
    call = compile(recipe["call"], "<recipe>", "eval")
    for _ in range(1 if recipe.get("test") else 6):
        space = dict(names)
        try:
            exec(setup, space)
            os.environ["RECKON_FAIL"] = fail
            space["result"] = eval(call, space)
            os.environ["RECKON_FAIL"] = ""
            repr(space["result"])
        except BaseException as problem:
            os.environ["RECKON_FAIL"] = ""
            at = problem
            while at is not None:
                text = f"{type(at).__name__}: {at}"
                if isinstance(at, SystemError) and any(c in text for c in COMPLAINTS):
                    say({"seen": text, "how": "complaint"})
                    return
                at = at.__cause__ or at.__context__
        space.clear()
        gc.collect()


def import_once(recipe, fail, say):
    os.environ["RECKON_FAIL"] = fail
    try:
        explore.imported(recipe["module"])
    except SystemError as problem:
        if any(c in str(problem) for c in COMPLAINTS):
            say({"seen": f"SystemError: {problem}", "how": "complaint"})
    except BaseException:
        pass
    os.environ["RECKON_FAIL"] = ""


def trial(finding, recipe, fail, in_child, work, seconds, record):
    """What was said, and how the process ended: (dict or None, signal or 0, timed out)."""
    said = work / "said"
    said.write_text("")
    errors = work / "errors"

    def say(what):
        with said.open("a") as out:
            out.write(json.dumps(what) + "\n")

    def run():
        with errors.open("wb") as out:
            os.dup2(out.fileno(), 2)
        watch_crashes(work)
        harm = finding["harm"]
        if harm == "grows" and measure_objects(recipe, fail, say, finding, record) is not False:
            return
        if recipe.get("test") and harm == "grows":
            return  # what a test leaves besides says nothing: only objects of the very call count
        if recipe.get("import"):
            # Growth over imports that fail has no control: what such an import leaves anyway cannot be told apart.
            import_once(recipe, fail, say)
        elif harm == "grows":
            measure_growth(recipe, fail, say) or measure_counts(recipe, fail, say, +1)
        elif harm == "dangling":
            recipe.get("test") or measure_counts(recipe, fail, say, -1)
            call_some(recipe, fail, say)
        else:
            call_some(recipe, fail, say)

    status = in_child(run, seconds)
    lines = [json.loads(line) for line in said.read_text().splitlines() if line]
    died = os.WTERMSIG(status) if status is not None and os.WIFSIGNALED(status) else 0
    return (lines[0] if lines else None), died, status is None


def watch_crashes(work):
    """From now on the stack is written to stderr when this process dies."""
    library = work / "crash.so"
    if library.exists():
        ctypes.CDLL(str(library)).reckon_watch()


def build_watcher(work):
    """What cannot be built is done without: then a crash has no place."""
    source = Path(__file__).resolve().parent / "crash.c"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", str(work / "crash.so"), str(source)], capture_output=True,
                   check=False)


def places_of_crash(work, modules):
    """Functions on the stack of the last crash that are in these files, the innermost first, with file and line; None if
    nobody wrote a stack."""
    text = (work / "errors").read_text(errors="replace")
    frames = re.findall(r"^(/\S+)\((?:\S*)\+?(0x[0-9a-f]+)\)", text, re.M)
    if not frames:
        return None
    out = []
    for file, address in frames:
        if file not in modules:
            continue
        # The address is that of the next instruction, and behind a symbol's name it counts from there.
        named = re.search(rf"^{re.escape(file)}\((\w+)\+{address}\)", text, re.M)
        base = symbol_address(file, named[1]) if named else 0
        shown = subprocess.run(["addr2line", "-f", "-i", "-e", file, hex(base + int(address, 16) - 1)], text=True,
                               capture_output=True, check=False).stdout.splitlines()
        out += list(zip(shown[::2], (os.path.basename(place.split(" ")[0]) for place in shown[1::2])))
    return out


def near(place, other):
    """Are two places one statement? Compilers give a call the line of its beginning or of its end."""
    (file, line), (other_file, other_line) = (re.match(r"(?:.*/)?([^/:]+):(\d+)", p).groups() if re.search(r":\d", p) else ("", "0")
                                              for p in (place, other))
    return file == other_file and abs(int(line) - int(other_line)) <= STATEMENT


def symbol_address(file, name):
    listed = subprocess.run(["nm", "-D", file], text=True, capture_output=True, check=False).stdout
    match = re.search(rf"^([0-9a-f]+) \w {re.escape(name)}$", listed, re.M)
    return int(match[1], 16) if match else 0


def last_words(work):
    """What the interpreter or the allocator's checks said."""
    text = (work / "errors").read_text(errors="replace")
    keep = [line for line in text.splitlines()
            if line.startswith(("Fatal Python error", "Debug memory block", "==", "SUMMARY", "python"))]
    return keep[0][:200] if keep else ""


def used_by_children():
    """Seconds of the processor: those of the clock say little on a busy machine."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def made_bare(recipe):
    return any("bare(" in line for line in recipe["setup"])


def in_order(recipes, places):
    """The calls to try, the best first. One that comes to all places of the path goes before one that does not; then a call
    alone, which is quick and leaves nothing else behind, a test, and objects that are none. Of calls that end alike one goes
    before the second of another kind: how a call ends tells how far it got."""
    alike = {}

    def worth(recipe):
        hits = places & set(recipe["hits"])
        return (hits != places, made_bare(recipe), bool(recipe.get("test")), -len(hits))

    out = []
    for recipe in sorted(recipes, key=lambda r: (worth(r), r["outcome"] != "good", len(str(r["setup"])))):
        rank = alike[recipe.get("shape"), worth(recipe)] = alike.get((recipe.get("shape"), worth(recipe)), -1) + 1
        out.append(((*worth(recipe), rank), recipe))
    out.sort(key=lambda pair: pair[0])
    tests = [r for _, r in out if r.get("test")]
    return [r for _, r in out if r not in tests[TESTS:] and not r.get("slow")]


def judge(finding, known, record, in_child, work, job):
    """The result for one finding, as `reckon confirm` reads it."""
    result = {"key": finding["key"], "status": "not-reached", "why": "no call that was tried came to the function"}
    harm = finding["harm"]
    files = {r["module"]["file"] for r in known if r["module"]} | set(job["modules"])
    entered = [r for r in known if finding["entry"] in r["hits"]]
    if not entered and not any(set(a) & set(r["hits"]) for a in finding["attempts"] for r in known):
        return result
    begin = used_by_children()
    end = begin + job["trial_seconds"]
    trials = 0
    for sites in finding["attempts"]:
        wanted = set(sites)
        fitting = [r for r in known if (wanted & set(r["hits"]) if wanted else finding["entry"] in r["hits"])]
        if wanted:
            fitting += [r for r in entered if r not in fitting][:3]
        fitting = in_order(fitting, wanted | ({finding["maker"]} - {0, None}))
        elsewhere = False
        for every in ("", "@2", "@3") if wanted else ("",):
            if every == "@3" and not elsewhere:
                continue  # a later one of several calls, where the first ones failing ends the process before
            fail = ",".join(f"{site}{every}" for site in sites)
            for recipe in fitting[:CALLS if not every else 2]:
                if used_by_children() > end:
                    result["why"] += "; not all calls were tried, for time"
                    return result
                trials += 1
                before = {site: record.failed(site) for site in sites}
                calls_before = record.reached([finding["entry"]])[finding["entry"]]
                said, died, late = trial(finding, recipe, fail, in_child, work, job["trial_seconds"], record)
                words = last_words(work)
                # A call of another function may come to the same helper: what it shows is not this finding.
                fired = record.reached([finding["entry"]])[finding["entry"]] > calls_before and \
                    all(record.failed(site) > before[site] for site in sites[-1:])
                if fired and wanted and result["status"] == "not-reached":
                    result.update(status="reached", why="the calls failed as they should, and nothing was seen")
                if not wanted and finding["entry"] in recipe["hits"] and result["status"] == "not-reached":
                    result.update(status="reached", why="the function was called, and nothing was seen")
                if late:
                    recipe["slow"] = True  # it waits for something, and would do so for each finding
                    result["why"] = "a call did not come back in time"
                if not fired:
                    continue
                seen = None
                if said and said["how"] in {"grows": ("blocks", "counts", "objects"), "dangling": ("counts",),
                                            "exception": ("complaint",)}.get(harm, ()):
                    seen = said["seen"]
                if harm == "exception" and died in FATAL and any(c in words for c in CHECKS):
                    seen = f"the interpreter's debug build ends the process: {words}"
                if not seen and died in FATAL and harm in ("crash", "dangling"):
                    stack = places_of_crash(work, files) or []
                    inside = next((place for name, place in stack if name == finding["function"]), "")
                    if not wanted and not inside:  # nothing else says that it is this bug: arguments were chosen by nobody
                        result["why"] = f"the process ended by {signal.Signals(died).name} outside the function"
                        continue
                    if harm == "crash" and inside and not near(inside, finding["place"]):
                        result["why"] = f"the process ended by {signal.Signals(died).name} at {inside}, another place"
                        elsewhere = True
                        continue
                    # A frame is missing where the call was the function's last deed, and where memory was damaged.
                    seen = f"signal {signal.Signals(died).name}" + \
                        (f" at {inside}" if inside else ", with no frame of the function on the stack") + \
                        (f": {words}" if words else "")
                if not seen:
                    if died in FATAL:
                        result["why"] = f"the process ended by {signal.Signals(died).name}, which is another harm"
                    continue
                if wanted and harm != "grows":  # growth has its control inside
                    said_without, died_without, _ = trial(finding, recipe, "", in_child, work, 15, record)
                    if died_without in FATAL or (said_without and harm != "dangling"):
                        result["why"] = "the same happens when no call is made to fail"
                        continue
                if not seen_again(finding, recipe, fail, in_child, work, harm, record):
                    result["why"] = "it was seen once, and not again"
                    continue
                assumes = ["an object that was allocated without its constructor"] if made_bare(recipe) else []
                assumes += (said or {}).get("assumes", [])
                return {"key": finding["key"], "status": "confirmed", "seen": seen, "assuming": sites, "fail": fail,
                        "assumes": assumes, "script": script(recipe, fail, harm, finding, job["folder"], (said or {}).get("label", "None"))}
    return result


def seen_again(finding, recipe, fail, in_child, work, harm, record):
    said, died, _ = trial(finding, recipe, fail, in_child, work, 15, record)
    return bool(said) or (died in FATAL and harm != "grows")


def script(recipe, fail, harm, finding, root, counted):
    """A program of its own that shows it, for whoever has the module that was built from the rewritten sources. `counted`
    names the object whose references told it."""
    if not re.fullmatch(r"-?\d+|None|True|False|b?''|\(\)|NotImplemented|m\.\w+", counted):
        counted = "None"  # an argument: made anew for each call here
    module = recipe["module"]
    out = io.StringIO()
    say = lambda text="": print(text, file=out)  # noqa: E731
    say(f'"""Shows: {finding["message"]}')
    say(f'{finding["place"]}')
    say('Usage: show.py FOLDER     (the project, with what was built)"""')
    say("import copy, gc, io, os, pickle, re, sys, weakref")
    inside = os.path.relpath(module["folder"], root) if module else "."
    if all_references:
        say("if not hasattr(sys, 'gettotalrefcount'):  # the module was built for the interpreter's debug build")
        say(f"    os.execv({sys.executable!r}, [{sys.executable!r}, *sys.argv])")
    say("os.chdir(sys.argv[1])")
    say(f"sys.path.insert(0, os.path.abspath({inside!r}))")
    for name, value in (("Any()", explore.Any), ("bare(", explore.bare), ("own_test(", own_tests.own_test)):
        if name in "".join([*recipe["setup"], recipe["call"]]):
            say("import ctypes")
            say()
            say()
            say(inspect.getsource(value))
            say()
    say("os.environ['RECKON_FAIL'] = ''")
    if recipe.get("before"):
        say(f"os.system({recipe['before']!r})")
    if recipe.get("import"):
        say(f"FAIL = {fail!r}  # the calls that fail, by number")
        say("os.environ['RECKON_FAIL'] = FAIL")
        if harm == "grows":
            say("import importlib.machinery, importlib.util")
            say("from pathlib import Path")
            say(f"FILE = str(next(Path().resolve().rglob({os.path.basename(module['file'])!r})))")
            say("for calls in (8, 16, 32, 64):")
            say("    gc.collect()")
            say("    before = sys.getallocatedblocks()")
            say("    for _ in range(calls):")
            say("        try:")
            say(f"            loader = importlib.machinery.ExtensionFileLoader({module['name']!r}, FILE)")
            say(f"            importlib.util.module_from_spec(importlib.util.spec_from_loader({module['name']!r}, loader))")
            say("        except BaseException:")
            say("            pass")
            say("    gc.collect()")
            say("    print(calls, 'imports that fail: blocks', sys.getallocatedblocks() - before)")
        else:
            say(f"import {module['name']}")
        return out.getvalue()
    if module:
        say(f"import {module['name']} as m")
    say()
    say()
    say("def call():")
    for line in recipe["setup"]:
        say(f"    {line}")
    say(f"    return {recipe['call']}")
    say()
    say()
    say("def often(count):")
    say("    for _ in range(count):")
    say("        try:")
    say("            repr(call())")
    say("        except BaseException as problem:")
    say("            last[0] = repr(problem)")
    say("        gc.collect()" if harm != "grows" else "        pass")
    say()
    say()
    say("last = ['nothing']")
    say(f"for fail in ('', {fail!r}):" if fail else "for fail in ('',):")
    say("    os.environ['RECKON_FAIL'] = fail")
    say("    print('calls that fail:', fail or 'none', flush=True)")
    if harm == "grows":
        say("    often(8)")
        say("    for calls in (16, 32, 64):")
        say("        gc.collect()")
        say(f"        before = sys.getallocatedblocks(), sys.getrefcount({counted})")
        say("        often(calls)")
        say("        gc.collect()")
        say("        print(calls, 'calls: blocks', sys.getallocatedblocks() - before[0],")
        say(f"              'references to {counted}', sys.getrefcount({counted}) - before[1], flush=True)")
    else:
        say("    often(6)")
        say("    print('still alive; last exception:', last[0], flush=True)")
    return out.getvalue()
