"""Small random C functions over the mock API of thing.h.

Two kinds. A *disciplined* function is built from patterns people use (early returns, goto cleanup, nested
conditions, flags that remember ownership, transfers, helpers), correct by construction, and then in half of the
cases damaged by one mutation. A *soup* is a random sequence of statements. Which of them are buggy is not decided
here: the runs under runtime.c say so.
"""

import random

FAIL = "fail"


class Function:
    """A generated function: its text and how a driver calls it."""

    def __init__(self, name, result, params):
        self.name, self.result, self.params = name, result, params  # params: list of (kind, name)
        self.lines = []

    def signature(self):
        kinds = {"int": "int ", "thing": "struct thing *", "out": "struct thing **"}
        params = ", ".join(kinds[k] + n for k, n in self.params) or "void"
        return {"int": "int ", "void": "void ", "thing": "struct thing *"}[self.result] + f"{self.name}({params})"

    def text(self):
        return "\n".join([self.signature() + " {"] + self.lines + ["}"]) + "\n"

    def driver(self):
        """C text that calls the function once with `inputs` and judges the end of the run."""
        out = [f"static void drive_{self.name}(const int *inputs) {{"]
        args, things, outs, ints = [], [], [], 0
        for kind, name in self.params:
            if kind == "int":
                args.append(f"inputs[{ints}]")
                ints += 1
            elif kind == "thing":
                out.append(f"  struct thing *x{len(things)} = mock_argument();")
                things.append(f"x{len(things)}")
                args.append(things[-1])
            else:
                out.append(f"  struct thing *o{len(outs)} = NULL;")
                outs.append(f"o{len(outs)}")
                args.append("&" + outs[-1])
        call = f"{self.name}({', '.join(args)})"
        result, number = "NULL", "0"
        if self.result == "int":
            out.append(f"  int r = {call};")
            number = "r"
        elif self.result == "thing":
            out.append(f"  struct thing *r = {call};")
            result = "r"
        else:
            out.append(f"  {call};")
        out.append(f"  struct thing *arguments[] = {{{', '.join(things + ['NULL'])}}};")
        out.append(f"  struct thing *outs[] = {{{', '.join(outs + ['NULL'])}}};")
        out.append(f"  mock_end({result}, {number}, inputs, arguments, {len(things)}, outs, {len(outs)});")
        out.append("}")
        return "\n".join(out) + "\n", ints, len(things)


