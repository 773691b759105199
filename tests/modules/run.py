#!/usr/bin/env python3
"""A minimal module in each of the C++ frameworks is silent: what is found is a false alarm, in the module or in the headers.

Usage: run.py RECKON FRAMEWORK. Exits with 77, and says why, where the framework's headers are not installed.
"""
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
R_INCLUDE, R_LIBRARY = "/usr/share/R/include", "/usr/lib/R/site-library"
# Folder of the framework's headers, a header in it, Debian's package, the domain, known false alarms.
FRAMEWORKS = {
    "pybind11": ("/usr/include", "pybind11/pybind11.h", "pybind11-dev", "python", 0),
    "nanobind": ("/usr/include", "nanobind/nanobind.h", "nanobind-dev", "python", 0),
    "rcpp": (f"{R_LIBRARY}/Rcpp/include", "Rcpp.h", "r-cran-rcpp", "r", 0),
    "cpp11": (f"{R_LIBRARY}/cpp11/include", "cpp11.hpp", "r-cran-cpp11", "r", 0),
}


def interpreter_flags(domain):
    if domain == "r":
        return [f"-I{R_INCLUDE}"]
    return subprocess.run(["/usr/bin/python3-config", "--includes"], capture_output=True, text=True, check=True).stdout.split()


def main():
    reckon, framework = sys.argv[1:]
    folder, header, package, domain, known = FRAMEWORKS[framework]
    if not (Path(folder) / header).exists():
        print(f"skipped: {folder}/{header} is not there (Debian: {package})")
        return 77
    ran = subprocess.run([reckon, "check", "--no-cache", str(HERE / f"{framework}.cpp"), "--", "-std=c++17", f"-I{folder}",
                          *interpreter_flags(domain)], capture_output=True, text=True)
    found = sum(": warning: " in line for line in ran.stdout.splitlines())
    print(ran.stdout, ran.stderr)
    if ran.returncode not in (0, 1):
        return ran.returncode
    print(f"{found} findings, {known} known false alarms")
    return found != known


if __name__ == "__main__":
    sys.exit(main())
