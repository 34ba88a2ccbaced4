"""Plans of every kind tell their choices, and follow those that are forced."""
import pickle

import numpy as np
import pytest

import armilla


def test_choices_are_told_and_can_be_forced():
    grid = armilla.Grid.gauss_legendre(32, 64)
    plan = armilla.SHT(grid, 31)
    told = {choice.name: choice for choice in plan.explain()}
    assert told["legendre.matrices"].value.startswith("0:") and told["sht.flow"].why
    other = armilla.SHT(grid, 31, choices="legendre.matrices=32")
    assert dict((c.name, c.value) for c in other.explain())["legendre.matrices"] == "32: none"
    alm = np.ones(plan.alm_shape, complex)
    np.testing.assert_allclose(other.synthesis(alm), plan.synthesis(alm), atol=1e-12)
    assert pickle.loads(pickle.dumps(other)).explain() == other.explain()
    with pytest.raises(ValueError, match="must be 0 to 32 in this plan"):
        armilla.SHT(grid, 31, choices="legendre.matrices=33")
    with pytest.raises(ValueError, match='no choice "sht.speed"'):
        armilla.IQU(grid, 31, choices="sht.speed=1")
    with pytest.raises(ValueError, match="cache_bytes"):
        armilla.SHT(grid, 31, cache_bytes=-1)
    assert [c.value for c in armilla.SHT(grid, 31, cache_bytes=1).explain()
            if c.name == "legendre.matrices"] == ["32: none"]


def test_iqu_tells_the_choices_of_both_transforms():
    plan = armilla.IQU(armilla.Grid.gauss_legendre(32, 64), 31, choices="legendre.matrices=32")
    told = {choice.name: choice for choice in plan.explain()}
    assert len(told) == len(plan.explain()) and "ring.lanes" in told
    for group in ("scalar", "polar"):
        assert told[f"{group}.legendre.matrices"].value == "32: none"
        assert told[f"{group}.legendre.matrices"].why.startswith("forced; ")
    assert "polar.legendre.spin" in told and "scalar.legendre.spin" not in told


def test_points_and_convolutions_tell_their_choices():
    points = armilla.Points(63, [[0.2, 1.0], [0.4, 2.0]])
    told = {choice.name: choice for choice in points.explain()}
    assert told["points.samples"].why and "theta.circle" in told and "points.zone" in told
    plan = armilla.Beams(63, 2, [[0.2, 1.0, 0.0], [0.4, 2.0, 1.0]])
    told = {choice.name: choice.value for choice in plan.explain()}
    polar = armilla.Points(63, [[0.2, 1.0], [0.4, 2.0]], spin=2)
    assert told.items() >= {(choice.name, choice.value) for choice in polar.explain()}
    assert {"k0.legendre.starts", "k1.legendre.spin", "k1.theta.circle"} <= told.keys()
    grid = armilla.Grid.healpix(16)
    radial = armilla.Radial(grid, armilla.Kernel.gaussian(0.2))
    told = {choice.name: choice for choice in radial.explain()}
    assert set(told) == {"radial.method", "radial.support", "radial.normalization"}
    assert told["radial.normalization"].value == radial.describe().normalization


def test_what_is_raised_while_choices_are_told_is_raised(monkeypatch, capfd):
    def failing(*of):
        raise RuntimeError("told enough")

    plan = armilla.SHT(armilla.Grid.gauss_legendre(8, 16), 7)
    monkeypatch.setattr(armilla.transform, "Choice", failing)
    with pytest.raises(RuntimeError, match="told enough"):
        plan.explain()
    assert capfd.readouterr() == ("", "")
