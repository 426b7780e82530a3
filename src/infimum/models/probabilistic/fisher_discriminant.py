"""Fisher's discriminant: the direction along which two classes stand apart best."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from infimum.data.doors import labelled, samples, winners
from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.probabilistic._class_moments import ClassMoments, class_moments
from infimum.models.probabilistic._discriminant import refuse_empty
from infimum.parameters import Choice, Domains, check_parameters
from infimum.typing import Matrix, Vector

__all__ = ["FisherDiscriminant", "fisher_criterion", "scatter_matrices"]

_WEIGHTINGS = Choice(("equal", "pooled"))
#: Directions in which classes vary less than this share of their most are flat.
FLAT = 1e-10
_THRESHOLDS = Choice(("error", "gaussian"))


class FisherDiscriminant(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    r"""Classifier by a threshold on the direction that maximises Fisher's criterion.

    .. math:: J(w) = \frac{⟨w, m_+ - m_-⟩^2}{⟨w, C_W w⟩}, \qquad
              w^* = C_W^{+} (m_+ - m_-)

    Where the classes do not vary in some direction the pseudo-inverse is taken.

    Parameters
    ----------
    weighting : {'equal', 'pooled'}, default='equal'
        Whether the covariances of the classes count alike in C_W or by the sizes of
        the classes. Pooled, w is proportional to least squares on the labels.
    threshold : {'error', 'gaussian'}, default='error'
        Where to cut: at the least error on the samples, in the middle of the widest
        gap that has it; or midway between the means, which is Bayes' rule for normal
        classes of equal covariance and size.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
    coef_ : ndarray of shape (1, n_features)
    intercept_ : ndarray of shape (1,)
    criterion_ : float
        J at the direction; infinity where it separates means without any spread.

    Examples
    --------
    >>> X = [[0.0, 0.0], [1.0, 1.0], [0.0, 2.0], [4.0, 0.0], [5.0, 1.0], [4.0, 2.0]]
    >>> model = FisherDiscriminant().fit(X, list("aaabbb"))
    >>> model.predict([[1.0, 0.0], [3.0, 2.0]]), round(model.criterion_, 6)
    (array(['a', 'b'], dtype='<U1'), 36.0)
    """

    _domains: ClassVar[Domains] = {
        "weighting": _WEIGHTINGS,
        "threshold": _THRESHOLDS,
    }

    def __init__(self, *, weighting: str = "equal", threshold: str = "error") -> None:
        self.weighting = weighting
        self.threshold = threshold

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn direction and threshold; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Labels of two classes.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        check_parameters(self)
        rows = labelled(self, X, y, sample_weight, moderate=True, weightless="drop")
        self.classes_ = rows.classes
        X, codes, weights = rows.X, rows.y, rows.shares()
        if len(self.classes_) > 2:  # noqa: PLR2004
            raise DataError(
                "Only binary classification is supported by FisherDiscriminant, y has "
                f"{len(self.classes_)} classes."
            )
        moments = class_moments(X, codes, weights, 2, pooled=False)
        refuse_empty(self, moments.counts)
        between = np.diff(moments.means, axis=0)[0]
        within = _within(moments, self.weighting)
        units = np.sqrt(np.diag(within))
        units[units == 0] = 1.0
        unitless = within / np.outer(units, units)
        inverse = np.linalg.pinv(unitless, rcond=FLAT, hermitian=True)
        direction = inverse @ (between / units) / units
        self.criterion_ = _criterion(direction, between, within)
        if self.threshold == "error":
            cut = _least_error(np.asarray(X @ direction), codes, weights)
        else:
            cut = float(moments.means.mean(axis=0) @ direction)
        self.coef_, self.intercept_ = direction[None], np.array([-cut])
        return self

    def decision_function(self, X: Any) -> Vector:
        """Return how far beyond the threshold each sample lies."""
        X = samples(self, X)
        return np.asarray(X @ self.coef_[0] + self.intercept_[0])

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class on whose side of the threshold each sample lies."""
        scores = self.decision_function(X)
        return np.asarray(self.classes_[winners(scores)])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_class = False
        return tags


def scatter_matrices(
    X: Any, y: Any, *, weighting: str = "equal"
) -> tuple[Matrix, Matrix]:
    """Return the scatter between two classes and the scatter within them.

    Examples
    --------
    >>> X = [[0.0, 0.0], [2.0, 2.0], [4.0, 0.0], [6.0, 2.0]]
    >>> scatter_matrices(X, [0, 0, 1, 1])[0]
    array([[16.,  0.],
           [ 0.,  0.]])
    """
    model = FisherDiscriminant(weighting=weighting).fit(X, y)
    rows = labelled(model, X, y)
    moments = class_moments(rows.X, rows.y, rows.shares(), 2, pooled=False)
    between = np.diff(moments.means, axis=0)[0]
    return np.outer(between, between), _within(moments, weighting)


def fisher_criterion(w: Any, X: Any, y: Any, *, weighting: str = "equal") -> float:
    """Return Fisher's criterion of a direction; its length and sign do not matter.

    Examples
    --------
    >>> X = [[0.0, 0.0], [2.0, 2.0], [4.0, 0.0], [6.0, 2.0]]
    >>> fisher_criterion([1.0, 0.0], X, [0, 0, 1, 1])
    8.0
    """
    between, within = scatter_matrices(X, y, weighting=weighting)
    direction = np.asarray(w, dtype=np.float64)
    if direction.shape != between.shape[:1] or not direction.any():
        raise DataError(
            f"fisher_criterion needs a direction of {len(between)} numbers that are "
            f"not all 0, got {direction}."
        )
    above = float(direction @ between @ direction)
    below = float(direction @ within @ direction)
    return above / below if below > 0 else (np.inf if above > 0 else 0.0)


def _within(moments: ClassMoments, weighting: str) -> Matrix:
    """Return the sum of the covariances, alike or by the sizes of the classes."""
    shares = (
        np.ones(2) if weighting == "equal" else 2.0 * moments.counts / moments.total
    )
    scales = shares / moments.counts
    return np.asarray(scales[0] * moments.scatters[0] + scales[1] * moments.scatters[1])


def _criterion(direction: Vector, between: Vector, within: Matrix) -> float:
    above = float(direction @ between) ** 2
    below = float(direction @ within @ direction)
    return above / below if below > 0 else (np.inf if above > 0 else 0.0)


def _least_error(projected: Vector, codes: Any, weights: Vector) -> float:
    """Return the cut with the least error, in the middle of the widest such gap.

    One sort and two running sums give the error of all cuts.
    """
    order = np.argsort(projected, kind="stable")
    values = projected[order]
    signed = np.where(codes[order] == 1, weights[order], -weights[order])
    errors = np.concatenate([[0.0], np.cumsum(signed)])  # less a constant
    gaps = np.concatenate([[np.inf], np.diff(values), [np.inf]])
    possible = gaps > 0
    least = errors[possible].min()
    best = possible & (errors <= least + 1e-12 * float(weights.sum()))
    inner = np.flatnonzero(best[1:-1]) + 1
    if len(inner):
        at = int(inner[np.argmax(gaps[inner])])
        return float(0.5 * (values[at - 1] + values[at]))
    reach = max(float(np.ptp(values)), abs(float(values[0])), 1.0)
    return float(values[0] - reach) if best[0] else float(values[-1] + reach)
