"""Suspect columns and rows: leaks, repeats and useless columns."""

import re
from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from infimum.data.column import Column, ColumnKind
from infimum.data.redundant_columns import MOST_COLUMNS, find_redundant
from infimum.data.single_columns import Judge
from infimum.data.spelling import quoted
from infimum.data.table import Table

__all__ = ["Suspect", "find_suspects", "repeated_across"]

#: A column that saves so much of the error alone gives the target away: a share of
#: wrong classes, or of squared error.
_GIVEAWAY = {True: 0.98, False: 0.99}
#: From here on a column tells something about the target.
_TELLING = 0.2
#: Fewer rows than this prove nothing, more are sampled.
_FEWEST, _MOST = 50, 20_000
_NEARLY_ALL, _MANY_GAPS = 0.995, 0.5
_RARE_CLASS = 0.01
_PIECES = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


@dataclass(frozen=True)
class Suspect:
    """Something about a table that deserves a second look.

    Attributes
    ----------
    kind : str
        "giveaway", "named after the target", "order", "twin", "identifier",
        "constant", "nearly constant", "missing", "rare class" or "repeated rows".
    columns : tuple of str
        The columns it is about; none for rows.
    sentence : str
        What was found and what to do about it.
    value : float, optional
        The number behind it, a share between 0 and 1.
    """

    kind: str
    columns: tuple[str, ...]
    sentence: str
    value: float | None = None

    def to_plain(self) -> dict[str, Any]:
        """Return the finding as plain data."""
        return {**asdict(self), "columns": list(self.columns)}


def find_suspects(
    table: Table,
    target: str,
    values: NDArray[Any],
    *,
    classes: bool,
    columns: Collection[str] | None = None,
    seed: int = 0,
) -> tuple[Suspect, ...]:
    """Return what is suspicious about the columns, leaks first.

    Parameters
    ----------
    table : Table
        The rows that have a target.
    target : str
        The column to predict.
    values : ndarray
        Its values: labels if `classes`, else numbers.
    classes : bool
        Whether the target names classes.
    columns : collection of str, optional
        The columns that are to be learned from; all others by default.
    seed : int
        Large tables are sampled, and folds are drawn.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.data import find_suspects, read_table
    >>> size = np.random.default_rng(0).normal(size=100)
    >>> table = read_table({"size": size, "size_cm": size * 2.54})
    >>> suspect, = find_suspects(table, "size", size, classes=False)
    >>> suspect.kind, suspect.columns, round(suspect.value, 6)
    ('giveaway', ('size_cm',), 1.0)
    """
    chosen = None if columns is None else {*columns}
    judged = [
        column
        for column in table.columns
        if column.name != target and (chosen is None or column.name in chosen)
    ]
    found = [
        *_leaks(table, target, values, judged, classes=classes, seed=seed),
        *_twins(table, judged, seed),
        *(each for column in judged for each in _plain(column, table)),
        *(_rare_classes(target, values) if classes else ()),
    ]
    return tuple(found)


def repeated_across(train: pl.DataFrame, test: pl.DataFrame) -> Suspect | None:
    """Return how many test rows are copies of training rows, None if none is."""
    known = train.hash_rows(seed=0).unique()
    copies = int(test.hash_rows(seed=0).is_in(known.implode()).sum())
    if not copies:
        return None
    share = copies / test.height
    return Suspect(
        "repeated rows",
        (),
        f"{copies} of {test.height} test rows ({_percent(share)}) are copies of "
        "training rows; if they are the same cases, the test flatters the model.",
        share,
    )


def _percent(share: float) -> str:
    """Write a share so that a small one is not 0 %."""
    return f"{100 * share:.0f} %" if share >= 0.01 else f"{100 * share:.1g} %"


