"""Ordinal logistic regression: one score, and thresholds between ordered classes."""

from __future__ import annotations

import time
import warnings
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_factor, cho_solve, lstsq
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin

from infimum.certificates import Certificate
from infimum.data.doors import labelled, samples, weighed, winners
from infimum.data.doors.labels import codes_among
from infimum.errors import DataError
from infimum.limits import in_time
from infimum.models._audited import not_audited
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.linear.classification._ordered_risk import OrderedRisk, Point
from infimum.models.warnings import UncertifiedWarning
from infimum.parameters import (
    Choice,
    Domains,
    check_domain,
    check_parameters,
    positive,
    whole,
)
from infimum.solvers.progress import CLOSED, Record
from infimum.typing import Indices, Matrix, Vector

__all__ = ["OrdinalLogisticRegression"]

#: The relative gap that the default of `tol` asks for.
USUAL_TOLERANCE = 1e-8
#: Directions of less than this share of the largest curvature are flat.
FLAT = 1e-13


class OrdinalLogisticRegression(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    r"""Classifier of ordered classes by one score: the proportional odds model.

    .. math:: P(y \le k \mid x) = σ(θ_k - x^\top w), \qquad
              \min_{w, θ}\; -C \sum_i c_i \log P(y_i \mid x_i) + \tfrac12 \|w\|_2^2

    Jointly convex in the weights and the thresholds, so the fit has a proof. A feature
    moves a row up or down the order by the same odds everywhere; where that is too
    simple, a classifier that knows no order may be better. For two classes it is
    logistic regression.

    Parameters
    ----------
    C : float, default=1.0
        Inverse weight of the penalty.
    tol : float, default=1e-4
        The fit stops when the relative duality gap is below tol².
    max_iter : int, default=100
        Most steps of Newton's method.
    answer : {"likeliest", "median"}, default="likeliest"
        What `predict` returns; the median is off by the fewest steps of the order.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        In order.
    coef_ : ndarray of shape (n_features,)
    thresholds_ : ndarray of shape (n_classes - 1,)
        In order; `intercept_` is their negative.
    certificate_ : Certificate
        How far weights and thresholds can be from optimal.
    history_ : tuple of Record
        Bounds against time.
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]])
    >>> model = OrdinalLogisticRegression(C=10.0).fit(X, [1, 1, 2, 2, 3, 3])
    >>> model.predict([[0.2], [2.4], [4.9]])
    array([1, 2, 3])
    >>> model.certificate_.closed
    True

    References
    ----------
    McCullagh (1980), Journal of the Royal Statistical Society B 42.
    """

    classes_: NDArray[Any]

    _domains: ClassVar[Domains] = {
        "C": positive,
        "tol": positive,
        "max_iter": whole(1),
        "answer": Choice(("likeliest", "median")),
    }

    def __init__(
        self,
        *,
        C: float = 1.0,
        tol: float = 1e-4,
        max_iter: int = 100,
        answer: str = "likeliest",
    ) -> None:
        self.C = C
        self.tol = tol
        self.max_iter = max_iter
        self.answer = answer

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn weights and thresholds, with a proof; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels, whose order is that of sorting.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        check_parameters(self)
        # A class of which no row counts has no place between thresholds.
        rows = labelled(self, X, y, sample_weight, moderate=True, weightless="forget")
        self.classes_ = rows.classes
        risk = self._risk(rows.X, rows.y, rows.weights)
        here, history, reason = _descend(risk, float(self.tol) ** 2, self.max_iter)
        self.coef_, self.thresholds_ = here.weights, here.thresholds
        self.intercept_ = -here.thresholds
        self.history_ = tuple(history)
        self.n_iter_ = len(history)
        self.certificate_ = _certificate(risk, here, float(self.tol) ** 2, reason)
        if not self.certificate_.closed:
            warnings.warn(
                f"OrdinalLogisticRegression: {self.certificate_}; raise max_iter or "
                "tol.",
                UncertifiedWarning,
                stacklevel=2,
            )
        return self

    def certify(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        tolerance: float | None = None,
        rigorous: bool = False,
    ) -> Certificate:
        """Recompute the proof from weights, thresholds and the data alone.

        Parameters
        ----------
        X, y, sample_weight
            As in `fit`.
        tolerance : float, optional
            The relative gap to be proved; by default that of the class, whatever the
            model says of its own.
        rigorous : bool, default=False
            Whether the auditor shall prove it; it does not know this risk.
        """
        asked = USUAL_TOLERANCE if tolerance is None else tolerance
        check_domain("certify tolerance", asked, positive)
        X = samples(self, X)
        codes = codes_among("OrdinalLogisticRegression", self.classes_, np.asarray(y))
        risk = self._risk(X, codes, weighed(sample_weight, X))
        here = risk.at(self.coef_, self.thresholds_)
        if here is None:
            raise DataError("The thresholds are out of order, so this is no solution.")
        proof = _certificate(risk, here, asked, "checked")
        return not_audited(self, proof) if rigorous else proof

    def predict_proba(self, X: Any) -> Matrix:
        """Return the probability of each class."""
        return np.diff(self._below(X), axis=1)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the likeliest class, or the median of the order."""
        below = self._below(X)
        if self.answer == "median":
            places = np.sum(below[:, 1:-1] < 1 / 2, axis=1)
        else:
            places = winners(np.diff(below, axis=1))
        return np.asarray(self.classes_[places])

    def _below(self, X: Any) -> Matrix:
        X = samples(self, X)
        scores = np.asarray(X @ self.coef_)
        inner = expit(self.thresholds_ - scores[:, None])
        ends = np.zeros((len(scores), 1)), np.ones((len(scores), 1))
        return np.hstack([ends[0], inner, ends[1]])

    def _risk(self, X: Any, codes: Indices, weights: Vector | None) -> OrderedRisk:
        scale = float(self.C) * (np.ones(len(codes)) if weights is None else weights)
        return OrderedRisk(X.astype(np.float64), codes, scale, len(self.classes_))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        # Classes that lie in no order on a line are told apart poorly.
        tags.classifier_tags.poor_score = True
        return tags


def _descend(
    risk: OrderedRisk, tolerance: float, most: int
) -> tuple[Point, list[Record], str]:
    """Take Newton steps, halved until they gain, until the gap is closed."""
    began = time.perf_counter()
    here = _null(risk)
    history: list[Record] = []
    floor, ceiling = -np.inf, here.value
    for iteration in in_time(range(1, most + 1)):
        floor = max(floor, risk.lower_bound(here))
        history.append(
            Record(iteration, time.perf_counter() - began, here.value, floor)
        )
        if here.value - floor <= tolerance * max(ceiling - floor, 1e-300):
            return here, history, CLOSED
        slope = risk.gradient(here)
        step = _newton_step(risk.hessian(here), slope)
        there = _shortened(risk, here, step, float(slope @ step))
        if there is None:
            return here, history, "no step gains"
        here = there
    return here, history, "iteration limit"


def _newton_step(hessian: Matrix, slope: Vector) -> Vector:
    """Return where the quadratic model is least; the shortest way if it is flat."""
    try:
        return np.asarray(-cho_solve(cho_factor(hessian), slope))
    except LinAlgError:
        return np.asarray(-lstsq(hessian, slope, cond=FLAT)[0])


def _shortened(
    risk: OrderedRisk, here: Point, step: Vector, slope: float
) -> Point | None:
    wide, length = len(here.weights), 1.0
    while length > 1e-10:
        there = risk.at(
            here.weights + length * step[:wide], here.thresholds + length * step[wide:]
        )
        if there is not None and there.value <= here.value + 1e-4 * length * slope:
            return there
        length /= 2
    return None


def _null(risk: OrderedRisk) -> Point:
    """Return the best point without weights: thresholds by the classes' shares."""
    mass = np.bincount(risk.codes, risk.row_weights)
    share = np.cumsum(mass)[:-1] / mass.sum()
    thresholds = np.log(share) - np.log1p(-share)
    here = risk.at(np.zeros(risk.X.shape[1]), thresholds)
    if here is None:
        raise DataError("OrdinalLogisticRegression: a class has next to no weight.")
    return here


def _certificate(
    risk: OrderedRisk, here: Point, tolerance: float, reason: str
) -> Certificate:
    """Return the bounds for the average cost, as other linear models do."""
    total, slack = float(risk.row_weights.sum()), risk.rounding(here)
    floor = risk.lower_bound(here) - slack
    return Certificate(
        primal=here.value / total,
        dual=floor / total,
        scale=max(_null(risk).value - floor, 0.0) / total,
        tolerance=tolerance,
        reason=reason,
        slack=slack / total,
    ).as_fine_as_rounding_allows()
