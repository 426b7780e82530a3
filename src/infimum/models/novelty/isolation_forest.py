"""Isolation forest: what is unlike the rest is alone after a few random questions."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar, Self
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, OutlierMixin
from sklearn.utils import check_random_state

from infimum.data.doors import check_fitted, rows, samples
from infimum.errors import InvalidParameterError
from infimum.kinship import kin_of
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.ensembles._member_sequence import MemberSequence
from infimum.models.ensembles.committees._resamples import amount_of
from infimum.models.novelty._isolation_trees import (
    ADMITTED,
    draw_rows,
    isolate,
    questions_of,
)
from infimum.models.novelty._level_detector import level_of
from infimum.models.trees import ExtraTreeRegressor, ForestArrays, Tree
from infimum.parameters import Domains, Interval, besides, check_parameters, whole
from infimum.typing import Indices, Vector

__all__ = ["IsolationForest"]

#: Rows that a tree draws unless told; more teach it little.
ENOUGH = 256
#: The level where the share of anomalies is not given: a little above chance.
HALF = -0.5
#: How far a mean of equal depths may be from what it is a mean of.
ROUNDING = 1e-13
#: Forests laid out for prediction: made from the trees and no part of a model's state.
_layouts: WeakKeyDictionary[Any, ForestArrays] = WeakKeyDictionary()


@kin_of("sklearn.ensemble")
class IsolationForest(MemberSequence, OutlierMixin, BaseEstimator):  # type: ignore[misc]
    r"""Anomalies are samples that a few random questions set apart from all others.

    .. math:: s(x) = -2^{-\bar h(x) / c(m)}, \qquad
              c(m) = 2 H_{m-1} - 2 (m - 1)/m

    where :math:`\bar h` is the mean number of questions, over trees grown on m samples
    each, until x is alone, and :math:`c(m)` what an unsuccessful search in a binary
    tree takes. A tree splits a random feature at a random threshold, and asks no more
    than :math:`\log_2 m` questions; those who are still together count as a search.
    No distance is needed, so features of any unit may stand side by side.

    Parameters
    ----------
    n_estimators : int, default=100
    max_samples : 'auto', int or float, default='auto'
        How many samples, or what share of them, a tree is grown on; at most 256 by
        default. Copies count: a sample of weight 3 is three.
    contamination : 'auto' or float, default='auto'
        Share of the training samples outside, in (0, 0.5]; by default those with
        scores below -0.5.
    max_features : int or float, default=1.0
        How many features, or what share of them, a tree may ask for.
    bootstrap : bool, default=False
        Whether samples are drawn with replacement.
    n_jobs : int, default=None
        Kept for scikit-learn's sake: trees grow on all cores, and are the same on any
        number of them.
    random_state : int, RandomState instance or None, default=None
    verbose : int, default=0
        Kept for scikit-learn's sake.
    warm_start : bool, default=False
        Whether a second fit adds trees to those there are.

    Attributes
    ----------
    trees_ : list of Tree
        Their values are numbers of questions.
    max_samples_ : int
    offset_ : float
        The level of the scores.
    estimators_ : list of ExtraTreeRegressor
        The trees as models of their own, which read whole rows.
    estimators_samples_, estimators_features_ : lists of ndarray
        The samples and features that each tree saw.
    n_features_in_ : int

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [0.3], [9.0]]
    >>> IsolationForest(random_state=0).fit(X).predict([[0.15], [9.0]])
    array([ 1, -1])

    References
    ----------
    Liu, Ting & Zhou (2008), IEEE International Conference on Data Mining.
    """

    _domains: ClassVar[Domains] = {
        "contamination": besides(Interval(0, 0.5, open_low=True), "auto"),
        "n_estimators": whole(1),
    }

    trees_: list[Tree]
    _seeds: Any

    def __init__(
        self,
        *,
        n_estimators: int = 100,
        max_samples: Any = "auto",
        contamination: Any = "auto",
        max_features: Any = 1.0,
        bootstrap: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
    ) -> None:
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.contamination = contamination
        self.max_features = max_features
        self.bootstrap = bootstrap
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Grow the trees; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            NaN is a missing value; infinite numbers are the farthest ones.
        y : ignored
        sample_weight : array-like of shape (n_samples,), optional
            How likely a sample is drawn; whole numbers are copies.
        """
        check_parameters(self)
        kept = list(self.trees_) if self.warm_start and hasattr(self, "trees_") else []
        if len(kept) > self.n_estimators:
            raise InvalidParameterError(
                f"IsolationForest.n_estimators must be at least the {len(kept)} trees "
                f"that there are when warm_start=True, got {self.n_estimators}."
            )
        found = rows(self, X, sample_weight, **ADMITTED)
        X, weight = found.X, found.weights
        self._weight = np.ones(X.shape[0]) if weight is None else weight
        self._settle_sizes(X.shape[1])
        generator = check_random_state(self.random_state)
        seeds = generator.randint(2**31 - 1, size=self.n_estimators)
        if kept:
            seeds[: len(kept)] = self._seeds[: len(kept)]
        self._seeds = seeds
        draws = [self._draw(t) for t in range(len(kept), len(seeds))]
        self.trees_ = kept + isolate(X, draws, self.max_samples_, seeds[len(kept) :])
        _layouts.pop(self, None)
        self.offset_ = HALF
        if self.contamination != "auto":
            share = float(self.contamination)
            self.offset_ = level_of(self._scores(X), self._weight, share)
        return self

    def _settle_sizes(self, d: int) -> None:
        counted = bool((self._weight == np.floor(self._weight)).all())
        alive = int(np.count_nonzero(self._weight))
        size = int(self._weight.sum()) if counted else alive
        wanted = ENOUGH if self.max_samples == "auto" else self.max_samples
        count = amount_of("IsolationForest.max_samples", wanted, size)
        if count > size and self.max_samples != "auto":
            warnings.warn(
                f"IsolationForest.max_samples={count} is more than the {size} samples; "
                "a tree takes them all.",
                UserWarning,
                stacklevel=4,
            )
        self.max_samples_ = min(count, size)
        columns = amount_of("IsolationForest.max_features", self.max_features, d)
        self._columns = min(columns, d)

    def _draw(self, t: int) -> tuple[Indices, Indices]:
        """Return the samples, with repetitions, and the features of a tree."""
        generator = np.random.default_rng(int(self._seeds[t]))
        rows = draw_rows(
            self._weight, self.max_samples_, generator, replace=self.bootstrap
        )
        d = self.n_features_in_
        if self._columns == d:
            return rows, np.arange(d)
        return rows, np.sort(generator.permutation(d)[: self._columns])

    @property
    def estimators_(self) -> list[ExtraTreeRegressor]:
        """The trees as models of their own."""
        check_fitted(self)
        made = []
        deepest = int(np.ceil(np.log2(max(self.max_samples_, 2))))
        for tree, seed in zip(self.trees_, self._seeds, strict=True):
            single = ExtraTreeRegressor(
                max_features=1, max_depth=deepest, random_state=int(seed)
            )
            single.tree_ = tree
            single.n_features_in_, single.n_outputs_ = self.n_features_in_, 1
            made.append(single)
        return made

    @property
    def estimator(self) -> None:
        """None: the kind of the trees, `estimator_`, is no choice."""
        return None

    @property
    def estimator_(self) -> ExtraTreeRegressor:
        """A tree of the kind that is grown, not fitted."""
        tree: ExtraTreeRegressor = ExtraTreeRegressor(
            max_features=1, random_state=self.random_state
        )
        return tree

    @property
    def estimators_samples_(self) -> list[Indices]:
        """The samples that each tree saw."""
        check_fitted(self)
        return [self._draw(t)[0] for t in range(len(self.trees_))]

    @property
    def estimators_features_(self) -> list[Indices]:
        """The features that each tree saw."""
        check_fitted(self)
        return [self._draw(t)[1] for t in range(len(self.trees_))]

    def score_samples(self, X: Any) -> Vector:
        """Return the score of each sample, in [-1, 0]; the lower, the more alone."""
        return self._scores(samples(self, X, **ADMITTED))

    def _scores(self, X: Any) -> Vector:
        layout = _layouts.get(self)
        if layout is None:
            layout = _layouts[self] = ForestArrays.of(self.trees_)
        search = float(questions_of(np.array([self.max_samples_]))[0])
        if search == 0.0:  # one sample is as deep as it can be
            return np.full(X.shape[0], HALF)
        share = layout.mean(X)[:, 0] / search
        share[np.abs(share - 1.0) < ROUNDING] = 1.0
        return np.asarray(-np.exp2(-share))

    def decision_function(self, X: Any) -> Vector:
        """Return the score above the level; what is negative is new."""
        return np.asarray(self.score_samples(X) - self.offset_)

    def predict(self, X: Any) -> NDArray[np.intp]:
        """Return 1 for the familiar and -1 for the new."""
        return np.where(self.decision_function(X) >= 0, 1, -1)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags
