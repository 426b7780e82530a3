"""Bounds of rankers hold wherever they stop, also where the optimum is far away."""

from functools import partial

import numpy as np
import pytest

from infimum.errors import DataError
from infimum.models.ranking import BradleyTerryRanker, PlackettLuceRanker

GAMES = [("a", "c"), ("b", "c"), ("a", "b"), ("c", "a"), ("a", "c"), ("c", "b")]


@pytest.mark.filterwarnings("ignore::infimum.models.warnings.UncertifiedWarning")
@pytest.mark.parametrize("link", ["logistic", "probit"])
@pytest.mark.parametrize("strength", [1e-6, 35.0])
def test_whoever_is_at_home_always_wins_so_that_nothing_is_above_nought(link, strength):
    games = GAMES + [(right, left) for left, right in GAMES]
    with pytest.raises(DataError, match="advantage of the left side"):
        BradleyTerryRanker(link=link, home=True).fit(games)
    for steps in (1, 2, 4, 30):
        model = BradleyTerryRanker(
            strength=strength, link=link, home=True, max_iter=steps, tol=1e-13
        )
        model.fit(games)
        assert 0.0 <= model.certificate_.dual <= model.certificate_.primal


@pytest.mark.filterwarnings("ignore::infimum.models.warnings.UncertifiedWarning")
@pytest.mark.parametrize("seed", range(6))
def test_no_bound_is_above_what_more_steps_reach(seed):
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=5) * rng.uniform(0.0, 4.0)
    games = [_game(scores, rng) for _ in range(40)]
    kinds = (
        (partial(BradleyTerryRanker, link="logistic"), games),
        (partial(BradleyTerryRanker, link="probit"), games),
        (PlackettLuceRanker, [_row(scores, rng) for _ in range(12)]),
    )
    strength = 0.0 if seed % 2 else 1e-4
    for kind, told in kinds:
        both = told + [tuple(reversed(row)) for row in told[:8]]
        proofs = [
            kind(strength=strength, tol=1e-13, max_iter=n).fit(both).certificate_
            for n in (1, 2, 4, 200)
        ]
        best = min(proof.primal + proof.slack for proof in proofs)
        assert max(proof.dual for proof in proofs) <= best
        assert proofs[-1].gap <= 1e-9 * proofs[-1].scale


def _game(scores, rng):
    i, j = rng.choice(len(scores), 2, replace=False)
    left = rng.random() < 1.0 / (1.0 + np.exp(scores[j] - scores[i]))
    return (int(i), int(j)) if left else (int(j), int(i))


def _row(scores, rng):
    return tuple(int(k) for k in np.argsort(-(scores + rng.gumbel(size=len(scores)))))


@pytest.mark.parametrize("ties", ["davidson", "rao_kupper"])
@pytest.mark.parametrize("home", [False, True])
def test_leagues_in_which_all_are_equal_are_proved(ties, home):
    games = [(*pair, told) for pair in ("ab", "ba") for told in (1, 0.5, 0)]
    model = BradleyTerryRanker(ties=ties, home=home).fit(games)
    assert model.certificate_.closed
    np.testing.assert_allclose(model.scores_, 0.0, atol=1e-9)
