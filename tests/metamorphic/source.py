"""One C source as text and as libclang sees it: what the rewritings need to know about its functions.

Rewritings are edits of the text, so comments, macros and layout stay as they are. libclang says which functions,
variables, types and calls there are; where statements begin and end is read from the text, because a macro is one
piece there. Offsets are those of the file: what comes out of a macro's argument has the place of the argument.

Limits: C only; statements that macros open or close (Py_BEGIN_ALLOW_THREADS) make a function unfit for every
rewriting that moves statements.
"""
import collections
import ctypes
import re

import clang.cindex as cindex
from clang.cindex import CursorKind, StorageClass, TypeKind

TOKEN = re.compile(r"[A-Za-z_]\w*|\.?\d[\w.]*|->|\+\+|--|<<=?|>>=?|[-+*/%&|^=!<>]=|&&|\|\||\.\.\.|\S")
BLANK = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
CLOSING = {"(": ")", "[": "]", "{": "}"}
LOOP_MACRO = re.compile(r"\w*for_each\w*|\w*FOREACH\w*|scoped_guard|scoped_cond_guard")
OPENS_OR_CLOSES = re.compile(r"\bPy_(?:BEGIN|END|UNBLOCK|BLOCK)_\w+|\bva_start\b|\bsetjmp\b|\bsigsetjmp\b")
RETURN_MACROS = {"Py_RETURN_NONE": "Py_None", "Py_RETURN_TRUE": "Py_True", "Py_RETURN_FALSE": "Py_False",
                 "Py_RETURN_NOTIMPLEMENTED": "Py_NotImplemented"}

Token = collections.namedtuple("Token", "text start end")
Variable = collections.namedtuple("Variable", "name type cursor at")
# callee: cursor of the function; name: as the text spells it (perhaps a macro); arguments: [(start, end)]
Call = collections.namedtuple("Call", "name start callee arguments end")
Edit = collections.namedtuple("Edit", "start end text")


class Unfit(Exception):
    """The text cannot be rewritten; says why."""


