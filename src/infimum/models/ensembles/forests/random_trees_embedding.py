"""Leaves of random trees as features."""

from __future__ import annotations

import copy
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_feature_names_in

from infimum.data.doors import check_fitted, rows, samples
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.ensembles._member_sequence import MemberSequence
from infimum.models.ensembles.forests._row_hashes import row_hashes
from infimum.models.ensembles.forests.extra_trees_regressor import ExtraTreesRegressor
from infimum.models.trees import ExtraTreeRegressor
from infimum.parameters import check_parameters
from infimum.typing import Indices, Vector

__all__ = ["RandomTreesEmbedding"]


class RandomTreesEmbedding(MemberSequence, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Transformer that tells in which leaf of each of many random trees a row is.

    Trees split a random feature at a random threshold, without looking at any target;
    rows that are near each other share many leaves. A linear model of the leaves is a
    smooth function of the rows.

    Parameters
    ----------
    n_estimators : int, default=100
    max_depth : int or None, default=5
    min_samples_split, min_samples_leaf, min_weight_fraction_leaf, max_leaf_nodes, \
min_impurity_decrease
        When a tree stops: as in `ExtraTreesRegressor`.
    sparse_output : bool, default=True
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
    forest_ : ExtraTreesRegressor
    estimators_ : list of ExtraTreeRegressor
    n_features_in_ : int

    Examples
    --------
    >>> model = RandomTreesEmbedding(n_estimators=2, max_depth=1, random_state=0)
    >>> leaves = model.fit_transform([[0.0], [0.1], [9.0]])
    >>> leaves.shape, leaves.sum()
    ((3, 4), np.float64(6.0))
    """

    forest_: ExtraTreesRegressor

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        max_depth: int | None = 5,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float | str = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        sparse_output: bool = True,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
    ) -> None:
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.sparse_output = sparse_output
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Grow the trees; return self. `y` is not looked at."""
        check_parameters(self)
        X = rows(self, X, missing="unchecked").X
        going_on = self.warm_start and hasattr(self, "forest_")
        forest = copy.copy(self.forest_) if going_on else ExtraTreesRegressor()
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        given = self.get_params(deep=False)
        shared = {name: given[name] for name in given if name in forest.get_params()}
        shared |= {"max_features": 1, "random_state": seed}
        forest.set_params(**shared)
        self.forest_ = forest.fit(X, row_hashes(X, seed), sample_weight)
        return self

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Grow the trees and return the leaves of the same rows."""
        return self.fit(X, sample_weight=sample_weight).transform(X)

    def transform(self, X: Any) -> Any:
        """Return, for each row, a 1 in the column of its leaf of every tree."""
        X = samples(self, X, missing="unchecked")
        leaves, starts = self._columns()
        columns = leaves[starts[:-1] + self.forest_.apply(X)]
        n, trees = columns.shape
        found = sparse.csr_matrix(
            (np.ones(n * trees), columns.ravel(), np.arange(0, n * trees + 1, trees)),
            shape=(n, int(leaves.max()) + 1),
        )
        return found if self.sparse_output else found.toarray()

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return names of trees and leaves."""
        check_fitted(self, "forest_")
        _check_feature_names_in(self, input_features, generate_names=False)
        names = [
            f"{type(self).__name__.lower()}_{t}_{leaf}"
            for t, tree in enumerate(self.forest_.trees_)
            for leaf in np.flatnonzero(tree.feature < 0)
        ]
        return np.asarray(names, dtype=object)

    @property
    def estimators_(self) -> Any:
        """The trees as models of their own."""
        return self.forest_.estimators_

    @property
    def estimator(self) -> Any:
        """A tree of the kind that is grown; known before any fit."""
        return ExtraTreeRegressor()

    @property
    def estimator_(self) -> Any:
        """A tree as it is before it grows."""
        return self.forest_.estimator_

    @property
    def feature_importances_(self) -> Vector:
        """Each feature's share of what splits lowered the impurity by, on average."""
        check_fitted(self, "forest_")
        return self.forest_.feature_importances_

    @property
    def n_outputs_(self) -> int:
        """The number of targets that the trees were grown for: one, drawn."""
        return int(self.forest_.n_outputs_)

    @property
    def estimators_samples_(self) -> list[Indices]:
        """The rows that each tree has seen."""
        return self.forest_.estimators_samples_

    def apply(self, X: Any) -> Indices:
        """Return the leaf of each row in each tree: rows × trees."""
        check_fitted(self, "forest_")
        return self.forest_.apply(samples(self, X, missing="unchecked"))

    def decision_path(self, X: Any) -> tuple[Any, Indices]:
        """Return which nodes each row comes by, and where each tree's nodes begin."""
        return self.forest_.decision_path(samples(self, X, missing="unchecked"))

    def _columns(self) -> tuple[Any, Any]:
        """Return the column of each node that is a leaf, and where trees begin."""
        trees = self.forest_.trees_
        starts = np.cumsum([0, *(tree.n_nodes for tree in trees)])
        ends = np.concatenate([tree.feature < 0 for tree in trees])
        return np.where(ends, np.cumsum(ends) - 1, -1), starts

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags
