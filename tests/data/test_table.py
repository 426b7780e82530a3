"""A table finds its columns, takes rows, and has one fingerprint."""

import hashlib

import pytest

from infimum.data import Column, ColumnKind, read_table
from infimum.errors import DataError


@pytest.fixture
def table():
    return read_table(
        {
            "id": [1, 2, 3, 4],
            "age": [30, None, 50, 30],
            "colour": ["red", "blue", "red", None],
            "country": ["DE"] * 4,
            "denied": ["no", "yes", "no", "yes"],
        }
    )


def test_columns_are_found_by_name(table):
    assert table.column("age") == Column("age", ColumnKind.NUMERIC, 1, 2)
    assert table.names == ("id", "age", "colour", "country", "denied")
    with pytest.raises(DataError, match="No column 'color' in dict; did you mean 'col"):
        table.column("color")


def test_features_are_neither_target_nor_identifier_nor_constant(table):
    names = [column.name for column in table.features("denied")]
    assert names == ["age", "colour"]
    assert len(table.features()) == 3
    with pytest.raises(DataError, match="No column"):
        table.features("nothing")


def test_rows_keep_the_kinds_and_count_anew(table):
    part = table.rows([2, 0])
    assert part.frame["age"].to_list() == [50, 30]
    assert len(part) == 2
    assert part.column("age").missing == 0
    assert part.column("denied").kind is ColumnKind.BOOLEAN
    assert part.column("denied").distinct == 1
    assert part.source == table.source
    assert table.rows([-1]).frame["id"].to_list() == [4]
    assert len(table.rows([])) == 0
    assert table.rows([True, False, False, True]).frame["id"].to_list() == [1, 4]


@pytest.mark.parametrize("indices", [[4], [0, -5]])
def test_rows_that_do_not_exist_are_refused(table, indices):
    with pytest.raises(DataError, match=r"has rows 0 to 3, row -?\d was asked for"):
        table.rows(indices)


@pytest.mark.parametrize("indices", [[True, False], [0.5], [[0, 1]], ["a"]])
def test_rows_must_be_a_mask_or_whole_numbers(table, indices):
    with pytest.raises(DataError, match=r"mask needs shape|list of whole numbers"):
        table.rows(indices)


def test_a_table_is_read_as_it_is(table):
    assert read_table(table) is table
    assert read_table(table, target="denied").frame.equals(table.frame)


@pytest.mark.parametrize(
    "other",
    [
        {"a": [1, 2], "b": ["x", "z"]},
        {"a": [1, 3], "b": ["x", "y"]},
        {"a": [1, 2], "c": ["x", "y"]},
        {"b": ["x", "y"], "a": [1, 2]},
        {"a": [2, 1], "b": ["y", "x"]},
        {"a": [1, None], "b": ["x", "y"]},
        {"a": [1, 2], "b": ["xy", None]},
        {"a": [1.0, 2.5], "b": ["x", "y"]},
    ],
)
def test_the_fingerprint_changes_with_any_value_name_or_order(other):
    base = {"a": [1, 2], "b": ["x", "y"]}
    assert read_table(base).fingerprint == read_table(dict(base)).fingerprint
    assert read_table(other).fingerprint != read_table(base).fingerprint


def test_the_fingerprint_is_sha256_of_the_stated_bytes():
    table = read_table({"a": ["xy", None, "z"]})
    stated = b"a\0words\x003\0" + bytes([0b01000000])
    lengths = b"".join(n.to_bytes(4, "little") for n in (2, 0, 1))
    expected = hashlib.sha256(stated + lengths + b"xyz").hexdigest()
    assert table.fingerprint == expected
