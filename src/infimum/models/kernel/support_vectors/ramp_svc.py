"""Support vector classification under the ramp loss, which ignores outliers."""

from __future__ import annotations

import time
import warnings
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from infimum.certificates import Certificate
from infimum.losses import Ramp
from infimum.models._interruption import was_interrupted
from infimum.models.kernel.support_vectors._support_vector_classifier import (
    Answer,
    BinaryProblem,
    Margin,
    SupportVectorClassifier,
)
from infimum.models.warnings import UncertifiedWarning
from infimum.objectives import SupportVectorDual, kernel_tiles
from infimum.parameters import Domains, positive, whole
from infimum.solvers import DualSolution, Record
from infimum.typing import Mask, Vector

__all__ = ["RampSVC"]

STATIONARY = "stationary"


class RampSVC(SupportVectorClassifier):
    r"""Support vector machine that no mislabelled sample can pull far.

    .. math:: \min_{f, b} \tfrac12 \|f\|^2
              + C \sum_i w_i \min(1 - s, \max(0, 1 - y_i (f(x_i) + b)))

    The ramp loss is a hinge less a second hinge that sets in below the margin s. The
    concave-convex procedure replaces the second by its tangent at the last machine,
    solves the convex problem that is left, whose optimum is proved, and starts again;
    the first machine is that of `SVC`. The objective never rises. It ends at a
    stationary point: the best machine for the tangents at itself. No more is
    claimed: the problem is not convex, and a better machine may exist elsewhere.
    Samples given up on are no support vectors. Outliers so far out that they leave the
    hinge machine nothing but f = 0 leave it so here: that, too, is stationary.

    Parameters
    ----------
    C : float, default=1.0
        Price of a margin violation.
    knee : float, default=-0.3
        s, at most 0: the margin below which a sample costs no more.
    kernel, degree, gamma, coef0, shrinking, probability, tol, cache_size
        As in `SVC`; `tol` is asked of every convex problem.
    class_weight, verbose, max_iter, decision_function_shape, break_ties
        As in `SVC`; `max_iter` limits the working sets of each convex problem.
    random_state, multi_class
        As in `SVC`.
    max_rounds : int, default=100
        Most convex problems to solve for a machine.

    Attributes
    ----------
    support_, support_vectors_, n_support_, dual_coef_, intercept_, classes_
        As in `SVC`.
    class_weight_, margins_, fit_status_
        As in `SVC`.
    objectives_ : ndarray of shape (n_machines,)
        The ramp objective of each machine.
    stationarity_ : Certificate
        How much the convex problem at the solution can still gain, for the machine
        where that is most: its `dual` bounds that problem, not the ramp objective.
    history_ : tuple of Record
        The ramp objective of that machine after each round that lowered it, and the
        bound of that round's convex problem.
    n_iter_ : ndarray of shape (n_machines,)
        Convex problems solved.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[-2.0], [-1.5], [-1.0], [1.0], [1.5], [2.0], [4.0]])
    >>> y = np.array([0, 0, 0, 1, 1, 1, 0])
    >>> model = RampSVC(kernel="linear", C=10.0).fit(X, y)
    >>> model.coef_.round(2).tolist(), 6 in model.support_
    ([[1.0]], False)

    References
    ----------
    Collobert, Sinz, Weston & Bottou (2006), ICML.
    """

    _domains: ClassVar[Domains] = {
        "C": positive,
        "max_rounds": whole(1),
    }

    def __init__(
        self,
        *,
        C: float = 1.0,
        knee: float = -0.3,
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
        max_rounds: int = 100,
    ) -> None:
        self.C = C
        self.knee = knee
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
        self.max_rounds = max_rounds

    def _recipe(self) -> Margin:
        return Margin(self.C, self._answer, keep=self._keep_stationary)

    def _answer(
        self, binary: BinaryProblem, things: Any, start: Vector | None
    ) -> Answer:
        descent = _RampDescent(Ramp(self.knee), binary, int(self.max_rounds))
        some = self._some(things, binary.rows)
        best = _heeded(self._solve(descent.next_problem(), some))
        descent.follow(best)
        while not descent.end:
            problem = descent.next_problem()
            found = _heeded(self._solve(problem, some, _start(problem, best.point)))
            found = self._sharpened(problem, found, some, descent.given_up)
            best = found if descent.follow(found) else best
        norm = np.sqrt(max(float(best.point @ best.scores), 0.0))
        margin = 1.0 / norm if norm > 0 else np.inf
        best = replace(
            best,
            certificate=descent.proof(float(self.tol)),
            history=tuple(descent.history),
            iterations=descent.rounds,
        )
        return Answer(best.point, float(best.offsets[0]), margin, best)

    def _sharpened(
        self, problem: SupportVectorDual, found: DualSolution, things: Any, who: Mask
    ) -> DualSolution:
        """Recompute f where it was enough for the hinge to know its side.

        Of samples given up on the ramp asks more: on which side of the knee they are.
        """
        rough = found.sketched[who[found.sketched]]
        if not len(rough):
            return found
        tiles, scores = kernel_tiles(self.kernel_, things), found.scores.copy()
        coefficients = problem.coefficients(found.point)
        support = np.flatnonzero(coefficients)
        scores[rough] = tiles.multiply(coefficients[support], support, rough)
        return replace(found, scores=scores)

    def _keep_stationary(self, solutions: list[DualSolution]) -> None:
        """Keep how far from stationary the machines can be; it proves no more."""
        worst = max(solutions, key=lambda s: s.certificate.relative_gap)
        self.stationarity_, self.history_ = worst.certificate, worst.history
        self.objectives_ = np.array([s.certificate.primal for s in solutions])
        self.fit_status_ = int(not all(s.certificate.closed for s in solutions))
        if self.fit_status_:
            warnings.warn(
                f"RampSVC stopped ({self.stationarity_.reason}) where its convex "
                "problem may still gain a share of "
                f"{self.stationarity_.relative_gap:.1e}, above the {self.tol:.1e} "
                "asked for. Raise max_rounds, max_iter or tol, or lower C.",
                UncertifiedWarning,
                stacklevel=5,
            )


