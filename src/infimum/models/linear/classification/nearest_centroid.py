"""Nearest centroid: each class is represented by its mean."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import log_softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import pairwise_distances
from sklearn.utils.metaestimators import available_if

from infimum.data.doors import labelled, samples, winners
from infimum.errors import DataError, InvalidParameterError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.linear.classification._class_centres import (
    class_means,
    class_medians,
    deviations,
)
from infimum.parameters import Choice, Domains, check_domain, check_parameters, positive
from infimum.typing import Matrix, Vector

__all__ = ["NearestCentroid"]

_METRICS = Choice(("euclidean", "manhattan"))


def _is_linear(model: Any) -> bool:
    if model.metric != "euclidean":
        raise AttributeError(
            "NearestCentroid has scores and probabilities for the metric 'euclidean' "
            f"only, got {model.metric!r}."
        )
    return True


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
    metric : {'euclidean', 'manhattan'}, default='euclidean'
        The distance. With 'manhattan' each class is represented by the median of each
        feature, and there are neither scores nor probabilities.
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
        The mean or median of each class, after shrinking.
    within_class_std_dev_ : ndarray of shape (n_features,)
    deviations_ : ndarray of shape (n_classes, n_features)
        Distances of the means from the common mean, in standard errors.
    class_prior_ : ndarray of shape (n_classes,)
    coef_ : ndarray of shape (n_classes or 1, n_features)
    intercept_ : ndarray of shape (n_classes or 1,)
        The rule, where it is linear.
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
    Tibshirani, Hastie, Narasimhan & Chu (2002), PNAS 99(10), for the shrinking and
    the probabilities.
    """

    _domains: ClassVar[Domains] = {
        "metric": _METRICS,
    }

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

    @whole_or_not_at_all
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
        check_parameters(self)
        rows = labelled(self, X, y, sample_weight, moderate=True)
        X, codes, weights = rows.X, rows.y, rows.shares()
        self.classes_ = rows.classes
        sizes: Vector = np.bincount(codes, weights, len(self.classes_)).astype(float)
        if not sizes.all():
            missing = self.classes_[int(np.argmin(sizes))]
            raise DataError(f"NearestCentroid: class {missing!r} has no weight at all.")
        self.class_prior_ = self._priors(sizes)
        means = class_means(X, codes, weights, sizes)
        centres = means
        if self.metric == "manhattan":
            centres = class_medians(X, codes, weights, len(sizes))
        self.within_class_std_dev_ = deviations(
            X, (codes, weights, sizes), means, centres
        )
        self._shrink(centres, sizes, sizes @ means / sizes.sum())
        if self.metric == "euclidean":
            self._linearize()
        return self

    @available_if(_is_linear)  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Vector:
        """Return one score per sample (two classes) or per sample and class."""
        rows = self._rows(X)
        scores: Matrix = np.asarray(rows @ self.coef_.T + self.intercept_)
        return scores.ravel() if scores.shape[1] == 1 else scores

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class whose centroid is nearest.

        That is its mean, or for 'manhattan' its median, after shrinking. Other than
        even priors count, too: the squared distance, in units of the deviations, is
        less by twice the logarithm of the prior.
        """
        if self.metric == "euclidean":
            scores = self.decision_function(X)
        else:
            scores = -self._far(self._rows(X))
        return np.asarray(self.classes_[winners(scores)])

    @available_if(_is_linear)  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: Any) -> Matrix:
        """Return the logarithms of `predict_proba`."""
        rows = self._rows(X)
        coef, intercept = self._planes(self._units())
        doubled = np.asarray(rows @ coef.T + intercept)
        return np.asarray(log_softmax(0.5 * doubled, axis=1))

    @available_if(_is_linear)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Matrix:
        """Return the probabilities of the classes by Bayes' rule, were they normal.

        They are those of the model that the rule is the best one for: a deviation of
        its own for each feature, or the same for all where the priors are even. (For
        other priors scikit-learn's are the squares of these, normalised; for even
        ones they need not agree with its predictions.)
        """
        return np.asarray(np.exp(self.predict_log_proba(X)))

    def _rows(self, X: Any) -> Any:
        return samples(self, X, moderate=True)

    def _far(self, X: Any) -> Matrix:
        """Return the Manhattan distance to each centre, less what its prior earns."""
        if self._even():
            return np.asarray(pairwise_distances(X, self.centroids_, "manhattan"))
        units = self._units()
        stretch: Any = sparse.diags_array(1.0 / units)
        scaled = X @ stretch
        far = pairwise_distances(scaled, self.centroids_ / units, "manhattan")
        with np.errstate(divide="ignore"):
            return np.asarray(far**2 - 2.0 * np.log(self.class_prior_))

    def _priors(self, sizes: Vector) -> Vector:
        if isinstance(self.priors, str):
            check_domain(
                "NearestCentroid.priors", self.priors, Choice(("uniform", "empirical"))
            )
            even = np.full(len(sizes), 1.0 / len(sizes))
            return even if self.priors == "uniform" else sizes / sizes.sum()
        given = np.asarray(self.priors, dtype=np.float64)
        if given.shape != sizes.shape or not (given >= 0).all() or not given.any():
            raise InvalidParameterError(
                f"NearestCentroid.priors must be {len(sizes)} probabilities, one per "
                f"class, got {self.priors!r}."
            )
        if not np.isclose(given.sum(), 1.0):
            warnings.warn(
                "NearestCentroid.priors do not sum to 1: divided by their sum.",
                UserWarning,
                stacklevel=4,
            )
        return np.asarray(given / given.sum())

    def _shrink(self, centres: Matrix, sizes: Vector, middle: Vector) -> None:
        total = sizes.sum()
        # A mean of k among n samples varies about the common mean by this much.
        errors = np.sqrt(np.maximum(1.0 / sizes - 1.0 / total, 0.0))[:, None] * (
            self.within_class_std_dev_ + np.median(self.within_class_std_dev_)
        )
        away = centres - middle
        self.deviations_ = np.divide(away, errors, out=away.copy(), where=errors > 0)
        self.centroids_ = centres
        if self.shrink_threshold is not None:
            owner = "NearestCentroid.shrink_threshold"
            check_domain(owner, self.shrink_threshold, positive)
            kept = np.maximum(np.abs(self.deviations_) - self.shrink_threshold, 0.0)
            self.deviations_ = np.sign(self.deviations_) * kept
            self.centroids_ = middle + errors * self.deviations_

    def _even(self) -> bool:
        return bool(np.allclose(self.class_prior_, 1.0 / len(self.classes_)))

    def _units(self) -> Vector:
        """Return the deviation that each feature counts in, 1 where it has none.

        The rule for even priors knows no units, so it has one deviation for all.
        """
        spread = self.within_class_std_dev_
        if self._even():
            spread = np.full_like(spread, np.sqrt(np.mean(spread**2)))
        return np.where(spread > 0, spread, 1.0)

    def _planes(self, units: Vector) -> tuple[Matrix, Vector]:
        """Write 2 log π - ‖x - mₖ‖² + ‖x - c‖² as linear functions of x.

        c is the mean of the centroids: what is common to all of them is taken away
        before it can drown their differences in rounding.
        """
        means = self.centroids_ / units
        middle = means.mean(axis=0)
        with np.errstate(divide="ignore"):
            bonus = 2.0 * np.log(self.class_prior_)
        apart = means - middle
        return 2.0 * apart / units, bonus - np.einsum("kj,kj->k", apart, means + middle)

    def _linearize(self) -> None:
        """Keep the rule as planes; two classes need one."""
        even = np.ones_like(self.within_class_std_dev_)
        self.coef_, self.intercept_ = self._planes(
            even if self._even() else self._units()
        )
        if len(self.classes_) == 2:  # noqa: PLR2004
            self.coef_ = self.coef_[1:] - self.coef_[:1]
            self.intercept_ = self.intercept_[1:] - self.intercept_[:1]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
