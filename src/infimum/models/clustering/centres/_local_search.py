"""Moves that Lloyd's iteration cannot make, tried after it has stopped."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.random import RandomState
from scipy.spatial.distance import cdist

from infimum.models.clustering.centres._lloyd import EmptyCluster, Lloyd, Rows, Run
from infimum.models.clustering.centres._start import centres_of
from infimum.typing import Indices, Matrix, Vector

__all__ = ["MOVES", "improve", "swap_points"]

#: Rows whose distances to all centres are held at a time.
BLOCK = 4096


def improve(rows: Rows, run: Run, lloyd: Lloyd, draw: RandomState, rounds: int) -> Run:
    """Try every kind of move in each round; keep what lowers the objective."""
    for _ in range(rounds):
        before = run.inertia
        for move in MOVES.values():
            run = _attempt(rows, run, lloyd, draw, move(rows, run, draw))
        if not run.inertia < before:
            break
    return run


def swap_points(rows: Rows, run: Run, draw: RandomState) -> Matrix:
    """Move single rows to other clusters while that lowers the objective.

    Leaving a cluster of mass m lowers it by w m / (m - w) d², joining one of mass m
    raises it by w m / (m + w) d²: less than the distances themselves tell, so that
    there are moves where Lloyd sees none.
    """
    k = len(run.centres)
    labels = np.array(run.labels)
    weights = rows.weights if rows.weights.size else np.ones(rows.n)
    sums, mass = rows.sums(labels, k)
    for start in range(0, rows.n, BLOCK):
        some = np.arange(start, min(rows.n, start + BLOCK))
        points = rows.points(some)
        apart = cdist(points, sums / np.maximum(mass, 1e-300)[:, None], "sqeuclidean")
        hopeful = _gains(apart, labels[some], weights[some], mass) > 0.0
        for place in np.flatnonzero(hopeful):
            _move_one(points[place], some[place], (labels, weights), (sums, mass))
    return centres_of(rows, labels, k)


def replace_centre(rows: Rows, run: Run, draw: RandomState) -> Matrix:
    """Remove the centre that is missed least, add a row drawn by squared distance."""
    centres = run.centres.copy()
    apart = rows.distances(run.labels, rows.inward(centres))
    centres[_least_missed(rows, run)] = _drawn_row(rows, apart, draw)
    return centres


def merge_and_add(rows: Rows, run: Run, draw: RandomState) -> Matrix:
    """Merge the two clusters whose union costs least, add a centre in the worst one."""
    k = len(run.centres)
    if k == 1:
        return run.centres
    mass = rows.sums(run.labels, k)[1]
    cost = cdist(run.centres, run.centres, "sqeuclidean")
    cost *= mass[:, None] * mass / np.maximum(mass[:, None] + mass, 1e-300)
    np.fill_diagonal(cost, np.inf)
    first, second = np.unravel_index(int(np.argmin(cost)), cost.shape)
    both = max(float(mass[first] + mass[second]), 1e-300)
    union = (
        mass[first] * run.centres[first] + mass[second] * run.centres[second]
    ) / both
    centres = run.centres.copy()
    centres[first] = union
    apart = rows.distances(run.labels, rows.inward(run.centres))
    inside = np.where(run.labels == _worst(rows, run, apart), apart, 0.0)
    centres[second] = _drawn_row(rows, inside, draw)
    return centres


def split_and_remove(rows: Rows, run: Run, draw: RandomState) -> Matrix:
    """Split the worst cluster along its widest row, remove any other centre."""
    k = len(run.centres)
    if k == 1:
        return run.centres
    apart = rows.distances(run.labels, rows.inward(run.centres))
    worst = _worst(rows, run, apart)
    inside = np.where(run.labels == worst, apart, -1.0)
    far = rows.outward(rows.points(np.array([int(np.argmax(inside))])))[0]
    others = [label for label in range(k) if label != worst]
    removed = int(draw.choice(others))
    centres = run.centres.copy()
    middle = run.centres[worst]
    centres[worst], centres[removed] = (
        (middle + far) / 2.0,
        middle - (far - middle) / 2.0,
    )
    return centres


#: The moves by name, in the order in which they are tried.
MOVES = {
    "swap": swap_points,
    "replace": replace_centre,
    "merge": merge_and_add,
    "split": split_and_remove,
}


def _attempt(
    rows: Rows, run: Run, lloyd: Lloyd, draw: RandomState, start: Matrix
) -> Run:
    try:
        other = lloyd.descend(rows, start, draw)
    except EmptyCluster:
        return run
    if not other.inertia < run.inertia * (1.0 - 1e-12):
        return run
    history = np.append(run.history, other.inertia)
    return replace(other, history=history, n_iter=run.n_iter + other.n_iter)


def _gains(apart: Matrix, own: Indices, weights: Vector, mass: Vector) -> Vector:
    """Return what the best move of each row would lower the objective by."""
    here = np.arange(len(own))
    stays = np.maximum(mass[own] - weights, 0.0)
    leave = np.where(stays > 0.0, mass[own] / np.maximum(stays, 1e-300), 0.0)
    lowered = leave * apart[here, own]
    raised = apart * (mass / (mass + weights[:, None]))
    raised[here, own] = np.inf
    return np.asarray(lowered - raised.min(axis=1) * (1.0 + 1e-9))


def _move_one(
    point: Vector,
    row: int,
    who: tuple[Indices, Vector],
    clusters: tuple[Matrix, Vector],
) -> None:
    """Move one row where it gains most, if it still gains, and update the clusters."""
    labels, weights = who
    sums, mass = clusters
    apart = cdist(point[None], sums / np.maximum(mass, 1e-300)[:, None], "sqeuclidean")
    own, weight = int(labels[row]), float(weights[row])
    if _gains(apart, np.array([own]), np.array([weight]), mass)[0] <= 0.0:
        return
    raised = apart[0] * mass / (mass + weight)
    raised[own] = np.inf
    new = int(np.argmin(raised))
    sums[own] -= weight * point
    mass[own] -= weight
    sums[new] += weight * point
    mass[new] += weight
    labels[row] = new


def _least_missed(rows: Rows, run: Run) -> int:
    """Return the cluster whose rows lose least by going to their second centre."""
    k = len(run.centres)
    mass = rows.sums(run.labels, k)[1]
    apart = cdist(run.centres, run.centres, "sqeuclidean")
    np.fill_diagonal(apart, np.inf)
    return int(np.argmin(mass * apart.min(axis=1)))


def _worst(rows: Rows, run: Run, apart: Vector) -> int:
    weights = rows.weights if rows.weights.size else np.ones(rows.n)
    costs = np.bincount(run.labels, weights * apart, len(run.centres))
    return int(np.argmax(costs))


def _drawn_row(rows: Rows, odds: Vector, draw: RandomState) -> Vector:
    weights = rows.weights if rows.weights.size else np.ones(rows.n)
    odds = weights * odds
    total = float(odds.sum())
    row = draw.choice(rows.n, p=odds / total) if total > 0.0 else draw.randint(rows.n)
    return np.asarray(rows.outward(rows.points(np.array([row])))[0])
