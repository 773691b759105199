"""Finds calls that reach places: what can be called, and values that fit.

A recipe is text: lines that make the values (a0 = ...), and one expression. `m` is the module. Values of the module's own
types are made by the expressions that were found to make them.
"""
import collections
import ctypes
import importlib
import json
import os
import random
import re
import resource
import sys
import time
import types

import own_tests

INT = ["7", "300", "0", "1", "-1", "2", "255", "65536"]
STR = ["'text'", "'a'", "''", "'/tmp'", "'user.name'", "'lo'", "'0'", "'utf-8'", "'127.0.0.1'", "'x' * 600", "'%s'"]
BYTES = ["b'bytes'", "b''", "b'a'", "b'/tmp'", "b'x' * 600"]
FLOAT = ["1.5", "0.0", "-2.25"]
LIST = ["[object()]", "[1, 2]", "[]", "[1000003, 'x']", "['a', 'b']", "[(1, 2)]", "[b'x', b'y']", "[1.5, 2.5]"]
TUPLE = ["(object(),)", "()", "(1000003, 'x')", "('a', 'b')", "(1, 2, 3, 4)", "((1, 2), (3, 4))"]
DICT = ["{'a': 1000003}", "{}", "{object(): object()}", "{'a': 'b'}", "{b'a': b'b'}"]
CALLABLE = ["(lambda *a, **k: None)", "(lambda *a, **k: a)", "int", "dict"]
FILE = ["io.BytesIO(b'data')", "io.StringIO('text')", "open('/dev/null', 'rb')", "open('/dev/null', 'wb')"]
BUFFER = ["bytearray(b'xyz' * 10)", "memoryview(b'abc')"]
OTHER = ["None", "True", "object()", "range(3)", "iter([1, 2])", "{1}", "Exception('x')", "type('T', (), {})()", "1j",
         "slice(0, 1)", "type('S', (str,), {})('sub')", "Any()"]
SPECIAL = ["type('Huge', (), {'__len__': lambda s: sys.maxsize, '__getitem__': lambda s, i: i})()",
           "type('Data', (), {'__getattr__': lambda s, n: b'data'})()", "Any()", "None", "[1, 2]", "['a', 'b']", "object()"]
BY_TYPE = {"int": INT, "integer": INT, "str": STR, "string": STR, "unicode": STR, "bytes": BYTES, "float": FLOAT,
           "real number": FLOAT, "number": INT + FLOAT, "list": LIST, "tuple": TUPLE, "dict": DICT, "dictionary": DICT,
           "mapping": DICT, "sequence": LIST + TUPLE, "iterable": LIST + TUPLE, "callable": CALLABLE,
           "function": CALLABLE, "file": FILE, "bytes-like object": BYTES + BUFFER, "buffer": BUFFER, "bool": ["True"],
           "bytearray": BUFFER[:1], "None": ["None"], "type": ["int", "type('T', (), {})"], "complex": ["1j"],
           "single character": ["'a'", "b'a'"], "path": ["'/tmp'", "b'/tmp'"], "module": ["io"]}
GENERAL = [INT[0], INT[1], STR[0], BYTES[0], LIST[0], TUPLE[2], DICT[0], "None", "Any()", CALLABLE[0], FLOAT[0], FILE[0],
           *LIST[1:], *STR[1:], *DICT[1:], *TUPLE, *INT[2:], *FILE[1:], *BUFFER, *OTHER]
UNITS = {**dict.fromkeys("bBhHiIlkLKn", INT), **dict.fromkeys("szU", STR), "y": BYTES, "S": BYTES, "Y": BUFFER[:1],
         "w": BUFFER[:1], "u": STR, "Z": STR, "f": FLOAT, "d": FLOAT, "D": ["1j"], "p": ["True", "False"],
         "c": ["b'a'"], "C": ["'a'"], "O": GENERAL, "e": STR}

