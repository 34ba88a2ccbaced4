"""Figure 5 of libsharp's paper: errors of round trips, of whole transforms up to lmax 16383, and of
some of the orders up to 262143."""
import numpy as np

import armilla
import problems
from papers_common import COLOURS, READ, Figure, ReducedGauss, pair, select, series
from plots import line, log_axis, panels, side_legend, sizes_axis

SPINS = (0, 2, 37)


def spin_lines(spins):
    return [line(f"spin {spin}", color=COLOURS[k], marker="o", markersize=3)
            for k, spin in enumerate(spins)]


# --- Whole transforms -----------------------------------------------------------------------------


def measure_errors(context):
    """All cores: the largest transforms take minutes."""
    largest = context.choose(14, 10)
    for n in range(6, largest + 1):
        for spin in SPINS:
            yield pair(context, ReducedGauss(2 ** n - 1, spin), context.threads, 1, 0.0)


# --- 5, above lmax 16383: some of the orders ------------------------------------------------------

ORDERS_AT_ONCE = 4  # of which leg and coefficients take 0.1 GB at lmax 262143, spin 2


def measure_orders(context):
    """The first size is one whose whole round trip figure 5 has."""
    for lmax, count in context.choose(((4095, 64), (16383, 32), (32767, 24), (65535, 12),
                                       (131071, 4), (262143, 2)), ((1023, 64),)):
        for spin in SPINS if lmax < 131071 else (0, 2):
            record = errors_of_orders(lmax, spin, count, context.threads)
            context.say(f"  lmax {lmax}, spin {spin}, {count} orders: rms {record['rms']:.1e}, "
                        f"largest {record['largest']:.1e}")
            yield record


def errors_of_orders(lmax, spin, count, threads):
    """Round trips of the sums over degrees, of one order in each of so many equal parts of all:
    coefficients to the spectra of all rings, and back by Gauss' quadrature. The Fourier transforms
    of the rings, which mix no orders on this grid but for rounding, are left out."""
    rings = armilla.Grid.reduced_gauss_legendre(lmax + 1, lmax).rings
    theta, weights = rings["theta"], rings["weight"] * rings["nphi"]
    rng = np.random.default_rng(problems.SEED)
    orders = np.sort([rng.integers(part[0], part[-1] + 1) for part in
                      np.array_split(np.arange(lmax + 1), count)])
    squares = size = largest = 0.0
    for start in range(0, count, ORDERS_AT_ONCE):
        some = orders[start:start + ORDERS_AT_ONCE]
        alm = uniform_rows(lmax, spin, some, rng)
        how = {"lmax": lmax, "theta": theta, "spin": spin, "mval": some, "nthreads": threads,
               "mstart": (lmax + 1) * np.arange(len(some))}
        leg = armilla.sht.alm2leg(alm=alm, **how)
        leg *= weights[:, None]
        back = armilla.sht.leg2alm(leg=leg, **how)
        back[alm == 0.0] = 0.0
        off = np.abs(back - alm) ** 2
        squares, size = squares + off.sum(), size + (np.abs(alm) ** 2).sum()
        largest = max(largest, off.max())
    return {"lmax": lmax, "spin": spin, "sampled": count, "threads": threads,
            "rms": float(np.sqrt(squares / size)), "largest": float(np.sqrt(largest))}


def uniform_rows(lmax, spin, orders, rng):
    """Coefficients of these orders, in rows of lmax + 1 places, one behind the other."""
    shape = (2 if spin else 1, len(orders), lmax + 1)
    alm = rng.uniform(-1.0, 1.0, shape) + 1j * rng.uniform(-1.0, 1.0, shape)
    for k, m in enumerate(orders):
        alm[:, k, :max(m, spin)] = 0.0
        if m == 0:
            alm[:, k].imag = 0.0
    return alm.reshape(shape[0], -1)


def of_whole(records):
    return [one for one in records if "sampled" not in one]


def of_orders(records):
    return [one for one in records if "sampled" in one]


def table_orders(records):
    return ["lmax", "spin", "orders", "rms", "largest of them"], [
        [str(one["lmax"]), str(one["spin"]), f"{one['sampled']} of {one['lmax'] + 1}",
         f"{one['rms']:.1e}", f"{one['largest']:.1e}"] for one in records]


