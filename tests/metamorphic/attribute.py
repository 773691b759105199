#!/usr/bin/env python3
"""Which API behind a helper makes the difference: each differing function is tried with one API wrapped at a time.

Reads lines `calls FILE FUNCTION DIFFERENCE` as run.py prints them, and prints them grouped by API, with the spec.

Usage: attribute.py PROGRAM < OUTPUT-OF-RUN
"""
import collections
import pathlib
import subprocess
import sys
import tempfile

import rewrites
import run
from source import Source


def attribute(reckon, each, wanted, work):
    """{function: [API]} for one file."""
    name, path, folder, flags, options = each
    source = Source(path, run.absolute(flags, folder))
    before = run.verdicts(reckon, folder, flags, options, [path])
    apis = {f.name: list(dict.fromkeys([c.name for c in f.calls] + ["Py_CLEAR"])) for f in source.functions if f.name in wanted}
    blamed = collections.defaultdict(list)
    for turn in range(max(map(len, apis.values()), default=0)):
        only = {function: names[turn] for function, names in apis.items() if turn < len(names)}
        rewritten = rewrites.wrap_calls(source, set(), only)
        if not rewritten.changed:
            continue
        file = work / path.name
        file.write_text(rewritten.texts[0])
        after = run.verdicts(reckon, folder, flags, options, [file])
        outcome = run.compare(before, after, rewritten, run.same_names(source))
        for function in outcome.lost.keys() | outcome.new.keys():
            if function in only:
                blamed[function].append(only[function])
    return blamed


def main():
    reckon = str(pathlib.Path(sys.argv[1]).resolve())
    wanted = collections.defaultdict(dict)
    for line in sys.stdin:
        words = line.split()
        if len(words) > 3 and words[0] == "calls" and words[3][0] in "+-":
            wanted[words[1]][words[2]] = " ".join(words[3:])
    by_api = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for each in run.inputs():
            if each[0] in wanted:
                blamed = attribute(reckon, each, wanted[each[0]], pathlib.Path(folder))
                for function, text in wanted[each[0]].items():
                    by_api[" or ".join(blamed.get(function, ["several together"]))].append((each[0], function, text))
    for api, functions in sorted(by_api.items(), key=lambda item: -len(item[1])):
        spec = subprocess.run([reckon, "spec", "show", api.split()[0]], capture_output=True, text=True).stdout
        print(f"== {api}: {len(functions)}\n{spec.strip()}")
        for file, function, text in functions:
            print(f"   {file} {function} {text}")


if __name__ == "__main__":
    main()
