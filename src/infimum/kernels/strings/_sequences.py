"""Sequences as the loops see them: arrays of small whole numbers."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.errors import DataError

__all__ = ["accept_sequence", "encode"]

Codes = NDArray[np.int64]


def accept_sequence(thing: Any, owner: str) -> Any:
    """Admit a string, bytes, or a sequence of hashable symbols (made a tuple)."""
    if isinstance(thing, str | bytes):
        return thing
    if isinstance(thing, Sequence | np.ndarray):
        return tuple(thing)
    raise DataError(
        f"{owner} expects strings or other sequences of symbols, got "
        f"{type(thing).__name__}."
    )


def encode(things: Iterable[Any], owner: str) -> tuple[list[Codes], int]:
    """Give the symbols of all sequences one numbering; return codes and its size."""
    sequences = [accept_sequence(thing, owner) for thing in things]
    if sequences and all(isinstance(sequence, str) for sequence in sequences):
        sizes = [len(sequence) for sequence in sequences]
        joined = "".join(sequences).encode("utf-32-le", "surrogatepass")
        points = np.frombuffer(joined, dtype=np.uint32)
        alphabet, codes = np.unique(points, return_inverse=True)
        parts = np.split(codes.astype(np.int64), np.cumsum(sizes)[:-1])
        return parts, len(alphabet)
    known: dict[Hashable, int] = {}
    numbered = [
        np.array([known.setdefault(s, len(known)) for s in sequence], dtype=np.int64)
        for sequence in sequences
    ]
    return numbered, len(known)
