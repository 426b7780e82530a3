"""Stochastic gradient descent: many cheap steps, each from a handful of samples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

import numpy as np

from infimum.objectives import Evaluation, LinearRisk
from infimum.parameters import Choice, check_domain, opened, positive, whole
from infimum.solvers._solver import Solver
from infimum.solvers.progress import Descent, Iterate
from infimum.study.solvers.plateau import Plateau
from infimum.typing import Indices, Vector

__all__ = ["StochasticGradient", "minibatch_gradient", "minibatch_risk"]

#: How fast the steps of a rule fade, as a power of time.
POWERS = {"inverse": 1.0, "inverse_root": 0.5}


def minibatch_risk(risk: LinearRisk, rows: Indices) -> LinearRisk:
    r"""Return the risk that a few samples make, under the same penalty.

    .. math:: J_t(w) = \Omega(w) + \frac1{|B_t|} \sum_{i \in B_t} \ell(y_i, f_i)

    With sample weights the mean is a weighted one. The mean of J_t over the batches of
    a partition, each counted by its weight, is the whole risk.
    """
    return risk.afresh(
        design=risk.design.rows(rows),
        y=risk.y[rows],
        sample_weight=None if risk.sample_weight is None else risk.sample_weight[rows],
        offset=None if risk.offset is None else risk.offset[rows],
    )


def minibatch_gradient(risk: LinearRisk, point: Vector, rows: Indices) -> Vector:
    r"""Estimate the gradient of the empirical risk from a few of its samples.

    .. math:: \frac1{|B|} \sum_{i \in B} n q_i\, \ell'(y_i, f_i)\, (x_i, 1)

    Rows drawn uniformly make this unbiased; all rows, once each, make it exact. Rows
    drawn with replacement divide the variance of a single row by their number.
    """
    return _pulled_back(risk, _slopes(risk, point, rows), rows)


def _pulled_back(risk: LinearRisk, slopes: Vector, rows: Indices) -> Vector:
    weighted = (slopes.T * risk.weights[rows]).T * (len(risk.y) / len(rows))
    pulled = risk.design.rows(rows).pull_back(weighted)
    last = weighted.sum(axis=0, keepdims=True) * float(risk.intercept)
    return np.concatenate([np.asarray(pulled, dtype=np.float64), last])


@dataclass(frozen=True)
class StochasticGradient(Solver):
    r"""Step against the gradient of a random minibatch, with a schedule of steps.

    For every loss without runaway curvature, kinks included, and any penalty: ridge by
    its gradient, others by their proximal step. It reaches a rough answer soon and a
    precise one late; hence the modest default tolerance. An iteration is one pass over
    as many samples as there are.

    On a σ-strongly convex risk with subgradients no longer than G, steps 2/(σ(t+1))
    (`step` inverse, `rate` 1/σ, `delay` 2) and the mean promise on average

    .. math:: P(\bar w_k) - P^* \le \frac{2 G^2}{\sigma (k + 1)}

    and without strong convexity steps :math:`\propto 1/\sqrt t` give
    :math:`O(\log k/\sqrt k)`; k counts steps.

    Parameters
    ----------
    batch_size : int
        Samples per step; at least all of them makes this plain gradient descent.
    step : {"constant", "inverse", "inverse_root", "plateau"}
        With τ = `delay` the steps t = 0, 1, … are rate, rate·τ/(τ + t) or
        rate·√(τ/(τ + t)); or rate, cut by `shrink` whenever `patience` passes bring no
        progress.
    rate : float or None
        None means 1/strength for inverse steps on a kinked loss with a ridge penalty
        (Pegasos), and otherwise what the curvature and the size of the samples allow.
    delay : float
        How many steps pass before fading steps have faded by half (inverse) or to
        0.7 (inverse_root); `tune_delay` finds one on a few samples.
    averaged : bool
        Whether to answer with the average of the points met, late ones counting more.
    replacement : bool
        Whether samples are drawn independently; otherwise each pass shuffles them.
    held_back : LinearRisk or None
        Where the plateau rule measures progress; None means on the objective.
    random_state : int
        Seed of the draws.

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
    >>> StochasticGradient(tolerance=1e-2).solve(risk).certified
    True

    References
    ----------
    Robbins & Monro (1951), Annals of Mathematical Statistics 22. Shalev-Shwartz,
    Singer, Srebro & Cotter (2011), Mathematical Programming 127 (Pegasos).
    """

    tolerance: float = field(default=1e-2, metadata={"domain": positive})
    max_iterations: int = field(default=500, metadata={"domain": whole(1)})
    batch_size: int = field(default=32, metadata={"domain": whole(1)})
    step: str = field(
        default="plateau",
        metadata={"domain": Choice(("constant", "inverse", "inverse_root", "plateau"))},
    )
    rate: float | None = None
    delay: float = field(default=1.0, metadata={"domain": positive})
    averaged: bool = True
    replacement: bool = False
    shrink: float = field(default=0.5, metadata={"domain": opened(0, 1)})
    patience: int = field(default=3, metadata={"domain": whole(0)})
    held_back: LinearRisk | None = None
    random_state: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rate is not None:
            check_domain("StochasticGradient.rate", self.rate, positive)

    def _objection(self, risk: LinearRisk) -> str | None:
        if risk.loss.smooth and not np.isfinite(risk.loss.curvature):
            return f"{type(risk.loss).__name__} grows too fast for scheduled steps"
        return None

    def _descend(self, here: Evaluation) -> Descent:
        risk, draw = here.risk, np.random.default_rng(self.random_state)
        rate = self.rate or self._first_rate(risk)
        plateau = Plateau(self.shrink, self.patience)
        point = mean = here.point
        duals = np.zeros_like(here.slopes)
        t = 0
        for iteration in count(1):
            for rows in self._batches(len(risk.y), draw):
                t += 1
                slopes = _slopes(risk, point, rows)
                # A mix of subgradients is dual-feasible wherever 0 is.
                duals[rows] += 2.0 / (iteration + 1.0) * (slopes - duals[rows])
                gradient = _pulled_back(risk, slopes, rows)
                point = _moved(risk, point, gradient, rate * self._fade(t))
                mean = mean + 2.0 / (t + 1.0) * (point - mean)
            answer = risk.evaluate(mean if self.averaged else point)
            if self.step == "plateau":
                rate *= plateau.factor(self._progress(answer))
            yield Iterate(answer, iteration, None if risk.loss.smooth else duals.copy())

    def schedule(self, steps: int) -> Vector:
        """Return the first steps as shares of the rate; a plateau may cut them further.

        >>> StochasticGradient(step="inverse_root").schedule(3).round(4).tolist()
        [1.0, 0.7071, 0.5774]
        """
        return np.array([self._fade(t) for t in range(1, steps + 1)])

    def _fade(self, t: int) -> float:
        """Return the share of the rate that the t-th step uses."""
        left = self.delay / (self.delay + (t - 1.0))
        return float(left ** POWERS.get(self.step, 0.0))

    def _batches(self, n: int, draw: np.random.Generator) -> Iterator[Indices]:
        size = min(self.batch_size, n)
        if self.replacement:
            yield from (draw.integers(n, size=size) for _ in range(max(1, n // size)))
        else:
            order = draw.permutation(n)
            yield from (order[i : i + size] for i in range(0, n, size))

    def _first_rate(self, risk: LinearRisk) -> float:
        strength = risk.penalty.quadratic or 0.0
        length = float(risk.design.squared_norms(risk.weights).sum()) + 1.0
        if risk.loss.smooth:
            return 1.0 / (2.0 * float(risk.loss.curvature) * length + strength)
        if self.step == "inverse" and strength > 0.0:
            return 1.0 / strength
        return 1.0 / (float(np.sqrt(length)) + strength)

    def _progress(self, answer: Evaluation) -> float:
        if self.held_back is None:
            return answer.value
        return self.held_back.evaluate(answer.point).empirical


def _slopes(risk: LinearRisk, point: Vector, rows: Indices) -> Vector:
    """Return ∂ℓ/∂f of some samples."""
    some = risk.design.rows(rows)
    scores = np.asarray(some.scores(point[:-1]), dtype=np.float64) + point[-1]
    if risk.offset is not None:
        scores = (scores.T + risk.offset[rows]).T
    return risk.loss.derivative(risk.y[rows], scores)


def _moved(risk: LinearRisk, point: Vector, gradient: Vector, step: float) -> Vector:
    """Step down the loss, and down the penalty by its gradient or proximal step."""
    if (strength := risk.penalty.quadratic) is None:
        return risk.prox(point - step * gradient, step)
    moved = point - step * gradient
    moved[:-1] -= step * strength * point[:-1]
    return np.asarray(moved)
