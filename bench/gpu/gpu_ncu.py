#!/usr/bin/env python3
"""Reads the table that ncu writes (--csv --page raw) and says it in rows.

Usage: gpu_ncu.py NCU.CSV RESULTS.JSONL

Appends a row for each launch with all its metrics; prints a line for the longest launch of each
kernel. Exits with 1 where there is no launch in the table.
"""
import csv
import json
import sys

# What a line says, where ncu has measured it: label, metric.
SHOWN = (
    ("ms", "gpu__time_duration.sum"),
    ("FP64 %", "sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_active"),
    ("issue %", "smsp__issue_active.avg.pct_of_peak_sustained_active"),
    ("warps %", "sm__warps_active.avg.pct_of_peak_sustained_active"),
    ("read MB", "dram__bytes_read.sum"),
    ("write MB", "dram__bytes_write.sum"),
    ("L1 %", "l1tex__t_sector_hit_rate.pct"),
    ("conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"),
)
TO_MS = {"ns": 1e-6, "nsecond": 1e-6, "us": 1e-3, "usecond": 1e-3, "ms": 1, "msecond": 1,
         "s": 1e3, "second": 1e3}
TO_MB = {"byte": 1e-6, "Kbyte": 1e-3, "Mbyte": 1, "Gbyte": 1e3}
STALL = "smsp__average_warps_issue_stalled_"


def number(text):
    """The number, or the text as it is."""
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return text
    return value if value == value and abs(value) != float("inf") else text


def read_launches(path):
    """One dictionary for each launch, and the units of its columns."""
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = [line for line in file if line.startswith('"')]
    rows = list(csv.reader(lines))
    head = next((i for i, row in enumerate(rows) if "Kernel Name" in row), None)
    if head is None or head + 1 >= len(rows):
        return [], {}
    names = rows[head]
    units = dict(zip(names, rows[head + 1]))
    launches = [dict(zip(names, map(number, row))) for row in rows[head + 2:]
                if len(row) == len(names)]
    return launches, units


def scaled(launch, units, metric):
    """The metric in milliseconds or MB where it is a time or bytes; None where it is no number."""
    value = launch.get(metric)
    if not isinstance(value, float):
        return None
    unit = units.get(metric, "")
    return value * TO_MS.get(unit, TO_MB.get(unit, 1))


def short_name(launch):
    return str(launch["Kernel Name"]).split("(")[0].split("<")[0].split()[-1]


def worst_stalls(launch):
    stalls = [(value, name[len(STALL):].split("_per_")[0]) for name, value in launch.items()
              if name.startswith(STALL) and isinstance(value, float)]
    return ", ".join(f"{name} {value:.2f}" for value, name in sorted(stalls, reverse=True)[:3])


def line_of(name, launch, units):
    words = []
    for label, metric in SHOWN:
        value = scaled(launch, units, metric)
        if value is not None:
            words.append(f"{label} {value:.4g}")
    stalls = worst_stalls(launch)
    return f"= {name}: " + ", ".join(words) + (f"; stalled: {stalls}" if stalls else "")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    launches, units = read_launches(sys.argv[1])
    longest = {}
    with open(sys.argv[2], "a", encoding="utf-8") as results:
        for launch in launches:
            name = short_name(launch)
            time = scaled(launch, units, "gpu__time_duration.sum")
            row = {"step": "ncu", "kernel": name, "key": f"ncu, {name}", "value": time,
                   "unit": "ms"}
            row.update({k: v for k, v in launch.items() if "__" in k or k.endswith("Size")})
            results.write(json.dumps(row) + "\n")
            results.flush()
            if name not in longest or (time or 0) > longest[name][0]:
                longest[name] = (time or 0, launch)
    for name, (_, launch) in longest.items():
        print(line_of(name, launch, units))
    return 0 if launches else 1


if __name__ == "__main__":
    sys.exit(main())
