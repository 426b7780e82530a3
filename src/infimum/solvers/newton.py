"""Newton's method (iteratively reweighted least squares) with line search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TypeAlias

import numpy as np

from infimum.losses import Loss
from infimum.objectives import Evaluation, LinearRisk
from infimum.parameters import whole
from infimum.solvers._base import Solver
from infimum.solvers._line_search import backtrack
from infimum.solvers._newton_direction import conjugate_gradient, factorized
from infimum.solvers.progress import Descent, Iterate, Patience
from infimum.typing import Indices, Vector

__all__ = ["Newton"]

#: Systems up to this size are factorised; larger ones go to conjugate gradients.
LARGEST_FACTORIZED = 2_000
#: A sampled Hessian uses so many rows per unknown, and at least so many in all.
ROWS_PER_UNKNOWN, FEWEST_ROWS = 150, 10_000
#: A sampled Hessian is given up when a step keeps more than this share of the gradient.
SLOW = 0.5
#: A start is sought on every 8th, then on every sampled row, in a few steps each.
REHEARSALS, MOST_STEPS, ROUGHLY = (8, 1), 8, 3e-3
#: Steps without a narrower gap after which rounding has the last word.
HOPELESS = 10
#: Rows, and the risk on those rows alone.
Sample: TypeAlias = tuple[Indices, LinearRisk]
#: A promised decrease this small, relative to the objective, is rounding.
RESOLUTION = 1e-26


@dataclass(frozen=True)
class Newton(Solver):
    """Minimise the local quadratic model, step there, repeat.

    For smooth losses and quadratic penalties. Affine changes of the features do not
    change its path, so badly scaled columns cost nothing. On tall data the model's
    curvature comes from a sample of the rows while gradients, values and proofs stay
    exact: every step is cheap and nothing is approximated in the answer.

    References
    ----------
    Roosta-Khorasani & Mahoney (2019), Mathematical Programming 174 (sampled Hessians).
    Dembo, Eisenstat & Steihaug (1982), SIAM J. Numerical Analysis 19 (inexact steps).
    """

    max_iterations: int = field(default=100, metadata={"domain": whole(1)})
    random_state: int = 0

    def _objection(self, risk: LinearRisk) -> str | None:
        if not risk.loss.smooth:
            return (
                f"{type(risk.loss).__name__} has a kink, and its gradient jumps there"
            )
        if risk.penalty.quadratic is None:
            return f"{type(risk.penalty).__name__} is not quadratic"
        return None

    def _descend(self, here: Evaluation) -> Descent:
        risk, sample = here.risk, self._sample(here.risk)
        if sample is not None and not here.point[:-1].any():
            here = risk.evaluate(self._rehearse(sample[1], here.point))
        elif sample is None:
            yield Iterate(here, 0)
        patience = Patience(HOPELESS)
        for iteration in count(1):
            before = float(np.linalg.norm(here.gradient))
            found = _step(here, sample)
            if found is None:
                yield Iterate(here, iteration)
                return
            here = found
            worth = sample is None or self._worth_proving(here, iteration)
            if worth and patience.lost((yield Iterate(here, iteration)), iteration):
                return
            if np.linalg.norm(here.gradient) > SLOW * before:
                sample = None

    def _worth_proving(self, here: Evaluation, iteration: int) -> bool:
        """Tell whether a proof, which costs as much as a step, may succeed here."""
        wanted = 2.0 * self.tolerance * here.risk.scale
        return _expected_gap(here) <= wanted or iteration >= self.max_iterations

    def _rehearse(self, sampled: LinearRisk, point: Vector) -> Vector:
        """Return the minimiser on ever more of the sampled rows: a good start."""
        from infimum.compiled import one_blas_thread  # late: it loads numba

        n = len(sampled.y)
        with one_blas_thread():
            for share in REHEARSALS:
                part = _part(sampled, np.arange(0, n, share))
                here = part.evaluate(point)
                for _ in range(MOST_STEPS):
                    before, found = here.value, _step(here, None)
                    if found is None:
                        break
                    here = found
                    if before - here.value <= ROUGHLY * part.scale:
                        break
                point = here.point
        return point

    def _sample(self, risk: LinearRisk) -> Sample | None:
        """Choose the rows that stand for all in the Hessian; None means all."""
        n, d = risk.design.shape
        size = max(FEWEST_ROWS, ROWS_PER_UNKNOWN * d)
        if n < 4 * size or d > LARGEST_FACTORIZED or not isinstance(risk.loss, Loss):
            return None
        draw = np.random.default_rng(self.random_state)
        rows = np.sort(draw.choice(n, size, replace=False))
        return rows, _part(risk, rows)


def _part(risk: LinearRisk, rows: Indices) -> LinearRisk:
    """Return the risk on some of its samples."""
    return replace(
        risk,
        design=risk.design.rows(rows),
        y=risk.y[rows],
        sample_weight=risk.weights[rows],
        offset=None if risk.offset is None else risk.offset[rows],
        memory={},
    )


def _expected_gap(here: Evaluation) -> float:
    """Return the duality gap up to the balancing of slopes: ‖∇P‖²/(2λ) under ridge.

    The slopes of the loss close Fenchel's inequality for every sample, so what is left
    open is the penalty's share.
    """
    strength = here.risk.penalty.quadratic
    if not strength:
        return 0.0
    return float(np.sum(here.gradient[:-1] ** 2)) / (2.0 * strength)


def _step(here: Evaluation, sample: Sample | None) -> Evaluation | None:
    """Step along the best direction that decreases the objective; None at the end.

    Where the loss is flat (far from any kink of its slope) the true curvature says
    nothing; its upper bound still gives a direction of descent.
    """
    risk = here.risk
    for direction in _directions(here, sample):
        promised = float(np.sum(here.gradient * direction))
        if -promised <= RESOLUTION * max(abs(here.value), risk.scale):
            continue
        found = backtrack(here, direction, promised)
        if found is not None:
            return found[0]
    return None


def _directions(here: Evaluation, sample: Sample | None) -> Iterator[Vector]:
    risk = here.risk
    if not isinstance(risk.loss, Loss) or risk.design.shape[1] > LARGEST_FACTORIZED:
        yield conjugate_gradient(here)
        return
    if sample is not None:
        from infimum.compiled import one_blas_thread  # late: it loads numba

        rows, sampled = sample
        bends = risk.loss.hessian(sampled.y, here.scores[rows])
        with one_blas_thread():
            hessian = sampled.hessian(bends)
        yield factorized(hessian, here.gradient)
    yield factorized(risk.hessian(here.bends), here.gradient)
    if np.isfinite(risk.loss.curvature):
        most = np.full(len(risk.y), risk.loss.curvature)
        yield factorized(risk.hessian(most), here.gradient)
