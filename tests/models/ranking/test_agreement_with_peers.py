"""Scores of choix, evalica and scipy for the same games and rankings."""

import choix
import evalica
import numpy as np
import pytest
from scipy import stats

from infimum.models.ranking import (
    BradleyTerryRanker,
    CountingRanker,
    PlackettLuceRanker,
    RankCentrality,
    kendall_distance,
)


@pytest.fixture
def games(rng):
    """Return pairs (winner, loser) of eight items that chains of wins connect."""
    u = rng.standard_normal(8)
    i = rng.integers(0, 8, 400)
    j = (i + rng.integers(1, 8, 400)) % 8
    left = rng.random(400) < 1.0 / (1.0 + np.exp(u[j] - u[i]))
    return np.column_stack([np.where(left, i, j), np.where(left, j, i)])


def test_choix_and_evalica_find_the_same_scores(games):
    model = BradleyTerryRanker().fit(games)
    theirs = choix.ilsr_pairwise(8, games.tolist(), tol=1e-12)
    np.testing.assert_allclose(model.scores_, theirs - theirs.mean(), atol=1e-8)
    wins = [evalica.Winner.X] * len(games)
    left, right = games.astype(str).T.tolist()
    found = evalica.bradley_terry(left, right, wins, tolerance=1e-13).scores
    other = np.log([found[str(k)] for k in range(8)])
    np.testing.assert_allclose(model.scores_, other - other.mean(), atol=1e-6)
    with_ridge = BradleyTerryRanker(strength=0.02 / len(games)).fit(games)
    theirs = choix.opt_pairwise(8, games.tolist(), alpha=0.01, tol=1e-12)
    np.testing.assert_allclose(with_ridge.scores_, theirs, atol=1e-4)


def test_choix_finds_the_same_scores_of_rankings(rng):
    u = rng.standard_normal(6)
    rows = [np.argsort(-(u + rng.gumbel(size=6))).tolist() for _ in range(60)]
    model = PlackettLuceRanker().fit(rows)
    theirs = choix.ilsr_rankings(6, rows, tol=1e-12)
    np.testing.assert_allclose(model.scores_, theirs - theirs.mean(), atol=1e-7)


def test_rank_centrality_and_counting_have_the_order_of_their_peers(games):
    model = RankCentrality().fit(games)
    theirs = choix.rank_centrality(8, games.tolist())
    assert np.corrcoef(model.scores_, theirs)[0, 1] > 0.99
    left, right = games.astype(str).T.tolist()
    wins = [evalica.Winner.X] * len(games)
    share = evalica.average_win_rate(left, right, wins).scores
    counted = CountingRanker().fit(games)
    own = np.array([share[str(k)] for k in range(8)])
    assert np.corrcoef(counted.scores_, own)[0, 1] > 0.9


@pytest.mark.parametrize("n", [2, 3, 50, 1000])
def test_scipy_has_the_same_distance(rng, n):
    one, other = rng.permutation(n), rng.permutation(n)
    tau = stats.kendalltau(one, other).statistic
    assert kendall_distance(one, other) == pytest.approx(0.5 * (1 - tau), abs=1e-12)
