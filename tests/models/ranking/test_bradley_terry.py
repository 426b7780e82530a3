"""Likeliest scores: references, proofs, existence, ties, intervals."""

import numpy as np
import pytest
from scipy.optimize import minimize

from infimum.errors import DataError, InvalidParameterError
from infimum.models.ranking import (
    BradleyTerryRanker,
    Comparisons,
    PlackettLuceRanker,
    RankCentrality,
    UtilityModel,
    observe,
)

JOURNALS = ["Biometrika", "Comm. Statist.", "JASA", "JRSS-B"]
CITED = [[0, 730, 498, 221], [33, 0, 68, 17], [320, 813, 0, 142], [284, 276, 325, 0]]


def draw(seed, n=8, games=400, spread=1.0, ties=0.0):
    rng = np.random.default_rng(seed)
    u = spread * rng.standard_normal(n)
    i, j = np.array([rng.choice(n, 2, replace=False) for _ in range(games)]).T
    won = rng.random(games) < 1 / (1 + np.exp(u[j] - u[i]))
    outcome = np.where(rng.random(games) < ties, 0.5, won.astype(float))
    return u, list(zip(i.tolist(), j.tolist(), outcome.tolist(), strict=True))


@pytest.mark.syllabus("S4B-211")
def test_citations_among_journals_of_statistics():
    model = BradleyTerryRanker().fit(Comparisons.of_matrix(CITED, JOURNALS))
    told = [model.difference(name, "Biometrika") for name in JOURNALS[1:]]
    np.testing.assert_allclose(
        told,
        [(-2.94907, 0.10255), (-0.47957, 0.06059), (0.26895, 0.07083)],
        atol=5e-6,
    )
    assert model.ranking_ == ["JRSS-B", "Biometrika", "JASA", "Comm. Statist."]
    assert model.certificate_.closed
    assert abs(model.scores_.sum()) < 1e-12
    p = model.predict_proba([("JASA", "JRSS-B")])[0]
    u = dict(zip(model.items_, model.scores_, strict=True))
    assert p[0] == pytest.approx(1 / (1 + np.exp(u["JRSS-B"] - u["JASA"])))
    ten = model.elo_[0] - model.elo_[1]
    assert 10 ** (ten / 400) == pytest.approx(np.exp(u["Biometrika"] - u[JOURNALS[1]]))


def test_scores_are_those_of_logistic_regression_and_the_truth_in_the_limit():
    u, games = draw(0, n=6, games=40_000)
    model = BradleyTerryRanker().fit(games)
    assert np.abs(model.scores_ - (u - u.mean())).max() < 0.1
    W = Comparisons.of_columns(*zip(*games, strict=True)).matrix()

    def loss(v):
        return sum(
            W[i, j] * np.logaddexp(0, v[j] - v[i]) for i in range(6) for j in range(6)
        )

    best = minimize(loss, np.zeros(6), method="BFGS", options={"gtol": 1e-7}).x
    np.testing.assert_allclose(model.scores_, best - best.mean(), atol=1e-5)
    other = RankCentrality().fit(games)
    assert np.abs(other.scores_ - model.scores_).max() < 0.1


@pytest.mark.parametrize("settings", [
    {}, {"strength": 0.01}, {"link": "probit"}, {"home": True},
    {"ties": "davidson"}, {"ties": "rao_kupper"},
    {"ties": "davidson", "home": True, "strength": 0.1},
])  # fmt: skip
def test_every_fit_is_proved_and_no_point_nearby_is_better(settings):
    _, games = draw(1, ties=0.2)
    model = BradleyTerryRanker(**settings).fit(games)
    assert model.certificate_.closed
    assert model.certificate_.gap < 1e-8
    problem, here = model._problem(model._games), model._point
    rng = np.random.default_rng(0)
    for _ in range(50):
        away = here + 10.0 ** rng.uniform(-4, 0) * rng.standard_normal(len(here))
        assert problem.value(away) >= model.certificate_.dual
    np.testing.assert_allclose(
        model.predict_proba([(0, 1), (3, 2)]).sum(axis=1), 1.0, atol=1e-12
    )


def test_the_lower_bound_holds_in_a_thousand_problems_before_the_end():
    for seed in range(1000):
        _, games = draw(seed, n=4, games=30, ties=0.1)
        model = BradleyTerryRanker(
            strength=0.01 * (seed % 2 + 1), max_iter=1 + seed % 3, tol=1e-12,
            ties=("half", "davidson", "rao_kupper")[seed % 3],
        ).fit(games)  # fmt: skip
        best = BradleyTerryRanker(strength=model.strength, ties=model.ties).fit(games)
        assert model.certificate_.dual <= best.certificate_.primal + 1e-13
        assert best.certificate_.primal <= model.certificate_.primal + 1e-13


