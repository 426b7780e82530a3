"""One-row updates of a learner on a stream, with everything a step needs prepared.

Looking at a batch takes a hundred times as long as learning a row. A run keeps the
learner's arrays, changes them in place and shows them as ``coef_``; any other call
that learns leaves the run behind, and the next single row begins a new one.
"""

from __future__ import annotations

from functools import lru_cache
from operator import attrgetter
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from scipy import sparse

from infimum.compiled.descent.online_row import meet_row, meet_thin
from infimum.errors import DataError
from infimum.models.online._memory import INCURRED, MISTAKES, TIME, Memory
from infimum.models.online._stride import Stride
from infimum.typing import Vector

__all__ = ["learn_row", "row_from"]

_runs: WeakKeyDictionary[Any, Run] = WeakKeyDictionary()
#: Weights beyond this are left to the long way, which tells when they overflow.
LARGEST = 1e100
#: Losses whose proximal steps the loop for single rows knows.
YIELDING = (
    "EpsilonInsensitive", "Hinge", "SquaredEpsilonInsensitive", "SquaredHinge",
)  # fmt: skip
FLOATS = (np.dtype(np.float64), np.dtype(np.float32))
TWO = 2


class Run:
    """The arrays of a learner, and its step, between two rows."""

    def __init__(self, learner: Any, values: tuple[Any, ...], stride: Stride) -> None:
        self.values, self.memory = values, Memory.copied(learner.memory_)
        self.kept = self.memory.kept()
        self.labels = not learner._estimator_type_is_regressor()
        self.mean = bool(stride.first)
        self.code = stride.code
        self.pace = np.append(stride.numbers(), float(self.labels))
        self.signs = _signs(learner.classes_) if self.labels else {}
        self.target = np.zeros(1)
        coef, intercept = self.memory.weights()
        coef = coef if self.labels else coef.reshape(-1)
        self.views = coef, intercept, self.memory.state[:, INCURRED]
        self.size = self.memory.stored.shape[-1]
        names = getattr(learner, "feature_names_in_", None)
        self.columns = None if names is None else _numbered(names)

    def row_of(self, x: Any) -> tuple[Any, ...] | None:
        """Return a row as the loops take it; None if it must be looked at first."""
        if type(x) is np.ndarray and self.columns is None:
            plain = x.ndim == 1 and x.size == self.size and x.dtype in FLOATS
            return (np.ascontiguousarray(x),) if plain else None
        if isinstance(x, dict):
            return _sketched(x, self.columns)
        if type(x) in {sparse.csr_array, sparse.csr_matrix} and self.columns is None:
            fits = x.shape == (1, self.size) and x.dtype in FLOATS
            return (x.indices, x.data) if fits and x.has_canonical_format else None
        return None

    def targets_of(self, y: Any) -> Vector | None:
        """Return the target of each score; None if the label is not known."""
        if self.labels:
            return self.signs.get(y)
        self.target[0] = y
        return self.target

    def step(self, row: tuple[Any, ...], targets: Vector) -> bool:
        """Take a step if it is a usual one; say whether."""
        memory = self.memory
        meet: Any = meet_row if len(row) == 1 else meet_thin
        taken: bool = meet(
            *row, targets, self.code, self.pace,
            memory.stored, memory.total, memory.debts, memory.state,
        )  # fmt: skip
        return taken

    def show(self, learner: Any, dtype: Any) -> None:
        """Let the learner show where it stands; without a mean, in place."""
        memory, (coef, intercept, incurred) = self.memory, self.views
        if self.mean:
            coef, intercept = memory.means()
            coef = coef if self.labels else coef.reshape(-1)
        if dtype != coef.dtype:
            coef = coef.astype(dtype)
        shown = learner.__dict__
        shown["memory_"], shown["n_iter_"] = self.kept, 1
        shown["coef_"], shown["intercept_"] = coef, intercept
        shown["t_"] = float(memory.state[0, TIME]) + 1.0
        shown["mistakes_"] = memory.state[:, MISTAKES].astype(np.int64)
        shown["incurred_"] = incurred


