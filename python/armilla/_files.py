"""Commands on files of labelled arrays, NetCDF, Zarr and GRIB: `spectrum`, `regrid`, `convert`.

The command is a program in C, which checks its options and then becomes Python with this module's
main (cli/labelled.c): Zarr has no library in C. A few fields at a time are read and transformed, so
that memory does not depend on how many a file has. Messages and exit codes are those of the
command: 2 for bad usage, 1 for what fails while working; a result appears under its name only when
it is whole.
"""
from __future__ import annotations

import argparse
import contextlib
import functools
import logging
import os
import shutil
import signal
import sys
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import (Any, Callable, Dict, Hashable, Iterator, List, NoReturn, Optional, Sequence,
                    TextIO, Tuple)

import numpy as np
import xarray

from . import _file_formats as file_formats
from . import _labelled_work as work_
from ._errors import INSTALL
from ._info import info
from ._labelled import find_grid
from ._marks import masked
from ._rotated import GRIB_KEYS, Turn
from ._spectral import DIM, any_spectral
from ._units import squared
from .fields import _batches as batches
from .xarray import ArrayAccessor, DatasetAccessor

_ENGINES = {".grib": "cfgrib", ".grb": "cfgrib", ".grib2": "cfgrib", ".grb2": "cfgrib"}
_LABELLED = (".nc", ".nc4", ".cdf", ".zarr", *_ENGINES)
_TEXT = (".txt", ".dat")
_PARTS = ("total", "rotational", "divergent")


class _Usage(Exception):
    """What the caller can say better: exit code 2."""


# --- What all commands have -----------------------------------------------------------------------


class _Bar:
    """A bar on stderr, if that is a terminal and the work is longer than a second."""

    def __init__(self, quiet: bool) -> None:
        self._shown = not quiet and sys.stderr.isatty()
        self._begin, self._drawn = time.monotonic(), False

    def show(self, fraction: float) -> None:
        """Draws it."""
        if self._shown and time.monotonic() - self._begin > 1:
            full = round(40 * fraction)
            sys.stderr.write(f"\r[{'#' * full}{'.' * (40 - full)}] {100 * fraction:3.0f} %")
            sys.stderr.flush()
            self._drawn = True

    def erase(self) -> None:
        """Leaves an empty line."""
        if self._drawn:
            sys.stderr.write("\r" + " " * 50 + "\r")
            sys.stderr.flush()


def opened(path: str, chunks: Any = None) -> xarray.Dataset:
    """A file as a dataset, whose times are left as numbers."""
    if not os.path.exists(path):
        raise _Usage(f'"{path}": there is no such file')
    given: Dict[str, Any] = {"decode_times": False, "decode_coords": "all", "chunks": chunks}
    try:
        if os.path.isdir(path):
            return xarray.open_zarr(path, **given)
        engine = _ENGINES.get(Path(path).suffix.lower())
        if engine == "cfgrib":  # which else leaves an index beside the file
            given["backend_kwargs"] = {"indexpath": "", "read_keys": list(GRIB_KEYS)}
        return xarray.open_dataset(path, engine=engine, **given)
    except Exception as error:
        text = str(error).splitlines()[0] if str(error) else type(error).__name__
        missing = "unrecognized engine" in text or "found the following matches" in text
        hint = ("; what reads such files is missing: pip install netCDF4 zarr, cfgrib for GRIB"
                if missing else "")
        raise _Usage(f'"{path}": cannot be read: {text}{hint}') from error


def _variables(data: xarray.Dataset, given: Optional[str], path: str) -> List[Hashable]:
    """Those that are named, or all that have numbers and a grid."""
    if given is None:
        return [name for name, one in data.data_vars.items()
                if one.dtype.kind in "fiu" and one.ndim]
    names: List[Hashable] = [one.strip() for one in given.split(",")]
    for name in names:
        if name not in data.data_vars:
            raise _Usage(f'--var "{name}": "{path}" has no such variable; it has '
                         f"{', '.join(map(str, data.data_vars)) or 'none'}")
    return names


@contextlib.contextmanager
def _written(path: str, overwrite: bool) -> Iterator[str]:
    """A temporary name beside an output, which gets the output's name when all is written."""
    target = Path(path)
    if not target.parent.is_dir():
        raise _Usage(f'-o "{path}": there is no directory {target.parent}')
    if target.exists() and not overwrite:
        raise _Usage(f'-o "{path}": exists already; --overwrite replaces it')
    temporary = target.with_name(f".{target.stem}.{os.getpid()}{target.suffix}")
    try:
        yield str(temporary)
        if target.is_dir():
            shutil.rmtree(target)
        os.replace(temporary, target)
    finally:
        if temporary.is_dir():
            shutil.rmtree(temporary, ignore_errors=True)
        elif temporary.exists():
            temporary.unlink()


