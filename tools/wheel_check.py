#!/usr/bin/env python3
"""Checks what is inside a wheel: nothing outside the package, the licences of what it carries, the
command, whole docstrings, nothing of FFTW, no symbol of a C library newer than the wheel's name
promises, and a description whose links lead somewhere from the package index.

Usage: wheel_check.py [--fftw] WHEEL       --fftw: the wheel may carry FFTW
"""
import re
import sys
import zipfile

LICENCES = ("cfitsio", "png", "zlib", "bz")
PLATFORM = re.compile(r"manylinux_2_(\d+)_")
MARK = re.compile(rb"^ *%\([^()\s]+\)s$", re.MULTILINE)  # of python/docstrings.txt
GLIBC = re.compile(rb"GLIBC_2\.(\d+)")
# Links and pictures of Markdown, and pictures of HTML.
LINK = re.compile(r"\]\(([^)\s]*)|\bsrc=[\"']([^\"']*)")


def relative_links(markdown: str) -> list[str]:
    """Links and pictures that need a file next to the text."""
    found = ["".join(link) for link in LINK.findall(markdown)]
    return [link for link in found if not re.match(r"[a-z]+:|#", link)]


def complaints(name: str, files: dict[str, bytes], may_have_fftw: bool) -> list[str]:
    """What is wrong with the files of a wheel, as sentences."""
    found = [f"{file} lies outside the package" for file in files
             if not re.match(r"armilla/|armilla_sht-[^/]*\.(dist-info|data/scripts)/"
                             r"|armilla_sht\.(libs|scripts)/", file)]
    texts = [file for file in files if file.startswith("armilla/licenses/")]
    found += [f"there is no licence of {name}" for name in LICENCES
              if not any(name in text for text in texts)]
    if not any(file.endswith(".data/scripts/armilla") for file in files):
        found.append("the command is missing")
    metadata = next(files[file] for file in files if file.endswith(".dist-info/METADATA"))
    if b"License-Expression: BSD-3-Clause AND" not in metadata:
        found.append("the metadata have no licence by SPDX")
    described = metadata.decode().partition("\n\n")[2]
    found += [] if described.strip() else ["the metadata have no description"]
    found += [f"the description has a relative link, {link}" for link in relative_links(described)]
    found += [f"{file} has a docstring without its shared texts" for file, content in files.items()
              if file.endswith(".py") and MARK.search(content)]
    promised = PLATFORM.search(name)
    for file, content in files.items():
        if not content.startswith(b"\x7fELF"):
            continue
        if not may_have_fftw and (b"fftw_plan" in content or b"FFTW" in content):
            found.append(f"{file} has FFTW in it")
        newest = max((int(minor) for minor in GLIBC.findall(content)), default=0)
        if promised and newest > int(promised.group(1)):
            found.append(f"{file} needs glibc 2.{newest}")
    return found


def main() -> None:
    arguments = [argument for argument in sys.argv[1:] if argument != "--fftw"]
    if len(arguments) != 1:
        sys.exit(__doc__)
    with zipfile.ZipFile(arguments[0]) as wheel:
        files = {file: wheel.read(file) for file in wheel.namelist() if not file.endswith("/")}
    wrong = complaints(arguments[0], files, "--fftw" in sys.argv)
    for sentence in wrong:
        print(f"wheel_check: {sentence}", file=sys.stderr)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
