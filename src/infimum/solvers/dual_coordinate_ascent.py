"""Dual coordinate ascent: one sample at a time, for losses with kinks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any, TypeAlias

import numpy as np

from infimum.data.designs import DenseDesign, Design, SparseDesign, StandardizedDesign
from infimum.losses import Loss
from infimum.objectives import Evaluation, LinearRisk
from infimum.parameters import whole
from infimum.solvers._best_intercept import best_intercept
from infimum.solvers._solver import Solver
from infimum.solvers._sparse_passes import SparsePasses
from infimum.solvers.progress import Descent, Iterate
from infimum.solvers.second_order._smoothing import smoothed_minima
from infimum.typing import Indices, Vector

__all__ = ["DualCoordinateAscent"]

#: How fast the intercept follows, compared with a typical coefficient: faster swings
#: about, slower creeps.
EAGERNESS = 0.1
#: Samples that stood still so often in a row rest until the next full pass.
PATIENCE, FULL_PASS_EVERY = 2, 10
#: Neighbouring sparse rows visited together, so that memory is read in long stretches,
#: once there are so many rows that the order stays random enough.
TOGETHER, MANY_ROWS = 32, 32_000
#: A proof costs about as much as two passes; a trend may put it off by so many.
LONGEST_WAIT = 8
#: A few passes over many rows leave a gap wider than this.
NEVER_SO_SOON = 1e-2
#: By which power of the number of passes the gap usually shrinks.
USUAL_POWER = 2.5
#: Passes after which there is a proof, however wide the gap seems to be.
RARELY = 25
#: One pass: order, slopes, idle, w, intercept and pace in; the intercept out.
Visit: TypeAlias = Callable[
    [Indices, Vector, Indices, Vector, float, tuple[float, float, int]], float
]


@dataclass(frozen=True)
class DualCoordinateAscent(Solver):
    """Give each sample in turn the slope that is best for it, and update w at once.

    For losses with a proximal step in closed form under a ridge penalty: the hinge,
    absolute, quantile and ε-insensitive losses above all. A free intercept demands
    that the slopes sum to 0; a multiplier, raised after each pass, brings that about.
    Every pass visits the samples in a fresh order drawn from `random_state`; the gap is
    proved every `check_every` passes, or less often while it is still wide. On tall
    tables the first slopes come from Newton's method on the loss with rounded kinks.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.data.designs import as_design
    >>> from infimum.losses import Hinge
    >>> from infimum.objectives import LinearRisk
    >>> from infimum.penalties import Ridge
    >>> X = np.array([[0.0], [1.0], [2.0], [4.0]])
    >>> y = np.array([-1.0, 1.0, -1.0, 1.0])
    >>> risk = LinearRisk(as_design(X), y, Hinge(), Ridge(0.1))
    >>> DualCoordinateAscent().solve(risk).certified
    True

    References
    ----------
    Hsieh, Chang, Lin, Keerthi & Sundararajan (2008), ICML. Shalev-Shwartz & Zhang
    (2013), JMLR 14.
    """

    max_iterations: int = field(default=1_000, metadata={"domain": whole(1)})
    check_every: int = field(default=3, metadata={"domain": whole(1)})
    random_state: int = 0

    def _objection(self, risk: LinearRisk) -> str | None:
        name = type(risk.loss).__name__
        if not isinstance(risk.loss, Loss) or type(risk.loss).prox_formula is None:
            return f"{name} has no proximal step in closed form"
        if not risk.penalty.quadratic:
            return f"{type(risk.penalty).__name__} is not a ridge penalty"
        if risk.offset is not None and not risk.loss.distance_based:
            return f"{name} reads no residual that could absorb the offset"
        return None

    def _descend(self, here: Evaluation) -> Descent:
        risk, point, slopes, begun = here.risk, here.point, None, 0
        assert isinstance(risk.loss, Loss)
        if not point[:-1].any():
            start = smoothed_minima(risk, self.tolerance, self.random_state)
            for begun, (slopes, there) in enumerate(start, 1):
                yield Iterate(there, begun, slopes)
                point = there.point
        run = _Run(risk, point, slopes, self)
        outlook = self._outlook(run)
        for iteration in count(begun + 1):
            run.visit_all(iteration)
            if iteration < min(outlook.next_check, self.max_iterations):
                continue
            here, inside = run.proposal()
            guess = self._guessed_gap(here, inside, run.w)
            if outlook.hopeful(guess, iteration) or iteration >= self.max_iterations:
                guess = yield Iterate(here, iteration, inside)
                run.refresh()
            outlook.note(iteration, guess)

    def _outlook(self, run: _Run) -> _Outlook:
        goal = self.tolerance * run.risk.unit
        if run.group == 1 or self.tolerance >= NEVER_SO_SOON:
            return _Outlook(goal, self.check_every)
        outlook = _Outlook(goal, 1, power=USUAL_POWER)
        outlook.next_check = 2 * self.check_every
        return outlook

    def _guessed_gap(self, here: Evaluation, slopes: Vector, w: Vector) -> float:
        """Return the gap as far as w is what the slopes say, which is not checked.

        A proof does check: it multiplies by Xᵀ again, at the price of a pass. Where
        that price is low, or a clock runs, no guess is made.
        """
        risk = here.risk
        plain = not risk.intercept and risk.offset is None and self.max_seconds is None
        if not plain or _group(risk.design) == 1:
            return -np.inf
        conjugates = risk.loss.conjugate(risk.y, slopes)
        half = 0.5 * float(risk.penalty.quadratic or 0.0) * float(w @ w)
        return here.value + float(risk.weights @ conjugates) + half


class _Run:
    """Slopes, the coefficients that follow from them, and how rows are visited."""

    def __init__(
        self,
        risk: LinearRisk,
        point: Vector,
        slopes: Vector | None,
        solver: DualCoordinateAscent,
    ) -> None:
        self.risk, n = risk, len(risk.y)
        self.rows, shift = _raw_rows(risk.design)
        self.strength = float(risk.penalty.quadratic or 0.0)
        self.draw = np.random.default_rng(solver.random_state)
        lengths = _row_lengths(self.rows)
        typical = max(float(lengths @ risk.weights), 1e-12)
        self.push = float(risk.intercept) * EAGERNESS * typical / self.strength
        steps = risk.weights * (lengths / self.strength + self.push)
        self.slopes = _first_slopes(risk, point) if slopes is None else slopes.copy()
        self.idle = np.zeros(n, dtype=np.int64)
        self.w = self._implied()
        self.b = float(point[-1] - shift @ self.w)
        steps = np.maximum(steps, 1e-300)
        self.visit = _visitor(risk, self.rows, steps, solver.tolerance)
        self.group = _group(self.rows)
        self.domain = risk.loss.slopes(risk.y)  # type: ignore[union-attr]

    def visit_all(self, iteration: int) -> None:
        """Give every sample that does not rest its turn."""
        if iteration % FULL_PASS_EVERY == 0:
            np.minimum(self.idle, PATIENCE, out=self.idle)
        order = _order(self.draw, len(self.slopes), self.group)
        pace = 1.0 / self.strength, self.push, PATIENCE
        self.b = self.visit(order, self.slopes, self.idle, self.w, self.b, pace)
        self.b -= self.push * float(self.risk.weights @ self.slopes)

    def proposal(self) -> tuple[Evaluation, Vector]:
        """Return a point and slopes whose gap may be narrow."""
        visit = self.visit
        w = visit.mean if isinstance(visit, SparsePasses) else self.w
        # Short rows magnify rounding: it must not lead out of the domain of ℓ*.
        return _evaluated(self.risk, w), np.clip(self.slopes, *self.domain)

    def refresh(self) -> None:
        """Undo what rounding has done to w, where passes round much."""
        if isinstance(self.visit, SparsePasses):
            self.w = self._implied()

    def _implied(self) -> Vector:
        """Return the coefficients that the slopes stand for."""
        pulled = self.rows.pull_back(self.risk.weights * self.slopes)
        return -np.asarray(pulled, dtype=np.float64) / self.strength


class _Outlook:
    """Guesses from the gaps seen so far when the next proof is worth its price."""

    def __init__(
        self, goal: float, check_every: int, power: float | None = None
    ) -> None:
        self.goal, self.check_every, self.power = goal, check_every, power
        self.next_check, self.seen = check_every, (0, np.inf)
        self.next_proof = RARELY

    def hopeful(self, guess: float, iteration: int) -> bool:
        """Tell whether a proof may succeed, or has not been tried for long."""
        if guess > self.goal and iteration < self.next_proof:
            return False
        self.next_proof = iteration + RARELY
        return True

    def note(self, iteration: int, gap: float) -> None:
        """Take in a gap; gaps shrink like a power of the number of passes."""
        (before, wider), self.seen = self.seen, (iteration, gap)
        wait, power = self.check_every, self.power if gap < wider else None
        if gap < wider < np.inf:
            power = np.log(wider / gap) / np.log(iteration / before)
        if power is not None and self.goal < gap:
            # Gaps that hardly shrink ask for more passes than a float can count.
            growth = min(np.log(gap / self.goal) / power, 100.0)
            needed = iteration * np.expm1(growth)
            wait = max(wait, int(min(needed, LONGEST_WAIT)))
        self.next_check = iteration + wait


def _group(rows: Design) -> int:
    """Return how many neighbouring rows are visited together."""
    many = isinstance(rows, SparseDesign) and rows.shape[0] >= MANY_ROWS
    return TOGETHER if many else 1


def _order(draw: np.random.Generator, n: int, group: int) -> Indices:
    """Return all samples, groups of neighbours in random order.

    Groups begin elsewhere in every pass, so that their members change.
    """
    if group == 1:
        return draw.permutation(n)
    starts = draw.permutation(-(-n // group)) * group
    order = (starts[:, None] + np.arange(group)).ravel()
    if n % group:
        order = order[order < n]
    order += draw.integers(n)
    np.subtract(order, n, out=order, where=order >= n)
    return np.asarray(order)


def _evaluated(risk: LinearRisk, w: Vector) -> Evaluation:
    """Return w with the intercept that is best for it."""
    scores = risk.design.scores(w) + _offset(risk)
    last = best_intercept(risk, scores)
    return risk.evaluate(np.append(w, last), scores + last)


def _first_slopes(risk: LinearRisk, point: Vector) -> Vector:
    """Start from nothing at the null model, from the loss elsewhere (a warm start)."""
    if not point[:-1].any():
        return np.zeros(len(risk.y))
    slopes = risk.evaluate(point).slopes
    return np.ascontiguousarray(slopes, dtype=np.float64)


def _offset(risk: LinearRisk) -> float | Vector:
    return 0.0 if risk.offset is None else risk.offset


def _raw_rows(design: Design) -> tuple[Design, Vector]:
    """Undo a centring: with a free intercept it changes no fitted function."""
    shift = np.zeros(design.shape[1])
    if isinstance(design, StandardizedDesign):
        if isinstance(design.original, DenseDesign) and _far_from_centre(design):
            return DenseDesign(np.ascontiguousarray(design.toarray())), shift
        if np.all(design.scale == 1.0):
            return design.original, design.shift
        return DenseDesign(np.ascontiguousarray(design.toarray())), shift
    return design, shift


def _far_from_centre(design: StandardizedDesign) -> bool:
    n = design.shape[0]
    spread = float(design.squared_norms().sum()) / n
    return float((design.shift**2).sum()) > 0.5 * spread


def _row_lengths(rows: Design) -> Vector:
    """Return the squared length of each row."""
    if isinstance(rows, SparseDesign):
        return rows.row_lengths()
    X = rows.toarray()
    return np.asarray(np.einsum("ij,ij->i", X, X), dtype=np.float64)


def _visitor(risk: LinearRisk, rows: Design, steps: Vector, tolerance: float) -> Visit:
    """Bind the compiled pass that fits the kind of rows."""
    from infimum.compiled.callbacks import compile_prox
    from infimum.compiled.descent.dual_coordinate_ascent import ascend
    from infimum.compiled.rows import rows_of

    assert isinstance(risk.loss, Loss)
    prox = type(risk.loss).prox_formula
    assert prox is not None
    formula, numbers = compile_prox(prox), risk.loss.parameters
    # An offset moves the scores, which for a residual is a move of the target.
    y = np.ascontiguousarray(risk.y - _offset(risk), dtype=np.float64)
    if isinstance(rows, SparseDesign) and _group(rows) > 1:
        return SparsePasses(risk, rows, y, steps, tolerance)
    held: Any = rows.by_row if isinstance(rows, SparseDesign) else rows.toarray()
    table = rows_of(held)
    samples = y, risk.weights, steps
    return lambda order, slopes, idle, w, b, pace: ascend(
        table, samples, order, (slopes, idle, w), b, pace, formula, numbers, False
    )
