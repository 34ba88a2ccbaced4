"""Lists the goals of the benchmarks, by the machine's best instruction set: ratios (fastest peer's
time over ours), and shares. `reached` says yes, no, or nothing where there is no target."""
SMALL, SMALL_FROM = {"gl": 1.1, "gl-spin1": 1.1}, 31  # below lmax 1023, from this lmax on
RATIO = {  # scenario: {column: at least}, like for like: peers for the same instruction set
    "gl": {"AVX2": 1.25, "AVX-512": 1.25},
    "gl-spin1": {"AVX2": 1.35, "AVX-512": 1.35},
    "gl-spin2": {"AVX2": 1.9, "AVX-512": 1.9},
    "gl-spin3": {"AVX2": 1.9, "AVX-512": 1.9},
    "healpix": {"AVX2": 2.2, "AVX-512": 2.2},
    "healpix-spin2": {"AVX2": 2.3, "AVX-512": 2.3},
    "equidistant": {"AVX2": 1.8, "AVX-512": 1.8},  # synthesis and analysis each
}
MANY = 1.4  # several transforms at once, per transform over one at a time
PLAN = 0.15  # of one transform, at most, at nside 2048
MEMORY, MEMORY_FROM = 0.45, 2047  # of input and output, at most, from this lmax on
TWO_THREADS = 1.85  # times the speed of one thread
# Of radial convolution with a beam of 4.7 arcminutes at nside 2048, or of as many pixels:
# {nside: {column: (the fastest peer's harmonic smoothing over it, our own over it)}}.
RADIAL = {1024: {"AVX2": (4.0, 2.0), "AVX-512": (4.0, 2.0)},
          2048: {"AVX2": (10.0, 4.0), "AVX-512": (5.0, 2.5)}}
RADIAL_PLAN, RADIAL_MEMORY = 0.3, 0.3  # of one call; of input and output; from this nside on:
RADIAL_FROM = 512
# Of arbitrary points, {spin: {column: ducc0 over a repeated call}}; and over the first one.
POINTS = {0: {"AVX2": 1.7, "AVX-512": 1.7}, 2: {"AVX2": 2.5, "AVX-512": 2.0}}
POINTS_FIRST = 1.3
PATCH_OVER = 0.02  # parts of the sky: over a repeated call 5 from this part on, 10 below


def patch(share):
    return 5.0 if share > PATCH_OVER else 10.0


KERNEL = {"synthesis": 0.85, "adjoint_synthesis": 0.80}  # share of peak
KERNEL_FROM = 1023  # lmax


def kernel(record):
    """Of a record of the Legendre stage."""
    counts = record["lmax"] >= KERNEL_FROM and record["ntrans"] == 1
    return KERNEL[record["operator"]] if counts else None


def radial_costs(nside):
    """Of a plan for radial convolution, and of memory."""
    return (RADIAL_PLAN, RADIAL_MEMORY) if nside >= RADIAL_FROM else (None, None)


def memory(lmax):
    return MEMORY if lmax >= MEMORY_FROM else None


def ratio(group, lmax, column):
    if group in SMALL and lmax < 1023:
        return SMALL[group] if lmax >= SMALL_FROM else None
    return RATIO.get(group, {}).get(column)


def at_least(value, target):
    """"reached", "missed", or "-"."""
    if value is None or target is None:
        return "-"
    return "reached" if value >= target else "missed"


def at_most(value, target):
    if value is None or target is None:
        return "-"
    return "reached" if value <= target else "missed"
