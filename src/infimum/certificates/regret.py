"""Regret: what a learner on a stream paid beyond the best comparator, and the bound."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from infimum.errors import DataError
from infimum.parameters import (
    Interval,
    check_domain,
    nonnegative,
    opened,
    positive,
    whole,
)

__all__ = [
    "Regret",
    "budget_perceptron_bound",
    "convex_regret_bound",
    "halving_bound",
    "hedge_bound",
    "mirror_regret_bound",
    "passive_aggressive_bound",
    "perceptron_bound",
    "strongly_convex_regret_bound",
    "weighted_majority_bound",
    "winnow_bound",
]

_LEAST_BUDGET = 83


@dataclass(frozen=True)
class Regret:
    """What was paid, what the best comparator pays, and the most that theory allows.

    Attributes
    ----------
    incurred : float
        Total loss, or mistakes, of the learner on the rows as they came.
    comparator : float
        The same for the best fixed choice in hindsight.
    bound : float
        The most that the difference can be, if the assumptions hold.

    Examples
    --------
    >>> proof = Regret(incurred=12.0, comparator=9.0, bound=4.5)
    >>> proof.regret, proof.holds
    (3.0, True)
    """

    incurred: float
    comparator: float
    bound: float

    @property
    def regret(self) -> float:
        """What the learner paid beyond the comparator; it can be negative."""
        return self.incurred - self.comparator

    @property
    def holds(self) -> bool:
        """Whether the regret is within the bound, up to rounding."""
        rounding = 1e-9 * (1.0 + abs(self.incurred) + abs(self.comparator))
        return self.regret <= self.bound + rounding

    def __str__(self) -> str:
        verdict = "within" if self.holds else "NOT within"
        return (
            f"paid {self.incurred:.6g}, best comparator {self.comparator:.6g}: regret "
            f"{self.regret:.6g}, {verdict} the bound {self.bound:.6g}"
        )


def mirror_regret_bound(
    diameter: float,
    slope: float,
    steps: ArrayLike,
    *,
    modulus: float = 1.0,
    strength: float = 0.0,
) -> float:
    r"""Bound the regret of mirror descent with steps η₁ ≥ η₂ ≥ ….

    .. math:: F \Bigl(\frac 1{η_T} - Tλ\Bigr) + \frac{L²}{2σ} \sum_t η_t

    for losses λ-strongly convex relative to the mirror (`strength`), a mirror
    σ-strongly convex in the norm (`modulus`), subgradients no longer than L (`slope`)
    in the dual norm, and a set of Bregman diameter F.

    Examples
    --------
    >>> mirror_regret_bound(2.0, 1.0, [0.5, 0.5])
    4.5
    """
    eta = np.asarray(steps, dtype=np.float64)
    check_domain("mirror_regret_bound diameter", diameter, nonnegative)
    check_domain("mirror_regret_bound modulus", modulus, positive)
    if not (eta > 0).all() or (np.diff(1.0 / eta) < strength - 1e-12).any():
        raise DataError(
            "mirror_regret_bound needs positive steps whose inverses grow by the "
            "strength or more from each to the next."
        )
    if 1.0 / eta[0] < strength - 1e-12:
        raise DataError("mirror_regret_bound needs a first step of 1/strength or less.")
    first = diameter * (1.0 / eta[-1] - len(eta) * strength)
    return float(first + slope**2 / (2.0 * modulus) * eta.sum())


def strongly_convex_regret_bound(
    slope: float, strength: float, rounds: int, *, modulus: float = 1.0
) -> float:
    r"""Return :math:`\frac{L²}{2σλ}(1 + \log T)`, for steps of 1/(λt).

    Examples
    --------
    >>> strongly_convex_regret_bound(1.0, 0.5, 1)
    1.0
    """
    check_domain("strongly_convex_regret_bound strength", strength, positive)
    check_domain("strongly_convex_regret_bound rounds", rounds, whole(1))
    return slope**2 / (2.0 * modulus * strength) * (1.0 + math.log(rounds))


def convex_regret_bound(
    diameter: float, slope: float, rounds: int, *, modulus: float = 1.0
) -> float:
    r"""Return :math:`(F + L²/σ)\sqrt T`, for convex losses and steps of 1/√t.

    Examples
    --------
    >>> convex_regret_bound(2.0, 1.0, 100)
    30.0
    """
    check_domain("convex_regret_bound rounds", rounds, whole(1))
    return (diameter + slope**2 / modulus) * math.sqrt(rounds)


def halving_bound(experts: int) -> int:
    """Return ⌊log₂ N⌋: mistakes of a majority when one of N experts never errs.

    Examples
    --------
    >>> halving_bound(1024), halving_bound(1000)
    (10, 9)
    """
    check_domain("halving_bound experts", experts, whole(1))
    return int(experts).bit_length() - 1


def weighted_majority_bound(
    experts: int, best: float, factor: float, *, randomized: bool = False
) -> float:
    r"""Bound the mistakes of a weighted majority that multiplies wrong votes by β.

    .. math:: \frac{m \ln(1/β) + \ln N}{\ln(2/(1 + β))}, \qquad
              \frac{m \ln(1/β) + \ln N}{1 - β} \text{ expected, randomised}

    where m is the number of mistakes of the best of N experts.

    Examples
    --------
    >>> round(weighted_majority_bound(16, 0, 0.5), 2)
    9.64
    >>> round(weighted_majority_bound(16, 0, 0.5, randomized=True), 2)
    5.55
    """
    check_domain("weighted_majority_bound experts", experts, whole(1))
    check_domain("weighted_majority_bound best", best, nonnegative)
    check_domain("weighted_majority_bound factor", factor, opened(0, 1))
    paid = best * math.log(1.0 / factor) + math.log(experts)
    return paid / (1.0 - factor if randomized else math.log(2.0 / (1.0 + factor)))


def hedge_bound(experts: int, rounds: int, rate: float) -> float:
    r"""Return :math:`\ln N/η + ηT/8`: the regret of Hedge on losses within [0, 1].

    Examples
    --------
    >>> round(hedge_bound(10, 100, 0.4), 2)
    10.76
    """
    check_domain("hedge_bound experts", experts, whole(1))
    check_domain("hedge_bound rounds", rounds, whole(0))
    check_domain("hedge_bound rate", rate, positive)
    return math.log(experts) / rate + rate * rounds / 8.0


def perceptron_bound(radius: float, length: float, hinge: float = 0.0) -> float:
    r"""Return :math:`\bigl(R‖u‖ + \sqrt{\sum_t ℓ_t(u)}\bigr)²`, on any rows.

    The most mistakes of a perceptron on rows no longer than R, against any comparator
    u with that total hinge loss; append a 1 to the rows for an intercept. Without hinge
    loss, at u = w/γ, it is Novikoff's :math:`R²/γ²`.

    Examples
    --------
    >>> perceptron_bound(radius=2.0, length=2.0)
    16.0
    """
    check_domain("perceptron_bound radius", radius, nonnegative)
    check_domain("perceptron_bound hinge", hinge, nonnegative)
    return (radius * length + math.sqrt(hinge)) ** 2


def budget_perceptron_bound(budget: int, length: float, hinge: float = 0.0) -> float:
    r"""Return a bound on the mistakes of a perceptron that remembers few of them.

    .. math:: 2‖g‖^2 + 4 \sum_t \max(0, 1 - y_t g(x_t)) \quad\text{for}\quad
              ‖g‖ ≤ \tfrac14 \sqrt{(B + 1)/\ln(B + 1)}

    against any function g of that `length` whose hinge losses on the rows met sum to
    `hinge`, when k(x, x) ≤ 1; infinite for longer ones, or budgets B below 83, of which
    nothing is known (Dekel, Shalev-Shwartz and Singer 2008).

    Examples
    --------
    >>> budget_perceptron_bound(100, 1.0, 2.5), budget_perceptron_bound(100, 2.0)
    (12.0, inf)
    """
    check_domain("budget_perceptron_bound budget", budget, whole(1))
    check_domain("budget_perceptron_bound length", length, nonnegative)
    check_domain("budget_perceptron_bound hinge", hinge, nonnegative)
    longest = 0.25 * math.sqrt((budget + 1) / math.log(budget + 1))
    if budget < _LEAST_BUDGET or length > longest:
        return math.inf
    return 2.0 * length**2 + 4.0 * hinge


def passive_aggressive_bound(
    radius: float, length: float, C: float, hinge: float = 0.0
) -> float:
    r"""Return :math:`\max(R², 1/C)\,(‖u‖² + 2C\sum_t ℓ_t(u))`: mistakes of PA-I.

    Examples
    --------
    >>> passive_aggressive_bound(radius=1.0, length=2.0, C=0.5)
    8.0
    """
    check_domain("passive_aggressive_bound C", C, positive)
    return max(radius**2, 1.0 / C) * (length**2 + 2.0 * C * hinge)


def winnow_bound(features: int, relevant: int, factor: float = 2.0) -> float:
    r"""Return :math:`(1 + α)\,k\,(\log_α d + 1) + α/(α - 1)`: mistakes of Winnow.

    On any rows of d features 0 and 1 whose label is a disjunction of k of them, with
    weights that start at 1, the threshold d and the factor α: each relevant weight is
    promoted at most :math:`\log_α d + 1` times and never demoted, and every demotion
    takes from the sum of weights what promotions, and the start, have put there.

    Examples
    --------
    >>> winnow_bound(1024, 3)
    101.0
    """
    check_domain("winnow_bound features", features, whole(1))
    check_domain("winnow_bound relevant", relevant, whole(0))
    check_domain("winnow_bound factor", factor, Interval(1, math.inf, open_low=True))
    promotions = relevant * (math.log(features, factor) + 1.0)
    return (1.0 + factor) * promotions + factor / (factor - 1.0)
