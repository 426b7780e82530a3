"""The trade-off between accuracy and fairness, as a curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from infimum.evaluation import PlainRecord, clopper_pearson
from infimum.fairness._hull import AIMS
from infimum.fairness.rates import group_rates
from infimum.fairness.thresholds import GroupThresholds, group_thresholds
from infimum.parameters import check_domain, whole
from infimum.typing import Mask, Vector

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from plotly.graph_objects import Figure

__all__ = ["TradeOff", "trade_off"]


@dataclass(frozen=True)
class TradeOff(PlainRecord):
    """The most accurate rule of group thresholds for each allowed disparity.

    Attributes
    ----------
    aim : str
    tolerances : ndarray
        Allowed differences, from 0 on.
    accuracies, low, high : ndarray
        Accuracy of the best rule, and an exact interval for it, of each by itself. On
        the rows where the thresholds were chosen they flatter; on fresh rows they hold.
    disparities : ndarray
        The differences that the rules have.
    rules : tuple of GroupThresholds
    price_low, price_high : float
        Exact interval of the price, from the rows that only one of both rules decides
        rightly.
    n : int
        Rows measured.
    """

    aim: str
    tolerances: Vector
    accuracies: Vector
    low: Vector
    high: Vector
    disparities: Vector
    rules: tuple[GroupThresholds, ...]
    price_low: float
    price_high: float
    n: int

    @property
    def price(self) -> float:
        """Accuracy lost between the freest and the fairest rule."""
        return float(self.accuracies[-1] - self.accuracies[0])

    def plot(self) -> Figure:
        """Draw accuracy against disparity.

        Returns
        -------
        plotly.graph_objects.Figure
        """
        from infimum.theory.pictures import COLORS, blank_figure

        figure = blank_figure(f"disparity ({self.aim})", "accuracy", showlegend=False)
        figure.add_scatter(
            x=self.disparities,
            y=self.accuracies,
            mode="lines+markers",
            line={"color": COLORS[0], "shape": "hv"},
            error_y={
                "array": self.high - self.accuracies,
                "arrayminus": self.accuracies - self.low,
            },
        )
        return figure


def trade_off(
    scores: ArrayLike,
    y: ArrayLike,
    groups: ArrayLike,
    aim: str = "independence",
    *,
    points: int = 21,
    randomized: bool = False,
    favourable: Any = 1,
    confidence: float = 0.95,
    fresh: tuple[ArrayLike, ArrayLike, ArrayLike] | None = None,
) -> TradeOff:
    """Return the accuracy of the best group thresholds for each allowed disparity.

    The tolerances run from 0 to the disparity of the most accurate rule of all, so the
    curve rises from the fairest rule to the unconstrained one.

    Parameters
    ----------
    scores, y, groups, aim, randomized, favourable : see `group_thresholds`
    points : int, default=21
    fresh : (scores, y, groups), optional
        Rows that measure what the rules are worth and had no say in them. Then the
        curve need not rise: rules that were best on other rows may be worse here.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.fairness import trade_off
    >>> rng = np.random.default_rng(0)
    >>> group = rng.choice(["a", "b"], 400)
    >>> y = (rng.random(400) < np.where(group == "a", 0.7, 0.3)).astype(int)
    >>> curve = trade_off(y + 0.5 * rng.standard_normal(400), y, group, points=5)
    >>> bool((np.diff(curve.accuracies) >= 0).all()), curve.price > 0.1
    (True, True)
    """
    check_domain("trade_off's points", points, whole(2))
    options: dict[str, Any] = {"randomized": randomized, "favourable": favourable}
    free = group_thresholds(scores, y, groups, aim, tolerance=1.0, **options)
    tolerances = np.linspace(0.0, free.disparity, points)
    rules = [
        group_thresholds(scores, y, groups, aim, tolerance=float(each), **options)
        for each in tolerances[:-1]
    ]
    rules.append(free)
    # Candidates are thinned out, so a later rule may be missed that was had before.
    for place in range(1, len(rules)):
        if rules[place].accuracy < rules[place - 1].accuracy:
            rules[place] = rules[place - 1]
    if fresh is None:
        fresh, disparities = (scores, y, groups), [rule.disparity for rule in rules]
        accuracies = [rule.accuracy for rule in rules]
        right = [_right(rule, fresh, favourable) for rule in rules]
    else:
        right = [_right(rule, fresh, favourable) for rule in rules]
        accuracies = [float(each.mean()) for each in right]
        disparities = [_disparity(rule, fresh, favourable) for rule in rules]
    n = len(right[0])
    intervals = [clopper_pearson(round(a * n), n, confidence) for a in accuracies]
    low, high = _price(right[-1], right[0], confidence)
    return TradeOff(
        aim=aim,
        tolerances=tolerances,
        accuracies=np.array(accuracies),
        low=np.array([each.low for each in intervals]),
        high=np.array([each.high for each in intervals]),
        disparities=np.array(disparities),
        rules=tuple(rules),
        price_low=low,
        price_high=high,
        n=n,
    )


def _right(rule: GroupThresholds, rows: Any, favourable: Any) -> Mask:
    scores, y, groups = rows
    return np.asarray(rule.choose(scores, groups) == (np.asarray(y) == favourable))


def _disparity(rule: GroupThresholds, rows: Any, favourable: Any) -> float:
    scores, y, groups = rows
    chosen = rule.choose(scores, groups)
    counted = group_rates(chosen, groups, np.asarray(y) == favourable, favourable=True)
    gaps = [0.0]
    for name in AIMS[rule.aim]:
        known = [g.rates[name].value for g in counted if g.rates[name].n > 0]
        gaps.append(float(np.ptp(known)) if known else 0.0)
    return max(gaps)


def _price(free: Mask, fair: Mask, confidence: float) -> tuple[float, float]:
    """Return where the difference of two accuracies lies, on the same rows.

    Both shares of rows that only one rule decides rightly are bounded at half the risk.
    """
    each, n = (1 + confidence) / 2, len(free)
    lost = clopper_pearson(int(np.sum(free & ~fair)), n, each)
    won = clopper_pearson(int(np.sum(fair & ~free)), n, each)
    return lost.low - won.high, lost.high - won.low
