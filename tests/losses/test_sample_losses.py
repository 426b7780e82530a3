"""Losses of whole samples equal sums over all pairs, orders and labellings."""

from itertools import permutations, product

import numpy as np
import pytest
from sklearn.metrics import fbeta_score, ndcg_score, roc_auc_score

from infimum.errors import DataError, InvalidParameterError
from infimum.losses import (
    ContingencyScore,
    OrdinalPairs,
    Preferences,
    RankingGain,
    RocArea,
)


def signs(rng, m=12):
    y = np.where(rng.random(m) < 0.4, 1, -1)
    y[:2] = 1, -1
    return y, 2.0 * rng.standard_normal(m)


def one(*_):
    return 1.0


def all_pairs(y, f, cost):
    pairs = [(i, j) for i, j in product(range(len(y)), repeat=2) if y[i] < y[j]]
    paid = [cost(y[i], y[j]) * max(0.0, 1.0 + f[i] - f[j]) for i, j in pairs]
    return sum(paid) / len(pairs)


def holds_up(loss, y, f, rng):
    """Tell whether the subgradient is one: the loss lies above its tangent plane."""
    value, slopes = loss.evaluate(y, f)
    for _ in range(30):
        g = f + 3.0 * rng.standard_normal(len(f))
        assert loss.value(y, g) >= value + slopes @ (g - f) - 1e-9


def follows_differences(loss, y, f):
    slopes, step = loss.derivative(y, f), 1e-6
    for k, unit in enumerate(np.eye(len(f))):
        rise = loss.value(y, f + step * unit) - loss.value(y, f - step * unit)
        assert slopes[k] == pytest.approx(rise / (2 * step), abs=1e-7)


@pytest.mark.syllabus("S0B-265", "S0B-266")
def test_the_loss_of_the_roc_area_is_the_mean_over_pairs_and_above_1_minus_auc():
    rng = np.random.default_rng(0)
    for _ in range(20):
        y, f = signs(rng)
        value = RocArea().value(y, f)
        assert value == pytest.approx(all_pairs(y, f, one), rel=1e-12)
        assert value >= 1.0 - roc_auc_score(y, f) - 1e-12
    holds_up(RocArea(), y, f, rng)
    follows_differences(RocArea(), y, f)


def test_a_weight_of_the_roc_area_is_a_repetition():
    rng = np.random.default_rng(1)
    y, f = signs(rng)
    times = rng.integers(1, 4, len(y))
    value, slopes = RocArea().evaluate(y, f, times)
    copies, each = RocArea().evaluate(np.repeat(y, times), np.repeat(f, times))
    assert value == pytest.approx(copies, rel=1e-12)
    sums = np.add.reduceat(each, np.r_[0, np.cumsum(times)[:-1]])
    np.testing.assert_allclose(slopes, sums, atol=1e-12)


@pytest.mark.syllabus("S0B-267", "S0B-268", "S0B-269")
@pytest.mark.parametrize("costs", ["constant", "linear"])
def test_the_ordinal_loss_is_the_mean_over_pairs_and_above_the_cost(costs):
    rng, loss = np.random.default_rng(2), OrdinalPairs(costs)
    price = (lambda a, b: b - a) if costs == "linear" else one
    y, f = rng.integers(1, 5, 15), 2.0 * rng.standard_normal(15)
    assert loss.value(y, f) == pytest.approx(all_pairs(y, f, price), rel=1e-12)
    wrong = [
        price(y[i], y[j]) * (f[i] > f[j])
        for i, j in product(range(15), repeat=2)
        if y[i] < y[j]
    ]
    counts = np.bincount(y)
    assert len(wrong) == (15**2 - (counts**2).sum()) / 2
    assert loss.mistakes(y, f) == pytest.approx(sum(wrong) / len(wrong), rel=1e-12)
    assert loss.value(y, f) >= loss.mistakes(y, f)
    holds_up(loss, y, f, rng)
    follows_differences(loss, y, f)