class Writer:
    """Emits one disciplined function. `owned` lists the variables that own a reference here, innermost last."""

    def __init__(self, rng, fn, helpers, depth_limit=3):
        self.rng, self.fn, self.helpers, self.depth_limit = rng, fn, helpers, depth_limit
        self.lines, self.indent = [], 1
        self.owned = []          # (variable, is_list)
        self.lent = [n for k, n in fn.params if k == "thing"]
        self.lent_lists = [n for k, n in fn.params if k == "thing" and n.startswith("l")]
        self.ints = [n for k, n in fn.params if k == "int"]
        self.counters = {}
        self.places = []         # lvalues of pointer type, all NULL at first
        self.decls = []
        self.style = rng.choice(["return", "return", "goto", "ladder"])
        if fn.result == "thing" or any(k == "out" for k, _ in fn.params):
            self.style = "return"
        self.ladder = []         # top level acquisitions of the ladder style
        self.used_labels = set()
        self.loops = 0
        self.guards = []         # owned at entry of each enclosing loop
        self.budget = rng.randint(3, 9)
        self.uses_box = rng.random() < 0.15
        self.uses_array = rng.random() < 0.12
        self.box_free = ["bx.a", "bx.b"] if self.uses_box else []
        self.array_free = ["arr[0]", "arr[1]", "arr[2]"] if self.uses_array else []

    # ---- plumbing
    def emit(self, text):
        self.lines.append("  " * self.indent + text)

    def new_name(self, prefix):
        n = self.counters.get(prefix, 0)
        self.counters[prefix] = n + 1
        return f"{prefix}{n}"

    def pointer(self):
        if self.box_free and self.rng.random() < 0.6:
            return self.box_free.pop(0)
        if self.array_free and self.rng.random() < 0.6:
            return self.array_free.pop(0)
        name = self.new_name("t")
        self.decls.append(f"struct thing *{name} = NULL;")
        return name

    def integer(self, value="0"):
        name = self.new_name("n")
        self.decls.append(f"int {name} = {value};")
        return name

    def condition(self):
        r, ints = self.rng, self.ints
        if not ints or r.random() < 0.2:
            return "choose()"
        a = r.choice(ints)
        forms = [f"{a} > {r.randint(-1, 4)}", f"{a} == {r.randint(-1, 4)}", f"{a} < {r.randint(0, 4)}", f"{a}", f"!{a}",
                 f"{a} != {r.randint(0, 3)}", f"{a} & {r.choice([1, 2, 4])}", f"{a} >= {r.randint(0, 3)}"]
        if len(ints) > 1:
            b = r.choice(ints)
            if b != a:
                forms += [f"{a} < {b}", f"{a} == {b}", f"{a} + {b} > {r.randint(0, 4)}",
                          f"{a} > {r.randint(0, 2)} && {b} < {r.randint(1, 4)}", f"{a} == {r.randint(0, 2)} || {b} == {r.randint(0, 2)}"]
        return r.choice(forms)

    def readable(self):
        return [v for v, _ in self.owned] + self.lent

    def lists(self):
        return [v for v, is_list in self.owned if is_list] + self.lent_lists

    # ---- leaving
    def release(self, var):
        forms = [f"thing_put({var});"] * 4 + [f"thing_xput({var});", f"if ({var}) thing_put({var});"]
        self.emit(self.rng.choice(forms))

    def leave(self, value=FAIL, keep=()):
        """Return from here: everything owned but `keep` is released."""
        number = "-1" if value == FAIL else value
        if self.style == "goto":
            for v, _ in reversed(self.owned):
                if v.startswith("s"):  # scoped: not cleaned at the label
                    self.emit(f"thing_put({v});")
            self.emit(f"ret = {number};" if self.fn.result == "int" else ";")
            self.emit("goto out;")
            return
        if self.style == "ladder":
            for v, _ in reversed(self.owned):
                if v not in self.ladder:
                    self.release(v)
            if self.fn.result == "int":
                self.emit(f"ret = {number};")
            label = f"err{len(self.ladder)}"
            self.used_labels.add(label)
            self.emit(f"goto {label};")
            return
        for v, _ in reversed(self.owned):
            if v not in keep:
                self.release(v)
        if self.fn.result == "void":
            self.emit("return;")
        elif self.fn.result == "int":
            self.emit(f"return {number};")
        else:
            self.emit("return NULL;" if value == FAIL else f"return {value};")

    def fail_block(self, test, also=None):
        """if (test) { ... leave }"""
        self.emit(f"if ({test}) {{")
        self.indent += 1
        if also:
            self.emit(also)
        if self.guards and self.rng.random() < 0.5:
            entry = self.guards[-1]
            for v, _ in reversed(self.owned[entry:]):
                self.release(v)
                if self.style == "goto" and not v.startswith("s"):
                    self.emit(f"{v} = NULL;")
            self.emit(self.rng.choice(["break;", "continue;"]))
        else:
            self.leave()
        self.indent -= 1
        self.emit("}")

    # ---- acquiring
    def make_call(self, var):
        """Text that makes `var` own something, the test of failure, and whether it is a list."""
        r = self.rng
        forms = [(f"{var} = thing_new();", f"!{var}", False)] * 3 + [(f"{var} = list_new();", f"!{var}", True)] * 2
        forms += [(f"thing_open(&{var});", f"!{var}", False), (f"if (thing_open(&{var}) < 0)", FAIL, False),
                  (f"if (thing_load(&{var}) < 0)", FAIL, False)]
        if self.lists():
            forms.append((f"{var} = list_dup({r.choice(self.lists())}, 1);", f"!{var}", False))
        for h in self.helpers:
            if h.contract == "new":
                forms.append((f"{var} = {h.name}({self.int_args(h)});", f"!{var}", False))
                forms.append((f"{var} = {h.name}({self.int_args(h)});", f"!{var}", False))
            if h.contract == "open":
                forms.append((f"if ({h.name}({self.int_args(h) + ', ' if h.num_ints else ''}&{var}) < 0)", FAIL, False))
        return r.choice(forms)

    def int_args(self, h):
        pool = self.ints + [str(self.rng.randint(-1, 3))]
        return ", ".join(self.rng.choice(pool) for _ in range(h.num_ints))

    def scoped_pointer(self):
        if self.style == "goto":
            name = self.new_name("s")
            self.decls.append(f"struct thing *{name} = NULL;")
            return name
        return self.pointer()

    def acquire(self, depth, keep=False):
        """One acquisition and the statements while it is held; released at the end unless `keep`."""
        top = depth == 0 and not self.guards
        var = self.pointer() if top or self.style != "goto" else self.scoped_pointer()
        call, test, is_list = self.make_call(var)
        nested = not keep and self.rng.random() < 0.3 and test != FAIL
        if test == FAIL:
            self.emit(call + " {")
            self.indent += 1
            self.leave()
            self.indent -= 1
            self.emit("}")
        else:
            self.emit(call)
            if nested:
                self.emit(f"if ({var}) {{")
                self.indent += 1
            else:
                self.fail_block(test)
        self.owned.append((var, is_list))
        on_ladder = self.style == "ladder" and top and not nested
        if on_ladder:
            self.ladder.append(var)
        self.statements(depth + (1 if nested else 0))
        if keep:
            return var
        if on_ladder:
            return var  # released by the label it falls through to
        mine = next((e for e in self.owned if e[0] == var), None)
        if mine:
            self.drop(mine)
        if nested:
            self.indent -= 1
            self.emit("}")
        return None

    def drop(self, entry):
        """The reference is given up here, one way or another."""
        var, _ = entry
        r = self.rng
        lists = [l for l in self.lists() if l != var]
        others = [v for v, _ in self.owned if v != var]
        ways = ["put"] * 4 + ["consume", "submit"]
        if lists:
            ways += ["push", "take", "add", "add"]
        for h in self.helpers:
            if h.contract in ("steal", "steal-ok"):
                ways += [h, h]
        way = r.choice(ways)
        self.owned.remove(entry)
        clear = self.style == "goto" and not var.startswith("s")
        if way == "put":
            self.release(var)
        elif way == "consume":
            self.emit(f"thing_consume({var});")
        elif way == "submit":
            self.emit(f"if (thing_submit({var}) < 0) thing_put({var});")
        elif way == "push":
            self.emit(f"if (list_push({r.choice(lists)}, {var}) < 0) {{")
            self.emit(f"  thing_put({var});")
            if clear:
                self.emit(f"  {var} = NULL;")
            if r.random() < 0.5:
                self.indent += 1
                if not clear:
                    self.leave()
                else:
                    self.leave()
                self.indent -= 1
            self.emit("}")
        elif way == "take":
            self.emit(f"list_take({r.choice(lists)}, {var});")
        elif way == "add":
            self.emit(f"list_add({r.choice(lists)}, {var});")
            self.emit(f"thing_put({var});")
        elif way.contract == "steal":
            ints = self.int_args(way)
            self.emit(f"{way.name}({var}{', ' + ints if ints else ''});")
        else:
            ints = self.int_args(way)
            self.emit(f"if ({way.name}({var}{', ' + ints if ints else ''}) < 0) thing_put({var});")
        if clear:
            self.emit(f"{var} = NULL;")
        _ = others

    # ---- statements
    def statements(self, depth):
        for _ in range(self.rng.randint(1, 3)):
            if self.budget <= 0:
                return
            self.budget -= 1
            self.statement(depth)

    def statement(self, depth):
        r = self.rng
        kinds = ["acquire"] * 4 + ["use"] * 2 + ["lend"] * 2 + ["alias", "number"]
        if depth < self.depth_limit:
            kinds += ["if", "if", "loop", "switch", "flag", "correlated", "maybe", "exit"]
            if not self.guards:
                kinds += ["fill"]
        if self.lists():
            kinds += ["borrow", "borrow"]
        if self.owned:
            kinds += ["replace", "ref"]
        if any(h.contract in ("lend", "take", "pick") for h in self.helpers):
            kinds += ["helper"] * 3
        getattr(self, "do_" + r.choice(kinds))(depth)

    def do_acquire(self, depth):
        self.acquire(depth)

    def do_use(self, depth):
        if not self.readable():
            return
        v = self.rng.choice(self.readable())
        if self.rng.random() < 0.5:
            self.emit(f"thing_peek({v});")
        else:
            self.fail_block(f"thing_use({v}) < 0")

    def do_number(self, depth):
        if not self.ints:
            return
        a = self.rng.choice(self.ints)
        n = self.integer()
        self.emit(f"{n} = {a} {self.rng.choice(['+ 1', '- 1', '& 1', '* 2', '& 3', '| 1'])};")
        self.ints.append(n)

    def do_lend(self, depth):
        if not self.readable():
            return
        v = self.rng.choice(self.readable())
        self.emit(f"thing_get({v});")
        self.statements(depth + 1) if self.rng.random() < 0.3 and self.style == "none" else None
        if self.rng.random() < 0.5:
            self.emit(f"thing_peek({v});")
        self.emit(f"thing_put({v});")

    def do_ref(self, depth):
        v = self.rng.choice([v for v, _ in self.owned])
        w = self.scoped_pointer()
        self.emit(f"{w} = thing_ref({v});")
        self.owned.append((w, False))
        self.statements(depth)
        self.owned.remove((w, False))
        self.emit(f"thing_put({w});")
        if self.style == "goto" and not w.startswith("s"):
            self.emit(f"{w} = NULL;")

    def do_alias(self, depth):
        if not self.readable():
            return
        v = self.rng.choice(self.readable())
        w = self.new_name("p")
        self.decls.append(f"struct thing *{w} = NULL;")
        self.emit(f"{w} = {v};")
        self.emit(f"thing_peek({w});")

    def do_borrow(self, depth):
        l = self.rng.choice(self.lists())
        b = self.new_name("b")
        self.decls.append(f"struct thing *{b} = NULL;")
        self.emit(f"{b} = list_get({l}, {self.rng.choice(self.ints + ['0', '1'])});")
        if self.rng.random() < 0.5:
            self.emit(f"if ({b}) {{")
            self.indent += 1
            if self.rng.random() < 0.4:
                self.emit(f"thing_get({b});")
                self.emit(f"thing_peek({b});")
                self.emit(f"thing_put({b});")
            else:
                self.emit(f"thing_use({b});")
            self.indent -= 1
            self.emit("}")
        else:
            self.fail_block(f"!{b}")
            self.emit(f"thing_peek({b});")

    def do_replace(self, depth):
        v, is_list = self.rng.choice(self.owned)
        if is_list or any(v == x for x in self.ladder):
            return
        w = self.new_name("q")
        self.decls.append(f"struct thing *{w} = NULL;")
        self.emit(f"{w} = thing_new();")
        self.fail_block(f"!{w}")
        self.emit(f"thing_put({v});")
        self.emit(f"{v} = {w};")

    def do_if(self, depth):
        self.emit(f"if ({self.condition()}) {{")
        self.block(depth)
        if self.rng.random() < 0.5:
            self.emit("} else {")
            self.block(depth)
        self.emit("}")

    def block(self, depth):
        self.indent += 1
        lent, ints = list(self.lent), list(self.ints)
        self.statements(depth + 1)
        self.lent, self.ints = lent, ints
        self.indent -= 1

    def do_exit(self, depth):
        self.emit(f"if ({self.condition()}) {{")
        self.indent += 1
        self.leave("0" if self.fn.result == "int" and self.rng.random() < 0.5 else FAIL)
        self.indent -= 1
        self.emit("}")

    def do_loop(self, depth):
        i = self.integer()
        bound = self.rng.choice([a for a in self.ints if not a.startswith("n")] + ["2", "3"])
        if self.loops >= 1:
            bound = "2"
        if self.rng.random() < 0.7:
            self.emit(f"for ({i} = 0; {i} < {bound}; {i}++) {{")
        else:
            self.emit(f"{i} = 0;")
            self.emit(f"while ({i}++ < {bound}) {{")
        self.loops += 1
        self.guards.append(len(self.owned))
        if self.rng.random() < 0.5:
            self.ints.append(i)
        self.indent += 1
        ints = list(self.ints)
        self.acquire(depth + 1) if self.rng.random() < 0.5 else self.statements(depth + 1)
        self.ints = ints
        self.indent -= 1
        if i in self.ints:
            self.ints.remove(i)
        self.guards.pop()
        self.emit("}")

    def do_switch(self, depth):
        if not self.ints:
            return
        self.emit(f"switch ({self.rng.choice(self.ints)}) {{")
        guards, self.guards = self.guards, []  # `break` would leave the switch
        inside = bool(guards)
        for value in self.rng.sample(range(-1, 4), self.rng.randint(1, 3)):
            self.emit(f"case {value}:")
            self.scope_only = inside
            self.block(depth + 1 if not inside else max(depth + 1, 1))
            self.indent += 1
            self.emit("break;" if self.rng.random() < 0.9 else "/* falls through */;")
            self.indent -= 1
        self.emit("default:")
        self.block(depth + 1)
        self.indent += 1
        self.emit("break;")
        self.indent -= 1
        self.guards = guards
        self.emit("}")

    def do_flag(self, depth):
        own, v = self.integer(), self.scoped_pointer()
        if self.style == "goto":
            return self.do_maybe(depth)
        lent = self.rng.choice(self.readable()) if self.readable() else "NULL"
        self.emit(f"{own} = 0;")
        self.emit(f"if ({self.condition()}) {{")
        self.indent += 1
        self.emit(f"{v} = thing_new();")
        self.fail_block(f"!{v}")
        self.emit(f"{own} = 1;")
        self.indent -= 1
        self.emit("} else {")
        self.emit(f"  {v} = {lent};")
        self.emit("}")
        if lent != "NULL":
            self.emit(f"thing_peek({v});")
        if self.rng.random() < 0.5:
            other = self.rng.choice(self.readable()) if self.readable() else None
            if other:
                self.emit(f"if (thing_use({other}) < 0) {{")
                self.indent += 1
                self.emit(f"if ({own}) thing_put({v});")
                self.leave()
                self.indent -= 1
                self.emit("}")
        self.emit(f"if ({own}) thing_put({v});")

    def do_correlated(self, depth):
        v = self.scoped_pointer()
        c = self.condition()
        if c == "choose()" or "&&" in c or self.rng.random() < 0.4:
            n = self.integer()
            self.emit(f"{n} = {c};")
            c = n
        self.emit(f"if ({c}) {{")
        self.indent += 1
        self.emit(f"{v} = thing_new();")
        self.fail_block(f"!{v}")
        self.indent -= 1
        self.emit("}")
        if self.readable() and self.rng.random() < 0.6:
            self.emit(f"thing_peek({self.rng.choice(self.readable())});")
        self.emit(f"if ({c})")
        self.emit(f"  thing_put({v});")
        if self.style == "goto" and not v.startswith("s"):
            self.emit(f"{v} = NULL;")

    def do_maybe(self, depth):
        v = self.scoped_pointer()
        self.emit(f"{v} = {self.condition()} ? thing_new() : NULL;")
        if self.readable() and self.rng.random() < 0.6:
            self.emit(f"thing_use({self.rng.choice(self.readable())});")
        if self.rng.random() < 0.5:
            self.emit(f"if ({v}) thing_peek({v});")
        self.emit(self.rng.choice([f"thing_xput({v});", f"if ({v}) thing_put({v});", f"if ({v} != NULL) {{ thing_put({v}); }}"]))
        if self.style == "goto":
            self.emit(f"{v} = NULL;")

    def do_fill(self, depth):
        """An array filled and emptied at a variable index."""
        arr, i, k = self.new_name("many"), self.integer(), self.integer()
        self.decls.append(f"struct thing *{arr}[4] = {{0}};")
        self.emit(f"for ({i} = 0; {i} < 3; {i}++) {{")
        self.emit(f"  {arr}[{i}] = thing_new();")
        self.emit(f"  if (!{arr}[{i}]) break;")
        self.emit("}")
        self.emit(f"for ({k} = 0; {k} < {i}; {k}++)")
        self.emit(f"  thing_put({arr}[{k}]);")

    def do_helper(self, depth):
        h = self.rng.choice([h for h in self.helpers if h.contract in ("lend", "take", "pick")])
        ints = self.int_args(h)
        if not self.readable():
            return
        if h.contract == "pick":
            if not self.lists():
                return
            b = self.new_name("b")
            self.decls.append(f"struct thing *{b} = NULL;")
            self.emit(f"{b} = {h.name}({self.rng.choice(self.lists())}{', ' + ints if ints else ''});")
            self.emit(f"if ({b}) thing_peek({b});")
            return
        v = self.rng.choice(self.readable())
        call = f"{h.name}({v}{', ' + ints if ints else ''})"
        if h.contract == "take":  # a get of its own
            self.emit(f"{call};")
            self.emit(f"thing_put({v});")
        elif h.result == "int" and self.rng.random() < 0.6:
            self.fail_block(f"{call} < 0")
        else:
            self.emit(f"{call};")

    # ---- the whole
    def finish(self, body):
        out = ["  " + d for d in self.decls]
        if self.uses_box:
            out.append("  struct box bx = {0};")
        if self.uses_array:
            out.append("  struct thing *arr[3] = {0};")
        if self.style in ("goto", "ladder") and self.fn.result == "int":
            out.append("  int ret = 0;")
        self.fn.lines = out + body


