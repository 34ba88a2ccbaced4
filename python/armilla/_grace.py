"""Level 2 files of GRACE and GRACE-FO (GSM, GAA to GAD), of all centres, and GFZ's format SHM.

Since release 6 a file begins with a header in YAML, which the line "# End of YAML header" ends; a
file of an earlier release, or of a field such as EIGEN-CG03C, begins with lines FIRST, CMMNT, EARTH
(GM and radius) and SHM (degree, order, norm, permanent tide). Lines of coefficients follow, in any
sequence: GRCOF2, l, m, C, S, their standard deviations, begin and end, and flags; and lines GRDOTA
with changes per year since a date. Nothing is replaced or added: C20 is that of the file.
"""
from __future__ import annotations

import datetime
import re
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from ._errors import INSTALL, shown
from ._geo_text import Epoch, Lines, Path, decimal_year, epoch_year, top_degree
from ._gfc import GravityModel

_END_OF_YAML = "End of YAML header"
_COEFFICIENTS = ("GRCOF2", "GRCOEF")
_TIDES = {"inclusive": "zero_tide", "exclusive": "tide_free"}
_GM = "non-standard_attributes.earth_gravity_param.value"
_RADIUS = "non-standard_attributes.mean_equator_radius.value"


class GraceModel(NamedTuple):
    """A gravity field, or what atmosphere and ocean add to it, in a month.

    Attributes
    ----------
    cilm : ndarray, shape (2, lmax + 1, lmax + 1)
        C and S in the 4 pi norm, without a unit; 0 where the file has none.
    gm : float
        Gravity constant times mass, m^3 / s^2.
    radius : float
        Reference radius R, m.
    errors : dict of str to ndarray
        Standard deviations of `cilm`: "formal", "calibrated" or "unknown", as the header says.
    product : str
        "GSM", "GAA", "GAB", "GAC" or "GAD", or "" where the header does not say.
    start, end : datetime or None
        When the measurements begin and end; None: the file does not say.
    tide_system : str
        "zero_tide" (inclusive permanent tide), "tide_free" (exclusive) or "unknown".
    epoch : float or None
        Decimal year: the middle of `start` and `end`, or the epoch that was asked for.
    header : dict of str to str
        The header; names of levels are parted by dots, as "global_attributes.title".

    Examples
    --------
    >>> import armilla
    >>> with open("GSM-2_small", "w") as file:
    ...     _ = file.write("EARTH 0.3986004415E+15 0.6378136460E+07\\n"
    ...                    "SHM 2 2 1.00 fully normalized exclusive permanent tide\\n")
    ...     for m in range(3):
    ...         _ = file.write(f"GRCOF2 2 {m} {m + 1}.0E-09 0.0 1.0E-12 0.0 20200101 20200201\\n")
    >>> model = armilla.geo.read_grace("GSM-2_small")
    >>> model.lmax, model.tide_system, str(model.start.date())
    (2, 'tide_free', '2020-01-01')
    """

    cilm: np.ndarray
    gm: float
    radius: float
    errors: Dict[str, np.ndarray]
    product: str
    start: Optional[datetime.datetime]
    end: Optional[datetime.datetime]
    tide_system: str
    epoch: Optional[float]
    header: Dict[str, str]

    @property
    def lmax(self) -> int:
        """Largest degree."""
        return self.model.lmax

    @property
    def alm(self) -> np.ndarray:
        """Coefficients of V R / GM on the sphere r = R, in the order of healpy."""
        return self.model.alm

    @property
    def model(self) -> GravityModel:
        """The field as `write_gfc` and the functions of gravity fields take it."""
        name = self.header.get("global_attributes.title") or self.header.get("FIRST") or "unknown"
        return GravityModel(self.cilm, self.gm, self.radius, self.errors, name, self.tide_system,
                            self.epoch)


class _Facts(NamedTuple):
    """What a reader of coefficients needs of the header."""

    header: Dict[str, str]
    lmax: int
    mmax: int
    gm: float
    radius: float
    norm: str
    tide: str
    remarks: str