SLOTS = {"repr": "repr(o)", "str": "str(o)", "hash": "hash(o)", "len": "len(o)", "bool": "bool(o)", "iter": "list(o)",
         "next": "next(o)", "iternext": "next(iter(o))", "getitem": "o[a0]", "setitem": "o.__setitem__(a0, a1)",
         "delitem": "o.__delitem__(a0)", "contains": "a0 in o", "eq": "o == a0", "lt": "o < a0", "self": "o == o",
         "add": "o + a0", "mul": "o * a0", "sub": "o - a0", "or": "o | a0", "and": "o & a0", "mod": "o % a0",
         "neg": "-o", "abs": "abs(o)", "int": "int(o)", "float": "float(o)", "index": "o.__index__()", "call": "o(a0)",
         "call0": "o()", "getattr": "getattr(o, 'nothing')", "setattr": "setattr(o, 'nothing', a0)",
         "delattr": "delattr(o, 'nothing')", "buffer": "bytes(memoryview(o))", "slice": "o[0:1]",
         "dir": "dir(o)", "copy": "copy.copy(o)", "pickle": "pickle.dumps(o)", "format": "format(o)",
         "with": "o.__enter__(), o.__exit__(None, None, None)", "weakref": "weakref.ref(o)",
         "init": "o.__init__(a0)", "init0": "o.__init__()", "subclass": "type('Sub', (type(o),), {})",
         "gc": "(gc.collect(), gc.get_referents(o))"}

WAITING = 3  # clock to processor: a call that waits for something uses nothing of the processor

PRELUDE = "import copy, gc, io, os, pickle, re, sys, weakref\n"


class Any:
    """Has every attribute, and every method gives something."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *args, **named: b"data" if "read" in name else 0

    def fileno(self):
        return 1

    def __len__(self):
        return 2

    def __getitem__(self, key):
        if isinstance(key, int) and key > 1:
            raise IndexError(key)
        return 1000003

    def __index__(self):
        return 3


def bare(name):
    """An object of a type that nothing else makes: allocated, with all members 0."""
    kind = next(t for t in object.__subclasses__() if t.__name__ == name)
    allocate = ctypes.pythonapi.PyType_GenericAlloc
    allocate.restype, allocate.argtypes = ctypes.py_object, [ctypes.py_object, ctypes.c_ssize_t]
    return allocate(kind, 0)


def base_names(module):
    names = {"m": module, "Any": Any, "bare": bare, "own_test": own_tests.own_test}
    exec(PRELUDE, names)
    return names


def words_of(file):
    """Words in the module's file: names of modes, keys and options are among them, which nobody can guess."""
    with open(file, "rb") as binary:
        found = re.findall(rb"\0([A-Za-z][\w.:;/-]{0,15})(?=\0)", binary.read())
    words = dict.fromkeys(word.decode() for word in found)
    return [repr(word) for word in words if not re.match(r"_|Py|GLIBC|GCC|crt|lib.*\.so", word)]


SOURCES = (".c", ".h", ".cc", ".cpp", ".hpp", ".py", ".pyi", ".pyc", ".o", ".a", ".so", ".d", ".in", ".am", ".m4", ".po", ".gmo")


def filled(container, content):
    """Values for "a sequence of integers is required"."""
    pool = BY_TYPE.get(content.lower()) or BY_TYPE.get(content.lower().removesuffix("s"))
    if not pool:
        return []
    marks = "()" if container == "tuple" else "[]"
    return [f"{marks[0]}{', '.join(values)},{marks[1]}" for values in (pool[:1], [pool[0], pool[-1]], pool[:4])]


def data_files(folder):
    """What the project's tests read, one or two files of each kind, the smallest first: no value that is made up opens as a
    package or a font does."""
    kinds = {}
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in sorted(folders) if not name.startswith((".", "debian", "build", "__"))]
        for name in files:
            ending = os.path.splitext(name)[1].lower()
            path = os.path.join(place, name)
            if re.search("test|data|sample|example", os.path.relpath(place, folder).lower()) and ending and \
                    ending not in SOURCES and not os.path.islink(path) and 0 < os.path.getsize(path) < 1 << 20:
                kinds.setdefault(ending, []).append((os.path.getsize(path), os.path.relpath(path, folder)))
    return [repr(path) for found in kinds.values() for _, path in sorted(found)[:2]][:48]


def imported(module):
    sys.path.insert(0, module["folder"])
    return importlib.import_module(module["name"])


