"""Rewritings that do not touch the flow of control: wrapped calls, moved tails, two units, locals in a struct.

Each takes a Source and the names of the functions to leave alone, and gives a Rewritten: the new files, the functions
that were changed, and for each function that was added the one it belongs to. A function that a rewriting cannot take
is left as it is and not counted. None of them changes what a run of the program does.
"""
import collections
import re

from clang.cindex import CursorKind, StorageClass, TypeKind

from source import LOOP_MACRO, Edit, Unfit, apply, declare

# texts: of the files, the first one under the source's own name. owners: {added function: function it belongs to}
Rewritten = collections.namedtuple("Rewritten", "texts changed owners")

# What a macro of the language or of the file does cannot be done by a function; what registers tables is read with them.
NOT_WRAPPED = re.compile(r"__builtin_\w+|assert|offsetof|alloca|_?_?(?:sig)?setjmp|longjmp|R_registerRoutines")
# Macros that are statements and take a variable: the helper gets its address.
BY_ADDRESS = {"Py_CLEAR": "PyObject"}


# ---- API calls wrapped in static helpers ----------------------------------------------------------------------------

def wrap_calls(source, leave, only=None):
    """Every call of a function without a body in this file goes through `static T via_NAME(...)`.

    only: {function: name of the API}; other calls stay."""
    edits, owners, changed, helpers = [], {}, [], {}
    own = {f.name for f in source.functions}
    for function in source.functions:
        if function.name in leave:
            continue
        made = [wrapped_call(source, call, helpers, owners, function) for call in function.calls
                if (only is None or only.get(function.name) == call.name)
                and call.callee.spelling not in own and not NOT_WRAPPED.fullmatch(call.name) and not LOOP_MACRO.fullmatch(call.name)]
        made += [cleared for match in re.compile(r"\bPy_CLEAR\s*\(").finditer(source.code, function.body_start, function.body_end)
                 if only is None or only.get(function.name) == "Py_CLEAR" for cleared in [wrapped_clear(source, match, helpers, owners, function)]]
        made = [m for m in made if m]
        if made:
            edits += [edit for group in made for edit in group]
            changed.append(function.name)
    for first, text in helpers.values():
        edits.append(Edit(first.start, first.start, text))
    return Rewritten([apply(source.text, edits)], changed, owners)


def wrapped_call(source, call, helpers, owners, function):
    if re.search(rf"(?m)^\s*#\s*define\s+{call.name}\b", source.text):
        return None
    if call.callee.type.kind != TypeKind.FUNCTIONPROTO or call.callee.type.is_function_variadic():
        return None
    parameters = list(call.callee.type.argument_types())
    if len(parameters) != len(call.arguments):
        return None
    helper = f"via_{call.name}"
    if helper not in helpers:
        result = call.callee.result_type
        shown = ", ".join(declare(p, f"a{i}") for i, p in enumerate(parameters)) or "void"
        given = ", ".join(f"a{i}" for i in range(len(parameters)))
        value = "" if result.kind == TypeKind.VOID else "return "
        helpers[helper] = (function, f"static {declare(result, helper)}({shown}) {{ {value}{call.name}({given}); }}\n")
        owners[helper] = function.name
    edits = [Edit(call.start, call.start, "via_")]
    for (start, end), type_ in zip(call.arguments, parameters):
        if type_.spelling == "PyObject *":  # macros of CPython cast their arguments
            edits += [Edit(start, start, "(PyObject *)("), Edit(end, end, ")")]
    return edits


def wrapped_clear(source, match, helpers, owners, function):
    end = source.closing(match.end() - 1)
    if "via_Py_CLEAR" not in helpers:
        helpers["via_Py_CLEAR"] = (function, "static void via_Py_CLEAR(PyObject **a0) { Py_CLEAR(*a0); }\n")
        owners["via_Py_CLEAR"] = function.name
    return [Edit(match.start(), match.end(), "via_Py_CLEAR((PyObject **)&("), Edit(end - 1, end - 1, ")")]


# ---- the tail of a function moved into a helper ---------------------------------------------------------------------

def move_tails(source, leave):
    """The second half of a function's statements becomes `static T NAME_tail(...)`, with the variables it needs."""
    edits, owners, changed = [], {}, []
    for function in source.functions:
        if function.name in leave:
            continue
        try:
            edits += moved_tail(source, function)
        except Unfit:
            continue
        owners[f"{function.name}_tail"] = function.name
        changed.append(function.name)
    return Rewritten([apply(source.text, edits)], changed, owners)


PUSH = re.compile(r"\bPROTECT\w*\s*\(|\bRf_protect\b|\bR_ProtectWithIndex\b|\+\+|\+=")
POP = re.compile(r"\bUNPROTECT\w*\s*\(|\bRf_unprotect\w*\s*\(")


def address_taken(source, variable, start, end):
    """Does code from `start` to `end` take the address of a struct? A list head does so of itself."""
    if variable.type.get_canonical().kind != TypeKind.RECORD:
        return False
    itself = any(c.kind == CursorKind.DECL_REF_EXPR and c.spelling == variable.name for c in variable.cursor.walk_preorder())
    return itself or re.compile(rf"&\s*{variable.name}\b").search(source.code, start, end) is not None


