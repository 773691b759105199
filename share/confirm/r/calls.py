"""Argument lists for routines of which nobody knows what they want."""
import random
import re
from pathlib import Path

CALLS = 90  # of one routine
ALL = 3000  # of all routines
VALUES = ["c(1.5, 2.5, 3.5)", "1:3", "c('a', 'bb', 'ccc')", "list(1, 'a', 2L)", "TRUE", "matrix(c(1.5, 2, 3, 4), 2)", "2L",
          "'text'", "NULL", "matrix(1:4, 2)", "function(x, ...) x", "new.env()", "quote(f(x))", "as.raw(1:8)", "1i",
          "factor(c('u', 'v'))", "data.frame(a = 1:2, b = c('x', 'y'))", "c(a = 1, b = 2)", "-1L", "numeric(0)",
          "structure(list(1), class = 'k')", "as.numeric(1:2000)", "'/tmp/none'", "expression(a + b)"]


def parameters(function, folders):
    """How many a function of the sources has; None if it is not found."""
    for folder in folders:
        for file in sorted(Path(folder).rglob("*.c*")):
            match = re.search(rf"\bSEXP\s+{re.escape(function)}\s*\(([^)]*)\)\s*\{{", file.read_text(errors="replace"))
            if match:
                return 0 if match[1].strip() in ("", "void") else match[1].count(",") + 1
    return None


def lists(count, name, routines):
    """Of one routine: all of one kind, one after the other changed, and some by chance; fewer where there are many routines."""
    if count < 0:  # it takes any number
        return lists(1, name, 2 * routines) + lists(3, name, 2 * routines)
    if count == 0:
        return [()]
    choices = [tuple([v] * count) for v in VALUES]
    choices += [tuple(b if i == at else a for i in range(count)) for a in VALUES[:4] for at in range(count) for b in VALUES
                if count > 1]
    chance = random.Random(name)
    choices += [tuple(chance.choice(VALUES) for _ in range(count)) for _ in range(CALLS)]
    unique = list(dict.fromkeys(choices))
    most = max(len(VALUES), min(CALLS, ALL // max(1, routines)))
    return unique if len(unique) <= most else unique[:len(VALUES)] + chance.sample(unique[len(VALUES):], most - len(VALUES))