def units_of(text):
    """The pools of a format's units, and from which one on they are optional."""
    text = re.split("[:;]", text)[0]
    pools, optional, i = [], None, 0
    while i < len(text):
        c = text[i]
        i += 1
        if c in "|$":
            optional = len(pools) if optional is None else optional
        elif c == "(":
            depth, begin = 1, i
            while i < len(text) and depth:
                depth += {"(": 1, ")": -1}.get(text[i], 0)
                i += 1
            inner = units_of(text[begin:i - 1])[0]
            pools.append([f"({''.join(pool[0] + ', ' for pool in inner)})",
                          f"({''.join(pool[-1] + ', ' for pool in inner)})"])
        elif c == "e":
            pools.append(STR)
            i += 1
            i += text[i:i + 1] == "#"
        elif c in UNITS:
            following = text[i:i + 1]
            pool = UNITS[c]
            if following in ("#", "*", "!", "&") and following:
                i += 1
                if following == "&":
                    pool = STR + INT + GENERAL
                elif following == "*" and c == "y":
                    pool = BYTES + BUFFER
            pools.append(pool)
    return pools, len(pools) if optional is None else optional


class Caller:
    """Tries one thing that can be called, `template` being an expression with {args}."""

    PATIENCE = 24  # calls that bring nothing new
    ARITY = re.compile(r"(?:exactly|at least|expected|requires|needs) (\w+)(?: at least)? (?:positional )?(?:argument|item|value)")
    AT_MOST = re.compile(r"at most (\d+)")
    POSITION = re.compile(r"argument (\d+)|arg (\d+)|(first|second|third) argument|(?:item|index) (\d+)")
    MUST = re.compile(r"(?:must be|expected|requires?|needs?|should be|not|want) (?:an? |of type |as |type |the )*"
                      r"([\w. -]+?)(?:,| object| instance| or |\.?$| \(| not | for |;|:| got)")
    SEVERAL = re.compile(r"\b(sequence|list|tuple|iterable)s? of (\w+)")
    MISSING = re.compile(r"(?:missing required|required) .*?argument:? ?.*?\(pos (\d+)\)|argument '(\w+)'")

    def __init__(self, explorer, template, setup, name):
        self.x, self.template, self.setup, self.name = explorer, template, setup, name
        self.pools = []
        self.random = random.Random(name)
        self.seen = set()

    def call(self, args):
        """Returns (exception or None, last format that was read)."""
        shown = ", ".join(f"a{i}" for i in range(len(args)))
        recipe = {"setup": [*self.setup, *(f"a{i} = {text}" for i, text in enumerate(args))],
                  "call": self.template.replace("{args}", shown)}
        key = (tuple(args), self.template)
        if key in self.seen:
            return None, None
        self.seen.add(key)
        return self.x.attempt(recipe)

    def pool(self, i):
        return self.pools[i] if i < len(self.pools) else GENERAL

    def run(self, rounds):
        self.sweep(self.look_for_good(rounds))

    def sweep(self, good):
        """Where any object may be passed: values that hardly anybody expects there, one at a time."""
        for at in (i for i in range(len(good)) if self.pool(i) is GENERAL):
            for value in SPECIAL + self.x.own_values()[:6]:
                self.call([*good[:at], value, *good[at + 1:]])

    def look_for_good(self, rounds):
        """The last arguments that were of the right types, or at least of the right number."""
        args, formats_used, good, idle, news = [], set(), None, 0, self.x.news
        for _ in range(rounds):
            problem, form = self.call(args)
            idle = idle + 1 if self.x.news == news else 0
            news = self.x.news
            if idle > self.PATIENCE:
                break
            if form and form not in formats_used:
                formats_used.add(form)
                self.pools, required = units_of(form)
                shortest = [pool[0] for pool in self.pools[:required]]
                if required < len(self.pools) and good is None:
                    self.call(shortest)
                args = [pool[0] for pool in self.pools]
                continue
            if problem is None or not isinstance(problem, (TypeError, AttributeError)):
                good = list(args)
                args = self.vary(args)
                continue
            args = self.corrected(args, str(problem)) or self.vary(good if good is not None else args)
        return good if good is not None else args

    def corrected(self, args, text):
        number = {"one": 1, "two": 2, "three": 3, "no": 0}
        if match := self.ARITY.search(text):
            want = number.get(match[1], int(match[1]) if match[1].isdigit() else None)
            if want is not None and want != len(args):
                return [self.pool(i)[0] for i in range(want)]
        if "takes no arguments" in text or "takes no keyword" in text:
            return [] if args else None
        if (match := self.AT_MOST.search(text)) and len(args) > int(match[1]):
            return args[:int(match[1])]
        if self.MISSING.search(text):
            return [*args, self.pool(len(args))[0]] if len(args) < 12 else None
        if not args:
            return None
        at = 0
        if match := self.POSITION.search(text):
            word = {"first": 1, "second": 2, "third": 3}
            at = word.get(match[3], 0) if match[3] else int(match[1] or match[2] or match[4] or 1)
            at = min(max(at - 1, 0), len(args) - 1)
        wants = [word for word in self.MUST.findall(text)]
        if (match := self.SEVERAL.search(text)) and (pool := filled(*match.groups())):
            # Which argument it is nobody said: all of them, and one after the other after that.
            if args != [pool[0]] * len(args):
                self.pools = [pool] * len(args)
                return [pool[0]] * len(args)
        if re.search(r"integer is required|as an integer|to C (long|int)", text):
            wants.append("int")
        if "bytes-like object is required" in text:
            wants.append("bytes-like object")
        for want in wants:
            for pool in self.x.pools_for(want.strip()):
                self.pools += [GENERAL] * (at + 1 - len(self.pools))
                fresh = [value for value in pool if value != args[at]]
                if fresh and self.pools[at] is not pool:
                    self.pools[at] = pool
                    return [*args[:at], pool[0], *args[at + 1:]]
        return None

    def vary(self, args):
        if not args:
            return [GENERAL[0]] if self.random.random() < 0.5 else [self.random.choice(GENERAL)]
        at = self.random.randrange(len(args))
        pool = self.pool(at) if self.random.random() < 0.85 else GENERAL
        pool = pool + self.x.own_values() if pool is GENERAL else pool
        changed = list(args)
        if self.x.parts and self.random.random() < 0.4:
            pool = self.x.parts
        elif self.x.files and (pool is STR or pool is GENERAL) and self.random.random() < 0.15:
            pool = self.x.files
        elif pool is STR and self.x.words and self.random.random() < 0.5:
            pool = self.x.words
        elif pool is INT and self.x.constants and self.random.random() < 0.3:
            pool = self.x.constants
        changed[at] = self.random.choice(pool)
        if self.random.random() < 0.1:
            changed.append(self.random.choice(GENERAL))
        return changed


