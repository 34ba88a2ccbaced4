"""Figures 2 to 6 of ARKCoS' paper (Elsner & Wandelt 2011): convolution with compact radial kernels
on HEALPix, its speed over harmonic smoothing, and its errors."""
import base64

import numpy as np

import armilla
import armilla.healpy
import armilla.plot
import problems
import radial
from papers_common import COLOURS, PAPER, READ, Figure, select, series
from plots import line, log_axis, panels, side_legend, sizes_axis

TITLE = "ARKCoS"
ABOUT = ("Elsner & Wandelt 2011: NVIDIA GTX 480; HEALPix (Fortran) and libpsht on one core of a "
         "quad-core processor of 45 GFlop/s. Maps are HEALPix ones, lmax = 2 nside.")
SIDE = 90  # pixels of a picture's patch
FINER = 5  # samples of a pixel, each way, where the largest counts
DECADES = 10


# --- Pictures as text -----------------------------------------------------------------------------


def packed(values, low, high):
    """An image as bytes between two values, in base 64."""
    steps = np.clip((values - low) / (high - low), 0.0, 1.0) * 255.0
    return {"low": low, "high": high, "bytes": base64.b64encode(
        np.rint(steps).astype(np.uint8).tobytes()).decode()}


def unpacked(image):
    steps = np.frombuffer(base64.b64decode(image["bytes"]), np.uint8).reshape(SIDE, SIDE)
    return image["low"] + steps / 255.0 * (image["high"] - image["low"])


def patch(grid, latitude, degrees, side=SIDE):
    """Pixels of a square around longitude 0, as its plane of projection has them."""
    x, y = np.meshgrid(*[np.tan(np.radians(degrees / 2.0)) * np.linspace(-1.0, 1.0, side)] * 2)
    angle = np.radians(latitude)
    vectors = np.stack([np.cos(angle) - y * np.sin(angle), x,
                        np.sin(angle) + y * np.cos(angle)])
    return armilla.plot.pixels_at(grid, vectors)


SMOOTHED = "harmonic smoothing of the map"
PATCHES = {"north pole": 90.0, "equator": 0.0}


# --- The sky of the tests -------------------------------------------------------------------------


def size_of(context):
    """(nside, lmax, factor of angles)"""
    nside = context.choose(2048, 256)
    return nside, 2 * nside, 2048.0 / nside


def sky_spectrum(lmax):
    degree = np.arange(lmax + 1.0)
    flat = np.exp(-(degree / 1500.0) ** 1.2) * 1000.0
    return 2.0 * np.pi * flat / np.maximum(degree * (degree + 1.0), 1.0) * (degree >= 2)


class Sky:
    """A band-limited map, and what it is behind a beam."""

    def __init__(self, context):
        self.nside, self.lmax, self.factor = size_of(context)
        self.threads = context.threads
        self.grid = armilla.Grid.healpix(self.nside)
        self.plan = armilla.SHT(self.grid, self.lmax)
        self.alm = armilla.alm.random(self.lmax, sky_spectrum(self.lmax), 11)
        self.map = self.plan.synthesis(self.alm, nthreads=self.threads)

    def seen(self, alm, fwhm):
        """The map of coefficients behind a Gaussian beam."""
        window = armilla.spectrum.gaussian_beam(fwhm, self.lmax)
        return self.plan.synthesis(armilla.alm.multiply_window(alm, window), nthreads=self.threads)

    def analysed(self, values):
        return self.plan.analysis(values, nthreads=self.threads)

    def harmonic(self, values, fwhm):
        """Smoothing in harmonic space, without iteration."""
        return self.seen(self.analysed(values), fwhm)


def rms(values):
    return float(np.sqrt(np.mean(np.square(values))))


# --- 2: speed -------------------------------------------------------------------------------------


class Records(list):
    """What radial.py keeps its records in."""

    def list(self, name):
        return self

    def add(self, name, record):
        self.append(record)


