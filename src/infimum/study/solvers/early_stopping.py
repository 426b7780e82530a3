"""Early stopping: end a run when samples it has not seen stop getting easier."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from infimum.certificates import Certificate, certify
from infimum.errors import IncompatibleError
from infimum.objectives import LinearRisk
from infimum.parameters import check_domain, whole
from infimum.solvers._solver import Solver
from infimum.solvers.progress import Iterate
from infimum.typing import Vector

__all__ = ["EarlyStop", "stop_early"]


class EarlyStop(NamedTuple):
    """Where a run was best on held-back samples, and all it was measured at.

    The certificate tells how far the point is from minimising the training risk: early
    stopping leaves that gap open on purpose.
    """

    point: Vector
    iteration: int
    errors: Vector
    certificate: Certificate


def stop_early(
    solver: Solver,
    risk: LinearRisk,
    held_back: LinearRisk,
    *,
    patience: int = 5,
    start: Vector | None = None,
) -> EarlyStop:
    """Run a solver until `patience` checks in a row bring no better held-back risk.

    Parameters
    ----------
    solver : Solver
        Whose iterates to watch, as often as it shows them.
    risk : LinearRisk
        What it minimises.
    held_back : LinearRisk
        The same loss on other samples; its penalty does not count.
    patience : int, default=5
        How many checks without progress to wait for.
    start : ndarray, optional
        Where to start; the null model by default.
    """
    check_domain("stop_early.patience", patience, whole(1))
    if objection := solver.objection(risk):
        raise IncompatibleError(f"{type(solver).__name__} cannot start: {objection}.")
    here = risk.evaluate(risk.null if start is None else start)
    best, errors = Iterate(here, 0), [held_back.evaluate(here.point).empirical]
    record, idle = errors[0], 0
    descent = solver._descend(here)
    iterate = next(descent, None)
    while iterate is not None:
        errors.append(held_back.evaluate(iterate.here.point).empirical)
        idle += 1
        if errors[-1] < record:
            best, record, idle = iterate, errors[-1], 0
        if idle >= patience or iterate.iteration >= solver.max_iterations:
            break
        try:
            iterate = descent.send(np.inf)
        except StopIteration:
            break
    proof = certify(risk, best.here, best.slopes)
    return EarlyStop(best.here.point, best.iteration, np.array(errors), proof)
