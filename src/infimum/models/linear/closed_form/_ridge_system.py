"""Ridge regression in closed form: one pass over the samples for all targets."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from infimum.certificates import Certificate, certify, gamma
from infimum.models._interruption import was_interrupted
from infimum.models.linear._deferred import DeferredEvaluation, DeferredSolution
from infimum.models.linear._problem import LinearProblem
from infimum.models.linear.closed_form._moments import (
    Moments,
    centred_targets,
    moments_of,
    outer_product,
)
from infimum.objectives import LinearRisk
from infimum.penalties import NoPenalty, Ridge
from infimum.solvers import Newton, Record, Solution
from infimum.solvers.progress import INTERRUPTED, Callback, interrupt
from infimum.typing import Matrix, Vector

__all__ = ["solve_ridge"]

#: Systems beyond this many unknowns are left to conjugate gradients.
LARGEST_SYSTEM = 6_000
REASON = "closed form"


def solve_ridge(
    problem: LinearProblem, strengths: Vector, tolerance: float
) -> list[Solution]:
    """Return the certified ridge solution of each target, with its own strength.

    Works with features × features when those are fewer, with samples × samples
    otherwise, and without a factorisation when both are too many. What one fit learns
    of the data serves the next: the problem remembers its moments.
    """
    penalties = [Ridge(s) if s > 0 else NoPenalty() for s in strengths.tolist()]
    risks = problem.risks(penalties)
    if min(problem.design.shape) > LARGEST_SYSTEM:
        return _one_by_one(risks, tolerance)
    started = time.perf_counter()
    n, d = problem.design.shape
    if d > n and strengths.all():
        points = _by_samples(problem, strengths)
        return [
            _proved(risk, w, tolerance, started)
            for risk, w in zip(risks, points.T, strict=True)
        ]
    moments = moments_of(problem)
    points = _by_features(moments, strengths)
    proofs = _proofs(problem, moments, points[:-1], strengths)
    return [
        _deferred(risk, point, replace(proof, tolerance=tolerance), started)
        for risk, point, proof in zip(risks, points.T, proofs, strict=True)
    ]


def _one_by_one(risks: list[LinearRisk], tolerance: float) -> list[Solution]:
    """Solve for each target by itself; one Ctrl-C ends the fit, for all of them."""
    callback: Callback | None = None
    solutions: list[Solution] = []
    for risk in risks:
        found = Newton(tolerance=tolerance).solve(risk, callback=callback)
        solutions.append(found)
        if found.reason == INTERRUPTED:
            callback = interrupt
    return solutions


def _by_features(moments: Moments, strengths: Vector) -> Matrix:
    """Solve (XᵀQX + λI) w = XᵀQy for each target, intercepts last."""
    w = np.empty_like(moments.pulls)
    for strength in np.unique(strengths):
        chosen = strengths == strength
        w[:, chosen] = _solve(moments.gram, strength, moments.pulls[:, chosen])
    return np.vstack([w, moments.target_means])


def _by_samples(problem: LinearProblem, strengths: Vector) -> Matrix:
    """Solve (Q½XXᵀQ½ + λI) c = Q½y; the weights are w = XᵀQ½c."""
    outer = outer_product(problem)
    targets, means = centred_targets(problem)
    roots = np.sqrt(problem.shares)[:, None]
    right = roots * targets
    inner = np.empty_like(right)
    for strength in np.unique(strengths):
        chosen = strengths == strength
        inner[:, chosen] = _solve(outer, strength, right[:, chosen])
    w = np.asarray(problem.design.pull_back(roots * inner), dtype=np.float64)
    return np.vstack([w, means])


def _solve(matrix: Matrix, strength: float, right: Matrix) -> Matrix:
    """Solve (matrix + strength·I) w = right; the shortest solution when singular."""
    matrix = matrix + strength * np.eye(len(matrix))
    roots = np.sqrt(np.maximum(np.diag(matrix), 0.0))
    inverse = np.divide(1.0, roots, out=np.zeros_like(roots), where=roots > 0)[:, None]
    scaled = matrix * inverse * inverse.T
    singular = bool(np.any(roots == 0))
    if strength > 0 or not singular:
        try:
            factor = cho_factor(scaled, overwrite_a=True, check_finite=False)
            diagonal = np.abs(np.diag(factor[0]))
            if diagonal.min() > 1e-7 or strength > 0:
                return np.asarray(inverse * cho_solve(factor, inverse * right))
        except LinAlgError:
            pass
    values, vectors = np.linalg.eigh(matrix)
    kept = values > 1e-13 * max(values[-1], 0.0)
    inner = (vectors[:, kept].T @ right) / values[kept, None]
    return np.asarray(vectors[:, kept] @ inner)


def _proofs(
    problem: LinearProblem, moments: Moments, w: Matrix, strengths: Vector
) -> list[Certificate]:
    """Certify weights by the moments alone, without another look at the samples.

    At the slopes of the loss Fenchel's inequality is an equality for every sample, and
    the intercept, being the best one, balances them. What is left of the gap is the
    penalty's share, ‖∇P‖²/(2λ). The moments are sums of products, so that rounding
    loses γₙ of the lengths of their columns at most. Without a penalty there is no
    proof yet: the gap is infinite.
    """
    gradients = moments.gram @ w - moments.pulls
    explained = np.einsum("jk,jk->k", moments.pulls - gradients, w)
    lost = gamma(sum(problem.design.shape) + 16.0)
    # Means are subtracted from the products of columns that still have theirs.
    lengths = np.sqrt(np.maximum(np.diag(moments.gram), 0.0) + problem.means**2)
    proofs = []
    for k, strength in enumerate(strengths.tolist()):
        variance, size = float(moments.variances[k]), float(w[:, k] @ w[:, k])
        reach = float(lengths @ np.abs(w[:, k])) + np.sqrt(variance)
        value = 0.5 * (variance - float(explained[k])) + 0.5 * strength * size
        whole = float(np.linalg.norm(gradients[:, k] + strength * w[:, k]))
        gap, slack = np.inf, 0.0
        if strength > 0.0:
            far = whole + lost * float(np.linalg.norm(lengths)) * reach
            slack = 2.0 * lost * reach**2
            gap = far**2 / (2.0 * strength) + slack
        proof = Certificate(value, value - gap, 0.5 * variance, reason=REASON)
        proofs.append(replace(proof, slack=slack))
    return proofs


def _deferred(
    risk: LinearRisk, point: Vector, proof: Certificate, started: float
) -> Solution:
    """Return a solution that looks at the samples again only if it has to."""
    if not proof.closed or risk.design.dtype != np.float64:
        return _proved(risk, point, proof.tolerance, started)
    record = Record(1, time.perf_counter() - started, proof.primal, proof.dual)
    return DeferredSolution(DeferredEvaluation(risk, point), proof, (record,))


def _proved(
    risk: LinearRisk, point: Vector, tolerance: float, started: float
) -> Solution:
    """Certify a closed-form point; one Newton step polishes it if rounding shows."""
    here = risk.evaluate(point)
    proof = replace(
        certify(risk, here), tolerance=tolerance, reason=REASON
    ).as_fine_as_rounding_allows()
    record = Record(1, time.perf_counter() - started, proof.primal, proof.dual)
    if not proof.closed:
        better = Newton(tolerance=tolerance, max_iterations=3).solve(risk, point)
        if better.certificate.gap < proof.gap or was_interrupted(better):
            return better
    return Solution(here, proof, (record,), here.slopes)
