"""Scores, losses, slopes and their pull-back in one reading of a row-major matrix.

Memory is what a pass over a tall table waits for: to read each row once instead of
twice nearly halves its time. Three losses are known here by name.
"""

import math

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.compiled.threads import in_parts
from infimum.typing import Matrix, Vector

__all__ = ["judge_block", "judge_rows"]

LOGISTIC, POISSON, HINGE_ENVELOPE = 0, 1, 2
NUMBERS = {"logistic": LOGISTIC, "poisson": POISSON, "hinge": HINGE_ENVELOPE}

_REORDER = {"reassoc", "contract"}
#: Rows worked on at a time.
BLOCK = 64


def judge_rows(
    X: Matrix, y: Vector, shares: Vector, w: Vector, b: float, loss: tuple[str, float]
) -> tuple[Vector, Vector, float, Matrix]:
    """Return scores, slopes, the mean loss, and two sums of rows.

    The sums are Σ q·s·(x, 1) over the samples with a positive slope s (first line) and
    over the others (second line): a proof may have to weigh the two sides differently.
    `loss` is a name and a parameter: "logistic", "poisson", or "hinge" smoothed by its
    Moreau envelope of that parameter.
    """
    scores, slopes = np.empty(len(X)), np.empty(len(X))

    def judge(rows: slice) -> tuple[float, Matrix]:
        given = X[rows], y[rows], shares[rows]
        return judge_block(given, w, b, loss, (scores[rows], slopes[rows]))

    judged = in_parts(len(X), judge)
    losses, sides = zip(*judged, strict=True)
    return scores, slopes, float(sum(losses)), np.asarray(sum(sides))


def judge_block(
    given: tuple[Matrix, Vector, Vector],
    w: Vector,
    b: float,
    loss: tuple[str, float],
    out: tuple[Vector, Vector],
) -> tuple[float, Matrix]:
    """Return the mean loss and the sums of `judge_rows`, on the calling thread.

    `given` are rows, targets and shares; scores and slopes are written into `out`.
    """
    sides = np.zeros((2, len(w) + 1))
    kind, knob = NUMBERS[loss[0]], loss[1]
    return _judge(*given, w, b, kind, knob, (*out, sides[0], sides[1])), sides


@loop(fastmath=_REORDER)
def _judge(
    X: Matrix,
    y: Vector,
    shares: Vector,
    w: Vector,
    b: float,
    kind: int,
    knob: float,
    out: tuple[Vector, Vector, Vector, Vector],
) -> float:
    """Work through blocks of rows that stay in the nearest cache meanwhile."""
    scores, slopes, up, down = out
    n, d = X.shape
    total = 0.0
    for start in range(0, n, BLOCK):
        stop = min(start + BLOCK, n)
        for i in range(start, stop):
            f = b
            for j in range(d):
                f += X[i, j] * w[j]
            scores[i] = f
        total += _price(y, shares, kind, knob, scores, slopes, start, stop)
        for i in range(start, stop):
            weighted = shares[i] * slopes[i]
            if weighted != 0.0:
                side = up if weighted > 0.0 else down
                for j in range(d):
                    side[j] += weighted * X[i, j]
                side[d] += weighted
    return total


@inner_loop(fastmath=_REORDER)
def _price(
    y: Vector,
    shares: Vector,
    kind: int,
    knob: float,
    scores: Vector,
    slopes: Vector,
    start: int,
    stop: int,
) -> float:
    """Write the slopes of some samples; return the sum of their losses."""
    total = 0.0
    if kind == LOGISTIC:
        for i in range(start, stop):
            margin = y[i] * scores[i]
            tail = math.exp(-abs(margin))
            slopes[i] = -y[i] * (tail if margin > 0.0 else 1.0) / (1.0 + tail)
            total += shares[i] * (max(-margin, 0.0) + math.log1p(tail))
    elif kind == POISSON:
        for i in range(start, stop):
            rate = math.exp(scores[i])
            slopes[i] = rate - y[i]
            total += shares[i] * (rate - y[i] * scores[i])
    else:
        for i in range(start, stop):
            short = 1.0 - y[i] * scores[i]
            steep = min(max(short / knob, 0.0), 1.0)
            slopes[i] = -y[i] * steep
            total += shares[i] * steep * (short - 0.5 * knob * steep)
    return total
