"""Perceptron: updates after each mistake, one row at a time."""

from __future__ import annotations

from typing import Any, Self

from infimum.data.doors.streamed_rows import streams
from infimum.models.online._classifier import OnlineClassifier
from infimum.models.online._losses import ErrorDriven, StreamLoss
from infimum.models.online._schedule import Schedule, named_schedule

__all__ = ["Perceptron"]


class Perceptron(OnlineClassifier):
    r"""A linear classifier that changes only when it errs.

    .. math:: \text{if } y_t (⟨w, x_t⟩ + b) ≤ ρ: \quad w ← w + η y_t x_t, \quad
              b ← b + η y_t

    On separable rows the number of mistakes, over however many passes, stays below
    Novikoff's bound (`infimum.models.kernel.mistake_bound`); on others, below
    `infimum.certificates.perceptron_bound` against any comparator. More than two
    classes are learnt one against the rest; `MulticlassPerceptron` lets them compete.

    Parameters
    ----------
    penalty : {None, "l2", "l1", "elasticnet"}, default=None
        What the weights cost.
    alpha, l1_ratio : float, default=0.0001, 0.15
        Strength of the penalty, and the share of the l1 in an elastic net.
    fit_intercept : bool, default=True
        Whether each step also moves the intercept.
    max_iter : int, default=1000
        Most passes over the rows in `fit`.
    tol : float or None, default=1e-3
        `fit` stops when the mean loss met in a pass has not fallen by this much in
        `n_iter_no_change` passes; None runs all `max_iter`.
    shuffle : bool, default=True
        Whether `fit` shuffles the rows before each pass. `partial_fit` never does.
    verbose, n_jobs : ignored
        There for scikit-learn's sake.
    eta0 : float, default=1.0
        Step length η.
    random_state : int, RandomState or None, default=0
        Order of the rows.
    early_stopping : bool, default=False
        Whether to judge passes by the accuracy on rows put aside.
    validation_fraction : float, default=0.1
        Share of rows put aside.
    n_iter_no_change : int, default=5
        Passes without improvement before `fit` stops.
    class_weight : dict, "balanced" or None, default=None
        Factor of the steps of each class.
    warm_start : bool, default=False
        Whether `fit` goes on from the last fit.
    margin : float, default=0.0
        The ρ up to which a right answer is not right enough.
    average : bool or int, default=False
        Whether to predict by the mean of the weights after every step (the averaged
        perceptron), from the given step on.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    coef_ : ndarray of shape (n_classes or 1, n_features)
    intercept_ : ndarray of shape (n_classes or 1,)
    n_iter_ : int
        Passes over the rows.
    t_ : float
        Steps taken, plus 1.
    mistakes_ : ndarray of shape (n_classes or 1,)
        How many rows each score had on the wrong side, or on the border, when it met
        them.
    incurred_ : ndarray of shape (n_classes or 1,)
        The loss of each score, summed over the rows as it met them.
    memory_ : dict
        What `partial_fit` goes on from.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[2.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 2.0]])
    >>> model = Perceptron(shuffle=False).fit(X, ["a", "b", "a", "b"])
    >>> model.predict(X).tolist(), model.mistakes_.tolist()
    (['a', 'b', 'a', 'b'], [2])

    References
    ----------
    Rosenblatt (1958), Psychological Review 65. Novikoff (1962). Freund & Schapire
    (1999), Machine Learning 37 (averages).
    """

    def __init__(
        self,
        *,
        penalty: str | None = None,
        alpha: float = 0.0001,
        l1_ratio: float = 0.15,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: float | None = 1e-3,
        shuffle: bool = True,
        verbose: int = 0,
        eta0: float = 1.0,
        n_jobs: int | None = None,
        random_state: Any = 0,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        class_weight: Any = None,
        warm_start: bool = False,
        margin: float = 0.0,
        average: bool | int = False,
    ) -> None:
        self.penalty = penalty
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.shuffle = shuffle
        self.verbose = verbose
        self.eta0 = eta0
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.margin = margin
        self.average = average

    @streams("infimum.models.streamed.online:fit_online")
    def fit(
        self,
        X: Any,
        y: Any,
        coef_init: Any = None,
        intercept_init: Any = None,
        sample_weight: Any = None,
    ) -> Self:
        """Pass over the rows until nothing improves; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows, float32 or float64.
        y : array-like of shape (n_samples,)
            Labels, of any sortable kind.
        coef_init, intercept_init : array-like, optional
            Where to begin, in the shapes of `coef_` and `intercept_`.
        sample_weight : array-like of shape (n_samples,), optional
            Factor of the step at each row, relative to the mean; 0 removes the row.
        """
        return self._fit(X, y, (coef_init, intercept_init), sample_weight)

    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> Self:
        """Take one step for each row, in their order; return self.

        A stream cut into batches in any way, single rows included, ends in the same
        model.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows that came.
        y : array-like of shape (n_samples,)
            Their labels.
        classes : array-like, optional
            All labels that may come; needed at the first call.
        sample_weight : array-like of shape (n_samples,), optional
            Factor of the step at each row.
        """
        return self._partial_fit(X, y, classes, sample_weight)

    def _stream_loss(self) -> StreamLoss:
        return ErrorDriven(float(self.margin))

    def _schedule(self, loss: StreamLoss) -> Schedule:
        owner = type(self).__name__
        return named_schedule(owner, "constant", self.eta0, 0.0, 0.0, loss)
