"""The parts of the examples: what one cannot tell does not silence the others."""

from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from sklearn.pipeline import make_pipeline

from infimum.errors import DataError
from infimum.learn.evidence import columns
from infimum.learn.evidence import rows as answers
from infimum.learn.evidence.case import Case, TooLateError
from infimum.learn.options import Options
from infimum.learn.problem import pose
from infimum.models.neighbors import KNeighborsClassifier


@pytest.mark.parametrize(
    "error, words",
    [
        (ValueError("shapes differ"), "could not be computed: ValueError: shapes"),
        (DataError("Nothing to share out."), "Nothing to share out."),
        (TooLateError(), "no time left"),
    ],
    ids=["a mistake", "a refusal", "no time"],
)
def test_a_part_that_fails_says_so_and_leaves_the_others(error, words, monkeypatch):
    def fails(case, found):
        raise error

    monkeypatch.setattr(answers, "_shapley", fails)
    monkeypatch.setattr(answers, "_near", lambda *_: {"rows": [1]})
    monkeypatch.setattr(answers, "_turned", lambda *_: {"row": 2})
    case = SimpleNamespace(affordable=lambda *_: 1, n_rows=1)
    told = answers.examples(case, {})
    assert words in told["shapley"]["reason"]
    assert (told["near"], told["counterfactual"]) == ({"rows": [1]}, {"row": 2})


def test_columns_that_the_model_does_not_see_are_no_players():
    rng = np.random.default_rng(1)
    table = pl.DataFrame({f"x{place}": rng.normal(size=90) for place in range(12)})
    table = table.with_columns(y=(pl.col("x0") > 0).cast(pl.String))
    problem = pose(table, "y", "auto", Options.of(only=("x0", "x3")))
    model = make_pipeline(problem.encoder, KNeighborsClassifier(9))
    model.fit(problem.rows, problem.y)
    case = Case(
        model=model,
        training=problem,
        rows=problem.rows,
        y=problem.y,
        classes=problem.classes,
        task=problem.task,
        sensitive=(),
        models_compared=1,
        seed=0,
        deadline=np.inf,
    )
    told = answers.shared_out(case, problem.rows[:3])
    # Twelve columns would have been sampled; two are tried in every order.
    assert told["method"] == "exact"
    for row in told["rows"]:
        assert {share["column"] for share in row["shares"]} <= {"x0", "x3"}
        total = told["base"] + sum(share["share"] for share in row["shares"])
        assert total == pytest.approx(row["answer"])


def test_rows_of_one_class_have_no_ranking_to_lose():
    rng = np.random.default_rng(1)
    table = pl.DataFrame({"x": rng.normal(size=90), "z": rng.normal(size=90)})
    table = table.with_columns(y=(pl.col("x") > 0).cast(pl.String))
    problem = pose(table, "y")
    model = make_pipeline(problem.encoder, KNeighborsClassifier(9))
    model.fit(problem.rows, problem.y)
    kept = np.flatnonzero(problem.y == problem.y[0])
    case = Case(
        model=model,
        training=problem,
        rows=problem.rows[kept],
        y=problem.y[kept],
        classes=problem.classes,
        task=problem.task,
        sensitive=(),
        models_compared=1,
        seed=0,
        deadline=np.inf,
    )
    told = columns.importance(case, {})
    assert told["score"] == "accuracy"
    assert np.isfinite([[e["drop"], e["error"]] for e in told["columns"]]).all()
