"""The last step of a fit: what an estimator keeps of its solutions, and their proof."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np

from infimum.models._advice import open_gap
from infimum.models.linear._kernel_problem import KernelProblem
from infimum.models.linear.coding import Pair
from infimum.models.linear.fit import Fit
from infimum.models.warnings import UncertifiedWarning

__all__ = ["keep", "stored_in", "warn_if_open"]


def keep(estimator: Any, fit: Fit, *, single: bool = False) -> None:
    """Keep what the solutions found, with the proof of the least certain one.

    With `single` coefficients are rounded to single precision, and proved again.
    """
    solutions, problem = fit.solutions, fit.problem
    stored, slopes = fit.stored, None
    if any(s.slopes is not s.here.slopes for s in solutions):
        slopes = np.array([s.slopes for s in solutions])
    proofs = [s.certificate for s in solutions]
    if isinstance(problem, KernelProblem):
        tried = [[s.here.slopes, s.slopes] for s in solutions]
        proofs = fit.recipe.proofs_in_space(problem, stored, proofs, tried)
    if single and (rounded := _rounded(fit, stored)) is not None:
        stored = rounded
        again = fit.recipe.proofs(problem, stored, slopes)
        proofs = [
            replace(new, tolerance=old.tolerance, reason=old.reason)
            for new, old in zip(again, proofs, strict=True)
        ]
    worst = max(range(len(proofs)), key=lambda k: proofs[k].relative_gap)
    estimator.__dict__.update(
        {
            problem.stored_as: stored[0],
            "intercept_": stored[1],
            "dual_slopes_": slopes,
            "certificate_": proofs[worst],
            "certificates_": proofs,
            "history_": solutions[worst].history,
            "n_iter_": max(1, *(s.iterations for s in solutions)),
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


def _rounded(fit: Fit, stored: Pair) -> Pair | None:
    """Return coefficients in single precision, None if the penalty forbids them."""
    rounded = stored[0].astype(np.float32), stored[1]
    points = fit.recipe.points(fit.problem, rounded)
    risks = fit.recipe.risks(fit.problem)
    allowed = all(
        np.isfinite(risk.penalty.value(point[:-1]))
        for risk, point in zip(risks, points, strict=True)
    )
    return rounded if allowed else None
