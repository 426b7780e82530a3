"""Several targets of yes and no are learned together, bounded together."""

from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import f1_score, hamming_loss, log_loss

import infimum
from infimum.errors import DataError
from infimum.evaluation.scoring import Predictions, measure
from infimum.learn import job, predict_table, recheck
from infimum.learn.compare import contenders as shelf
from infimum.learn.compare.other_contenders import label_models
from infimum.learn.evidence.groups import label_sets
from infimum.learn.labels import columns_named, pose_labels, split_labels
from infimum.learn.options import Options
from infimum.report import render

LABELS = ("hot", "wet", "late")


def make_table(n=240, seed=1):
    rng = np.random.default_rng(seed)
    x, z = rng.normal(size=(2, n))
    shade = rng.choice(["dark", "light"], n)
    noise = 0.4 * rng.normal(size=(3, n))
    return pl.DataFrame(
        {
            "x": x,
            "z": z,
            "shade": shade,
            "hot": (x + noise[0] > 0).astype(int),
            "wet": np.where(z + (shade == "dark") + noise[1] > 0, "yes", "no"),
            "late": x - z + noise[2] > 1,
        }
    )


@pytest.fixture(scope="module")
def table():
    return make_table()


@pytest.fixture(scope="module")
def learned(table, tmp_path_factory):
    out = tmp_path_factory.mktemp("runs") / "run"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(job, "classifiers", lambda: shelf.classifiers()[:2])
        return infimum.learn(
            table, "hot,wet,late", out=out, render=render, budget=600.0
        )


def test_labels_are_learned_better_than_by_their_usual_answer(learned):
    metrics = learned.exam.metrics
    assert (learned.task, learned.classes) == ("multilabel", LABELS)
    assert learned.choice.name == "logistic-l2"
    assert metrics["hamming"] < 0.6 * metrics["baseline_hamming"]
    low, high = learned.exam.curves["intervals"]["hamming"]
    assert low <= metrics["hamming"] <= high


def test_all_bounds_hold_together(learned):
    bound = learned.exam.bound
    assert [label["label"] for label in bound["labels"]] == list(LABELS)
    for label in bound["labels"]:
        assert label["confidence"] == pytest.approx(1 - 0.05 / 3)
        assert label["low"] <= label["estimate"] <= label["upper"] <= label["high"]


def test_the_report_and_the_predictions_name_the_labels(learned, table):
    page = (learned.out / "report.html").read_text()
    assert "Label by label" in page
    told = predict_table(learned.out / "model.infimum", table)
    assert told.columns == [c for n in LABELS for c in (n, f"probability of {n}")]
    right = (told["hot"] == table["hot"]).mean()
    assert right > 0.8
    assert ((told["probability of wet"] > 0.5) == (told["wet"] == 1)).all()


def test_the_proofs_of_all_labels_are_checked_again(learned, table):
    assert learned.proof.closed
    checked = recheck(learned.out / "model.infimum", table)
    assert checked.same_data
    assert checked.certificate.primal == pytest.approx(learned.proof.primal, rel=1e-9)


def test_the_same_seed_learns_the_same(learned, table, monkeypatch):
    monkeypatch.setattr(job, "classifiers", lambda: shelf.classifiers()[:2])
    again = infimum.learn(table, list(LABELS), budget=600.0)
    assert (again.choice, again.exam) == (learned.choice, learned.exam)


def test_metrics_are_those_of_scikit_learn():
    rng = np.random.default_rng(0)
    y, likely = rng.integers(0, 2, (40, 3)), rng.uniform(0.05, 0.95, (40, 3))
    verdicts = (likely > 0.5).astype(int)
    told = measure(y, Predictions(verdicts, likely, likely), np.array(LABELS))
    assert told["hamming"] == pytest.approx(hamming_loss(y, verdicts))
    assert told["macro_f1"] == pytest.approx(f1_score(y, verdicts, average="macro"))
    each = [log_loss(y[:, k], likely[:, k]) for k in range(3)]
    assert told["log_loss"] == pytest.approx(np.mean(each))


