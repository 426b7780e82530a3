"""What kind of column it is, by the rules that ColumnKind states."""

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pytest

from infimum.data import ColumnKind, as_booleans, read_table

NUMERIC, CATEGORICAL, BOOLEAN = (
    ColumnKind.NUMERIC,
    ColumnKind.CATEGORICAL,
    ColumnKind.BOOLEAN,
)
DATE, TEXT = ColumnKind.DATE, ColumnKind.TEXT
IDENTIFIER, CONSTANT = ColumnKind.IDENTIFIER, ColumnKind.CONSTANT

SENTENCES = [f"the applicant number {k} wrote a letter" for k in range(30)]
STRAY = "'12a', which count as missing"
CODES = [f"A-{k:05d}" for k in range(30)]


def kind(values, name="x"):
    return read_table({name: values}).columns[0].kind


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1.5, 2.5, 3.5], NUMERIC),
        ([1, 2, 3, 1, 2, 3], NUMERIC),
        (["1", "2", "2"], NUMERIC),
        ([0, 1, 2], NUMERIC),
        ([0, 1, 1, 0], BOOLEAN),
        ([0.0, 1.0, None], BOOLEAN),
        ([True, False], BOOLEAN),
        (["yes", "No", "YES"], BOOLEAN),
        (["true", "FALSE"], BOOLEAN),
        (["t", "f", "t"], BOOLEAN),
        (["y", "n", None], BOOLEAN),
        (["yes", "false"], CATEGORICAL),
        (["yes", "no", "maybe"], CATEGORICAL),
        (["red", "blue", "red"], CATEGORICAL),
        (["f", "m"], CATEGORICAL),
        ([dt.date(2020, 1, 1), dt.date(2021, 1, 1)], DATE),
        ([dt.datetime(2020, 1, 1, 9), None, dt.datetime(2020, 1, 2)], DATE),
        (SENTENCES, TEXT),
        (["x" * 40, "y" * 40, "z" * 40], TEXT),
        (SENTENCES[:2] * 30, CATEGORICAL),
        (CODES, IDENTIFIER),
        (CODES[:10], CATEGORICAL),
        (CODES * 2, CATEGORICAL),
        ([7, 7, 7], CONSTANT),
        ([None, None], CONSTANT),
        (["", "NA", "?"], CONSTANT),
        ([7, 7, None], NUMERIC),
        (["yes", None], BOOLEAN),
        (["10", "11", "12a"], CATEGORICAL),
        (["ja", "nein", "JA"], BOOLEAN),
        (["oui", "non"], BOOLEAN),
        (["ja", "no"], CATEGORICAL),
        ([f"20{k:02}-01" for k in range(30)], DATE),
        (["#DIV/0!", "—", "1.5", "2.5"], NUMERIC),
    ],
)
def test_the_kind_follows_the_documented_rules(values, expected):
    assert kind(values) is expected


@pytest.mark.parametrize(
    "written",
    [
        "2020-01-31",
        "2020-1-5",
        "2020/01/31",
        "31.01.2020",
        "31/01/2020",
        "01/31/2020",
        "31-01-2020",
        "31 Jan 2020",
        "31-Jan-2020",
        "31 January 2020",
        "Jan 31, 2020",
        "2020-01-31T10:30:00",
        "2020-01-31 10:30",
        "2020-01-31 10:30:00.125",
        "2020-01-31T10:30:00Z",
        "2020-01-31T10:30:00+02:00",
        "31.01.2020 10:30",
        "01/31/2020 10:30:59",
        "01/31/2020 10:30 AM",
        "01/31/2020 10:30:59 pm",
        "2020-01-31T10:30Z",
    ],
)
def test_dates_in_the_usual_spellings_are_dates(written):
    table = read_table({"day": [written, None, written, "NA"], "n": [1, 2, 3, 4]})
    assert table.frame["day"].dtype in (pl.Date, pl.Datetime)
    assert table.column("day").missing == 2
    first = table.frame["day"][0]
    assert (first.year, first.month, first.day) in {(2020, 1, 31), (2020, 1, 5)}


def test_time_zones_are_brought_to_universal_time():
    table = read_table({"t": ["2020-01-31T10:30:00+02:00", "2020-01-31T10:30:00Z"]})
    assert [moment.hour for moment in table.frame["t"]] == [8, 10]


@pytest.mark.parametrize(
    "values",
    [
        ["2020-02-30", "2020-01-01"],
        ["2020-01-01", "soon"],
        ["20-01-01", "21-01-01"],
        ["31/12/2020", "12/31/2020"],
    ],
    ids=["no such day", "a word", "two-digit years", "two orders"],
)
def test_what_is_not_always_a_date_is_a_word(values):
    assert kind(values) is CATEGORICAL


def test_day_and_month_that_could_be_swapped_are_warned_about():
    table = read_table({"day": ["03/04/2020", "05/06/2020"]})
    assert table.frame["day"][0] == dt.date(2020, 4, 3)
    assert "Column 'day' is read as day before month." in table.warnings
    clear = read_table({"day": ["03/25/2020", "05/06/2020"]})
    assert clear.frame["day"][1] == dt.date(2020, 5, 6)
    assert clear.warnings == ()


