"""All-substrings kernel: everything two strings have in common, in linear time."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.compiled.texts.suffix_automaton import match_substrings
from infimum.errors import InvalidParameterError
from infimum.kernels._cores import share
from infimum.kernels._kernel import Kernel
from infimum.kernels.strings._sequences import Codes, encode
from infimum.parameters import check_domain, nonnegative
from infimum.typing import Matrix, Vector

__all__ = ["AllSubstrings"]


@dataclass(frozen=True)
class AllSubstrings(Kernel):
    r"""Common substrings of all lengths, weighted by length.

    .. math:: k(x, z) = \sum_s w(|s|)\,\#(x, s)\,\#(z, s)

    There are about |x|² substrings, but a suffix automaton of x holds them all in
    2|x| states, and reading z through it finds the longest match at each position; the
    matches that are shorter add up to one number per state. So a pair costs time and
    memory :math:`O(|x| + |z|)`, whatever the weights.

    Parameters
    ----------
    weight : float or callable, default=1.0
        w: a function of the length that is not negative, or a number λ for
        :math:`w(l) = λ^l`.

    Examples
    --------
    >>> AllSubstrings()(["aab"], ["ab"])
    array([[4.]])
    >>> AllSubstrings(lambda length: float(length == 2))(["banana"], ["ananas"])
    array([[8.]])
    """

    weight: float | Callable[[int], float] = 1.0

    def __post_init__(self) -> None:
        if not callable(self.weight):
            check_domain("AllSubstrings.weight", self.weight, nonnegative)

    def __call__(self, X: Any, Z: Any = None) -> Matrix:
        things = list(X)
        n = len(things)
        codes, size = encode(things if Z is None else [*things, *Z], "AllSubstrings")
        rows, columns = codes[:n], (codes if Z is None else codes[n:])
        cumulative = self._cumulative(rows)
        texts, starts = _pack(columns)
        out = np.zeros((n, len(columns)))

        def match(i: int) -> None:
            stop = i + 1 if Z is None else len(columns)
            match_substrings(
                rows[i], size, cumulative, texts, starts[: stop + 1], out[i, :stop]
            )

        share(match, range(n))
        return out if Z is not None else np.asarray(out + np.tril(out, -1).T)

    def diagonal(self, X: Any) -> Vector:
        codes, size = encode(X, "AllSubstrings")
        cumulative, out = self._cumulative(codes), np.zeros(len(codes))
        for i, row in enumerate(codes):
            texts, starts = _pack([row])
            match_substrings(row, size, cumulative, texts, starts, out[i : i + 1])
        return out

    def _cumulative(self, texts: list[Codes]) -> Vector:
        longest = max(map(len, texts), default=0)
        lengths = np.arange(1, longest + 1)
        if callable(self.weight):
            weights = np.array([float(self.weight(int(k))) for k in lengths])
        else:
            weights = np.power(float(self.weight), lengths)
        if not np.all((weights >= 0) & np.isfinite(weights)):
            raise InvalidParameterError(
                "AllSubstrings.weight must be finite and not negative at every length "
                f"up to {longest}."
            )
        return np.concatenate([[0.0], np.cumsum(weights)])


def _pack(texts: list[Codes]) -> tuple[Codes, Codes]:
    starts = np.cumsum([0, *map(len, texts)])
    joined = np.concatenate(texts) if texts else np.zeros(0, dtype=np.int64)
    return joined, starts.astype(np.int64)
