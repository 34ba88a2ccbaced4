#!/usr/bin/env python3
"""Runs the benchmarks of Armilla, next to its peers and to the machine's peak. See
docs/measurements.md.

    bash bench/peers.sh                     once: builds the peers into bench/.venv
    python3 bench/run.py sht --peers        transforms: times, ratios, errors, plans, memory
    python3 bench/run.py scaling --peers    threads, sizes, several at once, memory, accuracy, peak
    python3 bench/run.py kernels            Legendre stage against the FMA peak
    python3 bench/run.py radial --peers     radial convolution next to harmonic smoothing
    python3 bench/run.py radial --supports --peers      over supports of 1 to 16 degrees
    python3 bench/run.py radial --model                 the model of its cost next to what it takes
    python3 bench/run.py points --peers     values at arbitrary points next to ducc0
    python3 bench/run.py cuda-many          many transforms, points, radial convolution on a GPU:
    python3 bench/run.py cuda-points        timed where there is one and build-gpu*, else counted on
    python3 bench/run.py cuda-radial        the emulated one (docs/gpu_inside.md)
    python3 bench/run.py ab --old PATH      an older build's libarmilla.so against this one
    python3 bench/run.py table              the newest results of sht, with --isa avx2 beside
    python3 bench/run.py plot               pictures of the newest results, also to docs/figures/

Candidates alternate and minima count. sht, kernels, radial and points use one core, or --threads;
ab one; scaling all.
Results (JSON, and pictures of sht, kernels and radial) go to bench/results/, as soon as they are
there: a run that is stopped (ctrl-c) leaves what it measured, and --resume goes on from there.
"""
import argparse
import importlib
import json
import os
import signal
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# Modules of this folder: run(options, say, kept) measures, text(result) makes the tables.
COMMANDS = ("sht", "scaling", "kernels", "ab", "radial", "points", "cuda-many", "cuda-points",
            "cuda-radial")
BUDGET = {"ab": 2.0}  # seconds, where not as usual


def parse():
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=COMMANDS + ("plot", "table", "probe"))
    parser.add_argument("--peers", action="store_true", help="also time the installed peers")
    parser.add_argument("--scenario", type=names, help="only these, such as gl,healpix-spin2 (sht) "
                        "strong,memory (scaling) or gl,many (ab); --scenario list tells them")
    parser.add_argument("--quick", action="store_true",
                        help="few sizes, short timing (plot: show such results too)")
    add_choices(parser)
    add_places(parser)
    parser.add_argument("--probe", help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.repeat = options.repeat or (3 if options.quick else 5)
    usual = BUDGET.get(options.command, 5.0)
    options.budget = options.budget or (1.0 if options.quick else usual)
    options.script = os.path.abspath(__file__)
    return options


def add_choices(parser):
    parser.add_argument("--lmax", type=sizes, help="band limits (Gauss-Legendre, points), such as "
                        "255,1023")
    parser.add_argument("--nside", type=sizes, help="HEALPix sizes, such as 512,1024")
    parser.add_argument("--epsilon", type=accuracies, help="points: such as 1e-2,1e-6")
    parser.add_argument("--patches", action="store_true",
                        help="points: in patches of the sky, lmax 5000 or --lmax")
    parser.add_argument("--spin", type=sizes, help="spins of scaling, kernels, points, ab and "
                        "equidistant (default: 0,2; ab on Gauss-Legendre: 0,1,2,3)")
    parser.add_argument("--grid", type=names, help="equidistant: only these, such as CC,MW")
    parser.add_argument("--rings", type=names, help="equidistant: numbers of rings among fewest, "
                        "smooth, eleven, prime (default: all; ab: fewest)")
    parser.add_argument("--supports", action="store_true",
                        help="radial: over the support of the kernel, nside 512 to 2048 or --nside")
    parser.add_argument("--isa", help="instruction set of Armilla, such as avx2")
    parser.add_argument("--model", action="store_true",
                        help="radial: predictions of the cost model next to what calls take")
    parser.add_argument("--repeat", type=int, help="rounds at least (default: 5; quick: 3)")
    parser.add_argument("--budget", type=float,
                        help="seconds of timing per grid and operator (default: 5; ab: 2; "
                        "quick: 1)")
    parser.add_argument("--minutes", type=float, help="sht, ab: time for all, shared among the "
                        "problems by their size; what does not fit is left out")
    parser.add_argument("--resume", action="store_true",
                        help="go on with the newest run of this kind, skipping what it has")
    parser.add_argument("--probe-from", type=int, default=255,
                        help="smallest lmax whose plan and memory are measured (default: 255)")
    parser.add_argument("--cpu", type=int, help="core to use (default: the last one allowed)")
    parser.add_argument("--threads", type=int,
                        help="threads of every library (default: 1; scaling: at most all cores)")


def add_places(parser):
    parser.add_argument("--old", help="ab: the older build's shared library")
    parser.add_argument("--library", "--new",
                        default=os.path.join(HERE, "..", "build", "libarmilla.so"),
                        help="Armilla's shared library (default: build/libarmilla.so)")
    parser.add_argument("--output", default=os.path.join(HERE, "results"),
                        help="folder of results (default: bench/results)")
    parser.add_argument("--figures", default=os.path.join(HERE, "..", "docs", "figures"),
                        help="plot: folder of the copies (default: docs/figures)")


def sizes(text):
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text}: must be numbers separated by commas") from None


