"""Ratings that cannot be used are refused in one sentence; odd ones are not."""

import numpy as np
import pytest
from scipy import sparse

import infimum
from infimum.errors import DataError, IncompatibleError, InvalidParameterError
from infimum.models.recommend import (
    ContentRecommender,
    FactorRecommender,
    HardImpute,
    NeighborRecommender,
    Ratings,
    SoftImpute,
    soft_impute_path,
)

PAIR = (["a", "a", "b"], ["x", "y", "x"], [1.0, 2.0, 3.0])


def sentence(excinfo):
    text = str(excinfo.value)
    assert text.endswith(".")
    assert "\n" not in text
    return text


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda: Ratings.of_columns([], [], []), DataError, "need a rating"),
        (lambda: Ratings.of_columns(["a"], ["x"], [np.nan]), DataError, "finite"),
        (lambda: Ratings.of_columns(["a", None], ["x", "y"]), DataError, "missing"),
        (lambda: Ratings.of_columns(["a"], ["x", "y"]), DataError, "do not belong"),
        (lambda: Ratings.of_columns(["a"], ["x"], ["good"]), DataError, "numbers"),
        (
            lambda: Ratings.of_columns(
                ["a"] * 2, ["x"] * 2, [1, 2], duplicates="refuse"
            ),
            DataError,
            "twice",
        ),
        (lambda: FactorRecommender(2, strength=0.0).fit(PAIR), ValueError, "strength"),
        (lambda: SoftImpute(0.0).fit(np.eye(2)), InvalidParameterError, "strength"),
        (lambda: soft_impute_path(np.eye(2), [0.0]), InvalidParameterError, "(0, inf"),
        (lambda: SoftImpute().fit(np.full((2, 2), np.nan)), DataError, "missing"),
        (lambda: HardImpute(3).fit(np.eye(2)), InvalidParameterError, "rank"),
        (lambda: FactorRecommender().fit("ratings.csv"), DataError, "sparse matrix"),
        (
            lambda: FactorRecommender(implicit=True, biases=True).fit(PAIR),
            IncompatibleError,
            "biases",
        ),
        (
            lambda: FactorRecommender(implicit=True).fit((["a"], ["x"], [-1.0])),
            DataError,
            "at least 0",
        ),
        (
            lambda: ContentRecommender().fit(PAIR, item_features={"x": [1.0]}),
            DataError,
            "'y' has no features",
        ),
        (
            lambda: NeighborRecommender().fit(PAIR).predict(["z"], ["x"]),
            DataError,
            "fold_in",
        ),
        (
            lambda: NeighborRecommender().fit(PAIR).predict(["a"], ["nothing"]),
            DataError,
            "item 'nothing'",
        ),
        (
            lambda: NeighborRecommender().fit(PAIR).recommend("a"),
            DataError,
            "list of users",
        ),
    ],
)
def test_what_cannot_be_used_is_refused_in_a_sentence(call, error, words):
    with pytest.raises(error) as excinfo:
        call()
    assert words in sentence(excinfo)


def test_a_failed_fit_leaves_the_model():
    model = FactorRecommender(2, strength=0.1).fit(PAIR)
    before = model.recommend(["b"])
    with pytest.raises(DataError):
        model.fit((["a"], ["x"], [np.inf]))
    assert model.recommend(["b"]) == before


def test_users_and_items_without_ratings_get_the_mean_and_the_biases():
    X = np.full((4, 3), np.nan)
    X[0, 0], X[1, 0], X[1, 1] = 5.0, 4.0, 1.0
    for model in (FactorRecommender(2, strength=0.1), NeighborRecommender()):
        model.fit(X)
        assert np.isfinite(model.predict([3, 0], [2, 2])).all()
    model = FactorRecommender(2, strength=0.1).fit(X)
    assert model.predict([3], [2])[0] == pytest.approx(model.mean_)


def test_constant_ratings_and_a_single_one_are_predicted_as_they_are():
    for seen in ((["a", "b"], ["x", "y"], [3.0, 3.0]), (["a"], ["x"], [4.0])):
        for model in (FactorRecommender(2), NeighborRecommender()):
            model.fit(seen)
            said = model.predict([seen[0][0]], [seen[1][0]])[0]
            assert said == pytest.approx(seen[2][0], abs=1e-6)


def test_a_stored_zero_is_a_rating_and_nan_is_none():
    seen = sparse.csr_array((np.array([0.0, 4.0]), ([0, 1], [0, 1])), shape=(2, 2))
    assert len(Ratings.of_matrix(seen)) == 2
    assert len(Ratings.of_matrix(np.array([[0.0, np.nan], [np.nan, 4.0]]))) == 2
    model = SoftImpute(0.1).fit_entries(seen)
    assert model.certificate_.primal == pytest.approx(
        SoftImpute(0.1).fit([[0.0, np.nan], [np.nan, 4.0]]).certificate_.primal
    )


def test_duplicates_are_their_mean_with_the_weight_of_both():
    seen = Ratings.of_columns(["a", "a", "b"], ["x", "x", "x"], [1.0, 3.0, 5.0])
    assert seen.matrix.data.tolist() == [2.0, 5.0]
    assert seen.weights.tolist() == [2.0, 1.0]


def test_ratings_that_are_all_equal_are_learnt_and_proved(tmp_path):
    seen = (["a", "a", "b", "b"], ["x", "y", "x", "z"], [3.0, 3.0, 3.0, 3.0])
    model = FactorRecommender().fit(seen)
    assert model.certify(seen).closed
    infimum.save(model, tmp_path / "m.infimum")
    assert infimum.load(tmp_path / "m.infimum").predict(["a"], ["z"]) == [3.0]


def test_numbers_whose_squares_are_none_are_refused_in_words():
    with pytest.raises(DataError, match="SoftImpute takes numbers below"):
        SoftImpute(1.0).fit(1e150 * np.eye(3))
