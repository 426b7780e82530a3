"""Nearest centroid: each class is represented by its mean."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin

from infimum.data.validation import accept_labelled, accept_samples, accept_weights
from infimum.errors import DataError, InvalidParameterError
from infimum.parameters import Choice, check_domain, positive
from infimum.typing import Matrix, Vector

__all__ = ["NearestCentroid"]

_METRICS = Choice(("euclidean",))


class NearestCentroid(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    r"""Classifier that assigns a sample to the class with the nearest mean.

    .. math:: \|x - m_{-1}\|^2 - \|x - m_1\|^2 = 2\,⟨x - m, m_1 - m_{-1}⟩, \quad
              m = \tfrac12 (m_1 + m_{-1})

    The squared length of x is common to all distances and drops out: the rule is
    linear, with a boundary halfway between the means. No problem is solved; it is
    what regularised least squares becomes under an ever stronger penalty. The scores
    are those of the rule itself; scikit-learn's are in units of the deviations even
    where its predictions are not.

    Parameters
    ----------
    metric : {'euclidean'}, default='euclidean'
        The distance; only this one gives a linear rule.
    shrink_threshold : float or None, default=None
        Move the means towards the mean of all samples, by that many standard
        errors per feature and not beyond it: features that tell no class apart drop
        out.
    priors : {'uniform', 'empirical'} or array of shape (n_classes,), default='uniform'
        Probabilities of the classes. Other than uniform ones act in units of the
        within-class deviations: the rule is then linear discriminant analysis with a
        diagonal covariance.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    centroids_ : ndarray of shape (n_classes, n_features)
        The mean of each class, after shrinking.
    within_class_std_dev_ : ndarray of shape (n_features,)
    deviations_ : ndarray of shape (n_classes, n_features)
        Distances of the means from the common mean, in standard errors.
    class_prior_ : ndarray of shape (n_classes,)
    coef_ : ndarray of shape (n_classes or 1, n_features)
    intercept_ : ndarray of shape (n_classes or 1,)
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[-2.0, 0.0], [0.0, 0.0], [2.0, 1.0], [4.0, 1.0]])
    >>> model = NearestCentroid().fit(X, [-1, -1, 1, 1])
    >>> model.coef_, model.intercept_
    (array([[8., 2.]]), array([-9.]))

    References
    ----------
    Tibshirani, Hastie, Narasimhan & Chu (2002), PNAS 99(10), for the shrinking.
    """

    def __init__(
        self,
        metric: str = "euclidean",
        *,
        shrink_threshold: float | None = None,
        priors: Any = "uniform",
    ) -> None:
        self.metric = metric
        self.shrink_threshold = shrink_threshold
        self.priors = priors

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Average the samples of each class; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples, float32 or float64.
        y : array-like of shape (n_samples,)
            Labels, of any sortable kind.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        X, codes = accept_labelled(self, X, y)
        check_domain("NearestCentroid.metric", self.metric, _METRICS)
        given = accept_weights(sample_weight, X)
        weights = np.ones(len(codes)) if given is None else given
        count = len(self.classes_)
        sizes: Vector = np.bincount(codes, weights, count).astype(np.float64)
        if not sizes.all():
            missing = self.classes_[int(np.argmin(sizes))]
            raise DataError(f"NearestCentroid: class {missing!r} has no weight at all.")
        rows = (codes, np.arange(len(codes)))
        sums: Any = sparse.csr_array((weights, rows), (count, len(codes))) @ X
        means = (sums.toarray() if bool(sparse.issparse(sums)) else sums) / sizes[
            :, None
        ]
        self.class_prior_ = self._priors(sizes)
        self.within_class_std_dev_ = _spread(X, means[codes], weights, count)
        self._shrink(means, sizes, np.asarray(weights @ X) / weights.sum())
        self._linearize()
        return self

    def decision_function(self, X: Any) -> Vector:
        """Return one score per sample (two classes) or per sample and class."""
        scores = self._scores(X)
        return scores.ravel() if scores.shape[1] == 1 else scores

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class whose mean is nearest."""
        scores = self.decision_function(X)
        winners = (scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(1)
        return np.asarray(self.classes_[winners])

    def _scores(self, X: Any) -> Matrix:
        return np.asarray(accept_samples(self, X) @ self.coef_.T + self.intercept_)

    def _priors(self, sizes: Vector) -> Vector:
        if isinstance(self.priors, str):
            check_domain(
                "NearestCentroid.priors", self.priors, Choice(("uniform", "empirical"))
            )
            even = np.full(len(sizes), 1.0 / len(sizes))
            return even if self.priors == "uniform" else sizes / sizes.sum()
        given = np.asarray(self.priors, dtype=np.float64)
        if given.shape != sizes.shape or (given < 0).any() or given.sum() <= 0:
            raise InvalidParameterError(
                f"NearestCentroid.priors must be {len(sizes)} probabilities, one per "
                f"class, got {self.priors!r}."
            )
        return np.asarray(given / given.sum())

    def _shrink(self, means: Matrix, sizes: Vector, centre: Vector) -> None:
        total = sizes.sum()
        # A mean of k among n samples varies about the common mean by this much.
        errors = np.sqrt(np.maximum(1.0 / sizes - 1.0 / total, 0.0))[:, None] * (
            self.within_class_std_dev_ + np.median(self.within_class_std_dev_)
        )
        away = means - centre
        self.deviations_ = np.divide(away, errors, out=away.copy(), where=errors > 0)
        self.centroids_ = means
        if self.shrink_threshold is not None:
            owner = "NearestCentroid.shrink_threshold"
            check_domain(owner, self.shrink_threshold, positive)
            kept = np.maximum(np.abs(self.deviations_) - self.shrink_threshold, 0.0)
            self.deviations_ = np.sign(self.deviations_) * kept
            self.centroids_ = centre + errors * self.deviations_

    def _linearize(self) -> None:
        """Write -‖x - mₖ‖² + ‖x‖² as a linear function; two classes need one."""
        uniform = np.allclose(self.class_prior_, 1.0 / len(self.classes_))
        spread = self.within_class_std_dev_
        scales = np.ones_like(spread) if uniform else np.where(spread > 0, spread, 1.0)
        means = self.centroids_ / scales
        with np.errstate(divide="ignore"):
            bonus = 2.0 * np.log(self.class_prior_)
        self.coef_ = 2.0 * means / scales
        self.intercept_ = bonus - np.einsum("kj,kj->k", means, means)
        if len(self.classes_) == 2:  # noqa: PLR2004
            self.coef_ = self.coef_[1:] - self.coef_[:1]
            self.intercept_ = self.intercept_[1:] - self.intercept_[:1]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _spread(X: Any, own_means: Matrix, weights: Vector, count: int) -> Vector:
    """Return the standard deviation of each feature within the classes."""
    squares: Any
    if bool(sparse.issparse(X)):
        # Σ c (x - m)² = Σ c x² - Σ c m², as m is the weighted mean of its class.
        raw = np.asarray(weights @ X.multiply(X)).ravel()
        squares = raw - weights @ own_means**2
        squares[squares <= 1e-14 * raw] = 0.0
    else:
        squares = weights @ (np.asarray(X, dtype=np.float64) - own_means) ** 2
    freedom = max(float(weights.sum()) - count, 1.0)
    return np.asarray(np.sqrt(squares / freedom))
