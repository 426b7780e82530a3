"""Chains answer as all labellings, one by one, would."""

from itertools import product

import numpy as np
import pytest
from scipy.special import logsumexp

from infimum.decoders import Chain, chain
from infimum.errors import DataError


def case(seed, scale=1.0, *, forbid=False):
    rng = np.random.default_rng(seed)
    lengths = rng.integers(1, 5, size=3)
    table = 2.0 * rng.standard_normal((3, 3))
    if forbid:
        table[0, 1] = -np.inf
    made = Chain(table, rng.standard_normal(3), rng.standard_normal(3))
    return made, scale * rng.standard_normal((lengths.sum(), 3)), lengths


def labellings(made, u):
    every = list(product(range(u.shape[1]), repeat=len(u)))
    return every, np.array([made.score(u, np.array(y))[0] for y in every])


CASES = [(seed, scale, seed % 2 == 1) for seed in range(6) for scale in (1.0, 1e3)]


@pytest.mark.syllabus("S0B-259")
@pytest.mark.parametrize(("seed", "scale", "forbid"), CASES)
def test_the_verbs_equal_sums_and_maxima_over_all_labellings(seed, scale, forbid):
    made, u, lengths = case(seed, scale, forbid=forbid)
    found, (labels, values) = made.marginals(u, lengths), made.decode(u, lengths)
    pairs, start = np.zeros((3, 3)), 0
    for k, steps in enumerate(lengths):
        rows = slice(start, start + steps)
        every, scores = labellings(made, u[rows])
        total = logsumexp(scores)
        assert found.log_partition[k] == pytest.approx(total, rel=1e-12)
        assert values[k] == pytest.approx(scores.max(), rel=1e-12)
        assert tuple(labels[rows]) == every[scores.argmax()]
        chances, single = np.exp(scores - total), np.zeros((steps, 3))
        for y, chance in zip(every, chances, strict=True):
            single[np.arange(steps), y] += chance
            np.add.at(pairs, (y[:-1], y[1:]), chance)
        np.testing.assert_allclose(found.labels[rows], single, atol=1e-12)
        start += steps
    np.testing.assert_allclose(found.pairs, pairs, atol=1e-10)


@pytest.mark.syllabus("S0B-259")
def test_marginals_are_the_derivatives_of_the_log_partition():
    made, u, lengths = case(3)
    found, step = made.marginals(u, lengths), 1e-6
    for t in range(len(u)):
        for j in range(3):
            up, down = u.copy(), u.copy()
            up[t, j] += step
            down[t, j] -= step
            change = made.log_partition(up, lengths) - made.log_partition(down, lengths)
            slope = change.sum() / (2 * step)
            assert found.labels[t, j] == pytest.approx(slope, abs=1e-8)


def test_the_best_k_are_the_best_k():
    made, u, _ = case(5, forbid=True)
    for steps in range(1, len(u) + 1):
        every, scores = labellings(made, u[:steps])
        order = np.argsort(-scores, kind="stable")[:7]
        order = order[scores[order] > -np.inf]
        paths, values = made.best(u[:steps], 7)
        np.testing.assert_allclose(values, scores[order], rtol=1e-12)
        assert [tuple(path) for path in paths] == [every[k] for k in order]


def test_draws_follow_the_law():
    made, u, _ = case(2)
    rng, count = np.random.default_rng(0), 4000
    drawn = np.array([made.draw(u[:3], random_state=rng) for _ in range(count)])
    shares = np.stack([(drawn == k).mean(axis=0) for k in range(3)], axis=1)
    # Five deviations of a share of `count` draws.
    assert np.abs(shares - made.marginals(u[:3]).labels).max() < 2.5 / np.sqrt(count)


def test_few_backpointers_at_a_time_find_the_same_labels(monkeypatch):
    rng = np.random.default_rng(1)
    made, u = Chain(rng.standard_normal((5, 5))), rng.standard_normal((1000, 5))
    labels, values = made.decode(u)
    monkeypatch.setattr(chain, "ENOUGH_POINTERS", 10)
    monkeypatch.setattr(chain, "BLOCK", 37)
    again, same = made.decode(u)
    assert np.array_equal(labels, again)
    assert np.array_equal(values, same)


