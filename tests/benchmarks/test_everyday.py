"""Everyday speed: lines of one class, and the page of several."""

import json

import pytest

from benchmarks.everyday import Line, joined, main, measure, question
from benchmarks.everyday_cases import FAMILY, pairs
from benchmarks.everyday_page import page


def line(name, asked, ours, theirs, table="independent"):
    return Line(name, asked, asked, 10, table, (ours, theirs), (0.5, 0.6), (0, 0))


def test_a_class_is_measured_on_every_table_of_the_family():
    found = measure("Ridge", (60, 4), patience=0.01)
    assert [each.table for each in found] == list(FAMILY)
    for each in found:
        assert min(each.seconds) > 0
        assert each.quality[0] == pytest.approx(each.quality[1], abs=1e-6)


def test_the_page_shows_the_slowest_class_first_and_the_mean_of_all():
    lines = [line("Fast", 300, 1.0, 4.0), line("Slow", 300, 2.0, 1.0)]
    shown = page(lines)
    assert "| geometric mean | 1.41 | |" in shown
    assert shown.index("| Slow | 0.50 (0.50)") < shown.index("| Fast | 4.00 (4.00)")


def test_every_shared_class_is_there():
    assert {"Ridge", "SVC", "KMeans", "MLPClassifier"} <= set(pairs())
    assert len(pairs()) > 100


def test_times_are_kept_and_met_by_quality_and_memory(tmp_path, capsys):
    kept = tmp_path / "lines"
    given = ["Ridge", "--sizes", "300", "--kept", str(kept), "--patience", "0.001"]
    assert main(given) == 0
    assert main(given) == 0  # nothing is left to be measured
    assert len(kept.read_text().splitlines()) == len(FAMILY)
    assert main([*given, "--judge"]) == 0
    lines = [Line(**json.loads(text)) for text in kept.read_text().splitlines()]
    assert len(lines) == 2 * len(FAMILY)
    whole = joined(lines)
    assert len(whole) == len(FAMILY)
    assert all(each.seconds and each.quality and each.peak for each in whole)
    assert main(["Lasso", "--sizes", "300", "--kept", str(kept), "--until", "-1"]) == 1


def test_only_what_both_answer_is_asked():
    both = {name: [(each, {}) for each in pairs()[name]] for name in ("DBSCAN", "SVC")}
    assert question(both["DBSCAN"]) is None  # scikit-learn's does not predict
    assert question(both["SVC"]) == "predict"
