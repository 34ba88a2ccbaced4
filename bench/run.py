#!/usr/bin/env python3
"""Benchmarks of Armilla, next to its peers and to the machine's peak. See docs/performance.md.

    bash bench/peers.sh                     once: builds the peers into bench/.venv
    python3 bench/run.py sht --peers        transforms: times, ratios, errors, plans, memory
    python3 bench/run.py kernels            Legendre stage against the FMA peak

One process, one core; candidates alternate and minima count. Results go to bench/results/.
"""
import argparse
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("command", choices=["sht", "kernels", "probe"])
    parser.add_argument("--peers", action="store_true", help="also time the installed peers")
    parser.add_argument("--library", default=os.path.join(HERE, "..", "build", "libarmilla.so"),
                        help="Armilla's shared library (default: build/libarmilla.so)")
    parser.add_argument("--scenario", choices=["gl", "healpix"], help="only these grids")
    parser.add_argument("--lmax", type=sizes, help="Gauss-Legendre band limits, such as 255,1023")
    parser.add_argument("--nside", type=sizes, help="HEALPix sizes, such as 512,1024")
    parser.add_argument("--isa", help="instruction set of Armilla, such as avx2")
    parser.add_argument("--repeat", type=int, help="rounds at least (default: 5; quick: 3)")
    parser.add_argument("--budget", type=float,
                        help="seconds of timing per grid and operator (default: 10; quick: 2)")
    parser.add_argument("--probe-from", type=int, default=255,
                        help="smallest lmax whose plan and memory are measured (default: 255)")
    parser.add_argument("--quick", action="store_true", help="few sizes, short timing")
    parser.add_argument("--cpu", type=int, help="core to use (default: the last one allowed)")
    parser.add_argument("--output", default=os.path.join(HERE, "results"),
                        help="folder of the JSON results")
    parser.add_argument("--probe", help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.repeat = options.repeat or (3 if options.quick else 5)
    options.budget = options.budget or (2.0 if options.quick else 10.0)
    options.script = os.path.abspath(__file__)
    return options


def sizes(text):
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text}: must be numbers separated by commas") from None


def enter_environment():
    """The peers' virtual environment takes over where there is one; else numpy must be here."""
    venv = os.environ.get("ARMILLA_PEERS_VENV", os.path.join(HERE, ".venv"))
    python = os.path.join(venv, "bin", "python")
    if os.path.abspath(sys.prefix) != os.path.abspath(venv) and os.path.exists(python):
        os.execv(python, [python] + sys.argv)
    try:
        import numpy  # noqa: F401
    except ImportError:
        raise SystemExit("run.py: numpy is missing: run bench/peers.sh first, which makes "
                         "bench/.venv with it") from None


def say(text):
    print(text, file=sys.stderr, flush=True)


def main():
    options = parse()
    if options.command != "kernels":
        enter_environment()
    import machine
    cpu = machine.pin(options.cpu)
    if options.isa:
        os.environ["ARMILLA_ISA"] = options.isa
    if options.command == "probe":
        import probe
        name, key, operator, variant = json.loads(options.probe)
        return 0 if probe.run(name, options.library, key, operator, variant) else 1
    facts = machine.describe(cpu)
    if facts["load"] > 1.0:
        say(f"run.py: load {facts['load']}: other programs are running, times will be too long")
    if options.command == "sht":
        import scenario_sht as scenario
    else:
        import scenario_kernels as scenario
    result = scenario.run(options, say)
    import report
    result["machine"], result["isa"] = facts, options.isa or os.environ.get("ARMILLA_ISA")
    text = report.sht_text(result) if options.command == "sht" else report.kernels_text(result)
    print(report.heading(facts), text, sep="\n\n")
    say("written: " + report.save(result, options.output, options.command))
    return 0


if __name__ == "__main__":
    sys.exit(main())
