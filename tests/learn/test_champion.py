"""The readable champion: few weights or questions, an honest price, found once."""

import time

import numpy as np
import polars as pl
import pytest
from sklearn.pipeline import Pipeline

from infimum.data import read_table
from infimum.evaluation.scoring import criterion_for
from infimum.learn.choose.readable import NOBODY, Candidate, _champion, find_champion
from infimum.learn.choose.rule import choose, standings
from infimum.learn.choose.trials import FEW
from infimum.learn.choose.verdict import settle
from infimum.learn.compare.contenders import Contender
from infimum.learn.compare.race import race
from infimum.learn.compare.tally import FoldResult, Tally
from infimum.learn.folds import features_in_use, splits_of
from infimum.learn.job import entrants
from infimum.learn.journal import Decisions, Journal
from infimum.learn.labels import pose_labels
from infimum.learn.options import Options
from infimum.learn.problem import pose
from infimum.models.linear import Ridge

RMSE = criterion_for(np.array([]))
#: Every goal with a target, and how its target is made of a signal.
TARGETS = {
    "binary": lambda f, rng: np.where(f + rng.normal(size=len(f)) > 0, "yes", "no"),
    "multiclass": lambda f, _: np.digitize(f, [-1, 1]).astype(str),
    "regression": lambda f, rng: f + 0.5 * rng.normal(size=len(f)),
    "counts": lambda f, rng: rng.poisson(np.exp(0.3 * f)),
    "quantile": lambda f, rng: f + rng.exponential(size=len(f)),
    "ordinal": lambda f, rng: np.digitize(f + rng.normal(size=len(f)), [-1, 0, 1]),
}


def tally(name, errors, *, rank=1, weights=3, value=1.0):
    """Return a contender with one setting and an error a fold."""
    contender = Contender(name, name, Ridge, rank=rank, readable=rank < 3)
    made = Tally(contender, "alpha")
    for error in errors:
        metrics = [{"rmse": error}]
        made.record(0, FoldResult("alpha", (value,), [error], [weights], metrics))
    return made


def wide_table(goal, n=160, columns=20, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, columns))
    signal = X[:, :12] @ np.linspace(1.5, 0.2, 12)
    y = TARGETS[goal](signal, rng)
    return pl.DataFrame({f"x{j}": X[:, j] for j in range(columns)} | {"y": y})


def posed(goal):
    task = "auto" if goal in ("binary", "multiclass") else goal
    options = Options.of(quantile=0.8) if goal == "quantile" else None
    problem = pose(wide_table(goal), "y", task, options)
    assert problem.goal == goal
    return problem, criterion_for(problem.classes, goal, 0.8)


def raced(problem, splits, criterion, names):
    field = [each for each in entrants(problem) if each.name in names]
    outcome = race(
        field, problem, splits, criterion, deadline=np.inf, progress=lambda _: None
    )
    return standings(outcome.tallies)


@pytest.fixture(scope="module")
def regression():
    problem = pose(wide_table("regression"), "y")
    return problem, splits_of(problem, 0)


@pytest.mark.parametrize("goal", TARGETS)
def test_a_champion_of_every_goal_has_few_weights_or_answers(goal, monkeypatch):
    monkeypatch.setattr("infimum.evaluation.uncertainty.steadiness.DRAWS", 3)
    problem, criterion = posed(goal)
    splits = splits_of(problem, 0)
    path = {"binary": "logistic-l1", "regression": "lasso", "quantile": "quantile"}
    names = ("baseline", "tree", path.get(goal))
    field = raced(problem, splits, criterion, names)
    constant = next(each for each in field if each.tally.contender.rank == 0)
    found = find_champion(problem, field, splits, criterion, 0 * constant.errors[0], "")
    assert 0 < found["weights"] <= FEW
    assert found["cost"] > found["cost_spread"] > 0
    # Worth reading: clearly better than the answer that needs no reading.
    assert criterion.error(found["score"]) + found["spread"] < constant.means[0]
    if "rules" not in found:
        assert len(found["weights_by_feature"]) == found["weights"]


