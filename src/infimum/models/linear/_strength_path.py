"""Solutions along a path of recipes, each started where the last one ended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from infimum.models.linear._problem import LinearProblem
from infimum.models.linear.fit import Recipe, Start
from infimum.models.linear.lassos._row_penalty import RowElasticNet
from infimum.objectives import LinearRisk
from infimum.penalties import SeparablePenalty
from infimum.solvers import Solution
from infimum.solvers.progress import INTERRUPTED
from infimum.typing import Vector

__all__ = ["follow_path", "strongest", "usual_span", "walk_path", "worst_gap"]

#: Under a penalty without a corner nothing vanishes; little is left at this share.
LITTLE = 0.1
#: The weakest strength as a share of the strongest, with a corner and without.
SPANS = (1e-3, 1e-6)


def follow_path(
    recipes: Iterable[Recipe], problem: LinearProblem
) -> list[list[Solution]]:
    """Solve a problem under each of several recipes, with warm starts."""
    return list(walk_path(recipes, problem))


def walk_path(
    recipes: Iterable[Recipe],
    problem: LinearProblem,
    starts: Sequence[Start] | None = None,
) -> Iterator[list[Solution]]:
    """Yield the solutions of `follow_path` one recipe after the other.

    A solution knows much more than its coefficients: on wide data a caller who takes
    these at once and lets go of the rest saves most of the memory, and its price.
    """
    begun: list[Start] = [None] * len(problem.targets)
    begun = begun if starts is None else list(starts)
    for recipe in recipes:
        solutions = recipe.solutions(problem, begun, None)
        if any(solution.reason == INTERRUPTED for solution in solutions):
            raise KeyboardInterrupt  # the next solve would not know of it
        begun = [solution.here for solution in solutions]
        yield solutions


def worst_gap(runs: list[list[Solution]]) -> float:
    """Return the largest relative gap of all solutions."""
    return max(s.certificate.relative_gap for solutions in runs for s in solutions)


def strongest(risks: list[LinearRisk], *, positive: bool = False) -> float:
    """Return the multiple of the risks' penalty from which on all coefficients are 0.

    A penalty with a corner keeps a coefficient at 0 up to its price. Ridge has none:
    there the answer is the multiple that leaves a tenth, or less, of every direction.
    """
    return max(_strongest(risk, positive=positive) for risk in risks)


def _strongest(risk: LinearRisk, *, positive: bool) -> float:
    penalty = risk.penalty
    slope: Vector = risk.evaluate(risk.null).pulled_back
    largest = float((-slope if positive else np.abs(slope)).max(initial=0.0))
    if isinstance(penalty, RowElasticNet) and penalty.corner > 0:
        return float(np.sqrt(np.square(slope).sum(axis=1)).max()) / penalty.corner
    if isinstance(penalty, SeparablePenalty) and float(np.max(penalty.corner)) > 0:
        return largest / float(np.max(penalty.corner))
    curvature = penalty.quadratic
    if curvature is None and isinstance(penalty, SeparablePenalty):
        curvature = float(np.max((penalty.elastic or (0.0, 1.0))[1]))
    bend = risk.loss.curvature
    if curvature and np.isfinite(bend):
        return bend * risk.largest_eigenvalue / (LITTLE * curvature)
    return largest / LITTLE**3


def usual_span(risk: LinearRisk) -> float:
    """Return the ratio of the weakest to the strongest strength worth a look.

    Shrinkage has to go from all to none, which takes ridge three more decades.
    """
    penalty = risk.penalty
    corner = isinstance(penalty, SeparablePenalty) and np.max(penalty.corner) > 0
    return SPANS[0] if corner or penalty.quadratic is None else SPANS[1]
