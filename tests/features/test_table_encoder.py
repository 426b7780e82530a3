"""The table encoder, kind by kind."""

from datetime import date, datetime, timedelta

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.preprocessing import StandardScaler

from infimum.errors import DataError, InvalidParameterError
from infimum.features import TableEncoder
from infimum.features.hashed_text import hashed_ngrams


def encode(column, kind, new=None, **options):
    frame = pl.DataFrame({"c": column}, strict=False)
    encoder = TableEncoder({"c": kind}, **options).fit(frame)
    other = frame if new is None else pl.DataFrame({"c": new}, strict=False)
    matrix = encoder.transform(other)
    return list(encoder.get_feature_names_out()), np.asarray(matrix)


def test_numbers_are_standardised_like_scikit_learn(rng):
    values = rng.normal(5, 3, 40)
    names, matrix = encode(values, "numeric")
    assert names == ["c"]
    expected = StandardScaler().fit_transform(values[:, None])
    np.testing.assert_allclose(matrix, expected, atol=1e-12)


def test_a_change_of_units_changes_nothing(rng):
    values = rng.normal(size=30)
    _, metres = encode(values, "numeric")
    _, feet = encode(values * 3.28 + 7, "numeric")
    np.testing.assert_allclose(metres, feet, atol=1e-12)


def test_missing_numbers_become_the_median_and_say_so():
    names, matrix = encode([1.0, None, 3.0, 8.0], "numeric")
    assert names == ["c", "c is missing"]
    filled = np.array([1.0, 3.0, 3.0, 8.0])
    np.testing.assert_allclose(matrix[:, 0], (filled - 3.75) / filled.std())
    np.testing.assert_array_equal(matrix[:, 1], [0, 1, 0, 0])


def test_infinite_and_missing_numbers_at_prediction_are_filled():
    _, matrix = encode([1.0, 2.0, 6.0], "numeric", new=[np.inf, None, 2.0])
    np.testing.assert_array_equal(matrix[:, 0], [matrix[2, 0]] * 3)


@pytest.mark.parametrize("column", [[7.1] * 5, [None] * 5, [1e300, -1e300, 1e300]])
def test_degenerate_numbers_stay_finite(column):
    _, matrix = encode(column, "numeric")
    assert np.isfinite(matrix).all()


def test_booleans_are_zero_or_one_however_they_are_written():
    _, words = encode(["yes", "no", "yes"], "boolean", new=["No", "YES", "perhaps"])
    np.testing.assert_array_equal(words, [[0], [1], [1]])
    _, numbers = encode([1, 0, None, 0], "boolean", new=[1.0, None, 0.0, 1.0])
    np.testing.assert_array_equal(numbers, [[1, 0], [0, 1], [0, 0], [1, 0]])


def test_levels_get_a_column_each_and_missing_is_a_level():
    column = ["b", "a", None, "b"]
    names, matrix = encode(column, "categorical", min_count=1)
    assert names == ["c=b", "c=a", "c is missing"]
    np.testing.assert_array_equal(matrix, [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]])


def test_rare_levels_are_pooled_and_unknown_ones_join_them():
    column = ["a"] * 6 + ["x", "y"]
    names, matrix = encode(column, "categorical", new=["a", "y", "new", None])
    assert names == ["c=a", "c=(rare)"]
    np.testing.assert_array_equal(matrix, [[1, 0], [0, 1], [0, 1], [0, 0]])


def test_unknown_levels_are_zero_everywhere_if_none_were_rare():
    _, matrix = encode(["a", "b"] * 5, "categorical", new=["z", None])
    np.testing.assert_array_equal(matrix, np.zeros((2, 2)))


def test_whole_numbers_are_the_same_level_stored_as_integer_or_real():
    _, matrix = encode([1, 2] * 5, "categorical", new=[2.0, 1.0])
    np.testing.assert_array_equal(matrix, [[0, 1], [1, 0]])


def test_dates_become_parts_of_the_calendar_and_a_trend():
    days = [date(2024, 2, 29), date(2025, 3, 2), date(2023, 12, 31), None]
    names, matrix = encode(days, "date")
    assert {"c year", "c month", "c is Sunday", "c days since first"} < set(names)
    assert not any("hour" in name or "Monday" in name for name in names)
    assert names[-1] == "c is missing"
    raw = np.array([[d.year, d.month, d.toordinal()] for d in days[:3]])
    filled = np.vstack([raw, np.median(raw, axis=0)]).astype(float)
    filled[:, 2] -= raw[:, 2].min()
    expected = StandardScaler().fit_transform(filled)
    places = [names.index(f"c {p}") for p in ("year", "month", "days since first")]
    np.testing.assert_allclose(matrix[:, places], expected, atol=1e-9)
    np.testing.assert_array_equal(matrix[:, -1], [0, 0, 0, 1])


