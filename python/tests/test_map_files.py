"""armilla.io with maps on any grid: tables and images come back with their grid, values of grids
that are laid out land where they belong, and wrong arguments are named."""
import pickle

import numpy as np
import pytest

import armilla
from armilla import Grid, io
from armilla import healpy as hp


def turned(name, phi0):
    return Grid.named(name).laid_out(phi0=phi0)


def custom():
    return Grid.custom([0.3, 1 / 3, 1.5, 3], nphi=[4, 5, 6, 3], phi0=[0, 0.1, 0.2, 0.3],
                       weight=[0.1, 0.2, 1 / 3, 0.4])


TABLES = [Grid.named("O16"), Grid.named("cc:9x16"), Grid.named("F8"), turned("O16", 0.1),
          turned("mwss:9x16", -1 / 3), custom(), Grid.reduced([3, 5, 7, 6, 2]),
          Grid.named("O16").subset(3, 5, compact=True), turned("H4", 0.25)]


@pytest.mark.parametrize("partial", [False, True])
@pytest.mark.parametrize("grid", TABLES, ids=repr)
def test_tables(tmp_path, grid, partial):
    sky = np.random.default_rng(1).standard_normal((2, grid.npix))
    sky[:, 3] = io.UNSEEN
    path = tmp_path / "sky.fits"
    io.write_map(path, sky, grid=grid, units="K", coordsys="E", dtype=np.float64, partial=partial)
    told = io.read_map(path)
    np.testing.assert_array_equal(told.values, sky)
    np.testing.assert_array_equal(told.grid.rings, grid.rings)
    assert told.grid.exact_lmax == grid.exact_lmax and told.grid.name == grid.name
    assert (told.nside, told.coordsys, told.partial, told.units) == (0, "E", partial, ("K", "K"))
    assert pickle.loads(pickle.dumps(told.grid)) == told.grid


def test_names_and_healpix(tmp_path):
    path = tmp_path / "sky.fits"
    io.write_map(path, np.arange(48.0), grid="H2")
    told = io.read_map(path)
    assert told.nside == 2 and told.grid == Grid.healpix(2)
    io.write_map(path, np.arange(1600.0), grid="O16", overwrite=True)
    assert io.read_map(path).grid == Grid.octahedral(16)
    assert "the grid O16 (reduced Gauss-Legendre, 32 rings, 1600 pixels)" in io.describe(path)
    cards = {card.name: card.value for card in io.read_header(path, hdu=1)}
    assert (cards["PIXTYPE"], cards["GRID"], cards["NPIX"]) == ("RING GRID", "O16", 1600)


LAYOUTS = [{}, {"south_first": True}, {"west_first": True}, {"order": "theta"},
           {"south_first": True, "order": "theta", "phi0": 0.1}]


@pytest.mark.parametrize("image", [False, True])
@pytest.mark.parametrize("layout", LAYOUTS, ids=repr)
def test_layouts(tmp_path, layout, image):
    """A file has the coefficients that a map of the caller's layout has."""
    alm = armilla.alm.random(6, np.ones(7), seed=1)
    grid = Grid.named("cc:9x16").laid_out(**layout)
    path = tmp_path / "sky.fits"
    for two in (False, True):
        sky = armilla.SHT(grid, lmax=6, two_dimensional=two).synthesis(alm)
        io.write_map(path, sky, grid=grid, dtype=np.float64, image=image, coordsys="C",
                     overwrite=True)
        told = io.read_map(path)
        assert told.values.shape == (1, 144) and told.grid.layout.phi0 == layout.get("phi0", 0)
        back = armilla.SHT(told.grid, lmax=6).analysis(told.values[0])
        np.testing.assert_allclose(back, alm, atol=1e-13)


def test_several_maps_of_two_dimensions(tmp_path):
    maps = np.arange(3.0 * 144).reshape(3, 9, 16)
    io.write_map(tmp_path / "a.fits", maps, grid="cc:9x16", dtype=np.float64)
    np.testing.assert_array_equal(io.read_map(tmp_path / "a.fits").values, maps.reshape(3, -1))
    io.write_map(tmp_path / "b.fits", list(maps), grid="cc:9x16", dtype=np.float64)
    np.testing.assert_array_equal(io.read_map(tmp_path / "b.fits").values, maps.reshape(3, -1))
    hidden = np.ma.masked_greater(maps[0], 140)
    io.write_map(tmp_path / "c.fits", hidden, grid="cc:9x16", dtype=np.float64)
    assert (io.read_map(tmp_path / "c.fits").values[0, 141:] == io.UNSEEN).all()


