"""Ctrl-C in fits: the model is kept, and `Interrupted` is raised."""

from __future__ import annotations

from typing import Any

from infimum.errors import Interrupted
from infimum.solvers.progress import INTERRUPTED

__all__ = ["raise_if_interrupted", "was_interrupted"]


def was_interrupted(solution: Any) -> bool:
    """Tell whether Ctrl-C has ended the run that found a solution."""
    return bool(solution.certificate.reason == INTERRUPTED)


def raise_if_interrupted(estimator: Any) -> None:
    """End a loop of fits as well, once the best point and its gap are kept.

    A solver that meets Ctrl-C returns its best point. An estimator that did the same
    would hide it from the loop around: the next fit would start as if nothing had
    happened.
    """
    known = vars(estimator)
    proofs = known.get("certificates_") or [known.get("certificate_")]
    if any(getattr(proof, "reason", "") == INTERRUPTED for proof in proofs):
        raise Interrupted(estimator)
