"""Which features may meet on a path: by position, by name, or by a word."""

import inspect

import numpy as np
import pandas as pd
import pytest

from infimum.errors import InvalidParameterError
from tests.laws.estimators import ESTIMATORS, made, targets_for

LIMITED = {
    name: kind
    for name, kind in ESTIMATORS.items()
    if "interaction_cst" in inspect.signature(kind).parameters
}
every_kind = pytest.mark.parametrize("kind", LIMITED.values(), ids=LIMITED)
NAMES = ["age", "rooms", "size"]


@pytest.fixture
def frame(rng):
    return pd.DataFrame(rng.normal(size=(80, 3)), columns=NAMES)


def test_trees_forests_and_boosting_were_found():
    assert len(LIMITED) >= 8


@every_kind
def test_names_mean_the_columns_that_have_them(kind, frame, rng):
    y = targets_for(made(kind), frame.to_numpy(), rng)
    named = made(kind, interaction_cst=[{"age", "size"}, ["rooms"]]).fit(frame, y)
    placed = made(kind, interaction_cst=[(0, 2), {1}]).fit(frame, y)
    assert np.array_equal(named.predict(frame), placed.predict(frame))
    free = made(kind).fit(frame, y)
    fresh = pd.DataFrame(rng.normal(size=(400, 3)), columns=NAMES)
    assert not np.array_equal(named.predict(fresh), free.predict(fresh))


@every_kind
def test_words_mean_sets_of_one_and_of_two(kind, frame, rng):
    y = targets_for(made(kind), frame.to_numpy(), rng)
    alone = made(kind, interaction_cst="no_interactions").fit(frame, y)
    placed = made(kind, interaction_cst=[{0}, {1}, {2}]).fit(frame, y)
    assert np.array_equal(alone.predict(frame), placed.predict(frame))
    pairs = made(kind, interaction_cst="pairwise").fit(frame, y)
    placed = made(kind, interaction_cst=[{0, 1}, {0, 2}, {1, 2}]).fit(frame, y)
    assert np.array_equal(pairs.predict(frame), placed.predict(frame))


@every_kind
@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ([{"age", "price"}], "names the feature 'price', but the columns are 'age', "),
        ([{0, 3}], "names feature 3, but there are 0 to 2"),
        ([{-1}], "names feature -1, but"),
        ([{0.5}], "names feature 0.5, but"),
        (["age", "size"], "must be 'pairwise', 'no_interactions' or a list of sets"),
        ([0, 1], "must be 'pairwise', 'no_interactions' or a list of sets"),
        (5, "must be 'pairwise', 'no_interactions' or a list of sets"),
        ("pairs", "must be one of 'no_interactions', 'pairwise'"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_what_is_no_set_of_features_is_refused_in_one_sentence(
    kind, given, sentence, frame, rng
):
    y = targets_for(made(kind), frame.to_numpy(), rng)
    with pytest.raises(InvalidParameterError, match=sentence):
        made(kind, interaction_cst=given).fit(frame, y)


@every_kind
def test_names_without_names_are_refused_in_one_sentence(kind, frame, rng):
    X = frame.to_numpy()
    with pytest.raises(InvalidParameterError, match="but the columns have none; pos"):
        made(kind, interaction_cst=[{"age"}]).fit(X, targets_for(made(kind), X, rng))
