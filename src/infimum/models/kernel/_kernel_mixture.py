"""The best mixture of kernels: a convex function of its weights, with a proof."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize

from infimum.certificates import Certificate, DualPoint, gamma, rounding_slack
from infimum.certificates.feasibility import balance
from infimum.models._interruption import was_interrupted
from infimum.models.linear import RiskMinimizer
from infimum.models.linear.estimator import stated
from infimum.solvers import Record
from infimum.typing import Matrix, Vector

__all__ = ["Mixture", "MixtureData", "learn_mixture"]


class MixtureData(NamedTuple):
    """The kernel matrices, and the targets and weights of their samples."""

    grams: Matrix
    targets: Any
    weights: Vector | None


@dataclass(frozen=True, eq=False)
class Mixture:
    """A mixture with its proof, and the bounds of those tried before."""

    weights: Vector
    certificate: Certificate
    history: tuple[Record, ...] = ()


class _Closed(Exception):  # noqa: N818
    """Raised to end the search once the gap is closed."""


class _Search:
    """Mixtures tried so far, and the best risk of a mixture as a convex function."""

    def __init__(self, machine: RiskMinimizer, data: MixtureData) -> None:
        self.machine, self.data = machine, data
        self.began = time.perf_counter()
        self.tried: list[Mixture] = []
        self.history: list[Record] = []

    @property
    def best(self) -> Mixture:
        return min(self.tried, key=lambda one: one.certificate.gap)

    def risk(
        self, weights: Vector, tolerance: float, most: int
    ) -> tuple[float, Vector]:
        """Return the risk of a mixture and its slope; end when the gap is closed."""
        weights = np.maximum(weights, 0.0) / np.maximum(weights, 0.0).sum()
        mixture, slope = _judge(self.machine, self.data, weights, tolerance)
        self.tried.append(mixture)
        primal = min(one.certificate.primal for one in self.tried)
        dual = max(one.certificate.dual for one in self.tried)
        seconds = time.perf_counter() - self.began
        self.history.append(Record(len(self.tried), seconds, primal, dual))
        proof = mixture.certificate
        if proof.closed or len(self.tried) >= most:
            raise _Closed
        return proof.primal / proof.scale, slope / proof.scale


def learn_mixture(machine: RiskMinimizer, data: MixtureData, owner: Any) -> Mixture:
    """Descend on the best risk of a mixture until the gap closes."""
    search, count = _Search(machine, data), len(data.grams)
    simplex = {"type": "eq", "fun": lambda m: m.sum() - 1.0, "jac": np.ones_like}
    start = np.full(count, 1.0 / count)
    try:
        while True:
            minimize(  # type: ignore[call-overload]
                search.risk,
                start,
                args=(owner.tol, int(owner.max_iter)),
                jac=True,
                method="SLSQP",
                bounds=[(0.0, 1.0)] * count,
                constraints=simplex,
                options={"ftol": 1e-15},
            )
            # Where one run ends short of the proof, another starts a little inside.
            start = 0.999 * search.best.weights + 0.001 / count
    except _Closed:
        best = search.best
    reason = "gap closed" if best.certificate.closed else "iteration limit"
    proof = replace(best.certificate, reason=reason)
    return replace(best, certificate=proof, history=tuple(search.history))


def _judge(
    machine: RiskMinimizer, data: MixtureData, weights: Vector, tol: float
) -> tuple[Mixture, Vector]:
    """Learn with one mixture; return its proof and the slope of its best risk.

    The bound of a single kernel holds for all mixtures once the largest squared length
    over the kernels takes the place of that of the mixture. The kernel values are the
    data; rounding of all sums is subtracted.
    """
    mixed = np.tensordot(weights, data.grams, 1)
    recipe, admitted = stated(machine, mixed, data.targets, data.weights)
    [risk] = recipe.risks(recipe.problem(admitted))
    solution = recipe.solver_for(risk).solve(risk)
    if was_interrupted(solution):
        raise KeyboardInterrupt  # the next mixture would not know of it
    slopes = balance(risk, solution.slopes)
    pulled = risk.weights * slopes
    strength = float(machine.strength or 1.0)
    kept = data.grams
    if data.weights is not None:  # the problem has lost samples of weight 0
        rows = np.flatnonzero(data.weights)
        kept = kept[:, rows[:, None], rows]
    lengths = np.einsum("i,pij,j->p", pulled, kept, pulled) / (2.0 * strength)
    free = risk.weights * risk.loss.conjugate(risk.y, slopes)
    value = -float(free.sum()) - float(lengths.max())
    dual = DualPoint(value, slopes, None, float(np.abs(free).sum()))
    slack = rounding_slack(risk.evaluate(solution.point), dual)
    sizes = np.abs(pulled) @ np.abs(kept) @ np.abs(pulled) / (2.0 * strength)
    slack += gamma(2.0 * len(pulled) + 8.0) * float(sizes.max())
    proof = Certificate(
        primal=solution.certificate.primal,
        dual=value - slack,
        scale=risk.scale,
        tolerance=tol,
        slack=slack,
    )
    return Mixture(weights, proof), -lengths
