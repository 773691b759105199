"""Rewritings of the flow of control: `goto` against nested ifs, early returns against one exit.

    nest     `if (c) goto out; REST out:` becomes `if (!(c)) { REST } out:`; in a function without labels,
             `if (c) { A; return x; } REST` becomes `if (c) { A; return x; } else { REST }`
    jump     every `return x;` of a function without labels becomes `ret_ = x; goto out_;`
    flag     every early return sets `ret_` and `done_`, and what would come after it is guarded by `if (!done_)`;
             inside a loop it leaves by `break`

All are edits of the text that leave statements in their order, so a run of the program does the same as before.
Functions where that cannot be seen from the text (macros that open blocks, jumps back) are left alone.
"""
import re

from clang.cindex import TypeKind

from rewrites import Rewritten
from source import RETURN_MACROS, Edit, Unfit, apply, declare

RESULT, DONE, OUT = "ret_", "done_", "out_"


def over_functions(source, leave, rewrite):
    edits, changed = [], []
    for function in source.functions:
        if function.name in leave:
            continue
        try:
            edits += rewrite(source, function)
        except Unfit:
            continue
        changed.append(function.name)
    return Rewritten([apply(source.text, edits)], changed, {})


def has(statement, kind):
    return any(s.kind == kind for s in statement.walk())


# ---- goto against nested ifs ----------------------------------------------------------------------------------------

def nest(source, leave):
    return over_functions(source, leave, nested)


def nested(source, function):
    body = function.statements()
    if has(body, "label"):
        edits = Nesting(source, body).run()
    else:
        edits = else_for_the_rest(source, body.inner, function.body_end - 1)
    if not edits:
        raise Unfit("nothing to nest")
    return edits


def always_leaves(statement):
    """Whether control cannot come out at the end of this statement, as far as return, goto and the like tell."""
    if statement.kind in ("return", "goto", "break", "continue"):
        return True
    if statement.kind == "compound":
        return bool(statement.inner) and always_leaves(statement.inner[-1])
    return statement.kind == "if" and len(statement.inner) == 2 and all(map(always_leaves, statement.inner))


def else_for_the_rest(source, statements, end):
    edits, open_braces = [], 0
    for at, statement in enumerate(statements[:-1]):
        if statement.kind == "if" and len(statement.inner) == 1 and always_leaves(statement.inner[0]):
            edits.append(Edit(statement.end, statement.end, " else {"))
            open_braces += 1
    return edits + [Edit(end, end, "}" * open_braces)] if open_braces else []


class Nesting:
    """Turns jumps to labels of the outermost block into nesting, from the first jump to the last label."""

    def __init__(self, source, body):
        self.source, self.items, self.edits = source, body.inner, []
        self.removed = set()
        self.jumps = [s for s in body.walk() if s.kind == "goto"]

    def run(self):
        labels = {s.name: i for i, s in enumerate(self.items) if s.kind == "label"}
        if any(j.name not in labels or j.start > self.items[labels[j.name]].start for j in self.jumps):
            raise Unfit("a jump back or into a block")
        self.block(0, len(self.items), None)
        for name, at in labels.items():
            if all(j in self.removed for j in self.jumps if j.name == name):
                self.edits.append(Edit(self.items[at].start, self.items[at].end, ""))
        return self.edits if self.removed else []

    def block(self, low, high, leave_by):
        """Items low to high; the label `leave_by` stands right after them."""
        inner = {s.name: i for i, s in enumerate(self.items[low:high], low) if s.kind == "label"}
        for at in range(low, high):
            target = self.target(self.items[at])
            if target is None or not (target in inner or target == leave_by):
                continue
            to = inner.get(target, high)
            self.open(self.items[at])
            self.block(at + 1, to, target)
            end = self.items[to].start if to < len(self.items) else self.items[-1].end
            self.edits.append(Edit(end, end, "}\n"))
            if to < high:
                self.block(to + 1, high, leave_by)
            return

    @staticmethod
    def target(item):
        if item.kind != "if" or len(item.inner) != 1:
            return None
        branch = item.inner[0]
        last = branch.inner[-1] if branch.kind == "compound" and branch.inner else branch
        return last.name if last.kind == "goto" else None

    def open(self, item):
        branch = item.inner[0]
        if branch.kind == "goto" or len(branch.inner) == 1:
            jump = branch if branch.kind == "goto" else branch.inner[0]
            head = item.head
            self.edits += [Edit(head[0], head[0], "!("), Edit(head[1], head[1], ")"),
                           Edit(branch.start, branch.end, "{")]
        else:
            jump = branch.inner[-1]
            self.edits += [Edit(jump.start, jump.end, ""), Edit(item.end, item.end, " else {")]
        self.removed.add(jump)


