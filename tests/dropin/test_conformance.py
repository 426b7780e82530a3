"""A tenth of scikit-learn's own tests: a fifth of its files, and of each a half."""

import json
import zlib

import pytest

from benchmarks.conformance.__main__ import (
    DOCS,
    SKLEARN,
    intended,
    paths,
    rows_of,
    run,
    sort,
)

FILES, TESTS = 5, 2


PAGE = json.loads((DOCS / "conformance.json").read_text(encoding="utf-8"))


def files():
    """Return a fifth of the test files of the modules on the page."""
    known = [
        file
        for place in paths(PAGE["modules"])
        for file in ([place] if place.is_file() else place.rglob("test_*.py"))
    ]
    names = {file: str(file.relative_to(SKLEARN)).encode() for file in known}
    return sorted(file for file in known if zlib.crc32(names[file]) % FILES == 0)


@pytest.fixture(scope="module")
def found():
    rows = rows_of((DOCS / "dropin.md").read_text(encoding="utf-8"))
    return sort(run(files(), share=TESTS), intended(), rows)


def test_no_failure_is_neither_explained_nor_told(found):
    assert set(found.bugs()) <= set(PAGE["bugs"])


def test_most_tests_pass(found):
    kinds = list(found.kind.values())
    assert kinds.count("passed") > 100
    assert kinds.count("passed") > 3 * kinds.count("intended")


def test_rows_that_explain_are_on_the_page():
    rows = rows_of((DOCS / "dropin.md").read_text(encoding="utf-8"))
    assert set(intended()) <= rows


def test_an_entry_that_explains_nothing_is_an_error():
    record = {
        "test": "sklearn/svm/tests/test_svm.py::test_x[a]", "outcome": "failed",
        "expected": False, "called": ["SVC"], "worded": [], "said": "no",
    }  # fmt: skip
    entries = {"a row": ["svm/test_svm.py::test_y"]}
    told = sort([record], entries, {"a row"})
    assert told.errors == ["matches no failure: svm/test_svm.py::test_y"]
    assert list(told.bugs()) == [record["test"]]
    assert not sort([record], {"a row": ["svm/test_svm.py::test_*"]}, {"a row"}).bugs()
    assert (
        sort([record], entries, set()).errors[-1] == "no row of docs/dropin.md: a row"
    )
