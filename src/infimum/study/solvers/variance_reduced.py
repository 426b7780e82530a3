"""Variance-reduced stochastic gradient (SAGA): noise that vanishes at the minimum."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

import numpy as np

from infimum.losses import Loss
from infimum.objectives import Evaluation, LinearRisk
from infimum.parameters import whole
from infimum.penalties import SeparablePenalty
from infimum.solvers._solver import Solver
from infimum.solvers.progress import Descent, Iterate, Patience
from infimum.study.solvers._row_layout import RowLayout
from infimum.typing import Indices, Vector

__all__ = ["VarianceReduced"]

#: Passes without a narrower gap after which rounding has the last word.
STALL_LIMIT = 500


@dataclass(frozen=True)
class VarianceReduced(Solver):
    r"""Stochastic proximal steps that remember the last slope of every sample.

    .. math:: w \leftarrow \mathrm{prox}_{\gamma\Omega}\Bigl(w - \gamma\bigl[(s_i -
              \bar s_i)\, x_i + \tfrac1n\textstyle\sum_j \bar s_j x_j\bigr]\Bigr)

    For smooth scalar losses of bounded curvature and separable penalties. A step costs
    one row, dense or compressed (only the row's own features are touched), and yet the
    rate is linear: with samples' risks L-smooth, a σ-strongly convex mean and steps
    1/(3L), on average over the draws

    .. math:: \|w_k - w^*\|^2 \le \Bigl(1 - \min\bigl\{\tfrac1{4n}, \tfrac\sigma{3L}
              \bigr\}\Bigr)^k \Bigl(\|w_0 - w^*\|^2 + \tfrac{2n}{3L} B_0\Bigr)

    where B₀ is the Bregman divergence of the mean loss at w₀ from w*, and k counts
    samples. An iteration is one pass of n draws with replacement. Worth its while when
    n is large and a rough model is wanted soon; same seed, same result.

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
    >>> VarianceReduced(tolerance=1e-2).solve(risk).certified
    True

    References
    ----------
    Defazio, Bach & Lacoste-Julien (2014), NeurIPS. Pedregosa, Leblond & Lacoste-Julien
    (2017), NeurIPS (sparse rows).
    """

    max_iterations: int = field(default=5_000, metadata={"domain": whole(1)})
    check_every: int = field(default=1, metadata={"domain": whole(1)})
    random_state: int = 0

    def _objection(self, risk: LinearRisk) -> str | None:
        name = type(risk.loss).__name__
        if not isinstance(risk.loss, Loss):
            return f"{name} couples the scores of a sample"
        if not risk.loss.smooth:
            return f"{name} has a kink, and its gradient jumps there"
        if not np.isfinite(risk.loss.curvature):
            return f"{name} has no largest curvature for the steps to respect"
        if not isinstance(risk.penalty, SeparablePenalty):
            return f"{type(risk.penalty).__name__} couples the coefficients"
        return None

    def _descend(self, here: Evaluation) -> Descent:
        risk, n = here.risk, len(here.risk.y)
        point = risk.prox(here.point, 0.0).astype(np.float64)
        here = risk.evaluate(point.copy())
        slopes = n * here.weighted_slopes
        mean = np.concatenate([here.pulled_back, [slopes.mean()]])
        visit = _visitor(risk)
        draw, patience = np.random.default_rng(self.random_state), Patience(STALL_LIMIT)
        yield Iterate(here, 0)
        for iteration in count(1):
            visit(draw.integers(n, size=n), slopes, mean, point)
            if iteration % self.check_every == 0 or iteration >= self.max_iterations:
                here = risk.evaluate(point.copy())
                if patience.lost((yield Iterate(here, iteration)), iteration):
                    return


def _visitor(risk: LinearRisk) -> Callable[[Indices, Vector, Vector, Vector], None]:
    """Bind the compiled pass that fits the kind of rows."""
    from infimum.compiled.callbacks import compile_formula
    from infimum.compiled.descent.variance_reduced import saga

    loss, penalty = risk.loss, risk.penalty
    assert isinstance(loss, Loss)
    assert isinstance(penalty, SeparablePenalty)
    rows = RowLayout.of(risk.design)
    y = np.ascontiguousarray(risk.y, dtype=np.float64)
    offset = np.zeros(len(y)) if risk.offset is None else risk.offset
    free = float(risk.intercept)
    most = len(y) * float((risk.weights * (rows.lengths + free)).max())
    pace = 1.0 / (3.0 * max(most * float(loss.curvature), 1e-300)), free
    formulas = (
        compile_formula(type(loss).derivative_formula),
        compile_formula(type(penalty).shrink),
        (loss.parameters, np.ascontiguousarray(penalty.settings)),
    )
    samples = y, np.ascontiguousarray(offset, dtype=np.float64), risk.weights
    return lambda order, slopes, mean, point: saga(
        rows.rows, rows.rarity, samples, order, (slopes, mean, point), pace, *formulas
    )
