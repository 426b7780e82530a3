"""What scikit-learn's own tests say of our classes is explained by rows, or told."""

from benchmarks.conformance.__main__ import DOCS, intended, rows_of, sort


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
    asked = {**record, "said": "AttributeError: 'SVC' object has no attribute '_x'"}
    assert not sort([asked], {}, set()).bugs()
    assert sort([{**asked, "inside": True}], {}, set()).bugs()
    assert told.errors == ["matches no failure: svm/test_svm.py::test_y"]
    assert list(told.bugs()) == [record["test"]]
    assert not sort([record], {"a row": ["svm/test_svm.py::test_*"]}, {"a row"}).bugs()
    assert sort([record], entries, set()).errors[-1].endswith("dropin.md: a row")
