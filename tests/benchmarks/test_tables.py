"""The twelve tables: scores are judged fairly, and what is finished is kept."""

from statistics import mode

import numpy as np
import polars as pl
import pytest
from sklearn import metrics
from threadpoolctl import threadpool_limits

from benchmarks import tables
from benchmarks.kept_promises import coverage_place, promises_of
from benchmarks.tables_outcome import Outcome, Score, page, score, scores
from benchmarks.tables_peer import peer_answers
from infimum.learn.folds import split_off_test
from infimum.learn.options import Options
from infimum.learn.problem import pose


def outcome(name="a: b", value=0.1, **changes):
    plain = {
        "name": name,
        "shape": (100, 3),
        "unseen": 36,
        "metric": "AUC",
        "greater_is_better": True,
        "ours": Score(0.8, 0.7, 0.9),
        "theirs": Score(0.8 - value, 0.6, 0.9),
        "ahead": Score(value, value - 0.2, value + 0.2),
        "winner": "Ridge",
        "seconds": (60.0, 1.0),
        "joules": (900.0, 15.0),
        "coverage": "0.9",
        "in_band": True,
        "bounds": 3,
        "luck": 0.25,
        "exceeded": (),
        "refuted": (),
    }
    return Outcome(**{**plain, **changes})


def test_scores_are_those_of_scikit_learn():
    rng = np.random.default_rng(0)
    y, said = rng.integers(0, 2, 50), rng.random(50)
    counts, means = rng.poisson(2.0, 50), rng.random(50) + 0.5
    assert score("auc", y, said) == pytest.approx(metrics.roc_auc_score(y, said))
    assert score("accuracy", y, y) == 1
    assert score("rmse", y, said) == pytest.approx(
        metrics.root_mean_squared_error(y, said)
    )
    assert score("deviance", counts, means) == pytest.approx(
        metrics.mean_poisson_deviance(counts, means)
    )


def test_the_difference_is_measured_on_the_same_rows():
    rng = np.random.default_rng(1)
    y = rng.normal(size=200)
    noise = rng.normal(size=200)
    ours, theirs, ahead = scores("rmse", y, y + noise, y + 1.02 * noise, seed=0)
    assert ours.low < ours.value < ours.high
    assert ahead.value == pytest.approx(ours.value - theirs.value)
    # Both share the noise: their difference is far surer than either of them.
    assert ahead.high < 0
    assert ahead.high - ahead.low < 0.1 * (ours.high - ours.low)


def test_an_error_is_better_if_it_is_less():
    assert outcome(value=0.1).at_least
    assert not outcome(value=0.1, greater_is_better=False).at_least
    assert outcome(value=0.1).verdict == "yes, within noise"
    assert outcome(value=-0.5).verdict == "no, clearly"


def test_the_page_counts_what_it_shows():
    shown = page([outcome(), outcome(value=-0.5, in_band=False)], " --seed 0")
    assert "at least scikit-learn's on 1 of 2 tables" in shown
    assert "clearly behind on 1" in shown
    assert "on 1 of 2 tables (the band" in shown
    assert "Of 6 stated bounds" in shown
    assert "in 0.5 of them" in shown


def test_finished_tables_survive_an_interruption(monkeypatch, tmp_path):
    asked = []

    def compare(table, budget, seed, folder):
        asked.append(table.item)
        if len(asked) == 2:
            raise KeyboardInterrupt
        return outcome(table.item)

    monkeypatch.setattr(tables, "compare", compare)
    place = tmp_path / "tables.md"
    words = ["--page", str(place), "--only", "Chile", "ames"]
    with pytest.raises(KeyboardInterrupt):
        tables.main(words)
    assert "| Chile |" in place.read_text()
    assert tables.main([*words, "--resume"]) == 0
    assert asked == ["Chile", "ames", "ames"]
    assert "| Chile |" in place.read_text()
    assert "| ames |" in place.read_text()
    assert [entry.name for entry in tmp_path.iterdir()] == ["tables.md"]


def test_a_table_that_fails_is_told_and_the_others_go_on(monkeypatch, tmp_path, capsys):
    def compare(table, budget, seed, folder):
        if table.item == "Chile":
            raise RuntimeError("no votes")
        return outcome(table.item)

    monkeypatch.setattr(tables, "compare", compare)
    place = tmp_path / "tables.md"
    assert tables.main(["--page", str(place), "--only", "Chile", "ames"]) == 1
    assert "failed: Chile: no votes" in capsys.readouterr().out
    assert "| ames |" in place.read_text()


