"""How one column of a table becomes numbers that trees like: as they are, with gaps."""

import numpy as np
import polars as pl

from infimum.data import as_booleans
from infimum.features._column_values import as_days, as_numbers, as_words
from infimum.features.counted_terms import count_terms, count_words, texts_by_term
from infimum.features.date_parts import calendar_parts
from infimum.features.table_columns import (
    Block,
    ColumnEncoder,
    Limits,
    State,
    learn_levels,
    level_codes,
)
from infimum.features.target_means import encode_means

__all__ = ["TREE_ENCODERS"]

#: A tree looks at every column in every node, so texts get fewer of them.
_WORDS = 50


def _learn_alone(column: pl.Series, _: Limits) -> State:
    return {"names": [column.name]}


def _encode_numeric(column: pl.Series, _: State) -> Block:
    return as_numbers(column)[:, None]


def _encode_boolean(column: pl.Series, _: State) -> Block:
    truths = as_booleans(column).cast(pl.Float64).fill_null(float("nan"))
    return np.array(truths.to_numpy(), dtype=float)[:, None]


def _learn_categorical(column: pl.Series, limits: Limits) -> State:
    return {"names": [column.name], **learn_levels(column, limits)}


def _encode_categorical(column: pl.Series, state: State) -> Block:
    codes = level_codes(column, state, -1).astype(float)
    codes[codes < 0] = np.nan
    if "known" not in state:
        return codes[:, None]
    return np.column_stack([codes, encode_means(as_words(column), state)])


def _learn_date(column: pl.Series, _: Limits) -> State:
    days = as_days(column)
    first = float(np.nanmin(days)) if np.isfinite(days).any() else 0.0
    names = [f"{column.name} {part}" for part in calendar_parts(days[:0], first)]
    return {"names": names, "first": first}


def _encode_date(column: pl.Series, state: State) -> Block:
    parts = calendar_parts(as_days(column), state["first"])
    return np.column_stack(list(parts.values()))


def _learn_text(column: pl.Series, limits: Limits) -> State:
    most = min(limits.max_words, _WORDS)
    words = texts_by_term(column, pairs=False)["term"].head(most).to_list()
    measures = [f"{column.name} words", f"{column.name} letters"]
    return {
        "names": [*measures, *(f"{column.name}: {w}" for w in words)],
        "words": words,
    }


def _encode_text(column: pl.Series, state: State) -> Block:
    letters = column.cast(pl.String).str.len_chars().cast(pl.Float64)
    measures = np.column_stack(
        [count_words(column), letters.fill_null(float("nan")).to_numpy()]
    )
    return np.hstack([measures, count_terms(column, state["words"]).toarray()])


#: The encoder of every kind of column that carries information.
TREE_ENCODERS = {
    "numeric": ColumnEncoder(_learn_alone, _encode_numeric),
    "boolean": ColumnEncoder(_learn_alone, _encode_boolean),
    "categorical": ColumnEncoder(_learn_categorical, _encode_categorical),
    "date": ColumnEncoder(_learn_date, _encode_date),
    "text": ColumnEncoder(_learn_text, _encode_text),
}
