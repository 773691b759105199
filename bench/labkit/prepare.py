"""Makes a compilation database for a package without building it.

The manifest names the files and the flags; `prepare` steps (configure, generated headers) run once in the source
folder. Files that `clang-19 -fsyntax-only` refuses with these flags are left out, and counted with the reason.
"""
import collections
import os
import re
import shlex
import subprocess

from .common import CLANG, Failure, clang_errors, read_json, run, say, write_json
from .fetch import install, source, source_name
from .manifest import packages

PYTHON_FLAGS = ["-O2", "-g", "-DNDEBUG", "-fwrapv", "-fPIC", "-I/usr/include/python3.11"]
R_FLAGS = ["-O2", "-g", "-DNDEBUG", "-fPIC", "-I/usr/share/R/include"]
GLIB_FLAGS = ["-O2", "-g", "-fPIC"]
DOMAIN_FLAGS = {"python": PYTHON_FLAGS, "r": R_FLAGS, "linux": []}


def standard(file):
    return ["-x", "c++", "-std=c++17"] if file.suffix in (".cc", ".cpp", ".cxx", ".C") else ["-std=gnu11"]


def expand(text, folder, version, scratch):
    def other(match):
        return str(source(next(p for p in packages() if p["name"] == match[1]), scratch)[0])
    text = re.sub(r"\{src:([^}]+)\}", other, text)
    return text.replace("{src}", str(folder)).replace("{version}", re.sub(r"^\d+:|-[^-]*$", "", version))


def listed_files(package, folder):
    files = {f for pattern in package["files"] for f in folder.glob(pattern) if f.is_file()}
    for pattern in package.get("exclude", []):
        files -= set(folder.glob(pattern))
    return sorted(files)


def entries_of(package, folder, version, scratch):
    if package.get("kind") == "linux":
        return linux_entries(package, folder, scratch / "db" / source_name(package) / "prepare.log")
    cwd = folder / package.get("directory", "")
    flags = DOMAIN_FLAGS[package["domain"]] + [expand(f, folder, version, scratch) for f in package.get("flags", [])]
    for command in package.get("config", []):
        flags += run(command, cwd=folder).split()
    return [{"directory": str(cwd), "file": str(f), "arguments": [CLANG, *standard(f), *flags, "-c", str(f)]}
            for f in listed_files(package, folder)]


LINUX_USERS = re.compile(rb"\b(pm_runtime_|usb_autopm_)(get|put|resume_and_get)\w*\s*\(")
LINUX_CONFIG = """\
# Instrumentation only costs time; debug information is not needed.
CONFIG_KASAN=n
CONFIG_KCSAN=n
CONFIG_KMSAN=n
CONFIG_UBSAN=n
CONFIG_KCOV=n
CONFIG_GCOV_KERNEL=n
CONFIG_WERROR=n
CONFIG_DEBUG_INFO_NONE=y
"""


def configured(package, tree, log):
    """Configures a kernel tree once; the environment its commands need."""
    env = dict(os.environ, KCONFIG_ALLCONFIG="lab.config", LC_ALL="C")
    if not (tree / "include" / "generated" / "autoconf.h").exists():
        say(f"{package['name']}: configuring the kernel")
        (tree / "lab.config").write_text(LINUX_CONFIG)
        for target in ("allmodconfig", "prepare0"):
            run(["make", "LLVM=-19", target], cwd=tree, env=env, log=log)
    return env


def kbuild_lines(tree, folders, env):
    """What kbuild's dry run says for whole folders, line by line; nothing is built."""
    # Whole folders: asked for a single object, kbuild would also tell how files are compiled that the configuration leaves out.
    with subprocess.Popen(["make", "LLVM=-19", "-n", "-i", "-k", "V=1", *folders], cwd=tree, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, text=True, errors="replace", env=env) as shown:
        yield from shown.stdout


