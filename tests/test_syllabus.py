"""The ledger counts an item when every test that states it passed, and not before."""

import csv
import json
from pathlib import Path

import pytest

from infimum.errors import DataError
from infimum.syllabus import Ledger, main, marked_items, passing_items, read_items

ROOT = Path(__file__).parent.parent
pytest_plugins = ["pytester"]

INDEX = """id,required,title
A-001,yes,One
A-002,no,Two
B-001,yes,Three
B-002,yes,Four
"""

MARKED = """
import pytest
pytestmark = pytest.mark.syllabus("A-001")

@pytest.mark.syllabus("A-002", "B-001")
def test_one():
    assert True

@pytest.mark.parametrize("n", [1, pytest.param(2, marks=pytest.mark.syllabus("B-002"))])
def test_two(n):
    assert n == 1
"""


@pytest.fixture
def repository(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "tests").mkdir()
    (tmp_path / "docs" / "syllabus.csv").write_text(INDEX)
    (tmp_path / "tests" / "test_marked.py").write_text(MARKED)
    return tmp_path


def test_every_mark_in_the_house_names_an_item_of_the_syllabus():
    known = {item.id for item in read_items(ROOT / "docs" / "syllabus.csv")}
    marked = marked_items(ROOT / "tests")
    assert not {item: places for item, places in marked.items() if item not in known}


def test_the_index_lists_seven_documents_in_short_plain_titles():
    items = read_items(ROOT / "docs" / "syllabus.csv")
    documents = list(dict.fromkeys(item.document for item in items))
    assert documents == ["S0A", "S0B", "S1", "S2", "S3", "S4A", "S4B"]
    assert len(items) == 1600
    assert all(5 <= len(item.title) <= 90 for item in items)
    assert not [item for item in items if "Acc:" in item.title or "[E" in item.title]


def test_marks_are_found_on_tests_on_modules_and_on_parameters(repository):
    found = marked_items(repository / "tests")
    assert set(found) == {"A-001", "A-002", "B-001", "B-002"}
    assert found["A-002"] == ["tests/test_marked.py:5"]


def test_a_mark_that_cannot_be_read_is_refused_with_its_place(repository):
    (repository / "tests" / "test_star.py").write_text("pytest.mark.syllabus(*IDS)")
    with pytest.raises(DataError, match=r"tests/test_star\.py:1 must spell"):
        marked_items(repository / "tests")


def test_an_item_counts_only_when_every_test_that_names_it_passed(tmp_path):
    outcomes = {
        "A-001": {"t1": "passed", "t2": "passed"},
        "A-002": {"t1": "passed", "t2": "failed"},
        "B-001": {"t3": "skipped"},
        "B-002": {},
    }
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"items": outcomes}))
    assert passing_items(path) == {"A-001"}


@pytest.mark.parametrize("content", ["", "{}", "[1]", '{"items": [1]}'])
def test_results_that_make_no_sense_are_refused_in_one_sentence(tmp_path, content):
    path = tmp_path / "results.json"
    path.write_text(content)
    with pytest.raises(DataError, match="cannot be read; run `make test`"):
        passing_items(path)


def test_optional_items_neither_help_nor_count_as_missing(repository):
    items = read_items(repository / "docs" / "syllabus.csv")
    ledger = Ledger(items, frozenset({"A-002", "B-001"}))
    assert [item.id for item in ledger.missing()] == ["A-001", "B-002"]
    lines = [line.split() for line in ledger.lines()]
    assert lines[0] == ["document", "covered", "required", "share", "optional"]
    assert lines[1] == ["A", "0", "1", "0.0%", "1"]
    assert lines[-1] == ["total", "1", "3", "33.3%", "1"]


def test_the_command_counts_by_name_until_there_are_results(repository, capsys):
    assert main(["--root", str(repository)]) == 0
    shown = capsys.readouterr().out
    assert "total             3         3  100.0%         1" in shown
    assert "Counted by name only" in shown


def test_the_command_counts_passes_and_writes_what_is_missing(repository, capsys):
    results, missing = repository / "r.json", repository / "out" / "missing.csv"
    results.write_text(json.dumps({"items": {"A-001": {"t": "passed"}}}))
    asked = ["--root", str(repository), "--results", str(results)]
    assert main([*asked, "--missing", str(missing)]) == 0
    assert "2 missing" in capsys.readouterr().out
    with missing.open() as file:
        assert [row["id"] for row in csv.DictReader(file)] == ["B-001", "B-002"]
    assert [path.name for path in missing.parent.iterdir()] == ["missing.csv"]


def test_the_command_says_in_one_sentence_that_there_is_no_syllabus(tmp_path, capsys):
    assert main(["--root", str(tmp_path)]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1
    assert "is not there; run this in the repository" in shown.err


def test_the_command_refuses_a_mark_of_an_unknown_item(repository, capsys):
    (repository / "tests" / "test_new.py").write_text('pytest.mark.syllabus("Z-9")')
    assert main(["--root", str(repository)]) == 2
    assert "tests/test_new.py:1 marks the item 'Z-9'" in capsys.readouterr().err


@pytest.mark.parametrize("workers", [[], ["-n", "1"]])
def test_a_test_run_records_the_items_that_passed(pytester, workers):
    pytester.makeconftest(Path(__file__).with_name("conftest.py").read_text())
    pytester.makeini("[pytest]\nmarkers = syllabus(*ids): items")
    pytester.makepyfile(MARKED)
    pytester.runpytest_subprocess("-q", "--syllabus", "kept/results.json", *workers)
    results = pytester.path / "kept" / "results.json"
    outcomes = json.loads(results.read_text())["items"]
    assert list(outcomes["B-002"].values()) == ["failed"]
    assert len(outcomes["A-001"]) == 3
    assert passing_items(results) == {"A-002", "B-001"}
