"""Small random C functions over the mock protection stack of node.h.

Built from the ways people protect (a constant number popped at the end, a counter, a push and a pop in a loop, a push
behind a condition, containers that keep what is put into them, helpers), correct by construction, then in half of the
cases damaged by one mutation. Which of them are buggy the runs say.
"""

import random


class Function:
    def __init__(self, name, result, params):
        self.name, self.result, self.params = name, result, params  # params: list of (kind, name)
        self.lines = []

    def signature(self):
        kinds = {"int": "int ", "node": "struct node *"}
        params = ", ".join(kinds[k] + n for k, n in self.params) or "void"
        return {"int": "int ", "void": "void ", "node": "struct node *"}[self.result] + f"{self.name}({params})"

    def text(self):
        return "\n".join([self.signature() + " {"] + self.lines + ["}"]) + "\n"

    def driver(self):
        args, ints = [], 0
        for kind, _ in self.params:
            args.append("mock_argument()" if kind == "node" else f"inputs[{ints}]")
            ints += kind == "int"
        call = f"{self.name}({', '.join(args)})"
        body = f"mock_end({call});" if self.result == "node" else f"{call}; mock_end(0);"
        return f"static void drive_{self.name}(const int *inputs) {{ {body} }}\n", ints


class Writer:
    def __init__(self, rng, fn, helpers):
        self.rng, self.fn, self.helpers = rng, fn, helpers
        self.lines, self.decls, self.indent = [], [], 1
        self.style = rng.choice(["constant", "counter", "counter"])
        self.depth = 0                 # what is on the stack, in the constant style
        self.safe = [n for k, n in fn.params if k == "node"]   # protected, or an argument
        self.ints = [n for k, n in fn.params if k == "int"]
        self.names = 0
        self.budget = rng.randint(3, 8)
        if self.style == "counter":
            self.decls.append("int np = 0;")

    def emit(self, text):
        self.lines.append("  " * self.indent + text)

    def name(self, prefix="t"):
        self.names += 1
        return f"{prefix}{self.names - 1}"

    def condition(self):
        r = self.rng
        if not self.ints or r.random() < 0.3:
            return "choose()"
        a = r.choice(self.ints)
        return r.choice([f"{a} > {r.randint(0, 3)}", f"{a}", f"!{a}", f"{a} == {r.randint(0, 3)}", f"{a} & 1"])

    def making(self):
        """An expression that gives a node nothing protects yet."""
        forms = ["node_new()"] * 4
        if self.safe:
            forms += [f"node_pair({self.rng.choice(self.safe)})"] * 2
        for h in self.helpers:
            if h.contract == "makes":
                forms += [f"{h.name}({self.args(h)})"] * 2
        return self.rng.choice(forms)

    def args(self, h):
        out = []
        for kind, _ in h.params:
            out.append(self.rng.choice(self.safe) if kind == "node" else self.rng.choice(self.ints + ["1", "2"]))
        return ", ".join(out)

    def pushed(self):
        if self.style == "counter":
            self.emit("np++;")
        else:
            self.depth += 1

    def acquire(self):
        v = self.name()
        self.decls.append(f"struct node *{v} = 0;")
        made = self.making()
        if self.rng.random() < 0.6:
            self.emit(f"{v} = protect({made});")
        else:
            self.emit(f"{v} = {made};")
            if self.rng.random() < 0.3:
                self.emit(f"node_peek({v});")
            self.emit(f"protect({v});")
        self.pushed()
        self.safe.append(v)

    def leave(self, value):
        if self.style == "counter":
            self.emit("unprotect(np);")
        elif self.depth:
            self.emit(f"unprotect({self.depth});")
        if self.fn.result == "node":
            self.emit(f"return {value or self.result_value()};")
        elif self.fn.result == "int":
            self.emit(f"return {value or 0};")
        else:
            self.emit("return;")

    def result_value(self):
        return self.rng.choice(self.safe) if self.safe else "0"

    # ---- statements
    def statements(self, depth):
        for _ in range(self.rng.randint(1, 3)):
            if self.budget <= 0:
                return
            self.budget -= 1
            kinds = ["acquire"] * 3 + ["use"] * 3 + ["collect", "fill", "borrow", "short"]
            if depth < 2:
                kinds += ["branch", "loop", "maybe", "exit", "both"]
            if any(h.contract == "uses" for h in self.helpers):
                kinds += ["helper"] * 2
            kind = self.rng.choice(kinds)
            if kind == "acquire" and depth > 0 and self.style == "constant":
                kind = "short"  # the number has to be known at the end
            getattr(self, "do_" + kind)(depth)

    def do_acquire(self, depth):
        self.acquire()

    def do_use(self, depth):
        if self.safe:
            self.emit(f"{self.rng.choice(['node_peek', 'node_eval'])}({self.rng.choice(self.safe)});")

    def do_collect(self, depth):
        self.emit("node_collect();")

    def do_fill(self, depth):
        if self.safe:
            self.emit(f"node_set({self.rng.choice(self.safe)}, {self.making()});" if self.rng.random() < 0.5 else
                      f"node_set({self.rng.choice(self.safe)}, {self.rng.choice(self.safe)});")

    def do_borrow(self, depth):
        if not self.safe:
            return
        b = self.name("b")
        self.decls.append(f"struct node *{b} = 0;")
        self.emit(f"{b} = node_get({self.rng.choice(self.safe)});")
        if self.rng.random() < 0.5:
            self.emit("node_collect();")
        self.emit(f"node_peek({b});")

    def do_short(self, depth):
        """Made, used and dropped before anything can collect it; or protected for a moment."""
        v = self.name("s")
        self.decls.append(f"struct node *{v} = 0;")
        if self.rng.random() < 0.5:
            self.emit(f"{v} = {self.making()};")
            self.emit(f"node_peek({v});")
            return
        self.emit(f"{v} = protect({self.making()});")
        self.emit(self.rng.choice(["node_collect();", f"node_eval({v});"]))
        self.emit(f"node_peek({v});")
        self.emit("unprotect(1);")

    def do_branch(self, depth):
        self.emit(f"if ({self.condition()}) {{")
        self.block(depth)
        if self.rng.random() < 0.5:
            self.emit("} else {")
            self.block(depth)
        self.emit("}")

    def block(self, depth):
        self.indent += 1
        safe = list(self.safe)
        self.statements(depth + 1)
        self.safe = safe
        self.indent -= 1

    def do_exit(self, depth):
        self.emit(f"if ({self.condition()}) {{")
        self.indent += 1
        self.leave("-1" if self.fn.result == "int" else None)
        self.indent -= 1
        self.emit("}")

    def do_loop(self, depth):
        i = self.name("i")
        self.decls.append(f"int {i} = 0;")
        self.emit(f"for ({i} = 0; {i} < {self.rng.choice(self.ints + ['2'])}; {i}++) {{")
        self.indent += 1
        v = self.name("v")
        self.decls.append(f"struct node *{v} = 0;")
        if self.style == "counter" and self.rng.random() < 0.4:
            self.emit(f"{v} = protect({self.making()});")
            self.emit("np++;")
            self.emit(f"node_eval({v});")
        else:
            self.emit(f"{v} = protect({self.making()});")
            self.emit(f"node_eval({v});")
            if self.safe and self.rng.random() < 0.4:
                self.emit(f"node_set({self.rng.choice(self.safe)}, {v});")
            self.emit("unprotect(1);")
        self.indent -= 1
        self.emit("}")

    def do_maybe(self, depth):
        """A push behind a condition, and a pop behind the same."""
        v = self.name("m")
        self.decls.append(f"struct node *{v} = 0;")
        condition = self.condition()
        if condition == "choose()":
            k = self.name("k")
            self.decls.append(f"int {k} = 0;")
            self.emit(f"{k} = choose();")
            condition = k
        self.emit(f"if ({condition}) {v} = protect({self.making()});")
        self.emit("node_collect();")
        self.emit(f"if ({condition}) {{")
        self.emit(f"  node_peek({v});")
        self.emit("  unprotect(1);")
        self.emit("}")

    def do_both(self, depth):
        """Protected on both sides of a branch."""
        v = self.name("w")
        self.decls.append(f"struct node *{v} = 0;")
        self.emit(f"if ({self.condition()}) {v} = protect({self.making()});")
        self.emit(f"else {v} = protect({self.making()});")
        self.emit(f"node_eval({v});")
        self.emit("unprotect(1);")

    def do_helper(self, depth):
        h = self.rng.choice([h for h in self.helpers if h.contract == "uses"])
        if any(k == "node" for k, _ in h.params) and not self.safe:
            return
        self.emit(f"{h.name}({self.args(h)});")

    def finish(self):
        self.fn.lines = ["  " + d for d in self.decls] + self.lines