def _heeded(found: DualSolution) -> DualSolution:
    """Return a solution, unless Ctrl-C ended it: the next would not know of that."""
    if was_interrupted(found):
        raise KeyboardInterrupt
    return found


class _RampDescent:
    """Convex problems above the ramp objective, each touching it at the last point."""

    def __init__(self, ramp: Ramp, binary: BinaryProblem, most: int) -> None:
        self.ramp, self.binary, self.most = ramp, binary, most
        self.given_up: Mask = np.zeros(len(binary.signs), dtype=bool)
        self.value, self.bound, self.scale = np.inf, -np.inf, 0.0
        self.rounds, self.end = 0, ""
        self.history: list[Record] = []
        self.started = time.perf_counter()

    def next_problem(self) -> SupportVectorDual:
        """Return the convex problem that touches the ramp objective here."""
        return SupportVectorDual.ramp(
            self.binary.signs, self.binary.bounds, self.given_up
        )

    def follow(self, found: DualSolution) -> bool:
        """Step to the solution of the convex problem if the ramp objective falls."""
        signs, bounds = self.binary.signs, self.binary.bounds
        scores = found.scores + found.offsets[0]
        losses = float(bounds @ self.ramp.value(signs, scores))
        value = 0.5 * float(found.point @ found.scores) + losses
        saved = float(bounds[self.given_up].sum()) * (1.0 - self.ramp.knee)
        self.bound = found.certificate.dual + saved
        self.scale = found.certificate.scale
        self.rounds += 1
        if value >= self.value:
            # The tangents at the last point promise nothing better than it.
            self.end = STATIONARY
            return False
        given_up = signs * scores < self.ramp.knee
        same = bool(np.array_equal(given_up, self.given_up))
        self.value, self.given_up = value, given_up
        seconds = time.perf_counter() - self.started
        self.history.append(Record(self.rounds, seconds, value, self.bound))
        if same:
            self.end = STATIONARY
        elif self.rounds >= self.most:
            # The bound is one of the tangents at the point before.
            self.end, self.bound = "round limit", -np.inf
        return True

    def proof(self, tolerance: float) -> Certificate:
        """Return how far the point can be from the best for the tangents at itself."""
        return Certificate(self.value, self.bound, self.scale, tolerance, self.end)


def _start(problem: SupportVectorDual, point: Vector) -> Vector:
    """Return a point of the box near the one given, whose sum is 0."""
    start = np.clip(point, problem.low, problem.high)
    up, down = start[start > 0].sum(), -start[start < 0].sum()
    # Every box holds 0, so the longer side may shrink until the sum is 0 again.
    start[start > 0] *= min(1.0, down / up) if up > 0 else 1.0
    start[start < 0] *= min(1.0, up / down) if down > 0 else 1.0
    return start
