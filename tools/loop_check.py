#!/usr/bin/env python3
"""Disassembles the Legendre kernels and holds their plain loops to a budget.

Usage: loop_check.py [--print] [--compiler VERSION] SOURCE BUILD

SOURCE/tests/kernel/loop_budget.txt has a line for each loop: kernel file, instruction set,
function, multiply-adds of one turn, most instructions, most vectors read from or written to the
stack, most addresses and whole numbers that are there or in vector registers. Of the innermost
loops of that function with so many multiply-adds, the shortest one must keep all three: what does
not fit the registers shows there before it shows in times. BUILD is a build folder of SOURCE, a
release. --print: the lines as they are now. --compiler: that of BUILD; exits with 77 where the
budget was made with another major version of GCC, or where no kernels are there.
"""
import argparse
import pathlib
import re
import subprocess
import sys

FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")
INSTRUCTION = re.compile(r"^\s+([0-9a-f]+):\s+(.*)$")
JUMP = re.compile(r"^j\w+\s+([0-9a-f]+)")
MULTIPLY_ADD = re.compile(r"^vfn?m")
# Between a vector register and another one.
MOVE = re.compile(r"^vmov[dq]\s+(%xmm\d+,%[er]|%[er]\w+,%xmm)")


def functions(path):
    """Name and instructions, (address, text), of each function of an object file."""
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", path], check=True, text=True,
                          capture_output=True).stdout
    found, code = {}, []
    for line in text.splitlines():
        if begin := FUNCTION.match(line):
            code = found.setdefault(begin[1], [])
        elif one := INSTRUCTION.match(line):
            code.append((int(one[1], 16), one[2]))
    return found


def innermost_loops(code):
    """Instructions of the loops that have no other loop inside."""
    jumps = [(int(jump[1], 16), address) for address, text in code if (jump := JUMP.match(text))]
    spans = {(begin, end) for begin, end in jumps if begin <= end}
    for begin, end in spans:
        if not any((b, e) != (begin, end) and begin <= b and e <= end for b, e in spans):
            yield [text for address, text in code if begin <= address <= end]


def measure(path, function, multiply_adds):
    """Instructions, vectors and other values on the stack of the shortest loop; None: no loop."""
    found = functions(path)
    name = next((n for n in found if re.fullmatch(rf"{function}(_\w+?)?(\.\w+)*", n)), None)
    if name is None:
        return None
    frame = any(re.match(r"mov\s+%rsp,%rbp", text) for _, text in found[name])
    stack = re.compile(r"\(%r[sb]p" if frame else r"\(%rsp")
    sizes = [(len(loop), sum(1 for t in loop if stack.search(t) and "mm" in t),
              sum(1 for t in loop if MOVE.match(t) or stack.search(t) and "mm" not in t))
             for loop in innermost_loops(found[name])
             if sum(1 for t in loop if MULTIPLY_ADD.match(t)) == multiply_adds]
    return min(sizes, default=None)


def read_budget(path):
    lines = [line.split() for line in path.read_text().splitlines()
             if line and not line.startswith("#")]
    compiler = next(line[1] for line in lines if line[0] == "compiler")
    return compiler, [line for line in lines if line[0] != "compiler"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--print", action="store_true")
    parser.add_argument("--compiler", default="")
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    arguments = parser.parse_args()
    compiler, budget = read_budget(arguments.source / "tests/kernel/loop_budget.txt")
    if arguments.compiler and arguments.compiler.split(".")[0] != compiler:
        print(f"loop_check: the budget is for GCC {compiler}, this is {arguments.compiler}")
        sys.exit(77)
    failed = checked = 0
    for kernel, isa, function, multiply_adds, *most in budget:
        path = (arguments.build / f"CMakeFiles/armilla_kernels_{isa}.dir"
                / f"src/legendre/kernels/{kernel}.c.o")
        if not path.exists():
            continue
        checked += 1
        found = measure(path, function, int(multiply_adds))
        if arguments.print:
            print(kernel, isa, function, multiply_adds, *(found or "---"))
        elif found is None:
            print(f"{kernel}.c, {isa}: {function} has no loop of {multiply_adds} multiply-adds")
            failed += 1
        elif any(have > int(limit) for have, limit in zip(found, most, strict=True)):
            print(f"{kernel}.c, {isa}: {function}'s loop of {multiply_adds} multiply-adds has "
                  f"{found[0]} instructions (budget {most[0]}), {found[1]} vectors on the stack "
                  f"({most[1]}), {found[2]} other values there or in vector registers ({most[2]})")
            failed += 1
    if not arguments.print:
        print(f"loop_check: {checked - failed} of {checked} loops keep their budget")
    sys.exit(1 if failed else 0 if checked else 77)


if __name__ == "__main__":
    main()
