"""The bundled data set is complete, and its card tells the truth."""

import re

import polars as pl
import pytest

from infimum.data import ColumnKind, bundled, card


@pytest.fixture(scope="module")
def table():
    return bundled()


def test_the_bundled_table_is_complete_and_understood(table):
    assert table.frame.shape == (2380, 14)
    assert table.source == "boston_mortgages.csv"
    assert sum(column.missing for column in table.columns) == 0
    kinds = [column.kind for column in table.columns]
    assert kinds.count(ColumnKind.BOOLEAN) == 8
    assert kinds.count(ColumnKind.NUMERIC) == 6
    assert len(table.features("denied")) == 13


def test_the_card_describes_every_column(table):
    described = set(re.findall(r"^\| `(\w+)` \|", card(), re.MULTILINE))
    assert described == set(table.names)


def test_the_card_counts_what_the_file_holds(table):
    frame, text = table.frame, card()
    for name in ("public_bad_record", "self_employed", "single", "high_school"):
        count = int((frame[name] == "yes").sum())
        row = next(line for line in text.splitlines() if line.startswith(f"| `{name}`"))
        assert f"{count:,} yes" in row
    denied = frame["denied"] == "yes"
    group = frame["african_american"] == "yes"
    stated = (
        f"{int(group.sum())} African-American",
        f"{int((group & denied).sum())} were denied",
        f"{int((~group).sum()):,} others {int((~group & denied).sum())}",
        f"{int(denied.sum())} yes",
        f"{frame.height - frame.unique().height} rows repeat",
        f"{int((frame['payments_to_income'] > 1).sum())} applications",
        f"{int((frame['loan_to_value'] > 1).sum())} a loan above",
    )
    flowing = " ".join(text.split())
    assert [each for each in stated if each not in flowing] == []
    assert "sensitive attribute" in text


def test_the_card_says_how_often_insurance_decides(table):
    refused = table.frame.filter(pl.col("insurance_denied") == "yes")
    both = refused.filter(pl.col("denied") == "yes").height
    assert f"{both} of the {refused.height} applicants" in card()