def moved_tail(source, function):
    statements = function.statements().inner
    cut = (len(statements) + 1) // 2
    # A function that pops what its caller pushed is reported by design, so the cut is no later than the first push.
    pushers = [f.name for f in source.functions if PUSH.search(source.code, f.body_start, f.body_end)]
    pushes = [i for i, s in enumerate(statements) if PUSH.search(source.code, s.start, s.end) or
              not function.words(s.start, s.end).keys().isdisjoint(pushers)]
    if pushes and POP.search(source.code, statements[pushes[0]].start, function.body_end):
        cut = min(cut, pushes[0])
    while cut < len(statements) and statements[cut].kind in ("label", "case"):
        cut += 1
    if cut == 0 or cut >= len(statements):
        raise Unfit("too short")
    start, end = statements[cut].start, function.body_end - 1
    inside = [s for s in statements[cut:] for s in s.walk()]
    head = [s for s in statements[:cut] for s in s.walk()]
    labels = {s.name for s in inside if s.kind == "label"}
    if any(s.kind == "goto" and s.name in labels for s in head) or any(
            s.kind == "goto" and s.name not in labels for s in inside):
        raise Unfit("a jump into or out of the tail")
    words = function.words(start, end)
    if function.name in words:
        raise Unfit("calls itself")
    head_words = function.words(function.body_start, start)
    passed, declared = [], []
    known = collections.Counter(v.name for v in function.parameters + function.locals)
    for variable in function.parameters + [v for v in function.locals if v.at < start]:
        if variable.name not in words:
            continue
        if known[variable.name] > 1 or variable.cursor.storage_class in (StorageClass.STATIC, StorageClass.EXTERN):
            raise Unfit("names hide each other")
        if any(c.kind.is_attribute() for c in variable.cursor.get_children()):
            raise Unfit("a variable with a cleanup")
        if variable.type.kind == TypeKind.VARIABLEARRAY:
            raise Unfit("an array of variable length")
        if variable in function.locals and address_taken(source, variable, function.body_start, start):
            raise Unfit("a struct that others may know by its address is another one in the helper")
        untouched = len(head_words[variable.name]) == 1 and variable in function.locals and not any(
            c.kind.is_expression() for c in variable.cursor.get_children())
        assigned = any(words[variable.name][0] == s.start and re.match(r"\w+\s*=[^=]", source.code[s.start:s.end]) and
                       not re.search(rf"\b{variable.name}\b", source.code[s.start + len(variable.name):s.end])
                       for s in statements[cut:])
        (declared if untouched or assigned else passed).append(variable)
    helper = f"{function.name}_tail"
    shown = ", ".join(declare(v.type, v.name) for v in passed) or "void"
    given = ", ".join(v.name for v in passed)
    more = "".join(f" __typeof__({v.type.spelling}) {v.name};" for v in declared)
    value = "" if function.result.kind == TypeKind.VOID else "return "
    moved = f"static {declare(function.result, helper)}({shown}) {{{more}\n  {source.text[start:end].rstrip()}\n}}\n"
    return [Edit(function.start, function.start, moved), Edit(start, end, f"{value}{helper}({given});\n")]


# ---- the file split into two units ----------------------------------------------------------------------------------

def split_file(source, leave):
    """Every other function goes into a second unit. What both need is no longer static."""
    if leave:
        raise Unfit("a split takes all functions")
    units = {f.name: i % 2 for i, f in enumerate(source.functions)}
    used = [collections.Counter(), collections.Counter()]
    for function in source.functions:
        used[units[function.name]].update(name for name, _, _ in function.uses)
    variables = [v for v in source.variables if v.storage_class != StorageClass.EXTERN]
    for cursor in variables:  # tables stay in the first unit
        used[0].update(name.spelling for name in cursor.walk_preorder() if name.kind == CursorKind.DECL_REF_EXPR)
    texts = []
    for unit in (0, 1):
        edits = []
        for function in source.functions:
            edits += split_function(source, function, unit, units, used)
        edits += split_prototypes(source, units, used)
        edits += split_variables(source, variables, unit, used)
        texts.append(apply(source.text, edits))
    return Rewritten(texts, list(units), {})


def without_static(source, start, end):
    return [Edit(m.start(), m.end(), "") for m in re.compile(r"\b(?:static|inline)\s+").finditer(source.code, start, end)]


def split_function(source, function, unit, units, used):
    across = used[1 - units[function.name]][function.name]
    head = without_static(source, function.start, function.at) if across else []
    if units[function.name] == unit:
        return head
    if function.static and not across:
        return [Edit(function.start, function.body_end, "")]
    return head + [Edit(function.body_start, function.body_end, ";")]


def split_prototypes(source, units, used):
    """Prototypes of static functions: without `static` where the other unit needs them."""
    edits = []
    for cursor in source.unit.cursor.get_children():
        if cursor.kind != CursorKind.FUNCTION_DECL or cursor.is_definition() or cursor.spelling not in units or \
                source.file_of(cursor) != str(source.path):
            continue
        if used[1 - units[cursor.spelling]][cursor.spelling]:
            edits += without_static(source, source.offset(cursor.extent.start), source.offset(cursor.location))
    return edits


