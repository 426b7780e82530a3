"""Base of forests: many trees, each grown on its own draw of rows and features."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from time import perf_counter
from typing import Any, ClassVar, Self
from weakref import WeakKeyDictionary

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state

from infimum.compiled.threads import in_parts
from infimum.data.doors import check_fitted
from infimum.data.doors.labels import balance
from infimum.data.doors.streamed_rows import streams
from infimum.errors import DataError, InvalidParameterError
from infimum.limits import end_of_time, fits_are_ended
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.ensembles.forests._draws import draw_counts, read_draws
from infimum.models.trees._importances import gains_by_feature
from infimum.models.trees._tree_door import Admitted, accept_rows
from infimum.models.trees._tree_model import SEEDS, grow_admitted
from infimum.models.trees._tree_parameters import TREE_DOMAINS
from infimum.models.trees.forest_arrays import ForestArrays
from infimum.models.trees.node_arrays import node_arrays
from infimum.models.trees.structure import Tree
from infimum.parameters import Domains, Kind, check_parameters, flag, whole
from infimum.typing import Indices, Matrix, Vector

__all__ = ["Forest", "forest_of", "forget_layout"]

#: Forests laid out for prediction: made from the trees and no part of a model's state.
_layouts: WeakKeyDictionary[Any, ForestArrays] = WeakKeyDictionary()
#: Thresholds that a large node tries in each feature; small nodes try all.
BINS = 128
#: Draws of a tree that are listed one by one.
MOST_LISTED = 2**24


def forest_of(model: Any) -> ForestArrays:
    """Return the trees of a fitted model, laid out for prediction."""
    layout = _layouts.get(model)
    if layout is None:
        layout = _layouts[model] = ForestArrays.of(model.trees_)
    return layout


def forget_layout(model: Any) -> None:
    """Forget how the trees of a model were laid out before."""
    _layouts.pop(model, None)


def _is_score(value: object) -> bool:
    return value in flag or callable(value)


class Forest(BaseEstimator, ABC):  # type: ignore[misc]
    """Trees that answer with their mean; subclasses know what they tell."""

    _domains: ClassVar[Domains] = {
        "n_estimators": whole(1),
        "oob_score": Kind(_is_score, "True, False or a function"),
        **TREE_DOMAINS,
    }

    n_estimators: int
    bootstrap: bool
    oob_score: Any
    random_state: Any
    warm_start: bool
    max_samples: Any
    trees_: list[Tree]
    _seeds: Any
    _draws: int
    _chances: Vector
    #: Whether thresholds are drawn at random.
    _random = False

    @abstractmethod
    def _admit(self, X: Any, y: Any, sample_weight: Any) -> Admitted:
        """Admit training data and record what it says about the target."""

    @abstractmethod
    def _judge(self, rows: Admitted, sums: Matrix, votes: Vector) -> None:
        """Record what the trees told of the rows that they had not seen."""

    @streams("infimum.models.streamed.forests:fit_forest")
    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the trees; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            NaN is a missing value.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
        sample_weight : array-like of shape (n_samples,), optional
            With `bootstrap`, how likely a row is drawn. Whole numbers are copies of
            the row, and a tree draws as many rows as there are copies, unless these
            are more than 16 a row: such weights are no counts.
        """
        check_parameters(self)
        kept = list(self.trees_) if self.warm_start and hasattr(self, "trees_") else []
        self._check_growth(len(kept))
        rows = self._admit(X, y, sample_weight)
        generator = check_random_state(self.random_state)
        seeds = generator.randint(SEEDS, size=self.n_estimators)
        if kept:
            seeds[: len(kept)] = self._seeds[: len(kept)]
        self._draws = read_draws(self, rows.weight)
        self._chances = rows.weight
        self.trees_ = kept + self._grow(rows, seeds[len(kept) :])
        self._seeds = seeds[: len(self.trees_)]
        forget_layout(self)
        if self.oob_score:
            self._judge(rows, *self._unseen(rows))
        return self

    def _check_growth(self, kept: int) -> None:
        owner = type(self).__name__
        if self.n_estimators < kept:
            raise InvalidParameterError(
                f"{owner}.n_estimators must be at least the {kept} trees that there "
                f"are when warm_start=True, got {self.n_estimators}."
            )
        if self.n_estimators == kept:
            warnings.warn(
                f"{owner}: all {kept} trees are there already, so that warm_start=True "
                "grows none.",
                UserWarning,
                stacklevel=4,
            )
        if self.oob_score and not self.bootstrap:
            raise InvalidParameterError(
                f"{owner}.oob_score needs bootstrap=True: otherwise every tree has "
                "seen every row."
            )

    def _grow(self, rows: Admitted, seeds: Any) -> list[Tree]:
        """Grow a tree a seed; if the time is up, those before the first not begun."""
        trees: list[Any] = [None] * len(seeds)
        end = end_of_time()

        def some(mine: slice) -> None:
            for t in range(mine.start, mine.stop):
                if t and (perf_counter() > end or fits_are_ended()):
                    return
                weight = self._weights(rows, int(seeds[t]))
                # The seed that a tree with this random_state draws for itself.
                seed = int(np.random.RandomState(seeds[t]).randint(SEEDS))
                trees[t] = grow_admitted(
                    self, rows, weight, seed, random=self._random, bins=BINS
                )

        if trees:
            in_parts(len(trees), some, len(trees))
        missing = (place for place, tree in enumerate(trees) if tree is None)
        return trees[: next(missing, len(trees))]

    def _weights(self, rows: Admitted, seed: int) -> Vector:
        """Return the weights that one tree sees."""
        weight = rows.weight
        if self.bootstrap:
            weight = draw_counts(rows.weight, self._draws, seed).astype(np.float64)
        if rows.class_weight is not None:
            weight = weight * rows.class_weight
        if getattr(self, "class_weight", None) == "balanced_subsample":
            drawn = weight
            for codes in rows.aim.target.codes.T:
                weight = weight * balance(codes, drawn, int(codes.max()) + 1)[codes]
        return weight

    def _unseen(self, rows: Admitted) -> tuple[Matrix, Vector]:
        """Return the sums, for each row, of the trees that had not seen it.

        And how many they were.
        """
        forest = forest_of(self)
        n = rows.X.shape[0]
        sums, votes = np.zeros((n, forest.values.shape[1])), np.zeros(n)
        seen = np.column_stack([self._counts(t) > 0 for t in range(len(self._seeds))])
        for start in range(0, n, 4096):
            some = slice(start, min(n, start + 4096))
            leaves = forest.leaves(rows.X[some])
            fresh = ~seen[some]
            told = forest.values[leaves] * fresh[:, :, None]
            sums[some], votes[some] = told.sum(axis=1), fresh.sum(axis=1)
        return sums, votes

    def _counts(self, t: int) -> Indices:
        """Return how often a tree has seen each row."""
        if not self.bootstrap:
            return (self._chances > 0).astype(np.intp)
        return draw_counts(self._chances, self._draws, int(self._seeds[t]))

    @property
    def estimators_samples_(self) -> list[Indices]:
        """The rows that each tree has seen, as often as it drew them."""
        check_fitted(self)
        if not len(self._chances):
            raise DataError(f"{type(self).__name__}: streamed rows are not listed.")
        if self._draws > MOST_LISTED:
            raise DataError(
                f"{type(self).__name__}: a tree drew {self._draws} rows, too many to "
                "list."
            )
        places = np.arange(len(self._chances), dtype=np.int32)
        trees = range(len(self.trees_))
        return [np.repeat(places, self._counts(t)) for t in trees]

    def apply(self, X: Any) -> Indices:
        """Return the leaf of each row in each tree: rows × trees."""
        X = accept_rows(self, X)
        return forest_of(self).apply(X).astype(np.int64)

    def decision_path(self, X: Any) -> tuple[Any, Indices]:
        """Return which nodes each row comes by, and where each tree's nodes begin."""
        from scipy import sparse

        X = accept_rows(self, X)
        paths = [tree.decision_path(X) for tree in self.trees_]
        starts = np.cumsum([0, *(tree.n_nodes for tree in self.trees_)])
        return sparse.hstack(paths).tocsr(), starts

    @property
    def feature_importances_(self) -> Vector:
        """Each feature's share of what splits lowered the impurity by, on average."""
        check_fitted(self)
        d = self.n_features_in_
        gains = [gains_by_feature(tree, d) for tree in self.trees_ if tree.n_nodes > 1]
        if not gains:
            return np.zeros(d)
        mean: Vector = np.mean(gains, axis=0)
        return np.asarray(mean / mean.sum())

    def _compute_partial_dependence_recursion(
        self, grid: Any, target_features: Any
    ) -> Vector:
        """Return the partial dependence; scikit-learn's `partial_dependence` asks."""
        told, grid = np.zeros(len(grid)), np.asarray(grid, dtype=np.float64)
        for tree in self.trees_:
            nodes = node_arrays(tree, self)
            nodes.compute_partial_dependence(grid, target_features, told)
        return told / len(self.trees_)

    def _values(self, X: Any) -> Matrix:
        X = accept_rows(self, X)
        return forest_of(self).mean(X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.target_tags.multi_output = True
        return tags