def test_the_year_and_the_day_close_their_circles():
    hours = [datetime(2023, 1, 1) + timedelta(hours=6 * k) for k in range(1461)]
    names, matrix = encode(hours, "date")
    season = matrix[:, [names.index(f"c season ({f})") for f in ("sine", "cosine")]]
    summer, winter, spring = season[4 * 181], season[-1], season[4]
    assert np.linalg.norm(winter - spring) < 0.1
    assert np.linalg.norm(winter - summer) > 2
    clock = matrix[:, [names.index(f"c hour ({f})") for f in ("sine", "cosine")]]
    np.testing.assert_allclose(clock[0], -clock[2], atol=1e-2)


def test_dates_may_arrive_as_text_but_not_as_other_words():
    days = [date(2024, 1, 1), date(2024, 5, 7)]
    _, parsed = encode(days, "date", new=["2024-01-01", "2024-05-07"])
    np.testing.assert_allclose(parsed, encode(days, "date")[1])
    _, lost = encode(days, "date", new=[None, None])
    assert np.isfinite(lost).all()
    with pytest.raises(DataError, match=r"'c' holds 'soon' in row 2 where dates"):
        encode(days, "date", new=["2024-01-01", "soon"])
    with pytest.raises(DataError, match="holds numbers where dates are expected"):
        encode(days, "date", new=[1, 2])


def test_words_where_numbers_were_learned_are_refused():
    with pytest.raises(DataError, match=r"holds '12a' in row 2 where numbers are"):
        encode([1.0, 2.0], "numeric", new=["12", "12a"])
    with pytest.raises(DataError, match="holds dates where numbers are expected"):
        encode([1.0, 2.0], "numeric", new=[date(2024, 1, 1)])


@pytest.mark.syllabus("S0A-010")
def test_text_becomes_counts_of_the_most_frequent_words():
    texts, new = ["The cat, the dog", "a dog", None], ["dog The dog"]
    names, matrix = encode(texts, "text", max_words=2, view="trees", new=new)
    assert names == ["c words", "c letters", "c: dog", "c: a"]
    np.testing.assert_array_equal(matrix, [[3, 11, 2, 0]])


def test_text_becomes_tf_idf_of_words_and_pairs_as_in_scikit_learn(rng):
    words = ["red", "fast", "old", "cheap", "new", "good"]
    texts = [" ".join(rng.choice(words, 8)) for _ in range(30)]
    names, matrix = encode(texts, "text", sparse_output=False)
    peer = TfidfVectorizer(
        sublinear_tf=True, ngram_range=(1, 2), min_df=2, token_pattern=r"\w+"
    )
    expected = peer.fit_transform(texts).toarray()
    places = [peer.vocabulary_[name.removeprefix("c: ")] for name in names]
    assert sorted(places) == list(range(expected.shape[1]))
    np.testing.assert_allclose(matrix, expected[:, places], rtol=1e-12)


def test_text_of_rare_words_becomes_hashed_pieces_of_words():
    texts, new = ["the cat", "a dog"], ["the dog", "zebra"]
    names, matrix = encode(texts, "text", text_buckets=32, sparse_output=False, new=new)
    assert names[-1] == "c: pieces 32"
    np.testing.assert_array_equal(matrix[:, -32:], hashed_ngrams(new, 32).toarray())
    assert not matrix[1, :-32].any()
    names, _ = encode(["a cat", "a cat", "a dog", "a dog"], "text", text_buckets=32)
    assert "c: pieces 1" not in names


def test_identifiers_and_constants_are_dropped_with_a_reason():
    frame = pl.DataFrame({"id": [1, 2, 3], "one": [1, 1, 1], "x": [1.0, 2.0, 4.0]})
    kinds = {"id": "identifier", "one": "constant", "x": "numeric"}
    encoder = TableEncoder(kinds).fit(frame)
    assert list(encoder.dropped_) == ["id", "one"]
    assert encoder.get_feature_names_out().tolist() == ["x"]
    with pytest.raises(DataError, match="No column can be learned from"):
        TableEncoder({"id": "identifier"}).fit(frame)