def test_counts_of_parts_of_chains_add_up(monkeypatch):
    rng = np.random.default_rng(0)
    made = Chain(rng.standard_normal((3, 3)), rng.standard_normal(3))
    scores, lengths = 3.0 * rng.standard_normal((50, 3)), [1, 30, 12, 7]
    weights = np.array([1.0, 2.0, 0.0, 0.5])
    whole = made.marginals(scores, lengths, weights)
    monkeypatch.setattr(chain, "STRETCH", 4)
    parts = made.marginals(scores, lengths, weights)
    np.testing.assert_array_equal(parts.labels, whole.labels)
    np.testing.assert_allclose(parts.pairs, whole.pairs, rtol=1e-13)
    pairs = np.array(weights) @ (np.array(lengths) - 1)
    assert parts.pairs.sum() == pytest.approx(pairs)


def test_scores_far_apart_do_not_underflow():
    # The only way leads through states whose factors vanish beside the others.
    made = Chain(np.array([[0.0, -np.inf], [-np.inf, 0.0]]), np.array([0.0, -np.inf]))
    u = np.tile([-2000.0, 0.0], (3, 1))
    found = made.marginals(u)
    assert found.log_partition[0] == pytest.approx(-6000.0)
    np.testing.assert_allclose(found.labels, np.tile([1.0, 0.0], (3, 1)))
    np.testing.assert_allclose(found.pairs, [[2.0, 0.0], [0.0, 0.0]])
    assert np.array_equal(made.draw(u, random_state=0), [0, 0, 0])


def test_a_forbidden_sequence_is_impossible_and_not_nan():
    made = Chain(np.full((2, 2), -np.inf))
    found = made.marginals(np.zeros((3, 2)))
    assert found.log_partition[0] == -np.inf
    assert not found.labels.any()
    assert not found.pairs.any()
    assert made.decode(np.zeros((3, 2)))[1][0] == -np.inf


@pytest.mark.parametrize(
    ("scores", "lengths", "told"),
    [
        (np.zeros((3, 4)), None, "a row of 2 scores"),
        (np.zeros((3, 2)), [2, 2], "sum to the 3 steps"),
        (np.zeros((3, 2)), [3, 0], "must be positive"),
    ],
)
def test_what_does_not_fit_is_told(scores, lengths, told):
    with pytest.raises(DataError, match=told):
        Chain(np.zeros((2, 2))).decode(scores, lengths)


@pytest.mark.parametrize("n_labels", [1, 7, 8, 9, 31, 33, 70])
def test_counts_of_any_width_are_those_of_logarithms(n_labels):
    """Labels go eight at a time, the rest one by one, and very many through BLAS."""
    rng = np.random.default_rng(n_labels)
    lengths, weights = np.array([1, 129, 2, 128]), np.array([1.0, 2.0, 0.0, 0.5])
    made = Chain(rng.standard_normal((n_labels, n_labels)))
    u = 5.0 * rng.standard_normal((lengths.sum(), n_labels))
    found = made.marginals(u, lengths, weights)
    passes = chain._Passes(made, u, np.concatenate([[0], np.cumsum(lengths)]))
    for k in range(len(lengths)):
        passes._in_logarithms(k)
    labels, pairs = passes.counts(weights)
    np.testing.assert_allclose(found.labels, labels, atol=1e-10)
    np.testing.assert_allclose(found.pairs, pairs, atol=1e-9)


@pytest.mark.parametrize("value", [np.inf, np.nan])
@pytest.mark.parametrize("verb", ["decode", "marginals", "log_partition", "draw"])
def test_scores_without_a_sum_are_refused(verb, value):
    u = np.zeros((3, 2))
    u[1, 0] = value
    with pytest.raises(DataError, match="below infinity"):
        getattr(Chain(np.zeros((2, 2))), verb)(u)
    with pytest.raises(DataError, match="below infinity"):
        Chain(np.zeros((2, 2))).best(u, 2)
    for name in ("transitions", "first", "last"):
        given = {"transitions": np.zeros((2, 2)), name: np.full(2, value)}
        given["transitions"] = np.zeros((2, 2)) + given["transitions"]
        with pytest.raises(DataError, match=f"{name} must be numbers below"):
            Chain(**given)


def test_nothing_is_drawn_where_everything_is_forbidden():
    with pytest.raises(DataError, match="every labelling of a sequence is forbidden"):
        Chain(np.zeros((2, 2))).draw(np.full((2, 2), -np.inf))
