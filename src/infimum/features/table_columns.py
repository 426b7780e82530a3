"""How one column of a table becomes numbers that linear and kernel models like.

Every kind has two functions: `learn` looks at the training rows and returns a plain
dictionary (the model file can hold it); `encode` turns any rows into the columns that
the dictionary names.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import polars as pl
from scipy import sparse

from infimum.data import as_booleans
from infimum.data.parsing import interpret
from infimum.features._column_values import (
    as_days,
    as_numbers,
    as_words,
)
from infimum.features.counted_terms import count_terms, texts_by_term
from infimum.features.date_parts import linear_parts
from infimum.features.hashed_text import hashed_ngrams, of_length_one
from infimum.typing import Matrix, Vector

__all__ = [
    "ENCODERS",
    "Block",
    "ColumnEncoder",
    "Limits",
    "State",
    "learn_levels",
    "level_codes",
]

#: What was learned of a column: strings, numbers, lists of them, small dictionaries.
State: TypeAlias = dict[str, Any]
#: The columns made of one column of the table, dense or CSR.
Block: TypeAlias = Any

RARE = "(rare)"
#: Words and pairs of words that fewer texts have are left to the hashed pieces.
FEWEST_TEXTS = 2
#: Texts are hashed too if so few of their words are counted.
FEW_COUNTED = 0.5


class Limits(NamedTuple):
    """How much of a column is kept."""

    max_levels: int
    min_count: int
    max_words: int
    text_buckets: int


class ColumnEncoder(NamedTuple):
    """The two functions of a kind of column."""

    learn: Callable[[pl.Series, Limits], State]
    encode: Callable[[pl.Series, State], Block]


def learn_levels(column: pl.Series, limits: Limits) -> State:
    """Return the levels that are kept, most frequent first, and if any were pooled."""
    words = as_words(column).drop_nulls().rename("level")
    counts = words.value_counts(name="rows").sort(
        ["rows", "level"], descending=[True, False]
    )
    by_count = counts["level"].to_list()
    kept = counts.filter(counts["rows"] >= limits.min_count)["level"].to_list()
    kept = kept[: limits.max_levels]
    # Pooling a single rare level would only rename it.
    if len(by_count) == len(kept) + 1:
        kept = by_count
    return {"levels": kept, "pooled": len(by_count) > len(kept)}


def level_codes(column: pl.Series, state: State, absent: int) -> Any:
    """Return the place of every level: -1 if unknown, `absent` if missing."""
    places = {level: place for place, level in enumerate(state["levels"])}
    # A level never met counts as rare if there were rare ones, else as no level.
    unmet = len(places) if state["pooled"] else -1
    words = as_words(column)
    codes = _looked_up(words, places, unmet)
    if column.dtype != pl.String and (codes == unmet).any():
        codes = _looked_up(words, {**_read_alone(places), **places}, unmet)
    codes[words.is_null().to_numpy()] = absent
    return codes


def _looked_up(words: pl.Series, places: dict[str, int], unmet: int) -> Any:
    found = words.replace_strict(
        list(places), list(places.values()), default=unmet, return_dtype=pl.Int64
    )
    return np.array(found.to_numpy(), dtype=np.intp)


def _read_alone(places: dict[str, int]) -> dict[str, int]:
    """Return the places of levels as they are spelt in a table that has no others.

    Where a column holds ``TRUE``, ``FALSE`` and ``unclear``, a few new rows may hold
    nothing but truth values, which the reader does not take for words.
    """
    odd = [level for level in places if not level.isdigit()]
    alone = [as_words(interpret(pl.Series([level])).values)[0] for level in odd]
    return {word: places[level] for word, level in zip(alone, odd, strict=True)}


def _learn_numeric(column: pl.Series, _: Limits) -> State:
    return _learn_numbers(column.name, as_numbers(column))


def _encode_numeric(column: pl.Series, state: State) -> Block:
    return _encode_numbers(as_numbers(column), state)


def _learn_boolean(column: pl.Series, _: Limits) -> State:
    truths = as_booleans(column)
    # The mean of no value at all is None, and None is not more than a half.
    usual = (truths.cast(pl.Float64).mean() or 0.0) > 0.5  # type: ignore[operator]
    return {"names": [column.name, *_gaps(truths)], "usual": usual}


def _encode_boolean(column: pl.Series, state: State) -> Block:
    truths = as_booleans(column)
    values = truths.fill_null(value=state["usual"]).to_numpy().astype(float)
    if len(state["names"]) == 1:
        return values[:, None]
    return np.column_stack([values, truths.is_null().to_numpy()])


def _learn_categorical(column: pl.Series, limits: Limits) -> State:
    state = learn_levels(column, limits)
    names = [f"{column.name}={level}" for level in state["levels"]]
    names += [f"{column.name}={RARE}"] if state["pooled"] else []
    missing = _gaps(as_words(column))
    return {"names": names + missing, **state, "missing": bool(missing)}


def _encode_categorical(column: pl.Series, state: State) -> Block:
    absent = len(state["names"]) - 1 if state["missing"] else -1
    codes = level_codes(column, state, absent)
    rows = np.flatnonzero(codes >= 0)
    shape = (len(codes), len(state["names"]))
    return sparse.csr_matrix((np.ones(len(rows)), (rows, codes[rows])), shape=shape)


def _learn_date(column: pl.Series, _: Limits) -> State:
    days = as_days(column)
    first = float(np.nanmin(days)) if np.isfinite(days).any() else 0.0
    # A part that never changes, such as the hour of plain dates, says nothing.
    parts = {
        part: _learn_numbers(f"{column.name} {part}", values)
        for part, values in linear_parts(days, first).items()
        if len(np.unique(values[np.isfinite(values)])) > 1
    }
    names = [part["names"][0] for part in parts.values()]
    missing = [f"{column.name} is missing"] if np.isnan(days).any() else []
    return {"names": names + missing, "first": first, "parts": parts}


def _encode_date(column: pl.Series, state: State) -> Block:
    days = as_days(column)
    values = linear_parts(days, state["first"])
    pieces = [
        _encode_numbers(values[part], {**learned, "names": learned["names"][:1]})
        for part, learned in state["parts"].items()
    ]
    if len(state["names"]) > len(pieces):
        pieces.append(np.isnan(days)[:, None].astype(float))
    return np.hstack([np.empty((len(days), 0)), *pieces])


def _learn_text(column: pl.Series, limits: Limits) -> State:
    """Learn which terms are counted: words and pairs that most texts have."""
    found = texts_by_term(column, pairs=True)
    several = found.filter(pl.col("texts") >= FEWEST_TEXTS)
    kept = (several if several.height else found).head(limits.max_words)
    words, texts = kept["term"].to_list(), kept["texts"].to_numpy()
    single = found.filter(~pl.col("pair"))
    counted = kept.filter(~pl.col("pair"), pl.col("texts") >= FEWEST_TEXTS)
    seen, total = int(counted["texts"].sum()), int(single["texts"].sum())
    buckets = 0 if seen > FEW_COUNTED * total else limits.text_buckets
    names = [f"{column.name}: {word}" for word in words]
    names += [f"{column.name}: pieces {k + 1}" for k in range(buckets)]
    missing = _gaps(column)
    return {
        "names": names + missing,
        "words": words,
        "idf": (np.log((1 + len(column)) / (1 + texts)) + 1).tolist(),
        "buckets": buckets,
        "missing": bool(missing),
    }


def _encode_text(column: pl.Series, state: State) -> Block:
    if "idf" in state:
        blocks = [_weighed(count_terms(column, state["words"]), state["idf"])]
    else:  # model files of 0.1 have plain counts
        blocks = [count_terms(column, state["words"])]
    if state["buckets"]:
        texts = column.cast(pl.String).to_list()
        blocks.append(hashed_ngrams(texts, state["buckets"]))
    if state["missing"]:
        gaps = column.is_null().to_numpy().astype(float)
        blocks.append(sparse.csr_matrix(gaps[:, None]))
    return sparse.hstack(blocks, format="csr")


def _weighed(counts: Any, idf: list[float]) -> Any:
    """Return tf-idf weights (1 + log tf) idf, rows of length 1."""
    counts.data = (1.0 + np.log(counts.data)) * np.asarray(idf)[counts.indices]
    return of_length_one(counts)


def _gaps(column: pl.Series) -> list[str]:
    """Return the name of the indicator of missing values, if there are any."""
    return [f"{column.name} is missing"] if column.has_nulls() else []


def _learn_numbers(name: str, values: Vector) -> State:
    known = values[np.isfinite(values)]
    # Dividing by the largest size first keeps sums and squares of huge values finite.
    size = float(np.abs(known).max(initial=0.0)) or 1.0
    median = float(np.median(known / size)) * size if len(known) else 0.0
    filled = np.where(np.isfinite(values), values, median)
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


#: The encoder of every kind of column that carries information.
ENCODERS = {
    "numeric": ColumnEncoder(_learn_numeric, _encode_numeric),
    "boolean": ColumnEncoder(_learn_boolean, _encode_boolean),
    "categorical": ColumnEncoder(_learn_categorical, _encode_categorical),
    "date": ColumnEncoder(_learn_date, _encode_date),
    "text": ColumnEncoder(_learn_text, _encode_text),
}
