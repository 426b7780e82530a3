"""Wide tables: what reading costs for a column more, and that haste changes nothing."""

import time

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from infimum.data import assembly, kinds, read_table, short_columns, table
from infimum.data.kinds import describe
from infimum.data.parsing import interpret
from infimum.data.short_columns import at_a_glance, is_short
from infimum.errors import DataError

PIECES = [
    *("0", "1", "7", "-3", "-0", "00", "02", "1.0", "2.5", "-0.75", "1e3", "1E-4", "."),
    *(
        "1,5",
        "1,234",
        "$5",
        "12%",
        "9223372036854775808",
        "123456789012345678",
        "1e400",
    ),
    *("a", "B", "w1", "Ω", "yes", "No", "true", "False", "TRUE", "nan", "NaN", "inf"),
    *("Infinity", "-inf", "NA", "n/a", "None", "?", "-", "—", " ", " a", "b ", " 1 "),
    *(
        "2020-01-02",
        "Jan 5, 2020",
        "abcd2020",
        "12:30",
        "a b c d e",
        "x" * 40,
        "٣",
        "²",
    ),
]
CELLS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=3)


def columns(cells):
    """Return columns of few different values, with gaps, short and not so short."""
    values = st.lists(st.one_of(st.none(), st.sampled_from(cells)), max_size=30)
    return values.map(lambda values: pl.Series("x", values, dtype=pl.String))


@given(CELLS.flatmap(columns))
def test_a_short_column_is_understood_as_a_long_one_is(column):
    read = []
    for short in (is_short, lambda _: False):
        with pytest.MonkeyPatch.context() as patch:
            for room in (short_columns, kinds, table):
                patch.setattr(room, "is_short", short)
            values, note = at_a_glance(column) or interpret(column)
            described = describe(values, note=note)
            whole = table.Table(values.to_frame(), (described,), "x")
            read.append((values, described, whole.fingerprint))
    (some, *others), (same, *others_too) = read
    assert some.equals(same, check_dtypes=True, check_names=True)
    assert others == others_too


def seconds(content, path, name="t.csv"):
    (path / name).write_text(content)
    began = time.process_time()
    read_table(path / name)
    return time.process_time() - began


def wide(width, values):
    rng = np.random.default_rng(width)
    cells = rng.choice(values, size=(3, width))
    lines = [[f"c{k}" for k in range(width)], *cells.tolist()]
    return "\n".join(map(",".join, lines)) + "\n"


def test_the_cost_of_a_column_does_not_grow_with_their_number(tmp_path):
    """The processor's own seconds, which do not depend on what else it does."""
    few = min(seconds(wide(1_500, ["0.25", "1.5"]), tmp_path) for _ in range(5))
    many = min(seconds(wide(24_000, ["0.25", "1.5"]), tmp_path) for _ in range(2))
    assert many < 2.5 * 16 * few


def test_words_cost_little_more_than_numbers(tmp_path):
    words = ["NA", "aa", "b", "yes", "no", "0.25", "17", "true"]
    plain = min(seconds(wide(3_000, ["0.25", "1.5"]), tmp_path) for _ in range(3))
    mixed = min(seconds(wide(3_000, words), tmp_path) for _ in range(3))
    assert mixed < 4 * plain


def test_as_many_columns_as_nobody_can_learn_from_are_refused_at_once(tmp_path):
    width = 300_000
    text = ",".join(f"c{k}" for k in range(width)) + "\n" + ",".join(["1"] * width)
    with pytest.raises(DataError, match="300,000 columns"):
        seconds(text, tmp_path)


def test_records_that_share_no_names_are_refused_at_once(tmp_path):
    text = "".join(f'{{"name{k}": {k}}}\n' for k in range(30_000))
    with pytest.raises(DataError, match="30,000 columns"):
        seconds(text, tmp_path, "t.jsonl")


def test_more_columns_of_dates_than_can_be_looked_at_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(assembly, "_MOST_ODD", 20)
    days = [",".join(f"d{k}" for k in range(21)), ",".join(["2020-01-02"] * 21)]
    with pytest.raises(DataError, match="more than 20 columns"):
        seconds("\n".join(days), tmp_path)
    assert seconds("\n".join(line.rpartition(",")[0] for line in days), tmp_path) < 20
