"""ν support vector classification: ν bounds the share of margin errors."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any, ClassVar, Self

import numpy as np

from infimum.errors import DataError
from infimum.models._support_vector_proof import Claim
from infimum.models.kernel.support_vectors._certified_classifier import (
    CertifiedClassifier,
)
from infimum.models.kernel.support_vectors._support_vector_classifier import (
    Answer,
    BinaryProblem,
    Margin,
)
from infimum.models.kernel.support_vectors.nu_property import NuProperty
from infimum.models.warnings import UncertifiedWarning
from infimum.objectives import SupportVectorDual
from infimum.parameters import Domains, Interval
from infimum.solvers import DualSolution
from infimum.typing import Vector

__all__ = ["NuSVC"]

#: Where every kernel value is 0, f is 0 whatever it is divided by.
LEAST = 1e-150
#: Shares this close are the same but for rounding.
SAME = 1e-12


class NuSVC(CertifiedClassifier):
    r"""Support vector machine that is told how many samples may violate the margin.

    .. math:: \min_{f, b, ρ} \tfrac12 \|f\|^2 - ν n ρ
              + \sum_i w_i \max(0, ρ - y_i (f(x_i) + b))

    At most a share ν of the samples violates the margin, and at least that share are
    support vectors. The solution is one of C-SVC: divided by ρ, its margin is 1 again.

    Parameters
    ----------
    nu : float, default=0.5
        The share, in (0, 1]. More than twice the share of the smaller class cannot be
        had; a larger number means that, and `nu_` tells.
    kernel, degree, gamma, coef0, shrinking, probability, tol, cache_size
        As in `SVC`.
    class_weight, verbose, max_iter, decision_function_shape, break_ties
        As in `SVC`.
    random_state, multi_class
        As in `SVC`.

    Attributes
    ----------
    support_, support_vectors_, n_support_, dual_coef_, intercept_, classes_
        As in `SVC`.
    nu_ : ndarray of shape (n_machines,)
        The share in use: `nu`, or the largest there is for two classes if that is less.
    nu_property_ : NuProperty
        Arrays of shape (n_machines,): the share of the samples that violate the
        margin, ν, and the share of support vectors, all counted as they weigh.
    equivalent_C_ : ndarray of shape (n_machines,)
        1/ρ: the C at which C-SVC gives the same machine.
    margins_, certificate_, history_, n_iter_, fit_status_
        As in `SVC`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> model = NuSVC(nu=0.5).fit(X, ["in", "out", "out", "in"])
    >>> model.predict([[0.1], [1.4]]).tolist(), model.certificate_.closed
    (['in', 'out'], True)
    """

    nu_: Vector
    equivalent_C_: Vector  # noqa: N815
    nu_property_: NuProperty

    _domains: ClassVar[Domains] = {
        "nu": Interval(0, 1, open_low=True),
    }

    def __init__(
        self,
        *,
        nu: float = 0.5,
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
    ) -> None:
        self.nu = nu
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

    def _recipe(self) -> Margin:
        return Margin(1.0, self._answer, self._claim)

    def path(
        self, X: Any, y: Any, values: Any, *, sample_weight: Any = None
    ) -> list[Self]:
        """Fit a clone for each share ν in `values`, every one started from the last.

        Parameters
        ----------
        X, y, sample_weight
            As in `fit`.
        values : array-like of shape (n_values,)
            Shares, in the order in which to try them.

        Returns
        -------
        list of NuSVC
            Certified each, as if fitted alone.

        Examples
        --------
        >>> import numpy as np
        >>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
        >>> machines = NuSVC().path(X, [0, 1, 1, 0], [0.2, 0.5, 0.8])
        >>> [machine.nu for machine in machines if machine.certificate_.closed]
        [0.2, 0.5, 0.8]
        """
        return self._along("nu", values, _points, X, y, sample_weight)

    def _answer(
        self, binary: BinaryProblem, things: Any, start: Vector | None
    ) -> Answer:
        dual = self._dual(binary)
        start = None if start is None else dual.feasible(start)
        found = self._solve(dual, self._some(things, binary.rows), start)
        ahead, behind = found.offsets
        rho = self._margin(found)
        offset = 0.5 * float(ahead + behind) / rho
        norm = np.sqrt(max(float(found.point @ found.scores), 0.0)) / rho
        nu, equivalent = self._feasible(binary), 1.0 / rho
        errs = binary.signs * (found.scores + rho * offset) < rho
        told = {
            "nu_": nu,
            "equivalent_C_": equivalent,
            "nu_property_": NuProperty.of(found.point, binary.bounds, errs, nu),
        }
        margin = 1.0 / norm if norm > 0 else np.inf
        found = found.at(dual, _offsets(1.0 / equivalent, offset))
        return Answer(found.point / rho, offset, margin, found, told)

    def _margin(self, found: DualSolution) -> float:
        """Return ρ > 0, which coefficients are divided by; warn where there is none.

        The risk of f = 0 is 0. At the optimum no support vector is beyond the margin,
        so that ρ is at least the mean of y(f + b) over them, which is ‖f‖²/Σ|β|.
        """
        ahead, behind = found.offsets
        square, total = float(found.point @ found.scores), np.abs(found.point).sum()
        if found.certificate.primal >= 0.0 and self._definite:
            warnings.warn(
                f"NuSVC found no margin: at nu={self.nu:g} the classes overlap so much "
                f"that its machine is no better than f = 0, within tol={self.tol:g}, "
                "and its scores mean little. A larger nu may find one.",
                UncertifiedWarning,
                stacklevel=6,
            )
        # What rounding alone can make of ‖f‖² is no margin, either.
        rounding = float(np.abs(found.point) @ found.doubt.errors)
        square = max(square, float(self.nu) * rounding)
        return max(0.5 * float(behind - ahead), float(square / total), LEAST)

    def _dual(self, binary: BinaryProblem) -> SupportVectorDual:
        nu = self._feasible(binary)
        return SupportVectorDual.nu_classification(binary.signs, binary.bounds, nu)

    def _feasible(self, binary: BinaryProblem) -> float:
        # Refusing, as LIBSVM does, would fail scikit-learn's own battery at nu = 0.5.
        smaller = min(binary.bounds[binary.signs == sign].sum() for sign in (1.0, -1.0))
        return min(float(self.nu), 2.0 * float(smaller / binary.bounds.sum()))

    def _claim(self, number: int, binary: BinaryProblem, coefficients: Vector) -> Claim:
        known, asked = float(self.nu_[number]), self._feasible(binary)
        if abs(known - asked) > SAME * asked:
            raise DataError(
                f"NuSVC was fitted at the share nu_={known:g}; these weights and "
                f"nu={self.nu:g} ask for {asked:g}."
            )
        rho = 1.0 / self.equivalent_C_[number]
        offsets = _offsets(rho, self.intercept_[number])
        return Claim(self._dual(binary), rho * coefficients, offsets)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # Class weights bound coefficients; they do not let one class overrule another
        # when nu is out of reach, which scikit-learn's check would expect.
        tags.classifier_tags.poor_score = True
        return tags


def _points(last: NuSVC, machine: NuSVC) -> Iterator[Vector]:
    """Return the dual variables of all samples, one row per machine."""
    points = np.zeros((len(last.equivalent_C_), last.shape_fit_[0]))
    points[:, last.support_] = last._pair_coef() / last.equivalent_C_[:, None]
    return iter(points)


def _offsets(rho: float, offset: float) -> Vector:
    """Return the offsets of both classes before everything is divided by ρ."""
    return rho * (offset + np.array([-1.0, 1.0]))
