r"""Bounds on what rounding adds to the proof of a support vector machine.

The proof is about the exact kernel of the stored samples, or about kernel values as
they come where a kernel is a formula nobody has analysed. Everything computed from
them is wrong by a bounded share of the absolute terms, in whichever order these are
added up: a sum of n numbers by :math:`γ_n = nu / (1 - nu)` with the unit roundoff u.

References
----------
Higham (2002), Accuracy and Stability of Numerical Algorithms, chapters 3 and 4.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from infimum.certificates.certificate import Certificate
from infimum.certificates.support_vector_gap import (
    best_offsets,
    certify_support_vectors,
    losses_at,
)
from infimum.objectives import KernelTiles, SupportVectorDual
from infimum.typing import Vector

__all__ = ["Doubt", "allow_for_rounding", "counted", "with_rounding"]

#: Half a unit in the last place of 1, the largest relative error of an operation.
UNIT = 0.5 * float(np.finfo(np.float64).eps)
#: Products of errors, and the rounding of a bound itself, are a small share of this.
SECOND_ORDER = 1.01
#: Rounding below this share of the gap that is asked for needs no closer look.
NEGLIGIBLE = 0.01
#: A gap of so many slacks is rounding, unless it is above this share of the risk.
TWICE, RESOLVED = 2.0, 1e-10
#: A gain below this share of the risk is next to nothing.
NOTHING = 1e-7
#: Operations on a number before it is added: few enough for any of the sums below.
BEFORE = 8
#: Operations by which a target, a tube and a score become a pull.
PULLING = 5


class Doubt(NamedTuple):
    """By how much f may be wrong at each sample; and the largest of all √k(x, x)."""

    errors: Vector
    longest: float

    @classmethod
    def of(cls, dual: SupportVectorDual, point: Vector, tiles: KernelTiles) -> Doubt:
        """Bound the error of sums of kernel values, in any order.

        No value exceeds √k(x, x) √k(z, z), and its error is a share of that.
        """
        coefficients, lengths = dual.coefficients(point), tiles.lengths()
        terms = int(np.count_nonzero(coefficients)) + BEFORE
        size = float(np.abs(coefficients) @ lengths)
        errors = (tiles.blur() + _gamma(terms)) * lengths * size
        return cls(SECOND_ORDER * errors, float(lengths.max(initial=0.0)))

    def plus(self, errors: Vector | float) -> Doubt:
        """Add other errors."""
        return self._replace(errors=self.errors + errors)


class Proven(NamedTuple):
    """A proof with rounding counted, f at the samples, and how wrong that may be."""

    certificate: Certificate
    scores: Vector
    doubt: Doubt


def allow_for_rounding(
    proof: Certificate,
    dual: SupportVectorDual,
    point: Vector,
    scores: Vector,
    tiles: KernelTiles,
    offsets: Vector | None = None,
) -> Certificate:
    """Lower the lower bound by what rounding may have added to the gap, at most.

    Then no model is below the dual, and none is better than the certified one by more
    than the gap: both of the exact kernel, or of its values as computed (`KernelTiles`
    tells which).
    """
    offsets = best_offsets(dual, scores) if offsets is None else offsets
    return with_rounding(proof, dual, point, scores, tiles, offsets).certificate


def with_rounding(
    proof: Certificate,
    dual: SupportVectorDual,
    point: Vector,
    scores: Vector,
    tiles: KernelTiles,
    offsets: Vector,
    rough: Vector | float = 0.0,
) -> Proven:
    """Count rounding as `allow_for_rounding` does, and tell what f it was counted for.

    Scores that are not those of the tiles are wrong by `rough`, at most. Where rounding
    matters, f is computed with more care, if there is a way.
    """
    doubt = Doubt.of(dual, point, tiles).plus(rough)
    known = counted(proof, dual, point, scores, offsets, doubt)
    found = Proven(known, scores, doubt)
    if known.slack <= NEGLIGIBLE * proof.tolerance * proof.scale:
        return found
    members = np.flatnonzero(point)
    careful = tiles.careful_sums(point[members], dual.places[members])
    if careful is None:
        return found
    scores, doubt = careful[0], Doubt(careful[1], doubt.longest)
    other = certify_support_vectors(
        dual, point, scores, offsets, proof.tolerance, proof.scale
    )
    other = counted(other, dual, point, scores, offsets, doubt)
    other = replace(other, reason=proof.reason)
    return min(found, Proven(other, scores, doubt), key=lambda p: p.certificate.gap)


def counted(
    proof: Certificate,
    dual: SupportVectorDual,
    point: Vector,
    scores: Vector,
    offsets: Vector,
    doubt: Doubt,
) -> Certificate:
    """Return a proof with its rounding counted, at scores with this doubt."""
    slack = slack_of(dual, point, scores, offsets, doubt)
    nothing = proof.scale <= 0.0 and not dual.coefficients(point).any()
    if nothing and _no_risk_is_below_zero(dual):
        slack -= SECOND_ORDER * _charge(dual, point, offsets, doubt)
        return replace(proof, dual=0.0, slack=slack)
    return lowered(proof, slack)


def _no_risk_is_below_zero(dual: SupportVectorDual) -> bool:
    """Tell whether a point without coefficients is worth 0: then no risk is below."""
    nothing = not dual.coefficients(dual.start).any() and not dual.ridge.any()
    return nothing and math.fsum(dual.linear * dual.start) == 0.0


def lowered(proof: Certificate, slack: float) -> Certificate:
    """Return a proof whose lower bound is lower by so much.

    Where there is next to nothing to gain, a gap that is mere rounding, and far below
    the risk itself, is closed.
    """
    size, scale = max(abs(proof.primal), abs(proof.dual)), proof.scale
    if scale <= NOTHING * size:
        scale = max(scale, min(TWICE * slack, RESOLVED * size) / proof.tolerance)
    return replace(proof, dual=proof.dual - slack, scale=scale, slack=slack)


def slack_of(
    dual: SupportVectorDual,
    point: Vector,
    scores: Vector,
    offsets: Vector,
    doubt: Doubt,
) -> float:
    """Return by how much the computed gap of a point may be too small, at most."""
    at, moved, sizes = scores[dual.places], offsets[dual.groups], np.abs(point)
    errors = doubt.errors[dual.places] + dual.vague
    pull = -(at + dual.linear + moved)
    blur = errors + PULLING * UNIT * (np.abs(at) + np.abs(dual.linear) + np.abs(moved))
    most = np.maximum(losses_at(dual, pull + blur), losses_at(dual, pull - blur))
    lost = most - losses_at(dual, pull)
    terms = sizes * (np.abs(at) + np.abs(dual.linear) + dual.ridge * sizes) + most
    summed = float(terms.sum()) + float(np.abs(offsets * dual.sums).sum())
    found = float(sizes @ errors) + float(lost.sum())
    found += _gamma(len(point) + BEFORE) * summed
    return float(SECOND_ORDER * (found + _charge(dual, point, offsets, doubt)))


def _charge(
    dual: SupportVectorDual, point: Vector, offsets: Vector, doubt: Doubt
) -> float:
    """Return what sums cost that are kept but for rounding.

    A sum that is wrong by d lets the dual be above the least risk by d times the size
    of the best offset, at most. That offset is among the pulls of the best function,
    whose length is known from the risk of f = 0, or from the sums themselves.
    """
    terms = np.abs(point) + np.abs(dual.start)
    if dual.start.any():
        length = float(np.abs(dual.start).sum()) * doubt.longest
    else:
        length = np.sqrt(2.0 * float(losses_at(dual, -dual.linear).sum()))
    found = 0.0
    for group in range(2):
        mine = dual.groups == group
        if mine.any():
            summed = _gamma(int(mine.sum()) + 1) * float(terms[mine].sum())
            astray = abs(float((point - dual.start)[mine].sum())) + summed
            farthest = float(np.abs(dual.linear[mine]).max()) + doubt.longest * length
            found += astray * farthest + summed * abs(float(offsets[group]))
    return found


def _gamma(count: int) -> float:
    return count * UNIT / (1.0 - count * UNIT)
