#!/usr/bin/env python3
"""Runs other packages' own tests with Armilla in the place of ducc0, healpy, SHTns and SHTOOLS.

    tests/peers/run.py WORK [--real] [--last] [--write] [PEER ...]    (make test-peers)

WORK is a folder that tools/peers_venv.sh has filled: an environment and the packages' sources. A
test that fails must stand in known_failures.txt, with its reason, and one that stands there must
fail; else the exit status is 1. --real: without Armilla, to see which fail anyway; nothing is
compared. --last: nothing is run, the last run's reports are read. --write: the table goes to
docs/results/peers.md.
"""
from __future__ import annotations

import argparse
import datetime
import fnmatch
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path
from typing import Dict, List, NamedTuple, Tuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


class Peer(NamedTuple):
    """A package with its tests."""

    name: str
    version: str
    folder: str  # of the tests, in the source archive; "": they stand here
    files: Tuple[str, ...]
    strict: bool = False  # names that Armilla does not have are errors
    swapped: bool = True  # does Armilla stand in the place of ducc0 and healpy?


PEERS = (
    Peer("healpy", "1.20.1", "test", tuple(f"test_{name}.py" for name in (
        "sphtfunc", "pixelfunc", "query_disc", "fitsfunc", "rotator", "visufunc")), True),
    Peer("ducc0", "0.42.0", "python/test", ("test_sht.py", "test_healpix.py")),
    Peer("pixell", "0.32.9", "tests", ("test_pixell.py", "test_geom.py", "test_io.py",
                                       "test_wavelets.py")),
    Peer("pymaster", "3.0.1", "pymaster/tests", ("test_*.py",)),
    Peer("pymaster", "3.0.1", "", ("namaster_spectra.py",), swapped=False),
    Peer("lenspyx", "2.0.52", "", ("lenspyx_scripts.py", "lenspyx_swapped.py")),
    Peer("shtns", "3.7.5", "", ("shtns_programs.py",)),
    Peer("pyshtools", "4.14.1", "", ("pyshtools_classes.py", "pyshtools_programs.py")))
OUTCOMES = ("passed", "failed", "skipped")
Counts = Dict[Tuple[str, str], Dict[str, List[str]]]  # of peer and file: names by outcome


def place_of(peer: Peer, work: Path) -> Path:
    """Where its tests run."""
    return work / "run" / (peer.name if peer.swapped else f"{peer.name}_itself")


def prepared(peer: Peer, work: Path) -> Path:
    """A fresh copy of the tests away from the sources, so that the installed package is tested."""
    place = place_of(peer, work)
    shutil.rmtree(place, ignore_errors=True)
    if not peer.folder:
        place.mkdir(parents=True)
        for file in peer.files:
            shutil.copy(HERE / file, place)
        return place
    source = work / "sources" / f"{peer.name}-{peer.version}"
    shutil.copytree(source / peer.folder, place / "tests")
    data = os.environ.get("NAMASTER_DATA")
    if peer.name == "pymaster" and data:
        (place / "test").symlink_to(Path(data).resolve())
    return place


def command(peer: Peer, place: Path, real: bool) -> Tuple[List[str], Dict[str, str]]:
    """pytest's arguments and environment for one package."""
    folder = place / "tests" if peer.folder else place
    files = sorted(path for pattern in peer.files for path in folder.glob(pattern))
    own = [HERE / "shim"] if peer.swapped and not real else []
    path = [*own, ROOT / "build" / "python", HERE]
    more = dict(os.environ, PYTHONPATH=os.pathsep.join(map(str, path)), MPLBACKEND="Agg",
                OMP_WAIT_POLICY="passive", PEERS_LOG=str(place / "from_the_real_one.txt"),
                PEERS_STRICT="1" if peer.strict else "",
                PEERS_SOURCES=str(place.parent.parent / "sources"))
    return [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "peers_plugin",
            f"--junitxml={place}/results.xml", "-o", "junit_family=xunit1", "--rootdir", str(place),
            "--continue-on-collection-errors", *map(str, files)], more


def results(peer: Peer, place: Path) -> Counts:
    """What pytest found, from its report."""
    made: Counts = {}
    for case in xml.parse(place / "results.xml").iter("testcase"):
        bad = [child.tag for child in case if child.tag in ("failure", "error", "skipped")]
        outcome = "passed" if not bad else "skipped" if bad == ["skipped"] else "failed"
        file = Path(case.get("file") or case.get("name", "").replace(".", "/") + ".py").name
        classname = case.get("classname", "").split(".")[-1]
        name = case.get("name", "")
        if classname and classname != file[:-3]:
            name = f"{classname}.{name}"
        entry = made.setdefault((peer.name, file), {outcome: [] for outcome in OUTCOMES})
        entry[outcome].append(name)
    return made


def figures(place: Path) -> List[str]:
    """What tests recorded as worth telling."""
    return [f"{case.get('name')}: {each.get('value')}"
            for case in xml.parse(place / "results.xml").iter("testcase")
            for each in case.iter("property") if each.get("name") == "figure"]