def accuracies(text):
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text}: must be numbers separated by commas") from None


def names(text):
    return tuple(text.split(","))


def peers_environment(isa):
    """Where the peers are: those built for an instruction set, if there are any."""
    own = os.path.join(HERE, f".venv-{isa}")
    return os.environ.get("ARMILLA_PEERS_VENV",
                          own if isa and os.path.exists(own) else os.path.join(HERE, ".venv"))


def enter_environment(isa, needs_numpy):
    """The peers' virtual environment takes over where there is one; else numpy must be here."""
    venv = peers_environment(isa)
    python = os.path.join(venv, "bin", "python")
    if os.path.abspath(sys.prefix) != os.path.abspath(venv) and os.path.exists(python):
        os.execv(python, [python] + sys.argv)
    if not needs_numpy:
        return
    try:
        import numpy  # noqa: F401
    except ImportError:
        raise SystemExit("run.py: numpy is missing: run bench/peers.sh first, which makes "
                         "bench/.venv with it") from None


def needs_numpy(command):
    return command != "kernels" and not command.startswith("cuda-")


def module_of(command):
    return importlib.import_module("cuda_calls" if command.startswith("cuda-") else command)


def say(text):
    print(text, file=sys.stderr, flush=True)


def check_choices(options):
    """Ends the run where an option names what there is not."""
    if options.scenario and options.command not in ("sht", "scaling", "ab"):
        raise SystemExit(f"run.py: {options.command} has no scenarios")
    if not needs_numpy(options.command):
        return
    import problems
    known = tuple(problems.SCENARIOS.get(options.command, ()))
    if options.command == "scaling":
        from scaling import SCALING
        known = tuple(SCALING)
    for name in options.scenario or ():
        if known and name not in known:
            raise SystemExit(f"run.py: scenarios of {options.command}: {', '.join(known)}")
    for asked, known in ((options.grid, problems.CIRCLES), (options.rings, problems.CHOICES)):
        if not set(asked or ()) <= set(known):
            raise SystemExit(f"run.py: {','.join(asked)}: choose from {', '.join(known)}")


def measure(options, cores):
    """Runs the command's scenarios, prints their tables, keeps and draws the results. Returned:
    whether it came to its end."""
    import results
    facts = results.describe(cores)
    if facts["load"] > 1.0:
        say(f"run.py: load {facts['load']}: other programs are running, times will be too long")
    result = {"command": options.command, "machine": facts, "quick": options.quick,
              "threads": options.threads, "isa": options.isa or os.environ.get("ARMILLA_ISA"),
              "versions": {}}
    kept = results.Keeper(options.output, result)
    if options.resume:
        say(kept.resume())
    for number in (signal.SIGINT, signal.SIGTERM):  # also where the shell ignores ctrl-c
        signal.signal(number, stop)
    ended = True
    try:
        module_of(options.command).run(options, say, kept)
    except KeyboardInterrupt:
        ended = False
        say("run.py: stopped; --resume goes on")
    finish(options, kept)
    return ended


def stop(number, frame):
    raise KeyboardInterrupt


def finish(options, kept):
    import results
    if not kept.path:
        return
    text = module_of(options.command).text
    print(results.heading(kept.result["machine"], kept.result["versions"]), text(kept.result),
          sep="\n\n")
    say("written: " + kept.path)
    draw([kept.result], options, None)


def draw(results, options, copies):
    try:
        import plots
    except ImportError as error:
        say(f"run.py: no pictures: {error}")
        return
    for path in plots.draw_all(results, options.output, copies):
        say("drawn: " + path)


def main():
    options = parse()
    enter_environment(options.isa, needs_numpy(options.command))
    import results
    if options.isa:
        os.environ["ARMILLA_ISA"] = options.isa
    if options.command == "table":
        import sht
        here = results.machine_label(*results.cpu_facts())
        print(sht.both_text(results.load(options.output, options.quick), here))
        return 0
    if options.command == "plot":
        draw(results.load(options.output, options.quick), options, options.figures)
        return 0
    every = len(results.allowed_cores())
    options.threads = options.threads or (every if options.command == "scaling" else 1)
    cores = results.pin(options.cpu if options.threads == 1 else None, options.threads)
    check_choices(options)
    if options.command == "probe":
        import sht
        name, key, operator, variant = json.loads(options.probe)
        return 0 if sht.probe_here(name, options.library, key, operator, variant) else 1
    return 0 if measure(options, cores) else 130


if __name__ == "__main__":
    sys.exit(main())
