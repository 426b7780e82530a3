"""Pegasos: stochastic subgradients for support vector machines."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

import numpy as np

from infimum.losses import Hinge
from infimum.objectives import Evaluation, LinearRisk
from infimum.parameters import positive, whole
from infimum.solvers._best_intercept import best_intercept
from infimum.solvers._solver import Solver
from infimum.solvers.progress import Descent, Iterate
from infimum.study.solvers._best_slopes import BestSlopes
from infimum.study.solvers._row_layout import RowLayout
from infimum.typing import Indices, Vector

__all__ = ["Pegasos"]

#: Slots of the state that the compiled loop keeps.
TIME, SCALE, LENGTH, INTERCEPT, LAG, MEAN_INTERCEPT, TOTAL = range(7)


@dataclass(frozen=True)
class Pegasos(Solver):
    r"""Step 1/(λt) against the hinge of a few samples, shrink by the ridge.

    .. math:: w_{t+1} = \Bigl(1 - \frac1t\Bigr) w_t + \frac1{\lambda t |B_t|}
              \sum_{i \in B_t,\; y_i f_i < 1} y_i x_i

    For the hinge loss under a ridge penalty, over dense or compressed rows. Without an
    intercept and with rows no longer than R the mean of the points obeys, on average
    over the draws and for uniform weights,

    .. math:: P(\bar w_k) - P^* \le \frac{G^2 (1 + \ln k)}{2 \lambda k}, \qquad
              G = \sqrt\lambda + R \text{ with projection, } 2R \text{ without}

    and the mean that counts late points more, which is the one returned,
    :math:`2G^2/(\lambda (k+1))`. The number of samples does not appear: a rough machine
    costs the same on a million of them as on a billion. The intercept is free and the
    best for the returned weights. An iteration is one pass.

    Parameters
    ----------
    batch_size : int
        Samples per step.
    project : bool
        Whether to project each point on the ball of radius 1/√λ, which holds the
        minimum.
    averaged : bool
        Whether to answer with the mean of the points met, the t-th counting t times.
    random_state : int
        Seed of the order in which samples are visited.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.data.designs import as_design
    >>> from infimum.losses import Hinge
    >>> from infimum.objectives import LinearRisk
    >>> from infimum.penalties import Ridge
    >>> X = np.array([[0.0], [1.0], [2.0], [4.0]])
    >>> y = np.array([-1.0, 1.0, -1.0, 1.0])
    >>> risk = LinearRisk(as_design(X), y, Hinge(), Ridge(0.1), intercept=False)
    >>> Pegasos(tolerance=1e-2).solve(risk).certified
    True

    References
    ----------
    Shalev-Shwartz, Singer, Srebro & Cotter (2011), Mathematical Programming 127.
    Lacoste-Julien, Schmidt & Bach (2012), arXiv:1212.2002 (the weighted mean).
    """

    tolerance: float = field(default=1e-2, metadata={"domain": positive})
    max_iterations: int = field(default=500, metadata={"domain": whole(1)})
    batch_size: int = field(default=1, metadata={"domain": whole(1)})
    project: bool = False
    averaged: bool = True
    random_state: int = 0

    def _objection(self, risk: LinearRisk) -> str | None:
        if not isinstance(risk.loss, Hinge):
            return f"{type(risk.loss).__name__} is not the hinge loss"
        if not risk.penalty.quadratic:
            return f"{type(risk.penalty).__name__} is not a ridge penalty"
        if risk.offset is not None:
            return f"{type(risk.loss).__name__} scores come with an offset here"
        return None

    def _descend(self, here: Evaluation) -> Descent:
        risk, rows = here.risk, RowLayout.of(here.risk.design)
        strength, n = float(risk.penalty.quadratic or 0.0), len(risk.y)
        draw = np.random.default_rng(self.random_state)
        stored = np.array(here.point[:-1], dtype=np.float64)
        mean, inside, state = np.zeros_like(stored), np.zeros(n), np.zeros(7)
        state[SCALE], state[LENGTH] = 1.0, float(stored @ stored)
        state[INTERCEPT] = here.point[-1]
        pace = (
            strength,
            float(self.project) / np.sqrt(strength),
            float(risk.intercept),
        )
        memory, duals = (inside, stored, mean, state), BestSlopes(risk, np.zeros(n))
        for iteration in count(1):
            _visit(risk, rows, self._batches(n, draw), memory, pace)
            duals.mix(-risk.y * inside, 2.0 / (iteration + 1.0))
            w = state[SCALE] * stored
            if self.averaged:
                w = (mean + state[LAG] * stored) / state[TOTAL]
            yield Iterate(_answer(risk, w), iteration, duals.proof())

    def _batches(self, n: int, draw: np.random.Generator) -> Indices:
        """Shuffle the samples and cut them into batches of one size."""
        size = min(self.batch_size, n)
        order = draw.permutation(n)
        return order[: n - n % size].reshape(-1, size)


def _answer(risk: LinearRisk, w: Vector) -> Evaluation:
    bare = risk.scores(np.append(w, 0.0))
    b = best_intercept(risk, bare)
    return risk.evaluate(np.append(w, b), bare + b)


def _visit(
    risk: LinearRisk,
    rows: RowLayout,
    batches: Indices,
    state: tuple[Vector, Vector, Vector, Vector],
    pace: tuple[float, float, float],
) -> None:
    """Run the compiled pass that fits the kind of rows."""
    from infimum.compiled.descent.pegasos import pegasos

    y = np.ascontiguousarray(risk.y, dtype=np.float64)
    pegasos(rows.rows, y, risk.weights, batches, *state, pace)
