"""Runs side by side, in the terminal and as a page."""

import copy
import json

import pytest

from infimum.cli.compare import _lines


@pytest.fixture(scope="module")
def result(run):
    return json.loads((run / "result.json").read_text())


@pytest.fixture
def place(tmp_path, result):
    """Return a function that writes a run whose result was changed somewhere."""

    def write(name, **changes):
        changed = copy.deepcopy(result)
        for path, value in changes.items():
            *before, last = path.split("__")
            part = changed
            for step in before:
                part = part[step]
            part[last] = value
        (tmp_path / name).mkdir()
        (tmp_path / name / "result.json").write_text(json.dumps(changed))
        return name

    return write


def test_runs_stand_side_by_side_with_their_uncertainty(invoke, place, tmp_path):
    # A race that ends within its first fold knows no spread; this one does.
    first = place("first", choice__spread=0.02)
    done = invoke("compare", first, place("second", seed=1, choice__spread=0.03))
    assert done.exit_code == 0, done.output
    assert "first" in done.output.splitlines()[0]
    assert "second" in done.output.splitlines()[0]
    lines = {line.split("  ")[0]: line for line in done.output.splitlines()}
    assert lines["cross-validated"].count("±") == 2
    assert lines["95 % interval"].count(" to ") == 2
    page = (tmp_path / "infimum-comparison.html").read_text(encoding="utf-8")
    assert "first" in page
    assert len(page) < 6e6


def test_runs_that_do_not_fit_the_terminal_go_on_below():
    headings = {"run": "run", "test": "on test rows"}
    names = [f"run number {k}" for k in range(5)]
    rows = [{"run": {"text": n}, "test": {"text": "error 10 %"}} for n in names]
    told = {"headings": headings, "rows": rows}
    narrow, wide = _lines(told, 50), _lines(told)
    assert all(len(line) <= 50 for line in narrow)
    assert sum(line.startswith("run ") for line in narrow) == 3
    assert narrow.count("") == 2
    assert len(wide) == 2
    assert all(name in "".join(narrow) for name in names)


@pytest.mark.parametrize(
    "changes, remark",
    [
        ({}, "tested on the same rows"),
        ({"seed": 7}, "other seeds"),
        ({"data__fingerprint": "0" * 64}, "different data"),
        ({"data__target": "price"}, "scores do not compare"),
        ({"exam__metrics__error": 0.9, "exam__bound__low": 0.8}, "beyond"),
    ],
)
def test_what_cannot_be_compared_is_said(invoke, place, changes, remark):
    done = invoke("compare", place("a"), place("b", **changes))
    assert done.exit_code == 0, done.output
    assert remark in done.output


def test_names_in_results_are_shown_as_text(invoke, place, tmp_path):
    hostile = "<script>alert(1)</script>"
    words = {"data__target": hostile, "choice__label": hostile}
    done = invoke(
        "compare", place("a", **words), place("b", **words), "--out", "c.html"
    )
    assert done.exit_code == 0, done.output
    assert "<script>alert(1)" not in (tmp_path / "c.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "words, message",
    [
        (["a"], "at least two runs"),
        (["a", "a"], "given twice"),
        (["a", "b/../a"], "given twice"),
        (["a", "gone"], "does not exist"),
        (["a", "b", "--out", "c.txt"], "must end in .html"),
        (["a", "b", "--out", "gone/c.html"], "does not exist"),
        (["a", "b", "--out", "folder.html"], "is a directory"),
        (["a", "broken"], "cannot be read"),
        (["a", "older"], "schema"),
        (["a", "partial"], "edited or damaged"),
    ],
)
def test_bad_input_is_one_sentence(invoke, place, tmp_path, words, message):
    place("a"), place("b"), place("older", schema=0)
    (tmp_path / "folder.html").mkdir()
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "result.json").write_text("{")
    (tmp_path / "partial").mkdir()
    (tmp_path / "partial" / "result.json").write_text('{"schema": 1}')
    before = sorted(path.name for path in tmp_path.iterdir())
    done = invoke("compare", *words)
    assert done.exit_code == 2
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1
    assert message in lines[0]
    assert lines[0].startswith("infimum: ")
    assert sorted(path.name for path in tmp_path.iterdir()) == before
