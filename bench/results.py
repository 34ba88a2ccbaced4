"""Keeps what a run finds: which machine it was on, its results in files, and what tables say of
them. Nothing here needs numpy: processes are tied to cores before it is loaded."""
import datetime
import json
import os
import platform
import re

# --- The machine ---------------------------------------------------------------------------------

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


def machine_label(model, flags):
    """Short name for files, such as xeon-avx512 or epyc-9655-avx512."""
    words = re.sub(r"\([^)]*\)|\d+-core|@.*", " ", model.lower())
    dull = {"intel", "amd", "cpu", "processor", "core", "with"}
    kept = [word for word in re.findall(r"[\w.]+", words) if word not in dull]
    return "-".join(kept + [(column(flags) or platform.machine()).lower().replace("-", "")])


def describe(cores):
    model, flags = cpu_facts()
    return {"cpu": model, "flags": flags, "cores": os.cpu_count(), "pinned_to": cores,
            "column": column(flags), "label": machine_label(model, flags),
            "system": platform.platform(), "python": platform.python_version(),
            "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
            "load": round(os.getloadavg()[0], 2)}


# --- Files ---------------------------------------------------------------------------------------

# What makes two records of a scenario or stage one and the same measurement.
IDENTITY = ("what", "scenario", "kind", "lmax", "spin", "ntrans", "isa", "operator", "library")
KINDS = ("command", "quick", "threads", "isa")


def load(folder, quick):
    """All of a folder, oldest first; those of quick runs only where asked for."""
    found = []
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        if not name.endswith(".json"):
            continue
        path = os.path.join(folder, name)
        with open(path, encoding="utf-8") as text:
            result = json.load(text)
        if "command" in result and (quick or not result["quick"]):
            found.append(dict(result, path=path))
    return sorted(found, key=lambda result: result["machine"]["date"])


def label(result):
    """For names of pictures: the machine, and what is not as usual."""
    forced = f"-only-{result['isa']}" if result.get("isa") else ""
    threads = result.get("threads", 1) if result["command"] == "sht" else 1
    return result["machine"]["label"] + forced + (f"-{threads}-threads" if threads > 1 else "")


def newest_records(results):
    """{(scenario of the problem, operator): record} of sht runs; a newer one takes the place."""
    found = {}
    for result in results:
        for record in result.get("records", ()):
            found[record["scenario"], record["operator"]] = record
    return found


def newest_of(results, name):
    """The records of a list that results may have, each the newest of its kind."""
    found = {}
    for result in results:
        for record in result.get(name, ()):
            key = tuple(record.get(field) for field in IDENTITY)
            found.pop(key, None)  # newer ones stand behind
            found[key] = record
    return list(found.values())


class Keeper:
    """The result of a run in progress and its file, written anew after each measurement."""

    def __init__(self, folder, result):
        self.folder, self.result, self.path = folder, result, None

    def resume(self):
        """Takes over what the newest run of the same kind has. Returns a message."""
        def kind(result):
            return [result.get(field) for field in KINDS] + [result["machine"]["label"]]
        same = [old for old in load(self.folder, True) if kind(old) == kind(self.result)]
        if not same:
            return "run.py: nothing to resume"
        old = same[-1]
        self.path = old.pop("path")
        self.result.update(old)
        return f"run.py: goes on with {self.path}"

    def list(self, name):
        """The list of that name, empty at first."""
        return self.result.setdefault(name, [])

    def add(self, name, record):
        self.list(name).append(dict(record, load=round(os.getloadavg()[0], 2)))
        self.write()

    def write(self):
        if self.path is None:
            stamp = self.result["machine"]["date"].replace(":", "").replace("+0000", "Z")
            self.path = os.path.join(self.folder, f"{self.result['command']}-{stamp}.json")
            os.makedirs(self.folder, exist_ok=True)
        with open(self.path + ".part", "w", encoding="utf-8") as out:
            json.dump(self.result, out, indent=1)
        os.replace(self.path + ".part", self.path)


# --- Ratios --------------------------------------------------------------------------------------

# The time of the fastest peer over ours: larger than 1 means that Armilla is faster.
OURS, ALONE = "armilla", "armilla, one by one"


def best_peer(record):
    peers = {name: s for name, s in record["seconds"].items() if not name.startswith(OURS)}
    return min(peers, key=peers.get) if peers else None


def ratio(record):
    peer = best_peer(record)
    if peer is None or OURS not in record["seconds"]:
        return None
    return record["seconds"][peer] / record["seconds"][OURS]


def by_problem(records):
    """[records of one problem, ...] in their order."""
    found = {}
    for record in records:
        found.setdefault(record["scenario"], []).append(record)
    return list(found.values())


def total(records, name_of):
    """Sum of the times of the library that name_of picks in each record, or None."""
    names = [name_of(record) for record in records]
    if not all(name in record["seconds"] for name, record in zip(names, records)):
        return None
    return sum(record["seconds"][name] for name, record in zip(names, records))


def quotient(records, above, below):
    top, bottom = total(records, above), total(records, below)
    return top / bottom if top and bottom else None


def combined(records):
    """Both operators of one problem: the fastest peers' times over ours."""
    return quotient(records, best_peer, lambda record: OURS)


def gain_at_once(records):
    """Our transforms one by one over the same at once."""
    return quotient(records, lambda record: ALONE, lambda record: OURS)


# --- Tables for people (Markdown) ----------------------------------------------------------------

def table(header, rows):
    """Markdown, columns aligned."""
    cells = [header] + rows
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |"
             for row in cells]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def number(value, pattern):
    return "-" if value is None else pattern.format(value)


def heading(machine, versions):
    cores = machine["pinned_to"]
    libraries = ", ".join(f"{name} {version}" for name, version in versions.items())
    return (f"{machine['cpu']}, {machine['cores']} cores, {len(cores)} used "
            f"({', '.join(str(core) for core in cores)}), {' '.join(machine['flags'])}, "
            f"load {machine['load']}, {machine['date']}" + (f"\n\n{libraries}" if versions else ""))
