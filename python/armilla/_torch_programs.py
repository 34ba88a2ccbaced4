"""How programs of torch.compile and torch.export name a plan: by a token, since their steps take
numbers and texts alone."""
from __future__ import annotations

import ctypes
import secrets
from typing import Any, Dict

import torch

HAS_PROGRAMS = hasattr(torch.library, "custom_op")  # PyTorch 2.4
_PROCESS = secrets.token_hex(8)  # a program that another process has made must not find a plan here
_OWNERS: Dict[str, Any] = {}
_TOKENS: Dict[Any, str] = {}


def constant(function: Any) -> Any:
    """What torch.compile calls while it makes a program, not again; for other arguments it makes
    another program."""
    return torch.compiler.assume_constant_result(function) if HAS_PROGRAMS else function


def object_at(address: int) -> Any:
    """What id() has told of, which must live."""
    return ctypes.cast(address, ctypes.py_object).value


@constant
def _token_at(address: int) -> str:
    owner = object_at(address)
    token = _TOKENS.get(owner)
    if token is None:
        token = _TOKENS[owner] = f"{_PROCESS}-{len(_TOKENS)}"
        _OWNERS[token] = owner
    return token


def token_of(owner: Any) -> str:
    """The token of a plan or of a Field, which it keeps: no one can tell when the last program that
    names it is gone. By its id, since PyTorch 2.4 takes numbers alone as constants."""
    return _token_at(id(owner))


def owner_of(token: str) -> Any:
    """What has this token."""
    owner = _OWNERS.get(token)
    if owner is None:
        raise RuntimeError("the program is of another process, and so is its armilla plan; make it "
                           "anew in this one")
    return owner
