"""Forests that cover the edges of a graph together."""

from __future__ import annotations

import numpy as np

from infimum.typing import Indices, Vector

__all__ = ["forests"]


def forests(n_nodes: int, edges: Indices) -> tuple[list[Indices], Vector]:
    """Return spanning forests that use every edge, and how often each is used.

    Edges that were used least are taken first.
    """
    used = np.zeros(len(edges))
    covers: list[Indices] = []
    while not covers or (used == 0).any():
        order = np.argsort(used, kind="stable")
        group = np.arange(n_nodes)
        taken = []
        for place in order.tolist():
            a, b = edges[place]
            if group[a] != group[b]:
                group[group == group[a]] = group[b]
                taken.append(place)
        covers.append(np.array(sorted(taken), dtype=np.intp))
        used[covers[-1]] += 1.0
    return covers, np.asarray(used / len(covers))
