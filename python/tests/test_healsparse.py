"""Maps of healsparse: read and written, against the package and files by the format's words."""
import numpy as np
import pytest

import armilla
from armilla import io

fits = pytest.importorskip("astropy.io.fits")
UNSEEN = io.UNSEEN


def by_hand(path, blocks, nside=16, coverage=4, sentinel=UNSEEN, dtype="f4", cov=None, **cards):
    """A file with the values of whole coverage pixels: {number: values}."""
    count = (nside // coverage) ** 2
    cover = -count * np.arange(12 * coverage ** 2)
    sparse = [np.full(count, sentinel, dtype)]
    for i, (number, values) in enumerate(blocks.items(), 1):
        cover[number] += i * count
        sparse.append(np.asarray(values, dtype))
    cover = cover if cov is None else cov(cover)
    hdus = [fits.PrimaryHDU(cover), fits.ImageHDU(np.concatenate(sparse))]
    for hdu, name, said in ((hdus[0], "COV", coverage), (hdus[1], "SPARSE", nside)):
        hdu.header.update({"EXTNAME": name, "PIXTYPE": "HEALSPARSE", "NSIDE": said})
    hdus[1].header["SENTINEL"] = sentinel
    hdus[1].header.update(cards)
    fits.HDUList(hdus).writeto(path, overwrite=True)
    return path


def test_a_file_by_the_words_of_the_format(tmp_path):
    """Blocks are in no sequence; the observed pixels come in that of their numbers."""
    first, second = np.arange(16.0), np.full(16, UNSEEN)
    second[[3, 7]] = 30, 70
    path = by_hand(tmp_path / "a.hsp", {100: first, 2: second}, BAND="r", TELESCOP="LSST")
    told = io.read_healsparse(path)
    np.testing.assert_array_equal(told.pixels, np.r_[35, 39, 1600:1616])
    np.testing.assert_array_equal(told.values, np.r_[30, 70, first])
    assert told.values.dtype == np.float32 and (told.nside, told.nside_coverage) == (16, 4)
    assert told.field is None and told.metadata == {"BAND": "r", "TELESCOP": "LSST"}
    sky = told.full(nested=True)
    assert sky.dtype == np.float32 and sky[35] == 30 and (sky != np.float32(UNSEEN)).sum() == 18
    ring = told.full()
    assert ring[armilla.healpix.nest_to_ring(16, 39)] == 70
    np.testing.assert_array_equal(armilla.healpix.reorder(sky, to_nested=False), ring)


@pytest.mark.parametrize("dtype", ["f4", "f8", "i2", "i4", "i8", "u1", "u2", "i1", "u4"])
@pytest.mark.parametrize("coverage", [2, 64])
def test_there_and_back(tmp_path, dtype, coverage):
    rng = np.random.default_rng(3)
    pixels = rng.choice(12 * 64 ** 2, 500, replace=False)
    values = rng.integers(1, 100, 500).astype(dtype)
    io.write_healsparse(tmp_path / "a.hsp", pixels, values, 64, nside_coverage=coverage,
                        metadata={"HELLO": 3})
    told = io.read_healsparse(tmp_path / "a.hsp")
    order = np.argsort(pixels)
    np.testing.assert_array_equal(told.pixels, pixels[order])
    np.testing.assert_array_equal(told.values, values[order])
    assert told.values.dtype == values.dtype and told.metadata == {"HELLO": 3}
    assert (told.nside, told.nside_coverage) == (64, coverage)
    ring = armilla.healpix.nest_to_ring(64, pixels)
    io.write_healsparse(tmp_path / "b.hsp", ring, values, 64, nested=False)
    np.testing.assert_array_equal(io.read_healsparse(tmp_path / "b.hsp").pixels, told.pixels)


def test_no_pixels_and_one_pixel(tmp_path):
    io.write_healsparse(tmp_path / "a.hsp", [], np.empty(0), 8)
    told = io.read_healsparse(tmp_path / "a.hsp")
    assert told.pixels.size == 0 and told.values.dtype == np.float64
    assert told.degraded(2).pixels.size == 0 and (told.full() == UNSEEN).all()
    io.write_healsparse(tmp_path / "b.hsp", [11], np.array([5.0]), 1)
    told = io.read_healsparse(tmp_path / "b.hsp")
    assert told.pixels.tolist() == [11] and told.degraded(1).values.tolist() == [5.0]


def test_columns(tmp_path):
    values = np.array([(1.5, 7), (2.5, 8)], [("flux", "f8"), ("n", "i4")])
    io.write_healsparse(tmp_path / "a.hsp", [700, 5], values, 32)
    told = io.read_healsparse(tmp_path / "a.hsp")
    assert told.field == "flux" and told.values.tolist() == [2.5, 1.5]
    told = io.read_healsparse(tmp_path / "a.hsp", field="n")
    assert told.values.tolist() == [8, 7] and told.values.dtype == np.int32
    with pytest.raises(ValueError, match="field = 'x': .* has flux, n"):
        io.read_healsparse(tmp_path / "a.hsp", field="x")
    io.write_healsparse(tmp_path / "b.hsp", [5], values[:1], 32, primary="n", sentinel=-9)
    assert io.read_healsparse(tmp_path / "b.hsp").field == "n"


def test_lower_resolution():
    part = io.SparseMap(np.array([0, 2, 3, 64]), np.array([1, 3, 5, 7]), 32, 8)
    low = part.degraded(16)
    assert low.pixels.tolist() == [0, 16] and low.values.tolist() == [3.0, 7.0]
    assert part.degraded(4).nside_coverage == 4
    mixed = part._replace(pixels=part.pixels[::-1], values=part.values[::-1])
    np.testing.assert_array_equal(mixed.degraded(16).pixels, low.pixels)
    np.testing.assert_allclose(mixed.degraded(16).values, low.values)
    for nside in (64, 3, 0):
        with pytest.raises(ValueError, match=f"nside = {nside}: must be a power of 2, at most 32"):
            part.degraded(nside)


# --- Against healsparse ---------------------------------------------------------------------------


@pytest.mark.parametrize("dtype, sentinel", [("f4", None), ("f8", None), ("i4", None), ("i8", -5),
                                             ("u1", 0), ("?", None), ("packed", None)])
@pytest.mark.parametrize("pack", [False, True])
def test_files_of_healsparse(tmp_path, dtype, sentinel, pack):
    healsparse = pytest.importorskip("healsparse")
    path, kind = str(tmp_path / "a.hsp"), np.dtype("?" if dtype == "packed" else dtype)
    theirs = healsparse.HealSparseMap.make_empty(8, 128, kind.type, sentinel=sentinel,
                                                 bit_packed=dtype == "packed")
    pixels = np.r_[5000:5300, 17, 190000:190010]
    values = (np.arange(pixels.size) % 100 + 1).astype(kind)
    theirs[pixels] = True if kind == "?" else values
    theirs.write(path, nocompress=not pack)
    told = io.read_healsparse(path)
    order = np.argsort(pixels)
    np.testing.assert_array_equal(told.pixels, pixels[order])
    np.testing.assert_array_equal(told.values, values[order])
    assert told.values.dtype == kind and (told.nside, told.nside_coverage) == (128, 8)


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "i8", "u1"])
def test_healsparse_reads_ours(tmp_path, dtype):
    healsparse = pytest.importorskip("healsparse")
    path = str(tmp_path / "a.hsp")
    pixels = np.r_[5000:5300, 17]
    values = (np.arange(301) % 100 + 1).astype(dtype)
    io.write_healsparse(path, pixels, values, 128, metadata={"BAND": "r"})
    theirs = healsparse.HealSparseMap.read(path)
    np.testing.assert_array_equal(theirs[pixels], values)
    np.testing.assert_array_equal(np.sort(theirs.valid_pixels), np.sort(pixels))
    assert theirs.dtype.newbyteorder("=") == np.dtype(dtype) and theirs.nside_sparse == 128
    assert theirs.metadata["BAND"] == "r"
    low = theirs.astype(np.float64).degrade(32) if dtype[0] in "iu" else theirs.degrade(32)
    ours = io.read_healsparse(path).degraded(32)
    np.testing.assert_allclose(low[ours.pixels], ours.values, rtol=1e-6)
    np.testing.assert_array_equal(np.sort(low.valid_pixels), ours.pixels)


