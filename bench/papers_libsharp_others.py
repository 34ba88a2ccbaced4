"""Table 1 and figure 12 of libsharp's paper: times of other libraries over ours, by instruction
set."""
import problems
import scaling
from libarmilla import Plan
from papers_common import COLOURS, Figure, best, select, series
from plots import line, log_axis, panels, side_legend, sizes_axis


def seconds_of_pairs(context, problem, threads, sets):
    """{name: seconds of a pair}: of Armilla by instruction set, of the peers that can, each with
    the fastest of its settings."""
    alm, sky = problems.random_alm(problem), problems.random_map(problem)
    arrays = {"synthesis": (alm, sky)}
    arrays[problem.operators[1]] = (sky, alm)
    total = {}
    for operator, (source, target) in arrays.items():
        runs = {isa: Plan(context.library, problem, isa).bind(operator, source, target, threads)
                for isa in sets}
        for peer in context.peers.values():
            run = peer_run(peer, problem, operator, source, target, threads)
            if run:
                runs[peer.name] = run
        for name, seconds in best(context, runs, threads, 2, 0.5).items():
            total.setdefault(name, []).append(seconds)
    found = {name: sum(two) for name, two in total.items() if len(two) == 2}
    context.say(f"  {problem.name}, {threads} threads: {found}")
    return found


def peer_run(peer, problem, operator, source, target, threads):
    variants = peer.variants(problem, operator)
    if not variants or (threads > 1 and peer.name != "ducc0"):
        return None
    peer.threads = threads
    if peer.name != "ducc0":
        return peer.prepare(problem, operator, variants[0])(source).run
    variant = scaling.fastest_variant(peer, problem, operator, source, target, threads)
    return peer.prepare(problem, operator, variant)(source, target).run


def widest_first(context):
    return context.library.instruction_sets()[::-1]


def measure_others(context):
    lmax = context.choose(2047, 255)
    sets = widest_first(context)
    cases = [problems.GaussLegendre(lmax, spin, count) for spin in (0, 2) for count in (1, 5)]
    cases += [problems.Equidistant(geometry, "fewest", lmax, spin)
              for geometry in ("CC", "MW") for spin in (0, 2)]
    cases += [problems.Healpix((lmax + 1) // 2, spin) for spin in (0, 2)]
    for problem in cases:
        yield {"grid": problem.grid, "spin": problem.spin, "count": problem.ntrans,
               "pair": seconds_of_pairs(context, problem, 1, sets)}


def measure_sizes(context):
    """Full Gauss-Legendre grids, spin 0. Code without vectors would take minutes at lmax 4095."""
    for lmax in context.choose((127, 255, 511, 1023, 2047, 4095), (63, 255)):
        for threads in sorted({1, context.threads}):
            sets = widest_first(context)
            if threads > 1 or lmax > 2047:
                sets = sets[:1]
            problem = problems.GaussLegendre(lmax)
            yield {"lmax": lmax, "threads": threads,
                   "pair": seconds_of_pairs(context, problem, threads, sets)}


def peers_of(one):
    return [name for name in one["pair"] if name in ("ducc0", "healpy")]


def sets_of(records):
    """Instruction sets, the widest first."""
    return list(dict.fromkeys(name for one in records for name in one["pair"]
                              if name not in peers_of(one)))


def ratios(one, peer, sets):
    return [f"{one['pair'][peer] / one['pair'][isa]:.2f}" if isa in one["pair"] else "-"
            for isa in sets]


def table_others(records):
    sets = sets_of(records)
    rows = []
    for one in records:
        rows += [[peer, one["grid"], str(one["spin"]), str(one["count"]),
                  f"{one['pair'][peer]:.3g}", *ratios(one, peer, sets)] for peer in peers_of(one)]
    return ["code", "grid", "spin", "at once", "s a pair"] + [f"R, {isa}" for isa in sets], rows


def headline_others(records):
    isa = sets_of(records)[0]
    for peer in ("ducc0", "healpy"):
        found = [one["pair"][peer] / one["pair"][isa] for one in records if peer in one["pair"]]
        if found:
            yield [f"{peer}'s time of a pair over Armilla's ({isa}), lmax 2047, one core",
                   "others over libsharp 0.84 to 57", f"{min(found):.2f} to {max(found):.2f}"]


def lines_of_sizes(records):
    """[(label, [lmax], [ducc0's time over ours])]"""
    found = []
    for threads in sorted({one["threads"] for one in records}):
        some = [one for one in select(records, threads=threads) if "ducc0" in one["pair"]]
        for isa in sets_of(some):
            own = [one for one in some if isa in one["pair"]]
            found.append((f"{isa}, {threads} thread" + ("s" if threads > 1 else ""), *series(
                own, "lmax", lambda one, isa=isa: one["pair"]["ducc0"] / one["pair"][isa])))
    return found


def draw_sizes(records, machine):
    found = lines_of_sizes(records)
    if not found:
        return None
    figure, (panel,) = panels(1, "libsharp, figure 12: ducc0's time of a pair over Armilla's, full "
                              "Gauss-Legendre grids, spin 0", machine, key_width=2.0)
    for k, (_, sizes, values) in enumerate(found):
        panel.plot(sizes, values, color=COLOURS[k], marker="o", markersize=3)
    panel.axhline(1.0, color="#444444", linewidth=0.8, linestyle=":")
    sizes_axis(panel, [one["lmax"] for one in records], "band limit lmax")
    log_axis(panel, "ducc0 over Armilla")
    side_legend(figure, [line(label, color=COLOURS[k], marker="o", markersize=3)
                         for k, (label, _, _) in enumerate(found)])
    return figure


def table_sizes(records):
    sets = sets_of(records)
    return ["lmax", "threads", "ducc0, s"] + [f"R, {isa}" for isa in sets], [
        [str(one["lmax"]), str(one["threads"]), f"{one['pair']['ducc0']:.3g}",
         *ratios(one, "ducc0", sets)]
        for one in sorted(records, key=lambda one: (one["lmax"], one["threads"]))
        if "ducc0" in one["pair"]]


OTHERS = (
    Figure("libsharp-table-1", "Table 1: other libraries, by instruction set",
           "Times of a pair (synthesis and analysis; on HEALPix synthesis and its adjoint, for "
           "healpy an analysis without iterations) of another library over Armilla's on the same "
           "grid, with Armilla's kernels of each instruction set: the columns SSE2 and scalar of "
           "the paper are sse2 and scalar here. Wheels of the others choose their instructions "
           "themselves, so that only Armilla is held back.",
           "of AVX, SSE2 and scalar: shtns 0.84, 0.88, 0.91; Wavemoth 1.63, 0.98 (no scalar); "
           "libpsht 4.06, 2.30, 2.30; spinsfast 57, 32, 15; SSHT 21, 16, 9.5; S2HAT 12, 7.3, 3.6; "
           "Glesp 55, 31, 15.",
           measure_others, lambda records, machine: None, table_others,
           ("shtns, Wavemoth, libpsht, spinsfast, SSHT, S2HAT and Glesp: ducc0 and healpy take "
            "their place, whose kernels are libsharp's and its successor's",), (),
           headline_others),
    Figure("libsharp-12", "Figure 12: another library over the band limit",
           "ducc0's time of a pair over Armilla's, with one thread by instruction set, and with "
           "all cores. The paper has shtns over libsharp.",
           "shtns is ahead at small band limits by almost an order of magnitude, and slightly up "
           "to lmax 8191.",
           measure_sizes, draw_sizes, table_sizes,
           ("shtns: it is not installed", "lmax 8191 and 16383"), ()),
)