def _save(data: xarray.Dataset, path: str, **given: Any) -> Any:
    if path.endswith(".zarr"):
        return data.to_zarr(path, **given)
    return data.to_netcdf(path, engine="netcdf4", **given)


# --- spectrum -------------------------------------------------------------------------------------


def _read(array: Any, index: Sequence[Any], lead: Sequence[Hashable], dims: Sequence[Hashable]
          ) -> Any:
    """Some fields of a variable in a file, the grid's dimensions last."""
    return array.isel(dict(zip(lead, index))).transpose(*lead[len(
        [one for one in index if isinstance(one, int)]):], *dims)


class _Spectra:
    """Spectra of the variables of a file, a few fields at a time, and the seconds that took."""

    def __init__(self, data: xarray.Dataset, given: Any) -> None:
        self.kind, bar = given.kind, _Bar(given.quiet)
        self.turn: Optional[Turn] = None  # of a wind whose components are not along the grid
        accessor = DatasetAccessor(data).options(
            grid=given.grid, lmax=given.lmax, missing=given.missing, iterations=given.iter,
            nthreads=given.threads)
        self.arrays, dims = self._inputs(data, accessor, given)
        first = self.arrays[0]
        self.lead = [name for name in first.dims if name not in dims]
        sizes = tuple(first.sizes[name] for name in self.lead)
        names = _PARTS if self.kind == "ke" else [str(one.name) for one in self.arrays]
        self.values = {name: np.empty(sizes + (self.lmax + 1,)) for name in names}
        self.seconds = {"reading": 0.0, "transforms": 0.0}
        self.count = int(np.prod(sizes, dtype=int))
        pixels = int(np.prod([first.sizes[name] for name in dims]))
        done = 0
        for index in batches(sizes, pixels * 4 * len(self.arrays)):
            self._transform(index, dims)
            done += self.values[names[0]][index][..., 0].size
            bar.show(done / max(self.count, 1))
        bar.erase()

    def _inputs(self, data: xarray.Dataset, accessor: Any, given: Any
                ) -> Tuple[List[Any], Sequence[Hashable]]:
        """The variables, and the dimensions of one field; sets what makes spectra of one."""
        try:
            if any_spectral(data):
                return self._spectral(data, given)
            if self.kind == "ke":
                names: List[Any] = (_variables(data, given.var, given.input)
                                    if given.var else [None, None])
                if len(names) != 2:
                    raise ValueError(f'--var "{given.var}": --kind ke needs two variables, the '
                                     "eastward and the northward wind")
                found, arrays, self.turn = accessor._components(*names)
            else:
                found = accessor._found()
                arrays = self._scalars(data, given, found.dims, "the grid")
            work = accessor._work(found, arrays)
            function = work_.kinetic if self.kind == "ke" else work_.spectra
            self.lmax, self.where = work.lmax, repr(work.grid)
            self.spectra: Callable[..., Any] = functools.partial(function, work=work)
            return arrays, found.dims
        except (ValueError, TypeError) as error:
            raise _Usage(str(error)) from error

    def _scalars(self, data: xarray.Dataset, given: Any, dims: Sequence[Hashable], what: str
                 ) -> List[Any]:
        arrays = [data[name] for name in _variables(data, given.var, given.input)
                  if given.var or set(dims) <= set(data[name].dims)]
        for one in arrays:
            if not set(dims) <= set(one.dims) or set(one.dims) != set(arrays[0].dims):
                raise ValueError(f'--var "{one.name}": has the dimensions {one.dims}, '
                                 f"{arrays[0].name} has {arrays[0].dims}, {what} {tuple(dims)}; "
                                 "name variables of the same")
        if not arrays:
            raise ValueError(f"no variable is on {what}")
        return arrays

    def _spectral(self, data: xarray.Dataset, given: Any) -> Tuple[List[Any], Sequence[Hashable]]:
        """Of fields that are given by their coefficients."""
        if self.kind == "ke":
            raise ValueError("--kind ke: is for winds on a grid; this file has coefficients, whose "
                             "power --kind power makes")
        arrays = self._scalars(data, given, (DIM,), "coefficients along")
        works = [ArrayAccessor(one).options(grid=given.grid, lmax=given.lmax, missing=given.missing)
                 ._coefficients() for one in arrays]
        self.lmax, self.where = works[0].lmax, "coefficients"
        self.spectra = functools.partial(work_.power_of_coefficients, work=works[0])
        return arrays, (DIM,)

    def _transform(self, index: Any, dims: Sequence[Hashable]) -> None:
        begin = time.perf_counter()
        fields = [_read(one, index, self.lead, dims) for one in self.arrays]
        if self.turn is not None:
            fields = list(self.turn.to_grid(*map(masked, fields)))
        values = [one.values for one in fields]
        middle = time.perf_counter()
        if self.kind == "ke":
            parts = self.spectra(*values)
            made = [parts[0] + parts[1], *parts]
        else:
            made = [self.spectra(one) for one in values]
        for name, one in zip(self.values, made):
            self.values[name][index] = one
        self.seconds["reading"] += middle - begin
        self.seconds["transforms"] += time.perf_counter() - middle

    def units(self) -> List[Optional[str]]:
        """Of each spectrum."""
        if self.kind == "ke":
            return ["m2 s-2"] * len(_PARTS)
        return [squared(one.attrs.get("units")) for one in self.arrays]

    def dataset(self) -> xarray.Dataset:
        """All of it, labelled."""
        first = self.arrays[0]
        coords = {name: first[name].variable for name in self.lead if name in first.coords}
        made = {name: ((*self.lead, "degree"), one, {} if units is None else {"units": units})
                for (name, one), units in zip(self.values.items(), self.units())}
        degree = ("degree", np.arange(self.lmax + 1), {"units": "1"})
        return xarray.Dataset(made, coords={**coords, "degree": degree})

    def write(self, stream: TextIO) -> None:
        """As text: a line for each degree of each field."""
        units = ", ".join(f"{name} in {one or 'no unit'}"
                          for name, one in zip(self.values, self.units()))
        what = "kinetic energy per unit mass" if self.kind == "ke" else "mean square"
        stream.write(f"# {what} of each degree: {units}\n")
        stream.write("# " + " ".join([*map(str, self.lead), "degree", *self.values]) + "\n")
        first = self.arrays[0]
        labels = [first[name].values if name in first.coords else np.arange(first.sizes[name])
                  for name in self.lead]
        columns = list(self.values.values())
        for index in np.ndindex(*columns[0].shape[:-1]):
            head = "".join(f"{labels[i][place]} "
                           for i, place in enumerate(index))
            rows = np.stack([one[index] for one in columns], axis=-1)
            stream.write("".join(f"{head}{l} {' '.join(f'{x:.9e}' for x in row)}\n"
                                 for l, row in enumerate(rows.tolist())))


