#!/usr/bin/env python3
"""Makes the tables of src/picture that come from elsewhere: the outlines of letters, and two colour
maps.

    pip install fonttools matplotlib
    tools/make_picture_tables.py     # writes src/picture/font_*.c and palette_tables.c

Letters are those of DejaVu Sans 2.37, as matplotlib carries it (licence: LICENSE-DejaVu.txt):
quadratic splines, rounded to 1/1000 of the em, which no picture can show. viridis and magma are
matplotlib's (CC0), 256 colours each.
"""
import pathlib
import textwrap

import matplotlib
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.ttLib import TTFont

SOURCE = pathlib.Path(__file__).resolve().parents[1] / "src" / "picture"
ASCII = [*range(0x20, 0x7F)]
LATIN = [*range(0xA1, 0x100), 0x127, 0x131, 0x141, 0x142, 0x152, 0x153, 0x160, 0x161, 0x17D, 0x17E]
GREEK = [*range(0x391, 0x3A2), *range(0x3A3, 0x3AA), *range(0x3B1, 0x3CA), 0x3D1, 0x3D5, 0x3F5]
SIGNS = [ord(letter) for letter in
         "–—‘’“”•…′″€⁰ⁱ⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑℓℏ←↑→↓↔∂∆∇∈∏∑−∓∗∘∙√∝∞∠∥∫∼≈≠≡≤≥≪≫⊕⊙⊥⋅⟨⟩☉♁✓"]
CUBIC = "the outlines of DejaVu Sans are quadratic"


def outline(glyphs, name):
    """Commands in the order of the pen: m and l, q with its control point, numbers relative."""
    pen = DecomposingRecordingPen(glyphs)
    glyphs[name].draw(pen)
    text, here = [], (0, 0)

    def add(letter, *points):
        nonlocal here
        numbers = []
        for x, y in points:
            x, y = round(x * 1000 / 2048), round(y * 1000 / 2048)
            numbers.append(f"{x - here[0]} {y - here[1]}")
            here = (x, y)
        text.append(letter + " ".join(numbers))

    for action, points in pen.value:
        if action == "moveTo":
            start = points[0]
            add("m", start)
        elif action == "lineTo":
            add("l", points[0])
        elif action == "qCurveTo":
            controls = list(points[:-1])
            for i, control in enumerate(controls):
                last = i + 1 == len(controls)
                end = points[-1] if last else tuple(
                    (a + b) / 2 for a, b in zip(control, controls[i + 1]))
                add("q", control, end)
        elif action == "closePath":
            add("l", start)
        else:
            raise ValueError(CUBIC)
    return "".join(text)


def rows(font, characters):
    glyphs, names, widths = font.getGlyphSet(), font.getBestCmap(), font["hmtx"].metrics
    for character in characters:
        if character not in names:
            continue
        name = names[character]
        text = outline(glyphs, name)
        pieces = textwrap.wrap(text, 80, break_long_words=True, drop_whitespace=False) or [""]
        lines = "\n     ".join(f'"{piece}"' for piece in pieces)
        yield f"    {{0x{character:04X}, {round(widths[name][0] * 1000 / 2048)},\n     {lines}}},"


def write_font(font, name, words, characters):
    body = "\n".join(rows(font, sorted(characters)))
    (SOURCE / f"font_{name}.c").write_text(
        f"/* {words}: made by tools/make_picture_tables.py from DejaVu Sans 2.37\n"
        " * (LICENSE-DejaVu.txt), in 1/1000 of the em; see font.h. */\n"
        '#include "picture/font.h"\n\n#include <stddef.h>\n\n'
        "/* clang-format off */\n"
        f"const armilla_glyph armilla_font_{name}[] = {{\n{body}\n    {{0, 0, NULL}},\n}};\n")


def write_palettes():
    parts = []
    for name in ("viridis", "magma"):
        colours = matplotlib.colormaps[name](range(256), bytes=True)[:, :3]
        text = "".join("%02x%02x%02x" % tuple(colour) for colour in colours)
        lines = "\n    ".join(f'"{piece}"' for piece in textwrap.wrap(text, 90))
        parts.append(f"const char armilla_palette_{name}[] =\n    {lines};\n")
    (SOURCE / "palette_tables.c").write_text(
        "/* The colour maps viridis and magma (S. van der Walt, N. Smith, matplotlib; CC0), 256 "
        "colours of\n * six hexadecimal digits each: made by tools/make_picture_tables.py. */\n"
        '#include "picture/palette.h"\n\n/* clang-format off */\n' + "\n".join(parts))


def main():
    fonts = pathlib.Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    font = TTFont(fonts / "DejaVuSans.ttf")
    write_font(font, "ascii", "The letters of ASCII", ASCII)
    write_font(font, "latin", "The letters of Latin-1 and a few more", LATIN)
    write_font(font, "greek", "The Greek letters", GREEK)
    write_font(font, "signs", "Signs of units and of mathematics", SIGNS)
    (SOURCE / "LICENSE-DejaVu.txt").write_text((fonts / "LICENSE_DEJAVU").read_text())
    write_palettes()


if __name__ == "__main__":
    main()
