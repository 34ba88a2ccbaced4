"""What all tests use."""
import time

import numpy as np

import armilla


def rms(values) -> float:
    """Root mean square of the absolute values."""
    values = np.asarray(values)
    return float(np.sqrt(np.mean(np.abs(values.astype(np.complex128)) ** 2)))


def relative(values, judge) -> float:
    """rms of the difference over rms of the judge; the difference itself where the judge is but
    rounding errors of 0 (fields of spin s at a pole)."""
    assert values.shape == judge.shape, (values.shape, judge.shape)
    scale = rms(judge)
    return rms(values.astype(np.complex128) - judge) / (scale if scale > 1e-10 else 1)


def random_alm(lmax, mmax=None, lead=(), spin=0, seed=1, dtype=np.complex128):
    """Random coefficients (*lead, size), imaginary parts of m = 0 and degrees < |spin| are 0."""
    mmax = lmax if mmax is None else mmax
    rng = np.random.default_rng(seed)
    shape = lead + (armilla.alm.size(lmax, mmax),)
    alm = rng.standard_normal(shape) + 1j * rng.standard_normal(shape)
    alm[..., : lmax + 1].imag = 0
    for m in range(mmax + 1):
        for l in range(m, min(abs(spin), lmax + 1)):
            alm[..., armilla.alm.index(lmax, l, m)] = 0
    return alm.astype(dtype)


def dot_alm(a, b, lmax) -> float:
    """Inner product of coefficients of real fields: m > 0 counts twice."""
    product = (np.asarray(a, np.complex128) * np.conj(np.asarray(b, np.complex128))).real
    return float(2 * product.sum() - product[..., : lmax + 1].sum())


def seconds(call, number=2000) -> float:
    """Time of a call in this thread: not what others take on a busy machine."""
    best = np.inf
    for _ in range(5):
        start = time.thread_time()
        for _ in range(number):
            call()
        best = min(best, (time.thread_time() - start) / number)
    return best


def seconds_in_turns(calls, enough, number=2000) -> list:
    """Times of calls, taken in turns, the best of each, until enough(*times): a machine that others
    use runs slow for seconds. 20 rounds at most."""
    best = [np.inf] * len(calls)
    for _ in range(20):
        best = [min(time, seconds(call, number)) for time, call in zip(best, calls)]
        if enough(*best):
            break
    return best


def check_damaged(folder, readers):
    """How many of texts with bytes changed, put in or left out are refused; others are read."""
    random, refused = np.random.default_rng(5), 0
    for text, read in readers:
        for _ in range(120):
            raw = bytearray(text.encode())
            for _ in range(random.integers(1, 4)):
                at = int(random.integers(len(raw)))
                raw[at:at + int(random.integers(3))] = random.choice(
                    [b"", b"9", b"-", b" ", b"\n", b"e", b"\0", b"\xff", b"99999999"])
            (folder / "damaged").write_bytes(raw)
            try:
                assert np.isfinite(read(folder / "damaged")).all()
            except (armilla.FormatError, ValueError) as error:
                assert "damaged, line" in str(error) or "epoch = " in str(error), error
                refused += 1
    return refused
