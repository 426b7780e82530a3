"""Fits of losses that see all scores at once, and their proofs."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from infimum.certificates import Certificate, certify_by_planes
from infimum.data.designs import as_design
from infimum.losses import SampleLoss
from infimum.models.warnings import UncertifiedWarning
from infimum.objectives import Mix, SampleRisk
from infimum.penalties import Ridge
from infimum.solvers import Bundle
from infimum.typing import Vector

__all__ = ["SAMPLE_PROOF", "keep_whole_sample", "prove_whole_sample", "sample_risk"]

#: What a certified fit leaves beside its weights.
SAMPLE_PROOF = {
    "C": "positive",
    "planes_": "tuple[2] of any",
    "certificate_": "Certificate",
    "history_": "tuple of Record",
    "n_iter_": "count",
}


def sample_risk(
    X: Any,
    y: Any,
    loss: SampleLoss,
    C: float,
    groups: Any = None,
    weights: Vector | None = None,
) -> SampleRisk:
    """Return the risk: half the squared weights, plus C times the loss."""
    design = as_design(X)
    return SampleRisk(design, y, loss, Ridge(1.0 / C), groups, weights)


def keep_whole_sample(
    model: Any, risk: SampleRisk, tol: float, max_iter: int
) -> Vector:
    """Minimise, leave the proof in the model, and return the weights."""
    found = Bundle(tolerance=tol, max_iterations=max_iter).solve(risk)  # type: ignore[arg-type]
    mix: Any = found.slopes
    model.planes_ = np.asarray(mix.shares), np.array(mix.witnesses)
    model.certificate_, model.history_ = found.certificate, found.history
    model.n_iter_ = found.iterations
    if not found.certified:
        warnings.warn(
            f"{type(model).__name__}: {found.certificate}; raise max_iter or tol.",
            UncertifiedWarning,
            stacklevel=4,
        )
    return np.asarray(found.point[:-1])


def prove_whole_sample(model: Any, risk: SampleRisk, w: Vector) -> Certificate:
    """Compute the proof again, every plane from the data."""
    shares, witnesses = model.planes_
    mix = Mix(np.asarray(shares), tuple(np.asarray(witnesses)))
    return certify_by_planes(risk, np.append(w, 0.0), mix, model.tol)
