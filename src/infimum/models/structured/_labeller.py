"""What models of structures share: a structure, weights, labels as the user writes."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import Tags

from infimum.data.doors import check_fitted, weighed
from infimum.errors import InvalidParameterError
from infimum.models.structured.structures import (
    Assignment,
    Chain,
    Graph,
    Grid,
    Multilabel,
    Structure,
    Tree,
)
from infimum.objectives import StructuredProblem
from infimum.typing import Vector

__all__ = ["StructureLabeller"]

NAMED: dict[str, type[Structure]] = {
    "chain": Chain,
    "tree": Tree,
    "graph": Graph,
    "grid": Grid,
    "assignment": Assignment,
    "multilabel": Multilabel,
}


class StructureLabeller(BaseEstimator):  # type: ignore[misc]
    """A model whose answers are labellings of structures, linear in its weights."""

    structure: Any
    coef_: Vector
    classes_: list[Any]

    def predict(self, X: Any) -> list[Any]:
        """Return the best labelling of each sample."""
        check_fitted(self, "coef_")
        problem = self._problem(X, None, list(self.classes_))
        return problem.told(problem.best(self.coef_))

    def score(self, X: Any, y: Any) -> float:
        """Return 1 minus the mean cost per label: for rows, the share of right ones."""
        check_fitted(self, "coef_")
        problem = self._problem(X, y, list(self.classes_))
        costs = problem.cost(problem.best(self.coef_))
        sizes = [np.size(each) for each in problem.right]
        return 1.0 - float(np.sum(costs)) / float(np.sum(sizes))

    def _problem(self, X: Any, y: Any, classes: list[Any]) -> StructuredProblem:
        kind = self.structure
        if isinstance(kind, str) and kind in NAMED:
            kind = NAMED[kind]()
        owner = type(self).__name__
        if not isinstance(kind, Structure):
            raise InvalidParameterError(
                f"{owner}.structure must be one of {sorted(NAMED)} or a structure of "
                f"infimum.models.structured, got {kind!r}."
            )
        return kind.problem(owner, X, y, classes)

    def _weights(self, sample_weight: Any, problem: StructuredProblem) -> Vector:
        found = weighed(sample_weight, np.zeros((problem.count, 1)))
        return np.ones(problem.count) if found is None else np.asarray(found)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False  # a sample is a whole structure
        tags.input_tags.three_d_array = True
        tags.target_tags.required = True
        return tags
