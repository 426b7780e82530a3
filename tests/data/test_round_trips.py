"""What is written in any format is read back value for value."""

import io
import string
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.datasets import dump_svmlight_file

from infimum.data import read_table
from infimum.data.delimited import read_delimited

# Words that no rule takes for a number, a truth value, a date or a missing one:
# they start with a letter that occurs in none of those.
LETTERS = string.ascii_letters + string.digits + " ,;|\t\"'\n.:-äß€中"
words = st.text(LETTERS, max_size=12).map(lambda text: f"w{text}w")
numbers = st.floats(allow_nan=False, allow_infinity=False, width=64)
whole = st.integers(-(2**62), 2**62)
truths = st.booleans()


def column(values, n):
    return st.lists(st.none() | values, min_size=n, max_size=n)


@st.composite
def frames(draw):
    n = draw(st.integers(1, 8))
    return pl.DataFrame(
        {
            "number": draw(column(numbers, n)),
            "whole": draw(column(whole, n)),
            "word": draw(column(words, n)),
            "truth": draw(column(truths, n)),
        },
        schema={
            "number": pl.Float64,
            "whole": pl.Int64,
            "word": pl.String,
            "truth": pl.Boolean,
        },
    )


def written(frame, name, write):
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        getattr(frame, write)(path)
        return read_table(path)


def as_values(frame):
    """Columns as lists: without a value there is no type to compare."""
    return frame.to_dict(as_series=False)


@settings(max_examples=60)
@given(frames(), st.sampled_from(["\t", ",", ";", "|"]))
def test_separated_text_comes_back(frame, separator):
    text = io.BytesIO()
    frame.write_csv(text, separator=separator)
    table = read_delimited(text.getvalue(), "table.csv", separator=separator)
    assert as_values(table.frame) == as_values(frame)


@settings(max_examples=60)
@given(frames())
def test_separated_text_comes_back_with_every_field_quoted_or_lines_by_return(frame):
    quoted, returned = io.BytesIO(), io.BytesIO()
    frame.write_csv(quoted, quote_style="always")
    frame.write_csv(returned, line_terminator="\r\n")
    expected = as_values(frame)
    assert as_values(read_delimited(quoted.getvalue(), "q").frame) == expected
    assert as_values(read_delimited(returned.getvalue(), "r").frame) == expected


@settings(max_examples=30)
@given(frames())
def test_columnar_and_json_files_come_back_with_one_fingerprint(frame):
    tables = [
        written(frame, "a.parquet", "write_parquet"),
        written(frame, "a.arrow", "write_ipc"),
        written(frame, "a.feather", "write_ipc_stream"),
        written(frame, "a.jsonl", "write_ndjson"),
        written(frame, "a.json", "write_json"),
        read_table(frame),
    ]
    for table in tables:
        assert as_values(table.frame) == as_values(frame)
    complete = frame.null_count().row(0) == (0, 0, 0, 0)
    if complete:
        assert len({table.fingerprint for table in tables}) == 1


@settings(max_examples=40)
@given(st.data())
def test_svmlight_files_come_back(data):
    n, d = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 6))
    # Inside the range in which 16 digits neither overflow nor lose any.
    usual = numbers.filter(lambda x: x == 0 or 1e-300 < abs(x) < 1e300)
    cells = st.one_of(st.just(0.0), usual)
    dense = np.array(data.draw(st.lists(cells, min_size=n * d, max_size=n * d)))
    dense = dense.reshape(n, d)
    dense[0, d - 1] = 1.0  # The last feature occurs, or no one knows of it.
    labels = np.array(data.draw(st.lists(usual, min_size=n, max_size=n)))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.svm"
        with path.open("wb") as file:
            dump_svmlight_file(sparse.csr_matrix(dense), labels, file, zero_based=False)
        table = read_table(path)
    # The format is written with 16 significant digits.
    np.testing.assert_allclose(table.matrix.toarray(), dense, rtol=1e-15)
    np.testing.assert_allclose(table.target, labels, rtol=1e-15)