class Explorer:
    """Lives in a child process: the module is imported there."""

    PER_PLACE = 6
    PER_OUTCOME = 2
    MOST = 40
    PARTS = 48

    def __init__(self, module, ids, record, formats, recipes, folder):
        self.module, self.ids, self.record, self.formats, self.recipes = module, ids, record, formats, recipes
        before = set(object.__subclasses__())
        self.loaded = imported(module)
        self.own_types = sorted({t.__name__ for t in object.__subclasses__() if t not in before and
                                 t.__flags__ & (1 << 9) == 0})  # static types: the others are Python's own classes
        self.names = base_names(self.loaded)
        self.makers = {}  # type's name: expressions
        self.words = words_of(module["file"])
        self.files = data_files(folder)
        self.constants = [f"m.{name}" for name, value in sorted(vars(self.loaded).items())
                          if type(value) is int and not name.startswith("_")]
        self.kept, self.outcomes = {}, collections.Counter()
        self.format_end = 0
        self.news = 0
        self.parts = []  # values whose inner parts fit formats
        self.pending = str(recipes) + ".pending"

    def own_values(self):
        return [text for texts in self.makers.values() for text in texts[:2]]

    def pools_for(self, want):
        want = want.rsplit(".", 1)[-1].strip()
        if want in self.makers:
            yield self.makers[want]
        for name in (want, want.removesuffix(" object"), want.lower()):
            if name in BY_TYPE:
                yield BY_TYPE[name]

    def attempt(self, recipe):
        before = self.record.reached(self.ids)
        names = dict(self.names)
        problem, result = None, None
        with open(self.pending, "w") as out:  # whoever finds it here knows what the process died of
            json.dump({**recipe, "before": {str(i): n for i, n in before.items()}}, out)
        try:
            exec("\n".join(recipe["setup"]), names)
            result = names["result"] = eval(recipe["call"], names)
        except BaseException as caught:
            problem = caught.with_traceback(None)
        after = self.record.reached(self.ids)
        hits = [i for i in self.ids if after[i] != before[i]]
        self.keep(recipe, hits, problem)
        if problem is None:
            self.learn(recipe, result)
        names.clear()
        size = os.path.getsize(self.formats)
        form = None
        if size > self.format_end:
            with open(self.formats, "rb") as file:
                file.seek(self.format_end)
                lines = file.read(size - self.format_end).decode("latin-1").splitlines()
            self.format_end = size
            form = lines[0] if lines else None
            for inner in lines[1:4]:  # parts of an argument are read by a format, too
                self.learn_format(inner)
        return problem, form

    def learn_format(self, text):
        """Parts of an argument are read by a format: the argument is a tuple that fits, or a list of such."""
        pools, required = units_of(text)
        pools = [pool + self.constants[:12] if pool is INT else pool for pool in pools]
        choices = []
        for count in sorted({required, len(pools)}):
            choices.append([pool[0] for pool in pools[:count]])
            for at in range(count):  # one value after the other, the rest as before
                choices += [[*choices[0][:at], value, *choices[0][at + 1:]][:count] for value in pools[at][1:16]]
        for choice in choices:
            value = f"({''.join(text + ', ' for text in choice)})"
            for made in (f"[{value}]", value):
                if choice and made not in self.parts and len(self.parts) < self.PARTS:
                    self.parts.append(made)
                    self.news += 1

    def keep(self, recipe, hits, problem):
        """A call is kept for what it came to and for how it ended: many ways to be refused at once tell less than one that
        gets further."""
        outcome = "good" if problem is None else type(problem).__name__
        shape = (outcome, re.sub(r"\d+|'[^']*'|\bnot \S+$", "", str(problem))[:60])
        wanted = False
        for i in hits:
            kept = self.kept.setdefault((i, shape), 0)
            if kept < (self.PER_PLACE if problem is None else self.PER_OUTCOME) and self.outcomes[i] < self.MOST:
                self.kept[i, shape] = kept + 1
                self.outcomes[i] += 1
                wanted = True
        if wanted:
            self.news += 1
            line = json.dumps({"module": self.module, **recipe, "hits": hits, "outcome": outcome, "shape": str(shape)})
            with open(self.recipes, "a") as out:
                out.write(line + "\n")

    def learn(self, recipe, result):
        """Objects of the module's own types, and how to get more of them."""
        for value, suffix in [(result, ""), *((v, f"[{i}]") for i, v in enumerate(result))] \
                if isinstance(result, (tuple, list)) and len(result) < 5 else [(result, "")]:
            kind = type(value)
            if kind.__module__ == "builtins" or isinstance(value, (types.ModuleType, types.FunctionType, type)):
                continue
            name = kind.__name__
            texts = self.makers.setdefault(name, [])
            text = recipe["call"] + suffix
            for line in reversed(recipe["setup"]):
                variable, value_text = line.split(" = ", 1)
                text = re.sub(rf"\b{variable}\b", lambda _: value_text, text)
            if len(texts) < 4 and text not in texts and "bare(" not in text:
                texts.append(text)
                self.news += 1

    def died(self):
        """A child was ended by a signal: its last call is a recipe, too."""
        with open(self.pending) as file:
            recipe = json.load(file)
        before = recipe.pop("before")
        after = self.record.reached(self.ids)
        self.keep(recipe, [i for i in self.ids if after[i] != before[str(i)]], SystemExit())

    def targets(self):
        """(template, setup, name) of what can be called without an object of the module's own."""
        for name, value in sorted(vars(self.loaded).items()):
            if name.startswith("__") and name.endswith("__"):
                continue
            if isinstance(value, type):
                yield f"m.{name}({{args}})", [], name
                for attribute, member in sorted(vars(value).items()):
                    if isinstance(member, (classmethod, staticmethod, types.BuiltinFunctionType,
                                           types.ClassMethodDescriptorType)) and not attribute.startswith("__"):
                        yield f"m.{name}.{attribute}({{args}})", [], f"{name}.{attribute}"
            elif callable(value):
                yield f"m.{name}({{args}})", [], name

    def methods(self, type_name):
        for maker in self.makers.get(type_name, [])[:2]:
            setup = [f"o = {maker}"]
            names = dict(self.names)
            try:
                exec("\n".join(setup), names)
            except BaseException:  # it worked once; an object that is used up does not work twice
                continue
            kind = type(names["o"])
            for attribute in sorted({a for c in kind.__mro__ if c is not object for a in vars(c)}):
                member = getattr(kind, attribute, None)
                if isinstance(member, (types.GetSetDescriptorType, types.MemberDescriptorType)):
                    yield f"o.{attribute}", setup, f"{type_name}.{attribute}"
                    yield f"setattr(o, '{attribute}', {{args}})", setup, f"{type_name}.{attribute}="
                    yield f"delattr(o, '{attribute}')", setup, f"{type_name}.{attribute} del"
                elif callable(member) and not attribute.startswith("__"):
                    yield f"o.{attribute}({{args}})", setup, f"{type_name}.{attribute}"
            for slot, text in SLOTS.items():
                yield text, setup, f"{type_name}%{slot}"
            names.clear()

    def slot_values(self, template, setup, name):
        """Slots have fixed arguments."""
        caller = Caller(self, template, setup, name)
        count = ("a0" in template) + ("a1" in template)
        values = GENERAL[:24] + self.own_values()[:6]
        for value in values if count else [None]:
            caller.call([value, GENERAL[1]][:count])


