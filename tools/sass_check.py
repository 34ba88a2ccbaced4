#!/usr/bin/env python3
"""Counts the instructions of the Legendre kernels' loops on a GPU and holds them to a budget.

Usage: sass_check.py [--nvcc NVCC] [--nvdisasm NVDISASM] [--print | --loops] SOURCE BUILD

SOURCE/tests/cuda/sass_budget.txt has a line for each loop: kernel, shape and number of sets or
fields (legendre_analysis.single.v4w4.2), multiply-adds and shuffles of one turn, most instructions,
most selections, most accesses to spilled registers. Of the kernel's innermost loops with so many
multiply-adds and shuffles the shortest one must keep all three. A turn is the way on which the
lanes of a warp stay together and take no vote: that of a group all of whose pairs matter.

The machine code for sm_90 is BUILD/sass/FILE.cubin, as ptxas_check.py --keep leaves it, or made if
it is not newer than all sources. --print: the lines as they are now, each with its operations of
the FP64 pipe, of which a scheduler starts one every two cycles. --loops: every loop of every
kernel, with its instructions by kind. Exits with 77 where there is no compiler for CUDA, or one of
another major version than the budget's, or no nvdisasm, which is looked for on PATH, beside nvcc
and in BUILD/sass-venv (`make test-sass` makes that).
"""
import argparse
import collections
import pathlib
import re
import shutil
import subprocess
import sys

import ptxas_check

FILES = ["legendre_analysis", "spin_analysis", "tensor_analysis", "legendre_synthesis",
         "spin_synthesis", "tensor_synthesis"]
SECTION = re.compile(r"^\.text\.(\S+):$")
LABEL = re.compile(r"^(\.L_x_\d+):$")
INSTRUCTION = re.compile(r"^\s+/\*[0-9a-f]+\*/\s+(.*?)\s*;")
OPERATION = re.compile(r"^(?:@!?U?P[T0-9]\s+)?([A-Z0-9_]+)")
TARGET = re.compile(r"\.L_x_\d+")
ALWAYS = re.compile(r"^(BRA\s+`|BRX|EXIT)")
ENDS = ("BRA", "BRX", "EXIT")
PARTED = {"VOTE", "WARPSYNC"}  # a vote; shuffles of lanes that have parted
MULTIPLY_ADD, FP64 = ("DFMA", "FFMA"), ("DFMA", "DMUL", "DADD")
SELECTION, SPILL = ("SEL", "FSEL"), ("LDL", "STL")


def operation(text):
    return OPERATION.match(text)[1]


def find_nvdisasm(named, nvcc, build):
    if named:
        return named
    beside = pathlib.Path(nvcc).resolve().parent / "nvdisasm"
    return (shutil.which("nvdisasm") or (str(beside) if beside.exists() else None)
            or next(map(str, build.glob("sass-venv/lib/python*/**/bin/nvdisasm")), None))


def read_budget(path):
    lines = [line.split() for line in path.read_text().splitlines()
             if line and not line.startswith("#")]
    return lines[0][1], lines[1:]


def major_version(nvcc):
    said = subprocess.run([nvcc, "--version"], check=True, text=True, capture_output=True)
    return re.search(r"release (\d+)", said.stdout)[1]


def machine_code(nvcc, source, build):
    """The cubins of FILES, made where they are not newer than all sources."""
    newest = max(path.stat().st_mtime for path in (source / "src").rglob("*")
                 if path.suffix in (".h", ".cu"))
    for name in FILES:
        path = build / "sass" / f"{name}.cubin"
        if not path.exists() or path.stat().st_mtime < newest:
            ptxas_check.compile_kernels(nvcc, ptxas_check.include_folders(source, build),
                                        str(source / f"src/cuda/kernels/{name}.cu"), 90, str(path))
        yield path


def functions(nvdisasm, path):
    """Mangled name and lines, each a label or an instruction, of each kernel."""
    text = subprocess.run([nvdisasm, "-c", path], check=True, text=True, capture_output=True)
    found, lines = {}, []
    for line in text.stdout.splitlines():
        if match := SECTION.match(line):
            lines = found.setdefault(match[1], [])
        elif match := LABEL.match(line) or INSTRUCTION.match(line):
            lines.append(match[1])
    return found


def basic_blocks(lines):
    """Blocks of instructions, and for each of them those that may follow."""
    blocks, place = [[]], {}
    for line in lines:
        if blocks[-1] and (line.startswith(".L") or operation(blocks[-1][-1]) in ENDS):
            blocks.append([])
        if line.startswith(".L"):
            place[line] = len(blocks) - 1
        else:
            blocks[-1].append(line)
    after = []
    for i, block in enumerate(blocks):
        last = block[-1] if block else "NOP"
        jumps = [place[name] for name in TARGET.findall(last)] if operation(last) in ENDS else []
        goes_on = i + 1 < len(blocks) and not ALWAYS.match(last)
        after.append(jumps + ([i + 1] if goes_on else []))
    return blocks, after


def body(begin, end, before, closed):
    """Blocks from which the loop's last one can be reached without its first one."""
    found, rest = {begin}, [end]
    while rest:
        block = rest.pop()
        if block not in found and block not in closed and begin < block <= end:
            found.add(block)
            rest += before[block]
    return found


