"""Lloyd's iteration, step by step, to look at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from infimum.data.doors import array
from infimum.models.clustering.centres._centre_model import nearest_labels
from infimum.models.clustering.centres.k_means import KMeans
from infimum.models.clustering.cluster_pictures import plot_clusters
from infimum.typing import Indices, Matrix

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

__all__ = ["KMeansSteps", "k_means_steps"]


@dataclass(frozen=True)
class KMeansSteps:
    """The centres, labels and objectives after each iteration from one start."""

    X: Matrix
    centers: list[Matrix]
    labels: list[Indices]
    objectives: list[float]

    def plot(self) -> Figure:
        """Draw all iterations as one figure with a slider.

        Examples
        --------
        >>> X = [[0.0, 0.0], [1.0, 0.0], [9.0, 9.0]]
        >>> steps = k_means_steps(X, [[0.0, 0.0], [1.0, 0.0]])
        >>> len(steps.plot().frames) == len(steps.labels)
        True
        """
        import plotly.graph_objects as go

        pictures = [
            plot_clusters(self.X, labels, centers)
            for labels, centers in zip(self.labels, self.centers, strict=True)
        ]
        frames = [
            go.Frame(data=one.data, name=str(step)) for step, one in enumerate(pictures)
        ]
        figure = go.Figure(pictures[0].data, pictures[0].layout, frames)
        steps = [
            {
                "label": f"{step}: {cost:.4g}",
                "method": "animate",
                "args": [[str(step)], {"mode": "immediate", "frame": {"redraw": True}}],
            }
            for step, cost in enumerate(self.objectives)
        ]
        prefix = {"prefix": "iteration: objective "}
        figure.update_layout(sliders=[{"steps": steps, "currentvalue": prefix}])
        return figure


def k_means_steps(X: Any, centers: Any) -> KMeansSteps:
    """Return every iteration of Lloyd from given centres until nothing moves.

    Examples
    --------
    >>> steps = k_means_steps([[0.0], [3.0], [13.0], [14.0]], [[0.0], [3.0]])
    >>> [round(cost, 3) for cost in steps.objectives]
    [221.0, 34.0, 5.0]
    """
    X = array(X)
    start = np.asarray(centers, dtype=np.float64)
    labels = nearest_labels(X, start)[1]
    states: list[tuple[Matrix, Indices, float]]
    states = [(start, labels, float(np.sum((X - start[labels]) ** 2)))]
    while True:
        count = len(states)
        model = KMeans(len(start), init=start, n_init=1, max_iter=count, tol=0.0).fit(X)
        states.append((model.cluster_centers_, model.labels_, model.inertia_))
        if np.array_equal(states[-1][1], states[-2][1]):
            break
    return KMeansSteps(X, *(list(part) for part in zip(*states, strict=True)))
