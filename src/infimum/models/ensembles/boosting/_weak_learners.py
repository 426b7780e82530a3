"""Weak learners of AdaBoost: stumps on presorted columns, or any estimator."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple, Protocol

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from infimum.data.doors import Rows, winners
from infimum.errors import InvalidParameterError
from infimum.models.trees._sorted_columns import SortedColumns
from infimum.models.trees._stump_search import CRITERIA, find_cut
from infimum.models.trees.decision_stump import DecisionStump
from infimum.parameters import Choice, check_domain
from infimum.typing import Indices, Matrix, Vector

__all__ = [
    "AnyLearner",
    "Lesson",
    "StumpLearner",
    "WeakLearner",
    "centred_logs",
    "seeded",
]

TWO = 2
LEAST_SHARE = float(np.finfo(np.float64).eps)


class Lesson(NamedTuple):
    """A fitted weak learner, and what it says of the rows it saw."""

    estimator: Any
    codes: Indices
    #: What it scores for the class that is true, where it gives scores.
    own: Vector | None


class WeakLearner(Protocol):
    """What fits a weak learner to weighted rows."""

    def learn(self, weights: Vector) -> Lesson:
        """Fit to rows of these weights, which sum to 1."""


def centred_logs(shares: Matrix) -> Matrix:
    """Return the scores of real AdaBoost: (K - 1) times centred log-probabilities.

    >>> centred_logs(np.array([[0.2, 0.8]])).round(4)
    array([[-0.6931,  0.6931]])
    """
    logs = np.log(np.maximum(shares, LEAST_SHARE))
    centred = logs - logs.mean(axis=1, keepdims=True)
    return np.asarray((shares.shape[1] - 1) * centred)


class StumpLearner:
    """Stumps: the table is sorted once for all rounds."""

    def __init__(
        self, stump: DecisionStump, rows: Rows, classes: Any, *, real: bool
    ) -> None:
        criterion = stump.criterion
        check_domain("DecisionStump.criterion", criterion, Choice(tuple(CRITERIA)))
        self._rows, self._classes, self._real = rows, classes, real
        self._columns = SortedColumns.of(rows.X)
        if real and criterion == "error":
            # Scores of two classes descend most by the risk itself; of more classes it
            # would be 0 as soon as one is missing on each side.
            criterion = "exponential" if len(classes) == TWO else "gini"
        self._criterion = criterion

    def learn(self, weights: Vector) -> Lesson:
        rows, count = self._rows, len(self._classes)
        cut = find_cut(self._columns, rows.y, weights, count, self._criterion)
        stump = DecisionStump(self._criterion)
        stump.classes_ = self._classes
        if self._real:
            # Half a row more of each class on each side: scores stay finite.
            blur = 0.5 / float(rows.shares().sum())
            cut = replace(cut, weights=cut.weights + blur)
        stump._keep(cut, rows.X.shape[1])
        left, right = winners(cut.weights)
        if cut.feature < 0:
            right = left
        own = None
        if self._real:
            sides = centred_logs(stump.probabilities_)
            own = np.where(cut.left, sides[0][rows.y], sides[1][rows.y])
        codes = np.array([right, left])[cut.left.view(np.int8)]
        return Lesson(stump, codes, own)


class AnyLearner:
    """Any classifier that takes weights."""

    def __init__(
        self,
        estimator: Any,
        rows: Rows,
        classes: Any,
        random_state: np.random.RandomState,
        *,
        real: bool,
    ) -> None:
        owner, wanted = type(estimator).__name__, "predict_proba"
        if not has_fit_parameter(estimator, "sample_weight"):
            raise InvalidParameterError(
                f"AdaBoostClassifier.estimator must take sample_weight, {owner} "
                "doesn't support sample_weight."
            )
        if real and not hasattr(estimator, wanted):
            raise InvalidParameterError(
                "AdaBoostClassifier.algorithm 'real' needs an estimator with "
                f"{wanted}, {owner} has none."
            )
        self._estimator, self._rows, self._classes = estimator, rows, classes
        self._random_state, self._real = random_state, real

    def learn(self, weights: Vector) -> Lesson:
        rows, classes = self._rows, self._classes
        model = seeded(self._estimator, self._random_state)
        # As many rows as there are: penalised models depend on the total weight.
        scale = float(rows.shares().sum())
        model.fit(rows.X, classes[rows.y], sample_weight=scale * weights)
        if not self._real:
            codes = np.searchsorted(classes, model.predict(rows.X))
            return Lesson(model, codes, None)
        shares = spread(model, classes, model.predict_proba(rows.X))
        own = np.take_along_axis(centred_logs(shares), rows.y[:, None], axis=1)
        return Lesson(model, winners(shares), own[:, 0])


def spread(model: Any, classes: Any, shares: Matrix) -> Matrix:
    """Return probabilities with a column for each class, seen by the model or not."""
    if len(model.classes_) == len(classes):
        return np.asarray(shares)
    out = np.zeros((len(shares), len(classes)))
    out[:, np.searchsorted(classes, model.classes_)] = shares
    return out


def seeded(estimator: Any, random_state: np.random.RandomState) -> Any:
    """Return a clone with random numbers of its own, wherever it draws any."""
    model = clone(estimator)
    seeds = {
        name: int(random_state.randint(np.iinfo(np.int32).max))
        for name in sorted(model.get_params(deep=True))
        if name == "random_state" or name.endswith("__random_state")
    }
    return model.set_params(**seeds) if seeds else model
