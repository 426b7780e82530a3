"""Random trees that end where a sample is alone, and how long that takes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import digamma

from infimum.compiled.threads import in_parts
from infimum.models.ensembles import ExtraTreesRegressor
from infimum.models.ensembles.forests._row_hashes import row_hashes
from infimum.models.trees import Tree
from infimum.models.trees._tree_door import Admitted, admit_numbers
from infimum.models.trees._tree_model import grow_admitted
from infimum.typing import Indices, Vector

__all__ = ["ADMITTED", "draw_rows", "isolate", "questions_of"]

ADMITTED: dict[str, Any] = {
    "accept_sparse": ["csr"],
    "missing": "unchecked",
}
#: What stands for infinity where thresholds are drawn: differences must not overflow.
FAR = np.finfo(np.float64).max / 4


def questions_of(count: Vector) -> Vector:
    r"""Return what an unsuccessful search among `count` things takes, on average.

    .. math:: c(n) = 2 H_{n-1} - 2 (n - 1)/n

    >>> questions_of(np.array([1.0, 2.0, 3.0])).round(6)
    array([0.      , 1.      , 1.666667])
    """
    many = np.maximum(count, 1.0)
    harmonic = digamma(many) + np.euler_gamma
    return np.asarray(2.0 * harmonic - 2.0 * (many - 1.0) / many)


def draw_rows(
    weight: Vector, count: int, generator: np.random.Generator, *, replace: bool
) -> Indices:
    """Return rows drawn by their weights; whole numbers are copies, each drawn once."""
    bounds = np.cumsum(weight)
    total = float(bounds[-1])
    whole = bool((weight == np.floor(weight)).all())
    if not replace and not whole:
        some = generator.choice(len(weight), count, replace=False, p=weight / total)
        return np.asarray(some)
    places: Any = generator.random(count) * total
    if not replace:
        places = generator.choice(int(total), count, replace=False, shuffle=False)
    rows = np.searchsorted(bounds, places, side="right")
    return np.asarray(np.minimum(rows, len(weight) - 1))


def isolate(X: Any, draws: Any, size: int, seeds: Any) -> list[Tree]:
    """Return a tree for each draw of rows and features; its values count questions."""
    if not len(draws):
        return []
    # Most rows of a large table are in no draw, and need no rank.
    used, places = np.unique(
        np.concatenate([rows for rows, _ in draws]), return_inverse=True
    )
    own = np.split(places, np.cumsum([len(rows) for rows, _ in draws])[:-1])
    depth = max(1, int(np.ceil(np.log2(max(size, 2)))))
    rules = ExtraTreesRegressor(max_depth=depth, max_features=1)
    some = _bounded(X[used])
    rows = admit_numbers(rules, some, row_hashes(some, 0), None)

    def grow(part: slice) -> list[Tree]:
        grown = []
        for t in range(part.start, part.stop):
            weight = np.bincount(own[t], minlength=len(used)).astype(np.float64)
            own_rows = _only(rows, draws[t][1])
            tree = grow_admitted(
                rules, own_rows, weight, int(seeds[t]), random=True, bins=0
            )
            grown.append(_counted(tree, draws[t][1]))
        return grown

    parts = in_parts(len(draws), grow, len(draws))
    return [tree for part in parts for tree in part]


def _bounded(X: Any) -> Any:
    """Return samples without infinite numbers: the farthest that there are instead."""
    stored = hasattr(X, "indptr")
    entries = X.data if stored else X
    if not np.isinf(entries).any():
        return X
    bounded = np.clip(entries, -FAR, FAR, dtype=np.float64)
    if not stored:
        return bounded
    return type(X)((bounded, X.indices, X.indptr), shape=X.shape)


def _only(rows: Admitted, columns: Indices) -> Admitted:
    """Return the rows with some of their features."""
    table = rows.table
    if len(columns) == table.ranks.shape[0]:
        return rows
    names = ("ranks", "counts", "starts", "categorical", "monotone", "plain")
    some = {name: np.ascontiguousarray(getattr(table, name)[columns]) for name in names}
    groups = np.ascontiguousarray(table.groups[:, columns])
    return replace(rows, table=table._replace(**some, groups=groups))


def _counted(tree: Tree, columns: Indices) -> Tree:
    """Return a tree that tells how many questions it takes until a row is alone."""
    asked = np.where(tree.feature >= 0, columns[tree.feature], -1)
    questions = tree.depths + questions_of(tree.weight)
    return replace(tree, feature=asked, value=questions[:, None])
