"""Runs a program of SHTns or pyshtools, as it is or with Armilla inside, and keeps its numbers.

    run_program.py PEER OUT.npz SCRIPT [--swapped]

Kept are the arrays that the program leaves behind, and what its figures show. Random numbers begin
with the same seed. For SHTns the import is swapped. For pyshtools each function of its own that
armilla.pyshtools has is replaced, wherever pyshtools has it, so that its classes call ours.
"""
import runpy
import sys

import matplotlib
import matplotlib.pyplot as plt
import numpy as np


def swap(peer):
    """Puts Armilla in the place of a package."""
    if peer == "shtns":
        import armilla.shtns
        sys.modules["shtns"] = armilla.shtns
        return
    import armilla.pyshtools as ours
    import pyshtools as theirs
    engines = [theirs.backends.shtools, theirs.backends.ducc0_wrapper, theirs.spectralanalysis]
    new = {getattr(engine, name): getattr(ours, name) for name in ours.__all__
           for engine in engines if callable(getattr(engine, name, None))}
    modules = [module for name, module in sys.modules.items() if name.startswith("pyshtools")]
    for module in modules:
        for name, value in list(vars(module).items()):
            if callable(value) and getattr(value, "__hash__", None) and value in new:
                setattr(module, name, new[value])


def drawn():
    """Images, lines and surfaces of all figures."""
    for number in plt.get_fignums():
        for place, axes in enumerate(plt.figure(number).axes):
            for kind, found in (("image", axes.images), ("mesh", axes.collections)):
                for count, each in enumerate(found):
                    if each.get_array() is not None:
                        yield f"{number}.{place}.{kind}{count}", np.asarray(each.get_array())
            for count, line in enumerate(axes.lines):
                yield f"{number}.{place}.line{count}", np.asarray(line.get_ydata(), float)


def main():
    peer, out, script = sys.argv[1:4]
    if "--swapped" in sys.argv:
        swap(peer)
    matplotlib.use("Agg")
    plt.show = lambda *_, **__: None
    plt.close = lambda *_, **__: None
    generator = np.random.default_rng
    np.random.default_rng = lambda seed=None: generator(0 if seed is None else seed)
    np.random.seed(0)
    sys.argv = [script]
    left = runpy.run_path(script, run_name="__main__")
    kept = {f"left.{name}": value for name, value in left.items()
            if isinstance(value, np.ndarray) and value.dtype.kind in "fc"}
    np.savez(out, **kept, **dict(drawn()))


if __name__ == "__main__":
    main()
