"""Kernel principal component analysis: PCA in the feature space of a kernel."""

from collections.abc import Callable
from typing import Any, ClassVar, Self

import numpy as np
from scipy import linalg
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.exceptions import NotFittedError
from sklearn.utils import check_random_state
from sklearn.utils.extmath import svd_flip

from infimum.data.doors import check_fitted, things
from infimum.errors import DataError, IncompatibleError
from infimum.kernels import Kernel, Linear
from infimum.models._guarded_fit import forget, whole_or_not_at_all
from infimum.models._kernel_door import (
    is_precomputed,
    kernel_of,
)
from infimum.models.leading_eigenpairs import leading_eigenpairs
from infimum.objectives.kernel_tiles import kernel_tiles
from infimum.parameters import (
    Choice,
    Domains,
    check_parameters,
    nonnegative,
    or_none,
    real,
    whole,
)
from infimum.typing import Matrix, Vector

__all__ = ["KernelPCA"]

_SOLVERS = Choice(("auto", "dense", "arpack", "randomized"))
#: Entries of a block of kernel values between new and old samples.
BLOCK = 2**22
#: Above this many samples a few eigenvectors come cheaper from block Krylov.
DIRECT = 400
#: Linear kernel values of so many more samples than features are never decomposed.
NARROW = 2
#: From this `tol` on, kernel values kept in single precision are fine enough.
SINGLE = 1e-6


class KernelPCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    r"""Principal components of Φ(x), from kernel values alone.

    .. math:: \tilde K = H K H,\quad \tilde K a_j = λ_j a_j,\qquad
              z_j(x) = \frac{1}{\sqrt{λ_j}} \sum_i a_{ij}\, \tilde k(x_i, x)

    with :math:`H = I - \frac1n 1 1^\top`, which centres Φ. New samples are centred by
    the means of the old. Each eigenvalue comes with its residual.

    Parameters
    ----------
    n_components : int or None, default=None
        How many; None for all with a positive eigenvalue.
    kernel : str, Kernel or callable, default="linear"
        A kernel of `infimum.kernels` (on things of any kind), scikit-learn's name of
        one, a function of two samples, or "precomputed".
    gamma, degree, coef0 : float
        Parameters of a named kernel, as in scikit-learn.
    kernel_params : dict or None, default=None
        Further arguments of a kernel that is a function.
    alpha : float, default=1.0
        Strength of the ridge regression that learns pre-images.
    fit_inverse_transform : bool, default=False
        Learn pre-images: the way back from components to samples.
    eigen_solver : {"auto", "dense", "arpack", "randomized"}, default="auto"
        "dense" decomposes the whole matrix; "arpack" and "randomized" both stand for
        block Krylov, which finds the leading ones to their residual.
    tol : float, default=0
        Relative residual at which block Krylov stops; 0 stands for 1e-10. From 1e-6
        on the Gram matrix is kept in single precision, in half the memory.
    max_iter : int or None, default=None
        Most block products; None stands for 200.
    iterated_power, copy_X, n_jobs
        Accepted for compatibility: the residual decides when to stop, samples are kept
        as they are, and BLAS has its own threads.
    remove_zero_eig : bool, default=False
        Drop components without variance.
    random_state : int, RandomState or None, default=None
    center : bool, default=True
        False leaves Φ where it is, as the plain derivation does.

    Attributes
    ----------
    eigenvalues_ : ndarray of shape (n_components,)
    eigenvectors_ : ndarray of shape (n_samples, n_components)
    residuals_ : ndarray of shape (n_components,)
        There is an eigenvalue within this distance of the one stated.
    dual_coef_ : ndarray of shape (n_samples, n_features)
        Coefficients of the pre-images, if they were asked for.
    X_fit_ : the samples
    gamma_ : float

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [0.1], [5.0], [5.1]])
    >>> side = KernelPCA(1, kernel="rbf").fit_transform(X)[:, 0] > 0
    >>> (side == side[0]).tolist()
    [True, True, False, False]
    """

    _domains: ClassVar[Domains] = {
        "alpha": nonnegative,
        "coef0": real,
        "degree": nonnegative,
        "gamma": or_none(nonnegative),
        "max_iter": or_none(whole(1)),
        "tol": nonnegative,
        "eigen_solver": _SOLVERS,
        "n_components": or_none(whole(1)),
    }

    def __init__(
        self,
        n_components: int | None = None,
        *,
        kernel: str | Kernel | Callable[..., float] = "linear",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        alpha: float = 1.0,
        fit_inverse_transform: bool = False,
        eigen_solver: str = "auto",
        tol: float = 0,
        max_iter: int | None = None,
        iterated_power: Any = "auto",
        remove_zero_eig: bool = False,
        random_state: Any = None,
        copy_X: bool = True,
        n_jobs: int | None = None,
        center: bool = True,
    ) -> None:
        self.n_components = n_components
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.alpha = alpha
        self.fit_inverse_transform = fit_inverse_transform
        self.eigen_solver = eigen_solver
        self.tol = tol
        self.max_iter = max_iter
        self.iterated_power = iterated_power
        self.remove_zero_eig = remove_zero_eig
        self.random_state = random_state
        self.copy_X = copy_X
        self.n_jobs = n_jobs
        self.center = center

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None) -> Self:
        """Decompose the Gram matrix of the samples; return self."""
        self._check()
        X = things(self, X).X
        n = X.shape[0] if hasattr(X, "shape") else len(X)
        count = n if self.n_components is None else min(n, int(self.n_components))
        direct = self.eigen_solver == "dense" or (
            self.eigen_solver == "auto" and (n <= DIRECT or count > n // 8)
        )
        coarse = not direct and self.tol >= SINGLE and isinstance(X, np.ndarray)
        gram = self._coarse_gram(X) if coarse else self._compare(X, X)
        self.X_fit_ = _copied(X) if self.copy_X else X
        self._measure_means(gram)
        self._decompose(gram, count, direct=direct)
        forget(self, "dual_coef_", "X_transformed_fit_")
        if self.fit_inverse_transform:
            self._learn_pre_images(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Matrix:
        """Fit and return the components of the same samples."""
        self.fit(X)
        return np.asarray(self.eigenvectors_ * np.sqrt(self.eigenvalues_))

    def transform(self, X: Any) -> Matrix:
        """Return the components of samples, new ones included."""
        X = things(self, X, reset=False).X
        weights = self._weights()
        totals = weights.sum(axis=0)
        constant = self._gram_mean * totals - self._gram_means @ weights
        n = X.shape[0] if hasattr(X, "shape") else len(X)
        out = np.empty((n, weights.shape[1]), dtype=weights.dtype)
        step = max(1, BLOCK // len(weights))
        for start in range(0, n, step):
            block = self._compare(X[start : start + step], self.X_fit_)
            part = block @ weights
            if self.center:
                part += constant - np.outer(block.mean(axis=1), totals)
            out[start : start + step] = part
        return out

    def inverse_transform(self, X: Any) -> Matrix:
        """Return pre-images: samples whose components are about these."""
        check_fitted(self)
        if not hasattr(self, "dual_coef_"):
            raise NotFittedError(
                "KernelPCA learns pre-images only with fit_inverse_transform=True."
            )
        similar = self._compare(np.asarray(X), self.X_transformed_fit_)
        return np.asarray(similar @ self.dual_coef_)

    @property
    def gamma_(self) -> float:
        """The gamma in use: the one given, or 1 / n_features."""
        check_fitted(self, "n_features_in_")
        return 1.0 / self.n_features_in_ if self.gamma is None else float(self.gamma)

    def _check(self) -> None:
        check_parameters(self)
        if self.fit_inverse_transform and is_precomputed(self):
            raise IncompatibleError(
                "KernelPCA cannot learn pre-images from a precomputed kernel: they "
                "need the samples; pass the kernel itself."
            )

    def _coarse_gram(self, X: Matrix) -> Matrix:
        """Fill the Gram matrix in single precision: half the memory, half each read.

        Rounding moves residuals by about 1e-7 of the largest eigenvalue.
        """
        gram: Matrix = kernel_tiles(kernel_of(self), X, dtype=np.float32).block(
            np.arange(len(X))
        )
        return gram

    def _measure_means(self, gram: Matrix) -> None:
        from infimum.compiled.threads import in_parts

        n = len(gram)
        parts = max(1, gram.size // 2**18)  # rows that stay in a core's cache
        sums = in_parts(n, lambda rows: gram[rows].sum(axis=1, dtype=float), parts)
        rows: Vector = np.concatenate(sums) / n
        # What a user gives need not be symmetric.
        given = is_precomputed(self)
        self._gram_means: Vector = gram.mean(axis=0, dtype=float) if given else rows
        self._gram_mean = float(rows.mean())

    def _decompose(self, gram: Matrix, count: int, *, direct: bool) -> None:
        values: Vector
        vectors: Matrix
        residuals: Vector
        factor = self._factor(gram, count) if direct else None
        if factor is not None:
            values, vectors, residuals = _by_factor(factor, count)
        elif direct:
            values, vectors, residuals = self._all_at_once(gram, count)
        else:
            values, vectors, residuals = self._leading(gram, count)
        # Centring rounds by so much of the mean, which may be far above what is left.
        eps = float(np.finfo(gram.dtype).eps)
        lost = len(gram) * eps * abs(self._gram_mean)
        values = _without_rounding(values, lost)
        kept = self._kept(values)
        vectors, _ = svd_flip(vectors[:, kept], None)
        kind = self.X_fit_.dtype if isinstance(self.X_fit_, np.ndarray) else gram.dtype
        self.eigenvalues_ = np.maximum(values[kept], 0.0).astype(kind)
        self.eigenvectors_ = vectors.astype(kind)
        self.residuals_ = residuals[kept]
        self._n_features_out = len(self.eigenvalues_)

    def _factor(self, gram: Matrix, count: int) -> Matrix | None:
        """Return few columns whose products are the centred kernel values, if known."""
        X, asked = self.X_fit_, self.n_components is not None
        if type(X) is not np.ndarray or not isinstance(kernel_of(self), Linear):
            return None
        n, d = X.shape
        if NARROW * d > n or (asked and count > d) or X.dtype != gram.dtype:
            return None
        return np.asarray(X - X.mean(axis=0) if self.center else X)

    def _all_at_once(self, gram: Matrix, count: int) -> tuple[Vector, Matrix, Vector]:
        if self.center:
            gram -= self._gram_means
            gram -= gram.mean(axis=1, dtype=float)[:, None]
        n = len(gram)
        values, vectors = linalg.eigh(gram, subset_by_index=(n - count, n - 1))
        values, vectors = values[::-1], vectors[:, ::-1]
        residuals = np.linalg.norm(gram @ vectors - vectors * values, axis=0)
        return values, vectors, residuals

    def _leading(self, gram: Matrix, count: int) -> tuple[Vector, Matrix, Vector]:
        from infimum.compiled.threads import in_parts, one_blas_thread

        kind = gram.dtype

        def multiply(V: Matrix) -> Matrix:
            if self.center:
                V = V - V.mean(axis=0)
            V = V.astype(kind, copy=False)
            parts = in_parts(len(gram), lambda rows: gram[rows] @ V, 32)
            image = np.concatenate(parts).astype(float, copy=False)
            return image - image.mean(axis=0) if self.center else image

        with one_blas_thread():
            found = leading_eigenpairs(
                multiply,
                len(gram),
                count,
                tol=max(float(self.tol) or 1e-10, 8 * float(np.finfo(kind).eps)),
                max_products=200 if self.max_iter is None else int(self.max_iter),
                random_state=int(
                    check_random_state(self.random_state).randint(2**31 - 1)
                ),
            )
        return found.values, found.vectors, found.residuals

    def _kept(self, values: Vector) -> slice:
        """Components with variance first; the rest only where they were asked for."""
        if self.n_components is not None and not self.remove_zero_eig:
            return slice(None)
        noise = len(values) * np.finfo(values.dtype).eps * np.abs(values).max()
        return slice(0, int(np.count_nonzero(values > noise)))

    def _weights(self) -> Matrix:
        scale = np.sqrt(self.eigenvalues_)
        safe = np.where(scale > 0, scale, 1.0)
        return np.asarray(np.where(scale > 0, self.eigenvectors_ / safe, 0.0))

    def _learn_pre_images(self, X: Any) -> None:
        self.X_transformed_fit_ = self.eigenvectors_ * np.sqrt(self.eigenvalues_)
        gram = self._compare(self.X_transformed_fit_, self.X_transformed_fit_)
        gram[np.diag_indices_from(gram)] += self.alpha
        targets = X.toarray() if hasattr(X, "toarray") else X
        self.dual_coef_ = linalg.solve(gram, targets, assume_a="pos", overwrite_a=True)

    def _compare(self, X: Any, Z: Any) -> Matrix:
        kernel = kernel_of(self)
        if kernel is None:
            return np.array(X) if X is Z else np.asarray(X)
        return kernel(X, Z)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = is_precomputed(self)
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _by_factor(factor: Matrix, count: int) -> tuple[Vector, Matrix, Vector]:
    """Return the eigenpairs of FFᵀ by the singular values of F, with residuals."""
    vectors, sizes, _ = linalg.svd(factor, full_matrices=False)
    vectors, values = vectors[:, :count], np.square(sizes[:count])
    images = factor @ (factor.T @ vectors)
    return values, vectors, np.linalg.norm(images - vectors * values, axis=0)


def _copied(X: Any) -> Any:
    """Return things of one's own, whatever becomes of the user's."""
    return X.copy() if hasattr(X, "copy") else X


def _without_rounding(values: Vector, lost: float) -> Vector:
    """Return eigenvalues, the tiny ones as 0; refuse those clearly negative."""
    single = values.dtype == np.float32
    share, size, tiny = (5e-3, 1e-6, 2e-7) if single else (1e-5, 1e-10, 1e-12)
    top = float(values.max(initial=0.0))
    least = float(values.min(initial=0.0))
    if least < -share * top and least < -size - lost:
        raise DataError(
            "There are significant negative eigenvalues: KernelPCA needs a kernel that "
            f"is positive semi-definite, got {least:g} beside {top:g}."
        )
    return np.where(values <= tiny * top, 0.0, values)
