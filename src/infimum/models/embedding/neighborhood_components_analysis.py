"""Neighbourhood components: the linear map under which neighbours share a class."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, ClassVar, Self

import numpy as np
from scipy.optimize import minimize
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from infimum.data.doors import labelled, samples
from infimum.errors import InvalidParameterError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.embedding._neighbor_odds import NeighborOdds
from infimum.models.embedding._start_axes import discriminant_axes, leading_axes
from infimum.parameters import (
    Choice,
    Domains,
    check_domain,
    check_parameters,
    nonnegative,
    whole,
)
from infimum.typing import Indices, Matrix, Vector

__all__ = ["NeighborhoodComponentsAnalysis"]

_STARTS = Choice(("auto", "pca", "lda", "identity", "random"))


class NeighborhoodComponentsAnalysis(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    r"""A linear map that brings samples of one class together, learned from labels.

    .. math:: \max_A \sum_i \sum_{j \ne i,\, y_j = y_i} p_{ij}, \qquad
              p_{ij} = \frac{\exp(-\|A x_i - A x_j\|^2)}
              {\sum_{k \ne i} \exp(-\|A x_i - A x_k\|^2)}

    If every sample picks a neighbour at random, near ones more often than far ones,
    the sum is how many find one of their own class. The maximum may be a local one.
    Each iteration looks at all pairs, in tiles and on all cores; memory grows with the
    samples only.

    Parameters
    ----------
    n_components : int or None, default=None
        Dimensions of the image; None for all features.
    init : {"auto", "pca", "lda", "identity", "random"} or array-like, default="auto"
        Where to begin: principal axes, axes that separate the class means, the first
        features, random numbers, or a map of shape (n_components, n_features). "auto"
        takes "lda" if there are enough classes, else "pca", and "identity" where all
        dimensions are kept.
    warm_start : bool, default=False
        Whether a second fit begins where the first ended.
    max_iter : int, default=50
    tol : float, default=1e-5
        Stop when an iteration raises the sum by less than this share of it, or no
        entry of its gradient is larger.
    callback : callable or None, default=None
        Called after each iteration with the entries of the map, row by row, and the
        number of the iteration.
    verbose : int, default=0
        If not 0, a fit that runs out of iterations warns.
    random_state : int, RandomState or None, default=None
        Of a random beginning, and of iterations for principal axes.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
    expected_accuracy_ : float
        The share of samples that find a neighbour of their class, as maximised.
    converged_ : bool
        Whether the tolerance ended the search.
    n_iter_, n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> generator = np.random.default_rng(0)
    >>> X = generator.standard_normal((60, 3)) * [1.0, 1.0, 50.0]
    >>> y = X[:, 0] > 0
    >>> model = NeighborhoodComponentsAnalysis(1).fit(X, y)
    >>> bool(model.expected_accuracy_ > 0.8), model.transform(X).shape
    (True, (60, 1))

    References
    ----------
    Goldberger, Hinton, Roweis & Salakhutdinov (2005), Neural Information Processing
    Systems 17.
    """

    _domains: ClassVar[Domains] = {
        "max_iter": whole(1),
        "tol": nonnegative,
    }

    components_: Matrix

    def __init__(
        self,
        n_components: int | None = None,
        *,
        init: Any = "auto",
        warm_start: bool = False,
        max_iter: int = 50,
        tol: float = 1e-5,
        callback: Callable[[Vector, int], Any] | None = None,
        verbose: int = 0,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.init = init
        self.warm_start = warm_start
        self.max_iter = max_iter
        self.tol = tol
        self.callback = callback
        self.verbose = verbose
        self.random_state = random_state

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any) -> Self:
        """Learn the map; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Class labels.
        """
        check_parameters(self)
        rule: Any = {"accept_sparse": False, "ensure_min_samples": 2}
        found = labelled(self, X, y, fewest=1, moderate=True, **rule)
        X, codes = found.X, found.y
        start = self._start(np.asarray(X, dtype=np.float64), codes)
        self._ascend(NeighborOdds(X, codes), start)
        self.components_ = self.components_.astype(X.dtype)
        return self

    def transform(self, X: Any) -> Matrix:
        """Return the images of samples."""
        X = samples(self, X, moderate=True, accept_sparse=False)
        return np.asarray(X @ self.components_.T)

    def _ascend(self, odds: NeighborOdds, start: Matrix) -> None:
        def judge(entries: Vector) -> tuple[float, Vector]:
            value, gradient = odds.judge(entries.reshape(start.shape))
            return -value, -gradient.ravel()

        numbers = iter(range(1, self.max_iter + 1))

        def told(entries: Vector) -> None:
            if self.callback is not None:
                self.callback(entries, next(numbers))

        search: Any = minimize  # whose stubs know no such callback
        found = search(
            judge, start.ravel(), method="L-BFGS-B", jac=True, tol=self.tol,
            callback=told, options={"maxiter": self.max_iter},
        )  # fmt: skip
        self.components_ = found.x.reshape(start.shape)
        self.expected_accuracy_ = -float(found.fun) / len(odds.X)
        self.converged_, self.n_iter_ = bool(found.success), max(1, int(found.nit))
        if self.verbose and not self.converged_:
            warnings.warn(
                "NeighborhoodComponentsAnalysis did not converge in max_iter="
                f"{self.max_iter} iterations.",
                ConvergenceWarning,
                stacklevel=4,
            )

    def _start(self, X: Matrix, codes: Indices) -> Matrix:
        d = X.shape[1]
        if self.n_components is not None:
            name = "NeighborhoodComponentsAnalysis.n_components"
            check_domain(name, self.n_components, whole(1, d))
        if self.warm_start and hasattr(self, "components_"):
            return _given(self.components_, "components_", None, d)
        if not isinstance(self.init, str):
            return _given(self.init, "init", self.n_components, d)
        check_domain("NeighborhoodComponentsAnalysis.init", self.init, _STARTS)
        count = int(self.n_components or d)
        name = _best_start(X.shape, count, codes) if self.init == "auto" else self.init
        if name == "identity":
            return np.eye(count, d)
        generator = check_random_state(self.random_state)
        if name == "random":
            return np.asarray(generator.standard_normal((count, d)))
        if name == "lda":
            return discriminant_axes(X, codes, count)
        axes = leading_axes(X, count, int(generator.randint(2**31 - 1)))
        return np.vstack([axes, np.zeros((count - len(axes), d))])

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _best_start(shape: tuple[int, ...], count: int, codes: Indices) -> str:
    n, d = shape
    if count <= min(d, int(codes.max())):
        return "lda"
    return "pca" if count < min(n, d) else "identity"


def _given(init: Any, name: str, count: int | None, d: int) -> Matrix:
    """Admit a map to begin with: no more rows than columns, one column a feature."""
    start = np.array(init, dtype=np.float64)
    fits = start.ndim == 2 and start.shape[1] == d and 1 <= len(start) <= d  # noqa: PLR2004
    if not fits or not np.isfinite(start).all() or count not in (None, len(start)):
        rows = f"{count}" if count is not None else f"1 to {d}"
        raise InvalidParameterError(
            f"NeighborhoodComponentsAnalysis.{name} must have {rows} rows and {d} "
            f"columns of finite numbers, one a feature, got shape {start.shape}."
        )
    return start
