"""The problem without a target, and the imitations that detectors are judged by."""

from typing import Any

import numpy as np
import polars as pl

from infimum.data import SparseTable, Table, read_table
from infimum.errors import DataError, IncompatibleError
from infimum.evaluation import Split
from infimum.features import TableEncoder
from infimum.learn.options import Options, moments_of
from infimum.learn.problem import TEST_FRACTION, Problem, column_notes

__all__ = ["imitate", "pose_unlabelled", "with_imitations"]

#: Imitated rows, half of them of each kind.
_IMITATIONS = 2_000
_EVENLY = (pl.Float64, pl.Float32)


def pose_unlabelled(data: Any, target: str | None, options: Options) -> Problem:
    """Read `data` and check that a detector can be learned from it."""
    _check_options(target, options)
    table = data if isinstance(data, Table | SparseTable) else read_table(data)
    if isinstance(table, SparseTable):
        raise IncompatibleError(
            f"Novelty needs a table with named columns; {table.source} has none."
        )
    fingerprint = table.fingerprint
    table = options.declared(table)
    options.check(table, "")
    used = [c.name for c in table.features() if options.learnable(c.name)]
    if not used:
        raise DataError(
            f"{table.source} has no column to learn from: all are left out, "
            "identifiers or constant."
        )
    _check_rows(table, options)
    kinds = {c.name: str(c.kind) for c in table.columns if c.name in used}
    return Problem(
        rows=table.frame,
        y=np.zeros(table.frame.height),
        task="novelty",
        goal="novelty",
        classes=np.array([]),
        target="",
        encoder=TableEncoder(kinds, sparse_output=False),
        kinds=kinds,
        columns=column_notes(table, used),
        source=table.source,
        fingerprint=fingerprint,
        warnings=(*table.warnings, *_about_splits(options)),
        groups=None if options.group is None else table.frame[options.group].to_numpy(),
        moments=moments_of(table, options.time),
        options=options,
    )


def with_imitations(
    training: Problem, splits: list[Split], seed: int
) -> tuple[Problem, list[Split]]:
    """Return the problem with imitated rows, which are held back in every fold.

    Their target is 1, that of real rows 0. Nobody learns from them.
    """
    fake = imitate(training.rows, training.kinds, _IMITATIONS, seed)
    size = training.rows.height
    places = np.arange(size, size + fake.height)
    posed = Problem(
        **{
            **vars(training),
            "rows": pl.concat([training.rows, fake]),
            "y": np.concatenate([training.y, np.ones(fake.height)]),
            "groups": None,
            "moments": None,
        }
    )
    widened = [
        Split(split.train, np.concatenate([split.held_back, places]))
        for split in splits
    ]
    return posed, widened


def imitate(
    rows: pl.DataFrame, kinds: dict[str, str], count: int, seed: int
) -> pl.DataFrame:
    """Return rows that look like the others column by column, but are none of them.

    In the first half numbers are drawn evenly over the range of their column, and
    levels evenly from those met; in the second half every value is that of another row.
    """
    rng = np.random.default_rng([seed, 7])
    half = count // 2
    columns = []
    for column in rows:
        shuffled = column[rng.integers(len(column), size=count - half)]
        evenly = column[rng.integers(len(column), size=half)]
        if kinds.get(column.name) == "numeric":
            evenly = _over_range(column, half, rng)
        elif kinds.get(column.name) in ("categorical", "boolean"):
            levels = column.unique(maintain_order=True)
            evenly = levels[rng.integers(len(levels), size=half)]
        columns.append(pl.concat([evenly, shuffled]).alias(column.name))
    return pl.DataFrame(columns)


def _over_range(column: pl.Series, count: int, rng: Any) -> pl.Series:
    values = column.cast(pl.Float64)
    low, high = _number(values.min()), _number(values.max())
    drawn = pl.Series(column.name, rng.uniform(low, high, size=count))
    if column.dtype in _EVENLY:
        return drawn.cast(column.dtype)
    return drawn.round(0).cast(column.dtype, strict=False)


def _number(value: Any) -> float:
    return 0.0 if value is None or not np.isfinite(value) else float(value)


def _check_options(target: str | None, options: Options) -> None:
    if target:
        raise IncompatibleError(
            f"Novelty predicts no column; leave {target!r} out as target, and drop it "
            "if it may not be looked at."
        )
    for role, words in {"weights": "weights", "sensitive": "sensitive columns"}.items():
        if getattr(options, role):
            raise IncompatibleError(f"Novelty knows no {words}; leave them out.")
    if options.explain_row:
        raise IncompatibleError(
            "Novelty explains the strangest rows by itself; it takes no explain_row."
        )


def _check_rows(table: Table, options: Options) -> None:
    """Refuse a rate of alarms that so few rows cannot promise."""
    rate = options.alarm_rate or 0.05
    calibrating = int(table.frame.height * TEST_FRACTION / 2)
    if rate * (calibrating + 1) < 1:
        least = int(np.ceil(2 * (1 / rate - 1) / TEST_FRACTION))
        raise DataError(
            f"{table.source} has {table.frame.height} rows; to promise an alarm rate "
            f"of {rate:g} takes at least {least}."
        )


def _about_splits(options: Options) -> tuple[str, ...]:
    if not (options.group or options.time):
        return ()
    how = "group" if options.group else "time"
    said = (
        f"Rows were split by {how}, so the rate of alarms is measured, not promised: "
        "the promise needs rows that come in no order."
    )
    return (said,)
