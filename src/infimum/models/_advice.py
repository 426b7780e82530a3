"""Advice on how to close an open proof, by the reason why it is open."""

from __future__ import annotations

import math
from typing import Any

from infimum.certificates import Certificate
from infimum.solvers import Solver
from infimum.solvers.progress import CALLBACK, LATE, LIMIT

__all__ = ["advice", "open_gap"]


def open_gap(estimator: Any, proof: Certificate, iterations: int) -> str:
    """Say how far a proof got, why it ended there, and what would bring it further."""
    return (
        f"{type(estimator).__name__} stopped ({proof.reason}) with a relative duality "
        f"gap of {proof.relative_gap:.1e}, above the {proof.tolerance:.1e} asked for. "
        f"{advice(estimator, proof, iterations)}"
    )


def advice(estimator: Any, proof: Certificate, iterations: int) -> str:
    """Say what would close the gap of a run that made so many iterations."""
    known = estimator.get_params(deep=False)
    given = isinstance(known.get("solver"), Solver)
    own, price = " of the solver" if given else "", "lower C, " if "C" in known else ""
    limit = "max_iterations" if given else "max_iter"
    ends = {
        LIMIT: f"Raise {limit}{own} above {iterations}{'' if given else ', or tol'}.",
        LATE: f"Raise max_seconds{own}.",
        CALLBACK: "Without that callback the fit goes on.",
    }
    if proof.reason in ends:
        return ends[proof.reason]
    if proof.reason.startswith("stationary"):
        return "Nothing can prove the minimum of a function that is not convex."
    if proof.reason.startswith("no lower bound"):
        return "No model of these targets is the best."
    if not math.isfinite(proof.gap):
        return "No lower bound was found: a stronger penalty gives one."
    if given:
        return "solver='auto' takes a method that may go further."
    return (
        f"Floating point allows no narrower gap here: raise tol, {price}or scale the "
        "features."
    )
