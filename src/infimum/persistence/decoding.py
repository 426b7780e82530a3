"""From JSON and arrays back to a model, believing nothing.

Each kind of node has one reader and one set of entries; a node of another kind, with
an entry too many or too few or of a wrong type, ends the reading.
"""

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from infimum.persistence.allow_list import find_class
from infimum.persistence.encoding import DEEPEST
from infimum.persistence.malformed import Malformed, quote
from infimum.persistence.npy import WIDEST, accept_dtype
from infimum.persistence.plain_types import TYPES
from infimum.persistence.sparse_matrices import assemble
from infimum.persistence.state import rebuild

__all__ = ["MEMBER", "Decoder"]

#: The name of an array in the file.
MEMBER = re.compile(r"array-\d{4,9}\.npy")
#: Data types that are no element type of an array in the file, but can be a parameter.
LOOSE_DTYPES = ("|O", "<U0", "|S0")
NOT_FINITE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
LARGEST_SIDE = 2**48

ENTRIES: dict[str, dict[str, type[Any]]] = {
    "tuple": {"items": list},
    "set": {"items": list},
    "frozenset": {"items": list},
    "slice": {"items": list},
    "complex": {"items": list},
    "dict": {"items": list},
    "float": {"value": str},
    "bytes": {"hex": str},
    "scalar": {"dtype": str, "value": object},
    "dtype": {"name": str},
    "type": {"name": str},
    "array": {"member": str},
    "objects": {"shape": list, "items": list},
    "sparse": {"class": str, "shape": list, "parts": list},
    "object": {"class": str, "number": int, "state": dict},
    "again": {"number": int},
}


