"""Tune the delay of fading steps on a few samples before using it on all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from infimum.errors import IncompatibleError
from infimum.objectives import LinearRisk
from infimum.parameters import check_domain, positive, whole
from infimum.study.solvers.stochastic_gradient import (
    POWERS,
    StochasticGradient,
    minibatch_risk,
)
from infimum.typing import Indices, Vector

__all__ = ["TunedDelay", "tune_delay"]

DELAYS = tuple(10.0**power for power in range(6))


class TunedDelay(NamedTuple):
    """The delay that brought the risk of a few samples down most, and the others.

    `solver` is the one that was given, with that delay; `values` are the risks on the
    samples `rows` after the trial passes, one for each of the `delays`.
    """

    delay: float
    solver: StochasticGradient
    delays: Vector
    values: Vector
    rows: Indices


def tune_delay(
    solver: StochasticGradient,
    risk: LinearRisk,
    delays: Sequence[float] = DELAYS,
    *,
    samples: int = 1_000,
    passes: int = 5,
) -> TunedDelay:
    """Try several delays on a subset of the samples; keep the one that pays most.

    Parameters
    ----------
    solver : StochasticGradient
        With the step rule inverse or inverse_root; its seed draws the subset.
    risk : LinearRisk
        The whole problem.
    delays : sequence of float
        What to try.
    samples : int, default=1000
        The size of the subset; all samples when there are fewer.
    passes : int, default=5
        How long each trial may run.
    """
    if solver.step not in POWERS:
        raise IncompatibleError(
            f"tune_delay needs steps that fade with time, got step={solver.step!r}."
        )
    check_domain("tune_delay.samples", samples, whole(1))
    check_domain("tune_delay.passes", passes, whole(1))
    if not len(delays):
        raise IncompatibleError("tune_delay needs at least one delay to try.")
    for delay in delays:
        check_domain("tune_delay.delays", delay, positive)
    n = len(risk.y)
    draw = np.random.default_rng(solver.random_state)
    rows = np.sort(draw.permutation(n)[: min(samples, n)])
    small = minibatch_risk(risk, rows)
    trials = [replace(solver, delay=float(d), max_iterations=passes) for d in delays]
    with np.errstate(over="ignore", invalid="ignore"):
        values = np.array([trial.solve(small).certificate.primal for trial in trials])
    best = int(np.argmin(np.where(np.isnan(values), np.inf, values)))
    chosen = replace(solver, delay=float(delays[best]))
    return TunedDelay(chosen.delay, chosen, np.array(delays, float), values, rows)
