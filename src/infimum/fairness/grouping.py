"""Groups out of a sensitive column: few enough to compare, with names to read."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from infimum.errors import DataError
from infimum.parameters import check_domain, whole

__all__ = ["form_groups"]


def form_groups(values: ArrayLike, most: int = 5) -> NDArray[Any]:
    """Return the name of a group for each row of a sensitive column.

    Numbers with more than `most` different values are cut into that many ranges of
    about equally many rows; of other values the most frequent stay and the rest is
    "other". Missing values are a group of their own.

    Parameters
    ----------
    values : array-like of shape (n,)
    most : int, default=5
        The most groups, not counting the missing ones.

    Examples
    --------
    >>> from infimum.fairness import form_groups
    >>> form_groups([20, 30, 40, 50, None, 60], most=2).tolist()
    ['20 to 40', '20 to 40', '20 to 40', '50 to 60', 'missing', '50 to 60']
    >>> form_groups(["a", "b", "a", "c", "b", "a"], most=2).tolist()
    ['a', 'other', 'a', 'other', 'other', 'a']
    """
    check_domain("form_groups' most", most, whole(2))
    given = np.asarray(values, dtype=object)
    if given.ndim != 1 or len(given) == 0:
        raise DataError(f"form_groups needs one value a row, got shape {given.shape}.")
    known = np.array([value is not None and value == value for value in given])  # noqa: PLR0124
    names = np.full(len(given), "missing", dtype=object)
    kept = given[known]
    distinct = set(kept.tolist())
    if len(distinct) > most and all(_is_number(value) for value in distinct):
        names[known] = _ranges(kept.astype(np.float64), most)
    else:
        names[known] = _frequent([_name(value) for value in kept], most)
    return names.astype(str)


def _ranges(numbers: NDArray[np.float64], most: int) -> list[str]:
    cuts = np.unique(np.quantile(numbers, np.linspace(0, 1, most + 1)[1:-1]))
    owner = np.searchsorted(cuts, numbers, side="left")
    ends = {
        part: f"{numbers[owner == part].min():g} to {numbers[owner == part].max():g}"
        for part in np.unique(owner).tolist()
    }
    return [ends[part] for part in owner.tolist()]


def _frequent(names: list[str], most: int) -> list[str]:
    labels, counts = np.unique(np.array(names, dtype=str), return_counts=True)
    if len(labels) <= most:
        return names
    order = np.argsort(-counts, kind="stable")[: most - 1]
    kept = set(labels[order].tolist())
    return [name if name in kept else "other" for name in names]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


def _name(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
