"""Ways to hold rows back: folds, and a test set that opens once."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from infimum.errors import DataError
from infimum.parameters import check_domain, opened, whole
from infimum.typing import Indices

__all__ = ["SealedTestSet", "Split", "deal", "folds", "hold_out"]


class Split(NamedTuple):
    """Positions of the rows to learn from and of the rows held back."""

    train: Indices
    held_back: Indices


def folds(
    y: ArrayLike, n_folds: int = 5, seed: int = 0, *, stratified: bool = True
) -> Iterator[Split]:
    """Yield `n_folds` splits that hold every row back exactly once.

    Stratified folds share out each class (or, for a measured target, each stretch of
    its range) as evenly as whole rows allow, also classes rarer than the folds.
    """
    owner = deal(y, n_folds, seed, stratified=stratified)
    for fold in range(n_folds):
        held = owner == fold
        yield Split(np.flatnonzero(~held), np.flatnonzero(held))


def deal(
    y: ArrayLike, n_folds: int, seed: int = 0, *, stratified: bool = True
) -> Indices:
    """Return the fold of each row, dealt like cards after a shuffle."""
    labels = np.asarray(y)
    check_domain("The number of folds", n_folds, whole(2, max(2, len(labels))))
    generator = np.random.default_rng(seed)
    order = generator.permutation(len(labels))
    places = np.arange(len(labels)) % n_folds
    if stratified:
        order = order[np.argsort(labels[order], kind="stable")]
        if labels.dtype.kind == "f":
            _deal_anew(places, labels[order], n_folds, generator)
    owner = np.empty(len(labels), dtype=np.intp)
    owner[order] = places
    return owner


def hold_out(
    y: ArrayLike, fraction: float = 0.2, seed: int = 0, *, classes: bool = True
) -> Split:
    """Hold back a share of the rows, of every class alike.

    A class keeps at least one row for learning; a measured target (``classes=False``)
    is held back evenly over its range.
    """
    check_domain("The fraction held back", fraction, opened(0, 1))
    labels = np.asarray(y)
    generator = np.random.default_rng(seed)
    if classes:
        held = np.concatenate(
            [
                generator.permutation(rows)[: _held_of(len(rows), fraction)]
                for rows in _rows_by_class(labels)
            ]
        )
    else:
        held = _held_along_the_range(labels, fraction, generator)
    if len(held) == 0 or len(held) == len(labels):
        raise DataError(
            f"{len(labels)} rows are too few to hold {fraction:.0%} of them back; "
            "add rows."
        )
    mask = np.zeros(len(labels), dtype=bool)
    mask[held] = True
    return Split(np.flatnonzero(~mask), np.flatnonzero(mask))


class SealedTestSet:
    """Test rows that can be opened once, so that nothing is tuned on them.

    Examples
    --------
    >>> from infimum.evaluation import SealedTestSet
    >>> sealed = SealedTestSet(rows=[3, 1, 4])
    >>> sealed.open()["rows"]
    [3, 1, 4]
    """

    def __init__(self, **contents: Any) -> None:
        self._contents: dict[str, Any] | None = contents

    @property
    def opened(self) -> bool:
        """Whether the test set has been used."""
        return self._contents is None

    def open(self) -> dict[str, Any]:
        """Hand out the test rows, the first time; raise DataError after that."""
        if self._contents is None:
            raise DataError(
                "This test set has been used; a second look would bias the estimate, "
                "so collect new rows."
            )
        contents, self._contents = self._contents, None
        return contents


def _rows_by_class(labels: Any) -> list[Indices]:
    _, codes = np.unique(labels, return_inverse=True)
    return [np.flatnonzero(codes == code) for code in range(codes.max(initial=-1) + 1)]


def _held_of(count: int, fraction: float) -> int:
    return min(round(count * fraction), count - 1)


def _held_along_the_range(
    labels: Any, fraction: float, generator: np.random.Generator
) -> Indices:
    """Hold back one row, drawn at random, of each of many stretches of the range."""
    size = len(labels)
    count = round(fraction * size)
    if count == 0:
        return np.empty(0, dtype=np.intp)
    shuffled = generator.permutation(size)
    order = shuffled[np.argsort(labels[shuffled], kind="stable")]
    # Where stretches differ by a row, chance says which: hardly a row is favoured.
    lengths = generator.permutation(np.arange(count) < size % count) + size // count
    drawn = np.floor(generator.uniform(size=count) * lengths).astype(int)
    return np.asarray(order[np.cumsum(lengths) - lengths + drawn])


def _deal_anew(
    places: Indices, ordered: Any, n_folds: int, generator: np.random.Generator
) -> None:
    """Shuffle the folds within each stretch of as many rows as there are folds.

    Numbers that hardly repeat have one order only, which no shuffle before changes.
    Where a number repeats like a class it has been shuffled, and stays shared evenly.
    """
    _, codes, counts = np.unique(ordered, return_inverse=True, return_counts=True)
    starts = np.arange(0, len(places), n_folds)
    rare = np.logical_and.reduceat(counts[codes] < n_folds, starts)
    redrawn = np.repeat(rare, n_folds)[: len(places)]
    draws = generator.uniform(size=(len(starts), n_folds))
    places[redrawn] = np.argsort(draws, axis=1).ravel()[: len(places)][redrawn]