def measure_speed(context):
    smoothers = radial.Smoothers(context.options, context.say)
    smoothers.peers = [one for one in smoothers.peers if one.name in context.peers]
    smoothers.threads = context.options.threads = 1
    context.options.repeat = 1  # rounds besides the trial: harmonic smoothing is long
    for library in (smoothers.ours, *smoothers.peers):
        library.threads = 1
    try:
        yield from speed_records(context, smoothers)
    finally:
        context.options.threads, context.options.repeat = context.threads, 2


def speed_records(context, smoothers):
    nside, _, factor = size_of(context)
    beam = np.radians(4.7 / 60.0) * factor
    one = radial.smooth(context.options, smoothers, problems.Healpix(nside), beam)
    context.say("  " + radial.line(one))
    yield dict(one, what="beam")
    for size in context.choose((512, 1024, 2048), (128,)):
        kept = Records([one])  # scan takes harmonic smoothing of the same size from there
        radial.scan(context.options, smoothers, size, context.say, kept, set())
        yield from (dict(record, what="support") for record in kept[1:])


def over(one, name):
    return one["seconds"][name] / one["seconds"][radial.RADIAL]


def draw_speed(records, machine):
    records = select(records, what="support")
    names = [name for name in radial.names_of(records) if name != radial.RADIAL]
    figure, axes = panels(len(names), "ARKCoS, figure 2: speed of radial convolution over harmonic "
                          "smoothing, one core", machine, key_width=2.6)
    sizes = sorted({one["nside"] for one in records})
    for panel, name in zip(axes, names):
        for k, nside in enumerate(sizes):
            some = [one for one in select(records, nside=nside) if name in one["seconds"]]
            panel.plot(*series(some, "support", lambda one, name=name: over(one, name)),
                       color=COLOURS[k], marker="o", markersize=3)
        panel.axhline(1.0, color="black", linewidth=0.8)
        marks = {"healpy": ((460 / 20, "23: ARKCoS on a core, 4.7'"),),
                 "ducc0": ((160 / 20, "8: ARKCoS on a core, 4.7'"),
                           (160 / 2.2, "73: on the GTX 480"))}.get(name, ())
        for level, text in marks:
            panel.axhline(level, **READ)
            panel.annotate(text, (1.0, level * 1.05), fontsize=7, color=PAPER)
        sizes_axis(panel, [round(one["support"]) for one in records], "support, degrees")
        panel.set_title("over " + name, fontsize=10)
        gains = [over(one, name) for one in records if name in one["seconds"]]
        gains += [level for level, _ in marks]
        panel.set_ylim(min(0.8, 0.7 * min(gains)), max(1.5, 1.5 * max(gains)))
        log_axis(panel, "times as fast")
    side_legend(figure, [line(f"nside {n}", color=COLOURS[k], marker="o", markersize=3)
                         for k, n in enumerate(sizes)]
                + [line(**dict(READ, label="the paper at nside 2048:\nover HEALPix (with\nhealpy) "
                               "and over libpsht\n(with ducc0)"))])
    return figure


def cut_of(change):
    """What the cut of a kernel changes: nothing, where that is below rounding."""
    return "nothing" if change < 1e-15 else f"{change:.0e}"


def table_speed(records):
    names = radial.names_of(records)
    header = (["kernel", "support, degrees", "method", "the cut changes"]
              + [f"{name}, s" for name in names])
    return header, [[one["scenario"], f"{one['support']:.2f}", one["info"]["method"],
                     cut_of(one["info"]["truncation_error"])]
                    + [f"{one['seconds'][name]:.3g}" if name in one["seconds"] else "-"
                       for name in names] for one in records]


def headline_speed(records):
    for one in select(records, what="beam"):
        yield [f"{one['scenario']}, cut at {one['support']:.2f} degrees, by "
               f"{one['info']['method']}", "2.2 s on the GPU, 20 s on a core",
               f"{one['seconds'][radial.RADIAL]:.2g} s on a core"]