def test_several_labels_have_a_champion_with_few_weights(monkeypatch):
    monkeypatch.setattr("infimum.evaluation.uncertainty.steadiness.DRAWS", 3)
    rng = np.random.default_rng(3)
    X = rng.normal(size=(150, 15))
    flags = {
        "hot": (X[:, 0] + X[:, 1] + 0.5 * rng.normal(size=150) > 0).astype(int),
        "loud": (X[:, 0] - X[:, 2] + 0.5 * rng.normal(size=150) > 0).astype(int),
    }
    frame = pl.DataFrame({f"x{j}": X[:, j] for j in range(15)} | flags)
    problem = pose_labels(read_table(frame), ("hot", "loud"), Options())
    splits = splits_of(pose(frame.drop("loud"), "hot"), 0)
    criterion = criterion_for(problem.classes, "multilabel")
    field = raced(problem, splits, criterion, ("baseline", "logistic-l2"))
    winning = field[1].errors[field[1].best]
    found = find_champion(problem, field, splits, criterion, winning, "logistic-l2")
    assert found["name"] == "forward"
    assert 3 <= found["weights"] <= FEW
    chosen = [name for name, _ in found["weights_by_feature"]]
    assert set(chosen[:3]) == {"x0", "x1", "x2"}
    assert found["errors"] is not None


def test_five_true_features_among_sixty_are_found_at_no_price():
    rng = np.random.default_rng(7)
    X = rng.normal(size=(300, 60))
    true = [3, 17, 22, 41, 58]
    y = X[:, true] @ [2.0, -1.5, 1.0, 1.0, -0.7] + rng.normal(size=300)
    frame = pl.DataFrame({f"x{j}": X[:, j] for j in range(60)} | {"y": y})
    problem = pose(frame, "y")
    splits = splits_of(problem, 0)
    field = raced(problem, splits, RMSE, ("baseline", "ridge", "lasso"))
    choice, place = choose(field, RMSE)
    winning = field[place].errors[field[place].values.index(choice.value)]
    found = find_champion(problem, field, splits, RMSE, winning, choice.name)
    assert {name for name, _ in found["weights_by_feature"]} == {f"x{j}" for j in true}
    assert found["weights"] == 5
    assert found["cost"] < found["cost_spread"]
    weights = dict(found["weights_by_feature"])
    for j, truth in zip(true, [2.0, -1.5, 1.0, 1.0, -0.7], strict=True):
        k = list(weights).index(f"x{j}")
        own, error = found["per_unit"]["weights"][k][0], found["per_unit"]["errors"][k]
        assert abs(own - truth) < 4 * error[0]


def test_the_champion_is_readable_and_its_price_is_told(regression):
    problem, _ = regression
    forest = tally("forest", [0.1, 0.2, 0.3], rank=5)
    dense = tally("dense", [0.15, 0.25, 0.35], weights=30, value=0.5)
    tree = tally("tree", [0.3, 0.4, 0.55], rank=2, value=0.1)
    field = standings([forest, dense, tree])
    decided = Decisions(latest=0.0)
    found = find_champion(
        problem, field, (), RMSE, field[0].errors[0], "forest", decided
    )
    assert found["name"] == "tree"
    assert found["cost"] == pytest.approx(np.mean([0.2, 0.2, 0.25]))
    assert found["cost_spread"] == pytest.approx(0.05 / 3)
    assert not found["is_winner"]
    assert "no time left" in found["unread"]
    assert "weights_by_feature" not in found


def a_candidate(name, errors, used):
    """Return a candidate whose fit on all rows uses so many features."""

    def fit(problem):
        model = Ridge().fit(np.eye(12), np.arange(12.0))
        model.coef_ = np.where(np.arange(12) < used, 1.0, 0.0)
        return Pipeline([("model", model)])

    errors = np.array(errors)
    return Candidate(name, name, "", 1, 7.0, errors, errors < 0, fit)


def test_a_final_fit_with_too_many_weights_leaves_its_place(regression, monkeypatch):
    monkeypatch.setattr("infimum.learn.choose.readable.written", lambda *_: {})
    good = a_candidate("good", [1.0, 1.1, 1.2], used=FEW + 1)
    next_best = a_candidate("next", [2.0, 2.1, 2.2], used=FEW)
    found = _champion(regression[0], [good, next_best], RMSE, np.ones(3), np.inf)
    assert (found["name"], found["weights"]) == ("next", FEW)
    assert found["score"] == pytest.approx(2.1)
    assert _champion(regression[0], [good], RMSE, np.ones(3), np.inf) == {}


