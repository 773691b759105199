"""Boils a pack down to lines a person can read and any configuration can use.

A pack says all that a function does to memory, by byte offsets. Of that only counts, new references and what becomes of
arguments is taken here; offsets become names of fields, alternatives that say the same become one. A function whose
alternatives would no longer be told apart by its result or its arguments, although they count differently, is left out; and
so is one that takes or gives what no other line gives or takes (`settled`), for half a pair makes false alarms.
"""
import itertools
import re

NAMED = re.compile(r"(-?\d+)\.\.(-?\d+)|(-?\d+)|([<>]=?|!=)(-?\d+)")
COUNT = re.compile(r"(.+?)(?:\.([a-z_]+))?([+-]\d+)")
OPERATORS = ("==", "!=", "<", "<=", ">", ">=")
INFINITY = 1 << 64


class Unsure(Exception):
    """The line cannot be taken over; the text says why."""


class Types:
    """Structs and functions of a unit, from `reckon dump model`."""

    def __init__(self, text):
        self.types, self.functions, current = {}, {}, None
        for line in text.splitlines():
            if m := re.match(r"type t(\d+) = (\w+)(?:.*? elem t(\d+))?(?:.*// (.*))?", line):
                current = {"kind": m[2], "elem": m[3] and int(m[3]), "name": m[4], "fields": []}
                self.types[int(m[1])] = current
            elif current is not None and (m := re.match(r'  \+(\d+) t(\d+) "(\w*)"', line)):
                current["fields"].append((int(m[1]), int(m[2]), m[3]))
            elif m := re.match(r"fn (\w+)\((.*?)\) -> t(\d+) values", line):
                params = re.findall(r't(\d+) "(\w*)"', m[2])
                self.functions[m[1]] = ({name: int(kind) for kind, name in params}, int(m[3]))
            elif line and not line.startswith(" "):
                current = None

    def target(self, number):
        return self.types.get(number, {}).get("elem")

    def is_pointer(self, number):
        return self.types.get(number, {}).get("kind") == "pointer"

    def field(self, struct, offset):
        """Name and type of what stands at an offset, members of embedded structs as a.b; the outermost that fits."""
        for at, kind, name in self.types.get(struct, {}).get("fields", []):
            if at == offset and name:
                return name, kind
        for at, kind, name in reversed(self.types.get(struct, {}).get("fields", [])):
            if at <= offset and name and self.types.get(kind, {}).get("kind") == "struct":
                inner, found = self.field(kind, offset - at)
                return f"{name}.{inner}", found
        raise Unsure("a place has no name")

    def named(self, place, params):
        """The place with names of fields for offsets."""
        m = re.fullmatch(r"([&*]?)(\w+)((?:->-?\d+)*)", place)
        if not m or m[2] not in params:
            raise Unsure(f"{place} is no argument")
        out, kind = m[2], params[m[2]]
        for offset in re.findall(r"->(-?\d+)", m[3]):
            if not self.is_pointer(kind):
                raise Unsure(f"{place} has no type")
            name, kind = self.field(self.types[kind]["elem"], int(offset))
            out += "->" + name
        return m[1] + out


def conditions(words):
    """Conditions at the front of the words, as (place, text), and the words behind them."""
    out = []
    while True:
        if words[0].startswith("!("):
            n = next(i for i, w in enumerate(words) if w.endswith(")")) + 1
        else:
            n = 1 + (words[0] == "known")
            if words[n:n + 1] == ["&"]:
                n += 2
            if words[n:n + 1] and words[n] in OPERATORS:
                n += 2
        out.append((words[0].strip("!()"), " ".join(words[:n])))
        words = words[n:]
        if words[:1] != ["and"]:
            return out, words
        words = words[1:]


def interval(result):
    """The numbers a result stands for."""
    if result in ("any", "void"):
        return -INFINITY, INFINITY
    if result == "NULL":
        return 0, 0
    m = NAMED.fullmatch(result)
    if not m or m[4] == "!=":
        raise Unsure(f"result {result}")
    if m[1]:
        return int(m[1]), int(m[2])
    if m[3]:
        return int(m[3]), int(m[3])
    n = int(m[5])
    return {"<": (-INFINITY, n - 1), "<=": (-INFINITY, n), ">": (n + 1, INFINITY), ">=": (n, INFINITY)}[m[4]]


def result_of(words, pointer):
    """The result's wording here, its numbers (None: an object), and the words behind it."""
    word = words[0]
    if word in ("new", "new?"):
        return word, None, words[1:]
    if word in ("same", "borrowed", "interior", "interior?", "borrowed?", "immortal", "errptr", "nonnull"):
        if word != "errptr":
            raise Unsure(f"result {word}")
        return "errptr", (-4095, -1), words[1:]
    low, high = interval(word)
    if word == "void":
        return "void", (low, high), words[1:]
    if pointer and low == -INFINITY:
        return "any", (low, high), words[1:]
    if -4095 <= low and high < 0:
        return ("errptr" if pointer else "<0 fails"), (-4095, -1), words[1:]
    if high < 0:
        return "<0 fails", (-INFINITY, -1), words[1:]
    return ("NULL" if pointer and (low, high) == (0, 0) else word), (low, high), words[1:]


