"""The parameters of trees, checked and made into rules."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from infimum.compiled.trees.tree_parts import Rules
from infimum.errors import DataError, InvalidParameterError
from infimum.models.trees._growing import ENDLESS
from infimum.models.trees._interactions import interaction_sets
from infimum.parameters import (
    Domains,
    check_domain,
    closed,
    nonnegative,
    or_none,
    whole,
)
from infimum.typing import Indices, Mask

__all__ = ["TREE_DOMAINS", "count_features", "read_constraints", "read_rules"]

#: The parameters that trees and all that is made of them share.
TREE_DOMAINS: Domains = {
    "max_depth": or_none(whole(1)),
    "max_leaf_nodes": or_none(whole(2)),
    "min_weight_fraction_leaf": closed(0.0, 0.5),
    "min_impurity_decrease": nonnegative,
    "ccp_alpha": nonnegative,
}
MOST_GROUPS = 60


def _count(owner: str, value: Any, n: int, least: int) -> int:
    """Return a number of rows given as such, as a share of n, or as its logarithm."""
    if isinstance(value, str) and value == "log":
        return max(least, int(np.ceil(np.log(n))))
    if isinstance(value, Integral) and not isinstance(value, bool):
        if value < least:
            check_domain(owner, value, whole(least))
        return int(value)
    share = closed(0.0, 1.0)
    if value not in share or value == 0.0:
        raise InvalidParameterError(
            f"{owner} must be a whole number from {least} on, a share in (0, 1] or "
            f"'log', got {value!r}."
        )
    return max(least, int(np.ceil(value * n)))


def count_features(owner: str, value: Any, d: int) -> int:
    """Return how many features a node tries, from ``max_features``."""
    named = {"sqrt": int(np.sqrt(d)), "log2": int(np.log2(d)), None: d}
    if value is None or isinstance(value, str):
        if value not in named:
            raise InvalidParameterError(
                f"{owner}.max_features must be 'sqrt', 'log2', None, a whole number or "
                f"a share in (0, 1], got {value!r}."
            )
        return max(1, named[value])
    if isinstance(value, Integral) and not isinstance(value, bool):
        if value < 1:
            check_domain(f"{owner}.max_features", value, whole(1))
        return min(d, int(value))
    return min(d, max(1, int(_share(f"{owner}.max_features", value) * d)))


def _share(owner: str, value: Any) -> float:
    if value not in closed(0.0, 1.0) or value == 0.0:
        raise InvalidParameterError(f"{owner} must be in (0, 1], got {value!r}.")
    return float(value)


def read_rules(model: Any, n: int, d: int, total: float, scale: float) -> Rules:
    """Return the rules of an estimator with scikit-learn's parameters of trees.

    A forest asks for each tree: its `TREE_DOMAINS` were checked before.

    Parameters
    ----------
    model : estimator
    n, d : int
        Rows and features.
    total : float
        Weight of all rows.
    scale : float
        What a score is worth in impurity.
    """
    owner = type(model).__name__
    fraction, decrease = model.min_weight_fraction_leaf, model.min_impurity_decrease
    min_leaf = _count(f"{owner}.min_samples_leaf", model.min_samples_leaf, n, 1)
    min_split = _count(f"{owner}.min_samples_split", model.min_samples_split, n, 2)
    return Rules(
        max_depth=ENDLESS if model.max_depth is None else int(model.max_depth),
        min_split=max(min_split, 2 * min_leaf),
        min_leaf=min_leaf,
        min_weight=float(fraction * total),
        min_decrease=float(decrease * total / scale),
        max_features=count_features(owner, model.max_features, d),
        max_leaves=ENDLESS if model.max_leaf_nodes is None else model.max_leaf_nodes,
        random=False,
        bins=0,
    )


def read_constraints(model: Any, d: int, names: Any) -> tuple[Mask, Indices, Mask]:
    """Return which features are categories, which way answers go, and which meet."""
    owner = type(model).__name__
    categorical = _categorical(owner, model.categorical_features, d, names)
    given = getattr(model, "monotonic_cst", None)
    monotone = np.zeros(d, dtype=np.int8)
    if given is not None:
        signs = np.asarray(given)
        if signs.shape != (d,) or not np.isin(signs, (-1, 0, 1)).all():
            raise InvalidParameterError(
                f"{owner}.monotonic_cst must be {d} numbers, each -1, 0 or 1, "
                f"got {given!r}."
            )
        monotone[:] = signs
    if (monotone[categorical] != 0).any():
        raise InvalidParameterError(
            f"{owner}.monotonic_cst must be 0 for categorical features."
        )
    return categorical, monotone, _groups(model, d)


def _categorical(owner: str, given: Any, d: int, names: Any) -> Mask:
    mask = np.zeros(d, dtype=np.bool_)
    chosen = np.asarray(() if given is None else given)
    if chosen.shape == (0,):
        return mask
    if chosen.dtype.kind == "b" and chosen.shape == (d,):
        return chosen
    if chosen.ndim == 1 and chosen.dtype.kind in "UO" and names is not None:
        known = {name: f for f, name in enumerate(names)}
        missing = [name for name in chosen if name not in known]
        if missing:
            raise DataError(f"{owner}: there is no feature {missing[0]!r}.")
        chosen = np.array([known[name] for name in chosen])
    if (
        chosen.ndim != 1
        or chosen.dtype.kind not in "iu"
        or chosen.min() < 0
        or chosen.max() >= d
    ):
        raise InvalidParameterError(
            f"{owner}.categorical_features must be {d} truth values, names of columns, "
            f"or positions below {d}, got {given!r}."
        )
    mask[chosen] = True
    return mask


def _groups(model: Any, d: int) -> Mask:
    """Return the sets of features that may meet, a line for each."""
    sets = interaction_sets(model, d) or []
    if len(sets) > MOST_GROUPS:
        raise InvalidParameterError(
            f"{type(model).__name__}.interaction_cst must be at most {MOST_GROUPS} "
            f"sets, got {len(sets)}."
        )
    lines = [[j in each for j in range(d)] for each in sets]
    return np.array(lines, dtype=np.bool_).reshape(-1, d)
