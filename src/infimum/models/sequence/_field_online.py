"""Online fits of random fields: one labelling at a time, corrected when wrong."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.data.doors import TokenAttributes
from infimum.objectives import FieldRisk
from infimum.typing import Indices, Vector

__all__ = ["online_field"]


def online_field(
    risk: FieldRisk, algorithm: str, passes: int, settings: dict[str, Any]
) -> Vector:
    """Return weights after passes of a perceptron, of PA or of AROW, averaged.

    Sequences come in their order. When no labelling is wrong any more the passes that
    are left change nothing, and count for the average.
    """
    size = risk.features.size
    w, total, steps = np.zeros(size), np.zeros(size), 0
    variances = np.full(size, float(settings["variance"] or 1.0))
    singles = [_single(risk, k) for k in np.flatnonzero(risk.shares > 0.0).tolist()]
    averaged = algorithm == "ap" or (
        algorithm == "pa" and settings["averaging"] is not False
    )
    for done in range(1, passes + 1):
        mistakes = 0
        for one in singles:
            scores, chain = one.scores(w)
            said = chain.decode(scores)[0]
            wrong = int(np.sum(said != one.labels))
            if wrong:
                mistakes += 1
                move = one.counts(one.labels) - one.counts(said)
                gap = -float(move @ w)
                if algorithm == "ap":
                    w += move
                elif algorithm == "pa":
                    w += _passive(move, gap, wrong, settings) * move
                else:
                    _arow(w, variances, move, gap + wrong, settings)
            total += w
            steps += 1
        if not mistakes:
            left = (passes - done) * len(singles)
            total, steps = total + left * w, steps + left
            break
    return total / steps if averaged else w


def _single(risk: FieldRisk, k: int) -> FieldRisk:
    """Return the risk of one sequence, of weight 1."""
    rows, bounds = risk.rows, risk.rows.bounds
    part = slice(bounds[k], bounds[k + 1])
    tokens: Indices = rows.tokens[part.start : part.stop + 1]
    entries = slice(tokens[0], tokens[-1])
    own = TokenAttributes(
        tokens - tokens[0], rows.ids[entries], rows.values[entries],
        rows.lengths[k : k + 1],
    )  # fmt: skip
    return FieldRisk(own, risk.labels[part], risk.features, risk.penalty, np.ones(1))


def _passive(move: Vector, gap: float, wrong: int, settings: dict[str, Any]) -> float:
    """Return the step of passive-aggressive learning (Crammer et al. 2006)."""
    cost = gap + (np.sqrt(wrong) if settings["error_sensitive"] is not False else 1.0)
    size = float(move @ move)
    if cost <= 0.0 or size == 0.0:
        return 0.0
    c = float(1.0 if settings["c"] is None else settings["c"])
    kind = 1 if settings["pa_type"] is None else int(settings["pa_type"])
    if kind == 2:  # noqa: PLR2004
        return float(cost / (size + 0.5 / c))
    step = cost / size
    return float(step if kind == 0 else min(c, step))


def _arow(
    w: Vector, variances: Vector, move: Vector, cost: float, settings: dict[str, Any]
) -> None:
    """Take a step of adaptive regularisation of weights, its covariance diagonal."""
    if cost <= 0.0:
        return
    gamma = float(1.0 if settings["gamma"] is None else settings["gamma"])
    spread = float((variances * move) @ move)
    w += cost / (spread + gamma) * variances * move
    variances[:] = 1.0 / (1.0 / variances + move * move / gamma)
