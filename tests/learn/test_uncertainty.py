"""Intervals of what the exam tells: they cover the truth as often as they say."""

import numpy as np
import pytest
from scipy.stats import binom, norm

from infimum.evaluation import area_under_roc
from infimum.evaluation.scoring import Predictions
from infimum.evaluation.uncertainty.metrics import (
    area_interval,
    metric_intervals,
    residual_intervals,
)
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


def test_rows_that_are_all_in_order_leave_room_for_others():
    # Three pairs that share no row: all are in order with probability area ** 3.
    low = 0.025 ** (1 / 3)
    happened, scores = np.arange(6) >= 3, np.arange(6.0)
    assert area_interval(happened, scores) == pytest.approx((low, 1.0))
    assert area_interval(~happened, scores) == pytest.approx((0.0, 1 - low))
    assert area_interval(happened, np.zeros(6)) == (0.0, 1.0)
    said = Predictions(happened, scores[:, None], None)
    told = metric_intervals(happened, said, np.array([False, True]))
    assert told["auc"] == pytest.approx([low, 1.0])
    assert told["balanced_accuracy"] == pytest.approx([low, 1.0])
    assert "accuracy" not in told


def test_the_bound_of_a_perfect_area_is_one():
    rng = np.random.default_rng(0)
    # Where the area is at the lower end, all six in order is as rare as promised.
    apart = 2**0.5 * norm.ppf(0.025 ** (1 / 3))
    yes, no = apart + rng.normal(size=(4000, 3)), rng.normal(size=(4000, 3))
    perfect = np.mean(yes.min(axis=1) > no.max(axis=1))
    assert perfect <= 0.025 + 3 * (0.025 / 4000) ** 0.5


def test_one_class_alone_still_has_intervals_of_its_loss():
    y, likely = np.zeros(40, dtype=int), np.linspace(0.1, 0.9, 40)
    said = Predictions(
        (likely > 0.5).astype(int),
        likely[:, None],
        np.column_stack([1 - likely, likely]),
    )
    low, high = metric_intervals(y, said, np.array([0, 1]))["log_loss"]
    assert low < high


def test_five_rows_do_not_bound_a_median():
    told = residual_intervals(np.arange(5.0), np.arange(5.0))
    assert told["median_absolute"] == [0.0, None]
    six = residual_intervals(np.arange(6.0), np.arange(6.0))
    assert six["median_absolute"] == [0.0, 5.0]


def test_errors_that_are_all_alike_do_not_say_how_others_vary():
    told = residual_intervals(np.ones(8), np.ones(8))
    assert set(told) == {"median_absolute"}


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
