#!/usr/bin/env python3
"""Makes a Python wheel of the tree that scripts/package has put together.

A wheel is a zip file. Its data/ part goes below the prefix of the environment, its scripts/ part into the environment's
bin: so the tree lies there as it does in the tarball, the program finds its data, and no Python runs when it starts.

Usage: wheel.py --version V --glibc 2.N --machine M --tree DIR --output DIR
"""
import argparse
import base64
import hashlib
import pathlib
import zipfile

METADATA = """Metadata-Version: 2.1
Name: reckon
Version: {version}
Summary: Static analyser for reference-count and GC-protection bugs
License: Apache-2.0
Requires-Python: >=3.7
Classifier: Programming Language :: C
Classifier: Topic :: Software Development :: Quality Assurance
Description-Content-Type: text/markdown

{readme}"""
WHEEL = """Wheel-Version: 1.0
Generator: reckon packaging/wheel.py
Root-Is-Purelib: false
Tag: py3-none-{platform}
"""
TIME = (2026, 1, 1, 0, 0, 0)  # of every file, so that the same tree gives the same bytes


def place_of(path, data):
    """Where the file of the tree stands in the wheel; None if it does not."""
    if path.parts[0] == "bin":
        return f"{data}/scripts/{path.name}"
    if path.parts[0] in ("lib", "share"):
        return f"{data}/data/{path}"
    return None


def write(wheel, place, content, executable, record):
    info = zipfile.ZipInfo(place, TIME)
    info.external_attr = (0o100755 if executable else 0o100644) << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    wheel.writestr(info, content)
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    record.append(f"{place},sha256={digest},{len(content)}")


def main():
    parser = argparse.ArgumentParser()
    for option in ("version", "glibc", "machine", "tree", "output"):
        parser.add_argument("--" + option, required=True)
    arguments = parser.parse_args()
    platform = f"manylinux_{arguments.glibc.replace('.', '_')}_{arguments.machine}"
    name = f"reckon-{arguments.version}"
    tree = pathlib.Path(arguments.tree)
    target = pathlib.Path(arguments.output) / f"{name}-py3-none-{platform}.whl"
    readme = (tree / "share/doc/reckon/README.md").read_text(encoding="utf-8")
    record = []
    with zipfile.ZipFile(target, "w") as wheel:
        for path in sorted(tree.rglob("*")):
            place = place_of(path.relative_to(tree), f"{name}.data")
            if place and path.is_file():
                write(wheel, place, path.read_bytes(), path.stat().st_mode & 0o100, record)
        info = f"{name}.dist-info"
        metadata = METADATA.format(version=arguments.version, readme=readme)
        write(wheel, f"{info}/METADATA", metadata.encode(), False, record)
        write(wheel, f"{info}/WHEEL", WHEEL.format(platform=platform).encode(), False, record)
        record.append(f"{info}/RECORD,,")
        write(wheel, f"{info}/RECORD", ("\n".join(record) + "\n").encode(), False, [])
    print(f"{target}: {target.stat().st_size / 1e6:.0f} MB")


main()
