"""Tables from objects in memory hold the same values as the objects."""

import datetime as dt
import subprocess
import sys
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from infimum.data import ColumnKind, SparseTable, Table, read_table

COLUMNS = {
    "number": [1.5, None, 3.5],
    "whole": [1, 2, 2**60],
    "word": ["a", None, "c"],
    "truth": [True, False, True],
    "day": [dt.date(2020, 1, 1), dt.date(2020, 1, 2), None],
}


@pytest.mark.parametrize(
    ("make", "source"),
    [
        (lambda: COLUMNS, "dict"),
        (lambda: pl.DataFrame(COLUMNS), "polars.DataFrame"),
        (lambda: pl.DataFrame(COLUMNS).lazy(), "polars.LazyFrame"),
        (lambda: pa.table(COLUMNS), "pyarrow.Table"),
        (lambda: pd.DataFrame(COLUMNS), "pandas.DataFrame"),
        (lambda: pa.table(COLUMNS).to_pandas(), "pandas.DataFrame"),
        (lambda: pd.DataFrame(COLUMNS).convert_dtypes(), "pandas.DataFrame"),
        (lambda: pl.DataFrame(COLUMNS).to_dicts(), "list"),
    ],
    ids=["dict", "polars", "lazy", "arrow", "pandas", "pandas2", "nullable", "records"],
)
def test_every_kind_of_table_gives_the_same_columns(make, source):
    table = read_table(make())
    assert isinstance(table, Table)
    assert table.source == source
    assert table.frame.to_dict(as_series=False) == COLUMNS
    assert [str(column.kind) for column in table.columns] == [
        "numeric",
        "numeric",
        "categorical",
        "boolean",
        "date",
    ]
    assert table.fingerprint == read_table(COLUMNS).fingerprint


def test_columns_of_objects_are_understood_value_by_value():
    frame = pd.DataFrame({"horsepower": ["130", "?", "150"], "mixed": [1, "a", None]})
    table = read_table(frame.astype(object))
    assert table.frame["horsepower"].to_list() == [130, None, 150]
    assert table.frame["mixed"].to_list() == ["1", "a", None]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([2**70, 1, None], [float(2**70), 1.0, None]),
        ([2**63, 1], [2**63, 1]),
        ([1, 2.5, True], ["1", "2.5", "True"]),
        ([1, 2.5, None], [1.0, 2.5, None]),
        ([Decimal("1.5"), 2], [1.5, 2.0]),
        ([np.float32(0.5), np.int8(2)], [0.5, 2.0]),
        ([pd.NA, 1, 3], [None, 1, 3]),
        ([pd.NaT, pd.Timestamp("2020-01-02")], [None, dt.datetime(2020, 1, 2)]),
        ([float("nan"), "a"], [None, "a"]),
        ([b"a", "b"], ["a", "b"]),
        (("a", "b"), ["a", "b"]),
        (range(3), [0, 1, 2]),
    ],
    ids=repr,
)
def test_plain_lists_hold_whatever_python_has(values, expected):
    assert read_table({"x": values}).frame["x"].to_list() == expected


def test_time_zones_and_named_series_of_pandas_are_understood():
    moments = pd.Series(pd.to_datetime(["2020-01-01T12:00+02:00"] * 2), name="t")
    table = read_table(moments)
    assert table.names == ("t",)
    assert table.frame["t"][0] == dt.datetime(2020, 1, 1, 10)


def test_numbers_as_column_names_become_words():
    assert read_table(pd.DataFrame(np.eye(2))).names == ("0", "1")


def test_columns_of_pandas_with_one_name_are_refused():
    frame = pd.DataFrame(np.eye(2), columns=["a", "a"])
    with pytest.raises(ValueError, match="more than one column named 'a'"):
        read_table(frame)
    with pytest.raises(ValueError, match="more than one column named 'a'"):
        read_table(pa.table([pa.array([1]), pa.array([2])], names=["a", "a"]))


