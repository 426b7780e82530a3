"""Certificates by the auditor: what a fitted model has stored, on its user's data."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from infimum.certificates import Certificate
from infimum.certificates.rigorous import AUDITED, audit_kernel, audit_linear
from infimum.losses import Squared
from infimum.models._kernel_door import gram_of, is_precomputed
from infimum.typing import Matrix, Vector

if TYPE_CHECKING:
    from infimum.models._interior_start import Plain

__all__ = [
    "audited",
    "audited_machine",
    "audited_ridge",
    "held_in_space",
    "not_audited",
    "slopes_of",
]

#: More than a product of two numbers can lose.
ROUNDING = 1e-15


class _AsStored:
    """A problem that packs coefficients as they are, in coordinates of the user."""

    def __init__(self, problem: Any) -> None:
        self.problem = problem

    def __getattr__(self, name: str) -> Any:
        return getattr(self.problem, name)

    def pack(self, coef: Any, intercept: Any, *_: Any) -> Vector:
        """Return coefficients (features first) with the intercepts as last row."""
        w = np.asarray(coef, dtype=np.float64).T
        last = np.asarray(intercept, dtype=np.float64)
        return np.concatenate([w, np.broadcast_to(last, w.shape[1:])[None, ...]])


def slopes_of(kept: Any, risks: Any, rows: int) -> list[Vector | None]:
    """Return the stored slopes of each target, None unless they are of these rows."""
    scores = [getattr(risk.loss, "outputs", 1) for risk in risks]
    shapes = [{(rows,), (rows, 1)} if n == 1 else {(rows, n)} for n in scores]
    if kept is None or len(kept) != len(risks):
        return [None] * len(risks)
    pairs = zip(kept, shapes, strict=True)
    return [slope if slope.shape in shape else None for slope, shape in pairs]


def held_in_space(
    model: Any, problem: Any, proofs: list[Certificate], slopes: list[list[Vector]]
) -> list[Certificate]:
    """Return proofs about a kernel, given those of a factor of its matrix."""
    stored, risks = model._points(_AsStored(problem)), model._risks(problem)
    return [
        problem.held(proof, risks[k], stored[k], slopes[k], k)
        .as_fine_as_rounding_allows()
        for k, proof in enumerate(proofs)
    ]  # fmt: skip


def audited(
    model: Any, X: Any, y: Any, sample_weight: Any, tolerance: float
) -> Certificate:
    """Return the proof of the least certain target of a linear or kernel model."""
    problem = model._state(X, y, sample_weight, reset=False)
    plain = getattr(sample_weight, "sample_weight", sample_weight)
    things, targets, weights = model._admit(X, y, plain, reset=False)
    kept = slice(None) if weights is None else np.flatnonzero(weights)
    shared: dict[str, Any] = {"weights": None if weights is None else weights[kept]}
    shared["tolerance"] = tolerance
    risks, points = model._risks(problem), model._points(_AsStored(problem))
    kept_slopes = getattr(model, "dual_slopes_", None)
    known = slopes_of(kept_slopes, risks, problem.design.shape[0])
    in_space, proofs = hasattr(problem, "coordinates"), []
    for k, (risk, point) in enumerate(zip(risks, points, strict=True)):
        target, coef = targets[k][kept], point[:-1]
        last = point[-1] if problem.intercept else None
        if in_space:
            gram = partial(_gram, model, things, kept)
            strength, coef = risk.penalty.quadratic, coef[kept]
            proof = audit_kernel(
                gram, target, risk.loss, strength, coef, last, **shared
            )
        else:
            parts = risk.loss, risk.penalty
            helps = {"offset": problem.offset, "slopes": known[k], **shared}
            proof = audit_linear(things[kept], target, *parts, coef, last, **helps)
        proofs.append(proof)
    return max(proofs, key=lambda proof: proof.relative_gap)


def _gram(model: Any, things: Any, kept: Any) -> Matrix:
    return np.asarray(gram_of(model, things)[kept][:, kept])


def _values(machine: Any, things: Any) -> Any:
    """Return the kernel values of a machine's samples, computed in double precision."""
    if getattr(things, "dtype", None) == np.float32:
        things = things.astype(np.float64)
    return things if is_precomputed(machine) else machine.kernel_(things)


def audited_machine(
    machine: Any,
    things: Any,
    plain: Plain | None,
    coef: Vector,
    intercept: float,
    proof: Certificate,
) -> Certificate:
    """Return the proof of ½‖f‖² + Σ bounds·ℓ(y, f + b), in these units.

    `proof` is the fast one, which knows its scale and its tolerance.
    """
    if plain is None:
        return not_audited(machine, proof)
    total = float(plain.bounds.sum())
    found = audit_kernel(
        partial(_values, machine, things),
        plain.targets,
        plain.loss,
        1.0 / total,
        coef,
        intercept,
        weights=plain.bounds,
        tolerance=proof.tolerance,
    )
    primal = total * found.primal + ROUNDING * abs(total * found.primal)
    dual = total * found.dual - ROUNDING * abs(total * found.dual)
    return replace(proof, primal=primal, dual=dual, reason=found.reason)


def audited_ridge(
    fit: Any, coef: Matrix, intercepts: Any, alphas: Vector, tolerance: float
) -> Certificate:
    """Return the proof of the least certain target of kernel ridge regression."""
    proofs = [
        audit_kernel(
            lambda: fit.gram,
            fit.targets[:, k],
            Squared(),
            float(alpha) / float(fit.weights.sum()),
            coef[:, k],
            None if intercepts is None else intercepts[k],
            weights=fit.weights,
            tolerance=tolerance,
        )
        for k, alpha in enumerate(alphas)
    ]
    return max(proofs, key=lambda proof: proof.relative_gap)


def not_audited(model: Any, proof: Certificate) -> Certificate:
    """Return the answer about a risk that the auditor does not know: open."""
    reason = f"{AUDITED}: the auditor does not know the risk of {type(model).__name__}"
    return replace(proof, dual=-np.inf, reason=reason)
