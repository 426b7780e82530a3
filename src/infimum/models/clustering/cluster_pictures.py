"""Pictures of clusterings: the samples, and how well they fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from infimum.data.doors import array, same_length
from infimum.errors import DataError
from infimum.models.clustering.silhouette import silhouette_samples

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

__all__ = ["plot_clusters", "plot_silhouettes"]

# Okabe and Ito's palette, distinguishable without colour vision.
_COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
#: More points than this are drawn as an evenly spaced choice of them.
MOST = 5000


def plot_clusters(X: Any, labels: Any, centers: Any = None) -> Figure:
    """Draw samples in the plane, coloured by cluster, with centres as crosses.

    Samples of more than two features are shown along their first two principal axes.

    Examples
    --------
    >>> figure = plot_clusters([[0.0, 0.0], [1.0, 0.0], [9.0, 9.0]], [0, 0, 1])
    >>> [trace.name for trace in figure.data]
    ['cluster 0', 'cluster 1']
    """
    import plotly.graph_objects as go

    X, labels = array(X), np.asarray(labels)
    same_length(X, labels)
    if X.shape[1] < 2:  # noqa: PLR2004
        raise DataError("A picture of clusters needs 2 features or more, got 1.")
    mean, axes = X.mean(axis=0), np.eye(2)
    if X.shape[1] > 2:  # noqa: PLR2004
        axes = np.linalg.svd(X - mean, full_matrices=False)[2][:2]
    else:
        mean = np.zeros(2)
    flat = (X - mean) @ axes.T
    figure = go.Figure()
    for place, label in enumerate(np.unique(labels)):
        mine = np.flatnonzero(labels == label)
        mine = mine[:: max(1, len(labels) // MOST)]
        name = "noise" if label == -1 else f"cluster {label}"
        marker = {"size": 6, "opacity": 0.75, "color": _COLORS[place % len(_COLORS)]}
        figure.add_scatter(
            x=flat[mine, 0], y=flat[mine, 1], mode="markers", name=name, marker=marker
        )
    if centers is not None:
        spots = (np.asarray(centers, dtype=np.float64) - mean) @ axes.T
        cross = {"symbol": "x", "size": 12, "color": "#222222"}
        figure.add_scatter(
            x=spots[:, 0], y=spots[:, 1], mode="markers", name="centres", marker=cross
        )
    titles = _titles(X.shape[1])
    figure.update_layout(template="plotly_white", xaxis_title=titles[0])
    figure.update_yaxes(title_text=titles[1], scaleanchor="x")
    return figure


def plot_silhouettes(X: Any, labels: Any) -> Figure:
    """Draw the silhouette of every sample, cluster by cluster, the best on top.

    Examples
    --------
    >>> X = [[0.0], [1.0], [10.0], [11.0]]
    >>> len(plot_silhouettes(X, [0, 0, 1, 1]).data)
    2
    """
    import plotly.graph_objects as go

    fits, labels = silhouette_samples(X, labels), np.asarray(labels)
    figure, bottom, ticks = go.Figure(), 0, []
    gap = max(1, len(fits) // 50)
    for place, label in enumerate(np.unique(labels)):
        widths = np.sort(fits[labels == label])
        heights = bottom + np.arange(len(widths))
        figure.add_bar(
            x=widths,
            y=heights,
            orientation="h",
            width=1.0,
            name=f"cluster {label}: mean {widths.mean():.2f}",
            marker={"color": _COLORS[place % len(_COLORS)], "line": {"width": 0}},
        )
        ticks.append((bottom + len(widths) / 2, str(label)))
        bottom += len(widths) + gap
    mean = float(fits.mean())
    figure.add_vline(
        x=mean,
        line_dash="dash",
        line_color="#444444",
        annotation_text=f"mean {mean:.2f}",
        annotation_position="top",
    )
    figure.update_layout(template="plotly_white", bargap=0.0)
    figure.update_xaxes(title_text="silhouette", range=[min(-0.1, fits.min()), 1.0])
    figure.update_yaxes(
        title_text="cluster",
        tickvals=[height for height, _ in ticks],
        ticktext=[name for _, name in ticks],
        showgrid=False,
    )
    return figure


def _titles(d: int) -> tuple[str, str]:
    if d == 2:  # noqa: PLR2004
        return "feature 0", "feature 1"
    return "first principal axis", "second principal axis"
