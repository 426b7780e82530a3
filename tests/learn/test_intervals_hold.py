"""Intervals of the exam against known truths: few rows, rare classes, heavy tails."""

import numpy as np
import pytest
from scipy.stats import binom, norm

from infimum.evaluation.scoring import Predictions, criterion_for, measure
from infimum.evaluation.uncertainty.areas import area_interval
from infimum.evaluation.uncertainty.averaged import average_interval
from infimum.evaluation.uncertainty.mean_intervals import mean_interval, ratio_interval
from infimum.evaluation.uncertainty.metrics import (
    f1_interval,
    metric_intervals,
    share_mean_interval,
)

DRAWS = 100


def held(inside, level=0.95):
    """Tell whether so many of the draws do not refute a coverage of `level`."""
    return sum(inside) >= binom.ppf(0.001, len(inside), level)


@pytest.mark.parametrize(
    ("apart", "n", "share"),
    [(0.0, 30, 0.5), (1.0, 30, 0.2), (2.0, 60, 0.1), (3.0, 200, 0.02), (3.0, 30, 0.5)],
)
def test_areas_are_covered_with_few_rows_and_rare_classes(apart, n, share):
    rng = np.random.default_rng(0)
    truth, inside = norm.cdf(apart / 2**0.5), []
    while len(inside) < DRAWS:
        happened = rng.random(n) < share
        if 0 < happened.sum() < n:
            low, high = area_interval(happened, rng.normal(size=n) + apart * happened)
            inside.append(low <= truth <= high)
    assert held(inside)


def test_areas_with_ties_are_covered():
    rng = np.random.default_rng(1)
    # Three marks: the chances of winning and of half a win are sums over them.
    yes, no = np.array([0.2, 0.3, 0.5]), np.array([0.5, 0.3, 0.2])
    truth = yes @ (np.cumsum(no) - no / 2)
    inside = []
    for _ in range(DRAWS):
        happened = np.arange(40) < 12
        marks = np.where(happened, rng.choice(3, 40, p=yes), rng.choice(3, 40, p=no))
        low, high = area_interval(happened, marks.astype(float))
        inside.append(low <= truth <= high)
    assert held(inside)


def test_weighted_areas_are_those_of_the_population_that_the_rows_stand_for():
    rng = np.random.default_rng(2)
    inside = []
    for _ in range(DRAWS):
        # Rows of which every second is kept count twice: the area is that of all.
        happened = rng.random(160) < 0.4
        scores = rng.normal(size=160) + happened
        heavy = scores > 0.5
        kept = ~heavy | (rng.random(160) < 0.5)
        weights = np.where(heavy, 2.0, 1.0)[kept]
        low, high = area_interval(happened[kept], scores[kept], weights=weights)
        inside.append(low <= norm.cdf(1 / 2**0.5) <= high)
    assert held(inside)


def _classes(rng, n, shares, apart=1.5):
    labels = np.arange(len(shares))
    y = rng.choice(labels, n, p=shares)
    scores = rng.normal(size=(n, len(shares))) + apart * np.eye(len(shares))[y]
    powers = shares * np.exp(scores)
    chances = powers / powers.sum(axis=1, keepdims=True)
    ranked = chances if len(shares) > 2 else chances[:, 1:]
    return y, Predictions(labels[chances.argmax(axis=1)], ranked, chances), labels


@pytest.mark.parametrize(
    ("n", "shares"), [(60, (0.9, 0.1)), (60, (0.98, 0.02)), (40, (0.5, 0.3, 0.2))]
)
def test_metrics_of_classes_are_covered(n, shares):
    rng = np.random.default_rng(3)
    truth = measure(*_classes(rng, 40_000, np.array(shares)))
    inside = {"auc": [], "balanced_accuracy": [], "log_loss": []}
    for _ in range(DRAWS):
        told = metric_intervals(*_classes(rng, n, np.array(shares)))
        for name, marks in inside.items():
            if name in told:
                low, high = told[name]
                marks.append(low <= truth[name] <= high)
    assert all(held(marks) for marks in inside.values())
    assert len(inside["log_loss"]) == DRAWS


def test_a_class_that_did_not_come_leaves_its_averages_unknown():
    y, said, labels = _classes(np.random.default_rng(4), 40, np.array([0.5, 0.5, 0.0]))
    told = metric_intervals(y, said, labels)
    assert not {"auc", "balanced_accuracy"} & set(told)


def test_nor_are_they_known_if_all_others_were_told_apart():
    y, labels = np.repeat(["a", "b"], 15), np.array(["a", "b", "c"])
    chances = np.where(y[:, None] == labels, 0.9, 0.05)
    told = metric_intervals(y, Predictions(y, chances, chances), labels)
    assert not {"auc", "balanced_accuracy"} & set(told)
    assert {"auc", "balanced_accuracy"} <= set(
        metric_intervals(y, Predictions(y, chances[:, :2], None), labels[:2])
    )


