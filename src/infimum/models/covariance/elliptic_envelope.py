"""What lies far outside the ellipse of the densest part is new."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import OutlierMixin

from infimum.data.doors import check_fitted
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.covariance.min_cov_det import MinCovDet
from infimum.parameters import Domains, Interval, check_parameters
from infimum.typing import Vector

__all__ = ["EllipticEnvelope"]


class EllipticEnvelope(OutlierMixin, MinCovDet):  # type: ignore[misc]
    """Outliers of data that are nearly normal: far from a robust mean.

    Parameters
    ----------
    store_precision : bool, default=True
    assume_centered : bool, default=False
    support_fraction : float in (0, 1] or None, default=None
        The share of the rows that the covariance is made of.
    contamination : float in (0, 0.5], default=0.1
        The share of the training rows that is to be called outlying.
    random_state : int, RandomState or None, default=None

    Attributes
    ----------
    location_, covariance_, precision_, support_, dist_, raw_location_, \
raw_covariance_, raw_support_
        As in `MinCovDet`.
    offset_ : float
        Scores below are outlying.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(50, 2))
    >>> EllipticEnvelope(random_state=0).fit(X).predict([[0.0, 0.0], [9.0, 9.0]])
    array([ 1, -1])
    """

    _domains: ClassVar[Domains] = {"contamination": Interval(0, 0.5, open_low=True)}

    def __init__(
        self,
        *,
        store_precision: bool = True,
        assume_centered: bool = False,
        support_fraction: float | None = None,
        contamination: float = 0.1,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            store_precision=store_precision,
            assume_centered=assume_centered,
            support_fraction=support_fraction,
            random_state=random_state,
        )
        self.contamination = contamination

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None) -> Self:  # type: ignore[override]
        """Find the densest rows, their covariance and the level; return self."""
        check_parameters(self)
        super().fit(X)
        self.offset_ = np.float64(
            np.percentile(-self.dist_, 100.0 * self.contamination)
        )
        return self

    def decision_function(self, X: Any) -> Vector:
        """Return the score above the level; what is negative is outlying."""
        check_fitted(self)
        return np.asarray(self.score_samples(X) - self.offset_)

    def score_samples(self, X: Any) -> Vector:
        """Return minus the squared Mahalanobis distance of samples."""
        check_fitted(self)
        return -self.mahalanobis(X)

    def predict(self, X: Any) -> NDArray[np.intp]:
        """Return 1 for the familiar and -1 for the outlying."""
        return np.where(self.decision_function(X) >= 0, 1, -1)

    def score(  # type: ignore[override]
        self, X: Any, y: Any, sample_weight: Any = None
    ) -> float:
        """Return the accuracy of `predict`."""
        from sklearn.metrics import accuracy_score

        told = accuracy_score(y, self.predict(X), sample_weight=sample_weight)
        return float(told)
