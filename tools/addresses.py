#!/usr/bin/env python3
"""Tells or changes the addresses of the project. They are placeholders until a maintainer gives
real ones; packaging/addresses.txt has them, and every file that names one is changed.

Usage: addresses.py                        which files have which address
       addresses.py NAME=VALUE ...         NAME: repository, documentation, security
"""
import subprocess
import sys
from pathlib import Path

LIST = Path(__file__).resolve().parents[1] / "packaging" / "addresses.txt"


def read_addresses() -> dict[str, str]:
    lines = [line for line in LIST.read_text().splitlines() if " = " in line and line[0] != "#"]
    return dict(line.split(" = ", 1) for line in lines)


def files_with(text: str) -> list[Path]:
    root = LIST.parents[1]
    found = subprocess.run(["git", "grep", "-lFI", "--untracked", text], cwd=root,
                           capture_output=True, text=True, check=False).stdout
    return [root / line for line in found.splitlines()]


def change(old: dict[str, str], new: dict[str, str]) -> None:
    """Long addresses first, since one may begin with another; by marks, so that none is met twice.
    """
    names = sorted(old, key=lambda name: -len(old[name]))
    for file in sorted({file for name in new for file in files_with(old[name])}):
        text = file.read_text()
        for name in names:
            text = text.replace(old[name], f"\0{name}\0")
        for name in names:
            text = text.replace(f"\0{name}\0", new.get(name, old[name]))
        file.write_text(text)
        print(file.relative_to(LIST.parents[1]))


def main() -> None:
    old = read_addresses()
    if len(sys.argv) == 1:
        for name, address in old.items():
            print(f"{name}: {address}, in {len(files_with(address))} files")
        return
    new = dict(argument.split("=", 1) for argument in sys.argv[1:] if "=" in argument)
    if len(new) != len(sys.argv) - 1 or not set(new) <= set(old):
        sys.exit(__doc__)
    change(old, new)


if __name__ == "__main__":
    main()
