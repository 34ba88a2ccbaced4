#!/usr/bin/env python3
"""Compiles the CUDA kernels for GPUs and holds registers and spills against a budget.

Usage: ptxas_check.py [--nvcc NVCC] [--architectures 90,75,...] [--keep] [--print] SOURCE BUILD

BUILD is a build folder of SOURCE (for headers that CMake makes).

For every architecture from sm_75 up that the compiler knows, or those named, ptxas tells registers
and spilled bytes of each kernel. SOURCE/tests/cuda/ptxas_budget.txt has a line for each kernel,
precision and shape of a block of threads (.single.v4w4: in_single, kernel_shape<4, 4>; .single also
where the first template argument is float), those that
take two fields of spin s together (.fields: four sets) apart, all other template arguments
together: file/name, most registers, most spilled bytes. A kernel above its
budget, without a line, or a line without a kernel is an error. --print: a budget of just this size.
--keep: PTX and machine code for sm_90 stay in BUILD/sass, for replay_kernels and sass_check.py.
Exits with 77 where there is no compiler for CUDA.
"""
import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys

ENTRY = re.compile(r"Compiling entry function '(\w+)' for '(\w+)'")
SPILL = re.compile(r"(\d+) bytes spill stores, (\d+) bytes spill loads")
REGISTERS = re.compile(r"Used (\d+) registers")


def known_architectures(nvcc):
    codes = subprocess.run([nvcc, "--list-gpu-code"], check=True, text=True, capture_output=True)
    return sorted({int(n) for n in re.findall(r"sm_(\d+)", codes.stdout) if int(n) >= 75},
                  key=lambda n: (n != 90, n))


def include_folders(source, build):
    return [f"{source}/src", f"{source}/include", f"{build}/generated"]


def compile_kernels(nvcc, folders, path, architecture, output=os.devnull):
    """ptxas' report on one file, whose machine code goes to `output`."""
    options = ["-std=c++17", "-O3", *(f"-I{folder}" for folder in folders)]
    if output != os.devnull:  # in two steps, so that the PTX stays
        os.makedirs(os.path.dirname(output), exist_ok=True)
        ptx = re.sub(r"\.cubin$", ".ptx", output)
        run_compiler([nvcc, *options, "-ptx", f"-arch=compute_{architecture}", "-o", ptx, path])
        options, path = ["-O3"], ptx
    return run_compiler([nvcc, *options, "-Xptxas", "-v", "-cubin", f"-arch=sm_{architecture}",
                         "-o", output, path])


def run_compiler(command):
    done = subprocess.run(command, text=True, capture_output=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}:\n{done.stderr}")
    return done.stderr


def plain_name(mangled, demangled):
    """legendre_synthesis.v4w4 of void legendre_synthesis<in_double, 2, kernel_shape<4, 4> >(...),
    legendre_synthesis.single.v4w4 of void legendre_synthesis<in_single, ...>(...), .two_floats of
    in_two_floats, fill.single of void fill<float>(...),
    legendre_synthesis.fields.v4w4 of void legendre_synthesis<in_double, 4, ...>(...),
    spin_synthesis.fields.v4w4 of void spin_synthesis<2, ...>(...)."""
    shape = re.search(r"kernel_shape<(\d+), (\d+)>", demangled)
    name = re.sub(r"\(.*", "", demangled.replace("(anonymous namespace)::", ""))
    name = re.sub(r"<.*", "", name).split()[-1].split("::")[-1]
    two_floats = ".two_floats" if "in_two_floats" in demangled else ""
    single = ".single" if re.search(r"in_single|<float\b|<float_pair\b", demangled) else two_floats
    fields = ".fields" if re.search(r"<in_\w+, 4,|spin_\w+<2,|tensor_\w+<4,", demangled) else ""
    return (name or mangled) + single + fields + (f".v{shape[1]}w{shape[2]}" if shape else "")


