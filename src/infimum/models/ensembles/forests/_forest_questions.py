"""Leaves, proximities and importances of a fitted forest."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from infimum.compiled.threads import in_parts
from infimum.data.doors import check_fitted, winners
from infimum.errors import DataError, InvalidParameterError
from infimum.models.ensembles._member_sequence import MemberSequence
from infimum.models.ensembles.forests._forest import forest_of
from infimum.models.trees._tree_door import accept_rows
from infimum.models.trees.structure import Tree
from infimum.typing import Matrix, Vector

__all__ = ["ForestQuestions", "leaf_table"]


def leaf_table(model: Any, X: Any) -> sparse.csr_array:
    """Return which leaf of the forest each row is in: rows × leaves of all trees."""
    forest = forest_of(model)
    leaves = forest.leaves(X)
    n, trees = leaves.shape
    starts = np.arange(0, n * trees + 1, trees)
    ones = np.ones(n * trees)
    shape = (n, len(forest.values))
    return sparse.csr_array((ones, leaves.ravel(), starts), shape=shape)


class ForestQuestions(MemberSequence):
    """Questions about the trees of a forest, beyond what they predict."""

    trees_: list[Tree]
    _single: Any
    _unlike: tuple[str, ...]

    @property
    def estimator_(self) -> Any:
        """A tree as it is before it grows."""
        return self._single()

    @property
    def estimator(self) -> Any:
        """`estimator_`, which in scikit-learn is a parameter of other ensembles."""
        return self._single()

    @property
    def estimators_(self) -> list[Any]:
        """The trees as models of their own."""
        if not hasattr(self, "trees_"):
            raise AttributeError(f"{type(self).__name__} is not fitted.")
        model: Any = self
        own = self._single().get_params()
        shared = {k: v for k, v in model.get_params(False).items() if k in own}
        if shared.get("class_weight") == "balanced_subsample":
            shared["class_weight"] = "balanced"
        made = []
        for tree, seed in zip(self.trees_, model._seeds, strict=True):
            single = self._single(**{**shared, "random_state": int(seed)})
            single.tree_ = tree
            for name in ("n_features_in_", "n_outputs_", *self._unlike):
                setattr(single, name, getattr(self, name))
            made.append(single)
        return made

    def proximities(self, X: Any, Z: Any = None) -> Matrix:
        """Return in which share of the trees two rows end in the same leaf.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        Z : the same, optional
            Other rows; those of X unless given.

        Returns
        -------
        ndarray of shape (n_samples, n_samples or rows of Z)
            A similarity between 0 and 1, and a positive semi-definite kernel.
        """
        mine = leaf_table(self, accept_rows(self, X))
        others = mine if Z is None else leaf_table(self, accept_rows(self, Z))
        return np.asarray((mine @ others.T).toarray() / len(self.trees_))

    def oob_importances(self, X: Any, y: Any, n_repeats: int = 1) -> Vector:
        """Return by how much shuffling a feature worsens the trees' answers.

        Each tree is asked about the training rows that it has not seen, as they are
        and with one feature shuffled among them: the mean loss of accuracy, or growth
        of the squared error (Breiman 2001).

        Parameters
        ----------
        X, y : the data of the fit
        n_repeats : int, default=1
            How often each feature is shuffled.
        """
        check_fitted(self)
        model: Any = self
        if not model.bootstrap:
            raise InvalidParameterError(
                f"{type(self).__name__}.oob_importances needs bootstrap=True."
            )
        X = accept_rows(self, X)
        X = X.toarray() if hasattr(X, "toarray") else X
        target = self._target(y)
        if len(target) != len(X):
            raise DataError(f"{len(X)} samples have {len(target)} targets.")
        if len(X) != len(model._chances):
            raise DataError(
                f"{type(self).__name__}.oob_importances needs the {len(model._chances)}"
                f" samples of the fit, got {len(X)}."
            )

        def ask(mine: slice) -> list[Vector]:
            trees = range(mine.start, mine.stop)
            return [self._worsening(t, X, target, n_repeats) for t in trees]

        count = len(self.trees_)
        parts = in_parts(count, ask, count)
        return np.asarray(np.mean([row for part in parts for row in part], axis=0))

    def _target(self, y: Any) -> Any:
        classes = getattr(self, "classes_", None)
        if getattr(self, "n_outputs_", 1) > 1:
            raise DataError("oob_importances needs one output.")
        return np.asarray(y) if classes is None else np.searchsorted(classes, y)

    def _worsening(self, t: int, X: Any, target: Any, n_repeats: int) -> Vector:
        model: Any = self
        tree, seed = self.trees_[t], int(model._seeds[t])
        fresh = model._counts(t) == 0
        rows, true = np.array(X[fresh]), target[fresh]
        loss = np.zeros(X.shape[1])
        if not len(rows):
            return loss
        generator = np.random.default_rng([seed, 1])
        before = self._mistake(tree, rows, true)
        for f in np.unique(tree.feature[tree.feature >= 0]):
            column = rows[:, f].copy()
            for _ in range(n_repeats):
                rows[:, f] = generator.permutation(column)
                loss[f] += (self._mistake(tree, rows, true) - before) / n_repeats
            rows[:, f] = column
        return loss

    def _mistake(self, tree: Tree, rows: Any, true: Any) -> float:
        told = tree.predict(rows)
        if hasattr(self, "classes_"):
            return float(np.mean(winners(told) != true))
        return float(np.mean((told[:, 0] - true) ** 2))