def test_columns_of_healsparse(tmp_path):
    healsparse = pytest.importorskip("healsparse")
    path, kind = str(tmp_path / "a.hsp"), [("a", "f4"), ("b", "i8")]
    theirs = healsparse.HealSparseMap.make_empty(8, 64, np.dtype(kind), primary="b")
    values = np.array([(1.5, 7), (UNSEEN, 8)], kind)
    theirs[np.array([40000, 30])] = values
    theirs.write(path)
    told = io.read_healsparse(path, field="a")
    assert told.pixels.tolist() == [30, 40000] and told.values[1] == 1.5
    assert io.read_healsparse(path).values.tolist() == [8, 7]
    io.write_healsparse(tmp_path / "b.hsp", [30, 40000], values[::-1], 64, primary="b")
    again = healsparse.HealSparseMap.read(str(tmp_path / "b.hsp"))
    assert again.primary == "b" and again[40000]["a"] == 1.5


def test_wide_masks_are_refused(tmp_path):
    healsparse = pytest.importorskip("healsparse")
    theirs = healsparse.HealSparseMap.make_empty(8, 64, healsparse.WIDE_MASK, wide_mask_maxbits=20)
    theirs.set_bits_pix(np.arange(9), [3, 17])
    theirs.write(str(tmp_path / "w.hsp"))
    with pytest.raises(armilla.FormatError, match="is a wide mask of 3 bytes a pixel"):
        io.read_healsparse(tmp_path / "w.hsp")


