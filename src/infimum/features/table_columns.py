"""How one column of a table becomes numbers, by its kind.

Every kind has two functions: `learn` looks at the training rows and returns a plain
dictionary (the model file can hold it); `encode` turns any rows into the columns that
the dictionary names.
"""

import re
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import polars as pl
from scipy import sparse

from infimum.data import as_booleans
from infimum.typing import Matrix, Vector

__all__ = ["ENCODERS", "Block", "ColumnEncoder", "Limits", "State"]

#: What was learned of a column: strings, numbers, lists of them, small dictionaries.
State: TypeAlias = dict[str, Any]
#: The columns made of one column of the table, dense or CSR.
Block: TypeAlias = Any

RARE = "(rare)"
_DATE_PARTS = ("year", "month", "weekday", "days since first")
_WORD = re.compile(r"\w+")


class Limits(NamedTuple):
    """How much of a column is kept."""

    max_levels: int
    min_count: int
    max_words: int


class ColumnEncoder(NamedTuple):
    """The two functions of a kind of column."""

    learn: Callable[[pl.Series, Limits], State]
    encode: Callable[[pl.Series, State], Block]


def _learn_numeric(column: pl.Series, _: Limits) -> State:
    return _learn_numbers(column.name, _numbers(column))


def _encode_numeric(column: pl.Series, state: State) -> Block:
    return _encode_numbers(_numbers(column), state)


def _learn_boolean(column: pl.Series, _: Limits) -> State:
    truths = as_booleans(column)
    missing = [f"{column.name} is missing"] if truths.has_nulls() else []
    # The mean of no value at all is None, and None is not more than a half.
    usual = (truths.cast(pl.Float64).mean() or 0.0) > 0.5  # type: ignore[operator]
    return {"names": [column.name, *missing], "usual": usual}


def _encode_boolean(column: pl.Series, state: State) -> Block:
    truths = as_booleans(column)
    values = truths.fill_null(value=state["usual"]).to_numpy().astype(float)
    if len(state["names"]) == 1:
        return values[:, None]
    return np.column_stack([values, truths.is_null().to_numpy()])


def _learn_categorical(column: pl.Series, limits: Limits) -> State:
    texts = _texts(column)
    counts = Counter(texts.drop_nulls().to_list())
    by_count = sorted(counts, key=lambda level: (-counts[level], level))
    kept = [level for level in by_count if counts[level] >= limits.min_count]
    kept = kept[: limits.max_levels]
    # Pooling a single rare level would only rename it.
    if len(by_count) == len(kept) + 1:
        kept = by_count
    names = [f"{column.name}={level}" for level in kept]
    pooled = len(by_count) > len(kept)
    missing = texts.has_nulls()
    names += [f"{column.name}={RARE}"] if pooled else []
    names += [f"{column.name} is missing"] if missing else []
    return {"names": names, "levels": kept, "pooled": pooled, "missing": missing}


def _encode_categorical(column: pl.Series, state: State) -> Block:
    places = {level: place for place, level in enumerate(state["levels"])}
    # A level never met counts as rare if there were rare ones, else as no level.
    unmet = len(places) if state["pooled"] else -1
    absent = len(state["names"]) - 1 if state["missing"] else -1
    codes = np.array(
        [
            absent if level is None else places.get(level, unmet)
            for level in _texts(column).to_list()
        ],
        dtype=np.intp,
    )
    rows = np.flatnonzero(codes >= 0)
    shape = (len(codes), len(state["names"]))
    return sparse.csr_matrix((np.ones(len(rows)), (rows, codes[rows])), shape=shape)


def _learn_date(column: pl.Series, _: Limits) -> State:
    days = _days(column)
    known = days[np.isfinite(days)]
    first = float(known.min()) if len(known) else 0.0
    parts = [
        _learn_numbers(f"{column.name} {part}", values)
        for part, values in zip(_DATE_PARTS, _date_parts(days, first), strict=True)
    ]
    names = [part["names"][0] for part in parts]
    missing = [f"{column.name} is missing"] if np.isnan(days).any() else []
    return {"names": names + missing, "first": first, "parts": parts}


def _encode_date(column: pl.Series, state: State) -> Block:
    days = _days(column)
    pieces = [
        _encode_numbers(values, {**part, "names": part["names"][:1]})
        for values, part in zip(
            _date_parts(days, state["first"]), state["parts"], strict=True
        )
    ]
    if len(state["names"]) > len(pieces):
        pieces.append(np.isnan(days)[:, None].astype(float))
    return np.hstack(pieces)