def test_a_model_that_cannot_be_fitted_on_all_rows_is_not_said_to_lack_time(
    regression, monkeypatch
):
    def fail(problem):
        raise ValueError("Odd rows.")

    monkeypatch.setattr("infimum.learn.choose.readable.written", lambda *_: {})
    broken = a_candidate("broken", [1.0, 1.1, 1.2], used=2)._replace(fit=fail)
    other = a_candidate("other", [2.0, 2.1, 2.2], used=2)
    found = _champion(regression[0], [broken, other], RMSE, np.ones(3), np.inf)
    assert found["name"] == "other"
    assert "unread" not in found
    assert _champion(regression[0], [broken], RMSE, np.ones(3), np.inf) == {}


def test_the_price_does_not_profit_from_the_choice(regression, monkeypatch):
    # All models have the expected error 1; on five folds the best looks far better.
    monkeypatch.setattr("infimum.learn.choose.readable.written", lambda *_: {})
    rng = np.random.default_rng(0)
    told = []
    for _ in range(40):
        able = [a_candidate("m", rng.normal(1, 0.3, 5), used=2) for _ in range(20)]
        found = _champion(regression[0], able, RMSE, np.ones(5), np.inf)
        told.append(found["cost"])
    # Forty averages over five folds: 0.3 / sqrt(200) = 0.02 is one standard error.
    assert np.mean(told) == pytest.approx(0, abs=0.08)


def test_a_winner_that_can_be_read_is_the_champion(regression):
    problem, splits = regression
    field = standings([tally("forest", [0.5, 0.6], rank=5), tally("few", [0.4, 0.5])])
    narrow = pose(wide_table("regression", columns=12).select("x0", "x1", "y"), "y")
    found = find_champion(narrow, field, splits, RMSE, field[1].errors[0], "few")
    assert found["is_winner"]
    assert (found["name"], found["cost"], found["weights"]) == ("few", 0.0, 2)
    # On twenty columns the same winner cannot be read, whatever the folds have said.
    other = find_champion(problem, field, splits, RMSE, field[1].errors[0], "few")
    assert not other["is_winner"]
    assert other["weights"] <= FEW


def test_a_champion_of_the_same_rows_is_the_same(regression, monkeypatch):
    monkeypatch.setattr("infimum.evaluation.uncertainty.steadiness.DRAWS", 3)
    problem, splits = regression
    field = raced(problem, splits, RMSE, ("baseline", "ridge", "lasso", "tree"))
    winning = field[1].errors[field[1].best]
    one, two = (
        find_champion(problem, field, splits, RMSE, winning, "ridge") for _ in range(2)
    )
    assert one == two


def test_a_resumed_run_has_the_champion_of_the_killed_one(
    regression, tmp_path, monkeypatch
):
    monkeypatch.setattr("infimum.evaluation.uncertainty.steadiness.DRAWS", 3)
    problem, splits = regression
    field = raced(problem, splits, RMSE, ("baseline", "ridge", "lasso"))
    winning = field[1].errors[field[1].best]
    found = []
    for resume, end in ((False, np.inf), (True, time.perf_counter())):
        journal = Journal(tmp_path / "run", resume=resume, budget=60.0)
        journal.open({"seed": 0})
        decided = Decisions(journal, field, deadline=end, latest=end)
        found.append(
            find_champion(problem, field, splits, RMSE, winning, "ridge", decided)
        )
    assert found[0] == found[1]
    assert found[0]["weights_by_feature"]


def test_without_time_for_a_champion_that_is_said(regression):
    problem, splits = regression
    field = raced(problem, splits, RMSE, ("baseline", "ridge"))
    # After Ctrl-C nothing is fitted for the report alone.
    verdict = settle(problem, field, splits, RMSE, Decisions(deadline=0.0))
    assert features_in_use(verdict.final.pipeline[-1]) == 20
    assert verdict.champion is None
    assert verdict.final.warnings[-1] == NOBODY