# ---- early return against one exit ----------------------------------------------------------------------------------

def returned(source, function, statement):
    """The assignment that stands for this return."""
    if statement.name in RETURN_MACROS:
        return f"Py_INCREF({RETURN_MACROS[statement.name]}); {RESULT} = {RETURN_MACROS[statement.name]};"
    value = source.text[statement.start + len("return"):statement.end - 1].strip()
    if function.result.kind == TypeKind.VOID:
        if value:
            raise Unfit("a void function that returns something")
        return ""
    return f"{RESULT} = {value};"


def declaration(function):
    if function.result.kind == TypeKind.VOID:
        return ""
    whole = function.result.get_canonical().kind == TypeKind.RECORD
    return f" {declare(function.result, RESULT)}{'' if whole else ' = 0'};"


def one_exit(function, body):
    """What both rewritings need: no labels, an early return, an end that returns."""
    if has(body, "label") or has(body, "goto"):
        raise Unfit("labels")
    if re.search(r"\breturn_ptr\b", function.source.code[body.start:body.end]):
        raise Unfit("a macro returns")
    returns = [s for s in body.walk() if s.kind == "return"]
    if not returns or returns == [body.inner[-1]]:
        raise Unfit("no early return")
    return returns


def jump(source, leave):
    return over_functions(source, leave, jumped)


def jumped(source, function):
    body = function.statements()
    returns = one_exit(function, body)
    void = function.result.kind == TypeKind.VOID
    edits = [Edit(body.start + 1, body.start + 1, declaration(function))]
    for statement in returns:
        edits.append(Edit(statement.start, statement.end, f"{{ {returned(source, function, statement)} goto {OUT}; }}"))
    end = function.body_end - 1
    return edits + [Edit(end, end, f"{OUT}:\n  return{'' if void else ' ' + RESULT};\n")]


def flag(source, leave):
    return over_functions(source, leave, flagged)


def flagged(source, function):
    body = function.statements()
    one_exit(function, body)
    flags = Flags(source, function)
    flags.listed(body.inner, body.end - 1, breakable=False)
    void = function.result.kind == TypeKind.VOID
    start, end = body.start + 1, function.body_end - 1
    return [Edit(start, start, f"{declaration(function)} int {DONE} = 0;")] + flags.edits + [
        Edit(end, end, "" if void else f"return {RESULT};\n")]


class Flags:
    """Puts a flag where returns stood. `breakable`: inside a loop or switch, where `break` leaves at once."""

    def __init__(self, source, function):
        self.source, self.function, self.edits = source, function, []

    def listed(self, statements, end, breakable):
        """A list of statements that ends at `end`: whatever follows one that may return is guarded."""
        closing = 0
        for at, statement in enumerate(statements):
            self.one(statement, breakable)
            last = at == len(statements) - 1
            if last or not has(statement, "return"):
                continue
            if not breakable:
                self.edits.append(Edit(statement.end, statement.end, f" if (!{DONE}) {{"))
                closing += 1
            elif any(s.kind in ("loop", "switch") and has(s, "return") for s in statement.walk()):
                self.edits.append(Edit(statement.end, statement.end, f" if ({DONE}) break;"))
        if closing:
            self.edits.append(Edit(end, end, "}" * closing + "\n"))

    def one(self, statement, breakable):
        if statement.kind == "return":
            what = returned(self.source, self.function, statement)
            leave = " break;" if breakable else ""
            self.edits.append(Edit(statement.start, statement.end, f"{{ {what} {DONE} = 1;{leave} }}"))
        elif statement.kind == "compound":
            self.listed(statement.inner, statement.end - 1, breakable)
        elif statement.kind in ("loop", "switch"):
            body = statement.inner[0]
            if statement.name == "do":
                raise Unfit("a do loop")
            again = body.kind != "compound" and any(s.kind in ("loop", "switch") and has(s, "return") for s in body.walk())
            if again:
                self.edits.append(Edit(body.start, body.start, "{ "))
            self.one(body, breakable=True)
            if again:
                self.edits.append(Edit(body.end, body.end, f" if ({DONE}) break; }}"))
        elif statement.kind == "if":
            for branch in statement.inner:
                self.one(branch, breakable)