@pytest.mark.syllabus("S0B-267", "S0B-268")
def test_two_levels_leave_the_roc_area():
    rng = np.random.default_rng(3)
    y, f = signs(rng)
    assert OrdinalPairs().mistakes(y, f) == pytest.approx(1.0 - roc_auc_score(y, f))
    value, slopes = OrdinalPairs().evaluate(y, f)
    assert value == pytest.approx(RocArea().value(y, f), rel=1e-12)
    np.testing.assert_allclose(slopes, RocArea().derivative(y, f), atol=1e-14)


@pytest.mark.syllabus("S0B-270", "S0B-271")
def test_preferences_by_levels_are_the_ordinal_loss_and_cycles_are_admitted():
    rng = np.random.default_rng(4)
    y, f = rng.integers(1, 4, 9), 2.0 * rng.standard_normal(9)
    pairs = tuple((i, j) for i in range(9) for j in range(9) if y[i] < y[j])
    costs = tuple(float(y[j] - y[i]) for i, j in pairs)
    value, slopes = Preferences(pairs, costs).evaluate(None, f)
    same, slopes_too = OrdinalPairs("linear").evaluate(y, f)
    assert value == pytest.approx(same, rel=1e-12)
    np.testing.assert_allclose(slopes, slopes_too, atol=1e-14)
    ring = Preferences(((0, 1), (1, 2), (2, 0)), (1.0, 2.0, 4.0))
    f = np.array([0.3, 0.9, -0.4])
    by_hand = (1 * 0.4 + 2 * 2.3 + 4 * 0.3) / 3
    assert ring.value(None, f) == pytest.approx(by_hand, rel=1e-12)
    follows_differences(ring, None, f)
    for none in ((), np.zeros((0, 2), dtype=int), ((0.5, 1.0),)):
        with pytest.raises(InvalidParameterError, match="one or more pairs"):
            Preferences(none)


def ranked(loss, y, f):
    """Return the loss by all orders of the documents."""
    a, b, c = loss.weights(np.asarray(y, float))
    values = np.array(
        [
            (c @ f[list(p)], a @ b[list(p)], list(np.diff(y[list(p)])))
            for p in permutations(range(len(y)))
        ],
        dtype=object,
    )
    right = np.array([max(steps) <= 0 for steps in values[:, 2]])
    best = (values[:, 0] - values[:, 1]).max()
    return best - (values[right, 0] - values[right, 1]).mean()


@pytest.mark.syllabus("S0B-273", "S0B-274", "S0B-275")
@pytest.mark.parametrize("gain", ["ndcg", "precision", "mrr", "utility"])
@pytest.mark.parametrize("k", [None, 2])
def test_the_ranking_loss_is_a_maximum_over_orders_and_above_the_measure(gain, k):
    rng, loss = np.random.default_rng(5), RankingGain(gain, k)
    for _ in range(5):
        y, f = rng.integers(0, 4, 5), rng.standard_normal(5)
        y[0] = 3
        value = loss.value(y, f)
        assert value == pytest.approx(ranked(loss, y, f), abs=1e-12)
        assert value >= 1.0 - loss.measure(y, f) - 1e-12
        holds_up(loss, y, f, rng)
    follows_differences(loss, y, f)


@pytest.mark.syllabus("S0B-272")
def test_measures_of_an_order_have_their_usual_values():
    rng = np.random.default_rng(6)
    y, f = rng.integers(0, 4, 12), rng.standard_normal(12)
    for k in (None, 3):
        theirs = ndcg_score([np.exp2(y) - 1], [f], k=k)
        assert RankingGain(k=k).measure(y, f) == pytest.approx(theirs, rel=1e-12)
    hits = [1, 0, 1, 0, 1]
    falling = [5.0, 4.0, 3.0, 2.0, 1.0]
    assert RankingGain("precision", 3).measure(hits, falling) == pytest.approx(2 / 3)
    assert RankingGain("mrr").measure([0, 0, 1, 0], falling[:4]) == pytest.approx(1 / 3)
    # Readers halve every half_life - 1 ranks: 1 at the first, 1/4 at the third.
    utility = RankingGain("utility", half_life=2.0).measure([2, 0, 1], falling[:3])
    assert utility == pytest.approx((2 + 1 / 4) / (2 + 1 / 2))


