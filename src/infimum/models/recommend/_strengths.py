"""Which strength predicts best what was held out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from infimum.certificates.completion_gap import residual_operator
from infimum.certificates.spectral_norm import estimated_norm
from infimum.models.recommend._alternating import alternate, start
from infimum.models.recommend.ratings import Ratings
from infimum.objectives.matrix_risk import Factors, MatrixRisk
from infimum.typing import Vector

__all__ = ["chosen_strength", "largest_strength", "said_of"]

#: Shares of the largest useful strength that are tried, the strongest first.
SHARES = (0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625)
#: The share of the ratings that is held out, and the sweeps for each strength.
HELD, SWEEPS = 0.1, 8


def largest_strength(risk: MatrixRisk) -> float:
    """Return the strength from which on the best factors are all 0."""
    nothing = Factors(
        np.zeros((len(risk.rows.scales), risk.width(1))),
        np.zeros((len(risk.columns.scales), risk.width(1))),
        1,
    )
    residual = np.asarray(risk.weights * risk.targets)
    K, _ = residual_operator(risk, nothing, residual, np.zeros(len(residual)))
    return estimated_norm(K) / risk.total


def chosen_strength(
    ratings: Ratings,
    made: Callable[[Ratings, float], MatrixRisk],
    rank: int,
    rng: np.random.Generator,
) -> float:
    """Return the strength that is best for a tenth of the ratings, held out.

    Explicit ratings are judged by their squared error, implicit ones by their place
    among all items of their user.
    """
    held = rng.random(len(ratings)) < HELD
    if not held.any() or held.all() or len(ratings) < 1.0 / HELD:
        return SHARES[2] * largest_strength(made(ratings, 1.0))
    train, test = ratings.kept(~held), ratings.kept(held)
    largest = largest_strength(made(train, 1.0))
    point, errors = None, []
    for share in SHARES:
        risk = made(train, max(share * largest, 1e-300))
        point = start(risk, rank, rng) if point is None else point
        point, _ = alternate(risk, point, tol=1e-4, max_iter=SWEEPS)
        errors.append(_error(risk, point, test))
    return max(SHARES[int(np.argmin(errors))] * largest, 1e-300)


def said_of(risk: MatrixRisk, point: Factors, rows: Any, columns: Any) -> Vector:
    """Return what factors say of pairs, biases included, the mean not."""
    U = risk.effective(risk.rows, point.rows)
    V = risk.effective(risk.columns, point.columns)
    faced, bias = risk.facing(V, point.rank)
    said = np.einsum("ij,ij->i", U[rows], faced[columns])
    return np.asarray(said if bias is None else said + bias[columns])


def _error(risk: MatrixRisk, point: Factors, test: Ratings) -> float:
    rows, columns, values = test.entries
    if not risk.background:
        missed = values - said_of(risk, point, rows, columns)
        return float(test.weights @ missed**2)
    U = risk.effective(risk.rows, point.rows)
    V = risk.effective(risk.columns, point.columns)
    places = [
        float(np.mean(V @ U[row] > V[column] @ U[row]))
        for row, column in zip(rows[:2000], columns[:2000], strict=True)
    ]
    return float(np.mean(places))