def spectrum(given: Any) -> str:
    """Computes and writes; returned: what was done."""
    ending = Path(given.output).suffix.lower()
    if given.output != "-" and ending not in (*_TEXT, ".nc", ".zarr"):
        raise _Usage(f'-o "{given.output}": must end in .txt, .dat, .nc or .zarr')
    with opened(given.input) as data, contextlib.ExitStack() as stack:
        is_file = given.output not in ("-", "/dev/stdout")
        name = stack.enter_context(_written(given.output, given.overwrite)) if is_file else ""
        made = _Spectra(data, given)
        if not is_file:
            made.write(sys.stdout)
        elif ending in _TEXT:
            with open(name, "w", encoding="utf-8") as stream:
                made.write(stream)
        else:
            _save(made.dataset(), name)
    seconds = ", ".join(f"{name} {value:.1f} s" for name, value in made.seconds.items())
    return (f"wrote {given.output}: {made.count} fields, degrees 0 to {made.lmax}, on "
            f"{made.where}; {seconds}")


# --- regrid ---------------------------------------------------------------------------------------


def regrid(given: Any) -> str:
    """Writes the variables of a file on another grid; returned: what was done."""
    import dask
    from dask.diagnostics import ProgressBar
    ending = Path(given.output).suffix.lower()
    if ending not in (".nc", ".zarr"):
        raise _Usage(f'-o "{given.output}": must end in .nc or .zarr')
    with opened(given.input, chunks={}) as data, _written(given.output, given.overwrite) as name:
        new = _regridded(data, given)
        bar = ProgressBar(minimum=1, out=sys.stderr) if (
            sys.stderr.isatty() and not given.quiet) else contextlib.nullcontext()
        with _pool(given.threads or info().threads) as pool, bar, (
                dask.config.set(scheduler="threads", pool=pool)):
            _save(new.drop_encoding(), name)
    return f"wrote {given.output}: {', '.join(map(str, new.data_vars))} on {given.grid}"


