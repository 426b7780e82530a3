"""All variables of a small support vector machine at once."""

from __future__ import annotations

import numpy as np

from infimum.objectives import HeldTiles
from infimum.solvers.support_vectors._dual_run import DualRun, Extremes
from infimum.solvers.support_vectors._subproblem import SetProblem
from infimum.typing import Indices, Matrix, Vector

__all__ = ["WholeSet"]

#: The KKT gap becomes this share of what it was, or of what is asked for, before f is
#: looked at again.
SHRINKAGE, BELOW = 0.1, 0.9
#: Steps of pairs, per variable, before equations are solved instead; and in between,
#: when the last digits are asked for.
PAIRS, BETWEEN = 20, 1
#: By this share of itself, or of its terms, the objective may rise: that is rounding.
RISE, NOISE = 1e-12, 1e-14
#: And so many times the risk of f = 0 a lower bound may be, on the way.
FAR = 2.0
#: Rounds for the last digits; and variables for which these cost next to nothing.
ROUNDS, FEW = 3, 128


class WholeSet:
    """A working set that is everything, beside a Gram matrix that is held.

    Pairs of variables find out which bounds hold. Where they creep, the other variables
    solve linear equations.
    """

    known: SetProblem | None = None

    def __init__(self, run: DualRun, tiles: HeldTiles) -> None:
        self.run, self.tiles, self.exhausted = run, tiles, 0
        self.settles, self.lengths = True, tiles.lengths()
        everything = np.argsort(run.dual.groups, kind="stable")
        self.problem = SetProblem(run, everything, self._square)

    def blurred(self, gap: float) -> bool:
        """Tell whether a KKT gap is mere rounding of the kernel values in f."""
        unit = float(np.finfo(np.float64).eps)
        return gap <= unit * float(np.linalg.norm(self.run.point))

    def solve(self, gradient: Vector, extremes: Extremes) -> bool:
        """Go down until the KKT gap has shrunk; tell whether anything moved."""
        problem = self.problem
        problem.begin(gradient)
        shrinkage = min(SHRINKAGE, BELOW * self.run.tolerance / extremes.gap)
        if not problem.by_pairs(shrinkage, PAIRS):
            self.exhausted += 1
            if self.settles:
                problem.settle()
        return self._follow()

    def polish(self) -> None:
        """Spend a few more steps where they cost next to nothing.

        A small problem is solved to many more digits than asked for, so that equal
        problems in different words have equal solutions.
        """
        problem, dual, point = self.problem, self.run.dual, self.run.point
        if np.count_nonzero((point > dual.low) & (point < dual.high)) > FEW:
            return
        for round_ in range(ROUNDS):
            problem.begin(dual.gradient(self.run.point, self.run.scores))
            there = self.settles and problem.settle()
            solved = problem.by_pairs(0.0, BETWEEN)
            if not self._follow() or solved or not (there or round_ < 1):
                return

    def _follow(self) -> bool:
        problem, run = self.problem, self.run
        if not problem.change.any():
            return False
        point, before = run.point.copy(), run.dual.value(run.point, run.scores)
        point[problem.chosen] = problem.point
        scores = run.dual.scores(self.tiles, point)
        value = run.dual.value(point, scores)
        # Pairs never go up, and no lower bound is above the risk of f = 0.
        size = float(np.abs(run.dual.coefficients(point)) @ self.lengths)
        rise = RISE * (abs(before) + abs(run.first_value)) + NOISE * size * size
        if (
            not -FAR * run.null - rise <= value <= before + rise
        ):  # rounding has led the equations astray
            again, self.settles = self.settles, False
            return again
        run.point, run.scores = point, scores
        return True

    def _square(self, chosen: Indices) -> Matrix:
        places = self.run.dual.places[chosen]
        square = self.tiles.block(places, places)
        square[np.diag_indices_from(square)] += self.run.dual.ridge[chosen]
        return square
