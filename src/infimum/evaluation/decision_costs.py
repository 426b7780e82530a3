"""Costs of wrong answers: what the user says they are, and what deciding by them costs.

The expected cost of an answer is the average of its costs over the classes, weighed by
their probabilities; the cheapest answer is taken. For two classes that is a threshold.
Probabilities may be wrong, so the threshold is the one that was cheapest on rows held
back in the folds, where their predictions are known.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.data.spelling import quoted
from infimum.errors import DataError
from infimum.evaluation.uncertainty.mean_intervals import mean_interval
from infimum.typing import Matrix, Vector

__all__ = ["best_threshold", "cheapest", "cost_matrix", "expected_costs"]


_TWO_CLASSES = 2
#: So many thresholds are tried, and shown in the curve.
_MOST, _SHOWN = 500, 60


def cost_matrix(costs: Mapping[str, float], classes: Iterable[Any]) -> Matrix:
    """Return what each answer (column) costs where the truth is each class (row).

    What is not said costs 1, a right answer nothing.

    Examples
    --------
    >>> cost_matrix({"yes->no": 5.0}, ["no", "yes"]).tolist()
    [[0.0, 1.0], [5.0, 0.0]]
    """
    names = [str(label) for label in classes]
    matrix = np.ones((len(names), len(names))) - np.eye(len(names))
    for pair, cost in costs.items():
        truth, _, answer = pair.partition("->")
        for name in (truth, answer):
            if name not in names:
                raise DataError(
                    f"--costs names the class {quoted(name)}, but the classes are "
                    f"{', '.join(map(quoted, names[:10]))}."
                )
        if truth == answer:
            raise DataError(f"--costs says that the right answer {pair} costs {cost}.")
        matrix[names.index(truth), names.index(answer)] = cost
    return matrix


def cheapest(chances: Matrix, costs: Matrix, threshold: float | None) -> Any:
    """Return the place of the cheapest answer a row; of two classes by a threshold."""
    if threshold is not None and chances.shape[1] == _TWO_CLASSES:
        return (chances[:, 1] >= threshold).astype(np.intp)
    return np.argmin(chances @ costs, axis=1)


def best_threshold(codes: Any, chances: Vector, costs: Matrix) -> float:
    """Return from which probability of the second class on to answer it.

    It is the one with the least cost on the rows given, in the middle of the widest
    stretch of equals.

    Examples
    --------
    >>> costs = cost_matrix({"yes->no": 5.0}, ["no", "yes"])
    >>> likely = np.array([0.1, 0.2, 0.3, 0.9])
    >>> float(best_threshold(np.array([0, 0, 1, 1]), likely, costs))
    0.25
    """
    order = np.argsort(chances, kind="stable")
    lost = np.where(codes == 1, costs[1, 0], -costs[0, 1])[order]
    # Rows before the cut are answered by the first class, those after by the second.
    total = np.concatenate([[0.0], np.cumsum(lost)])
    ranked = chances[order]
    edges = np.concatenate([[0.0], 0.5 * (ranked[1:] + ranked[:-1]), [1.0]])
    able = np.concatenate([[True], ranked[1:] > ranked[:-1], [True]])
    least = np.where(able, total, np.inf)
    best = np.flatnonzero(least <= least.min() + 1e-12 * max(1.0, abs(least.min())))
    return float(edges[best[len(best) // 2]])


def expected_costs(
    y: NDArray[Any],
    chances: Matrix,
    classes: NDArray[Any],
    costs: Mapping[str, float],
    threshold: float | None,
    confidence: float,
) -> dict[str, Any]:
    """Return what deciding by costs costs on unseen rows, beside the usual answers."""
    matrix = cost_matrix(costs, classes)
    codes = np.searchsorted(classes, y)
    rows = np.arange(len(y))

    def mean_cost(answers: Any) -> dict[str, Any]:
        paid = matrix[codes, answers]
        low, high = mean_interval(paid, confidence)
        return {"mean": float(paid.mean()), "low": max(low, 0.0), "high": high}

    least = int(np.argmin(np.bincount(codes, minlength=len(classes)) @ matrix))
    found: dict[str, Any] = {
        "costs": dict(costs),
        "threshold": threshold,
        "of": str(classes[-1]),
        "cheapest": mean_cost(cheapest(chances, matrix, threshold)),
        "likeliest": mean_cost(np.argmax(chances, axis=1)),
        "same": mean_cost(np.full(len(rows), least)),
        "same_answer": str(classes[least]),
    }
    if chances.shape[1] == _TWO_CLASSES:
        found["curve"] = _curve(codes, chances[:, 1], matrix)
    return found


def _curve(codes: Any, chances: Vector, costs: Matrix) -> dict[str, list[float]]:
    """Return the mean cost at thresholds from 0 to 1."""
    at = np.linspace(0.0, 1.0, _SHOWN + 1)
    answers = chances[:, None] >= at
    paid = np.where(
        codes[:, None] == 1,
        np.where(answers, 0.0, costs[1, 0]),
        np.where(answers, costs[0, 1], 0.0),
    )
    return {"thresholds": at.tolist(), "costs": paid.mean(axis=0).tolist()}
