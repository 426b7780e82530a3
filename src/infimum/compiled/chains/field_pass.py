"""One pass of a random field: partition sums and expected counts of many chains.

Eight chains of about the same length walk side by side, one in each lane of a vector:
the innermost loops have a fixed length and no remainder.
"""

import math

import numpy as np

from infimum.compiled.chains.field_parts import Pairs, Tokens
from infimum.compiled.chains.field_scores import fill_scores
from infimum.compiled.chains.lanes import FEW, LANES, add_pairs, add_scaled, mix_lanes
from infimum.compiled.exponentials import RUN, _double
from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["field_pass"]

_FAST = {"reassoc", "contract", "nsz"}
#: Scales below this have lost digits.
TINY = 1e-200
#: Steps whose pairs are added at once, while they are in the nearest cache.
STRETCH = 16


@inner_loop(fastmath=_FAST)
def _read(
    chains: Indices, bounds: Indices, tokens: Tokens, pairs: Pairs, scores: Matrix
) -> None:
    """Add up the scores of the tokens of eight chains."""
    n_labels = scores.shape[1]
    row = np.empty((n_labels + FEW - 1) // FEW * FEW)
    for lane in range(LANES):
        if chains[lane] < 0:
            continue
        first = bounds[chains[lane]]
        for t in range(first, bounds[chains[lane] + 1]):
            fill_scores(t, tokens, pairs, row)
            for j in range(n_labels):
                scores[t - first, j, lane] = row[j]


@inner_loop(fastmath=_FAST)
def _count(
    chains: Indices,
    bounds: Indices,
    tokens: Tokens,
    pairs: Pairs,
    shares: Vector,
    found: Matrix,
    counts: Vector,
) -> None:
    """Add the expected counts of all pairs of an attribute and a label."""
    n_labels = found.shape[1]
    starts, labels = pairs.starts, pairs.labels
    wide = (n_labels + FEW - 1) // FEW * FEW
    row = np.zeros(wide)
    for lane in range(LANES):
        if chains[lane] < 0 or shares[lane] == 0.0:
            continue
        first = bounds[chains[lane]]
        for t in range(first, bounds[chains[lane] + 1]):
            for j in range(n_labels):
                row[j] = found[t - first, j, lane]
            for e in range(tokens.starts[t], tokens.starts[t + 1]):
                value, a = tokens.values[e], tokens.ids[e]
                start, size = starts[a], starts[a + 1] - starts[a]
                if size == wide:
                    add_scaled(row, 0, value, counts, start, wide)
                else:
                    for p in range(start, start + size):
                        counts[p] += row[labels[p]] * value


@inner_loop(fastmath=_FAST, error_model="numpy")
def _powers(
    steps: int, scores: Matrix, tops: Matrix, bits: Indices, powers: Vector
) -> None:
    """Replace scores by exp(score - top), the top of each step and lane."""
    n_labels = scores.shape[1]
    for t in range(steps):
        for lane in range(LANES):
            tops[t, lane] = scores[t, 0, lane]
        for j in range(1, n_labels):
            for lane in range(LANES):
                tops[t, lane] = max(tops[t, lane], scores[t, j, lane])
        for j in range(n_labels):
            for lane in range(LANES):
                scores[t, j, lane] -= tops[t, lane]
    flat = scores.ravel()
    for low in range(0, steps * n_labels * LANES, RUN):
        part = flat[low : min(low + RUN, steps * n_labels * LANES)]
        _double(part, part, bits, powers)


@inner_loop(fastmath=_FAST, error_model="numpy")
def _forward(
    steps: int, factors: Matrix, back: Matrix, alpha: Matrix, scales: Matrix
) -> None:
    n_labels = back.shape[0]
    alpha[0] = 1.0
    scales[:steps] = 0.0
    for t in range(steps):
        if t > 0:
            for j in range(n_labels):
                mix_lanes(alpha, t - 1, back, j, alpha, t, j)
        for j in range(n_labels):
            for lane in range(LANES):
                alpha[t, j, lane] *= factors[t, j, lane]
                scales[t, lane] += alpha[t, j, lane]
        for j in range(n_labels):
            for lane in range(LANES):
                alpha[t, j, lane] /= scales[t, lane]


@inner_loop(fastmath=_FAST, error_model="numpy")
def _backward(
    steps: int,
    lengths: Vector,
    shares: Vector,
    factors: Matrix,
    across: Matrix,
    alpha: Matrix,
    scales: Matrix,
    beta: Matrix,
    found: Matrix,
) -> None:
    """Fill `found` with probabilities of labels, times the share of each lane.

    On the way factors become messages: factor times beta over the scale.
    """
    n_labels = across.shape[0]
    for t in range(steps - 1, -1, -1):
        if t < steps - 1:
            for i in range(n_labels):
                mix_lanes(factors, t + 1, across, i, beta, 0, i)
        for lane in range(LANES):
            if lengths[lane] <= t + 1.0:  # here, or before, the chain ends
                beta[0, :, lane] = shares[lane]
        for i in range(n_labels):
            for lane in range(LANES):
                factors[t, i, lane] *= beta[0, i, lane] / scales[t, lane]
                found[t, i, lane] = alpha[t, i, lane] * beta[0, i, lane]


@inner_loop(fastmath=_FAST)
def _pairs(steps: int, alpha: Matrix, messages: Matrix, sums: Matrix) -> None:
    """Add the expected pairs, lane by lane, two labels at once.

    A last label without a partner is its own, and its column the one too many.
    """
    n_labels = alpha.shape[1]
    for low in range(0, steps - 1, STRETCH):
        high = min(low + STRETCH, steps - 1)
        for i in range(n_labels):
            for j in range(0, n_labels, 2):
                add_pairs(low, high, alpha, i, messages, j, sums)


@loop(superwords=True, error_model="numpy")
def field_pass(
    groups: Indices,
    bounds: Indices,
    tokens: Tokens,
    pairs: Pairs,
    shares: Vector,
    across: Matrix,
    counts: Vector,
    moves: Matrix,
    logs: Vector,
) -> None:
    """Fill `logs` with log Z of every chain, add expected counts and moves.

    `groups` has eight chains in a row, -1 where there is none; `across` is exp of the
    transitions. A chain whose scales lost their digits gets NaN and counts nothing.
    """
    n_labels, most = across.shape[0], _longest(groups, bounds)
    back = np.ascontiguousarray(across.T)
    scores = np.empty((most, n_labels, LANES))
    alpha, tops = np.empty_like(scores), np.empty((most, LANES))
    scales, beta = np.empty((most, LANES)), np.empty((1, n_labels, LANES))
    found, sums = np.empty_like(scores), np.zeros((n_labels, n_labels + 1, LANES))
    lengths, share = np.empty(LANES), np.empty(LANES)
    bits = np.empty(RUN, dtype=np.int64)
    powers = bits.view(np.float64)
    for g in range(groups.shape[0]):
        for lane in range(LANES):
            chain = groups[g, lane]
            lengths[lane] = bounds[chain + 1] - bounds[chain] if chain >= 0 else 0
            share[lane] = shares[chain] if chain >= 0 else 0.0
        steps = int(lengths.max())
        scores[:steps] = 0.0
        _read(groups[g], bounds, tokens, pairs, scores)
        _powers(steps, scores, tops, bits, powers)
        _forward(steps, scores, back, alpha, scales)
        for lane in range(LANES):
            total = _close(steps, lane, lengths, share, tops, scores, alpha, scales)
            if groups[g, lane] >= 0:
                logs[groups[g, lane]] = total
        _backward(steps, lengths, share, scores, across, alpha, scales, beta, found)
        _pairs(steps, alpha, scores, sums)
        _count(groups[g], bounds, tokens, pairs, share, found, counts)
    for lane in range(LANES):
        moves += sums[:, :n_labels, lane] * across


@inner_loop()
def _longest(groups: Indices, bounds: Indices) -> int:
    most = 0
    for chain in groups.ravel():
        if chain >= 0:
            most = max(most, bounds[chain + 1] - bounds[chain])
    return most


@inner_loop(error_model="numpy")
def _close(
    steps: int,
    lane: int,
    lengths: Vector,
    share: Vector,
    tops: Matrix,
    factors: Matrix,
    alpha: Matrix,
    scales: Matrix,
) -> float:
    """Return log Z of one lane; leave harmless numbers where it has no chain."""
    total, length = 0.0, int(lengths[lane])
    for t in range(length):
        scale = scales[t, lane] if scales[t, lane] > TINY else np.nan
        total += math.log(scale) + tops[t, lane]
    if not math.isfinite(total):  # a chain without digits counts nothing
        share[lane], length = 0.0, 0
    for t in range(length if share[lane] > 0.0 else 0, steps):
        scales[t, lane] = 1.0
        for j in range(factors.shape[1]):
            factors[t, j, lane] = alpha[t, j, lane] = 0.0
    return total
