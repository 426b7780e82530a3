"""Certificates by the auditor: what a fitted model has stored, on its user's data."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.spatial.distance import cdist

from infimum.certificates import Certificate
from infimum.certificates.rigorous import (
    AUDITED,
    Values,
    audit_kernel,
    audit_linear,
)
from infimum.kernels import Gaussian
from infimum.losses import Squared
from infimum.models._kernel_door import is_precomputed, kernel_of, select
from infimum.objectives import kernel_tiles
from infimum.typing import Indices, Matrix, Vector

if TYPE_CHECKING:
    from infimum.models._interior_start import Plain

__all__ = [
    "audited",
    "audited_machine",
    "audited_ridge",
    "not_audited",
    "slopes_of",
]

#: More than a product of two numbers can lose.
ROUNDING = 1e-15
#: The relative error of a rounding.
UNIT = 2.0**-53
#: Sparse samples of at most so many entries are held as dense ones.
WORTH_FILLING = 5_000_000


def slopes_of(kept: Any, risks: Any, rows: int) -> list[Vector | None]:
    """Return the stored slopes of each target, None unless they are of these rows."""
    scores = [getattr(risk.loss, "outputs", 1) for risk in risks]
    shapes = [{(rows,), (rows, 1)} if n == 1 else {(rows, n)} for n in scores]
    if kept is None or len(kept) != len(risks):
        return [None] * len(risks)
    pairs = zip(kept, shapes, strict=True)
    return [slope if slope.shape in shape else None for slope, shape in pairs]


def audited(
    recipe: Any, rows: Any, problem: Any, stored: Any, slopes: Any, tolerance: float
) -> Certificate:
    """Return the proof of the least certain target of a linear or kernel model.

    `stored` are its coefficients and intercepts, `slopes` the dual slopes it has kept.
    """
    weights, risks = rows.weights, recipe.risks(problem)
    kept = slice(None) if weights is None else np.flatnonzero(weights)
    shared: dict[str, Any] = {
        "weights": None if weights is None else weights[kept],
        "tolerance": tolerance,
    }
    known = slopes_of(slopes, risks, problem.design.shape[0])
    targets, pairs = recipe.coding.targets(rows.y), recipe.coding.pairs(*stored)
    if recipe.space is not None:
        things = _select(recipe.space.model, rows.X, kept)
    proofs = []
    for k, (risk, (coef, b)) in enumerate(zip(risks, pairs, strict=True)):
        w = np.asarray(coef, dtype=np.float64).T
        last = np.broadcast_to(np.asarray(b, dtype=np.float64), w.shape[1:])
        end = last[()] if problem.intercept else None
        if recipe.space is not None:
            values = partial(_values, recipe.space.model, things)
            target, price = targets[k][kept], risk.penalty.quadratic
            said = target, risk.loss, price, w[kept], end
            found = audit_kernel(values, *said, **shared)
        else:
            parts = targets[k][kept], risk.loss, risk.penalty
            helps = {"offset": problem.offset, "slopes": known[k], **shared}
            found = audit_linear(rows.X[kept], *parts, w, end, **helps)
        proofs.append(found)
    return max(proofs, key=lambda proof: proof.relative_gap)


def _values(machine: Any, things: Any, some: Indices) -> Values:
    """Return the kernel values of a machine's samples, and how wrong they can be.

    The squares of a Gaussian kernel are those of differences: nothing cancels. They are
    wrong by d + 7 roundings, which the exponential makes less of than d/2 + 3; its own
    error is counted as eight.
    """
    if is_precomputed(machine):
        return Values(_symmetric(np.asarray(things, dtype=np.float64)))
    kernel: Any = getattr(machine, "kernel_", None) or kernel_of(machine)
    if getattr(things, "dtype", None) == np.float32:
        things = things.astype(np.float64)
    if isinstance(kernel, Gaussian) and math.prod(things.shape) <= WORTH_FILLING:
        rows = things.toarray() if hasattr(things, "toarray") else things
        squares = cdist(rows, rows[some], "sqeuclidean")
        matrix = np.exp(np.multiply(squares, -0.5 / float(kernel.width) ** 2, squares))
        blur = math.sqrt((rows.shape[1] + 16) * UNIT)
        return Values(matrix, np.full(len(rows), blur))
    tiles = kernel_tiles(kernel, things)
    blur = math.sqrt(np.max(tiles.blur())) if kernel.definite else 0.0
    if not blur:
        return Values(_symmetric(np.asarray(kernel(things), dtype=np.float64)))
    matrix = tiles.block(np.arange(tiles.shape[0]), some)
    return Values(matrix, 1.01 * blur * tiles.lengths())


def _select(machine: Any, things: Any, kept: Any) -> Any:
    if isinstance(kept, slice):
        return things
    some = select(things, kept)
    return some[:, kept] if is_precomputed(machine) else some


def _symmetric(gram: Matrix) -> Matrix:
    """Return a matrix with what is above the diagonal on both sides."""
    return np.triu(gram) + np.triu(gram, 1).T  # a kernel is symmetric, its sums are not


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
            partial(_values, fit.machine, fit.things),
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
