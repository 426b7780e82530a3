"""Conformal detector: any detector, with a promise about its false alarms."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, OutlierMixin, clone
from sklearn.utils import check_random_state
from sklearn.utils._tags import get_tags
from sklearn.utils.metaestimators import available_if

from infimum.data.doors import check_fitted, rows
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.novelty.gaussian_detector import GaussianDetector
from infimum.parameters import Domains, check_domain, check_parameters, opened
from infimum.typing import Vector

__all__ = ["ConformalDetector"]


def _can_certify(model: Any) -> bool:
    return hasattr(getattr(model, "detector_", None), "certify")


class ConformalDetector(OutlierMixin, BaseEstimator):  # type: ignore[misc]
    r"""A detector whose rate of false alarms is promised.

    .. math:: p(x) = \frac{1 + \#\{i : s(x_i) \le s(x)\}}{m + 1}, \qquad
              P\bigl(p(x) \le α\bigr) \le α

    where s scores how familiar a sample is and :math:`x_1, …, x_m` are samples that the
    detector has not learnt from. The promise holds for every detector and every
    distribution, as long as a new sample that is no anomaly comes like the others.

    Parameters
    ----------
    estimator : detector, default=None
        Has `score_samples`; None stands for `GaussianDetector`.
    alarm_rate : float, default=0.05
        The rate α of false alarms, in (0, 1).
    calibration_size : float, default=0.5
        Share of the samples kept for the p-values.
    random_state : int, RandomState or None, default=0
        Which samples these are.

    Attributes
    ----------
    detector_ : fitted detector
    calibration_scores_ : ndarray
        The scores of the samples it has not learnt from, in order.
    offset_ : float
        Scores below are alarms; minus infinity if there are too few samples to
        promise so low a rate.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(200, 2))
    >>> detector = ConformalDetector(alarm_rate=0.05).fit(X)
    >>> detector.p_values([[0.0, 0.0], [6.0, 6.0]]).round(2)
    array([1.  , 0.01])
    >>> detector.predict([[0.0, 0.0], [6.0, 6.0]])
    array([ 1, -1])

    References
    ----------
    Bates, Candès, Lei, Romano & Sesia (2023), Annals of Statistics 51.
    """

    _domains: ClassVar[Domains] = {
        "calibration_size": opened(0, 1),
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        alarm_rate: float = 0.05,
        calibration_size: float = 0.5,
        random_state: Any = 0,
    ) -> None:
        self.estimator = estimator
        self.alarm_rate = alarm_rate
        self.calibration_size = calibration_size
        self.random_state = random_state

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn from a part of the samples, calibrate by the others; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : ignored
        """
        check_parameters(self)
        X = self._admit(X, reset=True)
        count = X.shape[0]
        order = check_random_state(self.random_state).permutation(count)
        held = min(max(1, round(count * self.calibration_size)), count - 2)
        detector = GaussianDetector() if self.estimator is None else self.estimator
        fitted = clone(detector).fit(X[order[held:]])
        return self.calibrate(fitted, X[order[:held]])

    def calibrate(self, detector: Any, X: Any) -> Self:
        """Take a fitted detector, and samples that it has not learnt from; return self.

        Parameters
        ----------
        detector : fitted detector
        X : array-like of shape (n_samples, n_features)
        """
        check_domain("ConformalDetector.alarm_rate", self.alarm_rate, opened(0, 1))
        scores = np.sort(np.asarray(detector.score_samples(X), dtype=np.float64))
        self.detector_ = detector
        self.n_features_in_ = int(detector.n_features_in_)
        self.calibration_scores_ = scores
        # p(x) <= α exactly if s(x) is below the score of this rank.
        rank = int(np.floor(self.alarm_rate * (len(scores) + 1) * (1 + 1e-12)))
        self.offset_ = float(scores[rank - 1]) if rank else -np.inf
        return self

    def score_samples(self, X: Any) -> Vector:
        """Return the detector's score of each sample; the higher, the more familiar."""
        check_fitted(self)
        X = self._admit(X, reset=False)
        return np.asarray(self.detector_.score_samples(X), dtype=np.float64)

    def p_values(self, X: Any) -> Vector:
        """Return the share of unseen samples as strange as each, itself counted."""
        scores = self.score_samples(X)
        below = np.searchsorted(self.calibration_scores_, scores, side="right")
        return np.asarray((1 + below) / (len(self.calibration_scores_) + 1))

    def decision_function(self, X: Any) -> Vector:
        """Return the score above that of an alarm; what is negative is one."""
        scores = self.score_samples(X)
        if np.isneginf(self.offset_):
            return np.full(len(scores), np.inf)
        return np.asarray(scores - self.offset_)

    def predict(self, X: Any) -> NDArray[np.intp]:
        """Return -1 for alarms and 1 for everything else."""
        return np.where(self.decision_function(X) >= 0, 1, -1)

    @available_if(_can_certify)  # type: ignore[untyped-decorator]
    def certify(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        tolerance: float | None = None,
        rigorous: bool = False,
    ) -> Any:
        """Recompute the proof of a convex detector from the samples it was fitted on.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : ignored
        sample_weight : array-like of shape (n_samples,), optional
        tolerance : float, optional
            The relative gap to be proved; None means the detector's default.
        rigorous : bool, default=False
            Whether the auditor shall prove it, with rounding counted.
        """
        return self.detector_.certify(
            X, y, sample_weight, tolerance=tolerance, rigorous=rigorous
        )

    def _admit(self, X: Any, *, reset: bool) -> Any:
        sparse = self.__sklearn_tags__().input_tags.sparse
        return rows(
            self,
            X,
            moderate=True,
            reset=reset,
            accept_sparse=["csr"] if sparse else False,
            ensure_min_samples=4 if reset else 1,
        ).X

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = self.estimator
        tags.input_tags.sparse = inner is not None and get_tags(inner).input_tags.sparse
        return tags
