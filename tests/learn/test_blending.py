"""A blend is judged by folds that had no say in it, and takes in nobody extreme."""

import numpy as np
import polars as pl
import pytest

from infimum.evaluation.scoring import criterion_for
from infimum.learn.choose.blending import find_blend
from infimum.learn.choose.rule import Field, choose, standings
from infimum.learn.choose.verdict import _plain, _why_not, settle
from infimum.learn.compare.contenders import Contender
from infimum.learn.compare.race import race
from infimum.learn.compare.tally import GRID, FoldResult, Tally
from infimum.learn.folds import splits_of
from infimum.learn.problem import pose
from infimum.models.linear import PoissonRegressor, Ridge
from infimum.report.rivals import blend_words

RMSE = criterion_for(np.array([]))


@pytest.fixture(scope="module")
def regression():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(200, 3))
    y = x @ [1.0, 1.0, 0.0] + 0.1 * rng.normal(size=200)
    names = {"a": x[:, 0], "b": x[:, 1], "c": x[:, 2]}
    problem = pose(pl.DataFrame({**names, "y": y}), "y")
    return problem, splits_of(problem, 0)


def contender(name, problem, splits, guesses, extreme=()):
    """Return a contender with a setting a guess, which answers as it guesses."""
    grid = tuple({"alpha": float(k)} for k in range(len(guesses)))
    made = Tally(Contender(name, name, Ridge, grid=grid))
    values = tuple(float(k) for k in range(len(guesses)))
    for fold, split in enumerate(splits):
        rows = split.held_back
        said = np.array([guess[rows][:, None] for guess in guesses])
        errors = [
            float(np.sqrt(np.mean((problem.y[rows] - p[:, 0]) ** 2))) for p in said
        ]
        metrics = [{"rmse": error} for error in errors]
        counts = [int((fold, k) in extreme) for k in range(len(guesses))]
        sizes = [1] * len(guesses)
        made.record(
            0,
            FoldResult(GRID, values, errors, sizes, metrics, extreme=counts, said=said),
        )
    return made


def off_by(problem, splits, distances):
    """Return guesses that are off by so much on each fold, up and down in turn."""
    guess = problem.y.copy()
    for split, far in zip(splits, distances, strict=True):
        signs = np.where(np.arange(len(split.held_back)) % 2, 1.0, -1.0)
        guess[split.held_back] += far * signs
    return guess


def test_members_settings_and_shares_are_those_that_the_other_folds_teach(regression):
    problem, splits = regression
    # By all folds the second setting is best, by the first four the other one.
    risky = [off_by(problem, splits, [0.1, 0.1, 0.1, 0.1, 9.0])]
    safe = [off_by(problem, splits, [1.0] * 5)]
    other = [problem.y + np.random.default_rng(2).normal(size=200)]
    one = contender("one", problem, splits, risky + safe)
    two = contender("two", problem, splits, other)
    blend = find_blend(standings([one, two]), problem, splits, RMSE)
    assert (0, 1) in blend.members
    assert blend.errors[4] > 8.0
    np.testing.assert_allclose(blend.errors[:4], 0.5, atol=0.3)


def test_who_answers_wildly_on_a_fold_does_not_enter(regression):
    problem, splits = regression
    noise = np.random.default_rng(3).normal(size=(3, 200))
    best, two, three = (
        problem.y + size * each
        for size, each in zip((0.5, 1.0, 1.0), noise, strict=True)
    )
    calm = contender("calm", problem, splits, [two])
    rival = contender("rival", problem, splits, [three])
    extreme = contender("extreme", problem, splits, [best], extreme={(2, 0)})
    steady = contender("extreme", problem, splits, [best])
    blend = find_blend(standings([calm, rival, extreme]), problem, splits, RMSE)
    assert {place for place, _ in blend.members} == {0, 1}
    blend = find_blend(standings([calm, rival, steady]), problem, splits, RMSE)
    assert 2 in {place for place, _ in blend.members}


def test_of_a_contender_that_is_sometimes_wild_a_steady_setting_enters(regression):
    problem, splits = regression
    noise = np.random.default_rng(3).normal(size=(2, 200))
    guesses = [problem.y + 1.1 * noise[0], problem.y + noise[0]]
    calm = contender("calm", problem, splits, [problem.y + noise[1]])
    both = contender("both", problem, splits, guesses, extreme={(0, 1)})
    blend = find_blend(standings([calm, both]), problem, splits, RMSE)
    assert set(blend.members) == {(0, 0), (1, 0)}


