"""A tree as a picture."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.data.doors import check_fitted
from infimum.models.trees._questions import answer_of, names_of, question_of
from infimum.models.trees.structure import Tree
from infimum.parameters import check_domain, whole
from infimum.typing import Indices, Mask, Vector

__all__ = ["plot_tree"]


def plot_tree(
    decision_tree: Any, *, feature_names: Any = None, max_depth: int = 4
) -> Any:
    """Return a fitted tree as a plotly figure: yes goes left, no goes right.

    The colour of a node is what it would tell, were it a leaf: the share of the last
    class, or the number. A node below which the picture ends is drawn open.

    Parameters
    ----------
    decision_tree : DecisionTreeClassifier, DecisionTreeRegressor or alike
    feature_names : sequence of str, optional
    max_depth : int, default=4

    Returns
    -------
    plotly.graph_objects.Figure

    Examples
    --------
    >>> from infimum.models.trees import DecisionTreeClassifier
    >>> model = DecisionTreeClassifier().fit([[0.0], [1.0], [9.0]], list("aab"))
    >>> [str(text) for text in plot_tree(model).data[-1].text]
    ['feature_0 <= 5.00', 'class: a', 'class: b']
    """
    check_fitted(decision_tree)
    check_domain("plot_tree.max_depth", max_depth, whole(0))
    tree, names = decision_tree._grown, names_of(decision_tree, feature_names)
    shown = np.flatnonzero(tree.depths <= max_depth)
    ends = (tree.feature < 0) | (tree.depths == max_depth)
    texts = [
        answer_of(decision_tree, node, 2)
        if ends[node]
        else question_of(tree, node, names, 2)
        for node in map(int, shown)
    ]
    return _drawn(tree, shown, ends, texts, _places(tree, max_depth))


def _drawn(
    tree: Tree, shown: Indices, ends: Mask, texts: list[str], across: Vector
) -> Any:
    import plotly.graph_objects as go

    xs: list[Any] = []
    ys: list[Any] = []
    for node in shown[~ends[shown]]:
        for child in (tree.left[node], tree.right[node]):
            xs += [across[node], across[child], None]
            ys += [-tree.depths[node], -tree.depths[child], None]
    cut = (ends & (tree.feature >= 0))[shown]
    figure = go.Figure()
    figure.add_scatter(
        x=xs, y=ys, mode="lines", line={"color": "#9aa4b2"}, hoverinfo="skip"
    )
    figure.add_scatter(
        x=across[shown],
        y=-tree.depths[shown],
        mode="markers+text",
        text=texts,
        textposition=["bottom center" if ends[n] else "top center" for n in shown],
        customdata=np.column_stack([tree.rows[shown], tree.impurity[shown]]),
        hovertemplate="%{text}<br>rows: %{customdata[0]}<br>"
        "impurity: %{customdata[1]:.4g}<extra></extra>",
        marker={
            "size": 14,
            "color": tree.value[shown, -1],
            "colorscale": "Viridis",
            "symbol": ["circle-open" if open_end else "circle" for open_end in cut],
            "line": {"width": 2 * cut.astype(int)},
        },
    )
    return _framed(figure)


def _framed(figure: Any) -> Any:
    hidden = {"visible": False}
    return figure.update_layout(
        showlegend=False,
        xaxis=hidden,
        yaxis={**hidden, "automargin": True},
        plot_bgcolor="white",
        margin={"l": 40, "r": 40, "t": 40, "b": 40},
    )


def _places(tree: Tree, max_depth: int) -> Vector:
    """Return where nodes stand: ends side by side, parents between their children."""
    across = np.zeros(tree.n_nodes)
    ends = (tree.feature < 0) | (tree.depths == max_depth)
    stack, order, column = [0], [], 0
    while stack:
        node = stack.pop()
        order.append(node)
        if ends[node]:
            across[node] = column
            column += 1
        else:
            stack += [int(tree.right[node]), int(tree.left[node])]
    for node in reversed(order):
        if not ends[node]:
            across[node] = (across[tree.left[node]] + across[tree.right[node]]) / 2.0
    return across
