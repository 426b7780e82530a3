"""Histogram boosting of streamed rows: a byte for each number is held."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.data.doors.streamed_rows import admit_streamed, known_classes
from infimum.data.streams import chances
from infimum.errors import DataError, IncompatibleError
from infimum.models._guarded_fit import unchanged_on_failure
from infimum.models.trees.bins import BinnedTable
from infimum.typing import Matrix, Vector

__all__ = ["fit_boosting"]

#: Numbers of the sample that decides the cuts, and its fewest and most rows.
SAMPLE, FEWEST, MOST = 8_000_000, 20_000, 200_000


@dataclass(frozen=True, eq=False)
class SamplePass:
    """Rows chosen by a hash of their number: the same however blocks are cut."""

    share: float
    seed: int

    def __call__(self, leaf: Any) -> tuple[Matrix, Vector]:
        places = np.arange(leaf.start, leaf.start + len(leaf.y))
        chosen = chances(self.seed, places) <= self.share
        return leaf.X[chosen].copy(), leaf.w[chosen].copy()

    @staticmethod
    def merge(a: Any, b: Any) -> tuple[Matrix, Vector]:
        """Return the rows of both."""
        return np.concatenate([a[0], b[0]]), np.concatenate([a[1], b[1]])


def fit_boosting(model: Any, rows: Any, *given: Any, **named: Any) -> Any:
    """Fit the trees on the bins of streamed rows; return the model."""
    with unchanged_on_failure(model):
        admit_streamed(model, rows, (*given, *named.values()), missing=True)
        _refuse(model, rows)
        model._levels = {}
        codes, y, weights = _read(model, rows)
        n, d = rows.n_rows, rows.n_features
        categorical = np.zeros(d, dtype=bool)
        y, weights = model._admit_targets(y, weights)
        plan = model._plan(n, d, categorical, weights)
        model._seed = int(np.random.RandomState(_seed(model)).randint(2**31 - 1))
        apart = np.zeros(n, dtype=bool)
        run, judged = model._prepare(
            codes, y, weights, plan, categorical, apart, continued=False
        )
        for _ in model._rounds(run, plan, judged, None, continued=False):
            pass
        model._keep(run, judged)
    return model


def _seed(model: Any) -> Any:
    state = model.random_state
    return state if state is None or isinstance(state, int) else state.randint(2**31)


def _refuse(model: Any, rows: Any) -> None:
    owner, why = type(model).__name__, None
    if rows.sparse:
        why = "it needs dense rows, got svmlight files"
    elif model.warm_start:
        why = "warm_start must be False"
    elif getattr(model, "scoring", "loss") != "loss":
        why = "scoring must be 'loss'"
    elif getattr(model, "categorical_features", None) not in (None, "from_dtype"):
        why = "words become features of their own: categorical_features must be None"
    if why is not None:
        raise IncompatibleError(f"{owner} and streamed rows: {why}.")


def binned(rows: Any, max_bins: int, seed: int) -> BinnedTable:
    """Return the table of bins, a byte for each number."""
    n, d = rows.n_rows, rows.n_features
    wanted = int(np.clip(SAMPLE // d, FEWEST, MOST))
    work = SamplePass(1.0 if n <= wanted else wanted / n, seed)
    X, w = rows.run(work)
    plain = bool(np.all(w == 1.0))
    table = BinnedTable.of(X, max_bins, sample_weight=None if plain else w)
    codes = np.empty((d, n), dtype=np.uint8)
    for leaf in rows.leaves():
        codes[:, leaf.start : leaf.start + len(leaf.y)] = table.encode(leaf.X)
    missing = np.array([(codes[j] == table.n_bins[j]).any() for j in range(d)])
    return replace(table, codes=codes, has_missing=missing)


def _read(model: Any, rows: Any) -> tuple[BinnedTable, NDArray[Any], Any]:
    """Return bins, targets as they were written, and weights if there are any."""
    table = binned(rows, int(model.max_bins), 0)
    leaves = [(leaf.y.copy(), leaf.w.copy()) for leaf in rows.leaves()]
    y = np.concatenate([part for part, _ in leaves])
    w = np.concatenate([part for _, part in leaves])
    weights = w if rows.layout.weights is not None else None
    if not hasattr(model, "predict_proba"):
        if rows.spooled.words is not None:
            raise DataError(f"{type(model).__name__} needs numbers as targets.")
        return table, y, weights
    classes, numbers, _ = known_classes(type(model).__name__, rows)
    order = np.argsort(numbers)
    return table, classes[order[np.searchsorted(numbers[order], y)]], weights