def _leaks(
    table: Table,
    target: str,
    values: NDArray[Any],
    judged: list[Column],
    *,
    classes: bool,
    seed: int,
) -> Iterator[Suspect]:
    """Judge every column alone by what it tells about the target."""
    if len(values) < _FEWEST:
        return
    sample = _sample(len(values), seed)
    judge = Judge(values[sample], classes=classes, seed=seed)
    for column in judged:
        if column.kind in (ColumnKind.CONSTANT, ColumnKind.IDENTIFIER):
            continue
        score = judge.score(_drawn(table.frame[column.name], sample))
        if score >= _GIVEAWAY[classes]:
            yield _giveaway(column.name, target, score, classes=classes)
        elif score >= _TELLING and _named_after(column.name, target):
            yield Suspect(
                "named after the target",
                (column.name,),
                f"Column {column.name!r} is named like {target!r} and tells about it; "
                "if it is derived from it, drop it.",
                score,
            )
        elif score >= _TELLING and _is_clock(column):
            yield Suspect(
                "order",
                (column.name,),
                f"Rows near in {column.name!r} have similar {target!r}; split by time "
                "if the model is to predict the future.",
                score,
            )


def _giveaway(name: str, target: str, score: float, *, classes: bool) -> Suspect:
    told = (
        f"saves {score:.0%} of the errors in guessing {target!r}"
        if classes
        else f"explains {score:.0%} of {target!r} or of its order"
    )
    sentence = f"Column {name!r} alone {told}; if it is known only afterwards, drop it."
    return Suspect("giveaway", (name,), sentence, score)


def _named_after(name: str, target: str) -> bool:
    """Whether all words of the target's name are in the column's."""
    words = {piece.lower() for piece in _PIECES.findall(target)}
    return bool(words) and words <= {piece.lower() for piece in _PIECES.findall(name)}


def _is_clock(column: Column) -> bool:
    counting = column.note == "only counts the rows"
    return column.kind is ColumnKind.DATE or counting


def _twins(table: Table, judged: list[Column], seed: int) -> Iterator[Suspect]:
    useless = (ColumnKind.CONSTANT, ColumnKind.IDENTIFIER, ColumnKind.TEXT)
    names = [column.name for column in judged if column.kind not in useless]
    if len(table) < _FEWEST or not names:
        return
    frame = table.frame[names[:MOST_COLUMNS]][_sample(len(table), seed)]
    for name, other in find_redundant(frame).items():
        yield Suspect(
            "twin",
            (name, other),
            f"Column {name!r} is a function of {other!r} in all rows looked at; it "
            "adds nothing new.",
        )


def _plain(column: Column, table: Table) -> Iterator[Suspect]:
    """Look at one column without the target."""
    name, n = column.name, len(table)
    if column.kind is ColumnKind.IDENTIFIER:
        said = f"Column {name!r} looks like an identifier and is left out."
        yield Suspect("identifier", (name,), said)
    elif column.kind is ColumnKind.CONSTANT:
        said = f"Column {name!r} has one value at most and is left out."
        yield Suspect("constant", (name,), said)
    else:
        most = _most_frequent(column, table)
        if most >= _NEARLY_ALL * n:
            said = f"Column {name!r} has the same value in {most} of {n} rows."
            yield Suspect("nearly constant", (name,), said, most / n)
        if column.missing >= _MANY_GAPS * n:
            said = f"Column {name!r} is missing in {column.missing} of {n} rows."
            yield Suspect("missing", (name,), said, column.missing / n)


def _most_frequent(column: Column, table: Table) -> int:
    """Return how many rows share a value, or 0 if that cannot be nearly all."""
    if column.distinct > 1 + (1 - _NEARLY_ALL) * len(table):
        return 0
    values = table.frame[column.name].rename("value")
    return int(values.value_counts(name="count")["count"].max())  # type: ignore[arg-type]


def _rare_classes(target: str, values: NDArray[Any]) -> Iterator[Suspect]:
    labels, counts = np.unique(values, return_counts=True)
    for label, count in zip(labels.tolist(), counts.tolist(), strict=True):
        if count == 1 or count < _RARE_CLASS * len(values):
            yield Suspect(
                "rare class",
                (target,),
                f"Class {quoted(label)} of {target!r} has {count} of {len(values)} "
                "rows; what is said about it is uncertain.",
                count / len(values),
            )


def _drawn(column: pl.Series, sample: NDArray[np.int64]) -> pl.Series:
    return column if len(sample) == len(column) else column.gather(sample)


def _sample(n: int, seed: int) -> NDArray[np.int64]:
    if n <= _MOST:
        return np.arange(n)
    drawn = np.random.default_rng(seed).choice(n, _MOST, replace=False)
    return np.sort(drawn).astype(np.int64)