def write(rng, fn, helpers):
    w = Writer(rng, fn, helpers)
    if fn.result == "node":
        w.acquire()
    for _ in range(2):
        w.statements(0)
    w.leave(None)
    w.finish()


def make_helper(rng, name):
    if rng.random() < 0.5:
        fn = Function(name, "node", [("int", "n")] if rng.random() < 0.4 else [])
        fn.contract = "makes"
        fn.lines = rng.choice([["  return node_new();"], ["  struct node *t = protect(node_new());", "  node_collect();", "  unprotect(1);", "  return t;"],
                               ["  struct node *t = node_new();", "  node_peek(t);", "  return t;"]])
        return fn
    fn = Function(name, "void", [("node", "x")])
    fn.contract = "uses"
    fn.lines = rng.choice([["  node_collect();", "  node_peek(x);"], ["  protect(x);", "  node_collect();", "  node_peek(x);", "  unprotect(1);"],
                           ["  node_peek(x);", "  node_collect();"], ["  node_peek(x);"], ["  node_eval(x);"]])
    return fn


def mutate(rng, fn):
    lines = fn.lines
    def where(text):
        return [i for i, l in enumerate(lines) if text in l]
    kind = rng.choice(["unprotected"] * 4 + ["count"] * 3 + ["drop", "counter", "early"])
    protects, pops, counts = where("protect(") , where("unprotect("), where("np++")
    protects = [i for i in protects if i not in pops]
    if kind == "unprotected" and protects:
        i = rng.choice(protects)
        lines[i] = lines[i].replace("protect(", "(", 1)  # the pop stays: often the balance is wrong as well
        if rng.random() < 0.7 and counts:
            later = [k for k in counts if k > i]
            if later:
                lines[later[0]] = "  ;"
    elif kind == "count" and pops:
        i = rng.choice(pops)
        for n in range(9):
            if f"unprotect({n})" in lines[i]:
                lines[i] = lines[i].replace(f"unprotect({n})", f"unprotect({max(0, n + rng.choice([-1, 1]))})")
                break
        else:
            lines[i] = lines[i].replace("unprotect(np)", rng.choice(["unprotect(np - 1)", "unprotect(np + 1)", "unprotect(1)"]))
    elif kind == "drop" and pops:
        lines[rng.choice(pops)] = "  ;"
    elif kind == "counter" and counts:
        lines[rng.choice(counts)] = rng.choice(["  ;", "  np += 2;"])
    elif kind == "early" and pops:
        i = rng.choice(pops)
        if lines[i].strip().startswith("unprotect") and i > 0 and not lines[i - 1].rstrip().endswith((")", "else")):
            lines.insert(i, lines.pop(i - 1) if rng.random() < 0.5 else "  node_collect();")


def make_program(seed, number):
    rng = random.Random(f"{seed}.{number}")
    params = [("node", "x")] if rng.random() < 0.5 else []
    params += [("int", n) for n in ["a", "b"][: rng.randint(0, 2)]]
    helpers = [make_helper(rng, f"p{number}_h{k}") for k in range(rng.choice([0, 0, 1, 2]))]
    fn = Function(f"p{number}", rng.choice(["int", "void", "node"]), params)
    write(rng, fn, helpers)
    if rng.random() < 0.5:
        mutate(rng, rng.choice(helpers + [fn, fn, fn]))
    return helpers + [fn]
