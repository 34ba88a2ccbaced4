"""docs/gpu-figures.md is what tools/gpu_predictions.py writes, and no other page predicts times."""
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import gpu_model  # noqa: E402
import gpu_predictions  # noqa: E402
import gpu_sheets  # noqa: E402

PAGE = (ROOT / "docs/gpu-figures.md").read_text(encoding="utf-8")
TEXT = (ROOT / "tools/gpu_figures_page.md").read_text(encoding="utf-8")


def test_the_page_is_what_the_script_writes():
    made = gpu_predictions.page(TEXT)
    assert gpu_predictions.unmeasured(made) == gpu_predictions.unmeasured(PAGE), \
        "run tools/gpu_predictions.py"


def test_measured_cells_may_differ_and_predictions_must_not():
    row = "| GL lmax 4095, synthesis | 3.2 to 3.9 ms | 4.0 ms |  | not measured yet |"
    filled = row.replace("|  | not measured yet", "| 2 to 3 ms | 2.5 ms (H100, 2026-01-02)")
    kept = gpu_predictions.unmeasured
    assert kept(filled) == kept(row) != kept(row.replace("3.2", "3.1"))
    assert kept("**Asked: H100, 2026-01-02.** More") == kept("**No GPU has been asked yet.** More")


def test_counts_of_a_turn():
    """A scalar synthesis of four vectors: a step has 2 multiply-adds for the recurrence and 4 for
    sums, for each vector, of two cycles each. Analysis adds up 16 numbers over lanes, too."""
    loops = gpu_model.read_loops()
    assert loops["legendre_synthesis.v4w4.1"].pipe == 8 * 4 * (2 + 4) * 2
    assert loops["spin_synthesis.v2w4.1"].pipe == 8 * 2 * (4 + 8) * 2
    turn = loops["legendre_analysis.v4w4.1"]  # first of 4 vectors: products; then sums, and lanes
    assert turn.steps == 4 and turn.pipe == 2 * (4 * 4 * 2 + 4 * 4 * 4 + 16)
    assert loops["tensor_synthesis.v4w4.4"].pipe == 4 * 4 * 2 * 2 + 16 * 16


def test_the_legendre_stage_against_a_sum_over_orders_and_pairs():
    """With one pair a group and no lanes to fill, and steps that are skipped for nothing, what is
    left is the integral: a share of 2 / pi of all steps."""
    lmax = 1500
    sines = gpu_model.gauss_legendre(lmax)
    loops = {"legendre_synthesis.v4w4.1": gpu_model.Loop(8, 0, 384)}
    seconds = gpu_model.legendre_bound(sines, lmax, "legendre_synthesis.v4w4.1", loops)
    least = sum((lmax - m / sine) / 2 * 6 for sine in sines for m in range(int(lmax * sine) + 1))
    least /= gpu_model.FMA
    assert least == pytest.approx(len(sines) * lmax ** 2 / 4 * 6 * 2 / 3.14159 / gpu_model.FMA,
                                  rel=3e-3)
    assert least < seconds < 1.3 * least


def test_operations_of_a_step_in_floats():
    """By hand 27 for the recurrence and 12 (in one float 1) for each of four sums of a set. Machine
    code has few more in synthesis; in analysis sums over lanes come to them."""
    gpu = gpu_sheets.Gpu(2e-12, 2, 1, 1, 1)  # a multiply-add of floats a second
    for numbers, of_sum in (("two_floats", 12), ("single", 1)):
        for sets in (1, 2):
            hand = 32 * 4 * (27 + 4 * of_sum * sets)
            for kernel, least, most in (("synthesis", 1, 1.13), ("analysis", 1.04, 1.25)):
                call = gpu_sheets.Call(2047, 0, sets, kernel)
                cost = gpu_sheets.float_cost(gpu, call, "v4w4", numbers)
                assert least * hand < cost.step < most * hand, (numbers, sets, kernel)
    cost = gpu_sheets.double_cost(gpu, "legendre_synthesis", "v4w4", 1)
    assert cost == pytest.approx((32 * 4 * 6e-12, 32 * 2e-12))


def test_bands_of_rings_in_two_floats():
    """At lmax 4095 one group of 128 pairs next to the equator is made in doubles, for scalars one
    next to the poles, too; smaller groups leave less to doubles."""
    sines = gpu_model.gauss_legendre(4095)
    assert gpu_sheets.bands(sines, 0, "two_floats", 128) == [
        (0, "double"), (128, "two_floats"), (1920, "double")]
    assert gpu_sheets.bands(sines, 0, "two_floats", 32) == [
        (0, "double"), (64, "two_floats"), (1984, "double")]
    assert gpu_sheets.bands(sines, 2, "two_floats", 128) == [
        (0, "spin"), (160, "two_floats"), (1920, "double")]


def test_products_of_slices():
    cut = gpu_sheets.Cut(10, 5, True)
    assert cut.products == sum(i + j <= 6 for i in range(1, 6) for j in range(1, 6))
    assert cut.taken == 15 / 64  # 64 products of numbers up to 2^9 fill 24 bits
    assert gpu_sheets.Cut(8, 6, False).taken == 6 / 64


def test_a_lower_ceiling_takes_longer_and_is_put_back():
    before = gpu_model.predictions()
    shares = gpu_model.shares()
    assert gpu_model.predictions() == before
    for key, of in shares.items():
        assert sum(of.values()) == pytest.approx(1, abs=0.03), key
        assert min(of.values()) > -1e-9, key


def test_the_library_has_the_same_ceilings():
    """Prices of points and of radial convolution follow from them."""
    points = gpu_model.prices_of_points()
    text = (ROOT / "src/radial/device_prices.c").read_text(encoding="utf-8")
    radial = re.search(r"prices = \{(.*?)\}", text).group(1).split(",")
    launch, pixel, _, _, _, add = map(float, radial)
    assert launch == pytest.approx(1e9 * gpu_model.LAUNCH)
    assert pixel == pytest.approx(16e9 / gpu_model.MEMORY, rel=0.1)
    assert add == pytest.approx(1e9 / (0.5 * gpu_model.FMA), rel=0.01)
    assert points["circle"] == pytest.approx(1e9 * 128 / gpu_model.MEMORY, rel=0.02)
    assert points["sample"] == pytest.approx(1e9 * 48 / gpu_model.MEMORY, rel=0.02)


TIMES = re.compile(r"TB/s|Tflop|TFlop|[Pp]redicted for an? [A-Z]|\d (ms|us|s) (of|on) an? H100")


@pytest.mark.parametrize("folder, pattern", [("docs", "*.md"), ("docs/site", "**/*.md"),
                                             ("include/armilla", "*.h"), ("src", "**/*.[ch]"),
                                             ("src", "**/*.cu"), (".", "README.md")])
def test_no_other_page_predicts_times_on_a_gpu(folder, pattern):
    for path in sorted((ROOT / folder).glob(pattern)):
        if path.name in ("gpu-figures.md", "changes.md", "worklog.md"):
            continue
        found = TIMES.search(path.read_text(encoding="utf-8"))
        assert not found or "%" in found.string[found.start() - 20:found.end()], \
            f"{path}: {found.string[found.start() - 60:found.end() + 60]}"


def test_the_users_page_is_short():
    assert len((ROOT / "docs/gpu.md").read_text(encoding="utf-8").splitlines()) <= 300
