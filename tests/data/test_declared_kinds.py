"""Kinds that the user states."""

import datetime as dt

import polars as pl
import pytest

from infimum.data import declare_kinds, read_table
from infimum.errors import DataError, InvalidParameterError
from infimum.features import TableEncoder

TABLE = read_table(
    {
        "zip": [10, 20, 10, 20],
        "rank": ["1", "2", "x", "3"],
        "flag": [1.0, 2.0, None, 1.0],
        "told": ["good", "bad", "good", "bad"],
        "day": ["1/2/2020", "3/4/2020", "5/6/2020", None],
        "when": ["2020", "2021", "2022", "2023"],
        "code": [f"A{k}" for k in range(4)],
    },
)


def kind_of(name, kind):
    return declare_kinds(TABLE, {name: kind})


def test_numbers_can_be_levels_and_identifiers_and_text():
    for kind in ("categorical", "identifier", "text"):
        told = kind_of("zip", kind)
        assert told.column("zip").kind == kind
        assert told.column("zip").distinct == 2
    assert kind_of("zip", "text").frame["zip"].to_list() == ["10", "20", "10", "20"]
    assert "zip" not in [c.name for c in kind_of("zip", "identifier").features()]


def test_dates_can_be_levels_and_lose_the_remark_on_their_order():
    assert "Column 'day' is read as day before month." in TABLE.warnings
    told = kind_of("day", "categorical")
    assert not [sentence for sentence in told.warnings if "'day'" in sentence]
    encoder = TableEncoder({"day": "categorical"}, min_count=1).fit(told.frame)
    assert "day=2020-02-01" in encoder.get_feature_names_out()


def test_words_become_what_they_are_said_to_be():
    table = read_table({"x": pl.Series(["1", "2", "1"], dtype=pl.Categorical)})
    assert table.column("x").kind == "categorical"
    told = declare_kinds(table, {"x": "numeric"})
    assert told.frame["x"].to_list() == [1.0, 2.0, 1.0]
    days = read_table({"d": pl.Series(["2020-01-02", None], dtype=pl.Categorical)})
    told = declare_kinds(days, {"d": "date"})
    assert told.frame["d"].to_list() == [dt.date(2020, 1, 2), None]


@pytest.mark.parametrize(
    ("name", "kind", "reason"),
    [
        ("rank", "numeric", "'rank' of dict cannot be numeric: row 3 holds 'x'"),
        ("day", "numeric", "cannot be numeric: row 1 holds '2020-02-01'"),
        ("flag", "boolean", "cannot be boolean: row 2 holds '2.0'"),
        ("told", "date", "cannot be date: row 1 holds 'good'"),
        ("zip", "date", "cannot be date: row 1 holds '10'"),
        ("told", "boolean", "cannot be boolean: row 1 holds 'good'"),
    ],
)
def test_values_that_do_not_fit_are_refused(name, kind, reason):
    with pytest.raises(DataError) as caught:
        kind_of(name, kind)
    assert reason in str(caught.value)


def test_unknown_kinds_and_columns_are_refused():
    with pytest.raises(InvalidParameterError, match="'zip' must be one of 'numeric'"):
        kind_of("zip", "colour")
    with pytest.raises(DataError, match="did you mean 'zip'"):
        kind_of("zipp", "numeric")


def test_what_the_reader_thought_already_changes_nothing():
    assert kind_of("zip", "numeric").columns == TABLE.columns
