"""Word embeddings: analogies, and what a direction says about words."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from infimum.errors import DataError
from infimum.parameters import check_domain, whole
from infimum.typing import Vector

__all__ = ["analogy", "direction_scores"]


def analogy(
    embedding: Mapping[str, ArrayLike], a: str, b: str, c: str, *, count: int = 1
) -> list[tuple[str, float]]:
    """Answer "a is to b as c is to …?" by adding differences of word vectors.

    The words whose unit vectors are nearest, by cosine, to b - a + c; the three words
    themselves are no answer.

    Returns
    -------
    list of (word, cosine), the nearest first

    Examples
    --------
    >>> from infimum.fairness import analogy
    >>> towns = {
    ...     "France": [1, 0, 0], "England": [0, 1, 0],
    ...     "Paris": [1, 0, 1], "London": [0, 1, 1], "soup": [0.2, 0.2, -1],
    ... }
    >>> analogy(towns, "France", "Paris", "England")[0][0]
    'London'

    References
    ----------
    T. Bolukbasi et al. (2016), Man is to computer programmer as woman is to
    homemaker? NeurIPS.
    """
    check_domain("analogy's count", count, whole(1))
    words, units = _units(embedding)
    places = [_place(words, word) for word in (a, b, c)]
    first, second, third = units[places]
    target = second - first + third
    length = float(np.linalg.norm(target))
    cosines = units @ (target / length if length > 0 else target)
    cosines[places] = -np.inf
    most = min(count, len(words) - len(set(places)))
    nearest = np.argsort(-cosines, kind="stable")[:most]
    return [(words[place], float(cosines[place])) for place in nearest]


def direction_scores(
    embedding: Mapping[str, ArrayLike], first: str, second: str, words: Sequence[str]
) -> dict[str, float]:
    """Return where words lie between two words: cosines with their difference.

    Positive scores lean to `first`, such as "he", negative ones to `second`.

    Examples
    --------
    >>> from infimum.fairness import direction_scores
    >>> space = {"he": [1, 0], "she": [-1, 0], "nurse": [-1, 1], "surgeon": [1, 1]}
    >>> direction_scores(space, "he", "she", ["surgeon"])["surgeon"].__round__(3)
    0.707
    """
    known, units = _units(embedding)
    direction = units[_place(known, first)] - units[_place(known, second)]
    length = float(np.linalg.norm(direction))
    if length == 0:
        raise DataError(f"{first!r} and {second!r} have the same vector.")
    return {
        word: float(units[_place(known, word)] @ direction / length) for word in words
    }


def _units(embedding: Mapping[str, ArrayLike]) -> tuple[list[str], Any]:
    words = list(embedding)
    table = np.array([embedding[word] for word in words], dtype=np.float64)
    if table.ndim != 2 or not np.isfinite(table).all():  # noqa: PLR2004
        raise DataError("An embedding needs a vector of finite numbers for each word.")
    lengths: Vector = np.linalg.norm(table, axis=1, keepdims=True)
    return words, table / np.where(lengths > 0, lengths, 1.0)


def _place(words: list[str], word: str) -> int:
    try:
        return words.index(word)
    except ValueError:
        raise DataError(f"The embedding has no word {word!r}.") from None