def write_function(rng, fn, contract, helpers):
    w = Writer(rng, fn, helpers, 3 if contract == "main" else 2)
    if contract != "main":
        w.budget = rng.randint(1, 4)
    stolen = next((n for k, n in fn.params if k == "thing"), None) if contract.startswith("steal") else None
    if contract == "steal-ok":
        w.style = "return"
    if stolen and contract == "steal":
        w.lent.remove(stolen)
        w.owned.append((stolen, False))
        w.style = "return"
    made = None
    if contract in ("new", "open"):
        w.style = "return"
        made = w.acquire(0, keep=True)
        w.statements(1)
        others = [e for e in w.owned if e[0] != made]
        for e in reversed(others):
            w.drop(e)
        if made not in [v for v, _ in w.owned]:
            made = None
    elif contract == "pick":
        w.statements(1)
        for e in list(reversed(w.owned)):
            w.drop(e)
    else:
        for _ in range(2):
            w.statements(0)
    if contract == "new":
        w.emit(f"return {made};")
    elif contract == "open":
        w.emit(f"*out = {made};")
        w.emit("return 0;")
    elif contract == "pick":
        w.emit(f"return list_get({fn.params[0][1]}, 0);")
    elif contract == "take":
        w.emit(f"thing_get({fn.params[0][1]});")
        if fn.result == "int":
            w.emit("return 0;")
    elif contract == "steal-ok":
        w.emit(f"if (thing_use({stolen}) < 0) return -1;")
        w.emit(f"thing_put({stolen});")
        w.emit("return 0;")
    else:
        if w.style == "return":
            for e in list(reversed(w.owned)):
                w.drop(e)
            if fn.result == "int":
                w.emit("return 0;")
        elif w.style == "goto":
            pointers = [v for v in dict.fromkeys(v for v in all_owned(w))]
            w.indent = 0
            w.emit("out:")
            w.indent = 1
            for v in pointers:
                w.emit(f"thing_xput({v});")
            w.emit("return ret;" if fn.result == "int" else "return;")
        else:
            for n in range(len(w.ladder), -1, -1):
                label = f"err{n}"
                if label in w.used_labels:
                    w.indent = 0
                    w.emit(label + ":")
                    w.indent = 1
                if n > 0:
                    w.emit(f"thing_put({w.ladder[n - 1]});")
            w.emit("return ret;" if fn.result == "int" else "return;")
    body = w.lines
    w.finish(body)


