"""The inner loop of multiclass support vectors: one sample's share of all classes."""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["settle_shares"]


@loop()
def settle_shares(
    gram: Matrix,
    scores: Matrix,
    shares: Matrix,
    labels: Indices,
    caps: Vector,
    additive: bool,  # noqa: FBT001
    tolerance: float,
    most: int,
) -> int:
    """Move the sample that errs most until none errs more than `tolerance`.

    Samples hold `shares` in the classes, rows that sum to 0: a price for every rival
    (negative) paid to the right class. The price of all rivals together is at most
    `caps`, or that of each if `additive`. `scores` follow the shares through `gram`;
    both are updated in place. Returns the number of moves.
    """
    count, classes = shares.shape
    error = np.empty(count)
    for i in range(count):
        error[i] = _violation(scores[i], shares[i], labels[i], caps[i], additive)
    step = np.empty(classes)
    for move in range(most):
        worst = np.argmax(error)
        if error[worst] <= tolerance:
            return move
        bend = gram[worst, worst]
        if additive:
            _split(scores[worst], shares[worst], labels[worst], caps[worst], bend, step)
        else:
            _fill(scores[worst], shares[worst], labels[worst], caps[worst], bend, step)
        for k in range(classes):
            shares[worst, k] += step[k]
        for i in range(count):
            for k in range(classes):
                scores[i, k] += gram[i, worst] * step[k]
            error[i] = _violation(scores[i], shares[i], labels[i], caps[i], additive)
    return most


@inner_loop()
def _violation(
    scores: Vector,
    shares: Vector,
    label: int,
    cap: float,
    additive: bool,  # noqa: FBT001
) -> float:
    """Return how far a sample's shares are from those its scores ask for."""
    right = scores[label]
    if additive:
        worst = 0.0
        for k in range(len(scores)):
            if k != label:
                short = 1.0 + scores[k] - right
                price = -shares[k]
                if short > 0.0 and price < cap:
                    worst = max(worst, short)
                elif short < 0.0 and price > 0.0:
                    worst = max(worst, -short)
        return worst
    top: float = right
    least: float = np.inf
    for k in range(len(scores)):
        height = scores[k] if k == label else 1.0 + scores[k]
        top = max(top, height)
        if shares[k] < (cap if k == label else 0.0):
            least = min(least, height)
    return top - least


@inner_loop()
def _fill(
    scores: Vector, shares: Vector, label: int, cap: float, bend: float, step: Vector
) -> None:
    """Find the step to the best shares under one cap on the price of all rivals.

    The best shares lie below their caps by what a common water level leaves dry.
    """
    classes = len(scores)
    ground = np.empty(classes)
    for k in range(classes):
        height = scores[k] if k == label else 1.0 + scores[k]
        ground[k] = shares[k] - height / bend - (cap if k == label else 0.0)
    order = np.sort(ground)
    total, level = 0.0, 0.0
    for r in range(classes):
        total += order[r]
        level = (cap + total) / (r + 1)
        if r + 1 == classes or level <= order[r + 1]:
            break
    for k in range(classes):
        limit = cap if k == label else 0.0
        step[k] = limit + min(0.0, ground[k] - level) - shares[k]


@inner_loop()
def _split(
    scores: Vector, shares: Vector, label: int, cap: float, bend: float, step: Vector
) -> None:
    """Find the step to the best prices with a cap on each rival.

    Given the sum of all changes each rival's change is a clipped difference; the sum
    that agrees with them is found by halving, then exactly.
    """
    classes = len(scores)
    wish = np.empty(classes)
    low, high = 0.0, 0.0
    for k in range(classes):
        wish[k] = (1.0 + scores[k] - scores[label]) / bend
        if k != label:
            low += shares[k]
            high += cap + shares[k]
    for _ in range(60):
        middle = 0.5 * (low + high)
        if _price(wish, shares, label, cap, middle, step) > middle:
            low = middle
        else:
            high = middle
    step[label] = _price(wish, shares, label, cap, 0.5 * (low + high), step)


@inner_loop()
def _price(
    wish: Vector, shares: Vector, label: int, cap: float, level: float, step: Vector
) -> float:
    """Write down the rivals' steps when all changes sum to `level`; return the sum."""
    total = 0.0
    for k in range(len(wish)):
        if k != label:
            change = min(max(wish[k] - level, shares[k]), cap + shares[k])
            step[k] = -change
            total += change
    return total
