"""A validator for the part of JSON Schema (draft 7) that the published SARIF schema uses."""
import json
import re

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool}
KNOWN = {"$schema", "id", "$id", "$ref", "title", "description", "default", "definitions", "type", "enum", "properties",
         "required", "additionalProperties", "items", "minItems", "maxItems", "uniqueItems", "minimum", "maximum",
         "pattern", "format", "anyOf", "oneOf", "not", "minProperties"}
URI_REFERENCE = re.compile(r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]*")


class Schema:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.root = json.load(file)

    def check(self, value):
        return list(self._check(self.root, value, "log"))

    def _target(self, reference):
        node = self.root
        for part in reference.removeprefix("#/").split("/"):
            node = node[part]
        return node

    def _check(self, schema, value, where):
        unknown = set(schema) - KNOWN
        if unknown:  # a keyword we do not know may forbid what we let pass
            yield f"{where}: the schema uses {sorted(unknown)}"
        if "$ref" in schema:
            yield from self._check(self._target(schema["$ref"]), value, where)
        if "type" in schema and not self._has_type(schema["type"], value):
            yield f"{where}: {value!r} is no {schema['type']}"
            return
        if "enum" in schema and value not in schema["enum"]:
            yield f"{where}: {value!r} is not one of {schema['enum']}"
        if "anyOf" in schema and not any(self._fits(s, value) for s in schema["anyOf"]):
            yield f"{where}: fits none of the alternatives"
        if "oneOf" in schema and sum(self._fits(s, value) for s in schema["oneOf"]) != 1:
            yield f"{where}: does not fit exactly one of the alternatives"
        if "not" in schema and self._fits(schema["not"], value):
            yield f"{where}: fits what it must not"
        if isinstance(value, dict):
            yield from self._check_object(schema, value, where)
        elif isinstance(value, list):
            yield from self._check_list(schema, value, where)
        elif isinstance(value, str):
            yield from self._check_string(schema, value, where)
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            if not schema.get("minimum", value) <= value <= schema.get("maximum", value):
                yield f"{where}: {value} is out of range"

    def _fits(self, schema, value):
        return not list(self._check(schema, value, ""))

    @staticmethod
    def _has_type(names, value):
        for name in [names] if isinstance(names, str) else names:
            if name == "null" and value is None:
                return True
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if name == "number" and number or name == "integer" and number and value == int(value):
                return True
            if name in TYPES and isinstance(value, TYPES[name]):
                return True
        return False

    def _check_object(self, schema, value, where):
        for key in schema.get("required", []):
            if key not in value:
                yield f"{where}: {key} is missing"
        if len(value) < schema.get("minProperties", 0):
            yield f"{where}: too few properties"
        properties, rest = schema.get("properties", {}), schema.get("additionalProperties", True)
        for key, inner in value.items():
            if key in properties:
                yield from self._check(properties[key], inner, f"{where}.{key}")
            elif rest is False:
                yield f"{where}: unknown property {key}"
            elif isinstance(rest, dict):
                yield from self._check(rest, inner, f"{where}.{key}")

    def _check_list(self, schema, value, where):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            yield f"{where}: {len(value)} items"
        if schema.get("uniqueItems") and len({json.dumps(v, sort_keys=True) for v in value}) != len(value):
            yield f"{where}: items repeat"
        for i, item in enumerate(value):
            yield from self._check(schema.get("items", {}), item, f"{where}[{i}]")

    @staticmethod
    def _check_string(schema, value, where):
        if "pattern" in schema and not re.search(schema["pattern"], value):
            yield f"{where}: {value!r} does not match {schema['pattern']}"
        if schema.get("format") in ("uri", "uri-reference") and not URI_REFERENCE.fullmatch(value):
            yield f"{where}: {value!r} is no URI"
