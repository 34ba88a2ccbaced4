"""The order in which a page of the Python reference shows a docstring: what most need comes first.

Docstrings list all parameters before the first example, which help() and the conventions of
numpydoc want. The page has the summary, the first example, the first eight parameters and the
result; the other parameters follow under a heading of their own, and the other examples are last.
The signature shows the first eight parameters as well.
"""
import re

FIRST = 8  # parameters before the heading
UNDERLINE = re.compile(r"-{3,}\s*$")


def sections_of(lines):
    """(heading, lines) of each section; the description has the heading ''."""
    found = [("", [])]
    for i, line in enumerate(lines):
        is_heading = (line and not line[0].isspace() and i + 1 < len(lines)
                      and UNDERLINE.match(lines[i + 1]))
        if is_heading:
            found.append((line.strip(), []))
        elif not (found[-1][0] and not found[-1][1] and UNDERLINE.match(line)):
            found[-1][1].append(line)
    return found


def lines_of(sections):
    """The lines of a docstring again."""
    made = []
    for heading, body in sections:
        made += ([heading, "-" * len(heading)] if heading else []) + body
        if made and made[-1].strip():
            made.append("")
    return made


def entries_of(body):
    """The entries of a section of parameters, each with its description."""
    entries = []
    for line in body:
        if line.strip() and not line[0].isspace() or not entries:
            entries.append([])
        entries[-1].append(line)
    return [entry for entry in entries if any(line.strip() for line in entry)]


def names_of(entry):
    """How many parameters an entry describes: `a, b : int` has two."""
    return entry[0].split(" : ")[0].count(",") + 1


def divided(entries):
    """The entries of the first parameters, and the others."""
    count, first = 0, []
    for entry in entries:
        count += names_of(entry)
        if count > FIRST:
            break
        first.append(entry)
    return first, entries[len(first):]


def first_example(body):
    """(the first session of a section of examples with what introduces it, the rest)."""
    start = next((i for i, line in enumerate(body) if line.lstrip().startswith(">>>")), None)
    if start is None:
        return [], body
    end = next((i for i in range(start, len(body)) if not body[i].strip()), len(body))
    return body[:end], body[end:]


def ordered(lines):
    """The lines of a docstring in the order of a page; numpydoc reads them."""
    made, further = [], []
    for heading, body in sections_of(lines):
        if heading == "Parameters":
            first, others = divided(entries_of(body))
            further += others
            body = [line for entry in first for line in entry]
        elif heading == "Other Parameters":
            further += entries_of(body)
            continue
        elif heading == "Examples":
            example, body = first_example(body)
            made[0] = ("", made[0][1] + ["", *example, ""])
            if not any(line.strip() for line in body):
                continue
        made.append((heading, body))
    if further:
        made.append(("Other Parameters", [line for entry in further for line in entry]))
    return lines_of(made)


def process(app, what, name, obj, options, lines):
    """Sphinx has a docstring; plain_docstrings came before this, and numpydoc comes after it."""
    lines[:] = ordered(lines)


def short(signature):
    """A signature with its first parameters, and `...` for the others."""
    depth, commas, stars = 0, 0, 0
    for i, character in enumerate(signature):
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 1:
            stars += signature[:i].endswith((" *", "(*", " /"))
            commas += 1
            if commas - stars == FIRST and not signature[i:].startswith(",)"):
                return signature[:i] + ", ...)"
    return signature


def shorten(app, what, name, obj, options, signature, returned):
    """Sphinx has a signature."""
    return (short(signature), returned) if signature else None


def setup(app):
    app.connect("autodoc-process-docstring", process, priority=200)
    app.connect("autodoc-process-signature", shorten, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
