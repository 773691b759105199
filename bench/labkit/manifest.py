"""bench/lab.toml: which packages, at which version, which of their files, with which flags."""
import tomllib

from .common import BENCH, Failure

FIELDS = {"name": str, "version": str, "domain": str, "files": list, "exclude": list, "flags": list, "config": list,
          "needs": list, "prepare": list, "directory": str, "quick": bool, "extra": bool, "spread": int, "kind": str, "source": str}
DOMAINS = ("python", "r", "linux")


def packages(file=BENCH / "lab.toml"):
    with open(file, "rb") as text:
        listed = tomllib.load(text)["package"]
    names = set()
    for package in listed:
        for key, value in package.items():
            if key not in FIELDS or not isinstance(value, FIELDS[key]):
                raise Failure(f"{file.name}: {package.get('name')}: `{key}` is not a field, or has the wrong type")
        for key in ("name", "version", "domain"):
            if key not in package:
                raise Failure(f"{file.name}: a package lacks `{key}`")
        if package["domain"] not in DOMAINS or package["name"] in names:
            raise Failure(f"{file.name}: {package['name']}: unknown domain, or listed twice")
        names.add(package["name"])
    return listed


def chosen(names="", domain="", quick=False, extra=False):
    """The packages asked for, in the manifest's order. Extra ones must be named or asked for."""
    wanted = [n for n in names.split(",") if n]
    listed = packages()
    unknown = set(wanted) - {p["name"] for p in listed}
    if unknown:
        raise Failure("not in the manifest: " + ", ".join(sorted(unknown)))
    out = [p for p in listed if (not wanted or p["name"] in wanted) and (not domain or p["domain"] in domain.split(","))
           and (not quick or p.get("quick")) and (extra or wanted or not p.get("extra"))]
    if not out:
        raise Failure("no package of the manifest fits")
    return out
