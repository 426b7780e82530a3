"""The proof of a support vector machine, from its coefficients and the data alone."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from infimum.certificates import (
    Certificate,
    allow_for_rounding,
    cancellation,
    certify_support_vectors,
    judged_by,
    null_risk,
)
from infimum.errors import DataError
from infimum.models._kernel_door import admit_things, is_precomputed, select
from infimum.objectives import SupportVectorDual, kernel_tiles
from infimum.typing import Vector

__all__ = ["Claim", "check_support", "prove"]

#: Sums and boxes within this share of the box are kept, up to rounding.
ROUNDING = 1e-9


class Claim(NamedTuple):
    """What a fitted machine says: this point and these offsets solve this problem."""

    dual: SupportVectorDual
    point: Vector
    offsets: Vector


def prove(machine: Any, claim: Claim, things: Any) -> Certificate:
    """Return how far a claim can be from optimal; no bound if it breaks the rules."""
    dual, point, offsets = claim
    kept = np.clip(point, dual.low, dual.high)
    tiles = kernel_tiles(machine.kernel_, things, None, np.float64)
    scores = dual.scores(tiles, kept)
    value = dual.value(kept, scores)
    first = dual.value(dual.start, dual.scores(tiles, dual.start))
    tolerance = float(machine.certificate_.tolerance)
    size = float(np.abs(dual.coefficients(kept)).sum())
    rounding = cancellation(dual, tiles, tolerance) * size**2
    gain = max(null_risk(dual) + value, first - value, 0.0)
    scale = judged_by(gain, rounding, tolerance)
    proof = certify_support_vectors(dual, kept, scores, offsets, tolerance, scale)
    proof = allow_for_rounding(proof, dual, kept, scores, tiles)
    if _keeps_the_rules(dual, point, kept):
        return proof
    return replace(proof, dual=-math.inf, reason="the coefficients are not feasible")


def check_support(machine: Any, X: Any) -> None:
    """Refuse samples among which the support vectors are not in their places."""
    things = admit_things(machine, X)
    count = things.shape[0] if hasattr(things, "shape") else len(things)
    same = count == machine.shape_fit_[0]
    known = machine.support_vectors_
    if same and not is_precomputed(machine) and hasattr(things, "shape"):
        found = select(things, machine.support_)
        if sparse.issparse(found) or sparse.issparse(known):
            unlike: Any = sparse.csr_array(found) != sparse.csr_array(known)
            same = not unlike.nnz
        else:
            same = np.array_equal(found, known)
    if not same:
        raise DataError(
            f"{type(machine).__name__} can be certified on the samples it was fitted "
            "on, these are others."
        )


def _keeps_the_rules(dual: SupportVectorDual, point: Vector, kept: Vector) -> bool:
    size = float(np.abs(kept).sum()) + float(np.abs(dual.start).sum())
    astray = float(np.abs(point - kept).sum())
    sums = np.bincount(dual.groups, weights=kept - dual.start, minlength=2)
    return bool(max(astray, float(np.abs(sums).max())) <= ROUNDING * size)
