"""MLPClassifier: class probabilities from a network of dense layers."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.callback import with_callbacks
from sklearn.metrics import accuracy_score
from sklearn.utils.metaestimators import available_if

from infimum.data.doors import labelled, measured, streams, winners
from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.neural._perceptron import Perceptron
from infimum.models.neural.heads import Classes, Head, Labels
from infimum.models.neural.training import TrainingRows
from infimum.typing import Matrix, Vector

__all__ = ["MLPClassifier", "in_batches", "several_columns"]

_HEADS: dict[str, Head] = {"softmax": Classes(), "logistic": Labels()}


def in_batches(model: Any) -> bool:
    """Whether a model learns from batches."""
    if model.solver == "lbfgs":
        raise AttributeError(
            "partial_fit is only available for stochastic optimizers. lbfgs is not "
            "stochastic."
        )
    return True


class MLPClassifier(ClassifierMixin, Perceptron):  # type: ignore[misc]
    r"""Classifier by a network of dense layers, trained by gradients.

    .. math:: \min_θ \frac1n \sum_i ℓ\bigl(y_i, f_θ(x_i)\bigr)
              + \frac{α}{2n} \sum_l \|W_l\|_F^2, \qquad
              f_θ(x) = W_L\, σ(\dots σ(W_1 x + b_1) \dots) + b_L

    Parameters, first weights, batches and steps are scikit-learn's, so that the weights
    agree with its own. The problem is not convex and `certificate_` is None: see
    `evidence_` for what can be said instead.

    Parameters
    ----------
    hidden_layer_sizes : int or tuple of int, default=(100,)
        Units of each hidden layer.
    activation : str, Activation or tuple of them, default='relu'
        'identity', 'logistic', 'tanh', 'relu' or 'softplus', for all hidden layers or
        for each.
    solver : {'adam', 'sgd', 'lbfgs'}, default='adam'
        Adam, momentum, or a quasi-Newton method on all rows at once.
    alpha : float, default=1e-4
        Strength of the penalty.
    batch_size : int or 'auto', default='auto'
        Rows of a step; 'auto' means 200.
    learning_rate, learning_rate_init, power_t
        Schedule of 'sgd', first rate, exponent of 'invscaling'.
    max_iter, max_fun, tol, n_iter_no_change
        When to stop: passes, evaluations of 'lbfgs', least gain, and how often in
        a row it may be missed.
    shuffle, random_state, warm_start
        As in scikit-learn.
    verbose
        Accepted for compatibility with scikit-learn; nothing is printed.
    momentum, nesterovs_momentum, beta_1, beta_2, epsilon
        Of 'sgd' and 'adam'.
    early_stopping, validation_fraction
        Whether to stop by the accuracy on rows put aside, and their share.
    class_weight : dict, 'balanced' or None, default=None
        Weight of each class.
    dropout : float in [0, 1), default=0.0
        Share of hidden numbers that each training step leaves out.
    n_init : int, default=1
        Number of starts; the least objective is kept.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    coefs_, intercepts_ : list of ndarray
        Weights and intercepts of each layer.
    loss_, loss_curve_, best_loss_, n_iter_, t_
        As in scikit-learn.
    start_losses_ : ndarray
        The objective reached from each start, if there were several.
    evidence_ : Evidence or None
        How stationary the objective is, and how much better another output layer could
        be, as `certify` recomputes it; None after `partial_fit` and Ctrl-C.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> model = MLPClassifier((8,), solver="lbfgs", random_state=1)
    >>> model.fit(X, [0, 1, 1, 0]).predict(X)
    array([0, 1, 1, 0])
    """

    def __init__(
        self,
        hidden_layer_sizes: Any = (100,),
        activation: Any = "relu",
        *,
        solver: str = "adam",
        alpha: float = 0.0001,
        batch_size: Any = "auto",
        learning_rate: str = "constant",
        learning_rate_init: float = 0.001,
        power_t: float = 0.5,
        max_iter: int = 200,
        shuffle: bool = True,
        random_state: Any = None,
        tol: float = 1e-4,
        verbose: bool = False,
        warm_start: bool = False,
        momentum: float = 0.9,
        nesterovs_momentum: bool = True,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-8,
        n_iter_no_change: float = 10,
        max_fun: int = 15000,
        class_weight: Any = None,
        dropout: float = 0.0,
        n_init: int = 1,
    ) -> None:
        self.hidden_layer_sizes = hidden_layer_sizes
        self.activation = activation
        self.solver = solver
        self.alpha = alpha
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.learning_rate_init = learning_rate_init
        self.power_t = power_t
        self.max_iter = max_iter
        self.shuffle = shuffle
        self.random_state = random_state
        self.tol = tol
        self.verbose = verbose
        self.warm_start = warm_start
        self.momentum = momentum
        self.nesterovs_momentum = nesterovs_momentum
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.beta_1 = beta_1
        self.beta_2 = beta_2
        self.epsilon = epsilon
        self.n_iter_no_change = n_iter_no_change
        self.max_fun = max_fun
        self.class_weight = class_weight
        self.dropout = dropout
        self.n_init = n_init

    @with_callbacks  # type: ignore[untyped-decorator]
    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train the network; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples, float32 or float64.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Labels, or columns of zeros and ones.
        sample_weight : array-like of shape (n_samples,), optional
            Weights; with all rows in one batch the same as copies.
        """
        goes_on = self.warm_start and hasattr(self, "coefs_")
        known = self.classes_ if goes_on else None
        table, head = self._read(X, y, sample_weight, reset=not goes_on)
        if known is not None and not np.array_equal(known, self.classes_):
            raise DataError(
                "MLPClassifier: warm_start can only be used where `y` has the same "
                f"classes as in the previous call to fit. Previously got {known}, `y` "
                f"has {self.classes_}"
            )
        return self._watched(table, head, X, y, goes_on=goes_on)

    @available_if(in_batches)  # type: ignore[untyped-decorator]
    @whole_or_not_at_all
    def partial_fit(
        self, X: Any, y: Any, sample_weight: Any = None, classes: Any = None
    ) -> Self:
        """Go over one more batch of rows once; return self.

        Parameters
        ----------
        X, y, sample_weight
            As in `fit`.
        classes : array-like, optional
            All labels that will ever come; needed in the first call only.
        """
        self._refuse_other_solvers()
        goes_on = hasattr(self, "coefs_")
        if several_columns(y):
            table, head = self._read(X, y, sample_weight, reset=not goes_on)
        else:
            given = self.class_weight
            rows = streams(
                self, X, y, sample_weight, classes,
                first=not goes_on, door=labelled, class_weight=given,
            )  # fmt: skip
            self.classes_ = rows.classes
            table = TrainingRows(
                rows.X, _columns(rows.y, len(rows.classes)), rows.weights
            )
            head = Classes() if len(rows.classes) > 2 else Labels()  # noqa: PLR2004
        return self._learn(table, head, once=True, goes_on=goes_on)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the likeliest class, or every label above one half."""
        scores = self._scores(X)
        if self._multilabel():
            return np.asarray(scores > 0, dtype=int)
        scores = scores.ravel() if scores.shape[1] == 1 else scores
        return np.asarray(self.classes_[winners(scores)])

    def predict_proba(self, X: Any) -> Matrix:
        """Return the probability of each class."""
        return self._probabilities(self._scores(X))

    def predict_log_proba(self, X: Any) -> Matrix:
        """Return the logarithm of the probability of each class."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def certified_radius(self, X: Any) -> Vector:
        """Return a distance within which no sample's answer changes.

        The layers cannot stretch a difference by more than the product of their
        spectral norms, of which upper bounds are taken; the margin over the other
        classes does the rest. Rounding in the scores is not counted.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        """
        scores = self._scores(X).astype(np.float64)
        reach, last = self._hidden_reach(), self.coefs_[-1].astype(np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):
            if not isinstance(self._head(), Classes):
                return np.asarray(
                    np.abs(scores / np.linalg.norm(last, axis=0) / reach).min(axis=1)
                )
            best = winners(scores)
            apart = np.linalg.norm(last[:, best].T[:, :, None] - last[None], axis=1)
            lead = scores[np.arange(len(best)), best][:, None] - scores
            radius = lead / (apart * reach)
        radius[np.arange(len(best)), best] = np.inf
        return np.asarray(np.nan_to_num(radius, nan=0.0, posinf=np.inf).min(axis=1))

    def _read(
        self, X: Any, y: Any, sample_weight: Any, *, reset: bool
    ) -> tuple[TrainingRows, Head]:
        if several_columns(y):
            rows = measured(self, X, y, sample_weight, multi_output=True, reset=reset)
            if not np.isin(rows.y, (0.0, 1.0)).all():
                raise DataError(
                    "MLPClassifier takes several outputs as columns of 0 and 1 only: "
                    "Unknown label type."
                )
            self.classes_ = np.arange(rows.y.shape[1])
            Y = rows.y.astype(rows.X.dtype)
            return TrainingRows(rows.X, Y, rows.weights), Labels()
        rows = labelled(
            self, X, y, sample_weight, class_weight=self.class_weight, reset=reset
        )
        self.classes_ = rows.classes
        Y = _columns(rows.y, len(rows.classes))
        head = Classes() if len(rows.classes) > 2 else Labels()  # noqa: PLR2004
        return TrainingRows(rows.X, Y, rows.weights), head

    def _head(self) -> Head:
        return _HEADS[self.out_activation_]

    def _multilabel(self) -> bool:
        return self.out_activation_ == "logistic" and self.n_outputs_ > 1

    def _probabilities(self, scores: Matrix) -> Matrix:
        found = self._head().answers(scores)
        if found.shape[1] > 1:
            return found
        return np.concatenate([1 - found, found], axis=1)

    def _judge(self, answers: Matrix, judged: TrainingRows) -> float:
        """Return the accuracy on rows put aside."""
        if not np.isfinite(answers).all():
            return float("nan")
        if answers.shape[1] > 1 and self.out_activation_ == "softmax":
            told, right = answers.argmax(axis=1), judged.Y.argmax(axis=1)
        else:
            told, right = answers > 0.5, judged.Y > 0.5
            if answers.shape[1] == 1:
                told, right = told.ravel(), right.ravel()
        return float(accuracy_score(right, told, sample_weight=judged.weights))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags


def several_columns(y: Any) -> bool:
    """Whether there are several columns of labels."""
    columns = np.asarray(y)
    return columns.ndim == 2 and columns.shape[1] > 1  # noqa: PLR2004


def _columns(codes: NDArray[Any], count: int) -> NDArray[np.float32]:
    """Return a column of ones for two classes, a column for each of several."""
    if count == 2:  # noqa: PLR2004
        return np.asarray(codes == 1, dtype=np.float32)[:, None]
    found: NDArray[np.float32] = np.zeros((len(codes), count), dtype=np.float32)
    found[np.arange(len(codes)), codes] = 1.0
    return found
