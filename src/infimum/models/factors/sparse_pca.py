"""Principal axes on few features each."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from scipy import linalg
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils import check_random_state
from sklearn.utils.extmath import svd_flip

from infimum.data.doors import array, check_fitted, rows, samples
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.factors.dictionary_learning import METHODS, learn_dictionary
from infimum.models.factors.sparse_encode import Coding
from infimum.parameters import (
    Domains,
    check_parameters,
    nonnegative,
    or_none,
    whole,
)
from infimum.typing import Matrix

__all__ = ["SparsePCA"]


class SparsePCA(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    r"""Axes that pay for their length, so that few features make each of them.

    .. math:: \min_{U, V} ½‖X - U V‖_F^2 + α ‖V‖_1, \quad ‖U_k‖ ≤ 1

    It is `DictionaryLearning` of the transposed table: the features have the codes.
    The problem is not convex as a whole: a local minimum is found.

    Parameters
    ----------
    n_components : int or None, default=None
        Axes; as many as features by default.
    alpha : float, default=1
        What a unit of an axis costs.
    ridge_alpha : float, default=0.01
        The ridge under which `transform` finds coordinates.
    max_iter : int, default=1000
    tol : float, default=1e-8
        Stop when a step lowers the objective by a smaller share.
    method : {'lars', 'cd'}, default='lars'
        Accepted for compatibility: the axes are the same.
    n_jobs : int or None, default=None
        Accepted for compatibility: both cores are used.
    U_init : ndarray of shape (n_samples, n_components), optional
    V_init : ndarray of shape (n_components, n_features), optional
        Where to begin, if both are given; else at the leading axes.
    verbose : bool or int, default=False
    random_state : int, RandomState or None, default=None

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        Axes of length 1, or 0.
    error_ : list of float
        The objective after each step.
    code_gap_ : float
        The worst gap of duality of a feature's code in the last step.
    mean_ : ndarray of shape (n_features,)
    n_components_ : int
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(60, 4)) * [0.1, 0.1, 0.1, 2.0]
    >>> np.abs(SparsePCA(n_components=1, alpha=2).fit(X).components_)
    array([[0., 0., 0., 1.]])
    """

    _domains: ClassVar[Domains] = {
        "n_components": or_none(whole(1)),
        "alpha": nonnegative,
        "ridge_alpha": nonnegative,
        "max_iter": whole(0),
        "tol": nonnegative,
        "method": METHODS,
    }

    def __init__(
        self,
        n_components: int | None = None,
        *,
        alpha: float = 1,
        ridge_alpha: float = 0.01,
        max_iter: int = 1000,
        tol: float = 1e-8,
        method: str = "lars",
        n_jobs: int | None = None,
        U_init: Any = None,
        V_init: Any = None,
        verbose: Any = False,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.alpha = alpha
        self.ridge_alpha = ridge_alpha
        self.max_iter = max_iter
        self.tol = tol
        self.method = method
        self.n_jobs = n_jobs
        self.U_init = U_init
        self.V_init = V_init
        self.verbose = verbose
        self.random_state = random_state

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the axes; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : ignored
        """
        check_parameters(self)
        table = np.asarray(rows(self, X, moderate=True, accept_sparse=False).X)
        self.mean_ = table.mean(axis=0)
        wanted = self.n_components
        given = [
            None if part is None else part.T for part in (self.V_init, self.U_init)
        ]
        found = learn_dictionary(
            np.ascontiguousarray((table - self.mean_).T),
            table.shape[1] if wanted is None else int(wanted),
            Coding(type(self).__name__, f"lasso_{self.method}", alpha=self.alpha),
            max_iter=int(self.max_iter), tol=float(self.tol),
            random=check_random_state(self.random_state), codes=given[0],
            dictionary=given[1], verbose=self.verbose,
        )  # fmt: skip
        codes, _ = svd_flip(found.codes, found.dictionary, u_based_decision=True)
        lengths = np.linalg.norm(codes, axis=0)
        self.components_ = np.ascontiguousarray(
            (codes / np.where(lengths > 0.0, lengths, 1.0)).T, dtype=table.dtype
        )
        self.n_components_ = len(self.components_)
        self.error_, self.n_iter_ = found.errors, found.steps
        self.code_gap_ = found.gap
        return self

    def transform(self, X: Any) -> Matrix:
        """Return the coordinates of samples on the axes, by ridge regression."""
        table = samples(self, X, accept_sparse=False) - self.mean_
        axes = self.components_
        gram = axes @ axes.T
        gram.flat[:: len(gram) + 1] += gram.dtype.type(self.ridge_alpha)
        pulls = axes @ table.T
        try:
            found = linalg.solve(gram, pulls, assume_a="pos")
        except linalg.LinAlgError:
            found = np.linalg.lstsq(gram, pulls, rcond=None)[0]
        return np.asarray(found.T)

    def inverse_transform(self, X: Any) -> Matrix:
        """Return the samples that coordinates stand for."""
        check_fitted(self)
        return np.asarray(array(X) @ self.components_ + self.mean_)

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
