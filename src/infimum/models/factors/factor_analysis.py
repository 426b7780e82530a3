"""Factor analysis: a few common causes, and noise of its own in every feature."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar, Self

import numpy as np
from scipy import linalg
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.exceptions import ConvergenceWarning

from infimum.data.doors import array, rows, samples
from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.covariance.empirical_covariance import Moments, log_likelihood
from infimum.parameters import (
    Choice,
    Domains,
    check_parameters,
    nonnegative,
    or_none,
    whole,
)
from infimum.typing import Matrix, Vector

__all__ = ["FactorAnalysis"]

#: A feature's own variance does not fall below this.
LEAST = 1e-12
#: A factor that explains less than this beyond the noise explains nothing.
ROUNDING = 1e-9
TWO_PI = float(np.log(2.0 * np.pi))


class FactorAnalysis(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    r"""Normal law with a covariance of low rank plus a diagonal, by likelihood.

    .. math:: x = μ + W^\top h + ε, \quad h ∼ N(0, I), \quad ε ∼ N(0, \mathrm{diag}(ψ))

    Factors and noise are improved in turn, each exactly for the other. The likelihood
    depends on the covariance only: a step costs no more for many rows.

    Parameters
    ----------
    n_components : int or None, default=None
        Factors; as many as features by default.
    tol : float, default=1e-2
        Stop when the log-likelihood grows by less.
    copy : bool, default=True
        Accepted for compatibility: X is never overwritten.
    max_iter : int, default=1000
    noise_variance_init : array-like of shape (n_features,) or None, default=None
        Where the noise begins; 1 by default.
    svd_method : {'lapack', 'randomized'}, default='randomized'
        Accepted for compatibility: axes are exact.
    iterated_power : int, default=3
        Accepted for compatibility.
    rotation : {'varimax', 'quartimax'} or None, default=None
        Turn the factors so that each loads on few features.
    random_state : int, RandomState or None, default=0
        Accepted for compatibility: nothing is drawn.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
    noise_variance_, mean_ : ndarray of shape (n_features,)
    loglike_ : list of float
        The log-likelihood after each step.
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = np.outer(rng.normal(size=200), [1.0, 2.0, 3.0]) + rng.normal(size=(200, 3))
    >>> model = FactorAnalysis(n_components=1).fit(X)
    >>> bool(np.all(np.diff(np.abs(model.components_[0])) > 0))
    True
    """

    _domains: ClassVar[Domains] = {
        "n_components": or_none(whole(0)),
        "tol": nonnegative,
        "max_iter": whole(1),
        "svd_method": Choice(("lapack", "randomized")),
        "iterated_power": whole(0),
        "rotation": or_none(Choice(("varimax", "quartimax"))),
    }

    def __init__(
        self,
        n_components: int | None = None,
        *,
        tol: float = 1e-2,
        copy: bool = True,
        max_iter: int = 1000,
        noise_variance_init: Any = None,
        svd_method: str = "randomized",
        iterated_power: int = 3,
        rotation: str | None = None,
        random_state: Any = 0,
    ) -> None:
        self.n_components = n_components
        self.tol = tol
        self.copy = copy
        self.max_iter = max_iter
        self.noise_variance_init = noise_variance_init
        self.svd_method = svd_method
        self.iterated_power = iterated_power
        self.rotation = rotation
        self.random_state = random_state

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None) -> Self:
        """Find factors and noise; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : ignored
        """
        check_parameters(self)
        admitted = rows(
            self, X, moderate=True, ensure_min_samples=2, accept_sparse=False
        )
        table = np.asarray(admitted.X, dtype=np.float64)
        found = Moments(table, None, centred=False)
        count = table.shape[1] if self.n_components is None else int(self.n_components)
        self.mean_ = found.mean
        W = self._climb(found, count)
        self.components_ = W if self.rotation is None else _turned(W, self.rotation)
        self.n_iter_ = len(self.loglike_)
        return self

    def _climb(self, found: Moments, count: int) -> Matrix:
        """Improve factors and noise in turn; keep noise and likelihoods."""
        S, p = found.covariance, len(found.mean)
        own = S.diagonal()
        noise = self._first_noise(p)
        self.loglike_: list[float] = []
        before = -np.inf
        for _ in range(int(self.max_iter)):
            root = np.sqrt(noise) + LEAST
            squares, axes = linalg.eigh(S / np.outer(root, root))
            squares, axes = np.maximum(squares[::-1], 0.0), axes[:, ::-1]
            axes = axes * np.where(
                axes[np.abs(axes).argmax(axis=0), range(p)] < 0, -1, 1
            )
            top = squares[:count]
            above = np.where(top - 1.0 > ROUNDING, top - 1.0, 0.0)
            W = np.sqrt(above)[:, None] * axes[:, :count].T * root
            told = np.sum(np.log(np.maximum(top, LEAST))) + squares[count:].sum()
            told += min(count, p) + p * TWO_PI + np.sum(np.log(noise))
            now = -found.count / 2.0 * float(told)
            self.loglike_.append(np.float64(now))
            if now - before < self.tol:
                break
            before = now
            noise = np.maximum(own - np.sum(W**2, axis=0), LEAST)
        else:
            warnings.warn(
                "FactorAnalysis did not converge. You might want to increase the "
                "number of iterations.",
                ConvergenceWarning,
                stacklevel=4,
            )
        self.noise_variance_ = noise
        return np.asarray(W)

    def _first_noise(self, p: int) -> Vector:
        if self.noise_variance_init is None:
            return np.ones(p)
        given = np.asarray(array(self.noise_variance_init, ensure_2d=False), float)
        if given.shape != (p,):
            raise DataError(
                "noise_variance_init dimension does not with number of features : "
                f"{given.size} != {p}"
            )
        return given

    def transform(self, X: Any) -> Matrix:
        """Return the expected factors of samples."""
        X = samples(self, X, accept_sparse=False) - self.mean_
        scaled = self.components_ / self.noise_variance_
        inner = np.eye(len(self.components_)) + scaled @ self.components_.T
        return np.asarray(linalg.solve(inner, (X @ scaled.T).T, assume_a="pos").T)

    def get_covariance(self) -> Matrix:
        """Return the covariance of the law."""
        from infimum.data.doors import check_fitted

        check_fitted(self)
        found = self.components_.T @ self.components_
        return np.asarray(found + np.diag(self.noise_variance_))

    def get_precision(self) -> Matrix:
        """Return the inverse of the covariance."""
        return np.asarray(linalg.inv(self.get_covariance()))

    def score_samples(self, X: Any) -> Vector:
        """Return the log-likelihood of each sample."""
        X = samples(self, X, accept_sparse=False) - self.mean_
        precision = self.get_precision()
        away = np.einsum("ij,ij->i", X @ precision, X)
        logarithm = np.linalg.slogdet(precision)[1]
        return np.asarray(-0.5 * (away + X.shape[1] * TWO_PI - logarithm))

    def score(self, X: Any, y: Any = None) -> float:
        """Return the mean log-likelihood of samples."""
        X = samples(self, X, accept_sparse=False) - self.mean_
        spread = Moments(np.asarray(X, dtype=float), None, centred=True).covariance
        return log_likelihood(spread, self.get_precision())

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)


def _turned(W: Matrix, method: str, *, steps: int = 100, tol: float = 1e-6) -> Matrix:
    """Return factors turned so that squares of loadings are as unequal as can be."""
    loadings = W.T
    p, count = loadings.shape
    turn, before = np.eye(count), 0.0
    for _ in range(steps):
        now = loadings @ turn
        pull = now**3
        if method == "varimax":
            pull = pull - now * (now**2).sum(axis=0) / p
        left, values, right = np.linalg.svd(loadings.T @ pull)
        turn = left @ right
        if before and values.sum() < before * (1.0 + tol):
            break
        before = float(values.sum())
    return np.asarray((loadings @ turn).T)
