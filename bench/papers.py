#!/usr/bin/env python3
"""Draws what five papers on spherical harmonic transforms draw, from measurements on this machine:
ARKCoS (Elsner & Wandelt 2011), s2hat on GPUs (Hupca et al. 2010), cunuSHT (Belkner et al. 2024) and
libsharp (Reinecke & Seljebotn 2013). See docs/results/papers.md, which it writes.

    make bench-papers              all: docs/results/papers.md, papers.jsonl, docs/figures/papers
    make bench-papers QUICK=1      small sizes, under three minutes, into build/papers
    bench/papers.py --only libsharp-5,arkcos-2     some figures; the others stay as they are
    bench/papers.py --draw                         pictures and page anew, nothing is measured

Each figure's measurements are lines of JSON, and are kept as soon as the figure is measured. Times
of one thread are processor times, so that other programs cost their share of the caches only; times
of several threads are by the clock and need a quiet machine.
"""
import argparse
import importlib
import json
import os
import sys
import textwrap
import time

import results

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
PAPERS = ("arkcos", "s2hat", "cunusht", "libsharp")  # modules papers_NAME
PEERS = ("ducc0", "healpy")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small sizes, into build/papers")
    parser.add_argument("--only", type=lambda text: text.split(","), default=(),
                        help="names of figures, or of papers, with commas")
    parser.add_argument("--output", help="folder for lines, pictures and page (default: docs, and "
                        "build/papers of --quick)")
    parser.add_argument("--draw", action="store_true", help="measure nothing")
    parser.add_argument("--library", default=os.path.join(ROOT, "build", "libarmilla.so"))
    options = parser.parse_args()
    # What the modules of bench/run.py ask their options for.
    vars(options).update(threads=len(results.allowed_cores()), repeat=2, peers=True, isa=None,
                         budget=0.3 if options.quick else 1.0, nside=None, lmax=None, spin=None,
                         script=os.path.join(HERE, "run.py"))
    return options


def places(options):
    """(lines of JSON, folder of pictures, page)"""
    folder = options.output or (os.path.join(ROOT, "build", "papers") if options.quick else None)
    if folder:
        return [os.path.join(folder, name)
                for name in ("papers.jsonl", "figures", "papers.md")]
    docs = os.path.join(ROOT, "docs")
    return [os.path.join(docs, "results", "papers.jsonl"), os.path.join(docs, "figures", "papers"),
            os.path.join(docs, "results", "papers.md")]


def say(text):
    print(text, file=sys.stderr, flush=True)


# --- Lines of JSON --------------------------------------------------------------------------------


def load(path):
    """{figure: [about, record, ...]}"""
    found = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as lines:
            for text in lines:
                record = json.loads(text)
                found.setdefault(record.pop("figure"), []).append(record)
    return found


def store(path, kept):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".part", "w", encoding="utf-8") as out:
        for name, records in kept.items():
            for record in records:
                out.write(json.dumps(dict(figure=name, **record)) + "\n")
    os.replace(path + ".part", path)


def rounded(record):
    """Five digits are enough of what is measured."""
    def short(value):
        if isinstance(value, float):
            return float(f"{value:.5g}")
        if isinstance(value, dict):
            return {key: short(one) for key, one in value.items()}
        return [short(one) for one in value] if isinstance(value, (list, tuple)) else value
    return short(record)


# --- Measuring ------------------------------------------------------------------------------------


def context_of(options):
    import libraries
    from papers_common import Context
    peers, missing = libraries.load_peers(1)
    for message in missing:
        say(message)
    ours = libraries.Armilla(options.library, 1)
    return Context(options.quick, options.threads, ours,
                   {one.name: one for one in peers if one.name in PEERS}, say, options)


def measure(figure, context):
    """[about, record, ...]"""
    machine, begin = results.describe(results.allowed_cores()), time.monotonic()
    say(f"{figure.name}: {figure.title}, load {machine['load']}")
    records = [rounded(one) for one in figure.measure(context)]
    about = {"cpu": machine["cpu"], "column": machine["column"], "date": machine["date"],
             "cores": machine["cores"], "load": machine["load"], "load_after":
             round(os.getloadavg()[0], 2), "minutes": round((time.monotonic() - begin) / 60.0, 2),
             "versions": {name: one.version for name, one in
                          [("armilla", context.ours), *context.peers.items()]}}
    return [about] + records


def chosen(figures, only):
    unknown = [name for name in only
               if not any(one.name == name or one.name.split("-")[0] == name for one in figures)]
    if unknown:
        raise SystemExit(f"papers.py: no figure {', '.join(unknown)}: choose from "
                         f"{', '.join(one.name for one in figures)}")
    return [one for one in figures
            if not only or one.name in only or one.name.split("-")[0] in only]


# --- Pictures and page ----------------------------------------------------------------------------


def records_of(figure, kept):
    return [one for name in (figure.name, *figure.borrows) for one in kept.get(name, ())[1:]]


def about_of(figure, kept):
    """Where and when its measurements were made (a figure without any of its own has those that it
    borrows); None: it has not been measured."""
    names = (figure.name, *figure.borrows) if figure.name in kept else ()
    measured = [kept[name] for name in names if len(kept.get(name, ())) > 1]
    return measured[0][0] if measured else None


def draw(figure, kept, folder):
    """The picture's path, or None."""
    import plots
    about = about_of(figure, kept)
    made = about and figure.draw(records_of(figure, kept), about)
    return plots.save(made, folder, figure.name) if made else None