# --- 3: kernels -----------------------------------------------------------------------------------


def measure_kernels(context):
    """Values, and Legendre coefficients of the kernel as it is cut, next to a Gaussian's."""
    lmax = 4096
    for minutes in (6.0, 60.0):
        fwhm = np.radians(minutes / 60.0)
        kernel, sigma = armilla.Kernel.gaussian(fwhm), fwhm / np.sqrt(8.0 * np.log(2.0))
        support = kernel.choose_support(1e-7)
        theta, degree = np.linspace(0.0, 1.5 * support, 60), np.arange(lmax + 1.0)
        window = kernel.harmonic_window(lmax, support)
        exact = np.exp(-0.5 * degree * (degree + 1.0) * sigma ** 2)
        some = np.unique(np.rint(np.geomspace(1, lmax, 70)).astype(int))
        off = float(np.abs(window / window[0] - exact).max())
        context.say(f"  {minutes:g}': support {np.degrees(support):.3g}, window off by {off:.1e}")
        yield {"minutes": minutes, "support": float(np.degrees(support)), "off": off,
               "theta": np.degrees(theta).tolist(),
               "values": (kernel.values(theta) / kernel.values(np.zeros(1))[0]).tolist(),
               "degree": some.tolist(), "window": (window / window[0])[some].tolist()}


def draw_kernels(records, machine):
    figure, axes = panels(2, "ARKCoS, figure 3: kernels in angle and in degree", machine,
                          key_width=1.9)
    for one, dash in zip(records, ("-", "--")):
        axes[0].plot(one["theta"], one["values"], color=COLOURS[0], linestyle=dash)
        axes[0].axvline(one["support"], color="#888888", linestyle=dash, linewidth=0.8)
        axes[1].plot(one["degree"], np.abs(one["window"]), color=COLOURS[0], linestyle=dash)
    axes[0].set_xscale("log")
    axes[0].set_xlabel("angle, degrees")
    axes[0].set_ylim(1e-12, 2)
    log_axis(axes[0], "kernel over its peak")
    axes[1].set_xscale("log")
    axes[1].set_xlabel("degree l")
    axes[1].set_ylim(1e-9, 2)
    log_axis(axes[1], "Legendre coefficient b_l")
    side_legend(figure, [line(f"FWHM {one['minutes']:g}'", color=COLOURS[0], linestyle=dash)
                         for one, dash in zip(records, ("-", "--"))]
                + [line("where it is cut", color="#888888", linewidth=0.8)])
    return figure


def table_kernels(records):
    return ["FWHM", "cut at, degrees", "largest error of b_l, of the cut kernel"], [
        [f"{one['minutes']:g}'", f"{one['support']:.3f}", f"{one['off']:.1e}"] for one in records]


# --- 4: difference maps ---------------------------------------------------------------------------


def measure_differences(context):
    """By RINGS, whose kernel is not cut, and by PIXELS, where it is, as the paper's is."""
    sky = Sky(context)
    fwhm = np.radians(1.0) * sky.factor
    kernel = armilla.Kernel.gaussian(fwhm)
    references = {SMOOTHED: sky.harmonic(sky.map, fwhm), "the exact map": sky.seen(sky.alm, fwhm)}
    for method, names in (("rings", tuple(references)), ("pixels", (SMOOTHED,))):
        plan = armilla.Radial(sky.grid, kernel, method=method)
        made, info = plan.convolve(sky.map, nthreads=sky.threads), plan.describe(1)
        for name in names:
            yield difference_record(context, sky, made, (name, references[name]), info)


def difference_record(context, sky, made, named, info):
    """named: (name of the reference, its map)"""
    name, reference = named
    difference = (made - reference) / rms(reference)
    record = {"nside": sky.nside, "reference": name, "rms": rms(difference),
              "largest": float(np.abs(difference).max()), "method": info.method,
              "support": float(np.degrees(info.support)), "cut": info.truncation_error}
    context.say(f"  difference to {name}: {record}")
    for where, latitude in PATCHES.items():
        image = difference[patch(sky.grid, latitude, 10.0 * min(sky.factor, 4.0))]
        most = float(np.abs(image).max())
        record[where] = packed(image, -most, most)
    return record


