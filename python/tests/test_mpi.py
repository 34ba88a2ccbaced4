"""Transforms over ranks have the bits of armilla.SHT, and errors come to all ranks: the cases are
in mpi_ranks.py, mpi_methods.py and mpi_places.py. Lists of owners are checked without MPI."""
import subprocess
import sys

import mpi_start
import numpy as np
import pytest

from armilla import _distribution

MPIRUN, WHY = mpi_start.launcher()
needs_mpi = pytest.mark.skipif(MPIRUN is None, reason=WHY)


RANKS = [1, 2, 3] if WHY == "openmpi" else [1, 2]  # MPICH's ranks never sleep


@needs_mpi
@pytest.mark.parametrize("nranks", RANKS)
def test_ranks_have_the_bits_of_one_and_its_errors(nranks):
    assert mpi_start.run(nranks, "mpi_ranks.py").count("is right") > 15


@needs_mpi
@pytest.mark.parametrize("nranks", RANKS)
def test_methods_besides_the_operators_have_the_bits_of_one_rank(nranks):
    assert mpi_start.run(nranks, "mpi_methods.py").count("is right") > 12


@needs_mpi
@pytest.mark.parametrize("nranks", RANKS)
def test_points_lensing_and_kernels_have_the_bits_of_one_rank(nranks):
    assert mpi_start.run(nranks, "mpi_places.py").count("is right") > 6


@needs_mpi
def test_groups_of_several_ranks():
    assert "case_groups is right" in mpi_start.run(4, "mpi_ranks.py", "case_groups")
    cases = "case_iqu", "case_gather_of_groups"
    assert mpi_start.run(4, "mpi_methods.py", *cases).count("is right") == len(cases)


def test_mpi4py_is_named_where_it_is_missing():
    done = subprocess.run(
        [sys.executable, "-c", "import sys; sys.modules['mpi4py'] = None\nimport armilla.mpi"],
        capture_output=True, text=True)
    assert "ImportError: armilla.mpi needs mpi4py" in done.stderr
    assert "pip install mpi4py" in done.stderr


# --- Owners ---------------------------------------------------------------------------------------


def owners(lists, count, groups=1):
    return _distribution.owners("orders", [_distribution.numbers("orders", one) for one in lists],
                                count, groups)


def test_owners_are_members_of_a_group():
    assert owners([None, None], 5) is None
    assert np.array_equal(owners([[0, 3], [2, 1]], 4), [0, 1, 1, 0])
    assert np.array_equal(owners([[3, 0], [2, 1], [0, 3], [1, 2]], 4, groups=2), [0, 1, 1, 0])
    assert np.array_equal(owners([[], [1, 0]], 2), [1, 1])


@pytest.mark.parametrize("lists, groups, words", [
    ([[0, 1], None], 1, "rank 1 gives none, others do"),
    ([[0, 1], [1, 2]], 1, "ranks 0 and 1 both give 1"),
    ([[0, 1, 1], [2]], 1, "rank 0 gives 1 twice"),
    ([[0], [2]], 1, r"none of the ranks 0 \.\. 1 gives 1"),
    ([[0, 1], [2, 3]], 1, r"rank 1 gives 3: must be 0 \.\. 2"),
    ([[0, -1], [2, 1]], 1, r"rank 0 gives -1: must be 0 \.\. 2"),
    ([[0, 1, 2], [], [0, 1], [1, 2]], 2, "ranks 2 and 3 both give 1"),
    ([[0, 1, 2], [], [], [0]], 2, r"none of the ranks 2 \.\. 3 gives 1"),
    ([[0, 1], [2], [1], [0, 2]], 2, "0 is in the first group with rank 0, its member 0, in group 1 "
                                    "with rank 3, its member 1"),
    ([[[0, 1]], [2]], 1, "must be a list of numbers")])
def test_wrong_owners_are_named(lists, groups, words):
    with pytest.raises(ValueError, match="^orders: .*" + words):
        owners(lists, 3, groups)
