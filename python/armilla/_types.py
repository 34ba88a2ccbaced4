"""Types that plans share: what they tell of themselves, and arrays as a checker sees them."""
from __future__ import annotations

from typing import Any, Literal, NamedTuple, Optional, Protocol, Tuple, TypeVar, Union

import numpy as np
from numpy.typing import ArrayLike


class _OnDevice(Protocol):
    """What arrays in a GPU's memory have, to a checker of types; arrays of NumPy do not."""

    @property
    def __cuda_array_interface__(self) -> Any: ...


OnDevice = TypeVar("OnDevice", bound=_OnDevice)
Given = TypeVar("Given", bound=Union[np.ndarray, _OnDevice])  # an array for the result


# Words that arguments take, so that a checker of types finds one that is none of them.
AlmForm = Literal["complex", "real"]
Mode = Literal["standard", "gradient_only", "derivatives"]
Method = Literal["auto", "direct", "resample"]
SpinMethod = Literal["auto", "recurrence"]
Device = Literal["cpu", "cuda"]
DevicePrecision = Literal["auto", "double", "single", "two_floats", "halves"]
Missing = Literal["error", "propagate"]
PseudoMethod = Literal["lsmr", "jacobi", "auto"]
Form = Literal["vorticity_divergence", "stream_potential", "spheroidal_toroidal"]
MapForm = Literal["vorticity_divergence", "stream_potential", "spheroidal_toroidal", "components",
                  "rotational", "divergent"]
Components = Literal["east_north", "theta_phi"]
Mean = Literal["error", "ignore"]
RadialMode = Literal["exact", "standard"]
RadialMethod = Literal["auto", "pixels", "rings"]
Normalization = Literal["auto", "none", "integral", "sum"]
DeflectionKind = Literal["potential", "vector", "map"]
SolidKind = Literal["exterior", "interior"]
SolidFrame = Literal["cartesian", "local"]
SolidWay = Literal["auto", "direct", "shells"]
Order = Literal["phi", "theta"]
RingOrders = Union[Literal["all", "ectrans"], ArrayLike]
Equidistant = Literal["CC", "F1", "F2", "DH", "MW", "MWSS", "MWFLIP", "MWflip",
                      "cc", "f1", "f2", "dh", "mw", "mwss", "mwflip"]
NormOfHarmonics = Literal["ortho", "4pi", "schmidt", "unnorm"]
Harmonics = Literal["complex", "real", "real-norm"]
Packing = Literal["orders", "degrees", "rectangle", "planes", "acn", "centred", "vector"]
Power = Literal["mean", "integral", "squares"]
BandQuantity = Literal["cl", "dl"]
PowerUnit = Literal["per_l", "per_lm", "per_dlogl"]
Coordinates = Literal["G", "E", "C"]
Years = Literal["calendar", "julian"]
ByteOrder = Literal["big", "little", "native"]
Projection = Literal["mollweide", "orthographic", "gnomonic", "equirectangular", "polar", "lambert",
                     "equidistant", "stereographic"]
Flip = Literal["astro", "geo"]
Norm = Literal["ortho", "four-pi", "schmidt", "unnorm", "ectrans"]  # of coefficients in networks
Packed = Literal["matrix", "ectrans"]
VectorKind = Literal["potentials", "wind"]
Quadrature = Literal["weights", "exact"]
FieldMissing = Literal["error", "propagate", "zero", "fit"]
TimeMethod = Literal["linear", "nearest"]
Iterations = Union[int, Literal["auto"]]


class ComplexOptions(NamedTuple):
    """What a ComplexSHT was asked for, but for its grid."""

    lmax: int
    mmax: int
    spin: int
    method: Method
    spin_method: SpinMethod
    isa: Optional[str]
    host_bytes: int
    cache_bytes: int
    choices: Optional[str]
    device: Device = "cpu"
    devices: Optional[Tuple[int, ...]] = None
    delegate: bool = False


class PointsOptions(NamedTuple):
    """What Points were asked for, but for the places and the layout."""

    lmax: int
    spin: int
    epsilon: float
    mmax: int
    mode: Mode
    isa: Optional[str]
    spin_method: SpinMethod
    device: Device = "cpu"
    device_bytes: int = 0
    devices: Optional[Tuple[int, ...]] = None
    upsampling: float = 0.0
    taps: int = 0


class RadialOptions(NamedTuple):
    """What a Radial was asked for, but for its grid and kernel."""

    support: Optional[float]
    mode: RadialMode
    normalization: Normalization
    method: RadialMethod
    truncation_error: float
    isa: Optional[str]
    spin: int
    device: Device
    device_bytes: int
    devices: Optional[Tuple[int, ...]]


class PlanOptions(NamedTuple):
    """What a plan was asked for, but for its grid and layout: enough to make it again."""

    lmax: int
    mmax: int
    spin: int
    mode: Mode
    method: Method
    spin_method: SpinMethod
    isa: Optional[str]
    device: Device
    device_bytes: int
    device_shape: Optional[str]
    device_precision: DevicePrecision
    host_bytes: int
    cache_bytes: int
    choices: Optional[str]
    two_dimensional: bool
    mres: int
    form: AlmForm
    conjugate: bool
    degree_scale: Optional[np.ndarray]
    order_scale: Optional[np.ndarray]
    ring_orders: RingOrders
    devices: Optional[Tuple[int, ...]]
    delegate: bool = False
    device_streams: int = 0


class Choice(NamedTuple):
    """One choice of a plan: what it does, and what that depends on.

    Attributes
    ----------
    name : str
        Name of the choice, such as "sht.passes".
    value : str
        What the plan does.
    why : str
        What that depends on.
    """

    name: str
    value: str
    why: str


class Description(NamedTuple):
    """What a call of a plan will run, and what it needs.

    Attributes
    ----------
    backend : str
        "cpu", "cuda", or "by the host", which runs the calls of a plan for a GPU.
    isa : str
        Instruction set of the kernels.
    method : str
        "direct" or "resample".
    %(lmax)s
    %(mmax.divided)s
    %(nrings)s
    npix : int
        Number of values of one component of a map.
    %(alm_size)s
    ncomp : int
        Number of components of a map.
    %(alm_ncomp)s
    %(plan_bytes)s
    %(workspace_bytes)s
    useful_flops : float
        Floating-point operations of one transform.
    %(device_plan_bytes)s
    device_workspace_bytes : int
        Memory that a call needs on the GPU besides the arrays.
    device_shape : str or None
        Shape of the kernels of the GPU.
    device_precision : str or None
        Precision in which the GPU makes Legendre functions of float32.
    exact : int
        1 where analysis inverts synthesis to rounding; 0 where it does not for this lmax and mmax,
        see `Grid.exact_lmax_for`; -1 where the grid has no exact rule.
    mres : int
        Orders are its multiples, up to mmax mres.
    device_batch : int
        Transforms of a call that go together on the GPU, at least; 0 on the CPU.
    device_doubles : str or None
        Precision in which the GPU makes Legendre functions of float64.
    device_streams : int
        Streams of the GPU on which a call works at most; 0 on the CPU.
    """

    backend: str
    isa: str
    method: str
    lmax: int
    mmax: int
    nrings: int
    npix: int
    alm_size: int
    ncomp: int
    alm_ncomp: int
    plan_bytes: int
    workspace_bytes: int
    useful_flops: float
    device_plan_bytes: int
    device_workspace_bytes: int
    device_shape: Optional[str]
    device_precision: Optional[str]
    exact: int
    mres: int
    device_batch: int
    device_doubles: Optional[str]
    device_streams: int