def prose(text):
    """A paragraph and what separates it from the next."""
    return [textwrap.fill(text, 110, break_long_words=False, break_on_hyphens=False), ""]


def part_of_page(figure, kept, folder, page):
    """One figure on the page."""
    about = about_of(figure, kept)
    lines = [f"### {figure.title}", ""]
    if about is None:
        return lines + prose(figure.caption) + not_run(figure)
    picture = os.path.join(folder, figure.name + ".png")
    if os.path.exists(picture):
        lines += [f"![{figure.title}]({os.path.relpath(picture, os.path.dirname(page))})", ""]
    lines += prose(figure.caption) + prose(f"*The paper:* {figure.paper}")
    elsewhere = "" if about_machine(about) == usual_machine(kept) else \
        f" on another machine, {about['cpu']} ({about['column'] or 'scalar'})"
    lines += prose(f"Measured {about['date'][:16].replace('T', ' ')} UTC{elsewhere}, load "
                   f"{about['load']:g} before and {about['load_after']:g} after{busy(about)}.")
    header, rows = figure.table(records_of(figure, kept))
    return lines + [results.table(header, rows), ""] + not_run(figure)


def busy(about):
    """Load counts what was measured, too: one program on all cores."""
    most = max(about["load"], about["load_after"])
    return (": a busy machine. Times by the clock, which are those of several threads, are too "
            "long there and not to be compared with others"
            if most > about["cores"] + 0.5 else "")


def not_run(figure):
    return prose(f"*Not run:* {'; '.join(figure.missing)}.") if figure.missing else []


def about_machine(about):
    return about["cpu"], about["column"], about["cores"]


def usual_machine(kept):
    """That of most figures."""
    every = [about_machine(records[0]) for records in kept.values()]
    return max(every, key=every.count)


def heading(kept):
    usual = [records[0] for records in kept.values()
             if about_machine(records[0]) == usual_machine(kept)]
    newest = max(usual, key=lambda about: about["date"])
    busiest = max(about["load"] for about in usual)
    versions = ", ".join(f"{name} {version}" for name, version in newest["versions"].items())
    beside = (" Other programs ran beside: times of one thread are processor times, and those of "
              "several threads, which are by the clock, are too long."
              if busiest > newest["cores"] + 0.5 else "")
    return (["# What five papers draw", ""] + prose(
        "The figures of ARKCoS (in its two versions), of s2hat on GPUs, cunuSHT and libsharp, as "
        "far as this library can repeat them on a processor. `make bench-papers` measures all of "
        "them, draws the pictures and writes this page (bench/papers.py); the measurements are "
        "lines of JSON in docs/results/papers.jsonl, from which `bench/papers.py --draw` makes "
        "pictures and page again.") + prose(
        f"Machine: {newest['cpu']} ({newest['column']}), {newest['cores']} cores. Versions: "
        f"{versions}; ducc0 and healpy are the wheels of the package index. The load was up to "
        f"{busiest:g}.{beside}") + prose(
        "Red marks and dotted lines are what the papers say, of their machines: numbers are those "
        "of their texts and tables, as nothing was read off their curves. Green dashes are "
        "predictions of [gpu-figures.md](../gpu-figures.md) for an H100: nothing here has been "
        "measured on a GPU."))


def headlines(modules, kept):
    """The numbers that the papers tell next to ours, as far as they have been measured."""
    rows = []
    for module in modules:
        for figure in module.FIGURES:
            if about_of(figure, kept) and figure.headline:
                rows += [[f"{module.TITLE}, {figure.title.split(':')[0].lower()}", *row]
                         for row in figure.headline(records_of(figure, kept))]
    header = ["figure", "what", "the paper", "here"]
    return ["## In short", "", results.table(header, rows), ""] if rows else []


def left(modules):
    """What of the papers has no place above, and why; what is repeated in part says so itself."""
    lines = ["## What is left", ""] + prose(
        "Figures and tables of the papers that are not above, and why. What of a figure above was "
        "not run stands below it.")
    for module in modules:
        lines += [f"- {module.TITLE}: {why}." for why in module.LEFT]
    return lines + [""]


def write_page(modules, kept, folder, page):
    lines = heading(kept) + headlines(modules, kept)
    for module in modules:
        lines += [f"## {module.TITLE}", ""] + prose(module.ABOUT)
        for figure in module.FIGURES:
            lines += part_of_page(figure, kept, folder, page)
    lines += left(modules)
    with open(page, "w", encoding="utf-8") as out:
        out.write("\n".join(lines).rstrip() + "\n")
    say("written: " + page)


def main():
    options = parse()
    for variable in results.THREADS:  # of libraries that take it from there
        os.environ[variable] = "1"
    modules = [importlib.import_module("papers_" + name) for name in PAPERS]
    figures = [figure for module in modules for figure in module.FIGURES]
    path, folder, page = places(options)
    kept, begin = load(path), time.monotonic()
    some = chosen(figures, options.only)
    context = None if options.draw else context_of(options)
    for figure in some if context else ():
        kept[figure.name] = measure(figure, context)
        store(path, {one.name: kept[one.name] for one in figures if one.name in kept})
    for figure in figures:
        path = draw(figure, kept, folder)
        if path:
            say("drawn: " + path)
    write_page(modules, kept, folder, page)
    say(f"papers.py: took {(time.monotonic() - begin) / 60.0:.1f} minutes")


if __name__ == "__main__":
    main()