def split_variables(source, variables, unit, used):
    edits = []
    by_start, begin = collections.defaultdict(list), None
    for cursor in variables:
        own = source.offset(cursor.extent.start)
        begin = begin if begin is not None and re.search(r",[\s*]*$", source.code[begin:own]) else own
        by_start[begin].append(cursor)
    for start, cursors in by_start.items():
        end = max(source.offset(c.extent.end) for c in cursors)
        semicolon = source.code.find(";", end)
        shared = any(used[1][c.spelling] for c in cursors)
        if unit == 0:
            edits += without_static(source, start, source.offset(cursors[0].location)) if shared else []
        elif shared:
            text = " ".join(f"extern __typeof__({c.type.spelling}) {c.spelling};" for c in cursors)
            edits.append(Edit(start, semicolon + 1, text))
        else:
            edits.append(Edit(start, semicolon + 1, ""))
    return edits


# ---- locals moved into a struct -------------------------------------------------------------------------------------

HOLDER = "lv_"


def locals_in_struct(source, leave):
    """The locals of a function become members of one local struct."""
    edits, changed = [], []
    for function in source.functions:
        if function.name in leave:
            continue
        try:
            edits += moved_locals(source, function)
        except Unfit:
            continue
        changed.append(function.name)
    return Rewritten([apply(source.text, edits)], changed, {})


def movable(variable, names, code):
    type_ = variable.type
    if names[variable.name] > 1 or type_.is_const_qualified() or "(unnamed" in type_.spelling:
        return False
    if variable.cursor.storage_class in (StorageClass.STATIC, StorageClass.EXTERN):
        return False
    if any(c.kind.is_attribute() for c in variable.cursor.get_children()):
        return False
    after = code[variable.at + len(variable.name):]
    if not re.match(r"\s*[=,;[]", after):
        return False
    whole = type_.get_canonical().kind in (TypeKind.RECORD, TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY,
                                           TypeKind.VARIABLEARRAY)
    return not (whole and re.match(r"\s*(?:\[[^]]*\]\s*)*=\s*[{\"]", after)) and type_.kind not in (
        TypeKind.INCOMPLETEARRAY, TypeKind.VARIABLEARRAY)


def moved_locals(source, function):
    function.statements()  # for what makes it unfit
    names = collections.Counter(v.name for v in function.parameters + function.locals)
    by_start = collections.defaultdict(list)
    start = None
    for variable in function.locals:
        own = source.offset(variable.cursor.extent.start)
        if start is None or not re.search(r",[\s*]*$", source.code[start:own]):  # else it goes on after a comma
            start = own
        by_start[start].append(variable)
    edits, moved = [], []
    for start, variables in by_start.items():
        if all(movable(v, names, source.code) for v in variables) and function.body_start < start < function.body_end:
            try:
                more = undeclared(source, start, variables)
            except Unfit:
                continue
            edits += more
            moved += variables
    if not moved:
        raise Unfit("no locals")
    words = function.words(function.body_start, function.body_end)
    for variable in moved:
        edits += [Edit(at, at, f"{HOLDER}.") for at in words[variable.name] if at != variable.at]
    members = " ".join(member(v) for v in moved)
    after = function.body_start + 1
    return [Edit(after, after, f" struct {{ {members} }} {HOLDER};")] + edits


def member(variable):
    if variable.type.kind == TypeKind.CONSTANTARRAY:
        return f"__typeof__({variable.type.spelling}) {variable.name};"
    return declare(variable.type, variable.name) + ";"


def undeclared(source, start, variables):
    """Edits that turn a declaration into assignments; in the head of a `for` they stay one expression."""
    before = source.code[:start].rstrip()
    in_for = before.endswith("(")
    at_statement = before[-1] in ";{}:)" or before.endswith("else")
    if not (in_for or at_statement):
        raise Unfit("a declaration in an odd place")
    pieces, depth, piece_start = [], 0, start
    for token in source.tokens(start, len(source.code)):
        depth += (token.text in CLOSING_OR_OPENING) - 2 * (token.text in (")", "]", "}"))
        if depth == 0 and token.text in (",", ";"):
            pieces.append((piece_start, token.start, token))
            piece_start = token.end
            if token.text == ";":
                break
    if len(pieces) != len(variables):
        raise Unfit("a declaration that is hard to read")
    edits = []
    for (begin, end, token), variable in zip(pieces, variables):
        equals = re.compile(r"\s*(?:\[[^]]*\]\s*)*=").match(source.code, variable.at + len(variable.name))
        if not begin <= variable.at < end or (in_for and not equals):
            raise Unfit("a declaration that is hard to read")
        if equals:
            edits.append(Edit(begin, equals.end(), f" {HOLDER}.{variable.name} ="))
        else:
            edits.append(Edit(begin, end, ""))
        if token.text == "," and not in_for:
            edits.append(Edit(token.start, token.end, ";"))
    return edits


CLOSING_OR_OPENING = frozenset("()[]{}")
