"""The best constant scores of a loss made of hinges, by linear programming."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array, hstack, identity

from infimum.errors import DataError
from infimum.typing import Indices, Matrix, Vector

__all__ = ["best_pairwise_scores", "distinct_rows", "least_cost_scores"]


def best_pairwise_scores(weights: Matrix) -> Vector:
    """Minimise Σ weights[a, b]·max(0, 1 - f[a] + f[b]) over the scores f."""
    winners, losers = np.nonzero(weights)
    if not len(winners):
        return np.zeros(len(weights))
    rows = np.arange(len(winners))
    lead = np.zeros((len(winners), len(weights)))
    lead[rows, winners] += 1.0
    lead[rows, losers] -= 1.0
    slack = csr_array(identity(len(winners)))
    costs = weights[winners, losers]
    return least_cost_scores(csr_array(lead), slack, np.ones(len(winners)), costs)


def least_cost_scores(
    lead: csr_array,
    slack: csr_array,
    margin: Vector,
    costs: Vector,
    *,
    centred: bool = True,
) -> Vector:
    """Minimise costs·ξ over scores f and ξ >= 0 with lead f + slack ξ >= margin.

    Where only differences of scores count, the answer is `centred` to sum to 0.
    """
    scores = lead.shape[1]
    found = linprog(
        np.concatenate([np.zeros(scores), costs]),
        A_ub=-hstack([lead, slack], format="csr"),
        b_ub=-margin,
        bounds=[(None, None)] * scores + [(0.0, None)] * slack.shape[1],
    )
    if found.x is None:
        raise DataError(f"No constant scores were found: {found.message}.")
    f = found.x[:scores]
    return np.asarray(f - f.mean() if centred else f)


def distinct_rows(y: Matrix, weights: Vector | None) -> tuple[Matrix, Vector, Indices]:
    """Return the distinct rows of y, their total weights, and which row is which."""
    rows, places = np.unique(y, axis=0, return_inverse=True)
    places = np.ravel(places)
    totals = np.bincount(places, weights, minlength=len(rows))
    return rows, totals.astype(np.float64), places