class Decoder:
    """One walk through one document.

    Parameters
    ----------
    read_array : callable
        Gives the array of a member name; what it cannot give it refuses.

    Attributes
    ----------
    classes : set of str
        The names of all classes met.
    arrays : dict
        Member name -> array, for all members met.
    """

    def __init__(self, read_array: Callable[[str], Any]) -> None:
        self.classes: set[str] = set()
        self.arrays: dict[str, Any] = {}
        self._read_array = read_array
        self._built: dict[int, Any] = {}
        self._depth = 0

    def decode(self, node: Any) -> Any:
        """Return the value that `node` stands for."""
        if not isinstance(node, list | dict):
            return node
        self._depth += 1
        if self._depth > DEEPEST:
            raise Malformed(f"its values are nested more than {DEEPEST} deep")
        value = self._items(node) if isinstance(node, list) else self._tagged(node)
        self._depth -= 1
        return value

    def _items(self, nodes: list[Any]) -> list[Any]:
        return [self.decode(node) for node in nodes]

    def _tagged(self, node: dict[str, Any]) -> Any:
        kind = node.get("kind")
        entries = ENTRIES.get(kind) if isinstance(kind, str) else None
        if entries is None:
            raise Malformed(f"a value of unknown kind {quote(kind)} is in it")
        values = [node.get(name) for name in entries]
        fits = map(_is_a, values, entries.values())
        if node.keys() != {"kind", *entries} or not all(fits):
            raise Malformed(f"a value of kind {quote(kind)} in it is misshapen")
        return getattr(self, f"_{kind}")(*values)

    def _tuple(self, items: list[Any]) -> tuple[Any, ...]:
        return tuple(self._items(items))

    def _set(self, items: list[Any]) -> set[Any]:
        return {_hashable(item) for item in self._items(items)}

    def _frozenset(self, items: list[Any]) -> frozenset[Any]:
        return frozenset(self._set(items))

    def _slice(self, items: list[Any]) -> slice:
        start, stop, step = self._exactly(3, items)
        return slice(start, stop, step)

    def _complex(self, items: list[Any]) -> complex:
        real, imaginary = self._exactly(2, items)
        if not isinstance(real, float) or not isinstance(imaginary, float):
            raise Malformed("a complex number in it has parts that are no numbers")
        return complex(real, imaginary)

    def _dict(self, items: list[Any]) -> dict[Any, Any]:
        built: dict[Any, Any] = {}
        for pair in items:
            if not isinstance(pair, list):
                raise Malformed("a dict in it has an item that is no pair")
            key, value = self._exactly(2, pair)
            built[_hashable(key)] = value
        if len(built) < len(items):
            raise Malformed("a dict in it has a key twice")
        return built

    def _float(self, value: str) -> float:
        if value not in NOT_FINITE:
            raise Malformed(f"the number {quote(value)} in it is not understood")
        return NOT_FINITE[value]

    def _bytes(self, text: str) -> bytes:
        try:
            return bytes.fromhex(text)
        except ValueError:
            raise Malformed("a byte string in it is not hexadecimal") from None

    def _scalar(self, dtype: str, node: Any) -> Any:
        item = self.decode(node)
        plain = isinstance(item, bool | int | float | complex | str | bytes)
        accepted = accept_dtype(dtype)
        if not plain or accepted.itemsize > _largest(item):
            raise Malformed(f"a scalar in it is no {accepted.name}")
        try:
            dated = accepted.kind in "mM"
            value = np.array(item, dtype="i8" if dated else accepted)
        except (ValueError, TypeError, OverflowError):
            plain = False
        if not plain:
            raise Malformed(f"a scalar in it is no {accepted.name}")
        return value.view(accepted)[()] if dated else value[()]

    def _dtype(self, name: str) -> np.dtype[Any]:
        if name in LOOSE_DTYPES:
            return np.dtype(name)
        accepted = accept_dtype(name)
        if accepted.itemsize > WIDEST:
            raise Malformed(f"the data type {quote(name)} is too wide")
        return accepted

    def _type(self, name: str) -> type[Any]:
        if name not in TYPES:
            raise Malformed(f"the type {quote(name)} is not admitted")
        return TYPES[name]

    def _array(self, member: str) -> Any:
        if MEMBER.fullmatch(member) is None:
            raise Malformed(f"an array in it has the unlikely name {quote(member)}")
        if member not in self.arrays:
            self.arrays[member] = self._read_array(member)
        return self.arrays[member]

    def _objects(self, shape: list[Any], nodes: list[Any]) -> Any:
        sides = _sides(shape)
        if math.prod(sides) != len(nodes):
            raise Malformed("an array of objects in it has a wrong shape")
        array = np.empty(len(nodes), dtype=object)
        for position, node in enumerate(nodes):
            array[position] = self.decode(node)
        return array.reshape(sides)

    def _sparse(self, name: str, shape: list[Any], parts: list[Any]) -> Any:
        sides, arrays = _sides(shape), self._exactly(3, parts)
        if len(sides) != 2 or not all(isinstance(a, np.ndarray) for a in arrays):  # noqa: PLR2004
            raise Malformed("a sparse matrix in it is misshapen")
        return assemble(name, (sides[0], sides[1]), arrays)

    def _object(self, name: str, number: int, state: dict[str, Any]) -> Any:
        cls = find_class(name)
        if cls is None:
            raise Malformed(f"it holds a {quote(name)}, a class that is not admitted")
        attributes = {key: self.decode(item) for key, item in state.items()}
        if number in self._built:
            raise Malformed(f"two objects in it have the number {number}")
        self.classes.add(name)
        self._built[number] = rebuild(cls, name, attributes)
        return self._built[number]

    def _again(self, number: int) -> Any:
        if number not in self._built:
            raise Malformed(f"it refers to an object {number} that does not precede it")
        return self._built[number]

    def _exactly(self, count: int, nodes: list[Any]) -> list[Any]:
        if len(nodes) != count:
            raise Malformed(f"a value in it has {len(nodes)} parts and not {count}")
        return self._items(nodes)


def _is_a(value: Any, kind: type[Any]) -> bool:
    """Tell whether `value` has the type `kind`; True is no number here."""
    return isinstance(value, kind) and not (kind is int and isinstance(value, bool))


def _largest(item: Any) -> int:
    """Return the most bytes that a scalar can have: a text fills its data type."""
    if not isinstance(item, str | bytes):
        return np.dtype("c16").itemsize
    width = np.dtype("U1").itemsize if isinstance(item, str) else 1
    return width * max(len(item), 1)


def _sides(shape: list[Any]) -> tuple[int, ...]:
    """Return a shape, if all sides are sizes."""
    if not all(_is_a(side, int) and 0 <= side < LARGEST_SIDE for side in shape):
        raise Malformed("a shape in it is not made of sizes")
    return tuple(shape)


def _hashable(value: Any) -> Any:
    """Return `value`, if it can be looked up."""
    try:
        hash(value)
    except TypeError:
        raise Malformed("a key in it cannot be looked up") from None
    return value