def demangle(names):
    if not names:
        return {}
    done = subprocess.run(["c++filt"], input="\n".join(names), text=True, capture_output=True,
                          check=True)
    return dict(zip(names, done.stdout.splitlines()))


def read_report(text):
    """(mangled name, architecture, registers, spilled bytes) of each kernel."""
    name = architecture = None
    spilled = 0
    for line in text.splitlines():
        if match := ENTRY.search(line):
            name, architecture, spilled = match[1], match[2], 0
        elif match := SPILL.search(line):
            spilled = max(int(match[1]), int(match[2]))
        elif (match := REGISTERS.search(line)) and name:
            yield name, architecture, int(match[1]), spilled
            name = None


def measure(nvcc, source, build, architectures, keep):
    """{file/kernel: {registers: (most, where), spilled: (most, where), variants: names}}"""
    folder = os.path.join(source, "src/cuda/kernels")
    if keep:  # nothing of files that are gone
        shutil.rmtree(os.path.join(build, "sass"), ignore_errors=True)

    def rows_of(file, architecture):
        output = (os.path.join(build, "sass", f"{file[:-3]}.cubin")
                  if keep and int(architecture) == 90 else os.devnull)
        report = compile_kernels(nvcc, include_folders(source, build),
                                 os.path.join(folder, file), architecture, output)
        return [(file[:-3], *row) for row in read_report(report)]

    tasks = [(file, architecture) for file in sorted(os.listdir(folder)) if file.endswith(".cu")
             for architecture in architectures]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = [row for rows in pool.map(rows_of, *zip(*tasks)) for row in rows]
    words = demangle(sorted({row[1] for row in rows}))
    result = {}
    for file, mangled, architecture, registers, spilled in rows:
        kernel = result.setdefault(f"{file}/{plain_name(mangled, words[mangled])}",
                                   {"registers": (0, ""), "spilled": (0, ""), "variants": set()})
        kernel["registers"] = max(kernel["registers"], (registers, architecture))
        kernel["spilled"] = max(kernel["spilled"], (spilled, architecture))
        kernel["variants"].add(mangled)
    return result


def read_budget(path):
    with open(path, encoding="utf-8") as file:
        lines = [line.split("#")[0].split() for line in file]
    return {words[0]: (int(words[1]), int(words[2])) for words in lines if words}


def compare(measured, budget):
    problems = [f"{name}: in the budget, but no such kernel" for name in budget
                if name not in measured]
    for name, kernel in sorted(measured.items()):
        registers, spilled = kernel["registers"], kernel["spilled"]
        print(f"{name:44} {registers[0]:4} registers ({registers[1]}) {spilled[0]:5} bytes"
              f" spilled {spilled[1] if spilled[0] else '':6} {len(kernel['variants']):3} variants")
        if name not in budget:
            problems.append(f"{name}: no line in the budget")
        elif registers[0] > budget[name][0] or spilled[0] > budget[name][1]:
            problems.append(f"{name}: {registers[0]} registers ({registers[1]}), {spilled[0]} "
                            f"bytes spilled ({spilled[1]}); the budget is {budget[name][0]} and "
                            f"{budget[name][1]}")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--architectures")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--print", action="store_true")
    parser.add_argument("source")
    parser.add_argument("build")
    arguments = parser.parse_args()
    nvcc = shutil.which(arguments.nvcc)
    if not nvcc:
        print("ptxas_check: no compiler for CUDA here")
        return 77
    architectures = (arguments.architectures.split(",") if arguments.architectures
                     else known_architectures(nvcc))
    measured = measure(nvcc, arguments.source, arguments.build, architectures,
                       arguments.keep)
    if arguments.print:
        for name, kernel in sorted(measured.items()):
            print(f"{name:44} {kernel['registers'][0]:4} {kernel['spilled'][0]:4}")
        return 0
    budget = read_budget(os.path.join(arguments.source, "tests/cuda/ptxas_budget.txt"))
    problems = compare(measured, budget)
    for problem in problems:
        print(f"ptxas_check: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
