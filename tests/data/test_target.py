"""Which columns can be learned, as which task, and what is said about the others."""

import datetime as dt

import numpy as np
import pytest
from scipy import sparse

from infimum.data import Task, bundled, check_target, read_table
from infimum.errors import DataError, InvalidParameterError

X = list(np.linspace(0, 1, 12))


def target(values, task="auto"):
    return check_target(read_table({"x": X[: len(values)], "y": values}), "y", task)


@pytest.mark.parametrize(
    ("values", "task"),
    [
        (["yes", "no"] * 6, Task.CLASSIFICATION),
        (["a", "b", "c"] * 4, Task.CLASSIFICATION),
        ([True, False] * 6, Task.CLASSIFICATION),
        ([0, 1] * 6, Task.CLASSIFICATION),
        ([0.0, 1.0], Task.CLASSIFICATION),
        ([1, 2, 3] * 4, Task.CLASSIFICATION),
        ([1.0, 2.0, 3.0] * 4, Task.CLASSIFICATION),
        ([1, 2, 3, 4, 5, 6] * 2, Task.REGRESSION),
        ([0.5, 1.5] * 6, Task.REGRESSION),
        (list(np.arange(12) ** 2), Task.REGRESSION),
    ],
)
def test_the_task_is_inferred_by_the_documented_rule(values, task):
    assert target(values).task is task


def test_classes_are_the_sorted_labels_and_values_follow_the_rows():
    learned = target(["b", "a", "c"] * 4)
    assert learned.classes == ("a", "b", "c")
    assert list(learned.values[:3]) == ["b", "a", "c"]
    assert learned.name == "y"


def test_a_regression_has_real_values_and_no_classes():
    learned = target([1, 2, 3] * 4, task="regression")
    assert learned.values.dtype == np.float64
    assert learned.classes == ()


def test_the_task_can_be_chosen_where_it_makes_sense():
    assert target([1, 2, 3, 4, 5, 6] * 2, "classification").classes == (
        1,
        2,
        3,
        4,
        5,
        6,
    )
    assert target([True, False] * 3, "regression").values.tolist() == [1.0, 0.0] * 3
    with pytest.raises(DataError, match=r"words such as 'no'.*task='classification'"):
        target(["yes", "no"] * 3, "regression")
    with pytest.raises(DataError, match=r"12 different real .*task='regression'"):
        target(X, "classification")
    with pytest.raises(InvalidParameterError, match="one of 'auto', 'classification'"):
        target([0, 1], "clustering")


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([None] * 3, "Column 'y' of dict is missing in every row"),
        (["NA", "?", ""], "is missing in every row"),
        (["yes"] * 3, "has one class only, 'yes'; learning needs at least two"),
        ([5.0] * 3, "has one class only, 5.0"),
        (["yes", None, "yes"], "has one class only, 'yes'"),
        ([dt.date(2020, 1, 1), dt.date(2020, 1, 2)], "holds dates"),
        ([f"a long story about person {k} and more" for k in range(9)], "free text"),
    ],
)
def test_what_cannot_be_learned_is_refused(values, reason):
    with pytest.raises(DataError) as caught:
        target(values)
    assert reason in str(caught.value)
    assert str(caught.value).endswith(".")


def test_an_identifier_or_an_infinite_target_is_refused():
    with pytest.raises(DataError, match="is an identifier, different in every row"):
        read_table({"x": [1, 2], "id": [7, 8]}, target="id")
    with pytest.raises(DataError, match="Column 'y' of dict holds an infinite value"):
        target([1.0, float("inf"), 2.0])


def test_rows_without_target_are_left_out_with_a_warning():
    table = read_table({"x": [1, 2, 3, 4], "y": ["a", None, "b", "NA"]}, target="y")
    assert table.frame["x"].to_list() == [1, 3]
    assert (
        "Column 'y' of dict is missing in 2 of 4 rows, which are left out."
        in table.warnings
    )


def test_a_rare_class_is_warned_about():
    rare = read_table({"x": range(300), "y": ["a"] * 298 + ["b"] * 2}, target="y")
    assert "Column 'y' of dict has class 'b' in 2 of 300 rows only." in rare.warnings
    single = target(["a"] * 11 + ["b"]).table.warnings
    assert "Column 'y' of dict has class 'b' in 1 of 12 rows only." in single
    assert target(["a"] * 10 + ["b"] * 2).table.warnings == ()


def test_the_target_must_be_named():
    with pytest.raises(DataError, match=r"Say which column of dict to predict\."):
        check_target(read_table({"x": [1, 2]}))
    with pytest.raises(DataError, match="is the name of a column"):
        read_table({"x": [1, 2]}, target=[1, 2])


def test_a_sparse_table_carries_its_target():
    matrix = sparse.eye_array(6).tocsr()
    table = read_table(matrix, target=[1, -1] * 3)
    assert check_target(table).task is Task.CLASSIFICATION
    assert check_target(table).classes == (-1, 1)
    gaps = read_table(matrix, target=[0.5, np.nan, 1.5, 2.5, 3.5, 4.5])
    assert len(gaps) == 5
    assert "missing in 1 of 6 rows" in gaps.warnings[0]
    words = np.array(["a", "b"] * 3, dtype=object)
    assert check_target(read_table(matrix, target=words)).classes == ("a", "b")


@pytest.mark.parametrize(
    ("labels", "reason"),
    [
        ([1, 1], "has one class only, 1"),
        ([1.5, np.inf], "is infinite in row 2"),
        ([np.nan, np.nan], "is missing in every row"),
    ],
)
def test_a_sparse_target_that_cannot_be_learned_is_refused(labels, reason):
    with pytest.raises(DataError, match=reason):
        read_table(sparse.eye_array(2).tocsr(), target=labels)


def test_a_sparse_table_without_target_cannot_be_learned_from():
    with pytest.raises(DataError, match="has no target to learn"):
        check_target(read_table(sparse.eye_array(2).tocsr()))


def test_the_bundled_target_is_a_classification_of_two_classes():
    learned = check_target(bundled(), "denied")
    assert learned.task is Task.CLASSIFICATION
    assert learned.classes == ("no", "yes")
    assert int((learned.values == "yes").sum()) == 285


def test_numbers_from_0_up_that_become_ever_rarer_are_counts_not_classes():
    visits = np.repeat(np.arange(8), [400, 150, 60, 30, 12, 6, 3, 1])
    found = check_target(
        read_table({"x": np.arange(len(visits)), "visits": visits}), "visits"
    )
    assert found.task == "regression"
    digits = np.tile(np.arange(10), 30)
    found = check_target(read_table({"x": np.arange(300), "digit": digits}), "digit")
    assert found.task == "classification"


def test_hundreds_of_prices_are_no_classes_though_they_are_whole_numbers():
    prices = read_table({"x": np.arange(500), "price": np.arange(500) // 2 * 100})
    with pytest.raises(DataError, match="250 different numbers in 500 rows, too many"):
        check_target(prices, "price", "classification")
    codes = read_table({"x": np.arange(900), "code": np.arange(900) % 25})
    assert len(check_target(codes, "code", "classification").classes) == 25