def all_owned(w):
    names = [d.split("*")[1].split(" ")[0].rstrip(";") for d in w.decls if d.startswith("struct thing *t")]
    if w.uses_box:
        names += ["bx.a", "bx.b"]
    if w.uses_array:
        names += ["arr[0]", "arr[1]", "arr[2]"]
    return names


def mutate(rng, fn):
    """One damage to a function: what people get wrong."""
    lines = fn.lines
    puts = [i for i, l in enumerate(lines) if "thing_put(" in l or "thing_xput(" in l]
    simple = [i for i, l in enumerate(lines) if l.rstrip().endswith(";") and l.strip() != ";" and "struct" not in l and "int " not in l
              and not any(w in l for w in ("return", "goto", "break", "continue"))
              and not l.strip().startswith("n")]  # a counter set back would loop for ever
    kind = rng.choice(["drop-put"] * 4 + ["double-put"] * 3 + ["drop-any"] * 2 + ["swap"] * 2 + ["wrong"] + ["constant"])
    if kind == "drop-put" and puts:
        i = rng.choice(puts)
        lines[i] = lines[i][: len(lines[i]) - len(lines[i].lstrip())] + ";"
    elif kind == "double-put" and puts:
        i = rng.choice(puts)
        if lines[i].strip().startswith("thing_"):
            lines.insert(rng.choice([i, i + 1]), lines[i])
            if i > 0 and lines[i - 1].strip().startswith("if ") and not lines[i - 1].strip().endswith("{"):
                lines.pop(i)
    elif kind == "drop-any" and simple:
        i = rng.choice(simple)
        lines[i] = lines[i][: len(lines[i]) - len(lines[i].lstrip())] + ";"
    elif kind == "swap" and len(simple) > 1:
        k = rng.randrange(len(simple) - 1)
        i, j = simple[k], simple[k + 1]
        lines[i], lines[j] = lines[j], lines[i]
    elif kind == "wrong" and puts:
        i = rng.choice(puts)
        names = sorted({l.split("*")[1].split(" ")[0].rstrip(";") for l in lines if l.strip().startswith("struct thing *") and "[" not in l})
        if names and "if" not in lines[i]:
            pad = lines[i][: len(lines[i]) - len(lines[i].lstrip())]
            lines[i] = pad + f"thing_xput({rng.choice(names)});"
    elif kind == "constant":
        import re
        conds = [i for i, l in enumerate(lines) if l.strip().startswith("if (") and re.search(r"[<>=] \d", l) and "thing" not in l and "list" not in l]
        if conds:
            i = rng.choice(conds)
            lines[i] = re.sub(r"([<>=]) (\d)", lambda m: f"{m.group(1)} {rng.randint(0, 3)}", lines[i], count=1)