def learn_row(learner: Any, x: Any, y: Any) -> bool:
    """Take a step on one row by the short way, if there is one; say whether.

    Nothing is changed unless all scores can take their step: what is not finite, not
    of the right size or about to overflow goes the long way and is told there.
    """
    known = learner.__dict__
    if "memory_" not in known or known.get("class_weight") is not None:
        return False
    kind: Any = type(learner)
    values = _values_of(kind)(learner)
    run = _runs.get(learner)
    if run is None or known["memory_"] is not run.kept or run.values != values:
        run = _begun(learner, values)
    row = None if run is None else run.row_of(x)
    if run is None or row is None:
        return False
    try:
        targets = run.targets_of(y)
    except (TypeError, ValueError):  # not a label, not a number
        return False
    if targets is None or not run.step(row, targets):
        return False
    run.show(learner, row[-1].dtype)
    return True


@lru_cache(maxsize=256)
def _values_of(kind: Any) -> Any:
    names = kind._get_param_names()
    return attrgetter(*names) if names else lambda _: ()


def _begun(learner: Any, values: tuple[Any, ...]) -> Run | None:
    """Return a new run, if the learner is of a usual kind."""
    learner._check()
    stride = Stride.of(learner, learner._schedule(learner._stream_loss()))
    name = type(stride.loss).__name__
    if stride.code is None or (stride.proximal and name not in YIELDING):
        return None
    run = Run(learner, values, stride)
    shape = run.memory.stored.shape
    keeps = {"mean": run.mean, "lasso": stride.lasso > 0.0}
    fits = len(shape) == TWO and run.memory.suits(shape, **keeps)
    if not fits or shape[1] != learner.n_features_in_:
        return None
    if not all(np.abs(part).max(initial=0.0) < LARGEST for part in run.kept.values()):
        return None
    _runs[learner] = run
    return run


def _signs(classes: Any) -> dict[Any, Vector]:
    """Return ±1 for each score by label: one for two classes, else one for each."""
    labels = classes.tolist()
    if len(labels) == TWO:
        return {labels[0]: np.array([-1.0]), labels[1]: np.array([1.0])}
    table = 2.0 * np.eye(len(labels)) - 1.0
    return dict(zip(labels, table, strict=True))


def _numbered(names: Any) -> dict[Any, int]:
    return {name: place for place, name in enumerate(names.tolist())}


def _sketched(
    x: dict[Any, Any], columns: dict[Any, int] | None
) -> tuple[Any, ...] | None:
    """Return places and values, whatever they are; None where they are none at all."""
    if columns is None and set(map(type, x)) != {int}:
        return None
    try:
        names: Any = x if columns is None else [columns[name] for name in x]
        places = np.fromiter(names, np.int64, len(x))
        return places, np.fromiter(x.values(), np.float64, len(x))
    except (KeyError, OverflowError, TypeError, ValueError):
        return None


def _entries(
    x: dict[Any, Any], size: int, columns: dict[Any, int] | None
) -> tuple[Any, Any]:
    """Return places and values of a row told by the names or numbers of features."""
    places = list(x) if columns is None else [columns.get(name, -1) for name in x]
    strange = [
        name
        for name, place in zip(x, places, strict=True)
        if not (isinstance(place, int) and 0 <= place < size)
    ]
    if strange:
        raise DataError(f"A row names {strange[0]!r}, which is none of the features.")
    entries = np.array(list(x.values()), dtype=np.float64)
    if not np.isfinite(entries).all():
        raise DataError(f"A number of the row {x!r} is missing or infinite.")
    return np.array(places, dtype=np.int32), entries


def row_from(learner: Any, x: Any) -> Any:
    """Return a batch of one row for the long way."""
    if isinstance(x, dict):
        size = getattr(learner, "n_features_in_", None)
        if size is None:
            raise DataError(
                f"{type(learner).__name__} needs a row with all features first: a "
                "dictionary does not tell how many there are."
            )
        names = getattr(learner, "feature_names_in_", None)
        columns = None if names is None else _numbered(names)
        places, entries = _entries(x, size, columns)
        row = np.zeros((1, size))
        row[0, places] = entries
        return row
    if hasattr(x, "tocsr"):
        return x if x.ndim == TWO else x.reshape(1, -1)
    return np.asarray(x)[None, :]
