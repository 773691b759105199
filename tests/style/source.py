"""Reads the shape of C++ sources: functions with their lines, classes with their methods and fields.

A compiler front end would need a minute of time for all files; this reads tokens and brackets and takes a second. It
relies on what our sources keep: they are formatted, and macros open or close no brackets. What stands in #define and
other directives is left out, and both sides of an #if are read. A class may make fields of the rows of a table, with
`#define ROW(field, type, ...) type field{};` before the #include of the table, or several such lines; they count like
all others. A table may include tables. A scope it cannot make sense of is an error (ShapeError), never a guess;
style/source_test.py has the forms that it must know.
"""
import bisect
import collections
import re

TOKEN = re.compile(r"""
    (?P<skip>//[^\n]*|/\*.*?\*/|\s+)
  | (?P<directive>^[ \t]*\#(?:[^\n\\]|\\.)*)
  | (?P<text>(?:u8|[uUL])?R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"|(?:u8|[uUL])?'(?:\\.|[^'\\\n])*')
  | (?P<number>\.?\d(?:[eEpP][+-]|'\w|[\w.])*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<sign>::|->\*?|\.\.\.|<=>|<<=|>>=|[-+*/%&|^!=<>]=|&&|\|\||\+\+|--|.)
""", re.X | re.S | re.M)

Token = collections.namedtuple("Token", "kind text line")
# name: qualified by classes, not by namespaces. line, last: from the first line of the signature to the closing brace.
Function = collections.namedtuple("Function", "name file line last first_token last_token")
# table: the path of the table whose row makes the field, with `line` in that table; "" for one that the class writes.
Field = collections.namedtuple("Field", "name line type_names table", defaults=("",))
ROW = re.compile(r"#define (\w+)\((\w+(?:, \w+)*(?:, \.\.\.)?)\) [\w:]+(?:<\w+>)? (\w+)(?:\{\})?;")
INCLUDE = re.compile(r'\s*#\s*include "([^"]+\.def)"')


class ShapeError(Exception):
    """Something stands in a file that the reader does not understand."""


class Class:
    def __init__(self, name, file, line, outer, first_token):
        self.name, self.file, self.line, self.outer = name, file, line, outer
        self.methods, self.fields, self.bases = [], [], set()  # names; Field; names
        self.first_token, self.last_token, self.last = first_token, None, None


class Tokens:
    """One source as tokens, without comments; directives are apart."""

    def __init__(self, path, text):
        self.path, self.text = path, text
        self.lines = text.count("\n")
        self.functions, self.classes, self.enumerators, self.constants, self.declared = [], [], [], [], []
        self.virtual = set()  # names of methods that are called through a base class
        self.directives = []
        self.tokens = self.tokenise(text)

    def tokenise(self, text):
        starts = [m.start() for m in re.finditer("^", text, re.M)]
        tokens = []
        for match in TOKEN.finditer(text):
            kind = match.lastgroup if match.lastgroup != "mark" else "text"
            if kind == "skip":
                continue
            line = bisect.bisect_right(starts, match.start())
            if kind == "directive":
                self.directives.append(Token(kind, match.group(), line))
            else:
                tokens.append(Token(kind, match.group(), line))
        return tokens