def _yaml(lines: Lines) -> Dict[str, str]:
    """Keys and values of a header; those of a list stand behind one another, with semicolons."""
    levels: List[Tuple[int, str]] = []  # indentation and name
    found: Dict[str, str] = {}
    for line in lines:
        text = line.strip()
        if text.startswith("#") and _END_OF_YAML in text:
            return {key: value for key, value in found.items() if value}
        if not text or text.startswith("#"):
            continue
        pair = re.match(r"([\w-]+)\s*:(?:\s+(.*))?$", text)
        if pair and not text.startswith("- "):
            indent = len(line) - len(line.lstrip())
            levels = [one for one in levels if one[0] < indent] + [(indent, pair[1])]
            found[".".join(name for _, name in levels)] = (pair[2] or "").strip("\"' ")
        elif levels:
            key = ".".join(name for _, name in levels)
            found[key] = "; ".join(filter(None, (found[key], text.lstrip("- "))))
        else:
            lines.fail(f"{shown(text)}: must be a key, a colon and a value")
    lines.fail(f'the file ends before "# {_END_OF_YAML}"')


def _of_yaml(lines: Lines) -> _Facts:
    found = _yaml(lines)

    def word(key: str) -> str:
        if not found.get(key):
            lines.fail(f"the header has no {key}")
        return found[key].split()[0]

    degree, order = (lines.whole(word(f"dimensions.{one}"), one, 0, 1 << 15)
                     for one in ("degree", "order"))
    remarks = " ".join(found.get(key, "") for key in (
        "non-standard_attributes.comments", "variables.clm_std_dev.comment"))
    return _Facts(found, degree, order, lines.real(word(_GM), _GM),
                  lines.real(word(_RADIUS), _RADIUS),
                  found.get("non-standard_attributes.normalization", ""),
                  found.get("non-standard_attributes.permanent_tide_flag", ""), remarks)


def _of_records(lines: Lines, first: str) -> Tuple[_Facts, str]:
    """The header of earlier releases, and the first line of coefficients."""
    found: Dict[str, str] = {}
    line = first
    rest = iter(lines)
    while not line.startswith(_COEFFICIENTS + ("GRDOTA",)):
        word = line.split(None, 1)
        if word:
            found[word[0]] = " ".join((found.get(word[0], "") + " " + "".join(word[1:])).split())
        line = next(rest, "")
        if not line:
            lines.fail("the file ends before a line of coefficients, GRCOF2")
    for key, count in (("EARTH", 2), ("SHM", 2)):
        if len(found.get(key, "").split()) < count:
            lines.fail(f"the header has no line {key}, with "
                       + ("GM and radius" if key == "EARTH" else "largest degree and order"))
    gm, radius = (lines.real(one, name) for one, name in
                  zip(found["EARTH"].split(), ("GM", "radius")))
    degree, order = (lines.whole(one, name, 0, 1 << 15) for one, name in
                     zip(found["SHM"].split(), ("degree", "order")))
    told = found["SHM"]
    return _Facts(found, degree, order, gm, radius, told, told, found.get("CMMNT", "")), line


class _Table:
    """Coefficients and their standard deviations by degree and order, as lines come."""

    def __init__(self, lines: Lines, facts: _Facts, year: Optional[float]) -> None:
        self._lines, self._facts, self._year = lines, facts, year
        self._numbers: Dict[Tuple[int, int], np.ndarray] = {}
        self._rates: Dict[Tuple[int, int], np.ndarray] = {}  # as far as the epoch
        self.start: Optional[datetime.datetime] = None
        self.end: Optional[datetime.datetime] = None

    def add(self, line: str) -> None:
        """One line."""
        lines, word = self._lines, line.split()
        if word[0] not in _COEFFICIENTS + ("GRDOTA",):
            lines.fail(f"begins with {shown(word[0])}: must be GRCOF2 or GRDOTA")
        if len(word) < 7:
            lines.fail(f"has {len(word)} words, must have 7 at least: {word[0]}, l, m, C, S and "
                       "their standard deviations")
        l = lines.whole(word[1], "l", 0, self._facts.lmax)
        m = lines.whole(word[2], "m", 0, min(l, self._facts.mmax))
        numbers = np.array(lines.coefficients(word[3:7], m))
        dates = [one for one in word[7:9] if re.fullmatch(r"\d{8}(\.\d+)?", one)]
        found = self._rates if word[0] == "GRDOTA" else self._numbers
        if (l, m) in found:
            lines.fail(f"l = {l}, m = {m}: stands there twice")
        if word[0] == "GRDOTA":
            numbers = numbers * self._past(dates)
        else:
            self._take_dates(dates)
        found[l, m] = numbers

    def _take_dates(self, dates: List[str]) -> None:
        if len(dates) < 2:
            return
        start, end = (self._lines.moment(one, name) for one, name in
                      zip(dates, ("begin", "end")))
        if end <= start:
            self._lines.fail(f"ends with {dates[1]} and begins with {dates[0]}")
        self.start = start if self.start is None else min(self.start, start)
        self.end = end if self.end is None else max(self.end, end)

    def _past(self, dates: List[str]) -> float:
        """Years from the date of a change per year to the epoch."""
        lines = self._lines
        if self._year is None:
            raise ValueError(f"epoch: must be given; {lines.name}, line {lines.number}, has a "
                             "change per year (GRDOTA)")
        if not dates:
            lines.fail("GRDOTA: has no date from which the change counts")
        return self._year - lines.date(dates[0], "date")

    def finish(self) -> np.ndarray:
        """The coefficients with their changes, [4][l][m]; every degree from 2 on must be whole."""
        lines, facts = self._lines, self._facts
        for l in range(2, facts.lmax + 1):
            for m in range(min(l, facts.mmax) + 1):
                if (l, m) not in self._numbers:
                    lines.fail(f"the file ends without l = {l}, m = {m}, and its degree is "
                               f"{facts.lmax}: is it cut off?")
        made = np.zeros((4, facts.lmax + 1, facts.lmax + 1))
        for (l, m), numbers in self._numbers.items():
            made[:, l, m] = numbers
        for (l, m), added in self._rates.items():
            if (l, m) not in self._numbers:
                lines.fail(f"GRDOTA of l = {l}, m = {m}: there is no coefficient of these")
            made[:2, l, m] += added[:2]
            made[2:, l, m] = np.hypot(made[2:, l, m], added[2:])
        return made


