"""Which machine this is, and how a process is tied to one core of it."""
import datetime
import os
import platform

SINGLE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
                 "DUCC0_NUM_THREADS")
SIMD_FLAGS = ("sse2", "avx", "fma", "avx2", "avx512f", "avx512dq", "avx512vl", "neon", "asimd",
              "sve")


def pin(cpu):
    """One core, one thread, for this process and its children. Before numpy and the libraries are
    imported. Returns the core."""
    for variable in SINGLE_THREAD:
        os.environ[variable] = "1"
    if not hasattr(os, "sched_setaffinity"):
        return None
    allowed = os.sched_getaffinity(0)
    cpu = max(allowed) if cpu is None else cpu
    os.sched_setaffinity(0, {cpu})
    return cpu


def cpu_facts():
    model, flags = platform.processor() or platform.machine(), []
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as lines:
            for line in lines:
                key, _, value = line.partition(":")
                if key.strip() == "model name":
                    model = value.strip()
                if key.strip() in ("flags", "Features"):
                    flags = [flag for flag in SIMD_FLAGS if flag in value.split()]
                    break
    except OSError:
        pass
    return model, flags


def describe(cpu):
    model, flags = cpu_facts()
    return {"cpu": model, "flags": flags, "cores": os.cpu_count(), "pinned_to": cpu,
            "system": platform.platform(), "python": platform.python_version(),
            "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
            "load": round(os.getloadavg()[0], 2)}
