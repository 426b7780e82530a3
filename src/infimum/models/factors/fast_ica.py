"""Independent components: directions in which the data are least normal."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, ClassVar, Self

import numpy as np
from scipy import linalg
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from infimum.data.doors import array, check_fitted, rows, samples
from infimum.errors import DataError, InvalidParameterError
from infimum.limits import in_time
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.parameters import (
    Choice,
    Domains,
    Interval,
    check_parameters,
    nonnegative,
    or_none,
    whole,
)
from infimum.typing import Matrix, Vector

__all__ = ["FastICA", "fastica"]

#: Values of a component, and the mean of the derivative: what a contrast returns.
Contrast = Callable[[Matrix], tuple[Matrix, Vector]]
ALGORITHMS = Choice(("parallel", "deflation"))
WHITENINGS = Choice(("unit-variance", "arbitrary-variance", False))
SLOPES = Interval(1, 2)
#: Axes this much shorter than the longest may be rounding.
FLAT = 1e-7


def _logcosh(slope: float) -> Contrast:
    def contrast(x: Matrix) -> tuple[Matrix, Vector]:
        told = np.tanh(x if slope == 1.0 else slope * x)
        return told, slope * (
            1.0 - np.einsum("...i,...i->...", told, told) / x.shape[-1]
        )

    return contrast


def _exponential(x: Matrix) -> tuple[Matrix, Vector]:
    bell = np.exp(-(x**2) / 2.0)
    return x * bell, np.mean((1.0 - x**2) * bell, axis=-1)


def _cube(x: Matrix) -> tuple[Matrix, Vector]:
    square = x**2
    return x * square, np.mean(3.0 * square, axis=-1)


def _contrast(fun: Any, arguments: dict[str, Any]) -> Contrast:
    if callable(fun):

        def given(x: Matrix) -> tuple[Matrix, Vector]:
            told, bend = fun(x, **arguments)
            bend = np.asarray(bend)
            return told, bend.mean(axis=-1) if bend.ndim == x.ndim else bend

        return given
    if fun == "logcosh":
        slope = arguments.get("alpha", 1.0)
        if slope not in SLOPES:
            raise InvalidParameterError(
                f"FastICA.fun_args: alpha must be {SLOPES}, got {slope!r}."
            )
        return _logcosh(float(slope))
    known = {"exp": _exponential, "cube": _cube}
    if fun not in known:
        raise InvalidParameterError(
            "FastICA.fun must be one of 'logcosh', 'exp', 'cube' or a function, got "
            f"{fun!r}."
        )
    return known[fun]


def _decorrelated(W: Matrix) -> Matrix:
    """Return (W Wᵀ)^(-1/2) W: the nearest matrix with orthonormal rows."""
    squares, vectors = linalg.eigh(W @ W.T)
    squares = np.clip(squares, np.finfo(W.dtype).tiny, None)
    return np.asarray((vectors / np.sqrt(squares)) @ vectors.T @ W)


def _all_at_once(
    Z: Matrix, contrast: Contrast, W: Matrix, tol: float, limit: int
) -> tuple[Matrix, int, bool]:
    """Move all directions together until none turns."""
    W, n = _decorrelated(W), Z.shape[1]
    for turn in in_time(range(1, limit + 1)):
        told, bend = contrast(W @ Z)
        fresh = _decorrelated(told @ Z.T / n - bend[:, None] * W)
        turned = float(np.abs(np.abs(np.einsum("ij,ij->i", fresh, W)) - 1.0).max())
        W = fresh
        if turned < tol:
            return W, turn, True
    return W, turn, False


def _one_by_one(
    Z: Matrix, contrast: Contrast, start: Matrix, tol: float, limit: int
) -> tuple[Matrix, int, bool]:
    """Find a direction, then the next one at right angles, and so on."""
    W = np.zeros_like(start)
    longest, settled = 0, True
    for j, first in enumerate(start):
        w = first / np.sqrt(first @ first)
        for turn in in_time(range(1, limit + 1)):  # noqa: B007
            told, bend = contrast((w @ Z)[None])
            fresh = (told @ Z.T / Z.shape[1])[0] - bend[0] * w
            fresh = fresh - fresh @ W[:j].T @ W[:j]
            fresh = fresh / np.sqrt(fresh @ fresh)
            turned = abs(abs(float(fresh @ w)) - 1.0)
            w = fresh
            if turned < tol:
                break
        settled = settled and turned < tol
        longest = max(longest, turn)
        W[j] = w
    return W, longest, settled


class FastICA(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """Independent sources of a table that mixes them linearly.

    The data are whitened; then directions are turned until their contrast, which is
    least for normal data, no longer grows (Hyvärinen & Oja 2000). The problem is not
    convex.

    Parameters
    ----------
    n_components : int or None, default=None
        How many sources; all by default.
    algorithm : {'parallel', 'deflation'}, default='parallel'
        All directions together, or one after another.
    whiten : {'unit-variance', 'arbitrary-variance', False}, default='unit-variance'
        Whether data are whitened, and whether sources have variance 1.
    fun : {'logcosh', 'exp', 'cube'} or callable, default='logcosh'
        The derivative of the contrast; a function returns it and its own derivative.
    fun_args : dict or None, default=None
        What the function is given; 'logcosh' knows ``alpha`` in [1, 2].
    max_iter : int, default=200
    tol : float, default=1e-4
        Stop when no direction turns by more.
    w_init : array-like of shape (n_components, n_components) or None, default=None
        Where to begin; at random by default.
    whiten_solver : {'svd', 'eigh'}, default='svd'
        Accepted for compatibility: both whiten alike.
    random_state : int, RandomState or None, default=None

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        From data to sources.
    mixing_ : ndarray of shape (n_features, n_components)
        From sources to data.
    mean_ : ndarray of shape (n_features,)
    whitening_ : ndarray of shape (n_components, n_features)
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> S = np.random.default_rng(0).uniform(-1.0, 1.0, size=(500, 2))
    >>> X = S @ [[1.0, 0.5], [0.3, 1.0]]
    >>> found = FastICA(random_state=0).fit_transform(X)
    >>> bool(np.abs(np.corrcoef(found.T, S.T)[:2, 2:]).max(axis=1).min() > 0.98)
    True
    """

    _domains: ClassVar[Domains] = {
        "n_components": or_none(whole(1)),
        "algorithm": ALGORITHMS,
        "whiten": WHITENINGS,
        "max_iter": whole(1),
        "tol": nonnegative,
        "whiten_solver": Choice(("eigh", "svd")),
    }

    def __init__(
        self,
        n_components: int | None = None,
        *,
        algorithm: str = "parallel",
        whiten: Any = "unit-variance",
        fun: Any = "logcosh",
        fun_args: dict[str, Any] | None = None,
        max_iter: int = 200,
        tol: float = 1e-4,
        w_init: Any = None,
        whiten_solver: str = "svd",
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.algorithm = algorithm
        self.whiten = whiten
        self.fun = fun
        self.fun_args = fun_args
        self.max_iter = max_iter
        self.tol = tol
        self.w_init = w_init
        self.whiten_solver = whiten_solver
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the sources; return self."""
        self.fit_transform(X)
        return self

    @whole_or_not_at_all
    def fit_transform(self, X: Any, y: Any = None) -> Matrix:
        """Find the sources and return them: rows × components."""
        check_parameters(self)
        table = rows(
            self, X, moderate=True, ensure_min_samples=2, accept_sparse=False
        ).X
        contrast = _contrast(self.fun, dict(self.fun_args or {}))
        Z, whitening = self._whitened(table)
        W = self._turn(Z, contrast)
        self.mean_ = table.mean(axis=0) if self.whiten else np.zeros(0)
        sources = (W @ (whitening @ (table - self.mean_).T if self.whiten else Z)).T
        if self.whiten == "unit-variance":
            spread = sources.std(axis=0)
            spread[spread == 0.0] = 1.0
            sources, W = sources / spread, W / spread[:, None]
        self.components_ = W @ whitening if self.whiten else W
        self.whitening_ = whitening
        self.mixing_ = np.asarray(linalg.pinv(self.components_, check_finite=False))
        self._unmixing = W
        return np.asarray(sources)

    def _whitened(self, X: Matrix) -> tuple[Matrix, Matrix]:
        """Return columns with covariance 1, and the matrix that makes them."""
        n, d = X.shape
        if not self.whiten:
            if self.n_components is not None:
                warnings.warn("Ignoring n_components with whiten=False.", stacklevel=4)
            return np.asarray(X.T), np.eye(d, dtype=X.dtype)
        count = min(n, d) if self.n_components is None else int(self.n_components)
        if count > min(n, d):
            count = min(n, d)
            warnings.warn(
                f"n_components is too large: it will be set to {count}", stacklevel=4
            )
        centred = (X - X.mean(axis=0)).T
        if n >= d:
            squares, axes = linalg.eigh(centred @ centred.T)
            squares, axes = np.maximum(squares[::-1], 0.0), axes[:, ::-1]
            values = np.sqrt(squares)
        else:
            axes, values = linalg.svd(centred, full_matrices=False)[:2]
        axes, values = axes[:, :count], values[:count]
        if self.whiten_solver == "eigh" and values[-1] <= FLAT * values[0]:
            warnings.warn(
                "There are some small singular values: FastICA.whiten_solver='svd' "
                "tells them from rounding.",
                stacklevel=4,
            )
        axes = axes * np.where(axes[0] < 0, -1.0, 1.0).astype(X.dtype)
        values = np.maximum(
            values, np.finfo(X.dtype).eps * 10.0 * max(values[0], 1e-30)
        )
        whitening = np.ascontiguousarray((axes / values).T, dtype=X.dtype)
        return np.asarray(whitening @ centred) * X.dtype.type(np.sqrt(n)), whitening

    def _turn(self, Z: Matrix, contrast: Contrast) -> Matrix:
        count = len(Z)
        if self.w_init is None:
            random = check_random_state(self.random_state)
            start = random.normal(size=(count, count)).astype(Z.dtype)
        else:
            start = np.asarray(array(self.w_init), dtype=Z.dtype)
            if start.shape != (count, count):
                raise DataError(
                    f"FastICA.w_init must have shape {(count, count)}, got "
                    f"{start.shape}."
                )
        run = _all_at_once if self.algorithm == "parallel" else _one_by_one
        W, self.n_iter_, settled = run(
            Z, contrast, start, float(self.tol), int(self.max_iter)
        )
        if not settled:
            warnings.warn(
                "FastICA did not converge. Consider increasing tolerance or the "
                "maximum number of iterations.",
                ConvergenceWarning,
                stacklevel=5,
            )
        return W

    def transform(self, X: Any, copy: bool = True) -> Matrix:  # noqa: FBT001, FBT002
        """Return the sources of samples."""
        X = samples(self, X, accept_sparse=False)
        if self.whiten:
            X = X - self.mean_
        return np.asarray(X @ self.components_.T)

    def inverse_transform(self, X: Any, copy: bool = True) -> Matrix:  # noqa: FBT001, FBT002
        """Return the data that sources make."""
        check_fitted(self)
        told = np.asarray(array(X)) @ self.mixing_.T
        return np.asarray(told + self.mean_ if self.whiten else told)

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def fastica(
    X: Any,
    n_components: int | None = None,
    *,
    algorithm: str = "parallel",
    whiten: Any = "unit-variance",
    fun: Any = "logcosh",
    fun_args: dict[str, Any] | None = None,
    max_iter: int = 200,
    tol: float = 1e-4,
    w_init: Any = None,
    whiten_solver: str = "svd",
    random_state: Any = None,
    return_X_mean: bool = False,
    compute_sources: bool = True,
    return_n_iter: bool = False,
) -> tuple[Any, ...]:
    """Return whitening, unmixing and sources of a table; see `FastICA`.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    n_components, algorithm, whiten, fun, fun_args, max_iter, tol, w_init, \
whiten_solver, random_state
        As in `FastICA`.
    return_X_mean, return_n_iter : bool, default=False
        Whether to return the mean and the number of turns, too.
    compute_sources : bool, default=True

    Returns
    -------
    K, W, S : ndarray
        Whitening (None without), unmixing of whitened data, sources (or None); then the
        mean and the number of turns if asked for.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).uniform(size=(50, 2))
    >>> K, W, S = fastica(X, random_state=0)
    >>> np.allclose(S, (X - X.mean(axis=0)) @ (W @ K).T)
    True
    """
    model = FastICA(
        n_components, algorithm=algorithm, whiten=whiten, fun=fun, fun_args=fun_args,
        max_iter=max_iter, tol=tol, w_init=w_init, whiten_solver=whiten_solver,
        random_state=random_state,
    )  # fmt: skip
    sources = model.fit_transform(X)
    whitening = model.whitening_ if whiten else None
    told: tuple[Any, ...] = (whitening, model._unmixing)
    told += (sources if compute_sources else None,)
    if return_X_mean:
        told += (model.mean_ if whiten else None,)
    return told + ((model.n_iter_,) if return_n_iter else ())