def spent():
    """Seconds of the processor that this process and its children have used."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def explore(module, ids, record, formats, recipes, in_child, seconds, job):
    """Appends recipes for one module; each thing that can be called has a process of its own."""
    makers_file = str(recipes) + ".makers"
    open(makers_file, "w").close()

    def import_alone():
        before = record.reached(ids)
        problem = None
        try:
            imported(module)
        except BaseException as caught:
            problem = caught
        after = record.reached(ids)
        hits = [i for i in ids if after[i] != before[i]]
        with open(recipes, "a") as out:
            out.write(json.dumps({"module": module, "setup": [], "call": "", "import": True, "hits": hits,
                                  "outcome": "good" if problem is None else repr(problem)[:200]}) + "\n")
        if problem is not None:
            print(f"driver: import of {module['name']} failed: {problem}", file=sys.stderr)

    in_child(import_alone, 20)

    def whole():
        os.setpgid(0, 0)
        end, late = spent() + seconds, time.monotonic() + WAITING * seconds
        x = Explorer(module, ids, record, formats, recipes, job.get("folder", "."))

        def shared(work):
            """Work in a child; what it learnt comes back by a file."""
            def run():
                os.environ["RECKON_EXPLORING"] = "1"
                x.format_end = os.path.getsize(formats)
                before = {name: list(texts) for name, texts in x.makers.items()}
                try:
                    work()
                finally:
                    fresh = {name: [t for t in texts if t not in before.get(name, [])]
                             for name, texts in x.makers.items()}
                    with open(makers_file, "a") as out:
                        out.write(json.dumps(fresh) + "\n")
            status = in_child(run, 3, idle=2)
            if status is not None and os.WIFSIGNALED(status):
                x.died()
            for line in open(makers_file).read().splitlines():
                for name, texts in json.loads(line).items():
                    known = x.makers.setdefault(name, [])
                    known += [t for t in texts if t not in known][:4 - len(known)] if len(known) < 4 else []
            return status

        rounds = 70
        done = set()
        for again in range(2):
            if again:  # what nothing made: functions that want such an object are called with one, too
                for type_name in x.own_types:
                    x.makers.setdefault(type_name, [f"bare({type_name!r})"])
            for template, setup, name in list(x.targets()):
                if spent() < end and time.monotonic() < late:
                    shared(lambda: Caller(x, template, setup, f"{name}/{again}").run(rounds if again == 0 else 30))
            for type_name in sorted(x.makers):
                for template, setup, name in list(x.methods(type_name)):
                    if spent() > end or time.monotonic() > late or (template, tuple(setup)) in done:
                        continue
                    done.add((template, tuple(setup)))
                    if "{args}" in template:
                        shared(lambda: Caller(x, template, setup, name).run(rounds))
                    else:
                        shared(lambda: x.slot_values(template, setup, name))

    in_child(whole, seconds + 10, idle=0)
