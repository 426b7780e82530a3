"""No free lunch: without assumptions all classifiers are alike on average."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from infimum.errors import DataError
from infimum.parameters import check_domain, whole
from infimum.typing import Mask, Matrix, Vector

__all__ = ["NoFreeLunch", "VersionSpace", "no_free_lunch", "version_space"]

_MOST = 10


@dataclass(frozen=True, eq=False)
class NoFreeLunch:
    """The risk of every classifier (rows) under every truth (columns) on m points.

    Attributes
    ----------
    functions : ndarray of shape (2ᵐ, m)
        Labels of all functions.
    table : ndarray of shape (2ᵐ, 2ᵐ)
        Share of the points on which two functions differ.
    """

    functions: Mask
    table: Matrix

    @property
    def counts(self) -> Matrix:
        """How often each row holds the values 0, 1/m, …, 1."""
        m = self.functions.shape[1]
        values = np.rint(self.table * m).astype(int)
        return np.array([np.bincount(row, minlength=m + 1) for row in values])

    def averages(self, truths: ArrayLike | None = None) -> Vector:
        """Return the mean risk of each classifier over the truths, or some of them."""
        kept = slice(None) if truths is None else np.asarray(truths)
        return np.asarray(self.table[:, kept].mean(axis=1))

    def consistent(self, labels: Mapping[int, int]) -> Mask:
        """Tell which functions have these labels at these positions."""
        wanted = np.array([labels[place] > 0 for place in labels], dtype=bool)
        return np.asarray(np.all(self.functions[:, list(labels)] == wanted, axis=1))


def no_free_lunch(m: int) -> NoFreeLunch:
    """Return the table of all risks on m equally likely points.

    Every row has the value k/m exactly C(m, k) times, so that all averages are 1/2.

    Examples
    --------
    >>> from infimum.theory import no_free_lunch
    >>> no_free_lunch(4).counts[0].tolist()
    [1, 4, 6, 4, 1]
    """
    check_domain("no_free_lunch's m", m, whole(1))
    if m > _MOST:
        raise DataError(
            f"no_free_lunch would compare 2^{m} functions in pairs; m is at most "
            f"{_MOST}."
        )
    codes = np.arange(2**m)
    functions = ((codes[:, None] >> np.arange(m)) & 1).astype(bool)
    table = np.mean(functions[:, None, :] != functions[None, :, :], axis=2)
    return NoFreeLunch(functions, table)


class VersionSpace(NamedTuple):
    """The functions that agree with the labels seen, and how they vote elsewhere.

    `functions` is their number, exact however large; `votes` has, by position, how
    many of them say +1 there.
    """

    functions: int
    votes: tuple[int, ...]


def version_space(
    labels: Mapping[int, int], *, m: int | None = None, table: ArrayLike | None = None
) -> VersionSpace:
    """Count the functions that remain after some labels were seen without noise.

    Parameters
    ----------
    labels : mapping
        Labels (-1 or 1, or 0 or 1) by position.
    m : int
        All functions on m points are possible.
    table : array-like of shape (functions, points)
        Only these functions are possible: an inductive bias.

    Examples
    --------
    Five of a hundred points are labelled; nothing is known about the others:

    >>> from infimum.theory import version_space
    >>> left = version_space({0: 1, 1: -1, 2: 1, 3: 1, 4: -1}, m=100)
    >>> left.functions == 2**95, left.votes[50] == 2**94
    (True, True)
    """
    if (m is None) == (table is None):
        raise DataError("version_space needs either m or a table of functions.")
    if table is not None:
        rows = np.asarray(table) > 0
        _check_places(labels, rows.shape[1])
        wanted = [labels[place] > 0 for place in labels]
        rows = rows[np.all(rows[:, list(labels)] == wanted, axis=1)]
        return VersionSpace(len(rows), tuple(int(each) for each in rows.sum(axis=0)))
    check_domain("version_space's m", m, whole(1))
    size = int(m or 0)
    _check_places(labels, size)
    count = 2 ** (size - len(labels))
    half = count // 2
    votes = (
        (count if labels[place] > 0 else 0) if place in labels else half
        for place in range(size)
    )
    return VersionSpace(count, tuple(votes))


def _check_places(labels: Mapping[int, int], m: int) -> None:
    if not all(0 <= place < m for place in labels):
        raise DataError(f"version_space knows the positions 0, …, {m - 1} only.")
