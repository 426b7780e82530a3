"""The passes along a chain under the names of hmmlearn's machine code."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import logsumexp

from infimum.compiled.chains.chain_forward import chain_forward
from infimum.compiled.chains.chain_logarithms import chain_logarithms
from infimum.decoders import Chain
from infimum.errors import DataError
from infimum.typing import Indices, Matrix, Vector

__all__ = [
    "backward_log",
    "backward_scaling",
    "forward_log",
    "forward_scaling",
    "viterbi",
]

#: Chances of a step below this have lost their digits.
LEAST = 1e-300


def forward_log(
    startprob: Any, transmat: Any, log_frameprob: Any
) -> tuple[float, Matrix]:
    """Return the log-likelihood, and log P(seen so far, state) by step and state."""
    u, first, across = _logs(startprob, transmat, log_frameprob)
    found = np.empty_like(u)
    chain_logarithms(u, first, across, found)
    found += u
    return float(logsumexp(found[-1])), found


def backward_log(startprob: Any, transmat: Any, log_frameprob: Any) -> Matrix:
    """Return log P(seen later | state) by step and state."""
    u, first, across = _logs(startprob, transmat, log_frameprob)
    found = np.empty_like(u)
    back = np.ascontiguousarray(u[::-1])
    chain_logarithms(back, np.zeros_like(first), np.ascontiguousarray(across.T), found)
    return np.ascontiguousarray(found[::-1])


def forward_scaling(
    startprob: Any, transmat: Any, frameprob: Any
) -> tuple[float, Matrix, Vector]:
    """Return the log-likelihood, shares of states by step, and what scaled them."""
    p = np.ascontiguousarray(frameprob, dtype=np.float64)
    first, across = (
        np.ascontiguousarray(t, dtype=float) for t in (startprob, transmat)
    )
    shares = np.empty_like(p)
    chain_forward(p, first, across, np.array([0, len(p)]), shares)
    scales = shares.sum(axis=1)
    if not scales.min() > LEAST:
        raise DataError(
            "forward pass failed with underflow; consider using implementation='log'."
        )
    return float(np.log(scales).sum()), shares / scales[:, None], 1.0 / scales


def backward_scaling(
    startprob: Any, transmat: Any, frameprob: Any, scaling: Vector
) -> Matrix:
    """Return P(seen later | state), scaled as the forward pass was."""
    with np.errstate(divide="ignore"):
        logs = backward_log(startprob, transmat, np.log(frameprob))
    turns = np.cumsum(np.log(scaling)[::-1])[::-1]
    return np.asarray(np.exp(logs + turns[:, None]))


def viterbi(startprob: Any, transmat: Any, log_frameprob: Any) -> tuple[float, Indices]:
    """Return the log-probability of the likeliest states, and the states."""
    u, first, across = _logs(startprob, transmat, log_frameprob)
    states, values = Chain(across, first).decode(u)
    return float(values[0]), states


def _logs(startprob: Any, transmat: Any, u: Any) -> tuple[Matrix, Vector, Matrix]:
    with np.errstate(divide="ignore"):
        first, across = np.log(np.asarray(startprob)), np.log(np.asarray(transmat))
    return np.ascontiguousarray(u, dtype=np.float64), first, across
