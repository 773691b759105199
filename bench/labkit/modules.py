"""The modules of a kernel configuration: which objects each .ko is made of, and how each is compiled.

Kbuild's dry run says both: it prints the compiler calls, and for each module the command that lists its objects. Nothing
is built. A module counts as seen if one of its files uses runtime PM and is a driver: these the manifest's Linux sets
hold, and their findings were read while Reckon was mended. Objects made of assembler or generated sources are left out.
"""
import os
import re

from .common import read_json, say, write_json
from .fetch import source
from .prepare import LINUX_USERS, compiled_in, configured, kbuild_lines

FOLDERS = ("arch/x86/", "block/", "crypto/", "drivers/", "fs/", "kernel/", "lib/", "mm/", "net/", "security/", "sound/", "virt/")
LISTED = re.compile(r""";\s*printf '%s\\n'\s+([^|']*)\| awk '[^']*print\("([^"]*)"\$0\)[^']*' > (\S+)\.mod\b""")


def parsed(lines):
    """Compiler calls by source file, and the objects of each module, from lines of a dry run."""
    calls, modules = {}, {}
    for line in lines:
        calls.update(compiled_in(line))
        for objects, folder, name in LISTED.findall(line):
            modules[name] = [os.path.normpath(folder + o) for o in dict.fromkeys(objects.split())]
    return calls, modules


def was_seen(tree, files):
    return any(re.match(r"(drivers|sound)/", f) and LINUX_USERS.search((tree / f).read_bytes()) for f in files)


def all_modules(package, scratch):
    """The tree, and by module its entries for a compilation database, whether it was seen, and objects without a call."""
    tree, about = source(package, scratch)
    kept = scratch / "db" / package["name"] / "modules.json"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        env = configured(package, tree, kept.with_name("prepare.log"))
        say(f"{package['name']}: asking kbuild for all modules")
        calls, modules = parsed(kbuild_lines(tree, FOLDERS, env))
        found = {}
        for name, objects in modules.items():
            files = [re.sub(r"\.o$", ".c", o) for o in objects]
            there = [f for f in files if f in calls and (tree / f).exists()]
            found[name] = {"files": {f: calls[f] for f in there}, "without": sorted(set(files) - set(there)),
                           "seen": was_seen(tree, there)}
        write_json(kept, found)
    return tree, about, read_json(kept)


def entries(tree, module):
    return [{"directory": str(tree), "file": str(tree / f), "arguments": words} for f, words in module["files"].items()]
