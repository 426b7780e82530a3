"""Relay: where one method is stuck before its proof, the next one goes on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from infimum.certificates import Certificate
from infimum.errors import IncompatibleError
from infimum.objectives import Evaluation, LinearRisk
from infimum.solvers._solver import Solver
from infimum.solvers.choose import choose
from infimum.solvers.progress import STUCK, Callback, Record, Solution
from infimum.typing import Vector

__all__ = ["carried_on", "joined", "relay"]

#: Units of rounding in the bounds that sums over the samples may leave in a gap.
SUMS = 2.0**12


def relay(
    solver: Solver,
    risk: LinearRisk,
    start: Vector | Evaluation | None = None,
    callback: Callback | None = None,
) -> Solution:
    """Minimise `risk` by `solver`; if it gets stuck, by the next that fits as well.

    A method that ends for lack of progress with a gap that rounding does not explain
    has met what it cannot deal with, and another kind of method may not even notice.
    It starts where the first one ended, with the seconds that are left; the better
    proof of the two counts, and why the second one ended.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.data.designs import as_design
    >>> from infimum.losses import Logistic
    >>> from infimum.objectives import LinearRisk
    >>> from infimum.penalties import Lasso
    >>> from infimum.solvers import CoordinateDescent
    >>> X = np.array([[0.0], [1.0], [2.0], [4.0]])
    >>> y = np.array([-1.0, 1.0, -1.0, 1.0])
    >>> risk = LinearRisk(as_design(X), y, Logistic(), Lasso(0.1))
    >>> relay(CoordinateDescent(), risk).certified
    True
    """
    return carried_on(solver.run(risk, start, callback), solver, risk, callback)


def carried_on(
    found: Solution, solver: Solver, risk: LinearRisk, callback: Callback | None
) -> Solution:
    """Return what the next solver makes of a run that got stuck, or the run itself."""
    if found.certificate.reason != STUCK or _rounded(found.certificate, risk):
        return found
    try:
        kind = choose(risk, after=type(solver))
    except IncompatibleError:
        return found
    left = solver.max_seconds
    if left is not None:
        left -= found.history[-1].seconds
    second = kind(tolerance=solver.tolerance, max_seconds=left)
    if solver.max_iterations > second.max_iterations:  # a limit that the user raised
        second = replace(second, max_iterations=solver.max_iterations)
    return joined(found, second.run(risk, found.here, callback))


def joined(found: Solution, other: Solution) -> Solution:
    """Return a run and the one that went on from it as one: the better proof counts."""
    best = min(found, other, key=lambda end: (end.certificate.gap, end.here.value))
    return replace(
        best,
        certificate=replace(best.certificate, reason=other.reason),
        history=(*found.history, *_continued(found.history[-1], other.history)),
    )


def _continued(last: Record, history: tuple[Record, ...]) -> Iterator[Record]:
    """Yield the history of a second run as one of a run that had gone on."""
    for each in history:
        yield Record(
            last.iteration + each.iteration,
            last.seconds + each.seconds,
            min(last.primal, each.primal),
            max(last.dual, each.dual),
        )


def _rounded(proof: Certificate, risk: LinearRisk) -> bool:
    """Tell whether a gap is no more than rounding may have made of it."""
    unit = np.finfo(risk.design.dtype).eps
    size = max(abs(proof.primal), abs(proof.dual))
    return proof.closed or proof.rounded or proof.gap <= SUMS * unit * size
