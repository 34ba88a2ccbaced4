"""Words that no argument takes: test_types.py gives this to mypy, which must find each of them."""
import numpy as np

import armilla

grid = armilla.Grid.equidistant("XX", 9, 16)
laid_out = grid.laid_out(order="nonsense")
plan = armilla.SHT(grid, 4, mode="nonsense")
plan.analysis(np.ones(plan.map_shape), missing="nonsense")
plan.pseudo_analysis(np.ones(plan.map_shape), method="nonsense")
armilla.SHT(grid, 4, method="nonsense")
armilla.SHT(grid, 4, spin_method="nonsense")
armilla.IQU(grid, 4, device="nonsense")
armilla.IQU(grid, 4, device_precision="nonsense")
armilla.Points(4, [[0.1, 0.2]], mode="nonsense")
armilla.Lensing(grid, np.ones(15), 4, kind="nonsense")
radial = armilla.Radial(grid, armilla.Kernel.gaussian(0.1), mode="nonsense")
armilla.Radial(grid, armilla.Kernel.gaussian(0.1), normalization="nonsense")
armilla.Radial(grid, armilla.Kernel.gaussian(0.1), method="nonsense")
armilla.Rotation.from_coordinates("G", "X")
armilla.io.write_map("map.fits", np.ones(12), coordsys="X")
armilla.io.write_picture("map.png", np.ones(12), projection="nonsense")
armilla.plot.map(grid, np.ones(144), projection="nonsense")
armilla.plot.map(grid, np.ones(144), flip="nonsense")
armilla.spectrum.power(np.ones(15), quantity="nonsense")
armilla.spectrum.power(np.ones(15), unit="nonsense")
armilla.spectrum.power(np.ones(15), normalization="nonsense")
armilla.conventions.named("ifs")._replace(packing="nonsense")
armilla.conventions.Convention("ortho", True, "nonsense", "orders")
