"""Principal component analysis: the directions in which data vary most."""

from typing import Any, ClassVar, Self

import numpy as np
from scipy import stats
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils import check_random_state

from infimum.data.doors import check_fitted, refuse_huge, refuse_tiny, rows, samples
from infimum.data.doors.streamed_rows import streams
from infimum.errors import IncompatibleError, InvalidParameterError
from infimum.features.columns import is_sparse
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.embedding.axes._dimension import most_evident_dimension
from infimum.models.embedding.axes._principal_axes import (
    PrincipalAxes,
    choose_route,
    principal_axes,
)
from infimum.parameters import (
    Choice,
    Domains,
    check_domain,
    check_parameters,
    flag,
    nonnegative,
    opened,
    whole,
)
from infimum.typing import Matrix, Vector

__all__ = ["PCA", "TINY"]

#: Squares that add up to less may have vanished.
TINY = 1e-280
_SOLVERS = Choice(("auto", "full", "covariance_eigh", "gram", "arpack", "randomized"))


class PCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    r"""The k-dimensional affine subspace nearest to the data.

    .. math:: \min_{M M^\top = I,\ b}\ \frac1n \sum_i
              \| x_i - (b + M^\top M (x_i - b)) \|^2

    Its rows are the directions of largest variance, its offset is the mean. Dense or
    sparse input; sparse data are never made dense unless a solver that needs it is
    asked for.

    Parameters
    ----------
    n_components : int, float, "mle" or None, default=None
        How many axes; a number below 1 asks for that share of the variance, "mle" for
        the number with the largest evidence, None for all.
    copy : bool, default=True
        Accepted for compatibility: the data are never overwritten.
    whiten : bool, default=False
        Scale the scores to unit variance.
    svd_solver : str, default="auto"
        Route: "covariance_eigh" (many rows, few columns), "gram" (few rows, many
        columns), "full" (the decomposition of the data itself, the most exact),
        "arpack" or "randomized" (both: block Krylov, leading axes only, each with a
        residual), or "auto" by shape.
    tol : float, default=0.0
        Relative residual at which block Krylov stops; 0 stands for 1e-10.
    iterated_power, n_oversamples, power_iteration_normalizer
        Accepted for compatibility: the residual decides when to stop.
    random_state : int, RandomState or None, default=None
        Start of block Krylov.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
    explained_variance_, explained_variance_ratio_, singular_values_ : ndarray
    residuals_ : ndarray
        Bound on the error of each squared singular value; empty for direct routes.
    mean_ : ndarray of shape (n_features,)
    n_components_, n_samples_, n_features_in_ : int
    noise_variance_ : float
        Mean variance of the axes left out.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0, 0.0], [1.0, 2.0], [2.0, 4.0]])
    >>> PCA(1).fit(X).explained_variance_.round(6)
    array([5.])
    """

    _domains: ClassVar[Domains] = {
        "tol": nonnegative,
        "whiten": flag,
        "svd_solver": _SOLVERS,
    }

    def __init__(
        self,
        n_components: int | float | str | None = None,
        *,
        copy: bool = True,
        whiten: bool = False,
        svd_solver: str = "auto",
        tol: float = 0.0,
        iterated_power: Any = "auto",
        n_oversamples: int = 10,
        power_iteration_normalizer: str = "auto",
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.copy = copy
        self.whiten = whiten
        self.svd_solver = svd_solver
        self.tol = tol
        self.iterated_power = iterated_power
        self.n_oversamples = n_oversamples
        self.power_iteration_normalizer = power_iteration_normalizer
        self.random_state = random_state

    @streams("infimum.models.streamed.moments:fit_pca")
    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the axes; return self."""
        check_parameters(self)
        X = rows(self, X, ensure_min_samples=2).X
        wanted = self._wanted(X.shape)
        route = self._route(X, wanted)
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        found = self._axes(X, route, wanted, seed)
        if found.total < TINY:
            refuse_tiny(self, X)
        self._keep(found, self._count(found, X.shape[0]), X)
        return self

    def _axes(self, X: Any, route: str, wanted: int, seed: int) -> PrincipalAxes:
        """Return the axes; numbers too large for squares are refused."""
        if route != "covariance_eigh":
            refuse_huge(self, X)
        try:
            with np.errstate(over="ignore", invalid="ignore"):
                return principal_axes(X, route, wanted, tol=float(self.tol), seed=seed)
        except ValueError:
            # Many rows are not read once more for what their products show as well.
            refuse_huge(self, X)
            raise

    def fit_transform(self, X: Any, y: Any = None) -> Matrix:
        """Fit and return the scores of the same samples."""
        return self.fit(X).transform(X)

    def transform(self, X: Any) -> Matrix:
        """Return the coordinates of samples along the axes."""
        X = samples(self, X)
        scores = np.asarray(X @ self.components_.T)
        middle = self.mean_ @ self.components_.T
        if middle.dtype == scores.dtype:  # in place: a table may be large
            scores -= middle
        else:
            scores = scores - middle
        return scores / self._scales() if self.whiten else scores

    def inverse_transform(self, X: Any) -> Matrix:
        """Return the points of the subspace with these coordinates."""
        check_fitted(self)
        scores = np.asarray(X) * self._scales() if self.whiten else np.asarray(X)
        return np.asarray(scores @ self.components_ + self.mean_)

    def reconstruction_error(self, X: Any) -> float:
        """Return the mean squared distance of samples from the subspace."""
        return float(np.mean(self._split(samples(self, X))[1]))

    def explained_variance_interval(self, level: float = 0.95) -> Matrix:
        r"""Return lower and upper confidence limits, one row per axis.

        For Gaussian data :math:`\log\hatλ` is nearly normal around :math:`\logλ` with
        variance 2/(n - 1) when the eigenvalues are distinct.
        """
        check_fitted(self)
        check_domain("PCA.explained_variance_interval: level", level, opened(0.0, 1.0))
        reach = stats.norm.ppf((1 + level) / 2) * np.sqrt(2.0 / (self.n_samples_ - 1))
        spread = np.exp(np.array([-reach, reach]))
        return np.asarray(self.explained_variance_[:, None] * spread)

    def get_covariance(self) -> Matrix:
        """Return the covariance of the model: axes plus isotropic noise."""
        check_fitted(self)
        extra = np.maximum(self.explained_variance_ - self.noise_variance_, 0.0)
        model = (self.components_.T * extra) @ self.components_
        model[np.diag_indices_from(model)] += self.noise_variance_
        return np.asarray(model)

    def get_precision(self) -> Matrix:
        """Return the inverse of the covariance of the model."""
        return np.asarray(np.linalg.inv(self.get_covariance()))

    def score_samples(self, X: Any) -> Vector:
        """Return the Gaussian log-density of each sample under the model."""
        scores, left = self._split(samples(self, X))
        d, noise = self.components_.shape[1], float(self.noise_variance_)
        sizes = np.maximum(self.explained_variance_.astype(np.float64), noise)
        others = d - len(sizes)
        least = min(float(sizes.min(initial=np.inf)), noise if others else np.inf)
        most = float(sizes.max(initial=noise))
        if least <= d * np.finfo(self.components_.dtype).eps * most:
            raise IncompatibleError(
                "PCA: the model has no density, since it leaves no noise; keep fewer "
                "components or all of them with data of full rank."
            )
        volume = float(np.log(sizes).sum())
        distances = np.sum(scores**2 / sizes, axis=1)
        if others:
            volume += others * float(np.log(noise))
            distances += left / noise
        return np.asarray(-0.5 * (distances + volume + d * np.log(2.0 * np.pi)))

    def score(self, X: Any, y: Any = None) -> float:
        """Return the mean log-density of samples."""
        return float(np.mean(self.score_samples(X)))

    def _split(self, X: Any) -> tuple[Matrix, Vector]:
        """Return coordinates in the subspace, and squared distances from it.

        Those of sparse samples come from ‖x - μ‖², whose parts need no dense row.
        """
        axes, mean = (
            part.astype(np.float64) for part in (self.components_, self.mean_)
        )
        scores = np.asarray(X @ axes.T - mean @ axes.T)
        if not is_sparse(X):
            apart = X - mean - scores @ axes
            return scores, np.asarray(np.sum(apart**2, axis=1))
        squares = np.asarray(X.multiply(X).sum(axis=1), dtype=np.float64).ravel()
        squares += mean @ mean - 2.0 * (X @ mean)
        return scores, np.maximum(squares - np.sum(scores**2, axis=1), 0.0)

    def _wanted(self, shape: tuple[int, int]) -> int:
        """How many axes must be computed before the number to keep is known."""
        asked, most = self.n_components, min(shape)
        if asked is None or asked == "mle" or isinstance(asked, float):
            if isinstance(asked, float) and not 0.0 < asked < 1.0:
                raise InvalidParameterError(
                    "PCA.n_components as a share of the variance must lie strictly "
                    f"between 0 and 1, got {asked!r}."
                )
            if asked == "mle" and shape[0] < shape[1]:
                raise InvalidParameterError(
                    "PCA.n_components='mle' needs at least as many samples as "
                    f"features, got {shape[0]} and {shape[1]}."
                )
            return most
        least = 1 if self.svd_solver == "arpack" else 0
        if asked not in whole(least, most):
            raise InvalidParameterError(
                f"PCA.n_components must be between {least} and {most} = min(n_samples, "
                f"n_features), a share in (0, 1), 'mle' or None, got {asked!r}."
            )
        return int(asked)

    def _route(self, X: Any, wanted: int) -> str:
        asked = self.svd_solver
        kept_sparse = is_sparse(X)
        if asked == "auto":
            return choose_route(X.shape, wanted, stay_sparse=kept_sparse)
        if asked == "full" and kept_sparse:
            raise IncompatibleError(
                "PCA: svd_solver='full' would make sparse data dense; use 'auto', "
                "'arpack' or 'covariance_eigh'."
            )
        return "krylov" if asked in {"arpack", "randomized"} else asked

    def _count(self, found: PrincipalAxes, samples: int) -> int:
        if self.n_components == "mle":
            return most_evident_dimension(found.squares / (samples - 1), samples)
        if isinstance(self.n_components, float):
            shares = np.cumsum(found.squares) / max(found.total, np.finfo(float).tiny)
            below = int(np.searchsorted(shares, self.n_components, side="right"))
            return min(below + 1, len(shares))
        return len(found.squares)

    def _keep(self, found: PrincipalAxes, count: int, X: Any) -> None:
        n, d = X.shape
        variances = found.squares[:count] / (n - 1)
        total = found.total / (n - 1)
        left = min(n, d) - count
        rest = max(total - float(variances.sum(dtype=np.float64)), 0.0)
        kind = X.dtype
        self.mean_ = found.mean
        self.components_ = np.ascontiguousarray(found.axes[:count], dtype=kind)
        self.explained_variance_ = variances.astype(kind)
        share = variances / total if total > 0 else np.zeros_like(variances)
        self.explained_variance_ratio_ = share.astype(kind)
        self.singular_values_ = np.sqrt(found.squares[:count]).astype(kind)
        self.residuals_ = found.residuals[:count]
        self.noise_variance_ = rest / left if left else 0.0
        self.n_components_ = count
        self.n_samples_ = n
        self._n_features_out = count

    def _scales(self) -> Vector:
        scales = np.sqrt(self.explained_variance_)
        least = np.finfo(scales.dtype).eps
        return np.asarray(np.where(scales < least, least, scales))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
