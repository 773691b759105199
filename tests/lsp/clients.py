#!/usr/bin/env python3
"""The language server under clients that people use: Neovim, Emacs with eglot, and npm's protocol library.

What is not installed is skipped, and said, with the exit status 77. scripts/setup tests installs the editors and fetches
the library (fetch_protocol).

Usage: clients.py RECKON neovim|eglot|protocol
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MODULES = pathlib.Path.home() / ".cache/reckon-tests/protocol-3.17.5/node_modules"


def emacs_has_eglot():
    return shutil.which("emacs") and subprocess.run(
        ["emacs", "-q", "--batch", "-l", "eglot"], capture_output=True).returncode == 0


def command(which):
    """The command that runs a client, or why there is none."""
    if which == "neovim":
        return (["nvim", "--headless", "-n", "-u", "NONE", "-i", "NONE", "-S", HERE / "neovim.lua"]
                if shutil.which("nvim") else "Neovim is not installed")
    if which == "eglot":
        return (["emacs", "-q", "--batch", "-l", HERE / "eglot.el"]
                if emacs_has_eglot() else "Emacs with eglot is not installed")
    if not shutil.which("node") or not (MODULES / "vscode-languageserver-protocol").is_dir():
        return "node, or the library that tests/lsp/fetch_protocol fetches, is missing"
    return ["node", HERE / "protocol.js"]


def main():
    reckon, which = os.path.abspath(sys.argv[1]), sys.argv[2]
    run = command(which)
    if isinstance(run, str):
        print(f"skipped: {run}")
        return 77
    sys.argv = [sys.argv[0], reckon]
    import check
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        check.project(folder, {"m.c": check.LEAK})
        env = {**os.environ, "FOLDER": folder, "RECKON": reckon, "XDG_CACHE_HOME": os.path.join(folder, ".cache"),
               "HOME": folder, "NODE_PATH": str(MODULES)}
        ended = subprocess.run(run, env=env, cwd=folder, capture_output=True, text=True, timeout=300)
    print(ended.stdout, ended.stderr)
    return 0 if ended.returncode == 0 and "ok\n" in ended.stdout else 1


if __name__ == "__main__":
    sys.exit(main())
