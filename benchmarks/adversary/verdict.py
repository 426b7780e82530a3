"""What the judge holds against a proof.

A witness is a point; its risk, evaluated in extended precision on the data as they
were given, is no opinion. A lower bound above it is refuted.
"""

from typing import NamedTuple

import numpy as np

from benchmarks.adversary.reference import best_witness

__all__ = [
    "Finding",
    "Statement",
    "judge",
    "slack_of",
    "statement_again",
    "statement_of",
]

#: Constraints may be broken by this share of the numbers in them.
BROKEN = 1e-9
#: So many times the rounding of the targets may be what rounding hides of a gap.
HIDDEN = 1e3


class Finding(NamedTuple):
    """A failure: its kind, by how much, and a sentence."""

    kind: str
    size: float
    detail: str


class Statement(NamedTuple):
    """A risk, the model's point, its true risk, and the best risk that is known."""

    risk: object
    point: object
    own: object
    best: object
    found_by: str
    scale: float
    grain: float


def statement_of(risk, point):
    """Look for the best witness against a point."""
    own = risk.value(point)
    if risk.outside(point) > BROKEN:
        own = own._replace(risk=np.inf)
    best, _, found_by = best_witness(risk, [point])
    if hasattr(risk, "scale_from"):
        scale = max(risk.scale_from(best.risk), 0.0)
    else:
        scale = risk.scale()
    return Statement(risk, point, own, best, found_by, scale, risk.grain(point))


def statement_again(said, risk, point):
    """Return the statement of another point of the same risk; no witness is sought."""
    own, inside = risk.value(point), risk.value(risk.mended(point))
    if risk.outside(point) > BROKEN:
        own = own._replace(risk=np.inf)
    if inside.risk + inside.error < said.best.risk + said.best.error:
        said = said._replace(best=inside, found_by="the forged model")
    return said._replace(risk=risk, point=point, own=own, grain=risk.grain(point))


def judge(said, proof, *, tolerance=None, where="fit"):
    """Return what is wrong with a proof of a statement."""
    tolerance = proof.tolerance if tolerance is None else tolerance
    if any(np.isnan(x) for x in (proof.primal, proof.dual, proof.scale)):
        return [Finding("NaN", np.inf, f"{where}: {proof}")]
    if getattr(proof, "invalid", False):  # it says itself that it proves nothing
        return [Finding("invalid", proof.dual - proof.primal, f"{where}: {proof!r}")]
    found = [_dual_above(said, proof, where), _contradiction(proof, where)]
    if proof.closed:
        found += [
            _not_optimal(said, proof, tolerance, where),
            _wide_gap(said, proof, tolerance, where),
            _misstated(said, proof, tolerance, where),
            _broken(said, where),
        ]
    return [finding for finding in found if finding is not None]


def slack_of(proof):
    """Return the rounding that a proof says it has counted."""
    return float(getattr(proof, "slack", 0.0))


def _allowed(said, proof, tolerance):
    """Return how far from the optimum a closed proof may leave its model.

    The slack is part of the gap, so it is within the tolerance. Where there is nothing
    to gain, rounding is all there is; a slack far beyond that of the targets is none.
    """
    rounding = min(slack_of(proof), HIDDEN * said.grain) + said.grain
    return tolerance * said.scale + rounding


def _dual_above(said, proof, where):
    """Hold the lower bound against the best witness, whether closed or not."""
    bound = said.best.risk + said.best.error
    if not proof.dual > bound:
        return None
    excess = proof.dual - said.best.risk
    return Finding(
        "dual above optimum", _share(excess, said),
        f"{where}: no model below {proof.dual!r}, but {said.found_by} is at "
        f"{said.best.risk!r} ± {said.best.error:.0e} (by {excess:.1e}, scale "
        f"{said.scale:.1e}, {'closed' if proof.closed else 'open'})",
    )  # fmt: skip


def _contradiction(proof, where):
    beyond = proof.dual - proof.primal - slack_of(proof)
    if not proof.closed or not beyond > 1e-15 * abs(proof.primal):
        return None
    return Finding("dual above primal", beyond, f"{where}: {proof!r}")


def _not_optimal(said, proof, tolerance, where):
    allowed = _allowed(said, proof, tolerance)
    excess = said.own.risk - said.own.error - said.best.risk - said.best.error
    if not excess > allowed * 1.001:
        return None
    return Finding(
        "false proof", _share(excess, said),
        f"{where}: closed at {said.own.risk!r}, but {said.found_by} is at "
        f"{said.best.risk!r}: excess {excess:.1e}, allowed {allowed:.1e}",
    )  # fmt: skip


def _wide_gap(said, proof, tolerance, where):
    """Find a gap that is closed only in a unit larger than what there is to gain."""
    allowed = 1.001 * _allowed(said, proof, tolerance)
    gap = proof.primal - proof.dual
    if not gap > allowed + 1e-15 * abs(proof.primal):
        return None
    return Finding(
        "inflated scale", gap / max(allowed, 1e-300),
        f"{where}: closed with a gap of {gap:.1e}, allowed {allowed:.1e} = "
        f"{tolerance:.0e} × {said.scale:.1e}; its scale is {proof.scale:.1e}",
    )  # fmt: skip


def _misstated(said, proof, tolerance, where):
    """Compare the risk of the stored model with the one that is claimed for it."""
    allowed = tolerance * said.scale + slack_of(proof) + said.grain
    apart = abs(said.own.risk - proof.primal) - said.own.error
    if not apart > allowed + 1e-12 * abs(said.own.risk):
        return None
    return Finding(
        "risk misstated", _share(apart, said),
        f"{where}: says {proof.primal!r}, the stored model has {said.own.risk!r}",
    )  # fmt: skip


def _broken(said, where):
    outside = said.risk.outside(said.point)
    if not outside > BROKEN:
        return None
    return Finding(
        "infeasible", outside, f"{where}: a constraint broken by {outside:g}"
    )


def _share(excess, said):
    return excess / said.scale if said.scale > 0 else np.inf
