"""Categories of many levels, described by the mean target of each level."""

import numpy as np
import polars as pl
import pytest

from infimum import load, save
from infimum.features import TableEncoder
from infimum.features.target_means import SHRINKAGE, held_out_means, target_columns


@pytest.fixture
def table(rng):
    levels = rng.integers(0, 400, 3_000)
    effects = rng.normal(size=400)
    y = effects[levels] + 0.1 * rng.normal(size=3_000)
    return pl.DataFrame({"shop": [f"s{k}" for k in levels]}), y


def encoder():
    return TableEncoder({"shop": "categorical"}, view="trees")


def test_new_rows_get_the_shrunk_mean_of_their_level(table):
    frame, y = table
    made = encoder().fit(frame, y)
    assert made.get_feature_names_out().tolist() == ["shop", "shop: mean target"]
    assert made.categorical_features_ == [0]
    new = pl.DataFrame({"shop": ["s7", "never seen", None]})
    own = y[(frame["shop"] == "s7").to_numpy()]
    shrunk = (own.sum() + SHRINKAGE * y.mean()) / (len(own) + SHRINKAGE)
    means = made.transform(new)[:, 1]
    np.testing.assert_allclose(means, [shrunk, y.mean(), y.mean()], rtol=1e-12)


def test_no_training_row_sees_its_own_target(table):
    frame, y = table
    before = encoder().fit_transform(frame, y)[:, 1]
    for row in (0, 17, 2_999):
        changed = y.copy()
        changed[row] += 1e3
        after = encoder().fit_transform(frame, changed)[:, 1]
        assert after[row] == pytest.approx(before[row], rel=1e-12)
        assert np.abs(after - before).max() > 1


def test_levels_without_effect_get_means_without_use(rng):
    words = pl.Series("c", [f"s{k}" for k in rng.integers(0, 1_500, 3_000)])
    y = rng.integers(0, 2, 3_000)
    targets, _ = target_columns(y)
    held = held_out_means(words, targets)[:, 0]
    # Two thousandths are the square of the usual correlation of 3,000 rows.
    assert np.corrcoef(held, y)[0, 1] ** 2 < 0.01


def test_classes_have_a_share_each_and_many_classes_none(table):
    frame, _ = table
    y = np.arange(frame.height) % 3
    names = encoder().fit(frame, y).get_feature_names_out().tolist()
    assert names[1:] == [f"shop: share of class {k}" for k in range(3)]
    shares = encoder().fit_transform(frame, y)[:, 1:]
    np.testing.assert_allclose(shares.sum(axis=1), 1.0, rtol=1e-12)
    many = np.arange(frame.height) % 40
    assert encoder().fit(frame, many).get_feature_names_out().tolist() == ["shop"]


def test_few_levels_and_no_target_need_no_means(table):
    frame, y = table
    assert encoder().fit(frame).get_feature_names_out().tolist() == ["shop"]
    few = pl.DataFrame({"shop": ["a", "b"] * 50})
    assert encoder().fit(few, y[:100]).get_feature_names_out().tolist() == ["shop"]


def test_a_saved_encoder_keeps_its_means(table, tmp_path):
    frame, y = table
    made = encoder().fit(frame, y)
    save(made, tmp_path / "encoder.infimum")
    again = load(tmp_path / "encoder.infimum")
    np.testing.assert_array_equal(again.transform(frame), made.transform(frame))
