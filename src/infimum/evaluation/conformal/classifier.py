"""Split conformal classification: sets of labels, with their coverage."""

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone

from infimum.data.doors import check_fitted, winners
from infimum.errors import DataError, IncompatibleError
from infimum.evaluation.conformal.strata import Strata, apart, group_names, take
from infimum.parameters import Choice, Domains, check_parameters, opened
from infimum.typing import Mask, Matrix, Vector

__all__ = ["ConformalClassifier"]

_METHODS = Choice(("lac", "aps"))
_METHODS_ASKED = ("predict_proba", "decision_function")


class ConformalClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    r"""A classifier that answers with sets of labels which rarely miss the true one.

    Rows that the classifier has not seen show how strange the true label looks to it;
    the set of a new row has every label that looks no stranger than a share `coverage`
    of them. If those rows and the new one are exchangeable,

    .. math:: P\bigl(y \in C(x)\bigr) \ge \text{coverage},

    whatever the classifier. An easy row has one label in its set, a hard one several.

    === =============================================================================
    lac score 1 - p(y|x) (least ambiguous): the smallest sets on average
    aps probability of all labels before y in the order of p(·|x), plus a random part
        of y's own (adaptive): sets that grow where the classifier is unsure
    === =============================================================================

    Parameters
    ----------
    estimator : estimator
        A classifier with `predict_proba`; where it has none, its scores are turned into
        numbers that sum to 1, which serve as well: the promise asks nothing of them.
    method : {"lac", "aps"}, default="lac"
    coverage : float in (0, 1), default=0.9
    calibration : float in (0, 1), default=0.25
        Share of the rows that `fit` sets aside.
    by_label : bool, default=False
        Give every label its own threshold, so that the promise holds for the rows of
        each class (label-conditional).
    empty_sets : bool, default=False
        Whether a set may be empty; if not, it has at least the most probable label.
    random_state : int, default=0

    Attributes
    ----------
    estimator_ : the fitted classifier.
    classes_ : ndarray, the labels, in the order of the sets' columns.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.evaluation import ConformalClassifier
    >>> from infimum.models.linear import LogisticRegression
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 3, 3000)
    >>> X = np.eye(3)[y] + 0.5 * rng.standard_normal((3000, 3))
    >>> model = ConformalClassifier(LogisticRegression()).fit(X[:1000], y[:1000])
    >>> sets = model.predict_set(X[1000:])
    >>> bool(sets[np.arange(2000), y[1000:]].mean() >= 0.9)
    True

    References
    ----------
    M. Sadinle, J. Lei and L. Wasserman (2019), Least ambiguous set-valued classifiers
    with bounded error levels, JASA. Y. Romano, M. Sesia and E. Candès (2020),
    Classification with valid and adaptive coverage, NeurIPS.
    """

    _domains: ClassVar[Domains] = {
        "method": _METHODS,
        "coverage": opened(0, 1),
    }

    def __init__(
        self,
        estimator: Any,
        *,
        method: str = "lac",
        coverage: float = 0.9,
        calibration: float = 0.25,
        by_label: bool = False,
        empty_sets: bool = False,
        random_state: int = 0,
    ) -> None:
        self.estimator = estimator
        self.method = method
        self.coverage = coverage
        self.calibration = calibration
        self.by_label = by_label
        self.empty_sets = empty_sets
        self.random_state = random_state

    def fit(self, X: Any, y: ArrayLike, groups: ArrayLike | None = None) -> Self:
        """Fit on some of the rows, calibrate on the others; return self."""
        self._check()
        labels = np.asarray(y)
        train, held = apart(len(labels), self.calibration, self.random_state)
        names = None if groups is None else group_names(groups, len(labels))[held]
        self.estimator_ = clone(self.estimator).fit(take(X, train), labels[train])
        self.fitted_here_ = True
        return self.calibrate(take(X, held), labels[held], names)

    def calibrate(
        self,
        X: Any,
        y: ArrayLike,
        groups: ArrayLike | None = None,
        *,
        weights: ArrayLike | None = None,
        heaviest: float | None = None,
    ) -> Self:
        """Choose the thresholds on rows the classifier has not seen; return self.

        An estimator that is already fitted may be calibrated without `fit`. With
        `weights` the promise is about a population in which each row stands for so many
        (see `weighted_threshold`); rows heavier than the `heaviest`, which is that of
        these rows unless it is given, count as that.
        """
        self._check(groups)
        if not getattr(self, "fitted_here_", False):
            self.estimator_ = self.estimator
        self.classes_ = np.asarray(self.estimator_.classes_)
        labels = np.asarray(y)
        if len(labels) == 0:
            raise DataError("ConformalClassifier needs calibration rows, got none.")
        scores = self._scores(X, stream=0)
        codes = np.searchsorted(self.classes_, labels).clip(0, len(self.classes_) - 1)
        own = scores[np.arange(len(labels)), codes]
        # A label that the classifier has never met is as strange as can be.
        own = np.where(self.classes_[codes] == labels, own, 1.0)
        strata = labels if self.by_label else groups
        self.strata_ = Strata.of(own, strata, weights, heaviest)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable label of each row."""
        return np.asarray(self.estimator_.predict(X))

    def predict_set(
        self,
        X: Any,
        coverage: float | None = None,
        groups: ArrayLike | None = None,
    ) -> Mask:
        """Return for each row (row) which labels (columns) are in its set."""
        check_fitted(self, "strata_")
        share = self.coverage if coverage is None else coverage
        scores = self._scores(X, stream=1)
        if self.by_label:
            limits = self.strata_.thresholds(share, self.classes_, len(self.classes_))
        else:
            limits = self.strata_.thresholds(share, groups, len(scores))[:, None]
        members = scores <= limits
        if not self.empty_sets:
            best = winners(self.chances(X))
            members[np.arange(len(members)), best] = True
        return np.asarray(members)

    def _check(self, groups: ArrayLike | None = None) -> None:
        check_parameters(self)
        if self.by_label and groups is not None:
            raise IncompatibleError(
                "ConformalClassifier(by_label=True) takes no groups: the labels are "
                "its groups."
            )
        if not any(hasattr(self.estimator, method) for method in _METHODS_ASKED):
            raise IncompatibleError(
                "ConformalClassifier needs a classifier with predict_proba or "
                f"decision_function; {type(self.estimator).__name__} has neither."
            )

    def chances(self, X: Any) -> Matrix:
        """Return numbers that sum to 1 over the labels: probabilities if there are.

        Of a calibrated classifier, or of an `estimator` that is fitted already.
        """
        model = getattr(self, "estimator_", self.estimator)
        if hasattr(model, "predict_proba"):
            return np.asarray(model.predict_proba(X), dtype=np.float64)
        scores = np.asarray(model.decision_function(X), dtype=np.float64)
        if scores.ndim == 1:
            scores = np.column_stack([np.zeros_like(scores), scores])
        return np.asarray(softmax(scores, axis=1))

    def _scores(self, X: Any, stream: int) -> Matrix:
        """Return how strange each label would be, from 0 to 1, for each row."""
        chances = self.chances(X)
        if self.method == "lac":
            return 1.0 - chances
        # One draw a row, the same for all its labels; calibration and prediction use
        # separate streams.
        generator = np.random.default_rng([self.random_state, stream])
        return _adaptive(chances, generator.uniform(size=len(chances)))


def _adaptive(chances: Matrix, draws: Vector) -> Matrix:
    """Return the probability before each label, plus a random part of its own."""
    order = np.argsort(-chances, axis=1, kind="stable")
    ordered = np.take_along_axis(chances, order, axis=1)
    before = np.cumsum(ordered, axis=1) - ordered
    scores = np.empty_like(chances)
    np.put_along_axis(scores, order, before + draws[:, None] * ordered, axis=1)
    return scores
