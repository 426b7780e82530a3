"""EM from one start: a first guess, and passes until nothing is gained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import RandomState

from infimum.errors import DataError
from infimum.limits import in_time
from infimum.models.clustering.centres._lloyd import rows_of
from infimum.models.clustering.centres._seeding import (
    draw_rows,
    spread_rows,
    trials_for,
)
from infimum.models.clustering.centres.k_means import KMeans
from infimum.models.clustering.mixtures._mixture_components import (
    Components,
    blank_components,
)
from infimum.models.clustering.mixtures._mixture_shapes import covariance_shape
from infimum.models.clustering.mixtures._mixture_steps import Pass, pass_over
from infimum.typing import Matrix, Vector

__all__ = ["Ascent", "Scales", "Start", "ascend", "begin", "first_shares"]


@dataclass(frozen=True)
class Scales:
    """Rows in standardised columns; spherical components ask for one common scale."""

    rows: Matrix
    weights: Vector
    mean: Vector
    scale: Vector
    longest: float

    @classmethod
    def of(cls, X: Matrix, weights: Vector | None, kind: str) -> Scales:
        """Return X standardised for components of this kind."""
        X = X.astype(np.float64)
        mean = np.average(X, axis=0, weights=weights)
        variance = np.average((X - mean) ** 2, axis=0, weights=weights)
        if kind == "spherical":
            variance = np.full_like(variance, variance.mean())
        scale = np.where(variance > 0.0, np.sqrt(variance), 1.0)
        # A column whose squares vanish is as good as constant.
        rows = np.where(variance > 0.0, (X - mean) / scale, 0.0)
        longest = float(np.einsum("ij,ij->i", rows, rows).max())
        bare = np.empty(0) if weights is None else weights
        return cls(rows, bare, mean, scale, longest)

    def ridge(self, amount: float, kind: str) -> Any:
        """Return what adding `amount` to each variance of the data adds here."""
        widths = amount / self.scale**2
        return {"diag": widths, "spherical": widths[0]}.get(kind, np.diag(widths))


@dataclass(frozen=True)
class Start:
    """How to begin: a rule, and what is already known."""

    rule: str
    weights: Vector | None
    means: Matrix | None
    covariances: Matrix | None


@dataclass(frozen=True)
class Ascent:
    """Where EM ended; `bounds` are mean log likelihoods, one before each step."""

    components: Components
    bounds: Vector
    converged: bool


def ascend(
    data: Scales,
    start: Components,
    ridge: Any,
    budget: tuple[int, float],
    last: float = -np.inf,
) -> Ascent:
    """Repeat expectation and maximisation until a step gains less than asked for.

    `last` is the mean log likelihood before the step that led to the start, if any did.
    """
    max_iter, tol = budget
    total = float(data.weights.sum()) if data.weights.size else float(len(data.rows))
    bounds: list[float] = []
    components, converged = start, False
    shift = float(np.log(data.scale).sum())
    for _ in in_time(range(max_iter)):
        found = pass_over(data.rows, data.weights, data.longest, components)
        bounds.append(found.log_likelihood / total - shift)
        components = maximise(found, components.kind, ridge)
        gain = abs(bounds[-1] - last)
        last = bounds[-1]
        # A gain below rounding is none, whatever the tolerance.
        if gain < tol or gain <= 2.0**-51 * abs(bounds[-1]):
            converged = True
            break
    return Ascent(components, np.array(bounds), converged)


def maximise(found: Pass, kind: str, ridge: Any) -> Components:
    """Return the components of most likelihood for these moments."""
    weights = found.mass / found.mass.sum()
    return Components.of(kind, weights, found.means, found.covariances + ridge)


def begin(
    data: Scales, start: Start, shape: tuple[str, int], ridge: Any, draw: RandomState
) -> Components:
    """Return the first components: by the rule, with what is known put in."""
    kind, k = shape
    given = (start.weights, start.means, start.covariances)
    if any(one is None for one in given):
        shares = first_shares(data, start.rule, k, draw)
        frame = blank_components(kind, k, data.rows.shape[1])
        found = pass_over(data.rows, data.weights, data.longest, frame, shares)
        guess = maximise(found, kind, ridge)
    else:
        guess = blank_components(kind, k, data.rows.shape[1])
    known = (guess.weights, guess.means, guess.covariances)
    weights, means, covariances = (
        there if new is None else new for there, new in zip(known, given, strict=True)
    )
    expected = covariance_shape(kind, k, data.rows.shape[1])
    if covariances.shape != expected:
        raise DataError(
            f"GaussianMixture.precisions_init must have the shape {expected}, got "
            f"{covariances.shape}."
        )
    return Components.of(kind, weights, means, covariances)


def first_shares(data: Scales, rule: str, k: int, draw: RandomState) -> Matrix:
    """Return the share of each component in each row, components × rows."""
    n = len(data.rows)
    weights = data.weights if data.weights.size else None
    if rule == "random":
        drawn = draw.uniform(size=(n, k)).T
        return np.asarray(drawn / drawn.sum(axis=0))
    shares = np.zeros((k, n))
    if rule == "kmeans":
        seed = int(draw.randint(2**31 - 1))
        model = KMeans(k, n_init=1, random_state=seed)
        labels = model.fit(data.rows * data.scale, sample_weight=weights).labels_
        shares[labels, np.arange(n)] = 1.0
        return shares
    rows = rows_of(data.rows * data.scale, weights)
    if rule == "k-means++":
        chosen = spread_rows(rows, k, draw, trials_for(k))
    else:
        chosen = draw_rows(rows, k, draw)
    shares[np.arange(k), chosen] = 1.0
    return shares