def alternative(text, params, types, pointer):
    """(result, numbers, conditions on arguments, what counts, what becomes of memory) of one alternative."""
    words = text.split()
    result, numbers, words = result_of(words, pointer)
    asked, counts, memory = set(), set(), set()
    while words:
        word = words[0]
        if word == "when":
            found, words = conditions(words[1:])
            asked |= {text for place, text in found if place in params and not re.search(r"!= -?[1-9]\d*$", text)}
            continue
        n = 1
        if word in ("clobbers", "keeps"):
            n = 4 if words[2:3] == ["in"] else 2
            root = re.match(r"[&*]*(@?\w+)", words[1])[1]
            if root in params:
                memory.add(f"{word} {root}" if words[1] == root else f"clobbers {root}")
        elif word in ("steals", "consumes", "frees"):
            n = 4 if words[2:3] == ["into"] else 2
            counts.add(f"{word} {types.named(words[1], params)}")
        elif word in ("may-raise", "fails", "if-oom"):
            pass
        elif "=" in word:
            place, _, value = word.partition("=")
            n = 2 if value in ("same", "interior", "borrowed") and words[1:2] and not re.search("=", words[1]) else 1
            root = re.match(r"[&*]*(@?\w+)", place)[1]
            if place == f"*{root}" and root in params and value in ("new", "new?") and types.is_pointer(types.target(params[root])):
                counts.add(word)
            elif root in params:
                memory.add(f"clobbers {root}")
        elif m := COUNT.fullmatch(word):
            counts.add(types.named(m[1], params) + (f".{m[2]}" if m[2] else "") + m[3])
        else:
            raise Unsure(f"`{word}`")
        words = words[n:]
    return result, numbers, frozenset(asked), frozenset(counts), frozenset(memory)


def exclude(a, b):
    """Do the conditions of two alternatives contradict each other?"""
    negated = {f"!({c})" if not c.startswith("!(") else c[2:-1] for c in a}
    swapped = {c.replace(" == ", " != ") if " == " in c else c.replace(" != ", " == ") for c in a}
    return bool((negated | swapped) & b)


def disjoint(a, b):
    if a is None or b is None:
        other = b if a is None else a
        return other is not None and other[1] <= 0
    return a[1] < b[0] or b[1] < a[0]


def changes(text, params, types):
    """Counts a line changes, as (type of the argument, place in it, kind, by how much)."""
    out = set()
    for word in text.partition(" -> ")[2].split():
        if (m := COUNT.fullmatch(word)) and (root := re.match(r"[&*]*(\w+)", m[1])[1]) in params:
            out.add((types.types[params[root]]["name"], m[1].replace(root, "", 1), m[2], int(m[3])))
    return out


def settled(lines):
    """Of (line, its changes) those lines whose every change of an argument another one undoes. To give back a reference to
    the argument itself is what a put does: what it undoes is a result."""
    while True:
        all_changes = set().union(*(c for _, c in lines)) if lines else set()
        good = [(line, c) for line, c in lines
                if all((kind, place, step, -by) in all_changes or (place, step, by) == ("", None, -1) for kind, place, step, by in c)]
        if len(good) == len(lines):
            return [line for line, _ in good]
        lines = good


def distilled(line, types):
    """The line of a pack as a spec for people, and the counts it changes; or None if it counts nothing. Raises Unsure."""
    head, _, tail = line.partition(" -> ")
    name = re.match(r"fn (\w+)\(", head)[1]
    if name not in types.functions:
        raise Unsure("the unit does not show it")
    params, returned = types.functions[name]
    if "..." in head:
        raise Unsure("variadic")
    alternatives = [alternative(text, params, types, types.is_pointer(returned)) for text in tail.split(" | ")]
    if not any(counts or numbers is None for _, numbers, _, counts, _ in alternatives):
        return None
    # What is asked only where nothing depends on it is noise: `p != NULL` of a pointer that is always followed.
    useful = set()
    for a, b in itertools.combinations(alternatives, 2):
        if (a[3], a[1] is None) != (b[3], b[1] is None) and not disjoint(a[1], b[1]):
            if not exclude(a[2], b[2]):
                raise Unsure("counts go by what a caller cannot see")
            useful |= {c for c in a[2] | b[2] if exclude({c}, a[2] | b[2])}
    memory = set().union(*(a[4] for a in alternatives))
    merged = {}
    for result, numbers, asked, counts, _ in alternatives:
        merged.setdefault((result, asked & useful, counts), None)
    texts = []
    for result, asked, counts in merged:
        plain = (result, frozenset(), counts)
        if asked and plain in merged:
            continue
        words = [result] + ([f"when {' and '.join(sorted(asked))}"] if asked else []) + sorted(counts) + sorted(memory)
        texts.append(" ".join(words))
    text = f"{head.replace(' computed', '')} computed -> " + " | ".join(texts)
    return text, changes(text, params, types)