def headline_orders(records):
    lmax = max(one["lmax"] for one in records)
    for one in select(records, lmax=lmax):
        yield [f"errors at lmax {lmax}, spin {one['spin']}, {one['sampled']} orders",
               "rms grows as lmax", f"rms {one['rms']:.1e}, largest {one['largest']:.1e}"]


def draw_errors(records, machine):
    figure, axes = panels(2, "libsharp, figure 5: errors of synthesis and analysis one after the "
                          "other, reduced Gauss-Legendre grid", machine, key_width=1.9)
    for panel, what, power in zip(axes, ("rms", "largest"), (1.0, 1.5)):
        for k, spin in enumerate(SPINS):
            some = select(records, spin=spin)
            panel.plot(*series(of_whole(some), "lmax", what), color=COLOURS[k], marker="o",
                       markersize=3)
            panel.plot(*series(of_orders(some), "lmax", what), color=COLOURS[k], marker="o",
                       markersize=6, fillstyle="none", linestyle="none")
        sizes = sorted({one["lmax"] for one in records})
        first = select(records, spin=0, lmax=127)[0]
        trend = np.array([n for n in sizes if n >= 127], float)
        panel.plot(trend, first[what] * (trend / 127.0) ** power, **READ)
        sizes_axis(panel, [n for n in sizes if n in (63, 255, 1023, 4095, 16383, 65535, 262143)],
                   "band limit lmax")
        log_axis(panel, "rms error over rms" if what == "rms" else "largest error of an a_lm")
    side_legend(figure, spin_lines(SPINS) + [
        line("some of the orders,\nsums over degrees", color="#444444", marker="o", markersize=6,
             fillstyle="none", linestyle="none"),
        line(**dict(READ, label="the paper's trends:\nlmax (left),\nlmax^1.5 (right)"))])
    return figure


def table_errors(records):
    records = of_whole(records)
    sizes = sorted({one["lmax"] for one in records})
    rows = []
    for lmax in sizes:
        some = [select(records, lmax=lmax, spin=spin)[0] for spin in SPINS]
        rows.append([str(lmax)] + [f"{one['rms']:.1e}" for one in some]
                    + [f"{one['largest']:.1e}" for one in some])
    return (["lmax"] + [f"rms, spin {spin}" for spin in SPINS]
            + [f"largest, spin {spin}" for spin in SPINS]), rows


def headline_errors(records):
    records = of_whole(records)
    lmax = max(one["lmax"] for one in records)
    for spin in SPINS:
        one = select(records, lmax=lmax, spin=spin)[0]
        yield [f"errors at lmax {lmax}, spin {spin}", "rms grows as lmax",
               f"rms {one['rms']:.1e}, largest {one['largest']:.1e}"]


ERRORS = (
    Figure("libsharp-5", "Figure 5: errors of round trips",
           "Coefficients uniform in [-1, 1) go to a map and back: rms of the difference over rms, "
           "and the largest difference of a coefficient (the paper's equations 17 and 18). The "
           "paper draws spin 0 and says that spins 2 and 37 are alike; here are all three.",
           "rms errors grow about as lmax, largest ones as lmax^1.5; near the limit of double "
           "precision at low lmax.",
           measure_errors, draw_errors, table_errors,
           ("whole round trips above lmax 16383, the largest in 24 GB: at lmax 32767 input and "
            "output of a scalar take 26 GB",), ("libsharp-5-orders",), headline_errors),
    Figure("libsharp-5-orders", "Figure 5 above lmax 16383: some of the orders",
           "All orders are cut into parts, and from each one is drawn at random: coefficients to "
           "spectra of all rings of the reduced grid and back by Gauss' quadrature. That leaves "
           "out the Fourier transforms of the rings, whose errors grow with the logarithm of their "
           "lengths. The largest error is that of the orders that were drawn, so that of all "
           "orders is larger. Lmax 4095 and 16383 are there to be compared with whole round trips.",
           "rms errors grow about as lmax to 262143, the largest lmax of its figure.",
           measure_orders, lambda records, machine: None, table_orders,
           ("all orders, and Fourier transforms of rings, above lmax 16383",), (),
           headline_orders),
)
