"""Occurrences of one string in another, contiguous or with gaps."""

from collections.abc import Sequence
from typing import Any

from infimum.compiled.texts.subsequences import match_subsequences
from infimum.kernels.strings._sequences import accept_sequence, encode
from infimum.parameters import Interval, check_domain

__all__ = ["is_subsequence", "is_substring", "occurrence_weight"]


def is_subsequence(pattern: Sequence[Any], text: Sequence[Any]) -> bool:
    """Tell whether `pattern` can be read in `text` in order, gaps allowed.

    Examples
    --------
    >>> is_subsequence("abc", "adbc"), is_subsequence("acb", "adbc")
    (True, False)
    """
    rest = iter(text)
    return all(symbol in rest for symbol in pattern)


def is_substring(pattern: Sequence[Any], text: Sequence[Any]) -> bool:
    """Tell whether `pattern` can be read in `text` without gaps.

    Examples
    --------
    >>> is_substring("adb", "adbc"), is_substring("adc", "adbc")
    (True, False)
    """
    inner = accept_sequence(pattern, "is_substring")
    outer = accept_sequence(text, "is_substring")
    size = len(inner)
    return any(outer[i : i + size] == inner for i in range(len(outer) - size + 1))


def occurrence_weight(
    pattern: Sequence[Any], text: Sequence[Any], decay: float = 1.0
) -> float:
    r"""Return :math:`\sum_{I:\, \text{text}[I] = \text{pattern}} λ^{i_k - i_1 + 1}`.

    With `decay` λ = 1 it is the number of ways to read the pattern in the text.

    Examples
    --------
    >>> occurrence_weight("abc", "abcebc"), occurrence_weight("abc", "abcebc", 0.5)
    (3.0, 0.15625)
    """
    check_domain("occurrence_weight: decay", decay, Interval(0, 1, open_low=True))
    if len(pattern) == 0:
        return 1.0
    (inner, outer), _ = encode([pattern, text], "occurrence_weight")
    # A common subsequence as long as the pattern is the pattern, which spans itself.
    both = match_subsequences(inner, outer, len(inner), float(decay))[-1]
    return float(both / decay ** len(inner))
