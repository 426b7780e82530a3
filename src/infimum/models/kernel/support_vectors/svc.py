"""Support vector classification."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Self

import numpy as np

from infimum.losses import Hinge, SquaredHinge
from infimum.models._interior_start import Plain
from infimum.models._support_vector_machine import PRICES, price_of
from infimum.models._support_vector_proof import Claim
from infimum.models.kernel.support_vectors._certified_classifier import (
    CertifiedClassifier,
)
from infimum.models.kernel.support_vectors._support_vector_classifier import (
    Answer,
    BinaryProblem,
    Margin,
)
from infimum.objectives import SupportVectorDual
from infimum.parameters import Choice, Domains
from infimum.typing import Vector

__all__ = ["SVC"]


class SVC(CertifiedClassifier):
    r"""Support vector machine: the widest margin that few samples violate.

    .. math:: \min_{f, b} \tfrac12 \|f\|^2
              + C \sum_i w_i \max(0, 1 - y_i (f(x_i) + b))

    The solution is a sum over the support vectors alone, the samples on or inside the
    margin. More than two classes are learnt two at a time, and vote.

    Parameters
    ----------
    C : float, default=1.0
        Price of a margin violation.
    kernel : str, Kernel or callable, default="rbf"
        scikit-learn's name of a kernel, a kernel of `infimum.kernels` (on things of
        any kind), a function of two matrices that returns kernel values, or
        "precomputed". Whether a function is positive semi-definite, without which
        there is no proof, is examined on the first 500 samples only.
    degree, gamma, coef0 : default=3, "scale", 0.0
        Parameters of a named kernel, as in scikit-learn.
    shrinking, verbose
        Accepted for compatibility with scikit-learn; they need no setting here.
    probability : bool, "sigmoid" or "isotonic", default="deprecated"
        Whether to learn `predict_proba` from scores of five held-out folds, by Platt's
        sigmoid (also True) or by a rising step function. The default means no.
    tol : float, default=1e-3
        Stop when the KKT conditions hold to `tol` and the duality gap is below `tol`
        of the null risk, or the gap is below a tenth of `tol` of the objective.
    cache_size : float, default=200
        Megabytes for kernel values.
    class_weight : dict, 'balanced' or None, default=None
        Weight of each class.
    max_iter : int, default=-1
        Most working sets to solve; -1 means 300, or a tenth of the number of
        samples if that is more.
    decision_function_shape : {"ovr", "ovo"}, default="ovr"
        Whether `decision_function` gives one score per class or per pair of classes.
    break_ties : bool, default=False
        Whether scores decide between classes of as many votes.
    random_state : int, RandomState or None, default=None
        Seed of the folds for `probability`.
    multi_class : {"ovo", "ovr"}, default="ovo"
        Learn each pair of classes, or each class against the rest.
    loss : {"hinge", "squared_hinge"}, default="hinge"
        What a margin violation costs; squared, there is no limit to a coefficient.

    Attributes
    ----------
    support_ : ndarray of shape (n_support,)
        Which samples are support vectors, by class.
    support_vectors_ : the support vectors; empty for a precomputed kernel
    n_support_ : ndarray of shape (n_classes,)
    dual_coef_ : ndarray of shape (n_classes - 1, n_support)
        Coefficients times sign, in scikit-learn's layout; (n_classes, n_support) when
        each class was learnt against the rest.
    intercept_ : ndarray of shape (n_machines,)
    classes_ : ndarray of shape (n_classes,)
    class_weight_ : ndarray of shape (n_classes,)
    margins_ : ndarray of shape (n_machines,)
        BinaryProblem the distance between the two sides of each margin, 1/‖f‖.
    leave_one_out_bound_ : float
        Share of support vectors. Without one of the other samples nothing changes if
        `gamma` and `class_weight` are numbers (not set by the data) and some support
        vector of each machine lies on its margin, which fixes the offset; then the
        leave-one-out error is at most this.
    certificate_ : Certificate
        How far the least certain machine can be from optimal.
    history_ : tuple of Record
        Its bounds against time.
    n_iter_ : ndarray of shape (n_machines,)
    fit_status_ : int
        0 if every gap closed.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> model = SVC(C=10.0).fit(X, ["in", "out", "out", "in"])
    >>> model.predict([[0.1], [1.4]]).tolist(), model.certificate_.closed
    (['in', 'out'], True)
    """

    _domains: ClassVar[Domains] = {
        "C": PRICES,
        "loss": Choice(("hinge", "squared_hinge")),
    }

    def __init__(
        self,
        *,
        C: float = 1.0,
        kernel: Any = "rbf",
        degree: int = 3,
        gamma: Any = "scale",
        coef0: float = 0.0,
        shrinking: bool = True,
        probability: Any = "deprecated",
        tol: float = 1e-3,
        cache_size: float = 200,
        class_weight: Any = None,
        verbose: bool = False,
        max_iter: int = -1,
        decision_function_shape: str = "ovr",
        break_ties: bool = False,
        random_state: Any = None,
        multi_class: str = "ovo",
        loss: str = "hinge",
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.shrinking = shrinking
        self.probability = probability
        self.tol = tol
        self.cache_size = cache_size
        self.class_weight = class_weight
        self.verbose = verbose
        self.max_iter = max_iter
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties
        self.random_state = random_state
        self.multi_class = multi_class
        self.loss = loss

    def _recipe(self) -> Margin:
        return Margin(
            price_of(self), self._answer, self._claim, self._plain, leaves_one_out=True
        )

    def path(
        self, X: Any, y: Any, values: Any, *, sample_weight: Any = None
    ) -> list[Self]:
        """Fit a clone for each price in `values`, every one started from the last.

        Parameters
        ----------
        X, y, sample_weight
            As in `fit`.
        values : array-like of shape (n_values,)
            Prices C, in the order in which to try them; from low to high is fastest.

        Returns
        -------
        list of SVC
            Certified each, as if fitted alone.

        Examples
        --------
        >>> import numpy as np
        >>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
        >>> machines = SVC().path(X, [0, 1, 1, 0], [0.1, 1.0, 10.0])
        >>> [machine.C for machine in machines if machine.certificate_.closed]
        [0.1, 1.0, 10.0]
        """
        return self._along("C", values, _scaled, X, y, sample_weight)

    def _answer(
        self, binary: BinaryProblem, things: Any, start: Vector | None
    ) -> Answer:
        plain = None if self.loss != "hinge" else self._plain(binary)
        some = self._some(things, binary.rows)
        found = self._solve(self._dual(binary), some, start, plain)
        norm = np.sqrt(max(float(found.point @ found.scores), 0.0))
        margin = 1.0 / norm if norm > 0 else np.inf
        return Answer(found.point, float(found.offsets[0]), margin, found)

    def _plain(self, binary: BinaryProblem) -> Plain:
        loss = Hinge() if self.loss == "hinge" else SquaredHinge()
        return Plain(loss, binary.signs, binary.bounds)

    def _dual(self, binary: BinaryProblem) -> SupportVectorDual:
        squared = self.loss == "squared_hinge"
        return SupportVectorDual.classification(
            binary.signs, binary.bounds, squared=squared
        )

    def _claim(self, number: int, binary: BinaryProblem, coefficients: Vector) -> Claim:
        offsets = np.array([self.intercept_[number], 0.0])
        return Claim(self._dual(binary), coefficients, offsets)


def _scaled(last: SVC, machine: SVC) -> Iterator[Vector]:
    """Yield the coefficients of all samples in each machine, in proportion to C.

    The bounds are too, so a solution under one price is feasible under another.
    """
    for row in last._pair_coef():
        coef = np.zeros(last.shape_fit_[0])
        coef[last.support_] = row * (price_of(machine) / price_of(last))
        yield coef
