"""Numbers with units and thousands, and words that stray among numbers."""

import polars as pl
import pytest

from infimum.data import ColumnKind, read_table


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        (["12%", "7.5 %", None], [12.0, 7.5, None]),
        (["12,5%", "3%"], [12.5, 3.0]),
        (["-$1,200.50", "$3"], [-1200.5, 3.0]),
        (["£ 5", "£ 7.25"], [5.0, 7.25]),
        (["1.200 €", "3,50 €"], [1200.0, 3.5]),
        (["1 200,50", "3\u00a0000,10"], [1200.5, 3000.1]),
        (["1'200", "3'000.5", "7"], [1200.0, 3000.5, 7.0]),
        (["1,234,567", "5"], [1234567.0, 5.0]),
        (["1.234.567,5", "5"], [1234567.5, 5.0]),
    ],
)
def test_what_people_take_for_numbers_is_read_as_numbers(words, numbers):
    table = read_table({"x": words})
    assert table.frame["x"].to_list() == numbers
    assert table.warnings[0].startswith("Column 'x' is read as numbers, ")


@pytest.mark.parametrize(
    "words",
    [
        ["1,234", "2,345"],
        ["1.234 €", "2.345 €"],
        ["5 %", "7"],
        ["$5", "5 €"],
        ["007", "1,234"],
        ["555 123", "666 124"],
        ["1.2.3", "1.2.4"],
        ["10.0.0.1", "10.0.0.2"],
        ["1,5", "2,5"],
        ["12%", "about 7%"],
    ],
)
def test_what_could_be_something_else_stays_words(words):
    assert read_table({"x": words}).frame["x"].to_list() == words


def test_a_stray_word_does_not_make_words_of_many_numbers():
    words = [*map(str, range(99)), "unknown"]
    table = read_table({"x": words})
    assert table.frame["x"].to_list() == [*range(99), None]
    assert table.column("x").kind is ColumnKind.NUMERIC
    (sentence,) = table.warnings
    assert sentence.endswith(
        "1 of 100 values, for example 'unknown', which count as missing."
    )


@pytest.mark.parametrize(
    "words",
    [
        [*map(str, range(90)), *["unknown"] * 10],
        [*map(str, range(96)), *"abcd"],
        [*(["1", "2", "3"] * 40), "other"],
        [*(f"0{k}" for k in range(99)), "other"],
    ],
    ids=["many of them", "many kinds", "few numbers", "codes"],
)
def test_words_that_mean_something_stay(words):
    assert read_table({"x": words}).frame["x"].dtype == pl.String


def test_months_and_weeks_are_their_first_day():
    table = read_table({"m": ["2024-03", None], "w": ["2020-W53", "2024-W05"]})
    assert [str(day) for day in table.frame["m"]] == ["2024-03-01", "None"]
    assert [str(day) for day in table.frame["w"]] == ["2020-12-28", "2024-01-29"]
