"""Quadratic discriminant analysis: a normal law with its own covariance a class."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgWarning
from scipy.special import log_softmax
from sklearn.base import BaseEstimator, ClassifierMixin

from infimum.data.doors import labelled, samples, streams, winners
from infimum.errors import DataError
from infimum.models._guarded_fit import forget, whole_or_not_at_all
from infimum.models._row_parts import in_row_parts
from infimum.models.probabilistic._class_moments import ClassMoments, class_moments
from infimum.models.probabilistic._discriminant import (
    check_covariance_parameters,
    class_priors,
    estimated,
    refuse_empty,
)
from infimum.parameters import Choice, Domains, check_parameters, closed
from infimum.typing import Indices, Matrix, Vector

__all__ = ["QuadraticDiscriminantAnalysis"]

_SOLVERS = Choice(("svd", "eigen"))
#: Directions in which a class varies less than this share of its most are flat.
FLAT = 1e-14


class QuadraticDiscriminantAnalysis(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    r"""Bayes' rule for normal classes, each with its own covariance.

    .. math:: \log p(k \mid x) = -\tfrac12 (x - m_k)^\top Σ_k^{-1} (x - m_k)
              - \tfrac12 \log\det Σ_k + \log π_k + \text{const}

    Parameters, attributes and answers are scikit-learn's. Besides it takes sample
    weights, sparse rows without filling them, and batches.

    Parameters
    ----------
    solver : {'svd', 'eigen'}, default='svd'
        'eigen' can shrink the covariances.
    shrinkage : 'auto', float in [0, 1] or None, default=None
        As in `LinearDiscriminantAnalysis`.
    priors : array-like of shape (n_classes,), optional
        Probabilities of the classes; by default their shares of the rows.
    reg_param : float in [0, 1], default=0.0
        Share by which 'svd' moves each covariance towards the identity.
    store_covariance : bool, default=False
        Whether to keep `covariance_`.
    tol : float, default=1e-4
        Variance below which a direction counts as flat, for the warning only.
    covariance_estimator : estimator, optional
        Something with `fit` and `covariance_`, for 'eigen'.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    priors_ : ndarray of shape (n_classes,)
    means_ : ndarray of shape (n_classes, n_features)
    rotations_ : list of ndarray of shape (n_features, n_features)
        The principal axes of each class.
    scalings_ : list of ndarray of shape (n_features,)
        The variances along them, largest first.
    covariance_ : list of ndarray of shape (n_features, n_features)
        If asked for.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[-1, -1], [-2, -1], [-3, -2], [1, 1], [2, 1], [3, 2]])
    >>> model = QuadraticDiscriminantAnalysis().fit(X, [1, 1, 1, 2, 2, 2])
    >>> model.predict([[-0.8, -1]])
    array([1])
    """

    _domains: ClassVar[Domains] = {
        "solver": _SOLVERS,
        "reg_param": closed(0, 1),
    }

    means_: Matrix
    _counts: Vector
    _scatters: NDArray[np.float64]

    def __init__(
        self,
        *,
        solver: str = "svd",
        shrinkage: Any = None,
        priors: Any = None,
        reg_param: float = 0.0,
        store_covariance: bool = False,
        tol: float = 1e-4,
        covariance_estimator: Any = None,
    ) -> None:
        self.solver = solver
        self.shrinkage = shrinkage
        self.priors = priors
        self.reg_param = reg_param
        self.store_covariance = store_covariance
        self.tol = tol
        self.covariance_estimator = covariance_estimator

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn mean and covariance of each class; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples, float32 or float64.
        y : array-like of shape (n_samples,)
            Labels, of any sortable kind.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        self._check()
        rows = labelled(self, X, y, sample_weight, moderate=True, weightless="drop")
        self.classes_ = rows.classes
        X, codes, weights = rows.X, rows.y, rows.shares()
        self._settle(self._added(X, codes, weights), X, codes, weights)
        return self

    @whole_or_not_at_all
    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> Self:
        """Learn from one more batch; return self.

        However the rows are cut into batches, the model is that of `fit` on all. It
        answers once it has met two different rows of each class.

        Parameters
        ----------
        X, y, sample_weight
            As in `fit`.
        classes : array-like, optional
            All labels that will ever come; needed in the first call only.
        """
        self._check()
        if isinstance(self.shrinkage, str) or self.covariance_estimator is not None:
            raise DataError(
                "QuadraticDiscriminantAnalysis.partial_fit takes no shrinkage='auto' "
                "and no covariance_estimator: they need all rows at once."
            )
        first = not hasattr(self, "classes_")
        batch: dict[str, Any] = {"first": first, "door": labelled, "moderate": True}
        rows = streams(self, X, y, sample_weight, classes, **batch)
        self.classes_ = rows.classes
        X, codes, weights = rows.X, rows.y, rows.shares()
        moments = self._added(X, codes, weights)
        if hasattr(self, "_scatters"):
            before = ClassMoments(self._counts, self.means_, self._scatters)
            moments = before.merged(moments)
        self._counts, self._scatters = moments.counts, moments.scatters
        self.means_ = moments.means
        enough = 1 if self._regular() else X.shape[1]
        if (moments.counts > enough).all():
            self._settle(moments, X, codes, weights)
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "rotations_")

    def decision_function(self, X: Any) -> Vector:
        """Return log-odds (two classes) or log-posteriors up to a constant."""
        scores = self._joint(X)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores  # noqa: PLR2004

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the likeliest class."""
        joint = self._joint(X)
        return np.asarray(self.classes_[winners(joint)])

    def predict_proba(self, X: Any) -> Matrix:
        """Return the posterior of each class."""
        return np.exp(self.predict_log_proba(X))

    def predict_log_proba(self, X: Any) -> Matrix:
        """Return the logarithm of the posterior of each class."""
        return np.asarray(log_softmax(self._joint(X), axis=1))

    def _joint(self, X: Any) -> Matrix:
        """Return log p(class) + log p(x | class) up to a constant."""
        X = samples(self, X)
        with np.errstate(divide="ignore"):
            levels = np.log(self.priors_)
        parts = []
        for k, (axes, sizes) in enumerate(
            zip(self.rotations_, self.scalings_, strict=True)
        ):
            least = FLAT * max(float(sizes.max()), np.finfo(float).tiny)
            safe = np.maximum(sizes, least)
            units = axes / np.sqrt(safe)
            level = levels[k] - 0.5 * np.log(safe).sum()
            parts.append((units, self.means_[k] @ units, level))

        def joint(some: Any) -> Matrix:
            found = np.empty((some.shape[0], len(parts)))
            for k, (units, middle, level) in enumerate(parts):
                apart = np.asarray(some @ units)
                apart -= middle
                far = np.einsum("ij,ij->i", apart, apart)
                found[:, k] = level - 0.5 * far
            return found

        return in_row_parts(X, X.shape[1], len(parts), joint, np.dtype(float))

    def _check(self) -> None:
        check_parameters(self)
        check_covariance_parameters(self)
        forget(self, "covariance_")

    def _regular(self) -> bool:
        """Whether a class may have fewer rows than features."""
        return self.solver == "eigen" or self.reg_param > 0

    def _added(self, X: Any, codes: Indices, weights: Vector) -> ClassMoments:
        return class_moments(X, codes, weights, len(self.classes_), pooled=False)

    def _settle(
        self, moments: ClassMoments, X: Any, codes: Indices, weights: Vector
    ) -> None:
        """Work out axes and variances of each class."""
        refuse_empty(self, moments.counts)
        self._counts, self._scatters = moments.counts, moments.scatters
        self.means_ = moments.means
        self.priors_ = class_priors(self, moments.counts)
        rotations, scalings, covariances = [], [], []
        for k, count in enumerate(moments.counts):
            if count <= 1.0:
                raise DataError(
                    "QuadraticDiscriminantAnalysis: y has only 1 sample in class "
                    f"{self.classes_[k]}, covariance is ill defined."
                )
            found = moments.scatters[k] / count
            if self.solver == "eigen":
                found = estimated(self, X, weights, found, codes == k)
            sizes, axes = np.linalg.eigh(found)
            sizes, axes = np.maximum(sizes[::-1], 0.0), axes[:, ::-1]
            if self.solver == "svd":
                sizes = (1.0 - self.reg_param) * sizes + self.reg_param
            self._tell_if_flat(k, sizes, float(count))
            rotations.append(axes)
            scalings.append(sizes)
            covariances.append((axes * sizes) @ axes.T)
        self.rotations_, self.scalings_ = rotations, scalings
        if self.store_covariance:
            self.covariance_ = covariances

    def _tell_if_flat(self, k: int, sizes: Vector, count: float) -> None:
        """Refuse or warn of a class that does not vary in some direction."""
        if (sizes > self.tol).all():
            return
        told = (
            f"QuadraticDiscriminantAnalysis: the covariance matrix of class "
            f"{self.classes_[k]} is not full rank"
        )
        if self.solver == "svd" and count <= len(sizes):
            raise DataError(
                f"{told}: it has {count:g} samples of {len(sizes)} features. Try "
                "solver='eigen' with a shrinkage, or reg_param above 0."
            )
        cure = "reg_param" if self.solver == "svd" else "shrinkage"
        warnings.warn(
            f"{told}; a larger {cure} would make it so.", LinAlgWarning, stacklevel=5
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
