"""Exact Shapley values of trees: each leaf's worth shared among the features asked.

On the way to a leaf a feature i is asked once or more. Let oᵢ be 1 if the row answers
all of these as the leaf wants, and zᵢ what is expected without knowing the feature: the
share of training rows that do, or 1 or 0 for a row to compare with. Feature i is owed

    value · (oᵢ - zᵢ) · ∫ Πⱼ≠ᵢ (zⱼ(1 - u) + oⱼu) du over u from 0 to 1,

since the weights of Shapley's sum are Beta integrals. The integrand is a polynomial, so
Gauss's rule with half as many points as features is exact, and nothing cancels.
"""

from typing import Any, NamedTuple

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop

__all__ = ["Leaves", "answer_nodes", "share_among_features"]

FEATURE, MISSING_LEFT, SET = 0, 1, 2


class Leaves(NamedTuple):
    """The leaves of all trees: where paths begin, what is asked on them, values."""

    paths: Any
    steps: Any
    features: Any
    cover: Any
    values: Any
    columns: Any


@inner_loop()
def _side(node: Any, cut: float, words: Any, x: float) -> Any:
    """Return 0 if a value goes left at a node, 1 if right."""
    start = node[SET]
    if start < 0:
        if x <= cut:
            return 0
        return 1 if x > cut else 1 - node[MISSING_LEFT]
    if not x >= 0.0 or x >= 32.0 * words[start]:
        return 1 - node[MISSING_LEFT]
    level = int(x)
    return 1 - ((words[start + 1 + (level >> 5)] >> (level & 31)) & 1)


@loop()
def answer_nodes(nodes: Any, cuts: Any, words: Any, X: Any, out: Any) -> None:
    """Write to which side each row goes at every node of every tree."""
    for i in range(X.shape[0]):
        for at in range(nodes.shape[0]):
            if nodes[at, FEATURE] >= 0:
                x = np.float64(X[i, nodes[at, FEATURE]])
                out[i, at] = _side(nodes[at], cuts[at], words, x)


@inner_loop()
def _follow(answers: Any, steps: Any, begin: int, end: int, agrees: Any) -> None:
    """Write whether a row agrees with each feature of a leaf's path."""
    agrees[:] = 1.0
    for t in range(begin, end):
        if answers[steps[t, 0]] != steps[t, 1]:
            agrees[steps[t, 2]] = 0.0


@inner_loop()
def _shares(o: Any, z: Any, points: Any, masses: Any, left: Any, out: Any) -> None:
    """Write (oᵢ - zᵢ) times the integral for each feature of a path."""
    out[:] = 0.0
    size = o.size
    for q in range(points.size):
        u = points[q]
        product = 1.0
        for i in range(size):
            left[i] = product
            product *= z[i] * (1.0 - u) + o[i] * u
        product = masses[q]
        for i in range(size - 1, -1, -1):
            out[i] += left[i] * product
            product *= z[i] * (1.0 - u) + o[i] * u
    for i in range(size):
        out[i] *= o[i] - z[i]


@loop()
def share_among_features(
    answers: Any, others: Any, leaves: Leaves, points: Any, masses: Any, phi: Any
) -> None:
    """Add to ``phi[row, feature, output]`` what each feature is owed by all trees.

    With no `others` the expectation follows the shares of training rows in `cover`;
    else it is the mean over those rows.
    """
    paths, steps, features, cover, values, columns = leaves
    longest = points.shape[0]
    o, z, left, owed = (
        np.empty(longest), np.empty(longest), np.empty(longest), np.empty(longest)
    )  # fmt: skip
    turns = max(1, others.shape[0])
    for row in range(answers.shape[0]):
        for leaf in range(paths.shape[0] - 1):
            first, step = paths[leaf]
            size = paths[leaf + 1, 0] - first
            _follow(answers[row], steps, step, paths[leaf + 1, 1], o[:size])
            count = (size + 1) // 2
            for turn in range(turns):
                if others.shape[0]:
                    _follow(others[turn], steps, step, paths[leaf + 1, 1], z[:size])
                else:
                    z[:size] = cover[first : first + size]
                _shares(o[:size], z[:size], points[count, :count],
                        masses[count, :count], left, owed[:size])  # fmt: skip
                for i in range(size):
                    for k in range(values.shape[1]):
                        worth = values[leaf, k] * owed[i] / turns
                        phi[row, features[first + i], columns[leaf] + k] += worth