def _kind_of_errors(remarks: str) -> str:
    text = remarks.lower()
    if "not calibrated" in text or "uncalibrated" in text or "formal" in text:
        return "formal"
    return "calibrated" if "calibrated" in text else "unknown"


def _coverage(header: Dict[str, str], name: str) -> Optional[datetime.datetime]:
    """A time of the header."""
    text = header.get(f"global_attributes.time_coverage_{name}", "")
    try:
        return datetime.datetime.fromisoformat(text[:19])
    except ValueError:
        return None


def _begun(lines: Lines) -> Tuple[_Facts, str]:
    """The header, and the line that follows it, where that has been read."""
    for line in lines:
        if line.strip().rstrip(":") == "header":
            return _of_yaml(lines), ""
        if line.startswith(("FIRST", "CMMNT", "EARTH", "SHM")):
            return _of_records(lines, line)
        if line.strip():
            break
    lines.fail("is no level 2 file of GRACE: it begins neither with header: nor with FIRST, CMMNT, "
               "EARTH or SHM")


def read_grace(path: Path, *, epoch: Optional[Epoch] = None, lmax: Optional[int] = None
               ) -> GraceModel:
    """Read a level 2 file of GRACE or GRACE-FO: GSM, GAA, GAB, GAC or GAD.

    Parameters
    ----------
    path : str or path-like
        Name of the file, which may be packed by gzip: of CSR, GFZ or JPL, of release 6 with a
        header in YAML, of earlier ones, or of GFZ's format SHM.
    epoch : float, str or date, optional
        Decimal year, or date, for which coefficients are wanted. It must be given where the file
        has changes per year (GRDOTA), and does nothing else.
    %(lmax.of_file)s

    Returns
    -------
    GraceModel
        The coefficients, their standard deviations, and what the header says.

    Raises
    ------
    %(FormatError.line)s
    ValueError
        If the epoch is missing, or `lmax` above that of the file.

    See Also
    --------
    read_grace_series : Many months.
    read_gfc : Files of ICGEM, as of ITSG and COST-G.

    Notes
    -----
    The numbers are those of the file. C20 and C30 are not replaced by those of satellite laser
    ranging, degree 1 and C00, which JPL leaves out, are 0, and neither the pole tide nor a mean
    field is taken off.

    Examples
    --------
    >>> import armilla
    >>> with open("GAC-2_small", "w") as file:
    ...     _ = file.write("EARTH 0.3986004415E+15 0.6378136460E+07\\n"
    ...                    "SHM 2 0 1.00 fully normalized\\n"
    ...                    "GRCOF2 2 0 -.5E-10 0.0 0.0 0.0 20200101.0000 20200201.0000 nnnn\\n")
    >>> armilla.geo.read_grace("GAC-2_small").cilm[0, 2, 0]
    np.float64(-5e-11)
    """
    year = epoch_year(epoch)
    with Lines(path) as lines:
        facts, line = _begun(lines)
        for name, number in (("GM", facts.gm), ("radius", facts.radius)):
            if number <= 0:
                lines.fail(f"{name} = {number}: must be above 0")
        if "fully normalized" not in facts.norm.lower():
            lines.fail(f"normalization = {shown(facts.norm)}: must be fully normalized")
        top = top_degree(lmax, facts.lmax)
        table = _Table(lines, facts, year)
        if line:
            table.add(line)
        for line in lines:
            if line.strip():
                table.add(line)
        values = table.finish()[:, :top + 1, :top + 1]
    start = table.start or _coverage(facts.header, "start")
    end = table.end or _coverage(facts.header, "end")
    if year is None and start and end:
        year = decimal_year(start + (end - start) / 2)
    tide = next((value for key, value in _TIDES.items() if key in facts.tide.lower()), "unknown")
    product = facts.header.get("non-standard_attributes.product_id", "").partition("-")[0]
    errors = {_kind_of_errors(facts.remarks): values[2:]}
    return GraceModel(values[:2], facts.gm, facts.radius, errors, product, start, end, tide, year,
                      facts.header)