def test_rows_that_count_for_nothing_change_nothing():
    rng = np.random.default_rng(9)
    y, answers = rng.normal(size=(2, 20))
    off = np.r_[answers, y[:3] + 1]
    more = np.r_[y, y[:3]]
    counts = np.r_[np.ones(20), np.zeros(3)]
    none = np.array([])
    told = metric_intervals(
        more, Predictions(off, off[:, None], None), none, weights=counts
    )
    plain = metric_intervals(y, Predictions(answers, answers[:, None], None), none)
    assert told.keys() == plain.keys() >= {"rmse", "mae", "r2"}
    assert all(told[name] == pytest.approx(plain[name]) for name in plain)
    # If only they were wrong, or only one row counts, nothing is known.
    right = Predictions(np.r_[y, off[20:]], off[:, None], None)
    assert metric_intervals(more, right, none, weights=counts) == {}
    assert metric_intervals(more, right, none, weights=np.eye(23)[0]) == {}


@pytest.mark.parametrize("law", ["normal", "uniform", "lasting"])
def test_metrics_of_numbers_are_covered(law):
    rng = np.random.default_rng(5)
    criterion = criterion_for(np.array([]), "quantile", 0.9)

    def drawn(n):
        noise = {
            "normal": rng.normal(size=n),
            "uniform": rng.uniform(-1, 1, size=n),
            "lasting": rng.standard_t(6, size=n),
        }[law]
        x = rng.normal(size=n)
        return x + noise, Predictions(0.9 * x, x[:, None], None), np.array([])

    truth = measure(*drawn(100_000), criterion)
    inside = {"rmse": [], "mae": [], "r2": [], "pinball": []}
    for _ in range(DRAWS):
        told = metric_intervals(*drawn(50), criterion=criterion)
        for name, marks in inside.items():
            marks.append(told[name][0] <= truth[name] <= told[name][1])
    # Squares of lasting errors are what an interval of 50 rows can be wrong about.
    level = 0.91 if law == "lasting" else 0.94
    assert all(held(marks, level) for marks in inside.values())


def test_skewness_and_weights_are_allowed_for():
    rng = np.random.default_rng(6)
    skew, weighed, ratios = [], [], []
    for _ in range(DRAWS):
        losses, counts = rng.exponential(size=30), rng.choice([1.0, 4.0], 60)
        low, high = mean_interval(losses, positive=True)
        skew.append(low <= 1 <= high)
        low, high = mean_interval(rng.exponential(size=60), 0.95, counts, positive=True)
        weighed.append(low <= 1 <= high)
        low, high = ratio_interval(losses, rng.exponential(2.0, size=30))
        ratios.append(low <= 0.5 <= high)
    assert held(skew)
    assert held(weighed, 0.94)
    assert held(ratios, 0.94)


def test_f1_is_covered_exactly_and_weighted_rows_do_not_pretend():
    # A label of 3 % in 40 rows: F1 by enumeration of its binomial law.
    rng = np.random.default_rng(7)
    inside, copies = [], []
    both, either = 0.02, 0.05
    truth = 2 * both / (both + either)
    for _ in range(DRAWS):
        draw = rng.random(40)
        y = (draw < 0.03).astype(int)
        verdicts = ((draw < both) | ((draw > 0.03) & (draw < either))).astype(int)
        found = f1_interval(y, verdicts)
        if found is not None:
            inside.append(found[0] <= truth <= found[1])
            copies.append(f1_interval(y, verdicts, weights=np.full(40, 7.0)) == found)
    assert held(inside)
    assert np.mean(copies) > 0.9


def test_shares_of_labels_keep_away_from_their_ends():
    shares = np.zeros(50)
    shares[0] = 0.25
    low, high = share_mean_interval(shares)
    assert 0 < low < shares.mean() < high < 0.06
    even = share_mean_interval(shares, weights=np.full(50, 3.0))
    assert even == pytest.approx((low, high))


def test_averages_of_what_moves_together_are_less_sure():
    rng = np.random.default_rng(8)
    rows = rng.normal(size=200)
    ends = [(0.4, 0.6)] * 4
    alone = average_interval([0.5] * 4, ends, rng.normal(size=(4, 200)))
    together = average_interval([0.5] * 4, ends, np.tile(rows, (4, 1)))
    assert together == pytest.approx((0.4, 0.6))
    assert alone[1] - alone[0] == pytest.approx(0.1, rel=0.3)
    assert average_interval([0.5] * 4, ends) == pytest.approx((0.45, 0.55))


def test_verdicts_that_are_all_right_bound_the_steps_off():
    y = np.tile(["bad", "fair", "good"], 20)
    classes, criterion = np.array(["bad", "fair", "good"]), None
    criterion = criterion_for(classes, "ordinal")
    said = Predictions(y, np.eye(3)[np.searchsorted(classes, y)], None)
    low, high = metric_intervals(y, said, classes, criterion=criterion)["distance"]
    assert low == 0.0
    assert high == pytest.approx(2 * (1 - 0.025 ** (1 / 60)))
