"""The first pass: all files are read once, encoded, measured and spooled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from scipy import sparse

from infimum.data.streams.ahead import made_ahead
from infimum.data.streams.encoding import Encoding, Levels
from infimum.data.streams.frames import Guess, frames, typed
from infimum.data.streams.paths import SourceFile
from infimum.data.streams.spool import Spool, SpoolWriter, leaf_rows
from infimum.data.streams.statistics import Statistics
from infimum.data.streams.svmlight_rows import svmlight_rows
from infimum.errors import DataError
from infimum.typing import Vector

__all__ = ["Layout", "Spooled", "spooled"]


@dataclass
class Layout:
    """Which files there are, and what their columns are for."""

    files: list[SourceFile]
    guess: Guess
    target: str | None
    weights: str | None
    dropped: tuple[str, ...]
    #: Yields frames of rows that come from no file, such as chunks of dask.
    given: Callable[[], Iterator[pl.DataFrame]] | None = None
    #: Whether columns have names of their own.
    named: bool = True

    @property
    def name(self) -> str:
        """What to call the rows in messages."""
        return "the collection" if self.given else str(self.files[0].path)

    @property
    def sparse(self) -> bool:
        """Whether rows are almost all zeros."""
        return bool(self.files) and self.files[0].format == "svmlight"

    @property
    def features(self) -> list[str]:
        """The columns that become features."""
        others = {self.target, self.weights, *self.dropped}
        return [name for name in self.guess if name not in others]


@dataclass
class Spooled:
    """What the first pass has found out."""

    spool: Spool
    statistics: Statistics
    #: The words of the target; None where it is a number.
    words: list[str] | None


def spooled(layout: Layout, where: Any, owner: Any) -> Spooled:
    """Read all files once; again if a column of numbers turns out to hold words."""
    if layout.sparse:
        encoding = Encoding([])
        return _written(layout, encoding, _sparse_rows(layout), None, where, owner)
    if not layout.features:
        raise DataError(f"{layout.name} has no column besides the target.")
    while True:
        encoding = Encoding(layout.features)
        encoding.levels = {
            k: Levels(name)
            for k, name in enumerate(encoding.columns)
            if not layout.guess[name]
        }
        target = layout.target
        words = target is not None and not layout.guess[target]
        labels = Levels(str(target)) if words else None
        rows = _table_rows(layout, encoding, labels)
        try:
            return _written(layout, encoding, rows, labels, where, owner)
        except ValueError as found:
            [name] = found.args
            if name not in layout.guess or isinstance(found, DataError):
                raise
            layout.guess[name] = False


#: Features, targets and weights of some rows.
_Part = tuple[Any, Vector, Vector]


def _table_rows(
    layout: Layout, encoding: Encoding, labels: Levels | None
) -> Iterator[_Part]:
    start = 0
    for name, batches in _batches(layout):
        for frame in made_ahead(batches):
            if frame.height:
                yield _part(layout, encoding, labels, frame, (name, start))
            start += frame.height


def _batches(layout: Layout) -> Iterator[tuple[str, Iterator[pl.DataFrame]]]:
    """Yield the frames of each file, under its name."""
    if layout.given is not None:
        yield layout.name, typed(layout.given(), layout.guess)
    for file in layout.files:
        yield str(file.path), frames(file, layout.guess)


def _part(
    layout: Layout,
    encoding: Encoding,
    labels: Levels | None,
    frame: pl.DataFrame,
    place: tuple[str, int],
) -> _Part:
    """Encode a frame; refuse targets and weights that are none."""
    raw = np.empty((frame.height, encoding.raw_width))
    for k, name in enumerate(encoding.columns):
        levels = encoding.levels.get(k)
        raw[:, k] = (
            frame[name].to_numpy() if levels is None else levels.encode(frame[name])
        )
    with np.errstate(all="ignore"):  # a sum is finite only where all numbers are
        total = raw.sum()
    if not np.isfinite(total) and np.isinf(raw).any():
        row, column = (int(k) for k in np.argwhere(np.isinf(raw))[0])
        raise DataError(
            f"Column {encoding.columns[column]!r} is infinite in row "
            f"{place[1] + row + 1:,} ({place[0]})."
        )
    y: Any = np.zeros(frame.height)
    w: Any = np.ones(frame.height)
    if layout.target is not None:
        _refuse_gap(frame[layout.target], "target", place)
        given = frame[layout.target]
        numbers = given.cast(pl.Float64).to_numpy() if labels is None else None
        y = labels.encode(given) if labels is not None else numbers
    if layout.weights is not None:
        _refuse_gap(frame[layout.weights], "weight", place)
        w = frame[layout.weights].cast(pl.Float64).to_numpy()
        _refuse_negative(w, place)
    return raw, np.array(y), np.array(w)


def _refuse_gap(series: pl.Series, what: str, place: tuple[str, int]) -> None:
    if series.dtype.is_float():
        wrong = series.is_null() | ~series.fill_null(0.0).is_finite()
    else:
        wrong = series.is_null()
    if wrong.any():
        row = place[1] + int(wrong.arg_true()[0]) + 1
        raise DataError(
            f"Row {row:,} ({place[0]}) has no {what}: {series.name!r} is missing "
            "or infinite there."
        )


def _refuse_negative(w: Vector, place: tuple[str, int]) -> None:
    if w.min() < 0.0:
        row = place[1] + int(np.argmax(w < 0.0)) + 1
        raise DataError(
            f"Row {row:,} ({place[0]}) has the negative weight {w.min():g}."
        )


def _sparse_rows(layout: Layout) -> Iterator[_Part]:
    for file in layout.files:
        for X, y in svmlight_rows(file):
            yield X, y, np.ones(len(y))


def _written(
    layout: Layout,
    encoding: Encoding,
    rows: Iterator[_Part],
    labels: Levels | None,
    where: Any,
    owner: Any,
) -> Spooled:
    """Cut rows into leaves, measure and write each."""
    writer = SpoolWriter(where, owner)
    statistics = Statistics(encoding)
    sparse_rows = layout.sparse
    size = leaf_rows(128 if sparse_rows else encoding.raw_width)
    try:
        for raw, y, w in _leaves(made_ahead(rows), size):
            statistics.add(raw, y, w)
            writer.write(raw, y, w)
        if sparse_rows:
            width = np.size(statistics.sums)
            encoding.columns = [f"{k + 1}" for k in range(width)]
        encoding.arrange()
        _refuse_nothing(layout, statistics)
        spool = writer.spool(statistics.rows, size, encoding)
    except BaseException:
        writer.close()
        writer.remove()
        raise
    words = None if labels is None else [str(word) for word in labels.codes]
    return Spooled(spool, statistics, words)


def _refuse_nothing(layout: Layout, statistics: Statistics) -> None:
    if not statistics.rows:
        weighty = " of positive weight" if layout.weights else ""
        raise DataError(f"{layout.name} and what goes with it have no rows{weighty}.")


def _leaves(rows: Iterator[_Part], size: int) -> Iterator[_Part]:
    """Cut rows of positive weight into leaves of one size."""
    held: list[_Part] = []
    count = 0
    for raw, y, w in rows:
        part: _Part = raw, y, w
        if not w.all():
            kept = np.flatnonzero(w)
            part = raw[kept], y[kept], w[kept]
        start, stop = 0, len(part[1])
        while count + stop - start >= size:
            end = start + size - count
            yield _joined([*held, _cut(part, start, end)])
            held, count, start = [], 0, end
        if start < stop:
            held.append(_cut(part, start, stop))
            count += stop - start
    if count:
        yield _joined(held)


def _joined(parts: list[_Part]) -> _Part:
    """Return rows one after another; later ones may have more features."""
    if len(parts) == 1:
        return parts[0]
    ys, ws = [y for _, y, _ in parts], [w for _, _, w in parts]
    raws = [raw for raw, _, _ in parts]
    if not sparse.issparse(raws[0]):
        return np.concatenate(raws), np.concatenate(ys), np.concatenate(ws)
    width = max(raw.shape[1] for raw in raws)
    for raw in raws:
        raw.resize((raw.shape[0], width))
    return sparse.vstack(raws, format="csr"), np.concatenate(ys), np.concatenate(ws)


def _cut(part: _Part, start: int, stop: int) -> _Part:
    return part[0][start:stop], part[1][start:stop], part[2][start:stop]
