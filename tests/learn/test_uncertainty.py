"""Intervals of what the exam tells: they cover the truth as often as they say."""

import numpy as np
import pytest
from scipy.stats import binom

from infimum.evaluation import area_under_roc
from infimum.learn.uncertainty import area_interval, residual_intervals
from infimum.models.trees import DecisionTreeClassifier, export_text

DRAWS = 200


def test_the_interval_of_an_area_covers_the_true_one():
    # Normal scores one standard deviation apart: the area is Phi(1 / sqrt 2).
    truth, inside = 0.7602499, 0
    for seed in range(DRAWS):
        rng = np.random.default_rng(seed)
        happened = np.arange(120) % 3 == 0
        scores = rng.normal(size=120) + happened
        low, high = area_interval(happened, scores)
        assert low < area_under_roc(happened, scores, [False, True]) < high
        inside += low <= truth <= high
    assert inside >= binom.ppf(0.001, DRAWS, 0.95)


def test_one_row_of_a_kind_says_nothing_about_the_area():
    assert area_interval(np.arange(9) == 4, np.arange(9.0)) == (0.0, 1.0)


def test_intervals_of_residuals_cover_bias_median_and_the_guess():
    truths = {"bias": 0.2, "median_absolute": 0.6881, "baseline_rmse": 2.0}
    inside = dict.fromkeys(truths, 0)
    for seed in range(DRAWS):
        rng = np.random.default_rng(seed)
        told = residual_intervals(
            0.2 + rng.normal(size=150), rng.normal(0.0, 2.0, size=150)
        )
        for name, truth in truths.items():
            low, high = told[name]
            inside[name] += low <= truth <= high
    assert min(inside.values()) >= binom.ppf(0.001, DRAWS, 0.94)


def test_too_few_rows_have_no_intervals():
    assert residual_intervals(np.ones(3), np.ones(3)) == {}


@pytest.mark.parametrize(
    ("categorical", "question"),
    [([0], "colour in {red}?"), (None, "colour is red?")],
)
def test_a_tree_names_its_levels(categorical, question):
    X = np.repeat([[0.0], [1.0]], 10, axis=0)
    y = np.repeat(["stop", "go"], 10)
    options = {} if categorical is None else {"categorical_features": categorical}
    model = DecisionTreeClassifier(**options).fit(X, y)
    told = export_text(
        model, feature_names=["colour"], level_names={0: ["red", "green"]}
    )
    assert told.splitlines()[0] in {question, question.replace("red", "green")}
    assert "0" not in told
