"""Every refusal is one sentence that says where, why and what next."""

import gzip

import numpy as np
import polars as pl
import pytest
from scipy import sparse

from infimum.data import bundled, card, read_table
from infimum.errors import DataError, InvalidParameterError


def refusal(source, **options):
    with pytest.raises(DataError) as caught:
        read_table(source, **options)
    sentence = str(caught.value)
    assert sentence.endswith((".", "?"))
    assert "\n" not in sentence
    assert "polars.exceptions" not in sentence
    return sentence


@pytest.fixture
def saved(tmp_path):
    def save(content, name="table.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return save


def test_no_such_file_names_the_nearest_one(saved):
    path = saved("a\n1\n", "boston.csv")
    assert "did you mean 'boston.csv'?" in refusal(path.with_name("bostn.csv"))
    assert "No file" in refusal(path.with_name("zzzzzzzzzzz.parquet"))
    assert "there is no folder" in refusal(path.parent / "nowhere" / "table.csv")
    assert "download the file first" in refusal("https://example.org/table.csv")


def test_a_folder_is_not_a_table(tmp_path):
    assert "is a folder" in refusal(tmp_path)


def test_an_unknown_ending_lists_the_known_ones(saved):
    sentence = refusal(saved("a,b\n1,2\n", "table.odd"))
    assert "'.odd'" in sentence
    assert ".parquet" in sentence
    assert "save the sheet as CSV" in refusal(saved("a\n1\n", "table.xlsx"))


def test_an_unknown_format_is_a_wrong_parameter(saved):
    with pytest.raises(InvalidParameterError, match=r"read_table\.format must be one"):
        read_table(saved("a\n1\n"), format="excel")


@pytest.mark.parametrize("name", ["a.csv", "a.parquet", "a.arrow", "a.jsonl", "a.svm"])
def test_an_empty_file_is_empty_in_every_format(saved, name):
    assert refusal(saved("", name)) == f"{name} is empty."


def test_nothing_but_blank_lines_is_empty(saved):
    assert refusal(saved(" \n\n \n")) == "table.csv is empty."
    assert "is empty" in refusal(saved(gzip.compress(b""), "table.csv.gz"))


@pytest.mark.parametrize("text", ["a,b\n", "a,b", "a\n", "a,b\n\n\n"])
def test_a_header_without_rows_is_refused(saved, text):
    assert refusal(saved(text)) == "table.csv has column names but no rows."


def test_a_name_that_occurs_twice_is_refused(saved):
    sentence = refusal(saved("age,sex,age\n1,2,3\n"))
    assert sentence == (
        "table.csv has more than one column named 'age'; rename one of them."
    )
    assert "named 'a'" in refusal(saved("a, a\n1,2\n"))


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("a,b,c\n1,2,3\n4,5\n6,7,8\n", 3, "2 fields"),
        ("a,b,c\n1,2,3\n4,5,6,7\n", 3, "4 fields"),
        ('a,b,c\n"1\n1",2,3\n4,5\n', 4, "2 fields"),
        ('a,b,c\n1,2,"3,3"\n4,"5,6"\n', 3, "2 fields"),
        ("a,b,c\n\n1,2,3\n\n4\n", 5, "1 field"),
        ('a,b,c\n1,2"x,3\n4,5\n', 3, "2 fields"),
    ],
    ids=["short", "long", "after a quoted line end", "quoted", "blank lines", "stray"],
)
def test_a_row_of_another_length_is_named_by_its_line(saved, text, line, found):
    assert refusal(saved(text)) == (
        f"Line {line} of table.csv has {found}, but the first line has 3."
    )


@pytest.mark.parametrize(
    "content",
    [b"name,n\nok,1\nRen\xe9\x81,2\n", "name,né\n".encode() + b"Ren\xe9,2\nx,1\n"],
    ids=["no letter of Windows", "UTF-8 before it"],
)
def test_damaged_letters_are_named_by_line_and_byte(saved, content):
    assert refusal(saved(content)).endswith("holds byte 0xe9; save the file as UTF-8.")


def test_half_a_letter_of_two_bytes_is_refused(saved):
    assert "UTF-16" in refusal(saved("a,b\n1,2".encode("utf-16")[:-1]))


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.svm", "a.txt", "a"])
def test_binary_junk_is_no_table(saved, name):
    junk = bytes(range(256)) * 4
    assert "is not a table: it holds binary data" in refusal(saved(junk, name))


@pytest.mark.parametrize("name", ["a.parquet", "a.arrow", "a.feather"])
@pytest.mark.parametrize("junk", [b"junk" * 50, b"PAR1junkPAR1", b"ARROW1\0\0junk"])
def test_junk_under_a_columnar_name_is_refused(saved, name, junk):
    assert "is not a complete" in refusal(saved(junk, name))


