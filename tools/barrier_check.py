#!/usr/bin/env python3
"""Takes away each barrier of the CUDA kernels in turn and demands that a test notices.

Usage: barrier_check.py BUILD [WORD ...]     (WORD: only files whose name contains one of them)

BUILD is a build folder whose tests are built. Each __syncthreads() and __syncwarp() of
src/cuda/kernels is replaced by nothing in a copy, the objects that depend on the file are compiled
and linked as in BUILD, and the tests of src/cuda run until one fails: those of the same stage
first. A test that fails must pass as it is. Prints a table; exits with 1 if a barrier was missed
by nobody.
"""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

BARRIER = re.compile(r"__sync(?:threads|warp)\([^()]*\)")
SECONDS = 300  # for one test: more is a failure (waiting for ever)
STAGES = {"spin": "legendre"}  # first word of kernels: of the tests, where it is another


def find_barriers(source, words):
    """(file, offset, text) of every barrier, comments left out."""
    folder = os.path.join(source, "src/cuda/kernels")
    for name in sorted(os.listdir(folder)):
        if words and not any(word in name for word in words):
            continue
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            text = file.read()
        code = re.sub(r"/\*.*?\*/|//[^\n]*", lambda m: " " * len(m[0]), text, flags=re.S)
        for match in BARRIER.finditer(code):
            yield name, match.start(), match.end()


class Build:
    """What a build folder knows: commands for the kernels, and how tests are linked."""

    def __init__(self, build, source):
        self.build, self.source = os.path.abspath(build), source
        with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
            commands = json.load(file)
        self.kernels = [c for c in commands if "armilla_cuda_emulated.dir" in c["command"]
                        and c["file"].endswith(".cu")]
        tests = os.path.join(source, "tests/cuda")
        self.tests = [name.rsplit(".", 1)[0] for name in sorted(os.listdir(tests))
                      if re.fullmatch(r"test_cuda_(?!emulation)\w+\.c(pp)?", name)]
        self.passed = set()

    def demand_pass(self, test):
        """Ends the program if the test fails as it is; each runs once."""
        if test not in self.passed and fails(os.path.join(self.build, "tests", test)):
            sys.exit(f"barrier_check: {test} fails as it is")
        self.passed.add(test)

    def ninja(self, *arguments):
        return subprocess.run(["ninja", "-C", self.build, *arguments], check=True, text=True,
                              capture_output=True).stdout

    @staticmethod
    def output(command):
        words = shlex.split(command["command"])
        return words[words.index("-o") + 1]

    def depends(self, command, name):
        """Does the object contain the file?"""
        if command["file"].endswith("/" + name):
            return True
        return f"src/cuda/kernels/{name}" in self.ninja("-t", "deps", self.output(command))

    def compile(self, command, scratch):
        """The object with what lies in scratch/src in front; returns its path."""
        words = shlex.split(command["command"])
        result = os.path.join(scratch, os.path.basename(command["file"]) + ".o")
        words[words.index("-o") + 1] = result
        words[words.index("-c") + 1] = command["file"].replace(self.source, scratch, 1)
        compiler = next(i for i, word in enumerate(words) if word.endswith(("c++", "g++")))
        words.insert(compiler + 1, f"-I{scratch}/src")
        subprocess.run(words, cwd=command["directory"], check=True)
        return result

    def link(self, test, replaced, scratch):
        """The test with other objects; returns its path."""
        line = self.ninja("-t", "commands", "-s", f"tests/{test}").splitlines()[-1]
        line = re.sub(r"^: && | && :$", "", line.strip())
        words, result = shlex.split(line), os.path.join(scratch, test)
        words = [replaced.get(word, word) for word in words]
        words[words.index("-o") + 1] = result
        subprocess.run(words, cwd=self.build, check=True)
        return result


def fails(program):
    """Does the test fail? Its last line says how."""
    environment = dict(os.environ, OMP_WAIT_POLICY="passive")
    try:
        done = subprocess.run([program], env=environment, text=True, errors="replace",
                              timeout=SECONDS, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except subprocess.TimeoutExpired:
        return "does not end"
    if done.returncode == 0:
        return None
    report = [line for line in done.stdout.splitlines() if "CUDA emulation:" in line]
    return report[0][:60] if report else "wrong numbers"


def who_notices(build, name, offsets, scratch):
    """(test, how) of the first test that fails without the barrier, or None."""
    kernels = os.path.join(scratch, "src/cuda/kernels")
    shutil.copytree(os.path.join(build.source, "src/cuda/kernels"), kernels)
    path = os.path.join(kernels, name)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text[:offsets[0]] + "(void)0" + text[offsets[1]:])
    replaced = {build.output(c): build.compile(c, scratch)
                for c in build.kernels if build.depends(c, name)}
    stem = name.split("_")[0]
    for test in sorted(build.tests, key=lambda t: STAGES.get(stem, stem) not in t):
        how = fails(build.link(test, replaced, scratch))
        if how:
            build.demand_pass(test)
            return test, how
    return None


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    source = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    build = Build(sys.argv[1], source)
    missed = count = 0
    for name, start, end in find_barriers(source, sys.argv[2:]):
        with open(os.path.join(source, "src/cuda/kernels", name), encoding="utf-8") as file:
            line = file.read()[:start].count("\n") + 1
        with tempfile.TemporaryDirectory(prefix="armilla") as scratch:
            found = who_notices(build, name, (start, end), scratch)
        test, how = found or ("NOBODY NOTICES", "")
        print(f"{name + ':' + str(line):40} {test:32} {how}", flush=True)
        missed += found is None
        count += 1
    print(f"{count} barriers, {missed} missed by nobody")
    return 1 if missed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