@pytest.mark.parametrize(
    "name", ["id", "ID", "customer_id", "userId", "row id", "uuid", "index", "rownames"]
)
def test_whole_numbers_under_the_name_of_an_identifier_are_one(name):
    assert kind([3, 1, 2], name) is IDENTIFIER
    assert kind([3, 1, 1], name) is NUMERIC
    assert kind([0.5, 1.5, 2.5], name) is NUMERIC


@pytest.mark.parametrize("name", ["paid", "humid", "grid", "idle", "acid", "android"])
def test_a_name_that_only_ends_in_id_is_no_identifier(name):
    assert kind([3, 1, 2], name) is NUMERIC


def test_declared_categories_are_believed():
    codes = pd.DataFrame({"c": pd.Categorical([1, 2, None, 1])})
    assert read_table(codes).column("c").kind is CATEGORICAL
    assert read_table(codes).frame["c"].to_list() == ["1", "2", None, "1"]
    words = pl.DataFrame({"c": pl.Series(["1", "2", "1"], dtype=pl.Categorical)})
    assert read_table(words).column("c").kind is CATEGORICAL
    assert read_table(words).frame["c"].dtype == pl.String


def test_counts_of_missing_and_distinct_values_are_exact():
    column = read_table({"x": [1.0, float("nan"), None, 2.0, 2.0]}).column("x")
    assert (column.missing, column.distinct) == (2, 2)


@pytest.mark.parametrize(
    ("values", "warning"),
    [
        ([1, 1, 1], "Column 'x' has the same value in every row."),
        ([None, None], "Column 'x' has no values at all."),
        (["", ""], "Column 'x' has no values at all."),
        ([1.5, None, None], "Column 'x' is missing in 2 of 3 rows."),
        (CODES, "Column 'x' looks like an identifier, different in every row."),
        (list(range(1, 31)), "Column 'x' only counts the rows."),
        (["NA", "DE", "FR"], "Column 'x' has 'NA', which is read as missing."),
        (
            [*map(str, range(29)), "12a"],
            f"Column 'x' reads as numbers but for 1 of 30 values, for example {STRAY}.",
        ),
        (
            ["12%", "7.5 %", "100%"],
            "Column 'x' is read as numbers, '12%' as 12.",
        ),
        (
            ["$1,200", "$15", "$3.50"],
            "Column 'x' is read as numbers, '$1,200' as 1200.",
        ),
        (
            [f"street {k % 1001}" for k in range(3000)],
            "Column 'x' has 1001 different categories.",
        ),
    ],
)
def test_a_column_that_deserves_a_second_look_is_warned_about(values, warning):
    assert warning in read_table({"x": values}).warnings


def test_rows_that_repeat_are_counted():
    table = read_table({"x": [1, 2, 1, 1], "y": ["a", "b", "a", "c"]})
    assert table.warnings == ("1 of 4 rows repeat an earlier row.",)


def test_a_tidy_table_has_no_warnings():
    assert read_table({"x": [1.5, 2.5, 4.0], "y": ["a", "b", "a"]}).warnings == ()


@pytest.mark.parametrize(
    "values",
    [["yes", "NO", None], ["T", "f", "?"], [1, 0, None], [1.0, 0.0, 7.0]],
)
def test_truth_in_any_spelling_becomes_boolean(values):
    series = pl.Series("x", values)
    assert as_booleans(series).to_list() == [True, False, None]
    assert as_booleans(series).name == "x"


def test_storage_types_are_reduced_to_a_few():
    frame = pl.DataFrame(
        {
            "decimal": pl.Series(["1.5", "2.5"]).cast(pl.Decimal(10, 2)),
            "lasting": [dt.timedelta(seconds=90), dt.timedelta(seconds=1)],
            "clock": [dt.time(0, 1), dt.time(0, 2)],
            "small": np.array([1.5, 2.5], dtype=np.float32),
        }
    )
    table = read_table(frame)
    assert {column.kind for column in table.columns} == {NUMERIC}
    assert table.frame["decimal"].to_list() == [1.5, 2.5]
    assert table.frame["lasting"].to_list() == [90.0, 1.0]
    assert table.frame["clock"].to_list() == [60.0, 120.0]


def test_names_of_persons_identify_rows_even_if_two_are_alike():
    names = [f"Person{i}, Mr. Given{i % 7}" for i in range(40)]
    kinds = {c.name: str(c.kind) for c in read_table({"name": names}).columns}
    assert kinds == {"name": "identifier"}
    twice = [*names, names[0]]
    assert str(read_table({"full_name": twice}).columns[0].kind) == "identifier"
    assert str(read_table({"colour": twice}).columns[0].kind) == "categorical"


def test_strings_of_few_words_that_never_come_again_are_no_category():
    given = [f"First{i} Last{i}" for i in range(30)]
    assert str(read_table({"customer": given}).columns[0].kind) == "identifier"
    titles = [f"oil price falls again by {i}" for i in range(30)]
    assert str(read_table({"title": titles}).columns[0].kind) == "text"


def test_a_name_that_comes_twice_is_not_said_to_differ_in_every_row():
    names = [f"Person {k}" for k in range(199)]
    table = read_table(pl.DataFrame({"name": [*names, names[0]]}))
    (note,) = (each.note for each in table.columns)
    assert note == "looks like an identifier, different in almost every row"
