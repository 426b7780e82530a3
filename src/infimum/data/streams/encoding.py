"""How columns become features: numbers as they are, a feature for each level."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import sparse

from infimum.errors import DataError
from infimum.typing import Indices, Matrix, Vector

__all__ = ["MOST_LEVELS", "Encoding", "Levels"]

#: A column of words may have so many levels.
MOST_LEVELS = 1000


class Levels:
    """The words of a column, numbered in the order of their first appearance."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.codes: dict[str | None, int] = {}

    def encode(self, series: pl.Series) -> Vector:
        """Return the number of each word."""
        for word in series.unique(maintain_order=True).to_list():
            if word not in self.codes:
                self.codes[word] = len(self.codes)
        if len(self.codes) > MOST_LEVELS:
            raise DataError(
                f"Column {self.name!r} has more than {MOST_LEVELS:,} different words: "
                f"leave it out by drop=[{self.name!r}]."
            )
        known = {word: float(code) for word, code in self.codes.items()}
        return series.replace_strict(known, return_dtype=pl.Float64).to_numpy()

    def sorted(self) -> list[str]:
        """Return the words in their order; what is missing comes last."""
        words = sorted(word for word in self.codes if word is not None)
        return words + ["(missing)"] * (None in self.codes)

    def ranks(self) -> Indices:
        """Return the place in that order of each number."""
        order = {word: k for k, word in enumerate(self.sorted())}
        return np.array([order[_shown(word)] for word in self.codes], dtype=np.intp)


def _shown(word: str | None) -> str:
    return "(missing)" if word is None else word


@dataclass
class Encoding:
    """Where each column of the spool goes among the features."""

    columns: list[str]
    #: Levels by the position of their column; the others are numbers.
    levels: dict[int, Levels] = field(default_factory=dict)
    #: What is subtracted from each feature; None where they are near the origin.
    shift: Vector | None = None
    #: What stands for missing numbers; None where there are none, or they stay.
    fill: Vector | None = None

    def __post_init__(self) -> None:
        self.arrange()

    def arrange(self) -> None:
        """Find the place of each feature; called again when all levels are known."""
        self.names: list[str] = []
        self.places: list[int] = []
        self.ranks: dict[int, Indices] = {}
        for k, name in enumerate(self.columns):
            self.places.append(len(self.names))
            if k not in self.levels:
                self.names.append(name)
                continue
            self.names += [f"{name}={word}" for word in self.levels[k].sorted()]
            self.ranks[k] = self.places[k] + self.levels[k].ranks()
        self.numbers = [k for k in range(len(self.columns)) if k not in self.levels]
        self.targets = [self.places[k] for k in self.numbers]

    @property
    def raw_width(self) -> int:
        """How many columns the spool has."""
        return len(self.columns)

    @property
    def width(self) -> int:
        """How many features there are."""
        return len(self.names)

    def decode(self, raw: Any, buffer: Callable[..., NDArray[Any]]) -> Any:
        """Return the features of some rows, in double precision."""
        if sparse.issparse(raw):
            return raw
        found = raw
        if self.levels:
            found = self._spread(raw, buffer)
        if self.fill is not None:
            np.copyto(found, self.fill, where=np.isnan(found))
        if self.shift is not None:
            found -= self.shift
        return found

    def _spread(self, raw: Matrix, buffer: Callable[..., NDArray[Any]]) -> Matrix:
        count = len(raw)
        flat = buffer("features", count * self.width, np.float64)
        found = flat.reshape(count, self.width)
        found[...] = 0.0
        found[:, self.targets] = raw[:, self.numbers]
        everyone = np.arange(count)
        for k, ranks in self.ranks.items():
            found[everyone, ranks[raw[:, k].astype(np.intp)]] = 1.0
        return found
