"""The LIBSVM format: sparse in, sparse out, and malformed lines by number."""

import gzip

import numpy as np
import pytest

from infimum.data import SparseTable, read_table
from infimum.errors import DataError


@pytest.fixture
def svm(tmp_path):
    def write(text, name="a.svm"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def test_lines_become_rows_of_a_sparse_matrix(svm):
    table = read_table(svm("+1 1:0.5 3:2\n-1 2:1e-3\n+1\n"))
    assert isinstance(table, SparseTable)
    np.testing.assert_array_equal(
        table.matrix.toarray(), [[0.5, 0, 2], [0, 1e-3, 0], [0, 0, 0]]
    )
    np.testing.assert_array_equal(table.target, [1, -1, 1])
    assert table.target.dtype == np.int64
    assert len(table) == 3
    assert table.source == "a.svm"


def test_comments_blank_lines_and_line_ends_are_understood(svm):
    text = "# a comment\r\n1 1:1 # label one\r\n\r\n2.5\t2:1  3:1 \r\n"
    table = read_table(svm(text))
    np.testing.assert_array_equal(table.matrix.toarray(), [[1, 0, 0], [0, 1, 1]])
    np.testing.assert_array_equal(table.target, [1, 2.5])


def test_features_out_of_order_are_sorted(svm):
    table = read_table(svm("1 3:3 1:1\n"))
    np.testing.assert_array_equal(table.matrix.indices, [0, 2])


def test_queries_are_kept_for_ranking(svm):
    table = read_table(svm("3 qid:1 1:1\n2 qid:1 2:1\n1 qid:7 1:2\n"))
    np.testing.assert_array_equal(table.groups, [1, 1, 7])
    np.testing.assert_array_equal(table.rows([2]).groups, [7])
    assert table.matrix.shape == (3, 2)


@pytest.mark.parametrize("name", ["a.libsvm", "a.svmlight", "a9a", "a.txt", "a9a.t"])
def test_the_format_is_recognised_by_name_or_first_line(svm, name):
    assert isinstance(read_table(svm("-1 3:1 11:1\n+1 5:1\n", name)), SparseTable)


def test_compressed_files_are_read_as_they_are(svm):
    path = svm(gzip.compress(b"1 1:1\n0 2:1\n"), "a.svm.gz")
    assert read_table(path).matrix.nnz == 2


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1 1:1\n2 2\n", "Line 2 of a.svm is malformed: '2' is not of the form"),
        ("1 1:1\n\n# c\n2 a:1\n", "Line 4 of a.svm is malformed: 'a:1'"),
        ("1 1:1\n2 1:x\n", "Line 2 of a.svm is malformed: '1:x'"),
        ("1 1:1\n2 1:\n", "Line 2 of a.svm is malformed: '1:'"),
        ("1 1:1:1\n", "Line 1 of a.svm is malformed: '1:1:1'"),
        ("1 1.5:1\n", "Line 1 of a.svm is malformed: '1.5:1'"),
        ("1 1:1\nx 2:1\n", "Line 2 of a.svm starts with 'x'"),
        ("1:1 2:1\n", "Line 1 of a.svm starts with '1:1'"),
        ("1,2 2:1\n", "Line 1 of a.svm starts with '1,2'"),
        ("nan 2:1\n", "Line 1 of a.svm starts with 'nan'"),
        ("1 1:1\n1 0:1\n", "Line 2 of a.svm is malformed: '0:1' has an index below 1"),
        ("1 -3:1\n", "'-3:1' has an index below 1; indices start at 1"),
        ("1 9999999999:1\n", "has an index above 2147483647"),
        ("1 1:inf\n", "'1:inf' is not a finite number"),
        ("1 1:nan\n", "'1:nan' is not a finite number"),
        ("1 2:1 2:3\n", "'2:1' lists its index twice"),
        ("1 2:1 02:3\n", "'2:1' lists its index twice"),
        ("1\n2\n", "lists no features at all"),
        ("# nothing\n", "has no rows"),
        ("1 qid:a 1:1\n", "'qid:a' is no query number"),
        ("1 qid:1 1:1\n2 1:1\n", "the query (qid) of some rows"),
    ],
)
def test_a_malformed_line_is_named_by_its_number(svm, text, reason):
    with pytest.raises(DataError) as caught:
        read_table(svm(text))
    assert reason in str(caught.value)
    assert str(caught.value).endswith(".")


def test_the_target_is_already_inside(svm):
    with pytest.raises(DataError, match="carries its target as the first number"):
        read_table(svm("1 1:1\n2 1:1\n"), target="y")


def test_a_wide_file_costs_its_entries_not_its_width(svm):
    table = read_table(svm("1 1:1 2000000000:1\n2 5:1\n"))
    assert table.matrix.shape == (2, 2_000_000_000)
    assert table.matrix.nnz == 3