def _middle(model: GraceModel, path: Path) -> np.datetime64:
    if model.start is None or model.end is None:
        raise ValueError(f"{path}: does not say when its measurements begin and end")
    return np.datetime64(model.start + (model.end - model.start) / 2, "ns")


def _same(paths: Sequence[Path], models: Sequence[GraceModel], name: str) -> Any:
    """What all files say; ValueError where they do not."""
    values = [getattr(model, name) for model in models]
    for path, value in zip(paths, values):
        if value != values[0]:
            raise ValueError(f"{name}: is {value} in {path}, and {values[0]} in {paths[0]}")
    return values[0]


def read_grace_series(paths: Sequence[Path], *, lmax: Optional[int] = None) -> Any:
    """Read level 2 files of GRACE, one a month, as labelled arrays of xarray.

    Parameters
    ----------
    paths : sequence of str or path-like
        Names of the files, in any sequence: of one product and one tide system, with one GM and one
        radius.
    lmax : int, optional
        Largest degree to read. By default it is that of the files, which then must have the same.

    Returns
    -------
    xarray.Dataset
        `cilm` and `errors` with the dimensions time, part ("C" and "S"), degree and order, and the
        coordinates `time` (the middle), `start` and `end`. Attributes are gm, radius, tide_system
        and product.

    Raises
    ------
    %(FormatError.line)s
    ValueError
        If there is no file, files do not belong together, two have the same time, or one has none.
    ImportError
        If xarray is not installed.

    See Also
    --------
    read_grace : One file.

    Examples
    --------
    >>> import armilla
    >>> for month in (1, 2):
    ...     with open(f"GSM-2_{month}", "w") as file:
    ...         _ = file.write("EARTH 0.3986004415E+15 0.6378136460E+07\\n"
    ...                        "SHM 2 0 1.00 fully normalized\\n"
    ...                        f"GRCOF2 2 0 {month}.0 0.0 0.0 0.0 2020010{month} 20200201\\n")
    >>> series = armilla.geo.read_grace_series(["GSM-2_2", "GSM-2_1"])
    >>> series.cilm.sel(part="C", degree=2, order=0).values
    array([1., 2.])
    """
    try:
        import xarray
    except ImportError as error:
        raise ImportError(f"series of GRACE need xarray: {INSTALL['xarray']}") from error
    paths = list(paths)
    if not paths:
        raise ValueError("paths: must have a file at least")
    models = [read_grace(path, lmax=lmax) for path in paths]
    told = {name: _same(paths, models, name)
            for name in ("lmax", "gm", "radius", "tide_system", "product")}
    times = np.array([_middle(model, path) for path, model in zip(paths, models)])
    order = np.argsort(times)
    for a, b in zip(order, order[1:]):
        if times[a] == times[b]:
            raise ValueError(f"paths: {paths[a]} and {paths[b]} have the same time")
    dims = ("time", "part", "degree", "order")
    degrees = np.arange(told.pop("lmax") + 1)
    sorted_models = [models[i] for i in order]
    variables = {"cilm": [one.cilm for one in sorted_models],
                 "errors": [next(iter(one.errors.values())) for one in sorted_models]}
    coordinates = {name: ("time", np.array([getattr(one, name) for one in sorted_models],
                                           "datetime64[ns]")) for name in ("start", "end")}
    return xarray.Dataset({name: (dims, np.stack(value)) for name, value in variables.items()},
                          {"time": times[order], "part": ["C", "S"], "degree": degrees,
                           "order": degrees, **coordinates}, told)
