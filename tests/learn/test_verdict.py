"""The verdict on a race: simplest within the noise, or a blend."""

from dataclasses import asdict, replace
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

import infimum
from infimum.errors import IncompatibleError
from infimum.evaluation.scoring import criterion_for
from infimum.learn import job, predict_table, recheck
from infimum.learn.choose.blending import find_blend
from infimum.learn.choose.rule import Field, choose, standings
from infimum.learn.choose.verdict import (
    _plain,
    _trace,
    _why_not,
    contender_results,
)
from infimum.learn.compare import contenders as shelf
from infimum.learn.compare.contenders import Contender
from infimum.learn.compare.tally import GRID, FoldResult, Tally
from infimum.learn.folds import splits_of
from infimum.learn.journal import Decisions
from infimum.learn.problem import pose
from infimum.models.linear import Ridge
from infimum.persistence import load
from infimum.report.rivals import blend_words
from infimum.report.sentences import nested_words

RMSE = criterion_for(np.array([]))


def tally(name, errors, *, rank=1, weights=3, said=None, fixed=False, value=1.0):
    """Return a contender with one setting and an error a fold."""
    contender = Contender(name, name, Ridge, rank=rank, fixed=fixed, readable=rank < 3)
    made = Tally(contender, "alpha")
    for place, error in enumerate(errors):
        kept = None if said is None else said[place][None]
        metrics = [{"rmse": error}]
        made.record(
            0, FoldResult("alpha", (value,), [error], [weights], metrics, said=kept)
        )
    return made


def test_a_readable_family_wins_within_the_noise_between_the_folds():
    forest = tally("forest", [1.0, 3.0, 5.0], rank=5)
    close = tally("linear", [1.05, 2.98, 5.0])
    choice, _ = choose(standings([forest, close]), RMSE)
    assert (choice.name, choice.best_name) == ("linear", "forest")


def test_a_small_but_steady_lead_is_no_noise():
    # The folds differ by far more than the two, and always in the same direction.
    forest = tally("forest", [1.0, 3.0, 5.0], rank=5)
    worse = tally("linear", [1.2, 3.2, 5.21])
    choice, _ = choose(standings([forest, worse]), RMSE)
    assert choice.name == "forest"


def test_the_score_of_the_procedure_does_not_profit_from_the_choice():
    # All models have the expected error 1; on five folds the best looks far better.
    rng = np.random.default_rng(0)
    scores, nested = [], []
    for _ in range(40):
        lucky = [tally(f"m{i}", rng.normal(1, 0.3, 5), rank=5) for i in range(20)]
        choice, _ = choose(standings(lucky), RMSE)
        scores.append(choice.score)
        nested.append(choice.nested_score)
    assert np.mean(scores) < 0.85
    # Forty averages over five folds: 0.3 / sqrt(200) = 0.02 is one standard error.
    assert np.mean(nested) == pytest.approx(1, abs=0.08)
    errors = Field(standings(lucky)).nested_errors()
    assert choice.nested_score == pytest.approx(errors.mean())


def test_luck_does_not_beat_the_constant_answer():
    rng = np.random.default_rng(4)
    lucky = [tally(f"m{i}", rng.normal(1, 0.1, 5), rank=5) for i in range(30)]
    constant = tally("baseline", [1.0] * 5, rank=0, fixed=True)
    choice, _ = choose(standings([constant, *lucky]), RMSE)
    assert choice.name == "baseline"
    assert choice.best_score < 0.95


@pytest.fixture
def regression():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(200, 3))
    y = x @ [1.0, 1.0, 0.0] + 0.1 * rng.normal(size=200)
    problem = pose(
        pl.DataFrame({"a": x[:, 0], "b": x[:, 1], "c": x[:, 2], "y": y}), "y"
    )
    return problem, splits_of(problem, 0)


def rivals(problem, splits, guesses):
    """Return tallies that predict the given columns on every fold."""
    tallies = []
    for name, guess in guesses.items():
        said = [guess[s.held_back][:, None] for s in splits]
        errors = [
            float(np.sqrt(np.mean((problem.y[s.held_back] - p[:, 0]) ** 2)))
            for s, p in zip(splits, said, strict=True)
        ]
        tallies.append(tally(name, errors, said=said))
    return standings(tallies)


def _apart(problem):
    noise = np.random.default_rng(3).normal(size=(2, 200))
    return {"one": problem.y + noise[0], "two": problem.y + noise[1]}


def test_a_blend_of_models_that_err_differently_pays(regression):
    problem, splits = regression
    field = rivals(problem, splits, _apart(problem))
    blend = find_blend(field, problem, splits, RMSE)
    assert blend.pays
    assert sum(blend.shares) == pytest.approx(1)
    np.testing.assert_allclose(blend.shares, 0.5, atol=0.13)
    best = min(each.errors.mean() for each in field)
    assert blend.errors.mean() < 0.8 * best


def test_a_blend_with_a_useless_model_does_not_pay(regression):
    problem, splits = regression
    noise = np.random.default_rng(3).normal(size=(2, 200))
    field = rivals(problem, splits, {"one": problem.y + noise[0], "two": 50 * noise[1]})
    blend = find_blend(field, problem, splits, RMSE)
    assert blend is None or not blend.pays