@pytest.mark.parametrize("dtype", ["f8", "f4", ">f8", "i4", "u8", "i1", "?", ">i2"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_plain_arrays_become_numbered_columns(dtype, order):
    array = np.array([[0, 1, 1], [1, 0, 1]], dtype=dtype, order=order)
    table = read_table(array)
    assert table.names == ("x0", "x1", "x2")
    np.testing.assert_array_equal(table.frame.to_numpy(), array)


def test_one_dimension_is_one_column():
    assert read_table(np.array([1.0, np.nan, 3.0])).column("x0").missing == 1
    assert read_table(pl.Series([1, 2, 4])).names == ("x0",)


def test_structured_arrays_keep_their_names():
    array = np.array(
        [(1.5, 2, "a", b"u"), (2.5, 3, "b", b"v")],
        dtype=[("x", "f8"), ("n", "i4"), ("w", "U3"), ("s", "S3")],
    )
    table = read_table(array)
    assert table.frame.to_dict(as_series=False) == {
        "x": [1.5, 2.5],
        "n": [2, 3],
        "w": ["a", "b"],
        "s": ["u", "v"],
    }


def test_arrays_of_dates_and_objects_are_understood():
    days = np.array(["2020-01-01", "NaT", "2020-01-03"], dtype="datetime64[D]")
    table = read_table({"day": days, "thing": np.array([1, None, 2.5], dtype=object)})
    assert table.column("day").kind is ColumnKind.DATE
    assert table.column("day").missing == 1
    assert table.frame["thing"].to_list() == [1.0, None, 2.5]


@pytest.mark.parametrize("shape", ["csr", "csc", "coo", "lil", "dok", "bsr", "dia"])
@pytest.mark.parametrize("make", [sparse.csr_array, sparse.csr_matrix])
def test_sparse_matrices_stay_sparse(shape, make):
    dense = np.array([[0.0, 1.5, 0.0], [2.0, 0.0, 0.0]])
    table = read_table(make(dense).asformat(shape))
    assert isinstance(table, SparseTable)
    assert table.matrix.format == "csr"
    assert table.density == pytest.approx(1 / 3)
    np.testing.assert_array_equal(table.matrix.toarray(), dense)
    assert table.target is None


def test_sparse_matrices_keep_single_precision_and_are_not_changed():
    twice = sparse.coo_array(([1.0, 2.0], ([0, 0], [1, 1])), shape=(1, 3))
    rows = sparse.csr_array(twice.astype(np.float32))
    messy = sparse.csr_array((np.ones(2), np.array([1, 1]), np.array([0, 2])), (1, 3))
    assert read_table(rows).matrix.dtype == np.float32
    assert read_table(messy).matrix[0, 1] == 2.0
    assert messy.nnz == 2


@pytest.mark.syllabus("S1-002")
def test_a_sparse_matrix_takes_its_labels_along():
    table = read_table(sparse.eye_array(4, 3).tocsr(), target=[0, 1, 0, 1])
    assert (len(table), table.matrix.shape[1]) == (4, 3)
    np.testing.assert_array_equal(table.matrix.toarray(), np.eye(4, 3))
    np.testing.assert_array_equal(table.target, [0, 1, 0, 1])
    part = table.rows([2, 3])
    np.testing.assert_array_equal(part.target, [0, 1])
    assert part.matrix.shape == (2, 3)
    assert part.fingerprint != table.fingerprint
    with pytest.raises(ValueError, match=r"needs shape \(4,\), got \(3,\)"):
        read_table(sparse.eye_array(4).tocsr(), target=[0, 1, 0])
    with pytest.raises(ValueError, match="row 4 was asked for"):
        table.rows([0, 4])


@pytest.mark.syllabus("S0A-013")
def test_a_partly_known_matrix_keeps_the_mask_of_what_is_known():
    users, products, ratings = [0, 0, 1, 2], [0, 2, 1, 0], [5.0, 0.0, 3.0, 1.0]
    table = read_table(sparse.coo_array((ratings, (users, products)), shape=(3, 3)))
    known = table.matrix.tocoo()
    # A known rating of zero is not the same as an unknown one.
    assert set(zip(*known.coords, strict=True)) == set(
        zip(users, products, strict=True)
    )
    assert known.nnz == 4


@pytest.mark.syllabus("S0A-011")
def test_samples_may_have_some_features_only_as_missing_or_as_sparse_entries():
    patients = [{"pressure": 120, "pulse": 70}, {"pressure": 135}, {"pulse": 64}]
    table = read_table(patients)
    assert table.column("pressure").missing == table.column("pulse").missing == 1
    assert table.frame["pulse"].to_list() == [70, None, 64]
    tests = sparse.csr_array(([120.0, 70.0, 135.0], ([0, 0, 1], [0, 1, 0])), (2, 2))
    assert read_table(tests).matrix.nnz == 3


def test_neither_pandas_nor_pyarrow_is_needed_and_the_room_opens_cheaply():
    code = (
        "import sys, infimum.data; assert 'polars' not in sys.modules; "
        "sys.modules['pandas'] = sys.modules['pyarrow'] = None; "
        "from infimum.data import bundled, read_table; import numpy; bundled(); "
        "print(len(read_table({'a': ['x', 'y'], 'b': numpy.ones(2)})))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": ":".join(sys.path), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == "2", done.stderr
