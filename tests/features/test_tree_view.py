"""The table as trees see it: numbers with gaps, codes, parts of dates."""

import pickle
from datetime import date, datetime

import numpy as np
import polars as pl
import pytest
from sklearn.base import clone

from infimum.errors import DataError, InvalidParameterError
from infimum.features import TableEncoder
from infimum.models.ensembles import HistGradientBoostingClassifier
from infimum.persistence import load, save

ROWS = pl.DataFrame(
    {
        "note": ["a big dog", "cat", None, "the dog and the cat"] * 5,
        "age": [20.0, None, 31.5, 40.0] * 5,
        "owner": ["yes", "no", None, "no"] * 5,
        "job": ["a", "b", None, "a"] * 5,
        "since": [date(2024, 2, 29), None, date(2023, 1, 1), date(2025, 7, 9)] * 5,
    }
)
KINDS = {
    "note": "text",
    "age": "numeric",
    "owner": "boolean",
    "job": "categorical",
    "since": "date",
}


@pytest.fixture(scope="module")
def encoder():
    return TableEncoder(KINDS, view="trees").fit(ROWS)


def test_numbers_and_truths_stay_as_they_are_with_their_gaps(encoder):
    matrix = encoder.transform(ROWS)
    names = encoder.get_feature_names_out().tolist()
    np.testing.assert_array_equal(
        matrix[:4, names.index("age")], [20, np.nan, 31.5, 40]
    )
    np.testing.assert_array_equal(matrix[:4, names.index("owner")], [1, 0, np.nan, 0])
    assert matrix.dtype == np.float64


def test_categories_are_codes_and_their_places_are_known(encoder):
    names = encoder.get_feature_names_out().tolist()
    assert encoder.categorical_features_ == [names.index("job")]
    codes = encoder.transform(ROWS)[:, encoder.categorical_features_]
    np.testing.assert_array_equal(codes[:4], [[0], [1], [np.nan], [0]])


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (["a"] * 6 + ["b"] * 5 + ["x", "y"], [0, 1, 2, 2, np.nan]),
        (["a"] * 6 + ["b"] * 5, [0, 1, np.nan, np.nan, np.nan]),
    ],
    ids=["rare levels", "no rare level"],
)
def test_levels_never_met_are_rare_or_missing(column, expected):
    encoder = TableEncoder({"c": "categorical"}, view="trees")
    encoder.fit(pl.DataFrame({"c": column}))
    codes = encoder.transform(pl.DataFrame({"c": ["a", "b", "y", "new", None]}))
    np.testing.assert_array_equal(codes[:, 0], expected)


def test_codes_fit_into_the_bins_of_the_trees():
    column = [f"level {k % 400}" for k in range(4000)]
    frame = pl.DataFrame({"c": column})
    codes = TableEncoder({"c": "categorical"}, view="trees").fit_transform(frame)
    assert codes.max() == 250
    y = np.array([len(level) % 2 for level in column])
    model = HistGradientBoostingClassifier(max_iter=2, categorical_features=[0])
    assert model.fit(codes, y).score(codes, y) > 0.5


def test_dates_are_parts_of_the_calendar():
    frame = pl.DataFrame({"c": [datetime(2024, 2, 29, 18, 30), None]})
    encoder = TableEncoder({"c": "date"}, view="trees").fit(frame)
    parts = ["year", "month", "weekday", "day of year", "hour", "days since first"]
    assert encoder.get_feature_names_out().tolist() == [f"c {part}" for part in parts]
    matrix = encoder.transform(frame)
    np.testing.assert_allclose(matrix[0], [2024, 2, 4, 60, 18.5, 0], atol=1e-6)
    assert np.isnan(matrix[1]).all()


def test_texts_come_last_so_that_places_do_not_depend_on_words(encoder):
    names = encoder.get_feature_names_out().tolist()
    assert names[0] == "age"
    assert names.index("note words") == 9
    few = TableEncoder(KINDS, view="trees").fit(ROWS.head(2))
    assert few.categorical_features_ == encoder.categorical_features_
    matrix = encoder.transform(ROWS)
    np.testing.assert_array_equal(matrix[:4, 9], [3, 1, 0, 5])
    np.testing.assert_array_equal(matrix[:4, names.index("note: the")], [0, 0, 0, 2])


def test_linear_models_have_no_codes():
    assert TableEncoder(KINDS).fit(ROWS).categorical_features_ == []


def test_the_view_survives_files_pickles_and_copies(encoder, tmp_path):
    save(encoder, tmp_path / "e.infimum")
    shuffled = ROWS.select(reversed(ROWS.columns))
    expected = encoder.transform(ROWS)
    for other in (
        load(tmp_path / "e.infimum"),
        pickle.loads(pickle.dumps(encoder)),
        clone(encoder).fit(ROWS),
    ):
        np.testing.assert_array_equal(other.transform(shuffled), expected)
        assert other.categorical_features_ == encoder.categorical_features_


def test_other_columns_and_views_are_refused(encoder):
    with pytest.raises(DataError, match="no column 'age', which is needed"):
        encoder.transform(ROWS.drop("age"))
    with pytest.raises(InvalidParameterError, match=r"view must be one of .*'trees'"):
        TableEncoder(view="leaves").fit(ROWS)
