#!/usr/bin/env python3
"""Takes away each barrier of the CUDA kernels in turn and demands that the recorder finds a race.

Usage: barrier_check.py BUILD [WORD ...]     (WORD: only files whose name contains one of them)

BUILD is a build folder whose tests are built. Each __syncthreads() and __syncwarp() of
src/cuda/kernels is replaced by nothing in a copy, the objects for the recorder that depend on the
file are compiled and linked as in BUILD, and test_cuda_races runs until it tells of a race between
two threads, with both lines. Then accesses are made worse in a copy, one by one (WORSE below), and
test_cuda_access must fail by its budget. Both tests must pass as they are. Prints a table; exits
with 1 if something was noticed by nobody.
"""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading

BARRIER = re.compile(r"__sync(?:threads|warp)\([^()]*\)")
RACE = re.compile(r"CUDA emulation: race of ((?!.*nobody).*)")
OVER_BUDGET = re.compile(r"^(?:ERROR: )?(.* the budget is .*)")
SECONDS = 600  # for one test: more is a failure (waiting for ever)
RACES, ACCESS = "test_cuda_races", "test_cuda_access"

# file, text, what it becomes: each warp reads sectors of which it uses a part; rows of a tile in
# shared memory begin in the same bank.
WORSE = [
    ("theta.cu", "factor[2 * i + 1], fine[i]);", "factor[2 * i + 1], fine[i * 7 % view.fine]);"),
    ("ringfft_leg.cu", "PITCH = PLACES + 2", "PITCH = PLACES"),
]


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
        self.kernels = [c for c in commands if "armilla_cuda_recorded.dir" in c["command"]
                        and c["file"].endswith(".cu")]
        if not self.kernels:
            sys.exit(f"barrier_check: {build} has no kernels for the recorder")

    def demand_pass(self, test):
        """Ends the program if the test fails as it is."""
        if subprocess.run([os.path.join(self.build, "tests", test)], env=quiet(), check=False,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
            sys.exit(f"barrier_check: {test} fails as it is")

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


def quiet():
    return dict(os.environ, OMP_WAIT_POLICY="passive")


def first_line(program, pattern):
    """The first line that the program prints which has the pattern; it ends there. Or None."""
    with subprocess.Popen([program], env=quiet(), text=True, errors="replace",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as run:
        timer = threading.Timer(SECONDS, run.kill)
        timer.start()
        found = next((match for line in run.stdout if (match := pattern.search(line))), None)
        run.kill()
        timer.cancel()
    return found and found[1].strip()


def build_changed(build, test, name, change, scratch):
    """The test with change(text of the file); returns its path."""
    kernels = os.path.join(scratch, "src/cuda/kernels")
    shutil.copytree(os.path.join(build.source, "src/cuda/kernels"), kernels)
    path = os.path.join(kernels, name)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(change(text))
    replaced = {build.output(c): build.compile(c, scratch)
                for c in build.kernels if build.depends(c, name)}
    return build.link(test, replaced, scratch)


def check(build, test, name, change, pattern, what):
    """Prints what the test says of the change. Returned: whether it says anything."""
    with tempfile.TemporaryDirectory(prefix="armilla") as scratch:
        found = first_line(build_changed(build, test, name, change, scratch), pattern)
    print(f"{what:32} {found or 'NOBODY NOTICES'}", flush=True)
    return found is not None


def replace_once(name, old, new):
    def change(text):
        if text.count(old) != 1:
            sys.exit(f"barrier_check: {name} has {text.count(old)} times: {old}")
        return text.replace(old, new)
    return change


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    source = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    build, words, results = Build(sys.argv[1], source), sys.argv[2:], []
    build.demand_pass(RACES)
    build.demand_pass(ACCESS)
    for name, start, end in find_barriers(source, words):
        with open(os.path.join(source, "src/cuda/kernels", name), encoding="utf-8") as file:
            line = file.read()[:start].count("\n") + 1
        results.append(check(build, RACES, name,
                             lambda text, a=start, b=end: text[:a] + "(void)0" + text[b:],
                             RACE, f"{name}:{line}"))
    count = len(results)
    for name, old, new in WORSE:
        if not words or any(word in name for word in words):
            results.append(check(build, ACCESS, name, replace_once(name, old, new),
                                 OVER_BUDGET, f"{name}, worse"))
    print(f"{count} barriers, {len(results) - count} worse accesses, "
          f"{results.count(False)} noticed by nobody")
    return 1 if not results or not all(results) else 0


if __name__ == "__main__":
    sys.exit(main())
