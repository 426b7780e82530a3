"""A linear congruential generator, and whether it visits every number."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from infimum.parameters import check_domains, whole
from infimum.typing import Vector

__all__ = ["Congruential"]


@dataclass(frozen=True)
class Congruential:
    """The generator x ← (a·x + b) mod c; for study, not for use.

    Its low bits repeat soon and its points lie on few planes: draw with NumPy's
    generators instead.

    Examples
    --------
    >>> Congruential().integers(4, seed=0)
    [12345, 3554416254, 2802067423, 3596950572]
    >>> Congruential().has_full_period()
    True
    """

    multiplier: int = field(default=1103515245, metadata={"domain": whole(0)})
    increment: int = field(default=12345, metadata={"domain": whole(0)})
    modulus: int = field(default=2**32, metadata={"domain": whole(1)})

    def __post_init__(self) -> None:
        check_domains(self)

    def integers(self, n: int, seed: int = 0) -> list[int]:
        """Return the n numbers after the seed."""
        out, x = [], int(seed)
        for _ in range(n):
            x = (self.multiplier * x + self.increment) % self.modulus
            out.append(x)
        return out

    def uniforms(self, n: int, seed: int = 0) -> Vector:
        """Return numbers of [0, 1)."""
        return np.array(self.integers(n, seed)) / float(self.modulus)

    def has_full_period(self) -> bool:
        """Tell whether every number below the modulus comes, by Hull and Dobell.

        The increment must be coprime to the modulus, and the multiplier minus 1
        divisible by every prime factor of the modulus, and by 4 if the modulus is.
        """
        before = self.multiplier - 1
        coprime = math.gcd(self.increment, self.modulus) == 1
        primes = all(before % prime == 0 for prime in _prime_factors(self.modulus))
        return coprime and primes and (self.modulus % 4 != 0 or before % 4 == 0)

    def period(self, seed: int = 0) -> int:
        """Return after how many steps the numbers repeat, by going round."""
        known: dict[int, int] = {}
        x = int(seed) % self.modulus
        while x not in known:
            known[x] = len(known)
            x = (self.multiplier * x + self.increment) % self.modulus
        return len(known) - known[x]


def _prime_factors(number: int) -> set[int]:
    found, factor = set(), 2
    while factor * factor <= number:
        while number % factor == 0:
            found.add(factor)
            number //= factor
        factor += 1
    return found | ({number} if number > 1 else set())
