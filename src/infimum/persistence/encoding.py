"""From a fitted model to JSON and a list of arrays.

JSON's own values stand for themselves (a list is a list). Everything else is a JSON
object whose ``kind`` says what it is: ``tuple``, ``dict``, ``array``, ``object``, ...
Objects and arrays keep their identity: met a second time, they are referred to. Lists,
tuples and dicts are written out wherever they are met.
"""

import inspect
import math
import sys
from collections.abc import Callable
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

import numpy as np
from scipy.sparse import issparse

from infimum.errors import InfimumError, ModelFileError
from infimum.persistence.allow_list import name_of
from infimum.persistence.npy import carries
from infimum.persistence.plain_types import TYPE_NAMES
from infimum.persistence.sparse_matrices import take_apart
from infimum.persistence.state import check, forbidden, state_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

__all__ = ["DEEPEST", "Encoder"]

#: Containers within containers; Python's own stack would end at a few times this.
DEEPEST = 100
#: Python refuses to print integers of more than 4300 digits.
LONGEST_INTEGER = 8192

Writer: TypeAlias = Callable[[Any, str], Any]


class Encoder:
    """One walk through one model.

    Parameters
    ----------
    plain : bool, default=False
        Refuse arrays and objects, so that the JSON alone says everything.

    Attributes
    ----------
    arrays : dict
        Member name -> array, in the order they were met.
    classes : set of str
        The names of all classes met.
    """

    def __init__(self, *, plain: bool = False) -> None:
        self.plain = plain
        self.arrays: dict[str, NDArray[Any]] = {}
        self.classes: set[str] = set()
        self._met: dict[int, tuple[Any, dict[str, Any]]] = {}
        self._open: set[int] = set()
        self._count = 0
        self._exact: dict[type[Any], Writer] = {
            type(None): _itself,
            bool: _itself,
            str: _itself,
            int: _integer,
            float: _number,
            complex: _complex,
            bytes: _bytes,
            list: self._list,
            tuple: self._tuple,
            dict: self._dict,
            set: self._set,
            frozenset: self._set,
            slice: self._slice,
            np.ndarray: self._array,
            np.memmap: self._array,
        }
        self._families: tuple[tuple[Callable[[Any], bool], Writer], ...] = (
            (lambda value: isinstance(value, np.generic), self._scalar),
            (lambda value: isinstance(value, np.dtype), _dtype),
            (lambda value: isinstance(value, type), _type),
            (issparse, self._sparse),
            (_is_column_index, self._index),
        )

    def encode(self, value: Any, where: str) -> Any:
        """Return `value` as JSON; `where` is its address in messages."""
        write = self._exact.get(type(value))
        if write is None:
            families = ((kind, way) for kind, way in self._families if kind(value))
            _, write = next(families, (None, self._object))
        return write(value, where)

    @contextmanager
    def _inside(self, value: Any, where: str) -> "Iterator[None]":
        """Mark a container as being written, to notice one that contains itself."""
        if id(value) in self._open:
            message = f"{where} leads back to what contains it"
            raise ModelFileError(f"{message}, and a model file has no loops.")
        if len(self._open) >= DEEPEST:
            raise ModelFileError(f"{where[:80]}… is nested more than {DEEPEST} deep.")
        self._open.add(id(value))
        yield
        self._open.discard(id(value))

    def _items(self, items: Any, owner: Any, where: str) -> list[Any]:
        with self._inside(owner, where):
            return [self.encode(item, f"{where}[{i}]") for i, item in enumerate(items)]

    def _list(self, value: list[Any], where: str) -> list[Any]:
        return self._items(value, value, where)

    def _index(self, value: Any, where: str) -> list[Any]:
        return self._list(value.tolist(), where)

    def _tuple(self, value: tuple[Any, ...], where: str) -> dict[str, Any]:
        return {"kind": "tuple", "items": self._items(value, value, where)}

    def _set(self, value: set[Any] | frozenset[Any], where: str) -> dict[str, Any]:
        # Sets have no order of their own; sorted spellings make the bytes repeatable.
        items = sorted(self._items(value, value, where), key=repr)
        return {"kind": type(value).__name__, "items": items}

    def _dict(self, value: dict[Any, Any], where: str) -> dict[str, Any]:
        with self._inside(value, where):
            items = [
                [self.encode(key, f"a key of {where}"), self.encode(item, at)]
                for key, item in value.items()
                for at in [f"{where}[{key!r}]"]
            ]
        return {"kind": "dict", "items": items}

    def _slice(self, value: slice, where: str) -> dict[str, Any]:
        ends = [value.start, value.stop, value.step]
        return {"kind": "slice", "items": self._items(ends, value, where)}

    def _scalar(self, value: np.generic, where: str) -> dict[str, Any]:
        dtype = value.dtype.str.replace("U0", "U1").replace("S0", "S1")
        if not carries(np.dtype(dtype)):
            _refuse(value, where, "its data type is not a plain one")
        dated = value.dtype.kind in "mM"
        item = value.view(np.int64).item() if dated else value.item()
        return {"kind": "scalar", "dtype": dtype, "value": self.encode(item, where)}

    def _array(self, value: "NDArray[Any]", where: str) -> dict[str, Any]:
        if self.plain:
            _refuse(value, where, "only plain values can be kept here; use a list")
        if value.dtype == object:
            items = self._items(value.ravel(), value, where)
            return {"kind": "objects", "shape": list(value.shape), "items": items}
        if not carries(value.dtype):
            reason = f"its data type {value.dtype} is not a plain one"
            _refuse(value, where, reason)
        if id(value) not in self._met:
            name = f"array-{len(self.arrays):04d}.npy"
            self.arrays[name] = value
            self._met[id(value)] = value, {"kind": "array", "member": name}
        return self._met[id(value)][1]

    def _sparse(self, value: Any, where: str) -> dict[str, Any]:
        apart = take_apart(value)
        if apart is None:
            _refuse(value, where, "convert it with .tocsr() first")
        name, parts = apart
        items = self._items(parts, value, where)
        shape = [int(side) for side in value.shape]
        return {"kind": "sparse", "class": name, "shape": shape, "parts": items}

    def _object(self, value: Any, where: str) -> dict[str, Any]:
        name = name_of(type(value))
        if name is None or self.plain:
            _refuse(value, where, _why_not(value))
        if id(value) in self._met:
            return self._met[id(value)][1]
        state = state_of(value, name)
        if key := forbidden(name, state):
            _refuse(state[key], f"{where}.{key}", "only None is admitted there")
        self.classes.add(name)
        with self._inside(value, where):
            written = {
                key: self.encode(item, f"{where}.{key}") for key, item in state.items()
            }
        _check(value, name, where)
        number, self._count = self._count, self._count + 1
        self._met[id(value)] = value, {"kind": "again", "number": number}
        return {"kind": "object", "class": name, "number": number, "state": written}


