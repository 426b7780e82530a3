"""The four neighbourhood graphs of the same samples, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from infimum.errors import DataError
from infimum.models.graph.neighborhood import epsilon_graph, nearest_neighbor_graph
from infimum.study.graphs.components import connected_components
from infimum.typing import Indices, Matrix

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

__all__ = ["GraphComparison", "compare_graphs"]

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
PLANE = 2


@dataclass(frozen=True)
class GraphComparison:
    """Graphs by name, with how they hang together.

    `components`, `edges` and `isolated` have one entry for each name of `graphs`.
    """

    points: Matrix
    graphs: dict[str, sparse.csr_array]
    components: dict[str, int]
    edges: dict[str, int]
    isolated: dict[str, int]

    def plot(self) -> Figure:
        """Return a figure of all graphs, coloured by component; samples are planar."""
        if self.points.shape[1] != PLANE:
            raise DataError(
                "compare_graphs draws samples with 2 features, got "
                f"{self.points.shape[1]}."
            )
        from plotly.subplots import make_subplots

        titles = [
            f"{name}: {self.edges[name]} edges, {self.components[name]} components"
            for name in self.graphs
        ]
        figure = make_subplots(
            rows=2, cols=2, subplot_titles=titles,
            horizontal_spacing=0.04, vertical_spacing=0.08,
        )  # fmt: skip
        for place, graph in enumerate(self.graphs.values()):
            where = {"row": place // 2 + 1, "col": place % 2 + 1}
            labels = connected_components(graph)[1]
            for trace in (_lines(self.points, graph), _dots(self.points, labels)):
                figure.add_trace(trace, **where)
            figure.update_yaxes(scaleanchor=f"x{place + 1 if place else ''}", **where)
        figure.update_layout(
            template="plotly_white", showlegend=False, height=760, width=900
        )
        return figure


def compare_graphs(X: Any, n_neighbors: int, radius: float) -> GraphComparison:
    """Build the directed, symmetric, mutual and epsilon graph of the same samples.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    n_neighbors : int
    radius : float

    Examples
    --------
    >>> found = compare_graphs([[0.0], [1.0], [2.5], [9.0]], 1, 1.6)
    >>> found.components
    {'directed': 1, 'symmetric': 1, 'mutual': 3, 'epsilon': 2}
    """
    points = np.asarray(X, dtype=np.float64)
    kinds = ("directed", "symmetric", "mutual")
    graphs = {
        kind: nearest_neighbor_graph(
            points, n_neighbors, kind=kind, weights="connectivity"
        )
        for kind in kinds
    }
    graphs["epsilon"] = epsilon_graph(points, radius)
    undirected = {name: graph.maximum(graph.T) for name, graph in graphs.items()}
    return GraphComparison(
        points,
        graphs,
        {name: connected_components(graph)[0] for name, graph in graphs.items()},
        {
            name: graph.nnz if name == "directed" else graph.nnz // 2
            for name, graph in graphs.items()
        },
        {
            name: int(np.sum(graph.sum(axis=1) == 0))
            for name, graph in undirected.items()
        },
    )


def _lines(points: Matrix, graph: sparse.csr_array) -> Any:
    import plotly.graph_objects as go

    one, other = graph.tocoo().coords
    gaps = np.full(len(one), np.nan)
    x, y = (
        np.column_stack((points[one, side], points[other, side], gaps)).ravel()
        for side in (0, 1)
    )
    style = {"color": "#bbbbbb", "width": 1}
    return go.Scatter(x=x, y=y, mode="lines", line=style, hoverinfo="skip")


def _dots(points: Matrix, labels: Indices) -> Any:
    import plotly.graph_objects as go

    colors = [COLORS[label % len(COLORS)] for label in labels]
    style = {"color": colors, "size": 6}
    return go.Scatter(x=points[:, 0], y=points[:, 1], mode="markers", marker=style)