class Always:
    """A model that always says yes."""

    classes_ = np.array([0, 1])

    def predict(self, rows):
        return np.ones(len(rows), dtype=int)

    def predict_proba(self, rows):
        return np.tile([0.0, 1.0], (len(rows), 1))


def test_a_false_promise_is_refuted_and_a_true_one_is_not():
    told = {"quantity": "error rate", "method": "M", "comparisons": 2}
    result = {
        "exam": {"rows": 1000, "bound": {"kind": "error rate", "upper": 0.1}},
        "evidence": {"guarantees": {"bounds": [{**told, "bound": 0.6}]}},
    }
    y = np.arange(1000) % 2
    false, true = promises_of(result, Always(), np.zeros((1000, 1)), y, 1.0)
    assert false.exceeded
    assert false.refuted
    assert not true.exceeded
    assert true.measured == 0.5
    assert true.least < 0.5


def test_what_is_stated_twice_is_one_promise():
    told = {"quantity": "error rate", "method": "Clopper-Pearson", "comparisons": 1}
    result = {
        "exam": {"rows": 50, "bound": {"kind": "error rate", "upper": 0.6}},
        "evidence": {"guarantees": {"bounds": [{**told, "bound": 0.6}]}},
    }
    rows, y = np.zeros((100, 1)), np.arange(100) % 2
    assert len(promises_of(result, Always(), rows, y, 1.0)) == 1


def test_luck_is_how_often_fresh_rows_exceed_a_bound_that_is_just_kept():
    n, fresh, share = 400, 600, 0.3
    rng = np.random.default_rng(0)
    # The bound is just kept: it fails in a twentieth of the draws of the test rows.
    upper = rng.binomial(n, share, 4000) / n + 1.645 * np.sqrt(share * (1 - share) / n)
    exceeded = np.mean(rng.binomial(fresh, share, 4000) / fresh > upper)
    result = {
        "exam": {"rows": n, "bound": {"kind": "error rate", "upper": 0.6}},
        "evidence": {},
    }
    rows, y = np.zeros((fresh, 1)), np.ones(fresh)
    (promise,) = promises_of(result, Always(), rows, y, 1.0)
    assert promise.luck == pytest.approx(exceeded, abs=0.02)


@pytest.mark.parametrize(
    "measured, place", [(0.7, "below"), (0.9, "in"), (1.0, "above")]
)
def test_coverage_is_placed_in_its_band(measured, place):
    coverage = {"n": 200, "promised": 0.9, "measured": measured}
    assert coverage_place(coverage, 200) == place


def test_the_band_of_all_tables_is_wider_than_that_of_one():
    coverage = {"n": 200, "promised": 0.9, "measured": 0.82}
    assert coverage_place(coverage, 200) == "below"
    assert coverage_place(coverage, 200, tables=12) == "in"


def test_twelve_tables_are_compared_and_named_once():
    names = [table.item for table in tables.TABLES]
    assert len(set(names)) == len(names) == 12
    assert tables.PAGE.name == "tables.md"


@pytest.mark.parametrize(
    ("target", "task", "metric", "best"),
    [
        ("sold", "auto", "auc", 0.9),
        ("grade", "auto", "accuracy", 0.6),
        ("price", "regression", "rmse", -0.8),
        ("visits", "counts", "deviance", -1.8),
    ],
)
def test_the_peer_learns_from_words_gaps_and_dates(
    tmp_path, rng, target, task, metric, best
):
    x = rng.normal(size=300)
    rows = {
        "x": [None if k % 9 == 0 else float(v) for k, v in enumerate(x)],
        "word": np.where(x > 0.5, "high", "low"),
        "day": [f"2024-01-{k % 28 + 1:02}" for k in range(300)],
        "leak": x * 2,
        "sold": np.where(x > 0, "yes", "no"),
        "grade": np.digitize(x, [-0.5, 0.5]),
        "price": x + 0.1 * rng.normal(size=300),
        "visits": rng.poisson(np.exp(x)),
    }
    others = {"sold", "grade", "price", "visits"} - {target}
    path = tmp_path / "t.csv"
    pl.DataFrame(rows).drop(others).write_csv(path)
    problem = pose(path, target, task, Options(drop=("leak",)))
    split = split_off_test(problem, 0)
    # Threads that wait for each other take longer than one that works.
    with threadpool_limits(1):
        said = peer_answers(problem, split.train, split.held_back)
    truth, known = problem.y[split.held_back], problem.y[split.train]
    usual = known.mean() if metric in {"rmse", "deviance"} else mode(known.tolist())
    guess = np.full(len(truth), 0.5 if metric == "auc" else usual)
    sign = 1 if best > 0 else -1
    assert sign * score(metric, truth, said) > best > sign * score(metric, truth, guess)
