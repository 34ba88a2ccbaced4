"""Transforms of coefficients and maps that are spread over the ranks of an MPI communicator.

    >>> import armilla, armilla.mpi, numpy as np
    >>> from mpi4py import MPI
    >>> sht = armilla.mpi.SHT(MPI.COMM_WORLD, armilla.Grid.healpix(16), lmax=32)
    >>> part = np.ones(sht.npix)            # the values of the pixels sht.pixels
    >>> alm = sht.analysis(part)
    >>> sht.close()

No rank holds a whole map or all coefficients, and results are those of armilla.SHT, bit for bit,
on any number of ranks. `IQU` is for polarised maps, `Points` for values at arbitrary points,
`Lensing` for lensed maps, `Radial` for convolution with radial kernels, `Beams` for skies seen
through beams; `Redistribution` moves arrays from any layout over the ranks to any other;
`smoothing` does what armilla.healpy.smoothing does. Messages go
through mpi4py (pip install mpi4py), with whatever MPI it has been built for. Rules and who has
what: docs/mpi.md.
"""
from ._mpi_beams import Beams, BeamsDescription
from ._mpi_lensing import Lensing
from ._mpi_points import Points, PointsDescription
from ._mpi_radial import Radial, RadialDescription
from ._mpi_redistribution import Redistribution
from ._mpi_sht import IQU, SHT, Description
from ._mpi_smoothing import smoothing

__all__ = ["IQU", "SHT", "Beams", "BeamsDescription", "Description", "Lensing", "Points",
           "PointsDescription", "Radial", "RadialDescription", "Redistribution", "smoothing"]