def _learn_text(column: pl.Series, limits: Limits) -> State:
    documents = Counter(word for bag in _bags(column) for word in bag)
    by_count = sorted(documents, key=lambda word: (-documents[word], word))
    words = by_count[: limits.max_words]
    return {"names": [f"{column.name}: {word}" for word in words], "words": words}


def _encode_text(column: pl.Series, state: State) -> Block:
    places = {word: place for place, word in enumerate(state["words"])}
    entries = [
        (row, places[word], count)
        for row, bag in enumerate(_bags(column))
        for word, count in bag.items()
        if word in places
    ]
    rows, columns, counts = zip(*entries, strict=True) if entries else ((), (), ())
    return sparse.csr_matrix(
        (np.asarray(counts, dtype=float), (rows, columns)),
        shape=(len(column), len(places)),
    )


def _learn_numbers(name: str, values: Vector) -> State:
    known = values[np.isfinite(values)]
    median = float(np.median(known)) if len(known) else 0.0
    filled = np.where(np.isfinite(values), values, median)
    # Dividing by the largest size first keeps the squares of huge values finite.
    size = float(np.abs(filled).max(initial=0.0)) or 1.0
    spread = float((filled / size).std()) * size
    missing = [f"{name} is missing"] if len(known) < len(values) else []
    return {
        "names": [name, *missing],
        "median": median,
        "mean": float((filled / size).mean()) * size,
        # Rounding leaves a trace of spread in a column of equal numbers.
        "scale": spread if spread > 1e-12 * size else 1.0,
    }


def _encode_numbers(values: Vector, state: State) -> Matrix:
    known = np.isfinite(values)
    filled = np.where(known, values, state["median"])
    standard = (filled - state["mean"]) / state["scale"]
    if len(state["names"]) == 1:
        return np.asarray(standard)[:, None]
    return np.column_stack([standard, ~known])


def _numbers(column: pl.Series) -> Vector:
    numbers = column.cast(pl.Float64, strict=False).fill_null(float("nan"))
    return np.array(numbers.to_numpy(), dtype=float)


def _texts(column: pl.Series) -> pl.Series:
    """Write every value as text, whole numbers alike whether stored as 1 or 1.0."""
    if not column.dtype.is_numeric():
        return column.cast(pl.String)
    numbers = column.cast(pl.Float64).fill_nan(None)
    whole = (numbers == numbers.floor()).fill_null(value=False)
    integers = numbers.cast(pl.Int64, strict=False).cast(pl.String)
    return integers.zip_with(whole & integers.is_not_null(), numbers.cast(pl.String))


def _days(column: pl.Series) -> Vector:
    """Return days since 1970 with fraction, NaN where there is no date."""
    moments = column
    if column.dtype == pl.String:
        try:
            moments = column.str.to_datetime(strict=False)
        except pl.exceptions.PolarsError:
            moments = pl.Series([None] * len(column), dtype=pl.Datetime)
    if not moments.dtype.is_temporal():
        return np.full(len(column), np.nan)
    microseconds = moments.cast(pl.Datetime("us")).cast(pl.Int64)
    return _numbers(microseconds) / 86_400e6


def _date_parts(days: Vector, first: float) -> list[Vector]:
    known = np.isfinite(days)
    dates = np.where(known, days, 0).astype("datetime64[D]")
    years = dates.astype("datetime64[Y]").astype(float) + 1970
    months = dates.astype("datetime64[M]").astype(int) % 12 + 1.0
    # 1 January 1970 was a Thursday, the fourth day of the week.
    weekdays = (dates.astype(int) + 3) % 7 + 1.0
    parts = [years, months, weekdays, days - first]
    return [np.where(known, part, np.nan) for part in parts]


def _bags(column: pl.Series) -> list[Counter[str]]:
    texts = column.cast(pl.String).to_list()
    return [Counter(_WORD.findall((text or "").lower())) for text in texts]


#: The encoder of every kind of column that carries information.
ENCODERS = {
    "numeric": ColumnEncoder(_learn_numeric, _encode_numeric),
    "boolean": ColumnEncoder(_learn_boolean, _encode_boolean),
    "categorical": ColumnEncoder(_learn_categorical, _encode_categorical),
    "date": ColumnEncoder(_learn_date, _encode_date),
    "text": ColumnEncoder(_learn_text, _encode_text),
}
