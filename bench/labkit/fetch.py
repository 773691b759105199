"""Fetches Debian source packages and the headers they need.

The manifest pins a version. If the mirror no longer has it, the version there is taken; if it has only the upstream
part of the package (mirrors lose files), that is taken without Debian's patches. Both are said and kept in about.json.
"""
import os
import re
import shutil
import subprocess
from pathlib import Path

from .common import Failure, run, say, write_json, read_json


def install(packages):
    """Installs what is missing of these Debian packages; returns those that cannot be installed."""
    if not packages:
        return []
    state = subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n", *packages],
                           capture_output=True, text=True).stdout
    there = {line.split()[0] for line in state.splitlines() if line.endswith(" installed")}
    missing = [p for p in packages if p not in there]
    if not missing:
        return []
    root = [] if os.geteuid() == 0 else ["sudo"]
    env = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    refused = []
    for package in missing:
        say(f"installing {package}")
        try:
            run([*root, "apt-get", "install", "-y", "-q", "-o", "DPkg::Lock::Timeout=600", "--no-install-recommends", package], env=env)
        except Failure as problem:
            say(f"{package} cannot be installed: {str(problem).splitlines()[-1]}")
            refused.append(package)
    return refused


def source_entries():
    """The system's apt entries, turned into entries for sources."""
    lines, stanzas = [], []
    for file in [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))]:
        if not file.is_file():
            continue
        text = file.read_text()
        if file.suffix == ".sources":
            for stanza in re.split(r"\n\s*\n", text):
                if "/debian" in stanza and "Suites:" in stanza:
                    stanzas.append(re.sub(r"^Types:.*$", "Types: deb-src", stanza.strip(), flags=re.M))
        elif file.suffix == ".list":
            lines += [re.sub(r"^deb\b", "deb-src", line) for line in text.splitlines()
                      if re.match(r"deb\s.*/debian", line)]
    return lines, list(dict.fromkeys(stanzas))


def apt_command(scratch):
    """apt-get with package lists of its own, so that the system's need no deb-src entry."""
    conf = scratch / "apt"
    parts = conf / "parts"
    for folder in (parts, conf / "lists" / "partial"):
        folder.mkdir(parents=True, exist_ok=True)
    lines, stanzas = source_entries()
    (conf / "sources.list").write_text("".join(line + "\n" for line in lines))
    if stanzas:
        (parts / "lab.sources").write_text("\n\n".join(stanzas) + "\n")
    command = ["apt-get", "-q", "-o", f"Dir::Etc::SourceList={conf}/sources.list",
               "-o", f"Dir::Etc::SourceParts={parts}", "-o", f"Dir::State::Lists={conf}/lists",
               "-o", "APT::Sandbox::User=root", "-o", f"Dir::Cache::pkgcache={conf}/pkg.bin",
               "-o", f"Dir::Cache::srcpkgcache={conf}/src.bin"]
    if not any((conf / "lists").glob("*Sources*")):
        run([*command, "update"])
    return command


def unpack_upstream(folder):
    tarballs = sorted(folder.glob("*.orig.tar.*"))
    if not tarballs:
        raise Failure("no upstream tarball was fetched")
    run(["tar", "xf", tarballs[0].name], cwd=folder)


def source_name(package):
    """The Debian package: entries of the manifest can share one."""
    return package.get("source", package["name"])


def source(package, scratch):
    """The unpacked source of a package of the manifest, fetched once. Returns its folder and what was fetched."""
    parent = scratch / "src" / source_name(package)
    about_file = parent / "about.json"
    if not about_file.exists():
        fetch(package, parent, scratch)
    about = read_json(about_file)
    return (parent / about["folder"]).resolve(), about


def fetch(package, parent, scratch):
    making = parent.with_name(parent.name + ".part")
    shutil.rmtree(making, ignore_errors=True)
    shutil.rmtree(parent, ignore_errors=True)
    making.mkdir(parents=True)
    name, pinned = source_name(package), package["version"]
    about = {"pinned": pinned, "note": ""}
    say(f"fetching {name} {pinned}")
    if package.get("kind") == "linux":
        tree = fetch_linux(package, making, scratch)
        about.update(folder=tree.name, version=linux_version(tree))
    else:
        apt = apt_command(scratch)
        tries = [([f"{name}={pinned}"], "", False),
                 ([name], "the pinned version is gone from the mirror", False),
                 (["--tar-only", "--download-only", f"{name}={pinned}"], "upstream tarball without Debian's patches", True),
                 (["--tar-only", "--download-only", name], "another version's upstream tarball", True)]
        problem = None
        for words, note, bare in tries:
            for old in making.iterdir():
                shutil.rmtree(old) if old.is_dir() else old.unlink()
            try:
                run([*apt, "source", *words], cwd=making)
                if bare:
                    unpack_upstream(making)
            except Failure as error:
                problem = error
                continue
            about["note"] = note
            break
        else:
            raise Failure(f"{name} cannot be fetched: {problem}")
        folders = [p for p in sorted(making.iterdir()) if p.is_dir()]
        if not folders:
            raise Failure(f"{name}: nothing was unpacked")
        about["folder"] = folders[0].name
        described = next(iter(sorted(making.glob("*.dsc"))), None)
        if described:
            about["version"] = re.search(r"^Version: (.*)$", described.read_text(errors="replace"), re.M)[1].strip()
        else:
            about["version"] = re.match(r".*?_(.*)\.orig\.tar", next(making.glob("*.orig.tar.*")).name)[1]
    if about["note"]:
        say(f"{name}: {about['note']} ({about['version']})")
    write_json(making / "about.json", about)
    making.rename(parent)


def linux_version(tree):
    text = (tree / "Makefile").read_text()
    parts = [re.search(rf"^{key} = *(.*)$", text, re.M)[1] for key in ("VERSION", "PATCHLEVEL", "SUBLEVEL")]
    return ".".join(parts)


def fetch_linux(package, folder, scratch):
    """The tree of a linux-source package without other architectures."""
    name = source_name(package)
    tarball = Path(f"/usr/src/{name}.tar.xz")
    if not tarball.exists():
        run(["apt-get", "download", name], cwd=folder)
        run(["dpkg-deb", "-x", next(folder.glob("*.deb")).name, "deb"], cwd=folder)
        tarball = folder / "deb" / "usr" / "src" / tarball.name
    left_out = [*(f"arch/[a-wyz]*/*.{suffix}" for suffix in ("c", "h", "S", "dts", "dtsi")), "Documentation/*/*",
                "tools/testing/*"]
    run(["tar", "xf", str(tarball), "--anchored", "--wildcards", *(f"--exclude={name}/{p}" for p in left_out)],
        cwd=folder)
    shutil.rmtree(folder / "deb", ignore_errors=True)
    return folder / name
