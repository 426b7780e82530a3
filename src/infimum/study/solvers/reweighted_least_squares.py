"""Iteratively reweighted least squares: Newton's method as statisticians write it."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

import numpy as np

from infimum.losses import Loss
from infimum.objectives import Evaluation, LinearRisk, reweighted_least_squares
from infimum.parameters import whole
from infimum.solvers._line_search import backtrack
from infimum.solvers._solver import Solver
from infimum.solvers.progress import Descent, Iterate, Patience
from infimum.typing import Vector

__all__ = ["ReweightedLeastSquares"]

LARGEST_SYSTEM = 3_000
#: Steps without a narrower gap after which rounding has the last word.
STALL_LIMIT = 10


@dataclass(frozen=True)
class ReweightedLeastSquares(Solver):
    r"""Regress adjusted responses with fresh weights, again and again (IRLS).

    .. math:: \min_{w, b} \sum_i q_i R_i (z_i - \langle w, x_i\rangle - b)^2, \qquad
              R_i = \ell''(f_i),\quad z_i = f_i - \ell'(f_i)/\ell''(f_i)

    The fit of generalised linear models as their inventors gave it: for smooth scalar
    losses under a ridge penalty or none. Each regression is solved by its normal
    equations; a step that would raise the risk is shortened. Near the minimum of a
    σ-strongly convex risk whose Hessian is M-Lipschitz the error squares in each step,

    .. math:: \|w_{k+1} - w^*\| \le \frac M{2\sigma} \|w_k - w^*\|^2

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.data.designs import as_design
    >>> from infimum.losses import Logistic
    >>> from infimum.objectives import LinearRisk
    >>> from infimum.penalties import Ridge
    >>> X = np.array([[0.0], [1.0], [2.0], [4.0]])
    >>> y = np.array([-1.0, 1.0, -1.0, 1.0])
    >>> risk = LinearRisk(as_design(X), y, Logistic(), Ridge(0.1))
    >>> ReweightedLeastSquares().solve(risk).certified
    True

    References
    ----------
    Nelder & Wedderburn (1972), J. Royal Statistical Society A 135. Green (1984),
    J. Royal Statistical Society B 46.
    """

    max_iterations: int = field(default=100, metadata={"domain": whole(1)})

    def _objection(self, risk: LinearRisk) -> str | None:
        name = type(risk.loss).__name__
        if not isinstance(risk.loss, Loss):
            return f"{name} couples the scores of a sample"
        if not risk.loss.smooth:
            return f"{name} has a kink, where no curvature gives a weight"
        if risk.penalty.quadratic is None:
            return f"{type(risk.penalty).__name__} is not quadratic"
        if risk.design.shape[1] > LARGEST_SYSTEM:
            return f"{risk.design.shape[1]} features are more than {LARGEST_SYSTEM}"
        return None

    def _descend(self, here: Evaluation) -> Descent:
        patience = Patience(STALL_LIMIT)
        yield Iterate(here, 0)
        for iteration in count(1):
            direction = _regress(reweighted_least_squares(here)) - here.point
            promised = float(here.gradient @ direction)
            found = backtrack(here, direction, promised)
            if found is None:
                yield Iterate(here, iteration)
                return
            here = here.risk.evaluate(found[0].point)
            if patience.lost((yield Iterate(here, iteration)), iteration):
                return


def _regress(model: LinearRisk) -> Vector:
    """Solve a weighted least-squares risk by its normal equations."""
    matrix = model.hessian(np.ones(len(model.y)))
    offset = 0.0 if model.offset is None else model.offset
    weighted = model.weights * (model.y - offset)
    last = float(model.intercept) * weighted.sum()
    right = np.append(model.design.pull_back(weighted), last)
    roots = np.sqrt(np.maximum(np.diag(matrix), 1e-300))
    scaled = matrix / np.outer(roots, roots)
    # Collinear features leave a choice: the shortest scaled solution is as good as any.
    return np.asarray(np.linalg.lstsq(scaled, right / roots, rcond=1e-13)[0] / roots)