def test_weights_are_copies_and_merging_changes_nothing():
    _, games = draw(2, games=60)
    rng = np.random.default_rng(0)
    times = rng.integers(1, 4, 60)
    copied = [g for g, k in zip(games, times, strict=True) for _ in range(k)]
    one = BradleyTerryRanker().fit(games, sample_weight=times)
    two = BradleyTerryRanker().fit(copied)
    np.testing.assert_allclose(one.scores_, two.scores_, atol=1e-12)
    turned = [(b, a, 1 - o) for a, b, o in games]
    three = BradleyTerryRanker().fit(turned, sample_weight=times)
    np.testing.assert_allclose(one.scores_, three.scores_, atol=1e-12)


def test_ties_have_their_probability_in_both_models():
    _, games = draw(3, n=4, games=3000, spread=0.3, ties=0.3)
    for ties in ("davidson", "rao_kupper"):
        model = BradleyTerryRanker(ties=ties).fit(games)
        pairs = [(a, b) for a, b, _ in games]
        expected = model.predict_proba(pairs)[:, 1].sum()
        seen = sum(o == 0.5 for *_, o in games)
        assert expected == pytest.approx(
            seen, rel=0.02 if ties == "rao_kupper" else 1e-6
        )
    plain = BradleyTerryRanker().fit(games).scores_
    assert np.argsort(plain).tolist() == np.argsort(model.scores_).tolist()


def test_home_advantage_is_found():
    rng = np.random.default_rng(4)
    u = rng.standard_normal(6)
    pairs = [tuple(rng.choice(6, 2, replace=False).tolist()) for _ in range(5000)]
    won = [rng.random() < 1 / (1 + np.exp(-(u[a] - u[b] + 0.7))) for a, b in pairs]
    games = [(a, b, float(w)) for (a, b), w in zip(pairs, won, strict=True)]
    model = BradleyTerryRanker(home=True).fit(games)
    assert model.home_ == pytest.approx(0.7, abs=0.15)
    assert np.abs(model.scores_ - (u - u.mean())).max() < 0.25


def test_covariates_score_items_that_never_played():
    rng = np.random.default_rng(5)
    height = {name: [float(h)] for name, h in zip("abcdef", rng.random(6), strict=True)}
    pairs = [tuple(rng.choice(list("abcde"), 2, replace=False)) for _ in range(4000)]
    games = []
    for a, b in pairs:
        p = 1 / (1 + np.exp(-3 * (height[a][0] - height[b][0])))
        games.append((a, b, float(rng.random() < p)))
    model = BradleyTerryRanker().fit(games, covariates=height)
    assert model.coef_[0] == pytest.approx(3.0, abs=0.3)
    assert model.items_ == list("abcdef")
    assert model.scores_[5] == pytest.approx(model.coef_[0] * height["f"][0])
    with pytest.raises(DataError, match="no covariates of 'a'"):
        BradleyTerryRanker().fit(games, covariates={"b": [1.0]})


@pytest.mark.parametrize("games, message", [
    ([("a", "b"), ("a", "b")], "'a' never lost to the others, and 'b' never won"),
    ([("a", "b"), ("b", "a"), ("c", "d"), ("d", "c")], "2 groups that never met"),
    ([("a", "a")], "compared with itself"),
    ([("a", "b", "who?")], "outcome of 'a' against 'b'"),
    ([("a", "b", 0.7)], "got 0.7"),
    ([("a", " ", 1)], "missing"),
    ([], "need a list of games"),
    ([("a", "b", 1, 2)], "4 columns"),
])  # fmt: skip
def test_games_without_likeliest_scores_are_told(games, message):
    with pytest.raises(DataError, match=message):
        BradleyTerryRanker().fit(games)


ALWAYS_AT_HOME = [(*pair, 1) for pair in ("ab", "ba", "bc", "cb", "ac", "ca")]
ALL_TIED = [("a", "b", 0.5), ("b", "c", 0.5), ("a", "c", 0.5)]


@pytest.mark.parametrize("tol", [1e-3, 1e-9])
@pytest.mark.parametrize("games, settings, endless", [
    (ALWAYS_AT_HOME, {"home": True}, "advantage of the left side"),
    ([*ALWAYS_AT_HOME, ("a", "b", 0)], {"home": True}, "advantage of the left side"),
    (ALL_TIED, {"ties": "davidson"}, "weight of ties"),
    (ALL_TIED, {"ties": "rao_kupper"}, "weight of ties"),
])  # fmt: skip
def test_parameters_without_end_are_refused(games, settings, endless, tol):
    with pytest.raises(DataError, match=endless):
        BradleyTerryRanker(tol=tol, **settings).fit(games)
    again = [(right, left, 1 - told) for left, right, told in games]
    model = BradleyTerryRanker(tol=tol, **settings).fit(
        games + again + ALWAYS_AT_HOME + [(a, b, 0) for a, b, _ in ALWAYS_AT_HOME]
    )
    assert model.certificate_.closed
    ranked = {"a": [3.0], "b": [2.0], "c": [1.0]}
    with pytest.raises(DataError, match="covariates"):
        BradleyTerryRanker(tol=tol).fit(["ab", "ac", "bc"], covariates=ranked)


