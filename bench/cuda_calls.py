"""What many transforms, values at points and radial convolution take on a GPU. Where the bundle of
`make gpu-check` finds one, it times them there; elsewhere the C program bench_cuda counts launches,
memory and bytes on the emulated one, beside what models predict for an H100."""
import glob
import json
import os
import subprocess
import tempfile

from foretold import counted_seconds
from results import table

STEPS = {"cuda-many": ("times-many",), "cuda-points": ("times-points",),
         "cuda-radial": ("radial", "radial-rings")}


def build_of(options):
    return os.path.dirname(os.path.abspath(options.library))


# --- A GPU ---------------------------------------------------------------------------------------

def gpu_check_of(options):
    """The newest gpu_check that finds a GPU here, or None."""
    root = os.path.dirname(build_of(options))
    programs = glob.glob(os.path.join(root, "build-gpu*", "bench", "gpu_check"))
    for path in sorted(programs, key=os.path.getmtime, reverse=True):
        found = subprocess.run([path, "--small", "ceilings"], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, check=False)
        if found.returncode == 0:
            return path
    return None


def time_steps(program, command, quick, say):
    """Yields the rows that the steps of gpu_check leave."""
    for step in STEPS[command]:
        with tempfile.TemporaryDirectory() as folder:
            rows = os.path.join(folder, "rows.jsonl")
            small = ["--small"] if quick else []
            ended = subprocess.run([program, *small, "--results", rows, step], check=False)
            if ended.returncode:
                say(f"run.py: gpu_check {step} ended with {ended.returncode}")
            if os.path.exists(rows):
                with open(rows, encoding="utf-8") as lines:
                    yield from map(json.loads, lines)


# --- The emulated one ----------------------------------------------------------------------------

def program_of(options):
    path = os.path.join(build_of(options), "bench", "bench_cuda")
    if not os.path.exists(path):
        raise SystemExit(f"run.py: {path} is missing: build first, with tests and GCC (cmake "
                         "--preset release && cmake --build --preset release)")
    return path


def count_calls(options):
    """Yields what the program prints."""
    command = [program_of(options)] + (["--quick"] if options.quick else [])
    command.append(options.command.partition("-")[2])
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        for text_of_one in child.stdout:
            yield json.loads(text_of_one)
    if child.returncode:
        raise SystemExit(f"run.py: bench_cuda ended with {child.returncode}")


def run(options, say, kept):
    program = gpu_check_of(options)
    kept.result["where"] = program or "emulated"
    say(f"run.py: {'times by ' + program if program else 'no GPU is here: calls are counted'}")
    if program:
        for row in time_steps(program, options.command, options.quick, say):
            kept.add("timed", row)
        return
    for call in count_calls(options):
        kept.add("counted", call)


# --- Tables --------------------------------------------------------------------------------------

def text(result):
    if result["where"] != "emulated":
        return table(["figure", "measured", ""], [timed_row(row) for row in result["timed"]
                                                  if isinstance(row.get("value"), (int, float))])
    header = ["call", "launches", "plan MB: told", "counted", "call MB: told", "counted",
              "moved MB: kernels", "cuFFT", "ms by counts", "ms by the model"]
    return ("Counted on an emulated GPU; milliseconds are predictions for an H100.\n\n"
            + table(header, [counted_row(call) for call in result["counted"]]))


def timed_row(row):
    return [row["key"], f"{row['value']:.4g}", row.get("unit", "")]


def megabytes(value):
    return f"{1e-6 * value:.3g}" if value < 1e9 else f"{1e-6 * value:.0f}"


def counted_row(call):
    model = f"{call['model_ms']:.3g}" if call["model_ms"] else ""
    if "launches" not in call:  # larger than what can run here
        return [call["what"]] + 8 * [""] + [model]
    memory = ("told_plan_bytes", "counted_plan_bytes", "told_call_bytes", "counted_call_bytes",
              "kernel_bytes", "cufft_bytes")
    return ([f"{call['what']}, {call['operator']}", str(call["launches"])]
            + [megabytes(call[name]) for name in memory]
            + [f"{1e3 * counted_seconds(call):.3g}", model])