def test_columns_are_found_by_name_in_any_order(rng):
    frame = pl.DataFrame({"a": rng.normal(size=9), "b": rng.normal(size=9)})
    encoder = TableEncoder({"a": "numeric", "b": "numeric"}).fit(frame)
    shuffled = frame.with_columns(extra=pl.lit(1)).select("extra", "b", "a")
    np.testing.assert_array_equal(encoder.transform(frame), encoder.transform(shuffled))
    with pytest.raises(DataError, match=r"no column 'b'.*did you mean 'B'"):
        encoder.transform(frame.rename({"b": "B"}))


def test_wide_and_mostly_empty_matrices_are_sparse(rng):
    words = [" ".join(rng.choice([f"w{i}" for i in range(300)], 4)) for _ in range(90)]
    frame = pl.DataFrame({"c": words, "x": rng.normal(size=90)})
    kinds = {"c": "text", "x": "numeric"}
    thin = TableEncoder(kinds).fit_transform(frame)
    full = TableEncoder(kinds, sparse_output=False).fit_transform(frame)
    assert sparse.issparse(thin)
    assert thin.format == "csr"
    assert thin.dtype == full.dtype == np.float64
    np.testing.assert_array_equal(thin.toarray(), full)


def test_pandas_and_polars_tables_encode_alike_and_kinds_are_inferred():
    data = {"n": [1.5, 2.5, 4.0, 8.0] * 6, "k": ["u", "v", "w", "u"] * 6}
    pandas = TableEncoder().fit(pd.DataFrame(data))
    polars = TableEncoder().fit(pl.DataFrame(data))
    assert [c["kind"] for c in pandas.columns_] == ["numeric", "categorical"]
    np.testing.assert_array_equal(
        pandas.transform(pd.DataFrame(data)), polars.transform(pl.DataFrame(data))
    )


def test_names_made_of_columns_never_collide():
    frame = pl.DataFrame({"a": [1.0, None, 3.0], "a is missing": [0.0, 1.0, 5.0]})
    encoder = TableEncoder({"a": "numeric", "a is missing": "numeric"}).fit(frame)
    names = encoder.get_feature_names_out().tolist()
    assert names == ["a", "a is missing", "a is missing (2)"]


def test_bad_settings_and_unfitted_use_are_refused():
    frame = pl.DataFrame({"c": [1.0, 2.0]})
    with pytest.raises(InvalidParameterError, match="'colour'"):
        TableEncoder({"c": "colour"}).fit(frame)
    with pytest.raises(InvalidParameterError, match="min_count"):
        TableEncoder(min_count=0).fit(frame)
    with pytest.raises(NotFittedError):
        TableEncoder().transform(frame)


@pytest.mark.parametrize(
    ("column", "new"),
    [
        (["TRUE", "FALSE", "unclear"], [True, False]),
        (["1.0", "2.50", "more"], [1.0, 2.5]),
        (["01.02.2024", "02.02.2024", "never"], [date(2024, 2, 1), date(2024, 2, 2)]),
        (["10%", "20%", "rest"], [10.0, 20.0]),
    ],
    ids=["truths", "numbers", "dates", "shares"],
)
@pytest.mark.parametrize("view", ["linear", "trees"])
def test_a_level_is_known_also_where_new_rows_have_no_words(column, new, view):
    frame = pl.DataFrame({"c": column * 5})
    encoder = TableEncoder({"c": "categorical"}, view=view).fit(frame)
    np.testing.assert_array_equal(
        encoder.transform(pl.DataFrame({"c": new})), encoder.transform(frame)[:2]
    )


def test_learning_and_encoding_at_once_gives_the_same_matrix(rng):
    frame = pl.DataFrame(
        {f"c{k}": rng.choice([f"l{j}" for j in range(40)], 300) for k in range(3)}
    ).with_columns(x=rng.normal(size=300))
    for view in ("linear", "trees"):
        encoder = TableEncoder(dict.fromkeys(frame.columns, "categorical"), view=view)
        once = encoder.fit_transform(frame)
        twice = encoder.fit(frame).transform(frame)
        assert sparse.issparse(once) == sparse.issparse(twice) == encoder.sparse_
        assert abs(once - twice).max() == 0
