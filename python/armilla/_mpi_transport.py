"""What the library needs of MPI, by mpi4py: messages between ranks, and errors that all ranks
raise together."""
from __future__ import annotations

try:
    from mpi4py import MPI
except ImportError as error:
    raise ImportError("armilla.mpi needs mpi4py, built for the MPI whose mpirun starts the "
                      "program: pip install mpi4py") from error
import pickle
from typing import Any, Callable, List, Optional, TypeVar

import numpy as np

from ._native import ffi, lib
from ._progress import keep_raised

_Result = TypeVar("_Result")


def check_communicator(comm: Any) -> None:
    """TypeError for what is no communicator of mpi4py; ValueError for one that has no ranks to
    share a transform among."""
    if not isinstance(comm, MPI.Comm):
        raise TypeError(f"comm: must be a communicator of mpi4py, not {type(comm).__name__}")
    if not MPI.Is_initialized() or MPI.Is_finalized():
        raise RuntimeError("comm: MPI is not initialized, or is finalized")
    if comm == MPI.COMM_NULL:
        raise ValueError("comm = MPI.COMM_NULL: must be a communicator")
    if comm.Is_inter():
        raise ValueError("comm: is an intercommunicator, and must have one group")


# --- Errors ---------------------------------------------------------------------------------------


def agree(comm: Any, error: Optional[Exception]) -> None:
    """Collective: all ranks raise the error of the first rank that has one."""
    first = comm.allreduce(comm.size if error is None else comm.rank, op=MPI.MIN)
    if first == comm.size:
        return
    told = comm.bcast(None if error is None else _packed(error), root=first)
    if error is not None and comm.rank == first:
        raise error
    raise pickle.loads(told)


def _packed(error: Exception) -> bytes:
    """An error of the same kind and text, or, if there cannot be one elsewhere, a RuntimeError."""
    kind = type(error)
    try:
        packed = pickle.dumps(kind(str(error)))
        pickle.loads(packed)
    except Exception:  # kinds may want other arguments, or be known in one place alone
        packed = pickle.dumps(RuntimeError(f"{kind.__name__}: {error}"))
    return packed


def together(comm: Any, function: Callable[[], _Result]) -> _Result:
    """Collective: what a function that exchanges nothing gives on this rank. Where it raises on
    some rank, all ranks raise."""
    made: List[_Result] = []
    error: Optional[Exception] = None
    try:
        made.append(function())
    except Exception as raised:  # whatever it is, the other ranks must hear of it
        error = raised
    agree(comm, error)
    return made[0]


# --- Messages -------------------------------------------------------------------------------------


class Messages:
    """The exchanges of a communicator that are under way, by slot."""

    most_bytes = 1 << 30  # of a message; a longer one goes in pieces, which match by their sequence

    def __init__(self, comm: Any) -> None:
        self.comm = comm
        self._receives: List[List[Any]] = [[] for _ in range(lib.ARMILLA_TRANSPORT_SLOTS)]
        self._sends: List[List[Any]] = [[] for _ in range(lib.ARMILLA_TRANSPORT_SLOTS)]
        self._is_broken = False

    def start(self, slot: int, sends: List[Any], receives: List[Any]) -> None:
        """Begins an exchange: lists of armilla_message."""
        if self._is_broken:
            raise ConnectionError("an earlier exchange between the ranks was broken off")
        try:
            for message in receives:
                self._begin(self.comm.Irecv, message, slot, self._receives[slot])
            for message in sends:
                self._begin(self.comm.Isend, message, slot, self._sends[slot])
        except BaseException:
            self._abandon()
            raise

    def _begin(self, call: Callable[..., Any], message: Any, slot: int,
               requests: List[Any]) -> None:
        data, size = ffi.cast("char *", message.data), message.bytes
        for begin in range(0, size, self.most_bytes):
            piece = ffi.buffer(data + begin, min(self.most_bytes, size - begin))
            requests.append(call([piece, MPI.BYTE], message.rank, slot))

    def wait(self, slot: int) -> None:
        """Ends it."""
        try:
            MPI.Request.Waitall(self._receives[slot] + self._sends[slot])
        except BaseException:
            self._abandon()
            raise
        self._receives[slot], self._sends[slot] = [], []

    def _abandon(self) -> None:
        """Nothing more may come into arrays that the library gives back."""
        self._is_broken = True
        for requests in self._receives:
            for request in requests:
                if request != MPI.REQUEST_NULL:
                    request.Cancel()
                    request.Free()
        self._receives = [[] for _ in self._receives]

    def largest(self, count: int, values: Any) -> None:
        """Each of `count` int64_t becomes the largest of all ranks."""
        array = np.frombuffer(ffi.buffer(values, 8 * count), np.int64)
        self.comm.Allreduce(MPI.IN_PLACE, [array, MPI.INT64_T], op=MPI.MAX)


@ffi.def_extern(error=1, onerror=keep_raised)
def armilla_python_start(context: Any, slot: int, nsends: int, sends: Any, nreceives: int,
                         receives: Any) -> int:
    """Called by the library; what it raises comes out of the call of the library."""
    ffi.from_handle(context).start(slot, [sends[i] for i in range(nsends)],
                                   [receives[i] for i in range(nreceives)])
    return 0


@ffi.def_extern(error=1, onerror=keep_raised)
def armilla_python_wait(context: Any, slot: int) -> int:
    """Called by the library."""
    ffi.from_handle(context).wait(slot)
    return 0


@ffi.def_extern(error=1, onerror=keep_raised)
def armilla_python_largest(context: Any, count: int, values: Any) -> int:
    """Called by the library."""
    ffi.from_handle(context).largest(count, values)
    return 0


# --- Transports -----------------------------------------------------------------------------------


class Transport:
    """A duplicate of a communicator, and the library's armilla_transport on it. Making one and
    close() are collective."""

    __slots__ = ("comm", "struct", "_messages", "_handle", "_stays")

    def __init__(self, comm: Any) -> None:
        self._stays = comm in (MPI.COMM_WORLD, MPI.COMM_SELF)
        self.comm = comm.Dup()
        self.comm.Set_errhandler(MPI.ERRORS_RETURN)  # mpi4py makes exceptions of them
        self._messages = Messages(self.comm)
        self._handle = ffi.new_handle(self._messages)
        self.struct = ffi.new("armilla_transport *", {
            "size": ffi.sizeof("armilla_transport"), "rank": self.comm.rank,
            "nranks": self.comm.size, "context": self._handle,
            "most_threads": 1 if MPI.Query_thread() == MPI.THREAD_SINGLE else 0,
            "start": lib.armilla_python_start, "wait": lib.armilla_python_wait,
            "largest": lib.armilla_python_largest})

    @staticmethod
    def kept(comm: Any) -> "Transport":
        """Collective: the one that belongs to a communicator, and goes with it."""
        transport: Optional[Transport] = comm.Get_attr(_attribute())
        if transport is None:
            transport = Transport(comm)
            comm.Set_attr(_attribute(), transport)
        return transport

    def close(self) -> None:
        """Frees the duplicate."""
        if not MPI.Is_finalized() and self.comm != MPI.COMM_NULL:
            self.comm.Free()


_attributes: List[int] = []


def _attribute() -> int:
    """The key under which a communicator keeps its transport."""
    if not _attributes:
        _attributes.append(MPI.Comm.Create_keyval(delete_fn=_forget))
    return _attributes[0]


def _forget(comm: Any, key: int, transport: Transport) -> None:
    """The program frees its communicator; predefined ones only go as MPI ends, which frees all."""
    if not transport._stays:
        transport.close()
