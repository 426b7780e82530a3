"""Check fitted attributes against the lines that declare them; see `infimum.fitted`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from numbers import Real
from typing import Any

import numpy as np
from scipy import sparse

__all__ = ["Sizes", "fits", "parse", "told"]

_HOLDER = re.compile(r"(list|tuple|dict)(?:\[([^\]]+)\])? of (.*)")
_ITEM = re.compile(
    r"(?P<size>size) (?P<named>\w+)|'(?P<exactly>[^']*)'|(?P<kind>\w+)"
    r"(?P<array>\[(?P<shape>[^\]]*)\])?(?: of (?P<bound>[\w+]+)(?P<minus> or -1)?)?"
)
_KINDS = {
    "float": "f", "finite": "f", "nonnegative": "f", "int": "iu", "index": "iu",
    "bool": "b", "number": "biuf", "text": "UO", "label": "biufUSO",
}  # fmt: skip
#: Floating formats that compiled loops know.
_LEAST_FLOAT = 4
_LARGEST_POWER = 1024
_LARGEST_TOLERANCE = 1e100
_PLAIN = (bool, int, float, complex, str, bytes, type(None), np.generic)


class Sizes(dict[str, int]):
    """Word -> size, and which of them an array or a list shows."""

    def __init__(
        self, sizes: Mapping[str, int] = {}, shown: Iterable[str] = ()
    ) -> None:
        super().__init__(sizes)
        self.shown = set(shown)

    def settle(self, other: Sizes) -> None:
        """Take over what an attempt has settled."""
        self.update(other)
        self.shown |= other.shown

    def copy(self) -> Sizes:
        """Return a copy to try with."""
        return Sizes(self, self.shown)


def fits(value: Any, line: str, sizes: Sizes) -> bool:
    """Tell whether `value` is what `line` says; note the sizes that it settles."""
    for part in line.split(" | "):
        settled = sizes.copy()
        if _fits_part(value, parse(part), settled):
            sizes.settle(settled)
            return True
    return False


@dataclass(frozen=True)
class _Part:
    """One way to fit a line: a value, or a holder of values."""

    holder: str | None
    length: str | None
    items: tuple[re.Match[str], ...]


@cache
def parse(part: str) -> _Part:
    """Read one of the ways to fit a line."""
    held = _HOLDER.fullmatch(part)
    holder, length, inside = held.groups() if held else (None, None, part)
    items = [_ITEM.fullmatch(item) for item in inside.split(" / ")]
    if None in items:
        raise ValueError(f"State: {part!r} is no line.")
    return _Part(holder, length, tuple(item for item in items if item))


def told(line: str, sizes: Sizes) -> str:
    """Return the sizes that a line speaks of."""
    named = [f"{n} = {size}" for n, size in sizes.items() if n in line]
    return f" with {', '.join(named)}" if named else ""


def _fits_part(value: Any, part: _Part, sizes: Sizes) -> bool:
    if part.holder is None:
        return _fits_any(value, part.items, sizes)
    if type(value).__name__ != part.holder:
        return False
    if part.length and not _agrees(part.length, len(value), sizes):
        return False
    items = value.values() if part.holder == "dict" else value
    return all(_fits_any(item, part.items, sizes) for item in items)


def _fits_any(value: Any, items: tuple[re.Match[str], ...], sizes: Sizes) -> bool:
    for item in items:
        settled = sizes.copy()
        if _fits_one(value, item, settled):
            sizes.settle(settled)
            return True
    return False


def _fits_one(value: Any, part: re.Match[str], sizes: Sizes) -> bool:
    if part["size"]:
        return _is_whole(value) and _agrees(
            part["named"], int(value), sizes, shown=False
        )
    if part["exactly"] is not None:
        return isinstance(value, str) and value == part["exactly"]
    if part["kind"] == "sparse":
        return _is_sparse(value, part, sizes)
    if part["array"]:
        return _is_array(value, part, sizes)
    if part["kind"] == "index":
        return _is_whole(value) and _within(np.asarray(value), part, sizes)
    return _is_scalar(value, part["kind"])


def _is_array(value: Any, part: re.Match[str], sizes: Sizes) -> bool:
    if type(value) is not np.ndarray or value.dtype.kind not in _KINDS[part["kind"]]:
        return False
    if not value.dtype.isnative or not _has_shape(value, part, sizes):
        return False
    if part["kind"] == "index":
        return _within(value, part, sizes)
    if value.dtype.kind == "O":
        return _holds_labels(value, part["kind"])
    return _is_wide(value) and _IN_RANGE.get(part["kind"], _anything)(value)


def _anything(_: Any) -> bool:
    return True


_IN_RANGE: dict[str, Callable[[Any], bool]] = {
    "finite": lambda value: bool(np.isfinite(value).all()),
    "nonnegative": lambda value: bool(((value >= 0) & (value < np.inf)).all()),
}


def _is_wide(value: Any) -> bool:
    return bool(value.dtype.kind != "f" or value.dtype.itemsize >= _LEAST_FLOAT)


def _holds_labels(value: Any, kind: str) -> bool:
    admitted = (str,) if kind == "text" else _PLAIN
    return all(isinstance(item, admitted) for item in value.ravel())


def _is_sparse(value: Any, part: re.Match[str], sizes: Sizes) -> bool:
    matrix: Any = value
    if not sparse.issparse(value) or matrix.dtype.kind not in _KINDS["number"]:
        return False
    readable = matrix.dtype.isnative and _is_wide(matrix)
    return readable and _has_shape(matrix, part, sizes)


def _has_shape(value: Any, part: re.Match[str], sizes: Sizes) -> bool:
    sides = [side.strip() for side in part["shape"].split(",") if side.strip()]
    return len(sides) == value.ndim and all(
        _agrees(side, size, sizes)
        for side, size in zip(sides, value.shape, strict=True)
    )


def _agrees(word: str, size: int, sizes: Sizes, *, shown: bool = True) -> bool:
    """Tell whether a size is the one that `word` means, or settle it."""
    if word == "*":
        return True
    if word.isdigit():
        return size == int(word)
    name, _, more = word.partition("+")
    size -= int(more or 0)
    if shown:
        sizes.shown.add(name)
    return size >= 0 and sizes.setdefault(name, size) == size


def _within(value: Any, part: re.Match[str], sizes: Sizes) -> bool:
    if value.size == 0:
        return True
    name, _, more = part["bound"].partition("+")
    high = int(name) if name.isdigit() else sizes.get(name, 0)
    low = -1 if part["minus"] else 0
    return bool(value.min() >= low and value.max() < high + int(more or 0))


def _is_whole(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _is_real(value: Any) -> bool:
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        return False
    return not isinstance(value, int) or abs(value) < 2**63


def _is_positive(value: Any) -> bool:
    return _is_real(value) and bool(
        1e-300 < value < np.inf
    )  # so that 1/value is finite


def _is_count(value: Any) -> bool:
    return _is_whole(value) and 0 <= int(value) < 2**63


def _is_plain(value: Any) -> bool:
    if isinstance(value, list | tuple | set | frozenset):
        return all(map(_is_plain, value))
    if isinstance(value, dict):
        return all(map(_is_plain, value)) and all(map(_is_plain, value.values()))
    return isinstance(value, _PLAIN) or type(value) is np.ndarray


_SCALARS: dict[str, Callable[[Any], bool]] = {
    "number": _is_real,
    "positive": _is_positive,
    "power": lambda value: _is_real(value) and bool(0 <= value <= _LARGEST_POWER),
    "small": lambda value: _is_real(value) and bool(abs(value) < _LARGEST_TOLERANCE),
    "count": _is_count,
    "whole": _is_whole,
    "flag": lambda value: isinstance(value, bool | np.bool_),
    "text": lambda value: isinstance(value, str),
    "none": lambda value: value is None,
    "dtype": lambda value: isinstance(value, np.dtype),
    "estimator": lambda value: hasattr(value, "get_params"),
    "plain": _is_plain,
    "any": _anything,
}


def _is_scalar(value: Any, kind: str) -> bool:
    if kind in _SCALARS:
        return _SCALARS[kind](value)
    return any(cls.__name__ == kind for cls in type(value).__mro__)
