"""The comparison on real tables: fair to the peer, honest on the page."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from benchmarks.tables import TABLES, Outcome, page
from benchmarks.tables_peer import peer_score

SOME = Outcome("p/t: y", (300, 4), "AUC", True, 0.9, 0.8, "Lasso", 12.0, "0.9")


def test_twelve_tables_of_several_tasks_are_listed():
    assert len({(table.package, table.item) for table in TABLES}) == 12
    assert {table.task for table in TABLES} == {"auto", "counts"}


@pytest.mark.parametrize(
    ("ours", "theirs", "greater", "expected"),
    [(0.9, 0.8, True, True), (0.9, 0.8, False, False), (0.8, 0.8, False, True)],
)
def test_at_least_knows_which_way_is_better(ours, theirs, greater, expected):
    outcome = replace(SOME, ours=ours, theirs=theirs, greater_is_better=greater)
    assert outcome.at_least is expected


def test_the_page_counts_what_it_lists():
    text = page([SOME, replace(SOME, ours=0.7)], " --budget 60s")
    assert "`python -m benchmarks.tables --budget 60s`" in text
    assert "at least scikit-learn's in 1 of 2 tables" in text
    assert text.count("| p/t: y | 300 × 4 |") == 2


@pytest.mark.parametrize(
    ("target", "task", "metric", "best"),
    [
        ("sold", "auto", "auc", 0.9),
        ("grade", "auto", "accuracy", 0.6),
        ("price", "regression", "rmse", -0.8),
        ("visits", "counts", "deviance", -1.3),
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
    score = peer_score(path, target, task, ("leak",), 0, metric)
    assert (score if best > 0 else -score) > best
