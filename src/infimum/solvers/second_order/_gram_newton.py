"""Newton's method on summed Gram matrices: few passes over rows that are streamed."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np
from scipy.linalg import LinAlgError, cholesky, solve_triangular

from infimum.data.designs import as_design
from infimum.losses import Loss, Squared
from infimum.objectives import LinearRisk
from infimum.objectives.streamed_risk import StreamedEvaluation, StreamedRisk
from infimum.parameters import whole
from infimum.solvers._solver import Solver
from infimum.solvers.choose import choose
from infimum.solvers.progress import Descent, Iterate, Patience
from infimum.solvers.second_order._newton_direction import factorized
from infimum.typing import Matrix, Vector

__all__ = ["GramNewton", "rehearsed"]

#: Systems of so many unknowns are factorised.
LARGEST = 2_000
#: A step that leaves more than this share of the gradient asks for all rows' curvature.
SLOW = 0.25
#: Numbers that the sample of rows may hold.
SAMPLE = 2_000_000
STALL_LIMIT, HALVINGS = 6, 30
#: Steps along which the gradient changes less than so much of what was expected tell
#: of rounding.
CURVED = 1e-3
#: The precision of the inner problem, and of the one on a sample.
INNER, ROUGHLY = 1e-13, 1e-4


@dataclass(frozen=True)
class GramNewton(Solver):
    """Minimise a quadratic model of the mean loss plus the penalty, step there.

    The curvature is that of a sample of the rows as long as this makes the gradient
    fall fast, that of all rows otherwise; value, gradient and proof are always of all
    rows. With a penalty that is not quadratic the model is a least-squares problem of
    as many rows as features, which the usual solvers minimise (proximal Newton).

    References
    ----------
    Lee, Sun & Saunders (2014), SIAM J. Optimization 24 (proximal Newton).
    """

    max_iterations: int = field(default=100, metadata={"domain": whole(1)})

    def _objection(self, risk: LinearRisk) -> str | None:
        return "it asks for sums over streamed rows only"

    def _objection_to_planes(self, risk: Any) -> str | None:
        if not isinstance(risk, StreamedRisk):
            return f"{type(risk).__name__} has no Gram matrix"
        if not risk.smooth:
            return (
                f"{type(risk.loss).__name__} has a kink, and its gradient jumps there"
            )
        size = risk.origin().size
        if size > LARGEST:
            return f"{size:,} coefficients make a Gram matrix too large to factorise"
        if np.ndim(risk.null) > 1 and risk.penalty.quadratic is None:
            return f"{type(risk.penalty).__name__} is not quadratic"
        return None

    def _descend(self, here: Any) -> Descent:
        risk: StreamedRisk = here.risk
        known = _is_quadratic(risk)
        if known:
            bends = risk.hessian(here.point)
        else:
            bends = risk.sampled_hessian(_sample(risk), here.point)
        yield Iterate(here, 0)
        patience, exact = Patience(STALL_LIMIT), known
        for iteration in count(1):
            before, found = here, _step(here, bends)
            if found is not None:
                here = found
                bends = bends if known else _updated(bends, before, here)
                gap = yield Iterate(here, iteration)
                if patience.lost(gap, iteration, here.value):
                    return
            if exact and found is None:
                yield Iterate(here, iteration)
                return
            exact = found is None or _is_slow(before, here)
            if exact and not known:
                bends = risk.hessian(here.point)


def rehearsed(risk: StreamedRisk) -> Vector:
    """Return the null model, or what is best on a sample of the rows.

    Where the squared loss makes the first step exact there is nothing to rehearse.
    """
    if _is_quadratic(risk):
        return risk.null
    X, y, q = _sample(risk)
    part = LinearRisk(
        as_design(X), y, risk.loss, risk.penalty, q, intercept=risk.intercept
    )
    try:
        solver = choose(part)(tolerance=max(ROUGHLY, risk.tolerance), max_iterations=50)
        start = solver.run(part).point
    except (ValueError, ArithmeticError):
        return risk.null
    return start if np.isfinite(start).all() else risk.null


def _is_quadratic(risk: StreamedRisk) -> bool:
    """Tell whether the first step is exact."""
    return isinstance(risk.loss, Loss) and risk.loss.constant_curvature


def _sample(risk: StreamedRisk) -> tuple[Any, Vector, Vector]:
    known: tuple[Any, Vector, Vector] | None = risk.__dict__.get("_sample")
    if known is None:
        wanted = max(SAMPLE // max(risk.size, 1), 1)
        known = risk.__dict__["_sample"] = risk.sample(min(wanted, 1 << 17))
    return known


def _is_slow(before: StreamedEvaluation, here: StreamedEvaluation) -> bool:
    if before.risk.penalty.quadratic is None:
        return False
    sizes = [float(np.linalg.norm(each.gradient)) for each in (before, here)]
    return sizes[1] > SLOW * sizes[0]


def _updated(
    bends: Matrix, before: StreamedEvaluation, here: StreamedEvaluation
) -> Matrix:
    """Return a curvature that explains how the gradient changed on the last step."""
    step = (here.point - before.point).ravel()
    change = (here.risk_gradient - before.risk_gradient).ravel()
    told, guessed = float(step @ change), bends @ step
    known = float(step @ guessed)
    if not (told > CURVED * known > 0.0):
        return bends
    return bends + np.outer(change, change) / told - np.outer(guessed, guessed) / known


def _step(here: StreamedEvaluation, bends: Matrix) -> StreamedEvaluation | None:
    """Return a point lower than this one, on the way to the minimum of the model."""
    target = _model_minimum(here, bends)
    direction = target - here.point
    promised = float(np.sum(here.risk_gradient * direction))
    penalty = here.risk.penalty
    promised += penalty.value(target[:-1]) - penalty.value(here.point[:-1])
    blur = 1e-15 * abs(here.value)
    if not promised < blur or not np.isfinite(direction).all():
        return None
    step = 1.0
    for _ in range(HALVINGS):
        there = here.risk.evaluate(here.point + step * direction)
        if there.value <= here.value + 1e-4 * step * promised + blur:
            return there
        step *= 0.5
    return None


def _model_minimum(here: StreamedEvaluation, bends: Matrix) -> Vector:
    """Return where the quadratic model plus the penalty is least."""
    risk, shape = here.risk, here.point.shape
    strength = risk.penalty.quadratic
    if strength is not None:
        full, count = bends.copy(), getattr(risk.loss, "outputs", 1)
        inner = np.arange(len(full) - count)
        full[inner, inner] += strength
        return here.point + factorized(full, here.gradient.ravel()).reshape(shape)
    w, gradient = here.point[:-1], here.risk_gradient
    A, h = bends[:-1, :-1], bends[:-1, -1]
    last = float(bends[-1, -1]) or 1.0
    A = A - np.outer(h, h) / last
    wanted = A @ w - (gradient[:-1] - h * (gradient[-1] / last))
    found = _penalised(A, wanted, risk, w)
    b = here.point[-1] - (gradient[-1] + h @ (found - w)) / last
    return np.append(found, b)


def _penalised(A: Matrix, wanted: Vector, risk: StreamedRisk, w: Vector) -> Vector:
    """Minimise ½wᵀAw - <wanted, w> + Ω(w): least squares on a factor of A."""
    d = len(A)
    jitter = 1e-13 * np.maximum(np.diag(A), 1e-300)
    try:
        upper = cholesky(A + np.diag(jitter))
    except LinAlgError:
        values, vectors = np.linalg.eigh(A)
        upper = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
        upper += np.diag(np.sqrt(jitter))
        target = np.linalg.lstsq(upper.T, wanted)[0]
    else:
        target = solve_triangular(upper, wanted, trans="T")
    root = np.sqrt(d)
    inner = LinearRisk(
        as_design(root * upper), root * target, Squared(), risk.penalty, intercept=False
    )
    solver = choose(inner)(tolerance=INNER, max_iterations=20_000)
    return solver.run(inner, np.append(w, 0.0)).point[:-1]
