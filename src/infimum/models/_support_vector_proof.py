"""The proof of a support vector machine, from its coefficients and the data alone."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from infimum.certificates import (
    Certificate,
    cancellation,
    certify_support_vectors,
    gain_of,
    judged_by,
    null_risk,
)
from infimum.certificates.support_vector_rounding import with_rounding
from infimum.data.doors import things
from infimum.errors import DataError
from infimum.models._definiteness import INDEFINITE, is_definite
from infimum.models._kernel_door import is_precomputed, select
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


def prove(machine: Any, claim: Claim, things: Any, tolerance: float) -> Certificate:
    """Return how far a claim can be from optimal; no bound if it breaks the rules."""
    dual, point, offsets = claim
    kept = np.clip(point, dual.low, dual.high)
    tiles = kernel_tiles(machine.kernel_, things, None, np.float64)
    scores = dual.scores(tiles, kept)
    value = dual.value(kept, scores)
    first = dual.value(dual.start, dual.scores(tiles, dual.start))
    size = float(np.abs(dual.coefficients(kept)).sum())
    rounding = cancellation(dual, tiles, tolerance) * size * size
    gain = gain_of(dual, null_risk(dual), value, first)
    scale = judged_by(gain, rounding, tolerance)
    proof = certify_support_vectors(dual, kept, scores, offsets, tolerance, scale)
    # The model is that of the coefficients as they are, feasible or not.
    astray = float(np.abs(dual.coefficients(point - kept)) @ tiles.lengths())
    rough = tiles.lengths() * astray
    proof = with_rounding(proof, dual, kept, scores, tiles, offsets, rough).certificate
    if not _keeps_the_rules(dual, point, kept):
        reason = "the coefficients are not feasible"
        return replace(proof, dual=-math.inf, reason=reason)
    if not is_definite(machine.kernel_, things):
        return replace(proof, dual=-math.inf, reason=INDEFINITE)
    return proof


def check_support(machine: Any, X: Any) -> None:
    """Refuse samples among which the support vectors are not in their places."""
    given = things(machine, X, reset=False)
    same = len(given) == machine.shape_fit_[0]
    known = machine.support_vectors_
    if same and not is_precomputed(machine) and hasattr(given.X, "shape"):
        found = select(given.X, machine.support_)
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
