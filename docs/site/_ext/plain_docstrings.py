"""Docstrings that were written for people and for help(), made safe for reStructuredText.

Stars, bars and underscores at the ends of names stand for themselves; what is indented behind an
empty line is shown as it stands. Marked-up text in double backticks is left alone, and so is code.
"""
import re

LITERAL = re.compile(r"(``.*?``|:[\w:]+:`[^`]*`|`[^`\n]*`_?)")
SPECIAL = re.compile(r"(?<!\\)([*|])|(?<=\w)(?<!\\)(_)(?=\W|$)")
ROLE_OR_DIRECTIVE = re.compile(r"\s*(\.\. |:\w[\w ]*:)")


def indent_of(line):
    """Number of blanks before a line's text."""
    return len(line) - len(line.lstrip())


def escaped(line):
    """A line of prose in which no character has a meaning of its own."""
    parts = LITERAL.split(line)
    return "".join(part if i % 2 else SPECIAL.sub(r"\\\1\2", part) for i, part in enumerate(parts))


def safe(lines):
    """The lines of a docstring as reStructuredText that reads as the docstring does."""
    made, literal, before, empty = [], None, 0, False
    for line in lines:
        depth = indent_of(line)
        if not line.strip():
            empty = True
            made.append(line)
            continue
        if literal is not None and depth < literal:
            literal = None
        if literal is None and empty and depth > before and not opens_block(made):
            literal = depth
            language = "pycon" if line.lstrip().startswith(">>>") else "text"
            made += [" " * before + f".. code-block:: {language}", ""]
        plain = literal is not None or line.lstrip().startswith((">>>", "..."))
        made.append(line if plain or ROLE_OR_DIRECTIVE.match(line) else escaped(line))
        if literal is None:
            before = depth
        empty = False
    return made


def opens_block(made):
    """Is the last line that holds something one behind which indented text belongs to it?"""
    last = next((line for line in reversed(made) if line.strip()), "")
    return (last.endswith("::") or ROLE_OR_DIRECTIVE.match(last) is not None
            or re.match(r"\s*[-\d.*]+ ", last) is not None)


def process(app, what, name, obj, options, lines):
    """Sphinx has a docstring; numpydoc comes after this."""
    lines[:] = safe(lines)


def setup(app):
    app.connect("autodoc-process-docstring", process, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