@pytest.fixture
def interacting():
    rng = np.random.default_rng(6)
    x, z = rng.normal(size=(2, 300))
    label = np.where(x * z + 0.3 * rng.normal(size=300) > 0, "same", "other")
    colour = rng.choice(["red", "blue"], 300)
    return pl.DataFrame({"x": x, "z": z, "colour": colour, "y": label})


def test_where_weights_fail_trees_win_and_are_saved(interacting, monkeypatch, tmp_path):
    some = ("baseline", "logistic-l2", "boosting", "tree", "forest")
    field = [each for each in shelf.classifiers() if each.name in some]
    monkeypatch.setattr(job, "classifiers", lambda: field)
    result = infimum.learn(interacting, "y", out=tmp_path / "run")
    assert result.choice.name in ("boosting", "tree", "forest", "blend")
    assert result.proof is None
    assert result.exam.metrics["auc"] > 0.85
    assert result.champion["name"] in some
    with pytest.raises(IncompatibleError, match="no convex fit"):
        recheck(tmp_path / "run" / "model.infimum", interacting)
    kept = load(tmp_path / "run" / "model.infimum")
    np.testing.assert_array_equal(
        kept.predict(interacting), result.model.predict(interacting)
    )


def test_a_blend_is_saved_and_predicts_tables(interacting, monkeypatch, tmp_path):
    some = ("baseline", "logistic-l2", "boosting")
    field = [each for each in shelf.classifiers() if each.name in some]
    monkeypatch.setattr(job, "classifiers", lambda: field)
    monkeypatch.setattr("infimum.learn.choose.blending.Blend.pays", True)
    monkeypatch.setattr(
        "infimum.learn.choose.blending._Mixer.shares", lambda *_: np.array([0.75, 0.25])
    )
    result = infimum.learn(interacting, "y", out=tmp_path / "run")
    assert result.choice.name == "blend"
    assert result.blend["taken"]
    assert "75%" in result.choice.label
    predicted = predict_table(tmp_path / "run" / "model.infimum", interacting)
    assert predicted.columns[1:] == ["probability of other", "probability of same"]
    np.testing.assert_array_equal(
        predicted["prediction"], result.model.predict(interacting)
    )


def test_a_grid_tries_every_other_setting_then_those_beside_the_best():
    grid = tuple({"alpha": float(a)} for a in range(5))
    racing = Tally(Contender("g", "g", Ridge, grid=grid))
    assert racing.settings(0) == (0.0, 2.0, 4.0)
    metrics = [{"rmse": 1.0}] * 3
    racing.record(0, FoldResult(GRID, (0, 2, 4), [3.0, 1.0, 2.0], [1] * 3, metrics))
    assert racing.settings(1) == (1.0, 3.0)
    racing.record(1, FoldResult(GRID, (1, 3), [2.0, 0.5], [1] * 2, metrics[:2]))
    assert racing.settings(2) == ()


@pytest.mark.parametrize(
    "name, reason",
    [
        ("baseline", "no single model clearly beats the constant answer"),
        ("linear", "there was no time left to fit its members"),
    ],
)
def test_the_true_reason_against_a_blend_is_told(regression, name, reason):
    problem, splits = regression
    field = rivals(problem, splits, _apart(problem))
    blend = find_blend(field, problem, splits, RMSE)
    choice = replace(choose(field, RMSE)[0], name=name)
    assert blend.pays
    told = _plain(blend, field, _why_not(blend, choice))
    said = blend_words({"blend": told, "criterion": {"label": "RMSE"}})
    assert said.endswith(f"It was not taken, because {reason}.")


def test_the_score_of_a_blend_is_not_called_that_of_the_whole_procedure(regression):
    problem, splits = regression
    choice, _ = choose(rivals(problem, splits, _apart(problem)), RMSE)
    plain = {"choice": asdict(choice), "criterion": {"label": "RMSE"}}
    assert nested_words(plain).startswith("The whole procedure")
    plain["choice"]["name"] = "blend"
    assert "that it was taken at all was decided by all folds" in nested_words(plain)


@pytest.mark.parametrize("reason", ["noise", "constant", "time", "disappoints"])
def test_the_report_knows_every_reason_why_a_blend_was_not_taken(reason):
    member = {"name": "m", "label": "M", "share": 0.5}
    told = {
        "taken": False,
        "reason": reason,
        "label": "Blend",
        "members": [member, member],
        "gain": 0.1,
        "noise": 0.05,
    }
    said = blend_words({"blend": told, "criterion": RMSE._asdict()})
    assert "It was not taken, because" in said


def test_a_proof_without_a_scale_has_a_trace_all_the_same():
    record = SimpleNamespace(primal=0.0, dual=0.0, seconds=0.5)
    proof = SimpleNamespace(scale=0.0)
    (point,) = _trace(SimpleNamespace(certificate_=proof, history_=[record]))
    assert (point.seconds, point.gap) == (0.5, 1e-16)


def test_without_time_no_table_is_encoded_for_proofs():
    standing = standings([tally("linear", [1.0, 2.0, 3.0])])
    no_table = SimpleNamespace()
    asked = Decisions(deadline=0.0, latest=0.0)
    (told,) = contender_results(no_table, standing, RMSE, asked, lambda _: None)
    assert told.proof is None
