"""What the doors admit, what they refuse, and that plain arrays are not special."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError

from infimum import LogisticRegression, Ridge
from infimum.data.doors import (
    check_fitted,
    labelled,
    measured,
    rows,
    samples,
    streams,
    things,
)
from infimum.errors import DataError, InvalidParameterError
from infimum.kernels import Gaussian, Normalized, Spectrum
from infimum.models.clustering import KMeans
from infimum.models.kernel import SVC, KernelRidge
from infimum.models.online import SGDClassifier

X = np.arange(12.0).reshape(4, 3)
Y = np.array([2, 0, 2, 0])


@pytest.mark.parametrize(
    "given",
    [X, X.tolist(), np.asfortranarray(X), X.astype(int), X.astype(">f8")],
    ids=["plain", "list", "columns", "whole", "swapped"],
)
def test_every_way_to_write_a_table_is_read_alike(given):
    model = LogisticRegression()
    found = labelled(model, given, Y)
    np.testing.assert_array_equal(found.X, X)
    assert found.X.dtype == np.float64
    assert found.X.dtype.isnative
    assert model.n_features_in_ == 3
    assert vars(model).keys() & {"classes_"} == set()


def test_single_precision_and_compressed_tables_stay_what_they_are():
    assert measured(Ridge(), X.astype(np.float32), Y).X.dtype == np.float32
    assert measured(Ridge(), sparse.csc_array(X), Y).X.format == "csc"


def test_names_of_columns_are_remembered_and_forgotten():
    model = Ridge()
    rows(model, pd.DataFrame(X, columns=["a", "b", "c"]))
    assert model.feature_names_in_.tolist() == ["a", "b", "c"]
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        samples(model, X)
    rows(model, X)
    assert not hasattr(model, "feature_names_in_")


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("sparsely", [False, True])
def test_numbers_that_are_none_are_refused_unless_welcome(bad, sparsely):
    given = X.copy()
    given[1, 1] = bad
    table = sparse.csr_array(given) if sparsely else given
    with pytest.raises(DataError, match="Input X contains"):
        rows(KMeans(), table)
    assert rows(KMeans(), table, missing="unchecked").X.shape == X.shape
    if np.isnan(bad):
        assert rows(KMeans(), table, missing=True).X.shape == X.shape


def test_sums_that_overflow_are_no_reason_to_refuse():
    huge = np.full((4, 3), 1e308)
    assert measured(Ridge(), huge, np.full(4, 1e308)).y.max() == 1e308
    with pytest.raises(DataError, match="KMeans takes numbers in X up to"):
        rows(KMeans(), huge, moderate=True)
    with pytest.raises(DataError, match="Ridge takes numbers in y up to"):
        measured(Ridge(), X, np.full(4, 1e308), moderate=True)


def test_a_fitted_estimator_knows_how_wide_its_rows_are():
    with pytest.raises(NotFittedError):
        samples(Ridge(), X)
    with pytest.raises(NotFittedError):
        check_fitted(Ridge(), "coef_")
    model = Ridge().fit(X, Y)
    check_fitted(model, "coef_")
    with pytest.raises(DataError, match="X has 2 features, but Ridge is expecting 3"):
        samples(model, X[:, :2])
    with pytest.raises(DataError, match="0 sample"):
        samples(model, X[:0])


@pytest.mark.parametrize(
    "weights", [[1, -1, 1, 1], [1, np.nan, 1, 1], [1, 1], [0.0] * 4]
)
@pytest.mark.parametrize("plain", [True, False])
def test_weights_are_finite_not_negative_and_not_all_0(weights, plain):
    given = np.array(weights, dtype=float) if plain else weights
    with pytest.raises(ValueError, match=r"sample_weight|Sample weights|weights"):
        rows(KMeans(), X, given)


def test_rows_of_weight_0_stay_go_or_take_their_class_along():
    labels, weights = np.array([0, 1, 1, 2]), np.array([1.0, 1.0, 1.0, 0.0])
    found = [
        labelled(LogisticRegression(), X, labels, weights, weightless=way)
        for way in ("keep", "drop", "forget")
    ]
    assert [len(some) for some in found] == [4, 3, 3]
    assert [some.classes.tolist() for some in found] == [[0, 1, 2], [0, 1, 2], [0, 1]]


def test_class_weights_are_multiplied_in():
    found = labelled(LogisticRegression(), X, Y, [1, 1, 2, 0], class_weight={2: 3.0})
    assert found.weights.tolist() == [3.0, 1.0, 6.0, 0.0]


def test_offsets_and_exposures_add_up():
    known = np.array([0.5, 0.0, 0.0, 1.0])
    found = measured(Ridge(), X, Y, offset=known, exposure=np.exp([1.0, 2.0, 3.0, 4.0]))
    np.testing.assert_allclose(found.offset, [1.5, 2.0, 3.0, 5.0])
    with pytest.raises(DataError, match="Ridge takes one finite offset for each of"):
        measured(Ridge(), X, Y, offset=known[:2])
    with pytest.raises(DataError, match="Ridge needs exposures above 0"):
        measured(Ridge(), X, Y, exposure=known)


def test_one_class_is_too_few():
    with pytest.raises(DataError, match="needs 2 classes or more, got 1 class: 5"):
        labelled(LogisticRegression(), X, [5, 5, 5, 5])
    assert labelled(LogisticRegression(), X, [5] * 4, fewest=1).y.tolist() == [0] * 4


def test_things_tables_and_kernel_values_enter_a_machine():
    words = ["ab", "ba", "bb"]
    found = things(SVC(kernel=Spectrum(2)), words, [1, 0, 1], door=labelled)
    assert (found.X, found.y.tolist()) == (words, [1, 0, 1])
    table = things(SVC(kernel=Normalized(Gaussian(1.0))), X.tolist(), Y, door=labelled)
    np.testing.assert_array_equal(table.X, X)
    values = things(KernelRidge(kernel="precomputed"), np.eye(4), Y, door=measured)
    np.testing.assert_array_equal(values.X, np.eye(4))
    with pytest.raises(DataError, match="square matrix, got shape"):
        things(KernelRidge(kernel="precomputed"), X, Y, door=measured)
    with pytest.raises(DataError, match="needs things to learn from, got 0"):
        things(SVC(kernel=Spectrum(2)), [], [], door=labelled)


def test_a_stream_learns_its_classes_at_the_first_batch():
    model = SGDClassifier()
    with pytest.raises(DataError, match="needs all classes at the first call"):
        streams(model, X, Y, first=True, door=labelled)
    found = streams(model, X, Y, classes=[0, 1, 2], first=True, door=labelled)
    assert found.y.tolist() == Y.tolist()
    model.classes_ = found.classes
    with pytest.raises(DataError, match="knows the classes"):
        streams(model, X, Y + 5, first=False, door=labelled)
    with pytest.raises(DataError, match="has begun with the classes"):
        streams(model, X, Y, classes=[0, 1], first=False, door=labelled)
    rule = {"class_weight": "balanced", "first": False, "door": labelled}
    with pytest.raises(InvalidParameterError, match="a batch does not know"):
        streams(model, X, Y, **rule)
