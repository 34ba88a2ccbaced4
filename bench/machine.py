"""Which machine this is, and how a process is tied to cores of it."""
import datetime
import os
import platform
import re

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "DUCC0_NUM_THREADS")
SIMD_FLAGS = ("sse2", "avx", "fma", "avx2", "avx512f", "avx512dq", "avx512vl", "neon", "asimd",
              "sve")


def allowed_cores():
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def pin(cpu, threads):
    """As many cores as threads for this process and its children: `cpu` for one thread (None: the
    last one allowed), else the last ones allowed. Before numpy and the libraries are imported.
    Returns the cores."""
    for variable in THREADS:
        os.environ[variable] = str(threads)
    cores = allowed_cores()[-threads:] if cpu is None else [cpu]
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, set(cores))
    return cores


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


def column(flags):
    """The column of the targets (targets.py) that this machine belongs to."""
    if "avx512f" in flags:
        return "AVX-512"
    return "AVX2" if "avx2" in flags else None


def label(model, flags):
    """Short name for files, such as xeon-avx512 or epyc-9655-avx512."""
    words = re.sub(r"\([^)]*\)|\d+-core|@.*", " ", model.lower())
    dull = {"intel", "amd", "cpu", "processor", "core", "with"}
    kept = [word for word in re.findall(r"[\w.]+", words) if word not in dull]
    return "-".join(kept + [(column(flags) or platform.machine()).lower().replace("-", "")])


def describe(cores):
    model, flags = cpu_facts()
    return {"cpu": model, "flags": flags, "cores": os.cpu_count(), "pinned_to": cores,
            "column": column(flags), "label": label(model, flags),
            "system": platform.platform(), "python": platform.python_version(),
            "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
            "load": round(os.getloadavg()[0], 2)}
