"""Settings of learning: several tasks, drifting streams, eight protocols, headings."""

import re
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import make_moons

from infimum.data import Tasks, drifting_stream
from infimum.errors import DataError, InvalidParameterError
from infimum.models.ensembles import HistGradientBoostingClassifier
from infimum.models.linear import LogisticRegression
from infimum.models.online import Perceptron
from infimum.models.semi_supervised import (
    GraphLabelClassifier,
    SelfTrainingClassifier,
    suggest_queries,
)
from infimum.study.reviewing import reviewers_needed

PAGE = Path(__file__).parents[3] / "docs" / "settings.md"


@pytest.mark.syllabus("S1-200")
def test_tasks_may_differ_in_rows_columns_and_targets():
    one = (np.ones((3, 2)), [0, 1, 1])
    two = (np.zeros((5, 4)), np.arange(5) / 2)
    tasks = Tasks.of({"a": one, "b": two})
    assert len(tasks) == 2
    assert tasks.sizes == (3, 5)
    assert [name for name, _, _ in tasks] == ["a", "b"]
    with pytest.raises(DataError, match="different columns"):
        tasks.stacked()
    X, y, task = Tasks.of({"a": one, "c": (np.zeros((1, 2)), [0])}).stacked()
    assert X.shape == (4, 2)
    assert task.tolist() == [0, 0, 0, 1]
    assert y.tolist() == [0, 1, 1, 0]
    with pytest.raises(DataError, match="3 rows and 2 targets"):
        Tasks.of({"a": (np.ones((3, 2)), [0, 1])})


@pytest.mark.syllabus("S1-201")
def test_streams_drift_and_depend_as_told_and_online_learners_follow():
    stream = drifting_stream(3000, drift="gradual", turn=1.0, random_state=0)
    scores = np.einsum("ij,ij->i", stream.X, stream.weights)
    assert (stream.y == (scores > 0)).all()
    assert stream.weights[0] @ stream.weights[-1] == pytest.approx(-1.0)
    online, right = Perceptron(), 0
    online.partial_fit(stream.X[:1], stream.y[:1], classes=[0, 1])
    for i in range(1, 3000):
        row = stream.X[i : i + 1]
        right += int(online.predict(row)[0] == stream.y[i])
        online.partial_fit(row, stream.y[i : i + 1])
    once = LogisticRegression().fit(stream.X[:500], stream.y[:500])
    assert right / 2999 > 0.8 > once.score(stream.X[500:], stream.y[500:])
    still = drifting_stream(20_000, drift="none", memory=0.6, random_state=1)
    x = still.X[:, 0]
    assert np.corrcoef(x[:-1], x[1:])[0, 1] == pytest.approx(0.6, abs=0.03)
    assert x.var() == pytest.approx(1.0, abs=0.1)
    noisy = drifting_stream(10_000, drift="sudden", noise=0.1, random_state=2)
    told = np.einsum("ij,ij->i", noisy.X, noisy.weights) > 0
    assert np.mean(told != noisy.y) == pytest.approx(0.1, abs=0.015)
    with pytest.raises(InvalidParameterError, match="memory"):
        drifting_stream(memory=1.0)


@pytest.mark.syllabus("S0A-018")
def test_each_of_the_eight_protocols_has_an_interface():
    X, y = make_moons(200, noise=0.15, random_state=0)
    online = Perceptron().partial_fit(X[:100], y[:100], classes=[0, 1])
    online.partial_fit(X[100:], y[100:])
    batch = LogisticRegression().fit(X, y)
    assert min(online.score(X, y), batch.score(X, y)) > 0.75
    hidden = np.where(np.arange(200) < 20, y, -1)
    transduced = GraphLabelClassifier(n_neighbors=8).fit(X, hidden)
    assert np.mean(transduced.transduction_ == y) > 0.9
    assert hidden[suggest_queries(transduced, 3)].tolist() == [-1, -1, -1]
    holes = np.where(np.random.default_rng(0).random(X.shape) < 0.1, np.nan, X)
    missing = HistGradientBoostingClassifier(max_iter=30).fit(holes, y)
    assert missing.score(holes, y) > 0.9
    # Covariate shift: rows weigh as much as the other source has of them.
    ratio = np.exp(X[:, 0])
    shifted = LogisticRegression().fit(X, y, sample_weight=ratio)
    assert not np.allclose(shifted.coef_, batch.coef_, rtol=1e-3)
    # Two related views teach each other by the labels that either is sure of.
    taught = SelfTrainingClassifier(LogisticRegression()).fit(X[:, :1], hidden)
    second = np.where(taught.labeled_iter_ >= 0, taught.transduction_, -1)
    both = SelfTrainingClassifier(LogisticRegression()).fit(X[:, 1:], second)
    assert both.score(X[:, 1:], y) > 0.7
    dear = LogisticRegression(class_weight={0: 10.0, 1: 1.0}).fit(X, y)
    assert np.sum(dear.predict(X) == 0) > np.sum(batch.predict(X) == 0)


@pytest.mark.syllabus("S1-202", "S1-203")
def test_every_heading_names_what_answers_it_or_that_nothing_does():
    text = PAGE.read_text(encoding="utf-8")
    for heading in (
        *("online", "randomized", "distributed", "active", "reinforcement"),
        *("communication", "privacy", "unsupervised", "weak supervision", "tasks"),
    ):
        assert heading in text.lower(), heading
    assert "nothing here" in text
    names = re.findall(r"`infimum\.([\w.]+)`", text)
    assert len(names) > 12
    for name in names:
        room, _, last = f"infimum.{name}".rpartition(".")
        module = import_module(room)
        if not hasattr(module, last):
            import_module(f"infimum.{name}")


@pytest.mark.syllabus("S4B-253")
def test_ten_thousand_submissions_need_five_thousand_reviewers():
    assert reviewers_needed(10_000, 3, 6) == 5000
    assert reviewers_needed(10, 3, 4) == 8
    assert 10_000 / 400 == 25  # papers of an area chair
