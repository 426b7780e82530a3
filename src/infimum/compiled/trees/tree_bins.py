"""From numbers to bins: where the cuts lie, and on which side of them a value falls."""

from typing import Any

import numpy as np

from infimum.compiled.loop import loop
from infimum.typing import Vector

__all__ = ["cut_evenly", "encode_rows"]

#: Cuts are padded to this many, so that every search takes the same eight steps.
PADDED = 256


@loop()
def cut_evenly(weights: Vector, max_bins: int) -> Any:
    """Return the positions after which sorted values are cut, into bins of like weight.

    What is left is shared evenly among the bins that are left, so that a single heavy
    value takes one bin and not the places of several.
    """
    cuts = np.empty(max_bins - 1, dtype=np.int64)
    left, inside, count, bins = 0.0, 0.0, 0, max_bins
    for i in range(weights.size):
        left += weights[i]
    for i in range(weights.size - 1):
        if bins == 1:
            break
        inside += weights[i]
        target = left / bins
        # Cut where the bin is nearest to its share, or when every value left needs one.
        if inside + 0.5 * weights[i + 1] >= target or weights.size - 1 - i <= bins - 1:
            cuts[count] = i
            count += 1
            bins -= 1
            left -= inside
            inside = 0.0
    return cuts[:count]


@loop()
def encode_rows(X: Any, edges: Any, missing: Any, features: Any, codes: Any) -> None:
    """Write into ``codes[j, i]`` how many edges of feature j lie below ``X[i, j]``.

    Rows of `edges` are sorted and padded with infinities; what is not a number gets the
    feature's code for missing values.
    """
    block = 1024
    for start in range(0, X.shape[0], block):
        stop = min(start + block, X.shape[0])
        for t in range(features.size):
            j = features[t]
            cuts, out = edges[j], codes[j]
            for i in range(start, stop):
                x = np.float64(X[i, j])
                at = np.uint64(0)
                # Adding 0 or 2ᵏ instead of branching: nobody could predict the branch.
                for shift in range(np.uint64(8)):
                    step = np.uint64(128) >> shift
                    at += step * np.uint64(cuts[at + step - np.uint64(1)] < x)
                out[i] = missing[j] if np.isnan(x) else np.uint8(at)
