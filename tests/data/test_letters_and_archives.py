"""Files from other machines: old letters, archives, streams, names that say nothing."""

import io
import zipfile

import pandas as pd
import polars as pl
import pytest

from infimum.data import read_table
from infimum.errors import DataError


def archive(**files):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as made:
        for name, content in files.items():
            made.writestr(name, content)
    return held.getvalue()


def test_letters_of_old_windows_are_read_with_a_note(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes("name;Größe\nRené;1,5\nZoë;2,5\n".encode("cp1252"))
    table = read_table(path)
    assert table.frame.to_dict(as_series=False) == {
        "name": ["René", "Zoë"],
        "Größe": [1.5, 2.5],
    }
    assert table.warnings == (
        "t.csv is not UTF-8 and is read as Windows-1252: line 1 says 'Größe'.",
    )


@pytest.mark.parametrize("name", ["t.zip", "t.csv.zip", "t.csv"])
def test_an_archive_of_one_table_is_read(tmp_path, name):
    content = {"folder/": b"", "folder/t.csv": b"a,b\n1,2\n", "__MACOSX/t.csv": b"x"}
    (tmp_path / name).write_bytes(archive(**content))
    assert read_table(tmp_path / name).frame.row(0) == (1, 2)


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"a.csv": b"", "b.csv": b""}, "t.zip holds 2 files (a.csv, b.csv); give an"),
        ({}, "t.zip is a zip archive or an Excel"),
        ({"folder/": b""}, "t.zip holds no file; give an archive of one table."),
        ({"[Content_Types].xml": b"", "xl/a": b""}, "t.zip is an Excel workbook"),
        ({"a.csv": b""}, "t.zip is empty."),
    ],
    ids=["two", "none", "a folder", "a workbook", "an empty one"],
)
def test_other_archives_are_refused(tmp_path, files, sentence):
    path = tmp_path / "t.zip"
    path.write_bytes(archive(**files) if files else b"PK\x03\x04")
    with pytest.raises(DataError) as caught:
        read_table(path)
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize("packed", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA, 97])
def test_a_damaged_or_unknown_packing_is_no_password(packed):
    held = io.BytesIO()
    known = packed if packed != 97 else zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(held, "w", known) as made:
        made.writestr("a.csv", "a,b\n1,2\n" * 50)
    content = bytearray(held.getvalue())
    if packed == known:
        content[45:70] = bytes(25)
    else:
        for place in (8, content.find(b"PK\x01\x02") + 10):
            content[place : place + 2] = packed.to_bytes(2, "little")
    with pytest.raises(DataError, match="that cannot be unpacked; save the table"):
        read_table(io.BytesIO(content))


def test_a_frame_with_a_column_named_read_is_no_open_file():
    frame = pd.DataFrame({"read": [1, 2], "b": [3.5, 4.5]})
    assert read_table(frame).frame["read"].to_list() == [1, 2]


@pytest.mark.parametrize("text", [b' {"a": 1}\n{"a": 2}\n', b'[\n {"a": 1},{"a": 2}]'])
def test_records_after_blanks_are_records(text):
    assert read_table(io.BytesIO(text)).frame["a"].to_list() == [1, 2]


@pytest.mark.parametrize("written", ["write_parquet", "write_ipc", "write_ndjson"])
def test_what_a_name_does_not_say_the_first_bytes_do(written):
    stream = io.BytesIO()
    frame = pl.DataFrame({"a": [1, 2], "b": ["x", "y"]})
    getattr(frame, written)(stream)
    stream.seek(0)
    assert read_table(stream).frame.equals(frame)


def test_an_open_file_is_read_to_its_end(tmp_path):
    assert read_table(io.BytesIO(b"a,b\n1,2\n")).source == "standard input"
    (tmp_path / "t.csv").write_text("a,b\n1,2\n")
    with (tmp_path / "t.csv").open("rb") as opened:
        assert read_table(opened).frame.row(0) == (1, 2)
    with pytest.raises(DataError, match="standard input is empty"):
        read_table(io.BytesIO())
    with pytest.raises(DataError, match="is open for text; open it for bytes"):
        read_table(io.StringIO("a,b\n1,2\n"))


@pytest.mark.parametrize("name", ["", "^a", "fit", "a b", "a*"])
def test_names_are_taken_as_they_are(name):
    frame = pl.DataFrame({name: [1, 2], "ab": [3, 4], "ac": [5, 6]})
    table = read_table(frame)
    assert table.without([name]).columns == ["ab", "ac"]
    assert table.without(["ab"]).columns == [name, "ac"]


@pytest.mark.parametrize("name", ["*", "^a.*$"])
def test_names_that_are_patterns_are_refused(name):
    with pytest.raises(DataError, match="which stands for other names too; rename it"):
        read_table(pl.DataFrame({name: ["x", "y"], "ab": [3, 4]}))


def test_numbers_beyond_64_bits_have_a_fingerprint():
    large = read_table(pl.DataFrame({"u": pl.Series([2**64 - 1], dtype=pl.UInt64)}))
    other = read_table(pl.DataFrame({"u": pl.Series([2**64 - 2], dtype=pl.UInt64)}))
    assert large.fingerprint != other.fingerprint
