"""How likely a game's outcome is, by the difference of its two scores."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from scipy.special import log_ndtr, xlogy

from infimum.typing import Vector

__all__ = ["Davidson", "Family", "Logistic", "Probit", "RaoKupper"]


#: Pairs worked on at a time; they stay in the cache of a core.
BLOCK = 16384


def _blocks(n: int) -> list[slice]:
    return [slice(low, low + BLOCK) for low in range(0, n, BLOCK)]


class Family(Protocol):
    """A convex function of linear forms d: minus the log-likelihood of some games."""

    def value(self, d: Vector) -> float:
        """Return minus the log-likelihood."""

    def expand(self, d: Vector) -> tuple[float, Vector, Vector]:
        """Return the value, and first and second derivatives in each form."""

    def dual(self, d: Vector, s: Vector) -> float:
        """Return -Σ f*(s) for slopes s near those at d; -∞ outside the domain."""

    def room(self, d: Vector, s: Vector, bend: Vector) -> tuple[Vector, Vector]:
        """Return how far each slope may move, and how steep f* is at most there."""


@dataclass(frozen=True, eq=False)
class Logistic:
    """Left wins with probability 1/(1 + e⁻ᵈ)."""

    wins: Vector
    losses: Vector

    @cached_property
    def games(self) -> Vector:
        """The number of games of each pair."""
        return np.asarray(self.wins + self.losses)

    def value(self, d: Vector) -> float:
        return self.expand(d)[0]

    def expand(self, d: Vector) -> tuple[float, Vector, Vector]:
        first, second = np.empty(len(d)), np.empty(len(d))
        # games · log(1 + eᵈ) - wins · d, block by block.
        value = -float(self.wins @ d)
        for rows in _blocks(len(d)):
            part, games = d[rows], self.games[rows]
            small = np.abs(part)
            np.exp(np.negative(small, out=small), out=small)
            share = 1.0 + small
            value += float(games @ (_log_of(share, small) + np.maximum(part, 0.0)))
            np.divide(1.0, share, out=share)
            rest = small * share
            np.multiply(games, share, out=second[rows])
            second[rows] *= rest
            chance = np.where(part >= 0, share, rest)
            np.multiply(games, chance, out=first[rows])
            first[rows] -= self.wins[rows]
        return value, first, second

    def dual(self, d: Vector, s: Vector) -> float:
        # Shares, whose logarithms have one sign: nothing cancels.
        least, value = np.finfo(np.float64).tiny, 0.0
        for rows in _blocks(len(d)):
            total = self.games[rows]
            won = self.wins[rows] + s[rows]
            lost = total - won
            if won.min() < 0 or lost.min() < 0:
                return -np.inf
            total = np.maximum(total, 1e-300)
            for each in (won, lost):
                value -= float(each @ np.log(np.maximum(each / total, least)))
        return value

    def room(self, d: Vector, s: Vector, bend: Vector) -> tuple[Vector, Vector]:
        """Go half of the way to a share of 0, so that logarithms fall by log 2."""
        total, won = self.games, self.wins + s
        room = np.maximum(0.5 * np.minimum(won, total - won), 0.0)
        return room, _steepest(room, total)


def _log_of(sum_: Vector, x: Vector) -> Vector:
    """Return log(1 + x) to the last digits, x in [0, 1], where `sum_` is 1 + x."""
    lost = sum_ - 1.0
    np.subtract(x, lost, out=lost)
    lost /= sum_
    lost += np.log(sum_)
    return lost


@dataclass(frozen=True, eq=False)
class Probit:
    """Left wins with probability Φ(d)."""

    wins: Vector
    losses: Vector

    def value(self, d: Vector) -> float:
        return float(-self.wins @ log_ndtr(d) - self.losses @ log_ndtr(-d))

    def expand(self, d: Vector) -> tuple[float, Vector, Vector]:
        up, down = _mills(d), _mills(-d)
        bend = self.wins * up * (up + d) + self.losses * down * (down - d)
        return self.value(d), self.losses * down - self.wins * up, bend

    def attained(self, d: Vector, s: Vector) -> Vector:
        """Return forms near d whose slopes are about s."""
        for _ in range(6):
            _, slope, bend = self.expand(d)
            step = np.divide(s - slope, bend, out=np.zeros_like(d), where=bend > 0)
            d = d + np.clip(step, -1.0, 1.0)
        return d

    def dual(self, d: Vector, s: Vector) -> float:
        """Return -Σ f*(s) for the slopes s at d."""
        return float(self.value(d) - s @ d)

    def room(self, d: Vector, s: Vector, bend: Vector) -> tuple[Vector, Vector]:
        """Go as far as moves d by 1 at most: densities fall by no more on the way."""
        return bend * np.exp(-np.abs(d) - 1.0), np.abs(d) + 1.0


def _steepest(room: Vector, total: Vector) -> Vector:
    """Return 1 - log of the least shares: more than differences of logarithms are."""
    return np.asarray(
        1.0 - np.log(np.maximum(room, 1e-300) / np.maximum(total, 1e-300))
    )


def _mills(d: Vector) -> Vector:
    """Return φ(d)/Φ(d), also far below 0."""
    logs = -0.5 * d**2 - 0.5 * np.log(2.0 * np.pi) - log_ndtr(d)
    return np.asarray(np.exp(logs))


@dataclass(frozen=True, eq=False)
class RaoKupper:
    """Ties within a threshold η: logistic in d - η and d + η, and η itself.

    Forms come as (d - η of each pair, d + η of each pair, η).
    """

    wins: Vector
    losses: Vector
    ties: Vector

    def _games(self) -> Logistic:
        none = np.zeros(len(self.wins))
        up = np.concatenate([self.wins + self.ties, none])
        down = np.concatenate([none, self.losses + self.ties])
        return Logistic(up, down)

    def value(self, d: Vector) -> float:
        if d[-1] <= 0:
            return np.inf
        tied = float(self.ties.sum()) * float(np.log(np.expm1(2.0 * d[-1])))
        return self._games().value(d[:-1]) - tied

    def expand(self, d: Vector) -> tuple[float, Vector, Vector]:
        if d[-1] <= 0:
            return np.inf, np.zeros(len(d)), np.zeros(len(d))
        _, first, second = self._games().expand(d[:-1])
        total, grown = float(self.ties.sum()), -np.expm1(-2.0 * d[-1])
        slope = -2.0 * total / grown
        bend = 4.0 * total * (1.0 - grown) / grown**2
        return self.value(d), np.append(first, slope), np.append(second, bend)

    def dual(self, d: Vector, s: Vector) -> float:
        total, slope = float(self.ties.sum()), float(s[-1])
        if slope >= -2.0 * total:
            return -np.inf
        ratio = slope / (slope + 2.0 * total)
        conjugate = 0.5 * slope * np.log(ratio) + total * np.log(ratio - 1.0)
        return self._games().dual(d[:-1], s[:-1]) - float(conjugate)

    def room(self, d: Vector, s: Vector, bend: Vector) -> tuple[Vector, Vector]:
        """Go as far as moves the threshold by half of itself, and of 1, at most."""
        room, steepest = self._games().room(d[:-1], s[:-1], bend[:-1])
        total = float(self.ties.sum())
        grown = -2.0 * total / float(s[-1])
        eta = -0.5 * float(np.log1p(-min(grown, 1.0 - 1e-16)))
        curved = 4.0 * total * (1.0 - grown) / grown**2
        last = max(0.08 * curved * min(eta, 1.0), 0.0)
        return np.append(room, last), np.append(steepest, eta + 1.0)


@dataclass(frozen=True, eq=False)
class Davidson:
    """Ties of weight ν √(πᵢπⱼ): three outcomes by d/2, -d/2 and log ν.

    Forms come as (d of each pair, log ν of each pair); the second derivative across
    the two is in `cross`.
    """

    wins: Vector
    losses: Vector
    ties: Vector

    def shares(self, d: Vector) -> tuple[Vector, Vector, Vector]:
        """Return the probabilities of a win, a loss and a tie."""
        half, tie = 0.5 * d[: len(self.wins)], d[len(self.wins) :]
        top = np.maximum(np.abs(half), tie)
        won, lost, tied = np.exp(half - top), np.exp(-half - top), np.exp(tie - top)
        total = won + lost + tied
        return won / total, lost / total, tied / total

    def value(self, d: Vector) -> float:
        half, tie = 0.5 * d[: len(self.wins)], d[len(self.wins) :]
        top = np.logaddexp(np.logaddexp(half, -half), tie)
        total = self.wins + self.losses + self.ties
        told = (self.wins - self.losses) * half + self.ties * tie
        return float((total * top - told).sum())

    def expand(self, d: Vector) -> tuple[float, Vector, Vector]:
        won, lost, tied = self.shares(d)
        total = self.wins + self.losses + self.ties
        across = 0.5 * (total * (won - lost) - (self.wins - self.losses))
        own = 0.25 * total * (won + lost - (won - lost) ** 2)
        ties = total * tied - self.ties
        bends = np.append(own, total * tied * (1.0 - tied))
        return self.value(d), np.append(across, ties), bends

    def cross(self, d: Vector) -> Vector:
        """Return the mixed second derivatives."""
        won, lost, tied = self.shares(d)
        total = self.wins + self.losses + self.ties
        return np.asarray(-0.5 * total * tied * (won - lost))

    def dual(self, d: Vector, s: Vector) -> float:
        m = len(self.wins)
        total = self.wins + self.losses + self.ties
        tied = s[m:] + self.ties
        ahead = 2.0 * s[:m] + self.wins - self.losses
        won, lost = 0.5 * (total - tied + ahead), 0.5 * (total - tied - ahead)
        if min(won.min(), lost.min(), tied.min()) < 0:
            return -np.inf
        total = np.maximum(total, 1e-300)
        parts = [xlogy(each, each / total) for each in (won, lost, tied)]
        return float(-np.sum(parts))

    def room(self, d: Vector, s: Vector, bend: Vector) -> tuple[Vector, Vector]:
        """Go a quarter of the way to a share of 0, with each of two slopes."""
        m = len(self.wins)
        total = self.wins + self.losses + self.ties
        tied = s[m:] + self.ties
        ahead = 2.0 * s[:m] + self.wins - self.losses
        rest = total - tied
        least = np.minimum(np.minimum(rest + ahead, rest - ahead) / 2.0, tied)
        room = np.maximum(0.25 * least, 0.0)
        return np.tile(room, 2), np.tile(2.0 * _steepest(room, total), 2)
