"""What SARIF 2.1.0 says of the objects Reckon writes, in a table of our own: a log may hold nothing else.

The published JSON schema is not part of this tree; schema.py reads it if it is at hand. This table holds always.
"""
import re

# object: its properties; `!` means required, `[]` a list, `{}` a map from strings, `a|b` one of these words.
OBJECTS = {
    "log": "$schema:uri version!:2.1.0 runs![]:run",
    "run": "tool!:tool invocations[]:invocation originalUriBaseIds{}:artifactLocation columnKind:utf16CodeUnits"
           " results[]:result",
    "tool": "driver!:component",
    "component": "name!:string version:string semanticVersion:semver rules[]:descriptor notifications[]:descriptor",
    "descriptor": "id!:string shortDescription:multiformat fullDescription:multiformat help:multiformat"
                  " helpUri:string defaultConfiguration:configuration properties:bag",
    "configuration": "level:none|note|warning|error",
    "multiformat": "text!:string markdown:string",
    "message": "text!:string",
    "invocation": "executionSuccessful!:bool toolExecutionNotifications[]:notification arguments[]:string",
    "notification": "descriptor:reference level:none|note|warning|error message!:message locations[]:location",
    "reference": "id:string",
    "result": "ruleId:string ruleIndex:index level:none|note|warning|error message!:message locations[]:location"
              " relatedLocations[]:location codeFlows[]:codeFlow partialFingerprints{}:string fixes[]:fix"
              " suppressions[]:suppression baselineState:new|unchanged|updated|absent rank:rank properties:bag",
    "location": "id:index physicalLocation:physicalLocation logicalLocations[]:logicalLocation message:message",
    "physicalLocation": "artifactLocation:artifactLocation region:region",
    "artifactLocation": "uri:uri uriBaseId:string",
    "region": "startLine:positive startColumn:positive endLine:positive endColumn:positive",
    "logicalLocation": "name:string fullyQualifiedName:string kind:string",
    "codeFlow": "message:message threadFlows![]:threadFlow",
    "threadFlow": "locations![]:threadFlowLocation",
    "threadFlowLocation": "location:location state{}:multiformat nestingLevel:index executionOrder:index"
                          " importance:important|essential|unimportant",
    "fix": "description:message artifactChanges![]:artifactChange",
    "artifactChange": "artifactLocation!:artifactLocation replacements![]:replacement",
    "replacement": "deletedRegion!:region insertedContent:content",
    "content": "text:string",
    "suppression": "kind!:inSource|external justification:string location:location",
}
NOT_EMPTY = {"threadFlows", "locations", "artifactChanges", "replacements"}  # lists that need a member
MAY_BE_EMPTY = {("result", "locations"), ("notification", "locations")}
PROPERTY = re.compile(r"([$\w]+)(!?)(\[\]|\{\})?:(\S+)")
URI = re.compile(r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]*")
SEMVER = re.compile(r"\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?")


def is_int(value):
    return isinstance(value, int) and not isinstance(value, bool)


SCALARS = {
    "string": lambda v: isinstance(v, str),
    "uri": lambda v: isinstance(v, str) and URI.fullmatch(v) is not None,
    "semver": lambda v: isinstance(v, str) and SEMVER.fullmatch(v) is not None,
    "bool": lambda v: isinstance(v, bool),
    "index": lambda v: is_int(v) and v >= 0,
    "positive": lambda v: is_int(v) and v >= 1,
    "rank": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool) and 0 <= v <= 100,
    "bag": lambda v: isinstance(v, dict) and all(isinstance(t, str) for t in v.get("tags", [])),
}


def check_value(kind, value, where):
    if kind in OBJECTS:
        yield from check_object(kind, value, where)
    elif kind in SCALARS:
        if not SCALARS[kind](value):
            yield f"{where}: {value!r} is no {kind}"
    elif value not in kind.split("|"):
        yield f"{where}: {value!r} is not one of {kind}"


def check_object(name, value, where):
    if not isinstance(value, dict):
        yield f"{where}: not an object but {value!r}"
        return
    properties = {m[0]: m for m in PROPERTY.findall(OBJECTS[name])}
    for key in value:
        if key not in properties:
            yield f"{where}: unknown property {key}"
    for key, required, shape, kind in properties.values():
        if key not in value:
            if required:
                yield f"{where}: {key} is missing"
            continue
        inner, path = value[key], f"{where}.{key}"
        if shape == "[]":
            if not isinstance(inner, list):
                yield f"{path}: not a list"
                continue
            if not inner and key in NOT_EMPTY and (name, key) not in MAY_BE_EMPTY:
                yield f"{path}: empty"
            for i, item in enumerate(inner):
                yield from check_value(kind, item, f"{path}[{i}]")
        elif shape == "{}":
            for member, item in inner.items():
                yield from check_value(kind, item, f"{path}.{member}")
        else:
            yield from check_value(kind, inner, path)


def check_relations(log):
    """What no schema can say: indices, bases and ids that fit together, and what GitHub asks for."""
    if len(log["runs"]) != 1:
        yield f"{len(log['runs'])} runs"
    run = log["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    bases = run.get("originalUriBaseIds", {})
    for base, place in bases.items():
        if not place["uri"].endswith("/"):
            yield f"originalUriBaseIds.{base} does not end in /"
    seen = set()
    for i, result in enumerate(run["results"]):
        where = f"results[{i}]"
        if not 0 <= result.get("ruleIndex", -1) < len(rules) or rules[result["ruleIndex"]]["id"] != result["ruleId"]:
            yield f"{where}: ruleIndex does not lead to {result['ruleId']}"
        if "physicalLocation" not in result["locations"][0]:
            yield f"{where}: no place"
        logical = result["locations"][0].get("logicalLocations", [{}])[0]
        if logical.get("kind") != "function" or not logical.get("name") or not logical.get("fullyQualifiedName"):
            yield f"{where}: locations[0] does not name its function"
        fingerprint = result.get("partialFingerprints", {}).get("primaryLocationLineHash")
        if not fingerprint or fingerprint in seen:
            yield f"{where}: fingerprint {fingerprint} is missing or not its own"
        seen.add(fingerprint)
        for place in result["locations"] + result.get("relatedLocations", []):
            artifact = place["physicalLocation"]["artifactLocation"]
            if "uriBaseId" in artifact and artifact["uriBaseId"] not in bases:
                yield f"{where}: base {artifact['uriBaseId']} is unknown"
            if ("uriBaseId" in artifact) == artifact["uri"].startswith("file:"):
                yield f"{where}: {artifact['uri']} is neither relative to a base nor absolute"
        steps = sum(len(t["locations"]) for f in result.get("codeFlows", []) for t in f["threadFlows"])
        if steps > 1000:
            yield f"{where}: {steps} flow steps"


def check_log(log):
    problems = list(check_object("log", log, "log"))
    return problems or list(check_relations(log))
