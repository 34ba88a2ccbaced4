#!/usr/bin/env python3
"""Writes the C source of armilla._native (cffi, API mode).

Usage: generate.py FOLDER_OF_HEADERS OUTPUT.c
"""
import sys
from pathlib import Path

import cffi
from declarations import CALLBACKS, OWN_HEADERS, all_declarations


def main() -> None:
    folder, output = Path(sys.argv[1]), sys.argv[2]
    builder = cffi.FFI()
    builder.cdef(all_declarations(folder) + "\n" + CALLBACKS)
    included = ["<armilla/armilla.h>"] + [f'"{name}"' for name in OWN_HEADERS]
    builder.set_source("armilla._native", "\n".join(f"#include {name}" for name in included))
    builder.emit_c_code(output)


if __name__ == "__main__":
    main()
