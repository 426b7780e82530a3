"""The race under pressure: no time, Ctrl-C, contenders that fail."""

import signal

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

import infimum
from infimum.errors import IncompatibleError
from infimum.evaluation.scoring import criterion_for
from infimum.learn import job
from infimum.learn.choose import readable as champion
from infimum.learn.choose.rule import choose, standings
from infimum.learn.compare import contenders as shelf
from infimum.learn.compare import other_contenders as detectors
from infimum.learn.compare.contenders import Contender
from infimum.learn.compare.race import _halve, race
from infimum.learn.compare.tally import Sweep, Tally
from infimum.learn.folds import splits_of
from infimum.learn.problem import pose
from infimum.models.linear import LogisticRegression


def test_a_tiny_budget_still_gives_a_tested_model(binary_table):
    result = infimum.learn(binary_table, "verdict", budget=1e-6)
    assert result.ended == "budget"
    assert {contender.name for contender in result.contenders} == {
        "baseline",
        "logistic-l2",
        "boosting",
    }
    assert {contender.folds for contender in result.contenders} == {1}
    assert result.exam.rows == 32
    assert result.choice.name == "boosting" or result.proof.closed


class _Interrupter:
    """Presses Ctrl-C at the n-th step of the race."""

    def __init__(self, when):
        self.left = when

    def __call__(self, step):
        if step.total and step.stage == "race":
            self.left -= 1
            if self.left == 0:
                raise KeyboardInterrupt


def test_ctrl_c_during_the_race_keeps_the_best_so_far(binary_table):
    field = len(shelf.classifiers())
    result = infimum.learn(
        binary_table, "verdict", progress=_Interrupter(2 * field + 3)
    )
    assert result.ended == "interrupted"
    assert {contender.folds for contender in result.contenders} == {2}
    assert len(result.contenders) == field
    assert result.exam.metrics["auc"] > 0.7
    assert set(result.evidence) == {"energy"}


def test_ctrl_c_in_the_first_fold_compares_those_who_finished_it(binary_table):
    result = infimum.learn(binary_table, "verdict", progress=_Interrupter(4))
    names = [contender.name for contender in result.contenders]
    assert names == ["baseline", "logistic-l2", "boosting"]


