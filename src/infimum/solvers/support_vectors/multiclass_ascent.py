"""Multiclass ascent: the dual of multiclass hinges, a working set of samples a time."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

import numpy as np

from infimum.losses import AdditiveMulticlassHinge, MulticlassHinge
from infimum.objectives import Evaluation, LinearRisk
from infimum.parameters import whole
from infimum.solvers._solver import Solver
from infimum.solvers.progress import Descent, Iterate, Patience
from infimum.typing import Indices, Matrix, Vector

__all__ = ["MulticlassAscent"]

#: The products of all pairs of samples are kept: 800 MB at this many.
MOST_SAMPLES = 10_000
#: Moves allowed for each sample of a working set before another set is chosen.
MOVES = 30
#: A working set is settled to this share of the worst error outside.
SETTLED = 0.3
#: Working sets between two proofs.
PROOF_EVERY = 8
#: How strongly intercepts follow the shares, compared with a typical sample.
EAGERNESS = 0.1
#: The working set as a share of the samples: small ones undo each other's work.
SHARE, LEAST, MOST = 3, 256, 2_000


@dataclass(frozen=True)
class MulticlassAscent(Solver):
    """Let samples trade shares of the classes until none can gain.

    Each sample pays the classes that come too close to its own. The dual of the
    multiclass hinge under a ridge penalty is a quadratic in these shares; all shares of
    one sample have their best value in closed form. The samples that err most form a
    working set, settled by a compiled loop with the products of its pairs at hand;
    then all scores follow by one matrix product. Free intercepts demand that the shares
    of every class sum to 0: a multiplier, raised when the samples have settled, brings
    that about.

    References
    ----------
    Crammer & Singer (2001), JMLR 2. Weston & Watkins (1999), European Symposium on
    Artificial Neural Networks.
    """

    max_iterations: int = field(default=20_000, metadata={"domain": whole(1)})

    def _objection(self, risk: LinearRisk) -> str | None:
        loss, penalty = risk.loss, risk.penalty
        plain = isinstance(loss, MulticlassHinge) and not loss.costs
        if not plain and not isinstance(loss, AdditiveMulticlassHinge):
            return f"{type(loss).__name__} is no multiclass hinge with equal costs"
        if isinstance(loss, MulticlassHinge) and not np.all(loss.factors == 1.0):
            return f"{type(loss).__name__} scales the margin of its classes"
        if not penalty.quadratic:
            return f"{type(penalty).__name__} is no multiple of the squared length"
        if len(risk.y) > MOST_SAMPLES:
            return f"the products of {len(risk.y)} samples do not fit"
        return None

    def _descend(self, here: Evaluation) -> Descent:
        market = _Market(here.risk)
        every = PROOF_EVERY if market.size < len(market.labels) else 1
        patience = Patience(50 * every)
        yield Iterate(here, 0)
        for iteration in count(1):
            error = market.trade()
            if iteration % every and error > 0.0:
                continue
            gap = yield Iterate(
                here.risk.evaluate(market.point()), iteration, market.slopes()
            )
            if patience.lost(gap, iteration):
                return


class _Market:
    """Shares of all samples, the scores they make, and the intercepts."""

    def __init__(self, risk: LinearRisk) -> None:
        self.risk, self.strength = risk, float(risk.penalty.quadratic or 0.0)
        self.additive = isinstance(risk.loss, AdditiveMulticlassHinge)
        X = np.asarray(risk.design.toarray(), dtype=np.float64)
        self.gram = X @ X.T
        self.labels: Indices = risk.y.astype(np.intp)
        samples = len(self.labels)
        self.size = min(samples, MOST, max(LEAST, samples // SHARE))
        self.caps = risk.weights / self.strength
        classes = risk.loss.outputs  # type: ignore[union-attr]
        self.shares = np.zeros((samples, classes))
        self.scores = np.zeros_like(self.shares)
        if risk.offset is not None:
            self.scores += risk.offset.T
        self.intercepts = np.zeros(classes)
        self.pace = 0.0
        if risk.intercept:
            self.pace = EAGERNESS * float(np.diag(self.gram).mean())
            self.gram += self.pace

    def trade(self) -> float:
        """Settle the samples that err most; return the worst error there was."""
        from infimum.compiled.descent.class_shares import (
            settle_shares,  # late: it loads numba
        )

        errors = self._errors()
        worst = float(errors.max())
        drift = self.pace * self.shares.sum(axis=0)
        drift -= drift.mean()  # scores that rise together change nothing
        if worst <= SETTLED * float(np.abs(drift).max()):
            self.intercepts += drift
            self.scores += drift
            return worst
        rows = np.sort(np.argpartition(-errors, self.size - 1)[: self.size])
        before = self.shares[rows]
        shares, scores = before.copy(), self.scores[rows]
        settle_shares(
            np.ascontiguousarray(self.gram[np.ix_(rows, rows)]),
            scores,
            shares,
            self.labels[rows],
            self.caps[rows],
            self.additive,
            SETTLED * worst,
            MOVES * self.size,
        )
        self.shares[rows] = shares
        self.scores += self.gram[:, rows] @ (shares - before)
        return worst

    def point(self) -> Matrix:
        """Return weights and intercepts that the shares stand for."""
        w = self.risk.design.pull_back(self.shares)
        drift = self.pace * self.shares.sum(axis=0)
        return np.vstack([w, self.intercepts + drift])

    def slopes(self) -> Matrix:
        """Return the slopes of the loss that the shares stand for."""
        return np.asarray(-(self.shares.T / self.caps).T)

    def _errors(self) -> Vector:
        rows = np.arange(len(self.labels))
        heights = 1.0 + self.scores
        heights[rows, self.labels] -= 1.0
        if self.additive:
            short = heights - heights[rows, self.labels][:, None]
            price = -self.shares
            gain = np.where(price < self.caps[:, None], short, 0.0)
            waste = np.where(price > 0.0, -short, 0.0)
            errors = np.maximum(gain, waste)
            errors[rows, self.labels] = 0.0
            return np.asarray(errors.max(axis=1))
        limits = np.zeros_like(self.shares)
        limits[rows, self.labels] = self.caps
        least = np.where(self.shares < limits, heights, np.inf).min(axis=1)
        return np.asarray(heights.max(axis=1) - least)