def soup(rng, fn):
    """Statements at random over a few variables."""
    ints = [n for k, n in fn.params if k == "int"]
    things = [n for k, n in fn.params if k == "thing"]
    vars_ = ["t0", "t1", "t2"][: rng.randint(1, 3)]
    lines = [f"  struct thing *{v} = NULL;" for v in vars_] + ["  int i;"]
    cond = lambda: rng.choice([f"{a} > {rng.randint(0, 3)}" for a in ints] + [f"{a}" for a in ints] + ["choose()"])
    label = rng.random() < 0.4

    def guarded(v, text):
        return f"if ({v}) {text}" if rng.random() < 0.85 else text

    def statement(depth, ind):
        pad = "  " * ind
        v, w = rng.choice(vars_), rng.choice(vars_ + things)
        k = rng.randint(0, 15)
        if k <= 2:
            lines.append(pad + f"{v} = {rng.choice(['thing_new()', 'list_new()', 'thing_new()'])};")
        elif k <= 5:
            lines.append(pad + guarded(v, f"thing_put({v});"))
        elif k == 6:
            lines.append(pad + guarded(w, f"thing_get({w});"))
        elif k == 7:
            lines.append(pad + guarded(w, f"thing_use({w});"))
        elif k == 8:
            lines.append(pad + rng.choice([f"{v} = NULL;", f"{v} = {w};"]))
        elif k == 9 and v != w:
            f = rng.choice(["list_add", "list_push", "list_take"])
            lines.append(pad + f"if ({v} && {w}) {f}({v}, {w});")
        elif k == 10:
            lines.append(pad + f"if ({v} && thing_use({v}) < 0) {rng.choice(['return -1;', 'goto out;' if label else 'return -1;'])}")
        elif k == 11:
            lines.append(pad + rng.choice([f"if ({w}) {v} = list_get({w}, 0);", f"if ({w}) {v} = thing_ref({w});",
                                           f"if ({v}) {v} = thing_turn({v});", f"if ({v}) thing_submit({v});"]))
        elif k == 12 and depth < 2:
            lines.append(pad + f"for (i = 0; i < {rng.choice(ints + ['2'])}; i++) {{")
            for _ in range(rng.randint(1, 3)):
                statement(9, ind + 1)
            lines.append(pad + "}")
        elif k >= 13 and depth < 2:
            lines.append(pad + f"if ({cond()}) {{")
            for _ in range(rng.randint(1, 3)):
                statement(depth + 1, ind + 1)
            if rng.random() < 0.4:
                lines.append(pad + "} else {")
                for _ in range(rng.randint(1, 2)):
                    statement(depth + 1, ind + 1)
            lines.append(pad + "}")

    for _ in range(rng.randint(2, 8)):
        statement(0, 1)
    if label:
        lines.append("out:")
    for v in vars_:
        if rng.random() < 0.7:
            lines.append(f"  thing_xput({v});")
    lines.append("  return 0;")
    fn.lines = lines


