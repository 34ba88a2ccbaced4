"""The scenarios of run.py sht by name, and the problems each consists of."""
import problems
import ring_counts

GL_LMAX = (63, 127, 255, 511, 1023, 2047, 4095)
SPIN_LMAX = (255, 511, 1023, 2047, 4095)
MANY_LMAX = (255, 1023, 2047)
NSIDE = (1024, 2048)
MANY = 10

# name: (grid, spin, ntrans, sizes, sizes of a quick run)
SHT = {
    "gl": ("gl", 0, 1, GL_LMAX, (255, 1023)),
    "gl-spin1": ("gl", 1, 1, SPIN_LMAX, (255, 511)),
    "gl-spin2": ("gl", 2, 1, SPIN_LMAX, (255, 511)),
    "gl-spin3": ("gl", 3, 1, SPIN_LMAX, (255, 511)),
    "healpix": ("healpix", 0, 1, NSIDE, (256, 512)),
    "healpix-spin2": ("healpix", 2, 1, NSIDE, (128, 256)),
    "many": ("gl", 0, MANY, MANY_LMAX, (127, 511)),
}
EQUIDISTANT = "equidistant"  # 170 problems: only where asked for
EQUIDISTANT_LMAX, EQUIDISTANT_QUICK = (127, 255, 511, 1023, 2047), (127, 255)
EQUIDISTANT_SPINS = (0, 2)
TITLES = {
    "gl": "Gauss-Legendre, spin 0",
    "gl-spin1": "Gauss-Legendre, spin 1",
    "gl-spin2": "Gauss-Legendre, spin 2",
    "gl-spin3": "Gauss-Legendre, spin 3",
    "healpix": "HEALPix, lmax = 2 nside, spin 0",
    "healpix-spin2": "HEALPix, lmax = 2 nside, spin 2",
    "many": f"{MANY} transforms at once, Gauss-Legendre, spin 0",
}


def problems_of(name, options):
    """--lmax and --nside replace the sizes of the scenarios on their grids."""
    if name == EQUIDISTANT:
        return equidistant(options, tuple(ring_counts.CHOICES))
    kind, spin, ntrans, full, quick = SHT[name]
    grid = problems.GaussLegendre if kind == "gl" else problems.Healpix
    asked = options.lmax if kind == "gl" else options.nside
    chosen = [grid(size, spin, ntrans)
              for size in asked or (quick if options.quick else full)]
    for problem in chosen:
        problem.group = name
    return chosen


def equidistant(options, choices):
    """choices: of ring_counts.py; --rings, --grid and --spin replace the usual."""
    lmax = options.lmax or (EQUIDISTANT_QUICK if options.quick else EQUIDISTANT_LMAX)
    spins = EQUIDISTANT_SPINS if options.spin is None else options.spin
    chosen = [problems.Equidistant(geometry, choice, size, spin)
              for geometry in options.grid or ring_counts.CIRCLES for spin in spins
              for size in lmax
              for choice in ring_counts.distinct_choices(geometry, size, options.rings or choices)]
    for problem in chosen:
        problem.group = EQUIDISTANT
    return chosen
