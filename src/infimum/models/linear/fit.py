"""The one way of a linear fit: from a recipe and checked rows to proved solutions."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from infimum.certificates import Certificate, certify
from infimum.data.doors import Rows
from infimum.losses import Loss, VectorLoss
from infimum.models._audited import slopes_of
from infimum.models.linear._kernel_problem import KernelProblem
from infimum.models.linear._problem import LinearProblem
from infimum.models.linear._space import KernelSpace
from infimum.models.linear.coding import Coding, Pair
from infimum.objectives import Evaluation, LinearRisk
from infimum.penalties import Penalty
from infimum.solvers import Solution, Solver, choose
from infimum.solvers.progress import INTERRUPTED, STUCK, Callback, interrupt
from infimum.solvers.relay import carried_on
from infimum.typing import Vector

__all__ = [
    "Fit",
    "Recipe",
    "Start",
    "attainable",
    "default_of",
    "defaults_of",
    "fit_linear",
    "limit_of",
]

#: Where a solver begins: the null model, a point, or where another run ended.
Start: TypeAlias = Vector | Evaluation | None


@dataclass(frozen=True, eq=False)
class Recipe:
    """What a linear estimator minimises on some rows, and how precisely.

    Attributes
    ----------
    loss
        The loss.
    penalty
        The penalty, or a function from the total weight of the samples to it; a list
        has one per target.
    coding
        How y becomes targets and solutions become coefficients.
    tolerance
        The relative gap at which to stop.
    intercept
        Whether to learn one; it is never penalised.
    solver
        The solver that a user has named: it is not replaced by another.
    preferred
        The kind of solver to take if it has no objection.
    max_iterations
        The most iterations; None leaves the limit to the solver.
    random_state
        The seed of a solver that needs one.
    space
        The space of a kernel, if the function lives there.
    state
        How a problem is stated, in place of `LinearProblem.of`.
    solve
        A method of its own, from problem, starts and callback to solutions.
    prove
        A proof of its own, from problem, points and kept slopes to certificates.
    """

    loss: Loss | VectorLoss
    penalty: Penalty | Callable[[float], Penalty | Sequence[Penalty]]
    coding: Coding
    tolerance: float
    intercept: bool = True
    solver: Solver | None = None
    preferred: type[Solver] | None = None
    max_iterations: int | None = None
    random_state: Any = None
    space: KernelSpace | None = None
    state: Callable[..., LinearProblem] = LinearProblem.of
    solve: Callable[..., list[Solution]] | None = None
    prove: Callable[..., list[Certificate]] | None = None

    def problem(self, rows: Rows) -> LinearProblem:
        """State the problem of these rows."""
        targets, intercept = self.coding.targets(rows.y), bool(self.intercept)
        parts = targets, self.loss, rows.weights
        if self.space is not None:
            gram, tiles = self.space.gram(rows.X), self.space.tiles(rows.X)
            how: dict[str, Any] = {"intercept": intercept, "tiles": tiles}
            return KernelProblem.in_space(gram, *parts, **how)
        if rows.offset is None:
            return self.state(rows.X, *parts, intercept=intercept)
        return self.state(rows.X, *parts, intercept=intercept, offset=rows.offset)

    def risks(self, problem: LinearProblem) -> list[LinearRisk]:
        """Return what is minimised, one risk per target."""
        if isinstance(self.penalty, Penalty):
            return problem.risks(self.penalty)
        return problem.risks(self.penalty(problem.total))

    def solutions(
        self, problem: LinearProblem, starts: list[Start], report: Callback | None
    ) -> list[Solution]:
        """Minimise the risk of each target; one Ctrl-C ends the runs of all."""
        if self.solve is not None:
            return self.solve(problem, starts, report)
        found: list[Solution] = []
        for risk, start in zip(self.risks(problem), starts, strict=True):
            if self.solver is not None:
                end = self.solver.solve(risk, start, report)
            else:
                solver = self.solver_for(risk)
                end = solver.run(risk, start, report)
                if end.certificate.reason == STUCK:
                    end = carried_on(end, solver, risk, report)
            found.append(end)
            if end.certificate.reason == INTERRUPTED:
                report = interrupt
        return found

    def solver_for(self, risk: LinearRisk) -> Solver:
        """Choose a solver and give it the precision and the limits asked for."""
        if self.solver is not None:
            return self.solver
        first = self.preferred
        fits = first is not None and first().objection(risk) is None
        kind = first if first is not None and fits else choose(risk)
        asked = attainable(self.tolerance, risk.design.dtype)
        options: dict[str, Any] = {"tolerance": asked}
        if self.max_iterations is not None:
            options["max_iterations"] = self.max_iterations
        if self.random_state is not None and "random_state" in defaults_of(kind):
            options["random_state"] = _seed(self.random_state)
        return kind(**options)

    def points(self, problem: LinearProblem, stored: Pair) -> list[Vector]:
        """Return stored coefficients and intercepts as points, one per target."""
        pairs = enumerate(self.coding.pairs(*stored))
        return [problem.pack(coef, b, target) for target, (coef, b) in pairs]

    def proofs(
        self, problem: LinearProblem, stored: Pair, slopes: Any
    ) -> list[Certificate]:
        """Prove stored coefficients, with dual slopes that may help."""
        points = self.points(problem, stored)
        if self.prove is not None:
            return self.prove(problem, points, slopes)
        risks = self.risks(problem)
        heres = list(map(LinearRisk.evaluate, risks, points))
        known = slopes_of(slopes, risks, problem.design.shape[0])
        found = list(map(certify, risks, heres, known))
        if not isinstance(problem, KernelProblem):
            return found
        pairs = zip(heres, known, strict=True)
        tried = [[h.slopes, h.slopes if s is None else s] for h, s in pairs]
        return self.proofs_in_space(problem, stored, found, tried)

    def proofs_in_space(
        self,
        problem: KernelProblem,
        stored: Pair,
        proofs: list[Certificate],
        slopes: list[list[Vector]],
    ) -> list[Certificate]:
        """Return proofs about a kernel, given those of a factor of its matrix."""
        pairs, risks = self.coding.pairs(*stored), self.risks(problem)
        return [
            problem.held(
                proof, risks[k], pairs[k], slopes[k], k
            ).as_fine_as_rounding_allows()
            for k, proof in enumerate(proofs)
        ]


class Fit(NamedTuple):
    """The solutions of a problem, one per target."""

    recipe: Recipe
    rows: Rows
    problem: LinearProblem
    solutions: list[Solution]


def fit_linear(
    recipe: Recipe, rows: Rows, start: Pair | None = None, report: Any = None
) -> Fit:
    """Minimise what a recipe says on checked rows, from coefficients if there are some.

    `report` is called with the record of each certified iterate; it returns whether to
    stop.
    """
    problem = recipe.problem(rows)
    starts: list[Start] = [None] * len(problem.targets)
    if start is not None and np.shape(start[0])[-1] == problem.width:
        points = recipe.points(problem, start)
        if [point.shape for point in points] == problem.shapes:
            starts = [*points]
    return Fit(recipe, rows, problem, recipe.solutions(problem, starts, report))


def limit_of(estimator: Any) -> int | None:
    """Return `max_iter` where the user changed it; None leaves it to the solver.

    Iterations of different methods are different things: a default that suits one
    would stop another too early.
    """
    given = estimator.max_iter
    if given is None or given == default_of(estimator.__class__, "max_iter"):
        return None
    return max(1, int(given))


def attainable(tolerance: float, dtype: Any) -> float:
    """Return a tolerance that the precision of the data can meet."""
    return max(tolerance, 1e-5 if dtype == np.float32 else 1e-14)


@cache
def defaults_of(kind: Any) -> dict[str, Any]:
    """Return what a class may be told, and what it assumes otherwise."""
    _, *told = inspect.signature(kind.__init__).parameters.items()
    return {name: parameter.default for name, parameter in told}


def default_of(kind: type, name: str) -> Any:
    """Return what a class assumes of a setting, or a class before it that has it.

    A class that somebody derives from ours may have other settings.
    """
    for each in kind.__mro__:
        if "__init__" in vars(each) and name in defaults_of(each):
            return defaults_of(each)[name]
    return inspect.Parameter.empty


def _seed(state: Any) -> int:
    if isinstance(state, int | np.integer):
        return _first_draw(int(state))
    return int(state.randint(2**31))


@lru_cache(maxsize=16)
def _first_draw(state: int) -> int:
    """Return a seed; a generator takes longer to make than a small fit's step."""
    return int(np.random.RandomState(state).randint(2**31))
