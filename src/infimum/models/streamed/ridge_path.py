"""Ridge regression for many strengths on streamed rows: moments, and one more pass.

The first pass adds up second moments; they are decomposed, and any strength is a
division. A second pass predicts every row by the model that has not seen it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.data.doors.labels import class_factors
from infimum.data.doors.streamed_rows import admit_streamed, known_classes
from infimum.errors import DataError, IncompatibleError
from infimum.models._guarded_fit import unchanged_on_failure
from infimum.models.linear.closed_form._ridge_cv import checked_alphas
from infimum.models.linear.closed_form._ridge_eigen import LEAST_SLACK, NEGLIGIBLE
from infimum.models.linear.closed_form.ridge_path import RidgePath, strengths_of
from infimum.models.linear.coding import Signs
from infimum.models.linear.estimator import concluded
from infimum.models.linear.streamed import fit_streamed_rows
from infimum.objectives.streamed_passes import Reading
from infimum.parameters import check_parameters
from infimum.typing import Matrix, Vector

__all__ = ["fit_ridge_cv", "streamed_ridge_path"]

#: A matrix of so many rows and columns is decomposed.
LARGEST = 5_000


@dataclass(frozen=True, eq=False)
class Targets:
    """The targets of a leaf as columns, and the share of each row."""

    reading: Reading
    #: The ±1 of each class, a line for each; None for numbers.
    signs: Matrix | None = None

    def __call__(self, leaf: Any) -> tuple[Matrix, Vector]:
        y, q = self.reading(leaf)
        if self.signs is None:
            return y[:, None], q
        return self.signs[:, y.astype(np.intp)].T, q


@dataclass(frozen=True, eq=False)
class MomentsPass:
    """Σ q·x·xᵀ, Σ q·x·y, Σ q·x, Σ q·y and Σ q·y²."""

    targets: Targets

    def __call__(self, leaf: Any) -> tuple[Any, ...]:
        Y, q = self.targets(leaf)
        scaled = leaf.X * np.sqrt(q)[:, None]
        pulls = leaf.X.T @ (Y * q[:, None])
        return scaled.T @ scaled, pulls, q @ leaf.X, q @ Y, q @ Y**2


@dataclass(frozen=True, eq=False)
class LeftOutPass:
    """Σ q·r² of the rows left out one at a time: targets × strengths."""

    targets: Targets
    eigen: StreamedEigen
    strengths: Vector

    def __call__(self, leaf: Any) -> tuple[Matrix]:
        Y, q = self.targets(leaf)
        eigen, count = self.eigen, Y.shape[1]
        rotated = (leaf.X - eigen.means) @ eigen.vectors
        shrink = 1.0 / (eigen.values[:, None] + self.strengths)
        slopes = eigen.loadings[:, :, None] * shrink[:, None, :]
        fits = rotated @ slopes.reshape(len(shrink), -1)
        fits = fits.reshape(len(Y), count, len(self.strengths))
        leverage = rotated**2 @ shrink + float(eigen.intercept)
        slack = np.maximum(1.0 - q[:, None] * leverage, LEAST_SLACK)
        left = ((Y - eigen.target_means)[:, :, None] - fits) / slack[:, None, :]
        return (np.einsum("i,ika->ka", q, left**2),)


@dataclass(frozen=True, eq=False)
class StreamedEigen:
    """The second moments of streamed rows as directions V and eigenvalues s."""

    values: Vector
    vectors: Matrix
    loadings: Matrix
    #: Of features and targets; 0 where no intercept takes them.
    means: Vector
    target_means: Vector
    intercept: bool
    gram: Matrix
    pulls: Matrix
    halves: Vector

    @classmethod
    def of(cls, rows: Any, targets: Targets, *, intercept: bool) -> StreamedEigen:
        """Make the pass, and decompose what it found."""
        gram, pulls, means, averages, squares = rows.run(MomentsPass(targets))
        if intercept:
            gram = gram - np.outer(means, means)
            pulls = pulls - np.outer(means, averages)
            squares = squares - averages**2
        else:
            means, averages = np.zeros_like(means), np.zeros_like(averages)
        values, vectors = np.linalg.eigh(gram)
        kept = values > NEGLIGIBLE * max(values[-1], 0.0)
        values, vectors = values[kept], vectors[:, kept]
        loadings, halves = vectors.T @ pulls, 0.5 * np.maximum(squares, 0.0)
        return cls(
            values, vectors, loadings, means, averages, intercept, gram, pulls, halves
        )

    def weights(self, strengths: Vector) -> Matrix:
        """Return the coefficients, (strengths, targets, features)."""
        shrink = 1.0 / (self.values[:, None] + strengths)
        each = self.loadings[:, :, None] * shrink[:, None, :]
        return np.asarray(np.einsum("fv,vka->akf", self.vectors, each))

    def worst_gap(self, strengths: Vector) -> float:
        """Return the largest relative gap that these weights leave open, over all."""
        worst = 0.0
        for strength, w in zip(
            strengths.tolist(), self.weights(strengths), strict=True
        ):
            gradient = self.gram @ w.T - self.pulls + strength * w.T
            gaps = np.square(gradient).sum(axis=0) / (2.0 * strength)
            used = self.halves > 0.0
            worst = max(worst, float((gaps[used] / self.halves[used]).max(initial=0.0)))
        return worst


def fit_ridge_cv(model: Any, rows: Any, *given: Any, **named: Any) -> Any:
    """Choose the strength and learn the coefficients, with a proof; return the model.

    The samples are left out one at a time, in closed form.
    """
    with unchanged_on_failure(model):
        check_parameters(model)
        admit_streamed(model, rows, (*given, *named.values()))
        owner = type(model).__name__
        _refuse(owner, rows)
        if model.cv is not None or model.scoring is not None or model.store_cv_results:
            raise IncompatibleError(
                f"{owner} and streamed rows: rows are left out one at a time; cv and "
                "scoring must be None, store_cv_results False."
            )
        alphas = checked_alphas(owner, model.alphas)
        targets = _targets(model, rows)
        moved, _ = _near(rows, model.fit_intercept)
        eigen = StreamedEigen.of(moved, targets, intercept=bool(model.fit_intercept))
        strengths = alphas / targets.reading.total
        [errors] = moved.run(LeftOutPass(targets, eigen, strengths))
        scores = -errors.mean(axis=0)
        best = int(scores.argmax())
        model.alpha_, model.best_score_ = float(alphas[best]), np.float64(scores[best])
        model.path_gap_ = eigen.worst_gap(strengths)
        model.__dict__.pop("cv_results_", None)
        fit_streamed_rows(model, rows)
    return concluded(model)


def streamed_ridge_path(
    rows: Any, alphas: Any, eps: float, *, fit_intercept: bool
) -> RidgePath:
    """Return `ridge_path` of streamed rows."""
    if not rows.has_target or rows.spooled.words is not None:
        raise DataError("ridge_path needs numbers as targets: scan(files, target=…).")
    _refuse("ridge_path", rows)
    targets = Targets(Reading(rows.statistics.total))
    moved, shift = _near(rows, fit_intercept)
    eigen = StreamedEigen.of(moved, targets, intercept=fit_intercept)
    total = targets.reading.total
    grid = strengths_of(alphas, eps, total * float(eigen.values.max(initial=0.0)))
    strengths = grid / total
    coefs = eigen.weights(strengths)[:, 0]
    intercepts = eigen.target_means[0] - coefs @ (eigen.means + shift)
    if not fit_intercept:
        intercepts = np.zeros(len(grid))
    [errors] = moved.run(LeftOutPass(targets, eigen, strengths))
    shrunken = eigen.values[:, None] / (eigen.values[:, None] + strengths)
    freedom, gap = shrunken.sum(axis=0), eigen.worst_gap(strengths)
    return RidgePath(grid, coefs, intercepts, errors[0], freedom, gap)


def _refuse(owner: str, rows: Any) -> None:
    if rows.sparse or rows.n_features > LARGEST:
        raise IncompatibleError(
            f"{owner} of streamed rows needs dense rows of at most {LARGEST:,} "
            f"features, got {rows.n_features:,}: fit Ridge for each strength."
        )
    if rows.n_rows < 2:  # noqa: PLR2004
        raise DataError(f"{owner} leaves one sample out and got 1 sample in all.")
    gaps = rows.statistics.first_missing
    if gaps:
        raise DataError(f"{owner} needs a number in every cell.")


def _near(rows: Any, intercept: Any) -> tuple[Any, Vector]:
    """Return rows that are moved to the origin where an intercept allows it."""
    shift = np.zeros(rows.n_features)
    if intercept:
        shift, _ = rows.statistics.moments()
        return rows.shifted(shift), shift
    return rows, shift


def _targets(model: Any, rows: Any) -> Targets:
    owner, total = type(model).__name__, rows.statistics.total
    if not hasattr(model, "class_weight"):
        if rows.spooled.words is not None:
            raise DataError(f"{owner} needs numbers as targets, got words.")
        return Targets(Reading(total))
    classes, numbers, weights = known_classes(owner, rows)
    model.classes_, factors = classes, None
    codes = np.arange(len(classes))
    if model.class_weight is not None:
        factors = class_factors(owner, model.class_weight, classes, codes, weights)
        total = float(weights @ factors)
    signs = np.array(Signs(len(classes)).targets(codes))
    return Targets(Reading(total, numbers, None, factors), signs)
