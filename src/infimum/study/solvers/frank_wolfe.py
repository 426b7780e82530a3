"""Frank-Wolfe: walk towards corners of the set, never leaving it, never projecting."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

import numpy as np

from infimum.losses import Loss
from infimum.objectives import Evaluation, LinearRisk
from infimum.parameters import whole
from infimum.solvers._best_intercept import best_intercept
from infimum.solvers._solver import Solver
from infimum.solvers.progress import Descent, Iterate, Patience
from infimum.solvers.second_order._line_minimum import minimum_along, shifted
from infimum.study.solvers._atoms import Atoms, atoms_of

__all__ = ["FrankWolfe"]

#: Iterations without a narrower gap after which rounding has the last word.
STALL_LIMIT = 3_000


@dataclass(frozen=True)
class FrankWolfe(Solver):
    r"""Minimise the tangent over the set, step towards that corner, repeat.

    .. math:: s_t = \arg\min_{s \in S} \langle \nabla R(w_t), s\rangle, \qquad
              \text{gap}_t = \langle \nabla R(w_t), w_t - s_t\rangle \ge R(w_t) - R^*

    For smooth losses over a simplex, an ℓ1, ℓ2 or ℓ∞ ball or a bounded box: all it asks
    of the set is the best corner, and points stay mixes of few corners. On polytopes
    weight moves straight from the worst corner in use to the best one (pairwise steps),
    which makes the error fall linearly where R is strongly convex; towards the ℓ2 ball
    steps are the plain ones. With plain steps on a set of diameter D

    .. math:: R(w_k) - R^* \le \frac{2 L D^2}{k + 2}

    The gap is the duality gap of the certificate. A free intercept is kept at its best.

    Parameters
    ----------
    pairwise : bool
        Whether to move weight between corners; False gives the plain steps everywhere.

    References
    ----------
    Frank & Wolfe (1956), Naval Research Logistics Quarterly 3. Jaggi (2013), ICML.
    Lacoste-Julien & Jaggi (2015), NeurIPS; Garber & Meshi (2016), NeurIPS (rates).
    """

    pairwise: bool = True
    check_every: int = field(default=10, metadata={"domain": whole(1)})

    def _objection(self, risk: LinearRisk) -> str | None:
        if not isinstance(risk.loss, Loss):
            return f"{type(risk.loss).__name__} couples the scores of a sample"
        if not risk.loss.smooth:
            return f"{type(risk.loss).__name__} has a kink, where its gradient jumps"
        if atoms_of(risk.penalty, 1) is None:
            return f"{type(risk.penalty).__name__} is no bounded set with known corners"
        return None

    def _descend(self, here: Evaluation) -> Descent:
        risk = here.risk
        atoms = atoms_of(risk.penalty, risk.design.shape[1])
        assert atoms is not None
        atoms.enter(risk.penalty.prox(here.point[:-1], 0.0))
        here, patience = _at(risk, atoms), Patience(STALL_LIMIT)
        yield Iterate(here, 0)
        for iteration in count(1):
            moved = self._step(here, atoms)
            if moved is None:
                yield Iterate(here, iteration)
                return
            here = moved
            due = iteration % self.check_every == 0 or iteration >= self.max_iterations
            if due and patience.lost((yield Iterate(here, iteration)), iteration):
                return

    def _step(self, here: Evaluation, atoms: Atoms) -> Evaluation | None:
        """Move to the minimum on the way to the best corner; None at a standstill."""
        toward = atoms.direction(here.pulled_back, pairwise=self.pairwise)
        direction = np.append(toward.change, 0.0)
        shift = shifted(here, direction)
        if here.risk.intercept:
            # The best intercept follows the scores; to first order, at this speed.
            pace = here.risk.weights * here.bends
            if (total := float(pace.sum())) > 0.0:
                direction[-1] = -float(pace @ shift) / total
                shift = shift + direction[-1]
        step = minimum_along(here, direction, shift, toward.longest)
        if step == 0.0:
            return None
        atoms.move(toward, step)
        return _at(here.risk, atoms)


def _at(risk: LinearRisk, atoms: Atoms) -> Evaluation:
    """Evaluate the mix of corners, with the best intercept for it."""
    w = atoms.point()
    bare = risk.scores(np.append(w, 0.0))
    b = best_intercept(risk, bare)
    return risk.evaluate(np.append(w, b), bare + b)
