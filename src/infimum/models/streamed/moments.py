"""Moments in one pass: principal axes and naive Bayes of streamed rows."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg
from sklearn.utils.extmath import svd_flip

from infimum.data.doors.streamed_rows import admit_streamed, known_classes
from infimum.errors import DataError, IncompatibleError
from infimum.models._guarded_fit import unchanged_on_failure
from infimum.models.embedding.axes._principal_axes import PrincipalAxes
from infimum.objectives.streamed_passes import Reading
from infimum.parameters import check_parameters
from infimum.typing import Matrix, Vector

__all__ = ["fit_naive_bayes", "fit_pca"]

#: A matrix of so many rows and columns is decomposed.
LARGEST = 5_000
TINY = 1e-300


@dataclass(frozen=True)
class ScatterPass:
    """Σ w·x·xᵀ and Σ w·x."""

    def __call__(self, leaf: Any) -> tuple[Matrix, Vector]:
        scaled = leaf.X * np.sqrt(leaf.w)[:, None]
        return scaled.T @ scaled, leaf.w @ leaf.X


class _Shape:
    """The shape and kind of a table that is not held."""

    dtype = np.dtype(np.float64)

    def __init__(self, *shape: int) -> None:
        self.shape = shape


def fit_pca(model: Any, rows: Any, y: Any = None) -> Any:
    """Find the principal axes of streamed rows; return the model."""
    with unchanged_on_failure(model):
        check_parameters(model)
        admit_streamed(model, rows, (y,), target=False)
        _refuse_shape(rows)
        means, _ = rows.statistics.moments()
        n, d = round(rows.statistics.total), rows.n_features
        wanted = model._wanted((n, d))
        scatter, moved = rows.shifted(means).run(ScatterPass())
        moved = moved / n
        scatter = scatter - n * np.outer(moved, moved)
        values, vectors = linalg.eigh(scatter)
        _, axes = svd_flip(None, vectors.T[::-1][:wanted], u_based_decision=False)
        squares = np.maximum(values[::-1], 0.0)
        total = float(squares.sum())
        if total < TINY:
            raise DataError(f"{type(model).__name__}: all rows are the same.")
        answer = PrincipalAxes(
            means + moved, axes, squares[:wanted], total, np.empty(0)
        )
        model._keep(answer, model._count(answer, n), _Shape(n, d))
    return model


def _refuse_shape(rows: Any) -> None:
    if rows.n_rows < 2:  # noqa: PLR2004
        raise DataError("PCA needs 2 rows or more, got 1.")
    if rows.sparse or rows.n_features > LARGEST:
        raise IncompatibleError(
            f"PCA of streamed rows needs dense rows of at most {LARGEST:,} features, "
            f"got {rows.n_features:,}: fit PCA on a sample."
        )


@dataclass(frozen=True, eq=False)
class ClassMomentsPass:
    """The weight, the means and the scatters of each class, merged pair by pair."""

    reading: Reading
    classes: int

    def __call__(self, leaf: Any) -> tuple[Vector, Matrix, Matrix]:
        codes, q = self.reading(leaf)
        count = np.zeros(self.classes)
        means = np.zeros((self.classes, leaf.X.shape[1]))
        squares = np.zeros_like(means)
        for k in range(self.classes):
            own = codes == k
            count[k] = q[own].sum()
            if count[k] > 0.0:
                means[k] = q[own] @ leaf.X[own] / count[k]
                squares[k] = q[own] @ (leaf.X[own] - means[k]) ** 2
        return count, means, squares

    @staticmethod
    def merge(a: Any, b: Any) -> tuple[Vector, Matrix, Matrix]:
        """Return the moments of two parts together."""
        total = a[0] + b[0]
        share = (b[0] / np.where(total > 0.0, total, 1.0))[:, None]
        apart = np.where(b[0][:, None] > 0.0, b[1] - a[1], 0.0)
        means = a[1] + share * apart
        return total, means, a[2] + b[2] + apart**2 * share * a[0][:, None]


@dataclass(frozen=True, eq=False)
class CountsPass:
    """The weights of the classes, and what they weigh of features or of their values.

    A feature may show new values in any leaf: arrays are as wide as the widest.
    """

    reading: Reading
    #: A naive Bayes model that knows its classes, and has counted nothing.
    model: Any

    def __call__(self, leaf: Any) -> tuple[Any, ...]:
        codes, q = self.reading(leaf)
        model = copy(self.model)
        model._begin(leaf.X.shape[1])
        model._add(model._read(leaf.X), codes.astype(np.intp), q)
        return model.class_count_, *_counts(model)

    @staticmethod
    def merge(a: Any, b: Any) -> tuple[Any, ...]:
        """Return the counts of both."""
        return tuple(_widened(left, right) for left, right in zip(a, b, strict=True))


def _counts(model: Any) -> list[Matrix]:
    by_value = getattr(model, "category_count_", None)
    return [model.feature_count_] if by_value is None else by_value


def _widened(left: Any, right: Any) -> Any:
    if left.shape[-1] < right.shape[-1]:
        left, right = right, left
    found = left.copy()
    found[..., : right.shape[-1]] += right
    return found


def fit_naive_bayes(model: Any, rows: Any, y: Any = None, weights: Any = None) -> Any:
    """Find the law of each class of streamed rows; return the model."""
    owner = type(model).__name__
    with unchanged_on_failure(model):
        check_parameters(model)
        admit_streamed(model, rows, (y, weights))
        if rows.sparse and not model._admitted.get("accept_sparse", True):
            raise IncompatibleError(
                f"{owner} needs dense rows, got svmlight files; MultinomialNB takes "
                "them."
            )
        classes, numbers, _ = known_classes(owner, rows)
        model.classes_ = classes
        model._check_classes()
        model._begin(rows.n_features)
        reading = Reading(1.0, numbers)
        if hasattr(model, "var_smoothing"):
            work = ClassMomentsPass(reading, len(classes))
            model.class_count_, model.theta_, model._squares = rows.run(work)
        else:
            model.class_count_, *found = rows.run(CountsPass(reading, model))
            if hasattr(model, "category_count_"):
                model.category_count_ = found
            else:
                [model.feature_count_] = found
        model._settle()
    return model
