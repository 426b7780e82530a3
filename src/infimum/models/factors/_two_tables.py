"""What methods for two tables of the same rows share: directions that go together."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar, Self

import numpy as np
from scipy import linalg
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    MultiOutputMixin,
    RegressorMixin,
    TransformerMixin,
)
from sklearn.exceptions import ConvergenceWarning

from infimum.data.doors import array, check_fitted, measured, samples
from infimum.errors import DataError, InvalidParameterError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.parameters import (
    Domains,
    check_parameters,
    flag,
    nonnegative,
    whole,
)
from infimum.typing import Matrix, Vector

__all__ = ["TwoTables", "centred_pair"]

EPSILON = float(np.finfo(np.float64).eps)
#: A singular value below this share of the largest is what deflation left of 0.
DEFLATED = 1e6 * EPSILON
#: Tables of more entries are decomposed by way of their triangle.
LARGE = 20_000


def centred_pair(
    model: Any, X: Any, y: Any
) -> tuple[Matrix, Matrix, tuple[Vector, Vector, Vector, Vector]]:
    """Admit both tables; return them centred, scaled if asked, with what undoes it."""
    check_parameters(model)
    if y is None:
        raise DataError(f"{type(model).__name__} needs a second table: y is None.")
    found = measured(
        model,
        X,
        y,
        multi_output=True,
        moderate=True,
        ensure_min_samples=2,
        accept_sparse=False,
    )
    X = np.asarray(found.X, dtype=np.float64)
    model._flat = np.ndim(found.y) == 1
    Y: Matrix = np.asarray(found.y, dtype=np.float64).reshape(len(X), -1)
    X, x_mean, x_spread = _centred(X, scaled=bool(model.scale))
    Y, y_mean, y_spread = _centred(Y, scaled=bool(model.scale))
    return X, Y, (x_mean, y_mean, x_spread, y_spread)


def _centred(table: Matrix, *, scaled: bool) -> tuple[Matrix, Vector, Vector]:
    """Return a table about its means, in units of its deviations if asked; and both."""
    mean = table.mean(axis=0)
    table = table - mean
    spread: Vector = np.ones(table.shape[1])
    if scaled:
        squares = np.einsum("ij,ij->j", table, table)
        spread = np.sqrt(squares / (len(table) - 1))
        # What rounding of the mean leaves of a constant column is no deviation.
        doubtful = spread <= len(table) * EPSILON * np.abs(mean)
        if doubtful.any():
            spread[doubtful] = table[:, doubtful].std(axis=0, ddof=1)
            spread[spread == 0.0] = 1.0
        table /= spread
    return table, mean, spread


def _solved(table: Matrix, right: Matrix) -> Matrix:
    """Return the pseudo-inverse of a table times another one, by its triangle if tall.

    The triangle has the singular values of the table, and only it is decomposed.
    """
    if len(table) > 2 * table.shape[1] and table.size > LARGE:
        turned, triangle = linalg.qr_multiply(table, right.T, mode="right")
        table, right = np.asarray(triangle), np.asarray(turned).T
    return np.asarray(linalg.pinv(table, rtol=DEFLATED, check_finite=False) @ right)


class TwoTables(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    RegressorMixin,  # type: ignore[misc]
    MultiOutputMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """Pairs of directions, found one after another; subclasses say which."""

    _domains: ClassVar[Domains] = {
        "scale": flag,
        "n_components": whole(1),
        "max_iter": whole(1),
        "tol": nonnegative,
    }
    #: Whether both tables are explained alike, and whether columns are decorrelated.
    _canonical: ClassVar[bool] = False
    _decorrelated: ClassVar[bool] = False

    def __init__(
        self,
        n_components: int = 2,
        *,
        scale: bool = True,
        max_iter: int = 500,
        tol: float = 1e-6,
        copy: bool = True,
    ) -> None:
        self.n_components = n_components
        self.scale = scale
        self.max_iter = max_iter
        self.tol = tol
        self.copy = copy

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any) -> Self:
        """Find the pairs of directions; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
        """
        X, Y, scales = centred_pair(self, X, y)
        self._x_mean, self._y_mean, self._x_std, self._y_std = scales
        self._check_count(X, Y)
        self._find(X, Y)
        self._join()
        return self

    def _check_count(self, X: Matrix, Y: Matrix) -> None:
        most = min(X.shape) if not self._canonical else min(*X.shape, Y.shape[1])
        if self.n_components > most:
            raise InvalidParameterError(
                f"{type(self).__name__}.n_components must be at most {most}, got "
                f"{self.n_components}."
            )

    def _find(self, X: Matrix, Y: Matrix) -> None:
        found: list[tuple[Vector, ...]] = []
        self.n_iter_: list[int] = []
        for k in range(int(self.n_components)):
            Y = np.where((np.abs(Y) < 10 * EPSILON).all(axis=0), 0.0, Y)
            if not Y.any():  # all is explained: the other components are 0
                warnings.warn(
                    f"{type(self).__name__}: y residual is constant at iteration {k}",
                    UserWarning,
                    stacklevel=5,
                )
                break
            w, v = self._pair(X, Y)
            t = X @ w
            if not t.any() or not v.any():  # nothing goes together any more
                break
            u = Y @ v if self._canonical else Y @ v / (v @ v)
            p = t @ X / (t @ t)
            q = t @ Y / (t @ t)
            if self._canonical:
                q = u @ Y / max(float(u @ u), 1e-300)
            X = X - np.outer(t, p)
            Y = Y - np.outer(u if self._canonical else t, q)
            found.append((w, v, t, u, p, q))
        self._keep(found, X, Y)

    def _keep(self, found: list[tuple[Vector, ...]], X: Matrix, Y: Matrix) -> None:
        lengths = (X.shape[1], Y.shape[1], len(X), len(X), X.shape[1], Y.shape[1])
        names = ("x_weights_", "y_weights_", "_x_scores", "_y_scores", "x_loadings_")
        for k, name in enumerate((*names, "y_loadings_")):
            table = np.zeros((lengths[k], int(self.n_components)))
            for at, each in enumerate(found):
                table[:, at] = each[k]
            setattr(self, name, table)

    def _pair(self, X: Matrix, Y: Matrix) -> tuple[Vector, Vector]:
        """Return the pair of directions whose scores go together most."""
        if self._decorrelated:
            forth, back = _solved(X, Y), _solved(Y, X)
        else:
            forth = X.T @ Y
            back = forth.T
        first = int(np.argmax((np.abs(Y) > EPSILON).any(axis=0)))
        v = np.zeros(Y.shape[1])
        v[first] = 1.0
        w = np.full(X.shape[1], 100.0)
        turn = 0
        for turn in range(1, int(self.max_iter) + 1):  # noqa: B007
            before, w = w, forth @ v
            w = w / (np.sqrt(w @ w) + EPSILON)
            v = back @ w
            if self._canonical:
                v = v / (np.sqrt(v @ v) + EPSILON)
            elif not self._decorrelated:
                t = X @ w
                v = v / max(float(t @ t), 1e-300)
            if float(np.sum((w - before) ** 2)) < self.tol or Y.shape[1] == 1:
                break
        else:
            warnings.warn(
                f"{type(self).__name__}: maximum number of iterations reached",
                ConvergenceWarning,
                stacklevel=5,
            )
        self.n_iter_.append(turn)
        sign = 1.0 if w[np.argmax(np.abs(w))] >= 0 else -1.0
        return sign * w, sign * v

    def _join(self) -> None:
        inner = self.x_loadings_.T @ self.x_weights_
        self.x_rotations_ = self.x_weights_ @ linalg.pinv(inner, check_finite=False)
        inner = self.y_loadings_.T @ self.y_weights_
        self.y_rotations_ = self.y_weights_ @ linalg.pinv(inner, check_finite=False)
        slopes = self.x_rotations_ @ self.y_loadings_.T * self._y_std
        self.coef_ = np.asarray((slopes / self._x_std[:, None]).T)
        self.intercept_ = self._y_mean
        self._n_features_out = self.x_rotations_.shape[1]

    def transform(self, X: Any, y: Any = None, copy: bool = True) -> Any:  # noqa: FBT001, FBT002
        """Return the scores of samples; and of their targets, if given."""
        X = np.asarray(samples(self, X, accept_sparse=False), dtype=np.float64)
        told = (X - self._x_mean) / self._x_std @ self.x_rotations_
        if y is None:
            return told
        Y = np.asarray(array(y, ensure_2d=False), dtype=np.float64)
        Y = Y.reshape(len(X), -1)
        return told, (Y - self._y_mean) / self._y_std @ self.y_rotations_

    def inverse_transform(self, X: Any, y: Any = None) -> Any:
        """Return the samples that scores stand for; and the targets, if given."""
        check_fitted(self)
        told = np.asarray(array(X)) @ self.x_loadings_.T * self._x_std + self._x_mean
        if y is None:
            return told
        more = np.asarray(array(y)) @ self.y_loadings_.T * self._y_std + self._y_mean
        return told, more

    def predict(self, X: Any, copy: bool = True) -> Matrix:  # noqa: FBT001, FBT002
        """Return the targets of samples."""
        X = np.asarray(samples(self, X, accept_sparse=False), dtype=np.float64)
        told = (X - self._x_mean) @ self.coef_.T + self.intercept_
        return np.asarray(told.ravel() if self._flat else told)

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Fit, and return the scores of both tables."""
        return self.fit(X, y).transform(X, y)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = True
        tags.target_tags.required = False
        return tags
