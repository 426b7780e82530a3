"""Permutation importance: what a model loses when a column is shuffled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from infimum.errors import DataError
from infimum.evaluation import PlainRecord
from infimum.explanation._judge import Judge
from infimum.explanation._mosaic import Mosaic, column_groups
from infimum.parameters import check_domain, whole
from infimum.typing import Indices, Matrix, Vector

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from plotly.graph_objects import Figure

__all__ = ["Importance", "permutation_importance"]

#: How many of the shuffles also measure the luck of the rows.
_WITH_PARTS = 2


@dataclass(frozen=True)
class Importance(PlainRecord):
    """How much each score falls when a group of columns is shuffled.

    Attributes
    ----------
    names : tuple of str
        The columns, or groups of columns.
    scores : dict from str to float
        The score of the intact rows, by scorer; higher is better.
    drops : dict from str to ndarray
        Average fall of the score, one number a name.
    errors : dict from str to ndarray
        Standard error of each fall: the luck of the shuffles and of the rows.
    repeats, n : int
        Number of shuffles and of rows.
    """

    names: tuple[str, ...]
    scores: dict[str, float]
    drops: dict[str, Vector]
    errors: dict[str, Vector]
    repeats: int
    n: int

    def ranked(self, scorer: str | None = None) -> list[tuple[str, float, float]]:
        """Return (name, fall, standard error), the most important first."""
        key = scorer or next(iter(self.drops))
        order = np.argsort(-self.drops[key], kind="stable")
        return [
            (self.names[i], float(self.drops[key][i]), float(self.errors[key][i]))
            for i in order
        ]

    def plot(self, scorer: str | None = None, most: int = 20) -> Figure:
        """Draw the falls with bars of two standard errors, the largest on top.

        Returns
        -------
        plotly.graph_objects.Figure
        """
        from infimum.theory.pictures import COLORS, blank_figure

        key = scorer or next(iter(self.drops))
        rows = self.ranked(key)[:most][::-1]
        figure = blank_figure(f"fall of {key}", "", height=110 + 26 * len(rows))
        figure.add_scatter(
            x=[drop for _, drop, _ in rows],
            y=[name for name, _, _ in rows],
            error_x={"array": [2 * error for _, _, error in rows], "thickness": 2},
            mode="markers",
            marker={"size": 9, "color": COLORS[0]},
        )
        figure.add_vline(x=0, line={"color": "grey", "width": 1})
        return figure


def permutation_importance(
    model: Any,
    X: Any,
    y: Any,
    *,
    scoring: str | Callable[..., float] | Sequence[str] | None = None,
    groups: Mapping[str, Sequence[Any]] | None = None,
    repeats: int = 10,
    rows: int | None = None,
    seed: int = 0,
) -> Importance:
    """Measure how much a model relies on each column of a table.

    A column that is shuffled among the rows keeps its law and loses its meaning. If the
    score does not fall, the model can do without it; columns that carry the same
    information should be shuffled together, as a group. Measure on unseen rows.

    Parameters
    ----------
    model : fitted estimator
    X : array, sparse matrix, pandas or polars frame
    y : array-like
    scoring : str, callable or list of str, default=None
        Names of scikit-learn's scorers, or one made by ``make_scorer``, which is called
        "score" in what is found; None is accuracy, or R² for numbers.
    groups : mapping from name to columns, optional
        Columns, by name or position, that are shuffled together.
    repeats : int, default=10
        How often each group is shuffled.
    rows : int, optional
        Use at most so many rows, drawn at random; the errors tell what that costs.
    seed : int, default=0

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.explanation import permutation_importance
    >>> from infimum.models.linear import Ridge
    >>> X = np.random.default_rng(0).standard_normal((300, 3))
    >>> y = X @ [3.0, 1.0, 0.0]
    >>> found = permutation_importance(Ridge().fit(X, y), X, y)
    >>> [name for name, drop, error in found.ranked() if drop > 2 * error]
    ['x0', 'x1']

    References
    ----------
    L. Breiman (2001), Random forests, Machine Learning 45.
    """
    check_domain("permutation_importance's repeats", repeats, whole(1))
    table = Mosaic(X)
    places = column_groups(table, groups)
    truth = np.asarray(y)
    if len(truth) != table.n_rows:
        raise DataError(
            f"permutation_importance needs a truth for each of {table.n_rows} rows, "
            f"got {len(truth)}."
        )
    chosen = _chosen(table.n_rows, rows, seed)
    judge = Judge(model, truth[chosen], scoring, seed)
    untouched = np.repeat(chosen[:, None], len(table.names), axis=1)
    intact = judge.judge(table.pieced(untouched), parts=True)
    falls: list[list[Any]] = []
    for columns in places.values():
        falls.append([])
        for repeat in range(repeats):
            # A stream for each shuffle: the result of a column does not depend on
            # which others are asked for.
            generator = np.random.default_rng([seed, repeat, columns[0]])
            sources = untouched.copy()
            sources[:, columns] = generator.permutation(chosen)[:, None]
            said = judge.judge(table.pieced(sources), parts=repeat < _WITH_PARTS)
            falls[-1].append(intact[: len(said)] - said)
    return _summarize(tuple(places), judge.names, intact, falls, len(chosen))


def _chosen(n: int, rows: int | None, seed: int) -> Indices:
    if rows is None or rows >= n:
        return np.arange(n)
    check_domain("permutation_importance's rows", rows, whole(2))
    return np.sort(np.random.default_rng([seed, 2]).permutation(n)[:rows])


def _summarize(
    names: tuple[str, ...],
    scorers: tuple[str, ...],
    intact: Matrix,
    falls: list[list[Any]],
    n: int,
) -> Importance:
    """Average the falls: by group, repeat, part of the rows, scorer."""
    whole = np.array([[fall[0] for fall in group] for group in falls])
    repeats = whole.shape[1]
    means, errors = whole.mean(axis=1), np.zeros((len(names), len(scorers)))
    if repeats > 1:
        errors += whole.var(axis=1, ddof=1) / repeats
    parts = np.array(
        [np.mean([f[1:] for f in group[:_WITH_PARTS]], axis=0) for group in falls]
    )
    if parts.shape[1] > 1:
        # Jackknife over blocks of rows: the luck of the rows, for any score.
        factor = (parts.shape[1] - 1) / parts.shape[1]
        errors += factor * np.square(parts - parts.mean(axis=1, keepdims=True)).sum(1)
    return Importance(
        names=names,
        scores={name: float(intact[0, i]) for i, name in enumerate(scorers)},
        drops={name: means[:, i] for i, name in enumerate(scorers)},
        errors={name: np.sqrt(errors[:, i]) for i, name in enumerate(scorers)},
        repeats=repeats,
        n=n,
    )