# --- What is wrong --------------------------------------------------------------------------------


def test_files_that_are_none(tmp_path):
    block = {1: np.ones(16)}
    path = tmp_path / "a.hsp"

    def changed(**how):
        return lambda: io.read_healsparse(by_hand(path, block, **how))

    (tmp_path / "text").write_text("no file")
    io.write_map(tmp_path / "map.fits", np.arange(48.0))
    cut = by_hand(tmp_path / "cut.hsp", {i: np.ones(16) for i in range(100)}).read_bytes()
    (tmp_path / "cut.hsp").write_bytes(cut[:8000])
    for call, message in (
            (lambda: io.read_healsparse(tmp_path / "text"), "is no FITS file"),
            (lambda: io.read_healsparse(tmp_path / "map.fits"), "has no HDU COV"),
            (lambda: io.read_healsparse(tmp_path / "cut.hsp"), "cut.hsp"),
            (changed(NSIDE=24), "SPARSE has NSIDE = 24, must be a power of 2"),
            (changed(NSIDE=2), "COV has 192 pixels and NSIDE = 4, SPARSE has NSIDE = 2"),
            (changed(NSIDE=1024), "no whole blocks of 65536"),
            (changed(cov=lambda one: one[:-1]), "COV has 191 pixels"),
            (changed(cov=lambda one: one + 1), "COV has 1 for coverage pixel 0"),
            (changed(cov=lambda one: one + 32), "COV has 32 for coverage pixel 0, which is no"),
            (changed(cov=lambda one: one + 16 * (np.arange(192) == 5)),
             "two coverage")):
        with pytest.raises(armilla.FormatError, match=message):
            call()
    with pytest.raises(FileNotFoundError):
        io.read_healsparse(tmp_path / "nowhere.hsp")


@pytest.mark.parametrize("given, how, error, message", [
    (([1, 1], [1.0, 2.0], 8), {}, ValueError, "pixels: one is there twice"),
    (([-1], [1.0], 8), {}, ValueError, "pixels: -1 is none of nside 8"),
    (([768], [1.0], 8), {}, ValueError, "pixels: 768 is none of nside 8"),
    (([1.5], [1.0], 8), {}, TypeError, "pixels: must be whole numbers"),
    (([1], [1.0, 2.0], 8), {}, ValueError, r"values: has shape \(2,\), must have \(1,\)"),
    (([1], [np.nan], 8), {}, ValueError, "the value is nan at place 0"),
    (([1], [UNSEEN], 8), {}, ValueError, "marks what was not observed"),
    (([1], np.array([0], "u1"), 8), {}, ValueError, "the value is 0 at place 0"),
    (([1], np.array([7]), 8), {"sentinel": 7}, ValueError, "the value is 7 at place 0"),
    (([1], np.array([7], "u1"), 8), {"sentinel": -1}, ValueError, "uint8 does not hold it"),
    (([1], [1j], 8), {}, TypeError, "values: must hold float32, float64 or integers"),
    (([1], [1.0], 12), {}, ValueError, "nside = 12: must be a power of 2"),
    (([1], [1.0], 8), {"nside_coverage": 16}, ValueError, "nside_coverage = 16: must be"),
    (([1], [1.0], 8), {"primary": "a"}, ValueError, "primary = 'a': is for structured arrays"),
    (([1], [1.0], 8), {"metadata": {"NSIDE": 4}}, ValueError, "metadata: NSIDE is a card"),
])
def test_what_is_not_written(tmp_path, given, how, error, message):
    with pytest.raises(error, match=message):
        io.write_healsparse(tmp_path / "a.hsp", *given, **how)
    assert not list(tmp_path.iterdir())


def test_files_are_whole_and_not_overwritten(tmp_path):
    path = tmp_path / "a.hsp"
    io.write_healsparse(path, [1], [1.0], 8)
    with pytest.raises(FileExistsError):
        io.write_healsparse(path, [2], [1.0], 8)
    io.write_healsparse(path, [2], [1.0], 8, overwrite=True)
    assert io.read_healsparse(path).pixels.tolist() == [2]
