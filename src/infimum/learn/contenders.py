"""The linear models that race against each other, and the one that knows nothing."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.models.linear import (
    ElasticNet,
    HuberRegressor,
    Lasso,
    LinearSVC,
    LinearSVR,
    LogisticRegression,
    PoissonRegressor,
    QuantileRegressor,
    Ridge,
    RidgeClassifier,
)

__all__ = ["Contender", "classifiers", "regressors"]

#: A lasso path begins where the first weight appears. A ridge path has no such place:
#: it begins where all weights are negligible, and has further to go.
_RIDGE = 1e-6
#: A tolerance on gradients that leaves a relative gap of a millionth, its square.
_MILLIONTH = 1e-3


@dataclass(frozen=True)
class Contender:
    """A model family in the race; `make` returns a fresh estimator of it.

    A `fixed` contender has one setting, the others run along their regularisation path,
    which ends at the share `depth` of its greatest strength.
    """

    name: str
    label: str
    make: Callable[[], Any]
    depth: float = 1e-3
    fixed: bool = False


def classifiers() -> tuple[Contender, ...]:
    """Return the contenders for classification, the baseline first."""
    return (
        # So strong a lasso leaves the intercept alone: the class frequencies.
        Contender(
            "baseline",
            "Majority class",
            lambda: LogisticRegression(l1_ratio=1.0, C=1e-9),
            fixed=True,
        ),
        Contender("logistic-l2", "Logistic ridge", LogisticRegression, _RIDGE),
        Contender(
            "logistic-l1", "Logistic lasso", lambda: LogisticRegression(l1_ratio=1.0)
        ),
        Contender(
            "logistic-elastic-net",
            "Logistic elastic net",
            lambda: LogisticRegression(l1_ratio=0.5),
        ),
        Contender("ridge-classifier", "Ridge classifier", RidgeClassifier, _RIDGE),
        Contender("svm-squared-hinge", "SVM, squared hinge", LinearSVC, _RIDGE),
        Contender("svm-hinge", "SVM, hinge", lambda: LinearSVC(loss="hinge"), _RIDGE),
    )


def regressors(y: NDArray[Any]) -> tuple[Contender, ...]:
    """Return the contenders for regression, the baseline first.

    Counts (whole numbers from 0 up) also get a Poisson model.
    """
    everything = 1e6 * (float(np.std(y)) or 1.0)
    counts = bool(np.all(y >= 0) and np.all(y == np.floor(y)) and np.any(y > 0))
    poisson = (
        (Contender("poisson", "Poisson", PoissonRegressor, _RIDGE),) if counts else ()
    )
    return (
        Contender("baseline", "Mean", lambda: Lasso(alpha=everything), fixed=True),
        Contender("ridge", "Ridge", Ridge, _RIDGE),
        Contender("lasso", "Lasso", Lasso),
        Contender("elastic-net", "Elastic net", ElasticNet),
        Contender("huber", "Huber", lambda: HuberRegressor(tol=_MILLIONTH), _RIDGE),
        *poisson,
        Contender("svr", "Linear SVR", LinearSVR, _RIDGE),
        Contender("median", "Median", lambda: QuantileRegressor(quantile=0.5)),
    )
