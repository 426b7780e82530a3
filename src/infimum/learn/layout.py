"""Whether plain data have the layout of a result: each part of its kind.

A result is written by `learn` and may be edited by anybody. What is of another kind
would make a page that says nothing sensible.
"""

import math
import types
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, Union, get_args, get_origin, get_type_hints

from infimum.data.spelling import quoted

__all__ = ["first_flaw"]

#: What JSON calls the kinds that parts are made of.
_NAMES = {
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    tuple: "a list",
    dict: "an object",
}


def first_flaw(plain: Any, kind: Any, *, whole: bool = True) -> str | None:
    """Say what is not as the dataclass `kind` was written; None if all is.

    Parts that `kind` does not know are left alone, and so is what it calls Any. Parts
    may be missing if `plain` need not be `whole`.

    Examples
    --------
    >>> from infimum.learn.result import Stage
    >>> first_flaw({"name": "race", "seconds": 0.2}, Stage)
    >>> first_flaw({"name": 7, "seconds": 0.2}, Stage)
    'name must be a text, not 7'
    """
    return next(_flaws(plain, kind, "the result", whole=whole), None)


def _flaws(value: Any, kind: Any, name: str, *, whole: bool) -> Iterator[str]:
    origin, inside = get_origin(kind) or kind, get_args(kind)
    if origin in (Union, types.UnionType):  # a kind, or None
        if value is not None:
            yield from _flaws(value, inside[0], name, whole=whole)
    elif is_dataclass(kind) and isinstance(value, dict):
        yield from _flaws_of_parts(value, kind, name, whole=whole)
    elif kind is not Any and not _is_of(value, origin):
        needed = _NAMES.get(origin, "an object")
        yield f"{name} must be {needed}, not {quoted(value)}"
    elif origin in (tuple, dict):
        pairs = enumerate(value) if origin is tuple else value.items()
        for key, each in pairs:
            own = f"{name}[{key}]" if origin is tuple else f"{name}.{key}"
            yield from _flaws(each, inside[origin is dict], own, whole=whole)


def _flaws_of_parts(
    plain: dict[str, Any], kind: Any, name: str, *, whole: bool
) -> Iterator[str]:
    hints = get_type_hints(kind)
    for part in fields(kind):
        if not part.metadata.get("plain", True):
            continue
        if part.name in plain:
            known, value = part.metadata.get("words"), plain[part.name]
            own = part.name if name == "the result" else f"{name}.{part.name}"
            yield from _flaws(value, hints[part.name], own, whole=whole)
            if known is not None and value not in known:
                yield f"{own} must be one of {', '.join(known)}, not {quoted(value)}"
        elif whole and part.default is part.default_factory is MISSING:
            yield f"{part.name!r} is missing"


def _is_of(value: Any, kind: Any) -> bool:
    """Tell whether a plain value is of a kind; infinite numbers are written as null."""
    if kind is float:
        if isinstance(value, float):
            return math.isfinite(value)
        return value is None or _is_of(value, int)
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, list if kind is tuple else kind)
