#!/usr/bin/env python3
"""Writes the Fortran module, the declarations for Julia and classes for C++ from the installed
headers, so that none can drift from them, and the page that says which call runs where.

Usage: generate.py            writes fortran/armilla.f90, julia/declarations.jl,
                              ../include/armilla/objects.hpp and ../docs/doors.md
       generate.py --check    exits with 1, and names the file, if one of them is not up to date
       generate.py --layouts FOLDER
                              programs that print sizes and offsets of all structs: layouts.c,
                              layouts.f90
"""
import sys
from pathlib import Path

import cpp
import doors
import fortran
import headers
import julia
import layouts

HERE = Path(__file__).resolve().parent


def main() -> int:
    found = headers.read_all(HERE.parent / "include" / "armilla")
    whole = headers.joined(found)
    files = {HERE / "fortran" / "armilla.f90": fortran.module(found, whole),
             HERE / "julia" / "declarations.jl": julia.declarations(found, whole),
             HERE.parent / "include" / "armilla" / "objects.hpp": cpp.header(found, whole),
             HERE.parent / "docs" / "doors.md": doors.page(HERE.parent, whole)}
    status = 0
    if sys.argv[1:2] == ["--layouts"]:
        files = {Path(sys.argv[2]) / "layouts.c": layouts.in_c(whole),
                 Path(sys.argv[2]) / "layouts.f90": layouts.in_fortran(whole)}
    for path, text in files.items():
        if sys.argv[1:] != ["--check"]:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            print(f"{path.relative_to(HERE.parent)} is not what languages/generate.py makes of "
                  "the headers: run it", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
