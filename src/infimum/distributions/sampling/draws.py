"""Draws of several chains, with what they say and how exactly."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.distributions._given import numbers
from infimum.distributions.sampling.diagnostics import FEWEST, diagnose, mean_error
from infimum.errors import DataError
from infimum.parameters import check_domain, whole
from infimum.typing import Vector

__all__ = ["DrawSummary", "Draws"]

#: Above it chains disagree; below 100 draws a chain an effective size says little.
MOST_RHAT, FEWEST_ESS = 1.01, 100.0
#: A chain that moves more seldom is stuck.
FEWEST_MOVES = 0.01


@dataclass(frozen=True, eq=False)
class DrawSummary:
    """Mean, deviation, interval and quality of every parameter.

    Its text prints as many digits as the Monte-Carlo error leaves, and below them a
    sentence for every chain or parameter that cannot be trusted.
    """

    names: tuple[str, ...]
    mean: Vector
    deviation: Vector
    low: Vector
    high: Vector
    mean_error: Vector
    bulk_ess: Vector
    tail_ess: Vector
    rhat: Vector
    problems: tuple[str, ...] = ()

    def __str__(self) -> str:
        heads = ("mean", "sd", "5 %", "95 %", "mcse", "ess bulk", "ess tail")
        lines = [" " * 12 + "".join(f"{head:>10}" for head in heads) + f"{'R̂':>8}"]
        for k, name in enumerate(self.names):
            digits = _digits(float(self.mean_error[k]))
            numbers = (self.mean[k], self.deviation[k], self.low[k], self.high[k])
            told = "".join(f"{number:>10.{digits}f}" for number in numbers)
            sizes = f"{self.bulk_ess[k]:>10.0f}{self.tail_ess[k]:>10.0f}"
            error = f"{self.mean_error[k]:>10.2g}"
            lines.append(f"{name:<12}{told}{error}{sizes}{self.rhat[k]:>8.3f}")
        return "\n".join([*lines, *self.problems])


@dataclass(frozen=True, eq=False)
class Draws:
    """Draws of shape (chain, draw, …).

    Attributes
    ----------
    values : ndarray of shape (chains, draws, …)
    names : tuple of str
        One for each parameter; made up if not given.
    acceptance : ndarray of shape (chains,)
        The share of proposals accepted.
    divergences : ndarray of shape (chains,)
        Trajectories that left the region where they can be trusted.
    reason : str
        Why the run ended.

    Examples
    --------
    >>> import numpy as np
    >>> draws = Draws(np.random.default_rng(0).normal(size=(4, 1000, 2)))
    >>> draws.chains, draws.size, bool(draws.summary().rhat.max() < 1.01)
    (4, 1000, True)
    """

    values: NDArray[np.float64]
    names: tuple[str, ...] = ()
    acceptance: Any = None
    divergences: Any = None
    reason: str = "all draws made"

    def __post_init__(self) -> None:
        values = numbers("Draws", self.values)
        if values.ndim < 2:  # noqa: PLR2004
            raise DataError(f"Draws needs (chains, draws, …), got {values.shape}.")
        if not values.shape[0] or not np.prod(values.shape[2:]):
            raise DataError(
                "Draws needs a chain and a parameter or more, got the shape "
                f"{values.shape}."
            )
        count = int(np.prod(values.shape[2:]))
        names = tuple(self.names) or tuple(f"x[{k}]" for k in range(count))
        if len(names) != count:
            raise DataError(f"Draws.names must be {count} names, got {len(names)}.")
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "names", names)

    @property
    def chains(self) -> int:
        """The number of chains."""
        return int(self.values.shape[0])

    @property
    def size(self) -> int:
        """The number of draws in each chain."""
        return int(self.values.shape[1])

    @property
    def pooled(self) -> NDArray[np.float64]:
        """The draws of all chains, one row each."""
        return self.values.reshape(self.chains * self.size, *self.values.shape[2:])

    @property
    def _flat(self) -> NDArray[np.float64]:
        return self.values.reshape(self.chains, self.size, len(self.names))

    def summary(self) -> DrawSummary:
        """Return moments, a 90 % interval and diagnostics of every parameter."""
        flat = self._flat
        judged = diagnose(flat)
        found = DrawSummary(
            self.names,
            flat.mean(axis=(0, 1)),
            flat.std(axis=(0, 1), ddof=1),
            judged.low,
            judged.high,
            mean_error(flat),
            judged.bulk_ess,
            judged.tail_ess,
            judged.rhat,
        )
        told = self._of_chains() or self._of_parameters(found)
        return replace(found, problems=tuple(told))

    def problems(self) -> list[str]:
        """Return a sentence for every chain or parameter that cannot be trusted."""
        if self.size < FEWEST:
            what = f"{self.size} draws of each chain ({self.reason})"
            return [f"{what} are too few: R̂ needs {FEWEST} or more."]
        return list(self.summary().problems)

    def _of_chains(self) -> list[str]:
        moved = (np.diff(self._flat, axis=1) != 0).sum(axis=1)
        still = moved <= FEWEST_MOVES * (self.size - 1)
        told = []
        for chain in np.flatnonzero(still.any(axis=1)):
            stuck, most = still[chain], moved[chain][still[chain]].max()
            what = f"it moved {most} times in {self.size} draws"
            what = what if most else "it never moved"
            first = self.names[int(np.argmax(stuck))]
            where = "" if stuck.all() else f" in {first}"
            told.append(f"Chain {chain} is stuck{where}: {what}.")
        if self.divergences is not None:
            for chain in np.flatnonzero(np.asarray(self.divergences)):
                count = int(self.divergences[chain])
                told.append(
                    f"Chain {chain} diverged {count} times: take smaller steps."
                )
        return told

    def _of_parameters(self, found: DrawSummary) -> list[str]:
        told = []
        for k, name in enumerate(self.names):
            if not found.rhat[k] <= MOST_RHAT:
                middles = np.median(self._flat[:, :, k], axis=1)
                off = int(np.argmax(np.abs(middles - np.median(middles))))
                told.append(
                    f"The chains disagree about {name}: R̂ = {found.rhat[k]:.3f}; "
                    f"chain {off} lies furthest from the others."
                )
            elif found.bulk_ess[k] < FEWEST_ESS * self.chains:
                size = f"{found.bulk_ess[k]:.0f}"
                told.append(f"{name} has an effective size of {size}: draw more.")
        return told

    def plot(self, parameter: int = 0) -> Any:
        """Draw trace, ranks by chain and density of a parameter (plotly)."""
        from plotly.subplots import make_subplots
        from scipy.stats import gaussian_kde, rankdata

        check_domain("Draws.plot.parameter", parameter, whole(0, len(self.names) - 1))
        if self.size < 1:
            raise DataError(f"Draws.plot needs a draw, got none ({self.reason}).")
        values = self._flat[:, :, parameter]
        if not np.isfinite(values).all():
            raise DataError("Draws.plot needs finite draws.")
        titles = [f"{self.names[parameter]}: {what}" for what in _PANELS]
        figure = make_subplots(rows=1, cols=3, subplot_titles=titles)
        ranks = rankdata(values).reshape(values.shape)
        grid = np.linspace(values.min(), values.max(), 200)
        for chain in range(self.chains):
            colour = {"color": _COLOURS[chain % len(_COLOURS)], "width": 1.5}
            name = f"chain {chain}"
            plain = {"mode": "lines", "name": name, "legendgroup": name}
            later = {**plain, "showlegend": False}
            # Lines that let through what they cross: no chain hides another.
            thin = {**plain, "line": {**colour, "width": 0.8}, "opacity": 0.6}
            figure.add_scatter(y=values[chain], row=1, col=1, **thin)
            counts, edges = np.histogram(ranks[chain], 20, (0, ranks.size + 1))
            middles = 0.5 * (edges[1:] + edges[:-1])
            steps = {**later, "line": {**colour, "shape": "hvh"}}
            figure.add_scatter(x=middles, y=counts, row=1, col=2, **steps)
            if np.ptp(values[chain]) > 0:
                heights = gaussian_kde(values[chain])(grid)
                figure.add_scatter(
                    x=grid, y=heights, row=1, col=3, **later, line=colour
                )
        for column, title in enumerate(_AXES, 1):
            figure.update_xaxes(title=title, row=1, col=column)
        figure.update_yaxes(rangemode="tozero", row=1, col=2)
        return figure.update_layout(template="simple_white")

    def to_arviz(self) -> Any:
        """Return the draws as arviz keeps them; arviz must be installed.

        A vector of parameters has their names along its last axis.
        """
        import importlib

        try:
            arviz = importlib.import_module("arviz")
        except ImportError:
            raise DataError("Draws.to_arviz needs arviz: pip install arviz.") from None
        named: dict[str, Any] = {}
        if self.values.ndim == 3:  # noqa: PLR2004
            named = {"coords": {"parameter": list(self.names)}}
            named["dims"] = {"x": ["parameter"]}
        try:
            return arviz.from_dict(posterior={"x": self.values}, **named)
        except TypeError:  # arviz 1 takes one dict of groups
            return arviz.from_dict({"posterior": {"x": self.values}}, **named)


_PANELS = ("trace", "ranks", "density")
_AXES = ("draw", "rank among all draws", "value")
_COLOURS = ("#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b")


def _digits(error: float) -> int:
    """Return how many decimals a number with this error has."""
    if not error > 0:
        return 6
    return int(np.clip(-np.floor(np.log10(error)), 0, 8))
