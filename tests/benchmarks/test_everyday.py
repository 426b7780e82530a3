"""Everyday speed: lines of one class, and the page of several."""

import json
from dataclasses import asdict

import pytest

from benchmarks.everyday import Line, main, measure, question
from benchmarks.everyday_cases import FAMILY, pairs
from benchmarks.everyday_page import page
from benchmarks.everyday_reasons import REASONS


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


def test_what_is_kept_is_not_measured_again(tmp_path, capsys):
    kept = tmp_path / "lines"
    given = ["Ridge", "--sizes", "300", "--kept", str(kept), "--patience", "0.001"]
    assert main(given) == 0
    assert main(given) == 0  # nothing is left to be measured
    lines = [Line(**json.loads(text)) for text in kept.read_text().splitlines()]
    assert len(lines) == len(FAMILY)
    assert all(each.seconds and each.quality for each in lines)
    assert min(lines[0].peak) > 0
    assert main(["Lasso", "--sizes", "300", "--kept", str(kept), "--until", "-1"]) == 1


def test_who_was_slow_or_had_as_many_rows_is_spared_the_next_size(tmp_path, capsys):
    kept = tmp_path / "lines"
    slow = [line("Ridge", 300, 0.1, 2.0), line("SVC", 300, 0.2, 0.1)]
    slow.append(Line("MDS", 2000, 2000, 20, "independent", (0.1, 0.2)))
    kept.write_text("".join(json.dumps(asdict(each)) + "\n" for each in slow))
    given = ["Ridge", "MDS", "SVC", "--sizes", "2000", "20000", "--kept", str(kept)]
    before = kept.read_text()
    assert main(given) == 0
    assert kept.read_text() == before


def test_the_page_gives_a_reason_for_what_is_slow_and_for_nothing_else(monkeypatch):
    monkeypatch.setitem(REASONS, "Slow", "It counts.")
    monkeypatch.setitem(REASONS, "Fast", "It does not.")
    lines = [line("Fast", 300, 1.0, 4.0), line("Slow", 300, 2.0, 1.0)]
    shown = page([*lines, line("Odd", 300, 2.0, 1.0)])
    assert "- Slow: It counts." in shown
    assert "- Odd: Not explained yet." in shown
    assert "It does not." not in shown


def test_only_what_both_answer_is_asked():
    both = {name: [(each, {}) for each in pairs()[name]] for name in ("DBSCAN", "SVC")}
    assert question(both["DBSCAN"]) is None  # scikit-learn's does not predict
    assert question(both["SVC"]) == "predict"
