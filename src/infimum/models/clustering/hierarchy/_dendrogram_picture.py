"""A dendrogram as a picture: brackets that join at the height of their merge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from infimum.typing import Indices, Matrix, Vector

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

    from infimum.models.clustering.hierarchy.dendrogram import Dendrogram

__all__ = ["draw"]

#: Okabe and Ito's palette, distinguishable without colour vision.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
ABOVE = "#888888"
#: More leaves than this are not named.
NAMED = 80


def draw(
    tree: Dendrogram, clusters: Indices | None, labels: Sequence[str] | None
) -> Figure:
    """Return a figure of brackets, a colour for each cluster."""
    from plotly.graph_objects import Figure

    order = tree.leaves()
    xs, ys, colors = _brackets(tree, order, clusters)
    figure = Figure()
    for color in sorted(set(colors.tolist())):
        chosen = colors == color
        figure.add_scatter(
            x=_with_gaps(xs[chosen]),
            y=_with_gaps(ys[chosen]),
            mode="lines",
            line={"width": 1.5, "color": _paint(color)},
            name="above the cut" if color < 0 else f"cluster {color}",
            showlegend=clusters is not None,
            hovertemplate="height %{y:.4g}<extra></extra>",
        )
    names = [str(i) for i in order] if labels is None else [labels[i] for i in order]
    few = len(order) <= NAMED
    figure.update_xaxes(
        tickvals=list(range(len(order))) if few else [],
        ticktext=names if few else [],
        showgrid=False,
        zeroline=False,
        range=[-0.8, len(order) - 0.2],
        title_text="" if few else f"{len(order)} samples",
    )
    figure.update_yaxes(title_text="height", rangemode="tozero", zeroline=False)
    figure.update_layout(
        template="plotly_white",
        height=460,
        width=900,
        margin={"l": 60, "r": 20, "t": 40, "b": 60},
    )
    return figure


def _brackets(
    tree: Dendrogram, order: Indices, clusters: Indices | None
) -> tuple[Matrix, Matrix, Indices]:
    """Return four corners and the cluster of each merge, -1 above the cut."""
    n = tree.n_leaves
    across = np.empty(2 * n - 1)
    across[order] = np.arange(n)
    up = np.zeros(2 * n - 1)
    owner = np.full(2 * n - 1, -1)
    owner[:n] = -1 if clusters is None else clusters
    xs, ys = np.empty((n - 1, 4)), np.empty((n - 1, 4))
    for merge, (a, b) in enumerate(tree.tree[:, :2].astype(int)):
        top = tree.heights[merge]
        xs[merge] = across[a], across[a], across[b], across[b]
        ys[merge] = up[a], top, top, up[b]
        across[n + merge], up[n + merge] = 0.5 * (across[a] + across[b]), top
        owner[n + merge] = owner[a] if owner[a] == owner[b] else -1
    return xs, ys, owner[n:]


def _with_gaps(corners: Matrix) -> Vector:
    """Return one line through all brackets, lifted between them."""
    return np.column_stack([corners, np.full(len(corners), np.nan)]).ravel()


def _paint(color: int) -> str:
    return ABOVE if color < 0 else COLORS[color % len(COLORS)]
