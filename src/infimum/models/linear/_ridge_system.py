"""Ridge regression in closed form: one factorisation for all targets."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from infimum.certificates import certify
from infimum.models.linear._problem import LinearProblem
from infimum.objectives import LinearRisk
from infimum.penalties import NoPenalty, Ridge
from infimum.solvers import Newton, Record, Solution
from infimum.typing import Matrix, Vector

__all__ = ["solve_ridge"]

#: Systems beyond this many unknowns are left to conjugate gradients.
LARGEST_SYSTEM = 6_000


def solve_ridge(
    problem: LinearProblem, strengths: Vector, tolerance: float
) -> list[Solution]:
    """Return the certified ridge solution of each target, with its own strength.

    Works with features × features when those are fewer, with samples × samples
    otherwise, and without a factorisation when both are too many.
    """
    penalties = [Ridge(s) if s > 0 else NoPenalty() for s in strengths.tolist()]
    risks = [
        risk
        for target, penalty in zip(problem.targets, penalties, strict=True)
        for risk in replace(problem, targets=(target,)).risks(penalty)
    ]
    if min(problem.design.shape) > LARGEST_SYSTEM:
        return [Newton(tolerance=tolerance).solve(risk) for risk in risks]
    started = time.perf_counter()
    points = np.empty((problem.design.shape[1] + 1, len(risks)))
    for strength in np.unique(strengths):
        chosen = np.flatnonzero(strengths == strength)
        targets = np.column_stack([risks[k].y for k in chosen])
        points[:, chosen] = _points(risks[0], targets, strength)
    return [
        _proved(risk, point, tolerance, started)
        for risk, point in zip(risks, points.T, strict=True)
    ]


def _points(risk: LinearRisk, targets: Matrix, strength: float) -> Matrix:
    weights, design = risk.weights, risk.design
    means = weights @ targets if risk.intercept else np.zeros(targets.shape[1])
    residuals = targets - means
    n, d = design.shape
    if d <= n or strength == 0:
        right = design.pull_back(weights[:, None] * residuals)
        w = _solve(design.gram(weights), strength, np.asarray(right, np.float64))
    else:
        roots = np.sqrt(weights)[:, None]
        rows = roots * design.toarray()
        inner = _solve(rows @ rows.T, strength, roots * residuals)
        w = np.asarray(rows.T @ inner)
    return np.vstack([w, means])


def _solve(matrix: Matrix, strength: float, right: Matrix) -> Matrix:
    """Solve (matrix + strength·I) w = right; the shortest solution when singular."""
    matrix = matrix + strength * np.eye(len(matrix))
    roots = np.sqrt(np.diag(matrix))
    inverse = np.divide(1.0, roots, out=np.zeros_like(roots), where=roots > 0)[:, None]
    scaled = matrix * inverse * inverse.T
    singular = bool(np.any(roots == 0))
    if strength > 0 or not singular:
        try:
            factor = cho_factor(scaled)
            diagonal = np.abs(np.diag(factor[0]))
            if diagonal.min() > 1e-7 or strength > 0:
                return np.asarray(inverse * cho_solve(factor, inverse * right))
        except LinAlgError:
            pass
    values, vectors = np.linalg.eigh(matrix)
    kept = values > 1e-13 * max(values[-1], 0.0)
    inner = (vectors[:, kept].T @ right) / values[kept, None]
    return np.asarray(vectors[:, kept] @ inner)


def _proved(
    risk: LinearRisk, point: Vector, tolerance: float, started: float
) -> Solution:
    """Certify a closed-form point; one Newton step polishes it if rounding shows."""
    here = risk.evaluate(point)
    proof = replace(certify(risk, here), tolerance=tolerance, reason="closed form")
    record = Record(1, time.perf_counter() - started, proof.primal, proof.dual)
    if not proof.closed:
        better = Newton(tolerance=tolerance, max_iterations=3).solve(risk, point)
        if better.certificate.gap < proof.gap:
            return better
    return Solution(here, proof, (record,), here.slopes)
