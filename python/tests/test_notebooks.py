"""Plans are tables in notebooks, and pictures are pictures."""
import io
import re

import numpy as np
import pytest

import armilla
from armilla import SHT, Kernel

MAKERS = {
    "SHT": lambda: SHT("H8", 8), "IQU": lambda: armilla.IQU("H8", 8),
    "VectorSHT": lambda: armilla.VectorSHT("O8", 7),
    "ComplexSHT": lambda: armilla.ComplexSHT("O8", 7),
    "Points": lambda: armilla.Points(4, [[1.0, 2.0]]),
    "Lensing": lambda: armilla.Lensing("H8", 1e-6 * armilla.alm.random(8), 8),
    "Radial": lambda: armilla.Radial("H8", Kernel.gaussian(0.5)),
    "Asymmetric": lambda: armilla.Asymmetric("H8", Kernel.gaussian(0.5), [[0.1, 0.0]], [1.0]),
    "Beams": lambda: armilla.Beams(8, 2, [[1.0, 2.0, 0.0]]),
    "RotationGroup": lambda: armilla.RotationGroup("O8", 7, 1)}


@pytest.mark.parametrize("noun", MAKERS)
def test_plans_are_tables_in_notebooks(noun):
    made = MAKERS[noun]()
    table = made._repr_html_()
    assert f"<caption>armilla.{type(made).__name__}</caption>" in table
    assert re.search(r"<th[^>]*>plan memory</th><td[^>]*>[\d.e-]+ MiB</td>", table)
    assert table.count("<tr>") == table.count("</tr>") > 8 and "device" not in table
    assert "<armilla" not in table


def test_pictures_are_pictures_in_notebooks(monkeypatch):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    import matplotlib.pyplot as plt
    picture = armilla.plot.map("H4", np.arange(192.0), title="sky", width=100)
    assert repr(picture) == "<armilla.plot.Picture mollweide: sky>"
    shown = picture._repr_png_()
    assert shown.startswith(b"\x89PNG") and plt.imread(io.BytesIO(shown)).ndim == 3
    assert plt.fignum_exists(picture.axes.figure.number)
    inline = "module://matplotlib_inline.backend_inline"
    monkeypatch.setattr(matplotlib, "get_backend", lambda: inline)
    picture._repr_png_()
    assert not plt.fignum_exists(picture.axes.figure.number)