@pytest.fixture(autouse=True)
def a_terminal():
    """Listen to Ctrl-C as on a terminal: jobs in the background are started deaf."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_before_anything_was_learned_is_an_interruption(binary_table, tmp_path):
    with pytest.raises(KeyboardInterrupt):
        infimum.learn(
            binary_table, "verdict", progress=_Interrupter(1), out=tmp_path / "run"
        )
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_within_a_fit_stops_the_race_too(binary_table, monkeypatch):
    """A solver answers an interruption with its best point; the race must still end."""
    runs = []

    class Interrupted(LogisticRegression):
        def fit(self, X, y, sample_weight=None):
            runs.append(len(y))
            if len(runs) == 3:
                signal.raise_signal(signal.SIGINT)
            return super().fit(X, y, sample_weight)

    contender = Contender("slow", "Slow", Interrupted, fixed=True)
    monkeypatch.setattr(job, "classifiers", _only(contender))
    before = signal.getsignal(signal.SIGINT)
    result = infimum.learn(binary_table, "verdict")
    assert result.ended == "interrupted"
    assert {contender.folds for contender in result.contenders} == {2}
    assert signal.getsignal(signal.SIGINT) is before


def test_ctrl_c_after_the_race_is_an_interruption(binary_table, monkeypatch, tmp_path):
    def pressed(*args, **kwargs):
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(job, "examine", pressed)
    with pytest.raises(KeyboardInterrupt):
        infimum.learn(binary_table, "verdict", budget=1e-6, out=tmp_path / "run")
    assert [entry.name for entry in (tmp_path / "run").iterdir()] == ["journal"]


@pytest.mark.parametrize("task", ["classification", "novelty"])
def test_ctrl_c_beside_the_final_model_keeps_it_and_can_be_resumed(
    binary_table, monkeypatch, tmp_path, task
):
    monkeypatch.setattr(job, "classifiers", lambda: shelf.classifiers()[:2])
    monkeypatch.setattr(job, "detectors", lambda: detectors.detectors()[:2])
    # Nobody who won can be read, so that a readable one is looked for.
    monkeypatch.setattr(champion, "_winner_itself", lambda *_: {})
    look = champion.finer_look

    def pressed(*args, **kwargs):
        signal.raise_signal(signal.SIGINT)
        return []

    rows, more = binary_table, {}
    if task == "novelty":
        rows, more = rows.drop("verdict"), {"alarm_rate": 0.1}
    target = None if task == "novelty" else "verdict"
    given = {"task": task, "out": tmp_path / "run", **more}
    monkeypatch.setattr(champion, "finer_look", pressed)
    stopped = infimum.learn(rows, target, **given)
    assert stopped.champion is None
    assert any("--resume" in warning for warning in stopped.warnings)
    assert stopped.model.predict(rows).shape == (len(rows),)
    monkeypatch.setattr(champion, "finer_look", look)
    whole = infimum.learn(rows, target, resume=True, **given)
    assert whole.champion is not None
    assert whole.choice == stopped.choice


class _Unable(LogisticRegression):
    def fit(self, X, y, sample_weight=None):
        raise IncompatibleError("Unable cannot learn this.")


def _only(*contenders):
    return lambda: (shelf.classifiers()[0], *contenders)


def test_a_contender_that_fails_is_named_and_the_others_go_on(
    binary_table, monkeypatch
):
    unable = Contender("unable", "Unable", _Unable, fixed=True)
    able = Contender("logistic-l2", "Logistic ridge", LogisticRegression)
    monkeypatch.setattr(job, "classifiers", _only(unable, able))
    result = infimum.learn(binary_table, "verdict")
    assert [contender.name for contender in result.contenders] == [
        "baseline",
        "logistic-l2",
    ]
    assert any("Unable cannot learn this" in warning for warning in result.warnings)


def test_fits_without_proof_are_counted_instead_of_warned_about(
    binary_table, monkeypatch
):
    def hasty():
        return LogisticRegression(max_iter=1, tol=1e-12)

    contender = Contender("hasty", "Hasty", hasty)
    monkeypatch.setattr(job, "classifiers", _only(contender))
    result = infimum.learn(binary_table, "verdict")
    assert any("Hasty: " in w and "closed gap" in w for w in result.warnings)


def tally(name, *sweeps):
    """Return a tally of sweeps: (errors, folds × strengths), weights, values."""
    filled = Tally(Contender(name, name, LogisticRegression), "C")
    for errors, weights, values in sweeps:
        sweep = Sweep(values)
        sweep.errors = [list(row) for row in errors]
        sweep.weights = [list(weights) for _ in errors]
        sweep.metrics = [[{"auc": 1 - e} for e in row] for row in errors]
        filled.sweeps.append(sweep)
    return filled


def test_the_sparsest_setting_within_the_noise_wins_across_contenders():
    dense = tally("dense", ([[0.30, 0.20], [0.31, 0.22]], [9, 9], (0.1, 1.0)))
    sparse = tally("sparse", ([[0.40, 0.215], [0.42, 0.215]], [1, 3], (0.1, 1.0)))
    choice, place = choose(standings([dense, sparse]), criterion_for(np.arange(2)))
    assert (choice.name, place, choice.weights) == ("sparse", 1, 3)
    assert choice.best_name == "dense"
    assert choice.best_score == pytest.approx(0.79)
    assert choice.threshold == pytest.approx(1 - (0.21 + 0.01))


def test_between_equals_the_stronger_regularisation_wins():
    errors = [[0.21, 0.20, 0.20], [0.21, 0.22, 0.22]]
    dense = tally("dense", (errors, [9, 9, 9], (0.1, 1.0, 10.0)))
    choice, _ = choose(standings([dense]), criterion_for(np.arange(2)))
    assert choice.value == 0.1


def test_only_folds_that_all_have_finished_are_compared():
    fast = tally("fast", ([[0.3], [0.9], [0.9]], [1], (1.0,)))
    slow = tally("slow", ([[0.2], [0.2]], [1], (1.0,)))
    late = tally("late")
    both = standings([fast, slow])
    assert [each.folds for each in both] == [2, 2]
    assert both[0].means[0] == pytest.approx(0.6)
    first = standings([fast, slow, late])
    assert [(s.tally.contender.name, s.folds) for s in first] == [
        ("fast", 1),
        ("slow", 1),
    ]


def test_laps_are_merged_from_strong_to_weak_if_they_were_finished():
    first = ([[0.5, 0.1], [0.5, 0.3]], [1, 5], (0.01, 1.0))
    second = ([[0.2], [0.4]], [3], (0.1,))
    third = ([[0.0, 0.0]], [2, 4], (0.03, 0.3))
    (merged,) = standings([tally("one", first, second, third)])
    assert merged.values == (0.01, 0.1, 1.0)
    np.testing.assert_allclose(merged.means, [0.5, 0.3, 0.2])
    np.testing.assert_allclose(merged.weights, [1, 3, 5])
    assert merged.average("auc", 1) == pytest.approx(0.7)


def test_a_further_lap_lies_halfway_between_the_strengths_before():
    racing = tally("one", ([[0.5, 0.1, 0.2]], [1, 5, 5], (0.01, 1.0, 100.0)))
    assert racing.settings(0) == (0.01, 1.0, 100.0)
    np.testing.assert_allclose(racing.settings(1), (0.1, 10.0))
    assert tally("new").settings(0) is None


def test_the_worse_half_goes_home_before_a_further_lap():
    best = [0.3, 0.1, 0.4, 0.2, 0.5]
    tallies = [tally(f"m{e}", ([[e + 1, e]], [1, 1], (0.1, 1.0))) for e in best]
    fixed = Tally(Contender("mean", "mean", LogisticRegression, fixed=True), "C")
    _halve([fixed, *tallies], 0)
    assert all(each.racing for each in tallies)
    _halve([fixed, *tallies], 1)
    home = {each.contender.name for each in tallies if not each.racing}
    assert home == {"m0.4", "m0.5"}
    assert tallies[2].retired == "in the worse half after sweep 1"
    assert fixed.racing
    _halve([fixed, *tallies], 2)
    assert [e.contender.name for e in tallies if e.racing] == ["m0.1", "m0.2"]


def test_more_laps_refine_the_better_half_and_spare_the_worse(
    binary_table, monkeypatch
):
    monkeypatch.setattr("infimum.learn.compare.race.SWEEPS", 3)
    problem = pose(binary_table, "verdict")
    kept = [e for e in shelf.classifiers() if e.name in ("baseline", "logistic-l2")]
    worse = Contender(
        "worse", "Worse", DummyClassifier, grid=({}, {}), convex=False, sparse=False
    )
    outcome = race(
        [*kept, worse],
        problem,
        splits_of(problem, 0)[:2],
        criterion_for(problem.classes),
        deadline=np.inf,
        progress=lambda _: None,
    )
    assert outcome.ended == "finished"
    baseline, linear, worse_one = outcome.tallies
    assert [len(sweep.values) for sweep in linear.sweeps] == [5, 4, 8]
    assert (len(baseline.sweeps), len(worse_one.sweeps)) == (1, 1)
    assert worse_one.retired == "in the worse half after sweep 1"
    (merged,) = standings([linear])
    assert merged.means.min() <= min(np.mean(linear.sweeps[0].errors, axis=0))
