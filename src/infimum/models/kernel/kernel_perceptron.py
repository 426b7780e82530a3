"""Kernel perceptron: learn from mistakes, in the space of a kernel."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from infimum.data.doors import labelled, things
from infimum.data.doors.labels import sign_rows
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models._kernel_door import gram_of
from infimum.models.kernel._machine import KernelClassifier
from infimum.parameters import Domains, check_domain, check_parameters, positive, whole
from infimum.typing import Matrix, Vector

__all__ = ["KernelPerceptron", "mistake_bound"]


class KernelPerceptron(KernelClassifier):
    r"""A function that changes only when it errs.

    .. math:: \text{while } y_i f(x_i) ≤ 0 \text{ for some } i: \quad
              f ← f + y_i\,k(x_i, ·) + y_i

    Samples are visited in order, again and again, until a round passes without a
    mistake or after `max_iter` rounds: where no function separates the classes, the
    rounds go on in a cycle. The number of mistakes is bounded by `mistake_bound`. More
    than two classes are learnt one against the rest. A sample of weight k is k copies
    in a row; what is left of a weight that is not whole takes a step of that length.

    Parameters
    ----------
    kernel, gamma, degree, coef0, kernel_params
        As in `KernelRidge`, with the Gaussian kernel as default.
    fit_intercept : bool, default=True
        Whether each mistake also moves the intercept, by yᵢ.
    max_iter : int, default=1000
        Most rounds over the samples.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    dual_coef_ : ndarray of shape (n_classes or 1, n_samples)
        Steps made at each sample, one a mistake, with its sign.
    intercept_ : ndarray of shape (n_classes or 1,)
    updates_ : list of ndarray
        For each row of `dual_coef_`, the samples of the mistakes, in order.
    separated_ : bool
        Whether the last round of every row passed without a mistake.
    n_iter_ : int
        Rounds over the samples.
    X_fit_ : the samples; None for a precomputed kernel

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    >>> model = KernelPerceptron(gamma=1.0).fit(X, [0, 0, 1, 1])
    >>> model.predict(X).tolist(), model.updates_[0].tolist(), model.separated_
    ([0, 0, 1, 1], [0, 2, 3, 0, 1, 2], True)

    References
    ----------
    Freund & Schapire (1999), Machine Learning 37.
    """

    _domains: ClassVar[Domains] = {
        "max_iter": whole(1),
    }

    def __init__(
        self,
        *,
        kernel: Any = "rbf",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        fit_intercept: bool = True,
        max_iter: int = 1000,
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Visit the samples until none is misclassified; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or a list
            Samples; the kernel matrix if `kernel` is "precomputed".
        y : array-like of shape (n_samples,)
            Labels, of any sortable kind.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample, next to it.
        """
        check_parameters(self)
        rows = things(self, X, y, sample_weight, door=labelled)
        self.classes_, weights = rows.classes, rows.shares()
        gram = gram_of(self, rows.X) + float(bool(self.fit_intercept))
        signs = sign_rows(rows.y, len(rows.classes))
        runs = [_learn(gram, sign, weights, int(self.max_iter)) for sign in signs]
        self._keep_samples(rows.X)
        self.updates_ = [run.mistakes for run in runs]
        self.dual_coef_ = signs * np.array([run.steps for run in runs])
        sums = self.dual_coef_.sum(axis=1)
        self.intercept_ = sums * float(bool(self.fit_intercept))
        self.n_iter_ = max(run.rounds for run in runs)
        scores = (self.dual_coef_ @ gram) * signs
        self.separated_ = bool((scores[:, weights > 0] > 0).all())
        return self


class _Run(NamedTuple):
    """The samples of the mistakes, in order; the steps at each; and the rounds."""

    mistakes: NDArray[np.intp]
    steps: Vector
    rounds: int


def _learn(gram: Matrix, signs: Vector, weights: Vector, most: int) -> _Run:
    """Visit the samples of positive weight in order, round after round."""
    mistakes: list[int] = []
    scores, steps = np.zeros(len(signs)), np.zeros(len(signs))
    for turn in range(1, most + 1):
        here, before = 0, len(mistakes)
        while here < len(signs):
            wrong = (signs[here:] * scores[here:] <= 0) & (weights[here:] > 0)
            ahead = int(wrong.argmax())
            if not wrong[ahead]:
                break
            here += ahead
            left = float(weights[here])
            while left > 0 and signs[here] * scores[here] <= 0:
                step = min(left, 1.0)
                left -= step
                mistakes.append(here)
                steps[here] += step
                scores += step * signs[here] * gram[here]
            here += 1
        if len(mistakes) == before:
            return _Run(np.array(mistakes, dtype=np.intp), steps, turn)
    return _Run(np.array(mistakes, dtype=np.intp), steps, most)


def mistake_bound(radius: float, margin: float, offset: float | None = None) -> float:
    r"""Return Novikoff's bound on the number of mistakes of a perceptron.

    .. math:: \frac{R^2}{γ^2} \text{ without, } \qquad
              \frac{(1 + R^2)(1 + b^2)}{γ^2} \text{ with an intercept}

    when all samples have length at most `radius` and some w of length 1, with the
    intercept b = `offset`, has :math:`y_i (⟨w, x_i⟩ + b) ≥ γ` = `margin` on all of
    them. However many samples there are, and in however many dimensions.

    Examples
    --------
    >>> mistake_bound(radius=2.0, margin=0.5), mistake_bound(2.0, 0.5, offset=1.0)
    (16.0, 40.0)
    """
    check_domain("mistake_bound radius", radius, positive)
    check_domain("mistake_bound margin", margin, positive)
    if offset is None:
        return radius**2 / margin**2
    return (1.0 + radius**2) * (1.0 + offset**2) / margin**2
