"""Strings as counts of their substrings, optionally with gaps."""

from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.parameters import Interval, check_domain, whole
from infimum.study.features.term_counts import TermCounts

__all__ = ["SubstringCounts"]


class SubstringCounts(TermCounts):
    r"""Strings described by how often each short string occurs in them.

    .. math:: Φ_u(s) = \sum_{i_1 < … < i_k,\; s[i] = u} λ^{(i_k - i_1 + 1) - k}

    over all positions that leave out at most `gaps` characters. With no gaps the
    inner product of two such vectors is the spectrum kernel.

    Parameters
    ----------
    length : int, default=3
        k, the number of characters of each substring.
    gaps : int, default=0
        How many characters may be skipped inside an occurrence.
    decay : float, default=1.0
        λ, the weight of an occurrence per skipped character; 1 counts all alike.
    min_df, max_df, max_features, binary, dtype
        As in :class:`~infimum.features.BagOfWords`.

    Attributes
    ----------
    vocabulary_ : dict
        Substring to column, in alphabetical order.

    Examples
    --------
    >>> counts = SubstringCounts(2, gaps=1).fit(["cat"])
    >>> counts.get_feature_names_out()
    array(['at', 'ca', 'ct'], dtype=object)
    """

    def __init__(
        self,
        length: int = 3,
        *,
        gaps: int = 0,
        decay: float = 1.0,
        min_df: float = 1,
        max_df: float = 1.0,
        max_features: int | None = None,
        binary: bool = False,
        dtype: Any = np.float64,
    ) -> None:
        self.length = length
        self.gaps = gaps
        self.decay = decay
        self.min_df = min_df
        self.max_df = max_df
        self.max_features = max_features
        self.binary = binary
        self.dtype = dtype

    def _check(self) -> None:
        super()._check()
        check_domain("SubstringCounts.length", self.length, whole(1))
        check_domain("SubstringCounts.gaps", self.gaps, whole(0))
        unit = Interval(0, 1, open_low=True)
        check_domain("SubstringCounts.decay", self.decay, unit)

    def count(self, thing: Any) -> Mapping[str, float]:
        """Return the substrings of one string with their weighted occurrences."""
        if not isinstance(thing, str):
            raise DataError(
                f"SubstringCounts expects strings, got {type(thing).__name__}."
            )
        k = self.length
        if self.gaps == 0 or k == 1:
            return Counter(thing[i : i + k] for i in range(len(thing) - k + 1))
        found: dict[str, float] = {}
        for start, first in enumerate(thing):
            window = range(start + 1, min(len(thing), start + k + self.gaps))
            for rest in combinations(window, k - 1):
                term = first + "".join(thing[i] for i in rest)
                weight = self.decay ** (rest[-1] - start + 1 - k)
                found[term] = found.get(term, 0.0) + weight
        return found