def cost(block):
    """What a way through a loop is chosen by: most shuffles, most multiply-adds, shortest."""
    operations = list(map(operation, block))
    return (-operations.count("SHFL"), -sum(operations.count(name) for name in MULTIPLY_ADD),
            len(operations))


def best_way(begin, end, inside, before, blocks):
    """Cost and blocks of the best way from begin to end; None: there is no way."""
    way = {begin: (cost(blocks[begin]), [begin])}

    def find(i):
        if i not in way:
            way[i] = None  # met again only in a loop
            ways = [found for j in before[i] if j in inside and (found := find(j))]
            if ways:
                so_far = min(ways)
                way[i] = (tuple(map(sum, zip(so_far[0], cost(blocks[i])))), so_far[1] + [i])
        return way[i]

    return find(end)


def turns(lines):
    """The turn of each innermost loop."""
    blocks, after = basic_blocks(lines)
    closed = {i for i, block in enumerate(blocks) if PARTED & set(map(operation, block))}
    before = collections.defaultdict(list)
    for i, following in enumerate(after):
        for j in following:
            before[j].append(i)
    loops = {}
    for end, following in enumerate(after):
        for begin in following:
            if begin <= end and not {begin, end} & closed:
                inside = body(begin, end, before, closed)
                if best_way(begin, end, inside, before, blocks):
                    loops[begin, end] = inside
    for (begin, end), inside in loops.items():
        inner = {b for b, e in loops if b != begin and {b, e} <= inside}
        if way := best_way(begin, end, inside - inner, before, blocks):
            yield [text for i in way[1] for text in blocks[i]]


def kernel_name(demangled):
    """legendre_analysis.single.v4w4.2 of ...::legendre_analysis<in_single, 2, kernel_shape<4, 4> >,
    spin_analysis.v4w4.1 of ...::spin_analysis<1, kernel_shape<4, 4> >."""
    match = re.search(r"(\w+)<(?:in_(\w+), )?(\d), kernel_shape<(\d), (\d)>", demangled)
    single = f".{match[2]}" if match[2] in ("single", "two_floats") else ""
    return f"{match[1]}{single}.v{match[4]}w{match[5]}.{match[3]}"


def measure(nvdisasm, paths):
    """{kernel: instructions by operation of each of its innermost loops}"""
    found = {}
    for path in paths:
        kernels = functions(nvdisasm, path)
        words = ptxas_check.demangle(sorted(kernels))
        for mangled, lines in kernels.items():
            found[kernel_name(words[mangled])] = [
                collections.Counter(map(operation, turn)) for turn in turns(lines)]
    return found


def count(loop, operations):
    return sum(loop[name] for name in operations)


def shortest(loops, multiply_adds, shuffles):
    """Instructions, selections, spills and operations of the FP64 pipe; None: no such loop."""
    return min(((loop.total(), count(loop, SELECTION), count(loop, SPILL), count(loop, FP64))
                for loop in loops if count(loop, MULTIPLY_ADD) == int(multiply_adds)
                and loop["SHFL"] == int(shuffles)), default=None)


def print_loops(measured):
    for name, loops in sorted(measured.items()):
        for loop in loops:
            if count(loop, MULTIPLY_ADD):
                kinds = " ".join(f"{kind} {n}" for kind, n in loop.most_common())
                print(name, count(loop, MULTIPLY_ADD), loop.total(), "|", kinds)


def compare(measured, budget):
    problems = []
    for name, multiply_adds, shuffles, *most in budget:
        found = shortest(measured.get(name, []), multiply_adds, shuffles)
        if found is None:
            problems.append(f"{name} has no loop of {multiply_adds} multiply-adds and {shuffles} "
                            "shuffles")
        elif any(have > int(limit) for have, limit in zip(found, most)):
            problems.append(f"{name}'s loop of {multiply_adds} multiply-adds has {found[0]} "
                            f"instructions (budget {most[0]}), {found[1]} selections ({most[1]}), "
                            f"{found[2]} accesses to spilled registers ({most[2]})")
    listed = {line[0] for line in budget}
    return problems + [f"{name}: no line in the budget" for name in measured if name not in listed]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--nvdisasm")
    parser.add_argument("--print", action="store_true")
    parser.add_argument("--loops", action="store_true")
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    arguments = parser.parse_args()
    nvcc = shutil.which(arguments.nvcc)
    nvdisasm = nvcc and find_nvdisasm(arguments.nvdisasm, nvcc, arguments.build)
    if not nvdisasm:
        print(f"sass_check: no {'nvdisasm: make test-sass' if nvcc else 'compiler for CUDA'} here")
        return 77
    compiler, budget = read_budget(arguments.source / "tests/cuda/sass_budget.txt")
    if major_version(nvcc) != compiler:
        print(f"sass_check: the budget is for nvcc {compiler}")
        return 77
    measured = measure(nvdisasm, machine_code(nvcc, arguments.source, arguments.build))
    if arguments.loops:
        print_loops(measured)
    elif arguments.print:
        for line in budget:
            found = shortest(measured.get(line[0], []), *line[1:3])
            print(f"{line[0]:36} {line[1]:>4} {line[2]:>3}", *(f"{n:4}" for n in found or ()))
    else:
        problems = compare(measured, budget)
        print(*problems, f"sass_check: {len(budget)} loops, {len(problems)} problems", sep="\n")
        return 1 if problems else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
