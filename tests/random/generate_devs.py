"""Small random C functions over the mock API of dev.h: a count taken and given back on the ways through a function.

Correct by construction (every end with the same arguments and result leaves the count as it was, or, in functions that
take it for their caller, one higher when they succeed), then in half of the cases damaged by one mutation.
"""

import random


class Function:
    def __init__(self, name, result, params, contract):
        self.name, self.result, self.params, self.contract = name, result, params, contract
        self.lines = []

    def signature(self):
        kinds = {"int": "int ", "dev": "struct dev *"}
        return f"{self.result} {self.name}(" + ", ".join(kinds[k] + n for k, n in self.params) + ")"

    def text(self):
        return "\n".join([self.signature() + " {"] + self.lines + ["}"]) + "\n"

    def driver(self):
        args, ints = [], 0
        for kind, _ in self.params:
            args.append("mock_argument()" if kind == "dev" else f"inputs[{ints}]")
            ints += kind == "int"
        call = f"{self.name}({', '.join(args)})"
        body = f"mock_end({call}, inputs);" if self.result == "int" else f"{call}; mock_end(0, inputs);"
        return f"static void drive_{self.name}(const int *inputs) {{ {body} }}\n", ints


class Writer:
    def __init__(self, rng, fn, helpers):
        self.rng, self.fn, self.helpers = rng, fn, helpers
        self.lines, self.decls, self.indent = [], ["int ret = 0;"], 1
        self.ints = [n for k, n in fn.params if k == "int"]
        self.held = 0
        self.names = 0
        self.budget = rng.randint(2, 6)
        self.goto = fn.result == "int" and rng.random() < 0.35
        self.labels = set()

    def emit(self, text):
        self.lines.append("  " * self.indent + text)

    def condition(self):
        r = self.rng
        if not self.ints or r.random() < 0.35:
            return "choose()"
        a = r.choice(self.ints)
        return r.choice([f"{a} > {r.randint(0, 3)}", f"{a}", f"!{a}", f"{a} == {r.randint(0, 3)}", f"{a} & {r.choice([1, 2])}", f"{a} < 2"])

    def leave(self, value):
        if self.goto:
            self.emit(f"ret = {value};" if value != "ret" else ";")
            for _ in range(self.held - 1):  # the labels see to the outermost
                self.emit("dev_put(d);")
            label = min(self.held, 1)
            self.labels.add(label)
            self.emit(f"goto out{label};")
            return
        for _ in range(self.held):
            self.emit("dev_put(d);")
        self.emit("return;" if self.fn.result == "void" else f"return {value};")

    def failing(self, call, value):
        """if the call fails, leave; `value`: what to return."""
        form = self.rng.choice(["ret", "ret", "direct", "not zero"])
        if form == "direct":
            self.emit(f"if ({call} < 0) {{")
            value = self.rng.choice(["-1", "-2"])
        else:
            self.emit(f"ret = {call};")
            self.emit("if (ret < 0) {" if form == "ret" else "if (ret) {")
        self.indent += 1
        self.leave(value)
        self.indent -= 1
        self.emit("}")

    def take(self, depth):
        r = self.rng
        forms = ["get", "get", "sync", "hold"] + [h for h in self.helpers if h.contract == "takes"] * 2
        form = r.choice(forms)
        if form == "get":
            self.failing("dev_get(d)", "ret")
        elif form == "hold":
            self.emit("dev_hold(d);")
        elif form == "sync":
            self.emit("ret = dev_sync(d);")
            self.emit("if (ret < 0) {")
            self.indent += 1
            self.held += 1
            self.leave("ret")
            self.held -= 1
            self.indent -= 1
            self.emit("}")
        else:
            self.failing(f"{form.name}({self.args(form)})", "ret")
        self.held += 1
        self.statements(depth)
        if self.goto and depth == 0:
            return  # given back by the label it falls through to
        self.emit("dev_put(d);")
        self.held -= 1

    def args(self, h):
        return ", ".join("d" if k == "dev" else self.rng.choice(self.ints + ["1", "2"]) for k, _ in h.params)

    def statements(self, depth):
        for _ in range(self.rng.randint(1, 2)):
            if self.budget <= 0:
                return
            self.budget -= 1
            kinds = ["work", "work", "exit", "ignored"]
            if depth < 2:
                kinds += ["take", "branch", "loop", "flag"]
            if self.helpers:
                kinds += ["helper"]
            getattr(self, "do_" + self.rng.choice(kinds))(depth)

    def do_take(self, depth):
        self.take(depth + 1)

    def do_work(self, depth):
        self.failing("dev_work(d)", "ret")

    def do_ignored(self, depth):
        self.emit("dev_work(d);")

    def do_exit(self, depth):
        self.emit(f"if ({self.condition()}) {{")
        self.indent += 1
        self.leave(self.rng.choice(["-1", "0"]) if self.fn.contract == "balanced" else "-1")
        self.indent -= 1
        self.emit("}")

    def do_branch(self, depth):
        self.emit(f"if ({self.condition()}) {{")
        self.indent += 1
        self.statements(depth + 1)
        self.indent -= 1
        if self.rng.random() < 0.4:
            self.emit("} else {")
            self.indent += 1
            self.statements(depth + 1)
            self.indent -= 1
        self.emit("}")

    def do_loop(self, depth):
        i = f"i{self.names}"
        self.names += 1
        self.decls.append(f"int {i} = 0;")
        self.emit(f"for ({i} = 0; {i} < {self.rng.choice(self.ints + ['2'])}; {i}++) {{")
        self.indent += 1
        self.emit("dev_hold(d);")
        self.held += 1
        if self.rng.random() < 0.6:
            self.failing("dev_work(d)", "ret")
        self.emit("dev_put(d);")
        self.held -= 1
        self.indent -= 1
        self.emit("}")

    def do_flag(self, depth):
        f = f"f{self.names}"
        self.names += 1
        self.decls.append(f"int {f} = 0;")
        self.emit(f"if ({self.condition()}) {{")
        self.emit("  dev_hold(d);")
        self.emit(f"  {f} = 1;")
        self.emit("}")
        if self.rng.random() < 0.5:
            self.emit("ret = dev_work(d);")
        self.emit(f"if ({f}) dev_put(d);")

    def do_helper(self, depth):
        h = self.rng.choice(self.helpers)
        if h.contract == "takes":
            return self.take(depth + 1) if depth < 2 else None
        if h.result == "int":
            self.failing(f"{h.name}({self.args(h)})", "ret")
        else:
            self.emit(f"{h.name}({self.args(h)});")

    def finish(self):
        self.fn.lines = ["  " + d for d in self.decls] + self.lines