@pytest.mark.syllabus("S0B-277")
def test_queries_are_ranked_one_by_one_in_any_order():
    rng, loss = np.random.default_rng(7), RankingGain()
    y, f, queries = rng.integers(0, 3, 20), rng.standard_normal(20), np.arange(20) % 3
    y[:3] = 2
    value, slopes = loss.evaluate_queries(y, f, queries)
    alone = [loss.evaluate(y[queries == q], f[queries == q]) for q in range(3)]
    assert value == pytest.approx(np.mean([v for v, _ in alone]), rel=1e-12)
    for q in range(3):
        np.testing.assert_allclose(slopes[queries == q], alone[q][1] / 3, atol=1e-15)
    mixed = rng.permutation(20)
    again, moved = loss.evaluate_queries(y[mixed], f[mixed], queries[mixed])
    assert again == pytest.approx(value, rel=1e-12)
    np.testing.assert_allclose(moved, slopes[mixed], atol=1e-15)


@pytest.mark.syllabus("S0B-279")
@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
def test_the_score_of_a_table_is_that_of_scikit_learn(beta):
    rng = np.random.default_rng(8)
    y, f = signs(rng, 40)
    cost = ContingencyScore(beta).cost(y, np.sign(f))
    assert 1.0 - cost == pytest.approx(fbeta_score(y, np.sign(f), beta=beta))


@pytest.mark.syllabus("S0B-280", "S0B-281")
@pytest.mark.parametrize("loss", [ContingencyScore(), ContingencyScore(2.0)])
def test_the_loss_of_f_is_a_maximum_over_all_labellings(loss):
    rng = np.random.default_rng(9)
    for m in (3, 6, 9):
        for scale in (0.1, 1.0, 10.0):
            y, f = signs(rng, m)
            f = scale * f
            every = [np.array(s) for s in product([-1, 1], repeat=m)]
            best = max((s - y) @ f + loss.cost(y, s) for s in every)
            assert loss.value(y, f) == pytest.approx(best, abs=1e-12)
            assert loss.value(y, f) >= loss.cost(y, np.where(f > 0, 1, -1)) - 1e-12
    holds_up(loss, y, f, rng)
    follows_differences(loss, y, f)


def test_the_loss_of_precision_is_a_maximum_over_labellings_of_k():
    rng, loss = np.random.default_rng(10), ContingencyScore(k=3)
    y, f = signs(rng, 8)
    every = [np.array(s) for s in product([-1, 1], repeat=8) if sum(s) == 3 - 5]
    best = max((s - y) @ f + loss.cost(y, s) for s in every)
    assert loss.value(y, f) == pytest.approx(best, rel=1e-12)
    holds_up(loss, y, f, rng)


@pytest.mark.parametrize(
    ("loss", "y", "f", "told"),
    [
        (RocArea(), [1, 1], [0.0, 1.0], "both classes"),
        (RocArea(), [1, -1], [0.0, np.inf], "finite scores"),
        (RocArea(), [1, -1], [0.0], "needs 2 scores"),
        (OrdinalPairs(), [2, 2], [0.0, 1.0], "two levels"),
        (RankingGain(), [0, 0], [0.0, 1.0], "a relevant document"),
        (RankingGain(), [], [], "one document"),
        (ContingencyScore(), [-1, -1], [0.0, 1.0], "both classes"),
        (ContingencyScore(k=3), [1, -1], [0.0, 1.0], "there are 2 samples"),
    ],
)
def test_what_no_loss_can_judge_is_told_in_a_sentence(loss, y, f, told):
    with pytest.raises(DataError, match=told):
        loss.value(y, f)