def test_four_better_folds_do_not_pay_for_one_out_of_all_proportion(regression):
    problem, splits = regression
    single = off_by(problem, splits, [2.0, 1.0, 1.0, 1.0, 1.0])
    partner = off_by(problem, splits, [-2.8, -1.05, -1.05, -1.05, -1.05])
    lower = partner + np.where(np.isin(np.arange(200), splits[0].held_back), 4.5, 0.0)
    field = [contender("one", problem, splits, [single])]
    for guess, steady in ((partner, True), (lower, False)):
        both = standings([*field, contender("two", problem, splits, [guess])])
        blend = find_blend(both, problem, splits, RMSE)
        assert blend.gain > 0
        assert (blend.steady, blend.pays) == (steady, steady)
    choice, _ = choose(both, RMSE)
    told = _plain(blend, both, "unsteady")
    said = blend_words({"blend": told, "criterion": {"label": "RMSE"}})
    assert "on its worst fold it is worse" in said
    assert _why_not(blend._replace(noise=0.0), choice) == "unsteady"
    assert _why_not(blend._replace(gain=-1.0), choice) == "noise"


def test_a_blend_is_asked_about_the_folds_that_the_race_did_not_reach(monkeypatch):
    """One of its members explodes on a row of the fourth fold."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(120, 2))
    y = np.maximum((20 + X @ [6.0, 4.0] + rng.normal(size=120)).round(), 0)
    table = pl.DataFrame({"a": X[:, 0], "b": X[:, 1], "y": y})
    splits = splits_of(pose(table, "y", "regression"), 0)
    far = pl.int_range(pl.len()) == int(splits[3].held_back[0])
    table = table.with_columns(a=pl.when(far).then(30.0).otherwise("a"))
    problem = pose(table, "y", "regression")
    field = [
        Contender("ridge", "Ridge", Ridge, grid=({"alpha": 1.0},)),
        Contender("poisson", "Poisson", PoissonRegressor, grid=({"alpha": 0.0},)),
    ]
    run = race(
        field, problem, splits[:3], RMSE, deadline=np.inf, progress=lambda _: None
    )
    monkeypatch.setattr("infimum.learn.choose.blending.Blend.pays", True)
    halves = np.array([0.5, 0.5])
    monkeypatch.setattr(
        "infimum.learn.choose.blending._Mixer.shares", lambda *_: halves
    )
    reached = settle(problem, standings(run.tallies), splits[:3], RMSE)
    assert reached.blend["taken"]
    further = settle(problem, standings(run.tallies), splits, RMSE)
    assert further.blend["reason"] == "disappoints"
    assert further.replaced[0]["label"] == "The blend"
    assert "with folds for which the race had no time" in further.replaced[0]["reason"]


def lone(name, errors, rank):
    made = Tally(Contender(name, name, Ridge, rank=rank, fixed=rank == 0), "alpha")
    for error in errors:
        metrics = [{"rmse": error}]
        made.record(0, FoldResult("alpha", (1.0,), [error], [1], metrics))
    return made


def test_the_nested_score_repeats_the_whole_choice_without_the_fold_it_judges():
    """The fallback to the constant answer included."""
    rng = np.random.default_rng(8)
    table = {f"m{i}": rng.normal(1, 0.1, 5) for i in range(30)}
    table = {"baseline": np.ones(5), **table}

    def taken(folds):
        tallies = [lone(n, e[folds], 5 * (n != "baseline")) for n, e in table.items()]
        return choose(standings(tallies), RMSE)[0]

    every = np.arange(5)
    judged = [table[taken(every[every != k]).name][k] for k in every]
    choice = taken(every)
    assert choice.nested_score == pytest.approx(np.mean(judged))
    tallies = [lone(n, e, 5 * (n != "baseline")) for n, e in table.items()]
    field = Field(standings(tallies))
    searched = [field.errors[field.winner(every[every != k]), k] for k in every]
    assert choice.nested_score != pytest.approx(np.mean(searched))