def write(rng, fn, helpers):
    w = Writer(rng, fn, helpers)
    if fn.contract == "takes":
        w.goto = False
        w.failing("dev_get(d)", "ret")
        w.held = 1
        w.statements(1)
        w.emit("return 0;")
        return w.finish()
    w.take(0)
    if w.goto:
        w.emit("ret = 0;")
        for n in range(w.held, -1, -1):
            if n in w.labels:
                w.lines.append(f"out{n}:")
            if n > 0:
                w.emit("dev_put(d);")
        w.emit("return ret;")
    else:
        w.emit("return;" if fn.result == "void" else f"return {rng.choice(['0', 'ret', '0'])};")
    w.finish()


def make_helper(rng, name):
    contract = rng.choice(["takes", "balanced"])
    fn = Function(name, "int" if contract == "takes" else rng.choice(["int", "void"]), [("dev", "d")] + ([("int", "n")] if rng.random() < 0.3 else []), contract)
    if fn.result == "void":
        fn.lines = ["  dev_hold(d);", "  dev_work(d);", "  dev_put(d);"]
        return fn
    write(rng, fn, [])
    return fn


def mutate(rng, fn):
    lines = fn.lines
    puts = [i for i, l in enumerate(lines) if l.strip() == "dev_put(d);"]
    returns = [i for i, l in enumerate(lines) if l.strip().startswith("return -") or l.strip().startswith("ret = -")]
    kind = rng.choice(["drop"] * 5 + ["double"] * 2 + ["result"])
    if kind == "drop" and puts:
        lines[rng.choice(puts)] = "  ;"
    elif kind == "double" and puts:
        i = rng.choice(puts)
        lines.insert(i, lines[i])
    elif kind == "result" and returns:
        i = rng.choice(returns)
        lines[i] = lines[i].split("-")[0] + "0;"


def make_program(seed, number):
    rng = random.Random(f"{seed}.{number}")
    helpers = [make_helper(rng, f"p{number}_h{k}") for k in range(rng.choice([0, 0, 1, 2]))]
    params = [("dev", "d")] + [("int", n) for n in ["a", "b"][: rng.randint(0, 2)]]
    fn = Function(f"p{number}", rng.choice(["int", "int", "int", "void"]), params, "balanced")
    write(rng, fn, helpers)
    if rng.random() < 0.5:
        mutate(rng, rng.choice(helpers + [fn, fn]))
    return helpers + [fn]
