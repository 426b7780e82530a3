"""Several labels: blended, read by people, explained, and each with its intervals."""

import numpy as np
import polars as pl
import pytest

import infimum
from infimum.evaluation.scoring import Predictions, measure
from infimum.evaluation.uncertainty.metrics import f1_interval
from infimum.learn import job, predict_table, recheck
from infimum.learn.compare import contenders as shelf
from infimum.learn.final_test import examine_labels
from infimum.learn.labels import pose_labels, split_labels
from infimum.learn.options import Options
from infimum.models.linear import LogisticRegression

LABELS = ("hot", "wet")


@pytest.fixture(scope="module")
def table():
    """Half straight, half steps: a linear model and trees err on different rows."""
    rng = np.random.default_rng(3)
    x, z, u = rng.normal(size=(3, 400))
    noise = rng.logistic(size=(2, 400))
    step = 3.0 * (np.abs(u) > 0.7)
    return pl.DataFrame(
        {
            "x": x,
            "z": z,
            "u": u,
            "hot": (1.5 * x + step - 1.5 + noise[0] > 0).astype(int),
            "wet": (1.5 * z + step - 1.5 + noise[1] > 0).astype(int),
        }
    )


@pytest.fixture(scope="module")
def learned(table, tmp_path_factory):
    names = ("baseline", "logistic-l1", "tree", "forest")
    field = tuple(each for each in shelf.classifiers() if each.name in names)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(job, "classifiers", lambda: field)
        patch.setattr(job, "warm", lambda *_: None)
        out = tmp_path_factory.mktemp("runs") / "run"
        return infimum.learn(table, list(LABELS), out=out, budget=600.0)


def test_a_blend_answers_for_every_label(learned, table):
    assert learned.blend["taken"]
    assert learned.choice.name == "blend"
    members = learned.model[-1].estimators_
    mean = np.average(
        [each.predict_proba(table) for each in members],
        axis=0,
        weights=[each["share"] for each in learned.blend["members"]],
    )
    np.testing.assert_allclose(learned.model.predict_proba(table), mean, rtol=1e-12)
    np.testing.assert_array_equal(learned.model.predict(table), mean > 0.5)
    best = min(
        min(contender.scores)
        for contender in learned.contenders
        if contender.name != "blend"
    )
    assert learned.choice.score < best


def test_the_file_of_a_blend_tells_the_labels(learned, table):
    told = predict_table(learned.out / "model.infimum", table)
    assert told.columns == [c for n in LABELS for c in (n, f"probability of {n}")]
    np.testing.assert_array_equal(
        told.select(LABELS).to_numpy(), learned.model.predict(table)
    )


def test_a_person_can_read_the_champion(learned):
    champion = learned.champion
    assert champion["name"] in ("logistic-l1", "tree")
    assert champion["weights"] <= 8
    assert champion["cost"] > 0
    if champion["name"] == "tree":
        assert all(f"{label}:\n" in champion["rules"] for label in LABELS)
    else:
        weights = dict(champion["weights_by_feature"])
        assert set(weights) <= {"x", "z", "u"}
        assert all(len(each) == len(LABELS) for each in weights.values())


def test_columns_that_matter_are_told(learned):
    told = learned.evidence["importance"]
    assert told["score"] == "log-likelihood"
    falls = {each["column"]: each["drop"] for each in told["columns"]}
    assert min(falls.values()) > 0.02
    assert [stage.name for stage in learned.stages][-4:] == [
        "refit",
        "prove",
        "test",
        "explain",
    ]


def test_every_label_has_intervals(learned):
    low, high = learned.exam.curves["intervals"]["baseline_hamming"]
    assert low < learned.exam.metrics["baseline_hamming"] < high
    for label in learned.exam.bound["labels"]:
        for metric in ("auc", "f1"):
            low, high = label[f"{metric}_interval"]
            assert 0 <= low < label[metric] < high <= 1


def test_intervals_cover_the_truth():
    # What is said has F1 0.8 on all rows; 30 intervals at 95 % miss it 1.5 times on
    # average, and more than 5 times with a probability of 0.3 %.
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, (80, 30))
    said = np.where(rng.random((80, 30)) < 0.8, y, 1 - y)
    ends = [f1_interval(*both) for both in zip(y.T, said.T, strict=True)]
    missed = sum(not low <= 0.8 <= high for low, high in ends)
    assert missed <= 5


def test_a_label_without_a_yes_has_no_f1(table):
    problem = pose_labels(table, LABELS, Options())
    y = np.zeros((30, 2), dtype=int)
    y[:15, 1] = 1
    said = Predictions(y, y + 0.0, y + 0.0)
    first, second = examine_labels(problem, y, said, y).bound["labels"]
    assert (first["f1"], first["f1_interval"], first["auc_interval"]) == (None,) * 3
    # All right on 30 rows is not all right for ever.
    jaccard = 0.0125 ** (1 / 15)
    assert second["f1_interval"] == pytest.approx((2 * jaccard / (1 + jaccard), 1.0))
    assert second["auc_interval"] == pytest.approx((0.0125 ** (1 / 15), 1.0))


def test_labels_that_are_all_right_are_bounded_all_the_same(table):
    problem = pose_labels(table, LABELS, Options())
    y = np.arange(60).reshape(30, 2) % 3 % 2
    told = examine_labels(problem, y, Predictions(y, y + 0.0, y + 0.0), y)
    intervals = told.curves["intervals"]
    # Thirty rows of thirty, by Clopper and Pearson.
    low = 0.025 ** (1 / 30)
    assert intervals["all_right"] == pytest.approx([low, 1.0])
    assert intervals["hamming"] == pytest.approx([0.0, 1 - low])
    # Each label is yes in ten rows, all of them found.
    jaccard = 0.025 ** (1 / 10)
    assert intervals["macro_f1"] == pytest.approx([2 * jaccard / (1 + jaccard), 1.0])


def test_weights_are_repetitions_of_rows():
    rng = np.random.default_rng(2)
    y, likely = rng.integers(0, 2, (30, 2)), rng.uniform(0.05, 0.95, (30, 2))
    often = rng.integers(0, 4, 30)

    def told(rows, weights=None):
        said = Predictions((likely[rows] > 0.5).astype(int), likely[rows], likely[rows])
        return measure(y[rows], said, np.array(LABELS), None, weights)

    weighed, repeated = (
        told(np.arange(30), often),
        told(np.repeat(np.arange(30), often)),
    )
    assert weighed == pytest.approx(repeated)


def test_every_label_learns_from_weighed_rows(table, tmp_path, monkeypatch):
    monkeypatch.setattr(job, "classifiers", lambda: shelf.classifiers()[:2])
    monkeypatch.setattr(job, "gather", lambda *_, **__: {})
    weighed = table.with_columns(often=pl.Series(np.arange(400) % 3))
    run = infimum.learn(weighed, list(LABELS), weights="often", out=tmp_path / "run")
    train = split_labels(pose_labels(weighed, LABELS, Options(weights="often")), 0)[0]
    rows = weighed[train.train]
    repeated = rows[np.repeat(np.arange(len(rows)), rows["often"])]
    X = run.model[0].transform(repeated)
    C = run.model[-1].estimators_[0].C
    for label, model in zip(LABELS, run.model[-1].estimators_, strict=True):
        alone = LogisticRegression(C=C).fit(X, repeated[label])
        np.testing.assert_allclose(model.coef_, alone.coef_, rtol=1e-3, atol=1e-4)
    checked = recheck(run.out / "model.infimum", weighed)
    assert checked.certificate.primal == pytest.approx(run.proof.primal, rel=1e-9)