def test_a_truncated_columnar_file_is_refused(saved, tmp_path):
    frame = pl.DataFrame({"a": range(1000), "b": ["x"] * 1000})
    frame.write_parquet(tmp_path / "a.parquet")
    frame.write_ipc(tmp_path / "a.arrow")
    for name in ("a.parquet", "a.arrow"):
        whole = (tmp_path / name).read_bytes()
        for share in (0.1, 0.5, 0.99):
            part = saved(whole[: int(share * len(whole))], name)
            assert "is not a complete" in refusal(part)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"PAR1", "a Parquet file"),
        (b"PK\x03\x04", "Excel workbook that cannot"),
        (b"%PDF-1.4", "PDF"),
        (b"<!DOCTYPE html><html>", "web page"),
        (b"\n<?xml version='1.0'?>", "XML"),
        (b"\x89PNG\r\n", "picture"),
    ],
)
def test_a_known_foreign_file_is_called_by_its_name(saved, content, reason):
    assert reason in refusal(saved(content))


def test_a_damaged_archive_is_refused(saved):
    whole = gzip.compress(b"a,b\n" + b"1,2\n" * 1000)
    assert "gzip" in refusal(saved(whole[:-10], "table.csv.gz"))
    assert "gzip" in refusal(saved(whole[:12] + b"junk" + whole[16:], "table.csv.gz"))


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"a": 1}\n{"a": 2\n', "Line 2"),
        ('{"a": 1}\n\n[1, 2]\n', "Line 3"),
        ("42\n", "Line 1"),
        ("[1, 2]", "Entry 1"),
        ('[{"a": 1}, 2]', "Entry 2"),
        ("[]", "empty list"),
        ("[1, 2", "not valid JSON"),
        ('{"a": [1, 2]}\n', "holds lists"),
        ('{"a": {"b": 1}}\n', "holds records"),
        ("{}\n{}\n", "no columns"),
    ],
)
def test_json_that_is_no_table_is_refused(saved, text, place):
    assert place in refusal(saved(text, "a.jsonl"))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("a,b\n1,2\n3,inf\n", "a.csv"),
        ("a,b\n1,2\n3,-Infinity\n", "a.csv"),
        ('{"b": 1}\n{"b": Infinity}\n', "a.jsonl"),
    ],
)
def test_infinite_values_are_named_by_column_and_row(saved, text, name):
    sentence = refusal(saved(text, name))
    assert f"Column 'b' of {name} holds an infinite value in row 2" in sentence


def test_infinite_values_in_memory_are_refused_too():
    assert "infinite value in row 3" in refusal(np.array([1.0, 2.0, np.inf]))
    assert "inf in row 2" in refusal(sparse.csr_array([[0.0, 1.0], [np.inf, 0.0]]))


@pytest.mark.parametrize(
    "source",
    [42, None, "", [1, 2], {1, 2}, object(), [], np.float64(3)],
    ids=lambda source: type(source).__name__,
)
def test_what_is_no_table_is_told_what_would_be(source):
    assert refusal(source)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (np.zeros((2, 2, 2)), "3 dimensions"),
        (np.array(5.0), "0 dimensions"),
        (np.zeros((0, 3)), "no rows"),
        (np.zeros((3, 0)), "no columns"),
        (np.zeros((2, 2), dtype=complex), "complex"),
        (sparse.csr_array((2, 2), dtype=complex), "complex"),
        (sparse.csr_array((0, 2)), "no rows or no columns"),
        (pl.DataFrame(), "no columns"),
        (pl.DataFrame({"a": []}), "no rows"),
        (pl.DataFrame({"a": [[1], [2]]}), "holds lists"),
        (pl.DataFrame({"a": [b"x"]}), "raw bytes"),
        (pl.DataFrame({"a": [1]}).lazy().select("b"), "cannot be collected"),
        ({"a": [1, 2], "b": [1]}, "'b' of dict has 1 values, but column 'a' has 2"),
        ({"a": 3}, "not a list"),
        ({"a": "abc"}, "not a list"),
        ({"a": [1], 1: [2], "1": [3]}, "named '1'"),
        ({"a": [object(), object()]}, "Column 'a'"),
        ({"a": [1, [2]]}, "Column 'a'"),
        ({"a": np.zeros((2, 2))}, "2 dimensions"),
        ([{"a": 1}, 2], "Entry 2"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_objects_that_are_not_quite_tables_are_refused(source, reason):
    assert reason in refusal(source)


def test_no_such_column_names_the_nearest_one(saved):
    path = saved("denied,age\nyes,1\nno,2\n", "boston.csv")
    assert refusal(path, target="denid") == (
        "No column 'denid' in boston.csv; did you mean 'denied'?"
    )
    assert refusal(path, target="zzz") == "No column 'zzz' in boston.csv."


def test_no_such_bundled_data_set_names_the_nearest_one():
    for function in (bundled, card):
        with pytest.raises(DataError, match="did you mean 'boston_mortgages'"):
            function("boston_mortgage")