def draw_differences(records, machine):
    figure, axes = panels(4, "ARKCoS, figure 4: radial convolution less a reference, over the "
                          "reference's rms; 1 degree FWHM, patches of 10 degrees", machine,
                          key_width=0.6)
    for k, one in enumerate(records[:2]):
        for panel, where in zip(axes[2 * k:], PATCHES):
            image = unpacked(one[where])
            shown = panel.imshow(image, origin="lower", cmap=armilla.plot.colormap("diverging"),
                                 vmin=one[where]["low"], vmax=one[where]["high"])
            panel.set_axis_off()
            panel.set_title(f"{where}, less {one['reference']}", fontsize=9)
            bar = figure.colorbar(shown, ax=panel, shrink=0.8)
            bar.ax.ticklabel_format(style="sci", scilimits=(0, 0))
            bar.ax.tick_params(labelsize=7)
    return figure


def table_differences(records):
    return ["nside", "method", "support, degrees", "the cut changes", "less", "rms over rms",
            "largest over rms"], [
        [str(one["nside"]), one["method"], f"{one['support']:.2f}", cut_of(one["cut"]),
         one["reference"], f"{one['rms']:.1e}", f"{one['largest']:.1e}"] for one in records]


def headline_differences(records):
    for one in select(records, reference=SMOOTHED):
        yield [f"rms difference to {SMOOTHED}, by {one['method']} (the cut changes "
               f"{cut_of(one['cut'])})", "at most about 1e-4", f"{one['rms']:.1e}"]


# --- 5: spectra -----------------------------------------------------------------------------------


def binned(cl):
    """([degree], [l (l + 1) C_l / 2 pi]), means over bins of nearly equal width in log l."""
    edges = np.unique(np.rint(np.geomspace(2, len(cl), 90)).astype(int))
    degree = np.arange(len(cl))
    scaled = degree * (degree + 1.0) * cl / (2.0 * np.pi)
    return ([float(np.mean(degree[a:b])) for a, b in zip(edges, edges[1:])],
            [float(np.mean(scaled[a:b])) for a, b in zip(edges, edges[1:])])


def measure_spectra(context):
    sky = Sky(context)
    fwhm = np.radians(0.1) * sky.factor
    kernel, window = armilla.Kernel.gaussian(fwhm), armilla.spectrum.gaussian_beam(fwhm, sky.lmax)
    exact = armilla.alm.multiply_window(sky.alm, window)
    exact_map, wanted = sky.seen(sky.alm, fwhm), armilla.spectrum.compute(exact)
    degree, of_exact = binned(wanted)
    for name, grid in (("equal weights", sky.grid), ("ring weights", armilla.Grid.healpix(
            sky.nside, weights_lmax=sky.lmax))):
        made = armilla.Radial(grid, kernel).convolve(sky.map, nthreads=sky.threads)
        # A plain analysis would add its own error: iterations take it out.
        back = sky.plan.pseudo_analysis(made, tolerance=1e-7, max_iterations=20)[0]
        off = sky.plan.pseudo_analysis(made - exact_map, tolerance=1e-6, max_iterations=20)[0]
        found, error = armilla.spectrum.compute(back), armilla.spectrum.compute(off)
        relative = float(np.abs(found[2:] / wanted[2:] - 1.0).max())
        context.say(f"  spectra, {name}: largest relative error {relative:.1e}")
        yield {"nside": sky.nside, "minutes": 6.0 * sky.factor, "weights": name,
               "largest": relative, "rms": rms(made - exact_map) / rms(exact_map),
               "degree": degree, "exact": of_exact,
               "difference": binned(np.abs(found - wanted))[1], "error": binned(error)[1]}


def draw_spectra(records, machine):
    one = records[0]
    figure, axes = panels(2, f"ARKCoS, figure 5: spectra of errors, FWHM {one['minutes']:g}', "
                          f"nside {one['nside']}", machine, key_width=2.2)
    for panel, what, title in zip(axes, ("difference", "error"), (
            "difference of the spectra", "spectrum of the difference map")):
        panel.plot(one["degree"], one["exact"], color="#444444", linestyle="--")
        for k, each in enumerate(records):
            panel.plot(each["degree"], each[what], color=COLOURS[k])
        panel.set_xscale("log")
        panel.set_xlabel("degree l")
        panel.set_title(title, fontsize=10)
        log_axis(panel, "l (l + 1) C_l / 2 pi")
    side_legend(figure, [line("of the exact map", linestyle="--")]
                + [line(f"Armilla, {each['weights']}", color=COLOURS[k])
                   for k, each in enumerate(records)])
    return figure


def table_spectra(records):
    return ["nside", "FWHM", "weights of pixels", "largest relative error of C_l",
            "rms of the map's error over rms"], [
        [str(one["nside"]), f"{one['minutes']:g}'", one["weights"], f"{one['largest']:.1e}",
         f"{one['rms']:.1e}"] for one in records]


def headline_spectra(records):
    yield ["largest relative error of the spectrum, 6'", "below 1e-3",
           " or ".join(f"{one['largest']:.1e} ({one['weights']})" for one in records)]


# --- 6: ringing -----------------------------------------------------------------------------------


def sources(nside):
    """Pixels of four sources around the pole, and of four on both sides of the equator."""
    theta = np.radians([2.5] * 4 + [87.5, 87.5, 92.5, 92.5])
    phi = np.radians([45.0, 135.0, 225.0, 315.0, 2.5, -2.5, 2.5, -2.5])
    return armilla.healpy.ang2pix(nside, theta, phi % (2.0 * np.pi))


def measure_ringing(context):
    sky = Sky(context)
    fwhm = np.radians(4.7 / 60.0) * sky.factor
    plan = armilla.Radial(sky.grid, armilla.Kernel.gaussian(fwhm))
    support, pixels = plan.describe(1).support, sources(sky.nside)
    bright, outside = np.zeros(sky.grid.npix), np.ones(sky.grid.npix, bool)
    bright[pixels] = 1.0
    for pixel in pixels:
        centre = np.array(armilla.healpy.pix2vec(sky.nside, pixel))
        outside[armilla.healpy.query_disc(sky.nside, centre, 1.0001 * support)] = False
    for name, made in (("harmonic", sky.harmonic(bright, fwhm)),
                       ("radial", plan.convolve(bright, nthreads=sky.threads))):
        most = float(np.abs(made).max())
        record = {"nside": sky.nside, "method": name, "support": float(np.degrees(support)),
                  "beyond": float(np.abs(made[outside]).max()) / most}
        context.say(f"  ringing, {name}: {record['beyond']:.1e} beyond the support")
        for where, latitude in PATCHES.items():
            image = np.abs(made[patch(sky.grid, latitude, 13.0, SIDE * FINER)]) / most
            image = image.reshape(SIDE, FINER, SIDE, FINER).max(axis=(1, 3))
            record[where] = packed(np.log10(np.maximum(image, 1e-30)), -float(DECADES), 0.0)
        yield record


def draw_ringing(records, machine):
    figure, axes = panels(4, "ARKCoS, figure 6: point sources behind a beam, log10 of the size "
                          "over the largest; patches of 13 degrees", machine, key_width=0.6)
    for k, one in enumerate(records):
        for panel, where in zip(axes[2 * k:], PATCHES):
            shown = panel.imshow(unpacked(one[where]), origin="lower", cmap="magma",
                                 vmin=-DECADES, vmax=0)
            panel.set_axis_off()
            panel.set_title(f"{where}, {one['method']}", fontsize=9)
            figure.colorbar(shown, ax=panel, shrink=0.8).ax.tick_params(labelsize=7)
    return figure


def table_ringing(records):
    return ["nside", "way", "support, degrees", "largest beyond the support, over the largest"], [
        [str(one["nside"]), one["method"], f"{one['support']:.3f}", f"{one['beyond']:.1e}"]
        for one in records]


def headline_ringing(records):
    found = {one["method"]: one["beyond"] for one in records}
    yield ["largest value beyond the support, 4.7'", "suppressed at the poles, none at the equator",
           f"{found['radial']:.1g} (harmonic smoothing {found['harmonic']:.1e})"]


NO_GPU = "ARKCoS itself, on a GPU or on a processor"
FIGURES = (
    Figure("arkcos-2", "Figure 2: speed over harmonic smoothing",
           "Harmonic smoothing (map, coefficients, times b_l, map) by Armilla, ducc0, the "
           "successor of libpsht, and healpy, over radial convolution with a Gaussian of 1 / 3.67 "
           "of the support. The first row of the table is the paper's narrow beam, which is cut; "
           "the other kernels reach so far that the cut changes nothing (of the rms of a white "
           "map). PIXELS sums over pixels, RINGS over Fourier coefficients of rings, as the "
           "paper's way does.",
           "at nside 2048 and 4.7' 2.2 s on the GPU and 20 s on one core; harmonic smoothing 460 s "
           "(HEALPix) and 160 s (libpsht) on one core.",
           measure_speed, draw_speed, table_speed, (NO_GPU,), (),
           headline_speed),
    Figure("arkcos-3", "Figure 3: kernels",
           "The kernels of 6' and 60' in angle and in degree. Vertical lines are where PIXELS cuts "
           "them by default: where the cut changes the convolution of a white map by 1e-7 of its "
           "rms. RINGS, which figure 4 and most of figure 2 use, takes as much of them as changes "
           "nothing; the tables of these figures say which cut there was.",
           "the same kernels.",
           measure_kernels, draw_kernels, table_kernels),
    Figure("arkcos-4", "Figure 4: difference maps",
           "A map of lmax 4096 at nside 2048 behind a beam of 1 degree, by radial convolution, "
           "less harmonic smoothing of the same map (the paper's test, which has the same error of "
           "HEALPix' pixels on both sides), and less the exact map: that error, which is largest "
           "at the poles. RINGS takes a kernel that reaches so far that its cut changes nothing, "
           "so that the first row has rounding only; PIXELS cuts it, as the paper does. The "
           "picture has the first two rows.",
           "at most 1.5e-4 around the poles, about 1e-5 elsewhere; rms at most about 1e-4.",
           measure_differences, draw_differences, table_differences, (NO_GPU,), (),
           headline_differences),
    Figure("arkcos-5", "Figure 5: spectra of errors",
           "A beam of 6', 3.5 pixels: the spectrum of the convolved map less that of the exact "
           "one, and the spectrum of the difference map; coefficients of the results are solved "
           "for, so that the analysis adds no error. What is left is the error of sums over "
           "HEALPix' pixels, and the cut of the kernel (1e-7).",
           "relative errors of the spectrum below 1e-3.",
           measure_spectra, draw_spectra, table_spectra, (NO_GPU,), (),
           headline_spectra),
    Figure("arkcos-6", "Figure 6: ringing",
           "Eight points behind a beam of 4.7'. Harmonic smoothing rings because the beam has more "
           "degrees than lmax; radial convolution is exact to rounding everywhere, polar caps "
           "included, where the paper's way still has some.",
           "ringing is absent at the equator and suppressed in the polar caps.",
           measure_ringing, draw_ringing, table_ringing, (NO_GPU,), (),
           headline_ringing),
)

LEFT = ("figure 1 is a sketch of the algorithm",
        "table 1, the shares of the sections of its GPU code (interpolation of the kernel, Fourier "
        "transforms, products): the methods here have no such sections; radial.md has their stages")