def blank(text):
    """Comments, literals and lines of the preprocessor as blanks, so that offsets stay. A string keeps its quotes."""
    def hide(match):
        inner = re.sub(r"[^\n]", " ", match.group())
        return inner if match.group()[0] == "/" else '"' + inner[1:-1] + '"'
    text = BLANK.sub(hide, text)
    return re.sub(r"(?m)^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def apply(text, edits):
    """The text after all edits. Edits at one place keep their order; overlapping ones are a mistake."""
    out, position = [], 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if edit.start < position:
            raise Unfit(f"edits overlap at {edit.start}: {edit.text!r}")
        out += [text[position:edit.start], edit.text]
        position = edit.end
    return "".join(out + [text[position:]])


class Statement:
    """kind: compound, if, loop, switch, do, label, case, return, goto, break, continue, plain.

    inner: the statements of a compound, the branches of an if, the body of a loop. head: range in parentheses."""

    def __init__(self, kind, start, end, inner=(), head=None, name=None):
        self.kind, self.start, self.end = kind, start, end
        self.inner, self.head, self.name = list(inner), head, name

    def walk(self):
        yield self
        for child in self.inner:
            yield from child.walk()


class Parser:
    """Statements from tokens. `position` is an index of a token."""

    def __init__(self, tokens):
        self.tokens, self.position = tokens, 0

    def peek(self, ahead=0):
        at = self.position + ahead
        return self.tokens[at].text if at < len(self.tokens) else ""

    def matching(self, position):
        """Index of the token that closes the bracket at `position`."""
        depth = 0
        for at in range(position, len(self.tokens)):
            text = self.tokens[at].text
            depth += (text in CLOSING) - (text in CLOSING.values())
            if depth == 0:
                return at
        raise Unfit("unbalanced brackets")

    def compound(self):
        start = self.tokens[self.position].start
        self.position += 1
        inner = []
        while self.peek() != "}":
            if not self.peek():
                raise Unfit("unbalanced braces")
            inner.append(self.statement())
        end = self.tokens[self.position].end
        self.position += 1
        return Statement("compound", start, end, inner)

    def parentheses(self):
        if self.peek() != "(":
            raise Unfit(f"expected ( and not {self.peek()}")
        close = self.matching(self.position)
        head = self.tokens[self.position].end, self.tokens[close].start
        self.position = close + 1
        return head

    def statement(self):
        first = self.tokens[self.position]
        word = first.text
        if word == "{":
            return self.compound()
        if word in ("if", "while", "for", "switch") or (LOOP_MACRO.fullmatch(word) and self.peek(1) == "("):
            self.position += 1
            head = self.parentheses()
            inner = [self.statement()]
            if word == "if" and self.peek() == "else":
                self.position += 1
                inner.append(self.statement())
            kind = word if word in ("if", "switch") else "loop"
            return Statement(kind, first.start, inner[-1].end, inner, head, word)
        if word == "do":
            self.position += 1
            inner = [self.statement()]
            self.position += 1
            head = self.parentheses()
            return Statement("loop", first.start, self.semicolon(), inner, head, word)
        if word in ("case", "default"):
            while self.peek() != ":":
                self.position += 1
            self.position += 1
            return Statement("case", first.start, self.tokens[self.position - 1].end)
        if re.match(r"[A-Za-z_]", word) and self.peek(1) == ":" and self.peek(2) != ":":
            self.position += 2
            return Statement("label", first.start, self.tokens[self.position - 1].end, name=word)
        kind = word if word in ("return", "goto", "break", "continue") else "plain"
        kind = "return" if word in RETURN_MACROS else kind
        name = self.peek(1) if kind == "goto" else word
        return Statement(kind, first.start, self.semicolon(), name=name)

    def semicolon(self):
        while self.peek() != ";":
            if self.peek() in ("", "}"):
                raise Unfit("a statement without its semicolon")
            self.position = self.matching(self.position) if self.peek() in CLOSING else self.position
            self.position += 1
        self.position += 1
        return self.tokens[self.position - 1].end


class Function:
    """A definition: offsets of the whole, of its name and body; variables, calls and statements inside."""

    def __init__(self, source, cursor, body):
        self.source, self.cursor, self.name = source, cursor, cursor.spelling
        self.start = source.offset(cursor.extent.start)
        self.at = source.offset(cursor.location)
        self.body_start = source.offset(body.extent.start)
        self.body_end = source.closing(self.body_start)
        self.result = cursor.result_type
        self.static = cursor.storage_class == StorageClass.STATIC
        self.parameters = [Variable(a.spelling, a.type, a, source.offset(a.location)) for a in cursor.get_arguments()]
        self.locals, self.calls, self.uses = [], [], []
        self.collect(body)

    def collect(self, cursor):
        for child in cursor.get_children():
            if child.kind == CursorKind.VAR_DECL:
                self.locals.append(Variable(child.spelling, child.type, child, self.source.offset(child.location)))
            elif child.kind == CursorKind.CALL_EXPR:
                self.add_call(child)
            elif child.kind == CursorKind.DECL_REF_EXPR and child.referenced is not None:
                self.uses.append((child.spelling, self.source.offset(child.location), child.referenced))
            self.collect(child)

    def add_call(self, cursor):
        callee = cursor.referenced
        if callee is None or callee.kind != CursorKind.FUNCTION_DECL:
            return
        start = self.source.offset(cursor.extent.start)
        if any(call.start == start for call in self.calls):  # the outer one of a macro is met first
            return
        match = re.compile(r"([A-Za-z_]\w*)\s*\(").match(self.source.code, start)
        if match is None or not self.body_start < start < self.body_end:
            return
        end = self.source.closing(match.end() - 1)
        self.calls.append(Call(match.group(1), start, callee, self.source.arguments(match.end() - 1, end), end))

    def statements(self):
        """The statements of the body; raises Unfit where they cannot be told."""
        code = self.source.code
        if OPENS_OR_CLOSES.search(code, self.body_start, self.body_end):
            raise Unfit("a macro opens or closes a block")
        if "#" in self.source.text[self.body_start:self.body_end] and re.search(
                r"(?m)^\s*#", self.source.text[self.body_start:self.body_end]):
            raise Unfit("conditional text")
        tokens = self.source.tokens(self.body_start, self.body_end)
        return Parser(tokens).compound()

    def words(self, start, end):
        """Names of this piece that are no members, as {name: [offset]}."""
        found = collections.defaultdict(list)
        before = ""
        for token in self.source.tokens(start, end):
            if re.match(r"[A-Za-z_]", token.text) and before not in (".", "->", "struct", "union", "enum", "goto"):
                found[token.text].append(token.start)
            before = token.text
        return found


class Source:
    """A file that compiles, with what libclang knows about it."""

    index = None

    def __init__(self, path, flags, text=None):
        self.path, self.flags = path, flags
        self.text = path.read_text(encoding="utf-8") if text is None else text
        self.code = blank(self.text)
        if not self.text.isascii():  # libclang counts bytes
            raise Unfit("not ASCII")
        self.unit = parse(path, flags, self.text)
        self.errors = [d for d in self.unit.diagnostics if d.severity >= cindex.Diagnostic.Error]
        self.functions, self.variables = [], []
        for cursor in self.unit.cursor.get_children():
            if cursor.location.file is None or cursor.location.file.name != str(path):
                continue
            if cursor.kind == CursorKind.FUNCTION_DECL and cursor.is_definition():
                body = [c for c in cursor.get_children() if c.kind == CursorKind.COMPOUND_STMT]
                if body and self.text[self.offset(body[-1].extent.start)] == "{":
                    self.functions.append(Function(self, cursor, body[-1]))
            elif cursor.kind == CursorKind.VAR_DECL:
                self.variables.append(cursor)

    def tokens(self, start, end):
        return [Token(m.group(), m.start(), m.end()) for m in TOKEN.finditer(self.code, start, end)]

    def closing(self, start):
        """Offset after the bracket that closes the one at `start`."""
        depth = 0
        for match in re.compile(r"[][(){}]").finditer(self.code, start):
            depth += 1 if match.group() in CLOSING else -1
            if depth == 0:
                return match.end()
        raise Unfit("unbalanced brackets")

    def arguments(self, open_at, end):
        """The ranges between the commas of a pair of parentheses; none for empty ones."""
        ranges, start, depth = [], open_at + 1, 0
        for token in self.tokens(open_at + 1, end - 1):
            depth += (token.text in CLOSING) - (token.text in CLOSING.values())
            if token.text == "," and depth == 0:
                ranges.append((start, token.start))
                start = token.end
        if ranges or self.code[start:end - 1].strip():
            ranges.append((start, end - 1))
        return ranges

    @staticmethod
    def offset(location):
        """The offset in the file; of what stands in a macro's argument, that of the argument."""
        file, line, column, offset = ctypes.c_void_p(), ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint()
        cindex.conf.lib.clang_getFileLocation(location, ctypes.byref(file), ctypes.byref(line), ctypes.byref(column),
                                              ctypes.byref(offset))
        return offset.value

    def file_of(self, cursor):
        return cursor.location.file.name if cursor.location.file else None


def parse(path, flags, text):
    if Source.index is None:
        Source.index = cindex.Index.create()
    try:
        return Source.index.parse(str(path), args=["-x", "c", "-ferror-limit=0", "-w", "-Wno-error=implicit-function-declaration", *flags], unsaved_files=[(str(path), text)])
    except cindex.TranslationUnitLoadError as error:
        raise Unfit(f"{path}: {error}") from error


def declare(type_, name):
    """A declaration of `name` with this type; an array becomes a pointer, as it does for a parameter."""
    if type_.kind in (TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY):
        return f"__typeof__({type_.element_type.spelling}) *{name}"
    if re.search(r"[(\[]", type_.spelling):
        return f"__typeof__({type_.spelling}) {name}"
    return f"{type_.spelling}{'' if type_.spelling.endswith('*') else ' '}{name}"
