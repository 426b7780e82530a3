"""Declared states of the columns of a table encoder, by kind and by view."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.features.date_parts import calendar_parts, linear_parts

__all__ = ["check_columns"]

_LINEAR_PARTS = set(linear_parts(np.zeros(0), 0.0))
_TREE_PARTS = len(calendar_parts(np.zeros(0), 0.0))


def check_columns(encoder: Any) -> None:
    """Raise DataError unless every column can be encoded into the columns it names."""
    if encoder.view not in _KNOWN:
        raise DataError(f"TableEncoder has no view {encoder.view!r:.40}.")
    for state in encoder.columns_:
        rule = _KNOWN[encoder.view].get(_kind(state))
        if rule is None or not _is_named(state) or not rule(state):
            raise DataError("TableEncoder.columns_ holds a column that is not one.")
    names = [state["column"] for state in encoder.columns_]
    if names != encoder.feature_names_in_.tolist():
        raise DataError("TableEncoder.columns_ has other columns.")
    if encoder.view == "trees" and encoder.sparse_:
        raise DataError("TableEncoder: trees do not read sparse tables.")


def _kind(state: Any) -> str | None:
    kind = state.get("kind") if isinstance(state, dict) else None
    return kind if isinstance(kind, str) else None


def _is_named(state: dict[str, Any]) -> bool:
    return isinstance(state.get("column"), str) and _are_texts(state.get("names"))


def _are_texts(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(v, str) for v in values)


def _are(state: dict[str, Any], kind: type, *names: str) -> bool:
    return all(type(state.get(name)) is kind for name in names)


def _is_numeric(state: Any) -> bool:
    known = isinstance(state, dict) and _are(state, float, "median", "mean", "scale")
    return known and state["scale"] != 0.0 and 1 <= len(state.get("names", ())) <= 2  # noqa: PLR2004


def _is_boolean(state: dict[str, Any]) -> bool:
    truth = isinstance(state.get("usual"), bool | np.bool_)
    return truth and 1 <= len(state["names"]) <= 2  # noqa: PLR2004


def _has_levels(state: dict[str, Any]) -> bool:
    levels = state.get("levels")
    known = _are_texts(levels) and _are(state, bool, "pooled")
    return known and len(set(levels or ())) == len(levels or ())


def _is_categorical(state: dict[str, Any]) -> bool:
    if not _has_levels(state) or not _are(state, bool, "missing"):
        return False
    width = len(state["levels"]) + state["pooled"] + state["missing"]
    return bool(len(state["names"]) == width)


def _is_date(state: dict[str, Any]) -> bool:
    parts = state.get("parts")
    if not isinstance(parts, dict) or not _are(state, float, "first"):
        return False
    known = parts.keys() <= _LINEAR_PARTS and all(map(_is_numeric, parts.values()))
    return known and len(state["names"]) - len(parts) in (0, 1)


def _is_text(state: dict[str, Any]) -> bool:
    words, buckets = state.get("words"), state.get("buckets")
    if not _are_texts(words) or type(buckets) is not int or buckets < 0:
        return False
    width = len(words or ()) + buckets + bool(state.get("missing"))
    unique = len(set(words or ())) == len(words or ())
    known = "idf" not in state or _are_numbers(state["idf"], len(words or ()))
    named = unique and _are(state, bool, "missing") and len(state["names"]) == width
    return known and named


def _are_numbers(values: Any, size: int) -> bool:
    """Whether a list holds so many finite floating-point numbers."""
    if not isinstance(values, list) or len(values) != size:
        return False
    return all(type(v) is float and np.isfinite(v) for v in values)


def _is_tree_category(state: dict[str, Any]) -> bool:
    """Whether levels have codes, and means of the target if these are kept."""
    if not _has_levels(state):
        return False
    if "known" not in state:
        return _is_one(state)
    known, means = state["known"], state.get("means")
    width = len(state["names"]) - 1
    if not _are_texts(known) or not isinstance(means, list):
        return False
    right = len(means) == len(known) == len(set(known)) and width > 0
    rows = [*means, state.get("overall")]
    return right and all(_are_numbers(row, width) for row in rows)


def _is_one(state: dict[str, Any]) -> bool:
    return len(state["names"]) == 1


def _is_tree_date(state: dict[str, Any]) -> bool:
    return _are(state, float, "first") and len(state["names"]) == _TREE_PARTS


def _is_tree_text(state: dict[str, Any]) -> bool:
    words = state.get("words")
    right = _are_texts(words) and len(set(words or ())) == len(words or ())
    return right and len(state["names"]) == len(words or ()) + 2


_KNOWN: dict[str, dict[str | None, Callable[[dict[str, Any]], bool]]] = {
    "linear": {
        "numeric": _is_numeric,
        "boolean": _is_boolean,
        "categorical": _is_categorical,
        "date": _is_date,
        "text": _is_text,
    },
    "trees": {
        "numeric": _is_one,
        "boolean": _is_one,
        "categorical": _is_tree_category,
        "date": _is_tree_date,
        "text": _is_tree_text,
    },
}
