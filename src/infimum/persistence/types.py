"""Whether a value has the type that a field or parameter is annotated with.

The check is as lenient as the library is to its users: any real number does where one
is asked for, a list where a tuple is, whatever where anything is.
"""

import types
from collections.abc import Callable, Collection, Hashable, Mapping
from functools import cache
from numbers import Real
from typing import Any, Union, get_args, get_origin, get_type_hints

import numpy as np

from infimum.errors import DataError

__all__ = ["check_types", "field_types", "parameter_types"]

_SEQUENCES = (list, tuple, np.ndarray)


@cache
def field_types(cls: Any) -> dict[str, Any]:
    """Return field -> type of a record or a named tuple."""
    return get_type_hints(cls)


@cache
def parameter_types(cls: Any) -> dict[str, Any]:
    """Return parameter -> type of an estimator's constructor."""
    hints = get_type_hints(cls.__init__)
    hints.pop("return", None)
    return hints


def check_types(owner: str, values: dict[str, Any], hints: dict[str, Any]) -> None:
    """Raise DataError for the first value that is not of its type."""
    for name, value in values.items():
        if not _is_a(value, hints.get(name, Any)):
            kind = type(value).__name__
            raise DataError(f"{owner}.{name} cannot be a {kind}.")


def _is_a(value: Any, hint: Any) -> bool:
    hint = _spelt_out(hint)
    origin = get_origin(hint)
    if hint is Any or isinstance(hint, str):
        return True
    if hint is None or hint is type(None):
        return value is None
    if origin in (Union, types.UnionType):
        return any(_is_a(value, choice) for choice in get_args(hint))
    if origin is not None:
        return _is_generic(value, origin, get_args(hint))
    return _is_plainly(value, hint)


def _spelt_out(hint: Any) -> Any:
    """Return what a named alias stands for, as ``NDArray`` does since NumPy 2.5."""
    alias, inside = get_origin(hint) or hint, get_args(hint)
    if not hasattr(alias, "__value__"):
        return hint
    return _spelt_out(alias.__value__[inside] if inside else alias.__value__)


def _is_plainly(value: Any, hint: Any) -> bool:
    if hint in (int, float):
        if hint is int and isinstance(value, float) and not np.isfinite(value):
            return False
        small = not isinstance(value, int) or abs(value) < 2**63
        return small and isinstance(value, Real | np.bool_)
    if hint is bool:
        return isinstance(value, bool | np.bool_ | int | np.integer)
    return not isinstance(hint, type) or isinstance(value, hint)


def _is_generic(value: Any, origin: Any, inside: tuple[Any, ...]) -> bool:
    if origin is np.ndarray:
        return _is_array(value, inside)
    if origin is Callable:
        return callable(value)
    if issubclass(origin, Mapping):
        return isinstance(value, dict) and all(
            _is_a(key, inside[0]) and _is_a(item, inside[1])
            for key, item in value.items()
        )
    if issubclass(origin, Collection) and inside:
        admitted = _SEQUENCES if origin in (list, tuple) else (*_SEQUENCES, origin)
        return isinstance(value, admitted) and _are(value, inside)
    return origin is Hashable or isinstance(value, origin)


def _are(values: Any, inside: tuple[Any, ...]) -> bool:
    """Tell whether items are of their types: all of one, or each of its own."""
    if len(inside) > 1 and inside[-1] is not Ellipsis:
        pairs = zip(values, inside, strict=False)
        return len(values) == len(inside) and all(_is_a(v, h) for v, h in pairs)
    return all(_is_a(item, inside[0]) for item in values)


def _is_array(value: Any, inside: tuple[Any, ...]) -> bool:
    if type(value) is not np.ndarray or not value.dtype.isnative:
        return False
    scalar = get_args(inside[1])[0] if len(inside) > 1 and get_args(inside[1]) else Any
    scalar = get_origin(scalar) or scalar
    return scalar is Any or issubclass(value.dtype.type, scalar)
