"""The picture of real graphs in docs/graphs.md, drawn from the library as SVG.

``python -m benchmarks.graph_pictures``; the graphs are those of networkx.
"""

from pathlib import Path

import networkx as nx
import numpy as np

from infimum.models.graph import pagerank
from infimum.models.semi_supervised import GraphLabelClassifier

__all__ = ["draw", "real_graphs"]

PLACE = Path(__file__).parent.parent / "docs" / "images" / "graphs_real.svg"
SIDE, GAP, TOP = 420, 30, 40
STYLE = (
    "<style>text{font:12px sans-serif;fill:#222}.title{font-size:14px}"
    "line{stroke:#bbb}.lead{stroke:#111;stroke-width:3}.wrong{stroke:#d80;"
    "stroke-width:4}</style>"
)


def real_graphs():
    """Return the karate club with its labels, and the families with their ranks."""
    width = 2 * SIDE + 3 * GAP
    parts = [*_club(GAP), *_families(2 * GAP + SIDE)]
    body = "".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {SIDE + TOP}"'
        f' role="img">{STYLE}<rect width="100%" height="100%" fill="white"/>'
        f"{body}</svg>\n"
    )


def _club(left):
    graph = nx.karate_club_graph()
    y = np.full(34, -1)
    y[0], y[33] = 0, 1
    model = GraphLabelClassifier("precomputed").fit(nx.to_scipy_sparse_array(graph), y)
    sides = [graph.nodes[v]["club"] == "Officer" for v in graph.nodes]
    right = model.transduction_ == np.array(sides, int)
    title = f"A karate club, two labels: {right.sum()} of 34 right"
    share = model.label_distributions_[:, 1]
    colors = [_between(value) for value in share]
    kinds = ["lead" if y[v] >= 0 else "" if right[v] else "wrong" for v in range(34)]
    names = [str(v) if y[v] >= 0 or not right[v] else "" for v in range(34)]
    return _drawn(graph, left, title, np.full(34, 9.0), colors, kinds, names)


def _families(left):
    graph = nx.florentine_families_graph()
    ranks = pagerank(graph, tol=1e-12).as_dict()
    scores = np.array([ranks[v] for v in graph.nodes])
    first = max(ranks, key=ranks.get)
    title = f"Marriages in Florence, area by PageRank: {first} {ranks[first]:.3f}"
    radii = 75.0 * np.sqrt(scores)
    n = len(scores)
    return _drawn(graph, left, title, radii, ["#9bc"] * n, [""] * n, list(graph.nodes))


def _between(share):
    """Return a colour from blue at 0 to red at 1."""
    low, high = np.array([60, 90, 200]), np.array([200, 50, 60])
    red, green, blue = (low + share * (high - low)).astype(int)
    return f"rgb({red},{green},{blue})"


def _drawn(graph, left, title, radii, colors, kinds, names):
    places = nx.kamada_kawai_layout(graph, weight=None)
    at = np.array([places[v] for v in graph.nodes])
    at = (at - at.min(axis=0)) / (at.max(axis=0) - at.min(axis=0))
    at = np.array([left + 40, TOP + 25]) + (SIDE - 80) * at
    number = {v: k for k, v in enumerate(graph.nodes)}
    parts = [f'<text class="title" x="{left}" y="24">{title}</text>']
    for one, other in graph.edges:
        (a, b), (c, d) = at[number[one]], at[number[other]]
        parts.append(f'<line x1="{a:.1f}" y1="{b:.1f}" x2="{c:.1f}" y2="{d:.1f}"/>')
    for (x, y), r, color, kind in zip(at, radii, colors, kinds, strict=True):
        parts.append(
            f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}"'
            f' fill="{color}"/>'
        )
    for (x, y), r, name in zip(at, radii, names, strict=True):
        if name:
            parts.append(
                f'<text x="{x:.1f}" y="{y - r - 4:.1f}" text-anchor="middle">'
                f"{name}</text>"
            )
    return parts


def draw():
    """Write the picture."""
    PLACE.write_text(real_graphs(), encoding="utf-8")


if __name__ == "__main__":
    draw()
