"""The last step of a fit: what an estimator keeps of its solutions, and their proof."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np

from infimum.certificates import FINEST, Certificate, least_certain, lower_bound
from infimum.models._advice import open_gap
from infimum.models.linear._kernel_problem import KernelProblem
from infimum.models.linear.coding import Columns, Number, Pair
from infimum.models.linear.fit import Fit
from infimum.models.warnings import UncertifiedWarning
from infimum.solvers import Solution
from infimum.typing import Vector

__all__ = ["keep", "stored_in", "warn_if_open"]

#: A point may be stored with scores wrong by this share of what there is to gain.
STORED = 1e-12
#: Slopes are kept where rounding is above this share of what there is to gain.
ROUNDED = 1e-10


def keep(estimator: Any, fit: Fit, *, single: bool = False) -> None:
    """Keep what the solutions found, with the proof of the least certain one.

    With `single` coefficients are rounded to single precision, and proved again.
    """
    solutions, problem = fit.solutions, fit.problem
    found = [problem.unpack(s.here.point, k) for k, s in enumerate(solutions)]
    stored, slopes = fit.recipe.coding.stored(found), None
    moved = _stores_another(fit, stored)
    proofs = [s.certificate for s in solutions]
    # Slopes are kept where rounding is a part of a gap that others could make wider.
    kept = moved or any(proof.slack > ROUNDED * proof.scale for proof in proofs)
    kept = kept or isinstance(problem, KernelProblem)  # scores are told of a factor
    if kept or any(s.slopes is not s.here.slopes for s in solutions):
        own = fit.recipe.prove is not None  # its slopes prove another risk
        slopes = np.array([s.slopes if own else _witness(s) for s in solutions])
    if isinstance(problem, KernelProblem):
        tried = [[s.here.slopes, s.slopes] for s in solutions]
        proofs = fit.recipe.proofs_in_space(problem, stored, proofs, tried)
    rounded = _rounded(fit, stored) if single else None
    if moved or rounded is not None:
        stored = stored if rounded is None else rounded
        again = fit.recipe.proofs(problem, stored, slopes)
        proofs = list(map(_proved_again, again, proofs))
    worst = least_certain(proofs)
    estimator.__dict__.update(
        {
            problem.stored_as: stored[0],
            "intercept_": 0.0 if _is_without(fit) else stored[1],
            "dual_slopes_": slopes,
            "certificate_": proofs[worst],
            "certificates_": proofs,
            "history_": solutions[worst].history,
            "n_iter_": _rounds(estimator, fit),
        }
    )


def stored_in(estimator: Any, name: str = "coef_") -> Pair:
    """Return the coefficients and intercepts of a fitted estimator."""
    coef = getattr(estimator, name)
    dense = coef.toarray() if hasattr(coef, "toarray") else coef
    return dense, estimator.intercept_


def warn_if_open(estimator: Any, stacklevel: int) -> None:
    """Warn of a gap that did not close."""
    proof = estimator.certificate_
    if not proof.closed:
        told = open_gap(estimator, proof, estimator.history_[-1].iteration)
        warnings.warn(told, UncertifiedWarning, stacklevel=stacklevel + 1)


def _witness(solution: Solution) -> Vector:
    """Return the slopes that prove most: those of the method, or those at the point.

    Computed again at the point they may be others, where its scores are rounded.
    """
    here, slopes = solution.here, solution.slopes
    risk, own = here.risk, here.slopes
    if slopes is own or risk.by_planes or not risk.loss.smooth:
        return slopes
    return max(slopes, own, key=lambda each: lower_bound(risk, each))


def _stores_another(fit: Fit, stored: Pair) -> bool:
    """Tell whether rounding stores another point than the one that was proved.

    The intercept of columns or targets far from 0 is a sum of large numbers.
    """
    if isinstance(fit.problem, KernelProblem):  # whose proofs are of what is stored
        return False
    points = fit.recipe.points(fit.problem, stored)
    for point, solution in zip(points, fit.solutions, strict=True):
        scale = solution.certificate.scale
        apart = float(np.abs(point - solution.here.point).max())
        if apart > STORED * min(scale, np.sqrt(scale)) > 0.0:
            return True
    return False


def _is_without(fit: Fit) -> bool:
    """Tell whether measured targets have no intercept, whose place a plain 0 takes."""
    measured = isinstance(fit.recipe.coding, Number | Columns)
    return measured and not fit.recipe.intercept


def _rounds(estimator: Any, fit: Fit) -> Any:
    """Return the most iterations, as an array where scikit-learn's class has one."""
    most = max(1, *(s.history[-1].iteration for s in fit.solutions))
    listed = getattr(estimator, "_lists_iterations", False)
    return np.array([most], dtype=np.int32) if listed else most


def _proved_again(new: Certificate, old: Certificate) -> Certificate:
    """Return the proof of what is stored; what was proved before is nearly the same."""
    new = replace(new, tolerance=old.tolerance, reason=old.reason)
    finest = max(old.tolerance, FINEST)
    closed = old.closed and replace(new, tolerance=finest).closed
    return replace(new, tolerance=finest) if closed and not new.closed else new


def _rounded(fit: Fit, stored: Pair) -> Pair | None:
    """Return coefficients in single precision, None if the penalty forbids them."""
    rounded = stored[0].astype(np.float32), _intercepts_again(fit, stored)
    points = fit.recipe.points(fit.problem, rounded)
    risks = fit.recipe.risks(fit.problem)
    allowed = all(
        np.isfinite(risk.penalty.value(point[:-1]))
        for risk, point in zip(risks, points, strict=True)
    )
    return rounded if allowed else None


def _intercepts_again(fit: Fit, stored: Pair) -> Any:
    """Return the intercepts that suit rounded coefficients of columns far from 0."""
    if isinstance(fit.problem, KernelProblem):
        return stored[1]
    pairs = []
    for k, solution in enumerate(fit.solutions):
        point = solution.point.copy()
        point[:-1] = point[:-1].astype(np.float32)
        pairs.append(fit.problem.unpack(point, k))
    return fit.recipe.coding.stored(pairs)[1]
