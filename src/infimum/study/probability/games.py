"""Small games of chance as finite spaces."""

from fractions import Fraction
from typing import Any

from infimum.study.probability.finite_space import FiniteSpace

__all__ = ["matching_coins", "monty_hall"]


def monty_hall(doors: int = 3) -> FiniteSpace:
    """Return the game with a prize behind one door: outcomes (prize, choice, opened).

    The host opens a door that is neither chosen nor hides the prize, at random.

    Examples
    --------
    >>> game = monty_hall()
    >>> game.probability(lambda w: w[0] == w[1])
    Fraction(1, 3)
    """
    weights: dict[Any, Fraction] = {}
    for prize in range(doors):
        for choice in range(doors):
            free = [k for k in range(doors) if k not in (prize, choice)]
            for opened in free:
                weights[prize, choice, opened] = Fraction(1, doors**2 * len(free))
    return FiniteSpace(weights)


def matching_coins(p: Fraction, q: Fraction) -> FiniteSpace:
    """Return two coins that show heads with probabilities p and q.

    Examples
    --------
    >>> coins = matching_coins(Fraction(1, 2), Fraction(9, 10))
    >>> coins.probability(lambda w: w[0] == w[1])
    Fraction(1, 2)
    """
    first = FiniteSpace({1: p, 0: 1 - Fraction(p)})
    return first * FiniteSpace({1: q, 0: 1 - Fraction(q)})