def test_families_without_probabilities_stay_out():
    names = [each.name for each in label_models(shelf.classifiers())]
    assert "boosting" in names
    assert "svm-hinge" not in names


def test_a_name_with_a_comma_is_one_column(table):
    odd = table.rename({"hot": "hot,wet?"})
    read = infimum.data.read_table(odd)
    assert columns_named(read, "hot,wet?") == ("hot,wet?",)
    assert columns_named(read, "wet, late") == ("wet", "late")


def test_folds_keep_the_shares_of_frequent_patterns(table):
    problem = pose_labels(table, LABELS, Options())
    split, splits = split_labels(problem, 0)
    assert len(splits) == 5
    apart = problem.y[split.train].mean(axis=0) - problem.y[split.held_back].mean(
        axis=0
    )
    assert np.abs(apart).max() < 0.1


def test_targets_that_are_no_yes_and_no_are_refused(table):
    with pytest.raises(DataError, match="must hold yes and no"):
        infimum.learn(table, "hot,shade")
    with pytest.raises(DataError, match="No column 'cold'"):
        infimum.learn(table, "hot,cold")
    with pytest.raises(DataError, match="is one target"):
        infimum.learn(table, "hot", "multilabel")
    rare = table.with_columns(rare=pl.Series([1] * 2 + [0] * 238))
    with pytest.raises(DataError, match="2 rows of one answer"):
        infimum.learn(rare, "hot,rare")


def test_the_usual_answer_has_its_interval_too(learned):
    low, high = learned.exam.curves["intervals"]["baseline_hamming"]
    assert 0 < low < learned.exam.metrics["baseline_hamming"] < high < 1


@pytest.fixture(scope="module")
def promised(table):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(job, "classifiers", lambda: shelf.classifiers()[:2])
        patch.setattr(job, "warm", lambda *_: None)
        yield infimum.learn(table, LABELS, sensitive="shade", budget=1e4)


def test_bounds_hold_for_answers_and_for_whole_rows(promised):
    made = promised.evidence["guarantees"]
    told = {b["quantity"]: b for b in [*made["bounds"], *made["vacuous"]]}
    metrics = promised.exam.metrics
    assert told["answer error rate"]["estimate"] == pytest.approx(metrics["hamming"])
    assert told["row error rate"]["estimate"] == pytest.approx(1 - metrics["all_right"])
    for bound in told.values():
        assert bound["estimate"] < bound["bound"] <= 1


def test_every_sensitive_column_is_compared_label_by_label(promised):
    columns = promised.evidence["fairness"]["columns"]
    assert [(c["column"], c["label"]) for c in columns] == [
        ("shade", label) for label in LABELS
    ]
    for each in columns:
        assert {group["name"] for group in each["groups"]} == {"dark", "light"}
        assert {row["criterion"] for row in each["criteria"]}


def test_answers_with_both_labels_hold_the_truth_together():
    """All labels of a row at once, as often as promised, over many draws."""
    rng = np.random.default_rng(0)
    covered = []
    for seed in range(40):
        present = rng.random((200, 3))
        y = (rng.random((200, 3)) < present).astype(int)
        case = SimpleNamespace(
            model=SimpleNamespace(predict_proba=lambda _, p=present: p),
            rows=np.arange(200),
            y=y,
            n_rows=200,
            seed=seed,
            classes=np.array(["a", "b", "c"]),
            affordable=lambda *_, **__: 1,
            weights=None,
            heaviest=None,
        )
        told = label_sets(case, {})
        covered.append(told["coverage"]["measured"])
        assert all(0 <= each["open"] <= 1 for each in told["labels"])
    # The promise is about the average over draws; 40 halves of 200 rows scatter by
    # sqrt(0.09 / 100 + 0.09 / 101) / sqrt(40) = 0.0067.
    assert np.mean(covered) > 0.9 - 2 * 0.0067
    assert np.mean(covered) < 0.93
