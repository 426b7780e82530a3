"""Bayes' rule for finitely many hypotheses, and chances of repeated trials."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from infimum.distributions._given import numbers
from infimum.errors import DataError
from infimum.parameters import check_domain, closed, whole
from infimum.typing import Vector

__all__ = ["chance_of_none", "combine_evidence"]


def combine_evidence(prior: ArrayLike, *likelihoods: ArrayLike) -> Vector:
    """Return P(hypothesis | all evidence), each piece independent given the hypothesis.

    Parameters
    ----------
    prior : array-like of shape (k,)
        How probable the hypotheses are before; they sum to 1.
    *likelihoods : array-like of shape (k,)
        For each piece of evidence how probable it is under each hypothesis.

    Examples
    --------
    >>> combine_evidence([0.009, 0.991], [1.0, 0.01], [0.99, 0.05]).round(4)
    array([0.9473, 0.0527])
    """
    belief = numbers("combine_evidence.prior", prior)
    proper = belief.ndim == 1 and bool((belief >= 0).all())
    if not proper or abs(belief.sum() - 1.0) > 1e-9:
        raise DataError("combine_evidence.prior must be probabilities that sum to 1.")
    for likelihood in likelihoods:
        factor = numbers("combine_evidence", likelihood)
        if factor.shape != belief.shape or not (factor >= 0).all():
            raise DataError(
                f"combine_evidence takes {len(belief)} likelihoods that are not "
                "negative for each piece of evidence."
            )
        belief = belief * factor
        total = float(belief.sum())
        if not total > 0:
            raise DataError("combine_evidence: the evidence has probability 0.")
        belief = belief / total
    return belief


def chance_of_none(p: float, trials: Any) -> float:
    """Return (1 - p)ⁿ: the probability that n independent trials all fail.

    Examples
    --------
    >>> round(chance_of_none(1e-7, 10_000_000), 4)
    0.3679
    """
    check_domain("chance_of_none.p", p, closed(0, 1))
    check_domain("chance_of_none.trials", trials, whole(0))
    return float(np.exp(trials * np.log1p(-p))) if p < 1 else float(trials == 0)