def left_out(peer: Peer, place: Path) -> List[str]:
    """Why tests were skipped."""
    made = []
    for case in xml.parse(place / "results.xml").iter("testcase"):
        name = (case.get("name") or "").split(".")[-1]
        for each in case.iter("skipped"):
            text = f"{each.get('message')} {each.text}".replace("collection skipped", "")
            made.append(f"{peer.name}, {name}: " + text.strip("')\"\n "))
    return [re.sub(r"^(.*?: ).*(?:Skipped|py:\d+): (.*)$", r"\1\2", line) for line in made]


def known_failures() -> List[Tuple[str, str]]:
    """(peer/file/test, reason); the test may have * in it."""
    made = []
    for line in (HERE / "known_failures.txt").read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            pattern, _, reason = line.partition("  ")
            made.append((pattern, reason.strip()))
    return made


def surprises(counts: Counts) -> List[str]:
    """Failures that nobody expects, and what is expected but passes."""
    known, seen, made = known_failures(), set(), []
    for (peer, file), entry in counts.items():
        for name in entry["failed"] + entry["skipped"]:
            # brackets are parts of names here, not sets of letters
            hits = [p for p, _ in known if fnmatch.fnmatchcase(f"{peer}/{file}/{name}",
                                                               p.replace("[", "[[]"))]
            seen.update(hits)
            if not hits and name in entry["failed"]:
                made.append(f"fails, and is not in known_failures.txt: {peer}/{file}/{name}")
    ran = {f"{peer}/{file}" for peer, file in counts}
    for pattern, _ in known:
        if pattern not in seen and "/".join(pattern.split("/")[:2]) in ran:
            made.append(f"passes, or is gone, but is in known_failures.txt: {pattern}")
    return made


def table(counts: Counts) -> str:
    """Rows of Markdown."""
    versions = {peer.name: peer.version for peer in PEERS}
    rows = ["| package | version | file | passed | failed | skipped |", "|---|---|---|---|---|---|"]
    for (peer, file), entry in counts.items():
        numbers = " | ".join(str(len(entry[outcome])) for outcome in OUTCOMES)
        rows.append(f"| {peer} | {versions[peer]} | {file} | {numbers} |")
    return "\n".join(rows)


def write_page(counts: Counts, borrowed: Dict[str, List[str]], told: List[str],
               skips: List[str]) -> None:
    """docs/results/peers.md."""
    failed = {f"{peer}/{file}/{name}" for (peer, file), entry in counts.items()
              for name in entry["failed"]}
    reasons = "\n".join(f"| `{pattern}` | {reason} |" for pattern, reason in known_failures())
    names = "\n".join(f"- {peer}: {', '.join(f'`{name}`' for name in some) or 'none'}"
                      for peer, some in borrowed.items())
    head = (HERE / "page.md").read_text(encoding="utf-8")
    text = head.format(date=datetime.date.today().isoformat(), python=sys.version.split()[0],
                       table=table(counts), failed=len(failed), reasons=reasons, names=names,
                       figures="\n".join(f"- {line}" for line in told),
                       skips="\n".join(f"- {line}" for line in skips))
    (ROOT / "docs" / "results" / "peers.md").write_text(text, encoding="utf-8")


def run_tests(peer: Peer, work: Path, real: bool) -> None:
    """Leaves results.xml and output.txt."""
    place = prepared(peer, work)
    line, environment = command(peer, place, real)
    with open(place / "output.txt", "w", encoding="utf-8") as output:
        print(f"peers: {peer.name} {peer.version}, output in {output.name}", flush=True)
        subprocess.run(line, cwd=place, env=environment, stdout=output, stderr=output, check=False)


def main() -> int:
    """Runs all, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("work", type=Path)
    parser.add_argument("peers", nargs="*", help="default: " + ", ".join(p.name for p in PEERS))
    parser.add_argument("--real", action="store_true")
    parser.add_argument("--last", action="store_true")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_intermixed_args()
    counts: Counts = {}
    borrowed: Dict[str, List[str]] = {}
    told: List[str] = []
    skips: List[str] = []
    for peer in PEERS:
        if given.peers and peer.name not in given.peers:
            continue
        if not importlib.util.find_spec(peer.name):
            print(f"peers: {peer.name} is not installed, its tests are left out")
            continue
        place = place_of(peer, given.work.resolve())
        if not given.last:
            run_tests(peer, given.work.resolve(), given.real)
        counts.update(results(peer, place))
        log = place / "from_the_real_one.txt"
        told += figures(place)
        skips += left_out(peer, place)
        if peer.swapped:
            borrowed[peer.name] = sorted(set(log.read_text().split())) if log.exists() else []
    print(table(counts))
    for name, some in borrowed.items():
        print(f"from the real package, {name}: {', '.join(some) or 'nothing'}")
    print("\n".join(told + [f"skipped: {line}" for line in skips]))
    wrong = [] if given.real else surprises(counts)
    print("\n".join(wrong))
    if given.write and not wrong:
        write_page(counts, borrowed, told, skips)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