def compiled_in(line):
    """(file, arguments) of the compiler calls in a line of kbuild's dry run."""
    # The same line echoes the command and saves it, quoted once more; only the call itself stands after a semicolon.
    for command in re.findall(r";\s*(clang-19 [^;\n]*? -c -o \S+\.o \S+\.c)\b", line):
        words = shlex.split(command)
        yield words[-1], [w for w in words if not w.startswith("-Wp,-MMD")]


def linux_entries(package, tree, log):
    """The drivers of the configuration that use runtime PM, with kbuild's flags: from its dry run, nothing is built."""
    kept = log.with_name("kbuild.json")
    kept.parent.mkdir(parents=True, exist_ok=True)
    if kept.exists():
        return read_json(kept)
    env = configured(package, tree, log)
    users = [f.relative_to(tree) for folder in ("drivers", "sound") for f in sorted((tree / folder).glob("**/*.c"))
             if LINUX_USERS.search(f.read_bytes())]
    say(f"{package['name']}: asking kbuild how {len(users)} files are compiled")
    found = {}
    for line in kbuild_lines(tree, ("drivers/", "sound/"), env):
        found.update(compiled_in(line))
    entries = [{"directory": str(tree), "file": str(tree / f), "arguments": found[str(f)]} for f in users if str(f) in found]
    write_json(kept, entries)
    return entries


def prepared(package, scratch, jobs, again=False):
    """The package's database folder and what is known of it; made once."""
    folder = scratch / "db" / package["name"]
    database, about_file = folder / "compile_commands.json", folder / "about.json"
    about = read_json(about_file)
    if about and not again and about["recipe"] == recipe(package):
        return database, about
    tree, fetched = source(package, scratch)
    refused_packages = install(package.get("needs", []))
    folder.mkdir(parents=True, exist_ok=True)
    prepare_steps(package, tree, folder, fetched["version"], scratch)
    entries = entries_of(package, tree, fetched["version"], scratch)
    offered = len(entries)
    if package.get("spread", offered) < offered:
        entries = [entries[i * offered // package["spread"]] for i in range(package["spread"])]
    if package.get("kind") == "linux":
        # Kbuild's own flags for a thousand files of a second each: what Clang refuses, capture counts as failed.
        errors = [""] * len(entries)
    else:
        say(f"{package['name']}: trying {len(entries)} of {offered} files")
        errors = clang_errors(entries, jobs)
    good = [e for e, error in zip(entries, errors) if not error]
    if not good:
        common = collections.Counter(errors).most_common(1)
        raise Failure(f"{package['name']}: Clang accepts none of {len(entries)} files: {common}")
    refused = {os.path.relpath(e["file"], tree): error for e, error in zip(entries, errors) if error}
    write_json(database, good)
    about = {"name": package["name"], "domain": package["domain"], "version": fetched["version"], "pinned": package["version"],
             "note": fetched["note"], "offered": offered, "tried": len(entries), "files": len(good), "refused": refused, "tree": str(tree),
             "missing_packages": refused_packages, "recipe": recipe(package), "lines": count_lines(good)}
    write_json(about_file, about)
    for file, error in refused.items():
        say(f"{package['name']}: left out {file}: {error}")
    return database, about


def recipe(package):
    return repr(sorted((k, v) for k, v in package.items() if k not in ("quick", "extra")))


def count_lines(entries):
    total = 0
    for entry in entries:
        with open(entry["file"], "rb") as file:
            total += file.read().count(b"\n")
    return total


def prepare_steps(package, tree, folder, version, scratch):
    done = folder / "prepared"
    steps = [expand(s, tree, version, scratch) for s in package.get("prepare", [])]
    if done.exists() and done.read_text() == "\n".join(steps):
        return
    log = folder / "prepare.log"
    log.write_text("")
    env = dict(os.environ, LC_ALL="C", CC=CLANG)
    for step in steps:
        say(f"{package['name']}: {step}")
        run(step, cwd=tree, log=log, env=env)
    done.write_text("\n".join(steps))