def _check(value: Any, name: str, where: str) -> None:
    """Refuse to write an object that would be refused when it is read."""
    try:
        check(value, name)
    except InfimumError as error:
        reason = f"{where} cannot be kept: {error}"
        raise ModelFileError(reason) from None


def _itself(value: Any, where: str) -> Any:
    return value


def _integer(value: int, where: str) -> int:
    if value.bit_length() > LONGEST_INTEGER:
        raise ModelFileError(f"{where} holds an integer too long for a model file.")
    return value


def _number(value: float, where: str) -> Any:
    return value if math.isfinite(value) else {"kind": "float", "value": repr(value)}


def _complex(value: complex, where: str) -> dict[str, Any]:
    parts = [_number(value.real, where), _number(value.imag, where)]
    return {"kind": "complex", "items": parts}


def _bytes(value: bytes, where: str) -> dict[str, Any]:
    return {"kind": "bytes", "hex": value.hex()}


def _dtype(value: "np.dtype[Any]", where: str) -> dict[str, Any]:
    if not carries(value) and value.str not in ("|O", "<U0", "|S0"):
        _refuse(value, where, "it is not a plain data type")
    return {"kind": "dtype", "name": value.str}


def _type(value: type[Any], where: str) -> dict[str, Any]:
    if value not in TYPE_NAMES:
        kind = f"{value.__module__}.{value.__qualname__}"
        raise ModelFileError(
            f"{where} holds the class {kind}, which a model file cannot carry; "
            "give an instance or a data type."
        )
    return {"kind": "type", "name": TYPE_NAMES[value]}


def _is_column_index(value: Any) -> bool:
    """Tell whether `value` is a pandas Index, kept as the list of its names.

    Only a program that has imported pandas can hold one, so this never imports it.
    """
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(value, pandas.Index)


def _why_not(value: Any) -> str:
    """Return why an object is refused, or what to do instead."""
    if inspect.isroutine(value) or isinstance(value, np.ufunc | partial):
        return "a file that carried code could run it"
    if isinstance(value, np.random.RandomState | np.random.Generator):
        return "give a whole number as the seed"
    return "its class is not on the list of infimum.persistence"


def _refuse(value: Any, where: str, reason: str) -> NoReturn:
    """Refuse `value` in one sentence that says where it was met."""
    kind = type(value)
    known_by = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    named = getattr(value, "__name__", "")
    what = f"{known_by}{kind.__qualname__}" + (f" ({named})" if named else "")
    raise ModelFileError(
        f"{where} holds a {what}, which a model file cannot carry: {reason}."
    )