@contextlib.contextmanager
def _pool(workers: int) -> Iterator[ThreadPoolExecutor]:
    """Threads for dask; after an error or an interrupt they have ended, and write no more."""
    pool = ThreadPoolExecutor(workers)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _regridded(data: xarray.Dataset, given: Any) -> xarray.Dataset:
    """Lazily."""
    try:
        names = _variables(data, given.var, given.input)
        dims = (DIM,) if any_spectral(data) else find_grid(data, given.source).dims
        on_grid = [name for name in names if set(dims) <= set(data[name].dims)]
        if given.var and on_grid != names:
            lost = next(name for name in names if name not in on_grid)
            raise ValueError(f'--var "{lost}": has the dimensions {data[lost].dims}, without '
                             f"those of the grid, {dims}")
        accessor = DatasetAccessor(data[on_grid]).options(
            grid=given.source, lmax=given.lmax, missing=given.missing, iterations=given.iter)
        return accessor.regrid(given.grid)
    except (ValueError, TypeError) as error:
        raise _Usage(str(error)) from error


# --- convert --------------------------------------------------------------------------------------


def convert(given: Any) -> str:
    """Writes a FITS map as a labelled file, or variables of one as a FITS map, or copies variables
    from a labelled file to another; returned: what was done."""
    ending = Path(given.output).suffix.lower()
    labelled = ending in (".nc", ".zarr")
    if ending in (".nc4", ".cdf", ".grib", ".grib2", ".grb", ".grb2"):
        raise _Usage(f'-o "{given.output}": must end in .nc, .zarr or .fits')
    if not _is_labelled(given.input):
        hdu = given.hdu if given.hdu is None or not given.hdu.isdigit() else (
            int(given.hdu) or "PRIMARY")
        data = file_formats.labelled(given.input, hdu or 0, given.double)
        with _written(given.output, given.overwrite) as name:
            _save(data, name)
        return f"wrote {given.output}: {', '.join(map(str, data.data_vars))}"
    with opened(given.input) as data:
        names = _variables(data, given.var, given.input)
        try:
            if not labelled:
                return f"wrote {given.output}: " + ", ".join(
                    file_formats.to_fits(data, names, given.output, given))
        except (ValueError, TypeError) as error:
            raise _Usage(str(error)) from error
        with _written(given.output, given.overwrite) as name:
            _save(data[names].drop_encoding(), name)
    return f"wrote {given.output}: {', '.join(map(str, names))}"


def _is_labelled(path: str) -> bool:
    return Path(path).suffix.lower() in _LABELLED


# --- The command ----------------------------------------------------------------------------------


def _arguments(words: Sequence[str]) -> Any:
    """What the program in C hands over, which it has checked."""
    parser = argparse.ArgumentParser(prog="armilla", add_help=False)
    parser.add_argument("command", choices=("spectrum", "regrid", "convert"))
    parser.add_argument("input")
    parser.add_argument("output")
    parser.add_argument("--var")
    parser.add_argument("--kind", default="power")
    parser.add_argument("--grid")
    parser.add_argument("--from", dest="source")
    parser.add_argument("--lmax", type=int)
    parser.add_argument("--iter", default="auto", type=lambda word: (
        word if word == "auto" else int(word)))
    parser.add_argument("--missing", default="error")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--coordsys")
    parser.add_argument("--hdu")
    parser.add_argument("--image", action="store_true")
    parser.add_argument("--double", action="store_true")
    parser.add_argument("--overwrite", action="store_true")
    parser.add_argument("--quiet", action="store_true")
    return parser.parse_args(list(words))


def _interrupted() -> NoReturn:
    """Ends the process by the signal, as the command does."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGINT)
    sys.exit(1)


def main(words: Sequence[str]) -> int:
    """Runs a command; returned: its exit code."""
    given = _arguments(words)
    logging.getLogger("cfgrib").setLevel(logging.ERROR)  # coefficients have no places of points
    warnings.filterwarnings("ignore", module="zarr")
    warnings.filterwarnings("ignore", "Failed to open Zarr store with consolidated metadata")
    warnings.showwarning = lambda message, *_, **__: print(
        f"armilla {given.command}: warning: {message}", file=sys.stderr)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        told = {"spectrum": spectrum, "regrid": regrid, "convert": convert}[given.command](given)
    except KeyboardInterrupt:
        _interrupted()
    except BrokenPipeError:
        return 1
    except Exception as error:
        text = str(error) or type(error).__name__
        if isinstance(error, ModuleNotFoundError):
            text += f": {INSTALL['xarray']}"
        sys.stderr.write(f"armilla {given.command}: {text}\n")
        return 2 if isinstance(error, _Usage) else 1
    if not given.quiet:
        sys.stderr.write(f"armilla {given.command}: {told}\n")
    return 0


