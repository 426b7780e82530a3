"""Comparing two learners over many data sets: t-test, permutations, and a picture."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Literal

import numpy as np
from scipy.stats import t as student

from infimum.errors import DataError
from infimum.parameters import Choice, check_domain, whole
from infimum.theory.plain_record import PlainRecord
from infimum.typing import Matrix, Vector

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike
    from plotly.graph_objects import Figure

__all__ = ["PairedComparison", "average_ranks", "compare_pair", "plot_errors"]

_MOST_ENUMERATED = 20


@dataclass(frozen=True)
class PairedComparison(PlainRecord, told=("sentence",)):
    """Two learners measured on the same data sets.

    Attributes
    ----------
    difference : float
        Average error of the first minus that of the second.
    statistic : float
        The t statistic, or the difference itself for a permutation test.
    p_value : float
        Probability of a difference at least as large, either way, if the two learners
        were equal.
    test : {"t", "permutation"}
    exact : bool
        Whether all exchanges were tried, not a sample of them.
    wins, losses : int
        On how many data sets the first has the smaller, and the larger, error.
    """

    difference: float
    statistic: float
    p_value: float
    test: str
    exact: bool
    wins: int
    losses: int

    @property
    def sentence(self) -> str:
        """The comparison in words, including where the first one fails."""
        better = "first" if self.difference < 0 else "second"
        sure = "beyond chance" if self.p_value < 0.05 else "but chance may do that"
        return (
            f"The {better} errs less by {abs(self.difference):.3g} on average, {sure} "
            f"(p = {self.p_value:.3g}); the first wins on {self.wins} data sets and "
            f"loses on {self.losses}."
        )


def compare_pair(
    first: ArrayLike,
    second: ArrayLike,
    test: Literal["permutation", "t"] = "permutation",
    *,
    draws: int = 10_000,
    seed: int = 0,
) -> PairedComparison:
    r"""Test whether two learners have the same error over data sets.

    The paired t-test takes the differences for independent draws from one normal law,
    which errors on different data sets hardly are. The permutation test asks for less:
    if the learners are equal, the two errors on a data set could as well be exchanged,
    so all :math:`2^m` exchanges of m data sets give equally likely averages (a random
    sample of them beyond 20 data sets).

    Parameters
    ----------
    first, second : array-like of shape (m,)
        Errors on the same m data sets, each tuned by cross validation on its own.
    test : {"permutation", "t"}, default="permutation"
    draws : int, default=10_000
        Exchanges to sample if there are too many to try them all.

    Examples
    --------
    >>> from infimum.evaluation import compare_pair
    >>> compare_pair([0.1, 0.2, 0.3, 0.1], [0.2, 0.3, 0.5, 0.3]).p_value
    0.125
    """
    check_domain("compare_pair's test", test, Choice(("permutation", "t")))
    check_domain("compare_pair's draws", draws, whole(1))
    gaps = _gaps(first, second)
    difference = float(gaps.mean())
    if test == "t":
        error = float(gaps.std(ddof=1)) / np.sqrt(len(gaps))
        statistic = difference / error if error > 0 else np.copysign(np.inf, difference)
        statistic = 0.0 if difference == 0 else float(statistic)
        p_value = float(2 * student.sf(abs(statistic), len(gaps) - 1))
        exact = False
    else:
        statistic, exact = difference, len(gaps) <= _MOST_ENUMERATED
        p_value = _exchange(gaps, draws, seed)
    wins, losses = int(np.sum(gaps < 0)), int(np.sum(gaps > 0))
    return PairedComparison(
        difference, statistic, p_value, test, exact, wins=wins, losses=losses
    )


def average_ranks(errors: ArrayLike) -> Vector:
    """Return the average rank of each learner (column) over data sets (rows).

    Rank 1 is the least error; equal errors share their ranks.
    """
    from scipy.stats import rankdata

    return np.asarray(rankdata(np.asarray(errors, float), axis=1).mean(axis=0))


def plot_errors(
    errors: ArrayLike, learners: Sequence[str], data_sets: Sequence[str]
) -> Figure:
    """Draw a table of errors: one line of dots a data set, one colour a learner.

    Errors are shown relative to the best on the data set, because a table of numbers
    hides who is best where.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    from infimum.theory.pictures import COLORS, blank_figure

    table: Matrix = np.asarray(errors, dtype=np.float64)
    if table.shape != (len(data_sets), len(learners)):
        raise DataError(
            f"plot_errors needs {len(data_sets)} rows and {len(learners)} columns, got "
            f"{table.shape}."
        )
    excess = table - table.min(axis=1, keepdims=True)
    height = 140 + 32 * len(data_sets)
    figure = blank_figure("error above the best", "", height=height)
    for place, name in enumerate(learners):
        figure.add_scatter(
            x=excess[:, place],
            y=list(data_sets),
            name=str(name),
            mode="markers",
            marker={"size": 10, "color": COLORS[place % len(COLORS)], "opacity": 0.8},
        )
    return figure


def _gaps(first: ArrayLike, second: ArrayLike) -> Vector:
    one, other = np.asarray(first, float), np.asarray(second, float)
    if one.shape != other.shape or one.ndim != 1 or len(one) < 2:  # noqa: PLR2004
        raise DataError(
            "compare_pair needs two lists of errors on the same data sets, at least 2, "
            f"got {one.shape} and {other.shape}."
        )
    return np.asarray(one - other)


def _exchange(gaps: Vector, draws: int, seed: int) -> float:
    if len(gaps) <= _MOST_ENUMERATED:
        half = product((1.0, -1.0), repeat=len(gaps) - 1)
        # Exchanging everything only turns the sign: half of the exchanges suffice.
        signs = np.fromiter((sign for row in half for sign in (1.0, *row)), float)
        sums = signs.reshape(-1, len(gaps)) @ gaps
    else:
        generator = np.random.default_rng(seed)
        signs = generator.choice((-1.0, 1.0), size=(draws, len(gaps)))
        # What was observed is one of the exchanges.
        sums = np.append(signs @ gaps, gaps.sum())
    scale = np.abs(gaps).sum()
    return float(np.mean(np.abs(sums) >= abs(gaps.sum()) - 1e-12 * scale))