def test_large_integers_keep_their_order(tmp_path):
    grid = Grid.named("cc:3x4").laid_out(south_first=True)
    large = np.arange(12) + 2 ** 60 + 1
    io.write_map(tmp_path / "a.fits", large, grid=grid, dtype=np.int64)
    column = io.read_table(tmp_path / "a.fits", hdu=1).column(0)
    np.testing.assert_array_equal(np.ravel(column), large.reshape(3, 4)[::-1].ravel())


@pytest.mark.parametrize("name", ["cc:9x16", "f1:8x15", "mwflip:9x17"])
@pytest.mark.parametrize("phi0", [0.0, 0.1])
def test_images(tmp_path, name, phi0):
    grid = turned(name, phi0)
    iqu = np.random.default_rng(2).standard_normal((3, grid.npix))
    iqu[1, 4] = np.nan
    path = tmp_path / "iqu.fits"
    io.write_map(path, iqu, grid=grid, units="uK", coordsys="G", dtype=np.float64, image=True)
    told = io.read_map(path)
    iqu[1, 4] = io.UNSEEN
    np.testing.assert_array_equal(told.values, iqu)
    assert told.grid == grid and told.units == ("uK",) * 3
    assert told.names == ("TEMPERATURE", "Q_POLARISATION", "U_POLARISATION")
    cards = {card.name: card.value for card in io.read_header(path, hdu=0)}
    assert cards["CTYPE1"] == "GLON-CAR" and cards["CTYPE3"] == "STOKES" and cards["CRVAL2"] == 0


@pytest.mark.parametrize("given, words", [
    ({"grid": "O16"}, "values: 144 pixels: the grid has 1600"),
    ({"grid": "O1", "image": True}, "values: 144 pixels: the grid has 40"),
    ({}, 'values: 144 pixels: no HEALPix map has so many; on another grid name it: grid="cc:'),
    ({"grid": "cc:9x16", "nested": True}, "nested = True: maps on other grids than HEALPix"),
    ({"grid": "cc:9x16", "image": True}, "coordsys = None: an image says in which coordinates"),
    ({"grid": "gl:9x16", "image": True, "coordsys": "G"}, "not this map's grid gl:9x16"),
    ({"grid": "cc:9x16", "image": True, "coordsys": "G", "dtype": np.int16},
     "must all be double, or all float"),
    ({"grid": "Q17"}, "Q17"),
])
def test_wrong_arguments(tmp_path, given, words):
    with pytest.raises(ValueError, match=words.replace("(", r"\(")):
        io.write_map(tmp_path / "a.fits", np.zeros(144), **given)
    with pytest.raises(ValueError, match="grid: is in NESTED order"):
        io.write_map(tmp_path / "a.fits", np.zeros(48), grid="H2n")
    with pytest.raises(TypeError, match="grid: must be an armilla.Grid or its name"):
        io.write_map(tmp_path / "a.fits", np.zeros(48), grid=2)
    assert not list(tmp_path.iterdir())


def test_healpy_refuses_other_grids(tmp_path):
    """Also one with as many pixels as a HEALPix map has."""
    io.write_map(tmp_path / "a.fits", np.arange(48.0), grid="cc:6x8")
    with pytest.raises(TypeError, match="another grid than HEALPix, which armilla.io.read_map"):
        hp.read_map(tmp_path / "a.fits")


def test_images_are_read_by_name(tmp_path):
    io.write_map(tmp_path / "a.fits", np.zeros(48), grid="cc:6x8", coordsys="C", image=True,
                 keywords=[("EXTNAME", "SKY")])
    assert io.read_map(tmp_path / "a.fits", hdu="SKY").grid.name == "cc:6x8"


