"""Rows that were asked about: answered, explained and turned round in the report."""

import copy

import pytest

from infimum.report import render
from infimum.report.asked import asked_title, rows_to_explain


def answer(**changes):
    told = {
        "of": "price",
        "answer": 12.5,
        "truth": 13.0,
        "chances": None,
        "sure": {"kind": "interval", "low": 11.0, "high": 14.0, "promised": 0.9},
        "shapley": {
            "method": "linear",
            "of": "predicted price",
            "base": 10.0,
            "answer": 12.5,
            "shares": [
                {"column": "z", "value": "1.5", "share": 2.5, "error": 0.0},
                {"column": "x", "value": "<b>", "share": -1.0, "error": 0.0},
            ],
        },
        "counterfactual": {
            "found": True,
            "sentence": "If z were 0 instead of 1.5, the answer would be 10.",
            "changes": [{"column": "z", "before": 1.5, "after": 0.0, "distance": 1.0}],
            "fixed": ["colour"],
        },
    }
    return {**told, **changes}


def asked(*answers, part="test", **others):
    rows = [{"row": 17, "part": part, "answers": list(answers)}]
    return {"evidence": {"chosen": {"rows": rows}}, **others}


def test_a_number_is_answered_with_its_interval():
    result = asked(answer())
    assert asked_title(result) == "Row 17 is answered 12.5 (11.0 to 14.0)"
    (row,) = rows_to_explain(result)
    part, said, sure, truth = row["answers"][0]["words"]
    assert part == "The model has not seen this row."
    assert said == "The model answers 12.5."
    assert sure.replace("\u00a0", " ") == (
        "The interval is 11.0 to 14.0; 90 % of such answers hold the truth."
    )
    assert truth == "In truth it is 13.0."


@pytest.mark.parametrize(
    "labels, words",
    [
        (["yes"], "No other label"),
        (["yes", "no"], "“yes” and “no”"),
        ([], "No label is familiar enough"),
    ],
)
def test_a_label_is_answered_with_its_set(labels, words):
    sure = {"kind": "set", "labels": labels, "promised": 0.9}
    told = answer(answer="yes", truth="no", chances={"yes": 0.8}, sure=sure)
    (row,) = rows_to_explain(asked(told))
    text = " ".join(row["answers"][0]["words"])
    assert "“yes”, which it holds 80.0" in text
    assert words in text
    assert "In truth it is “no”." in text


def test_the_title_names_what_else_may_be_true():
    sure = {"kind": "set", "labels": ["no", "yes"], "promised": 0.9}
    title = asked_title(asked(answer(answer="yes", sure=sure)))
    assert title == "Row 17 is answered “yes” (or “no”)"


def test_an_interval_may_be_open_on_a_side():
    sure = {"kind": "interval", "low": None, "high": 3.0, "promised": 0.9}
    assert asked_title(asked(answer(sure=sure))).endswith("(up to 3.00)")
    sure = {"kind": "interval", "low": None, "high": None, "promised": 0.9}
    assert "without end" in asked_title(asked(answer(sure=sure)))


def test_labels_of_several_are_answered_by_yes_and_no():
    told = [answer(of=name, answer="1", truth="0") for name in ("hot", "wet")]
    result = asked(*told, goal="multilabel")
    assert asked_title(result) == "Row 17, as asked"
    (row,) = rows_to_explain(result)
    assert [each["title"] for each in row["answers"]] == [
        "Row 17, hot: yes (11.0 to 14.0)",
        "Row 17, wet: yes (11.0 to 14.0)",
    ]


def test_nothing_is_said_where_nothing_was_asked():
    stopped = {"chosen": {"reason": "Ctrl-C came first."}}
    assert asked_title({"evidence": {}}) == ""
    assert asked_title({"evidence": stopped}) == ""
    wished = {"evidence": stopped, "options": {"explain_row": [3]}}
    assert asked_title(wished) == "The rows that were asked about"


@pytest.mark.parametrize("task", ["regression", "multilabel"])
def test_the_row_stands_in_the_report_with_its_figure(results, task):
    result = copy.deepcopy(results[task])
    told = answer() if task == "regression" else answer(answer="1", truth=None)
    result["evidence"]["chosen"] = asked(told)["evidence"]["chosen"]
    text = render(result)
    assert 'id="asked"' in text
    assert 'data-figure="asked_0_0"' in text
    assert "If z were 0 instead of 1.5, the answer would be 10." in text
    assert "colour had to stay" in text
    assert text.index('id="asked"') < text.index('id="leaderboard"')


def test_why_a_part_is_missing_is_said(results):
    result = copy.deepcopy(results["regression"])
    reason = {"reason": "There was no time left for this."}
    told = answer(shapley=reason, counterfactual=reason, sure=reason)
    result["evidence"]["chosen"] = asked(told, part="training")["evidence"]["chosen"]
    text = render(result)
    assert text.count(reason["reason"]) >= 3
    assert "The model has not seen this row" not in text
