"""Runs the armilla command, as `python -m armilla` does.

A wheel has the command, which is a program in C, among its scripts, so that `armilla` on PATH is
the program itself; this module looks it up in the list of files that the installer has kept.
"""
import importlib.metadata
import os
import sys
from pathlib import Path


def find_command() -> Path:
    """The program that belongs to this package, or FileNotFoundError."""
    beside = Path(__file__).parent / "bin" / "armilla"  # in a build tree
    if beside.exists():
        return beside
    try:
        files = importlib.metadata.files("armilla-sht") or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    for file in files:
        if file.name == "armilla" and file.parent.name == "bin":
            return Path(str(file.locate()))
    raise FileNotFoundError("armilla: this package was built without the command")


def main() -> None:
    """Becomes the command, with the arguments of this process; does not return."""
    try:
        command = find_command()
    except FileNotFoundError as error:
        sys.exit(str(error))
    os.environ.setdefault("ARMILLA_PYTHON", sys.executable)  # for files that Python reads
    os.execv(command, ["armilla", *sys.argv[1:]])


if __name__ == "__main__":
    main()
