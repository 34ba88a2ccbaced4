"""Filter for Doxygen: makes a C header's plain comments document the declarations beside them.

Usage: docs_comments.py HEADER        writes the header to standard output

The headers' comments are written to be read in the headers. Here the first one becomes the file's
page; one at the beginning of a line belongs to the declaration under it, one behind code to the
declaration before it. Given, Returned, Errors, Notes and Reference become paragraphs with that
word in bold; what is indented, such as formulas and tables, stays as it stands. Functions and
macros that fill in the defaults of a struct have the same sentences everywhere, which are written
here where the header has none.
"""
import re
import sys
from pathlib import Path

COMMENT = re.compile(r"/\*(?!\*)(.*?)\*/", re.DOTALL)
WORDS = r"Given|Returned|Errors|Notes|Reference|Thread rule|Collective|Example"
HEADING = re.compile(rf"({WORDS}): *")

INIT_SIZED = re.compile(r"(?<!\*/\n)^ARMILLA_API void\s+(armilla_\w+)_init_sized\("
                        r"(armilla_\w+) \*", re.MULTILINE)
INIT = re.compile(r"^#define (armilla_\w+)_init\(\w+\)(?=\s*\\?\s*\1_init_sized\(\w+, "
                  r"sizeof\((armilla_\w+)\)\))", re.MULTILINE)


def with_sentences(text):
    """The header with a comment at each function and macro that fills in defaults."""
    text = INIT_SIZED.sub(
        r"/* Fills in the defaults of the fields of \2 that lie within `size` bytes, for\n"
        r" * languages without macros. C programs call \1_init. */\n\g<0>", text)
    return INIT.sub(
        r"/* Fills in the defaults of all fields of \2. Call it before you set some of them. */\n"
        r"\g<0>", text)


def lines_of(body):
    """The text of a comment, line by line, without stars; indented as in the header."""
    first, *rest = body.split("\n")
    return [first.strip()] + [re.sub(r"^\s*\* ?", "", line).rstrip() for line in rest]


def plain(line):
    """Characters that mean something to Doxygen stand for themselves."""
    return re.sub(r"([\\@<>&#$%\"])", r"\\\1", line)


def paragraph(line):
    """A line of prose; a heading opens a paragraph of its own."""
    found = HEADING.match(line)
    if not found:
        return [plain(line)]
    return ["", f"<b>{found[1]}:</b> {plain(line[found.end():])}"]


def is_block(lines, i):
    """Does a block that stays as it stands begin at line i: indented, behind an empty line?"""
    return lines[i].startswith("  ") and (i == 0 or not lines[i - 1].strip())


def documented(lines):
    """Lines of Doxygen's."""
    made, i = [], 0
    while i < len(lines):
        if not is_block(lines, i):
            made += paragraph(re.sub(r"^ +", "", lines[i]))
            i += 1
            continue
        end = i
        while end < len(lines) and (lines[end].startswith("  ") or not lines[end].strip()):
            end += 1
        block = "\n".join(lines[i:end]).rstrip("\n").split("\n")
        least = min(len(line) - len(line.lstrip()) for line in block if line.strip())
        made += ["@verbatim", *(line[least:] for line in block), "@endverbatim", ""]
        i = end
    return made


def filtered(text):
    """The header with comments that Doxygen reads."""
    text, is_first = with_sentences(text), True

    def comment(found):
        nonlocal is_first
        before = text[text.rfind("\n", 0, found.start()) + 1:found.start()]
        lines = lines_of(found[1])
        if lines[0].startswith("---") or before.startswith("#"):
            return ""
        opening = "/**<" if before.strip() else "/** @file\n" if is_first else "/**"
        is_first = False
        return f"{opening} " + "\n".join(documented(lines)) + " */"

    return COMMENT.sub(comment, text)


if __name__ == "__main__":
    sys.stdout.write(filtered(Path(sys.argv[1]).read_text()))