def recursive_helper(rng, name):
    fn = Function(name, "int", [("thing", "x"), ("int", "n")])
    fn.contract, fn.num_ints = "lend", 1
    body = ["  int r = 0;", "  struct thing *t = NULL;", "  if (n <= 0) return 0;", "  t = thing_new();", "  if (!t) return -1;",
            f"  r = {name}({rng.choice(['x', 't'])}, n - 1);", "  thing_peek(x);"]
    if rng.random() < 0.5:
        body.append("  if (r < 0) { thing_put(t); return r; }")
    body += ["  thing_put(t);", "  return r;"]
    fn.lines = body
    return fn


def make_helper(rng, name):
    contract = rng.choice(["lend", "lend", "steal", "steal-ok", "new", "new", "open", "pick", "take", "recursive"])
    if contract == "recursive":
        return recursive_helper(rng, name)
    n = rng.randint(0, 1)
    ints = [("int", "n")] if n else []
    if contract == "lend":
        fn = Function(name, rng.choice(["int", "void"]), [("thing", "x")] + ints)
    elif contract in ("steal", "take"):
        fn = Function(name, "void", [("thing", "x")] + ints)
    elif contract == "steal-ok":
        fn = Function(name, "int", [("thing", "x")] + ints)
    elif contract == "new":
        fn = Function(name, "thing", ints)
    elif contract == "open":
        fn = Function(name, "int", ints + [("out", "out")])
    else:
        fn = Function(name, "thing", [("thing", "l")] + ints)
    fn.contract, fn.num_ints = contract, n
    if contract == "take":
        fn.lines = ["  thing_get(x);"]
        if n:
            fn.lines = ["  if (n > 1) thing_peek(x);", "  thing_get(x);"]
        return fn
    write_function(rng, fn, contract, [])
    return fn


def make_program(seed, number):
    """The functions of one program, main last."""
    rng = random.Random(f"{seed}.{number}")
    kind = rng.random()
    params = []
    if rng.random() < 0.5:
        params.append(("thing", "x"))
    if rng.random() < 0.35:
        params.append(("thing", "l"))
    params += [("int", n) for n in ["a", "b"][: rng.randint(0, 2)]]
    name = f"p{number}"
    if kind < 0.3:
        fn = Function(name, "int", params)
        soup(rng, fn)
        return [fn]
    helpers = [make_helper(rng, f"p{number}_h{k}") for k in range(rng.choice([0, 0, 1, 1, 2]))]
    contract = rng.choice(["main"] * 5 + ["new", "open"])
    result = rng.choice(["int", "int", "void"])
    if contract == "new":
        result = "thing"
    if contract == "open":
        result, params = "int", params + [("out", "out")]
    fn = Function(name, result, params)
    write_function(rng, fn, contract, helpers)
    if rng.random() < 0.5:
        mutate(rng, rng.choice(helpers + [fn, fn]))
    return helpers + [fn]