def test_a_penalty_gives_scores_where_none_are_likeliest():
    model = BradleyTerryRanker(strength=0.1).fit([("a", "b"), ("c ", "d")])
    assert model.items_ == ["a", "b", "c", "d"]
    assert model.scores_[0] == pytest.approx(model.scores_[2])
    before = model.scores_
    with pytest.raises(InvalidParameterError, match="strength"):
        model.__class__(strength=-1.0).fit([("a", "b")])
    with pytest.raises(DataError):
        model.fit([("a", "a")])
    np.testing.assert_array_equal(model.scores_, before)
    with pytest.raises(DataError, match="'z' is not among"):
        model.predict_proba([("a", "z")])
    with pytest.raises(DataError, match="sample_weight needs"):
        model.fit([("a", "b")], sample_weight=[-1.0])


def test_intervals_and_rank_sets_cover_the_truth():
    u = np.linspace(1.0, -1.0, 6)
    P = UtilityModel(u).pairwise()
    covered, together, ranked = 0, 0, 0
    for seed in range(200):
        games = observe(P, 40, random_state=seed)
        if games.obstacle():
            continue
        model = BradleyTerryRanker().fit(games)
        low, high = model.intervals().T
        covered += np.mean((low <= u) & (u <= high))
        low, high = model.intervals(simultaneous=True).T
        together += np.all((low <= u) & (u <= high))
        first, last = model.rank_sets().T
        ranks = np.arange(1, 7)
        ranked += np.all((first <= ranks) & (ranks <= last))
    assert 0.92 < covered / 200 < 0.98
    assert together / 200 > 0.93
    assert ranked / 200 > 0.95
    spread = model.bootstrap(200, random_state=0).std(axis=0)
    np.testing.assert_allclose(spread, model.standard_errors_, rtol=0.35)


def test_large_leagues_are_solved_by_conjugate_gradients():
    u, games = draw(6, n=400, games=20_000, spread=0.5)
    for strength in (1e-4, 0.0):
        model = BradleyTerryRanker(strength=strength).fit(games)
        assert model.certificate_.closed
        assert model.certify(games).closed
        assert np.corrcoef(model.scores_, u)[0, 1] > 0.9


def test_an_array_of_numbers_is_read_as_its_list():
    rng = np.random.default_rng(0)
    for low, spread in ((0, 9), (-3, 9), (5, 10**12)):
        left = rng.integers(low, low + spread, 300)
        pairs = np.column_stack([left, left + rng.integers(1, 4, 300)])
        ours, listed = Comparisons.of(pairs), Comparisons.of(pairs.tolist())
        assert ours.items == listed.items
        for name in ("left", "right", "wins", "losses"):
            assert np.array_equal(getattr(ours, name), getattr(listed, name))
    with pytest.raises(DataError, match="4 is compared with itself"):
        Comparisons.of(np.array([[1, 2], [4, 4]]))


def test_rankings_of_two_are_games_and_longer_ones_are_choices():
    _, games = draw(7, n=5, games=200)
    pairs = [(a, b) if o == 1 else (b, a) for a, b, o in games]
    one = BradleyTerryRanker().fit(pairs)
    two = PlackettLuceRanker().fit([list(p) for p in pairs])
    np.testing.assert_allclose(one.scores_, two.scores_, atol=1e-7)
    rng = np.random.default_rng(0)
    u = np.array([1.0, 0.5, 0.0, -1.5])
    rows = [np.argsort(-(u + rng.gumbel(size=4))).tolist() for _ in range(4000)]
    model = PlackettLuceRanker().fit(rows)
    assert np.abs(model.scores_ - (u - u.mean())).max() < 0.12
    assert model.certificate_.closed
    first = PlackettLuceRanker(top=1).fit(rows)
    assert np.abs(first.scores_ - (u - u.mean())).max() < 0.2
    assert model.predict_proba([[0, 3]])[0].sum() == pytest.approx(1.0)
    times = rng.integers(1, 4, 50)
    copied = [r for r, k in zip(rows[:50], times, strict=True) for _ in range(k)]
    np.testing.assert_allclose(
        PlackettLuceRanker().fit(rows[:50], times).scores_,
        PlackettLuceRanker().fit(copied).scores_,
        atol=1e-5,
    )
    with pytest.raises(DataError, match="no scores are likeliest"):
        PlackettLuceRanker().fit([["a", "b"], ["a", "c"], ["b", "c"]])
    with pytest.raises(DataError, match="twice"):
        PlackettLuceRanker().fit([["a", "a"]])
