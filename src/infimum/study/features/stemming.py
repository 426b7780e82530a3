"""Word endings taken off: horses and horse, moved and moving become one term."""

import re
from functools import lru_cache

__all__ = ["stem"]

_VOWEL = re.compile(r"[aeiou]|(?<=[^aeiou])y")
_SHORT = re.compile(r"^[^aeiou]*[aeiouy][^aeiouwxy]$")
_DOUBLE = re.compile(r"([^aeiouylsz])\1$")
_SHORTEST = 3


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return an English word without its plural, past or continuous ending.

    Inflections only (the first step of Porter's method, with readable results):
    derived words such as "relation" and "relational" stay apart.

    Examples
    --------
    >>> [stem(word) for word in ("shoes", "moved", "ponies", "hopping", "red")]
    ['shoe', 'move', 'pony', 'hop', 'red']

    References
    ----------
    M. F. Porter, An algorithm for suffix stripping, Program 14(3), 1980.
    """
    word = word.lower()
    if len(word) <= _SHORTEST or not word.isascii():
        return word
    return _without_past(_without_plural(word))


def _without_plural(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith("ies"):
        return word[:-3] + ("y" if len(word) > len("dies") else "ie")
    if word.endswith(("ches", "shes", "xes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1].removesuffix("'")
    return word


def _without_past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _VOWEL.search(word[:-3]) else word
    if word.endswith("ied"):
        return word[:-3] + ("y" if len(word) > len("died") else "ie")
    for ending in ("ed", "ing"):
        root = word.removesuffix(ending)
        if root != word and _VOWEL.search(root):
            return _repaired(root)
    return word


def _repaired(root: str) -> str:
    if root.endswith(("at", "bl", "iz", "v")):
        return root + "e"
    if _DOUBLE.search(root):
        return root[:-1]
    return root + "e" if _SHORT.match(root) else root
