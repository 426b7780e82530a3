"""Base of models that choose the end of their exact path by held-back folds."""

from __future__ import annotations

from abc import ABC
from typing import Any, ClassVar, Self

import numpy as np

from infimum.data.doors import measured
from infimum.models._folds import RoutedFolds, folds_of
from infimum.models._guarded_fit import (
    FEW_ENTRIES,
    one_thread_if_quick,
    whole_or_not_at_all,
)
from infimum.models.linear._overflow import blames_numbers
from infimum.models.linear.greedy._centred_table import Centred
from infimum.models.linear.greedy._least_angle import LeastAngle, Route
from infimum.parameters import Domains, check_parameters, whole
from infimum.typing import Matrix, Vector

__all__ = ["LeastAngleCV"]


class LeastAngleCV(RoutedFolds, LeastAngle, ABC):
    """A path whose end is chosen: its errors on held-back folds are known exactly.

    Predictions are linear in the strength between corners, so those of every fold are
    interpolated, without error, at the corners of all the others.
    """

    cv: Any
    max_n_alphas: int
    _domains: ClassVar[Domains] = {"max_n_alphas": whole(1)}

    alpha_: float

    @whole_or_not_at_all
    @blames_numbers
    def fit(self, X: Any, y: Any, **params: Any) -> Self:  # type: ignore[override]
        """Choose the strength by folds, then walk to it on all samples; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples, float32 or float64.
        y : array-like of shape (n_samples,)
            Targets.
        **params
            What `cv` is told of the samples, such as groups, with metadata routing on.
        """
        split = self._split_settings(params)
        check_parameters(self)
        rows = measured(self, X, y, moderate=True, accept_sparse=False)
        X, y = rows.X, rows.y
        route = self._recipe()
        with one_thread_if_quick(X, FEW_ENTRIES):
            self._choose(route, X, y, folds_of(self, X, y, split=split))
        table = Centred.of(X, y, intercept=bool(self.fit_intercept))
        end = route._replace(floor=self.alpha_)
        self._follow(end, table, X.dtype, several=False)
        return self

    def _choose(self, route: Route, X: Matrix, y: Vector, folds: Any) -> None:
        paths = [self._errors(route, X, y, *fold) for fold in folds]
        every = np.unique(np.concatenate([alphas for alphas, _ in paths]))
        alphas = every[:: max(1, len(every) // int(self.max_n_alphas))]
        self.cv_alphas_ = alphas
        self.mse_path_ = np.column_stack(
            [_mean_squares(alphas, *path) for path in paths]
        )
        self.alpha_ = np.float64(alphas[np.argmin(self.mse_path_.mean(axis=1))])

    def _errors(
        self, route: Route, X: Matrix, y: Vector, train: Any, held: Any
    ) -> tuple[Vector, Matrix]:
        """Return the corners of one fold's path, and what it gets wrong at each."""
        table = Centred.of(X[train], y[train], intercept=bool(self.fit_intercept))
        trail = route.walk(table)
        scores = trail.coefs.T @ (X[held] - table.problem.means).T
        scores -= y[held] - table.means[0]
        return trail.alphas[::-1], scores[::-1]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        return tags


def _mean_squares(alphas: Vector, corners: Vector, errors: Matrix) -> Vector:
    """Return the mean squared error at each strength; beyond its ends a path rests.

    Between corners errors are mixed, and their squares follow from three products.
    """
    own = np.einsum("ij,ij->i", errors, errors) / errors.shape[1]
    if len(corners) == 1:
        return np.full(len(alphas), own[0])
    both = np.einsum("ij,ij->i", errors[1:], errors[:-1]) / errors.shape[1]
    inside = np.clip(alphas, corners[0], corners[-1])
    right = np.clip(np.searchsorted(corners, inside), 1, max(len(corners) - 1, 1))
    left = right - 1
    width = corners[right] - corners[left]
    share = np.divide(
        inside - corners[left], width, out=np.ones_like(width), where=width > 0
    )
    rest = 1.0 - share
    mixed = (
        rest**2 * own[left] + 2.0 * rest * share * both[left] + share**2 * own[right]
    )
    return np.asarray(np.maximum(mixed, 0.0))
