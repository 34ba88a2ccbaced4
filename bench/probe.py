"""One library, one operator, in a process of its own: how long a first plan takes, and how much
memory plan and call need beyond input and output. Prints one line of JSON."""
import ctypes
import json
import resource
import time

import numpy as np

import candidates
import problems

MMAP_THRESHOLD = -3  # of mallopt, glibc


def resident(field):
    """VmRSS or VmHWM of this process, bytes."""
    with open("/proc/self/status", encoding="ascii") as lines:
        for line in lines:
            if line.startswith(field + ":"):
                return 1024 * int(line.split()[1])
    return 0


def forget_peak():
    """Lets VmHWM start again from now. Returns False where the system cannot do it."""
    try:
        with open("/proc/self/clear_refs", "w", encoding="ascii") as knob:
            knob.write("5")
        return True
    except OSError:
        return False


def give_back_freed():
    """Freed arrays of any size go back to the system at once: none is counted twice."""
    libc = ctypes.CDLL(None)
    if hasattr(libc, "mallopt"):
        libc.mallopt(MMAP_THRESHOLD, 1 << 16)


def find(name, path):
    if name == "armilla":
        return candidates.Armilla(path)
    return {peer.name: peer for peer in candidates.peer_classes()}[name]()


def warm_up(library, problem, operator, variant):
    """A small transform, which loads code."""
    small = problem.of_size(32 if problem.kind == "healpix" else 63)
    library.make(small, operator, variant, problems.source_for(small, operator)).run()


def run(name, path, key, operator, variant):
    problem, library = problems.from_key(key), find(name, path)
    give_back_freed()
    warm_up(library, problem, operator, variant)
    source = problems.source_for(problem, operator)
    target = problems.outputs(problem, operator)
    target[:] = 1.0
    in_out = source.nbytes + target.nbytes
    exact = forget_peak()
    base = resident("VmRSS")
    start = time.perf_counter()
    with_output = library.make(problem, operator, variant, source)
    plan_seconds = time.perf_counter() - start
    del target  # the run has its own, not touched yet
    with_output.run()
    peak = resident("VmHWM") or 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"plan_seconds": plan_seconds, "in_out_bytes": in_out,
                      "overhead_bytes": peak - base - with_output.copy_bytes if exact else None,
                      "info": with_output.info}))
    return np.isfinite(np.ravel(with_output.result())).all()
