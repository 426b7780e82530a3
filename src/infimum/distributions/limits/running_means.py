"""Laws of large numbers as one sees them: running means and their envelope."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.distributions._distribution import Distribution
from infimum.distributions._given import generator
from infimum.distributions._given import law as given
from infimum.errors import DataError
from infimum.parameters import check_domain, whole
from infimum.typing import Matrix, Vector

__all__ = ["RunningMeans", "empirical_frequencies", "running_means"]


@dataclass(frozen=True, eq=False)
class RunningMeans:
    """Averages of the first m values of several samples, m = 1, 2, ….

    Attributes
    ----------
    means : ndarray of shape (samples, m)
    centre : float
        The mean of the law.
    spread : float
        Its standard deviation.
    """

    means: Matrix
    centre: float
    spread: float

    @property
    def envelope(self) -> Matrix:
        """The mean plus and minus √(variance/m), two rows."""
        half = self.spread / np.sqrt(np.arange(1, self.means.shape[1] + 1))
        return np.stack([self.centre - half, self.centre + half])

    @property
    def inside(self) -> Vector:
        """The share of samples inside the envelope, for each m."""
        low, high = self.envelope
        return np.asarray(((low <= self.means) & (self.means <= high)).mean(axis=0))

    def settled(self, distance: float) -> Vector:
        """Return for each sample from which m on its mean stays within `distance`."""
        far = np.abs(self.means - self.centre) > distance
        last = far.shape[1] - np.argmax(far[:, ::-1], axis=1)
        return np.where(far.any(axis=1), last + 1, 1)

    def plot(self) -> Any:
        """Draw the running means inside their envelope (plotly)."""
        from plotly import graph_objects as go

        m = np.arange(1, self.means.shape[1] + 1)
        figure = go.Figure()
        for row in self.means:
            figure.add_scatter(x=m, y=row, mode="lines", showlegend=False)
        for edge in self.envelope:
            figure.add_scatter(
                x=m, y=edge, mode="lines", line={"color": "black"}, showlegend=False
            )
        figure.update_xaxes(type="log", title="values averaged")
        figure.update_yaxes(title="mean")
        return figure


def running_means(
    law: Distribution, size: int, samples: int = 5, random_state: Any = None
) -> RunningMeans:
    """Draw samples of a law and average their first values.

    Examples
    --------
    >>> from infimum.distributions import Discrete
    >>> die = Discrete.uniform(range(1, 7))
    >>> running_means(die, 1000, random_state=0).means.shape
    (5, 1000)
    """
    check_domain("running_means.size", size, whole(1))
    check_domain("running_means.samples", samples, whole(1))
    given("running_means.law", law, scalar=True)
    drawn = law.sample(size * samples, random_state).reshape(samples, size)
    means = np.cumsum(drawn, axis=1) / np.arange(1, size + 1)
    return RunningMeans(means, float(law.mean), float(law.deviation))


def empirical_frequencies(
    law: Distribution, sizes: Any, random_state: Any = None
) -> dict[int, Vector]:
    """Return how often each value of a discrete law comes, for samples of each size.

    Examples
    --------
    >>> from infimum.distributions import Discrete
    >>> found = empirical_frequencies(Discrete.uniform([1, 2]), [10, 50], 0)
    >>> [len(found[size]) for size in (10, 50)]
    [2, 2]
    """
    given("empirical_frequencies.law", law, scalar=True)
    if not law.discrete:
        raise DataError(f"empirical_frequencies takes a discrete law, got {law!r}.")
    rng, values = generator("empirical_frequencies", random_state), law.atoms()
    found = {}
    for size in sizes:
        check_domain("empirical_frequencies.sizes", size, whole(1))
        drawn = law.sample(int(size), rng)
        found[int(size)] = np.array([np.mean(drawn == value) for value in values])
    return found
