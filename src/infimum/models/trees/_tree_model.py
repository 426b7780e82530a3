"""Base of single trees: growing, pruning, decision paths and leaves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import copy
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state

from infimum.data.doors import check_fitted
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.trees._growing import grow
from infimum.models.trees._importances import gains_by_feature
from infimum.models.trees._tree_door import Admitted, accept_rows
from infimum.models.trees._tree_parameters import TREE_DOMAINS, read_rules
from infimum.models.trees.node_arrays import NodeArrays, node_arrays
from infimum.models.trees.pruning import PruningPath, prune, pruning_path
from infimum.models.trees.structure import Tree
from infimum.parameters import Choice, Domains, check_parameters
from infimum.typing import Indices, Matrix, Vector

__all__ = ["TreeModel", "grow_admitted"]

_SPLITTERS = Choice(("best", "random"))
SEEDS = 2**31 - 1


def grow_admitted(
    model: Any, rows: Admitted, weight: Vector, seed: int, *, random: bool, bins: int
) -> Tree:
    """Grow the tree of those rows whose weight is above 0, and prune it."""
    mine = np.flatnonzero(weight > 0).astype(np.int32)
    n, d = int(np.count_nonzero(rows.weight)), rows.X.shape[1]
    total = float(weight[mine].sum())
    rules = read_rules(model, n, d, total, rows.aim.scale)
    # Trees of a forest that agreed on every tie would differ less than they should.
    asked = bins > 0 or model.random_state is not None
    shuffled = asked and rules.max_features == d and not random
    if rows.aim.target.family or random:
        bins = 0  # bins keep one sum each, and a random threshold needs none
    rules = rules._replace(random=random, bins=bins)
    tree = grow(rows.table, rows.aim, rules, weight, mine, seed, shuffled=shuffled)
    return prune(tree, model.ccp_alpha) if model.ccp_alpha > 0 else tree


class TreeModel(BaseEstimator, ABC):  # type: ignore[misc]
    """A single tree; subclasses know what it is to tell."""

    _domains: ClassVar[Domains] = {"splitter": _SPLITTERS, **TREE_DOMAINS}
    splitter: str
    random_state: Any
    ccp_alpha: float

    @property
    def tree_(self) -> NodeArrays:
        """The nodes, in the layout of scikit-learn's attribute of this name."""
        return node_arrays(self._grown, self)

    @tree_.setter
    def tree_(self, tree: Tree) -> None:
        self.__dict__["tree_"] = tree

    @property
    def _grown(self) -> Tree:
        """The tree as it was grown, which is what a model keeps."""
        found: Tree | None = vars(self).get("tree_")
        if found is None:
            raise AttributeError(f"{type(self).__name__} has no tree_ before fit.")
        return found

    @abstractmethod
    def _admit(self, X: Any, y: Any, sample_weight: Any) -> Admitted:
        """Admit training data and record what it says about the target."""

    @whole_or_not_at_all
    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        check_input: bool = True,  # noqa: FBT001, FBT002
    ) -> Self:
        """Grow the tree; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            NaN is a missing value.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
        sample_weight : array-like of shape (n_samples,), optional
            A weight of 2 is the row twice; one of 0, no row.
        check_input : bool, default=True
            Kept for scikit-learn's sake: input is always checked.
        """
        self.__dict__["tree_"] = self._grow(X, y, sample_weight)
        return self

    def _grow(self, X: Any, y: Any, sample_weight: Any) -> Tree:
        check_parameters(self)
        rows = self._admit(X, y, sample_weight)
        weight = rows.weight
        if rows.class_weight is not None:
            weight = weight * rows.class_weight
        seed = int(check_random_state(self.random_state).randint(SEEDS))
        random = self.splitter == "random"
        tree = grow_admitted(self, rows, weight, seed, random=random, bins=0)
        d = rows.X.shape[1]
        self.max_features_ = read_rules(self, len(weight), d, 1.0, 1.0).max_features
        return tree

    def cost_complexity_pruning_path(
        self, X: Any, y: Any, sample_weight: Any = None
    ) -> PruningPath:
        """Return the prices of a leaf at which ever smaller trees are the best.

        The tree is grown again; the model stays what it was.
        """
        other = copy(self)
        other.ccp_alpha = 0.0
        return pruning_path(other._grow(X, y, sample_weight))

    def apply(self, X: Any, check_input: bool = True) -> Indices:  # noqa: FBT001, FBT002
        """Return the leaf that each row ends in, as a node of ``tree_``."""
        X = accept_rows(self, X)
        return self._grown.apply(X).astype(np.int64)

    def decision_path(self, X: Any, check_input: bool = True) -> Any:  # noqa: FBT001, FBT002
        """Return which nodes each row comes by: a sparse matrix of rows × nodes."""
        X = accept_rows(self, X)
        return self._grown.decision_path(X)

    def get_depth(self) -> int:
        """Return the most questions that a row is asked."""
        check_fitted(self)
        return self._grown.depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        check_fitted(self)
        return self._grown.n_leaves

    @property
    def feature_importances_(self) -> Vector:
        """Each feature's share of what all splits lowered the impurity by."""
        check_fitted(self)
        return gains_by_feature(self._grown, self.n_features_in_)

    def plot(self, max_depth: int = 4) -> Any:
        """Return the tree as a plotly figure."""
        from infimum.models.trees.picture import plot_tree

        check_fitted(self)
        return plot_tree(self, max_depth=max_depth)

    def _compute_partial_dependence_recursion(
        self, grid: Any, target_features: Any
    ) -> Vector:
        """Return the partial dependence; scikit-learn's `partial_dependence` asks."""
        told = np.zeros(len(grid))
        self.tree_.compute_partial_dependence(np.asarray(grid), target_features, told)
        return told

    def _values(self, X: Any) -> Matrix:
        X = accept_rows(self, X)
        return self._grown.predict(X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.target_tags.multi_output = True
        return tags
