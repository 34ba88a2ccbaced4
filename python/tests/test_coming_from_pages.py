"""The examples of docs/site/coming_from against closed forms, and against packages that are only
built from source (SHTns, pyssht) where they are installed. test_site_pages.py runs the other
packages' blocks."""
import re
from math import pi

import numpy as np
import pytest
from conventions_judge import goldberg, legendre, schmidt_norm
from test_site_pages import SITE, blocks_of

import armilla


def text_of(page):
    return (SITE / "coming_from" / f"{page}.md").read_text()


def names_of(page, peer=None):
    """What a page's blocks make, without those that import another package."""
    space = {"__name__": page}
    for line, _, code in blocks_of(text_of(page)):
        if not re.search(rf"^import {peer or page}$", code, re.MULTILINE):
            exec(compile("\n" * (line - 1) + code, page, "exec"), space)
    return space


def run_peer(page, peer, space):
    """The blocks that test_site_pages.py leaves out."""
    pytest.importorskip(peer)
    blocks = re.findall(r"^```python notest\n(.*?)^```", text_of(page), re.MULTILINE | re.DOTALL)
    assert blocks
    for code in blocks:
        exec(compile(code, page, "exec"), space)


def places(grid):
    """Directions (npix, 2) of a grid whose rings all have as many pixels."""
    n = grid.rings["nphi"][0]
    return np.column_stack([np.repeat(grid.rings["theta"], n),
                            np.tile(2 * pi * np.arange(n) / n, grid.nrings)])


def close(a, b, bound=1e-11):
    assert np.shape(a) == np.shape(b) and np.abs(a - b).max() <= bound * np.abs(b).max()


def test_healpy():
    page = names_of("healpy")
    l = np.concatenate([np.arange(m, 33) for m in range(33)])
    twice = np.where(np.arange(l.size) < 33, 1, 2) * np.abs(page["alm"]) ** 2
    close(page["power"], np.bincount(l, twice) / (2 * np.arange(33) + 1))


def test_ducc0():
    page = names_of("ducc0")
    loc = places(armilla.Grid.equidistant("CC", 40, 64))
    close(page["world"].ravel(), armilla.evaluate(page["alm"][0], 30, loc))


def test_lenspyx():
    page = names_of("lenspyx")
    loc, gamma = page["loc"][:9, :2], page["loc"][:9, 2]
    e = np.stack([page["e"], 0 * page["e"]])
    q, u = armilla.evaluate(e, 64, loc, 2)
    turned = np.exp(2j * gamma) * (q + 1j * u)
    close(page["map_q"][:9] + 1j * page["map_u"][:9], turned, 1e-6)


def test_shtns():
    page = names_of("shtns")
    loc = places(page["grid"])
    _, s_t, s_p = armilla.evaluate(page["s"], 31, loc, derivatives=1)
    _, t_t, t_p = armilla.evaluate(page["t"], 31, loc, derivatives=1)
    close(page["v_theta"].ravel(), s_t + t_p)
    close(page["v_phi"].ravel(), s_p - t_t)
    run_peer("shtns", "shtns", page)


def test_pyshtools():
    page = names_of("pyshtools")
    cilm = page["cilm"]
    theta, phi = places(page["grid"])[200:1000:77].T
    value = 0.0
    for l in range(21):
        for m in range(l + 1):
            p_lm = np.sqrt(2 * l + 1) * schmidt_norm(l, m) * legendre(l, m, np.cos(theta))
            wave = cilm[0, l, m] * np.cos(m * phi) + cilm[1, l, m] * np.sin(m * phi)
            value = value + p_lm * wave
    close(page["world"].ravel()[200:1000:77], value)


def d20(lmax, x):
    """Wigner functions d^l_20 = sqrt((l - 2)! / (l + 2)!) (2 x P_l' - l (l + 1) P_l)."""
    p, slope, made = [np.ones_like(x), x], [0 * x, np.ones_like(x)], [0 * x, 0 * x]
    for l in range(2, lmax + 1):
        p.append(((2 * l - 1) * x * p[-1] - (l - 1) * p[-2]) / l)
        slope.append(slope[-2] + (2 * l - 1) * p[-2])
        made.append((2 * x * slope[-1] - l * (l + 1) * p[-1]) / np.sqrt((l - 1) * l * (l + 1)
                                                                         * (l + 2)))
    return np.array(made)


def test_namaster():
    page = names_of("namaster", "pymaster as nmt")
    lmax, bands = page["lmax"], page["bands"]
    l = np.arange(lmax + 1.0)
    x, weights = np.polynomial.legendre.leggauss(2 * lmax)
    mask_cl = armilla.spectrum.compute(page["f0"].mask_alm)
    xi = np.polynomial.legendre.legval(x, (2 * l + 1) / (4 * pi) * mask_cl)
    d = d20(lmax, x)
    average = np.stack([(begin <= l) & (l < end) for begin, end in zip(bands.begin, bands.end)])
    windows = average @ ((d * weights * xi) @ d.T * (l + 0.5)) / 12
    solved = np.linalg.solve(windows @ average.T, np.stack([windows, average / 12]))
    pseudo = [armilla.spectrum.compute(page["f0"].alm[0], alm) for alm in page["f2"].alm]
    close(page["coupling"].windows[0, :, 0], solved[0])
    close(page["result"].powers, np.stack(pseudo) @ solved[1].T)

    theta, phi = page["loc"].T
    places = np.column_stack([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi),
                              np.cos(theta)])
    close(places, page["hp"].ang2vec(page["ra"], page["dec"], lonlat=True))

    seen = page["theta"] < 2
    vectors = np.column_stack(page["hp"].pix2vec(page["nside"], np.arange(seen.size)))
    cosine = (vectors[seen][::19] @ vectors[~seen].T).max(axis=1)
    ratio = np.minimum(np.sqrt((1 - cosine) / (1 - np.cos(np.radians(20)))), 1)
    close(page["soft"][seen][::19], ratio - np.sin(2 * pi * ratio) / (2 * pi))


@pytest.mark.parametrize("name, peer", [("s2fft", "s2fft"), ("ssht", "pyssht")])
def test_complex_coefficients(name, peer):
    page = names_of(name, peer)
    n, loc = page["L"], places(page["grid"])[3:-50:97]
    place = {"s2fft": lambda l, m: (l, n - 1 + m), "ssht": lambda l, m: l * l + l + m}[name]
    spin_flm = -(page["to_flm"](page["e"]) + 1j * page["to_flm"](page["b"]))
    for flm, spin, expected in ((page["to_flm"](page["alm"]), 0, page["sky"]),
                                (spin_flm, 2, page["q"] + 1j * page["u"])):
        value = sum(flm[place(l, m)] * goldberg(spin, l, m, *loc.T)
                    for l in range(spin, n) for m in range(-l, l + 1))
        close(value, expected.ravel()[3:-50:97] + 0j)
    if name == "ssht":
        run_peer("ssht", "pyssht", page)
