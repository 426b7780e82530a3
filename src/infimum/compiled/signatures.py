"""The signatures that ordinary calls need, which the installation compiles.

``signatures.json`` names loops with the types of their arguments, and formulas. It is
recorded (``python -m benchmarks.signatures``), not written by hand.
"""

import json
from importlib import import_module
from typing import Any

from numba import types as numba_types

from infimum.compiled.cache_key import HERE
from infimum.compiled.callbacks import POINTERS, compile_pointer

__all__ = ["compile_entry", "read_signatures", "words_of"]

types: Any = numba_types
PLACE = HERE / "signatures.json"


def read_signatures() -> dict[str, list[Any]]:
    """Return the signatures in words, by the full name of their loop or formula."""
    found: dict[str, list[Any]] = json.loads(PLACE.read_text(encoding="utf-8"))
    return found


def compile_entry(name: str, signatures: list[Any]) -> None:
    """Compile one loop for its signatures, or a formula, and keep the machine code."""
    module, _, function = name.rpartition(".")
    found = getattr(import_module(module), function)
    for words in signatures:
        if isinstance(words, str):
            compile_pointer(found, words)
        else:
            found.compile(tuple(type_of(each) for each in words))


def words_of(kind: Any) -> Any:
    """Say a type of numba's in plain data, such as ``float64 2C`` for a matrix."""
    if isinstance(kind, types.Array):
        frozen = "" if kind.mutable else " frozen"
        return f"{kind.dtype} {kind.ndim}{kind.layout}{frozen}"
    if isinstance(kind, types.BaseNamedTuple):
        owner = kind.instance_class
        return {
            f"{owner.__module__}.{owner.__qualname__}": [
                words_of(k) for k in kind.types
            ]
        }
    if isinstance(kind, types.BaseTuple):
        return [words_of(each) for each in kind.types]
    if isinstance(kind, types.Omitted):
        return {"omitted": kind.value}
    if isinstance(kind, types.FunctionType):
        names = {signature: name for name, signature in POINTERS.items()}
        return {"pointer": names[kind.signature]}
    return None if kind is types.none else str(kind)


def type_of(words: Any) -> Any:
    """Return the type that `words_of` has put into plain data."""
    if words is None:
        return types.none
    if isinstance(words, list):
        return types.BaseTuple.from_types(tuple(map(type_of, words)))
    if isinstance(words, dict):
        ((name, inside),) = words.items()
        return _special(name, inside)
    name, *shape = words.split()
    if not shape:
        return getattr(types, "boolean" if name == "bool" else name)
    dims, layout = int(shape[0][:-1]), shape[0][-1]
    return types.Array(type_of(name), dims, layout, readonly="frozen" in shape)


def _special(name: str, inside: Any) -> Any:
    if name == "omitted":
        return types.Omitted(inside)
    if name == "pointer":
        return types.FunctionType(POINTERS[inside])
    module, _, owner = name.rpartition(".")
    fields = tuple(map(type_of, inside))
    return types.BaseTuple.from_types(fields, getattr(import_module(module), owner))