class File(Tokens):
    """One source and what it defines. tables: {name as in #include: Tokens} of the tables it may include."""

    def __init__(self, path, text, tables=None):
        super().__init__(path, text)
        self.tables = tables or {}
        self.read_scope(0, None, "namespace", [])

    def fail(self, position, text):
        line = self.tokens[min(position, len(self.tokens) - 1)].line if self.tokens else 1
        raise ShapeError(f"{self.path}:{line}: {text}")

    def closing(self, position):
        """The place of the bracket that closes the one at `position`."""
        pairs, stack = {"(": ")", "[": "]", "{": "}"}, []
        for i in range(position, len(self.tokens)):
            text = self.tokens[i].text
            if text in pairs:
                stack.append(pairs[text])
            elif text in (")", "]", "}"):
                if stack.pop() != text:
                    self.fail(i, f"'{text}' closes something else")
                if not stack:
                    return i
        self.fail(position, "a bracket without its partner")

    def angles(self, position):
        """The place after the template arguments that begin at `position`, or None if that is a comparison."""
        depth, i = 0, position
        while i < len(self.tokens):
            text = self.tokens[i].text
            if text == "<":
                depth += 1
            elif text == ">":
                depth -= 1
                if depth == 0:
                    return i + 1
            elif text == ">=" or text in (";", "{", "}"):
                return None
            elif text in ("(", "["):
                i = self.closing(i)
            i += 1
        return None

    def read_scope(self, position, owner, kind, outer):
        """Reads declarations up to the bracket that closes the scope; the place of that bracket."""
        while position < len(self.tokens):
            token = self.tokens[position]
            if token.text == "}":
                if kind == "namespace" and not outer:
                    self.fail(position, "'}' closes nothing")
                return position
            if token.text == ";":
                position += 1
            elif token.text in ("public", "private", "protected") and self.tokens[position + 1].text == ":":
                position += 2
            else:
                position = self.read_declaration(position, owner, outer)
        if kind != "namespace" or outer:
            self.fail(position, "the file ends inside a scope")
        return position

    def read_declaration(self, start, owner, outer):
        """Reads one declaration or definition; the place after it."""
        tokens, i = self.tokens, start
        head = []  # places of the tokens outside brackets and template arguments
        call = None  # place of the parameters' bracket
        assigned = colon = False
        while i < len(tokens):
            text = tokens[i].text
            before = tokens[i - 1].text if i > start else ""
            if text == ";":
                self.declare(start, head, call, owner)
                return i + 1
            if text == "template" and tokens[i + 1].text == "<":
                i = self.angles(i + 1) or self.fail(i, "template parameters without an end")
                continue
            if text == "operator":
                head.append(i)
                i += 1
                while tokens[i].text != "(" or (tokens[i + 1].text == ")" and tokens[i + 2].text == "("):
                    i += 2 if tokens[i].text == "(" else 1
                continue
            if text == "requires" and tokens[i + 1].text in ("(", "requires"):
                i = self.closing(i + 1) + 1 if tokens[i + 1].text == "(" else i + 1
                continue
            if text in ("alignas", "decltype", "noexcept", "__attribute__", "static_assert", "explicit") and tokens[i + 1].text == "(":
                head.append(i)
                i = self.closing(i + 1) + 1
                continue
            if text == "<" and tokens[i - 1].kind == "name" and not assigned:
                after = self.angles(i)
                if after is not None:
                    i = after
                    continue
            if text == "(":
                if call is None and not assigned and not colon and head and (
                        tokens[head[-1]].kind == "name" or "operator" in [tokens[h].text for h in head] or before == ">"):
                    call = i
                i = self.closing(i) + 1
                continue
            if text == "[":
                i = self.closing(i) + 1
                continue
            if text == "=":
                assigned = True
            if text == ":" and call is not None:
                colon = True
            if text == "{":
                end = self.brace(start, i, head, call, assigned, colon, owner, outer)
                if end is not None:
                    return end
                i = self.closing(i) + 1
                continue
            head.append(i)
            i += 1
        self.fail(start, "a declaration without an end")

    def brace(self, start, i, head, call, assigned, colon, owner, outer):
        """Reads what the brace at `i` opens; the place after the declaration, or None if that goes on behind it."""
        tokens = self.tokens
        words = [tokens[h].text for h in head]
        if assigned:
            return None  # an initialiser
        if "namespace" in words or words[:1] == ["extern"] and len(words) == 2 and call is None:
            return self.read_scope(i + 1, None, "namespace", outer + ["namespace"]) + 1
        if "enum" in words and call is None:
            return self.read_enum(i, owner, words)
        key = next((w for w in ("class", "struct", "union") if w in words), None)
        if key and call is None:
            return self.read_class(start, i, head, owner, outer, key)
        if call is not None:
            if colon and (tokens[i - 1].kind == "name" or tokens[i - 1].text == ">"):
                return None  # a member that a constructor initialises
            end = self.closing(i)
            name = self.function_name(start, call)
            full = f"{owner.name}::{name}" if owner else name
            self.functions.append(Function(full, self.path, tokens[start].line, tokens[end].line, start, end))
            if owner and "friend" not in words:
                owner.methods.append(name)
            if "override" in words or "virtual" in words:
                self.virtual.add(name)
            return end + 1
        return None  # a variable with an initialiser in braces

    def read_enum(self, i, owner, words):
        end = self.closing(i)
        expect = True
        j = i + 1
        while j < end:
            token = self.tokens[j]
            if token.text in ("(", "{", "["):
                j = self.closing(j)
            elif token.text == ",":
                expect = True
            elif expect and token.kind == "name":
                self.enumerators.append((token.text, token.line, j))
                expect = False
            j += 1
        return end + 1  # a `;` follows, which read_scope skips; our enums declare no variable

    def read_class(self, start, i, head, owner, outer, key):
        tokens = self.tokens
        words = [tokens[h].text for h in head]
        after = head[words.index(key) + 1:]
        cut = next((n for n, h in enumerate(after) if tokens[h].text == ":"), len(after))
        names = [tokens[h].text for h in after[:cut] if tokens[h].kind == "name" and tokens[h].text not in ("final", "alignas")]
        name = "::".join([owner.name] if owner else []) + ("::" if owner and names else "") + "::".join(names)
        result = Class(name if names else f"{name}::(unnamed)", self.path, tokens[start].line, owner, start)
        result.bases = {t.text for t in tokens[after[cut]:i] if t.kind == "name"} if cut < len(after) else set()
        self.classes.append(result)
        end = self.read_scope(i + 1, result, "class", outer + [name])
        result.last_token, result.last = end, tokens[end].line
        follow = end + 1
        while follow < len(tokens) and tokens[follow].text != ";":  # struct { ... } name;
            if tokens[follow].kind == "name" and owner:
                owner.fields.append(Field(tokens[follow].text, tokens[follow].line, {result.name}))
            follow += 1
        self.read_tables(result)
        return follow + 1

    def read_tables(self, owner):
        """Fields that rows of included tables make."""
        rows = {}  # name of the row: which of its parameters names the field
        for directive in self.directives:
            if not owner.line < directive.line < owner.last:
                continue
            define, include = ROW.fullmatch(directive.text), INCLUDE.fullmatch(directive.text)
            if define and define.group(3) in define.group(2).split(", "):
                rows[define.group(1)] = define.group(2).split(", ").index(define.group(3))
            elif include and rows and include.group(1) in self.tables:
                self.read_table(owner, self.tables[include.group(1)], rows)
                rows = {}
            elif "include" in directive.text:
                raise ShapeError(f"{self.path}:{directive.line}: a class includes a file: its members cannot be counted")

    def read_table(self, owner, table, rows):
        tokens = table.tokens
        for i, call in enumerate(tokens[:-1]):
            if call.text in rows and tokens[i + 1].text == "(":
                name = tokens[i + 2 + 2 * rows[call.text]]  # parameters before it are single words
                owner.fields.append(Field(name.text, name.line, set(), table.path))
        for directive in table.directives:
            include = INCLUDE.fullmatch(directive.text)
            if include and include.group(1) in self.tables:
                self.read_table(owner, self.tables[include.group(1)], rows)

    def function_name(self, start, call):
        """The name before the parameters at `call`: f, A::f, operator==, ~A."""
        tokens = self.tokens
        for j in range(start, call):
            if tokens[j].text == "operator":
                name = "operator" + "".join(t.text for t in tokens[j + 1:call])
                j -= 1
                break
        else:
            j = call - 1
            if tokens[j].text == ">":  # f<int>(...)
                depth = 0
                while True:
                    depth += (tokens[j].text == ">") - (tokens[j].text == "<")
                    j -= 1
                    if depth == 0:
                        break
            name = tokens[j].text
            j -= 1
            if tokens[j].text == "~":
                name, j = "~" + name, j - 1
        while j > start and tokens[j].text == "::" and tokens[j - 1].kind == "name":
            name, j = f"{tokens[j - 1].text}::{name}", j - 2
        return name

    def declare(self, start, head, call, owner):
        """A declaration that ended with `;`."""
        tokens = self.tokens
        words = [tokens[h].text for h in head]
        if not words or words[0] in ("using", "typedef", "friend", "static_assert", "namespace", "extern"):
            return
        if call is not None:
            name = self.function_name(start, call)
            if owner:
                owner.methods.append(name)
            if "override" in words or "virtual" in words:
                self.virtual.add(name)
            self.declared.append((f"{owner.name}::{name}" if owner else name, tokens[start].line, start))
            return
        if words[0] in ("class", "struct", "union", "enum") and len(words) <= 3 and "=" not in words:
            return  # struct A; enum class B : int;
        # One name or more: those before `=`, `,`, `:`, `{`, `[`, or the end.
        names, last, waiting = [], None, True
        types = set()
        for h in head:
            token = tokens[h]
            if token.text == ",":
                names.append(last)
                waiting, last = True, None
            elif token.text in ("=", ":"):
                waiting = False
            elif waiting and token.kind == "name":
                if last is not None:
                    types.add(last.text)
                last = token
        names.append(last)
        end = next(j for j in range(head[-1], len(tokens)) if tokens[j].text == ";")
        types |= {t.text for t in tokens[start:end] if t.kind == "name"}
        for name in names:
            if name is None:
                continue
            if "static" in words or "constexpr" in words or owner is None:
                self.constants.append((f"{owner.name}::{name.text}" if owner else name.text, name.line, start))
            else:
                owner.fields.append(Field(name.text, name.line, types - {name.text}))


def read_tree(root, suffixes=(".cpp", ".h")):
    """All sources below `root` as [File], sorted by path; paths are relative to `root`'s parent."""
    known = {t.path.partition("/")[2]: t for t in tables(root)}
    return [File(str(p.relative_to(root.parent)), p.read_text(), known) for p in sorted(root.rglob("*"))
            if p.suffix in suffixes]


def tables(root):
    """All tables below `root` as [Tokens], sorted by path, as in read_tree()."""
    return [Tokens(str(p.relative_to(root.parent)), p.read_text()) for p in sorted(root.rglob("*.def"))]