def image(path, planes, **cards):
    """A FITS image of the whole sky on f1:4x8, by hand; planes (..., 4, 8), the south first."""
    told = {"SIMPLE": True, "BITPIX": -64, "NAXIS": planes.ndim}
    told.update({f"NAXIS{i + 1}": n for i, n in enumerate(planes.shape[::-1])})
    told.update(CTYPE1="RA---CAR", CTYPE2="DEC--CAR", CRVAL1=0.0, CRVAL2=0.0, CRPIX1=1.0,
                CRPIX2=2.5, CDELT1=45.0, CDELT2=45.0)
    told.update(cards)

    def text(value):
        return f"'{value:<8}'" if isinstance(value, str) else (
            f"{'T' if value is True else value:>20}")

    lines = [f"{key:<8}= {text(value)}".ljust(80) for key, value in told.items()]
    header = "".join(lines + ["END".ljust(80)])
    data = planes.astype(">i8" if told["BITPIX"] == 64 else ">f8").tobytes()
    path.write_bytes(header.ljust(-(-len(header) // 2880) * 2880).encode() +
                     data.ljust(-(-len(data) // 2880) * 2880, b"\0"))
    return path


@pytest.mark.parametrize("shape, cards, names, signs", [
    ((4,), {"CTYPE3": "STOKES", "POLCCONV": "IAU"}, "TQUV", (1, 1, -1, 1)),
    ((2,), {"CTYPE3": "STOKES", "POLCCONV": "IAU"}, "TQ", (1, 1)),
    ((2,), {"CTYPE3": "STOKES", "CRVAL3": 2.0, "POLCCONV": "IAU"}, "QU", (1, -1)),
    ((3,), {"CTYPE3": "STOKES", "POLCCONV": "COSMO"}, "TQU", (1, 1, 1)),
    ((3,), {"CTYPE3": "STOKES"}, "TQU", (1, 1, -1)),  # FITS' own sign, as pixell takes it
    ((3,), {"CTYPE3": "STOKES", "POLCONV": "COSMO"}, "TQU", (1, 1, 1)),
    ((3,), {"CTYPE3": "FREQ", "POLCCONV": "IAU"}, "CCC", (1, 1, 1)),
    ((3, 1), {"CTYPE3": "FREQ", "CTYPE4": "STOKES"}, "TQU", (1, 1, -1)),
    ((2, 3), {"CTYPE3": "STOKES", "POLCCONV": "IAU"}, "CCCCCC", (1,) * 6),
    ((3,), {}, "TQU", (1, 1, 1)),
])
def test_planes_are_what_the_third_axis_says(tmp_path, shape, cards, names, signs):
    planes = np.arange(1.0, 1 + 32 * np.prod(shape)).reshape(*shape, 4, 8)
    told = armilla.io.read_map(image(tmp_path / "a.fits", planes, **cards))
    judge = planes.reshape(-1, 4, 8)[:, ::-1] * np.reshape(signs, (-1, 1, 1))
    assert np.array_equal(told.values, judge.reshape(len(signs), 32))
    assert "".join(name[0] for name in told.names) == names


def test_planes_in_another_order_and_a_row_alone_are_refused(tmp_path):
    planes = np.zeros((3, 4, 8))
    with pytest.raises(ValueError, match="CRVAL3"):
        armilla.io.read_map(image(tmp_path / "a.fits", planes, CTYPE3="STOKES", CRVAL3=-1.0))
    with pytest.raises(ValueError, match="CDELT2"):
        armilla.io.read_map(image(tmp_path / "b.fits", planes[:1, :1], CRPIX2=1.0, CDELT2=1.0))


def test_fields_that_are_no_stokes_parameters_have_no_sign(tmp_path):
    grid, path = armilla.Grid.named("f1:4x8"), tmp_path / "a.fits"
    values = np.random.default_rng(1).standard_normal((3, 32))
    armilla.io.write_map(path, values, grid=grid, image=True, coordsys="C", dtype=np.float64,
                         names=["f090", "f150", "f220"])
    cards = {card.name: card.value for card in armilla.io.read_header(path, 0)}
    assert cards["CTYPE3"] == "FIELD" and "POLCCONV" not in cards
    told = armilla.io.read_map(path)
    assert np.array_equal(told.values, values) and told.names == ("f090", "f150", "f220")
    armilla.io.write_map(path, values[:1], grid=grid, image=True, coordsys="C", overwrite=True,
                         names=["U_POLARISATION"])
    assert armilla.io.read_map(path).names == ("U_POLARISATION",)


# --- What files must not lose ---------------------------------------------------------------------


def both(tmp_path, primary):
    """A file with a primary HDU, and a table after it."""
    fits = pytest.importorskip("astropy.io.fits")
    io.write_map(tmp_path / "t.fits", np.arange(192.0))
    with fits.open(tmp_path / "t.fits") as table:
        fits.HDUList([primary(fits), table[1]]).writeto(tmp_path / "m.fits")
    return tmp_path / "m.fits"


def test_the_primary_image_and_no_other(tmp_path):
    io.write_map(tmp_path / "i.fits", np.arange(648.0), grid="f1:18x36", image=True, coordsys="G")

    def image(fits):
        with fits.open(tmp_path / "i.fits") as whole:
            return fits.PrimaryHDU(whole[0].data.copy(), whole[0].header)

    path = both(tmp_path, image)
    assert io.read_map(path).nside == 4
    for name in ("PRIMARY", ("PRIMARY", 1), -2):
        assert io.read_map(path, hdu=name).grid.name == "f1:18x36"


def test_a_primary_hdu_without_a_map(tmp_path):
    path = both(tmp_path, lambda fits: fits.PrimaryHDU(np.ones((5, 7))))
    with pytest.raises(armilla.FormatError, match="CTYPE1 is missing"):
        io.read_map(path, hdu="PRIMARY")
    with pytest.raises(ValueError, match="hdu = PRIMARY: HDU 0 of .* holds no table"):
        io.read_map(tmp_path / "t.fits", hdu="PRIMARY")


@pytest.mark.parametrize("names", [["HEIGHT"], ["Geoid"], ["I_STOKES", "Q_STOKES"], ["A", "B", "C"],
                                   ["TEMPERATURE"], ["U_STOKES"]])
def test_planes_keep_their_names(tmp_path, names):
    maps = np.ones((len(names), 648))
    io.write_map(tmp_path / "i.fits", maps, grid="f1:18x36", image=True, coordsys="G", names=names)
    assert io.read_map(tmp_path / "i.fits").names == tuple(names)
    assert io.read_map(tmp_path / "i.fits", fields=len(names) - 1).names == (names[-1],)


def test_names_of_planes_by_other_programs(tmp_path):
    fits = pytest.importorskip("astropy.io.fits")
    io.write_map(tmp_path / "i.fits", np.ones((3, 648)), grid="f1:18x36", image=True, coordsys="G",
                 names=["I", "Q", "U"])
    with fits.open(tmp_path / "i.fits") as whole:
        header, data = whole[0].header, whole[0].data.copy()
    fits.PrimaryHDU(data[:1], header).writeto(tmp_path / "one.fits")
    header["PLANE1"] = "U"  # where STOKES says I
    fits.PrimaryHDU(data, header).writeto(tmp_path / "lies.fits")
    assert io.read_map(tmp_path / "lies.fits").names == ("TEMPERATURE", "Q", "U")
    del header["CTYPE3"], header["PLANE1"]
    header["EXTNAME"] = "DEPTH"
    fits.PrimaryHDU(data[0], header).writeto(tmp_path / "named.fits")
    assert io.read_map(tmp_path / "named.fits").names == ("DEPTH",)


@pytest.mark.parametrize("names", (["TEMPERATURE"], ["U_POLARISATION"], ["HEIGHT"]))
def test_the_name_of_a_plane_alone_is_not_that_of_its_extension(tmp_path, names):
    io.write_map(tmp_path / "i.fits", np.ones(40), grid="cc:5x8", image=True, coordsys="G",
                 names=names, keywords=[("EXTNAME", "U")])
    assert io.read_map(tmp_path / "i.fits").names == tuple(names)
    assert io.read_map(tmp_path / "i.fits", hdu="U").names == tuple(names)


def test_cards_that_say_what_planes_hold_are_not_the_callers(tmp_path):
    def write(*cards, image=True):
        io.write_map(tmp_path / "i.fits", np.ones((2, 40)), grid="cc:5x8", image=image,
                     coordsys="G", names=["AAA", "BBB"], overwrite=True, keywords=cards)

    for card, why in ((("PLANE1", "zz"), "names a plane"), (("plane2", "zz"), "names a plane"),
                      (("BZERO", 5.0), "would change the values"), (("BSCALE", 2.0), "would")):
        with pytest.raises(ValueError, match=rf"\({card[0].upper()}\): {why}"):
            write(card)
    write(("PLANE", "zz"), ("PLANE3", "zz"))  # of no plane of the image
    assert io.read_map(tmp_path / "i.fits").names == ("AAA", "BBB")
    write(("PLANE1", "zz"), image=False)
    assert io.read_map(tmp_path / "i.fits").names == ("AAA", "BBB")


@pytest.mark.parametrize("values, unsigned", [
    (2 ** 53 + 2, False), (-2 ** 62, False), (2 ** 60 + 256, False), (1, True), (2 ** 53, True),
    (2 ** 63 + 4096, True), (2 ** 64 - 2 ** 20, True)])
@pytest.mark.parametrize("nside", (1, 16))
def test_large_integers_that_doubles_are(tmp_path, values, unsigned, nside):
    fits = pytest.importorskip("astropy.io.fits")
    column = np.full(12 * nside * nside, values, np.uint64 if unsigned else np.int64)
    table = fits.BinTableHDU.from_columns([fits.Column("N", "K", array=column, **(
        {"bzero": 2 ** 63} if unsigned else {}))])
    table.header.update(PIXTYPE="HEALPIX", ORDERING="RING", NSIDE=nside, INDXSCHM="IMPLICIT")
    table.writeto(tmp_path / "n.fits")
    assert (io.read_map(tmp_path / "n.fits").values == float(values)).all()
    assert int(io.read_map(tmp_path / "n.fits").values[0, 5]) == values


@pytest.mark.parametrize("wrong", (2 ** 53 + 1, -2 ** 53 - 1, 2 ** 62 - 1))
@pytest.mark.parametrize("partial", (False, True))
def test_integers_that_no_double_is_are_refused(tmp_path, wrong, partial):
    values = np.arange(192)
    values[100] = wrong
    hidden = np.ma.masked_array(values, np.arange(192) == 7)
    io.write_map(tmp_path / "n.fits", hidden, dtype=np.int64, partial=partial, names="N")
    assert wrong in io.read_table(tmp_path / "n.fits").column("N")
    with pytest.raises(armilla.FormatError, match="column 'N' has integers beyond 2.53 that no do.*"
                                                "armilla.io.read_table in Python, or"):
        io.read_map(tmp_path / "n.fits")


@pytest.mark.parametrize("zero, stored, judge", [
    (0, (2 ** 53 + 1, 5), None), (0, (-2 ** 63, 2 ** 62 + 1), None),
    (2 ** 63, (2 ** 60 + 1, 7), None), (0, (-2 ** 53, 2 ** 62), (-2.0 ** 53, 2.0 ** 62)),
    (2 ** 63, (1 - 2 ** 63, 2 ** 53 - 2 ** 63), (1.0, 2.0 ** 53)),
    (2 ** 63, (-1 << 63, 2 ** 62), (0.0, 2.0 ** 63 + 2.0 ** 62)), (9, (-1, 4), (8.0, 13.0))])
def test_integers_of_64_bits_in_images(tmp_path, zero, stored, judge):
    planes = np.zeros((2, 4, 8), np.int64)
    planes[1, 3, :3] = *stored, -77
    path = image(tmp_path / "a.fits", planes, BITPIX=64, BZERO=zero, BLANK=-77)
    assert (io.read_map(path, fields=0).values == zero).all()
    if judge:
        assert tuple(io.read_map(path).values[1, :3]) == (*judge, io.UNSEEN)
    else:
        with pytest.raises(armilla.FormatError, match="plane 2 has integers beyond 2.53 that no"):
            io.read_map(path)


def test_integers_of_64_bits_in_images_are_scaled(tmp_path):
    path = image(tmp_path / "a.fits", np.full((4, 8), 2 ** 53 + 1), BITPIX=64, BSCALE=0.5,
                 BZERO=1.0)
    assert (io.read_map(path).values == 2.0 ** 52 + 1).all()


@pytest.mark.parametrize("value", (2 ** 63 + 1, 2 ** 64 - 1, -2 ** 63))
def test_integers_that_the_type_cannot_hold_are_refused(tmp_path, value):
    """In files -2^63 marks missing pixels."""
    values = np.full((2, 48), 7, np.int64 if value < 0 else np.uint64)
    values[1, 5] = value
    for write in (io.write_map, armilla.healpy.write_map):
        with pytest.raises(ValueError, match=r"fields.1..values.5. = .*e\+1.: does not fit"):
            write(tmp_path / "n.fits", values, dtype=np.int64)
        values[1, 5] = 2 ** 63 - 1
        write(tmp_path / f"{write.__module__}.fits", values, dtype=np.int64)
        values[1, 5] = value
    assert len(list(tmp_path.iterdir())) == 2
